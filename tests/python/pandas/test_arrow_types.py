"""Columns of Arrow's types: every call gives what pandas gives, and what is said to stay in Arrow's memory runs without a fallback."""

from __future__ import annotations

import decimal
import io
from datetime import date, datetime, timedelta

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pyarrow as pa
import pytest
from call_outcomes import compare, difference

D = decimal.Decimal
VALUES = {  # of each type, with equal and missing ones among them
    pa.int64(): [3, None, 1, 3, -2, 2**53 + 1],
    pa.int8(): [3, None, 1, 3, -2, 60],
    pa.uint16(): [3, None, 1, 3, 0, 9],
    pa.float64(): [1.5, None, -0.25, 1.5, 1e300, 0.0],
    pa.float32(): [1.5, None, -0.25, 1.5, 1e30, 0.0],
    pa.bool_(): [True, None, False, True, False, True],
    pa.string(): ["b", None, "a", "b", "", "ü"],
    pa.large_string(): ["b", None, "a", "b", "", "ü"],
    pa.date32(): [date(2024, 2, 29), None, date(1969, 1, 1), date(2024, 2, 29), date(2024, 3, 1), date(1970, 1, 1)],
    pa.timestamp("us"): [datetime(2024, 2, 29, 1), None, datetime(1969, 1, 1), datetime(2024, 2, 29, 1), datetime(2025, 1, 1), datetime(1970, 1, 1)],
    pa.duration("ms"): [timedelta(1), None, timedelta(-1), timedelta(1), timedelta(0), timedelta(seconds=3)],
    pa.decimal128(12, 2): [D("1.10"), None, D("-2.25"), D("1.10"), D("9999999999.99"), D("0.01")],
    pa.decimal128(38, 3): [D("1.100"), None, D("-2.250"), D("1.100"), D("12345678901234567890123.999"), D("0.010")],
    pa.list_(pa.int64()): [[1, 2], None, [], [3, None], [4], [5, 6, 7]],
    pa.large_list(pa.string()): [["a"], None, [], ["b", None], ["c"], ["d", "e"]],
    pa.struct([("a", pa.int64()), ("b", pa.string())]): [{"a": 1, "b": "x"}, None, {"a": None, "b": "y"}, {"a": 3, "b": None}, {"a": 4, "b": ""}, {"a": 5, "b": "z"}],
}  # fmt: skip
NESTED = [t for t in VALUES if pa.types.is_nested(t)]
NUMBERS = [t for t in VALUES if pa.types.is_integer(t) or pa.types.is_floating(t) or pa.types.is_decimal(t)]
KEYS = [
    t for t in VALUES if not pa.types.is_nested(t) and t != pa.decimal128(38, 3)
]  # which has a value of many digits


def table(t):
    return pa.table({"v": pa.array(VALUES[t], t), "k": pa.array([2, 1, 2, None, 1, 2]), "x": [1.0, 2, 3, 4, 5, 6]})


def frame(t, module):
    made = table(t).to_pandas(types_mapper=pandas.ArrowDtype)
    return made if module is pandas else pd.from_pandas(made)


