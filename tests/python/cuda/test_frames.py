"""Frames on the emulated CUDA device, against pandas."""

import json

import emulated_cuda
import pytest
from emulated_frames import check

GROUPS = """
count = 0
TYPES = ("f8", "f4", "i8", "u8", "i1", "u2", "?", "M8[us]", "m8[ns]", "Int64", "Float64", "boolean")
LONG = ("f8", "f4", "i8", "Float64") if SAMPLE == 1 else ("f8",)
TYPES = TYPES[::SAMPLE]
# Few rows of each group, and so many that sums are a tree of more than one level.
for n, groups in ((0, 1), (200, 37), (9000, 2)):
    k = pandas.Series(rng.integers(0, groups, n))
    for dtype in LONG if n > 1000 else TYPES:
        v = numbers(dtype, n)
        for how in ("sum", "count", "mean", "min", "max", "first", "last", "prod", "var", "std", "any", "all", "nunique",
                    "median", "size"):
            if v.dtype.kind in "mM" and (how in ("prod", "var", "std", "any", "all") or (how == "sum" and v.dtype.kind == "M")):
                continue
            if dtype in ("Float64",) and how == "prod":
                continue  # overflows
            case = n, dtype, how
            rtol = 3e-5 if dtype == "f4" else 1e-11
            expected = getattr(pandas.DataFrame({"k": k, "v": v}).groupby("k").v, how)()
            ours = getattr(pd.DataFrame({"k": pd.from_pandas(k), "v": pd.from_pandas(v)}).groupby("k").v, how)()
            try:
                pandas.testing.assert_series_equal(ours.to_pandas(), expected, rtol=rtol, atol=1e-9, check_dtype=dtype != "f4")
            except AssertionError as error:
                raise AssertionError(str(case)) from error
            count += 1
print(count)
"""


def test_groups_give_the_same_bits_every_time_and_rows_in_no_group_do_not_count():
    check(
        """
k = numbers("f8", 5000, 0.3).round(0) % 3
v = numbers("f8", 5000)
frame = pandas.DataFrame({"k": k, "v": v})
once, again = (pd.from_pandas(frame).groupby("k").v.sum().to_pandas() for _ in range(2))
assert (once.to_numpy().view("i8") == again.to_numpy().view("i8")).all()
for dropna in (True, False):
    both(lambda f: f.groupby("k", dropna=dropna).v.agg(["sum", "mean", "size", "last"]), frame, exact=False, atol=1e-9)
infinite = pandas.DataFrame({"k": [0] * 200 + [1] * 200, "v": np.r_[np.full(200, np.inf), np.inf, -np.inf, np.zeros(198)]})
both(lambda f: f.groupby("k").v.agg(["sum", "mean", "max"]), infinite)
"""
    )


RUNNING = """
for n, groups in ((9000, 2), (1, 1), (300, 20))[: 1 if SAMPLE > 1 else 3]:
    for dtype in ("f8", "i8"):
        frame = pandas.DataFrame({"k": rng.integers(0, groups, n), "v": numbers(dtype, n)})
        for how in ("cumsum", "cummax", "cummin", "cumcount", "rank", "shift", "ngroup"):
            both(lambda f: getattr(f.groupby("k").v, how)(), frame, exact=False, atol=1e-9)
small = pandas.DataFrame({"k": rng.integers(0, 9, 100), "v": rng.normal(size=100)})
both(lambda f: f.groupby("k").v.cumprod(), small, exact=False)
"""


