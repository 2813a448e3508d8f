"""The tables of arguments that methods are native with: of pandas' parameters, with their defaults, as reasons and in the coverage."""

from __future__ import annotations

import fnmatch
import inspect
import io
import re

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pytest
from bascule.pandas._fallback.native import Arguments, NotNative, native

COVERAGE = pd.coverage()
WITH_TABLES = [name for name in COVERAGE if COVERAGE.arguments(name)]


def function_of(name):
    member = COVERAGE._member(name)
    return getattr(member, "fget", None) or getattr(member, "__func__", member)


def test_many_methods_have_a_table():
    assert len(WITH_TABLES) > 100


@pytest.mark.parametrize("name", WITH_TABLES)
def test_defaults_are_native(name):
    function = function_of(name)
    defaults = {k: p.default for k, p in inspect.signature(function).parameters.items() if p.default is not p.empty}
    table = function.__bascule_arguments__
    table.check((), {k: v for k, v in defaults.items() if k in table.native})


@pytest.fixture
def table():
    def method(self, x, kind="a", *, limit=None, sort=True, n=1):
        return None

    return Arguments(method, {"kind": ("a", "b"), "limit": None, "sort": True, "n": lambda n: n > 0}, 1)


@pytest.mark.parametrize(
    ("args", "kwargs", "reason"),
    [
        ((0,), {}, None),
        ((0, "b"), {"limit": None, "sort": 1, "n": 2}, None),
        ((0, "c"), {}, "kind="),
        ((0,), {"kind": "c", "limit": 3}, "kind="),
        ((0,), {"limit": 0}, "limit="),
        ((0,), {"sort": False}, "sort="),
        ((0,), {"n": 0}, "n="),
    ],
)
def test_the_first_argument_with_another_value_is_the_reason(table, args, kwargs, reason):
    if reason is None:
        table.check(args, kwargs)
        return
    with pytest.raises(NotNative, match=reason):
        table.check(args, kwargs)


def test_a_table_has_parameters_only():
    with pytest.raises(ValueError, match="not in tuple"):

        @native(limit=None)
        def method(self, n):
            return n


def test_reasons_and_coverage_are_the_table():
    frame = pd.DataFrame({"a": [1.0, np.nan, 3.0]})
    with bc.config.set(fallback="error"):
        frame.interpolate(method="linear", axis=0)
        for options in ({"limit": 1}, {"method": "nearest"}, {"inplace": True}):
            (name,) = options
            with pytest.raises(NotImplementedError, match=f"{name}="):
                frame.interpolate(**options)
            assert name in COVERAGE.arguments("DataFrame.interpolate")
    assert COVERAGE.arguments("Series.dt.day_name") == {"locale": "None"}
    assert COVERAGE.arguments("pandas.get_dummies") == {"sparse": "False"}
    assert COVERAGE.arguments("DataFrame.stack")["sort"] == "not given"
    assert COVERAGE.arguments("DataFrame.abs") == {}


@pytest.mark.filterwarnings("ignore")  # of pandas, about the arguments
@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("DataFrame.merge", lambda df: df.merge(df, on="a", copy=False)),
        ("DataFrame.merge", lambda df: df.merge(df, on="a", how="left_anti")),
        ("pandas.concat", lambda df: pd.concat([df, df], keys=["p", "q"], verify_integrity=True)),
        ("DataFrame.fillna", lambda df: df.fillna(0.0, limit=1)),
        ("DataFrame.sort_values", lambda df: df[["a", "b"]].sort_values(0, axis=1)),
        ("DataFrame.interpolate", lambda df: df.interpolate(limit=1)),
        ("pandas.read_csv", lambda df: pd.read_csv(io.StringIO("a,b\n1,2\n"), na_values={"a": ["1"]})),
        ("Series.map", lambda df: df.a.map({})),
        ("Series.str.contains", lambda df: pd.Series(["x"]).str.contains("(?=x)")),
        ("Series.str.find", lambda df: pd.Series(["x"]).str.find("x", 1)),
        ("Series.astype", lambda df: pd.Series(["1", " 2"]).astype(int)),
        ("Index.infer_objects", lambda df: pd.Index([1, "a"], dtype=object).infer_objects()),
        ("DatetimeIndex.freq", lambda df: setattr(pd.DatetimeIndex(df.when), "freq", "D")),
        ("DataFrameGroupBy.ngroup", lambda df: df.groupby([[1, "a", 2]]).ngroup()),
        ("MultiIndex.nbytes", lambda df: pd.MultiIndex.from_tuples([(1, 2)]).nbytes),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_a_call_that_falls_back_has_a_reason_of_the_coverage(name, call):
    df = pd.DataFrame({"a": [1.0, np.nan, 3.0], "b": [4.0, 5.0, 6.0], "when": pd.date_range("2020-01-01", periods=3)})
    entry = COVERAGE.entry(name)
    known = [f"{a}=" for a in entry.arguments] + entry.reasons
    with bc.config.set(fallback="silent"):
        bc.fallbacks(reset=True)
        call(df)
        (found,) = {f["reason"] for f in bc.fallbacks(reset=True)}
    assert any(fnmatch.fnmatchcase(found, k.replace("[", "[[]").replace("…", "*")) for k in known), (found, known)


def test_every_member_in_part_has_a_reason():
    entries = [COVERAGE.entry(name) for name in COVERAGE.names("in part")]
    assert len(entries) > 1000
    assert not [e.name for e in entries if not e.reasons and not e.arguments]


def test_what_only_hands_out_rows_again_is_native():
    assert {COVERAGE[name] for name in ("DataFrame.copy", "Series.to_frame", "Series.tail", "Series.between")} == {
        "native"
    }


def test_a_member_that_gives_members_says_where_their_reasons_are():
    (reason,) = COVERAGE.entry("Series.rolling").reasons
    assert re.fullmatch("[0-9]+ of the [0-9]+ members of its result, each for reasons of its own: see Rolling", reason)
    assert "a key of this kind" in COVERAGE.entry("DataFrame.loc").reasons


def test_reasons_of_strings_are_about_parameters_of_the_method():
    known = "pat= that is compiled, with other options"
    assert known in COVERAGE.entry("Series.str.contains").reasons
    assert known not in COVERAGE.entry("Series.str.upper").reasons


def test_an_entry_is_of_one_member():
    assert COVERAGE.entry("concat").name == "pandas.concat"
    assert (
        COVERAGE.entry("DataFrame.to_xml").reasons == []
        and repr(COVERAGE.entry("DataFrame.to_xml")) == "DataFrame.to_xml: fallback"
    )
    assert (
        "how='outer'" not in COVERAGE.entry("merge").reasons
    )  # which is a reason against a join in parts, not a fallback
    with pytest.raises(KeyError, match="'DataFrame.merge'[?]"):
        COVERAGE.entry("DataFrame.merg")
