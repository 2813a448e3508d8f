"""The sections of docstrings whose modules are long enough with their code.

A function's summary stands beside its code; what its arguments, results and errors are, and an example, stand here. `install`
joins them. `parts` has the words that many functions share.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any


def attach(owner: ModuleType | type, entries: dict[str, str]) -> None:
    """Put the sections of each entry below the summary of the function, class or property of that name."""
    for name, sections in entries.items():
        found: Any = vars(owner)[name]
        found.__doc__ = f"{found.__doc__}\n\n{sections}"


def install() -> None:
    """Complete the docstrings of what `import bascule` brings."""
    from .. import arithmetic, array_methods, creation, linalg, manipulation, reductions, selection
    from ..linalg import factors, norms, products, systems
    from . import creating, elementwise, folding, joining, linear, methods, picking, shaping

    attach(creation, creating.ENTRIES)
    attach(manipulation, shaping.ENTRIES)
    attach(manipulation, joining.ENTRIES)
    attach(reductions, folding.ENTRIES)
    attach(selection, picking.ENTRIES)
    attach(arithmetic, elementwise.ENTRIES)
    attach(products, linear.PRODUCTS)
    attach(factors, linear.FACTORS)
    attach(norms, linear.NORMS)
    attach(systems, linear.SYSTEMS)
    attach(linalg, linear.NAMESPACE)
    methods.install(array_methods)
