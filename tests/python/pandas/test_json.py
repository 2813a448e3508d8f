"""JSON as pandas writes and reads it: the text to the letter, the values to their types."""

import io
import json
import warnings

import bascule
import bascule.pandas as bpd
import numpy as np
import pandas
import pytest

ROWS = 40
_RANDOM = np.random.default_rng(0)
_LARGE = _RANDOM.normal(size=ROWS - 8) * 10.0 ** _RANDOM.integers(-18, 20, ROWS - 8)
_OBJECTS = [1, "a", None, 2.5, {"a": [1, {"b": 2}]}, True, [], {}, np.int64(3), np.float32(0.1)]
KINDS = {
    "integers": _RANDOM.integers(-9, 9, ROWS),
    "bytes": _RANDOM.integers(0, 9, ROWS).astype("u1"),
    "booleans": _RANDOM.random(ROWS) > 0.5,
    "floats": np.r_[_LARGE, np.nan, np.inf, -np.inf, -0.0, 0.5, 1e16, 1e15, 0.05],
    "float32": _RANDOM.normal(size=ROWS).astype("f4"),
    "halves": _RANDOM.integers(-100000, 100000, ROWS) / 8192,
    "strings": ["a", "b/c", 'é\n"', "\U0001f600\\"] * (ROWS // 4),
    "strings or none": [None, "x%s", "y", "z", "\x7f"] * (ROWS // 5),
    "objects": _OBJECTS * (ROWS // len(_OBJECTS)),
    "timestamps": pandas.date_range("1950-01-01", periods=ROWS, freq="97h13min1s7ms3us").as_unit("us"),
    "nanoseconds": pandas.DatetimeIndex([*pandas.date_range("2024-01-01", periods=ROWS - 1, freq="97h13ns"), None]),
    "durations": pandas.TimedeltaIndex([*_RANDOM.integers(-(10**15), 10**15, ROWS - 1), None]),
    "categories": pandas.Categorical(["p/", "q", None, "r"] * (ROWS // 4)),
    "numbers as categories": pandas.Categorical([1, 2, 3, 4] * (ROWS // 4)),
    "numbers as categories, some missing": pandas.Categorical([1, 2, None, 4] * (ROWS // 4)),
    "floats as categories, some missing": pandas.Categorical([1.5, 2, None, 4] * (ROWS // 4)),
    "zoned": pandas.date_range("2024-01-01", periods=ROWS, freq="D", tz="Europe/Berlin"),
    "Int64": pandas.array([1, None] * (ROWS // 2), dtype="Int64"),
    "boolean": pandas.array([True, None] * (ROWS // 2), dtype="boolean"),
    "Float64": pandas.array([1.5, None] * (ROWS // 2), dtype="Float64"),
}
ORIENTS = [None, "records", "split", "index", "columns", "values"]
OPTIONS = [
    {}, {"indent": 2}, {"date_format": "iso"}, {"date_unit": "s"}, {"date_unit": "ns", "date_format": "iso"}, {"double_precision": 3},
    {"double_precision": 0}, {"double_precision": 15}, {"force_ascii": False}, {"index": False}, {"lines": True},
]  # fmt: skip
_LABELS = ["integers", "strings", "timestamps", "durations", "halves", "zoned", "booleans"]


def _text(x, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return x.to_json(**options)
        except Exception as e:
            return type(e), str(e)


def _same_text(theirs, options):
    ours = bpd.DataFrame(theirs) if theirs.ndim == 2 else bpd.Series(theirs)
    bascule.fallbacks(reset=True)
    assert _text(ours, options) == _text(theirs, options)
    if theirs.ndim == 2 or not ({"lines", "index"} & options.keys()):  # of which pandas' own text is not JSON
        assert [f for f in bascule.fallbacks() if "to_json" in f["name"]] == []


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("orient", ORIENTS)
@pytest.mark.parametrize("kind", KINDS)
def test_values_of_each_kind_are_written_as_pandas_writes_them(kind, orient, options):
    frame = pandas.DataFrame({kind: KINDS[kind]})
    _same_text(frame, {"orient": orient, **options})
    if orient != "columns":
        _same_text(frame[kind], {"orient": orient, **options})


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("orient", ORIENTS)
@pytest.mark.parametrize("labels", [*_LABELS, "levels", "no rows", "no columns", "repeated", "column levels"])
def test_labels_of_each_kind_are_written_as_pandas_writes_them(labels, orient, options):
    frame = pandas.DataFrame(KINDS)
    made = frame[["bytes", "float32"]]
    if labels in KINDS:
        made = frame.drop_duplicates(labels).dropna(subset=[labels]).set_index(labels)[["bytes", "float32"]]
    elif labels == "levels":
        made = frame.drop_duplicates(["integers", "strings"]).set_index(["integers", "strings"])[["halves"]]
    elif labels == "column levels":
        made = made.set_axis(pandas.MultiIndex.from_tuples([("a", 1), ("b", 2)]), axis=1)
    elif labels == "repeated":
        made = made.set_axis([0] * ROWS, axis=0)
    elif labels == "no rows":
        made = made.iloc[:0]
    else:
        made = made[[]]
    _same_text(made, {"orient": orient, **options})


def test_times_warn_as_in_pandas():
    times = pandas.DataFrame({"t": KINDS["timestamps"]})
    for options in ({}, {"date_format": "epoch"}):
        with warnings.catch_warnings(record=True, action="always") as theirs:
            times.to_json(**options)
        with warnings.catch_warnings(record=True, action="always") as ours:
            bpd.DataFrame(times).to_json(**options)
        assert [(w.category, str(w.message)) for w in ours] == [(w.category, str(w.message)) for w in theirs]


@pytest.mark.parametrize("ending", ["json", "json.gz", "json.bz2", "json.xz", "json.zip"])
def test_files_are_written_and_read(tmp_path, ending):
    path = tmp_path / f"rows.{ending}"
    frame = bpd.DataFrame({"x": [1, 2], "s": ["é", "b"]})
    frame.to_json(path, orient="records", lines=True)
    assert pandas.read_json(path, lines=True).equals(frame.to_pandas())
    if ".zip" not in ending:  # an archive is opened by pandas
        assert bpd.read_json(path, lines=True).equals(frame)
        frame.to_json(path, orient="records", lines=True, mode="a")
        assert pandas.read_json(path, lines=True)["x"].tolist() == [1, 2, 1, 2]


SOURCES = {
    "records": '[{"a":1,"b":"x","c":1.5},{"a":2,"b":null,"c":2.0}]',
    "keys that lack": '[{"a":1},{"b":"x"},{"a":3.0,"b":"y"}]',
    "whole floats": '[{"a":1.0},{"a":2.0}]',
    "a float or null": '[{"a":1.0},{"a":null}]',
    "integers in strings": '[{"a":"1"},{"a":"2"}]',
    "floats in strings": '[{"a":"1.5"},{"a":"2"}]',
    "a number in strings": '[{"a":"1.5"},{"a":"x"}]',
    "words of floats": '[{"a":"inf"},{"a":"nan"}]',
    "an empty string": '[{"a":""},{"a":"1"}]',
    "zeros in front": '[{"a":1,"b":"0012"},{"a":2,"b":"13"}]',
    "booleans": '[{"a":true},{"a":false}]',
    "booleans or null": '[{"a":true},{"a":null}]',
    "booleans and numbers": '[{"a":true},{"a":2}]',
    "nulls": '[{"a":null},{"a":null}]',
    "dates": '[{"date":"2024-01-02","x_at":"2024-01-02T03:04:05","y_time":"2024-01-02 03:04:05.123","modified":"2024-01-02T00:00:00Z","v":"2024-01-02"}]',
    "numbers as dates": '[{"date":1700000000,"timestamp":1700000000000,"t_at":5,"x_time":1.7e9,"timestamp2":1700000000000000000}]',
    "a date or null": '[{"date":"2024-01-02"},{"date":null},{"date":"2024-02-02"}]',
    "a word among dates": '[{"date":"hello"},{"date":"2024-01-01"}]',
    "names of months in dates": '[{"date":"March 3, 2024"},{"date":"April 4, 2024"}]',
    "months as dates": '[{"date":"Jan"},{"date":"Feb"}]',
    "columns": '{"a":{"0":1,"1":2},"b":{"0":"x","1":"y"}}',
    "columns with text as labels": '{"a":{"r":1,"s":2},"b":{"r":1.5,"s":null}}',
    "columns with floats as labels": '{"a":{"0.5":1,"1.5":2}}',
    "columns with dates as labels": '{"a":{"2024-01-01":1,"2024-01-02":2}}',
    "columns with times as labels": '{"a":{"1704067200000":1,"1704153600000":2}}',
    "names that are numbers": '[{"1":1,"2":2}]',
    "names that are dates": '[{"2024-01-01":1,"2024-01-02":2}]',
    "names that are months": '[{"Jan":1,"Feb":2}]',
    "some names that are numbers": '[{"1":1,"x":2}]',
    "lists and objects": '[{"a":[1,2],"b":{"c":1}},{"a":[],"b":{}}]',
    "values": "[[1,2],[3,4]]",
    "one dimension": "[1,2,3]",
    "nothing": "[]",
    "an empty object": "{}",
    "lists of values": '{"a":[1,2],"b":["x","y"]}',
    "split": '{"columns":["a","b"],"index":["r","s"],"data":[[1,"x"],[2,"y"]]}',
    "split with numbers": '{"columns":["a"],"index":[0,1],"data":[[1],[2]]}',
    "split with dates": '{"columns":["a"],"index":["2024-01-01","2024-01-02"],"data":[[1],[2]]}',
    "split with a wrong key": '{"colums":["a"],"index":[0,1],"data":[[1],[2]]}',
    "split of a series": '{"name":"n","index":[0,1],"data":[1,2]}',
    "index": '{"r1":{"a":1,"b":"x"},"r2":{"a":2,"b":"y"}}',
    "index of numbers": '{"1":{"a":1},"2":{"a":2}}',
    "64 bits": '[{"a":123456789012345678},{"a":1}]',
    "unsigned": '[{"a":12345678901234567890},{"a":1}]',
    "more than 64 bits": '[{"a":123456789012345678901234567890},{"a":1}]',
    "exponents": '[{"a":1e5,"b":1.25e-3,"c":-0.0,"d":1E+2,"e":0.7,"f":1.7e-9}]',
    "words of numbers": '[{"a":NaN,"b":Infinity}]',
    "broken": '[{"a":1,}',
    "escapes": '[{"a":"\\u00e9\\ud83d\\ude00"}]',
    "random floats": json.dumps([{"a": float(x)} for x in _RANDOM.normal(size=50) * 10.0 ** _RANDOM.integers(-8, 9, 50)]),
    "a series": '{"a":1,"b":2}',
    "a series of text": '{"a":"x","b":"y"}',
    "a key twice": '[{"a":1,"a":2}]',
    "several types": '[{"a":1,"b":"x"},{"a":"y","b":2}]',
    "several zones": '[{"date":"2024-01-02T00:00:00+01:00"},{"date":"2024-01-02T00:00:00+02:00"}]',
}  # fmt: skip
ASKED = [
    {}, {"orient": "records"}, {"orient": "index"}, {"orient": "columns"}, {"orient": "split"}, {"orient": "values"}, {"dtype": False},
    {"dtype": {"a": str}}, {"dtype": {"a": "float32"}}, {"dtype": True}, {"convert_axes": False}, {"typ": "series"}, {"precise_float": True},
    {"typ": "series", "orient": "split"}, {"typ": "series", "dtype": False}, {"date_unit": "ms"}, {"lines": True},
]  # fmt: skip


def _described(x):
    x = x.to_pandas() if hasattr(x, "to_pandas") else x
    labels = (type(x.index), x.index.dtype, list(x.index))
    if x.ndim == 1:
        return x.dtype, x.name, labels, [(type(v), repr(v)) for v in x]
    values = [[(type(v), repr(v)) for v in x.iloc[:, i]] for i in range(x.shape[1])]
    return x.dtypes.tolist(), labels, x.columns.dtype, list(x.columns), values


def _outcome(f, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return _described(f(*args, **kwargs))
        except Exception as e:
            return type(e), str(e)


@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("text", SOURCES)
def test_sources_are_read_as_pandas_reads_them(text, asked):
    given = SOURCES[text]
    assert _outcome(bpd.read_json, io.StringIO(given), **asked) == _outcome(
        pandas.read_json, io.StringIO(given), **asked
    )


NESTED = [
    {"id": 1, "u": {"n": "A", "k": {"z": 1}}, "items": [{"s": 1, "q": {"w": 2}}, {"s": 2}], "l": [1, 2]},
    {"id": 2, "u": {"n": "B"}, "items": [], "l": []},
    {"id": 3, "u": None, "items": None},
]
PARTIAL = [{"a": {"b": {"c": 1, "d": [1]}}, "e": 3}, {"a": {"b": 5}}, {"a": 7}, {}]
DATA = {
    "nested": NESTED, "nested, one": NESTED[:1], "nested, two": NESTED[:2], "partial": PARTIAL, "a dict": {"a": 1, "b": {"c": 2}}, "nothing": [],
    "missing": [None, {"a": 1}], "numbers": [1], "text": "x", "a number": 5, "a list": {"a": [1, 2]}, "flat": [{"a": 1}, {"b": 2}],
    "numbers as keys": [{1: {2: 3}}], "empty keys": [{"": {"": 1}, "a": {"": {"b": 2}}}], "a series": pandas.Series(PARTIAL, index=list("wxyz")),
}  # fmt: skip
PATHS = [
    {}, {"sep": "_"}, {"max_level": 0}, {"max_level": 1}, {"record_path": "items"}, {"record_path": "items", "meta": ["id"]},
    {"record_path": "items", "meta": ["id", ["u", "n"]]}, {"record_path": "items", "meta": ["id", ["u", "n"]], "errors": "ignore"},
    {"record_path": "l", "meta": "id", "record_prefix": "r_"}, {"record_path": "items", "meta": ["id"], "meta_prefix": "m_", "record_prefix": "r_"},
    {"record_path": ["items", "q"]}, {"record_path": ["a"], "record_prefix": "P."}, {"record_prefix": "x"}, {"record_path": "items", "max_level": 0},
    {"meta": [1]}, {"record_path": ["u", "k"]}, {"meta": "id"},
]  # fmt: skip


@pytest.mark.parametrize("asked", PATHS, ids=str)
@pytest.mark.parametrize("data", DATA)
def test_nested_objects_become_columns_as_in_pandas(data, asked):
    given = DATA[data]
    own = bpd.Series(given) if isinstance(given, pandas.Series) else given
    assert _outcome(bpd.json_normalize, own, **asked) == _outcome(pandas.json_normalize, given, **asked)
