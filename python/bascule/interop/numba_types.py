"""Types of bascule arrays in numba: jitted functions on the CPU take them as NumPy arrays over their memory.

Numba finds this module by the entry point `numba_extensions`. An array of ours has the type of a NumPy array over the
same memory, so that a function compiled for one takes the other, whether its signature was written explicitly or comes
from numba's cache on disk. Arrays that a jitted function allocates and returns are NumPy's; results of reductions are
passed as numbers. Inside a jitted function the namespace is NumPy's: after `import bascule as np` it has the functions
of NumPy that numba compiles.
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
    # Numba caches types by the properties of buffers. Read-only ones stand for values, writable ones for arrays.
    number = view.ndim == 0 and (_core.is_scalar(value) or not view.flags.writeable)
    return typeof_impl(view[()] if number else view, context)


@typeof_impl.register(StandIn)
def _typeof_module(value: Any, context: Any) -> types.Type:
    """In a program in the accelerated mode the name of NumPy stands for NumPy itself in a compiled function."""
    return types.Module(value._library())


# Every compiled function calls this function, by its name, to read an array argument. Ours calls numba's, which takes
# only NumPy's arrays, and if that refuses an object calls it again with a NumPy array over the object's memory.
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
    """Make compiled functions read our arrays as they read NumPy's; the result keeps the code alive."""
    text = _ADAPT.format(theirs=_nrt_python.c_helpers[name], seen_by_numpy=id(seen))
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)
    engine.finalize_object()
    address = engine.get_function_address("bascule_adapt")
    _nrt_python.c_helpers[name] = address  # numba reads this table when it starts,
    llvm.add_symbol(f"NRT_{name}", address)  # and may have started already
    return engine, seen


_adapting = _adapt_arrays(conversion.seen_by_numpy)


def _stand_for(ours: Any, theirs: Any) -> None:
    """Make the names of a module of bascule stand for NumPy's in jitted functions."""

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
    """The entry point, which numba calls before it compiles; importing the module has registered the types already."""
