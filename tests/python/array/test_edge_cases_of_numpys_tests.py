"""Edge cases from NumPy's own test modules: values, types, layouts, errors and warnings are NumPy's."""

import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

_A, _B = np.arange(27.0).reshape(3, 3, 3), np.arange(10.0, 19.0).reshape(3, 1, 3)
_ROW, _NAT = np.arange(3.0).reshape(1, 3), np.array(["nat"], "m8[s]")


def _outcome(case, xp):
    with warnings.catch_warnings(record=True) as seen, np.errstate(all="warn"):
        warnings.simplefilter("always")
        try:
            r = case(xp)
        except Exception as error:
            return error
    strings = {str(w.message) for w in seen}
    assert xp is np or {w.filename for w in seen} <= {__file__}
    if isinstance(r, bool):
        return r, strings
    return np.asarray(r), strings


def check(case, bits=True):
    """Compare the result of a function of a namespace, or its error, in bascule and in NumPy."""
    theirs, ours = _outcome(case, np), _outcome(case, bc)
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        assert isinstance(ours, Exception), (ours, theirs)
        assert isinstance(theirs, Exception), (ours, theirs)
        assert isinstance(theirs, type(ours)) or isinstance(ours, type(theirs))
        assert str(theirs) == str(ours)
        return
    assert theirs[1] == ours[1]
    assert type(theirs[0]) is type(ours[0])
    if isinstance(ours[0], np.ndarray):
        assert theirs[0].dtype == ours[0].dtype
        np.testing.assert_array_equal(ours[0], theirs[0])
        if bits and theirs[0].dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(ours[0]), np.signbit(theirs[0]))
        return
    assert theirs[0] == ours[0]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize(
    "axes",
    [
        [-1, -1, -1], [-1, -1, (-1,)], [-1, (-2, -1), ()], [0, 1], -1, [-1], [-1.0, -1.0], [(-1.0,), -1], [None, 1],
        [-1, -1, ()], [0, 0], [0, 2], (0, 0), [-1, -1, 1], [0, 0, 0, 0],
    ],
)  # fmt: skip
def test_axes_of_vecdot(axes, keepdims):
    check(lambda xp: xp.vecdot(xp.array(_A), xp.array(_B), axes=axes, keepdims=keepdims))


@pytest.mark.parametrize(
    "case",
    [
        lambda xp, a: xp.matmul(a, a, axes=[(0, 1), (0, 1), -1]),
        lambda xp, a: xp.matmul(a, a, axes=[(0, 1), (0, 1), (0,)]),
        lambda xp, a: xp.matmul(a, a, axes=[(0, 1), 0, (0, 1)]),
        lambda xp, a: xp.matmul(a, a, axes=[(0, 0), (0, 1), (0, 1)]),
        lambda xp, a: xp.matmul(a, a, axes=[(0, 1), (0, 1)]),
        lambda xp, a: xp.matmul(a, a, keepdims=True),
        lambda xp, a: xp.matvec(a, a, keepdims=True),
        lambda xp, a: xp.vecmat(a, a, keepdims=True),
        lambda xp, a: xp.matvec(a, a, axes=[(0, 1), 0, 0]),
        lambda xp, a: xp.vecdot(a, a, axis=[0]),
        lambda xp, a: xp.vecdot(a, a, axis=0, keepdims=True),
    ],
)
def test_axes_of_matrices(case):
    check(lambda xp: case(xp, xp.array(_A)))


@pytest.mark.parametrize(
    "case",
    [
        lambda xp, a: xp.vecdot(a, a, out=xp.zeros((5, 4, 3))),
        lambda xp, a: xp.matmul(a, a.T, out=xp.zeros((4, 1, 1))),
        lambda xp, a: xp.matmul(a[0], a[0], out=xp.zeros((4, 1))),
        lambda xp, a: xp.matmul(xp.array(_A), xp.array(_A[0]), out=xp.zeros((2, 3, 3, 3))),
        lambda xp, a: xp.matmul(a, a.T, out=xp.zeros((1, 1), int)),
    ],
)
def test_products_are_repeated_along_further_axes_of_out(case):
    check(lambda xp: case(xp, xp.array(_ROW)))


@pytest.mark.parametrize("shape", [True, np.True_, (True, 2), [np.bool(True), 2]])
@pytest.mark.parametrize("name", ["ones", "zeros", "empty"])
def test_no_shape_is_made_of_bools(name, shape):
    check(lambda xp: getattr(xp, name)(shape))


