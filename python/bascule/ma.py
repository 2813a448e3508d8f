"""numpy.ma itself, whose masked arrays NumPy computes with, beside arrays, too (derived.py)."""

import sys

import numpy.ma

sys.modules.update({f"{__name__}.{part}": getattr(numpy.ma, part) for part in ("core", "extras")})
sys.modules[__name__] = numpy.ma
