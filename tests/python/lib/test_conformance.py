"""Every function of NumPy's namespace, called with each of its parameters, on arrays of many types and layouts, with
the fallback forbidden: values, types, shapes, error classes. The results must match the file that bascule.coverage()
reads."""

import bascule as bc
import conformance
import pytest
import write_coverage
from bascule import coverage_table

pytestmark = pytest.mark.usefixtures("native")

_TABLE = {x.split("\t")[0]: x for x in coverage_table.lines()}


@pytest.mark.parametrize("name", write_coverage.names())
def test_what_coverage_says_is_what_the_run_finds(name):
    found = write_coverage.line(name)
    wrong = ""
    if found != _TABLE[name]:
        wrong = "\n".join(f for fs in write_coverage.failures(name)[1].values() for f in fs[:2])
    assert found == _TABLE[name], f"python tests/python/support/write_coverage.py {name} would write this\n{wrong}"


_OTHERWISE = {
    "roots": "the eigenvalues of a thousand rows",
    "kron": "a million elements, in many calls",
    "partition": "the order on both sides of the place is nobody's promise",
    "argpartition": "the order on both sides of the place is nobody's promise",
}
_LINES = [
    n
    for n in write_coverage.names()
    if n not in _OTHERWISE
    and _TABLE[n].split("\t")[1] != "NumPy-backed"
    and any("1" in r.ranks.split() for r in write_coverage.rows_of(n))
]


@pytest.mark.parametrize("name", _LINES)
def test_functions_around_the_end_of_a_block(name):
    rows = [r for r in write_coverage.rows_of(name) if "1" in r.ranks.split()]
    calls = [(r, c) for r in rows for c in r.calls if "tile(" not in c]  # those turn short arrays into long ones
    wrong = [why for r, c in calls for why in conformance.run_around_a_block(r, c)]
    assert not wrong, "\n".join(wrong[:3])


def test_coverage_names_all_functions():
    assert list(bc.coverage()) == write_coverage.names() == list(_TABLE)


def test_coverage_reads_the_table():
    found = bc.coverage()
    assert found["pad"].parameters["mode"] == "native" and "pad_width" in repr(found["pad"])
    assert found["asmatrix"].state == "NumPy-backed"
    assert repr(found).count("\n") == len(found)
    assert found.share >= 0.95


def test_every_parameter_of_what_is_native_is_native():
    found = bc.coverage()
    rest = {
        n: e.parameters for n, e in found.items() if e.state == "native" and set(e.parameters.values()) > {"native"}
    }
    assert rest == {}
