"""Plain `import bascule` changes no other library; the accelerated mode lists its changes and can undo them."""

import os
import subprocess
import sys
import textwrap

import bascule as bc
import pytest

LIBRARIES = "numpy numpy.ctypeslib pandas scipy.sparse.linalg xarray pyarrow networkx torch h5py cv2 jax"
# Identities of all functions and class attributes in the loaded modules of these libraries.
SNAPSHOT = f"""
import importlib, sys, types, warnings
warnings.simplefilter("ignore")
for name in {LIBRARIES!r}.split():
    try:
        importlib.import_module(name)
    except ImportError:
        pass
def snapshot():
    found = {{}}
    tops = {{n.split(".")[0] for n in {LIBRARIES!r}.split()}}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in tops and isinstance(module, types.ModuleType):
            for key, value in list(vars(module).items()):
                found[name, key] = id(value), id(getattr(value, "__code__", None))
                if isinstance(value, type) and value.__module__ == name:
                    found.update({{(name, key, k): id(v) for k, v in list(vars(value).items()) if callable(v) or isinstance(v, classmethod)}})
    return found
def differences(a, b):
    return sorted(k for k in a.keys() & b.keys() if a[k] != b[k] and not k[-1].startswith("__"))
before = snapshot()
"""


def run(program, *arguments, **environment):
    done = subprocess.run(
        [sys.executable, *arguments, *(["-c", textwrap.dedent(program)] if program else [])],
        capture_output=True,
        text=True,
        timeout=250,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_import_changes_nothing():
    used = "bascule.pandas.DataFrame({'a': [1]}).a.interpolate()"
    assert run(SNAPSHOT + f"import bascule, bascule.pandas\n{used}\nprint(differences(before, snapshot()))") == "[]\n"


def test_the_switch_lists_its_changes_and_undoes_them():
    said = run(
        SNAPSHOT
        + """
import builtins, bascule
usual = builtins.__import__
print(bascule.accelerate.changes())
bascule.accelerate()
changed = differences(before, snapshot())
listed = bascule.accelerate.changes()
print("pandas.DataFrame._align_for_op" in listed or "pandas.core.frame.DataFrame._align_for_op" in listed, len(changed) > 5)
print([k for k in changed if not any(n.endswith("." + k[-1]) for n in listed)])
bascule.accelerate.undo()
print(bascule.accelerate.changes(), differences(before, snapshot()), builtins.__import__ is usual)
"""
    ).splitlines()
    assert said == ["[]", "True True", "[]", "[] [] True"]


def test_untested_versions_are_left_alone():
    said = run(
        """
        import warnings
        import bascule
        import pandas
        pandas.__version__ = "99.1"
        kept = pandas.DataFrame._align_for_op
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            bascule.accelerate(imports=False)
        print(pandas.DataFrame._align_for_op is kept, [str(w.message) for w in told if "pandas" in str(w.message)])
        """
    )
    assert said == "True ['[accelerate] pandas 99.1 is left as it is: versions from 3.0 to 3.1 are tested']\n"


def test_wrong_arguments_are_refused():
    with pytest.raises(TypeError, match="imports is to be True or False, got 'yes'"):
        bc.accelerate(imports="yes")


@pytest.fixture
def program(tmp_path):
    (tmp_path / "beside.py").write_text("import numpy\nfrom numpy.linalg import norm\nimport pandas.testing\n")
    file = tmp_path / "program.py"
    file.write_text(
        textwrap.dedent(
            """
            import sys
            import numpy as np
            import numpy.random
            import pandas as pd
            from numpy import sin
            from numpy.lib.stride_tricks import sliding_window_view
            import beside
            import scipy.sparse
            import xarray

            print(np.__name__, pd.__name__, sin.__module__, numpy.random.__name__, sliding_window_view.__module__)
            print(beside.numpy.__name__, beside.norm.__module__, beside.pandas.testing.assert_frame_equal is not None)
            print(scipy.sparse._base.np.__name__, xarray.core.variable.np.__name__)
            print(sys.argv[1:], __name__, np.random.default_rng(0).random())
            print(isinstance(scipy.sparse.eye(2).toarray(), np.ndarray), type(np.arange(3).sum()).__name__)
            """
        )
    )
    return file


@pytest.mark.parametrize("module", ["bascule", "bascule.pandas"])
def test_a_script_runs_unchanged(program, module):
    import numpy

    lines = run("", "-m", module, str(program), "a", "--b").splitlines()
    assert lines == [
        "bascule bascule.pandas bascule bascule.random bascule.lib.stride_tricks",
        "bascule bascule.linalg.norms True",
        "numpy numpy",
        f"['a', '--b'] __main__ {numpy.random.default_rng(0).random()}",
        "True int64",
    ]


def test_a_missing_script_is_named():
    done = subprocess.run([sys.executable, "-m", "bascule", "nowhere.py"], capture_output=True, text=True, timeout=100)
    assert done.returncode == 2 and done.stderr == "bascule: can't open file 'nowhere.py': No such file or directory\n"


def test_an_error_of_the_script_is_its_own(tmp_path):
    file = tmp_path / "failing.py"
    file.write_text("import numpy as np\nnp.ones(3).reshape(2, 2)\n")
    done = subprocess.run([sys.executable, "-m", "bascule", str(file)], capture_output=True, text=True, timeout=100)
    assert done.returncode == 1 and "failing.py" in done.stderr
    assert done.stderr.splitlines()[-1] == "ValueError: cannot reshape array of size 3 into shape (2,2)"


def test_text_and_objects_are_in_arrays_of_numpy_with_the_accelerated_mode_and_without():
    said = run(
        """
        import bascule
        import numpy as own
        text = own.array(["b", "a"])
        bascule.accelerate()
        import numpy as np
        made, kept = np.array(text), np.asarray(text)
        made[0] = "z"
        print(np.__name__, made, text, kept is text, np.array(["x"], ndmin=2).shape, np.array([1, None]), type(np.array([1])) is bascule.ndarray)
        print(np.array(["x", "y"])[np.array([0, 1, 0])])
        bascule.accelerate.undo()
        bascule.config.fallback = "silent"
        for make in (bascule.array, bascule.asarray):
            print(type(make(["x"])) is own.ndarray)
        """
    ).splitlines()
    assert said == [
        "bascule ['z' 'a'] ['b' 'a'] True (1, 1) [1 None] True",
        "['x' 'y' 'x']",
        *["True"] * 2,
    ]


def test_notebooks_load_it_as_an_extension():
    said = run(
        """
        import bascule
        bascule.load_ipython_extension(None)
        import numpy
        print(numpy.__name__, bascule.accelerate)
        bascule.unload_ipython_extension(None)
        import numpy
        print(numpy.__name__, bascule.accelerate)
        """
    ).splitlines()
    assert said[0].startswith("bascule <bascule.accelerate: on") and said[1] == "numpy <bascule.accelerate: off>"


def test_the_smallest_switch_is_on_too():
    said = run(
        """
        import bascule
        bascule.accelerate(imports=False, libraries=False)
        print(repr(bascule.accelerate), *bascule.accelerate.changes())
        bascule.accelerate.undo()
        print(repr(bascule.accelerate), *bascule.accelerate.changes())
        """
    ).splitlines()
    classes = [f"bascule.{name}.__instancecheck__" for name in ("ndarray", "pandas.DataFrame", "pandas.Series")]
    assert said == [" ".join(["<bascule.accelerate: on, 3 changes>", *classes]), "<bascule.accelerate: off>"]


def test_modules_that_only_numpy_has_are_numpys_however_they_are_imported(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        "from numpy import ma, zeros\nimport numpy.ma as same\nprint(ma is same, ma.__name__, type(zeros(2)).__module__)\n"
        "try:\n    from numpy import nothing\nexcept ImportError as e:\n    print(type(e).__name__)\n"
    )
    done = subprocess.run([sys.executable, "-m", "bascule", str(script)], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["True numpy.ma bascule", "ImportError"]
