"""Values under a mask are never read: columns that differ there alone give the same results, which are pandas'."""

from __future__ import annotations

import random

import bascule.pandas as pd
import pandas
import pytest
import sweeps
from call_outcomes import difference
from masked_calls import CALLS, NUMBERS, Given, hidden

WHOLE = sweeps.has_all_products()  # every type, with all that may lie under its mask
DTYPES = [*NUMBERS, "boolean", "string", "str"]


def looked_at(name: str) -> list[tuple]:
    """Types, and what lies under the mask: all of them, or one by a chance that is always the same."""
    pairs = [(dtype, under) for dtype in DTYPES for under in hidden(dtype)]
    return pairs if WHOLE else random.Random(name).sample(pairs, 1)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", CALLS)
def test_nothing_under_a_mask_is_read(name):
    found = {(dtype, under): difference(CALLS[name], Given(dtype, under, pd), Given(dtype, None, pandas)) for dtype, under in looked_at(name)}  # fmt: skip
    assert not any(found.values()), "\n".join(f"{k}: {d}" for k, d in found.items() if d)
