"""Nine hundred calls on frames of every kind of column over every kind of index: all that a user can see is as in pandas.

BASCULE_TEST_SECONDS=600 continues for that time with new frames, as `make fuzz` does.
"""

from __future__ import annotations

import os
import time

import numpy as np
import pytest
from frame_calls import ALL
from frame_differences import outcome
from kinds_of_frames import COLUMNS, INDEXES, sample

SECONDS = float(os.environ.get("BASCULE_TEST_SECONDS", "0"))
KINDS, ROWS = list(COLUMNS), list(INDEXES)


def known(call, kinds, frame):
    """Whether what a call gives for frames of these kinds is known to differ."""
    if "groupby" in call and any(f".{w}(" in call for w in ("rolling", "expanding", "ewm")):
        return not frame.g.notna().any()  # of no groups pandas has no windows
    if "to_dict" in call or "to_list" in call:  # where some are missing, pandas gives floats
        return "int64[pyarrow]" in kinds
    return "groupby" in call and "value_counts(" in call  # the order of ties within groups


def differences(seed, calls):
    """The differences from pandas when some calls are made on a frame that is drawn by a seed."""
    rng = np.random.default_rng(seed)
    kinds = KINDS[rng.integers(len(KINDS))], KINDS[rng.integers(len(KINDS))]
    rows = ROWS[rng.integers(len(ROWS))]
    frame = sample(rng, kinds, rows)
    found = {
        c: outcome(c, frame) for c in map(str, rng.choice(ALL, calls, replace=False)) if not known(c, kinds, frame)
    }
    return {f"seed {seed}, {kinds}, {rows}, {len(frame)} rows: {k}": v for k, v in found.items() if v}


@pytest.mark.parametrize("part", range(8))
def test_calls(part):
    found = {}
    for seed in range(8 * part, 8 * part + 8):
        found |= differences(seed, 12)
    assert not found


@pytest.mark.skipif(
    not SECONDS, reason="BASCULE_TEST_SECONDS says how long calls nobody has made before are to be made"
)
@pytest.mark.timeout(SECONDS + 300)
def test_new_calls():
    found, end, seed = {}, time.monotonic() + SECONDS, np.random.SeedSequence().entropy % 2**32
    while time.monotonic() < end and len(found) < 20:
        found |= differences(seed, 40)
        seed += 1
    assert not found
