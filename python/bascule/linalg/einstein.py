"""Einstein summation: planned as pairs of operands, each pair a matrix product or one fused pass."""

from __future__ import annotations

import functools
import math
import string
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._array.conversion import as_array, as_axisless, as_value
from .._array.numpy_versions import since
from .._array.ufuncs import by_name
from .._core import ndarray
from ..fallback import in_numpy
from . import products

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._array.types import _ArrayOrScalar

__all__ = ["einsum", "einsum_path"]


_LETTERS = string.ascii_uppercase + string.ascii_lowercase
_DOTS = "..."
_PAIRS_MULTIPLY = since("einsum's pairs multiply")
_CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


class _Unclear(Exception):
    """Raised for an invalid call, for which NumPy then raises its error."""


class _Term:
    """An operand and the label of each of its axes."""

    def __init__(self, array: ndarray, labels: tuple):
        self.array, self.labels = array, labels

    def size(self, label: Any) -> int:
        return self.array.shape[self.labels.index(label)]

    def arranged(self, *groups: list) -> ndarray:
        """The array with its axes in the order of the groups' labels."""
        order = [self.labels.index(x) for g in groups for x in g]
        return self.array if order == list(range(len(order))) else self.array.transpose(*order)


def _from_sublists(operands: tuple) -> tuple[str, list]:
    """`op, [0, 1], op, [1, 2], [0, 2]` as letters."""
    letters = dict(enumerate(_LETTERS))
    listed = list(operands)
    last = listed.pop() if len(listed) % 2 else None

    def text(labels: Any) -> str:
        try:
            return "".join(_DOTS if x is Ellipsis else letters[x] for x in labels)
        except (TypeError, KeyError):
            raise _Unclear from None

    strings = [text(x) for x in listed[1::2]]
    return ",".join(strings) + ("" if last is None else "->" + text(last)), listed[::2]


def _split(text: str) -> list:
    """The labels of one operand, with an ellipsis as one label."""
    found: list = []
    for k, piece in enumerate(text.split(_DOTS)):
        if k > 1:
            raise _Unclear
        if k:
            found.append(_DOTS)
        if any(c not in _LETTERS for c in piece):
            raise _Unclear
        found += piece
    return found


def _spread(labels: list, ndim: int) -> tuple:
    """Replace the ellipsis by numbered labels for the remaining axes, the last numbered 1."""
    n = ndim - len(labels) + (_DOTS in labels)
    if n < 0 or (n > 0 and _DOTS not in labels):
        raise _Unclear
    found: list = []
    for x in labels:
        found += range(n, 0, -1) if x == _DOTS else [x]
    return tuple(found)


def _parsed(operands: tuple) -> tuple[list[tuple], tuple, list]:
    if not operands:
        raise _Unclear
    if isinstance(operands[0], str):
        text, arrays = operands[0], list(operands[1:])
    else:
        text, arrays = _from_sublists(operands)
    arrays = products.operands(*arrays)
    return *_read(text, tuple(a.ndim for a in arrays)), arrays


@functools.lru_cache(256)
def _read(text: str, ndims: tuple[int, ...]) -> tuple[list[tuple], tuple]:
    """The labels of the operands' axes and of the result's."""
    left, arrow, right = text.replace(" ", "").partition("->")
    parts = [_split(p) for p in left.split(",")]
    if len(parts) != len(ndims) or "-" in left or ">" in left:
        raise _Unclear
    inputs = [_spread(p, n) for p, n in zip(parts, ndims)]
    dots = max((sum(type(x) is int for x in labels) for labels in inputs), default=0)
    flat = [x for labels in inputs for x in labels]
    if arrow:
        wanted = _split(right)
        output = _spread(wanted, len(wanted) - 1 + dots if _DOTS in wanted else len(wanted))
        if _DOTS not in wanted and dots:
            raise _Unclear
    else:
        output = (*range(dots, 0, -1), *sorted(x for x in set(flat) if type(x) is str and flat.count(x) == 1))
    if len(set(output)) != len(output) or any(x not in flat for x in output):
        raise _Unclear
    return inputs, output


