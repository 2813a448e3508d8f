"""The examples in docstrings of arrays' public names run, warn of nothing and print what they say."""

import doctest
import inspect
import re
from pathlib import Path

import bascule as bc
import numpy as np
import pytest

MODULES = {
    m.__name__: m
    for m in (
        bc, bc.linalg, bc.fft, bc.random, bc.special, bc.lib, bc.lib.stride_tricks, bc.emath, bc.array_api,
        bc.array_api.linalg, bc.array_api.fft,
    )
}  # fmt: skip
CLASSES = {
    f"{c.__module__}.{c.__name__}": c for c in (bc.ndarray, bc.ufunc, bc.random.Generator, bc.random.RandomState)
}


def examples():
    """(name, docstring) of every public thing that has an example, once each."""
    found = {}
    for where, names in (
        *((m, getattr(m, "__all__", None) or dir(m)) for m in MODULES.values()),
        *((c, [n for n in dir(c) if not n.startswith("__")]) for c in CLASSES.values()),
    ):
        for name in names:
            thing = inspect.getattr_static(where, name) if isinstance(where, type) else getattr(where, name)
            doc = thing.__doc__ if isinstance(getattr(thing, "__doc__", None), str) else ""
            if ">>> " in doc and not str(getattr(thing, "__module__", "")).startswith("numpy"):
                found.setdefault(doc, f"{where.__name__}.{name}")
    return sorted((name, doc) for doc, name in found.items())


EXAMPLES = examples()


@pytest.mark.parametrize(("name", "doc"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_example_runs(name, doc):
    test = doctest.DocTestParser().get_doctest(doc, {"bc": bc, "np": np}, name, None, None)
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)


def test_every_part_of_the_interface_has_examples():
    """What was found is what is meant: an empty search would pass, too."""
    start = {name.rpartition(".")[0] for name, _ in EXAMPLES}
    assert {"bascule", "bascule.linalg", "bascule.fft", "bascule.special", "Generator", "ufunc"} <= start
    assert len(EXAMPLES) > 280


def test_what_the_readme_says_of_looking_inside(capsys):
    text = (Path(__file__).resolve().parents[3] / "README.md").read_text()
    program = re.search(r"## Looking inside\n\n```python\n(.*?)```", text, re.DOTALL).group(1)
    with bc.config.set(fp_warnings=bc.config.fp_warnings):
        exec(program, {})
        assert bc.config.fp_warnings == "eager"
    assert capsys.readouterr().out.startswith("pending on cpu: 4 operations, 0 reads of memory, 1 pass; runs when ")
