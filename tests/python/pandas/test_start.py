"""Programs that pandas is not needed for do not import it; once it is there, its classes are known."""

import os
import subprocess
import sys
import types

import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule.pandas import _questions, _theirs
from bascule.pandas._fallback import deprecations, positional
from bascule.pandas._strings.kernels import KERNELS
from bascule.pandas._strings.methods import signature

BEFORE = """
import sys
import numpy as np
import bascule.pandas as pd
df = pd.DataFrame({"key": [1, 2, 1], "x": [1.0, 2.5, np.nan]})
tx = pd.DataFrame({"key": ["a", "b", "a"], "n": [1, 2, 3]})
"""
AFTER = "\nloaded = [m for m in ('pandas', 'pyarrow') if m in sys.modules]\nassert loaded == {allowed}, loaded"

OF_NUMBERS = """
assert df.x.sum() == 3.5 and df.sum().x == 3.5 and df.x.mean() == 1.75
df["y"] = df.x * 2 + df.key; assert df.shape == (3, 3)
assert len(df[df.key == 1]) == 2 and df.loc[1, "x"] == 2.5 and df.iloc[0, 0] == 1
assert df.groupby("key").x.sum()[1] == 1.0 and df.groupby("key").agg("mean").x[2] == 2.5
assert df.sort_values("x", ascending=False).x.iloc[0] == 2.5
assert df.fillna(0).x.tolist() == [1.0, 2.5, 0.0] and len(df.dropna()) == 2 and df.isna().sum().x == 1
assert df.key.value_counts()[1] == 2 and df.key.unique().tolist() == [1, 2]
assert df.x.rolling(2).sum().iloc[1] == 3.5 and df.key.cumsum().tolist() == [1, 3, 4]
assert pd.concat([df, df], ignore_index=True).shape == (6, 2)
assert pd.DataFrame(np.ones((3, 2)), columns=["p", "q"]).sum().p == 3
assert [row.key for row in df.itertuples()] == [1, 2, 1] and df.to_dict("records")[0]["key"] == 1
assert "2    2.5" in repr(df.groupby("key").x.sum()) and repr(df).endswith("2    1  NaN") and str(df.sum()).count("4.0")
assert df.assign(z=lambda d: d.key + 1).z.max() == 3 and df.set_index("key").reset_index().shape == (3, 2)
"""
OF_TEXT = """
assert tx.groupby("key").n.sum()["a"] == 4 and tx.key.nunique() == 2 and tx.key.tolist() == ["a", "b", "a"]
assert len(tx[tx.key == "a"]) == 2 and tx.sort_values("key").n.iloc[2] == 2 and tx.key.iloc[0] == "a"
assert tx.set_index("key").loc["b"].n == 2 and tx.key.value_counts()["a"] == 2 and tx.key.isin(["a"]).sum() == 2
assert repr(tx).startswith("  key  n") and "dtype: str" in repr(tx.key) and tx.merge(tx, on="key").shape == (5, 3)
assert tx.n.astype(str).tolist() == ["1", "2", "3"] and df.x.fillna(0).astype(str)[1] == "2.5" and (df.x > 1).astype(str)[0] == "False"
assert pd.Series(["1", "-2"]).astype(int).sum() == -1 and pd.Series(["1.5", None, "2e3"]).astype(float).sum() == 2001.5
assert tx.key.map({"a": 1, "b": 2}).sum() == 4 and [r.key for r in tx.itertuples()] == ["a", "b", "a"]
"""

MANY_STRINGS = """
s = pd.Series([f"name {i % 977}" for i in range(30_000)]); assert s.dtype == "str" and s.nunique() == 977 and s.iloc[-1] == "name 689"
s = pd.Series(["é", None, "b"] * 10_000); assert s.isna().sum() == 10_000 and s.value_counts()["é"] == 10_000
d = pd.DataFrame({"k": ["x", "y"] * 10_000, "n": range(20_000)}); assert d.groupby("k").n.sum()["y"] == 100_000_000
s = pd.Series(np.array(["a", "b", np.nan] * 10_000, dtype=object)); assert s.count() == 20_000 and (s == "b").sum() == 10_000
s = pd.Series(np.array(["a", "bc"] * 10_000)); assert len(s[s == "bc"]) == 10_000
"""


