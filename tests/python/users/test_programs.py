"""Programs run by `python -m bascule` print the same as by `python`: each is run both ways, and the output compared."""

import os
import subprocess
import sys
import textwrap

import pytest

BLOCK = """
import sys
class NoBascule:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "bascule":
            raise ImportError("bascule is not here")
sys.meta_path.insert(0, NoBascule())
"""


def run(folder, *arguments, text=None):
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=250, cwd=folder, input=text
    )


def both(folder, *arguments, text=None):
    """The outcome of a program with python, and in the accelerated mode."""
    plain, ours = run(folder, *arguments, text=text), run(folder, "-m", "bascule", *arguments, text=text)
    assert (ours.stdout, ours.returncode) == (plain.stdout, plain.returncode), ours.stderr + plain.stderr
    return plain, ours


def written(folder, name, text):
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(textwrap.dedent(text))
    return file


NAMES = """
import os, sys
import numpy as np
import pandas as pd
import numpy.lib.recfunctions
import numpy.ma as ma
import numpy.random
from numpy import *
from numpy.lib import recfunctions as rf
from pandas.core.groupby.generic import SeriesGroupBy
from pandas.core.window.rolling import Rolling

print(__file__, __name__, sys.argv, sys.path[0])
os.chdir("/")
print(open(__file__).readline() == "\\n", __spec__, __package__)
print(np.__version__, np.version.version, pd.__version__, np.ctypeslib.as_array.__name__, np.char.upper(np.array(["a"])))
print("config" in globals(), "device" in globals(), sin(0.0), numpy.lib.recfunctions is rf, ma.array([1]).sum(), np.matrix([1]))
print(pd._testing is not None, pd.core.frame is not None, sorted(set(dir(np)) & {"sin", "ma", "explain"}))
np.old_name = float
print(np.old_name, numpy.old_name, sys.modules["numpy"].old_name)
try:
    import numpy.nothing
except ImportError as e:
    print(e)
try:
    np.nothing
except AttributeError as e:
    print(e)

df = pd.DataFrame({"a": [1.0, 2.0], "g": [1, 2]}, index=pd.date_range("2020", periods=2))
print(isinstance(df.groupby("g").a, SeriesGroupBy), isinstance(df.a.rolling(2), Rolling))
for index in (df.index, df.columns, df.reset_index().index, df.set_index(["a", "g"]).index, pd.Index([1, 5])):
    print([k for k in ("Index", "RangeIndex", "DatetimeIndex", "MultiIndex") if isinstance(index, getattr(pd, k))])

import xarray
for x in (df, xarray.Dataset.from_dataframe(df).to_dataframe(), df.a, xarray.DataArray(df.a).to_series(), 1, None, "a", [df]):
    print(isinstance(x, pd.DataFrame), isinstance(x, pd.Series), issubclass(type(x), pd.DataFrame))

import abc
class Abstract(pd.DataFrame, abc.ABC):
    pass
print(Abstract({"a": [1]}).a.tolist(), isinstance(df, Abstract))
"""


def test_names_and_classes(tmp_path):
    written(tmp_path, "names.py", NAMES)
    both(tmp_path, "names.py", "a", "--b")


def test_forms_of_programs(tmp_path):
    written(
        tmp_path,
        "parts/__main__.py",
        "import sys, beside\nimport numpy as np\nprint(sys.argv, __file__, __package__, np.zeros(1))\n",
    )
    written(tmp_path, "parts/beside.py", "import numpy\nprint(__name__, numpy.ones(2).sum(), __file__)\n")
    written(tmp_path, "package/__init__.py", "")
    written(
        tmp_path,
        "package/__main__.py",
        "from . import inner\nimport sys\nprint(sys.argv, __package__, __spec__.name, inner.x)\n",
    )
    written(tmp_path, "package/inner.py", "import numpy as np\nx = np.arange(3).sum()\n")
    both(tmp_path, "parts", "a")
    both(tmp_path, "-m", "package", "a")
    both(
        tmp_path, "-c", "import sys, numpy as np; print(sys.argv, repr(sys.path[0]), np.arange(2), __name__)", "a", "-m"
    )
    both(tmp_path, "-", "a", text="import sys, numpy as np\nprint(sys.argv, np.arange(2), __name__)\n")
    both(tmp_path, "-c", "import sys; sys.exit(7)")


def test_tracebacks_are_the_programs(tmp_path):
    written(tmp_path, "wrong.py", "import numpy as np\n\n\ndef f():\n    raise KeyError(np.int64(1))\n\n\nf()\n")
    plain, ours = both(tmp_path, "wrong.py")
    assert ours.stderr == plain.stderr and "in f" in ours.stderr and ours.returncode == 1
    written(tmp_path, "syntax.py", "x = = 1\n")
    plain, ours = both(tmp_path, "syntax.py")
    assert ours.stderr == plain.stderr
    written(tmp_path, "absent.py", "import numpy, absent_module\n")
    plain, ours = both(tmp_path, "absent.py")
    assert ours.stderr == plain.stderr


