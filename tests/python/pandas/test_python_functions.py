"""Python functions over values, rows and columns give pandas' results: types, labels, names, each element, errors."""

from __future__ import annotations

import datetime
import decimal

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frame_samples import SERIES
from frames import both

pytestmark = pytest.mark.filterwarnings("ignore")

KINDS = {
    **SERIES,
    "zone": pandas.Series(pandas.to_datetime(["2020-01-01", None, "2021-07-01"], utc=True).tz_convert("Europe/Berlin")),
    "category": pandas.Series(["a", "b", None, "a"], dtype="category"),
    "period": pandas.Series(pandas.period_range("2020", periods=3, freq="M")),
    "seconds": pandas.Series(np.array(["2020-01-01", "NaT", "2021-01-01T01:02:03"], "M8[s]")),
    "one bool": pandas.Series([True]),
    "uint64": pandas.Series([2**63, 1], dtype="u8"),
    "none": pandas.Series([1.5]).iloc[:0],
}
NATIVE = {*KINDS} - {"Int64", "Float64", "boolean", "string", "category", "period"}

FUNCTIONS = {
    "itself": lambda x: x,
    "its type": lambda x: type(x).__name__,
    "text": str,
    "length of text": lambda x: len(str(x)),
    "missing": lambda x: x is None or x != x,
    "none": lambda x: None,
    "nan": lambda x: np.nan,
    "nat": lambda x: pandas.NaT,
    "na": lambda x: pandas.NA,
    "text or none": lambda x: str(x) if x == x else None,
    "text or nan": lambda x: str(x) if x == x else np.nan,
    "text or a number": lambda x: str(x) if x == x else 1,
    "one or none": lambda x: 1 if x == x else None,
    "bool or none": lambda x: True if x == x else None,
    "bool or nan": lambda x: True if x == x else np.nan,
    "bool or one": lambda x: True if x == x else 1,
    "one or half": lambda x: 1 if x == x else 0.5,
    "NumPy's int32": lambda x: np.int32(3),
    "NumPy's int64": lambda x: np.int64(3),
    "NumPy's uint8": lambda x: np.uint8(3),
    "NumPy's float32": lambda x: np.float32(0.1),
    "NumPy's float64": lambda x: np.float64(0.1),
    "NumPy's bool": lambda x: np.bool_(x == x),
    "NumPy's or Python's": lambda x: np.float32(0.1) if x == x else 1,
    "NumPy's text": lambda x: np.str_("q"),
    "an array of no dimensions": lambda x: np.array(2.5),
    "a complex number": lambda x: 1 + 2j,
    "a large integer": lambda x: 2**63,
    "a larger integer": lambda x: 2**70,
    "large and negative": lambda x: 2**63 if x == x else -1,
    "a large integer or nan": lambda x: 2**63 if x == x else np.nan,
    "a tuple": lambda x: (1, str(x)),
    "a list": lambda x: [1, x],
    "lists of two lengths": lambda x: [1] if x == x else [1, 2],
    "a dict": lambda x: {"a": x},
    "a set": lambda x: {1, 2},
    "an array": lambda x: np.arange(2),
    "bytes": lambda x: b"a",
    "a date": lambda x: datetime.date(2020, 1, 2),
    "a time": lambda x: datetime.time(1, 2),
    "a decimal": lambda x: decimal.Decimal("1.5"),
    "a datetime": lambda x: datetime.datetime(2020, 1, 2, 3),
    "a timestamp": lambda x: pandas.Timestamp("2020-01-02 03:04:05.000000007"),
    "a timestamp or none": lambda x: pandas.Timestamp("2020-01-02") if x == x else None,
    "a timestamp or nan": lambda x: pandas.Timestamp("2020-01-02") if x == x else np.nan,
    "a timestamp or a number": lambda x: pandas.Timestamp("2020-01-02") if x == x else 1,
    "a timestamp of a zone": lambda x: pandas.Timestamp("2020-01-02", tz="Asia/Tokyo"),
    "timestamps of two units": lambda x: pandas.Timestamp("2020-01-02").as_unit("s" if x == x else "ns"),
    "NumPy's datetime": lambda x: np.datetime64("2020-01-01"),
    "NumPy's timedelta": lambda x: np.timedelta64(3, "s"),
    "a timedelta": lambda x: datetime.timedelta(seconds=3),
    "a duration": lambda x: pandas.Timedelta("1h"),
    "a duration or nat": lambda x: pandas.Timedelta("1h") if x == x else pandas.NaT,
    "a duration or a timestamp": lambda x: pandas.Timedelta("1h") if x == x else pandas.Timestamp("2020"),
    "a period": lambda x: pandas.Period("2020-01", "M"),
    "an interval": lambda x: pandas.Interval(0, 1),
    "a class": lambda x: int,
    "an error": lambda x: [][1],
}