def _sizes(inputs: list[tuple], arrays: list[ndarray]) -> dict:
    sizes: dict = {}
    for labels, a in zip(inputs, arrays):
        for x, n in zip(labels, a.shape):
            known = sizes.get(x, 1)
            if n != known and n != 1 and known != 1:
                raise _Unclear
            sizes[x] = n if known == 1 else known
        if len(set(labels)) != len(labels):
            for x, n in zip(labels, a.shape):
                if any(a.shape[k] != n for k, y in enumerate(labels) if y == x):
                    raise _Unclear
    return sizes


def _diagonal(a: ndarray, labels: tuple) -> _Term:
    """Take the diagonal over repeated labels."""
    if len(set(labels)) == len(labels):
        return _Term(a, labels)
    distinct = tuple(dict.fromkeys(labels))
    shape = tuple(a.shape[labels.index(x)] for x in distinct)
    steps = tuple(sum(s for s, y in zip(a.strides, labels) if y == x) for x in distinct)
    return _Term(_core.view(a, shape, steps, 0, a.dtype), distinct)


def _prepared(a: ndarray, labels: tuple, sizes: dict) -> _Term:
    """Take diagonals, and drop axes of length 1 that other operands broadcast."""
    term = _diagonal(a, labels)
    short = [k for k, x in enumerate(term.labels) if term.array.shape[k] == 1 and sizes[x] != 1]
    if not short:
        return term
    kept = [k for k in range(len(term.labels)) if k not in short]
    return _Term(term.array.reshape(tuple(term.array.shape[k] for k in kept)), tuple(term.labels[k] for k in kept))


def _from_zero(a: ndarray) -> ndarray:
    """Add zero, as a sum that begins at zero does: no zero of it is negative."""
    return as_array(by_name["add"](a, 0), a) if a.dtype.kind in "fc" else a


def _total(a: ndarray, axes: tuple[int, ...]) -> ndarray:
    """Sums in the array's own type; for bool whether any is true."""
    return _from_zero(as_array(a.any(axis=axes) if a.dtype.kind == "b" else a.sum(axis=axes, dtype=a.dtype), a))


def _summed(term: _Term, keep: set) -> _Term:
    """Sum over the labels that are not needed any more."""
    gone = tuple(k for k, x in enumerate(term.labels) if x not in keep)
    if not gone:
        return term
    return _Term(_total(term.array, gone), tuple(x for x in term.labels if x in keep))


def _shape(term: _Term, labels: list) -> tuple[int, ...]:
    return tuple(map(term.size, labels))


def _pair(a: _Term, b: _Term, keep: set, by_loops: bool) -> _Term:
    """Combine two operands: labels in `keep` remain, others are summed. Products without a sum are computed as sums of
    one product where NumPy computes them `by_loops`.
    """
    a, b = _summed(a, keep | set(b.labels)), _summed(b, keep | set(a.labels))
    shared = [x for x in a.labels if x in b.labels]
    batch, inner = [x for x in shared if x in keep], [x for x in shared if x not in keep]
    rows, columns = [x for x in a.labels if x not in shared], [x for x in b.labels if x not in shared]
    if not inner or (batch and not rows and not columns):
        x = a.arranged(batch, rows, inner).reshape(
            _shape(a, batch) + _shape(a, rows) + (1,) * len(columns) + _shape(a, inner)
        )
        y = b.arranged(batch, columns, inner).reshape(
            _shape(b, batch) + (1,) * len(rows) + _shape(b, columns) + _shape(b, inner)
        )
        r = as_array(by_name["multiply"](x, y), x)
        if inner:
            r = _total(r, tuple(range(r.ndim - len(inner), r.ndim)))
        elif by_loops:
            r = _from_zero(r)
        return _Term(r, (*batch, *rows, *columns))
    x, y = a.arranged(batch, rows, inner), b.arranged(batch, inner, columns)
    vectors = not batch and len(rows) <= 1 and len(columns) <= 1
    if len(inner) == 1 and (vectors or len(rows) == len(columns) == 1):
        return _Term(as_array(x @ y, x), (*batch, *rows, *columns))
    k = math.prod(_shape(a, inner))
    x = x.reshape((*_shape(a, batch), math.prod(_shape(a, rows)), k))
    y = y.reshape((*_shape(b, batch), k, math.prod(_shape(b, columns))))
    r = x @ y
    return _Term(r.reshape(_shape(a, batch) + _shape(a, rows) + _shape(b, columns)), (*batch, *rows, *columns))


