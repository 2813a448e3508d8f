"""Collections of both kinds in one expression: the rows are those of plain pandas, and the partitions bascule's."""

import decimal

import bascule.pandas as bpd
import dask
import dask.dataframe as dd
import numpy as np
import pandas
import pyarrow
import pytest
from bascule.dask import _libraries
from dask.dataframe.dispatch import concat

KINDS = [("bascule", "pandas"), ("pandas", "bascule"), ("bascule", "eager pandas"), ("pandas", "eager bascule"),
         ("eager bascule", "pandas"), ("eager pandas", "bascule"), ("bascule", "bascule")]  # fmt: skip
MANY = pandas.DataFrame({"k": np.arange(200) % 50, "x": np.arange(200)})
FEW = pandas.DataFrame({"k": np.arange(20, 70), "y": np.arange(50.0)})


def of_kind(frame, kind, npartitions):
    frame = bpd.from_pandas(frame) if kind.endswith("bascule") else frame
    return frame if kind.startswith("eager") else dd.from_pandas(frame, npartitions=npartitions)


def rows(x):
    """In an order that no shuffle changes."""
    x = x.compute() if hasattr(x, "dask") else x
    x = x.to_pandas() if hasattr(x, "to_pandas") else x
    x = x.to_frame("v") if x.ndim == 1 else x
    return x.sort_values([c for c in x.columns if c in ("x", "y")] or list(x.columns)).reset_index(drop=True)


def is_bascules(x):
    return type(x._meta).__module__ == "bascule.pandas"


@pytest.mark.parametrize("kinds", KINDS, ids="-".join)
@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
@pytest.mark.parametrize("method", ["tasks", "disk"])
def test_merges_lose_no_rows(kinds, how, method):
    left, right = of_kind(MANY, kinds[0], 4), of_kind(FEW, kinds[1], 3)
    wanted = rows(MANY.merge(FEW, on="k", how=how))
    with dask.config.set({"dataframe.shuffle.method": method}):
        for broadcast in (None, False, True):
            got = dd.merge(left, right, on="k", how=how, broadcast=broadcast)
            assert is_bascules(got)
            pandas.testing.assert_frame_equal(rows(got), wanted, check_dtype=False)


N = 30
NUMBERS = np.arange(N) % 13
DAYS = pandas.DatetimeIndex(np.datetime64("2020-01-01", "s") + NUMBERS * np.timedelta64(86400, "s"))
STRINGS = pandas.Series([f"key{i}" for i in NUMBERS])


def nulls(values, dtype):
    return pandas.Series(values).astype(dtype).where(NUMBERS != 3)


def decimals(values, scale):
    return pandas.Series([decimal.Decimal(int(i)) for i in values]).astype(
        pandas.ArrowDtype(pyarrow.decimal128(20, scale))
    )


