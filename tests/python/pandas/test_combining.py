"""merge, join, concat, sorting and relabelling against pandas."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from frame_samples import native_or_same
from frames import both, ours

LEFT = pandas.DataFrame(
    {"k": [3, 1, 2, 1, 9], "s": ["b", "a", None, "a", "z"], "x": [1.5, np.nan, 2.5, 3.5, 4.5], "n": [1, 2, 3, 4, 5]}
)
RIGHT = pandas.DataFrame(
    {
        "k": [1, 2, 1, 7],
        "s": ["a", None, "c", "b"],
        "y": pandas.to_datetime(["2020-01-01", None, "2021-05-05", "2022-01-01"]),
        "n": [10, 20, 30, 40],
    }
)
HOWS = ["inner", "left", "right", "outer"]


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("on", ["k", "s", ["k", "s"], ["s", "k"]])
@pytest.mark.parametrize("sort", [False, True])
def test_merge_on_columns(how, on, sort):
    both(lambda a, b: a.merge(b, how=how, on=on, sort=sort), LEFT, RIGHT)


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("sort", [False, True])
def test_merge_with_rows_that_are_unique_at_the_right(how, sort):
    right = RIGHT.drop_duplicates("k").reset_index(drop=True)
    both(lambda a, b: a.merge(b, how=how, on="k", sort=sort), LEFT, right)
    both(lambda a, b: a.merge(b.set_index("k"), how=how, left_on="k", right_index=True, sort=sort), LEFT, right,
         fallback="silent")  # fmt: skip


@pytest.mark.parametrize("how", HOWS)
def test_merge_on_all_shared_columns(how):
    both(lambda a, b: a.merge(b[["k", "y"]], how=how), LEFT, RIGHT)


@pytest.mark.parametrize("how", HOWS)
def test_merge_on_columns_of_other_names(how):
    both(lambda a, b: a.merge(b, how=how, left_on="k", right_on="n", suffixes=("_l", "_r")), LEFT, RIGHT)
    both(lambda a, b: a.merge(b, how=how, left_on=["k", "s"], right_on=["n", "s"]), LEFT, RIGHT)


@pytest.mark.parametrize("how", ["inner", "left"])
def test_merge_with_labels_of_the_right(how):
    right = RIGHT.drop_duplicates("k").set_index("k")[["y"]]
    both(lambda a, b: a.merge(b, how=how, left_on="k", right_index=True), LEFT, right)
    both(lambda a, b: a.join(b, on="k", how=how), LEFT, right)


@pytest.mark.parametrize("how", HOWS)
@pytest.mark.parametrize("labels", [[0, 1, 2, 3], [5, 3, 1, 0], [2, 2, 0, 9], ["a", "b", "c", "d"]])
def test_join_by_labels(how, labels):
    right = RIGHT[["y"]].set_axis(labels)
    left = LEFT if isinstance(labels[0], int) else LEFT.set_axis(list("dcbaa"))
    both(lambda a, b: a.join(b, how=how), left, right)


@pytest.mark.parametrize("how", HOWS)
def test_merge_of_key_types(how):
    for a, b in [
        (np.int8, np.int64),
        (np.int32, np.uint8),
        (np.float32, np.float64),
        ("M8[s]", "M8[ns]"),
        ("bool", "bool"),
    ]:
        left = pandas.DataFrame({"k": np.array([1, 0, 1], dtype=a), "x": [1, 2, 3]})
        right = pandas.DataFrame({"k": np.array([1, 1, 0], dtype=b), "y": [1, 2, 3]})
        both(lambda p, q: p.merge(q, on="k", how=how), left, right)


def test_merge_of_keys_that_cannot_be_equal():
    both(lambda a, b: a.merge(b, left_on="k", right_on="s"), LEFT, RIGHT, fallback="silent")


def test_merge_errors():
    both(lambda a, b: a.merge(b, on="nothing"), LEFT, RIGHT)
    both(lambda a, b: a.merge(b, on="k", validate="1:1"), LEFT, RIGHT)
    both(lambda a, b: a.merge(b, on="k", validate="m:m"), LEFT, RIGHT)
    both(lambda a, b: a.merge(b, on="k", suffixes=(None, None)), LEFT, RIGHT)
    both(lambda a, b: a.merge(b, on="k", how="sideways"), LEFT, RIGHT, fallback="silent")


@pytest.mark.parametrize("how", HOWS)
def test_merge_says_where_rows_come_from(how):
    both(lambda a, b: a.merge(b, on="k", how=how, indicator=True), LEFT, RIGHT)


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("how", HOWS)
def test_merge_of_few_rows(how, n):
    both(lambda a, b: a.head(n).merge(b, on="k", how=how), LEFT, RIGHT)
    both(lambda a, b: a.merge(b.head(n), on="k", how=how), LEFT, RIGHT)


@pytest.mark.parametrize("how", HOWS)
def test_merge_of_random_rows(how):
    rng = np.random.default_rng(1)
    for n, m, keys in [(1000, 500, 50), (3000, 20000, 10**9), (5000, 5000, 3000)]:
        left = pandas.DataFrame({"k": rng.integers(0, keys, n), "t": rng.choice(list("abcdef"), n), "x": rng.random(n)})
        right = pandas.DataFrame(
            {"k": rng.integers(0, keys, m), "t": rng.choice(list("cdefgh"), m), "y": rng.random(m)}
        )
        both(lambda a, b: a.merge(b, on="k", how=how), left.head(200) if keys == 50 else left, right)
        both(lambda a, b: a.merge(b, on=["t", "k"], how=how), left, right)


@pytest.mark.parametrize(
    "objects",
    [[LEFT, RIGHT], [LEFT, LEFT], [RIGHT, LEFT.head(0)], [LEFT.x, RIGHT.k], [LEFT.n, LEFT.n], [LEFT.s, RIGHT]],
)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ignore_index": True},
        {"join": "inner"},
        {"sort": True},
        {"keys": ["p", "q"]},
        {"keys": [2, 1], "names": ["w"]},
    ],
)
def test_concat_of_rows(objects, options):
    import bascule.pandas as pd

    expected_module = {True: pandas, False: pd}
    both(
        lambda *o: expected_module[type(o[0]) in (pandas.DataFrame, pandas.Series)].concat(list(o), **options),
        *objects,
    )


def test_concat_side_by_side():
    import bascule.pandas as pd

    def side(*o):
        return (pandas if type(o[0]) in (pandas.DataFrame, pandas.Series) else pd).concat(list(o), axis=1)

    both(side, LEFT, LEFT.x.rename("z"))
    both(side, LEFT.x, LEFT.k)
    both(side, LEFT.x.rename(None), LEFT.k.rename(None))
    both(side, LEFT, RIGHT, fallback="silent")


def test_concat_errors():
    import bascule.pandas as pd

    for bad in ([], [None], [1], LEFT):
        with pytest.raises(Exception) as expected:
            pandas.concat(bad)
        with pytest.raises(type(expected.value)):
            pd.concat(ours(bad))


@pytest.mark.parametrize("by", ["x", "s", "k", ["k", "x"], ["s", "n"], ["s", "k", "x"]])
@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize("na_position", ["first", "last"])
def test_sort_values(by, ascending, na_position):
    both(lambda a: a.sort_values(by, ascending=ascending, na_position=na_position, kind="stable"), LEFT)


def test_sort_values_options():
    both(lambda a: a.sort_values(["k", "x"], ascending=[False, True]), LEFT)
    both(lambda a: a.sort_values("x", ignore_index=True), LEFT)
    both(lambda a: a.sort_values("nothing"), LEFT)
    both(lambda a: a.sort_values("x", na_position="middle"), LEFT)
    both(lambda a: a.y.sort_values(ascending=False), RIGHT)
    both(lambda a: a.s.sort_values(na_position="first"), RIGHT)
    both(lambda a: a.n.sort_values(ascending=False), RIGHT)
    both(lambda a: a.sort_index(ascending=False), LEFT)
    both(lambda a: a.set_index("s").sort_index(kind="stable"), LEFT)
    both(lambda a: a.set_index(["k", "s"]).sort_index(), LEFT)
    both(lambda a: a.nlargest(3, "n"), LEFT)
    both(lambda a: a.n.nsmallest(2), LEFT)


def test_labels():
    both(lambda a: a.set_index("s"), LEFT)
    both(lambda a: a.set_index(["s", "k"], drop=False), LEFT)
    both(lambda a: a.set_index("k", append=True), LEFT)
    both(lambda a: a.set_index("k", verify_integrity=True), LEFT)
    both(lambda a: a.set_index("nothing"), LEFT)
    both(lambda a: a.set_index("s").reset_index(), LEFT)
    both(lambda a: a.set_index(["s", "k"]).reset_index(level="k"), LEFT)
    both(lambda a: a.set_index(["s", "k"]).reset_index(level=0, drop=True), LEFT)
    both(lambda a: a.reset_index(), LEFT)
    both(lambda a: a.x.reset_index(), LEFT)
    both(lambda a: a.x.reset_index(drop=True), LEFT)
    both(lambda a: a.rename(columns={"k": "q"}), LEFT)
    both(lambda a: a.rename(columns=str.upper), LEFT)
    both(lambda a: a.rename(columns={"q": "k"}, errors="raise"), LEFT)
    both(lambda a: a.drop(columns=["k"]), LEFT)
    both(lambda a: a.drop("k", axis=1), LEFT)
    both(lambda a: a.drop([0, 3]), LEFT)
    both(lambda a: a.drop([0, 77]), LEFT)
    both(lambda a: a.drop(columns="nothing"), LEFT)
    both(lambda a: a.reindex([4, 2, 8]), LEFT)
    both(lambda a: a.x.reindex([4, 2, 8]), LEFT)
    both(lambda a: a.set_index("s").x.reindex(["a"]), LEFT)
    both(lambda a: a.reindex(columns=["x", "k"]), LEFT)
    both(lambda a: a.add_prefix("p_"), LEFT)
    both(lambda a: a.select_dtypes("number"), LEFT)
    both(lambda a: a.rename_axis("rows"), LEFT)
    both(lambda a: a.x.rename("other"), LEFT)
    both(lambda a, b: a.align(b, join="outer"), LEFT.x.set_axis([3, 1, 2, 8, 9]), RIGHT.k)


@pytest.mark.parametrize("dtype", ["i8", "i1", "f4", "bool", "Int64", "str", "M8[ns]"])
def test_columns_alongside_which_there_are_no_values_keep_their_type(dtype):
    own = pandas.Series([1, 0, 1]).astype(dtype)
    for other in (pandas.Series([np.nan] * 3), pandas.Series([np.nan] * 2), own, own[:1]):
        native_or_same(lambda a, b: a.combine_first(b), own.to_frame("a"), other.to_frame("a"))
        native_or_same(lambda a, b: a.combine_first(b), own, other)
