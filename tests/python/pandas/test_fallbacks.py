"""Calls that run in pandas say so: counted, once a call site, at the user's line, with pandas' classes and words."""

from __future__ import annotations

import collections
import contextlib
import re
import subprocess
import sys
import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule import fallback
from bascule.pandas import _fallback
from bascule.pandas._fallback.calls import Helper
from bascule.pandas._fallback.counted import NOW
from frames import assert_same


def said(f):
    with bc.config.set(fallback="warn"), warnings.catch_warnings(record=True, action="always") as found:
        f()
    return [w for w in found if issubclass(w.category, bc.FallbackWarning)]


def test_what_was_missing_and_what_it_took():
    (one,) = said(lambda: pd.Series([1.0, None, 2.0] * 1000).interpolate(limit=1))
    assert re.fullmatch(r"Series.interpolate ran in pandas: .+ \([\d.]+ m?s, 24 kB\)", str(one.message))
    assert one.filename == __file__


def test_windows_report_their_use_not_of_their_making():
    (one,) = said(lambda: pd.Series([1.0, 2.0]).rolling(2, win_type="triang").mean())
    assert str(one.message).startswith("Window.mean ran in pandas")


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


def test_calls_through_numpy_are_at_the_users_line_too():
    frame = pd.DataFrame({"a": [1, 2]})
    for call in (np.mean, np.std, np.sum):
        (one,) = said(lambda call=call: call(frame))
        assert one.filename == __file__


def test_options_that_numpy_hands_on_are_no_fallback():
    s = pd.Series([3.0, 1.0, 2.0])
    with bc.config.set(fallback="error"):
        for call in (np.sum, np.prod, np.mean, np.std, np.var, np.min, np.max, np.any, np.all, np.argmin, np.argmax):
            assert call(s) == call(s.to_pandas()) == call(s, axis=0)


def test_programs_that_make_errors_of_warnings_do_not_know_of_fallbacks():
    s = pd.Series([1.0, None, 2.0])
    bc.accelerate(imports=False)
    try:
        for kind, raises in ((Warning, False), (UserWarning, False), (bc.FallbackWarning, True)):
            with bc.config.set(fallback="warn"), warnings.catch_warnings():
                warnings.simplefilter("error", kind)
                with pytest.raises(bc.FallbackWarning) if raises else contextlib.nullcontext():
                    s.interpolate(limit=1)
    finally:
        bc.accelerate.undo()


def test_pandas_warnings_are_filtered_at_the_users_line():
    deprecated = pandas.errors.Pandas4Warning
    with bc.config.set(fallback="silent"), warnings.catch_warnings():
        warnings.filterwarnings("error", category=deprecated, module=re.escape(__name__))
        for call in (
            lambda: pd.date_range("2020", periods=2, freq="d"),
            lambda: pd.DatetimeIndex(["2020"], dayfirst=True),
        ):
            with pytest.raises(deprecated):
                call()


def test_pandas_is_left_as_it_is():
    find = pandas.util._exceptions.find_stack_level
    assert find.__code__.co_filename.startswith(pandas.__path__[0])


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
    "loc": lambda x: x.loc.__setitem__(2.5, 7.0),
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


class Missing(dict):
    def __missing__(self, key):
        return "none"


class Several(list):
    def __init__(self, *values, note="n"):
        super().__init__(values)
        self.note = note


CONTAINERS = {
    "defaultdict": lambda: collections.defaultdict(lambda: "d", {1: "a"}),
    "missing": lambda: Missing({1: "a"}),
    "counter": lambda: collections.Counter([1, 1]),
}


@pytest.mark.parametrize("kind", CONTAINERS)
def test_dicts_of_other_classes_stay_what_they_are(kind):
    with bc.config.set(fallback="silent"):
        found = pd.Series([1, 2]).map(CONTAINERS[kind]())
        assert_same(found, pandas.Series([1, 2]).map(CONTAINERS[kind]()))


def test_containers_are_given_as_they_are_or_of_their_class():
    seen = []
    series, several = pd.Series([1]), Several(1, 2)
    some = collections.defaultdict(list, a=series)
    with bc.config.set(fallback="silent"):
        series.pipe((run_in_pandas, "x"), seen, several, some, [series], Several(series))
    assert seen[0] is several
    assert type(seen[1]) is collections.defaultdict and seen[1].default_factory is list
    assert type(seen[1]["a"]) is pandas.Series and type(seen[2][0]) is pandas.Series
    assert type(seen[3]) is Several and seen[3].note == "n" and type(seen[3][0]) is pandas.Series


