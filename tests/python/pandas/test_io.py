"""CSV, Parquet and Arrow against pandas."""

from __future__ import annotations

import gzip
import io
import zipfile

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pyarrow
import pytest
from frames import assert_same, ours

STRINGS = {
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


@pytest.mark.parametrize("text", STRINGS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_read_csv(text, options):
    try:
        expected = pandas.read_csv(io.StringIO(STRINGS[text]), **options)
    except Exception as e:  # pandas says what is wrong with the text
        with pytest.raises(type(e)), bc.config.set(fallback="silent"):
            pd.read_csv(io.StringIO(STRINGS[text]), **options)
        return
    with bc.config.set(fallback="silent"):
        assert_same(pd.read_csv(io.StringIO(STRINGS[text]), **options), expected)


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
        pd.read_csv(io.StringIO("a,b\n1,2\n"), escapechar="#")
    assert [f["reason"] for f in bc.fallbacks(reset=True)] == ["escapechar="]
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match="escapechar="):
        pd.read_csv(io.StringIO("a\n1\n"), escapechar="#")


def same_read(source, **options):
    """Both libraries read what `source` opens; where pandas raises, class and text are the same here."""
    with bc.config.set(fallback="silent"):
        try:
            expected = pandas.read_csv(source(), **options)
        except Exception as e:  # pandas says what is wrong with the text
            with pytest.raises(type(e)) as found:
                pd.read_csv(source(), **options)
            assert (type(found.value), str(found.value)) == (type(e), str(e))
            return e
        assert_same(pd.read_csv(source(), **options), expected)
    return None


BROKEN = {
    "ragged": "a,b\n1,2\n1,2,3\n", "ragged far down": "a,b\n" + "1,2\n" * 40_000 + "1,2,3\n", "open quote": 'a,b\n"1,2\n3,4\n',
    "open quote at the end": 'a,b\n1,2\n3,"4', "empty": "", "blank lines": "\n\n",
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_strings_raise_as_in_pandas(name, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(BROKEN[name])
    assert isinstance(same_read(lambda: path), ValueError)
    assert isinstance(same_read(lambda: io.StringIO(BROKEN[name])), ValueError)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint32", "int64", "uint64", "float32", "bool"])
def test_values_that_an_asked_for_dtype_does_not_hold(dtype):
    refused = 0
    for value in ("300", "-1", "-128", "-129", "255", "1.5", "1e3", "4294967296", "18446744073709551615", "", "x"):
        text = f"a,b\n0,1\n{value},2\n"
        refused += same_read(lambda: io.StringIO(text), dtype={"a": dtype}) is not None
    assert refused


@pytest.mark.parametrize(
    "options",
    [
        {"engine": "nonsense"}, {"nrows": -1}, {"nrows": 1.5}, {"skiprows": 5}, {"usecols": ["z"]}, {"usecols": [7]}, {"dtype": "nonsense"},
        {"parse_dates": ["z"]}, {"index_col": "z"}, {"index_col": 9}, {"names": ["a", "a"]}, {"header": -1}, {"header": 5}, {"header": "x"}, {"quotechar": "ab"},
        {"encoding_errors": "nonsense"}, {"compression": "nonsense"}, {"on_bad_lines": "nonsense"}, {"sep": ",", "delimiter": ";"}, {"nonsense": 1},
    ],
    ids=str,
)  # fmt: skip
def test_wrong_arguments_raise_as_in_pandas(options):
    assert same_read(lambda: io.StringIO("a,b\n1,2\n"), **options) is not None


ENCODED = {
    "cell": b"a,b\n1,x\n2,\xff\xfe\n", "header": b"a,\xffb\n1,2\n", "far down": b"a,b\n" + b"1,x\n" * 40_000 + b"2,\xe9\n",
    "cut short": "a,b\n1,\u00e9".encode()[:-1], "latin-1": "\u00e4,b\n1,\u00e9\n".encode("latin-1"),
}  # fmt: skip


@pytest.mark.parametrize("name", ENCODED)
def test_wrong_encodings_raise_as_in_pandas(name, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(ENCODED[name])
    for source in (lambda: path, lambda: io.BytesIO(ENCODED[name])):
        assert isinstance(same_read(source), UnicodeDecodeError)
        assert isinstance(same_read(source, encoding="utf-16"), UnicodeError)
        assert isinstance(same_read(source, encoding="nonsense"), LookupError)
        assert isinstance(same_read(source, encoding="ascii"), UnicodeDecodeError)
        assert same_read(source, encoding="latin-1") is None
        assert same_read(source, encoding_errors="replace") is None


@pytest.mark.parametrize("text", ["\u00e4,b\n1,\u00e9\n", "a,b\n1,2\n", "\ufeffa,b\n1,2\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "utf_8", "utf-8-sig", "ascii", "us-ascii", None])
def test_names_of_encodings_mean_what_they_mean_to_pandas(encoding, text, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(text.encode())
    refused = same_read(lambda: path, encoding=encoding)
    assert (refused is not None) == (str(encoding).endswith("ascii") and not text.isascii())


SPELLINGS = {
    "latin-1": ("\u00e4,b\n1,\u00e9\n".encode("latin-1"), dict(encoding="latin-1")),
    "utf-16": ("\u00e4,b\n1,\u00e9\n".encode("utf-16"), dict(encoding="utf-16")),
    "errors": (b"a,b\n1,\xff\n", dict(encoding="cp1252", encoding_errors="replace")),
    "european": (b"a;b\n1,5;x\n-2;y\n;z\n", dict(sep=";", decimal=",")),
    "european thousands": (b"a;b\n1.234,5;1\n-2;3\n", dict(sep=";", decimal=",", thousands=".")),
    "thousands": (b'a,b,c\n"1,234",x,1\n"5","1,x",2\n', dict(thousands=",")),
    "thousands missing": (b'a,b\n"1,234",x\n,y\n', dict(thousands=",")),
    "spaces": (b'a;b\n" 1,5 ";x\n', dict(sep=";", decimal=",")),
    "python": (b"a,b\n1,2.5\n", dict(engine="python")),
    "one type": (b"a,b\n1,2.5\n", dict(dtype="float64")),
    "one type of text": (b"a,b\n1,2.5\n", dict(dtype=str)),
    "categories": (b"a,b\nq,2\np,1\nq,3\n", dict(dtype="category")),
    "category": (b"a,b\nq,2\np,1\nq,\n", dict(dtype={"a": "category"})),
    "dialect": (b"a\tb\n1\t2.5\n", dict(dialect="excel-tab")),
}  # fmt: skip


@pytest.mark.parametrize("name", SPELLINGS)
def test_other_spellings_of_text_and_numbers(name, tmp_path):
    text, options = SPELLINGS[name]
    path = tmp_path / "t.csv"
    path.write_bytes(text)
    with bc.config.set(fallback="error"):
        for source in (path, io.BytesIO(text)):
            again = io.BytesIO(text) if source is not path else path
            assert_same(pd.read_csv(source, **options), pandas.read_csv(again, **options))


WRONG = {
    "no bool": (b"a\n1\n", dict(keep_default_na=1.5)), "a set": (b"a\n1\n", dict(names={"x"}, header=0)), "missing bool": (b"a,b\nTrue,1\n,2\n", dict(dtype="bool")),
    "missing int": (b"a,b\n1,1\n,2\n", dict(dtype={"a": "int64"})), "encoding": (b"a\n\xff\n", dict(encoding="ascii")), "codec": (b"a\n1\n", dict(encoding="no such")),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments_are_refused_as_by_pandas(name):
    text, options = WRONG[name]
    with pytest.raises(Exception) as expected:
        pandas.read_csv(io.BytesIO(text), **options)
    with bc.config.set(fallback="silent"), pytest.raises(type(expected.value)):
        pd.read_csv(io.BytesIO(text), **options)


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


class Stream:
    """Another library's table: nothing but Arrow's stream."""

    def __init__(self, of):
        self.of = of

    def __arrow_c_stream__(self, requested_schema=None):
        return self.of.__arrow_c_stream__(requested_schema)


@pytest.mark.parametrize("name", FRAMES)
def test_a_stream_of_another_library(name):
    table = pyarrow.Table.from_pandas(FRAMES[name]).replace_schema_metadata(None)
    assert_same(pd.DataFrame.from_arrow(Stream(table)), pandas.DataFrame.from_arrow(Stream(table)))


@pytest.mark.parametrize("data", [3, [1, 2], {"a": [1]}, None])
def test_what_has_no_stream_is_refused_as_by_pandas(data):
    with pytest.raises(TypeError) as expected:
        pandas.DataFrame.from_arrow(data)
    with pytest.raises(TypeError) as found:
        pd.DataFrame.from_arrow(data)
    assert str(found.value) == str(expected.value)


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")
@pytest.mark.parametrize("column", large(1).columns)
def test_arrow_stream_of_a_series(column):
    s = large(100)[column]
    array = pyarrow.chunked_array(pandas.Series(s))
    found = pyarrow.chunked_array(ours(s))
    assert found.type == array.type and found.equals(array)
    assert_same(pd.Series.from_arrow(Stream(array)), pandas.Series.from_arrow(Stream(array)))


REQUESTS = {
    "narrower": [("a", "int8"), ("b", "float32"), ("s", "string")], "too narrow": [("a", "int8"), ("b", "int8"), ("s", "string")], "some": [("b", "float64")],
    "another order": [("s", "large_string"), ("a", "int64"), ("b", "float64")], "unknown": [("z", "int8")], "no number": [("a", "int8"), ("b", "float32"), ("s", "int8")],
}  # fmt: skip


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")
@pytest.mark.parametrize("name", REQUESTS)
def test_a_requested_schema_is_met_as_by_pandas(name):
    frame = pandas.DataFrame({"a": [1, 2], "b": [0.5, None], "s": ["x", None]})
    schema = pyarrow.schema([(n, getattr(pyarrow, t)()) for n, t in REQUESTS[name]])

    def asked(x):
        return pyarrow.RecordBatchReader.from_stream(x, schema=schema).read_all()

    try:
        expected = asked(frame)
    except Exception as e:  # pandas says what cannot be met
        with pytest.raises(type(e)):
            asked(ours(frame))
        return
    assert asked(ours(frame)).equals(expected)


def _written(path, frame, rows_a_group, **how):
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.Table.from_pandas(frame, preserve_index=how.pop("preserve_index", None))
    if how.pop("plain", False):
        table = table.replace_schema_metadata(None)
    pyarrow.parquet.write_table(table, path, row_group_size=rows_a_group, **how)
    return str(path)


@pytest.mark.parametrize("rows_a_group", [7, 250, 5000])
@pytest.mark.parametrize("kinds", [1, 9, 900])
@pytest.mark.parametrize("plain", [False, True])
def test_parquet_of_groups_of_rows(tmp_path, rows_a_group, kinds, plain):
    rng = np.random.default_rng(kinds)
    words = np.array([f"w{k}" for k in range(kinds - 1)] + [None], dtype=object)
    n = 1000
    frame = pandas.DataFrame({
        "text": pandas.Series(words[rng.integers(0, kinds, n)], dtype="str"), "whole": pandas.Series(["\u00e9", ""] * (n // 2), dtype="str"),
        "number": np.where(rng.random(n) < 0.3, np.nan, rng.random(n)), "integer": rng.integers(0, 9, n), "bool": rng.random(n) < 0.5,
        "date": pandas.Series(pandas.date_range("2013", periods=n, freq="h")).where(rng.random(n) < 0.9),
        "category": pandas.Categorical.from_codes(rng.integers(0, 2, n), ["x", "y"]),
    })  # fmt: skip
    for part in (frame, frame.drop(columns="category"), frame.drop(columns="category").set_index("text")):
        if plain and part.index.name:
            continue
        path = _written(tmp_path / "f.parquet", part, rows_a_group, plain=plain)
        pandas.testing.assert_frame_equal(pd.read_parquet(path).to_pandas(), pandas.read_parquet(path))


@pytest.mark.parametrize("type_", ["int8", "uint64", "int64", "float32", "float64"])
def test_parquet_of_numbers_with_nulls(tmp_path, type_):
    import pyarrow
    import pyarrow.parquet

    values = [None if k % 5 == 2 else k for k in range(100)]
    table = pyarrow.table({"x": pyarrow.array(values, type_), "y": pyarrow.array([None] * 100, type_)})
    pyarrow.parquet.write_table(table, tmp_path / "f.parquet", row_group_size=30)
    path = str(tmp_path / "f.parquet")
    pandas.testing.assert_frame_equal(pd.read_parquet(path).to_pandas(), pandas.read_parquet(path))
    pandas.testing.assert_frame_equal(
        pd.read_parquet(path, columns=["y"]).to_pandas(), pandas.read_parquet(path, columns=["y"])
    )


def test_parquet_of_strings_that_are_numbered_in_the_file_stays_numbered(tmp_path):
    frame = pandas.DataFrame({"few": ["a", "b", None, "a"] * 500, "many": [f"text {k}" for k in range(2000)]})
    found = pd.read_parquet(_written(tmp_path / "f.parquet", frame, 300))
    assert found["few"]._column.core.form == "coded"
    assert found["many"]._column.core.form == "text"
    both = found.groupby("few").size().to_pandas(), frame.groupby("few").size()
    pandas.testing.assert_series_equal(*both)


def test_archives(tmp_path):
    for name, members in (("one.zip", 1), ("two.zip", 2)):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for i in range(members):
                archive.writestr(f"{i}.csv", "a,b\n1,2.5\n")
    with bc.config.set(fallback="error"):
        assert_same(pd.read_csv(tmp_path / "one.zip"), pandas.read_csv(tmp_path / "one.zip"))
    for name, error in (("two.zip", ValueError), ("none.zip", FileNotFoundError)):
        with bc.config.set(fallback="silent"), pytest.raises(error):
            pd.read_csv(tmp_path / name)
