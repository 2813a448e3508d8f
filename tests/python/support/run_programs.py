"""Runs a random program on pandas' objects and on bascule's, and compares after every call."""

from __future__ import annotations

import re
import warnings
from typing import Any

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pandas.testing
from random_calls import Step
from random_frames import Source, frame, series
from random_programs import draw


class Difference(AssertionError):
    """The difference and the calls before it; `key` is the last call's name and the difference's first line."""

    def __init__(self, key: str, text: str):
        super().__init__(text)
        self.key = key


def compare_labels(found: pandas.Index, expected: pandas.Index) -> None:
    """Labels and names are equal, and so are types, except those that levels have only for missing values."""
    if isinstance(expected, pandas.MultiIndex):
        assert isinstance(found, pandas.MultiIndex) and found.nlevels == expected.nlevels, f"levels {found!r}"
        assert list(found.names) == list(expected.names), f"names {found.names}, expected {expected.names}"
        pandas.testing.assert_series_equal(pandas.Series(found.tolist()), pandas.Series(expected.tolist()))
        return
    pandas.testing.assert_index_equal(found, expected, exact="equiv")


def compare(found: Any, expected: Any) -> None:
    """Types, labels, names, order and values are equal; floats within 1e-9 relative, since errors accumulate."""
    if isinstance(expected, (pandas.DataFrame, pandas.Series)):
        if isinstance(found, (pandas.DataFrame, pandas.Series)):  # not of values, such as the types of columns
            found = pd.from_pandas(found)
        assert type(found) is getattr(pd, type(expected).__name__), f"type {type(found)}, expected {type(expected)}"
        assert found.shape == expected.shape, f"shape {found.shape}, expected {expected.shape}"
        there = found.to_pandas()
        compare_labels(there.index, expected.index)
        small = any(d == np.float32 for d in (expected.dtypes if expected.ndim == 2 else [expected.dtype]))
        check = pandas.testing.assert_frame_equal if expected.ndim == 2 else pandas.testing.assert_series_equal
        there.index = expected.index
        check(
            there,
            expected,
            check_freq=False,
            rtol=1e-9 if not small else 1e-4,
            atol=1e-9,
            **({"check_column_type": "equiv"} if expected.ndim == 2 else {}),
        )
    elif isinstance(expected, pandas.Index):
        assert isinstance(found, (pd.Index, pandas.Index)), f"type {type(found)}, expected {type(expected)}"
        there = found.to_pandas() if hasattr(found, "to_pandas") else found
        compare_labels(there, expected)
    elif isinstance(expected, (list, tuple)):
        assert len(found) == len(expected)
        for a, b in zip(found, expected):
            compare(a, b)
    elif isinstance(expected, (np.ndarray, pandas.api.extensions.ExtensionArray)):
        there = np.asarray(found)
        wanted = np.asarray(expected)
        assert there.dtype == wanted.dtype, f"dtype {there.dtype}, expected {wanted.dtype}"
        if wanted.dtype == object:
            np.testing.assert_array_equal(there.astype(str), wanted.astype(str))
        elif wanted.dtype.kind == "f":
            np.testing.assert_allclose(there, wanted, rtol=1e-5 if wanted.dtype == np.float32 else 1e-9)
        else:
            np.testing.assert_array_equal(there, wanted)
    else:
        assert type(found) is type(expected), f"scalar {type(found)}, expected {type(expected)}"
        if not np.ndim(expected) and pandas.isna(expected):
            assert pandas.isna(found), f"{found!r}, expected {expected!r}"
        elif isinstance(expected, (float, np.floating)):
            assert found == expected or np.isclose(
                found, expected, rtol=1e-4 if isinstance(expected, np.float32) else 1e-9, atol=1e-9
            ), f"{found!r}, expected {expected!r}"
        else:
            assert found == expected, f"{found!r}, expected {expected!r}"


def own(x: Any) -> Any:
    return pd.from_pandas(x) if isinstance(x, (pandas.DataFrame, pandas.Series, pandas.Index)) else x


def same(x: Any) -> Any:
    return x


def attempt(step: Step, x: Any, wrap: Any, lib: Any) -> tuple[Any, Exception | None]:
    try:
        return step.run(x, wrap, lib), None
    except Exception as e:  # pandas may raise any error
        return None, e


def run_program(r: Source, calls: int = 4) -> None:
    """Run up to so many calls on a frame or series, and compare all intermediate objects again at the end."""
    theirs = frame(r) if r.chance(0.7) else series(r)
    start = f"{theirs!r}\n{theirs.index!r}\n{theirs.dtypes if theirs.ndim == 2 else theirs.dtype}"
    text = ""
    ours = pd.from_pandas(theirs)
    kept = [(ours, theirs)]
    with bc.config.set(fallback="silent"), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for _ in range(r.number(1, calls + 1)):
            step = draw(r, theirs)
            text += step.text + "\n"
            name = re.sub(r"<(Series|DataFrame).*?>|\d+|'[^']*'", "", step.text)[:60]
            before = len(theirs)
            expected, expected_error = attempt(step, theirs, same, pandas)
            found, error = attempt(step, ours, own, pd)
            if expected_error is not None or error is not None:
                if not (expected_error is not None and isinstance(error, type(expected_error))):
                    raise Difference(
                        f"{name} raises {type(error).__name__}, expected {type(expected_error).__name__}",
                        f"{start}\n{text}\n{type(error).__name__}: {error}\nexpected {type(expected_error).__name__}: {expected_error}",
                    ) from error
                if step.text.startswith(" in place"):
                    kept.pop()  # pandas may have written a part before it raised
                break
            try:
                compare(found, expected)
            except AssertionError as e:
                raise Difference(
                    f"{name} {str(e).splitlines()[0] if str(e) else ''}",
                    f"{start}\n{text}\n{e}\nFOUND {found!r}\nEXPECTED {expected!r}",
                ) from e
            if not isinstance(found, (pd.DataFrame, pd.Series)):
                break
            kept.append((found, expected))
            ours, theirs = found, expected
            if len(theirs) > 50 * (before + 100):
                break
    with bc.config.set(fallback="silent"):
        for a, b in kept:
            try:
                compare(a, b)
            except AssertionError as e:
                raise Difference(
                    f"an earlier object changed: {text.splitlines()[-1][:40]}", f"{start}\n{text}\n{e}"
                ) from e
