"""Operators of frames and series: labels are aligned, then columns are computed lazily, so that chains are fused."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ... import _core
from ..._array.caller_warnings import warn
from ..._array.ufuncs import ours as known_ufunc
from .. import _classes, _fallback, _indexes
from .._base import Rows
from .._columns.column import AnyColumn, Column, ndarray, plain
from .._columns.dtypes import common_number
from .._columns.infer import from_values
from .._columns.operators import COMPARISONS, LOGICAL, compute, prepared_for
from .._columns.where import filled_pair
from .._fallback.native import NotNative, native
from .._indexes.align import align
from .._pending import objects as pending
from .._questions import is_dict_like, is_integer, ndim_of
from .._reshape.shapes import row_labels
from .._reshape.turned import by_origin, each, of_two, origin
from .._stand_ins import of_rows
from .._theirs import pandas

_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
_DOC = {
    "add": "Sum of {} and {}",
    "sub": "Difference of {} and {}",
    "mul": "Product of {} and {}",
    "truediv": "Quotient of {} and {}",
    "floordiv": "Quotient of {} and {}, rounded down",
    "mod": "Remainder of the division of {} by {}",
    "pow": "Power of {} to {}",
    "divmod": "Quotient, rounded down, and remainder of {} and {}",
    **{op: f"Logical or bitwise {op} of {{}} and {{}}" for op in ("and", "or", "xor")},
    "eq": "Whether values of {} equal those of {}",
    "ne": "Whether values of {} differ from those of {}",
    "lt": "Whether values of {} are less than those of {}",
    "le": "Whether values of {} are at most those of {}",
    "gt": "Whether values of {} are greater than those of {}",
    "ge": "Whether values of {} are at least those of {}",
}


def _said(op: str, reverse: bool) -> str:
    return _DOC[op].format(*(("the other object", "this one") if reverse else ("this object", "another")))


def result_name(left: Any, right: Any) -> Any:
    """The name of the result of two operands: their common name, or None."""
    if not isinstance(right, (Rows, _indexes.Index)) or right.ndim != 1:
        return left.name
    a, b = left.name, right.name
    try:
        if a is b or a == b or (a != a and b != b and type(a) is type(b)):
            return a
    except (TypeError, ValueError):
        pass
    return None


_UNTYPED = (
    "Logical ops (and, or, xor) between Pandas objects and dtype-less sequences (e.g. list, tuple) are no longer "
    "supported. Wrap the object in a Series, Index, or np.array before operating instead."
)


def _pair(op: str, left: Any, right: Any, reverse: bool) -> Any:
    """The column of op on two operands in the order that they are written; two columns for divmod."""
    if reverse:
        left, right = right, left
    if op == "divmod":
        made = compute("floordiv", left, right), compute("mod", left, right)
        made[0].plain_values(why="divmod of values with NA")
        return made
    return compute(op, left, right)


def _own(x: Any) -> Any:
    """An operand with pandas' objects converted to bascule's."""
    if isinstance(x, (pandas.Series, pandas.DataFrame, pandas.Index)):
        return _fallback.from_pandas(x)
    return x


def _aligned(left: Any, right: Any) -> tuple[Any, ndarray | None, ndarray | None]:
    """The outer join of two indexes, and the positions of its labels in both."""
    if left.nlevels > 1 and list(left._names) != list(right._names):
        raise NotNative("levels of other names")
    if len(left) and len(right):
        joined, p, q = align(left, right)
        if joined is left:
            return joined, p, q
        if isinstance(left, _indexes.RangeIndex) and not isinstance(joined, _indexes.RangeIndex):
            even = joined._columns[0].as_range()
            joined = joined if even is None else _indexes.RangeIndex._of(*even)
        elif isinstance(joined, _indexes.RangeIndex) and not isinstance(left, _indexes.RangeIndex):
            joined = _indexes.from_column(joined._columns[0])
        if left.nlevels == 1 and joined.name != left.name:
            joined = joined.rename(left.name)
        return joined, p, q
    # pandas decides about the type, name and order of a union with an empty index
    joined, p, q = left.to_pandas().join(right.to_pandas(), how="outer", return_indexers=True)
    rows = [None if x is None else _core.from_numpy(np.asarray(x, dtype=np.int64)) for x in (p, q)]
    return _indexes.from_pandas(joined), rows[0], rows[1]


def _taken(column: AnyColumn, positions: ndarray | None) -> AnyColumn:
    return column if positions is None else column.take(positions, bool((positions < 0).any()))


def _as_column(x: Any, n: int) -> AnyColumn:
    """An unlabelled one-dimensional operand as a column of n rows."""
    if isinstance(x, tuple) or (isinstance(x, list) and len(x) != n):
        raise NotNative("lists and tuples as operands")
    if getattr(x, "ndim", 1) != 1:
        raise NotNative("operands of several dimensions")
    column = from_values(x)
    if len(column) != n:
        raise NotNative("operands of other lengths")
    return column


def _is_array(x: Any) -> bool:
    known = isinstance(x, (list, tuple, np.ndarray, pandas.api.extensions.ExtensionArray)) or type(x) is ndarray
    return isinstance(x, _indexes.Index) or (known and ndim_of(x) > 0)


def _common_type(frame: Any) -> np.dtype:
    """The common type of a frame's columns."""
    return common_number((c.dtype for c in frame._all_columns()), "columns without a common type")