ANY = {
    "take": lambda d: d.iloc[[5, 0, 0, 2]], "slice": lambda d: d.iloc[4:0:-2], "filter": lambda d: d[d["k"] == 2], "loc": lambda d: d.loc[d["x"] > 2, ["v"]],
    "head": lambda d: d.head(2), "isna": lambda d: d.isna(), "dropna": lambda d: d.dropna(), "count": lambda d: d.v.count(),
    "reindex": lambda d: d.reindex([4, 9, 0]), "copy": lambda d: d.copy(), "concat": lambda d: pandas_or(d).concat([d, d.iloc[::2]]),
    "merge": lambda d: d.merge(d.iloc[:3][["k"]], on="k"), "sort by key": lambda d: d.sort_values("k", kind="stable"),
    "set_index": lambda d: d.set_index("x"), "assign": lambda d: d.assign(w=d.v), "drop": lambda d: d.drop(columns="x"),
    "item": lambda d: d.v.iloc[0], "missing item": lambda d: d.v.iloc[1], "list": lambda d: d.v.tolist(), "dtypes": lambda d: list(d.dtypes),
    "text": repr, "explode": lambda d: d.explode("v"), "explode rows": lambda d: d.v.explode(ignore_index=True), "arrow": lambda d: pa.array(d.v),
    "equals": lambda d: d.equals(d.copy()), "join": lambda d: d.join(d[["x"]], rsuffix="_"),
}  # fmt: skip
KEYED = {
    "sort": lambda d: d.sort_values("v"), "sort down": lambda d: d.sort_values("v", ascending=False, na_position="first"),
    "sort series": lambda d: d.v.sort_values(), "sort two": lambda d: d.sort_values(["v", "x"], ascending=[True, False]),
    "unique rows": lambda d: d.drop_duplicates("v"), "duplicated": lambda d: d.duplicated(["v"], keep="last"),
    "group": lambda d: d.groupby("v")["x"].sum(), "group with missing": lambda d: d.groupby("v", dropna=False)["x"].mean(),
    "group unsorted": lambda d: d.groupby("v", sort=False)["x"].max(), "two keys": lambda d: d.groupby(["v", "k"])["x"].sum(),
    "merge by it": lambda d: d.merge(d.iloc[1:4], on="v"), "left by it": lambda d: d.merge(d.iloc[[3, 2]], on="v", how="left"),
    "loc": lambda d: d.set_index("v").loc[d.v.iloc[0]], "sort labels": lambda d: d.set_index("v").sort_index(), "unique": lambda d: d.v.unique(),
    "value_counts": lambda d: d.v.value_counts(), "shares": lambda d: d.v.value_counts(normalize=True, dropna=False), "sizes": lambda d: d.groupby("k").v.size(),
    "reindex labels": lambda d: d.drop_duplicates("v").set_index("v").reindex(d.v.iloc[[0, 2]]), "isin": lambda d: d.v.isin([d.v.iloc[0]]),
    "added by labels": lambda d: d.drop_duplicates("v").set_index("v").x + d.iloc[[2, 3]].set_index("v").x, "levels": lambda d: d.set_index(["v", "k"]).sort_index(),
    "nunique": lambda d: d.v.nunique(), "counts by group": lambda d: d.groupby("x")["v"].count(),
    "equal": lambda d: d.v == d.v.shift(1), "less": lambda d: d.v < d.v[::-1].reset_index(drop=True), "unequal": lambda d: d.v != d.v,
}  # fmt: skip
COMPUTED = {
    **{n: (lambda n: lambda d: getattr(d.v, n)())(n) for n in ("sum", "mean", "min", "max", "prod", "median", "var", "std", "any", "all")},
    "sum without skipping": lambda d: d.v.sum(skipna=False), "sum of few": lambda d: d.v.sum(min_count=6), "sum of none": lambda d: d.v.iloc[1:2].sum(),
    "min of none": lambda d: d.v.iloc[1:2].min(), "var by ddof": lambda d: d.v.var(ddof=0),
    **{f"group {n}": (lambda n: lambda d: getattr(d.groupby("k")["v"], n)())(n) for n in ("sum", "mean", "min", "max", "first", "last", "median", "var", "std", "prod", "nunique")},
    "group sum of few": lambda d: d.groupby("k")["v"].sum(min_count=2), "group sum without skipping": lambda d: d.groupby("k")["v"].sum(skipna=False),
    "group of all": lambda d: d.groupby("k")["v"].agg(["sum", "max"]), "group frame": lambda d: d.groupby("k").agg({"v": "sum", "x": "mean"}),
    "added": lambda d: d.v + d.v, "plus 1": lambda d: d.v + 1, "1 minus": lambda d: 1 - d.v, "doubled": lambda d: d.v * 2, "half": lambda d: d.v / 2,
    "product": lambda d: d.v * d.v, "quotient": lambda d: d.v / d.v, "above 1": lambda d: d.v > 1, "is 1": lambda d: d.v == 1, "by floor": lambda d: d.v // 2,
    "filter": lambda d: d[d.v > 1], "fill": lambda d: d.v.fillna(0), "where": lambda d: d.v.where(d.x > 2), "mask by 7": lambda d: d.v.mask(d.x > 2, 7),
    "to float": lambda d: d.v.astype("float64"), "to arrow's float": lambda d: d.v.astype("double[pyarrow]"), "cumsum": lambda d: d.v.cumsum(),
}  # fmt: skip
LISTS = {
    "len": lambda s: s.list.len(), "first": lambda s: s.dropna()[lambda s: s.list.len() > 0].list[0], "out of range": lambda s: s.list[5],
    "last": lambda s: s.dropna()[lambda s: s.list.len() > 0].list[-1], "slice": lambda s: s.list[0:1], "from 1": lambda s: s.list[1:],
    "flatten": lambda s: s.list.flatten(), "stepping": lambda s: s.list[0:2:2], "all": lambda s: list(s.list), "wrong key": lambda s: s.list["a"],
}  # fmt: skip
STRUCTS = {
    "by name": lambda s: s.struct.field("a"), "by number": lambda s: s.struct.field(1), "by list": lambda s: s.struct.field(["b"]), "absent": lambda s: s.struct.field("z"),
    "explode": lambda s: s.struct.explode(), "dtypes": lambda s: dict(s.struct.dtypes), "wrong": lambda s: s.struct.field(1.5), "negative": lambda s: s.struct.field(-1),
}  # fmt: skip