KEYS = {
    "integers": [pandas.Series(NUMBERS), pandas.Series(NUMBERS, dtype="i1"), pandas.Series(NUMBERS, dtype="category"),
                 pandas.Series(NUMBERS, dtype=pandas.ArrowDtype(pyarrow.int64()))],
    "missing numbers": [nulls(NUMBERS, "f8"), nulls(NUMBERS, "Int64"), nulls(NUMBERS, "Float32")],
    "strings": [STRINGS.astype(t) for t in ("str", "object", "category", "string[python]", pandas.ArrowDtype(pyarrow.string()))],
    "missing strings": [nulls(STRINGS, t) for t in ("str", "object", "category")],
    "dates": [pandas.Series(DAYS.as_unit(u)) for u in ("s", "ms", "ns")],
    "Arrow's dates": [pandas.Series(DAYS, dtype=pandas.ArrowDtype(pyarrow.timestamp("us")))],
    "Arrow's days": [pandas.Series(DAYS.date).astype(t) for t in (pandas.ArrowDtype(pyarrow.date32()), pandas.ArrowDtype(pyarrow.date64()))],
    "decimals": [decimals(NUMBERS, 2), decimals(NUMBERS, 3), pandas.Series(NUMBERS), decimals(NUMBERS, 4)],
    "missing dates": [nulls(DAYS.as_unit(u), f"M8[{u}]") for u in ("s", "ns")],
    "categories of dates": [pandas.Series(DAYS, dtype="category")],
    "zones": [pandas.Series(DAYS.as_unit(u).tz_localize("UTC")) for u in ("s", "ns")],
    "durations": [pandas.Series(pandas.to_timedelta(NUMBERS, unit="s").as_unit(u)) for u in ("s", "ns")],
    "bool": [pandas.Series(NUMBERS % 2 == 0), pandas.Series(NUMBERS % 2 == 0, dtype="boolean")],
    "periods": [pandas.Series(DAYS.to_period("D"))],
    "tuples": [pandas.Series([(int(i), 1) for i in NUMBERS])],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:Merging dataframes with merge column data type mismatches")
@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("kinds", [KINDS[0], KINDS[1], KINDS[-1]], ids="-".join)
def test_merges_on_keys_of_all_types_lose_no_rows(name, kinds):
    keys = KEYS[name]
    for a, b in zip(keys, keys[1:] + keys[:1]):
        left, right = pandas.DataFrame({"k": a, "x": range(N)})[:20], pandas.DataFrame({"k": b, "y": range(N)})[10:]
        with dask.config.set({"dataframe.shuffle.method": "tasks", "dataframe.convert-string": False}):
            got = dd.merge(of_kind(left, kinds[0], 3), of_kind(right, kinds[1], 2), on="k", how="outer")
            got, wanted = rows(got), rows(left.merge(right, on="k", how="outer"))
        pandas.testing.assert_frame_equal(got[["x", "y"]], wanted[["x", "y"]], check_dtype=False, obj=f"{a.dtype}, {b.dtype}")  # fmt: skip


@pytest.mark.filterwarnings("ignore:Merging dataframes with merge column data type mismatches")
def test_rows_that_a_merge_has_sent_are_sent_again_where_the_next_key_hashes_otherwise():
    a, b, c = (
        pandas.DataFrame({"t": pandas.Series(DAYS.as_unit(u)), n: range(N)}) for u, n in zip(("s", "ns", "ms"), "xyz")
    )
    lazy = [of_kind(f, k, 3) for f, k in zip((a, b, c), ("bascule", "pandas", "bascule"))]
    with dask.config.set({"dataframe.shuffle.method": "tasks"}):
        got = lazy[0].merge(lazy[1], on="t", broadcast=False).merge(lazy[2], on="t", broadcast=False)
        wanted = a.merge(b, on="t").merge(c, on="t")
        assert len(got) == len(wanted)


@pytest.mark.filterwarnings("ignore:Merging dataframes with merge column data type mismatches")
def test_all_keys_are_sent_by_value_where_one_of_several_has_to_be():
    a = pandas.DataFrame(
        {"c": pandas.Series(NUMBERS, dtype="category"), "n": (NUMBERS % 5).astype("u1"), "x": range(N)}
    )
    b = pandas.DataFrame({"c": NUMBERS, "n": nulls(NUMBERS % 5, "Float64"), "y": range(N)})
    c = pandas.DataFrame({"c": decimals(NUMBERS, 2), "n": (NUMBERS % 5).astype("f4"), "z": range(N)})
    lazy = [of_kind(f, k, 3) for f, k in zip((a, b, c), ("bascule", "pandas", "bascule"))]
    with dask.config.set({"dataframe.shuffle.method": "tasks"}):
        for i, j in ((0, 1), (1, 2), (1, 0)):
            got = lazy[i].merge(lazy[j], on=["c", "n"], broadcast=False, shuffle_method="tasks")
            assert len(got) == len((a, b, c)[i].merge((a, b, c)[j], on=["c", "n"])) > N


A = pandas.DataFrame(
    {"x": np.arange(12.0), "b": np.arange(12) % 3, "s": list("abcd") * 3, "t": pandas.date_range("2020", periods=12)}
)
B = pandas.DataFrame(
    {
        "x": np.arange(12.0) * 2,
        "b": np.arange(12) % 5,
        "s": list("bcde") * 3,
        "t": pandas.date_range("2020-01-03", periods=12),
    },
    index=range(4, 16),
)
OPERATIONS = {
    "merge by labels": lambda a, b: dd.merge(a, b, left_index=True, right_index=True),
    "leftsemi": lambda a, b: dd.merge(a, b, on="b", how="leftsemi"),
    "concat": lambda a, b: dd.concat([a, b], interleave_partitions=True),
    "concat of columns": lambda a, b: dd.concat([a.x, b.b], axis=1),
    "concat of categories": lambda a, b: dd.concat([a.assign(s=a.s.astype("category")), b.assign(s=b.s.astype("category"))], interleave_partitions=True),
    "map_partitions": lambda a, b: dd.map_partitions(lambda p, q: p[["x"]].assign(z=q.x), a, b),
    "merge_asof": lambda a, b: dd.merge_asof(a, b, on="t"),
}  # fmt: skip
METHODS = {
    "join": lambda a, b: a.join(b, lsuffix="_l", rsuffix="_r", how="outer"),
    "join of several": lambda a, b: a[["x"]].join([b[["b"]], b[["s"]]]),
    "add": lambda a, b: a.x + b.x,
    "frames": lambda a, b: a[["x", "b"]] - b[["x", "b"]],
    "compare": lambda a, b: a.x > b.x,
    "strings": lambda a, b: a.s + b.s,
    "times": lambda a, b: a.t - b.t,
    "fill": lambda a, b: a.x.add(b.x, fill_value=1),
    "by series": lambda a, b: a[["x", "b"]].mul(b.x, axis=0),
    "where": lambda a, b: a.x.where(a.b > 0, b.x),
    "mask": lambda a, b: a[["x"]].mask(b[["x"]] > 3, -1),
    "filter": lambda a, b: a[b.b > 1],
    "assign": lambda a, b: a.assign(z=b.x),
    "fillna": lambda a, b: a.x.where(a.b > 0).fillna(b.x),
    "combine_first": lambda a, b: a[["x"]].where(a[["x"]] > 5).combine_first(b[["x", "b"]]),
    "align": lambda a, b: a[["x"]].align(b[["x"]], join="inner")[1],
    "groupby": lambda a, b: a.groupby(b.b).x.sum(),
    "map_partitions": lambda a, b: a.map_partitions(lambda p, q: p[["x"]].assign(z=q.x), b),
}
ALL = {**{(n, "function"): f for n, f in OPERATIONS.items()}, **{(n, "method"): f for n, f in METHODS.items()}}


@pytest.mark.parametrize("operation", ALL, ids="-".join)
def test_operations_between_the_kinds_give_what_pandas_gives(operation):
    for kinds in KINDS[:4] if operation[1] == "method" else KINDS[:6]:
        plain = [k.replace("bascule", "pandas") for k in kinds]
        with dask.config.set({"dataframe.shuffle.method": "tasks"}):
            try:
                wanted = rows(ALL[operation](of_kind(A, plain[0], 3), of_kind(B, plain[1], 2)))
            except Exception as error:  # Dask's own refusal of an eager operand
                with pytest.raises(type(error)):
                    rows(ALL[operation](of_kind(A, kinds[0], 3), of_kind(B, kinds[1], 2)))
                continue
            got = ALL[operation](of_kind(A, kinds[0], 3), of_kind(B, kinds[1], 2))
        assert is_bascules(got), kinds
        pandas.testing.assert_frame_equal(rows(got), wanted, obj=" and ".join(kinds))


CONDITIONS = {
    "filter": lambda a, b: a[b.y > 5],
    "filter of a column": lambda a, b: a.x[b.y > 5],
    "column of a filter": lambda a, b: a[b.y > 5].x,
    "a column that is one": lambda a, b: a[b.c],
    "loc": lambda a, b: a.loc[b.y > 5, ["x"]],
    "filter of what was brought": lambda a, b: (a[a.x > 2] + 0)[b.c],
    "both": lambda a, b: a[(a.x > 2) & (b.y < 9)],
}


@pytest.mark.filterwarnings("ignore:Boolean Series key will be reindexed")
@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_of_another_kind_filter_and_do_not_take_the_place_of_the_frame(name):
    a = pandas.DataFrame({"x": range(12), "z": np.arange(12.0)})
    b = pandas.DataFrame({"y": range(12), "c": np.arange(12) % 2 == 0})
    for kinds in KINDS[:2]:
        for counts in ((1, 3), (3, 3), (3, 1)):
            got = CONDITIONS[name](of_kind(a, kinds[0], counts[0]), of_kind(b, kinds[1], counts[1]))
            pandas.testing.assert_frame_equal(rows(got), rows(CONDITIONS[name](a, b)), obj=f"{kinds}, {counts}")
    condition = of_kind(b, "bascule", 3).c.to_backend("pandas")
    got = of_kind(a, "pandas", 1)[condition].compute()
    assert type(got) is pandas.DataFrame and got.equals(a[b.c])


def test_partitions_of_one_collection_may_be_of_both_kinds():
    parts = [pandas.DataFrame({"x": [1]}), bpd.DataFrame({"x": [2]}), pandas.DataFrame({"x": [3]})]
    for first in (parts, parts[1:]):
        got = concat(first)
        assert type(got) is bpd.DataFrame and got.x.tolist() == [p.x.tolist()[0] for p in first]


def test_what_is_brought_to_pandas_is_pandas():
    there = of_kind(A, "bascule", 2)
    for x in (there, there.x, there.index):
        back = x.to_backend("pandas")
        assert type(back._meta).__module__.startswith("pandas") and type(back.compute()).__module__.startswith("pandas")
    assert is_bascules(of_kind(A, "pandas", 2).to_backend("bascule"))


def test_dasks_modules_know_frames_of_both_kinds():
    ours, theirs = bpd.from_pandas(A), A
    for x in (ours, theirs):
        assert isinstance(x, _libraries.DataFrame) and not isinstance(x, _libraries.Series)
        assert isinstance(x.x, _libraries.Series) and isinstance(x.index, _libraries.Index)
        assert isinstance(x.set_index(["b", "s"]).index, _libraries.MultiIndex)
    assert type(_libraries.DataFrame({"a": [1]})) is pandas.DataFrame
    assert _libraries.MultiIndex.from_tuples([(1, 2)]).nlevels == 2


@pytest.mark.parametrize("kind", ["pandas", "bascule"])
def test_categories_of_labels_and_columns_that_are_unused_go(kind):
    there = pandas.Series(pandas.Categorical(["a", "b", "a"], categories=["c", "b", "a"]), index=[0, 1, 2])
    lazy = of_kind(there, kind, 2)
    assert list(lazy.cat.remove_unused_categories().compute().cat.categories) == ["b", "a"]
    labels = of_kind(pandas.DataFrame({"x": [1, 2, 3]}, index=pandas.CategoricalIndex(there)), kind, 1).index
    got = labels.cat.remove_unused_categories().compute() if hasattr(labels, "cat") else labels.compute()
    assert list(got.categories if hasattr(got, "categories") else got.cat.categories) == ["b", "a"]


@pytest.mark.parametrize("first", [True, False])
def test_merges_where_a_given_meta_is_of_another_kind_than_the_partitions(first):
    ours = of_kind(MANY, "bascule", 3).map_partitions(lambda p: p, meta=MANY.iloc[:0])
    theirs = of_kind(FEW, "pandas", 2)
    with dask.config.set({"dataframe.shuffle.method": "tasks"}):
        got = rows(ours.merge(theirs, on="k") if first else theirs.merge(ours, on="k"))
    wanted = rows(MANY.merge(FEW, on="k") if first else FEW.merge(MANY, on="k"))
    pandas.testing.assert_frame_equal(got, wanted, check_dtype=False)