def _path(terms: list[_Term], output: tuple, optimize: Any) -> list[tuple[int, ...]]:
    """The order in which operands are combined, as numpy.einsum_path finds it from their shapes."""
    names: dict = {}
    for t in terms:
        for x in t.labels:
            names.setdefault(x, len(names))
    if len(names) > len(_LETTERS):
        return [(0, 1)] * (len(terms) - 1)
    text = ",".join("".join(_LETTERS[names[x]] for x in t.labels) for t in terms)
    text += "->" + "".join(_LETTERS[names[x]] for x in output if x in names)
    how = "greedy" if optimize in (True, False, None) else optimize
    return np.einsum_path(text, *(_stand_in(t.array) for t in terms), optimize=how)[0][1:]


def _stand_in(a: ndarray) -> np.ndarray:
    """An array of the same shape without memory, for NumPy's planning and its errors."""
    return np.broadcast_to(np.zeros((), a.dtype), a.shape)


def _contracted(terms: list[_Term], output: tuple, optimize: Any) -> tuple[_Term, bool]:
    """Combine all operands; also returns whether the last step was a sum of products."""
    summed, by_loops = False, optimize is False or not _PAIRS_MULTIPLY
    if len(terms) > 2:
        path = _path(terms, output, optimize)
    else:
        path = [tuple(range(len(terms)))]
    for step in path:
        chosen = [terms[k] for k in step]
        terms = [t for k, t in enumerate(terms) if k not in step]
        keep = set(output).union(*(t.labels for t in terms))
        while len(chosen) > 1:  # a path may combine more than two operands at once
            later = keep.union(*(t.labels for t in chosen[2:]))
            summed = not set(chosen[0].labels).intersection(chosen[1].labels) <= later
            chosen[:2] = [_pair(chosen[0], chosen[1], later, by_loops or len(step) > 2)]
        terms.append(_summed(chosen[0], keep))
    return terms[0], summed


@functools.lru_cache(256)
def _as_loops(text: str, ndims: tuple[int, ...]) -> tuple[int, int, tuple[bytes, ...]] | None:
    """The number of labels, how many of them the result keeps, and the label numbers of each operand, those of the
    result first. None if there is nothing to compute, or the call is invalid.
    """
    try:
        inputs, output = _read(text, ndims)
    except (_Unclear, ValueError):
        return None
    labels = dict.fromkeys((*output, *(x for of in inputs for x in of)))
    if len(inputs) == 1 and len(labels) == len(output):
        return None
    numbers = {x: k for k, x in enumerate(labels)}
    return len(labels), len(output), tuple(bytes(numbers[x] for x in of) for of in inputs)


@functools.lru_cache(256)
def _as_transposition(text: str, ndim: int) -> tuple[int, ...] | None:
    """The order of axes if the call only transposes its operand, else None."""
    try:
        (labels,), output = _read(text, (ndim,))
    except (_Unclear, ValueError):
        return None
    distinct = ndim > 1 and len(set(labels)) == len(labels) == len(output)
    return tuple(labels.index(x) for x in output) if distinct else None


