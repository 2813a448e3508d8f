"""Strings split into lists and columns, and patterns: Arrow's where it means the same as Python, else pandas, counted."""

from __future__ import annotations

import random

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both

RANDOM = random.Random(1)


def words(letters, n=40):
    return [None] + ["".join(RANDOM.choice(letters) for _ in range(RANDOM.randrange(8))) for _ in range(n)]


SERIES = {
    f"{dtype}-{kind}": pandas.Series(data, dtype=dtype, name="w")
    for dtype in ("str", "string")
    for kind, data in (("ascii", words("ab1 \t\n_-Z.")), ("unicode", words("ab1 \t\n_-Zé½٣\xa0ß中")), ("few", ["a b", "a-b", None] * 700))
}  # fmt: skip
PATTERNS = [
    r"\w+", r"\d", r"\s+", r"[\w-]+", r"[^\s]", r"\W", "a|b", "^a", "b$", "a?b", "(a)(b)?", r"(\w)(\d)", r"\Aa", r"1\Z", r"\bZ",
    "[]a]", "(?i)z", r"(?P<x>\w)-(?P<y>.)", r"\.", ".", "a+", r"[^\d]+", r"\\", "(?=a)", "(", "",
]  # fmt: skip
WITH = {
    "contains": lambda s, p: s.str.contains(p),
    "any case": lambda s, p: s.str.contains(p, case=False),
    "match": lambda s, p: s.str.match(p),
    "fullmatch": lambda s, p: s.str.fullmatch(p),
    "count": lambda s, p: s.str.count(p),
    "replace": lambda s, p: s.str.replace(p, "X", regex=True),
    "group": lambda s, p: s.str.replace(p, r"<\1>", regex=True),
    "extract": lambda s, p: s.str.extract(p),
    "one": lambda s, p: s.str.extract(p, expand=False),
    "split": lambda s, p: s.str.split(p),
    "columns": lambda s, p: s.str.split(p, expand=True, regex=True),
    "once": lambda s, p: s.str.split(p, n=1, regex=True, expand=True),
}


@pytest.mark.parametrize("series", SERIES)
@pytest.mark.parametrize("use", WITH)
def test_patterns(series, use):
    for p in PATTERNS:
        both(lambda s: WITH[use](s, p), SERIES[series], fallback="silent")


@pytest.mark.parametrize("series", SERIES)
@pytest.mark.parametrize(
    "part",
    [
        lambda s: s.str.split(), lambda s: s.str.split("a"), lambda s: s.str.split("a", n=1), lambda s: s.str.rsplit("a", n=1),
        lambda s: s.str.split(expand=True), lambda s: s.str.split("a", expand=True), lambda s: s.str.partition("a"),
        lambda s: s.str.rpartition("a"), lambda s: s.str.split("a").str[0], lambda s: s.str.split("a").str[-1],
        lambda s: s.str.split("a").str[7], lambda s: s.str.split("a").str.get(1), lambda s: s.str.split("a").str.join("-"),
        lambda s: s.str.split("a").str[1:], lambda s: s.str.split().str.len() if s.dtype == "str" else s,
        lambda s: s.str.split("a").iloc[::-1].str[0], lambda s: s.str.split("a").dropna().str.len(), lambda s: s.str[-2:],
        lambda s: s.str.find("b"), lambda s: s.str.find("é"), lambda s: s.str.repeat(2), lambda s: s.str.slice_replace(1, 2, "Q"),
        lambda s: s.str.startswith(("a", "b")), lambda s: s.str.startswith("a", na=True), lambda s: s.str.startswith(()),
        lambda s: s.str.replace({"a": "x", "b": "y"}), lambda s: s.str.cat(sep=",", na_rep="?"), lambda s: s.str.cat(sep=","),
    ],
    ids=range(28),
)  # fmt: skip
def test_parts_need_no_pandas(series, part):
    both(part, SERIES[series])


def test_what_arrow_means_otherwise_is_counted():
    series = pd.Series(["ab", "cd"])
    for call in (lambda: series.str.contains("(?=a)"), lambda: series.str.replace("a*", "x", regex=True)):
        bc.fallbacks(reset=True)
        with bc.config.set(fallback="silent"):
            call()
        assert len(bc.fallbacks()) == 1


