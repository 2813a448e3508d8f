"""`.str` of objects that are strings, of series and of labels, and the regular expressions that run without pandas."""

from __future__ import annotations

import re

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both

ROWS: dict[str, list] = {
    "plain": ["a b", "Cc_1", " xX ", "a_ab"],
    "none": ["a_b", None, "ab"],
    "nan": ["a_b", np.nan, "ab1"],
    "other": ["é ß", "日本"],
    "empty": [],
}
CALLS: list[tuple] = [
    ("upper",), ("title",), ("len",), ("strip",), ("strip", " x"), ("zfill", 5), ("center", 7), ("slice", 1, 3), ("get", 1), ("get", 9),
    ("startswith", "a"), ("startswith", "a", True), ("endswith", ("b", " ")), ("contains", "A", False), ("match", "a"), ("fullmatch", "a.b"),
    ("replace", "a", "Z"), ("removeprefix", "a"), ("repeat", 2), ("count", "a"), ("find", "b"), ("rfind", "b"), ("split",), ("split", "_"),
    ("rsplit", "_"), ("extract", "(a)(.)?"), ("isalpha",), ("isdigit",), ("join", "-"), ("join", "\\1"), ("findall", "a|b"), ("findall", "(a)b?"),
]  # fmt: skip
_ARROW_DIFFERS = {("other", "upper"), ("other", "title"), ("other", "isalpha"), ("other", "isdigit")}


@pytest.mark.parametrize("kind", ROWS)
def test_objects_that_are_strings(kind: str) -> None:
    series = pandas.Series(ROWS[kind], dtype=object, name="n")
    for name, *given in CALLS:
        how = "silent" if (kind, name) in _ARROW_DIFFERS else "error"
        both(lambda s: getattr(s.str, name)(*given), series, fallback=how)
        if not (kind in ("none", "nan") and name in ("extract", "findall")):
            both(lambda i: getattr(i.str, name)(*given), pandas.Index(series, dtype=object), fallback=how)
    for pattern in ("_", "b"):
        both(lambda s: s.str.split(pattern, expand=True), series, fallback="silent" if kind == "empty" else "error")
    if kind != "empty":
        both(lambda s: s.str.partition("_"), series)
        both(lambda s: s.str.extract("(?P<q>a)", expand=False), series)


@pytest.mark.parametrize(
    "values", [["a", 1, None], ["a", 1.5], ["a", pandas.NA], ["a", None, np.nan], [None, None]], ids=str
)
def test_other_objects_are_left_to_pandas(values: list) -> None:
    both(lambda s: s.str.upper(), pandas.Series(values, dtype=object), fallback="silent")
    both(lambda s: s.str.len(), pandas.Series(values, dtype=object), fallback="silent")
    both(lambda i: i.str.upper(), pandas.Index(values, dtype=object), fallback="silent")


REGULAR: list[tuple[str, tuple, dict]] = [
    ("findall", ("A",), {"flags": re.I}), ("findall", ("é",), {}), ("rindex", ("b",), {}), ("extract", ("(a)?(_)",), {}),
    ("extract", ("([ab])?(_)?",), {}), ("extract", ("(A)",), {"flags": re.I}), ("extract", (re.compile("(A)", re.I),), {}),
    ("extract", ("(a)|(b)",), {}), ("replace", (re.compile("A", re.I), "<>"), {"regex": True}), ("replace", ("A", "<>"), {"case": False}), ("replace", ("(?P<q>a)(.)", r"\2\g<q>"), {"regex": True}),
    ("replace", (".", " "), {"case": False}), ("replace", ("A", "x"), {"flags": re.I, "regex": True}),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["str", "string", "object"])
def test_regular_expressions(dtype: str) -> None:
    series = pandas.Series(["a_b", None, "ab", "b-é"], dtype=dtype)
    for name, given, options in REGULAR:
        s = series.str.cat(["b"] * 4) if name == "rindex" else series
        both(lambda s: getattr(s.str, name)(*given, **options), s)


@pytest.mark.parametrize("pattern", ["a*", "(?=a)", "(a)?b", "^a", "(a)(b)"])
def test_expressions_that_only_python_has(pattern: str) -> None:
    both(lambda s: s.str.findall(pattern), pandas.Series(["ab", "b", "a\x02b"]), fallback="silent")


@pytest.mark.parametrize("labels", [[1, 2], [1, 2.5], [0.5], [True], [pandas.Interval(0, 1)]], ids=str)
def test_labels_that_are_no_strings_have_no_such_methods(labels: list) -> None:
    for x in (pandas.Index(labels, dtype=object), pandas.Index(labels)):
        both(lambda i: i.str, x, fallback="silent")


def test_a_wrong_replacement_is_refused_without_pandas() -> None:
    with bc.config.set(fallback="error"), pytest.raises(TypeError, match="repl must be a string or callable"):
        pd.Series(["a"]).str.replace("a", 5)


@pytest.mark.parametrize("dtype", ["str", "string", "object"])
def test_classes_of_what_is_not_of_another(dtype: str) -> None:
    series = pandas.Series(["a b", None, "ab1", " \t", "é\xa0_", ""], dtype=dtype)
    for pattern in (r"[\S]", r"[^\S]", r"[\W]", r"[^\W]x?", r"[\D]", r"[^\D]", r"a[^\S]b"):
        both(lambda s: s.str.contains(pattern), series)
        both(lambda s: s.str.fullmatch(pattern), series)
        both(lambda s: s.str.count(pattern), series)
        both(lambda s: s.str.replace(pattern, "<>", regex=True), series)
    for pattern in (r"[^\S,]", r"[\S\d]", r"[\s\S]"):
        both(lambda s: s.str.contains(pattern), series, fallback="silent")


def test_options_alongside_a_compiled_pattern() -> None:
    pattern = re.compile("a")
    for dtype in ("object", "str"):
        for options in ({"case": False}, {"flags": re.I}):
            both(
                lambda s: s.str.contains(pattern, **options), pandas.Series(["a", "A"], dtype=dtype), fallback="silent"
            )
