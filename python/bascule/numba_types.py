"""What numba makes of bascule arrays: arguments of jitted functions on the CPU, taken as NumPy arrays over their memory.

Numba finds this by the entry point `numba_extensions`. What a jitted function allocates and returns is NumPy's;
arrays without axes arrive as numbers. A function compiled for a signature that somebody wrote down takes
what it says, NumPy arrays: `numpy.asarray(x)` is one over the same memory. The namespace itself is NumPy's inside
of a jitted function: `import bascule as np` names what numba compiles of NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, models, register_model, typeof_impl, unbox

import bascule

from . import _core, conversion


class Array(types.Array):
    """Numba's type of bascule arrays; their views and results have the type of NumPy's."""


register_model(Array)(models.ArrayModel)


@typeof_impl.register(_core.ndarray)
def _typeof(value: Any, context: Any) -> types.Type:
    view = conversion.host_view(value)
    if view.ndim == 0:
        return typeof_impl(view[()], context)
    t = typeof_impl(view, context)
    return Array(t.dtype, t.ndim, t.layout, readonly=not t.mutable, name=f"bascule {t.name}", aligned=t.aligned)


@unbox(Array)
def _unbox(typ: Array, value: Any, c: Any) -> NativeValue:
    as_numpy = types.Array(typ.dtype, typ.ndim, typ.layout, readonly=not typ.mutable, aligned=typ.aligned)
    array = cgutils.alloca_once(c.builder, c.context.get_value_type(typ))
    failed = cgutils.alloca_once_value(c.builder, cgutils.true_bit)
    function = c.pyapi.unserialize(c.pyapi.serialize_object(conversion.host_view))
    view = c.pyapi.call_function_objargs(function, (value,))
    c.pyapi.decref(function)
    with c.builder.if_then(cgutils.is_not_null(c.builder, view), likely=True):
        native = c.unbox(as_numpy, view)
        c.builder.store(native.value, array)
        c.builder.store(native.is_error, failed)
        c.pyapi.decref(view)  # the native array keeps it
    return NativeValue(c.builder.load(array), is_error=c.builder.load(failed))


def _stand_for(ours: Any, theirs: Any) -> None:
    """Let the names of a module of bascule be those of NumPy's in jitted functions."""

    class Names(AttributeTemplate):
        key = types.Module(ours)

        def generic_resolve(self, _: Any, name: str) -> types.Type | None:
            return self.context.resolve_getattr(types.Module(theirs), name) if hasattr(theirs, name) else None

    infer_getattr(Names)


for _ours, _theirs in (
    (bascule, np),
    (bascule.fft, np.fft),
    (bascule.linalg, np.linalg),
    (bascule.polynomial, np.polynomial),
    (bascule.random, np.random),
):
    _stand_for(_ours, _theirs)


def init() -> None:
    """Called by numba before it compiles anything; importing the module has told it all."""
