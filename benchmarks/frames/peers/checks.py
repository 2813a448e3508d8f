"""Checks that a result is pandas': bascule's with labels, types and order; a peer's by its rows, in any order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow as pa
from pandas import testing

BASCULE = 1e-12  # relative error of floats: both libraries compensate sums of many groups, neither those of a column
PEERS = 1e-7  # they add in other orders; small differences of large sums remain
MANY = 1_000_000  # rows above which columns are compared by their sums instead of row by row


class WrongResult(AssertionError):
    """A result differs from pandas'; no time is reported."""


def expect(right: bool, text: str) -> None:
    if not right:
        raise WrongResult(text)


def same_as_pandas(got: Any, wanted: Any) -> None:
    """Compare values, types, labels and their order."""
    how: dict[str, Any] = {"rtol": BASCULE, "atol": BASCULE}
    try:
        if isinstance(wanted, pandas.DataFrame):
            testing.assert_frame_equal(got, wanted, **how)
        elif isinstance(wanted, pandas.Series):
            testing.assert_series_equal(got, wanted, **how)
        else:
            expect(type(got) is type(wanted), f"{type(got).__name__} is not {type(wanted).__name__}")
            expect(bool(np.isclose(got, wanted, rtol=BASCULE, atol=0)), f"{got!r} is not {wanted!r}")
    except AssertionError as error:
        raise WrongResult(str(error)) from None


def same_file(got: Path, wanted: Path, exactly: bool) -> None:
    if wanted.suffix == ".parquet":
        a, b = pandas.read_parquet(got), pandas.read_parquet(wanted)
        if exactly:
            testing.assert_frame_equal(a, b)
        expect(len(a) == len(b), f"{len(a)} rows, pandas writes {len(b)}")
    elif exactly:
        expect(got.read_bytes() == wanted.read_bytes(), "the files differ")
    else:
        lines = [path.read_bytes().count(b"\n") for path in (got, wanted)]
        expect(lines[0] == lines[1], f"{lines[0]} lines, pandas writes {lines[1]}")


def as_frame(x: Any) -> pandas.DataFrame:
    """A peer's table, column or scalar as a frame."""
    if hasattr(x, "to_arrow") and not hasattr(x, "schema"):  # a column of Polars
        x = x.to_arrow()
    if hasattr(x, "type") and pa.types.is_struct(x.type):  # the result of pyarrow's value_counts
        x = pa.Table.from_struct_array(x)
    if isinstance(x, pa.Table):  # sums of integers in DuckDB are decimals
        wide = [pa.float64() if pa.types.is_decimal(f.type) else f.type for f in x.schema]
        x = x.cast(pa.schema(list(zip(x.column_names, wide))))
    if hasattr(x, "to_pandas"):
        x = x.to_pandas()
    if isinstance(x, pandas.DataFrame):
        return x
    if isinstance(x, pandas.Series):
        return x.to_frame()
    return pandas.DataFrame({"value": [x] if np.isscalar(x) else x})


def in_nanoseconds(x: Any) -> Any:
    """pandas' result with timestamps as `comparable` has them, since other versions of pandas cannot read their pickles."""
    if not isinstance(x, pandas.DataFrame):
        return x
    times = [c for c, dtype in x.dtypes.items() if dtype.kind == "M"]
    return x.assign(**{c: x[c].astype("datetime64[ns]").astype("int64") for c in times}) if times else x


def flat(x: Any) -> pandas.DataFrame:
    """pandas' result with named index levels as columns."""
    if not isinstance(x, (pandas.DataFrame, pandas.Series)):
        return pandas.DataFrame({"value": [x]})
    x = x.to_frame("value") if isinstance(x, pandas.Series) and x.name in (None, *x.index.names) else x
    x = x.to_frame() if isinstance(x, pandas.Series) else x
    return x.reset_index() if any(name is not None for name in x.index.names) else x


def comparable(column: pandas.Series) -> np.ndarray:
    """A column as numbers: floats, timestamps since 1970 in ns, or hashes of strings."""
    if isinstance(column.dtype, pandas.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype)
    if column.dtype == object and len(column) and hasattr(column.dropna().iloc[0], "isoformat"):
        column = pandas.to_datetime(column)
    if column.dtype.kind == "M":
        return column.astype("datetime64[ns]").astype("int64").to_numpy().astype(float)
    if column.dtype.kind in "biufc":
        return column.to_numpy().astype(float)
    hashed = pandas.util.hash_array(column.to_numpy(dtype=object), categorize=True)
    return (hashed >> np.uint64(20)).astype(float)


def same_rows(got: Any, wanted: Any) -> None:
    """Compare the rows in any order; columns by position."""
    a, b = as_frame(got), flat(wanted)
    expect(a.shape == b.shape, f"shape {a.shape}, pandas' is {b.shape}")
    left, right = ([comparable(x.iloc[:, k]) for k in range(x.shape[1])] for x in (a, b))
    # Rows are sorted by columns without fractions, since fractions differ in their last digits.
    whole = [k for k, column in enumerate(right) if len(column) and bool((column == np.floor(column)).all())]
    if len(a) <= MANY and (whole or len(right) == 1):
        by = whole or [0]
        left, right = ([c[np.lexsort([side[k] for k in by])] for c in side] for side in (left, right))
        if len(by) < len(right) and len(np.unique(np.stack([right[k] for k in by]), axis=1).T) < len(a):
            left, right = ([np.sort(c) for c in side] for side in (left, right))
    else:
        left, right = ([np.array([np.nansum(c), np.isnan(c).sum()]) for c in side] for side in (left, right))
    for k, (x, y) in enumerate(zip(left, right)):
        scale = float(np.nanmean(np.abs(y))) if len(y) and not np.isnan(y).all() else 0.0
        expect(np.allclose(x, y, rtol=PEERS, atol=PEERS * scale, equal_nan=True), f"column {k} differs from pandas'")


def check(got: Any, wanted: Any, exactly: bool) -> None:
    if isinstance(wanted, Path):
        same_file(got, wanted, exactly)
    elif exactly:
        same_as_pandas(got, wanted)
    else:
        same_rows(got, wanted)
