"""Series of every kind with pandas' offsets as operands: later and earlier timestamps, and pandas' errors."""

import bascule as bc
import bascule.pandas
import numpy as np
import pandas
import pytest

OFFSETS = """
pd.DateOffset(months=1)
pd.DateOffset(days=3)
pd.DateOffset(years=1,hours=2)
pd.DateOffset(1)
pd.DateOffset(month=2)
pd.DateOffset(weekday=1)
pd.offsets.MonthEnd()
pd.offsets.MonthBegin(2)
pd.offsets.BDay(3)
pd.offsets.BusinessDay()
pd.offsets.Week(weekday=0)
pd.offsets.QuarterEnd()
pd.offsets.YearEnd()
pd.offsets.Hour(2)
pd.offsets.Minute(5)
pd.offsets.Nano(5)
pd.offsets.Day(2)
pd.offsets.MonthEnd(normalize=True)
pd.offsets.CustomBusinessDay()
pd.offsets.BusinessHour()
pd.offsets.SemiMonthEnd()
pd.offsets.LastWeekOfMonth()
pd.offsets.Easter()
pd.DateOffset(microseconds=5)
pd.DateOffset(nanoseconds=5)
pd.DateOffset(months=1,normalize=True)
""".split()
VALUES = {
    "us": lambda pd: pd.Series(pd.to_datetime(["2024-01-31 10:00", "2024-02-29 00:00", None, "2023-12-31 12:30"])),
    "s": lambda pd: pd.Series(np.array(["2024-01-31", "NaT", "2023-05-05"], dtype="M8[s]")),
    "ns": lambda pd: pd.Series(pd.to_datetime(["2024-01-31 10:00:00.000000001"])),
    "zone": lambda pd: pd.Series(pd.to_datetime(["2024-01-31 10:00", "2024-03-30"]).tz_localize("Europe/Berlin")),
    "integers": lambda pd: pd.Series([1, 2]),
    "durations": lambda pd: pd.Series(pd.to_timedelta([1, 2], unit="D")),
    "strings": lambda pd: pd.Series(["a"]),
    "no rows": lambda pd: pd.Series([], dtype="M8[ns]"),
    "objects": lambda pd: pd.Series([pd.Timestamp("2024-01-31")], dtype=object),
}
CALLS = {
    "add": lambda s, o: s + o,
    "radd": lambda s, o: o + s,
    "sub": lambda s, o: s - o,
    "rsub": lambda s, o: o - s,
    "frame": lambda s, o: s.to_frame("x") + o,
    "method": lambda s, o: s.add(o),
    "less": lambda s, o: s < o,
    "product": lambda s, o: s * o,
}


def outcome(call, kind, offset, library):
    try:
        found = CALLS[call](VALUES[kind](library), eval(offset, {"pd": library}))
    except Exception as e:
        return type(e), str(e)
    return type(found).__name__, repr(found)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("offset", OFFSETS)
def test_operators(offset, kind):
    with bc.config.set(fallback="silent"):
        for call in CALLS:
            assert outcome(call, kind, offset, bascule.pandas) == outcome(call, kind, offset, pandas), call


@pytest.mark.parametrize(
    "offset", ["pd.DateOffset(months=1)", "pd.offsets.MonthEnd()", "pd.offsets.BDay(3)", "pd.offsets.Hour(2)"]
)
def test_that_are_native(offset):
    with bc.config.set(fallback="error"):
        for call in ("add", "radd", "sub", "frame", "method"):
            CALLS[call](VALUES["us"](bascule.pandas), eval(offset, {"pd": bascule.pandas}))
