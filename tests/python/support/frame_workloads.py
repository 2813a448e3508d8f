"""Programs on Dask's frames, each run with partitions of pandas and of bascule."""

from __future__ import annotations

import os
from typing import Any

import bascule as bc
import bascule.pandas as bpd
import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas

ROWS = 60


def table() -> pandas.DataFrame:
    rng = np.random.default_rng(0)
    return pandas.DataFrame(
        {
            "k": rng.integers(0, 4, ROWS), "b": np.array(list("pqr") * (ROWS // 3)), "x": rng.random(ROWS), "y": np.arange(ROWS) * 1.0,
            "t": pandas.date_range("2020-01-01", periods=ROWS, freq="7h"),
        }
    )  # fmt: skip


class Maker:
    """Creates the collections of a program.

    Parameters
    ----------
    backend : {"pandas", "bascule"}
    folder : path
        Folder of the files to read, in which a program may also write.
    """

    def __init__(self, backend: str, folder: Any):
        self.backend, self.folder = backend, str(folder)
        self.out = os.path.join(self.folder, backend)
        os.makedirs(self.out, exist_ok=True)

    def settings(self) -> Any:
        arrays = "numpy" if self.backend == "pandas" else "bascule"
        return dask.config.set(
            {"dataframe.backend": self.backend, "array.backend": arrays, "dataframe.convert-string": False}
        )

    def local(self, data: Any) -> Any:
        """A frame outside of Dask."""
        data = pandas.DataFrame(data)
        return data if self.backend == "pandas" else bpd.from_pandas(data)

    def D(self, n: int = 3) -> Any:
        return dd.from_pandas(self.local(table()), npartitions=n)

    def E(self, n: int = 2) -> Any:
        return dd.from_pandas(self.local({"k": range(4), "z": [1.0, 2, 3, 4]}), npartitions=n)

    def steps(self, n: int = 2) -> Any:
        """Sorted values in which to look others up."""
        at = {
            "y": [1.5, 20.25, 40.75],
            "t": pandas.date_range("2020-01-02", periods=3, freq="5D"),
            "k": [1, 2, 3],
            "v": [1, 2, 3],
        }
        return dd.from_pandas(self.local(at), npartitions=n)

    def dated(self) -> Any:
        """A frame with timestamps as row labels."""
        return self.D().set_index("t", sorted=True)

    def file(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def frame(self) -> Any:
        """The class of frames."""
        return pandas.DataFrame if self.backend == "pandas" else bpd.DataFrame

    def array(self, x: np.ndarray) -> Any:
        return x if self.backend == "pandas" else bc.asarray(x)


def write_files(folder: Any) -> None:
    """The files that programs read."""
    t = table()
    t.to_csv(os.path.join(folder, "a.csv"), index=False)
    for i in range(2):
        t.iloc[i * 30 : (i + 1) * 30].to_csv(os.path.join(folder, f"part{i}.csv"), index=False)
    os.makedirs(os.path.join(folder, "parquet"))
    for i in range(2):
        t.iloc[i * 30 : (i + 1) * 30].to_parquet(os.path.join(folder, "parquet", f"part.{i}.parquet"))
    t.to_json(os.path.join(folder, "a.json"), orient="records", lines=True, date_format="iso")
    t.to_orc(os.path.join(folder, "a.orc"))
    t.to_csv(os.path.join(folder, "a.csv.gz"), index=False)


def _set(d: Any) -> Any:
    d["z"] = d.x * 2
    return d


def _written(m: Any, how: str, name: str, read: str, **kwargs: Any) -> Any:
    getattr(m.D(), how)(os.path.join(m.out, name), **kwargs)
    return getattr(dd, read)(os.path.join(m.out, name.replace("*", "0") if how != "to_parquet" else name))


def _hours(d: Any) -> Any:
    return d[["x", "y"]].groupby(d.t.dt.hour).mean()


def _by_category(m: Any) -> Any:
    return m.D().categorize(columns=["b"])


def _categories(m: Any) -> Any:
    return m.D()[["b", "x"]].categorize(columns=["b"]).persist().b


PROGRAMS = {
    "from_dict": lambda m: dd.from_dict({"a": range(10), "b": range(10)}, npartitions=2),
    "from_dict, by rows": lambda m: dd.from_dict({1: [1, 2.5], 2: [3, 4.5]}, npartitions=1, orient="index", columns=["u", "v"]),
    "from_pandas": lambda m: m.D(),
    "from_pandas, index of text": lambda m: dd.from_pandas(m.local(table().set_index("b")), npartitions=2),
    "map_partitions": lambda m: m.D().map_partitions(lambda d: d[["x", "y"]] * 2),
    "to_backend": lambda m: dd.from_pandas(table(), npartitions=3).to_backend(m.backend),
    "there and back": lambda m: m.D().to_backend("pandas").to_backend(m.backend),
    "to pandas": lambda m: m.D().to_backend("pandas"),
    "map_partitions with meta": lambda m: m.D().map_partitions(lambda d: d, meta=m.D()._meta),
    "map_partitions with meta of names": lambda m: m.D().map_partitions(lambda d: d[["x", "k"]], meta={"x": "f8", "k": "i8"}),
    "from_map": lambda m: dd.from_map(lambda i, f=m.frame(): f({"a": [i, i]}), range(3)),
    "from_delayed": lambda m: dd.from_delayed([dask.delayed(m.frame())({"a": [1, 2]})]),
    "read_csv": lambda m: dd.read_csv(m.file("a.csv")),
    "read_csv in blocks": lambda m: dd.read_csv(m.file("a.csv"), blocksize=600),
    "read_csv, columns of blocks": lambda m: dd.read_csv(m.file("a.csv"), blocksize=600)[["x", "b"]],
    "read_csv, arguments": lambda m: dd.read_csv(m.file("a.csv"), usecols=["k", "x", "t"], dtype={"k": "f8"}, parse_dates=["t"]),
    "read_csv, one column of arguments": lambda m: dd.read_csv(m.file("a.csv"), blocksize=700, dtype={"k": "f8"}, parse_dates=["t"]).t,
    "read_csv of many files": lambda m: dd.read_csv(m.file("part*.csv"), blocksize=500),
    "read_csv, assume_missing": lambda m: dd.read_csv(m.file("a.csv"), assume_missing=True),
    "read_csv, path of the file": lambda m: dd.read_csv(m.file("part*.csv"), include_path_column=True).drop(columns="path"),
    "read_csv, packed": lambda m: dd.read_csv(m.file("a.csv.gz"), blocksize=None),
    "read_parquet": lambda m: dd.read_parquet(m.file("parquet")),
    "read_parquet, columns and filters": lambda m: dd.read_parquet(m.file("parquet"), columns=["k", "x"], filters=[("k", "==", 1)]),
    "read_parquet, filter and projection": lambda m: (lambda d: d[d.k > 0][["x", "y"]])(dd.read_parquet(m.file("parquet"))),
    "read_parquet, index": lambda m: dd.read_parquet(m.file("parquet"), index="y", calculate_divisions=True),
    "read_parquet, Arrow's file system": lambda m: dd.read_parquet(m.file("parquet"), filesystem="arrow"),
    "read_json": lambda m: dd.read_json(m.file("a.json"), orient="records", lines=True),
    "read_orc": lambda m: dd.read_orc(m.file("a.orc")),
    "to_csv": lambda m: _written(m, "to_csv", "o-*.csv", "read_csv"),
    "to_parquet": lambda m: _written(m, "to_parquet", "all", "read_parquet"),
    "to_parquet by a column": lambda m: _written(m, "to_parquet", "by", "read_parquet", partition_on=["k"]).x,
    "to_json": lambda m: _written(m, "to_json", "o-*.json", "read_json", date_format="iso"),
    "arithmetic": lambda m: m.D().x * 2 + m.D().y,
    "arithmetic of frames": lambda m: m.D()[["x", "y"]] + 1,
    "filter": lambda m: m.D()[m.D().x > 0.5],
    "filter of two": lambda m: (lambda d: d[(d.x > 0.2) & (d.b != "p")])(m.D()),
    "query": lambda m: m.D().query("x > 0.5"),
    "assign": lambda m: m.D().assign(z=lambda d: d.x * 2),
    "setitem": lambda m: _set(m.D()),
    "fillna, clip, round, astype": lambda m: m.D().x.fillna(0).clip(0, 1).round(2).astype("f4"),
    "isin, between, isna": lambda m: m.D().k.isin([1, 2]) & m.D().x.between(0, 1) & ~m.D().x.isna(),
    "drop, rename": lambda m: m.D().drop(columns=["b"]).rename(columns={"x": "xx"}),
    "str": lambda m: m.D().b.str.upper(),
    "str.contains": lambda m: m.D().b.str.contains("p"),
    "dt": lambda m: m.D().t.dt.hour,
    "dt.floor": lambda m: m.D().t.dt.floor("D"),
    "apply by rows": lambda m: m.D()[["x", "y"]].apply(lambda r: r.sum(), axis=1, meta=("s", "f8")),
    "map": lambda m: m.D().k.map({0: 1, 1: 2, 2: 3, 3: 4}, meta=("k", "i8")),
    "sqrt": lambda m: np.sqrt(m.D().x),
    "sum": lambda m: m.D().x.sum(),
    "sums": lambda m: m.D()[["x", "y"]].sum(),
    "mean": lambda m: m.D().x.mean(),
    "means": lambda m: m.D()[["x", "y"]].mean(),
    "std": lambda m: m.D().x.std(),
    "var": lambda m: m.D().x.var(),
    "vars": lambda m: m.D()[["x", "y"]].var(),
    "min and max": lambda m: m.D().x.min() + m.D().x.max(),
    "count": lambda m: m.D().count(),
    "nunique": lambda m: m.D().k.nunique(),
    "nunique_approx": lambda m: m.D().k.nunique_approx(),
    "unique": lambda m: m.D().k.unique(),
    "unique text": lambda m: m.D().b.unique(),
    "value_counts": lambda m: m.D().k.value_counts(),
    "value_counts of text": lambda m: m.D().b.value_counts(),
    "mode": lambda m: m.D().k.mode(),
    "describe": lambda m: m.D()[["x", "y"]].describe(),
    "describe text": lambda m: m.D().b.describe(),
    "describe dates": lambda m: m.D().t.describe(),
    "describe all": lambda m: m.D()[["x", "b", "t"]].describe(include="all"),
    "quantile": lambda m: m.D().x.quantile(0.5),
    "quantiles": lambda m: m.D().x.quantile([0.25, 0.75]),
    "quantile of columns": lambda m: m.D()[["x", "y"]].quantile(0.5),
    "median_approximate": lambda m: m.D().x.median_approximate(),
    "idxmax": lambda m: m.D().x.idxmax(),
    "cumsum": lambda m: m.D().x.cumsum(),
    "cumsums": lambda m: m.D()[["x", "y"]].cumsum(),
    "shift, diff": lambda m: m.D().x.shift(1) - m.D().x.diff(),
    "ffill": lambda m: m.D().x.ffill(),
    "nlargest": lambda m: m.D().nlargest(3, "x"),
    "corr": lambda m: m.D()[["x", "y"]].corr(),
    "cov": lambda m: m.D()[["x", "y"]].cov(),
    "skew": lambda m: m.D().x.skew(),
    "memory_usage": lambda m: m.D()[["x", "y"]].memory_usage().sum() > 0,
    "groupby.agg, lists": lambda m: m.D().groupby("k").agg({"x": ["sum", "mean"], "y": ["min", "max"]}),
    "groupby.agg, name": lambda m: m.D()[["k", "x"]].groupby("k").agg("sum"),
    "groupby.agg, keys": lambda m: m.D().groupby(["k", "b"]).agg({"x": "sum", "y": "mean"}),
    "groupby.x.mean": lambda m: m.D().groupby("k").x.mean(),
    "groupby.mean": lambda m: m.D()[["k", "x", "y"]].groupby("k").mean(),
    "groupby.std": lambda m: m.D().groupby("k").x.std(),
    "groupby.agg, std": lambda m: m.D().groupby("k").agg({"x": "std"}),
    "groupby.size": lambda m: m.D().groupby("k").size(),
    "groupby.nunique": lambda m: m.D().groupby("k").b.nunique(),
    "groupby.first": lambda m: m.D().groupby("k").x.first(),
    "groupby.median": lambda m: m.D().groupby("k").x.median(),
    "groupby.apply": lambda m: m.D().groupby("k").apply(lambda d: d.x.sum(), meta=("x", "f8")),
    "groupby.transform": lambda m: m.D().groupby("k").x.transform(lambda s: s - s.mean(), meta=("x", "f8")),
    "groupby.cumsum": lambda m: m.D().groupby("k").x.cumsum(),
    "groupby.idxmax": lambda m: m.D().groupby("k").x.idxmax(),
    "groupby.value_counts": lambda m: m.D().groupby("k").b.value_counts(),
    "groupby.head": lambda m: m.D().groupby("k").x.head(2),
    "groupby, split_out": lambda m: m.D().groupby("k").agg({"x": "sum"}, split_out=2),
    "groupby, split_out by tasks": lambda m: m.D().groupby("k").agg({"x": "sum"}, split_out=2, shuffle_method="tasks"),
    "groupby by a series": lambda m: m.D().x.groupby(m.D().k).sum(),
    "groupby by hours": lambda m: _hours(m.D()),
    "merge, one partition": lambda m: m.D().merge(m.E(1), on="k"),
    "merge, by tasks": lambda m: m.D().merge(m.E(2), on="k", how="left", shuffle_method="tasks", broadcast=False),
    "merge, by disk": lambda m: m.D().merge(m.E(2), on="k", shuffle_method="disk", broadcast=False),
    "merge, outer": lambda m: m.D().merge(m.E(2), left_on="k", right_on="k", how="outer", broadcast=False),
    "merge, keys of two types": lambda m: m.D().merge(m.E(2).assign(k=lambda d: d.k.astype("f8")), on="k", broadcast=False),
    "merge on the index": lambda m: m.D().set_index("k").merge(m.E(2).set_index("k"), left_index=True, right_index=True),
    "merge on text": lambda m: (lambda d: d.merge(d.groupby("b").x.mean().reset_index(), on="b", broadcast=False))(m.D()),
    "join": lambda m: m.D().join(m.E(2).set_index("k"), on="k"),
    "merge with a local frame": lambda m: m.D().merge(m.local({"k": [0, 1], "z": [5, 6]}), on="k"),
    "merge_asof": lambda m: dd.merge_asof(m.D(), m.steps(), on="y"),
    "merge_asof by a key": lambda m: dd.merge_asof(m.D(), m.steps(), on="y", by="k", direction="nearest"),
    "merge_asof on indexes": lambda m: dd.merge_asof(m.dated(), m.steps(1).set_index("t", sorted=True), left_index=True, right_index=True),
    "merge_asof with a tolerance": lambda m: dd.merge_asof(m.D(), m.steps(1), on="t", tolerance=pandas.Timedelta("1D")),
    "pivot_table": lambda m: _by_category(m).pivot_table(index="k", columns="b", values="x"),
    "pivot_table, sums": lambda m: _by_category(m).pivot_table(index="k", columns="b", values=["x", "y"], aggfunc="sum"),
    "pivot_table, counts": lambda m: _by_category(m).pivot_table(index="k", columns="b", values="x", aggfunc="count"),
    "pivot_table, first": lambda m: _by_category(m).pivot_table(index="k", columns="b", values=["y", "x"], aggfunc="first"),
    "pivot_table, last": lambda m: dd.pivot_table(_by_category(m), index="k", columns="b", values="x", aggfunc="last"),
    "set_index": lambda m: m.D().set_index("x"),
    "set_index, unsorted": lambda m: m.D().set_index("x", sort=False),
    "set_index, sorted": lambda m: m.D().set_index("y", sorted=True),
    "set_index of text": lambda m: m.D().set_index("b"),
    "set_index of dates": lambda m: m.D().set_index("t"),
    "set_index, divisions": lambda m: m.D().set_index("k", divisions=[0, 2, 4]),
    "reset_index": lambda m: m.D().set_index("y", sorted=True).reset_index(),
    "loc": lambda m: m.D().set_index("y", sorted=True).loc[10:20],
    "loc of dates": lambda m: m.D().set_index("t", sorted=True).loc["2020-01-03":"2020-01-05"],
    "loc of a day": lambda m: m.dated().loc["2020-01-03"],
    "loc of a month": lambda m: m.dated().x.loc["2020-01"],
    "loc of a time": lambda m: m.dated().loc["2020-01-01 07:00", ["x", "y"]],
    "loc up to a day": lambda m: m.dated().loc[:"2020-01-05", "x"],
    "loc of a day, no divisions": lambda m: m.dated().clear_divisions().loc["2020-01-03"],
    "iloc": lambda m: m.D().iloc[:, [0, 1]],
    "shuffle, tasks": lambda m: m.D().shuffle("k", shuffle_method="tasks"),
    "shuffle, disk": lambda m: m.D().shuffle("k", shuffle_method="disk"),
    "rolling": lambda m: m.D().x.rolling(3).mean(),
    "rolling over time": lambda m: m.D().set_index("t", sorted=True).x.rolling("14h").sum(),
    "resample": lambda m: m.D().set_index("t", sorted=True).x.resample("1D").mean(),
    "map_overlap": lambda m: m.D().map_overlap(lambda d: d, 1, 1),
    "get_dummies": lambda m: dd.get_dummies(_categories(m)),
    "categorize": lambda m: m.D().categorize(columns=["b"]),
    "cat": lambda m: _categories(m).cat.codes,
    "to_numeric": lambda m: dd.to_numeric(m.D().k.astype(str)),
    "to_timedelta": lambda m: dd.to_timedelta(m.D().y, unit="h"),
    "to_bag": lambda m: m.D()[["k", "x"]].to_bag().compute(),
    "to_datetime": lambda m: dd.to_datetime(m.D().t.astype(str)),
    "drop_duplicates": lambda m: m.D().drop_duplicates(subset=["k", "b"])[["k", "b"]],
    "sort_values": lambda m: m.D().sort_values("x"),
    "sort_values, descending": lambda m: m.D().sort_values("x", ascending=False),
    "sort_values of two": lambda m: m.D().sort_values(["k", "x"]),
    "repartition to one": lambda m: m.D().repartition(npartitions=1),
    "repartition to more": lambda m: m.D(2).repartition(npartitions=4),
    "repartition by divisions": lambda m: m.D().repartition(divisions=[0, 10, 59]),
    "repartition by size": lambda m: m.D().repartition(partition_size="1kB"),
    "concat": lambda m: dd.concat([m.D(), m.D()]),
    "concat, interleaved": lambda m: dd.concat([m.D(), m.D()], interleave_partitions=True),
    "concat of columns": lambda m: dd.concat([m.D().x, m.D().y], axis=1),
    "melt": lambda m: m.D()[["k", "x", "y"]].melt(id_vars="k"),
    "sample": lambda m: m.D().sample(frac=0.5, random_state=1),
    "dropna, where": lambda m: m.D().dropna().x.where(m.D().x > 0.5, 0.0),
    "combine_first": lambda m: m.D().x.combine_first(m.D().y),
    "len": lambda m: len(m.D()),
    "head": lambda m: m.D().head(3),
    "tail": lambda m: m.D().tail(3),
    "persist": lambda m: m.D().persist(),
    "index": lambda m: m.D().index,
    "to_dask_array": lambda m: m.D()[["x", "y"]].to_dask_array(),
    "to_dask_array, lengths": lambda m: m.D().x.to_dask_array(lengths=True),
    "values": lambda m: m.D().x.values,
    "from_dask_array": lambda m: dd.from_dask_array(da.from_array(m.array(np.ones((4, 2))), chunks=(2, 2), asarray=False), columns=["a", "b"]),
    "to_delayed": lambda m: m.D().to_delayed()[0].compute(),
    "partitions": lambda m: m.D().partitions[1],
    "itertuples": lambda m: list(m.D().head(2).itertuples())[0],
    "equal to text": lambda m: (m.D().b == "p").sum(),
    "optimize": lambda m: m.D()[m.D().x > 0.5][["y"]].sum().optimize(),
}  # fmt: skip
# Dask numbers these rows by the partitions into which they were shuffled, which depend on different hashes.
NUMBERED = {
    "unique", "unique text", "merge, by tasks", "merge, by disk", "merge, outer", "merge, keys of two types", "merge on text",
}  # fmt: skip
OURS = (bpd.DataFrame, bpd.Series, bpd.Index)


def _ordered(x, labels):
    """Rows in an order that does not depend on the shuffle; with row labels only if they are meaningful."""
    x = x.to_frame("value of the series") if x.ndim == 1 else x
    x = (
        x.reset_index(drop=not labels, names=[f"label {i}" for i in range(x.index.nlevels)])
        if labels
        else x.reset_index(drop=True)
    )
    return x.sort_values(list(x.columns)).reset_index(drop=True)


def assert_same(got, wanted, labels=True):
    if isinstance(wanted, pandas.Index):
        assert isinstance(got, bpd.Index)
        pandas.testing.assert_index_equal(got.to_pandas(), wanted, exact=True)
        return
    if isinstance(wanted, (pandas.DataFrame, pandas.Series)):
        there = got.to_pandas() if isinstance(got, OURS) else got
        assert type(there) is type(wanted)
        assert there.index.dtype == wanted.index.dtype and list(there.index.names) == list(wanted.index.names)
        check = pandas.testing.assert_frame_equal if there.ndim == 2 else pandas.testing.assert_series_equal
        try:
            check(there, wanted, check_freq=False, rtol=1e-12)
        except AssertionError:
            if there.ndim == 1:
                assert there.name == wanted.name
            pandas.testing.assert_frame_equal(_ordered(there, labels), _ordered(wanted, labels), rtol=1e-12)
        return
    got = got.get() if type(got) is bc.ndarray else got
    if isinstance(wanted, (np.ndarray, np.generic, float)):
        assert np.asarray(got).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-12)
    else:
        assert got == wanted
