"""The methods of ufunc objects other than the call: reduce, accumulate, reduceat, outer and at, with NumPy's arguments."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from .. import _core, fallback
from . import numpy_versions
from .caller_warnings import discards_imaginary
from .conversion import as_array, as_arrays, as_target, as_value, is_array, is_derived, ndarray
from .time_overflow import check_running_sum, check_sum, may_overflow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import DTypeLike

    from .types import _ArrayLike, _ArrayOrScalar, _Axes, _Casting, _Number, _Out


_NO_VALUE = np._NoValue
# Reductions that are separate aggregations.
_FOLDS = {
    "add": ndarray.sum,
    "maximum": ndarray.max,
    "minimum": ndarray.min,
    "logical_or": ndarray.any,
    "logical_and": ndarray.all,
}


def _require_binary(self: Any, method: str) -> None:
    if self.signature is not None:
        raise RuntimeError("Reduction not defined on ufunc with signature")
    if self.nin != 2:
        raise ValueError(f"{method} only supported for binary functions")
    if self.nout != 1:
        raise ValueError(f"{method} only supported for functions returning a single value")
    if self._number is None:
        raise TypeError(f"[{self.__name__}.{method}] exists only in NumPy: use numpy.{self.__name__}.{method}")


_SILENT = (ndarray, np.ndarray, int, float, complex, list, tuple, bool, type(None), type(Ellipsis))


def asks(*operands: Any) -> bool:
    """Whether an operand or an output is of another library's class that overrides ufuncs (NEP 13), which NumPy's ufunc
    handles."""
    return any(type(x) not in _SILENT and _has_a_say(x) for x in operands)


def _has_a_say(x: Any) -> bool:
    say = getattr(type(x), "__array_ufunc__", None)
    return is_derived(x) if say is np.ndarray.__array_ufunc__ else say is not None


_DEFAULTS = {"where": True, "casting": "same_kind", "order": "K", "subok": True, "keepdims": False}


def by_protocol(name: str, method: str, *operands: Any, **keywords: Any) -> Any:
    """A call or method by NumPy's ufunc, which calls the operands' __array_ufunc__ with the arguments that the caller
    gave, without defaults."""
    defaults = _DEFAULTS if method == "__call__" else {**_DEFAULTS, "axis": 0}
    keywords = {
        k: v
        for k, v in keywords.items()
        if v is not None and v is not _NO_VALUE and not (type(v) in (bool, str, int) and v == defaults.get(k, ...))
    }
    out = keywords.get("out")
    if isinstance(out, tuple) and all(o is None for o in out):
        del keywords["out"]
    return getattr(numpy_versions.numpys(name), method)(*operands, **keywords)


def two_outputs(out: Any) -> Any:
    """The outputs of a ufunc with two results; None for those that are to be allocated."""
    if out is None:
        return None, None
    if not isinstance(out, tuple):
        raise TypeError("'out' must be a tuple of arrays")
    if len(out) != 2:
        raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
    if not all(o is None or isinstance(o, (ndarray, np.ndarray)) for o in out):
        raise TypeError("return arrays must be of ArrayType")
    return out


def _first(out: Any) -> Any:
    return out[0] if isinstance(out, tuple) and len(out) == 1 else out


def _output(out: Any) -> Any:
    if isinstance(out, tuple):
        if len(out) != 1:
            raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
        out = out[0]
        if out is Ellipsis:
            raise TypeError("must use `...` as `out=...` and not per-operand/in a tuple")
    if out is None or out is Ellipsis:
        return None
    out = as_target(out)
    if not is_array(out):
        raise TypeError("return arrays must be of ArrayType")
    return out


def _returned(r: Any, a: Any, out: Any) -> Any:
    """A method's result: its `out`, or `r`, which takes the unit of time of the input `a`."""
    if out is not None and out is not Ellipsis:
        return out[0] if isinstance(out, tuple) else out
    return r.view(a.dtype) if a.dtype.kind in "mM" and r.dtype.kind == a.dtype.kind and r.dtype != a.dtype else r


