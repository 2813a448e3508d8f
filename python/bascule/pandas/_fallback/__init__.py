"""Fallbacks: calls that run in pandas on copies, are counted, and whose results are converted back."""

from .calls import call, count, from_pandas, install, lend, module_function, run, to_pandas
from .counted import UNSAID, in_pandas, presented, refuse_on_gpu

__all__ = [
    "UNSAID",
    "call",
    "count",
    "from_pandas",
    "in_pandas",
    "install",
    "lend",
    "module_function",
    "presented",
    "refuse_on_gpu",
    "run",
    "to_pandas",
]
