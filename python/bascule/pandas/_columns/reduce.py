"""Reductions of columns to scalars with pandas' results; one pass over the data where nothing is missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from ..._array.ufuncs import by_name, rows
from .._fallback.native import NotNative
from .._theirs import seen
from . import reported
from .column import AnyColumn, ndarray

_select = rows["where"]["ufunc"]
_int64, _float64 = np.dtype(np.int64), np.dtype(np.float64)


class Parts:
    """A column's values for reductions, and which rows are missing.

    Attributes
    ----------
    values : ndarray
        Numbers; of times their int64.
    dtype : numpy.dtype
        Type of the values in memory.
    float_dtype : numpy.dtype
        Type of a result that is a float: that of floats, and float64.
    total : numpy scalar, optional
        The sum of all values, where it was read together with those of other columns.
    """

    __slots__ = ("column", "values", "dtype", "float_dtype", "total", "_nulls")

    def __init__(self, c: AnyColumn):
        self.values = c.as_numbers()
        self.column, self.dtype, self.float_dtype = c, c.values.dtype, c.float_dtype
        self.total: Any = None
        self._nulls: Any = False

    @property
    def nothing(self) -> Any:
        """The result where there is no value: NaN, NaT or NA."""
        return self.column.nothing

    @property
    def nulls(self) -> ndarray | None:
        """Boolean array of missing rows; None where there can be none."""
        if self._nulls is False:
            self._nulls = self.column.nulls()
        return self._nulls

    @property
    def undefined(self) -> Any:
        """The result of too few values; NaN of a float type has that type."""
        return self.column.undefined

    def filled(self, value: Any) -> ndarray:
        """The values, with missing ones replaced."""
        return self.values if self.nulls is None else _select(self.nulls, self.values.dtype.type(value), self.values)

    def count(self) -> int:
        """Rows that are not missing."""
        n = len(self.values)
        return n if self.nulls is None or n == 0 else n - int(self.nulls.sum())

    def only(self) -> ndarray:
        """The values that are not missing."""
        return self.values if self.nulls is None else self.values[~self.nulls]

    def checked(self, letters: str, why: str) -> Parts:
        """The same, for values of some kinds; NotNative for others."""
        if self.column.letter not in letters:
            raise NotNative(why if " " in why else f"{why} of type {self.column.dtype}")
        return self


def _host(x: Any) -> Any:
    """A value without axes as NumPy's scalar, wherever its memory is."""
    return _core.to_numpy(x)[()] if type(x) is ndarray else x


