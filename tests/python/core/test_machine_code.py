"""Machine code in forked processes, without executable memory from the system, and for many expressions at once."""

import os
import subprocess
import sys
import textwrap
import threading

import bascule as bc
import numpy as np
import pytest

N = 20_000


def form(k):
    """The k-th of many different expressions, and its value by NumPy."""
    x, y = np.linspace(-3, 3, N), np.linspace(1, 2, N)

    def f(xp, a, b):
        for bit in range(8):
            a = (a * b if k >> bit & 1 else a + b) if bit % 2 else xp.maximum(a, b - a)
        return a - b

    return lambda: np.asarray(f(bc, bc.array(x), bc.array(y))), f(np, x, y)


def right(numbers):
    return all(np.array_equal(compute(), expected) for compute, expected in map(form, numbers))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_writes_code_of_its_own():
    assert right(range(0, 8))
    child = os.fork()
    if child == 0:
        os._exit(0 if right(range(0, 64)) else 1)
    here = right(range(64, 128))
    assert os.waitpid(child, 0)[1] == 0
    assert here
    assert right(range(0, 256, 3))


def test_threads_that_ask_at_once_get_the_same_results():
    wrong = []

    def work(first):
        if not right(range(first, 256, 2)):
            wrong.append(first)

    threads = [threading.Thread(target=work, args=(t % 2,)) for t in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert wrong == []


def test_without_memory_for_code_everything_is_interpreted(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        textwrap.dedent(
            """
            import os, resource, sys
            sys.path.insert(0, sys.argv[1])
            import test_machine_code as t
            t.bc.evaluate(t.bc.arange(100_000.0).sum() + t.bc.array([1.0]))  # what else needs files has them
            limit = len(os.listdir("/proc/self/fd")) - 1
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
            try:
                open("/dev/null").close()
            except OSError:
                assert t.right(range(40))
                print("done")
            """
        )
    )
    command = [sys.executable, str(program), os.path.dirname(__file__)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"BASCULE_JIT": "always"})
    assert done.stdout == "done\n", done.stderr


@pytest.mark.parametrize("isa", ["avx2", "avx512"])
def test_of_either_instruction_set_it_gives_the_results_of_numpy(isa):
    program = "import sys; sys.path.insert(0, sys.argv[1]); import test_machine_code as t; print(t.right(range(64)))"
    command = [sys.executable, "-c", program, os.path.dirname(__file__)]
    environment = os.environ | {"BASCULE_ISA": isa, "BASCULE_JIT": "always"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if "this machine does not have it" in done.stderr:
        pytest.skip(f"this machine has no {isa}")
    assert done.stdout == "True\n", done.stderr


def test_more_forms_than_are_kept_are_still_right():
    program = "import sys; sys.path.insert(0, sys.argv[1]); import test_machine_code as t; print(t.many_forms(2600))"
    done = subprocess.run(
        [sys.executable, "-c", program, os.path.dirname(__file__)], capture_output=True, text=True, check=True
    )
    assert done.stdout == "True\n"


def many_forms(count):
    x = np.linspace(-3, 3, 9000)
    a = bc.array(x)
    for k in range(count):
        expected, got = x, a
        for bit in range(12):
            expected, got = (expected * 0.5, got * 0.5) if k >> bit & 1 else (expected + x, got + a)
        if not np.array_equal(np.asarray(got), expected):
            return False
    return True