def _reversed_name(op: str) -> str:
    swapped = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}
    return f"__{swapped[op]}__" if op in swapped else f"__r{op}__"


_UFUNC_OPERATORS = {
    "add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "true_divide": "truediv",
    "floor_divide": "floordiv", "remainder": "mod", "mod": "mod", "power": "pow", "equal": "eq", "not_equal": "ne",
    "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge", "bitwise_and": "and", "bitwise_or": "or",
    "bitwise_xor": "xor",
}  # fmt: skip
_NOT_ROUNDED = "obj.round has no effect with datetime, timedelta, or period dtypes. Use obj.dt.round(...) instead."


class Arithmetic(Rows):
    """Operators of frames; those of series that differ are in SeriesArithmetic."""

    def _operate(self, op: str, other: Any, reverse: bool, name: str) -> Any:
        other = _own(other)
        try:
            return self._frame_of(op, other, reverse, False, 1, None)
        except NotNative as why:
            return self._call_pandas(name, (other,), reason=why.reason)

    def _frame_of(self, op: str, other: Any, reverse: bool, flex: bool, axis: int, fill_value: Any) -> Any:
        if fill_value is not None and not (isinstance(other, Rows) and other.ndim == 2):
            raise NotNative("fill_value= with an operand that is not a frame")
        if isinstance(other, Rows):
            if other.ndim == 2:
                return self._with_frame(op, other, reverse, flex, fill_value)
            return self._with_rows(op, other, reverse, flex) if axis else self._with_column(op, other, reverse)
        if _is_array(other):
            if type(other) is ndarray and other.ndim == 2 and other.shape == self.shape:
                rights: list[Any] = [from_values(other[:, i]) for i in range(other.shape[1])]
            else:
                raise NotNative("unlabelled operands")
        else:
            made = (
                None
                if op == "divmod"
                else by_origin(self, lambda own: own._frame_of(op, other, reverse, flex, axis, None))
            )
            if made is not None:
                return made
            rights = [prepared_for(c, other, op) for c in self._columns]
        made = [_pair(op, c, r, reverse) for c, r in zip(self._columns, rights)]
        return self._with_pairs(made, self._names, self._index)

    def _with_pairs(self, made: list, names: Any, index: Any) -> Any:
        if made and isinstance(made[0], tuple):
            return tuple(self._new([m[i] for m in made], names, index) for i in (0, 1))
        return self._new(made, names, index)

    def _with_frame(self, op: str, other: Any, reverse: bool, flex: bool, fill_value: Any) -> Any:
        same_rows = self._index is other._index or self._index.equals(other._index)
        same_names = self._names is other._names or self._names.equals(other._names)
        if op in COMPARISONS and not flex and not (same_rows and same_names):
            raise ValueError("Can only compare identically-labeled (both index and columns) DataFrame objects")
        if not same_rows and op in LOGICAL:
            raise NotNative("logical operators of differently labelled operands")
        index, p, q = (self._index, None, None) if same_rows else _aligned(self._index, other._index)
        if same_names and same_rows and fill_value is None and op != "divmod":
            made = of_two(self, other, lambda a, b: a._with_frame(op, b, reverse, flex, None))
            if made is not None:
                return made
        names, lefts, rights = self._names, self._columns, other._columns
        if not same_names:
            if op in LOGICAL:
                raise NotNative("logical operators of differently labelled operands")
            if not (self._names.is_unique and other._names.is_unique):
                raise NotNative("repeated labels of columns")
            names, l, r = self._names.join(other._names, how="outer", return_indexers=True)
            lefts = self._columns if l is None else [self._columns[i] if i >= 0 else None for i in l]
            rights = other._columns if r is None else [other._columns[i] if i >= 0 else None for i in r]
        made = []
        for a, b in zip(lefts, rights):
            a, b = (None if c is None else _taken(c, at) for c, at in ((a, p), (b, q)))
            a, b = a if a is not None else _absent(b, len(index)), b if b is not None else _absent(a, len(index))
            if fill_value is not None:
                a, b = filled_pair(a, b, fill_value)
            made.append(_pair(op, a, b, reverse))
        return self._with_pairs(made, names, index)

    def _with_rows(self, op: str, other: Any, reverse: bool, flex: bool) -> Any:
        """A series whose labels are those of the columns."""
        labels = of_rows(other._index)
        values = _core.to_numpy(other._column.plain_values("biuf", "rows of non-numeric columns"))
        columns, names = self._columns, self._names
        if not names.equals(labels):
            if op in COMPARISONS and not flex:
                raise ValueError(
                    "Operands are not aligned. Do `left, right = left.align(right, axis=1)` before operating."
                )
            if not (names.is_unique and labels.is_unique) or op in LOGICAL:
                raise NotNative("repeated labels of columns, or logical operators")
            names, l, r = names.join(labels, how="outer", return_indexers=True)
            if r is not None:
                lacking = r < 0
                if lacking.any():
                    filled = np.full(len(r), np.nan, np.result_type(values, np.float64))
                    filled[~lacking] = values[r[~lacking]]
                    values = filled
                else:
                    values = values[r]
            if l is not None:
                like = _absent(Column(_core.Column.plain(_core.from_numpy(values[:0])), values.dtype), len(self._index))
                columns = [self._columns[i] if i >= 0 else like for i in l]
        made = [
            _pair(op, a, _core.from_numpy(np.array(v, dtype=values.dtype), self._device()), reverse)
            for a, v in zip(columns, values)
        ]
        return self._with_pairs(made, names, self._index)

    def _with_column(self, op: str, other: Any, reverse: bool) -> Any:
        """A series whose labels are those of the rows."""
        index, p, q = _aligned(self._index, other._index)
        if (p is not None or q is not None) and not (self._index.is_unique and other._index.is_unique):
            raise NotNative("rows of repeated labels that differ")
        if (p is not None or q is not None) and op in LOGICAL:
            raise NotNative("logical operators of differently labelled operands")
        right = _taken(other._column, q)
        return self._with_pairs([_pair(op, _taken(c, p), right, reverse) for c in self._columns], self._names, index)

    def _flex(self, op: str, other: Any, axis: Any, level: Any, fill_value: Any, reverse: bool, name: str) -> Any:
        kwargs = {"axis": axis, "level": level}
        if fill_value is not None:
            kwargs["fill_value"] = fill_value
        try:
            if level is not None or axis not in (0, 1, "index", "columns", None):
                raise NotNative("level= or axis=")
            other = _own(other)
            return self._frame_of(op, other, reverse, True, 0 if axis in (0, "index") else 1, fill_value)
        except NotNative as why:
            return self._call_pandas(name, (other,), kwargs, reason=why.reason)

    def __divmod__(self, other: Any) -> Any:
        return self._operate("divmod", other, False, "__divmod__")

    def __rdivmod__(self, other: Any) -> Any:
        return self._operate("divmod", other, True, "__rdivmod__")

    @native
    def round(self, decimals: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """Round values to a number of decimals, ties to even; columns that are not numeric are kept."""
        if is_dict_like(decimals) and not args and not kwargs and self._names.is_unique:
            return self._rounded_by(decimals)
        if args or kwargs or not is_integer(decimals):
            raise NotNative("options of round")
        if origin(self) is not None:
            return each(self, operator.methodcaller("rounded", int(decimals)))
        for c in self._columns:
            if c.times() is not None:
                warn(_NOT_ROUNDED, UserWarning)
        return self._with([c.rounded(int(decimals)) if c.rounds else c for c in self._columns], self._index)

    def _rounded_by(self, decimals: Any) -> Any:
        """Numbers rounded to the decimals that a dict or series has for the label of their column."""
        decimals = _fallback.from_pandas(decimals)
        digits = dict(decimals.items())
        if len(digits) < len(decimals):
            raise ValueError("Index of decimals must be unique")
        if not all(is_integer(v) for v in digits.values()):
            raise TypeError("Values in decimals must be integers")
        columns = [
            c.rounded(int(digits[n])) if n in digits and c.rounds else c for n, c in zip(self._names, self._columns)
        ]
        return self._with(columns, self._index)

    def _unary(self, method: str, name: str) -> Any:
        """A method of the columns, each of which may lack it."""
        try:
            return each(self, operator.methodcaller(method))
        except NotNative as why:
            return self._call_pandas(name, reason=why.reason)

    def __neg__(self) -> Any:
        return self._unary("negative", "__neg__")

    def __pos__(self) -> Any:
        return self._unary("positive", "__pos__")

    def __abs__(self) -> Any:
        return self._unary("absolute", "__abs__")

    def abs(self) -> Any:
        """Absolute values."""
        return self._unary("absolute", "abs")

    def __invert__(self) -> Any:
        later = pending.inverted(self) if self.ndim == 1 and "_plan" in self.__dict__ else None
        if later is not None:
            return later
        if not self.size:
            return self.copy()  # whatever the types
        return self._unary("invert", "__invert__")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        """Apply a universal function of NumPy or bascule to the values; labels are kept."""
        known = known_ufunc(ufunc)
        name = known.__name__ if known is not None else ""
        if method == "__call__" and not kwargs:
            if name in _UFUNC_OPERATORS and len(inputs) == 2:
                left, right = inputs
                op = _UFUNC_OPERATORS[name]
                if isinstance(left, Rows):
                    found = left._operate(op, right, False, f"__{op}__")
                    if found is not NotImplemented:
                        return found
                return right._operate(op, left, True, _reversed_name(op))
            try:
                return self._apply_ufunc(known, inputs)
            except NotNative as why:
                reason = why.reason
        else:
            reason = "options or methods of universal functions"
        function = ufunc if isinstance(ufunc, np.ufunc) else getattr(np, name, ufunc)
        called = f"{type(self).__name__}.__array_ufunc__"
        return _fallback.share(called, reason, getattr(function, method), inputs, kwargs, surely=method == "at")

    def _apply_ufunc(self, function: Any, inputs: tuple) -> Any:
        if function is None or function.nout != 1:
            raise NotNative("a ufunc that only NumPy has")
        shaped = [x for x in inputs if isinstance(x, Rows)]
        if any(type(x) is not type(self) for x in shaped) or any(_is_array(x) for x in inputs):
            raise NotNative("ufuncs of operands of several types")
        if any(x._index is not shaped[0]._index and not x._index.equals(shaped[0]._index) for x in shaped[1:]):
            raise NotNative("ufuncs of differently labelled operands")
        if self.ndim == 2 and any(not x._names.equals(shaped[0]._names) for x in shaped[1:]):
            raise NotNative("ufuncs of differently labelled operands")
        made = []
        # pandas calls a function of several operands on whole tables, which have one type
        one_type = len(inputs) > 1 and self.ndim == 2
        for i in range(len(shaped[0]._all_columns())):
            given = []
            for x in inputs:
                c = x._all_columns()[i] if isinstance(x, Rows) else x
                if c is not x:
                    c = c.plain_values()
                    c = c.astype(_common_type(x), copy=False) if one_type else c
                given.append(c)
            values = function(*given)
            made.append(Column(_core.Column.plain(values), values.dtype))
        out = shaped[0]._with(made, shaped[0]._index)
        if self.ndim == 1:
            for x in shaped[1:]:
                out._name = result_name(out, x)
        return out

    @native
    def dot(self, other: Any) -> Any:
        """The matrix product with another frame, a series or an array, by label."""
        left = self._matrix()
        if isinstance(other, (np.ndarray, ndarray)):
            if left.shape[1] != other.shape[0]:
                raise ValueError(f"Dot product shape mismatch, {left.shape} vs {other.shape}")
            if other.ndim > 2 or not issubclass(other.dtype.type, (np.integer, np.floating)):
                raise NotNative("an array")
            made = left @ (other if type(other) is ndarray else _core.from_numpy(other, left.device))
            if other.ndim == 1:
                return _classes.Series._new(plain(made), self._index)
            columns = [plain(made[:, i].copy()) for i in range(made.shape[1])]
            return self._new(columns, pandas.RangeIndex(len(columns)), self._index)
        if not isinstance(other, (_classes.DataFrame, _classes.Series)) or not self._names.is_unique:
            raise NotNative("operands that are not frames or series")
        there = row_labels(self._names)
        if not there.equals(other._index):
            raise NotNative("labels in another order")
        if other.ndim == 1:
            return _classes.Series._new(plain(left @ other._column.plain_values("iuf")), self._index)
        made = left @ other._matrix()
        return self._new([plain(made[:, i].copy()) for i in range(made.shape[1])], other._names, self._index)

    def _matrix(self) -> ndarray:
        if 0 in self.shape:
            raise NotNative("no rows or columns")
        for c in self._columns:
            c.plain_values("iuf")
        return self.values


class SeriesArithmetic(Arithmetic):
    """Operators of series."""

    def _operate(self, op: str, other: Any, reverse: bool, name: str) -> Any:
        other = _own(other)
        if isinstance(other, Rows) and other.ndim == 2:
            return NotImplemented
        if "_plan" in self.__dict__:
            later = pending.operated(self, op, other, reverse, result_name(self, other))
            if later is not None:
                return later
        try:
            made, index = self._computed(op, other, reverse)
        except NotNative as why:
            return self._call_pandas(name, (other,), reason=why.reason)
        return self._results(made, index, result_name(self, other))

    def _results(self, made: Any, index: Any, name: Any) -> Any:
        if isinstance(made, tuple):
            return tuple(self._new(c, index, name) for c in made)
        return self._new(made, index, name)

    def _computed(self, op: str, other: Any, reverse: bool, flex: bool = False, fill_value: Any = None) -> Any:
        """The column, or columns, of op on this and another, and their index."""
        left, index = self._column, self._index
        if isinstance(other, Rows):
            right = other._column
            if not (index is other._index or (len(index) == len(other._index) and index.equals(other._index))):
                if op in COMPARISONS and not flex:
                    raise ValueError("Can only compare identically-labeled Series objects")
                if op in LOGICAL:
                    raise NotNative("logical operators of differently labelled operands")
                index, p, q = _aligned(index, other._index)
                left, right = _taken(left, p), _taken(right, q)
            if fill_value is not None:
                left, right = filled_pair(left, right, fill_value)
            return _pair(op, left, right, reverse), index
        if _is_array(other):
            if op in LOGICAL and isinstance(other, (list, tuple)):
                raise TypeError(_UNTYPED)
            right = _as_column(other, len(index))
            if fill_value is not None:
                left, right = filled_pair(left, right, fill_value)
            return _pair(op, left, right, reverse), index
        if fill_value is not None:
            raise NotNative("fill_value= with a scalar")
        return _pair(op, left, prepared_for(left, other, op), reverse), index

    def _flex(self, op: str, other: Any, level: Any, fill_value: Any, axis: Any, reverse: bool, name: str) -> Any:
        kwargs = {"level": level, "fill_value": fill_value, "axis": axis}
        try:
            if level is not None or axis not in (0, "index", None) or (isinstance(other, Rows) and other.ndim == 2):
                raise NotNative("level= or axis=")
            other = _own(other)
            if "_plan" in self.__dict__ and fill_value is None:
                later = pending.operated(self, op, other, reverse, result_name(self, other))
                if later is not None:
                    return later
            made, index = self._computed(op, other, reverse, True, fill_value)
        except NotNative as why:
            return self._call_pandas(name, (other,), kwargs, reason=why.reason)
        return self._results(made, index, result_name(self, other))

    def __divmod__(self, other: Any) -> Any:
        return self._operate("divmod", other, False, "__divmod__")

    def __rdivmod__(self, other: Any) -> Any:
        return self._operate("divmod", other, True, "__rdivmod__")

    def divmod(self, other: Any, level: Any = None, fill_value: Any = None, axis: Any = 0) -> Any:
        """Quotient rounded down, and remainder, after alignment, as the function divmod."""
        return self._flex("divmod", other, level, fill_value, axis, False, "divmod")

    def rdivmod(self, other: Any, level: Any = None, fill_value: Any = None, axis: Any = 0) -> Any:
        """Quotient rounded down, and remainder, of the other by this."""
        return self._flex("divmod", other, level, fill_value, axis, True, "rdivmod")

    @native
    def round(self, decimals: int = 0, *args: Any, **kwargs: Any) -> Any:
        """Round values to a number of decimals, ties to even."""
        if args or kwargs or not is_integer(decimals):
            raise NotNative("options of round")
        return each(self, operator.methodcaller("rounded", int(decimals)))

    @native
    def dot(self, other: Any) -> Any:
        """The dot product with another series, aligned by labels."""
        if not isinstance(other, _classes.Series) or not self._index.equals(other._index):
            raise NotNative("operands that are not two series with the same labels")
        return _core.to_numpy(self._column.plain_values("iuf") @ other._column.plain_values("iuf"))[()]


def _absent(like: AnyColumn, n: int) -> Column:
    """n missing rows, for the operand that lacks a column of numbers."""
    like.plain_values("biuf", "non-numeric columns that only one frame has")
    return Column(_core.Column.plain(_core.full((n,), np.nan, np.dtype(np.float64), like.device)), np.dtype(np.float64))


# ---- the methods, one for each operator


def _dunder(op: str, reverse: bool) -> Any:
    name = f"__{'r' if reverse else ''}{op}__"

    def method(self: Any, other: Any) -> Any:
        return self._operate(op, other, reverse, name)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"{_said(op, reverse)}."
    return method


def _series_flex(op: str, reverse: bool, name: str) -> Any:
    def method(self: Any, other: Any, level: Any = None, fill_value: Any = None, axis: Any = 0) -> Any:
        return self._flex(op, other, level, fill_value, axis, reverse, name)

    return _described(method, op, reverse, name)


def _frame_flex(op: str, reverse: bool, name: str) -> Any:
    if op in COMPARISONS:

        def method(self: Any, other: Any, axis: Any = "columns", level: Any = None) -> Any:
            return self._flex(op, other, axis, level, None, reverse, name)

    else:

        def method(self: Any, other: Any, axis: Any = "columns", level: Any = None, fill_value: Any = None) -> Any:
            return self._flex(op, other, axis, level, fill_value, reverse, name)

    return _described(method, op, reverse, name)


def _described(method: Any, op: str, reverse: bool, name: str) -> Any:
    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"{_said(op, reverse)}, element by element, after their labels are aligned."
    if op not in COMPARISONS:
        method.__doc__ += "\n\nAn element that is missing in one of them, but not in both, is replaced by `fill_value` if that is given."
    return method


def _in_place(op: str) -> Any:
    """`x op= y` changes x in place, for all references to it; labels are kept."""

    def method(self: Any, other: Any) -> Any:
        made = getattr(self, f"__{op}__")(other)
        if made is NotImplemented:
            return made
        same = made._index is self._index or made._index.equals(self._index)
        if not same or (self.ndim == 2 and not made._names.equals(self._names)):
            made = made.reindex_like(self)
        self.__dict__.update({k: v for k, v in made.__dict__.items() if k in ("_column", "_columns")})
        return self

    method.__name__ = method.__qualname__ = f"__i{op}__"
    method.__doc__ = f"{_said(op, False)}, in place."
    return method


def _add_methods() -> None:
    aliases = {"mul": "multiply", "sub": "subtract", "truediv": "div"}
    for own, flex in ((SeriesArithmetic, _series_flex), (Arithmetic, _frame_flex)):
        for op in (*_ARITHMETIC, "and", "or", "xor"):
            for reverse in (False, True):
                method = _dunder(op, reverse)
                setattr(own, method.__name__, method)
            setattr(own, f"__i{op}__", _in_place(op))
        for op in _ARITHMETIC:
            setattr(own, op, flex(op, False, op))
            setattr(own, "r" + op, flex(op, True, "r" + op))
            if op in aliases:
                setattr(own, aliases[op], getattr(own, op))
        own.divide, own.rdiv = own.truediv, own.rtruediv
        for op in COMPARISONS:
            setattr(own, f"__{op}__", _dunder(op, False))
            setattr(own, op, flex(op, False, op))
        own.__hash__ = None


_add_methods()