JOINS = """
count = 0
for left, right in ((0, 5), (5, 0), (70, 60)):
    for dtype in ("i8", "u1", "f8", "f4", "M8[us]", "Int64", "str")[::SAMPLE]:
        def side(n, name):
            if dtype == "str":
                key = texts(n)
            else:
                key = (numbers(dtype, n, 0.05) if dtype[0] == "M" else (numbers(dtype, n, 0.05) % 17))
                if dtype[0] == "M":
                    key = pandas.Series(key.to_numpy().astype("M8[D]").view("i8") % 9).astype("M8[us]")
            return pandas.DataFrame({"k": key, name: np.arange(n)})
        a, b = side(left, "x"), side(right, "y")
        for how, sort in itertools.product(("inner", "left", "right", "outer"), (False, True)):
            try:
                both(lambda x, y: x.merge(y, on="k", how=how, sort=sort), a, b)
            except AssertionError as error:
                raise AssertionError(str((left, right, dtype, how, sort))) from error
            count += 1
two = [pandas.DataFrame({"k": rng.integers(0, 4, 50), "s": texts(50), v: np.arange(50)}) for v in "xy"]
for how in ("inner", "left", "right", "outer"):
    both(lambda x, y: x.merge(y, on=["k", "s"], how=how), *two)
print(count)
"""


STRINGS = """
pd_of = lambda f: pandas if type(f).__module__.startswith('pandas') else pd
for n in (90, 1, 700)[: 1 if SAMPLE > 1 else 3]:
    for few in (True, False):
        frame = pandas.DataFrame({"s": texts(n, few), "z": texts(n, few), "v": np.arange(n)})
        both(lambda f: f.sort_values("s"), frame)
        both(lambda f: f.sort_values(["s", "z"], ascending=[False, True], na_position="first"), frame)
        both(lambda f: f.s.drop_duplicates(), frame)
        both(lambda f: f.groupby("s").v.sum(), frame)
        both(lambda f: f.groupby("s", sort=False, dropna=False).v.count(), frame)
        both(lambda f: f.s.isin(["a", "bb", "é"]), frame)
        for op in ("eq", "ne", "lt", "le", "gt", "ge"):
            both(lambda f: getattr(f.s, op)("bb"), frame)
            both(lambda f: getattr(f.s, op)(f.z), frame)
        both(lambda f: f[f.v % 3 == 1], frame)
        both(lambda f: f.iloc[::-2], frame)
        both(lambda f: f.s.fillna("?"), frame)
        both(lambda f, g: pd_of(f).concat([f, g]), frame, frame.iloc[:n // 2])
        both(lambda f: f.s.shift(2), frame)
long = pandas.DataFrame({"s": pandas.Series(["x" * 5000 + str(i % 3) for i in range(20)], dtype="str")})
both(lambda f: f.sort_values("s"), long)
both(lambda f: f.iloc[[3, 1, 2]], long)
"""


WINDOWS = """
for n in (12, 1, 400)[: 1 if SAMPLE > 1 else 3]:
    frame = pandas.DataFrame({"x": numbers("f8", n), "y": numbers("f8", n), "k": rng.integers(0, 3, n)})
    frame.loc[n // 2, "x"] = np.inf
    for how in ("count", "sum", "mean", "var", "std", "skew", "kurt", "min", "max", "median", "first", "last", "nunique"):
        if not hasattr(pandas.core.window.Rolling, how):
            continue
        for window in (dict(window=1), dict(window=4), dict(window=30, min_periods=2), dict(window=5, center=True),
                       dict(window=3, closed="both", step=2)):
            both(lambda f: getattr(f.x.rolling(**window), how)(), frame, exact=False, atol=1e-7)
        both(lambda f: getattr(f.x.expanding(2), how)(), frame, exact=False, atol=1e-7)
    for ties in ("average", "min", "max"):
        both(lambda f: f.x.rolling(6, min_periods=1).rank(ties, pct=True, ascending=False), frame)
    for inner in ("linear", "lower", "higher", "nearest", "midpoint"):
        both(lambda f: f.x.rolling(6, min_periods=1).quantile(0.3, inner), frame, exact=False)
    both(lambda f: f.y.rolling(7, min_periods=2).corr(f.x), frame, exact=False, atol=1e-7)
    both(lambda f: f.y.rolling(7, min_periods=2).cov(f.x), frame, exact=False, atol=1e-7)
    both(lambda f: f.groupby("k").x.rolling(3).sum(), frame, exact=False, atol=1e-9)
    for how in ("mean", "sum", "std", "var"):
        both(lambda f: getattr(f.y.ewm(com=2.5), how)(), frame, exact=False, atol=1e-9)
    times = pandas.Series(rng.integers(0, 4, n).cumsum() * 10**6).astype("M8[us]")
    dated = pandas.DataFrame({"x": frame.y.to_numpy()}, index=pandas.DatetimeIndex(times))
    for closed in ("right", "left", "both", "neither"):
        both(lambda f: f.x.rolling("5s", closed=closed).sum(), dated, exact=False, atol=1e-9)
"""


