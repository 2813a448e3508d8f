"""The pages of docs/: their examples run and print the given output, and their links lead to existing targets."""

import ast
import doctest
import importlib.util
import inspect
import re
import sys
from pathlib import Path

import bascule as bc
import bascule.pandas as pd
import pandas
import pytest
from bascule._array.numpy_versions import since

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"
PAGES = sorted(p for p in [*DOCS.glob("*.md"), *DOCS.glob("from/*.md")])
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SHOWN_ONLY = ("%", "!", "$")  # first characters of lines for notebooks and shells


def name(path):
    return str(path.relative_to(DOCS))


def blocks(path):
    return [m.group(1) for m in BLOCK.finditer(path.read_text())]


WITH_EXAMPLES = [p for p in PAGES if any(">>> " in b for b in blocks(p))]


@pytest.fixture(autouse=True)
def settings_stay(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = {n: getattr(bc.config, n) for n in bc.config.names()}
    yield
    bc.config.set(**before)


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=name)
def test_the_examples_of_a_page_run(page):
    text = "\n".join(b for b in blocks(page) if ">>> " in b)
    test = doctest.DocTestParser().get_doctest(text, {}, name(page), str(page), 0)
    said = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append)
    assert not said, "".join(said)


def test_the_runner_sees_a_wrong_example():
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, 0)
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test, out=lambda text: None).failed == 1


def test_the_pages_that_teach_have_examples():
    wanted = {
        "tour.md",
        "laziness.md",
        "devices.md",
        "frames.md",
        "dask.md",
        "limits.md",
        "performance.md",
        "from/numpy.md",
    }
    assert wanted <= {name(p) for p in WITH_EXAMPLES}


def not_installed(code):
    """The libraries that a program imports, and that are not there."""
    asked = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Import)]
    roots = {alias.name.partition(".")[0] for n in asked for alias in n.names}
    return {r for r in roots if importlib.util.find_spec(r) is None}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_blocks_without_prompts_run(page):
    names, absent = {"bc": bc}, set()
    for block in blocks(page):
        if ">>> " not in block:
            code = "\n".join(line for line in block.splitlines() if not line.startswith(SHOWN_ONLY))
            lacks = not_installed(code)
            if not lacks:
                exec(compile(code, name(page), "exec"), names)
            absent |= lacks
    if absent:
        pytest.skip(f"{', '.join(sorted(absent))} not installed: make users")


PICTURES = [p for p in PAGES if "```{code-cell}" in p.read_text()]


@pytest.mark.parametrize("page", PICTURES, ids=name)
def test_cells_of_pages_run(page):
    """Pages with pictures are notebooks: their cells run in order, each picture drawn and none shown."""
    pyplot = pytest.importorskip("matplotlib.pyplot", reason="matplotlib, of the extra `test`, is not installed")
    pyplot.switch_backend("agg")
    cells, names = CELL.findall(page.read_text()), {}
    for cell in cells:
        exec(compile(cell, name(page), "exec"), names)
    pyplot.close("all")
    assert len(cells) > 5


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda p: p.name)
def test_links_to_files_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text())
    targets = [t.replace("generated/notebooks", "../notebooks") for t in targets]  # which generated pages are copies of
    folder = DOCS if page.parent == DOCS / "from" else page.parent  # these are included by a page one folder higher
    missing = [t for t in targets if "://" not in t and not t.startswith("mailto:") and not (folder / t).exists()]
    assert missing == []


def test_the_readme_counts_what_is_native():
    states = [entry.state for entry in bc.coverage().values()]
    gone = since("row_stack is gone")
    native, all_of_them = states.count("native") + gone, len(states) + gone
    assert f"{native} of {all_of_them} functions of NumPy's namespace" in (ROOT / "README.md").read_text()


def toctrees(text):
    found = re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL)
    return {line for body in found for line in body.splitlines() if line and not line.startswith(":")}


def test_every_page_is_in_the_table_of_contents():
    listed = toctrees((DOCS / "index.md").read_text()) | {"index"}
    pages = {p.stem for p in DOCS.glob("*.md")}
    assert pages <= listed
    assert listed - {"gpu", "deployment"} <= pages


@pytest.fixture
def extensions(monkeypatch):
    """The folder of the scripts that generate the pages."""
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    yield
    for module in ("generated_pages", "reference_lists", "see_also", "pandas_sections"):
        sys.modules.pop(module, None)


def test_what_pages_include_is_generated(extensions, tmp_path):
    import generated_pages

    generated_pages.write(tmp_path, ROOT)
    wanted = set()
    for page in PAGES:
        wanted |= set(re.findall(r"\{include\} generated/(\S+)", page.read_text()))
    assert wanted and [w for w in wanted if not (tmp_path / w).read_text().strip()] == []


def test_the_reference_holds_every_public_name_of_arrays(extensions):
    import reference_lists

    listed = [n for names in reference_lists.arrays().values() for n in names]
    assert len(listed) == len(set(listed))
    everything = {n for n in bc.__all__ if not n.startswith("__")}
    assert {*listed, *reference_lists.of_numpy()} == everything
    import numpy as np

    assert [n for n in reference_lists.of_numpy() if getattr(bc, n) is not getattr(np, n)] == []


def test_pages_name_what_numpy_and_pandas_say_to_see_also(extensions):
    import reference_lists
    import see_also

    frame = see_also.section("bascule.pandas.DataFrame.merge")
    assert [line.partition(" : ")[0].removeprefix("bascule.pandas.") for line in frame[3:-1]] == [
        "merge_ordered",
        "merge_asof",
        "DataFrame.join",
    ]
    assert any(line.startswith("bascule.argsort : ") for line in see_also.section("bascule.sort"))
    assert see_also.section("bascule.explain") == []
    names = [f"bascule.{n}" for group in reference_lists.arrays().values() for n in group]
    having = [n for n in names if see_also.listed(*see_also.counterpart(n))]
    without = [n for n in having if not see_also.section(n)]
    assert len(having) > 150 and len(without) < len(having) / 20, without


def test_pages_of_frames_have_parameters_and_examples_and_say_what_runs_in_pandas(extensions):
    import pandas_sections
    import reference_lists

    fillna = pandas_sections.completed("DataFrame.fillna", pd.DataFrame.fillna, inspect.getdoc(pd.DataFrame.fillna))
    found = pandas_sections.sections(fillna)
    assert {"Parameters", "Notes", "Examples"} <= found.keys()
    assert (
        "value : " in found["Parameters"]
        and "``limit`` other than ``None``" in found["Notes"]
        and ">>> df.fillna(0)" in found["Examples"]
    )
    assert "those of pandas' documentation" in found["Notes"]
    own = pandas_sections.sections(
        pandas_sections.completed("DataFrame.groupby", pd.DataFrame.groupby, inspect.getdoc(pd.DataFrame.groupby))
    )
    assert "Keys become the labels of results, else their first columns." in own["Parameters"]
    without = []
    for name in ("DataFrame", "Series", "Index"):
        cls = getattr(pd, name)
        for member in reference_lists.documented(cls, getattr(pandas, name)):
            thing = inspect.getattr_static(cls, member)
            if not inspect.isfunction(thing) or len(inspect.signature(thing).parameters) < 2:
                continue
            doc = pandas_sections.completed(f"{name}.{member}", thing, inspect.getdoc(thing))
            described = "Parameters\n---" in (
                inspect.getdoc(getattr(getattr(pandas, name), member, None)) or "Parameters\n---"
            )
            without += [f"{name}.{member}"] if described and "Parameters\n---" not in doc else []
    assert without == []
