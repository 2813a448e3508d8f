"""Calls during the compilation of a kernel: the same values, op by op. The compiler is the emulation's; no GPU."""

import subprocess
import sys
from pathlib import Path

import emulated_cuda
import pytest

PACKER = Path(__file__).resolve().parents[3] / "tests/cuda/kernel_pack.py"
CHAIN = """
x, y = bc.asarray(np.arange(1000.0)), bc.asarray(np.ones(1000))
def chain():
    before = calls("cuLaunchKernel")
    got = (x * 2 + y).get()
    assert (got == np.arange(1000) * 2.0 + 1).all()
    return calls("cuLaunchKernel") - before
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    emulated_cuda.library()  # otherwise the tests are skipped
    file = tmp_path_factory.mktemp("kernels") / "cuda_kernels.bin"
    calls = "f8:x + y ; x * 2 ; x.sum()"
    subprocess.run(
        [sys.executable, str(PACKER), str(file), "--emulated", "--cards", "90", "--calls", calls], check=True
    )
    return file


@pytest.fixture
def run(packed, tmp_path):
    """Run a program whose compiler waits as long as the file `hold` exists."""
    hold = tmp_path / "hold"
    hold.touch()

    def run(program, **more):
        settings = {"BASCULE_CUDA_COMPILE": "background", "BASCULE_FAKE_CUDA_NVRTC_HOLD": str(hold), **more}
        opening = f"hold = {str(hold)!r}\nimport subprocess, time" + CHAIN
        return emulated_cuda.run(opening + program, BASCULE_DEVICE="cuda", BASCULE_CUDA_KERNELS=str(packed), **settings)

    return run


def test_the_first_result_does_not_wait_for_the_compiler(run):
    program = """
print(chain(), chain())
os.remove(hold)
while chain() == 2:
    time.sleep(0.02)
print(chain(), _fake.bascule_fake_compilations())
"""
    assert run(program) == "2 2\n1 1"


def test_whoever_asks_for_it_waits(run):
    assert (
        run("subprocess.Popen(['sh', '-c', f'sleep 1; rm {hold}'])\nprint(chain())", BASCULE_CUDA_COMPILE="wait") == "1"
    )


def test_reductions_join_in(run):
    program = """
print(float((x * 2 + y).sum()))
os.remove(hold)
"""
    assert run(program) == "1000000.0"


def test_common_chains_need_no_compiler_at_all(run):
    assert run("print(chain(), chain())", BASCULE_NVRTC="/nowhere/libnvrtc.so") == "2 2"


def test_errors_are_reported_as_ever(run):
    program = """
import warnings
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    z = bc.asarray(np.full(1000, 1e308))
    bc.synchronize(), (z * 2 + y).get()
print([str(w.message) for w in told])
os.remove(hold)
"""
    assert run(program) == "['overflow encountered in multiply']"


def test_a_process_ends_while_a_kernel_is_compiled(run):
    program = """
print(chain())
subprocess.Popen(['sh', '-c', f'sleep 1; rm {hold}'])
"""
    assert run(program) == "2"


def test_a_forked_process_ends_while_a_kernel_is_compiled(run):
    program = """
import warnings
print(chain(), flush=True)
warnings.simplefilter("ignore")  # of threads beside a fork
child = os.fork()
if child == 0:
    sys_exit = __import__("sys").exit
    try:
        chain()
    except RuntimeError as e:
        sys_exit(7 if "spawn" in str(e) else 8)
    sys_exit(9)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
os.remove(hold)
"""
    assert run(program) == "2\n7"


def test_threads_wait_for_nobody(run):
    program = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    list(pool.map(lambda _: [(x * 2 + y).get().sum() for _ in range(5)], range(4)))
os.remove(hold)
while chain() == 2:
    time.sleep(0.02)
print(chain(), _fake.bascule_fake_compilations())
"""
    assert run(program) == "1 1"
