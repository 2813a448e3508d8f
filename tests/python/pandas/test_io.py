"""CSV, Parquet and Arrow against pandas."""

from __future__ import annotations

import gzip
import io

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pyarrow
import pytest
from frames import assert_same, ours

TEXTS = {
    "types": 'i,f,s,b,d\n1,1.5,a,True,2020-01-01\n2,,"b,c",False,2020-01-02 03:04:05\n-3,inf,,True,\n',
    "holes": "a,b\n1,\n,2\n",
    "boolean holes": "a,b\nTrue,1\n,2\n",
    "large": "a,b\n18446744073709551615,1\n1,2\n",
    "beyond": "a,b\n184467440737095516150,1\n1,2\n",
    "quotes": 'a,b\n"x ""y""",1\n"line\nbreak",2\n',
    "implicit": "a,b\nr1,1,2\nr2,3,4\n",
    "repeated": "a,a,b\n1,2,3\n",
    "unnamed": ",b\n1,2\n",
    "empty rows": "a,b\n",
    "nothing": "",
    "blank lines": "a,b\n\n1,2\n\n3,4\n",
    "short rows": "a,b,c\n1\n2,3\n",
    "long rows": "a,b\n1,2,3\n1,2\n1,2,3,4\n",
    "words": "a,b\nNA,null\nN/A,NaN\nx,1\n",
    "mixed": "a\n1\nx\n2.5\n",
    "crlf": "a,b\r\n1,2\r\n3,4\r\n",
    "no end": "a,b\n1,2",
    "open quote": 'a,b\n"1,2\n3,4\n',
    "unicode": "naïve,ß\nü,1\n日本,2\n",
    "semicolons": "a;b\n1;2\n",
    "exponents": "a\n1e5\n-2.5E-3\n.5\n5.\n",
}
OPTIONS = [
    {}, {"header": None}, {"usecols": ["b"]}, {"usecols": [0]}, {"nrows": 1}, {"skiprows": 1}, {"names": ["p", "q"]}, {"names": ["p", "q"], "header": 0}, {"na_values": ["x"]},
    {"keep_default_na": False}, {"na_filter": False}, {"dtype": {"a": "float64"}}, {"dtype": {"a": str}}, {"dtype": {"b": "int32"}}, {"parse_dates": ["d"]}, {"index_col": 0},
    {"index_col": "b"}, {"sep": ";"}, {"skip_blank_lines": False}, {"dtype": {"a": "category"}}, {"comment": "#"}, {"index_col": ["a", "b"]},
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_read_csv(text, options):
    try:
        expected = pandas.read_csv(io.StringIO(TEXTS[text]), **options)
    except Exception as e:  # pandas says what is wrong with the text
        with pytest.raises(type(e)), bc.config.set(fallback="silent"):
            pd.read_csv(io.StringIO(TEXTS[text]), **options)
        return
    with bc.config.set(fallback="silent"):
        assert_same(pd.read_csv(io.StringIO(TEXTS[text]), **options), expected)


def large(n=30_000):
    rng = np.random.default_rng(3)
    frame = pandas.DataFrame(
        {
            "i": rng.integers(-(10**9), 10**9, n), "f": rng.normal(size=n) * 10.0 ** rng.integers(-20, 20, n), "s": rng.choice(["x", "yy", 'q"q', "a,b", "zzz"], n),
            "d": pandas.Timestamp("2013-01-01") + pandas.to_timedelta(rng.integers(0, 10**7, n), unit="s"), "b": rng.random(n) < 0.5,
        }
    )  # fmt: skip
    frame.loc[rng.random(n) < 0.1, ["f", "s", "d"]] = None
    return frame


def test_a_large_file_is_read_by_the_core(tmp_path):
    path = tmp_path / "large.csv"
    large().to_csv(path, index=False)
    with bc.config.set(fallback="error"):
        found = pd.read_csv(path, parse_dates=["d"])
    assert_same(found, pandas.read_csv(path, parse_dates=["d"]))


def test_byte_ranges_part_the_rows(tmp_path):
    path = tmp_path / "large.csv"
    large().to_csv(path, index=False)
    size = path.stat().st_size
    cuts = [0, size // 3, size // 2, size]
    parts = [pd.read_csv(path, parse_dates=["d"], byte_range=(a, b - a)) for a, b in zip(cuts, cuts[1:])]
    assert_same(pd.concat(parts, ignore_index=True), pandas.read_csv(path, parse_dates=["d"]))


def test_compressed_and_missing_files(tmp_path):
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n1,2\n"))
    assert_same(pd.read_csv(path), pandas.read_csv(path))
    with pytest.raises(FileNotFoundError):
        pd.read_csv(tmp_path / "none.csv")
    with pytest.raises(TypeError, match="nonsense"):
        pd.read_csv(path, nonsense=1)


def test_what_pandas_reads_is_counted():
    bc.fallbacks(reset=True)
    with bc.config.set(fallback="silent"):
        pd.read_csv(io.StringIO("a,b\n1,2\n#x\n"), comment="#")
    assert [f["reason"] for f in bc.fallbacks(reset=True)] == ["comment="]
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match="comment="):
        pd.read_csv(io.StringIO("a\n1\n"), comment="#")


FRAMES = {
    "plain": large(500), "labels": large(50).set_index("s"), "levels": large(50).set_index(["s", "i"]), "stepped": large(50).iloc[::3],
    "categories": pandas.DataFrame({"c": pandas.Categorical(["a", "b", "a"])}), "masked": pandas.DataFrame({"n": pandas.array([1, None, 3], dtype="Int64")}),
    "empty": large(10).head(0),
}  # fmt: skip


@pytest.mark.parametrize("name", FRAMES)
def test_parquet(name, tmp_path):
    theirs, mine = tmp_path / "t.parquet", tmp_path / "m.parquet"
    FRAMES[name].to_parquet(theirs)
    ours(FRAMES[name]).to_parquet(mine)
    expected = pandas.read_parquet(theirs)
    assert_same(pd.read_parquet(theirs), expected)
    pandas.testing.assert_frame_equal(pandas.read_parquet(mine), expected)


def test_parquet_columns_and_filters(tmp_path):
    path = tmp_path / "t.parquet"
    large(1000).to_parquet(path)
    assert_same(pd.read_parquet(path, columns=["i", "s"]), pandas.read_parquet(path, columns=["i", "s"]))
    assert_same(pd.read_parquet(path, filters=[("i", ">", 0)]), pandas.read_parquet(path, filters=[("i", ">", 0)]))


@pytest.mark.parametrize("name", FRAMES)
def test_arrow_stream(name):
    table = pyarrow.table(ours(FRAMES[name]))
    pandas.testing.assert_frame_equal(table.to_pandas(), pyarrow.Table.from_pandas(FRAMES[name]).to_pandas())
    assert_same(pd.DataFrame.from_arrow(table), table.to_pandas())
