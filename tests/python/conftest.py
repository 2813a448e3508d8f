"""Entry points for a package that runs from its source tree; an installed one has its own. Options of the command line:

--device cuda       new arrays are on this machine's GPU
--device emulated   the same on the CUDA device without a GPU: its driver and compiler are emulated, see tests/cuda
--device ptx        the same with NVIDIA's compiler, whose PTX is interpreted, see tests/cuda/ptx
--one-in N          one test in N, chosen by the checksum of its name

Of folders, a test with many cases runs a third of them a day, see support/sweeps.py; of named files, all.
"""

import contextlib
import ctypes
import functools
import gc
import importlib.metadata
import os
import re
import signal
import sys
import tomllib
import warnings
import zlib
from pathlib import Path

import pytest

# pytest records warnings, for which lazy operations would run at the call, but many of the tests are about laziness.
os.environ.setdefault("BASCULE_FP_WARNINGS", "lazy")

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"
# Shared helpers compare, too: pytest rewrites their assertions, so that failures show the difference.
pytest.register_assert_rewrite(*(file.stem for file in (Path(__file__).parent / "support").glob("*.py")))
import sweeps

WITHOUT_A_GPU = ("emulated", "ptx")


def pytest_addoption(parser):
    parser.addoption("--device", choices=("cpu", "cuda", "emulated", "ptx"), default="cpu", help="where new arrays lie")
    parser.addoption("--one-in", type=int, default=1, metavar="N", help="run one test in N")


def pytest_report_header(config):
    device = config.getoption("device")
    return f"device: {device}" + (" CUDA, no GPU takes part" if device in WITHOUT_A_GPU else "")


@pytest.fixture
def native():
    """No call may run in NumPy. Files that use it test arrays on any device: with --device these files run, and frames'."""
    import bascule

    with bascule.config.set(fallback="error"):
        yield


def pytest_ignore_collect(collection_path, config):
    tested = collection_path.name.startswith("test_") and collection_path.parent.name != "pandas"
    if config.getoption("device") == "cpu" or not tested or any(collection_path.name in name for name in config.args):
        return None
    return True if 'usefixtures("native")' not in collection_path.read_text() else None


def _sweeps_rotate(config):
    """Whether only today's part of large tests runs: on the CPU, and where folders are tested, not files."""
    return config.getoption("device") == "cpu" and not all(".py" in name for name in config.args)


def pytest_terminal_summary(terminalreporter, config):
    k, n = sweeps.part()
    if n > 1 and _sweeps_rotate(config):
        terminalreporter.write_line(
            f"tests with {sweeps.MANY} cases or more: part {k}/{n} of them, another one each day; {sweeps.SETTING}=all runs all"
        )


def pytest_collection_modifyitems(config, items):
    passing = [item.nodeid for item in items if " at 0x" in item.nodeid]
    if passing:  # processes that run the tests together have other addresses, and give up
        raise pytest.UsageError(f"names of tests with addresses in memory, give ids=: {passing[:3]}")
    n = config.getoption("one_in")
    kept = [item for item in items if zlib.crc32(item.nodeid.encode()) % n == 0]
    if _sweeps_rotate(config):
        swept = [item.nodeid for item in kept if item.path.is_relative_to(PROJECT.parent / "tests/python")]
        today = sweeps.split(swept, lambda name: name.partition("[")[0])
        left_out = set(swept) - today
        kept = [item for item in kept if item.nodeid not in left_out]
    chosen = set(kept)
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = kept


@pytest.hookimpl(hookwrapper=True)
def pytest_collection(session):
    """No garbage collection visits the many objects of the collected tests: tests of memory collect often."""
    gc.disable()
    yield
    gc.enable()
    gc.collect()
    gc.freeze()


