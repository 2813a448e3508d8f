"""The examples in docstrings of public array functions run, give no warnings and print the given output."""

import doctest
import inspect
import re
from pathlib import Path

import bascule as bc
import pytest

MODULES = {
    m.__name__: m
    for m in (
        bc, bc.linalg, bc.fft, bc.random, bc.special, bc.lib, bc.lib.stride_tricks, bc.emath, bc.array_api,
        bc.array_api.linalg, bc.array_api.fft, bc.sched,
    )
}  # fmt: skip
CLASSES = {
    f"{c.__module__}.{c.__name__}": c for c in (bc.ndarray, bc.ufunc, bc.random.Generator, bc.random.RandomState)
}


def public_names():
    """(name, object) of the public members that modules and classes define themselves."""
    for where, names in (
        *((m, getattr(m, "__all__", None) or dir(m)) for m in MODULES.values()),
        *((c, [n for n in dir(c) if not n.startswith("_")]) for c in CLASSES.values()),
    ):
        for name in names:
            thing = inspect.getattr_static(where, name) if isinstance(where, type) else getattr(where, name)
            theirs = str(getattr(thing, "__module__", "")).startswith("numpy") and not isinstance(where, type)
            if not theirs:
                yield f"{where.__name__}.{name}", thing


def doc_of(thing):
    return thing.__doc__ if isinstance(getattr(thing, "__doc__", None), str) else ""


def examples():
    """(name, docstring) of every public object that has an example, once each."""
    found = {}
    for name, thing in public_names():
        if ">>> " in doc_of(thing):
            found.setdefault(doc_of(thing), name)
    return sorted((name, doc) for doc, name in found.items())


EXAMPLES = examples()


@pytest.mark.filterwarnings("ignore:numpy.fix is deprecated")  # its own example, since NumPy 2.5
@pytest.mark.parametrize(("name", "doc"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_example_runs(name, doc):
    test = doctest.DocTestParser().get_doctest(doc, {}, name, None, None)
    said = []
    doctest.DocTestRunner().run(test, out=said.append)
    assert not said, "".join(said)


def test_every_part_of_the_interface_has_examples():
    """Check that the search finds examples: an empty search would pass, too."""
    start = {name.rpartition(".")[0] for name, _ in EXAMPLES}
    assert {"bascule", "bascule.linalg", "bascule.fft", "bascule.special", "Generator", "ufunc"} <= start
    assert len(EXAMPLES) > 600


def sections_missing(thing):
    """The sections of numpydoc that a docstring lacks."""
    wanted = ["Examples"]
    if inspect.isroutine(thing):
        signature = inspect.signature(thing)
        wanted += ["Returns"] if signature.return_annotation not in (None, "None") else []
        wanted += ["Parameters"] if signature.parameters.keys() - {"self"} else []
    doc = inspect.cleandoc(doc_of(thing))
    return [section for section in wanted if f"{section}\n---" not in doc]


# Methods in C in the core, whose docstrings are one sentence. The list may only become shorter.
ONE_SENTENCE = {
    f"ndarray.{name}"
    for name in (
        "all", "any", "argmax", "argmin", "astype", "copy", "item", "max", "mean", "min", "prod", "ravel", "reshape", "std",
        "sum", "transpose", "var",
    )
}  # fmt: skip


def test_docstrings_say_what_goes_in_and_out_and_show_it():
    missing = {
        name: sections_missing(thing)
        for name, thing in public_names()
        if callable(thing) or inspect.ismethoddescriptor(thing)
    }
    short = {name: sections for name, sections in missing.items() if sections}
    assert short.keys() - ONE_SENTENCE == set()


def test_what_the_readme_says_of_looking_inside(capsys):
    text = (Path(__file__).resolve().parents[3] / "README.md").read_text()
    program = re.search(r"## Looking inside\n\n```python\n(.*?)```", text, re.DOTALL).group(1)
    with bc.config.set(fp_warnings=bc.config.fp_warnings):
        exec(program, {})
        assert bc.config.fp_warnings == "eager"
    assert capsys.readouterr().out.startswith("pending on cpu: 4 operations, 0 reads of memory, 1 pass; runs when ")