def pandas_or(d):
    return pandas if isinstance(d, pandas.DataFrame) else pd


def name_of(x):
    return str(x).replace(" ", "")


@pytest.mark.parametrize("t", VALUES, ids=name_of)
def test_calls_on_any_type(t):
    found = {n: difference(call, frame(t, pd), frame(t, pandas)) for n, call in ANY.items()}
    assert not any(found.values()), "\n".join(f"{n}: {d}" for n, d in found.items() if d)


@pytest.mark.parametrize("t", KEYS, ids=name_of)
def test_calls_on_keys(t):
    found = {n: difference(call, frame(t, pd), frame(t, pandas)) for n, call in KEYED.items()}
    assert not any(found.values()), "\n".join(f"{n}: {d}" for n, d in found.items() if d)


@pytest.mark.parametrize("t", [*NUMBERS, pa.bool_(), pa.string()], ids=name_of)
def test_computed(t):
    found = {n: difference(call, frame(t, pd), frame(t, pandas)) for n, call in COMPUTED.items()}
    assert not any(found.values()), "\n".join(f"{n}: {d}" for n, d in found.items() if d)


ODD = {pa.float64(): [0.0, None, -0.0, 1.5, 0.0, -0.0], pa.uint64(): [2**63, None, 1, 2**63, 0, 2]}


@pytest.mark.parametrize("t", ODD, ids=str)
@pytest.mark.parametrize(
    "call",
    [
        lambda s: s.nunique(), lambda s: s.value_counts(), lambda s: s.groupby(s).sum(), lambda s: s.duplicated(),
        lambda s: s.fillna(s.iloc[0]), lambda s: s.where(s.notna(), s.iloc[0]), lambda s: s == s.iloc[0], lambda s: s.isin([s.iloc[0]]),
        lambda s: s.to_frame().merge(s.to_frame(), on="s"), lambda s: s.factorize()[0].tolist(), lambda s: s.drop_duplicates(),
    ],
)  # fmt: skip
def test_zeros_of_both_signs_and_large_integers(t, call):
    there = pandas.Series(ODD[t], dtype=pandas.ArrowDtype(t), name="s")
    with bc.config.set(fallback="silent"):
        assert difference(call, pd.from_pandas(there), there) is None


@pytest.mark.parametrize("t", VALUES, ids=name_of)
def test_accessors_of_nested_values(t):
    calls = {**LISTS, **STRUCTS}
    found = {n: difference(call, frame(t, pd).v, frame(t, pandas).v) for n, call in calls.items()}
    assert not any(found.values()), "\n".join(f"{n}: {d}" for n, d in found.items() if d)


NATIVE = [
    *("take slice filter loc head isna dropna reindex concat merge assign drop explode arrow".split()),
]


@pytest.mark.parametrize("t", VALUES, ids=name_of)
def test_rows_are_moved_without_a_fallback(t):
    made = frame(t, pd)
    with bc.config.set(fallback="error"):
        for name in NATIVE:
            ANY[name](made)


@pytest.mark.parametrize("t", [t for t in NUMBERS if t != pa.decimal128(38, 3)], ids=name_of)
def test_numbers_are_computed_without_a_fallback(t):
    made = frame(t, pd)
    with bc.config.set(fallback="error"):
        for name in ("sort", "unique rows", "group", "merge by it", "nunique"):
            KEYED[name](made)
        for name in ("sum", "mean", "min", "max", "group sum", "group mean", "group min", "added", "above 1", "filter", "fill", "where", "to float"):  # fmt: skip
            COMPUTED[name](made)


def test_nested_values_are_taken_apart_without_a_fallback():
    with bc.config.set(fallback="error"):
        for name in ("len", "first", "slice", "from 1", "flatten"):
            LISTS[name](frame(pa.list_(pa.int64()), pd).v)
        for name in ("by name", "by number", "by list", "explode"):
            STRUCTS[name](frame(NESTED[-1], pd).v)