def described(made):
    """The labels, names and types of a result, and each value with its type."""
    if not hasattr(made, "index"):
        return type(made).__name__, str(made)
    columns = [made] if made.ndim == 1 else [made.iloc[:, i] for i in range(made.shape[1])]
    names = [made.name] if made.ndim == 1 else [made.columns.tolist(), list(made.columns.names)]
    values = [(str(c.dtype), [(type(v).__name__, str(v)) for v in c.tolist()]) for c in columns]
    return made.ndim, names, made.index.tolist(), list(made.index.names), values


def outcome(call, x):
    try:
        return described(call(x))
    except Exception as e:  # the function's own, or pandas'
        return type(e).__name__


def same(call, x):
    """Check that a call gives pandas' result, and say whether it was native."""
    given = pd.from_pandas(x)
    expected = outcome(call, x)
    bc.fallbacks(reset=True)
    assert outcome(call, given) == expected
    return not bc.fallbacks()


NOT_NATIVE = ("an error", "a period", "an interval", "a timestamp or a number", "a duration or a timestamp")
ONLY_PANDAS = ("na", "nan", "nat", "timestamps of two units", "NumPy's text", "NumPy's datetime", "NumPy's timedelta")
CALLS = {
    "map": lambda f: lambda s: s.map(f),
    "map of some": lambda f: lambda s: s.map(f, na_action="ignore"),
    "apply": lambda f: lambda s: s.apply(f),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", CALLS)
def test_functions_of_values(kind, how):
    s = KINDS[kind].rename("n").set_axis(list("abcde")[: len(KINDS[kind])])
    for name, f in FUNCTIONS.items():
        if s.dtype == "str" and name == "a complex number":
            continue  # pandas fails here, in Arrow
        native = same(CALLS[how](f), s)
        assert native or kind not in NATIVE or name in (*NOT_NATIVE, *ONLY_PANDAS), name


@pytest.mark.parametrize("kind", ["float64", "str", "datetime64", "object"])
def test_functions_of_values_of_frames(kind):
    d = KINDS[kind].to_frame("n").assign(m=[1, 2, 3, 4, 5])
    for name, f in FUNCTIONS.items():
        if kind == "str" and name == "a complex number":
            continue  # pandas fails here, in Arrow
        same(lambda d: d.map(f), d)
        same(lambda d: d["n"].transform(f), d)


def test_arguments_of_functions():
    s = pandas.Series([1, 2, 3], name="x")
    both(lambda s: s.apply(lambda v, a, b=0: v * a + b, args=(2,), b=5), s)
    both(lambda s: s.map(round, ndigits=1), s + 0.25)
    both(lambda s: s.map(lambda v, by: v * by, by=3), s)
    both(lambda s: s.to_frame().map(lambda v, by: v * by, by=3), s)
    both(lambda s: s.apply(lambda v: v.sum(), by_row=False), s)
    both(lambda s: s.apply(lambda v: v + 1, by_row=False), s)
    both(lambda s: s.apply(sum), s)
    both(lambda s: s.map("x"), s, fallback="silent")
    both(lambda s: s.map(None), s, fallback="silent")
    both(lambda s: s.map(str, na_action="drop"), s, fallback="silent")
    both(lambda s: s.map(np.sqrt), s)


def test_maps_of_tables():
    s = pandas.Series(["a", "b", None, "c"], name="x")
    both(lambda s: s.map({"a": 1, "b": 2}, na_action="ignore"), s)
    both(lambda s: s.map({"a": "p", "b": "q"}, na_action="ignore"), s)

    class Default(dict):
        def __missing__(self, key):
            return f"no {key}"

    both(lambda s: s.map(Default(a="p")), s)
    both(lambda s: s.map(Default(a="p"), na_action="ignore"), s)
    both(lambda s: s.map(pandas.Series({"a": 1.5}), na_action="ignore"), s)


FRAMES = {
    "numbers": pandas.DataFrame({"a": [1, 2, 3], "b": [0.5, np.nan, 2.5]}, index=list("xyz")),
    "integers": pandas.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6]}),
    "bools": pandas.DataFrame({"a": [True, False], "b": [False, False]}),
    "bools and numbers": pandas.DataFrame({"a": [True, False], "b": [1, 2]}),
    "texts": pandas.DataFrame({"a": ["p", None], "b": ["q", "r"]}),
    "mixed": pandas.DataFrame(
        {"a": [1, 2], "b": ["p", None], "c": pandas.to_datetime(["2020-01-01", None]), "d": [True, False]}
    ),
    "times": pandas.DataFrame({"a": pandas.to_datetime(["2020", "2021"]), "b": pandas.to_datetime(["2022", None])}),
    "times and numbers": pandas.DataFrame({"a": pandas.to_datetime(["2020", "2021"]), "b": [1, 2.5]}),
    "durations": pandas.DataFrame({"a": pandas.to_timedelta(["1s", None]), "b": pandas.to_timedelta(["2h", "1D"])}),
    "masked": pandas.DataFrame({"a": pandas.array([1, None], "Int64"), "b": pandas.array([1, 2], "Int64")}),
    "masked and text": pandas.DataFrame({"a": pandas.array([1, None], "Int64"), "b": ["p", "q"]}),
    "a zone": pandas.DataFrame({"a": pandas.to_datetime(["2020", "2021"], utc=True), "b": [1, 2]}),
    "categories": pandas.DataFrame({"a": pandas.Categorical(["p", "q"]), "b": [1, 2]}),
    "small types": pandas.DataFrame({"a": np.array([1, 2], "i1"), "b": np.array([1, 2], "f4")}),
    "signed and unsigned": pandas.DataFrame({"a": np.array([1, 2], "i8"), "b": np.array([1, 2], "u8")}),
    "one row": pandas.DataFrame({"a": [1], "b": ["p"]}, index=pandas.to_datetime(["2020-01-01"])),
    "levels": pandas.DataFrame({"a": [1, 2], "b": [1.5, 2]}, index=pandas.MultiIndex.from_tuples([("p", 1), ("q", 2)])),
    "named labels": pandas.DataFrame({"a": [1, 2], "b": [3, 4]}).rename_axis("row").rename_axis("col", axis=1),
    "repeated labels": pandas.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]),
    "no rows": pandas.DataFrame({"a": [1, 2], "b": [3, 4]}).iloc[:0],
}
OF_ROWS = {
    "a value": lambda r: r.iloc[0],
    "the values": lambda r: r.tolist(),
    "types": lambda r: str([type(v).__name__ for v in r]),
    "its type": lambda r: str(r.dtype),
    "by label": lambda r: r["b"] if "b" in r else None,
    "by attribute": lambda r: r.a,
    "its name": lambda r: str(r.name),
    "sum": lambda r: r.sum(),
    "text": lambda r: f"{r.iloc[0]}-{r.iloc[1]}",
    "none": lambda r: None,
    "some": lambda r: 1 if r.name == 0 else None,
    "the row": lambda r: r,
    "twice": lambda r: r * 2,
    "a series": lambda r: type(r)({"p": r.iloc[0], "q": r.iloc[1]}),
    "a series of mixed values": lambda r: type(r)([1, "x", 2.5], index=["p", "q", "r"]),
    "series of two types": lambda r: type(r)([1, 2]) if r.name in (0, "x") else type(r)([1.5, 2.5]),
    "series of numbers or texts": lambda r: type(r)([1, 2]) if r.name in (0, "x") else type(r)(["a", "b"]),
    "series of bools or numbers": lambda r: type(r)([1, 2]) if r.name in (0, "x") else type(r)([True, False]),
    "series of other labels": lambda r: type(r)({str(r.name): 1}),
    "series of texts and none": lambda r: type(r)(["a", None]),
    "a part": lambda r: r.iloc[:1],
    "missing": lambda r: r.isna(),
    "a list": lambda r: [1, "a"],
    "a list of numbers": lambda r: [1, 2.5],
    "as many numbers": lambda r: [1] * len(r),
    "lists of two lengths": lambda r: [1] if r.name in (0, "x") else [1, 2],
    "a tuple": lambda r: (1, 2),
    "a dict": lambda r: {"a": 1},
    "an array": lambda r: np.asarray(r)[:1],
    "a date": lambda r: datetime.date(2020, 1, 2),
    "a timestamp": lambda r: pandas.Timestamp("2020-01-02"),
    "an error": lambda r: r["nothing"],
    "a type error": lambda r: "a" + 1,
}


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("frame", FRAMES)
def test_functions_of_rows_and_columns(frame, axis):
    d = FRAMES[frame]
    types = (None, "expand", "reduce") if frame in ("numbers", "mixed", "texts", "repeated labels") else (None,)
    for name, f in OF_ROWS.items():
        for result_type in types:
            found = outcome(lambda d: d.apply(f, axis=axis, result_type=result_type), pd.from_pandas(d))
            assert found == outcome(lambda d: d.apply(f, axis=axis, result_type=result_type), d), (name, result_type)
        assert outcome(lambda d: d.agg(f, axis=axis), pd.from_pandas(d)) == outcome(lambda d: d.agg(f, axis=axis), d), (
            name
        )


