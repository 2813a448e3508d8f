"""The programs that NumPy's own typing tests take as right are right with bascule's stubs, but for the lines listed here."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

PROGRAMS = Path(np.__file__).parent / "typing/tests/data/pass"
OBJECTS = "arrays hold numbers, and lists of objects are none"
SUBCLASSES = "a subclass of NumPy's array is not one of ours"
THEIRS = "NumPy's own modules and classes"
# How many lines of a program mypy refuses at most, and why.
REFUSED = {
    "arithmetic": (26, OBJECTS),
    "array_constructors": (1, SUBCLASSES),
    "array_like": (2, OBJECTS),
    "arrayterator": (1, THEIRS),
    "lib_utils": (1, THEIRS),
    "literal": (3, "mypy knows no __call__ of functions with one form"),
    "modules": (3, THEIRS),
    "ndarray_conversion": (2, SUBCLASSES),
    "ndarray_misc": (2, SUBCLASSES),
    "random": (1, THEIRS),
    "recfunctions": (30, THEIRS),
    "simple": (2, OBJECTS),
    "ufunclike": (2, OBJECTS),
}


def test_numpys_programs_are_right(mypy, tmp_path):
    if np.__version__.rpartition(".")[0] != "2.4" or not PROGRAMS.is_dir():
        pytest.skip("the lines are those of NumPy 2.4's programs")
    folder = tmp_path / "programs"
    folder.mkdir()
    for program in PROGRAMS.glob("*.py"):
        text = re.sub(r"^import numpy as np$", "import bascule as np", program.read_text(), flags=re.MULTILINE)
        text = re.sub(r"^import numpy.typing as npt$", "import bascule.typing as npt", text, flags=re.MULTILINE)
        (folder / f"numpys_{program.name}").write_text(text)
    programs = sorted(folder.glob("*.py"))
    assert len(programs) > 30
    _, said = mypy(*programs, strict=False)
    refused = Counter(re.findall(r"numpys_(\w+)\.py:\d+: error", said))
    more = {name: n for name, n in refused.items() if n > REFUSED.get(name, (0,))[0]}
    assert more == {}, said
