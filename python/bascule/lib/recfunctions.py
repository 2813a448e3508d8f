"""numpy.lib.recfunctions, whose calls are counted: see interop/numpys_modules.py."""

import sys

from ..interop.numpys_modules import numpys_module

sys.modules[__name__] = numpys_module("lib.recfunctions")