OF_DATES = """
t = pd.to_datetime(pd.Series(["2020-01-01", "2020-02-02"])); assert t.dt.year.sum() == 4040 and t.dt.month[1] == 2
t = pd.to_datetime(pd.Series(["2020-01-01 10:30:00", "2020-01-03 11:00:00"])); assert t.dt.hour.sum() == 21 and t.diff().dt.days[1] == 2
t = pd.to_datetime(pd.Series(["2020-01-31 12:30:15", None] * 600)); assert t.dt.day_name()[0] == "Friday" and t.dt.month_name().count() == 600
t = pd.to_datetime(pd.Series(["2020-01-31 12:30:15", None])); assert t.dt.strftime("%d.%m.%Y %H:%M")[0] == "31.01.2020 12:30" and t.dt.strftime("%b").isna()[1]
s = pd.DataFrame({"t": pd.to_datetime(pd.Series(["2020-01-02", "2020-01-01"])), "n": [1, 2]}).sort_values("t"); assert s.n.iloc[0] == 2
"""


def run(program: str) -> None:
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "program", [p for part in (OF_NUMBERS, OF_TEXT, MANY_STRINGS) for p in part.strip().split("\n")]
)
def test_a_program_that_pandas_is_not_needed_for_does_not_import_it(program):
    run(BEFORE + program + AFTER.format(allowed=[]))


@pytest.mark.parametrize("program", OF_DATES.strip().split("\n"))
def test_dates_are_parsed_without_pandas_and_arrow(program):
    run(BEFORE + program + AFTER.format(allowed=[]))


@pytest.mark.parametrize(
    "program",
    [
        "import pandas; assert isinstance(df.columns, pandas.Index) and list(df.columns) == ['key', 'x']",
        "import pandas; assert isinstance(tx.key.dtype, pandas.StringDtype) and type(tx.dtypes) is pandas.Series",
        "import pandas; assert df.sum().equals(pd.from_pandas(pandas.DataFrame({'key': [4.0], 'x': [3.5]}).iloc[0]))",
        "t = df.copy(); import pandas; t.columns.name = 'c'; assert t._names.name == 'c' and t.T.index.name == 'c'",
        "import pandas; assert pd.Series(pandas.Series([1, 2])).sum() == 3 and pd.isna(pandas.NaT) and pd.isna(pandas.NA)",
        "x = pd.Series(np.array(['2020-01-01'], 'M8[ns]')); t = x[0]; import pandas; assert type(t) is pandas.Timestamp",
        "import pandas; x = pd.Series([pandas.Timestamp('2020-01-01'), pandas.NaT]); assert x.dtype.kind == 'M'",
        "import pickle; t = pickle.loads(pickle.dumps(tx)); import pandas; assert t.to_pandas().equals(tx.to_pandas())",
        "import copy; assert copy.deepcopy(tx).equals(tx); import pandas",
        "assert pd.__version__.startswith('3.') and pd.DataFrame.to_xml.__doc__",
        "assert df.to_xml is not None and 'to_xml' in dir(df) and 'to_xml' in dir(pd.DataFrame)",
        "assert tx.to_pandas().columns.dtype == 'str' and tx.to_pandas().key.dtype == 'str'",
        "import inspect; import pandas; assert 'min_count' in inspect.signature(pd.DataFrame.groupby(df, 'key').sum).parameters",
        "import warnings; warnings.simplefilter('ignore'); assert round(df, 0).x[1] == 2.0",
    ],
)
def test_objects_made_before_pandas_are_known_to_it(program):
    run(BEFORE + program + "\nassert 'pandas' in sys.modules")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        ("df.sum(nothing=1)", "TypeError", "sum() got an unexpected keyword argument 'nothing'"),
        ("df.sort_values()", "TypeError", "DataFrame.sort_values() missing 1 required positional argument: 'by'"),
        ("df.head(1, 2)", "TypeError", "NDFrame.head() takes from 1 to 2 positional arguments but 3 were given"),
        ("df['missing']", "KeyError", "'missing'"),
        ("df.loc[7]", "KeyError", "7"),
        ("df.nothing", "AttributeError", "'DataFrame' object has no attribute 'nothing'"),
        ("df.key.nothing", "AttributeError", "'Series' object has no attribute 'nothing'"),
        ("pd.nothing", "AttributeError", "module 'bascule.pandas' has no attribute 'nothing'"),
        ("df.merge(tx, on='x')", "KeyError", "'x'"),
    ],
)
def test_errors_are_pandas_before_it_is_imported(call, error, text):
    run(BEFORE + f"try:\n    {call}\nexcept {error} as e:\n    assert str(e) == {text!r}, e\nelse:\n    assert False")


SCALARS = "stamp = pd.Timestamp('2020-01-01'); assert 'pyarrow' not in sys.modules and 'pandas' not in sys.modules\n"


