"""No test of bascule.pandas runs pandas' code uncounted."""

from __future__ import annotations

from functools import cache

import bascule as bc
import bascule.pandas as pd
import pytest
from pandas_trap import Trap


@cache
def native() -> frozenset[str]:
    """The names of which the table says that they never lead into pandas."""
    return frozenset(pd.coverage().names("native"))


@pytest.fixture(autouse=True)
def nothing_runs_in_pandas_uncounted():
    """Fails a test during which bascule.pandas called pandas' algorithms without a fallback being counted."""
    trap = Trap()
    before = {f["name"] for f in bc.fallbacks()}
    trap.start()
    try:
        yield
    finally:
        trap.stop()
    said = {f["name"] for f in bc.fallbacks()} - before
    assert not said & native(), f"counted, though the table says native: {sorted(said & native())}"
    assert not trap.found, "\n".join(["ran in pandas uncounted:", *sorted(trap.found)])