@pytest.mark.parametrize("frame", FRAMES)
def test_what_functions_of_rows_see(frame):
    seen = {}
    for kind, d in (("pandas", FRAMES[frame]), ("ours", pd.from_pandas(FRAMES[frame]))):
        rows = seen[kind] = []

        def look(r, rows=rows):
            rows.append((str(r.dtype), r.name, r.index.tolist(), [(type(v).__name__, str(v)) for v in r.tolist()]))
            return 0

        d.apply(look, axis=1)
    assert seen["ours"] == seen["pandas"] or frame == "no rows"


NATIVE_FRAMES = {*FRAMES} - {"masked", "a zone", "categories", "signed and unsigned", "no rows"}


@pytest.mark.parametrize("name", ["a value", "by label", "text", "a series", "its name", "a list", "a dict"])
@pytest.mark.parametrize("frame", sorted(NATIVE_FRAMES - {"repeated labels"}))
def test_functions_of_rows_run_natively(frame, name):
    with bc.config.set(fallback="error"):
        pd.from_pandas(FRAMES[frame]).apply(OF_ROWS[name], axis=1)


def test_functions_of_arrays():
    d = FRAMES["numbers"]
    for f in (np.sum, lambda a: a * 2, lambda a: float(a[0]), lambda a: a[:1]):
        for axis in (0, 1):
            same(lambda d: d.apply(f, raw=True, axis=axis), d)
            same(lambda d: d.apply(f, raw=True, axis=axis), FRAMES["mixed"])