def _looks_whole(p: Parts) -> bool:
    """Whether a sample of float values in memory has no NaN: then a pass that assumes none is worth a try."""
    v = p.values
    n = len(v)
    if not p.column.nan_is_missing:
        return False
    if n < 100_000 or _core.is_pending(v):
        return True
    few = v[:: n // 1000].sum()
    return bool(few == few)


def totals(columns: Any) -> list[Any]:
    """The sums of columns of numbers on a GPU, which is waited for once; None for others, and where only some rows count."""
    found: list[Any] = [None] * len(columns)
    waiting = {}
    for k, c in enumerate(columns):
        letter = c.letter
        if not c.device.startswith("cuda") or not c.in_arrays or letter not in "iuf" or not len(c):
            continue
        p = Parts(c)
        if c.nan_is_missing or p.nulls is None:
            waiting[k] = p.values.sum(dtype=_wide(p) if letter == "f" else c.sum_dtype)
    if waiting:
        wide = [w if w.dtype.itemsize == 8 else w.astype(_float64) for w in waiting.values()]
        read = _core.to_numpy(_core.concat_columns([_core.Column.plain(w[None].view(_int64)) for w in wide]).values)
        for k, (total, kept) in zip(waiting, zip(read, wide, strict=True), strict=True):
            found[k] = waiting[k].dtype.type(total.view(kept.dtype))
    return found


def reduction(
    name: str, c: AnyColumn, skipna: bool = True, min_count: int = 0, ddof: int = 1, total: Any = None
) -> Any:
    """One number of a column: sum, prod, mean, var, std, sem, min, max, any, all or count.

    Raises
    ------
    NotNative
        When pandas has to compute it.
    """
    if name == "count":
        return np.int64(len(c) - int(c.missing().sum()) if c.has_missing() else len(c))
    p = Parts(c)
    p.total = total
    c.check_sum(name)
    if not skipna and p.nulls is not None and bool(p.nulls.any()):
        return _with_nulls(name, p)
    with np.errstate(all="ignore"):
        found = _FOLDS[name](p, min_count, ddof)
    if name in _REPORTED and c.nan_is_missing and not np.isfinite(found):
        _report(name, found, p, max(min_count, ddof + 1 if name in _SPREAD else 1))
    return c.result(found)


def _report(name: str, found: Any, p: Parts, least: int) -> None:
    """Warn where a result is infinite or NaN for another reason than a lack of values."""
    infinite = bool(by_name["isinf"](p.values).any())
    if p.count() >= (1 if infinite and name in _SPREAD else least):
        reported.of_reduction(name, found, _wide(p), infinite)


def _with_nulls(name: str, p: Parts) -> Any:
    """The result of a reduction that does not skip missing values, where there are some."""
    if name in ("any", "all"):
        raise NotNative("any and all over missing values")
    if name in ("prod", "var", "sem", "std"):
        p.checked("biuf", "moments of datetimes")
    return _wide(p).type(np.nan) if name in ("sum", "mean") and p.undefined is not p.nothing else p.undefined


def _wide(p: Parts) -> np.dtype:
    """The type in which floats are added: a sum of float16 is no float16."""
    return _float64 if p.dtype == np.float16 else p.dtype


def _fast_sum(p: Parts) -> Any:
    """The sum of floats that seem to have no missing value; None if there is one."""
    if not _looks_whole(p):
        return None
    total = _host(p.values.sum(dtype=_wide(p))) if p.total is None else p.total
    return total if total == total else None


def _sum(p: Parts, min_count: int, ddof: int) -> Any:
    total = _fast_sum(p) if min_count <= 0 else None
    if total is not None:
        return total
    if min_count > 0 and p.count() < min_count:
        return p.nothing if p.undefined is p.nothing else _wide(p).type(np.nan)
    if p.total is not None and p.nulls is None:
        return p.column.scalar(p.total)
    return p.column.scalar(_host(p.filled(0).sum(dtype=p.column.sum_dtype)))


def _prod(p: Parts, min_count: int, ddof: int) -> Any:
    p.checked("biuf", "products of times")
    if min_count > 0 and p.count() < min_count:
        return p.undefined
    return _host(p.filled(1).prod())


def _mean(p: Parts, min_count: int, ddof: int) -> Any:
    n = len(p.values)
    dtype = p.column.mean_dtype
    total = _fast_sum(p) if n else None
    if total is not None:
        return total / dtype.type(n)
    # lazy and computed first, with an axis: the count then shares its pass
    waiting = p.filled(0).sum(dtype=dtype, keepdims=True)
    count = p.count()
    if count == 0:
        return p.nothing
    total = _host(waiting[0])
    return p.column.scalar(total / (np.float64 if dtype == _int64 else dtype.type)(count))


def _squares(p: Parts, ddof: int) -> tuple[Any, int]:
    """Variance and the number of values."""
    p.checked("biuf", "moments of datetimes")
    n, kind = len(p.values), p.float_dtype
    if kind.itemsize == 2:
        raise NotNative("moments of float16")
    wide = p.values.astype(_float64, copy=False)
    if p.nulls is None or _looks_whole(p):
        if n <= ddof:
            return _undefined(p, kind, n), n
        found = _host(wide.var(ddof=ddof))
        if p.nulls is None or found == found:
            return kind.type(found), n
    waiting = p.filled(0).sum(dtype=_float64, keepdims=True)  # as in the mean
    count = p.count()
    if count <= ddof:
        return _undefined(p, kind, count), count
    mean = np.float64(waiting[0]) / count
    off = wide - mean
    return kind.type(np.float64(float(_select(p.nulls, 0.0, off * off).sum())) / (count - ddof)), count


def _undefined(p: Parts, kind: np.dtype, count: int = 0) -> Any:
    """The variance where ddof is not less than the number of values: in masked columns as NumPy divides by zero."""
    if p.nothing is not seen.NA:
        return kind.type(np.nan) if len(p.values) else p.nothing
    if count < 2:
        return p.nothing
    there = p.only()
    return p.nothing if bool((there == there[0]).all()) else kind.type(np.inf)


def _var(p: Parts, min_count: int, ddof: int) -> Any:
    return _squares(p, ddof)[0]


def _std(p: Parts, min_count: int, ddof: int) -> Any:
    found = _squares(p, ddof)[0]
    return found if found is seen.NA or type(found) is float else np.sqrt(found)


def _sem(p: Parts, min_count: int, ddof: int) -> Any:
    found, count = _squares(p, ddof)
    if found is seen.NA or (p.nothing is seen.NA and count <= ddof):
        return p.nothing
    if count == 0:
        return (p.float_dtype if len(p.values) else _float64).type(np.nan)
    return np.sqrt(found) / np.sqrt(p.float_dtype.type(count))


def _extreme(name: str) -> Any:
    def found(p: Parts, min_count: int, ddof: int) -> Any:
        if len(p.values) == 0:
            return p.nothing
        if _looks_whole(p):
            best = _host(getattr(p.values, name)())
            if best == best:
                return best
        if p.nulls is None:
            return p.column.scalar(_host(getattr(p.values, name)()))
        if bool(p.nulls.all()):
            return p.undefined
        return p.column.scalar(_host(getattr(p.filled(p.column.limit(name)), name)()))

    return found


def _any(p: Parts, min_count: int, ddof: int) -> Any:
    return _host(p.checked("biuf", "any and all of times").filled(0).any())


def _all(p: Parts, min_count: int, ddof: int) -> Any:
    return _host(p.checked("biuf", "any and all of times").filled(1).all())


_FOLDS = {"sum": _sum, "prod": _prod, "mean": _mean, "var": _var, "std": _std, "sem": _sem, "min": _extreme("min"),
          "max": _extreme("max"), "any": _any, "all": _all}  # fmt: skip
_SPREAD = ("var", "std", "sem")
_REPORTED = frozenset(
    ("sum", "prod", "mean", "var", "std", "sem")
)  # for these pandas passes on NumPy's overflow warning


# ---- by order


def at_ranks(p: Parts, ranks: np.ndarray) -> np.ndarray:
    """The values at ranks among those that are not missing."""
    c = p.column
    values = c.values if c.core.valid is None else c.values[c.core.valid]
    there, back = np.unique(ranks, return_inverse=True)
    found = _core.to_numpy(_core.select_ranks(values, there.tolist()))[back]
    return found if p.values.dtype == p.dtype else found.view(np.int64)


def quantiles(
    c: AnyColumn, q: list[float], interpolation: str = "linear", narrow: bool | None = None
) -> tuple[np.ndarray, Parts]:
    """Quantiles of a column of numbers, or of times, in the type that pandas gives them.

    Narrow floats keep their type if `narrow`, by default where values are missing.
    """
    p = Parts(c)
    c.plain_values("iuf" if interpolation == "midpoint" else "iufmM", "quantiles")
    n = p.count()
    narrow = n < len(c) if narrow is None else narrow
    if n == 0:
        p.checked("iuf", "quantiles of no times")
        return np.full(len(q), np.nan, p.float_dtype if len(c) else _float64), p
    at = np.array([(n - 1) * x for x in q])
    low = np.floor(at).astype(np.int64)
    high = np.minimum(low + 1, n - 1)
    share = at - low
    values = at_ranks(p, np.concatenate([low, high]))
    found = _between(values[: len(q)], values[len(q) :], share, np.around(at) > low, interpolation, p)
    return found.astype(p.dtype) if narrow and p.dtype == p.float_dtype else found, p


def _between(a: np.ndarray, b: np.ndarray, share: np.ndarray, nearer: np.ndarray, interpolation: str, p: Parts) -> Any:
    """Interpolate between each of a and that of b by a weight."""
    if interpolation == "linear":
        with np.errstate(all="ignore"):
            off = (b - a).astype(_float64) if p.column.can_lack else b.astype(_float64) - a
            # computed from the nearer end, so that quantiles never fall as q rises
            up, down = a.astype(_float64) + off * share, b.astype(_float64) - off * (1 - share)
        found = np.where(share >= 0.5, down, up)
        if np.isnan(up).any():  # of floats only
            reported.of_distance()
        return found if p.values.dtype == p.dtype else found.astype(np.int64).view(p.dtype)
    a, b = a.view(p.dtype), b.view(p.dtype)
    if interpolation == "nearest":
        return np.where(nearer, b, a)
    if interpolation == "lower":
        return a
    if interpolation == "higher":
        return np.where(share > 0, b, a)
    raise NotNative("interpolation=")


def seems_constant(n: Any, mean: Any, squares: Any) -> Any:
    """Whether n values may all be equal except for rounding, by the sum of squared deviations."""
    return squares <= n * (4 * np.finfo(np.float64).eps * mean) ** 2


def shape_of_moments(name: str, n: Any, constant: Any, squares: Any, powers: Any) -> Any:
    """Skewness or kurtosis of n values, from the sums of the powers of their deviations."""
    least = 3 if name == "skew" else 4
    with np.errstate(all="ignore"):
        if name == "skew":
            found = n * by_name["sqrt"](n - 1.0) / (n - 2.0) * powers / (squares * by_name["sqrt"](squares))
        else:
            above, below = n * (n + 1.0) * (n - 1.0) * powers, (n - 2.0) * (n - 3.0) * squares * squares
            found = above / below - 3.0 * (n - 1.0) ** 2 / ((n - 2.0) * (n - 3.0))
        return _select((n < least) | constant, np.nan, found)


def shape(c: AnyColumn, name: str, skipna: bool) -> Any:
    """Skewness or kurtosis of a column of numbers."""
    p = Parts(c).checked("biuf", "moments")
    n = p.count()
    if p.nothing is seen.NA and not skipna and n < len(c):
        return p.nothing
    if n < (3 if name == "skew" else 4) or (not skipna and n < len(c)):
        found = np.nan
    else:
        x = p.values.astype(_float64, copy=False)
        there = None if n == len(c) else ~p.nulls
        mean = float((x if there is None else _select(there, x, 0.0)).sum()) / n
        apart = x - mean if there is None else _select(there, x - mean, 0.0)
        off = float(apart.sum()) / n  # the rounding error of the mean
        apart = apart - off if there is None else _select(there, apart - off, 0.0)
        squares = apart * apart
        powers = squares * apart if name == "skew" else squares * squares
        sums = [_core.from_numpy(np.array([float(v.sum())])) for v in (squares, powers)]
        constant = bool(seems_constant(n, mean, sums[0])[0])
        if constant:
            there = p.only()
            constant = _host(there.min()) == _host(there.max())
        found = float(shape_of_moments(name, _core.from_numpy(np.array([float(n)])), constant, *sums)[0])
    if p.nothing is seen.NA and found != found:
        return p.nothing
    return p.float_dtype.type(found)


def median(c: AnyColumn, skipna: bool = True) -> Any:
    """The median."""
    p = Parts(c).checked("biuf", "medians")
    if not skipna and p.nulls is not None and bool(p.nulls.any()):
        return _with_nulls("median", p)
    n, kind = p.count(), p.float_dtype
    if n == 0:
        return _undefined(p, kind)
    low, high = at_ranks(p, np.array([(n - 1) // 2, n // 2])).astype(kind)
    with np.errstate(all="ignore"):
        return kind.type((low + high) / kind.type(2)) if n % 2 == 0 else low


def distinct(c: AnyColumn, dropna: bool = True) -> int:
    """The number of distinct values."""
    numbers = c.key()
    if numbers is None:
        raise NotNative(f"values of type {c.dtype}")
    return int(_core.factorize_columns([numbers.core], False, not dropna)[2])


def lacks_categories(c: AnyColumn) -> bool:
    """Whether a column has unused categories."""
    return c.has_categories and distinct(c) < len(c.categories)


def extreme_position(c: AnyColumn, name: str, skipna: bool) -> int:
    """Row of the first smallest or largest value; ValueError where there is none."""
    p = Parts(c).checked("iufmM", "argmin or argmax of booleans")
    if len(p.values) == 0:
        raise ValueError(f"attempt to get arg{name} of an empty sequence")
    method = "arg" + name
    if p.nulls is None:
        return int(getattr(p.values, method)())
    if c.nan_is_missing:
        at = int(getattr(p.values, method)())
        best = _host(p.values[at])
        if best == best:
            return at
    elif not bool(p.nulls.any()):
        return int(getattr(p.values, method)())
    if not skipna:
        raise ValueError("Encountered an NA value with skipna=False")
    if bool(p.nulls.all()):
        raise ValueError("Encountered all NA values")
    at = int(getattr(p.filled(c.limit(name)), method)())
    if bool(p.nulls[at]):
        # every value equals the limit: the first one is the result
        at = int((~p.nulls).argmax())
    return at
