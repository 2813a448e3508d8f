"""numpy.core itself, the name of numpy._core before NumPy 2; using it gives NumPy's deprecation warnings."""

import importlib
import pkgutil
import sys

import numpy.core

for _found in pkgutil.iter_modules(numpy.core.__path__):
    sys.modules[f"{__name__}.{_found.name}"] = importlib.import_module(f"numpy.core.{_found.name}")
sys.modules[__name__] = numpy.core
