"""Every function of NumPy's namespace in calls that give each parameter, on arrays of many types and layouts, with the
fallback forbidden: values, types, shapes, error classes. The file that bascule.coverage() reads says what is equal."""

import bascule as bc
import pytest
import write_coverage

_TABLE = {x.split("\t")[0]: x for x in write_coverage.FILE.read_text().splitlines()}


@pytest.mark.parametrize("name", write_coverage.names())
def test_what_coverage_says_is_what_the_run_finds(name):
    found = write_coverage.line(name)
    wrong = ""
    if found != _TABLE[name]:
        wrong = "\n".join(f for fs in write_coverage.failures(name)[1].values() for f in fs[:2])
    assert found == _TABLE[name], f"python tests/python/support/write_coverage.py {name} would write this\n{wrong}"


def test_coverage_names_all_functions():
    assert list(bc.coverage()) == write_coverage.names() == list(_TABLE)


def test_coverage_reads_the_table():
    found = bc.coverage()
    assert found["pad"].parameters["mode"] == "native" and "pad_width" in repr(found["pad"])
    assert found["asmatrix"].state == "refused" and found["asmatrix"].reason
    assert repr(found).count("\n") == len(found)
    assert found.share >= 0.95


def test_every_parameter_of_what_is_native_is_native():
    found = bc.coverage()
    rest = {
        n: e.parameters for n, e in found.items() if e.state == "native" and set(e.parameters.values()) > {"native"}
    }
    assert rest == {}
