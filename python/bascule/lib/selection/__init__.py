"""Functions that select elements by index, condition or order, write to selected elements, or convert types."""

from __future__ import annotations

from . import properties, taking, writing
from .properties import *
from .taking import *
from .taking import limited as limited
from .writing import *
from .writing import cast as cast

__all__ = []
__all__ += taking.__all__
__all__ += writing.__all__
__all__ += properties.__all__
