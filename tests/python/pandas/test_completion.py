"""Completion after a bracket or an accessor: names that objects list, and what IPython's completer offers."""

import subprocess
import sys
import types

import bascule.pandas as bpd
import pandas as pd
import pytest
from bascule.interop import completion

SETUP = "df = pd.DataFrame({'s': ['a', 'b'], 'beta': [1, 2], 'when': pd.to_datetime(['2020-01-01', '2020-01-02'])})"
IN_IPYTHON = f"""
import sys, warnings
warnings.simplefilter("ignore")
from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("import bascule.pandas as pd\\n" + {SETUP!r})
with provisionalcompleter():
    for text in sys.argv[1:]:
        print(*[c.text.lstrip(".") for c in shell.Completer.completions(text, len(text))])
"""


@pytest.fixture
def df():
    names = {"pd": bpd}
    exec(SETUP, names)
    return names["df"]


def public(x):
    return {name for name in dir(x) if not name.startswith("_")}


def test_accessors_list_the_names_of_pandas(df):
    there = df.to_pandas()
    assert public(there.s.str) <= public(df.s.str)
    assert public(there.when.dt) <= public(df.when.dt)
    assert public(there.s.astype("category").cat) <= public(df.s.astype("category").cat)
    assert public(pd.DataFrame.plot) == public(df.plot) == public(df.s.plot)


def test_pictures_are_listed_before_pandas_is_imported():
    code = "import sys, bascule.pandas as pd; print(*dir(pd.Series([1]).plot)); assert 'pandas' not in sys.modules"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert public(pd.DataFrame.plot) <= set(said.split())


def test_labels_of_columns_are_keys(df):
    assert df._ipython_key_completions_() == df.loc._ipython_key_completions_() == ["s", "beta", "when"]
    assert df.s.loc._ipython_key_completions_() == []


def test_ipythons_completer_may_read_frames_and_series(monkeypatch):
    policy = types.SimpleNamespace(allowed_getattr=set(), allowed_getitem=set())
    guarded = types.ModuleType("IPython.core.guarded_eval")
    guarded.EVALUATION_POLICIES = {"limited": policy}
    monkeypatch.setitem(sys.modules, guarded.__name__, guarded)
    completion.allow(bpd.DataFrame, bpd.Series)
    assert policy.allowed_getattr == policy.allowed_getitem == {bpd.DataFrame, bpd.Series}


def test_another_version_of_ipython_is_left_alone(monkeypatch):
    guarded = types.ModuleType("IPython.core.guarded_eval")
    monkeypatch.setitem(sys.modules, guarded.__name__, guarded)
    completion.allow(bpd.DataFrame)


def test_ipython_completes():
    pytest.importorskip("IPython", reason="IPython is not installed")
    strings = [
        "df.s.str.up",
        "df['s'].str.up",
        "df.when.dt.ye",
        "df.plot.sc",
        "df['be",
        "df.loc[:, 'be",
        "df.be",
        "df.rolling(2).ske",
    ]
    said = subprocess.run([sys.executable, "-c", IN_IPYTHON, *strings], capture_output=True, text=True, check=True)
    expected = ["upper", "upper", "year", "scatter", "beta", "beta", "beta between_time", "skew"]
    assert said.stdout.splitlines()[-len(strings) :] == expected
