"""No argument ends or hangs the process: calls with hostile arguments, in separate processes, raise NumPy's errors.

A failure is reported as `KIND SEED INDEX: ...`; `python tests/python/support/hostile_runs.py KIND SEED 1 INDEX` repeats
the call.
"""

import hostile_runs
import pytest

COUNTS = {"table": 2500, "names": 2500, "core": 2500}


@pytest.mark.parametrize("kind", COUNTS)
def test_no_call_ends_or_stops_the_process(kind):
    wrong = hostile_runs.run(kind, 1, COUNTS[kind])
    assert not wrong, "\n".join(wrong[:5])


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize("kind", COUNTS)
def test_no_call_of_many_ends_or_stops_the_process(kind, seed):
    wrong = hostile_runs.run(kind, seed, 10 * COUNTS[kind])
    assert not wrong, "\n".join(wrong[:5])


def test_a_call_that_ends_the_process_is_named():
    found = hostile_runs.run("deadly", 0, 3)
    assert ["dies of SIGSEGV" in found[0], "hangs" in found[1], "SystemError" in found[2]] == [True] * 3