PICKLED = """
import pickle, sys
import numpy as np
import pandas as pd

class Table(pd.DataFrame):
    _metadata = ["unit"]
    _constructor = property(lambda self: Table)

def objects():
    table = Table({"a": [1, 2]})
    table.unit = "kg"
    dates = pd.date_range("2020", periods=3)
    return {
        "array": np.arange(4.0), "Fortran": np.asfortranarray(np.ones((2, 3))), "empty": np.empty((0, 2)), "dates": np.arange("2020", "2021", dtype="M8[M]"),
        "scalar": np.arange(3).sum(), "strided": np.arange(9)[::-2], "frame": pd.DataFrame({"x": [1, 2], "y": ["a", None]}, index=["p", "q"]), "series": pd.Series([1.5, 2], name="s"),
        "index": pd.Index(["a", "b"], name="i"), "range": pd.RangeIndex(3), "levels": pd.MultiIndex.from_product([[1, 2], ["a", "b"]], names=["m", None]), "days": dates,
        "categories": pd.Series(["a", "b", "a"], dtype="category", index=dates), "missing": pd.Series([1, None], dtype="Int64"), "inside": [{"k": (np.ones(2), pd.Series([1]))}],
        "ufunc": np.sin, "generator": np.random.default_rng(0), "state": np.random.RandomState(0), "derived": table,
    }

def shown(x):
    if isinstance(x, (list, tuple)):
        return [shown(v) for v in x]
    if isinstance(x, dict):
        return {k: shown(v) for k, v in x.items()}
    if isinstance(x, np.ndarray):
        return np.asarray(x).tolist(), x.dtype.str, x.ndim == 2 and x.flags.f_contiguous, x.flags.writeable
    if hasattr(x, "random_sample") or hasattr(x, "spawn"):
        return x.normal(size=2).tolist()
    return repr(x), getattr(x, "name", ""), getattr(x, "unit", ""), str(getattr(x, "freq", ""))
"""
WRITE = (
    PICKLED
    + """
for protocol in range(6):
    with open(f"{sys.argv[1]}{protocol}.pickle", "wb") as file:
        pickle.dump(objects(), file, protocol=protocol)
import joblib
joblib.dump(objects(), f"{sys.argv[1]}.joblib")
"""
)
READ = PICKLED + """
import joblib
expected = shown(objects())
for name in sys.argv[1:]:
    for protocol in range(6):
        with open(f"{name}{protocol}.pickle", "rb") as file:
            found = pickle.load(file)
        assert shown(found) == expected, (name, protocol, [(a, b) for a, b in zip(shown(found).values(), expected.values()) if a != b])
        print(name, protocol, isinstance(found["frame"], pd.DataFrame), isinstance(found["index"], pd.Index), type(found["derived"]).__name__)
        if protocol == 4:
            print(found["frame"].groupby("y").x.sum().to_dict(), (found["series"] + pd.Series([1, 2])).tolist(), np.sin(found["array"]).sum().round(3))
    assert shown(joblib.load(f"{name}.joblib")) == expected
"""  # fmt: skip


def test_pickles(tmp_path):
    written(tmp_path, "write.py", WRITE)
    written(tmp_path, "read.py", READ)
    written(tmp_path, "read_alone.py", BLOCK + READ)
    for arguments in (("write.py", "plain"), ("-m", "bascule", "write.py", "accelerated")):
        done = run(tmp_path, *arguments)
        assert done.returncode == 0, done.stderr
    alone = run(tmp_path, "read_alone.py", "plain", "accelerated")
    ours = run(tmp_path, "-m", "bascule", "read.py", "plain", "accelerated")
    assert alone.returncode == ours.returncode == 0, alone.stderr + ours.stderr
    assert alone.stdout == ours.stdout and len(alone.stdout.splitlines()) == 14


SENT = """
import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from numpy import linalg

def total(n):
    return round(float(np.ones(n).sum() + pd.Series([n]).sum() + linalg.norm([3, 4])), 3)

if __name__ == "__main__":
    print(Parallel(n_jobs=2)(delayed(total)(n) for n in range(3)))
"""


def test_functions_sent_to_workers_by_value(tmp_path):
    written(tmp_path, "sent.py", SENT)
    both(tmp_path, "sent.py")


LATE = """
import numpy as np
import numpy.linalg as la
from numpy import sin, float64
from numpy.linalg import norm
import pandas as pd
from pandas import DataFrame
import bascule, warnings
x, made = np.arange(3), DataFrame({"a": [1]})
bascule.accelerate()
print(type(np.arange(3)).__module__, DataFrame.__module__, norm.__module__, float64 is np.float64, type(x).__module__)
print(type(pd.Series([1])).__module__, "__main__.np" in bascule.accelerate.changes(), la.norm is norm, sin(np.zeros(1)).sum())
bascule.accelerate.undo()
print(type(np.arange(3)).__module__, DataFrame.__module__, norm.__module__, bascule.accelerate.changes())
def inside():
    import numpy as local
    with warnings.catch_warnings(record=True, action="always") as said:
        bascule.accelerate()
    print([(str(w.message), w.filename == __file__ or w.filename) for w in said])
inside()
"""