def _axes(axis: Any, ndim: int) -> Any:
    """An axis argument of reduce as a tuple; None for all axes."""
    if axis is None or (ndim == 0 and not isinstance(axis, tuple) and operator.index(axis) in (0, -1)):
        return None
    axes = axis if isinstance(axis, tuple) else (operator.index(axis),)
    axes = tuple(np.lib.array_utils.normalize_axis_index(operator.index(k), ndim) for k in axes)
    if len(set(axes)) < len(axes):
        raise ValueError("duplicate value in 'axis'")
    return axes


def _axis(self: Any, method: str, axis: Any, ndim: int) -> int:
    """The single axis of accumulate and reduceat."""
    if isinstance(axis, tuple) and len(axis) == 1:
        axis = axis[0]
    if axis is None or isinstance(axis, tuple):
        if axis is not None or ndim > 1:
            raise ValueError(f"{method} does not allow multiple axes")
        axis = 0
    axis = operator.index(axis)
    if ndim == 0:
        raise TypeError(f"cannot {method} on a scalar")
    return np.lib.array_utils.normalize_axis_index(axis, ndim)


def _reduced_shape(shape: tuple[int, ...], axes: tuple[int, ...] | None, keepdims: bool) -> tuple[int, ...]:
    """The shape that remains after reducing axes; None reduces all of them."""
    reductions = range(len(shape)) if axes is None else axes
    return tuple(1 if k in reductions else n for k, n in enumerate(shape) if keepdims or k not in reductions)


_SUMS = ("add", "subtract")
_TIMES = {"m": ("add", "subtract", "remainder", "mod"), "M": ()}  # besides minimum and maximum


def _refuse_unit(dtype: Any) -> None:
    """Refuse a dtype without a unit of time for operands that have one; NumPy raises the error."""
    if dtype is not None and np.dtype(dtype).kind in "mM" and np.datetime_data(np.dtype(dtype))[0] != "generic":
        np.positive(0, dtype=dtype)


def _checked(self: Any, method: str, a: Any, dtype: Any) -> Any:
    """The type to compute in; refuses dates and durations as NumPy refuses them where the loop would misread them."""
    name, kind = self.__name__, a.dtype.kind
    _refuse_unit(dtype)
    computes = name in ("add", "subtract", "multiply", "divide", "floor_divide", "remainder")
    if kind in _TIMES and computes and name not in _TIMES[kind]:
        getattr(getattr(np, name), method)(np.zeros(2, a.dtype), *([[0]] if method == "reduceat" else []))
        raise TypeError(f"[{name}.{method}] takes no {a.dtype}")
    return None if dtype is None or (kind in _TIMES and computes) else np.dtype(dtype)


def _refuse_output(self: Any, method: str, a: Any, to: Any, *args: Any, **keywords: Any) -> None:
    """Have NumPy raise its error about the shape of an output, with stand-ins that take no memory."""
    if method == "accumulate" and a.ndim == 1 and to.ndim == 0:  # NumPy itself crashes here unless it has to cast
        raise ValueError("Iterator input op_axes[0][0] (==0) is not a valid axis of op[0], which has 0 dimensions ")
    like, out = (np.lib.stride_tricks.as_strided(np.zeros(1, x.dtype), x.shape, (0,) * x.ndim) for x in (a, to))
    getattr(getattr(np, self.__name__), method)(like, *args, out=out, **keywords)


def _reported(self: Any, call: Any, a: Any, dtype: Any, to: Any) -> Any:
    """The result of a call; complex numbers that become real are reported before an output is written."""
    loop = a.dtype if dtype is None else dtype
    if to is None:
        r = call()
        discards_imaginary(a.dtype, loop)
        return r
    if "c" in (a.dtype.kind, loop.kind) and not self.__name__.startswith("logical_"):
        none = (_core.full((0,), 0, t, a.device) for t in (a.dtype, to.dtype))
        _core.accumulate(self._number, next(none), 0, dtype, next(none))  # raises if there is no loop
        discards_imaginary(a.dtype if loop.kind != "c" else loop, loop if loop.kind != "c" else to.dtype)
    return call()


