"""Checks that fewer and fewer expressions of `bascule.pandas` ask for the kind of a column."""

import ast
import importlib.util
from pathlib import Path

import pytest

found = importlib.util.spec_from_file_location("kind_questions", Path(__file__).with_name("kind_questions.py"))
counting = importlib.util.module_from_spec(found)
found.loader.exec_module(counting)
is_question, kind_questions = counting.is_question, counting.kind_questions

LIMIT = 180  # lower it with every change that lowers the number


def test_no_more_expressions_ask_for_the_kind_of_a_column():
    assert kind_questions().total() <= LIMIT, "call a method of the column instead of asking for its kind"


def test_frames_do_not_ask():
    assert [name for name in kind_questions() if name.startswith("_frames/")] == []


def test_the_limit_is_the_number():
    assert kind_questions().total() > LIMIT - 20, "lower LIMIT"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("isinstance(c, Column)", 1),
        ("isinstance(c, (list, HostColumn))", 1),
        ("isinstance(d, (np.dtype, *_MASKED))", 1),
        ("isinstance(c, list)", 0),
        ("c.is_text or c.is_masked or c.dtype.kind in 'iuf'", 3),
        ("is_categories(c) and pandas.api.types.is_bool_dtype(c.dtype)", 2),
        ("p.kind in BY_POSITION", 0),
        ("c.take(rows)", 0),
    ],
)
def test_questions_are_counted(source, expected):
    assert sum(map(is_question, ast.walk(ast.parse(source)))) == expected