def test_names_that_were_imported_before(tmp_path):
    written(tmp_path, "late.py", LATE)
    done = run(tmp_path, "late.py")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "bascule bascule.pandas bascule.linalg.norms True numpy",
        "bascule.pandas True True 0.0",
        "numpy pandas numpy.linalg []",
        "[('[accelerate] local: imported before in inside, which keeps NumPy and pandas', True)]",
    ]


PROGRESS = """
import io
import numpy as np
import pandas as pd
from tqdm import tqdm
tqdm.pandas(file=io.StringIO())
df = pd.DataFrame({"a": [1, 2, 3, 4], "g": [1, 1, 2, 2]})
print(df.a.progress_apply(lambda v: v + 1).tolist(), df.progress_apply(lambda r: r.a, axis=1).tolist(), df.a.progress_map(str).tolist())
print(df.groupby("g").a.progress_apply(lambda s: s.sum()).to_dict(), df.a.rolling(2).progress_apply(lambda v: v.sum()).tolist())
"""
SCHEMAS = """
import pandas as pd
import pandera.pandas as pa
df = pd.DataFrame({"a": [1, 2], "s": ["x", "y"]})
schema = pa.DataFrameSchema({"a": pa.Column(int, pa.Check.gt(0)), "s": pa.Column(str)}, index=pa.Index(int))
print(schema.validate(df), pa.SeriesSchema(int).validate(df.a).tolist())
try:
    schema.validate(df.assign(a=-1))
except pa.errors.SchemaError as e:
    print(e)
class Model(pa.DataFrameModel):
    a: pa.typing.Series[int]
@pa.check_types
def total(frame: pa.typing.DataFrame[Model]) -> int:
    return int(frame.a.sum())
print(total(df[["a"]]))
"""


COMPILED = """
import math
import numba
import numpy as np

@numba.njit
def total(x):
    s = 0.0
    for i in range(x.shape[0]):
        s += np.sqrt(x[i]) + math.sin(x[i])
    return s + np.sum(x) + np.linalg.norm(np.eye(2)) + np.pi, np.zeros(2, dtype=np.int64), np.float64(3)

@numba.vectorize(["float64(float64)"])
def times(v):
    return v * 1000

print(total(np.linspace(0, 1, 5)), times(np.linspace(0, 1, 5)))
"""


TABLES = """
import numpy as np
import pandas as pd
import polars as pl
x, rows = np.linspace(0, 1, 3), pl.DataFrame({"a": [1, 2, 3]})
print(pl.Series("x", x), pl.Series("x", x, dtype=pl.Float32), pl.Series("m", np.ones((2, 2))), pl.Series("d", np.array(["2020-01-01"], "M8[D]")))
print(pl.DataFrame(np.ones((2, 3))), pl.DataFrame([x, x], schema=["a", "b"]), pl.DataFrame({"a": x, "b": 1}), pl.from_numpy(x))
print(rows.with_columns(b=x), rows.filter(x > 0.4), rows[np.array([2, 0])], pl.select(pl.lit(x)), rows["a"] * x, rows["a"] > x)
print(rows["a"][np.array([0, 2])], rows["a"].is_in(np.array([1])), rows["a"].search_sorted(np.array([1, 2])), np.sqrt(rows["a"]))
print(pl.Series("s", pd.Series([1, 2], name="q")), pl.from_pandas(pd.DataFrame({"a": [1, None]})), rows.to_pandas().a.sum())
"""


@pytest.mark.parametrize(
    ("library", "text"),
    [("tqdm", PROGRESS), ("pandera", SCHEMAS), ("numba", COMPILED), ("polars", TABLES)],
    ids=lambda x: x[:7].strip(),
)
def test_libraries_of_pandas(tmp_path, library, text):
    pytest.importorskip(library)
    written(tmp_path, "program.py", "import warnings\nwarnings.simplefilter('ignore')\n" + text)
    both(tmp_path, "program.py")


def test_forked_processes_load_nothing_again(tmp_path):
    if not hasattr(os, "fork"):
        pytest.skip("processes are not forked here")
    written(
        tmp_path,
        "forks.py",
        """
        import sys
        import pandas as pd
        import multiprocessing

        def work(i):
            before = set(sys.modules)
            total = pd.DataFrame({"a": [i, 2]}).a.sum()
            return int(total), len(set(sys.modules) - before)

        if __name__ == "__main__":
            with multiprocessing.get_context("fork").Pool(1) as pool:
                (total, loaded), = pool.map(work, [1])
            print(total, loaded < 20)
        """,
    )
    both(tmp_path, "forks.py")


def test_runs_in_numpy_are_counted_without_a_warning(tmp_path):
    written(
        tmp_path,
        "quiet.py",
        """
        import numpy as np
        print(np.array_equal(["a"], ["a"]), np.array_equal(np.arange(2), ["a"]))
        """,
    )
    plain, ours = both(tmp_path, "quiet.py")
    assert ours.stderr == ""
