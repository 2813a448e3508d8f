"""The lists of what may run in pandas uncounted: what they name is there, and they do not grow."""

from __future__ import annotations

import ast
from pathlib import Path

import bascule.pandas
import pytest
from pandas_trap import ALLOWED, CALLING, CONVERTING, OURS, THEIRS, Trap

# The number of entries in each list of code that may use pandas uncounted. They only fall.
# A method of each kind of column counts; labels of levels of types that only pandas has are two more.
MOST = {"CALLING": 110, "CONVERTING": 90, "ALLOWED": 19}
VALUES = "values as Python's or NumPy's objects"


def _words(lists):
    return {w for words in lists.values() for w in words.split()}


def _defined(file):
    """The qualified names of the functions and classes of a file."""
    found = set()

    def walk(node, above):
        for child in ast.iter_child_nodes(node):
            inside = above
            if isinstance(child, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
                inside = (*above, child.name)
                found.add(".".join(inside))
            walk(child, inside)

    walk(ast.parse(Path(OURS, file).read_text()), ())
    return found


def test_the_lists_do_not_grow():
    sizes = {"CALLING": len(_words(CALLING)), "CONVERTING": len(_words(CONVERTING)), "ALLOWED": len(ALLOWED)}
    assert all(sizes[k] <= most for k, most in MOST.items()), sizes


@pytest.mark.parametrize("lists", ["CALLING", "CONVERTING"])
def test_what_the_lists_name_is_there(lists):
    gone = []
    for word in sorted(_words({"CALLING": CALLING, "CONVERTING": CONVERTING}[lists])):
        file, _, name = word.partition(":")
        if not Path(OURS, file).exists() or (name and name not in _defined(file)):
            gone.append(word)
    assert gone == []


def test_pandas_files_are_there():
    assert [a for a in ALLOWED if not Path(THEIRS, a.partition(":")[0]).exists()] == []


def test_the_trap_finds_what_runs_uncounted():
    made = bascule.pandas.Series([1, 2], index=["a", "b"])
    trap = Trap()
    trap.start()
    try:
        made.tolist(), list(made), list(made.items()), made["a"], made.at["b"], "a" in made.index, made.to_dict()
    finally:
        trap.stop()
    assert trap.found == set()
    assert VALUES in CALLING