def test_wrong_arguments():
    for call in (
        lambda s: s.str.pad("x"), lambda s: s.str.pad(5, fillchar="xx"), lambda s: s.str.find(1), lambda s: s.str.split(expand=5),
        lambda s: s.str.upper(3), lambda s: s.str.nothing(), lambda s: s.str.index("zz"), lambda s: s.str.replace("a", 5),
        lambda s: s.str.partition(""), lambda s: s.str.normalize("x"), lambda s: list(s.str), lambda s: s.str.repeat(-1),
    ):  # fmt: skip
        both(call, SERIES["str-ascii"], fallback="silent")
    for data in ([1, 2], [1.5, None], [True, False]):
        both(lambda s: s.str.upper(), pandas.Series(data, dtype=object), fallback="silent")


@pytest.mark.parametrize("call", ["upper()", "split('b', expand=True)", "extract('(a)(b)')", "split('b')", "wrap(1)"])
def test_what_a_series_carries_its_strings_carry(call):
    for m in (pandas, pd):
        s = m.Series(["abc", "ab"])
        s.attrs["unit"] = "m"
        with bc.config.set(fallback="silent"):
            assert eval(f"s.str.{call}").attrs == s.attrs


PATTERNS = [
    "a{,2}b",
    "([[:alpha:]]+)",
    "[[:alpha:]]",
    r"a\{,2}b",
    "([]a(]+)",
    r"(\[+)([^](]*)",
    "(?P<x>a)(?:b)?(b)",
    "(?P<y>[(>]+)(a)",
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("pat", PATTERNS)
def test_patterns_mean_what_python_means(pat):
    s = pandas.Series(["aab", "a{,2}b", "[:al]", "x](a", "[[b", "ab", "(>a", None])
    both(lambda s: s.str.contains(pat), s, fallback="silent")
    both(lambda s: s.str.count(pat), s, fallback="silent")
    both(lambda s: s.str.replace(pat, "_", regex=True), s, fallback="silent")
    both(lambda s: s.str.extract(pat), s, fallback="silent")


@pytest.mark.parametrize("dtype", ["str", "string"])
@pytest.mark.parametrize("name", ["split", "rsplit", "partition", "rpartition"])
@pytest.mark.parametrize("rows", [[None, None], [], [None]], ids=str)
def test_parts_of_no_text_at_all(name, rows, dtype):
    s = pandas.Series(rows, dtype=dtype, index=range(5, 5 + len(rows)))
    for options in ({}, {"expand": True}, {"expand": False}):
        both(lambda s: getattr(s.str, name)(**options), s, fallback="silent")
    both(lambda s: getattr(s.str, name)("x", expand=False), s, fallback="silent")


@pytest.mark.parametrize("na_rep", [5, "x", None, float("nan")])
def test_cat_with_a_stand_in_of_any_type(na_rep):
    for rows in (["a", None], ["a", "b"]):
        both(lambda s: s.str.cat(na_rep=na_rep), pandas.Series(rows), fallback="silent")


PATTERNS = [
    "special.*requests", "quick", "q", "über.*naïve.*9", "z", "a.b", ".*", "x.*", "", "special.*special", "9.*9", "requests.*special",
]  # fmt: skip


@pytest.mark.parametrize("ends_of_lines", [False, True])
def test_patterns_in_strings_of_which_most_are_different(ends_of_lines):
    words = ["special", "requests", "quick", "über", "naïve", "9", "aXb", "a\nb"][: 8 if ends_of_lines else 7]
    random = np.random.default_rng(0)
    values = [" ".join(random.choice(words, random.integers(0, 7))) + str(i) for i in range(3000)]
    s = pandas.Series([None, "", *values])
    for pattern in PATTERNS:
        both(lambda s: s.str.contains(pattern), s, fallback="silent")
        both(lambda s: s.str.contains(pattern, regex=False, na=True), s)
        both(lambda s: s.str.startswith((pattern, "q")), s)
        both(lambda s: s.str.endswith(pattern), s)
        both(lambda s: s.str.find(pattern), s)
    for pattern in ("9", "special", "ü"):
        both(lambda s: s.str.count(pattern), s)
    both(lambda s: s.str.len(), s)
    both(lambda s: s.str.len(), s[s.str.contains("^[ -~]*$", na=False)])


def test_beginnings_that_are_not_all_text():
    many = pandas.Series([f"a{i}" for i in range(3000)])
    for ends in (("a", 1), ("a", None), (), ("a", "b")):
        both(lambda s: s.str.startswith(ends), many, fallback="silent")
        both(lambda s: s.str.endswith(ends), many, fallback="silent")