@pytest.mark.parametrize("name", ["ones", "zeros", "empty"])
def test_arrays_of_integers_are_shapes(name):
    for shape in (np.array([2, 3]), np.array(3), np.array([], int), np.int64(2)):
        expected = getattr(np, name)(shape).shape
        assert getattr(bc, name)(shape).shape == getattr(bc, name)(bc.array(shape)).shape == expected


@pytest.mark.parametrize(
    "case",
    [
        lambda xp, shape: xp.broadcast_to(1.0, shape),
        lambda xp, shape: xp.resize(xp.arange(4), shape),
        lambda xp, shape: xp.reshape(xp.arange(6), shape),
        lambda xp, shape: xp.arange(6).reshape(shape),
        lambda xp, shape: xp.full(shape, 1),
        lambda xp, shape: xp.array(xp.unravel_index(4, shape)),
        lambda xp, shape: xp.ravel_multi_index((1, 1), shape),
        lambda xp, shape: xp.ones_like(xp.arange(2), shape=shape),
        lambda xp, shape: xp.indices(shape),
    ],
)
def test_shapes_are_arrays_of_integers(case):
    check(lambda xp: case(xp, xp.array([2, 3])))


@pytest.mark.parametrize(
    "case",
    [
        lambda xp: xp.vecdot(xp.array(_A), xp.array(_A), keepdims="true"),
        lambda xp: xp.vecdot(xp.array(_A), xp.array(_A), keepdims=1),
        lambda xp: xp.isclose(xp.array(1 - 2**-52, "f4"), 2, atol=0, rtol=(1 - 2**-52) / 2),
        lambda xp: xp.isclose(xp.array(1, "f4"), 1 - 2**-52, atol=0, rtol=0),
        lambda xp: xp.isclose(xp.array(1, "f4"), xp.array(1 - 2**-52), atol=0, rtol=0),
        lambda xp: xp.isclose(1, 1, atol=np.inf),
        lambda xp: xp.isclose(xp.array([1, 2]), [1, 2], rtol=np.nan),
        lambda xp: xp.allclose(xp.array([1.0, np.inf]), [1, np.inf], rtol=np.nan),
        lambda xp: xp.isclose(xp.array([np.inf, 1, np.nan]), xp.array([np.inf, 1, np.nan]), equal_nan=True),
        lambda xp: xp.isclose(1, 1, atol=xp.array([1, np.inf])),
        lambda xp: xp.isclose(xp.array([1, 2], "m8[s]"), xp.array([1, 3], "m8[s]"), atol=np.timedelta64(1, "s")),
        lambda xp: xp.array_equal(xp.array(_NAT), xp.array(_NAT)),
        lambda xp: xp.array_equal(xp.array(_NAT), xp.array(_NAT), equal_nan=True),
        lambda xp: xp.clip(xp.arange(3), -(2**300), None),
        lambda xp: xp.clip(xp.arange(3), None, 2**300),
        lambda xp: xp.clip(xp.arange(3), -(2**300), 1),
        lambda xp: xp.clip(xp.arange(3), 1, 2**300),
        lambda xp: xp.clip(xp.arange(3), 2**300, None),
        lambda xp: xp.clip(xp.arange(3, dtype="u1"), -1, 300),
        lambda xp: xp.clip(xp.arange(3, dtype="u1"), 300, None),
        lambda xp: xp.astype([1], float),
        lambda xp: xp.astype(xp.arange(3), "f4"),
        lambda xp: xp.concatenate([xp.array(1, "f4"), 1.0], axis=None),
        lambda xp: xp.concatenate([xp.array([1], "f4"), [1.0]], axis=None),
        lambda xp: xp.concatenate([xp.array([1], "i1"), 300], axis=None),
        lambda xp: xp.r_[xp.arange(5, dtype="i1"), 255],
        lambda xp: xp.r_[xp.arange(5, dtype="f4"), 2.5],
        lambda xp: xp.choose(1, [xp.array(1, "f4"), 1.0]),
    ],
)
def test_one_call(case):
    check(case)


def test_array_equal_of_text_asks_numpy():
    with bc.config.set(fallback="silent"):
        assert bc.array_equal(np.array(["a"]), np.array(["a"]))
        assert not bc.array_equal(np.array(["a"]), np.array(["b"]))


# ---- loops named in the call


