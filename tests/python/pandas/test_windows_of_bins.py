"""resample, and groupby of a Grouper with a frequency, give what pandas gives."""

import itertools

import bascule
import bascule.pandas as pd
import numpy as np
import pandas
import pandas.testing
import pytest

ROWS = 200
REDUCTIONS = ["count", "size", "sum", "prod", "mean", "median", "min", "max", "first", "last", "std", "var", "sem", "nunique"]  # fmt: skip
RULES = ["min", "30min", "h", "7h", "D", "3D", "W", "W-WED", "ME", "MS", "QE", "QS", "YE", "YS", "B", "SME", "BME"]


def times(days=9, rows=ROWS, unit="s", seed=3):
    return pandas.DatetimeIndex(
        np.sort(np.random.default_rng(seed).integers(0, 86400 * days, rows)).astype("M8[s]")
    ).as_unit(unit)


def frame(index=None, seed=1):
    r = np.random.default_rng(seed)
    x = np.where(r.random(ROWS) < 0.2, np.nan, r.normal(size=ROWS).round(2))
    columns = {"floats": x, "ints": r.integers(-5, 5, ROWS), "singles": x.astype("f4")}
    columns["masked"] = pandas.array(np.where(np.isnan(x), None, (x * 10).round()), dtype="Int64")
    return pandas.DataFrame(columns, times() if index is None else index)


def same(ours, theirs):
    compare = pandas.testing.assert_frame_equal if theirs.ndim == 2 else pandas.testing.assert_series_equal
    compare(
        ours.to_pandas(), theirs, rtol=1e-6 if "f4" in str(getattr(theirs, "dtypes", "")) else 1e-9, check_freq=True
    )


def natively(call):
    """The result of a call that nothing but code of this library may answer."""
    with bascule.config.set(fallback="error"):
        return call()


def check(theirs, call):
    ours = (pd.DataFrame if theirs.ndim == 2 else pd.Series)(theirs)
    same(natively(lambda: call(ours)), call(theirs))


@pytest.mark.parametrize("op", REDUCTIONS)
@pytest.mark.parametrize("rule", RULES)
def test_rows_by_bins(rule, op):
    days = 9 if "min" in rule or "h" in rule else 900
    check(frame(times(days)), lambda f: getattr(f.resample(rule), op)())
    check(frame(times(days)).floats, lambda s: getattr(s.resample(rule), op)())


@pytest.mark.parametrize("closed, label", list(itertools.product(["left", "right", None], repeat=2)))
@pytest.mark.parametrize("rule", ["5h", "2D", "W", "ME", "QS-FEB"])
def test_ends_and_labels(rule, closed, label):
    for op in ("sum", "first", "count"):
        check(frame(times(90)), lambda f: getattr(f.resample(rule, closed=closed, label=label), op)())


@pytest.mark.parametrize(
    "origin", ["start_day", "start", "epoch", "end", "end_day", "1969-12-30 05:00", pandas.Timestamp("1970-01-02")]
)
@pytest.mark.parametrize("offset", [None, "2h", pandas.Timedelta("25min")])
def test_origins_and_offsets(origin, offset):
    for closed in ("left", "right"):
        check(frame(), lambda f: f.resample("11h", origin=origin, offset=offset, closed=closed).sum())


