"""Fallbacks: calls that run in pandas on copies, are counted, and whose results are converted back."""

from .calls import call, count, from_pandas, install, module_function, run, share, to_pandas
from .counted import UNSAID, in_pandas, presented, refuse_on_gpu

__all__ = [
    "UNSAID",
    "call",
    "count",
    "from_pandas",
    "in_pandas",
    "install",
    "share",
    "module_function",
    "presented",
    "refuse_on_gpu",
    "run",
    "to_pandas",
]
