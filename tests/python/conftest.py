"""Entry points for a package that runs from its source tree; an installed one brings its own. Options of the command line:

--device cuda       new arrays lie on this machine's GPU
--device emulated   the same on the CUDA device without a GPU: its driver and compiler are stood in for, see tests/cuda
--one-in N          one test in N, chosen by the checksum of its name
"""

import ctypes
import importlib.metadata
import os
import signal
import sys
import tomllib
import zlib
from pathlib import Path

import pytest

# pytest records warnings, for which lazy operations would run at the call: laziness is what much of this looks at.
os.environ.setdefault("BASCULE_FP_WARNINGS", "lazy")

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def pytest_addoption(parser):
    parser.addoption("--device", choices=("cpu", "cuda", "emulated"), default="cpu", help="where new arrays lie")
    parser.addoption("--one-in", type=int, default=1, metavar="N", help="run one test in N")


def pytest_report_header(config):
    device = config.getoption("device")
    return f"device: {device}" + (" CUDA, no GPU takes part" if device == "emulated" else "")


def pytest_collection_modifyitems(config, items):
    n = config.getoption("one_in")
    kept = [item for item in items if zlib.crc32(item.nodeid.encode()) % n == 0]
    chosen = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = kept


def _move_to(device):
    """Arrays are made on the device from here on; NumPy, with which results are compared, may copy them to the host."""
    if device == "emulated":
        import emulated_cuda

        os.environ.update(
            emulated_cuda.environment(
                BASCULE_FP_WARNINGS="lazy", BASCULE_FAKE_CUDA_ABORT=os.environ.get("BASCULE_FAKE_CUDA_ABORT", "0")
            )
        )
    import bascule

    def on_the_host(self, dtype=None, copy=None):
        found = self.get()
        return found if dtype is None else found.astype(dtype, copy=False)

    bascule.config.device = "cuda"
    bascule.ndarray.__array__ = on_the_host


# What the device says of functions that have no CUDA code; a test that met one has told all that it can there.
NO_CUDA_CODE = ("no CUDA code yet for", "does not run on cuda yet")


def _has_no_cuda_code(error):
    """Whether this error, or what it was raised from, says so; a test may have wrapped it."""
    while error is not None:
        if any(text in str(error) for text in NO_CUDA_CODE):
            return True
        error = error.__cause__ or error.__context__
    return False


def _means_the_cpu():
    """Tests that look at what only the CPU device does: lines `name of the test  # reason`."""
    lines = (PROJECT.parent / "tests/python/cuda/means_the_cpu.txt").read_text().splitlines()
    return {line.split("#")[0].strip() for line in lines} - {""}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Failures that were to be expected on the CUDA device are counted as such, by themselves."""
    report = (yield).get_result()
    if item.config.getoption("device") == "cpu" or not report.failed:
        return
    no_code = call.excinfo is not None and _has_no_cuda_code(call.excinfo.value)
    name = item.nodeid.split("tests/python/")[-1]
    if no_code or {name, name.split("[")[0]} & _means_the_cpu():
        report.outcome, report.wasxfail = "skipped", "no CUDA code yet" if no_code else "means the CPU"


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises KeyboardInterrupt: libraries put their own handler there, and shells ignore it in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_runtest_teardown(item):
    """A fault loses a device for good; the emulated one is as new for the next test."""
    if item.config.getoption("device") == "emulated":
        import emulated_cuda

        ctypes.CDLL(emulated_cuda.library()).bascule_fake_reset()


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    if config.getoption("device") != "cpu":
        _move_to(config.getoption("device"))
    if any(e.name == "bascule" for e in importlib.metadata.entry_points(group="dask.array.backends")):
        return
    folder = Path(config._tmp_path_factory.mktemp("entry_points"))
    project = tomllib.loads(PROJECT.read_text())["project"]
    about = folder / f"bascule-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: bascule\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    (about / "entry_points.txt").write_text(
        "\n".join(f"[{group}]\n" + "\n".join(f"{k} = {v}" for k, v in names.items()) for group, names in groups)
    )
    sys.path.append(str(folder))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(folder)]))
