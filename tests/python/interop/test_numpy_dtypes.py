"""Strings, objects, records and other types that arrays do not hold: NumPy computes them, in either mode."""

import subprocess
import sys

import bascule as bc
import numpy
import pytest
import types_of_numpys as table

pytestmark = [
    pytest.mark.usefixtures("native"),
    pytest.mark.skipif(bc.config.device != "cpu", reason="on a device what arrays do not hold is refused"),
]

LINES = table.lines()


@pytest.mark.parametrize("line", LINES)
def test_a_line_gives_what_numpy_gives(line):
    wanted, _ = table.outcome(line, numpy)
    with bc.config.set(fallback="silent"):
        found, result = table.outcome(line, bc)
    assert found == wanted
    assert not table.breaks_rule(result, bc)


MODE = """
import importlib, sys, warnings
import numpy as np
warnings.simplefilter("error")
sys.path.insert(0, sys.argv[1])
import types_of_numpys as table
numpy = importlib.import_module("numpy")
import bascule
table.numpy = numpy
for line in table.lines():
    wanted, found = table.outcome(line, numpy)[0], table.outcome(line, np)[0]
    if found != wanted:
        print(repr(line), found, wanted)
    elif isinstance(table.outcome(line, np)[1], numpy.ndarray):
        assert isinstance(table.outcome(line, np)[1], np.ndarray), line
bascule.fallbacks(reset=True)
np.array(["a"]), np.char.upper(["a"]), np.busday_count("2020-01-01", "2020-02-01"), np.arange(3).astype(str)
print(sorted(found["name"] for found in bascule.fallbacks()))
"""


def test_a_program_in_the_accelerated_mode(tmp_path):
    (tmp_path / "program.py").write_text(MODE)
    support = table.__file__.rpartition("/")[0]
    ran = subprocess.run(
        [sys.executable, "-m", "bascule", str(tmp_path / "program.py"), support], capture_output=True, text=True
    )
    assert (ran.stdout, ran.returncode) == ("['array', 'astype', 'busday_count', 'char.upper']\n", 0), ran.stderr


@pytest.mark.parametrize(
    "call, name, reason",
    [
        (lambda: bc.array(["a"]), "array", "arrays hold no text"),
        (lambda: bc.array([b"a"]), "array", "arrays hold no bytes"),
        (lambda: bc.arange(3).astype(object), "astype", "arrays hold no Python objects"),
        (lambda: bc.zeros(2, "i4,f8"), "zeros", "arrays hold no records"),
        (lambda: bc.sin(numpy.longdouble(1)), "sin", "arrays hold no long doubles"),
        (lambda: bc.zeros(2, ">i4"), "zeros", "arrays hold no numbers in foreign byte order"),
        (lambda: bc.arange(2) + numpy.array([1, 2], object), "add", "arrays hold no Python objects"),
        (lambda: bc.add.reduce(numpy.array([1, 2], object)), "add.reduce", "arrays hold no Python objects"),
        (lambda: bc.char.upper(["a"]), "char.upper", "arrays hold no text"),
    ],
)
def test_it_is_counted_reported_once_a_line_and_can_be_forbidden(call, name, reason):
    bc.fallbacks(reset=True)
    with bc.config.set(fallback="warn"), pytest.warns(bc.FallbackWarning, match=f"^{name} runs in NumPy: {reason}$"):
        call()
    assert [(f["name"], f["reason"], f["calls"]) for f in bc.fallbacks()] == [(name, reason, 1)]
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match=name.replace(".", r"\.")):
        call()


def test_memory_is_shared_with_what_numpy_sees():
    a, o = bc.arange(3), numpy.array([5, 6, 7], object)
    with bc.config.set(fallback="silent"):
        bc.copyto(a, o, casting="unsafe")
        assert a.tolist() == [5, 6, 7]
        a += numpy.array([1, 1, 1], numpy.longdouble).astype(int)
        seen = a.view("V8")
        a[0] = 9
    assert int.from_bytes(bytes(seen[0]), sys.byteorder) == 9


def test_a_function_that_fails_in_numpy_is_not_counted():
    bc.fallbacks(reset=True)
    with bc.config.set(fallback="warn"), pytest.raises(TypeError):
        bc.sin("a")
    assert bc.fallbacks() == []
