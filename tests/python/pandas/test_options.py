"""Options that change the text of frames and series are kept until pandas is imported, and the text is pandas' under each."""

import subprocess
import sys

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule.pandas import _plain_text as plain_text
from bascule.pandas._fallback import options

RNG = np.random.default_rng(0)
FRAMES = {
    "wide": pandas.DataFrame(RNG.normal(size=(5, 30)), columns=[f"column_{i}" for i in range(30)]),
    "long": pandas.DataFrame(
        {
            "a": np.arange(200),
            "f": RNG.normal(size=200) * 10.0 ** RNG.integers(-3, 9, 200),
            "s": ["word " * i for i in range(200)],
        }
    ),
    "mixed": pandas.DataFrame(
        {"x": [1, None, 3.5], "y": ["a" * 70, None, "c"], "z": [True, False, True], "o": [1.23456789, "b", None]},
        index=["r1", "r2", "r3"],
    ),
    "levels": pandas.DataFrame(
        RNG.random((6, 6)),
        columns=pandas.MultiIndex.from_product([["a", "b"], [1, 2, 3]]),
        index=pandas.MultiIndex.from_product([["u", "v"], [0, 1, 2]], names=["p", "q"]),
    ),
    "float labels": pandas.DataFrame({"v": [1.5, 2.25]}, index=[0.5, 1.25]),
}
SETTINGS = {
    "the default": {"display.max_rows": 60},
    "all columns": {"display.max_columns": None},
    "all columns in a wide window": {"display.max_columns": None, "display.width": 200},
    "all columns in a line": {"display.max_columns": None, "display.expand_frame_repr": False},
    "columns in a line": {"display.expand_frame_repr": False},
    "four columns": {"display.max_columns": 4},
    "five columns and eight rows": {"display.max_columns": 5, "display.max_rows": 8},
    "one column": {"display.max_columns": 1},
    "all rows": {"display.max_rows": None},
    "20 rows": {"display.max_rows": 20, "display.min_rows": None},
    "seven rows": {"display.max_rows": 7},
    "few rows of many": {"display.min_rows": 4},
    "rows by the terminal": {"display.max_rows": 0},
    "many of both": {"display.max_rows": 500, "display.max_columns": 500},
    "two digits": {"display.precision": 2},
    "ten digits": {"display.precision": 10},
    "no digits": {"display.precision": 0},
    "a format": {"display.float_format": "{:,.2f}".format},
    "a function": {"display.float_format": lambda x: f"<{x}>"},
    "short values": {"display.max_colwidth": 20},
    "long values": {"display.max_colwidth": None},
    "narrow": {"display.width": 40, "display.max_columns": None},
    "width by the terminal": {"display.width": None, "display.max_columns": None},
}
PANDAS_OWN = {"one column", "rows by the terminal", "no digits", "width by the terminal"}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("setting", SETTINGS)
def test_text(setting, frame, monkeypatch):
    theirs, given = FRAMES[frame], SETTINGS[setting]
    ours = pd.DataFrame(theirs)
    monkeypatch.setattr(options, "_given", dict(given))
    with pandas.option_context(*[x for pair in given.items() for x in pair]):
        found = plain_text.frame_text(ours)
        assert found == repr(theirs) or found is None
        whole = plain_text.whole_text(ours, {})
        assert whole is None or whole == theirs.to_string()
        for name in theirs.columns:
            text = plain_text.series_text(ours[name])
            assert text is None or text == repr(theirs[name])


@pytest.mark.parametrize("setting", sorted(SETTINGS.keys() - PANDAS_OWN))
def test_the_text_needs_no_pandas(setting, monkeypatch):
    monkeypatch.setattr(options, "_given", dict(SETTINGS[setting]))
    for name in ("wide", "long"):
        assert plain_text.frame_text(pd.DataFrame(FRAMES[name])) is not None


PROGRAM = """
import sys
import bascule.pandas as pd
pd.set_option("display.max_rows", 7, "display.precision", 3)
pd.options.display.width = 90
with pd.option_context("display.max_columns", 3):
    assert pd.get_option("display.max_columns") == pd.options.display.max_columns == 3
assert pd.get_option("display.max_columns") == 0
assert "pandas.core.frame" not in sys.modules
import pandas
assert [pandas.get_option("display." + n) for n in ("max_rows", "precision", "width")] == [7, 3, 90]
pandas.set_option("display.max_rows", 8)
assert pd.get_option("display.max_rows") == pd.options.display.max_rows == 8
pd.options.display.max_rows = 9
assert pandas.options.display.max_rows == 9
pd.reset_option("all")
assert pandas.get_option("display.precision") == 6
"""


def test_they_are_given_to_pandas_when_it_is_imported():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "given",
    [
        ("display.max_rows", -1),
        ("display.nothing", 1),
        (),
        ("display.max_rows",),
        ("display.precision", "x"),
        ("max", 1),
    ],
)
def test_what_pandas_refuses(given):
    with pytest.raises(Exception) as theirs:
        pandas.set_option(*given)
    with pytest.raises(theirs.type) as ours:
        pd.set_option(*given)
    assert str(ours.value) == str(theirs.value)
    program = f"import bascule.pandas as pd\ntry: pd.set_option(*{given!r})\nexcept Exception as e: print(type(e).__name__, e)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == f"{theirs.type.__name__} {theirs.value}", done.stderr
