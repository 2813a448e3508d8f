"""Modules that are executed when one of their names is first read."""

import subprocess
import sys
import threading

import bascule as bc
import numpy as np
import pytest
from bascule.interop import lazy_modules

USES = {
    "nothing": "",
    "a sum": "x = np.arange(10.0); print(x.sum(), x.max(), (x * 2 + 1).mean())",
    "a matrix": "m = np.ones((3, 3)); print(m.shape, m[0], m[1, 2], m.T.ravel().tolist())",
}
PUT_OFF = ("bascule.linalg", "bascule.lib.sorting", "bascule.lib.selection", "bascule._array.datetimes", "bascule.fft")


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with the modules a and b, of which b fails when it is executed for the first time."""
    folder = tmp_path / "put_off_here"
    folder.mkdir()
    (folder / "__init__.py").write_text("executed = []\n")
    (folder / "a.py").write_text(
        '"""The docstring of a."""\nimport time\nfrom . import executed\nexecuted.append(__name__)\n'
        "time.sleep(0.05)\nvalue = 7\n\n\ndef __getattr__(name):\n    if name == 'late':\n        return 8\n"
        "    raise AttributeError(f'no {name} here')\n"
    )
    (folder / "b.py").write_text("from . import executed\nexecuted.append(__name__)\nvalue = 1 / (len(executed) - 1)\n")
    (folder / "c").mkdir()
    (folder / "c/__init__.py").write_text("from . import inner\nfrom .inner import *\n")
    (folder / "c/inner.py").write_text(
        "__all__ = ['deep']\nfrom .. import c\n\n\ndef deep():\n    return c.inner.__name__\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import put_off_here

    lazy_modules.put_off("put_off_here", "a", "b", "c")
    yield put_off_here
    for name in [n for n in sys.modules if n.partition(".")[0] == "put_off_here"]:
        del sys.modules[name]


def test_a_name_executes_the_module_once(package):
    from put_off_here import a

    assert package.executed == [] and package.a is a is sys.modules["put_off_here.a"] and a.__file__.endswith("a.py")
    assert a.value == 7 and a.late == 8 and package.executed == ["put_off_here.a"]
    assert type(a) is type(sys) and a.__doc__ == "The docstring of a."
    with pytest.raises(AttributeError, match="no missing here"):
        a.missing


@pytest.mark.parametrize("first", ["__doc__", "late", "__dir__"])
def test_what_modules_say_about_themselves_executes_them(package, first):
    if first == "__dir__":
        assert "value" in dir(package.a)
    else:
        assert getattr(package.a, first) in ("The docstring of a.", 8)
    assert package.executed == ["put_off_here.a"]


def test_a_module_that_fails_is_executed_again(package):
    with pytest.raises(ZeroDivisionError):
        package.b.value
    assert package.b.value == 1.0


def test_a_package_whose_modules_import_it(package):
    from put_off_here.c import deep

    assert deep() == "put_off_here.c.inner"


def test_threads_see_the_names_of_one_execution(package):
    found = []
    threads = [threading.Thread(target=lambda: found.append(package.a.value)) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [7] * 8 and package.executed == ["put_off_here.a"]


@pytest.mark.parametrize("use", USES)
def test_a_program_of_arrays_executes_only_what_it_uses(tmp_path, use):
    script = tmp_path / "script.py"
    executed = f"[m for m in {PUT_OFF} if type(sys.modules.get(m)) is type(sys)]"
    script.write_text(f"import sys\nimport numpy as np\n{USES[use]}\nassert not {executed}, {executed}\n")
    done = subprocess.run([sys.executable, "-m", "bascule", str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_collector_is_as_it_was():
    program = "import gc\ngc.disable()\nimport bascule\nassert not gc.isenabled()\n"
    other = "import gc\nimport bascule\nassert gc.isenabled() and gc.get_freeze_count() == 0\n"
    for text in (program, other):
        assert subprocess.run([sys.executable, "-c", text]).returncode == 0
    assert subprocess.run([sys.executable, "-m", "bascule", "-c", "import gc; assert gc.isenabled()"]).returncode == 0


def test_names_of_one_function_are_one_object():
    assert bc.around is bc.round and bc.concat is bc.concatenate and bc.permute_dims is bc.transpose
    assert bc.amax is bc.max and bc.amin is bc.min and bc.broadcast_shapes is np.broadcast_shapes


def test_a_ufunc_is_described_when_it_is_asked():
    program = (
        "import bascule as bc, numpy as np\nassert '__doc__' not in vars(bc.add)\n"
        "assert bc.add.__doc__.startswith('add(x1, x2') and bc.add.types == np.add.types\n"
        "assert bc.exp.ntypes == np.exp.ntypes and bc.ufunc.__doc__.startswith('A function of elements')\n"
        "bc.sin.__doc__ = 'mine'\nassert bc.sin.__doc__ == 'mine' and bc.sin.types == np.sin.types"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


DEEP = """
import resource, sys

def down(n):
    return 1 + down(n - 1) if n else 0

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

sys.setrecursionlimit(30_000)
assert down(25_000) == 25_000
for depth in range(60, 400):
    down(depth)
before = faults()
for depth in range(60, 400, 3):
    for _ in range(50):
        down(depth)
assert faults() - before < 500, faults() - before
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the limits are those of Linux")
def test_the_frames_of_a_program_lie_in_one_piece(tmp_path):
    """Without, each call over the end of a piece of Python's stack maps the next one, and its first write is a page fault."""
    script = tmp_path / "script.py"
    script.write_text(DEEP)
    done = subprocess.run([sys.executable, "-m", "bascule", str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