@pytest.mark.parametrize(
    "case",
    [
        lambda xp: xp.add(xp.arange(3.0), 0.5, sig="ii->i", casting="unsafe"),
        lambda xp: xp.add(xp.arange(3.0), 0.5, sig=("i4", "i4", "i4"), casting="unsafe"),
        lambda xp: xp.add(xp.arange(3.0), 0.5, sig="i", casting="unsafe"),
        lambda xp: xp.add(xp.arange(3.0), 0.5, sig=("i4",), casting="unsafe"),
        lambda xp: xp.add(xp.arange(3.0), 0.5, sig="ii->i"),
        lambda xp: xp.add([3], [4], sig=(None, None, None)),
        lambda xp: xp.add(3, 4, signature=(None,)),
        lambda xp: xp.add(3, 4, signature=None),
        lambda xp: xp.add(3, 4, signature=123.0),
        lambda xp: xp.add(3, 4, signature="%^->#"),
        lambda xp: xp.add(3, 4, signature=b"ii-i"),
        lambda xp: xp.add(3, 4, signature="ii>i"),
        lambda xp: xp.add(3, 4, signature=("d", "d", None)),
        lambda xp: xp.add(3, 4, signature=("d", None, None), order="F"),
        lambda xp: xp.add(xp.array(1, "f2"), xp.array(2, "u8"), sig=("e", "d", None)),
        lambda xp: xp.add(1, 2, signature="l", dtype="l"),
        lambda xp: xp.add(1, 2, signature="l", sig="l"),
        lambda xp: xp.add(1, 2, signature=(None, None, np.dtype("m8[ns]"))),
        lambda xp: xp.equal(xp.arange(3, dtype="i4"), xp.arange(3, dtype="f4"), signature="dd->?"),
        lambda xp: xp.equal(xp.arange(3, dtype="i4"), 1.0, dtype=bool),
        lambda xp: xp.less(xp.arange(3, dtype="i4"), 1.0, dtype=float),
        lambda xp: xp.greater([1, 2], [2, 1], sig="BB->?", casting="unsafe"),
        lambda xp: xp.isnan(xp.arange(3.0), dtype=float),
        lambda xp: xp.isnan(xp.arange(3.0), dtype=bool),
        lambda xp: xp.absolute(xp.array([3 + 4j]), dtype=float),
        lambda xp: xp.absolute(xp.array([3 + 4j]), signature="F->f", casting="same_kind"),
        lambda xp: xp.logical_and([1, 0], [1.0, 2.0], dtype=bool),
        lambda xp: xp.logical_and([1, 0], [1.0, 2.0], signature="dd->?"),
        lambda xp: xp.multiply(xp.arange(3), xp.arange(3), xp.zeros(3, "f4"), signature="dd->d"),
        lambda xp: xp.power(1.5, 2.8, signature=(None, None, np.intp), casting="unsafe"),
        lambda xp: xp.ldexp(xp.array(1, "f4"), 2, signature=(None, None, "d")),
        lambda xp: xp.add(1, 2, casting=None),
    ],
)
def test_loops_by_signature(case):
    check(case)


# ---- numbers


@pytest.mark.parametrize("kind", ["f2", "?", "i1", "u1", "f4", "f8", "i2"])
def test_neighbours_of_small_floats(kind):
    x = np.arange(65536, dtype="u2").view("f2")[::3] if kind == "f2" else np.array([0, 1, 100]).astype(kind)
    for to in (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 65504.0, 6e-8):
        y = np.full(x.shape, to).astype(kind if kind[0] == "f" else "f2")
        with np.errstate(all="ignore"):
            theirs, ours = np.nextafter(x, y), bc.nextafter(bc.array(x), bc.array(y))
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(np.asarray(ours), theirs)
    with np.errstate(all="ignore"):
        theirs, ours = np.spacing(x), bc.spacing(bc.array(x))
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(np.asarray(ours), theirs)


def test_neighbours_of_float16_take_the_arguments_of_ufuncs():
    check(lambda xp: xp.nextafter(xp.ones(3, "f2"), 2, out=xp.zeros(3, "f4")))
    check(lambda xp: xp.nextafter(xp.ones(3, "f2"), 2, out=xp.zeros(3, "f2"), where=xp.array([True, False, True])))
    check(lambda xp: xp.spacing(xp.ones(3, "f2"), xp.zeros(3, "f2")))


