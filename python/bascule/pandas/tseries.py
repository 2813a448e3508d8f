"""pandas' frequencies and offsets: nothing in them is about frames, so they are pandas' own modules."""

import sys

import pandas.tseries.api
import pandas.tseries.frequencies
import pandas.tseries.offsets

for _name in ("api", "frequencies", "offsets"):
    sys.modules[f"{__name__}.{_name}"] = getattr(pandas.tseries, _name)
sys.modules[__name__] = pandas.tseries
