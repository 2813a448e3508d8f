"""Categories and timezone-aware timestamps: compared, ordered, joined and counted as integers, without pandas."""

import numpy as np
import pandas
import pytest
from frame_samples import native_or_same
from frames import both

RNG = np.random.default_rng(5)


def categories(n=120, ordered=False):
    codes = RNG.integers(-1, 3, n)
    return pandas.DataFrame(
        {
            "c": pandas.Categorical.from_codes(codes, ["b", "a", "c d", "never"], ordered=ordered),
            "k": RNG.integers(0, 5, n),
            "x": np.arange(n) % 7 - 3.0,
        }
    )


def zoned(n=120, zone="Europe/Berlin", unit="us"):
    stamps = pandas.Series(RNG.integers(0, 40, n) * 86_400 * 30).astype("M8[s]").astype(f"M8[{unit}]")
    times = stamps.dt.tz_localize("UTC").dt.tz_convert(zone)
    times[::9] = pandas.NaT
    return pandas.DataFrame({"t": times, "k": RNG.integers(0, 5, n), "x": np.arange(n) % 7 - 3.0})


OF_CATEGORIES = {
    "sorted": lambda f: f.sort_values("c", kind="stable"),
    "sorted downwards": lambda f: f.sort_values(["c", "k"], ascending=[False, True], na_position="first", kind="stable"),
    "a series sorted": lambda f: f.c.sort_values(kind="stable"),
    "merged": lambda f: f.merge(f.head(20), on="c"),
    "merged, all rows": lambda f: f.merge(f.head(9), on=["c", "k"], how="outer", indicator=True),
    "merged, sorted": lambda f: f.merge(f.head(9), on="c", how="left", sort=True),
    "equal": lambda f: f.c == "a",
    "unequal": lambda f: f.c != "a",
    "equal to none": lambda f: f.c == "none such",
    "equal to others": lambda f: f.c == f.c.shift(1),
    "greater": lambda f: f.c > "a",
    "among": lambda f: f.c.isin(["a", None, "none such"]),
    "filled": lambda f: f.c.fillna("a"),
    "carried": lambda f: f.c.ffill(),
    "where": lambda f: f.c.where(f.x > 0),
    "masked": lambda f: f.c.mask(f.x > 0, "a"),
    "moved": lambda f: f.c.shift(-3),
    "distinct": lambda f: f.c.unique().tolist(),
    "how many": lambda f: f.c.nunique(),
    "counted": lambda f: f.c.value_counts(),
    "shares": lambda f: f.c.value_counts(normalize=True, dropna=False, ascending=True),
    "no repeats": lambda f: f.c.drop_duplicates(),
    "repeats": lambda f: f.duplicated(["c", "k"], keep="last"),
    "most frequent": lambda f: f.c.mode(),
}  # fmt: skip


@pytest.mark.parametrize("ordered", (False, True))
@pytest.mark.parametrize("call", OF_CATEGORIES)
def test_categories(call, ordered):
    both(OF_CATEGORIES[call], categories(ordered=ordered))


@pytest.mark.parametrize("value", ("a", None, np.nan))
def test_categories_are_written(value):
    def put(f):
        f = f.copy()
        f.loc[f.x > 0, "c"] = value
        f.loc[3, "c"] = value
        return f

    both(put, categories())


def test_extremes_of_ordered_categories():
    both(lambda f: [f.c.min(), f.c.max()], categories(ordered=True))


OF_ZONES = {
    "sorted": lambda f: f.sort_values("t", kind="stable"),
    "merged": lambda f: f.merge(f.head(20), on="t"),
    "merged, all rows": lambda f: f.merge(f.head(9), on=["t", "k"], how="outer"),
    "grouped": lambda f: f.groupby("t").x.sum(),
    "grouped by two": lambda f: f.groupby(["t", "k"], dropna=False).x.max(),
    "later": lambda f: f.t > pandas.Timestamp("1971-03-01", tz="UTC"),
    "later by the clock": lambda f: f.t >= "1971-03-01",
    "differences": lambda f: f.t - f.t.min(),
    "shifted by a day": lambda f: f.t + pandas.Timedelta(days=1),
    "earlier": lambda f: f.t - pandas.Timedelta(hours=5),
    "each less the last": lambda f: f.t.diff(),
    "filled": lambda f: f.t.fillna(pandas.Timestamp("2000-01-01", tz="UTC")),
    "carried": lambda f: f.t.bfill(),
    "where": lambda f: f.t.where(f.x > 0),
    "moved": lambda f: f.t.shift(2),
    "ends": lambda f: [f.t.min(), f.t.max()],
    "how many": lambda f: f.t.nunique(),
    "counted": lambda f: f.t.value_counts(),
    "no repeats": lambda f: f.t.drop_duplicates(),
}


@pytest.mark.parametrize("zone", ("Europe/Berlin", "UTC", "+03:30"))
@pytest.mark.parametrize("call", OF_ZONES)
def test_timestamps_of_zones(call, zone):
    both(OF_ZONES[call], zoned(zone=zone))


def test_of_two_zones():
    one, two = zoned(), zoned(zone="Asia/Tokyo")
    both(lambda a, b: a.t == b.t, one, two)
    both(lambda a, b: a.t - b.t, one, two)


def test_alongside_times_of_no_zone():
    both(lambda f: f.t > pandas.Timestamp("1971-03-01"), zoned(), fallback="silent")
    both(lambda f: f.t == pandas.Timestamp("1971-03-01"), zoned(), fallback="silent")
    both(lambda f: f.t.dt.tz_localize(None) == pandas.Timestamp("1971-03-01", tz="UTC"), zoned(), fallback="silent")
    both(lambda f: f.t * 2, zoned(), fallback="silent")


def test_text_is_no_amount_of_time():
    for f in (lambda f: f.t - "1971-03-01", lambda f: "1971-03-01" - f.t, lambda f: f.t + "1971-03-01"):
        both(f, zoned(), fallback="silent")


@pytest.mark.parametrize("dropna", (True, False))
def test_groups_of_missing_ones(dropna):
    def rows(f, key):
        groups = f.x.groupby(key, observed=True, dropna=dropna).indices
        return sorted((str(k).replace("NaT", "nan"), rows.tolist()) for k, rows in groups.items())

    both(lambda f: str(rows(f, f.t)), zoned(12))
    both(lambda f: str(rows(f, f.c)), categories(12))


@pytest.mark.parametrize("value", (0.5, pandas.Interval(0, 1), pandas.Interval(0, 1, "left"), "a", None, 1, True))
def test_values_that_look_like_categories(value):
    of = {
        "intervals": pandas.interval_range(0, 3),
        "integers": [1, 2, 1, 0],
        "text": ["1", "0.5", "a"],
        "times": pandas.to_datetime(["2024-01-01", "2024-01-02"]),
    }
    for kinds in of.values():
        s = pandas.Series(kinds).astype("category")
        native_or_same(lambda s: s == value, s)
        native_or_same(lambda s: s != value, s)
        native_or_same(lambda s: s.isin([value]), s)
