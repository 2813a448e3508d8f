"""Array creation functions of NumPy and the Array API, for any device."""

from __future__ import annotations

from . import filled, from_data, matrices, ranges
from .filled import *
from .from_data import *
from .matrices import *
from .ranges import *

__all__ = []
__all__ += filled.__all__
__all__ += from_data.__all__
__all__ += ranges.__all__
__all__ += matrices.__all__
