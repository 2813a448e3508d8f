"""Fast paths of common calls: results and errors are NumPy's, as those of the general ones."""

import bascule as bc
import numpy as np
import pytest
from bascule import _core
from bascule._array import methods as array_methods

SHAPES = [(), (0,), (1,), (6,), (2, 3), (3, 0, 2), (2, 3, 4), (1, 2, 1, 3)]
LAYOUTS = ["C", "F", "reversed", "strided", "broadcast"]


def laid_out(shape, layout, dtype="f8"):
    n = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    if layout == "F":
        return np.asfortranarray(n)
    if layout == "reversed":
        return n[tuple(slice(None, None, -1) for _ in shape)]
    if layout == "strided":
        return np.repeat(n, 2, axis=-1)[..., ::2] if n.ndim else n
    return np.broadcast_to(n, (2, *shape)) if layout == "broadcast" else n


def pair(shape, layout, dtype="f8"):
    n = laid_out(shape, layout, dtype)
    x = bc.asarray(n, copy=False if isinstance(n, np.ndarray) else None)  # the same strides
    assert x.strides == n.strides or 1 in n.shape or not n.size
    return x, n


def outcome(f, a):
    try:
        r = f(a)
    except Exception as error:
        return type(error), str(error)
    if isinstance(r, (bc.ndarray, np.ndarray, np.generic)):
        strides = r.strides if min(r.shape, default=0) > 1 else None
        return np.asarray(r).tolist(), r.shape, r.dtype, strides
    return r, type(r)


METHODS = {
    "reshape": [
        (6,), (2, 3), ((3, 2),), (-1,), (2, -1), ((-1, 3),), (), ((),), (1, -1, 1), (4,), (-1, -1), (-2, 3), (0, -1),
        ([2, 3],), (np.int64(6),), (True,), (2.0,), (2**70,), ("6",), ((2, -1, 0),),
    ],
    "transpose": [
        (), (0,), (1, 0), ((1, 0),), (0, 1, 2), (2, 0, 1), ((-1, 0, 1),), (0, 0), (5, 0), (None,), ([1, 0],), (3, 2, 1, 0), ((),),
    ],
    "ravel": [(), ("C",), ("F",), ("K",), ("A",), (3,)],
    "copy": [(), ("C",), ("F",), ("K",), ("A",)],
    "astype": [
        ("f4",), (np.float32,), (float,), (int,), (bool,), ("i1",), (np.dtype("u2"),), ("c8",), ("f8",), ("float64",),
        (np.int8,), (bool, "C"), (bool, "F"), ("f2",), ("nonsense",), (3,), ("O",),
    ],
    "item": [(), (0,), (-1,), (5,), (6,), (0, 1), ((0, 1),), (1.0,), (2**70,), (None,)],
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_methods_answer_as_numpys(method, shape, layout):
    x, n = pair(shape, layout)
    for args in METHODS[method]:
        if args == ("O",) and not isinstance(n, np.ndarray):
            continue  # NumPy returns the object itself for a scalar
        with bc.config.set(fallback="silent"):
            got, want = (outcome(lambda a, args=args: getattr(a, method)(*args), a) for a in (x, n))
        assert got == want, args


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "c8", "M8[s]", "m8[D]"])
@pytest.mark.parametrize("to", ["?", "i1", "i8", "u2", "f2", "f8", "c16", "M8[ms]", "m8[s]"])
@pytest.mark.filterwarnings("ignore")
def test_every_cast_is_numpys(dtype, to):
    x, n = pair((2, 3), "C", dtype)
    assert outcome(lambda a: a.astype(to), x) == outcome(lambda a: a.astype(to), n)


def test_casts_report_what_they_lose():
    x = bc.asarray([1e300, 1.0])
    with pytest.warns(RuntimeWarning, match="overflow encountered in cast"):
        x.astype("f4")
    with np.errstate(over="raise"), pytest.raises(FloatingPointError, match="overflow encountered in cast"):
        x.astype("f4")
    with pytest.warns(np.exceptions.ComplexWarning) as reported:
        bc.asarray([1j]).astype(float)
    assert reported[0].filename == __file__


