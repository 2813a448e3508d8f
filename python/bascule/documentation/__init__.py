"""The sections of docstrings whose modules are long enough with their code.

A function's summary stands beside its code; what its arguments, results and errors are, and an example, stand here. `install`
joins them. `parts` has the words that many functions share.
"""

from __future__ import annotations

import sys


def attach(module: str, entries: dict[str, str]) -> None:
    """Put the sections of each entry below the summary of the module's function of that name."""
    functions = vars(sys.modules[module])
    for name, sections in entries.items():
        functions[name].__doc__ = f"{functions[name].__doc__}\n\n{sections}"


def install() -> None:
    """Complete the docstrings of what `import bascule` brings; modules that come later do it themselves."""
    from .. import _core
    from . import creating, elementwise, joining, linear, methods, picking, reducing, shaping

    for name, entries in (
        ("lib.arithmetic", elementwise.ENTRIES),
        ("_array.methods", methods.ENTRIES),
        ("lib.creation", creating.ENTRIES),
        ("linalg", linear.NAMESPACE),
        ("linalg.products", linear.PRODUCTS),
        ("lib.manipulation", shaping.ENTRIES | joining.ENTRIES),
        ("lib.reductions", reducing.ENTRIES),
        ("lib.selection", picking.ENTRIES),
    ):
        attach(f"bascule.{name}", entries)
    _core.ndarray.__doc__ = methods.NDARRAY
    _core.ufunc.__doc__ = methods.UFUNC
