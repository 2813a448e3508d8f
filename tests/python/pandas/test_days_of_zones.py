"""Bins of days and longer in a zone whose clocks change: edges are local midnights, as in pandas."""

import bascule
import bascule.pandas as bpd
import numpy as np
import pandas
import pytest

ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "America/Sao_Paulo", "Australia/Lord_Howe", "UTC"]
STARTS = ["2023-03-24 03:10", "2023-10-26 22:40", "2018-11-02 01:00", "2024-02-10", "1969-12-29 05:00"]
RULES = ["D", "2D", "7D", "W", "W-WED", "ME", "MS", "QS", "YE", "B", "6h", "24h", "90min"]
STEPS = [("5h17min", "us"), ("1D", "s"), ("31h", "ns")]
OPTIONS = [
    {},
    {"closed": "right"},
    {"label": "right"},
    {"closed": "right", "label": "right"},
    {"origin": "start"},
    {"origin": "epoch"},
]


def _described(x):
    x = x.to_pandas() if hasattr(x, "to_pandas") else x
    return x.index.dtype, x.index.name, x.index.freq, [str(t) for t in x.index], x.dtype, [str(v) for v in x]


def _outcome(f):
    try:
        return _described(f())
    except Exception as e:
        return type(e), str(e)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("zone", ZONES)
def test_days_of_zones(zone, rule):
    for i, start in enumerate(STARTS):
        step, unit = STEPS[i % len(STEPS)]
        times = pandas.date_range(start, periods=40, freq=step, tz="UTC", unit=unit).tz_convert(zone).rename("t")
        there = pandas.Series(np.arange(40), index=times)
        here = bpd.Series(there)
        for options in OPTIONS[i % 2 :: 2]:
            results = [_outcome(lambda x=x, o=options: x.resample(rule, **o).sum()) for x in (here, there)]
            assert results[0] == results[1], (start, options)


def test_days_are_native():
    there = pandas.Series(
        np.arange(60), index=pandas.date_range("2023-03-20", periods=60, freq="5h", tz="Europe/Berlin")
    )
    here = bpd.Series(there)
    bascule.fallbacks(reset=True)
    here.resample("D").mean()
    here.resample("ME").count()
    assert bascule.fallbacks() == []