@pytest.mark.parametrize(
    "program",
    [
        "assert pd.date_range('2020', periods=3).tolist()[0] == stamp and stamp + pd.Timedelta('1D') == pd.Timestamp('2020-01-02')",
        "import pandas, pyarrow; assert pandas.compat.pyarrow.pa is pandas.core.dtypes.dtypes.pa is pyarrow",
        "import pyarrow, pandas; assert pandas.compat.HAS_PYARROW and pandas.compat.pyarrow._palv.release[0] == int(pyarrow.__version__.split('.')[0])",
        "import pandas, pyarrow; assert pandas.array([1, None], dtype=pandas.ArrowDtype(pyarrow.int64())).sum() == 1",
        "import pandas; s = pandas.Series(['a', None], dtype='str'); assert s.str.upper()[0] == 'A' and s.fillna('b')[1] == 'b'",
        "assert pd.Series(['a', 'b'] * 6000).str.upper()[1] == 'B' and pd.Series([stamp])[0] == stamp",
        "import pyarrow.compute as pc; assert pc.sum([1, 2]).as_py() == 3",
        "t = pd.Series(['a'], dtype='string[pyarrow]'); assert t.to_pandas().dtype.storage == 'pyarrow'",
    ],
)
def test_pandas_scalars_are_there_without_arrow(program):
    run(BEFORE + SCALARS + program)


def test_errors_of_pandas_are_caught_by_its_classes():
    run(BEFORE + "try:\n    df.merge(df, left_on='key', right_on=['key', 'x'])\nexcept ValueError:\n    pass\n")
    program = "try:\n    pd.merge(df, df.rename(columns={'key': 'k', 'x': 'y'}))\nexcept pd.errors.MergeError as e:\n    found = e\n"
    run(BEFORE + program + "import pandas\nassert isinstance(found, pandas.errors.MergeError)")


MODE = """
import sys
import {module}
{use}
assert ("pandas" in sys.modules) is {imported}
"""