def _move_to(device):
    """Make new arrays on the device from here on; NumPy, with which results are compared, may copy them to the host."""
    if device in WITHOUT_A_GPU:
        import emulated_cuda

        emulated_cuda.executes_ptx = device == "ptx"
        settings = {"BASCULE_FP_WARNINGS": "lazy"}
        settings["BASCULE_FAKE_CUDA_ABORT"] = os.environ.get("BASCULE_FAKE_CUDA_ABORT", "0")
        if device == "ptx":  # memory of arrays that are gone counts as written otherwise
            settings["BASCULE_CUDA_POOL"] = "exact"
        try:
            emulated_cuda.library()
            os.environ.update(emulated_cuda.environment(**settings))
        except FileNotFoundError as error:
            raise pytest.UsageError(str(error))
    import bascule

    def on_the_host(self, dtype=None, copy=None):
        found = self.get()
        return found if dtype is None else found.astype(dtype, copy=False)

    bascule.config.device = "cuda"
    _warn_recorders_at_the_call(bascule.config)
    bascule.ndarray.__array__ = on_the_host


def _warn_recorders_at_the_call(config):
    """In a test that records warnings they are issued at the call, as NumPy's, not when the device is waited for."""
    enter, leave = warnings.catch_warnings.__enter__, warnings.catch_warnings.__exit__

    def entered(self):
        self.before = config.fp_warnings
        if self._record and "(call)" in os.environ.get("PYTEST_CURRENT_TEST", ""):  # not pytest's own
            config.fp_warnings = "eager"
        return enter(self)

    def left(self, *error):
        config.fp_warnings = self.before
        return leave(self, *error)

    warnings.catch_warnings.__enter__, warnings.catch_warnings.__exit__ = entered, left


# Messages of the device for missing features, and the reason for which a test that meets one is skipped.
SAID_BY_THE_DEVICE = {
    "no CUDA code yet for": "no CUDA code yet",
    "does not run on cuda yet": "no CUDA code yet",
    "exists only in pandas": "exists only in pandas",
    "exists only in scikit-learn": "exists only in scikit-learn",
    "lies in the host's memory, which cuda cannot share": "shares the host's memory",
}
COMPARED = pytest.StashKey[str]()


def pytest_assertrepr_compare(config, left, right):
    """Keep the text of unequal values: tests compare errors of two libraries, and messages show only their beginnings."""
    config.stash[COMPARED] = repr(left) + repr(right)


def _said(error, compared):
    """The reason for the device's message in this error, in its causes, or in compared values; None without one."""
    strings = [compared]
    while error is not None:
        strings.append(str(error))
        error = error.__cause__ or error.__context__
    return next((about for said, about in SAID_BY_THE_DEVICE.items() if any(said in text for text in strings)), None)


@functools.cache
def _means_the_cpu():
    """Tests of what only the CPU device does: lines `name of the test  # reason`, where * stands for any text."""
    lines = (PROJECT.parent / "tests/python/cuda/means_the_cpu.txt").read_text().splitlines()
    names = [name for line in lines if (name := line.partition("#")[0].strip())]
    return re.compile("|".join(".*".join(map(re.escape, name.split("*"))) for name in names))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Expected failures on the CUDA device are counted as skipped, and tests listed as failing that pass, fail."""
    report = (yield).get_result()
    compared = item.config.stash.get(COMPARED, "")
    item.config.stash[COMPARED] = ""
    if item.config.getoption("device") == "cpu" or call.when != "call" or report.skipped:
        return
    listed = _means_the_cpu().fullmatch(item.nodeid.split("tests/python/")[-1]) is not None
    if report.failed and (about := "means the CPU" if listed else _said(call.excinfo.value, compared)):
        report.outcome, report.wasxfail = "skipped", about
    elif report.passed and listed:
        report.outcome, report.longrepr = "failed", "means_the_cpu.txt lists it, and it passes"


@pytest.fixture
def ctrl_c():
    """Ctrl-C raises KeyboardInterrupt: libraries replace the handler, and shells ignore the signal in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_runtest_teardown(item):
    """A fault makes a device unusable; the emulated one is reset for the next test, which sees no error of this one."""
    if item.config.getoption("device") in WITHOUT_A_GPU:
        import bascule as bc
        import emulated_cuda

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _ in range(100):  # each wait reports one error
                with contextlib.suppress(Exception):
                    bc.synchronize()
                    break
        ctypes.CDLL(emulated_cuda.library()).bascule_fake_reset()


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    sweeps.todays()
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
