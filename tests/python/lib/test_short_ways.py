"""Calls on plain arrays that take a short way give what NumPy gives."""

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

JOINED = [
    "[a, b]",
    "[a]",
    "[m, m]",
    "[m, a]",
    "[a, 1]",
    "[1:5, 0, a]",
    "['0,2', a, b]",
    "['0,2,0', a, b]",
    "['1,3,0', a, b]",
]
CALLS = [
    "n.divmod(a, b)", "n.divmod(m, a)", "n.divmod(a, 2)", "n.divmod(a, b, out=(None, None))", "n.multiply.outer(a, b)",
    "n.add.outer(m, a)", "n.add.outer(a, 1)", "n.add.outer(a, b, dtype='f4')", "n.take_along_axis(a, i, 0)",
    "n.take_along_axis(a, i[None], 0)", "n.take_along_axis(a, i > 1, 0)", "n.take_along_axis(a, i + 9, 0)", "n.round(a, 1)",
    "n.round(a, -1)", "a.round(2)", "n.round(m[0, 0], 1)", "n.tri(4)", "n.tri(3, 5, -1, int)", "n.tri(2, k=1, dtype=bool)",
    "n.unique(a)", "n.unique(a, equal_nan=False)", "n.union1d(a, b)", "n.union1d(i, 3)", "n.union1d(m, i)", "n.unique(t)",
    "n.unique(i)", "n.unique(i[:0])", "n.unique(i > 1)", "n.union1d(t, t)",
]  # fmt: skip


def outcome(n, call):
    values = {
        "a": [3.25, np.nan, -1.75, 3.25, np.nan], "b": [1.0, 2.0, 3.0, -0.0, 5.0], "i": [3, 1, 1, 0], "m": np.ones((5, 5)),
        "t": np.array(["2024-01-03", "NaT", "2023-05-05", "NaT"], "M8[D]"),
    }  # fmt: skip
    try:
        return eval(call, {"n": n, "np": np, **{name: n.asarray(v) for name, v in values.items()}})
    except Exception as error:
        return type(error)


def same(ours, theirs):
    if isinstance(theirs, type):
        return ours is theirs
    if isinstance(theirs, tuple):
        return all(map(same, ours, theirs))
    a, b = np.asarray(ours), np.asarray(theirs)
    np.testing.assert_array_equal(a, b)
    return (a.dtype, a.shape) == (b.dtype, b.shape) and (a.dtype.kind != "f" or (np.signbit(a) == np.signbit(b)).all())


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("call", [*CALLS, *(f"n.{x}_{key}" for x in "rc" for key in JOINED)])
def test_a_call_is_numpys(call):
    assert same(outcome(bc, call), outcome(np, call))


def test_few_numbers_are_those_of_longer_draws():
    for name, given in (
        ("random", ()),
        ("normal", (2, 3)),
        ("normal", (2.0, 3)),
        ("uniform", (-1, 3)),
        ("uniform", (0.5, 2)),
    ):
        few, many = (getattr(bc.random.default_rng(7), name)(*given, n).tolist()[:5] for n in (5, 200_000))
        assert few == many
    for given in ((0, -1), (0.0, float("nan")), (0, 0)):
        ours, theirs = (
            outcome(n, f"n.random.default_rng(1).normal{(*given, 3)}".replace("nan", "np.nan")) for n in (bc, np)
        )
        assert isinstance(ours, type) == isinstance(theirs, type)
