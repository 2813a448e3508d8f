"""Reductions and cumulative operations on the emulated CUDA device report floating-point errors as NumPy does."""

import emulated_cuda

PRELUDE = """
import warnings

def told(program, xp):
    "What a call warns of, at the latest when its result is asked for."
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        r = program(xp)
        r = np.asarray(r if isinstance(r, (np.ndarray, np.generic)) else r.get())
    return r, sorted({str(w.message) for w in seen})

def compare(program, *about):
    with np.errstate(all="warn", under="ignore"):
        (theirs, expected), (ours, got) = told(program, np), told(program, bc)
    # NumPy names the multiplications of a variance; here they are parts of a reduction.
    kinds = lambda messages: sorted({m.split(" encountered")[0] for m in messages})
    assert kinds(got) == kinds(expected), (about, got, expected)
    np.testing.assert_allclose(ours, theirs, rtol=1e-3, err_msg=str(about))
    return expected

LARGE = {"f2": 6e4, "f4": 3e38, "f8": 1.7e308, "c8": 3e38, "c16": 1.7e308}
def inputs(t):
    big = LARGE[t]
    yield np.array([big, big, -1.0], t)
    yield np.array([np.inf, 1.0, -np.inf], t)
    yield np.array([np.nan, np.inf, 2.0], t)
    yield np.array([1.0, 2.0, 3.0], t)
    if t != "f2":
        yield np.tile(np.array([big, 1.0, 0.5], t), 300)
def shapes(x):
    yield x, None
    yield np.tile(x, (2, 1)), 1
    yield np.tile(x[:, None], (1, 3)), 0
"""


def test_sums_and_products():
    said = emulated_cuda.run(
        PRELUDE
        + """
seen = set()
for t in ("f2", "f4", "f8", "c16"):
    for values in inputs(t):
        for x, axis in shapes(values):
            # NumPy divides the complex sums of a mean in a way that raises more.
            for name in ("sum", "mean")[: 1 + (t[0] == "f")]:
                seen.update(compare(lambda xp: getattr(xp, name)(xp.asarray(x), axis=axis), name, t, x.shape, x[:3]))
            if t[0] == "f":
                seen.update(compare(lambda xp: xp.prod(xp.asarray(x), axis=axis), "prod", t, x.shape, x[:3]))
print(sorted(seen))
""",
        BASCULE_DEVICE="cuda",
    )
    assert "overflow encountered in reduce" in said
    assert "invalid value encountered in reduce" in said


def test_variances():
    emulated_cuda.run(
        PRELUDE
        + """
for t, big in (("f4", 3e30), ("f8", 1e200)):
    for values in ([big, -big, 1.0], [np.inf, 1.0, 2.0], [1.0, 2.0, 4.0], [np.nan, 1.0, 2.0]):
        for x, axis in shapes(np.array(values, t)):
            for name in ("var", "std"):
                compare(lambda xp: getattr(xp, name)(xp.asarray(x), axis=axis), name, t, values, x.shape)
""",
        BASCULE_DEVICE="cuda",
    )


def test_running_reductions_and_reductions_of_parts():
    said = emulated_cuda.run(
        PRELUDE
        + """
seen = set()
for t in ("f2", "f4", "f8", "c16"):
    for values in inputs(t):
        for x, axis in shapes(values):
            for name in ("cumsum", "cumprod")[: 1 + (t[0] == "f")]:
                seen.update(compare(lambda xp: getattr(xp, name)(xp.asarray(x), axis=axis), name, t, x.shape, x[:3]))
            if axis != 0 and x.shape[-1] < 9:
                seen.update(compare(lambda xp: xp.add.reduceat(xp.asarray(x), [0, 2], axis=-1), "reduceat", t, x.shape))
print(sorted(seen))
""",
        BASCULE_DEVICE="cuda",
    )
    assert "overflow encountered in accumulate" in said
    assert "invalid value encountered in accumulate" in said


def test_they_are_reported_at_the_next_wait_or_raised_at_the_call():
    said = emulated_cuda.run(
        """
    import warnings
    warnings.simplefilter("always")
    seen = []
    warnings.showwarning = lambda message, category, file, line, *rest: seen.append((str(message), line))
    x = bc.asarray(np.array([1e308, 1e308]))
    bc.synchronize()
    before = calls("cuStreamSynchronize")
    here = __import__("sys")._getframe().f_lineno
    y = x.sum()
    z = x.cumsum()
    bc.evaluate(y, z)
    assert calls("cuStreamSynchronize") == before and seen == [], seen
    bc.synchronize()
    print(sorted((m, line - here) for m, line in seen))
    seen.clear()
    for f in (bc.sum, bc.cumprod, bc.mean):
        with bc.errstate(over="raise"):
            try:
                f(x)
            except FloatingPointError as error:
                print(error)
    with bc.errstate(all="ignore"):
        bc.evaluate(x.sum(), x.cumsum())
    with bc.errstate(over="ignore", under="warn"):
        bc.prod(bc.asarray(np.array([1e-300, 1e-300]))).get()
    bc.synchronize()
    print([m for m, _ in seen])
    """,
        BASCULE_DEVICE="cuda",
        BASCULE_FAKE_CUDA_LAZY="1",
        BASCULE_FP_WARNINGS="lazy",
    )
    first, *raised, last = said.splitlines()
    assert first == repr([("overflow encountered in accumulate", 2), ("overflow encountered in reduce", 1)])
    assert raised == [f"overflow encountered in {what}" for what in ("reduce", "accumulate", "reduce")]
    assert last == "['underflow encountered in reduce']"
