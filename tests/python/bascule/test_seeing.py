"""Output and completion in terminals and notebooks."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pytest


def test_dir_holds_what_can_be_asked_for():
    names = set(dir(bc))
    assert {"pi", "nan", "newaxis", "float64", "inf", "e", "sin", "linalg", "DataFrame"} - names == {"DataFrame"}
    assert [n for n in names if not hasattr(bc, n)] == []


def test_dir_has_all_of_numpys_names():
    modules = {n for n in np.__all__ if isinstance(getattr(np, n), type(np))}
    missing = {*np.__all__} - modules - set(dir(bc))
    assert [n for n in missing if hasattr(bc, n)] == []
    assert {"matrix", "busday_count", "char", "ma", "frompyfunc"} <= set(dir(bc))


def test_columns_complete():
    df = pd.DataFrame({"apple": [1], "two words": [2], 3: [4]})
    assert df._ipython_key_completions_() == ["apple", "two words", 3]
    assert "apple" in dir(df) and "two words" not in dir(df)


def test_an_explanation_shows_itself_as_it_is_printed():
    x = bc.evaluate(bc.ones((1000, 1000)))
    said = bc.explain((x * 2 + 1).sum(axis=0))
    assert isinstance(said, str) and repr(said) == str(said) and "\\n" not in repr(said)


def test_an_explanation_is_a_tree_in_notebooks():
    x = bc.evaluate(bc.ones((1000, 1000)))
    html = bc.explain((x * 2 + 1).sum(axis=0))._repr_html_()
    order = [html.index(f"<b>{op}</b>") for op in ("sum", "add", "multiply")]
    assert order == sorted(order)  # the last operation is the root
    assert html.count("<ul>") == html.count("</ul>") == 4
    assert "memory float64" in html and "&lt;" not in html


def test_what_is_used_twice_is_drawn_once():
    x = bc.evaluate(bc.ones(100_000))
    y = bc.sin(x)
    html = bc.explain(y * y + y)._repr_html_()
    assert html.count("<b>sin</b>") > html.count("<summary><b>sin</b>") == 1


def test_several_arrays_have_a_tree_each():
    x = bc.evaluate(bc.ones(100_000))
    html = bc.explain([x + 1, x])._repr_html_()
    assert html.count("<div>") == 2 and "in memory: float64(100000,) on cpu" in html


@pytest.mark.parametrize("show", [lambda: bc.ones((2, 3)), lambda: pd.DataFrame({"x": [1.5, 2.5]})])
def test_arrays_and_frames_are_tables_in_notebooks(show):
    html = show()._repr_html_()
    assert "<table" in html and "dataframe" in html


def test_an_array_that_waits_says_so_in_notebooks():
    x = bc.evaluate(bc.ones((1000, 1000)))
    y = x * 2 + 1
    head = "<p>shape (1000, 1000), float64, cpu, 8,000,000 bytes"
    assert y._repr_html_().splitlines()[1] == head + ", waited and was computed to be shown</p>"
    assert y._repr_html_().splitlines()[1] == head + "</p>"
