"""Numbers and lists that are written to arrays or joined to them are converted as by NumPy, for every type."""

import itertools

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import outcome as reported

TYPES = ["?", "i1", "u1", "i2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "m8[s]"]
VALUES = {
    "one": 1, "large": 300, "negative": -3, "huge": 2**63, "beyond": 2**70, "float": 2.5, "tiny": 1e-50, "far": 1e300,
    "nan": float("nan"), "truth": True, "complex": 1 + 2j, "list": [1, 2], "longer": [1, 2, 3], "floats": [0.5, 1.5],
    "mixed": [1, 2.5], "truths": [True, False], "nested": [[1, 2]], "none": [], "far list": [1, 400],
    "text": "a", "scalar": np.float32(2.5), "int8": np.int8(-2), "numpy": np.array([7, 8], "i2"),
}  # fmt: skip


def outcome(program, xp):
    """Types, shapes and bits, or the class of the error; and the classes of warnings."""
    found, warned_of = reported(program, xp)
    warned = [category for category, _ in warned_of if category is not bc.fallback.FallbackWarning]
    return found[0].replace("UFunc", "") if isinstance(found, tuple) else found, warned


def put(xp, x, v):
    xp.put(x, [3, -1], v)
    return x


def put_in_matrix(xp, x, v):
    y = xp.stack([x, x])
    xp.put(y, xp.array([3, 1]), v)
    return y


def place(xp, x, v):
    xp.place(x, xp.array([False, True, False, True]), v)
    return x


def putmask(xp, x, v):
    xp.putmask(x, xp.array([False, True, False, True]), v)
    return x


def add_at(xp, x, v):
    xp.add.at(x, [1, 1], v)
    return x


def subtract_at(xp, x, v):
    xp.subtract.at(x, xp.array([0, 3]), v)
    return x


def maximum_at(xp, x, v):
    xp.maximum.at(x, xp.array([0, 3]), v)
    return x


def append(xp, x, v):
    return xp.append(x, v)


def append_to_list(xp, x, v):
    return xp.append(v, x)


REFUSED = {"beyond", "text"}  # arrays of objects and strings
AT = [add_at, subtract_at, maximum_at]
ODD = {"none", "text", "nan", "far", "huge", "beyond"}  # errors with NumPy's own classes, casts that C does not define
CALLS = [put, put_in_matrix, place, putmask, *AT, append, append_to_list]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("call", CALLS, ids=lambda f: f.__name__)
def test_values_alongside_arrays(call, dtype):
    wrong = []
    for name, v in VALUES.items():
        if name in (ODD if call in AT else REFUSED if call in (append, append_to_list) else ()):
            continue
        ours, theirs = (
            outcome(lambda xp, v=v: call(xp, xp.array([0, 1, 0, 1]).astype(dtype), v), xp) for xp in (bc, np)
        )
        if ours != theirs:
            wrong.append(f"{name}: {ours} is not {theirs}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("of_x", "of_edges"), [*itertools.product(["i1", "u1", "i4", "i8", "u8", "f4", "f8", "?"], repeat=2)]
)
def test_bins_of_any_two_types(of_x, of_edges):
    x, rising = np.array([0, 1, 3, 7, 9, 3]).astype(of_x), np.array([1, 3, 3, 8]).astype(of_edges)
    for edges, right in itertools.product([rising, rising[::-1], rising[[1, 0, 3]], rising[:0]], [False, True]):
        ours, theirs = (
            outcome(lambda xp, e=edges, r=right: xp.digitize(xp.array(x), xp.array(e), r), xp) for xp in (bc, np)
        )
        assert ours == theirs, (edges, right)


@pytest.mark.parametrize("types", [("f8", "i4"), ("u1", "?"), ("f4", "M8[s]"), ("c16", "f8"), ("f2", "m8[s]")])
def test_orders_by_keys_of_several_types(types):
    keys = [np.array([2, 0, 1, 2, 0]), np.array([1, 0, 1, 1, 0])]
    keys = [k.astype("i8").astype(t) for k, t in zip(keys, types, strict=True)]
    for axis in (-1, 0, 1, None, 0.5):
        for of in (tuple, list, lambda x: x[0], lambda x: [x[0], x[1][:3]]):
            ours, theirs = (
                outcome(lambda xp, a=axis, f=of: xp.lexsort(f([xp.asarray(k) for k in keys]), a), xp) for xp in (bc, np)
            )
            assert ours == theirs, (axis, of)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", float, "M8[s]", None])
def test_casts_that_need_no_copy(dtype):
    x, y = bc.arange(3.0), np.arange(3.0)
    for options in ({"copy": False}, {"copy": True}, {"copy": 0}, {"order": "C"}, {"copy": False, "order": "F"}):
        ours, theirs = (
            outcome(lambda xp, a=a, o=options: xp.asarray(a.astype(dtype, **o)), xp) for xp, a in ((bc, x), (np, y))
        )
        assert ours == theirs
        if not isinstance(ours[0], str):
            assert (x.astype(dtype, **options) is x) == (y.astype(dtype, **options) is y)
    with pytest.raises(TypeError):
        x.astype("f8", nothing=False)


def test_views_of_the_same_and_other_types():
    x = bc.arange(4.0)
    v = (x + 1).view()
    assert v.tolist() == [1, 2, 3, 4]
    w = x.view()
    w[0] = 9
    assert (x[0], w.base is x, w is x) == (9, True, False)
    assert x.view("i8").dtype == np.int64
    assert x.view(None).dtype == np.arange(4.0).view(None).dtype
    assert type(x.view(np.ndarray)) is np.ndarray
    with pytest.raises(TypeError):
        x.view(1, 2, 3)
    assert bc.array(3.0).view().shape == ()


def test_methods_have_docstrings_and_signatures():
    import inspect

    for name in ("reshape", "astype", "flatten", "take", "nonzero", "view", "tolist"):
        method = getattr(bc.ndarray, name)
        assert list(inspect.signature(method).parameters)[0] == "self"
        assert len(inspect.getdoc(method)) > 5
    assert "Examples" in bc.ndarray.take.__doc__
    assert str(inspect.signature(bc.ndarray.view)) == "(self, /, dtype=None, type=None)"


def test_sums_of_floats_at_positions_are_those_of_their_common_type():
    rng = np.random.default_rng(3)
    for x, v in rng.random((200, 2)).tolist():
        ours, theirs = bc.array([x], "f4"), np.array([x], "f4")
        for xp, to in ((bc, ours), (np, theirs)):
            xp.add.at(to, [0], v)
            xp.subtract.at(to, [0], [v / 3])
        assert ours.tolist() == theirs.tolist()
