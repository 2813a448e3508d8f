"""Output and completion in terminals and notebooks. Representations of arrays: NumPy's text with all print options, tables for notebooks, pending operations."""

import re
import xml.etree.ElementTree as ET

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


# ---- Representations of arrays: NumPy's text with all print options, tables for notebooks, pending operations


ARRAYS = {
    "numbers": np.array([[1.5, -2.25, np.nan], [1e-9, np.inf, 3e12]]),
    "floats": np.linspace(-3, 3, 2500).reshape(50, 50).astype("f4"),
    "halves": np.linspace(-3, 3, 7).astype("f2"),
    "integers": np.arange(-600, 600).reshape(3, 4, 100),
    "bytes": np.arange(40, dtype="u1"),
    "truth": np.array([True, False]),
    "complex": np.array([1 + 2j, -0.5j, complex(np.nan, np.inf)]),
    "dates": np.array(["2001-02-03T04", "NaT"], "M8[h]"),
    "durations": np.array([[3], [-4]], "m8[ms]"),
    "zero": np.array(2.5),
    "empty": np.zeros((0, 3), "i4"),
    "nothing": np.zeros((2, 0)),
    "deep": np.arange(16.0).reshape(2, 2, 2, 2),
    "long": np.arange(100_000) / 7,
}
OPTIONS = [
    {}, {"precision": 2}, {"suppress": True}, {"threshold": 5, "edgeitems": 1}, {"threshold": 0, "edgeitems": 0},
    {"linewidth": 40}, {"nanstr": "nix", "infstr": "viel"}, {"sign": "+"}, {"floatmode": "fixed", "precision": 3},
    {"formatter": {"float_kind": "<{:.1f}>".format}}, {"legacy": "1.13"},
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options) or "none")
@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("who", [np, bc], ids=["numpy's options", "bascule's options"])
def test_text_is_numpys_under_every_option(name, options, who):
    theirs = ARRAYS[name]
    ours = bc.asarray(theirs)
    with who.printoptions(**options):
        assert who.get_printoptions() == np.get_printoptions()
        assert (str(ours), repr(ours), f"{ours!s:>20}") == (str(theirs), repr(theirs), f"{theirs!s:>20}")


@pytest.mark.parametrize("legacy", [False, "1.25"])
@pytest.mark.parametrize("kind", ["f8", "f4", "f2", "i8", "u1", "?", "c16", "c8", "M8[D]", "m8[s]"])
def test_scalars_are_shown_as_numpys(kind, legacy):
    theirs = np.array([6, 1, 0]).astype(kind)
    ours = bc.asarray(theirs)
    with np.printoptions(legacy=legacy):
        for show in (lambda x: repr(x[0]), lambda x: str([x[1], {2: x.max()}]), lambda x: f"{x[2]} {x[2]!r}"):
            assert show(ours) == show(theirs)
        assert repr(ours[0, ...]) == repr(theirs[0, ...])


def test_options_are_one_for_both_libraries():
    old = np.get_printoptions()
    try:
        bc.set_printoptions(precision=3)
        assert repr(bc.asarray([2 / 3])) == repr(np.asarray([2 / 3])) == "array([0.667])"
        np.set_printoptions(precision=1)
        assert repr(bc.asarray([2 / 3])) == "array([0.7])" and bc.get_printoptions()["precision"] == 1
    finally:
        np.set_printoptions(**old)


def test_text_of_what_waits_and_of_views():
    theirs = np.arange(60_000.0).reshape(300, 200)
    ours = bc.asarray(theirs)
    for wait in (lambda x: x * 2 + 1, lambda x: (x + 1)[::-1, ::7], lambda x: x.T, lambda x: (x - 1).sum(axis=0)):
        assert repr(wait(ours)) == repr(wait(theirs))


# ---- notebooks


def cells(x):
    """(the line above, header, rows) of the table of an array."""
    root = ET.fromstring(x._repr_html_())
    line, table = root.find("p").text, root.find("table")
    read = lambda tr: ["".join(c.itertext()) for c in tr]
    return line, read(table.find("thead/tr")), [read(tr) for tr in table.find("tbody")]


@pytest.mark.parametrize("name", [n for n, a in ARRAYS.items() if a.ndim == 2 and 0 < a.size < 1000])
def test_a_grid_shows_every_element_as_numpy_prints_it(name):
    theirs = ARRAYS[name]
    line, head, rows = cells(bc.asarray(theirs))
    printed = str(theirs).replace("[", " ").replace("]", " ").split()
    assert line == f"shape {theirs.shape}, {theirs.dtype}, cpu, {theirs.nbytes:,} bytes"
    assert head == ["", *map(str, range(theirs.shape[1]))]
    assert [r[0] for r in rows] == [str(i) for i in range(len(theirs))]
    assert [t for r in rows for t in r[1:]] == printed


