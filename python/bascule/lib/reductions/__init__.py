"""Reductions of whole arrays and along axes, and cumulative operations."""

from __future__ import annotations

from . import cumulative, extrema, moments, nan, sums
from .cumulative import *
from .extrema import *
from .moments import *
from .moments import _moment_in_steps as _moment_in_steps  # called by the core
from .moments import _refuse_times as _refuse_times
from .nan import *
from .sums import *

__all__ = []
__all__ += sums.__all__
__all__ += extrema.__all__
__all__ += moments.__all__
__all__ += nan.__all__
__all__ += cumulative.__all__
