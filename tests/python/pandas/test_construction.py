"""Frames, series and indexes of what Python holds have pandas' types and labels, and most of them need no pandas."""

from __future__ import annotations

import datetime
import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same, ours

NAN, TS, TD = float("nan"), pandas.Timestamp("2020"), pandas.Timedelta(1, "s")
DATA = [
    [1, 2, 3], [1, None], [None, 1.5], [None, None], [True, False], [True, None], [True, 1], ["a", "b"], ["a", None], ["a", NAN],
    ["a", 1], ["a", 1.5], [1, 2.5], [2**70, 1], [2**63], [2**64, 1.0], [], [()], [(1, 2), (3, 4)], [[1], [2, 3]], [{"a": 1}],
    [TS, None], [TS.as_unit("ns"), pandas.NaT], [datetime.datetime(2020, 1, 1), None], [datetime.date(2020, 1, 1)],
    [datetime.timedelta(1)], [TD, pandas.NaT], [pandas.NaT], [pandas.NA, 1], ["a", pandas.NA], [np.int8(1)], [np.float32(1)],
    [np.int64(1), 2], [1j], [pandas.Period("2020")], np.array([1, 2], dtype="int8"), np.array(["a", "b"]),
    np.array([1, "a"], dtype=object), np.array(["a", None], dtype=object), np.array([1, 2], dtype=object),
    np.array(["2020"], dtype="M8[D]"), np.array(["2020"], dtype="M8[ns]"), range(3), range(5, 1, -2), (1, 2), {"a": 1, "b": 2},
    {"a": None}, {("a", "b"): 1}, 5, "a", None, 1.5, True, np.int8(3), TS, NAN, pandas.Categorical(["a"]), [b"x"], ["a", float("inf")],
    [[1, 2], [3, 4]], [{"a": 1, "b": 2}, {"a": 3}], [{"a": True}, {}], [{"a": "x"}, {"a": None}], {"a": [1, 2], "b": ["x", None]},
    {"a": [1, 2], "b": 5}, {"a": 5}, {"a": [1], "b": [1, 2]}, {"a": range(2), "b": (1, 2)}, {"a": pandas.Series([1, 2]), "b": [3, 4]},
    {"a": pandas.Series([1, 2], index=[1, 2]), "b": pandas.Series([1, 2])}, {"a": [1, 2], "b": TS}, {"a": [1, None], "b": None},
    np.arange(6).reshape(2, 3), np.zeros((0, 2)), [[1, None], [2, 3]], [[1, "a"], [None, "b"]], [[]], [1, [2]],
    {("a", "b"): [1], ("a", "c"): [2]}, {"a": [1, 2], 1: [3, 4]},
]  # fmt: skip
OPTIONS = [
    {}, {"index": [1, 2]}, {"index": ["a"]}, {"index": range(2)}, {"name": "n"}, {"dtype": "float64"}, {"dtype": "int8"},
    {"dtype": object}, {"dtype": "str"}, {"dtype": "category"}, {"dtype": "Int64"}, {"index": []}, {"columns": ["a", "b"]},
    {"columns": ["b"]}, {"index": pandas.Index([4, 5], name="i")}, {"index": ["a", None]}, {"index": [(1, 2), (3, 4)]},
]  # fmt: skip
LACKS = {"Series": {"columns"}, "Index": {"columns", "index"}, "DataFrame": {"name"}}


@pytest.mark.parametrize("kind", LACKS)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_as_pandas(kind, options):
    if set(options) & LACKS[kind]:
        options = {}
    for data in DATA:
        with bc.config.set(fallback="silent"), warnings.catch_warnings(action="ignore"):
            try:
                expected = getattr(pandas, kind)(data, **options)
            except Exception as error:
                with pytest.raises(type(error)):
                    getattr(pd, kind)(data, **options)
            else:
                assert_same(getattr(pd, kind)(data, **options), expected)


def test_the_usual_ones_need_no_pandas():
    with bc.config.set(fallback="error"):
        pd.DataFrame({"a": [1, 2], "b": ["x", None], "c": 1.5, "d": [TS, None]}, index=["u", "v"])
        pd.DataFrame([[1, "a"], [2, "b"]], columns=["n", "s"])
        pd.DataFrame([{"a": 1}, {"b": "x"}])
        pd.DataFrame(np.zeros((3, 2)), columns=list("ab"))
        pd.Series([1, 2], dtype="float32")
        pd.Series([1, None], dtype="Int64")
        pd.Series(["a", None], dtype="string")
        pd.Series(["b", "a"], dtype="category")
        pd.Series({"a": 1, "b": 2})
        pd.Series("a", index=range(3))
        pd.Index(["a", "b"], name="n")
        pd.DataFrame(columns=["a"])
        pd.Series(dtype=float)
        frame = pd.DataFrame({"a": [1]})
        frame["b"] = "x"
        frame["c"] = [NAN]
        frame["d"] = TS


def test_others_are_counted():
    bc.fallbacks(reset=True)
    with bc.config.set(fallback="silent"):
        pd.Series(["a"], dtype=pandas.CategoricalDtype(["a"]))
    assert [f["name"] for f in bc.fallbacks()] == ["Series"]