def reduce(
    self: Any,
    array: _ArrayLike,
    axis: _Axes = 0,
    dtype: DTypeLike | None = None,
    out: _Out = None,
    keepdims: bool = False,
    initial: _Number | None = _NO_VALUE,
    where: _ArrayLike = True,
) -> _ArrayOrScalar:
    """Reduce an array along one or more axes, as NumPy's ufunc.reduce does.

    Parameters
    ----------
    array : array_like, any shape
    axis : int, tuple of int or None
        Axes to reduce; None reduces all.
    dtype : data-type, optional
        Type of the loop. By default the input's; int64 or uint64 for sums and products of smaller integers.
    out : ndarray, optional
        Output array.
    keepdims : bool
        Keep the reduced axes with length one.
    initial : scalar, optional
        Value to start with; None starts with the first element even if the op has an identity.
    where : array_like of bool
        Elements to reduce.

    Returns
    -------
    ndarray
        Without the reduced axes; a scalar where none is left.

    Raises
    ------
    TypeError
        The op has no loop that returns the type it takes.
    ValueError
        Nothing to reduce and no identity, or several axes of an op whose order matters.

    Examples
    --------
    >>> import bascule as bc
    >>> int(bc.subtract.reduce(bc.asarray([7, 2, 1])))
    4
    """
    if dtype is out is None and where is True and initial is _NO_VALUE and type(array) is ndarray and keepdims is False:
        if array.ndim and array.dtype.kind not in "mM":
            method = _FOLDS.get(self.__name__)
            if method is not None:
                return method(array, axis)
            if self.nin == 2 and self.nout == 1 and self._number is not None:
                axes = None if axis == 0 and array.ndim == 1 and type(axis) is int else _axes(axis, array.ndim)
                return _core.reduce(self._number, array, axes, None, None, False, None, False, True)
    if asks(array, _first(out)):
        keywords = {"axis": axis, "dtype": dtype, "out": out, "keepdims": keepdims, "initial": initial, "where": where}
        return by_protocol(self.__name__, "reduce", array, **keywords)
    _require_binary(self, "reduce")
    to = _output(out)
    a, dots = as_array(array, to), out is Ellipsis
    dtype = _checked(self, "reduce", a, dtype)
    given = initial is not _NO_VALUE
    axes = _axes(axis, a.ndim)
    keepdims = bool(operator.index(keepdims))
    if to is not None and to.shape != _reduced_shape(a.shape, axes, keepdims):
        _refuse_output(self, "reduce", a, to, axes, keepdims=keepdims)
    start = initial if given else None
    if self.__name__ in _SUMS:
        check_sum(self.__name__, a, axes, start, where)
    r = _reported(
        self, lambda: _core.reduce(self._number, a, axes, dtype, to, keepdims, start, given, where), a, dtype, to
    )
    r = _returned(r, a, out)
    if dots:
        return r[...]  # returns an array even without axes
    return as_value(r) if to is None else r


def accumulate(
    self: Any, array: _ArrayLike, axis: SupportsIndex = 0, dtype: DTypeLike | None = None, out: _Out = None
) -> ndarray:
    """Accumulate the results of the ufunc along an axis, as NumPy's ufunc.accumulate does.

    Parameters
    ----------
    array : array_like, at least one axis
    axis : int
    dtype : data-type, optional
        Type of the loop, as for `reduce`.
    out : ndarray, optional
        Output array.

    Returns
    -------
    ndarray
        Of the input's shape.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.maximum.accumulate(bc.asarray([1, 3, 2])).tolist()
    [1, 3, 3]
    """
    if dtype is out is None and (r := _core.plain_accumulate(self._number, array, axis)) is not None:
        return r
    if asks(array, _first(out)):
        return by_protocol(self.__name__, "accumulate", array, axis=axis, dtype=dtype, out=out)
    _require_binary(self, "accumulate")
    to = _output(out)
    a = as_array(array, to)
    axis, dtype = _axis(self, "accumulate", axis, a.ndim), _checked(self, "accumulate", a, dtype)
    if to is not None and to.shape != a.shape:
        _refuse_output(self, "accumulate", a, to, axis, dtype)
        # NumPy accepts an output with more axes, writes the first elements along them, and repeats others.
        loop = np.result_type(a.dtype, to.dtype) if dtype is None and a.dtype.kind not in "mM" else dtype
        to[(slice(None),) * a.ndim + (0,) * (to.ndim - a.ndim)] = accumulate(self, a, axis, loop)
        return _returned(to, a, out)
    if self.__name__ in _SUMS:
        check_running_sum(self.__name__, a, axis)
    return _returned(_reported(self, lambda: _core.accumulate(self._number, a, axis, dtype, to), a, dtype, to), a, out)


