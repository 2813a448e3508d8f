"""What numba makes of bascule arrays: arguments of jitted functions on the CPU, taken as NumPy arrays over their memory.

Numba finds this by the entry point `numba_extensions`. Its type of an array is that of NumPy's array over the same
memory, so that a function compiled for the one takes the other, be it for a signature that somebody wrote down or from
numba's cache on disk. What a jitted function allocates and returns is NumPy's; what reductions return arrives as a
number. The namespace itself is NumPy's inside of a jitted function: `import bascule as np` names what numba compiles of
NumPy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding as llvm
from numba.core import types
from numba.core.runtime import _nrt_python
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import typeof_impl

import bascule

from .. import _core
from .._array import conversion
from .stand_in import StandIn


@typeof_impl.register(_core.ndarray)
def _typeof(value: Any, context: Any) -> types.Type:
    view = conversion.host_view(value)
    # Numba remembers types by what buffers show, which tells values from arrays by being read-only.
    number = view.ndim == 0 and (_core.is_scalar(value) or not view.flags.writeable)
    return typeof_impl(view[()] if number else view, context)


@typeof_impl.register(StandIn)
def _typeof_module(value: Any, context: Any) -> types.Type:
    """The name of NumPy in a program in the accelerated mode is NumPy in a compiled function."""
    return types.Module(value._theirs)


# Every compiled function calls this, by its name, to read an argument that is an array: numba's own, which takes
# NumPy's arrays alone, and where it refuses an object, once more with what NumPy sees of that object.
_ADAPT = """
declare ptr @PyObject_CallFunctionObjArgs(ptr, ...)
declare void @Py_DecRef(ptr)

define i32 @bascule_adapt(ptr %object, ptr %array) {{
  %first = call i32 inttoptr (i64 {theirs} to ptr)(ptr %object, ptr %array)
  %taken = icmp eq i32 %first, 0
  br i1 %taken, label %done, label %ask
ask:
  %seen = call ptr (ptr, ...) @PyObject_CallFunctionObjArgs(ptr inttoptr (i64 {seen_by_numpy} to ptr), ptr %object, ptr null)
  %raised = icmp eq ptr %seen, null
  br i1 %raised, label %done, label %again
again:
  %second = call i32 inttoptr (i64 {theirs} to ptr)(ptr %seen, ptr %array)
  call void @Py_DecRef(ptr %seen)
  ret i32 %second
done:
  ret i32 %first
}}
"""


def _adapt_arrays(seen: Any, name: str = "adapt_ndarray_from_python") -> Any:
    """Let compiled functions read arrays of ours where they read NumPy's; what it returns holds the code."""
    text = _ADAPT.format(theirs=_nrt_python.c_helpers[name], seen_by_numpy=id(seen))
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    engine.finalize_object()
    address = engine.get_function_address("bascule_adapt")
    _nrt_python.c_helpers[name] = address  # from where numba takes it when it starts,
    llvm.add_symbol(f"NRT_{name}", address)  # which it may have done
    return engine, seen


_adapting = _adapt_arrays(conversion.seen_by_numpy)


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
