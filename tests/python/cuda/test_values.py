"""Results of kernels for extreme numbers on the emulated CUDA device, against NumPy."""

import emulated_cuda


def test_underflow_is_reported_where_it_is_asked_for():
    said = emulated_cuda.run(
        """
    import warnings
    def underflows(program):
        found = []
        for xp in (np, bc):
            with warnings.catch_warnings(record=True) as seen, np.errstate(all="ignore", under="warn"):
                warnings.simplefilter("always")
                np.asarray(r if isinstance(r := program(xp), np.ndarray) else r.get())
            found.append(bool([w for w in seen if "underflow" in str(w.message)]))
        return found
    def programs(t):
        f = np.finfo(t)
        tiny, least, one = f.tiny, f.smallest_subnormal, f.dtype.type(1)
        a = lambda xp, x: xp.asarray(np.full(5, x, t))
        yield lambda xp: a(xp, tiny) * a(xp, tiny)
        yield lambda xp: a(xp, tiny) * a(xp, one / 2)
        yield lambda xp: a(xp, -tiny) * a(xp, one / 3)
        yield lambda xp: a(xp, least * 3) * a(xp, one / 2)
        yield lambda xp: a(xp, least * 4) * a(xp, one / 2)
        yield lambda xp: a(xp, 0) * a(xp, tiny)
        yield lambda xp: a(xp, tiny) / a(xp, 3)
        yield lambda xp: a(xp, tiny) / a(xp, 4)
        yield lambda xp: a(xp, one) / a(xp, np.inf)
        yield lambda xp: a(xp, tiny) / a(xp, f.max)
        yield lambda xp: xp.square(a(xp, tiny))
        yield lambda xp: xp.reciprocal(a(xp, f.max))
        yield lambda xp: xp.exp(a(xp, -1000))
        yield lambda xp: xp.exp(a(xp, -np.inf))
    with bc.device("cuda"):
        for t in ("f4", "f8"):
            for k, program in enumerate(programs(t)):
                theirs, ours = underflows(program)
                assert ours == theirs, (t, k, theirs)
                print(int(ours), end="")
        for x, to in ((1e-30, "f2"), (2.0**-24, "f2"), (1e-300, "f4"), (2.0**-140, "f4"), (0.0, "f4"), (np.nan, "f4")):
            theirs, ours = underflows(lambda xp: xp.asarray(np.full(5, x)).astype(to))
            assert ours == theirs, (x, to, theirs)
            print(int(ours), end="")
    """
    )
    assert set(said) == {"0", "1"}


def test_any_byte_of_a_boolean_but_0_is_true():
    emulated_cuda.run(
        """
    odd = np.resize(np.array([0, 1, 2, 255, 128, 0, 3], "u1"), 100)
    programs = [
        lambda xp, v: v & v[::-1],
        lambda xp, v: v[::2] ^ v[1::2],
        lambda xp, v: ~v,
        lambda xp, v: v + 1,
        lambda xp, v: v.sum(),
        lambda xp, v: v[:99].reshape(3, 33).sum(axis=0),
        lambda xp, v: v.cumsum(),
        lambda xp, v: xp.where(v, 1, 2),
        lambda xp, v: xp.logical_xor.accumulate(v),
    ]
    with bc.device("cuda"):
        for k, program in enumerate(programs):
            ours, theirs = program(bc, bc.asarray(odd).view(bool)).get(), program(np, odd.view(bool))
            assert (ours == theirs).all(), k
    """
    )


def test_what_numpy_does_with_scalars_is_done_with_results_of_no_axes():
    emulated_cuda.run(
        """
    import warnings
    x = np.sort(np.random.default_rng(0).random(70))
    programs = [
        lambda xp, a: xp.interp(0, a, a[::-1]),
        lambda xp, a: xp.interp(1, a, a[::-1], left=-7, right=2.5),
        lambda xp, a: xp.interp(0.25, a, a[::-1]),
        lambda xp, a: xp.std(a, dtype="i4"),
        lambda xp, a: xp.var(a, dtype="?"),
        lambda xp, a: a[:0].mean(),
        lambda xp, a: xp.var(a[:0]),
        lambda xp, a: xp.std(a[:1], ddof=1),
        lambda xp, a: a.sum() / np.float64(0),
        lambda xp, a: a.sum() / 0,
        lambda xp, a: (a + 1j * np.nan) < a,
        lambda xp, a: (a + 1j) >= (a + 1j * np.nan),
        lambda xp, a: (a + 1j) > a,
    ]
    with bc.device("cuda"):
        for k, program in enumerate(programs):
            said = []
            for xp in (np, bc):
                with warnings.catch_warnings(record=True) as seen:
                    warnings.simplefilter("always")
                    r = program(xp, xp.asarray(x))
                    r = r.get() if isinstance(r, bc.ndarray) else r
                said.append((np.asarray(r).dtype, repr(np.asarray(r)), sorted(str(w.message) for w in seen)))
            assert said[0] == said[1], (k, said)
    """
    )


def test_largest_ones_written_to_complex_memory_warn_of_nothing():
    emulated_cuda.run(
        """
    import warnings
    with bc.device("cuda"), warnings.catch_warnings():
        warnings.simplefilter("error")
        out = bc.zeros(3, "c8")
        bc.nanmax(bc.asarray(np.array([[1, np.nan, 3], [2, 5, 1]], "f4")), axis=0, out=out)
        assert out.tolist() == [2, 5, 3]
    """
    )
