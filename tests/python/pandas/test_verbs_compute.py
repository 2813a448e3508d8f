"""Functions of the user's, two objects together, and values between others: against pandas."""

import numpy as np
import pandas
import pytest
from frames import both

FRAME = pandas.DataFrame({"a": [1.5, np.nan, 3.0, -0.0], "b": [1.0, 2.0, 2.0, 4.0]}, index=list("wxyz"))
MIXED = pandas.DataFrame(
    {
        "i": [1, 2, 2, 1],
        "f": [0.5, np.nan, 2.0, 0.5],
        "s": ["x", None, "y", "x"],
        "m": pandas.array([1, None, 3, 1], "Int64"),
    }
)


@pytest.mark.parametrize("func", [np.sqrt, np.abs, np.isnan, "sum", "mean", "cumsum", "abs", "no"])
def test_apply_by_ufuncs_and_names(func):
    both(lambda x: x.apply(func), FRAME)
    both(lambda x: x["a"].apply(func), FRAME)
    both(lambda x: x.transform(func), FRAME, fallback="silent")
    both(lambda x: x["a"].transform(func), FRAME, fallback="silent")
    if func in ("sum", "mean"):
        both(lambda x: x.apply(func, axis=1), FRAME)


@pytest.mark.parametrize("func", [
    lambda s: s.max() - s.min(), lambda s: s * 2, lambda s: s.head(2), lambda s: s.sum() > 3, lambda s: s.dtype.kind, lambda s: s.sort_values().reset_index(drop=True),
    lambda s: s.name, lambda s: len(s), lambda s, k: s.sum() + k,
])  # fmt: skip
def test_apply_by_columns(func):
    more = (7,) if func.__code__.co_argcount == 2 else ()
    both(lambda x: x.apply(func, args=more), FRAME)


def test_apply_with_results_of_other_kinds():
    both(lambda x: x.apply(lambda s: [1, 2]), FRAME, fallback="silent")
    both(lambda x: x.apply(lambda s: s[s > 1]), FRAME, fallback="silent")
    both(lambda x: x.apply(lambda s: s.nlargest(1)), FRAME, fallback="silent")
    both(lambda x: x.apply(lambda r: r["a"] + r["b"], axis=1), FRAME, fallback="silent")
    both(lambda x: x.apply(lambda s: 1), FRAME.iloc[:0], fallback="silent")
    both(lambda x: x.apply(lambda v: v + 1), FRAME["a"], fallback="silent")
    both(lambda x: x.apply(["sum", "mean"]), FRAME, fallback="silent")

    def failing(s):
        raise RuntimeError("no")

    both(lambda x: x.apply(failing), FRAME)


def test_map_of_frames():
    both(lambda x: x.map(np.sqrt), FRAME.abs())
    both(lambda x: x.map(lambda v: v + 1), FRAME, fallback="silent")
    both(lambda x: x.map(str), MIXED, fallback="silent")


def test_mode_of_frames():
    both(lambda x: x.mode(), FRAME)
    both(lambda x: x.mode(), MIXED)
    both(lambda x: x.mode(dropna=False), MIXED)
    both(lambda x: x.mode(numeric_only=True), MIXED)
    both(lambda x: x.mode(axis=1), FRAME, fallback="silent")


NULLS = [
    [np.nan, 1.0, np.nan, np.nan, 4.0, np.nan], [np.nan] * 6, [1.0, 2, 3, 4, 5, 6], [np.nan, np.nan, 2.5, np.nan, 1.0, 0.1], [3.3, np.nan, 0.1, np.nan, 7.7, 1.1],
]  # fmt: skip


@pytest.mark.parametrize("values", NULLS)
@pytest.mark.parametrize("direction", [None, "forward", "backward", "both", "no"])
def test_interpolate(values, direction):
    for index in (None, [1.0, 2.0, 4.0, 8.0, 9.0, 20.0], [1, 2, 4, 8, 9, 20]):
        s = pandas.Series(values, index, name="v")
        for method in ("linear", "index", "values"):
            silent = "silent" if direction == "no" else "error"
            both(lambda x: x.interpolate(method, limit_direction=direction), s, fallback=silent)
            both(
                lambda x: x.interpolate(method, limit_direction=direction),
                s.to_frame().assign(i=range(6)),
                fallback=silent,
            )


def test_other_interpolation():
    s = pandas.Series(NULLS[0])
    both(lambda x: x.interpolate(limit=1), s, fallback="silent")
    both(lambda x: x.interpolate("nearest"), s, fallback="silent")
    both(lambda x: x.interpolate(), MIXED, fallback="silent")
    both(lambda x: x.interpolate(), pandas.Series([1, 2, 3]))


