"""pandas' own documentation: the examples of its docstrings print the same where `pd` is bascule.pandas.

An example must print the output that the installed pandas documents; where pandas itself prints another (another version, a
file that is not there), the example is left out.
"""

from __future__ import annotations

import contextlib
import doctest
import inspect
import io
from typing import Any

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pandas
import pytest
from pandas.core.arrays.categorical import CategoricalAccessor
from pandas.core.groupby import DataFrameGroupBy, SeriesGroupBy
from pandas.core.indexes.accessors import CombinedDatetimelikeProperties
from pandas.core.resample import Resampler
from pandas.core.strings.accessor import StringMethods
from pandas.core.window import Expanding, ExponentialMovingWindow, Rolling

pytestmark = pytest.mark.filterwarnings("ignore")

CLASSES = [
    pandas.DataFrame, pandas.Series, pandas.Index, pandas.MultiIndex, pandas.DatetimeIndex, pandas.TimedeltaIndex,
    pandas.CategoricalIndex, pandas.RangeIndex, pandas.PeriodIndex, pandas.IntervalIndex, DataFrameGroupBy, SeriesGroupBy,
    Rolling, Expanding, ExponentialMovingWindow, Resampler, StringMethods, CombinedDatetimelikeProperties, CategoricalAccessor,
    pandas.Categorical, pandas,
]  # fmt: skip

# docs/limits.md describes each.
KNOWN = {
    "type(df.iloc[0])", "type(df.iloc[[0]])",  # the class's own module
    "10 // df", "df.rfloordiv(10)", "1000 % df", "df.rmod(1000)",  # a zero in one column makes others of its block float64
    "df.value_counts(dropna=False)", "large_leg_num.index.levels", "pd.MultiIndex.from_arrays([[1, None, 2], [3, 4, 5]]).dtypes",
    'idx.set_levels([["a", "b", "c"], [1, 2, 3, 4]], level=[0, 1]).levels',  # levels have the labels of rows, no others
    "r",  # Series(values, copy=False) holds a copy
    'df.groupby(by=["a"]).indices',  # keys are Python's numbers
    'merge_ordered(df1, df2, fill_method="ffill", left_by="group")',  # `from pandas import merge_ordered`
}  # fmt: skip


def _examples(of: Any) -> dict[str, str]:
    """The docstrings with examples of a class or module and of what is in it."""
    found = {of.__name__: of.__doc__}
    for name in dir(of):
        if not name.startswith("_"):
            with contextlib.suppress(Exception):
                static = inspect.getattr_static(of, name)
                found[name] = (static if isinstance(static, property) else getattr(of, name)).__doc__
    return {name: doc for name, doc in found.items() if isinstance(doc, str) and ">>>" in doc}


class _Failures(doctest.DocTestRunner):
    def __init__(self) -> None:
        super().__init__(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS, verbose=False)
        self.found: dict[str, str] = {}

    def report_failure(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.found[example.source.strip()] = f"wanted\n{example.want}\ngot\n{got}"

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, error: Any) -> None:
        self.found[example.source.strip()] = f"wanted\n{example.want}\ngot {error[0].__name__}: {error[1]}"


def _failures(doc: str, name: str, pd: Any) -> tuple[dict[str, str], int]:
    test = doctest.DocTestParser().get_doctest(doc, {"pd": pd, "np": np}, name, None, 0)
    runner = _Failures()
    with contextlib.redirect_stdout(io.StringIO()):
        runner.run(test, out=lambda s: None)
    return runner.found, len(test.examples)


@pytest.mark.parametrize("of", CLASSES, ids=lambda c: c.__name__)
def test_examples_print_the_same(of, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    count, wrong = 0, {}
    with bc.config.set(fallback="silent"):
        for name, doc in _examples(of).items():
            ours, examples = _failures(doc, name, bpd)
            count += examples
            unknown = {source: why for source, why in ours.items() if source not in KNOWN}
            if unknown:
                theirs, _ = _failures(doc, name, pandas)
                wrong |= {f"{name}: {source}": why for source, why in unknown.items() if source not in theirs}
    assert count
    assert not wrong, "\n\n".join(f"{source}\n{why}" for source, why in wrong.items())