def test_rows_that_functions_change():
    def change(r):
        r["a"] = 9
        r["new"] = r["b"]
        return r

    for name in ("numbers", "mixed"):
        same(lambda d: d.apply(change, axis=1), FRAMES[name])
        both(lambda d: (d.apply(lambda r: r.__setitem__("a", 7), axis=1), d)[1], FRAMES[name])


def test_transforms_of_frames():
    d = FRAMES["numbers"]
    for f in (
        lambda c: c - c.mean(),
        lambda c: c.mean(),
        lambda c: c * 2,
        np.exp,
        abs,
        lambda c: c.iloc[:1],
        lambda c: [][1],
        lambda c: "a" + 1,
        lambda c: c.reset_index(drop=True),
        [np.exp, abs],
        {"a": np.exp},
    ):
        same(lambda d: d.transform(f), d)
        same(lambda d: d["a"].transform(f), d)
    same(lambda d: d.transform(lambda c, k: c * k, 0, 3), d)
    same(lambda d: d.transform(lambda c, k: c * k, k=3), d)


def test_aggregations_by_functions():
    d = FRAMES["numbers"]
    for f in (lambda c: c.max() - c.min(), np.sum, sum, lambda c: c * 2, lambda c: "x", np.mean, len):
        same(lambda d: d.agg(f), d)
        same(lambda d: d["b"].agg(f), d)
    same(lambda d: d["b"].agg(lambda c, k: c.sum() * k, 0, 3), d)
    same(lambda d: d.agg(lambda c, k: c.sum() * k, k=3), d)