KINDS = {
    "zone": times().tz_localize("UTC").tz_convert("Europe/Berlin"),
    "nanoseconds": times(unit="ns"),
    "milliseconds": times(unit="ms"),
    "lengths": pandas.to_timedelta(np.sort(np.random.default_rng(3).integers(0, 86400 * 9, ROWS)), unit="s"),
    "unordered": times()[np.random.default_rng(7).permutation(ROWS)],
    "falling": times()[::-1],
    "named": times().rename("when"),
    "missing": times().where(np.arange(ROWS) % 17 != 3),
    "one": pandas.DatetimeIndex(["2024-02-29 03:00"] * ROWS),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rule", ["40min", "5h", "D", "2D"])
def test_kinds_of_times(kind, rule):
    for op in ("sum", "first", "size", "median", "max"):
        check(frame(KINDS[kind]), lambda f: getattr(f.resample(rule), op)())


def test_columns_and_levels_of_times():
    f = frame().reset_index(names="when")
    check(f, lambda x: x.resample("D", on="when").sum())
    check(f, lambda x: x.resample("D", on="when").size())
    check(f, lambda x: x.resample("D", on="when")["ints"].max())
    check(f, lambda x: x.resample("D", on="when")[["ints", "floats"]].mean())
    levels = frame().set_index(pandas.MultiIndex.from_arrays([np.arange(ROWS) % 3, times()], names=["k", "when"]))
    check(levels, lambda x: x.resample("D", level="when").sum())
    check(levels, lambda x: x.resample("D", level=1).count())
    check(frame(), lambda x: x.resample("D", level=0).count())


@pytest.mark.parametrize("op", ["ffill", "bfill", "asfreq", "nearest"])
@pytest.mark.parametrize("rule", ["10min", "5h", "D", "W", "ME"])
def test_rows_at_edges(op, rule):
    f = frame()
    f = f[~f.index.duplicated()]
    for closed in (None, "right", "left"):
        check(f, lambda x: getattr(x.resample(rule, closed=closed), op)())
    check(f.floats, lambda s: getattr(s.resample(rule), op)())
    even = f.iloc[:50].set_axis(pandas.date_range("2024-01-01", periods=50, freq="h"))
    check(even, lambda x: getattr(x.resample("h"), op)())
    check(even, lambda x: getattr(x.resample("20min"), op)())


@pytest.mark.parametrize(
    "how", ["sum", ["sum", "mean"], {"ints": "sum"}, {"ints": ["min", "max"], "floats": ["std"]}], ids=str
)
def test_several_aggregations(how):
    f = frame()[["floats", "ints"]]
    check(f, lambda x: x.resample("7h").agg(how))
    if not isinstance(how, dict):
        check(f.ints, lambda s: s.resample("7h").agg(how))


def test_other_results():
    check(frame()[["floats", "ints"]], lambda f: f.resample("7h").quantile(0.3))
    check(frame()[["floats", "singles"]], lambda f: f.resample("7h").ohlc())
    check(frame().floats, lambda s: s.resample("7h").ohlc())
    check(frame()[["floats", "ints"]], lambda f: f.resample("7h").sum(min_count=3))
    check(frame()[["floats", "ints"]], lambda f: f.resample("7h").std(ddof=0))
    check(frame().assign(text="b"), lambda f: f.resample("7h").sum(numeric_only=True))
    check(frame().assign(text="b")[["text"]], lambda f: f.resample("1h").max())
    check(frame()[["floats"]], lambda f: f.resample("7h").pipe(lambda r: r.mean()))
    assert str(pd.DataFrame(frame()).resample("7h")) == str(frame().resample("7h"))
    assert len(pd.DataFrame(frame()).resample("7h")) == len(frame().resample("7h"))


@pytest.mark.parametrize("op", REDUCTIONS)
@pytest.mark.parametrize("rule", ["7h", "D", "W", "ME"])
def test_groups_by_time(op, rule):
    f = frame()
    check(f, lambda x: getattr(x.groupby(pandas.Grouper(freq=rule)), op)())
    check(f.ints, lambda s: getattr(s.groupby(pandas.Grouper(freq=rule, closed="right")), op)())
    column = f.reset_index(names="when")
    check(column, lambda x: getattr(x.groupby(pandas.Grouper(key="when", freq=rule)), op)())
    check(column, lambda x: getattr(x.groupby(pandas.Grouper(key="when", freq=rule))["ints"], op)())


def test_functions_run_in_pandas_and_are_counted():
    f = frame()[["floats", "ints"]]
    with bascule.config.set(fallback="warn"), pytest.warns(bascule.FallbackWarning, match="Resampler.apply"):
        same(pd.DataFrame(f).resample("D").apply(lambda x: x.max()), f.resample("D").apply(lambda x: x.max()))
    with bascule.config.set(fallback="warn"), pytest.warns(bascule.FallbackWarning, match="Resampler.interpolate"):
        f = f[~f.index.duplicated()]
        same(pd.DataFrame(f).resample("h").interpolate(), f.resample("h").interpolate())


WRONG = {
    "rule": lambda x: x.resample("nothing"),
    "closed": lambda x: x.resample("D", closed="middle"),
    "label": lambda x: x.resample("D", label="middle"),
    "convention": lambda x: x.resample("D", convention="middle"),
    "origin": lambda x: x.resample("D", origin="nothing"),
    "offset": lambda x: x.resample("D", offset="nothing"),
    "no times": lambda x: x.reset_index(drop=True).resample("D"),
    "on": lambda x: x.resample("D", on="nothing"),
    "level": lambda x: x.resample("D", level="nothing"),
    "column": lambda x: x.resample("D")["nothing"],
    "columns": lambda x: x.resample("D")[["nothing"]],
    "attribute": lambda x: x.resample("D").nothing,
    "text": lambda x: x.assign(t="a").resample("D").mean(),
    "numeric_only": lambda x: x.assign(t="a").resample("D")["t"].mean(numeric_only=True),
    "edges of a column": lambda x: x.reset_index(names="t").resample("h", on="t").ffill(),
    "zone of the origin": lambda x: x.resample("h", origin=pandas.Timestamp("2020", tz="UTC")),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_wrong_calls_raise_as_pandas(what):
    theirs = frame()[["floats", "ints"]]
    with pytest.raises(Exception) as wanted:
        WRONG[what](theirs)
    with pytest.raises(type(wanted.value)) as found:
        WRONG[what](pd.DataFrame(theirs))
    assert type(found.value) is type(wanted.value)
    assert str(found.value) == str(wanted.value)


def test_no_rows():
    f = frame().iloc[:0]
    with bascule.config.set(fallback="silent"):  # pandas, whose labels then have a frequency
        for op in REDUCTIONS:
            same(getattr(pd.DataFrame(f).resample("D"), op)(), getattr(f.resample("D"), op)())
