"""Calls of ufuncs that name their loop by signature=, or by a dtype= that is not the type of every operand, or whose
loop is not in the op table."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .conversion import as_array, is_array

_WEAK = (int, float, complex)
_NOTHING = object()
_COMPARISONS = frozenset(["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"])
_BOOLEANS = tuple((None, None, t) for t in ("?", "bool", bool, np.bool_, np.dtype(bool)))


def _signature(ufunc: Any, keywords: dict[str, Any]) -> Any:
    """The loop that the keywords ask for, as NumPy's signature=; _NOTHING without such a keyword."""
    given = {k: keywords.pop(k) for k in ("signature", "sig", "dtype") if k in keywords}
    if "signature" in given and "sig" in given:
        raise TypeError("cannot specify both 'sig' and 'signature'")
    if not given:
        return _NOTHING
    if len(given) > 1:
        raise TypeError("cannot specify both 'signature' and 'dtype'")
    name, value = given.popitem()
    return (None,) * ufunc.nin + (value,) if name == "dtype" else value


def _cast(x: Any, t: np.dtype, like: Any) -> Any:
    """An operand converted to the loop's type; the call's casting rule allowed its own type."""
    if t.kind == "O":  # comparisons of Python's numbers with a type for their result have object operands
        return x
    if type(x) is int and t.kind in "iu":
        return as_array(np.asarray(x, t), like)
    return as_array(x, like).astype(t, copy=False)


def _in_float16(
    ufunc: Any, operands: tuple[Any, ...], out: Any = None, where: Any = True, casting: str = "same_kind", order: str = "K",
    subok: bool = True,
) -> Any:  # fmt: skip
    from ..lib.bits import written
    from . import float16

    inputs, (out, *_) = operands[: ufunc.nin], (*operands[ufunc.nin :], out)
    target = out[0] if isinstance(out, tuple) else out
    return written(float16.neighbours(ufunc.__name__, inputs), target, where, casting, order)


def call(ufunc: Any, operands: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Call the loop that NumPy resolves for the types and the signature; without a signature, a float16 loop."""
    theirs = getattr(np, ufunc.__name__, None)
    if theirs is None:
        raise NotImplementedError(f"[{ufunc.__name__}] signature= is not supported: use dtype=")
    signature = _signature(ufunc, keywords)
    if signature is _NOTHING:
        return _in_float16(ufunc, operands, **keywords)
    if ufunc.__name__ in _COMPARISONS and signature in _BOOLEANS:  # what they give in every loop
        return ufunc(*operands, **keywords)
    if signature is None:
        raise TypeError("the signature object to ufunc must be a string or a tuple.")
    inputs, outputs = operands[: ufunc.nin], operands[ufunc.nin :]
    out = outputs[0] if outputs else keywords.get("out")
    out = out[0] if isinstance(out, tuple) and len(out) == 1 else out
    like = next((x for x in inputs if is_array(x)), None)
    inputs = tuple(x if type(x) in _WEAK else as_array(x, like) for x in inputs)
    types = (*(type(x) if type(x) in _WEAK else x.dtype for x in inputs), getattr(out, "dtype", None))
    casting = keywords.get("casting", "same_kind")
    loop = theirs.resolve_dtypes(types, signature=signature, casting=casting)
    r = ufunc(*(_cast(x, t, like) for x, t in zip(inputs, loop)), *outputs, **keywords)
    return r if r.dtype == loop[-1] or out is not None and out is not Ellipsis else r.astype(loop[-1])


_core.set_signature_rules(call)
