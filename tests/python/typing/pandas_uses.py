"""Typical statements with frames, which are checked and not run, as in uses.py: an ignored error is a mistake to be found."""

from typing import Any, assert_type

import bascule.pandas as pd
from bascule.pandas import DataFrame, Series

df = pd.read_csv("flights.csv", parse_dates=["when"], index_col=0, usecols=["when", "a"], dtype={"a": float})
pd.read_csv("flights.csv", parse_date=["when"])  # type: ignore[call-overload]
pd.read_parquet("flights.parquet", columns=["a"])
for piece in pd.read_csv("flights.csv", chunksize=1000):
    assert_type(piece, DataFrame)


# ---- columns and rows

assert_type(df["a"], Series[Any])
assert_type(df[["a", "b"]], DataFrame)
assert_type(df[df["a"] > 1], DataFrame)
assert_type(df[(df.a > 1) & ~df.b.isna()], DataFrame)
df[lambda d: d["a"] > 1].head()
assert_type(df[1:3], DataFrame)
assert_type(df.a, Series[Any])
assert_type(df.loc[:, "a"], Series[Any])
assert_type(df.loc[:, ["a", "b"]], DataFrame)
assert_type(df.loc[df["a"] > 1], DataFrame)
assert_type(df.loc[df["a"] > 1, "a"], Series[Any])
assert_type(df.iloc[0], Series[Any])
assert_type(df.iloc[:2], DataFrame)
assert_type(df.iloc[:2, 1], Series[Any])
df["c"] = df["a"] * 2
df.loc[df["a"] > 1, "c"] = 0
for row in df.itertuples():
    assert_type(row.a, Any)
    assert_type(row._asdict(), dict[str, Any])
for plain in df.itertuples(index=False, name=None):
    assert_type(plain, tuple[Any, ...])
for label, one in df.iterrows():
    assert_type(one, Series[Any])
    one.price


# ---- methods by their arguments

assert_type(df.drop(columns="a"), DataFrame)
assert_type(df.drop(columns="a", inplace=True), None)
assert_type(df.sort_values("a", ascending=False), DataFrame)
assert_type(df.reset_index(), DataFrame)
assert_type(df["a"].reset_index(), DataFrame)
assert_type(df["a"].reset_index(drop=True), Series[Any])
assert_type(df.sum(), Series[Any])
average: float = df.mean(axis=None)
assert_type(df.merge(df, on="a", how="left", suffixes=("_x", "_y")), DataFrame)
assert_type(pd.merge(df, df, left_on="a", right_on="b"), DataFrame)
assert_type(pd.concat([df, df], ignore_index=True), DataFrame)
assert_type(pd.concat([df["a"], df["b"]]), Series[Any])
assert_type(pd.concat([df["a"], df["b"]], axis=1), DataFrame)
assert_type(pd.concat([df, df["b"]], axis="columns"), DataFrame)
assert_type(df.to_csv(), str)
assert_type(df.to_csv("out.csv", index=False), None)
assert_type(df.to_dict("records")[0]["a"], Any)
assert_type(df.apply(lambda row: 1.5, axis=1), Series[Any])
assert_type(df["a"] - df["a"].mean(), Series[Any])
assert_type(df["a"] == 1, Series[bool])
assert_type(df["a"] + df, DataFrame)
other: float = df["a"].mean()
df["when"].mean().year
df.merge(df, how="lefft")  # type: ignore[arg-type]
df.merge(df, onn="a")  # type: ignore[call-arg]
df.sort_values("a", ascendng=False)  # type: ignore[call-overload]
df.drop_duplicates(keep="frist")  # type: ignore[call-overload]
pd.to_datetime(df["when"], format="%Y", error="coerce")  # type: ignore[call-overload]
pd.datarange("2024-01-01")  # type: ignore[attr-defined]


# ---- accessors, groups, windows

assert_type(df["a"].str.upper().str.len(), Series[int])
assert_type(df["a"].str.split(","), Series[Any])
assert_type(df["a"].str.split(",", expand=True), DataFrame)
assert_type(df["when"].dt.year, Series[int])
assert_type(df["when"].dt.tz_localize("UTC").dt.normalize(), Series[Any])
assert_type(df["a"].astype("category").cat.codes, Series[int])
df["a"].str.uper()  # type: ignore[attr-defined]
df["when"].dt.yaer  # type: ignore[attr-defined]
df.plot.lines()  # type: ignore[attr-defined]
groups = df.groupby("a")
assert_type(groups.sum(), DataFrame)
assert_type(groups["b"].mean(), Series[Any])
assert_type(groups.b.mean(), Series[Any])
assert_type(groups[["b"]].mean(), DataFrame)
assert_type(groups.size(), Series[Any])
assert_type(df.groupby("a", as_index=False).size(), DataFrame)
assert_type(df.groupby("a", as_index=False)["b"].mean(), DataFrame)
assert_type(groups["b"].agg(["min", "max"]), DataFrame)
assert_type(groups.agg(lowest=("b", "min")), DataFrame)
assert_type(groups["b"].transform("mean"), Series[Any])
for key, group in groups:
    assert_type(group, DataFrame)
assert_type(df.rolling(3).mean(), DataFrame)
assert_type(df["b"].rolling("2h", min_periods=1).sum(), Series[Any])
assert_type(df.rolling(3)["a"].max(), Series[Any])
assert_type(df.resample("D").mean(), DataFrame)
assert_type(df["b"].resample("D").ohlc(), DataFrame)
df.groupby("a", as_idx=False)  # type: ignore[call-overload]
df.rolling(windw=3)  # type: ignore[call-arg]


# ---- modules


try:
    pd.api.types.is_numeric_dtype(df["a"])
    pd.testing.assert_frame_equal(df, df, check_dtype=False)
    pd.tseries.frequencies.to_offset("D")
    pd.util.hash_pandas_object(df)
    pd.plotting.scatter_matrix(df)
except (pd.errors.MergeError, pd.errors.ParserError):
    pass
pd.errors.MergeErorr  # type: ignore[attr-defined]
pd.api.types.is_numerical_dtype  # type: ignore[attr-defined]


@pd.api.extensions.register_dataframe_accessor("geo")
class Geography:
    pass


# ---- classes


class Prices(DataFrame):
    @property
    def _constructor(self) -> type["Prices"]:
        return Prices


assert_type(Prices().head(), Prices)


def standardised(frame: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    values = frame[names]
    return (values - values.mean()) / values.std()


def longest(words: pd.Series[str]) -> int:
    return int(words.str.len().max())


assert_type(pd.Series([1, 2]), Series[int])
assert_type(pd.Series([1.5, 2]).astype(str), Series[str])
longest(pd.Series(["a"]))
longest(pd.Series([1]))  # type: ignore[arg-type]
