"""`compare` of frames and series against pandas."""

import random

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
import random_frames
from frames import assert_same

OPTIONS = [{}, {"keep_shape": True}, {"keep_equal": True}, {"keep_shape": True, "keep_equal": True}, {"result_names": ("l", "r")}, {"align_axis": 0}, {"align_axis": "columns"},
           {"result_names": ["l", "r"]}, {"align_axis": 3}]  # fmt: skip


def check(left, right, fallback="silent", **options):
    with bc.config.set(fallback=fallback):
        try:
            expected = left.compare(right, **options)
        except Exception as e:
            with pytest.raises(type(e)) as raised:
                pd.from_pandas(left).compare(pd.from_pandas(right), **options)
            assert str(raised.value) == str(e)
            return
        assert_same(pd.from_pandas(left).compare(pd.from_pandas(right), **options), expected)


def sample():
    left = pandas.DataFrame({"i": [1, 2, 3, 4], "f": [1.0, np.nan, np.nan, 4.0], "s": ["a", None, "c", "d"], "b": [True, False, True, False], "e": [0, 0, 0, 0]})  # fmt: skip
    right = left.copy()
    right.loc[1, ["i", "f"]] = [9, 2.5]
    right.loc[3, ["s", "b"]] = ["x", True]
    return left, right


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_options(options):
    left, right = sample()
    check(left, right, **options)
    check(left, left, **options)
    for name in left:
        check(left[name], right[name], **options)
    check(left.rename_axis("r"), right.rename_axis("r"), **options)
    check(left.rename_axis("c", axis=1), right.rename_axis("c", axis=1), **options)
    check(left.set_axis(list("aabcd"), axis=1), right.set_axis(list("aabcd"), axis=1), **options)
    both = pandas.MultiIndex.from_product([["p"], list("vwxyz")], names=["m", "n"])
    check(left.set_axis(both, axis=1), right.set_axis(both, axis=1), **options)


def test_common_calls_are_native():
    left, right = sample()
    check(left[["i", "f", "s"]], right[["i", "f", "s"]], fallback="error")
    check(left["f"], right["f"], fallback="error")


def test_what_does_not_compare():
    left, right = sample()
    check(left, right.iloc[::-1])
    check(left, right[["i"]])
    check(left, right["i"])
    check(left["i"], right["i"].iloc[:2])
    check(left[:0], right[:0])


@pytest.mark.parametrize("seed", range(40))
def test_random_frames(seed):
    source = random_frames.Source(random.Random(seed))
    left = random_frames.frame(source, 7)
    right = left.copy()
    for i in range(len(left.columns)):
        rows = np.random.default_rng(seed + i).permutation(7)
        column = left.iloc[:, i].take(rows if source.chance(0.5) else range(7)).set_axis(left.index)
        right.isetitem(i, column)
    check(left, right, **source.one(OPTIONS))
    if len(left.columns):
        check(left.iloc[:, 0], right.iloc[:, 0], **source.one(OPTIONS))