@pytest.mark.parametrize(
    "case",
    [
        lambda xp: xp.bitwise_count(2**64 - 1),
        lambda xp: xp.negative(2**64 - 1),
        lambda xp: xp.add(2**64 - 1, 0),
        lambda xp: xp.add(2**64 - 1, 1.0),
        lambda xp: xp.equal(2**64 - 1, -1),
        lambda xp: xp.equal(2**64 - 1, 2**64 - 1),
        lambda xp: xp.less(-1, 2**64 - 1),
        lambda xp: xp.less(2**63 - 1, 2**63),
        lambda xp: xp.sqrt(2**64 - 1),
    ],
)
def test_integers_that_only_uint64_holds(case):
    check(case)


@pytest.mark.parametrize("other", [None, "a", b"a"])
def test_nothing_equals_what_is_no_number(other):
    check(lambda xp: xp.arange(3) == other)
    check(lambda xp: xp.arange(3) != other)
    check(lambda xp: xp.array(3.0) == other)
    check(lambda xp: other == xp.arange(3))


# ---- floating-point errors


def _extremes(kind):
    info = np.iinfo(kind)
    return np.array([info.max, info.min], kind)


@pytest.mark.parametrize("kind", ["i1", "i4", "i8", "u1", "u4", "u8"])
@pytest.mark.parametrize(
    "case",
    [
        lambda a: a[0] + a[0],
        lambda a: a[0] + a[1],
        lambda a: a[1] - a[0],
        lambda a: a[0] - a[1],
        lambda a: a[0] * a[0],
        lambda a: a[0] * a[1],
        lambda a: a[0] + 1,
        lambda a: 1 + a[0],
        lambda a: a[1] - 1,
        lambda a: 2 - a[0],
        lambda a: -a[0],
        lambda a: -a[1],
        lambda a: abs(a[1]),
        lambda a: abs(a[0]),
        lambda a: a[0] + a[:1],
        lambda a: -a,
        lambda a: a[0] // 0,
        lambda a: a[0] + 1.0,
        lambda a: divmod(a[0], 0)[0],
        lambda a: divmod(a, a * 0)[1],
        lambda a: divmod(7, a)[1],
    ],
)
def test_integer_scalars_report_overflow(case, kind):
    check(lambda xp: case(xp.array(_extremes(kind))))


def test_overflow_of_integer_scalars_goes_by_errstate():
    x = bc.array([127], "i1")[0]
    with np.errstate(over="raise"), pytest.raises(FloatingPointError, match="overflow encountered in scalar add"):
        x + x
    with warnings.catch_warnings(), np.errstate(over="ignore"):
        warnings.simplefilter("error")
        assert int(x + x) == -2


@pytest.mark.parametrize("kind", ["i4", "u1", "f2", "f4", "f8"])
def test_divmod_goes_by_its_own_name(kind):
    x = np.array([1, 2, 0], kind)
    check(lambda xp: xp.divmod(xp.array(x), xp.array(x) * 0)[0], bits=False)
    check(lambda xp: divmod(xp.array(x), 0)[1], bits=False)
    check(lambda xp: divmod(xp.array(x)[0], 0)[1], bits=False)
    check(lambda xp: divmod(3, xp.array(x))[0], bits=False)


@pytest.mark.parametrize("kind", ["i1", "u1", "i4", "i8", "u8", "f2", "f4", "f8"])
@pytest.mark.parametrize("name", ["floor_divide", "remainder", "fmod"])
@pytest.mark.parametrize("values", [[1, 0, 2], [4, 2, 1], [[8, 0], [2, 1]], [-128, -1, 2]])
def test_reductions_of_divisions_report_zeros(name, kind, values):
    x = np.array(values).astype(kind)
    for method in ("reduce", "accumulate"):
        check(lambda xp: getattr(getattr(xp, name), method)(xp.array(x)), bits=False)
    check(lambda xp: getattr(xp, name).reduce(xp.array(x), axis=-1), bits=False)


def test_reductions_of_divisions_raise_where_errstate_asks():
    x = np.arange(np.iinfo("i4").min, np.iinfo("i4").min + 1000, 10, dtype="i4")
    for xp in (np, bc):
        with (
            np.errstate(divide="raise"),
            pytest.raises(FloatingPointError, match="divide by zero encountered in reduce"),
        ):
            xp.floor_divide.reduce(xp.array([1, 0, 2]))
        with np.errstate(all="raise"):
            assert int(xp.floor_divide.reduce(xp.array(x))) == 0


