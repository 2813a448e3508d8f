"""Methods of strings that are Python's own where Arrow has none: findall of any pattern, translate."""

import re

import bascule as bc
import bascule.pandas
import numpy as np
import pandas
import pytest

VALUES = {
    "str": lambda pd: pd.Series(["item 1, red", "Éa b b", "", None, "foo bar baz", "a|b|a", "x|y", "aaa"]),
    "string": lambda pd: pd.Series(["a|b", None, "foo"], dtype="string"),
    "objects": lambda pd: pd.Series(["a|b", "c", None, "foo bar"], dtype=object),
    "missing": lambda pd: pd.Series([None, None], dtype="str"),
    "no rows": lambda pd: pd.Series([], dtype="str"),
    "many rows": lambda pd: pd.Series([f"item {i % 50} foo{i % 7}|bar" if i % 11 else None for i in range(3000)]),
    "index": lambda pd: pd.Index(["a|b", "c", "foo bar"]),
    "categories": lambda pd: pd.Series(["a|b", "c", "a|b"]).astype("category"),
    "numbers": lambda pd: pd.Series([1, 2]),
    "mixed": lambda pd: pd.Series(["a", 1, None], dtype=object),
}
CALLS = [
    lambda s: s.str.findall(r"\b\w{3}\b"),
    lambda s: s.str.findall(r"(\w)(\w)"),
    lambda s: s.str.findall(r"(a)?b"),
    lambda s: s.str.findall(r"x*"),
    lambda s: s.str.findall(r"(?=b)"),
    lambda s: s.str.findall(r"(?<=a)."),
    lambda s: s.str.findall("a"),
    lambda s: s.str.findall(re.compile("A", re.I)),
    lambda s: s.str.findall("A", flags=re.I),
    lambda s: s.str.findall("("),
    lambda s: s.str.translate({ord("a"): "X"}),
    lambda s: s.str.translate(str.maketrans("ab", "12", "o")),
    lambda s: s.str.translate({97: None}),
    lambda s: s.str.translate({}),
]


def outcome(call, kind, library):
    try:
        found = call(VALUES[kind](library))
    except Exception as e:
        return type(e), str(e)
    return type(found).__name__, str(found.dtype), repr(found), np.asarray(found).tolist().__repr__()


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("call", range(len(CALLS)))
def test_call(call, kind):
    with bc.config.set(fallback="silent"):
        assert outcome(CALLS[call], kind, bascule.pandas) == outcome(CALLS[call], kind, pandas)


@pytest.mark.parametrize("call", [0, 2, 3, 4, 5, 10, 11])
def test_that_are_native(call):
    with bc.config.set(fallback="error"):
        CALLS[call](VALUES["str"](bascule.pandas))