PROGRAMS = {"groups": GROUPS, "running": RUNNING, "joins": JOINS, "texts": STRINGS, "windows": WINDOWS}


@pytest.mark.parametrize("program", PROGRAMS)
def test_results_are_those_of_pandas(program):
    said = check(PROGRAMS[program])
    if program in ("groups", "joins"):
        assert int(said) >= (300 if program == "groups" else 3 * 7 * 8)


def test_results_are_those_of_pandas_on_late_streams_over_memory_whose_ends_are_watched():
    groups, joins = check("".join(PROGRAMS.values()), "late").split()
    assert int(groups) >= 60
    assert int(joins) == 3 * 2 * 8


def test_typical_calls_run_there_or_say_what_is_missing_and_move_no_column():
    said = emulated_cuda.run(
        """
import json, sys
sys.path[:0] = [r"%s", r"%s"]
import frame_calls
calls = frame_calls.Calls(every=4)
calls.run()
print(json.dumps([(call, why) for found in calls.found.values() for call, why, _ in found]))
"""
        % (emulated_cuda.PROJECT / "tests/cuda", emulated_cuda.PROJECT / "tests/python/support")
    )
    found = json.loads(said)
    wrong = [(call, why) for call, why in found if why and not why.startswith("NotImplementedError: [")]
    assert wrong == []
    assert len(found) >= 60
    assert sum(not why for _, why in found) >= 0.9 * len(found)


def test_what_is_missing_says_its_name():
    check(
        """
frame = pd.DataFrame({"b": [True, False], "s": ["a", "b"], "x": [1.0, np.nan], "o": pandas.Series([1, "a"], dtype=object)})
chosen = frame[frame.b]
for name, call in {
    "Series.fillna": lambda: chosen.o.fillna(0),
    "interpolate": lambda: frame.x.interpolate(),
    "Series.__eq__": lambda: chosen.o == 1,
}.items():
    try:
        call()
    except NotImplementedError as error:
        assert name in str(error) and "cuda" in str(error), (name, error)
    else:
        raise AssertionError(name)
row = frame.set_index(frame.s.astype("category"))[["x"]].loc["a"]
assert row.x == 1.0 and row.name == "a"
"""
    )


def test_sums_that_are_read_together_are_those_of_pandas():
    check(
        """
for n in (1, 600, 30_000):
    frame = pandas.DataFrame({"f8": numbers("f8", n), "f4": numbers("f4", n, 0), "i8": numbers("i8", n), "u1": numbers("u1", n), "b": numbers("?", n), "Int64": numbers("Int64", n), "g": numbers("f8", n, 0)})
    for columns in (["f8", "f4", "i8"], ["f4"], ["u1", "i8"], ["f8", "g"], ["i8", "b"], ["Int64"], ["g", "i8"]):
        both(lambda x: x[columns].sum(), frame)
        both(lambda x: x[columns].sum(skipna=False), frame)
        both(lambda x: x[columns].sum(min_count=3), frame)
both(lambda x: x.sum(), pandas.DataFrame({"a": [], "b": np.array([], "i8")}))
"""
    )