@pytest.mark.parametrize(
    ("module", "use", "imported"),
    [
        ("pandas as pd", "assert pd.DataFrame({'a': [1, 2]}).a.sum() == 3", False),
        ("pandas", "frame = pandas.DataFrame({'a': [1]}); assert isinstance(frame, pandas.DataFrame)", False),
        (
            "pandas as pd",
            "assert not isinstance(pd.Series([1.5]), list) and pd.__file__.endswith('__init__.py')",
            False,
        ),
        ("pandas as pd", "assert pd.Timestamp('2020-01-01').year == 2020 and pd.__doc__", False),
        ("pandas as pd", "import pickle; assert pickle.loads(pickle.dumps(pd)) is sys.modules['pandas']", True),
        ("pandas.api.types as t", "assert t.is_list_like([1])", True),
        ("numpy as np", "assert np.arange(3).sum() == 3", False),
    ],
)
def test_the_accelerated_mode_imports_pandas_when_it_is_needed(tmp_path, module, use, imported):
    script = tmp_path / "script.py"
    script.write_text(MODE.format(module=module, use=use, imported=imported))
    done = subprocess.run([sys.executable, "-m", "bascule", str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_all_that_wait_for_a_module_are_called():
    run(
        "import sys\nfrom bascule.interop import after_import\nfound = []\n"
        "after_import.fill({'colorsys': lambda m: found.append(1)})\n"
        "cancel = after_import.fill({'colorsys': lambda m: found.append(2)})\n"
        "after_import.fill({'colorsys': lambda m: found.append(3)})\ncancel()\n"
        "import colorsys\nassert found == [1, 3]"
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_pandas_is_imported_before_a_fork_once_a_forked_process_needed_it():
    run(
        BEFORE + "import os\n"
        "def forked(work):\n"
        "    if os.fork() == 0:\n"
        "        os._exit(work())\n"
        "    return os.waitstatus_to_exitcode(os.wait()[1])\n"
        "is_there = lambda: 'pandas' in sys.modules\n"
        "assert forked(is_there) == forked(is_there) == 0\n"
        "def needs_it():\n"
        "    import pandas\n"
        "    return 3\n"
        "assert forked(needs_it) == 3 and not is_there()\n"
        "assert forked(is_there) == 0 and is_there()\n"
        "assert forked(is_there) == 1"
    )


def test_no_module_keeps_a_stand_in_for_a_class():
    """Such a variable would go on asking Python's slow way, and an exact comparison with it would fail."""

    def kept(x):
        if isinstance(x, (tuple, list, set, frozenset)):
            return any(map(kept, x))
        if isinstance(x, dict):
            return any(map(kept, x)) or any(map(kept, x.values()))
        return type(x) is _theirs.Waiting

    modules = [m for n, m in sys.modules.items() if n.startswith("bascule.pandas.") and m is not _theirs]
    found = {f"{m.__name__}.{n}" for m in modules if m for n, x in vars(m).items() if n[0:2] != "__" and kept(x)}
    assert found == set()


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_methods_of_strings_have_the_parameters_of_pandas(name):
    import inspect

    theirs = list(inspect.signature(getattr(pandas.Series.str, name)).parameters.values())[1:]
    own = list(signature(name).parameters.values())
    assert [(p.name, p.kind, p.default is p.empty) for p in own] == [
        (p.name, p.kind, p.default is p.empty) for p in theirs
    ]


@pytest.mark.parametrize("kind", [pandas.DataFrame, pandas.Series])
def test_every_deprecated_argument_of_pandas_is_looked_for(kind):
    methods = [n for n in dir(kind) if n[0] != "_" and isinstance(getattr(kind, n), types.FunctionType)]
    limited = {n: len(found[0]) for n in methods if (found := positional.limits(kind, n)) is not None}
    assert {n: k for n, k in limited.items() if positional.ALLOWED.get(n) != k} == {}
    reported = {k for n in methods for k in deprecations._of_method(kind, n)}
    assert reported <= deprecations.DEPRECATED


def test_members_of_dates_for_some_types_only_are_those_of_pandas():
    from bascule.pandas._frames.accessors import _OF_SOME, TimeProperties

    names = [f"{kind}Properties" for kind in ("Datetime", "Timedelta", "Period")]
    theirs = {name: getattr(pandas.core.indexes.accessors, name) for name in names}
    own = {n for n in vars(TimeProperties) if n[0] != "_"}
    found = {n: {name for name, kind in theirs.items() if hasattr(kind, n)} for n in own}
    assert {n: k for n, k in found.items() if k and k != set(names)} == _OF_SOME


class Iterated:
    def __iter__(self):
        return iter(())


class OfNoDimension(Iterated):
    ndim = 0


ANYTHING = [
    1, 1.0, 1j, True, None, "a", b"a", bytearray(b"a"), [1], (1,), {1}, frozenset(), {}, range(3), np.array(1), np.array([1]),
    np.int8(1), np.float32(1), np.bool_(1), np.datetime64("2020"), np.timedelta64(1, "s"), np.str_("a"), np.bytes_(b"a"),
    __import__("datetime").date(2020, 1, 1), __import__("datetime").time(), __import__("datetime").timedelta(1),
    __import__("decimal").Decimal(1), __import__("fractions").Fraction(1), pandas.NaT, pandas.NA, pandas.Timestamp(0),
    pandas.Timedelta(1), pandas.Period("2020"), pandas.Interval(0, 1), pandas.offsets.Day(1), pandas.Series([1]),
    pandas.DataFrame(), pandas.Index([1]), pandas.Categorical(["a"]), pandas.array([1]), list, dict, int, Iterated, Iterated(),
    OfNoDimension(), list[int], __import__("typing").List[int], __import__("typing").Any, iter([]), object(), len, slice(1),
    ..., np.ma.masked, np.dtype(int), __import__("collections").UserDict(), __import__("collections").UserString("a"), np,
]  # fmt: skip


@pytest.mark.parametrize("question", ["is_list_like", "is_dict_like", "is_scalar", "is_integer", "is_bool"])
def test_questions_are_answered_as_by_pandas(question):
    theirs, own = getattr(pandas.api.types, question), getattr(_questions, question)
    assert [repr(x) for x in ANYTHING if theirs(x) is not own(x)] == []


def test_a_parameter_that_is_not_given_has_the_default_of_either_library():
    no_default = pandas.api.extensions.no_default
    assert pd.Series([1, 2]).shift(1, fill_value=no_default).isna().tolist() == [True, False]
    assert pd.DataFrame({"a": [1]}).to_numpy(na_value=no_default).tolist() == [[1]]
    assert pd.Series([1], name="a").to_frame(no_default).columns.tolist() == ["a"]


@pytest.mark.parametrize(
    "made",
    [
        "pd.DataFrame([[1, 2]])",
        "pd.DataFrame({'a': [1]}, index=[5])",
        "pd.Series([1, 2])",
        "pd.Series([1], index=['a'])",
    ],
)
@pytest.mark.parametrize("name", ["to_string", "interpolate"])
def test_the_first_name_of_a_process_may_be_a_fallback(made, name):
    """Looking for the name among the labels imports pandas, which adds the fallback meanwhile."""
    program = f"import bascule.pandas as pd\nassert callable({made}.{name})"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