KEYS = [
    0, -1, 5, 6, -7, np.s_[1:], np.s_[::-1], np.s_[5:1], np.s_[:0], None, ..., (), (0,), (0, 0), (1, 2), (-1, -3), (2, 0),
    (0, 0, 0), np.s_[:, 1], np.s_[1, :], np.s_[::2, ::-1], np.s_[..., 0], np.s_[0, ...], np.s_[..., None], np.s_[None, 0, ..., None],
    np.s_[:, None, 1:], (..., ...), np.s_[0, ..., 0], 2**70, np.s_[: 2**70], 1.0, "a", np.s_["a":], np.s_[0, 1.0], True,
    np.int64(1), np.s_[np.int8(1), :], np.s_[:, True], (None,) * 70,
]  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_keys_read_as_numpys(shape, layout):
    x, n = pair(shape, layout)
    for key in KEYS:
        got, want = outcome(lambda a, key=key: a[key], x), outcome(lambda a, key=key: a[key], n)
        if n.ndim == 0 and isinstance(key, slice) and key.start == "a":
            continue  # the slice is checked before the number of axes
        if len(want) == 2:  # an error
            assert got[0] is want[0], key
        else:
            assert got == want, key


@pytest.mark.parametrize("dtype", ["?", "i1", "i8", "u4", "f2", "f4", "f8", "c16"])
@pytest.mark.parametrize(
    "value", [0, 1, -1, 300, 2.5, float("nan"), True, 1j, np.float32(0.1), [1], [[1, 2, 3]]], ids=repr
)
@pytest.mark.filterwarnings("ignore")
def test_keys_write_as_numpys(dtype, value):
    for key in (0, (1, 2), np.s_[:, 1], np.s_[..., 0], np.s_[::-1, ::2], (5, 5), np.s_[None, 0], ()):
        x, n = pair((2, 3), "C", dtype)
        x, n = x.copy(), n.copy()
        errors = []
        for a in (x, n):
            try:
                a[key] = value
                errors.append(None)
            except Exception as error:
                errors.append((type(error), str(error)))
        if isinstance(value, list) and key in ((1, 2), (5, 5)):  # NumPy's message depends on the type
            assert (errors[0] is None) == (errors[1] is None)
            if errors[0] is not None:
                continue
        assert errors[0] == errors[1], key
        assert np.array_equal(np.asarray(x), n, equal_nan=dtype not in "?"), key


def test_writes_of_elements_keep_program_order():
    x = bc.arange(10_000.0)
    y = x + 1  # pending, reads x
    x[3] = -5
    x[4] = x[3]
    assert y[3] == 4 and y[4] == 5 and x[4] == -5
    view = x[::2]
    view[2] = 7
    assert x[4] == 7
    value = x[4]
    x[4] = 0
    assert value == 7


def test_writes_to_what_is_read_only():
    x = bc.broadcast_to(bc.arange(3.0), (2, 3))
    for key in (0, (0, 0), np.s_[:, 1]):
        with pytest.raises(ValueError, match="assignment destination is read-only"):
            x[key] = 1


@pytest.mark.parametrize("shape", [0, 3, (2, 3), (), [2, 2], (0, 4), np.int64(2), -1, (2, -1), 2**63, 1.5])
@pytest.mark.parametrize("dtype", [None, "i4", bool, "f2", "c16", "M8[s]"])
def test_new_arrays(shape, dtype):
    for name in ("zeros", "ones", "empty"):
        if name == "ones" and dtype == "M8[s]":
            continue
        got, want = (outcome(lambda m, name=name: getattr(m, name)(shape, dtype), m) for m in (bc, np))
        if len(want) == 2:
            assert got[0] is want[0]
        else:
            assert got[1:4] == want[1:4] and (name == "empty" or got[0] == want[0])