def test_a_line_is_cut_into_rows_of_ten():
    _, head, rows = cells(bc.arange(23))
    assert head == ["", *map(str, range(10))]
    assert rows == [[str(k), *map(str, range(k, min(k + 10, 23)))] for k in (0, 10, 20)]
    assert cells(bc.asarray(ARRAYS["dates"]))[2] == [["0", "'2001-02-03T04'", "'NaT'"]]


def test_what_numpy_leaves_out_is_left_out():
    _, head, rows = cells(bc.arange(5000.0))
    assert head == ["", "0", "1", "2", "…", "4997", "4998", "4999"]
    assert rows == [["0", "0.000e+00", "1.000e+00", "2.000e+00", "…", "4.997e+03", "4.998e+03", "4.999e+03"]]
    with bc.printoptions(threshold=9, edgeitems=1):
        _, head, rows = cells(bc.arange(20).reshape(10, 2))
        assert head == ["", "0", "1"] and rows == [["0", "0", "1"], ["…", "…", "…"], ["9", "18", "19"]]
        assert cells(bc.arange(30).reshape(3, 10))[2] == [["0", "0", "…", "9"], ["…"] * 4, ["2", "20", "…", "29"]]
    with bc.printoptions(threshold=0, edgeitems=0):
        assert cells(bc.arange(4))[1:] == (["", "…"], [["0", "…"]])
        assert cells(bc.ones((2, 2)))[1:] == (["", "…"], [["…", "…"]])


@pytest.mark.parametrize("shape", [(0,), (2, 0), (0, 2)])
def test_a_table_without_elements(shape):
    line, head, rows = cells(bc.zeros(shape))
    assert line == f"shape {shape}, float64, cpu, 0 bytes"
    assert len(head) == 1 + (shape[1] if len(shape) == 2 else 0) and len(rows) == shape[0]


def test_more_axes_are_text_and_scalars_have_no_table():
    deep = bc.asarray(ARRAYS["deep"])
    assert ET.fromstring(deep._repr_html_()).find("pre").text == str(deep)
    assert not hasattr(bc.ones(3).sum(), "_repr_html_") and bc.asarray(2.5)._repr_html_() is None
    with bc.printoptions(formatter={"float_kind": "<b>{:.0f}</b>".format}):
        assert cells(bc.ones(1))[2] == [["0", "<b>1</b>"]]


def test_a_table_of_the_reference_device_names_it():
    with bc.device("reference"):
        assert cells(bc.arange(3) + 1)[0] == "shape (3,), int64, reference, 24 bytes"


# ---- pending operations of an array


def test_explain_of_a_pass():
    x = bc.asarray(np.arange(50_000.0))
    y = bc.sqrt(x) * 2 + x
    found = bc.explain(y)
    assert found == bc.explain(y) and bc._core.is_pending(y)  # explaining computes nothing
    head, *steps = found.splitlines()
    assert re.match(r"pending on cpu: 3 operations, \d reads of memory, 1 pass; runs when ", head)
    assert [re.match(r"  %(\d) = (\w+)\((.*?)\)  float64\(50000,\)", s).groups() for s in steps] == [
        ("0", "sqrt", "memory float64"), ("1", "multiply", "%0, int64 constant"), ("2", "add", "%1, memory float64"),
    ]  # fmt: skip
    assert steps[2].endswith("held") and not steps[1].endswith("held")
    bc.evaluate(y)
    assert bc.explain(y) == "in memory: float64(50000,) on cpu\n"


def test_explain_counts_passes():
    x = bc.asarray(np.arange(50_000.0)) + 1
    total = x.sum(keepdims=True)
    assert " 1 pass;" in bc.explain(total) and "over (50000,)" in bc.explain(total)
    assert " 2 passes;" in bc.explain(x - total)


def test_explain_of_several():
    a, b = bc.ones(100_000) + 1, bc.zeros(3)
    both = bc.explain([a, b])
    assert both == bc.explain(a) + "\n" + bc.explain(b) and both.count("pending") == 1 == both.count("in memory")
    with pytest.raises(TypeError, match=r"\[explain\] expected a bascule array or frame, got int"):
        bc.explain(3)
