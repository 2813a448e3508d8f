"""Every combination of merge's keys, against pandas: results, and the classes of errors."""

from __future__ import annotations

import itertools

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both

LEFT = pandas.DataFrame({"k": [2, 1, 3], "j": [1, 2, 1], "x": [1.0, 2.0, 3.0]}, index=pandas.Index([1, 2, 3], name="i"))
RIGHT = pandas.DataFrame({"k": [1, 2, 5], "j": [1, 1, 2], "y": [4, 5, 6]}, index=pandas.Index([3, 2, 1], name="h"))
ON = [None, "k", ["k", "j"], "z"]
COMBINATIONS = list(
    itertools.product(ON, [None, "k", "x", ["k", "j"]], [None, "k", "y", ["k", "j"]], [False, True], [False, True])
)


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer", "cross"])
def test_all_combinations_of_keys(how):
    for on, left_on, right_on, left_index, right_index in COMBINATIONS:
        options = dict(
            how=how, on=on, left_on=left_on, right_on=right_on, left_index=left_index, right_index=right_index
        )
        try:
            both(lambda a, b, o=options: a.merge(b, **o), LEFT, RIGHT, fallback="silent")
        except AssertionError as e:
            raise AssertionError(f"{options}: {e}") from e


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
@pytest.mark.parametrize("sort", [False, True])
def test_labels_alongside_a_column_that_both_have(how, sort):
    both(lambda a, b: a.merge(b, left_index=True, right_on="k", how=how, sort=sort), LEFT, RIGHT, fallback="silent")
    both(lambda a, b: a.merge(b, right_index=True, left_on="k", how=how, sort=sort), LEFT, RIGHT, fallback="silent")
    both(
        lambda a, b: a.merge(b, right_index=True, left_on="k", how=how, indicator=True), LEFT, RIGHT, fallback="silent"
    )


@pytest.mark.parametrize(
    "suffixes", [("_l", "_r"), (None, "_r"), ("", ""), ["_l", "_r"], "ab", None, {"a", "b"}, ("a",)]
)
def test_suffixes(suffixes):
    both(lambda a, b: a.merge(b, on="k", suffixes=suffixes), LEFT, RIGHT, fallback="silent")


def test_frames_without_columns():
    strings, numbers = pandas.DataFrame({"k": ["a", "b"]}).set_index("k"), pandas.DataFrame(index=["a", "b"])
    for left in (strings, numbers):
        for right in (strings, numbers):
            for how in ("inner", "left", "outer"):
                both(
                    lambda a, b, h=how: a.merge(b, left_index=True, right_index=True, how=h),
                    left,
                    right,
                    fallback="silent",
                )


@pytest.mark.parametrize("validate", ["1:1", "1:m", "m:1", "m:m", "one_to_one", "many_to_one", "nope"])
@pytest.mark.parametrize("keys", [["k"], ["k", "j"], None], ids=str)
def test_validation_in_the_words_of_pandas(keys, validate):
    left = pandas.DataFrame({"k": [2, 2, 5, 6, 2], "j": list("aabba"), "x": range(5)})
    right = pandas.DataFrame({"k": [2, 5, 5], "j": list("abb"), "y": range(3)})
    options = {"on": keys} if keys else {"left_index": True, "right_index": True}
    for a, b in ((left, right), (right, left), (left, right.iloc[:2])):
        a, b = (a, b) if keys else (a.set_index("k"), b.set_index("k")[[b.columns[-1]]])
        said = []
        for x, y in ((a, b), (pd.from_pandas(a), pd.from_pandas(b))):
            try:
                x.merge(y, validate=validate, **options)
                said.append("")
            except ValueError as e:
                said.append(f"{type(e).__name__}: {e}")
        assert said[0] == said[1]


PAIRS = {
    "integers": lambda rng, n: [rng.integers(-50, 300, n), rng.integers(0, 20, n)],
    "narrow": lambda rng, n: [rng.integers(-50, 100, n).astype("i1"), rng.integers(0, 2**31, n).astype("u4") // 2**28],
    "times": lambda rng, n: [rng.integers(0, 40, n).astype("M8[s]"), rng.integers(-9, 9, n).astype("m8[ns]")],
    "wide": lambda rng, n: [rng.integers(-3, 3, n) * 2**60, rng.integers(-3, 3, n) * 2**61],
    "text": lambda rng, n: [rng.integers(0, 9, n), rng.choice(["a", "b", "c"], n)],
    "three": lambda rng, n: [rng.integers(0, 9, n), rng.integers(-4, 4, n), rng.integers(0, 9, n) - 2**62],
}


@pytest.mark.parametrize("pairs", PAIRS)
@pytest.mark.parametrize("sizes", [(3000, 4000), (200, 5000), (5000, 100), (6, 7), (0, 5)])
def test_several_keys(pairs, sizes):
    rng = np.random.default_rng(len(pairs))
    frames = [pandas.DataFrame({f"k{i}": k for i, k in enumerate(PAIRS[pairs](rng, n))}) for n in sizes]
    left, right = frames[0].assign(a=np.arange(sizes[0])), frames[1].drop_duplicates(ignore_index=True)
    right["b"] = np.arange(len(right))
    for how in ("inner", "left", "right", "outer"):
        both(lambda a, b: a.merge(b, on=list(frames[0].columns), how=how), left, right)
        both(lambda a, b: a.merge(b, on=list(frames[0].columns), how=how, sort=True), left, right)


@pytest.mark.parametrize(
    "left, right, suffixes",
    [
        (["k", "z", "z_r"], ["k", "z"], ("", "_r")),
        (["k", "z"], ["k", "z", "z_x"], ("_x", "_y")),
        (["k", "z"], ["k", "z", "z_y"], ("_x", "_y")),
        (["k", "z", "z_y"], ["k", "z"], ("_x", "_y")),
        (["k", "z", "z_x", "z_x"], ["k", "z"], ("_x", "_y")),
        (["k", "z", "w", "w"], ["k", "z"], ("_x", "_y")),
    ],
)
def test_suffixes_that_make_a_name_that_is_there(left, right, suffixes):
    def names(library):
        a, b = (library.DataFrame([[1] * len(names)], columns=names) for names in (left, right))
        try:
            return list(a.merge(b, on="k", suffixes=suffixes).columns)
        except pandas.errors.MergeError as error:
            return str(error)

    assert names(pd) == names(pandas)
