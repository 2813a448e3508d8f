"""What runs in pandas says so: counted, once a call site, at the user's line, with pandas' classes and words."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest


def said(f):
    with bc.config.set(fallback="warn"), warnings.catch_warnings(record=True, action="always") as found:
        f()
    return [w for w in found if issubclass(w.category, bc.FallbackWarning)]


def test_what_was_missing_and_what_it_took():
    (one,) = said(lambda: pd.Series([1.0, None, 2.0] * 1000).interpolate(limit=1))
    assert re.fullmatch(r"Series.interpolate ran in pandas: .+ \([\d.]+ m?s, 24 kB\)", str(one.message))
    assert one.filename == __file__


def test_windows_tell_of_their_use_not_of_their_making():
    (one,) = said(lambda: pd.Series([1.0, 2.0]).rolling(2).mean())
    assert str(one.message).startswith("Rolling.mean ran in pandas")


@pytest.mark.parametrize("show", ["info", "to_string", "to_html", "to_latex", "style", "memory_usage"])
def test_presentation_is_no_fallback(show, capsys):
    frame = pd.DataFrame({"a": [1, 2]})

    def call():
        found = getattr(frame, show)
        if callable(found):
            found()

    with bc.config.set(fallback="error"):
        call()


def test_options_are_no_fallback():
    with bc.config.set(fallback="error"):
        with pd.option_context("display.max_rows", 5):
            assert pd.get_option("display.max_rows") == 5


SCRIPT = """
import bascule.pandas as pd
s = pd.Series([1.0, None])
for i in range(3):
    s.interpolate(limit=1)
s.interpolate(limit=1)
"""


def test_once_a_call_site():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert done.stderr.count("Series.interpolate ran in pandas") == 2, done.stderr


def test_pandas_warnings_are_at_the_users_line():
    with bc.config.set(fallback="silent"), warnings.catch_warnings(record=True, action="always") as found:
        pd.date_range("2020", periods=2, freq="d")
        pd.Series(["2020-01-01", "x"]).rolling
        pd.DatetimeIndex(["2020-01-01"], dayfirst=True)
    assert len(found) == 2 and {w.filename for w in found} == {__file__}
    assert all(issubclass(w.category, pandas.errors.Pandas4Warning) for w in found)


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.DataFrame({"a": [1]}).fillna(valu=3),
        lambda m: m.Series([1]).sort_values(nothing=1),
        lambda m: m.Series([1]).head(1, 2, 3),
        lambda m: m.DataFrame({"a": [1]}).groupby("a").sum(nothing=1),
        lambda m: m.Index([1]).rename(),
    ],
)
def test_errors_name_pandas_classes(call):
    with pytest.raises(TypeError) as theirs:
        call(pandas)
    with pytest.raises(TypeError) as ours:
        call(pd)
    assert str(ours.value) == str(theirs.value)


def test_an_error_in_pandas_is_pandas():
    with bc.config.set(fallback="silent"), pytest.raises(ValueError, match="Invalid frequency"):
        pd.date_range("2020", periods=2, freq="nothing")


def test_refused_on_request_before_it_runs():
    called = []
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match="interpolate"):
        pd.Series([1.0, np.nan]).interpolate(called.append(1) or "nearest")
    assert called == [1]


CHANGES = {
    "method": lambda x: x.interpolate(inplace=True),
    "loc": lambda x: x.loc.__setitem__(slice(None, None, 3), [7.0, 7.0]),
    "ufunc": lambda x: np.add.at(x, [0], 1.0),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_call_that_changes_its_object_is_counted_once(change):
    mine, theirs = pd.Series([1.0, None, 2.0, 4.0]), pandas.Series([1.0, None, 2.0, 4.0])
    CHANGES[change](theirs)
    bc.fallbacks(reset=True)
    found = said(lambda: CHANGES[change](mine))
    assert len(found) == 1 and sum(f["calls"] for f in bc.fallbacks()) == 1
    pandas.testing.assert_series_equal(mine.to_pandas(), theirs)


def test_what_is_refused_changes_nothing():
    mine = pd.Series([1.0, None, 2.0])
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match="interpolate"):
        mine.interpolate(inplace=True)
    assert mine.isna().tolist() == [False, True, False]
