"""pandas' public interfaces besides its top level."""

import importlib
import sys

from .. import _namespace as _namespace  # the classes made whole
from . import extensions, types, typing

# Modules that do not concern frames are pandas' own.
for _name in ("executors", "indexers", "internals", "interchange"):
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = importlib.import_module(f"pandas.api.{_name}")

__all__ = ["extensions", "types", "typing"]