@pytest.mark.parametrize(
    ("name", "kind", "value"),
    [
        ("floor_divide", "i4", 0), ("divide", "f8", 0), ("multiply", "f4", 3e38), ("add", "f4", 3e38), ("add", "f8", 1),
        ("subtract", "f4", 3e38), ("power", "f4", 300), ("remainder", "i8", 0), ("add", "f8", np.inf),
    ],
)  # fmt: skip
@pytest.mark.parametrize("of_type", [False, True])
@pytest.mark.parametrize("many", [False, True])
def test_at_reports_what_happened(name, kind, value, of_type, many):
    def case(xp):
        a = xp.array([1, 2, -3], kind)
        b = xp.array([value] * 3 if many else value, kind) if of_type else value
        getattr(xp, name).at(a, [0, 1, 0], b)
        return a

    check(case)


def test_at_writes_to_numpys_memory():
    ours, theirs = np.arange(4.0), np.arange(4.0)
    bc.add.at(ours, [1, 1], 2)
    np.add.at(theirs, [1, 1], 2)
    np.testing.assert_array_equal(ours, theirs)


def test_out_may_be_numpys_memory():
    out = np.zeros((2, 3))
    assert bc.sqrt(bc.arange(6.0).reshape(2, 3), out=out) is out
    np.testing.assert_array_equal(out, np.sqrt(np.arange(6.0)).reshape(2, 3))
    assert bc.add(1, 2, out[:, 1]).base is out and out[0, 1] == 3


# ---- memory layout of results


_INDEX = np.array([0, 2, 1])
_TABLE = np.array([[0, 1, 2], [1, 2, 0]])


@pytest.mark.parametrize("layout", ["C", "F", "swapped", "reversed", "sliced"])
@pytest.mark.parametrize(
    "case",
    [
        lambda a, i, t: a[i],
        lambda a, i, t: a[:, i],
        lambda a, i, t: a[:, :, i],
        lambda a, i, t: a[..., i],
        lambda a, i, t: a[t],
        lambda a, i, t: a[t.T],
        lambda a, i, t: a[:, t],
        lambda a, i, t: a[i, :, i],
        lambda a, i, t: a[i, i],
        lambda a, i, t: a[t, 0],
        lambda a, i, t: a[t.T, t.T],
        lambda a, i, t: a[t.T, t.T, 0],
        lambda a, i, t: a[t, t, t],
        lambda a, i, t: a[0, t.T, t.T],
        lambda a, i, t: a[i, None],
        lambda a, i, t: a[i > 0],
        lambda a, i, t: a[:, i > 0],
        lambda a, i, t: a[:, :0][i],
        lambda a, i, t: a.take(i, 0),
        lambda a, i, t: a.take(t, 1),
        lambda a, i, t: a[0, 0][t.T],
        lambda a, i, t: a[0][i[:, None], i],
    ],
)
def test_chosen_elements_lie_as_numpys(case, layout):
    def made(xp):
        x = xp.array(np.arange(27.0).reshape(3, 3, 3))
        x = {
            "C": lambda: x, "F": lambda: x.copy("F"), "swapped": lambda: x.swapaxes(0, 1), "reversed": lambda: x[::-1, ::-1],
            "sliced": lambda: x[:, :, ::1],
        }[layout]()  # fmt: skip
        return case(x, xp.array(_INDEX), xp.array(_TABLE))

    theirs, ours = made(np), made(bc)
    np.testing.assert_array_equal(np.asarray(ours), theirs)
    assert ours.shape == theirs.shape
    for n, here, there in zip(theirs.shape, ours.strides, theirs.strides):
        assert here == there or n == 1 or theirs.size == 0


@pytest.mark.parametrize("max_work", [None, 0, 1, 100, -1])
@pytest.mark.parametrize("step", [1, 2, 3])
def test_memory_is_shared_as_far_as_the_work_reports(max_work, step):
    def case(xp):
        x = xp.zeros((17, 34, 7))
        return np.array([xp.may_share_memory(x[:, ::step], x[k:, 1::2], max_work=max_work) for k in (0, 1, 17)])

    check(case)


@pytest.mark.parametrize("strides", [(1, 336, 42, 2), (0, 336, 42, 2), (336, 2, 42, 2), (2730, 336, 42, 2)])
@pytest.mark.parametrize("out_of_place", [False, True])
def test_elements_over_each_other_are_read_before_they_are_written(strides, out_of_place):
    """np.invert(x, out=x) of a view that overlaps itself."""
    count, shape = 7 * 13 * 8 * 21 + 3000, (7, 13, 8, 21)

    def case(xp):
        x = xp.array(np.random.RandomState(0).randint(-(2**15), 2**15, count).astype("i2"))
        view = xp.lib.stride_tricks.as_strided(x, shape, strides)
        if out_of_place:
            view[...] = xp.invert(view)
        else:
            xp.invert(view, out=view)
        return x

    check(case)