@pytest.mark.parametrize(
    "args", [(5,), (2, 7), (7, 2), (7, 2, -2), (0,), (-3,), (0, 10, 3), (2**62,), (5, 6, 10), (3, 3), (0, 5, 0)]
)
def test_ranges_of_integers(args):
    if args == (2**62,):
        args = (2**62, 2**62 + 3)
    got, want = (outcome(lambda m: m.arange(*args), m) for m in (bc, np))
    assert got[:3] == want[:3]


@pytest.mark.parametrize("size", [1, 10, 4096, 8191, 8192, 9000])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i8"])
def test_ranges_have_the_same_bits_at_once_and_later(size, dtype):
    step = 3 if dtype == "i8" else 0.1
    got, want = bc.arange(1, 1 + size * step, step, dtype=dtype), np.arange(1, 1 + size * step, step, dtype=dtype)
    assert np.asarray(got).tobytes() == want.tobytes()


@pytest.mark.parametrize("axis", [0, 1, -1, -2, 2, None])
def test_joins(axis):
    a = np.arange(6.0).reshape(2, 3)
    parts = [
        [a, a],
        [a, a[:1]],
        [a, a[:, :1]],
        [a, a.T],
        [a[::-1], a],
        [a, a.astype("f4")],
        [a],
        [np.asfortranarray(a)] * 2,
        (a, a),
    ]
    for group in (*parts, [np.arange(3), np.arange(2)], [np.float64(1), a], [], [a, a[0]], [a, [[1, 2, 3]]]):
        ours = type(group)(bc.asarray(g) if isinstance(g, np.ndarray) else g for g in group)
        got, want = outcome(lambda g: bc.concatenate(g, axis), ours), outcome(lambda g: np.concatenate(g, axis), group)
        assert got[:3] == want[:3]


@pytest.mark.parametrize("name", ["add", "maximum", "minimum"])
@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i8", "f2", "f4", "f8", "c16", "m8[s]"])
@pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 3), (0, 3)], ids=str)
def test_reductions_of_ufuncs(name, dtype, shape):
    x, n = pair(shape, "C", dtype)
    for args in [(), (0,), (1,), (-1,), (None,), ((0, 1),), ((0, 0),), (3,), (0.5,)]:
        got = outcome(lambda a, args=args: getattr(bc, name).reduce(a, *args), x)
        want = outcome(lambda a, args=args: getattr(np, name).reduce(a, *args), n)
        assert got[0] == want[0] or got[0] is want[0], args
        if len(want) > 2:
            assert got[1:3] == want[1:3], args


REDUCTIONS = ["sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax"]
DTYPES = ["?", "i1", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "M8[s]", "m8[s]"]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.filterwarnings("ignore")
def test_whole_reductions_are_numpys(name, layout, dtype):
    for shape in SHAPES:
        x, n = pair(shape, layout, dtype)
        try:
            want = getattr(n, name)()
        except (TypeError, ValueError) as error:
            with pytest.raises(TypeError if isinstance(error, TypeError) else ValueError):
                getattr(x, name)()
            continue
        got = getattr(x, name)()
        assert type(got) is type(want) and got.dtype == want.dtype
        if want.dtype.kind in "fc":
            assert np.allclose(got, want, rtol=1e-6, equal_nan=True)
        else:
            assert got.tolist() == want.tolist()


def laid_for_bits(size, dtype):
    return (np.random.default_rng(5).standard_normal(size) + 1).astype(dtype)


SIZES = [*range(1, 40), 127, 128, 129, 136, 255, 256, 257, 1000, 1023, 1024, 1025, 4096, 8191, 8192, 8193, 33000]