def _few_sums(text: Any, *arrays: Any, optimize: Any = False) -> ndarray | None:
    """Compute a call with few products directly; None for other calls."""
    if type(text) is not str or not all([type(a) is ndarray for a in arrays]):
        return None
    if len(arrays) == 1 and (order := _as_transposition(text, arrays[0].ndim)) is not None:
        return arrays[0].transpose(*order)
    how = _as_loops(text, tuple([a.ndim for a in arrays]))
    keeps_signs = _PAIRS_MULTIPLY and optimize is not False  # single products, also of zeros
    if how is None or (keeps_signs and how[0] == how[1]):
        return None
    return _core.contract(*how, arrays)


@functools.lru_cache(256)
def _as_product(text: str, a: int, b: int) -> tuple[bool, bool, bool, int, int] | None:
    """Describe operands with so many axes as one product of matrices or vectors: which of them and whether the result
    are transposed, and which of their axes are summed; None if that is not possible.
    """
    try:
        (x, y), output = _read(text, (a, b))
    except (_Unclear, ValueError):
        return None
    inner = [k for k in x if k in y]
    if not (1 <= a <= 2 and 1 <= b <= 2 and len(inner) == 1 and len({*x, *y}) == a + b - 1):
        return None
    outer = tuple(k for k in (*x, *y) if k not in inner)
    i, j = x.index(inner[0]), y.index(inner[0])
    if set(outer) != set(output):
        return None
    return i < a - 1, j > 0, outer != output, i, j


def _product_of(text: Any, a: Any, b: Any) -> ndarray | None:
    """The most frequent calls: two arrays of one type for which `_as_product` applies."""
    if type(text) is not str or type(a) is not ndarray or type(b) is not ndarray:
        return None
    how = _as_product(text, a.ndim, b.ndim)
    if how is None or a.dtype != b.dtype or a.dtype.kind in "mM" or a.shape[how[3]] != b.shape[how[4]]:
        return None
    r = (a.T if how[0] else a) @ (b.T if how[1] else b)
    return r.T if how[2] else r


def _of_pair(r: Any, text: str, a: ndarray, b: ndarray, optimize: Any) -> Any:
    """The result of two operands. Where NumPy plans, sums of products are matrix products, which return no scalars."""
    if optimize is False or r.ndim:
        return r
    (x, y), _ = _read(text, (a.ndim, b.ndim))
    return r if set(x).isdisjoint(y) else as_axisless(r, a)


def _say_what_is_wrong(operands: tuple, options: dict[str, Any]) -> None:
    """Have NumPy raise its error for an invalid call, on stand-ins."""
    likes = [_stand_in(x) if type(x) is ndarray else x for x in operands]
    np.einsum(*likes, **options)
    raise ValueError("[einsum] the subscripts do not fit the operands")