def reduceat(
    self: Any,
    array: _ArrayLike,
    indices: _ArrayLike,
    axis: SupportsIndex = 0,
    dtype: DTypeLike | None = None,
    out: _Out = None,
) -> ndarray:
    """Reduce slices of an axis that start at given indices, as NumPy's ufunc.reduceat does.

    Parameters
    ----------
    array : array_like, at least one axis
    indices : array_like of int, shape (n,)
        Where the parts start. A part ends where the next one starts; it is one element if that is not later.
    axis : int
    dtype : data-type, optional
        Type of the loop, as for `reduce`.
    out : ndarray, optional
        Output array.

    Returns
    -------
    ndarray
        Of the input's shape, with length n along the axis.

    Raises
    ------
    IndexError
        An index is out of bounds.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.add.reduceat(bc.arange(5), [0, 3]).tolist()
    [3, 7]
    """
    if dtype is out is None and axis == 0 and (r := _core.plain_reduceat(self._number, array, indices)) is not None:
        return r
    if asks(array, indices, _first(out)):
        return by_protocol(self.__name__, "reduceat", array, indices, axis=axis, dtype=dtype, out=out)
    _require_binary(self, "reduceat")
    to = _output(out)
    a = as_array(array, to)
    starts = np.asarray(indices.get() if is_array(indices) else indices)
    if starts.ndim == 0:
        raise ValueError("object of too small depth for desired array")
    axis = _axis(self, "reduceat", axis, a.ndim)
    if starts.ndim > 1:
        raise ValueError(
            "setting an array element with a sequence. The requested array would exceed the maximum number of dimension of 1."
        )
    starts = np.atleast_1d(starts).astype(np.intp, "C", casting="unsafe" if starts.size == 0 else "same_kind")
    dtype = _checked(self, "reduceat", a, dtype)
    if to is not None and to.shape != (*a.shape[:axis], starts.size, *a.shape[axis + 1 :]):
        _refuse_output(self, "reduceat", a, to, starts, axis, dtype)
    if self.__name__ in _SUMS and may_overflow(a, a.shape[axis]):
        call = (a, starts, axis, None, out)
        return fallback.in_numpy(
            getattr(np, self.__name__).reduceat, call, {}, self.__name__ + ".reduceat", "durations that may overflow"
        )
    return _returned(
        _reported(self, lambda: _core.reduceat(self._number, a, starts, axis, dtype, to), a, dtype, to), a, out
    )


def outer(self: Any, /, *args: _ArrayLike, **kwargs: Any) -> ndarray:
    """Apply the ufunc to every pair of elements; the result has the shape a.shape + b.shape.

    Parameters
    ----------
    a, b : array_like
    **kwargs
        As for the call.

    Returns
    -------
    ndarray
        Of shape ``(*a.shape, *b.shape)``.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.multiply.outer([1, 2], [3, 4]).tolist()
    [[3, 4], [6, 8]]
    """
    if self.signature is not None:
        raise TypeError("method outer is not allowed in ufunc with non-trivial signature")
    if self.nin != 2:
        raise ValueError("outer product only supported for binary functions")
    if len(args) != 2:
        raise TypeError("exactly two arguments expected")
    a, b = args
    if not kwargs and type(a) is type(b) is ndarray and a.ndim and b.ndim:
        return self(a.reshape(*a.shape, *(1,) * b.ndim), b)
    if asks(*args, _first(kwargs.get("out"))):
        return by_protocol(self.__name__, "outer", *args, **kwargs)
    x, y = as_arrays(*args)
    return self(_core.reshape(x, (*x.shape, *(1,) * y.ndim)), y, **kwargs)


