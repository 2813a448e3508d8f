"""nlargest and nsmallest of every type, with missing values, ties, each keep= and more rows than there are."""

from __future__ import annotations

import itertools
from typing import Any

import bascule
import bascule.pandas as pd
import numpy as np
import pandas
import pytest

VALUES = [3, 1, None, 2, 3, None, 1, 2, 3]
COLUMNS = {
    **{t: pandas.Series(VALUES, dtype="Int64").fillna(0).astype(t) for t in ("int64", "uint8", "float32", "int8")},
    **{t: pandas.Series(VALUES, dtype="Int64").astype(t) for t in ("Int64", "Float64", "float64", "UInt8")},
    "bool": pandas.Series([True, False, True]),
    "boolean": pandas.Series([True, None, False, True], dtype="boolean"),
    "dates": pandas.Series(pandas.to_datetime(["2020", None, "2019", "2020"])),
    "lengths": pandas.Series(pandas.to_timedelta(["1h", None, "2h", "1h"])),
    "nothing": pandas.Series([np.nan, np.nan, np.nan]),
    "infinite": pandas.Series([np.inf, -np.inf, np.nan, 0.0, -0.0, np.inf]),
    "text": pandas.Series(["a", "b"]),
    "objects": pandas.Series([1, "b"], dtype=object),
    "complex": pandas.Series([1j, 2]),
    "categories": pandas.Series(["a", "b"], dtype="category"),
}


def outcome(function: Any) -> Any:
    try:
        return function()
    except (TypeError, ValueError) as e:
        return f"{type(e).__name__}: {e}"


@pytest.mark.parametrize("kind", COLUMNS)
def test_as_in_pandas(kind):
    theirs = COLUMNS[kind].set_axis(list("zyxwvutsr")[: len(COLUMNS[kind])])
    with bascule.config.set(fallback="error"):
        for name, n, keep in itertools.product(("nlargest", "nsmallest"), (-1, 0, 2, 5, 8, 20), ("first", "last", "all", "x")):  # fmt: skip
            for of in (lambda s: s, lambda s: s.to_frame("a")):
                given = (n, keep) if of(theirs).ndim == 1 else (n, "a", keep)
                found = outcome(lambda: getattr(of(pd.from_pandas(theirs)), name)(*given))
                expected = outcome(lambda: getattr(of(theirs), name)(*given))
                if isinstance(expected, str) or isinstance(found, str):
                    assert found == expected
                elif expected.ndim == 1:
                    pandas.testing.assert_series_equal(found.to_pandas(), expected)
                else:
                    pandas.testing.assert_frame_equal(found.to_pandas(), expected)