LEVELS = [
    [1, 2, 3], ["a", "b", None], np.array([1, 2, 3]), pandas.Index([3, 2, 1], name="q"), pandas.Series(["x", "y", "z"], name="s"),
    pandas.Categorical(list("aba")), [TS] * 3, [1, "a", 2], [1, 2], [], "abc",
]  # fmt: skip


@pytest.mark.parametrize("way", ["from_arrays", "from_product"])
@pytest.mark.parametrize("names", [{}, {"names": ["u", "v"]}, {"names": ["u"]}], ids=str)
def test_labels_of_several_levels(way, names):
    for one in LEVELS[:8]:
        for two in LEVELS:
            with bc.config.set(fallback="silent"):
                try:
                    expected = getattr(pandas.MultiIndex, way)([one, two], **names)
                except Exception as error:
                    with pytest.raises(type(error)):
                        getattr(pd.MultiIndex, way)([one, two], **names)
                else:
                    if len(expected):  # without rows bascule does not keep the levels
                        assert_same(getattr(pd.MultiIndex, way)([one, two], **names), expected)


def test_the_usual_levels_need_no_pandas():
    with bc.config.set(fallback="error"):
        pd.MultiIndex.from_arrays([[1, 2], ["a", "b"]], names=["n", "s"])
        pd.MultiIndex.from_tuples([(1, "a"), (2, "b")])
        pd.MultiIndex.from_product([[1, 2], ["a", "b", "c"]])


def test_levels_and_codes():
    parts = [[1, 2], ["a"]], [[0, 1], [0, 0]]
    with bc.config.set(fallback="silent"):
        assert_same(pd.MultiIndex(*parts, verify_integrity=False), pandas.MultiIndex(*parts))
        with pytest.raises(ValueError, match="code max"):
            pd.MultiIndex([[1]], [[5]])


@pytest.mark.parametrize("dtype", [None, "float32"])
def test_a_series_of_pandas_keeps_its_labels(dtype):
    there = pandas.Series([1.5, 2.5], index=["a", "b"], name="x")
    with bc.config.set(fallback="silent"):
        assert_same(pd.Series(there, dtype=dtype), pandas.Series(there, dtype=dtype))
        assert_same(pd.Series(there, index=["b", "c"]), pandas.Series(there, index=["b", "c"]))


@pytest.mark.parametrize(
    "labels",
    [pandas.Index(["b", "a"], name="n"), pandas.Series(["b", "a"], name="n"), ["b", "a"], np.array(["a"])],
    ids=str,
)
def test_columns_of_a_dict_are_named_as_the_labels(labels):
    data = {"a": [1, 2], "b": [3, 4]}
    assert_same(pd.DataFrame(data, columns=ours(labels)), pandas.DataFrame(data, columns=labels))
    assert_same(pd.DataFrame(data, columns=labels), pandas.DataFrame(data, columns=labels))


@pytest.mark.parametrize("zone", ["CET", "UTC", "tzutc()"])
def test_timestamps_of_one_zone_are_native(zone):
    dateutil = pytest.importorskip("dateutil.tz")
    zone = dateutil.tzutc() if zone == "tzutc()" else zone
    given = [pandas.Timestamp("2020", tz=zone), pandas.NaT, pandas.Timestamp("2021", tz=zone).as_unit("ns")]
    with bc.config.set(fallback="error"):
        assert_same(pd.Series(given), pandas.Series(given))
        assert_same(pd.Index(given), pandas.Index(given))


STRINGS = {
    "plain": ["a", "", "bc", "a" * 300],
    "of every width": ["é", "日本", "😀", "\x00", "a\x00b", "\U0010ffff"],
    "missing": ["a", None, float("nan"), np.float64("nan"), pandas.NA, pandas.NaT, ""],
    "nothing but missing": [None, float("nan")],
    "nothing": [],
    "of NumPy's class": [np.str_("a"), np.str_("é"), "b"],
    "many": [f"{i % 1013} é" if i % 7 else None for i in range(20_000)],
}


@pytest.mark.parametrize("kind", STRINGS)
@pytest.mark.parametrize("given", [list, lambda x: np.array(x, dtype=object)], ids=["list", "objects"])
def test_encoded_strings_are_those_of_arrow(kind, given):
    import pyarrow

    data, offsets, valid = map(np.asarray, bc._core.encoded_text(given(STRINGS[kind])))
    wanted = pyarrow.array(STRINGS[kind], pyarrow.large_string(), from_pandas=True)
    at = offsets.tolist()
    there = [True] * len(wanted) if valid.ndim == 0 else valid.tolist()
    found = [data.tobytes()[i:j].decode() if v else None for i, j, v in zip(at, at[1:], there)]
    assert found == wanted.to_pylist() and data.dtype == np.uint8 and offsets.dtype == np.int64


@pytest.mark.parametrize(
    ("values", "error"), [(["\ud800"], UnicodeEncodeError), (["a", 1], TypeError), ([b"a"], TypeError), (3, TypeError)]
)
def test_what_is_no_string_is_refused(values, error):
    with pytest.raises(error):
        bc._core.encoded_text(values)