# ---- at

_ADDED_AT = (
    *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)),
    *("float32", "float64", "complex64", "complex128"),
)


def _positions(a: Any, indices: Any) -> Any:
    """The elements a[indices] as flat indices in C order, an array of any shape."""
    if a.ndim == 1 and not isinstance(indices, (tuple, slice)) and indices is not None and indices is not Ellipsis:
        p = as_array(indices, a)
        if p.dtype.kind in "iu":
            p = p.astype(np.intp, copy=False)
            if p.size == 0:
                return p
            least, most = int(p.min()), int(p.max())
            for bad in (least, most):
                if not -a.size <= bad < a.size:
                    raise IndexError(f"index {bad} is out of bounds for axis 0 with size {a.size}")
            return p if least >= 0 else as_array(p + (p < 0) * a.size, a)
    everywhere = _core.reshape(_core.arange(0, 1, a.size, np.dtype(np.intp), a.device), a.shape)
    return as_array(everywhere[tuple(indices) if isinstance(indices, tuple) else indices], a)


def _spread(b: Any, a: Any, shape: tuple[int, ...]) -> Any:
    """The second operand of at, one element per index; a single one is broadcast."""
    v = as_array(b, a)  # the type of the array that Python's number becomes counts here
    if v.ndim > len(shape) or any(m not in (1, n) for m, n in zip(v.shape[::-1], shape[::-1])):
        raise ValueError("array is not broadcastable to correct shape")
    if _core.shares_storage(v, a):
        v = v.copy()
    if v.size == 1:
        return _core.reshape(v, (1,))
    v = _core.broadcast_to(v, shape)
    return _core.reshape(v, (v.size,))


def _taken_away(v: Any) -> Any:
    """The number to add in order to subtract `v`. A NaN keeps its sign, which a negation would change."""
    return -v if v.dtype.kind not in "fc" else (-0.0 if v.dtype.kind == "f" else complex(-0.0, -0.0)) - v


def at(self: Any, a: ndarray, indices: Any, b: _ArrayLike = _NO_VALUE, /) -> None:
    """Apply the ufunc in place to a[indices], once for each index, including repeated ones.

    Parameters
    ----------
    a : ndarray
        The array to modify.
    indices : array_like, slice or tuple
        As in ``a[indices]``.
    b : array_like, optional
        Second operand, broadcast against ``a[indices]``.

    Raises
    ------
    IndexError
        An index is out of bounds.
    ValueError
        `a` is read-only, or `b` does not broadcast.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.zeros(3)
    >>> bc.add.at(x, [0, 0, 2], 1)
    >>> x.tolist()
    [2.0, 0.0, 1.0]
    """
    if _core.combine_at(self._number, a, indices, b):
        return
    if self.signature is not None:
        raise TypeError(
            f"{self.__name__}.at does not support ufunc with non-trivial signature: "
            f"{self.__name__} has signature {self.signature}."
        )
    if self.nout != 1:
        raise ValueError("Only single output ufuncs supported at this time")
    if asks(a, indices, b):
        return by_protocol(self.__name__, "at", a, indices, *(() if b is _NO_VALUE else (b,)))
    a = as_target(a)
    if not is_array(a):
        raise TypeError("first operand must be array")
    if self.nin == 1 and b is not _NO_VALUE:
        raise ValueError("second operand provided when ufunc is unary")
    if self.nin == 2 and b is _NO_VALUE:
        raise ValueError("second operand needed for ufunc")
    if not _core.is_writeable(a):
        raise ValueError("output array is read-only")
    p = _positions(a, indices)
    v = None if b is _NO_VALUE else _spread(b, a, p.shape)
    if v is not None and "M" in (a.dtype.kind, v.dtype.kind) or (v is not None and a.dtype.kind == "m" != v.dtype.kind):
        fallback.in_numpy(
            getattr(np, self.__name__).at, (a, indices, b), {}, self.__name__ + ".at", "times of two kinds"
        )
        return
    if v is not None and "DD->D" in self.types:
        discards_imaginary(v.dtype, a.dtype)
    flat = _core.reshape_view(a, (a.size,))
    target = _core.reshape(a, (a.size,)).copy() if flat is None else flat
    p = _core.reshape(p, (p.size,))
    if _core.shares_storage(p, a):
        p = p.copy()
    sums = self.__name__ in ("add", "subtract") and v is not None and str(a.dtype) in _ADDED_AT
    dense = flat is not None and a.flags.c_contiguous
    # NumPy's messages name the op only where its indexed loop runs: one axis, no slice, and the same type.
    given = b.dtype if hasattr(b, "dtype") else np.asarray(b).dtype
    by_name = given == a.dtype != np.bool_ and a.ndim == 1 and not isinstance(indices, slice)
    if sums and p.size and dense and v.dtype.kind in "biufc" and np.result_type(a.dtype, v.dtype) == a.dtype:
        v = v.astype(a.dtype, copy=False)
        _core.add_at(self._number, target, p, _taken_away(v) if self.__name__ == "subtract" else v, by_name)
    else:
        _core.apply_at(self._number, target, p, v, by_name)
    if flat is None:
        a[...] = _core.reshape(target, a.shape)