# ---- errors that products report


_LARGE = {"f2": 1e3, "f4": 1e30, "f8": 1e200, "F": 1e30, "D": 1e200}
_MIXED = np.array([[np.inf, -np.inf, 1], [1, 1, 1], [2, np.nan, 3]])


@pytest.mark.parametrize("kind", list(_LARGE))
@pytest.mark.parametrize("n", [2, 3, 40])
def test_products_report_overflow(kind, n):
    x = np.full((n, n), _LARGE[kind]).astype(kind)
    for case in (
        lambda a: a @ a,
        lambda a: a.dot(a),
        lambda a: a[0] @ a[0],
        lambda a: a[0].dot(a[0]),
        lambda a: a @ (a * 0),
        lambda a: np.inner(a, a),
        lambda a: np.tensordot(a, a),
        lambda a: np.vecdot(a, a),
        lambda a: np.matvec(a, a[0]),
        lambda a: np.vecmat(a[0], a),
        lambda a: a[None] @ a[None],
        lambda a: a @ a * 0,
        lambda a: np.vdot(a, a),
    ):
        with np.errstate(invalid="ignore"):
            a, b = (_messages(case, xp.array(x)) for xp in (np, bc))
        assert a == b


def _messages(case, a):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        np.asarray(case(a))
    return {str(w.message) for w in seen if "invalid" not in str(w.message)}


@pytest.mark.parametrize("kind", ["f2", "f4", "f8"])
def test_products_report_what_became_no_number(kind):
    check(lambda xp: xp.array(_MIXED[:1].astype(kind)) @ xp.array(np.abs(_MIXED[:, :1]).astype(kind)), bits=False)
    check(lambda xp: xp.array(_MIXED[:2].astype(kind)) @ xp.array(_MIXED[:2].astype(kind).T), bits=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        x = bc.array(_MIXED.astype(kind))
        np.asarray(x[1:2] @ x[:, 2:])  # infinity and NaN that existed before
        np.asarray(x[2:] @ x[:, :1])
        with (
            np.errstate(invalid="raise"),
            pytest.raises(FloatingPointError, match="invalid value encountered in matmul"),
        ):
            x[:1] @ x[:, :1] - x[:1] @ (x[:1] * 0 + 1).T


# ---- out=...


@pytest.mark.parametrize(
    "case",
    [
        lambda xp, x: xp.add.reduce(x, out=...),
        lambda xp, x: xp.add.reduce(x, axis=None, out=...),
        lambda xp, x: xp.add.reduce(x, out=(...,)),
        lambda xp, x: xp.add.accumulate(x, out=...),
        lambda xp, x: xp.add.reduceat(x, [0], out=...),
        lambda xp, x: xp.add(x, 1, ...),
        lambda xp, x: xp.add(x, 1, (...,)),
        lambda xp, x: xp.negative(x, out=(...,)),
        lambda xp, x: xp.divmod(x, 2, out=...)[1],
        lambda xp, x: xp.divmod(x, 2, ..., ...)[1],
        lambda xp, x: xp.divmod(x, 2, out=(..., ...))[1],
        lambda xp, x: xp.modf(x, out=...)[0],
        lambda xp, x: xp.matmul(x.T, x, ...),
        lambda xp, x: xp.matmul(x.T, x, out=...),
    ],
)
def test_dots_for_out(case):
    check(lambda xp: case(xp, xp.array(np.arange(6.0).reshape(2, 3))))


def test_dots_for_out_make_arrays_of_results_without_axes():
    x = bc.array([1.5, 2.5])
    for r in (bc.add.reduce(x, out=...), *bc.modf(x[0], out=...), bc.vecdot(x, x, out=...)):
        r += 1  # in place, so it stays an array
        assert r.ndim == 0
        with pytest.raises(TypeError, match="unhashable"):
            hash(r)


def test_reductions_write_to_numpys_memory():
    x, out = bc.array(_A), np.zeros((3, 3))
    assert bc.add.reduce(x, out=out) is out
    np.testing.assert_array_equal(out, np.add.reduce(_A))
    whole = np.zeros_like(_A)
    assert bc.maximum.accumulate(x, 1, None, whole) is whole
    np.testing.assert_array_equal(whole, np.maximum.accumulate(_A, 1))