@pytest.mark.parametrize("rows", [1, 1000])
def test_sums_of_decimals_are_exact(rows):
    values = [D(f"{k % 97}.{k % 100:02d}") for k in range(rows)]
    made = pd.from_pandas(
        pandas.DataFrame(
            {"d": pandas.Series(values, dtype=pandas.ArrowDtype(pa.decimal128(30, 2))), "k": np.arange(rows) % 3}
        )
    )
    with bc.config.set(fallback="error"):
        total, by_key = made.d.sum(), made.groupby("k").d.sum().tolist()
    assert total == sum(values) and isinstance(total, D)
    assert by_key == [sum(values[k::3], D("0.00")) for k in range(min(rows, 3))]


@pytest.mark.parametrize("t", VALUES, ids=name_of)
@pytest.mark.parametrize("backend", ["pyarrow", None])
def test_parquet_and_back(t, backend, tmp_path):
    """Columns that are read have pandas' types, and Arrow's values are written as they are."""
    import pyarrow.parquet

    pyarrow.parquet.write_table(table(t), tmp_path / "a.parquet")
    options = {} if backend is None else {"dtype_backend": backend}
    with bc.config.set(fallback="error"):
        made = pd.read_parquet(tmp_path / "a.parquet", **options)
        compare(made, pandas.read_parquet(tmp_path / "a.parquet", **options))
        if backend is not None:
            assert pa.table(made).column("v").type == t
            made.to_parquet(tmp_path / "b.parquet")
            assert pyarrow.parquet.read_table(tmp_path / "b.parquet").column("v").equals(table(t).column("v"))


def test_labels_of_rows_are_restored_in_arrows_types(tmp_path):
    for made in (
        frame(pa.int64(), pandas).set_index("x"),
        frame(pa.int64(), pandas).iloc[::2],
        frame(pa.string(), pandas).set_index(["k", "x"]),
    ):
        made.to_parquet(tmp_path / "a.parquet")
        read = [m.read_parquet(tmp_path / "a.parquet", dtype_backend="pyarrow") for m in (pd, pandas)]
        compare(*read)


@pytest.mark.parametrize("t", VALUES, ids=name_of)
def test_series_from_arrow(t):
    chunks = pa.chunked_array([VALUES[t][:2], VALUES[t][2:]], t)
    for given in (pa.array(VALUES[t], t), chunks, table(t).column("v")):
        compare(pd.Series.from_arrow(given), pandas.Series.from_arrow(given))
    with pytest.raises(TypeError, match="Expected an Arrow-compatible"):
        pd.Series.from_arrow([1, 2])


@pytest.mark.parametrize("backend", ["pyarrow", None])
@pytest.mark.parametrize("columns", [None, ["x"], ["x", "v"]])
def test_orc(backend, columns, tmp_path):
    import pyarrow.orc

    pyarrow.orc.write_table(table(pa.decimal128(12, 2)), tmp_path / "a.orc")
    options = {"columns": columns} | ({} if backend is None else {"dtype_backend": backend})
    expected = pandas.read_orc(tmp_path / "a.orc", **options)
    with bc.config.set(fallback="error"):
        compare(pd.read_orc(tmp_path / "a.orc", **options), expected)
        compare(pd.read_orc(io.BytesIO((tmp_path / "a.orc").read_bytes()), **options), expected)
    for wrong in ({"dtype_backend": "numpy_nullable"}, {"dtype_backend": "none"}, {"columns": ["z"]}):
        call = lambda m: m.read_orc(tmp_path / "a.orc", **wrong)
        assert difference(call, pd, pandas) is None


@pytest.mark.parametrize("dtype", ["i1", "u4", "i8", "f4", "f8", "M8[us]", "m8[s]", "str"])
def test_arrow_shares_the_memory_of_columns(dtype):
    """A table takes the memory of a column, and no later write to the frame changes it."""
    made = pd.DataFrame({"v": np.arange(1000).astype(dtype), "w": np.arange(1000).astype(dtype)})
    one, other = pa.table(made), pa.table(made)
    shared = [t.column("v").chunk(0).buffers()[-1].address for t in (one, other)]
    assert shared[0] == shared[1]
    before = one.column("v").to_pylist()
    made.loc[3, "v"], made.iloc[4, 0], made.at[5, "v"] = (made["v"].iloc[900],) * 3
    made["v"] = made["v"].sort_values(ascending=False).to_numpy()
    assert one.column("v").to_pylist() == before