def run_in_pandas(seen, *given, x):
    _fallback.run("a call", "a reason", lambda *g: seen.extend(g[1:]), seen, *given)


def test_containers_for_numpy_stay_what_they_are():
    several, some = Several(1, 2), collections.defaultdict(int, a=bc.ones(2))
    assert fallback._to_host(several) is several
    found = fallback._to_host(some)
    assert type(found) is collections.defaultdict and type(found["a"]) is np.ndarray and type(some["a"]) is bc.ndarray


GLOBAL = 1


@pytest.mark.parametrize("name", ["query", "eval", "pd.eval"])
def test_expressions_know_the_names_of_the_caller(name):
    z, unused = 1, pd.Series([1])  # noqa: F841  it is named in a text
    for library in (pandas, pd):
        frame = library.DataFrame({"a": [1, 2, 3]})
        with bc.config.set(fallback="silent"):
            if name == "query":
                assert frame.query("a > @z")["a"].tolist() == [2, 3]
                assert frame.query("a > @GLOBAL").index.tolist() == [1, 2]
                assert frame.query("a > @z", local_dict={"z": 2}).index.tolist() == [2]
                assert (lambda: frame.query("a > @z", level=1).index.tolist())() == [1, 2]
            elif name == "eval":
                assert frame.eval("a + @z + @GLOBAL").tolist() == [3, 4, 5]
                assert frame.eval("b = a + @z", target=frame) is not None
            else:
                assert library.eval("frame.a + z").tolist() == [2, 3, 4]
                assert library.eval("z + GLOBAL") == 2
                assert library.eval("z", local_dict={"z": 7}) == 7
            with pytest.raises(pandas.errors.UndefinedVariableError):
                frame.query("a > @nothing")
    assert unused is not None


def test_attributes_that_compare_by_element_do_not_hinder():
    for held in (np.arange(3), bc.arange(3), pd.Series([1, 2]), pandas.DataFrame({"a": [1]}), [np.ones(2)]):
        s = pd.Series([1.0, None, 3.0])
        s.attrs["x"] = held
        with bc.config.set(fallback="silent"):
            assert s.interpolate().tolist() == [1.0, 2.0, 3.0]
            assert s.attrs["x"] is held


@pytest.mark.parametrize("kind", ["frame", "series", "array"])
def test_nothing_is_shared_off_a_gpu(kind, monkeypatch):
    frame = pd.DataFrame({"a": [1, 2]})
    monkeypatch.setattr(pd.DataFrame, "_device", lambda self: "cuda:0")
    monkeypatch.setattr(pd.Series, "_device", lambda self: "cuda:0")
    before = bc.fallbacks()
    for call in (
        lambda: pd.lreshape(frame, {"x": ["a"]}),
        lambda: frame.to_xarray(),
        lambda: pd.crosstab([1, 2], [frame["a"], frame["a"]]),
    ):
        with bc.config.set(fallback="silent"), pytest.raises(NotImplementedError, match="the data are on cuda:0"):
            call()
    assert bc.fallbacks() == before


def test_properties_of_helpers_run_and_are_counted_inside():
    ran = []

    class Theirs:
        @property
        def total(self):
            ran.append(NOW.depth)
            return 3

        def add(self, n):
            return 3 + n

    helper = Helper(Theirs())
    with bc.config.set(fallback="silent"):
        assert helper.total == 3 and helper.add(1) == 4
    assert ran == [1]
    before = bc.fallbacks()
    assert not hasattr(helper, "nothing") and bc.fallbacks() == before


def test_an_error_of_pandas_comes_alone():
    """The NotNative that made the call fall back to pandas is not shown as a cause of the user's error."""
    df = pd.DataFrame({"k": ["a", "b"], "t": ["x", "y"]})
    with (
        bc.config.set(fallback="silent"),
        pytest.raises(TypeError, match="does not support operation 'mean'") as caught,
    ):
        df.pivot_table(index=df.k == "a", columns="k", values="t", aggfunc="mean")
    assert caught.value.__context__ is None
