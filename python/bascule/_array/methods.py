"""Methods and attributes of ndarray that need not be fast; the type itself is in bascule._core."""

from __future__ import annotations

from types import FunctionType
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import ndarray
from ..linalg import products
from . import attributes as array_attributes
from . import computing_methods, selecting_methods, shape_methods, value_methods

if TYPE_CHECKING:
    from .types import _ArrayLike, _ArrayT


def all_methods() -> dict[str, FunctionType]:
    """The functions of the modules of methods, by name; a trailing underscore avoids a clash with a name of Python's."""
    return {
        name.rstrip("_"): f
        for module in (shape_methods, value_methods, selecting_methods, computing_methods)
        for name, f in vars(module).items()
        if isinstance(f, FunctionType) and f.__module__ == module.__name__ and not name.startswith("_")
    }


def _matmul(*operands: Any) -> Any:
    return products.operator_matmul(*operands)  # whose module is executed with the first product


def _imatmul(self: _ArrayT, other: _ArrayLike) -> _ArrayT:
    return products.operator_imatmul(self, other)


def install() -> None:
    """Put the methods and attributes on the type. Where the type has the common form in C code, these handle all other
    arguments."""
    for name, f in all_methods().items():
        if not _core.set_general_form(name, f):
            setattr(ndarray, name, _core.method(f))
    ndarray.conjugate = _core.method(computing_methods.conj)
    ndarray.__sizeof__ = value_methods._sizeof
    array_attributes.install()
    _core.set_general_form("operator_matmul", _matmul)
    ndarray.__imatmul__ = _imatmul