# ---- ufuncs that are not ops themselves


def composite(function: Any, name: str) -> Any:
    """A Python function as a ufunc of NumPy's name: with several results, or over core dimensions."""
    nin, nout, types, signature = numpy_versions.loops_of(name)
    u = _core.composite_ufunc(function, name, nin, nout)
    u.__doc__, u.__module__, u.__qualname__ = function.__doc__, "bascule", name
    if hasattr(function, "__wrapped__"):
        u.__wrapped__ = function.__wrapped__  # the function that runs in NumPy
    u.types, u.ntypes, u.signature = types, len(types), signature
    return u


def _signature(self: Any) -> Any:
    """NumPy's signature of the ufunc, whose arguments the call takes."""
    import inspect

    theirs = getattr(np, self.__name__, None)
    if theirs is None:
        names = ["x"] if self.nin == 1 else [f"x{k + 1}" for k in range(self.nin)]
        return inspect.Signature([inspect.Parameter(n, inspect.Parameter.POSITIONAL_ONLY) for n in names])
    return numpy_versions.signature_of(theirs)


def resolve_dtypes(
    self: Any, dtypes: Iterable[Any], *, signature: Any = None, casting: _Casting | None = None, reduction: bool = False
) -> tuple[np.dtype[Any], ...]:
    """Return the dtypes in which the ufunc computes, and its result's, for given operand dtypes, as in NumPy.

    Parameters
    ----------
    dtypes : tuple of dtype, type or None
        Of the inputs and outputs; int, float and complex stand for Python's numbers, None for an output to be
        allocated.
    signature : tuple of dtype or str, optional
        The loop.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}, optional
        Which conversions are allowed.
    reduction : bool, optional
        Resolve as for a reduction, of (None, the array's type, None).

    Returns
    -------
    tuple of numpy.dtype

    Raises
    ------
    TypeError
        There is no loop for the dtypes.

    Examples
    --------
    >>> import numpy as np
    >>> import bascule as bc
    >>> bc.add.resolve_dtypes((np.dtype("f4"), int, None))
    (dtype('float32'), dtype('float32'), dtype('float32'))
    """
    options = {k: v for k, v in {"signature": signature, "casting": casting}.items() if v is not None}
    return numpy_versions.numpys(self.__name__).resolve_dtypes(dtypes, reduction=reduction, **options)


def install(ufunc: Any) -> None:
    """Put the methods on the type."""
    ufunc.__signature__ = property(_signature)
    for method in (reduce, accumulate, reduceat, outer, at, resolve_dtypes):
        setattr(ufunc, method.__name__, _core.method(method))