GROUPED = pandas.DataFrame(
    {
        "k": ["b", "a", None, "b", "a", "c"],
        "x": [1, 2, 3, 4, 5, 6],
        "y": [0.5, np.nan, 1.5, 2.0, 3.0, 4.0],
        "s": ["p", "q", "r", None, "t", "u"],
    },
    index=list("uvwxyz"),
)
OF_GROUPS = {
    "less its mean": lambda v: v - v.mean(),
    "missing by mean": lambda v: v.fillna(v.mean()),
    "sum": lambda v: v.sum(),
    "length": len,
    "text": lambda v: str(v.iloc[0]),
    "its name": lambda v: v.name,
    "a bool": lambda v: bool(len(v) > 1),
    "bool or number": lambda v: True if len(v) > 1 else 1,
    "number or float": lambda v: 1 if len(v) > 1 else 0.5,
    "NumPy's float32": lambda v: np.float32(0.5),
    "none": lambda v: None,
    "an array": lambda v: np.arange(len(v)),
    "a list": lambda v: list(v),
    "turned round": lambda v: v[::-1],
    "without labels": lambda v: v.reset_index(drop=True),
    "a part": lambda v: v.iloc[:1],
    "too much": lambda v: [1, 2, 3, 4],
    "ranks": lambda v: v.rank(),
    "a timestamp": lambda v: pandas.Timestamp("2020-01-01"),
    "an error": lambda v: [][1],
}
BY = {
    "key": {"by": "k"}, "kept": {"by": "k", "dropna": False}, "unsorted": {"by": "k", "sort": False},
    "two": {"by": ["k", "x"]}, "list": {"by": ["k"]}, "no keys": {"by": "k", "group_keys": False}, "level": {"level": 0},
}  # fmt: skip


@pytest.mark.parametrize("column", ["x", "y", "s"])
def test_transforms_of_groups(column):
    for by in BY.values():
        for name, f in OF_GROUPS.items():
            call = lambda d: d.groupby(**by)[column].transform(f)
            native = same(call, GROUPED)
            assert (
                native or column == "s" or by == BY["level"] or name not in ("less its mean", "sum", "length", "a bool")
            )
    same(lambda d: d.groupby("k")[column].transform(lambda v, n: v.head(1).iloc[0], 3), GROUPED)
    same(lambda d: d.groupby("k")[["x", "y"]].transform(lambda v: v - v.min()), GROUPED)
    same(lambda d: d.iloc[:0].groupby("k")[column].transform(len), GROUPED)