@pytest.mark.parametrize("name", ["sum", "mean", "min", "max", "argmin", "argmax"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c16", "i4"])
def test_whole_reductions_have_the_bits_of_numpys(name, dtype):
    for size in SIZES:
        n = laid_for_bits(size, dtype)
        assert np.asarray(getattr(bc.asarray(n), name)()).tobytes() == getattr(n, name)().tobytes(), size
    for zeros in ([-0.0], [-0.0] * 9, [-0.0] * 300):
        got, want = getattr(bc.asarray(zeros, dtype=dtype), name)(), getattr(np.asarray(zeros, dtype=dtype), name)()
        assert np.asarray(got).tobytes() == want.tobytes()


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("dtype", ["?", "i2", "u8", "f4", "f8", "c8"])
@pytest.mark.filterwarnings("ignore")
def test_whole_reductions_have_the_bits_of_the_general_ones(name, dtype):
    for size in SIZES:
        n = laid_for_bits(size, dtype)
        n[::3] = 0
        got, general = getattr(bc.asarray(n), name)(), getattr(bc.asarray(np.repeat(n, 2))[::2], name)(axis=0)
        assert np.asarray(got).tobytes() == np.asarray(general).tobytes(), size


def test_whole_reductions_of_what_waits_or_is_a_view():
    x, n = bc.arange(9000.0), np.arange(9000.0)
    y, m = x + 1, n + 1
    assert y[:9].sum() == m[:9].sum() and y[3::7][:50].mean() == m[3::7][:50].mean()
    x[2:4] = 7
    assert x[:10].sum() == 7 + 7 + sum((0, 1, 4, 5, 6, 7, 8, 9)) and y[:9].sum() == m[:9].sum()
    total = x[:10].sum()
    total += 1
    assert total == x[:10].sum() + 1 and x.sum() == np.asarray(x).sum()


def test_whole_reductions_report_as_numpys():
    huge = bc.asarray([1e308, 1e308, 5.0])
    with pytest.warns(RuntimeWarning, match="overflow encountered in reduce") as reported:
        assert huge.sum() == np.inf
    assert reported[0].filename == __file__
    with np.errstate(over="raise"), pytest.raises(FloatingPointError, match="overflow encountered in reduce"):
        huge.sum()
    with np.errstate(invalid="raise"), pytest.raises(FloatingPointError, match="invalid value encountered in reduce"):
        bc.asarray([np.inf, -np.inf]).sum()
    with np.errstate(all="ignore"):
        assert huge.prod() == np.inf
    with np.errstate(all="raise"):
        assert bc.asarray([np.inf, 1.0]).sum() == np.inf and np.isnan(bc.asarray([np.nan, 1]).max())


@pytest.mark.parametrize("name", REDUCTIONS)
def test_what_reductions_are_given_goes_the_general_way(name):
    x, n = bc.asarray([[3.0, 1.0], [2.0, 5.0]]), np.asarray([[3.0, 1.0], [2.0, 5.0]])
    keywords = [
        {"axis": 0},
        {"axis": None},
        {"keepdims": True},
        {"axis": 5},
        {"axis": (0, 1)},
        {"axis": "a"},
        {"nonsense": 1},
    ]
    if name in ("sum", "prod", "min", "max"):
        keywords += [{"initial": 4.0}, {"where": np.array([True, False]), "initial": 9.0}]
    if name in ("sum", "prod", "mean", "var", "std"):
        keywords += [{"dtype": "f4"}, {"dtype": "c16"}]
    for given in keywords:
        got, want = (outcome(lambda a, given=given: getattr(a, name)(**given), a) for a in (x, n))
        if len(want) == 2:
            assert got[0] is want[0], given
        else:
            assert got[1:3] == want[1:3] and np.allclose(got[0], want[0], rtol=1e-6), given
    out = bc.zeros((), dtype=getattr(n, name)().dtype)
    assert getattr(x, name)(out=out) is out and out[()] == getattr(n, name)()


def test_types_of_the_namespace_are_found_once():
    assert "float32" in vars(bc) or bc.float32 is np.float32
    bc.float32
    assert vars(bc)["float32"] is np.float32 and vars(bc).get("pi", bc.pi) == np.pi


def test_a_method_keeps_its_general_form():
    for name in METHODS:
        assert _core.set_general_form(name, array_methods.all_methods()[name])
    assert not _core.set_general_form("sum", print)
    assert bc.arange(6).reshape(2, 3, order="F").tolist() == np.arange(6).reshape(2, 3, order="F").tolist()
    assert bc.arange(6).astype(dtype="f4", copy=False).dtype == "f4"