def einsum(
    *operands: Any, out: ndarray | None = None, optimize: bool | str | Sequence[Any] = False, **kwargs: Any
) -> _ArrayOrScalar:
    """Evaluate the Einstein summation of products of arrays.

    Parameters
    ----------
    *operands : str and arrays, or arrays each followed by a list of integers
        As in ``einsum("ij,jk->ik", a, b)``.
    out : array, optional
        Output array.
    optimize : bool, str, tuple or list
        Which order of several operands to look for, or one found by `einsum_path`. Operands are always combined in
        pairs, each as one matrix product or one fused pass.
    dtype, casting, order : optional
        As in NumPy.

    Returns
    -------
    array
        A view of the operand if nothing is computed, as in ``einsum("ii->i", a)``.

    Raises
    ------
    ValueError
        The subscripts do not match the operands.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.einsum("ij,j->i", bc.eye(2), bc.ones(2)).tolist()
    [1.0, 1.0]
    """
    if out is None and not kwargs and operands:
        if len(operands) == 3 and (r := _product_of(*operands)) is not None:
            return _of_pair(r, *operands, optimize)
        if (optimize is False or len(operands) <= 3) and (r := _few_sums(*operands, optimize=optimize)) is not None:
            # With `optimize` the order of several operands shows in the rounding of results.
            return _of_pair(r, *operands, optimize) if len(operands) == 3 else r
    dtype, casting, order = (kwargs.pop(k, d) for k, d in (("dtype", None), ("casting", "safe"), ("order", "K")))
    if kwargs:
        raise TypeError(f"Did not understand the following kwargs: {list(kwargs)}")
    _check_ways(out, casting, order)
    try:
        inputs, output, arrays = _parsed(operands)
        sizes = _sizes(inputs, arrays)
    except _Unclear:
        _say_what_is_wrong(operands, {})
    types = {a.dtype for a in arrays}
    if any(t.kind in "mM" for t in types):
        return in_numpy(np.einsum, operands, {"optimize": optimize}, "einsum", "types without a product")
    common = np.dtype(dtype) if dtype is not None else np.result_type(*types) if len(types) > 1 else arrays[0].dtype
    for k, a in enumerate(arrays):
        if a.dtype != common and not np.can_cast(a.dtype, common, casting):
            raise TypeError(
                f"Iterator operand {k} dtype could not be cast from {a.dtype!r} to {common!r} according to the rule {casting!r}"
            )
    terms = [_prepared(a if a.dtype == common else a.astype(common), x, sizes) for a, x in zip(arrays, inputs)]
    last, summed = _contracted(terms, output, optimize)
    r = _broadcast(last, output, sizes)
    if out is None:
        r = _laid(r, order.upper(), arrays)
        return as_axisless(r) if optimize is not False and summed and r.ndim == 0 else as_value(r)
    if out.shape != r.shape:
        raise ValueError(f"[einsum] expected an out of shape {r.shape}, got {out.shape}")
    if not optimize and not np.can_cast(r.dtype, out.dtype, casting):
        raise TypeError(f"[einsum] cannot cast from {r.dtype!r} to the out's {out.dtype!r} with the rule {casting!r}")
    out[...] = r if type(out) is ndarray else r.get()
    return out


def _check_ways(out: Any, casting: Any, order: Any) -> None:
    if out is not None and not isinstance(out, (ndarray, np.ndarray)):
        raise TypeError(f"einsum() argument 'out' must be an array, not {type(out).__name__}")
    if casting not in _CASTINGS:
        raise ValueError(f"casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' (got {casting!r})")
    if not isinstance(order, str) or order.upper() not in ("C", "F", "A", "K"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")


def _laid(r: ndarray, order: str, arrays: list[ndarray]) -> ndarray:
    """The result in the requested memory order; K is any."""
    if order == "A":
        order = "F" if all(a.flags.f_contiguous and not a.flags.c_contiguous for a in arrays) else "C"
    if order == "K" or (r.flags.f_contiguous if order == "F" else r.flags.c_contiguous):
        return r
    return r.copy(order)


def _broadcast(term: _Term, output: tuple, sizes: dict) -> ndarray:
    """Order and broadcast the axes for the output."""
    have = [x for x in output if x in term.labels]
    r = term.arranged(have)
    if len(have) != len(output):
        r = r.reshape(tuple(sizes[x] if x in have else 1 for x in output))
    return r


def einsum_path(
    *operands: Any, optimize: bool | str | Sequence[Any] = "greedy", einsum_call: bool = False
) -> tuple[list[Any], str]:
    """Find the contraction order of `einsum` with the lowest cost, and describe it.

    Only the shapes of the operands are used.

    Parameters
    ----------
    *operands
        As for `einsum`.
    optimize : bool, {"greedy", "optimal"} or tuple, optional
        How to search for the order; a tuple adds the largest size of an intermediate.
    einsum_call : bool, optional
        Return the data that NumPy's `einsum` needs, instead of the text.

    Returns
    -------
    tuple of list and str
        Pairs of operand indices, each pair replaced by its product at the end of the list; and the text.

    Raises
    ------
    ValueError
        The subscripts do not match the operands.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.einsum_path("ij,jk,kl->il", bc.eye(2), bc.eye(2), bc.eye(2))[0]
    ['einsum_path', (0, 1), (0, 1)]
    """
    likes = [_stand_in(x) if type(x) is ndarray else x for x in operands]
    return np.einsum_path(*likes, optimize=optimize, einsum_call=einsum_call)