A = pandas.Series([1.0, np.nan, 3.0], list("abc"), name="v")
OTHERS = {
    "same labels": pandas.Series([9.0, 8.0, np.nan], list("abc")), "more": pandas.Series([9.0, 8.0, 7.0], list("bcd")), "integers": pandas.Series([9, 8, 7], list("bcd")),
    "none in common": pandas.Series([5.0], ["z"]), "another order": pandas.Series([9.0, 8.0], list("ba")),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_combine_first(name):
    other = OTHERS[name]
    both(lambda x, y: x.combine_first(y), A, other)
    both(lambda x, y: y.combine_first(x), A, other)
    both(lambda x, y: x.combine_first(y), A.to_frame("v"), other.to_frame("v"))
    both(lambda x, y: x.combine_first(y), A.to_frame("v"), other.to_frame("w"))
    both(lambda x, y: x.combine_first(y), A.to_frame("v").assign(k=1), other.to_frame("v").assign(w="t"))
    both(lambda x, y: x.combine_first(y), pandas.Series([1, 2], [0, 1]), pandas.Series([3, 4], [1, 2]))
    both(lambda x, y: x.combine_first(y), pandas.Series(["p", None], [0, 1]), pandas.Series(["q", "r"], [1, 2]))
    both(lambda x, y: x.combine_first(y), pandas.concat([A, A]), other, fallback="silent")


@pytest.mark.parametrize("name", OTHERS)
def test_update(name):
    def updated(x, y):
        x = x.copy()
        x.update(y)
        return x

    other = OTHERS[name]
    silent = "silent" if other.dtype != A.dtype else "error"
    both(updated, A, other, fallback=silent)
    both(updated, A.to_frame("v").assign(k=1), other.to_frame("v"), fallback=silent)
    both(updated, A.to_frame("v"), other.to_frame("w"), fallback=silent)
    both(updated, A.to_frame("v"), pandas.concat([other, other]).to_frame("v"))
    both(updated, A.to_frame("v"), other, fallback="silent")
    both(updated, pandas.Series([1, 2, 3]), pandas.Series([7], [1]))
    both(updated, pandas.Series(["a", "b"]), pandas.Series(["z", None]))
    both(lambda x, y: x.update(y, join="outer"), A.to_frame("v"), other.to_frame("v"))
    both(lambda x, y: x.update(y, errors="no"), A.to_frame("v"), other.to_frame("v"))


def test_products():
    left = pandas.DataFrame([[1, 2], [3, 4], [5, 6]], columns=["p", "q"])
    right = pandas.DataFrame([[1.5, 2.0, 0.0], [3.0, 4.0, 1.0]], index=["p", "q"], columns=list("xyz"))
    both(lambda x, y: x.dot(y), left, right, exact=False)
    both(lambda x, y: x.dot(y), left, right["x"], exact=False)
    both(lambda x, y: x.dot(y), left, right.astype(int), exact=False)
    both(lambda x, y: x.dot(y), left, right.iloc[::-1], exact=False, fallback="silent")
    both(lambda x, y: x.dot(y), left, right.iloc[:1], exact=False, fallback="silent")
    both(lambda x, y: x.dot(y), right["x"], right["y"], exact=False)
    both(lambda x: x.dot(np.ones((2, 2))), left, exact=False, fallback="silent")
    both(lambda x: x.dot(np.ones((3, 2))), left)


def test_correlations():
    r = np.random.default_rng(0)
    x = pandas.DataFrame(r.random((20, 3)), columns=list("abc"))
    y = pandas.DataFrame(r.random((20, 3)), columns=list("abc"))
    both(lambda x, y: x.corrwith(y), x, y, exact=False)
    both(lambda x, y: x.corrwith(y["a"]), x, y, exact=False)
    both(lambda x, y: x.corrwith(y), x, y[["a"]], exact=False, fallback="silent")
    both(lambda x: x["a"].autocorr(), x, exact=False)
    both(lambda x: x["a"].autocorr(3), x, exact=False)


def test_convert_dtypes():
    frame = MIXED.assign(
        w=[1.0, np.nan, 3.0, 4.0],
        b=[True, False, True, True],
        g=np.array([1, 2, 3, 4], np.uint8),
        h=np.array([1.5, 2, 3, 4], np.float32),
        x=[np.inf, 1, 2, 3],
    )
    both(lambda x: x.convert_dtypes(), frame)
    for name in frame:
        both(lambda x: x[name].convert_dtypes(), frame)
    both(lambda x: x.convert_dtypes(convert_integer=False), frame, fallback="silent")
    both(lambda x: x.convert_dtypes(), pandas.Series([1, "a", None], dtype=object), fallback="silent")
