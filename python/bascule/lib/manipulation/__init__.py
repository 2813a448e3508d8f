"""Shapes, joins, rearrangements and selections."""

from __future__ import annotations

from . import joining, rearranging, shapes, splitting
from .joining import *
from .rearranging import *
from .shapes import *
from .shapes import normalize_axes as normalize_axes
from .shapes import normalize_axis as normalize_axis
from .splitting import *

__all__ = []
__all__ += shapes.__all__
__all__ += joining.__all__
__all__ += splitting.__all__
__all__ += rearranging.__all__
