"""Rolling, expanding and exponentially weighted windows give what pandas gives."""

import itertools

import bascule
import bascule.pandas as pd
import numpy as np
import pandas
import pandas.testing
import pytest

ROWS = 60
PLAIN = ["count", "sum", "mean", "min", "max", "median", "var", "std", "sem", "skew", "kurt", "first", "last", "nunique", "rank"]  # fmt: skip


def frame(rows=ROWS, seed=1):
    """Columns of all kinds of numbers, with missing values, infinities, runs of equal values and ties."""
    r = np.random.default_rng(seed)
    x = np.where(r.random(rows) < 0.15, np.nan, r.normal(size=rows).round(1))
    even = r.normal(size=rows)
    even[rows // 3 : rows // 2] = 2.5
    return pandas.DataFrame(
        {
            "floats": x,
            "runs": even,
            "inf": np.where(r.random(rows) < 0.1, np.inf, x),
            "ints": r.integers(-5, 5, rows),
            "small": r.integers(0, 200, rows).astype("u1"),
            "bools": r.random(rows) < 0.5,
            "singles": x.astype("f4"),
            "masked": pandas.array(np.where(np.isnan(x), None, (x * 10).round()), dtype="Int64"),
        }
    )


def same(ours, theirs):
    """Equal in labels, names and types, and in values as closely as pandas' own tests ask for."""
    if theirs.ndim == 2:
        pandas.testing.assert_frame_equal(ours.to_pandas(), theirs, rtol=1e-9, atol=1e-9)
    else:
        pandas.testing.assert_series_equal(ours.to_pandas(), theirs, rtol=1e-9, atol=1e-9)


def natively(call):
    """The result of a call that nothing but code of this library may answer."""
    with bascule.config.set(fallback="error"):
        return call()


def check(theirs, windows, aggregate):
    same(natively(lambda: aggregate(windows(pd.DataFrame(theirs)))), aggregate(windows(theirs)))


@pytest.mark.parametrize("op", PLAIN)
@pytest.mark.parametrize("window, least", [(1, None), (2, 1), (5, 2), (7, None), (100, 3), (4, 0), (0, 0)])
def test_windows_of_rows(op, window, least):
    check(frame(), lambda f: f.rolling(window, min_periods=least), lambda w: getattr(w, op)())


@pytest.mark.parametrize("op", PLAIN)
@pytest.mark.parametrize("closed, center", list(itertools.product(["left", "right", "both", "neither"], [False, True])))
def test_ends_and_centers(op, closed, center):
    check(frame(), lambda f: f.rolling(5, min_periods=2, closed=closed, center=center), lambda w: getattr(w, op)())


@pytest.mark.parametrize("op", [op for op in PLAIN if op != "rank"])
@pytest.mark.parametrize("step", [1, 2, 7, 100])
def test_steps(op, step):
    check(frame(), lambda f: f.rolling(4, min_periods=1, step=step), lambda w: getattr(w, op)())


@pytest.mark.parametrize("interpolation", ["linear", "lower", "higher", "nearest", "midpoint"])
@pytest.mark.parametrize("q", [0.0, 0.1, 0.25, 0.5, 0.99, 1.0])
def test_quantiles(q, interpolation):
    check(frame(), lambda f: f.rolling(7, min_periods=1), lambda w: w.quantile(q, interpolation=interpolation))
    check(frame(), lambda f: f.expanding(2), lambda w: w.quantile(q, interpolation=interpolation))


@pytest.mark.parametrize("method, ascending, pct", list(itertools.product(["average", "min", "max"], [True, False], [True, False])))  # fmt: skip
def test_ranks(method, ascending, pct):
    how = dict(method=method, ascending=ascending, pct=pct)
    check(frame(), lambda f: f.rolling(6, min_periods=2), lambda w: w.rank(**how))
    check(frame(), lambda f: f.expanding(), lambda w: w.rank(**how))


@pytest.mark.parametrize("ddof", [0, 1, 2])
def test_degrees_of_freedom(ddof):
    for op in ("var", "std", "sem", "cov"):
        check(frame()[["floats", "ints"]], lambda f: f.rolling(4, min_periods=1), lambda w: getattr(w, op)(ddof=ddof))


@pytest.mark.parametrize("op", PLAIN)
@pytest.mark.parametrize("least", [0, 1, 5])
def test_expanding(op, least):
    check(frame(), lambda f: f.expanding(least), lambda w: getattr(w, op)())


@pytest.mark.parametrize("op", PLAIN)
def test_long_windows_over_many_rows(op):
    r = np.random.default_rng(5)
    x = pandas.DataFrame({"x": r.normal(size=150_000).round(2)})
    x.iloc[r.integers(0, 150_000, 1000), 0] = np.nan
    for window in (3, 100):
        check(x, lambda f: f.rolling(window, min_periods=2), lambda w: getattr(w, op)())


TIMES = {
    "even": pandas.date_range("2024-01-01", periods=ROWS, freq="s"),
    "repeats": pandas.DatetimeIndex(np.sort(np.random.default_rng(3).integers(0, 40, ROWS)).astype("M8[s]")),
    "falling": pandas.DatetimeIndex(np.sort(np.random.default_rng(3).integers(0, 40, ROWS))[::-1].astype("M8[ms]")),
    "zone": pandas.date_range("2024-03-30", periods=ROWS, freq="30min", tz="Europe/Berlin"),
    "lengths": pandas.to_timedelta(np.sort(np.random.default_rng(4).integers(0, 90, ROWS)), unit="s"),
}


@pytest.mark.parametrize("op", PLAIN)
@pytest.mark.parametrize("kind", TIMES)
def test_windows_of_time(op, kind):
    theirs = frame().set_index(TIMES[kind])
    window = {"zone": "2h", "falling": "4ms"}.get(kind, "5s")
    for closed, center in itertools.product([None, "left", "both", "neither"], [False, True]):
        check(theirs, lambda f: f.rolling(window, closed=closed, center=center), lambda w: getattr(w, op)())


def test_windows_measured_by_a_column():
    theirs = frame()[["floats", "ints"]].assign(when=TIMES["repeats"])[["floats", "when", "ints"]]
    for window in ("3s", pandas.Timedelta("3s"), pandas.offsets.Second(3)):
        check(theirs, lambda f: f.rolling(window, on="when"), lambda w: w.sum())
    check(theirs, lambda f: f.rolling(3, on="when"), lambda w: w.mean())
    check(theirs, lambda f: f.rolling("3s", on="when")["ints"], lambda w: w.sum())
    check(theirs, lambda f: f.rolling("3s", on="when")[["ints"]], lambda w: w.sum())
    check(theirs, lambda f: f.rolling("3s", on="when")[["when", "ints"]], lambda w: w.sum())
    check(theirs, lambda f: f.rolling("3s", on="when").ints, lambda w: w.max())


@pytest.mark.parametrize("op", ["cov", "corr"])
def test_pairs(op):
    f = frame()[["floats", "runs", "inf", "ints"]]
    windows = [lambda x: x.rolling(5, min_periods=2), lambda x: x.expanding(3)]
    windows += [lambda x: x.ewm(span=4, min_periods=2), lambda x: x.ewm(com=1.5, ignore_na=True, adjust=False)]
    ours = pd.DataFrame(f)
    for w in windows:
        check(f, w, lambda x: getattr(x, op)())
        check(f, w, lambda x: getattr(x, op)(pairwise=False))
        same(natively(lambda: getattr(w(ours.floats), op)(ours.ints)), getattr(w(f.floats), op)(f.ints))
        same(natively(lambda: getattr(w(ours.floats), op)()), getattr(w(f.floats), op)())
        same(natively(lambda: getattr(w(ours), op)(ours.ints)), getattr(w(f), op)(f.ints))
        same(natively(lambda: getattr(w(ours.ints), op)(ours)), getattr(w(f.ints), op)(f))
        other = f[["ints", "runs"]].assign(more=1.0)
        same(natively(lambda: getattr(w(ours), op)(pd.DataFrame(other), pairwise=True)), getattr(w(f), op)(other, pairwise=True))  # fmt: skip
        same(natively(lambda: getattr(w(ours), op)(pd.DataFrame(other))), getattr(w(f), op)(other))
        late = f.ints.iloc[10:].set_axis(range(20, 70))
        same(natively(lambda: getattr(w(ours.floats), op)(pd.Series(late))), getattr(w(f.floats), op)(late))


@pytest.mark.parametrize("adjust, ignore_na", list(itertools.product([True, False], [True, False])))
@pytest.mark.parametrize(
    "decay", [{"com": 1}, {"com": 0}, {"span": 7}, {"halflife": 2.5}, {"alpha": 0.3}, {"alpha": 1}]
)
def test_exponential_weights(decay, adjust, ignore_na):
    for least in (0, 3):
        windows = lambda f: f.ewm(**decay, adjust=adjust, ignore_na=ignore_na, min_periods=least)
        for op in ("mean", "var", "std", *(["sum"] if adjust else [])):
            check(frame(), windows, lambda w: getattr(w, op)())
        for bias in (True, False):
            check(frame(), windows, lambda w: w.var(bias=bias))


@pytest.mark.parametrize("kind", ["even", "repeats", "zone"])
def test_exponential_weights_by_time(kind):
    times = TIMES[kind]
    for decay in ({}, {"alpha": 0.2}):
        theirs = frame().ewm(halflife="3s", times=times, **decay).mean()
        same(natively(lambda: pd.DataFrame(frame()).ewm(halflife="3s", times=times, **decay).mean()), theirs)
    theirs = frame().ewm(halflife="3s", times=times, adjust=False, ignore_na=True).mean()
    same(natively(lambda: pd.DataFrame(frame()).ewm(halflife="3s", times=times, adjust=False, ignore_na=True).mean()), theirs)  # fmt: skip


def grouped(seed=2):
    f = frame()
    r = np.random.default_rng(seed)
    keys = pandas.Series(r.integers(0, 5, ROWS)).map({0: "d", 1: "a", 2: "c", 3: None, 4: "b"})
    return f.assign(key=keys.astype("str"), other=r.integers(0, 2, ROWS), when=TIMES["repeats"])


GROUPED = {
    "rows": lambda g: g.rolling(3, min_periods=1),
    "center": lambda g: g.rolling(4, center=True, min_periods=1, closed="both"),
    "time": lambda g: g.rolling("5s", on="when"),
    "time, left": lambda g: g.rolling("5s", on="when", closed="left", center=True),
    "expanding": lambda g: g.expanding(),
    "ewm": lambda g: g.ewm(com=2),
}


@pytest.mark.parametrize("kind", GROUPED)
@pytest.mark.parametrize("op", PLAIN)
def test_windows_by_group(kind, op):
    theirs = grouped()
    if kind == "ewm":
        theirs = theirs.drop(columns="when")
        if op not in ("mean", "sum", "var", "std"):
            pytest.skip("no such moment")
    elif kind == "expanding":
        theirs = theirs.drop(columns="when")
    elif "time" not in kind:
        theirs = theirs.drop(columns="when")
    if op == "sem" and "time" in kind:
        pytest.skip("pandas divides the times, too, and raises")
    ours = pd.DataFrame(theirs)
    for by in ("key", ["key", "other"], ["key"]):

        def of(f):
            return getattr(GROUPED[kind](f.groupby(by)), op)()

        same(natively(lambda: of(ours)), of(theirs))
    if "time" not in kind:
        same(*(getattr(GROUPED[kind](f.groupby("key").ints), op)() for f in (ours, theirs)))
        if op != "sem":  # pandas divides the keys, too
            columns = [getattr(GROUPED[kind](f.groupby("key", as_index=False)[["ints"]]), op)() for f in (ours, theirs)]
            same(*columns)


def test_pairs_by_group():
    theirs = grouped()[["key", "floats", "ints"]]
    ours = pd.DataFrame(theirs)
    for w in (lambda g: g.rolling(4, min_periods=2), lambda g: g.expanding(), lambda g: g.ewm(com=1)):
        for op in ("cov", "corr"):
            same(getattr(w(ours.groupby("key")), op)(), getattr(w(theirs.groupby("key")), op)())
            same(getattr(w(ours.groupby("key").ints), op)(), getattr(w(theirs.groupby("key").ints), op)())


AGGREGATIONS = ["sum", ["sum", "mean"], {"ints": "sum"}, {"ints": ["min", "max"], "floats": ["std"]}, ["median"]]


@pytest.mark.parametrize("how", AGGREGATIONS, ids=str)
def test_several_aggregations(how):
    f = frame()[["floats", "ints", "runs"]]
    check(f, lambda x: x.rolling(3), lambda w: w.agg(how))
    check(f, lambda x: x.expanding(), lambda w: w.aggregate(how))
    g = grouped()[["key", "floats", "ints"]]
    same(natively(lambda: pd.DataFrame(g).groupby("key").rolling(2).agg(how)), g.groupby("key").rolling(2).agg(how))
    if not isinstance(how, dict):
        same(natively(lambda: pd.Series(f.ints).rolling(3).agg(how)), f.ints.rolling(3).agg(how))


def test_functions_run_in_pandas_and_are_counted():
    f = frame()[["floats", "ints"]]
    ours = pd.DataFrame(f)
    with bascule.config.set(fallback="warn"), pytest.warns(bascule.FallbackWarning, match="Rolling.apply"):
        same(ours.rolling(3).apply(np.nanmax, raw=True), f.rolling(3).apply(np.nanmax, raw=True))


WRONG = {
    "window": lambda x: x.rolling(-1),
    "float window": lambda x: x.rolling(1.5),
    "least": lambda x: x.rolling(2, min_periods=3),
    "negative least": lambda x: x.rolling(2, min_periods=-1),
    "text least": lambda x: x.rolling(2, min_periods="1"),
    "center": lambda x: x.rolling(2, center="yes"),
    "closed": lambda x: x.rolling(2, closed="middle"),
    "step": lambda x: x.rolling(2, step=-1),
    "step of floats": lambda x: x.rolling(2, step=1.5),
    "method": lambda x: x.rolling(2, method="tables"),
    "time without times": lambda x: x.rolling("2s"),
    "on": lambda x: x.rolling(2, on="nothing"),
    "text": lambda x: x.assign(t="a").rolling(2).sum() if x.ndim == 2 else x.astype(str).rolling(2).sum(),
    "times": lambda x: x.assign(t=pandas.Timestamp(0)).rolling(2).sum(),
    "quantile": lambda x: x.rolling(2).quantile(1.5),
    "interpolation": lambda x: x.rolling(2).quantile(0.5, interpolation="cubic"),
    "rank": lambda x: x.rolling(2).rank(method="dense"),
    "column": lambda x: x.rolling(2)["nothing"],
    "columns": lambda x: x.rolling(2)[["nothing"]],
    "twice": lambda x: x.rolling(2)["x"]["x"],
    "attribute": lambda x: x.rolling(2).nothing,
    "aggregation": lambda x: x.rolling(2).agg("nothing"),
    "step of cov": lambda x: x.rolling(2, step=2).cov(),
    "other": lambda x: x.rolling(2).cov(1),
    "expanding least": lambda x: x.expanding(-1),
    "no decay": lambda x: x.ewm(),
    "two decays": lambda x: x.ewm(com=1, span=2),
    "com": lambda x: x.ewm(com=-1),
    "span": lambda x: x.ewm(span=0.5),
    "halflife": lambda x: x.ewm(halflife=0),
    "alpha": lambda x: x.ewm(alpha=2),
    "halflife of time": lambda x: x.ewm(halflife="1s"),
    "times of numbers": lambda x: x.ewm(halflife="1s", times=np.arange(4)),
    "too few times": lambda x: x.ewm(halflife="1s", times=pandas.date_range("2020", periods=2)),
    "sum without adjustment": lambda x: x.ewm(com=1, adjust=False).sum(),
    "unordered times": lambda x: x.set_index(pandas.to_datetime([3, 1, 2, 4])).rolling("2s"),
    "missing time": lambda x: x.set_index(pandas.to_datetime([1, 2, None, 4])).rolling("2s"),
    "wrong frequency": lambda x: x.set_index(pandas.date_range("2020", periods=4)).rolling("xyz"),
    "no fixed frequency": lambda x: x.set_index(pandas.date_range("2020", periods=4)).rolling("ME"),
    "step of time": lambda x: x.set_index(pandas.date_range("2020", periods=4)).rolling("2D", step=2),
    "groups out of order": lambda x: x.assign(t=pandas.to_datetime([3, 1, 2, 4]), k=1).groupby("k").rolling("2s", on="t"),
    "engine": lambda x: x.rolling(2).apply(max, engine="fast"),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_wrong_calls_raise_as_pandas(what):
    theirs = pandas.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
    with pytest.raises(Exception) as wanted:
        WRONG[what](theirs)
    with pytest.raises(type(wanted.value)) as found:
        WRONG[what](pd.DataFrame(theirs))
    assert type(found.value) is type(wanted.value)
    assert str(found.value) == str(wanted.value)


@pytest.mark.parametrize(
    "f", [pandas.DataFrame({"x": np.zeros(0)}), pandas.DataFrame(index=range(3)), pandas.DataFrame({"x": [1.0]})]
)
def test_few_rows_and_columns(f):
    for op in PLAIN:
        if len(f.columns) or op != "sem":
            same(getattr(pd.DataFrame(f).rolling(2, min_periods=1), op)(), getattr(f.rolling(2, min_periods=1), op)())
            same(getattr(pd.DataFrame(f).expanding(), op)(), getattr(f.expanding(), op)())
    same(pd.DataFrame(f).ewm(com=1).mean(), f.ewm(com=1).mean())


def test_numeric_only():
    f = frame()[["floats", "ints", "bools"]].assign(text="a")
    check(f, lambda x: x.rolling(2), lambda w: w.sum(numeric_only=True))
    check(f, lambda x: x.ewm(com=1), lambda w: w.mean(numeric_only=True))


def test_text_windows_are_as_wide_as_pandas_say():
    assert repr(pd.Series([1.0]).rolling(2, min_periods=1)) == repr(pandas.Series([1.0]).rolling(2, min_periods=1))
    assert repr(pd.Series([1.0]).expanding()) == repr(pandas.Series([1.0]).expanding())


CLOSE = {
    "neighbours": lambda r, n: 1e15 + r.integers(0, 50, n) / 8,
    "neighbours of both signs": lambda r, n: r.choice([-1.0, 1.0], n) * (1 + r.integers(0, 4000, n) * 2.0**-52),
    "falling neighbours": lambda r, n: 1.0 - np.arange(n) * 2.0**-50,
    "zeros": lambda r, n: r.choice([0.0, -0.0, 1e-300, -1e-300], n),
    "all sizes": lambda r, n: r.choice([-1.0, 1.0], n) * 10.0 ** r.uniform(-300, 300, n),
    "infinities": lambda r, n: r.choice([np.inf, -np.inf, 1.0, np.nan], n),
}


@pytest.mark.parametrize("kind", CLOSE)
def test_orders_of_values_that_are_near_each_other_or_far_apart(kind):
    values = pandas.Series(CLOSE[kind](np.random.default_rng(4), 6000))
    ours = pd.Series(values)
    for window in (3, 100, 2000):
        for op, given in (("median", ()), ("quantile", (0.3,)), ("nunique", ()), ("rank", ())):
            with bascule.config.set(fallback="error"):
                found = getattr(ours.rolling(window), op)(*given)
            same(found, getattr(values.rolling(window), op)(*given))
