"""Labels mean to indexes, series and frames the same as in pandas, for every kind and form of index."""

from __future__ import annotations

import random

import bascule.pandas as pd
import pandas
import pytest
import sweeps
from call_outcomes import difference
from index_kinds import NAMES, ONE, OTHERS, TWO, Given, is_open

WHOLE = sweeps.has_all_products()  # every kind and form of index, with every other
pytestmark = pytest.mark.filterwarnings("ignore")


def check(call, name, cases):
    found = []
    for kind, other in cases:
        theirs = Given(kind, other, pandas)
        if theirs.there and not is_open(name, kind):
            differs = difference(call, Given(kind, other, pd), theirs)
            if differs is not None:
                found.append(f"{name} @ {kind} / {other}: {differs}")
    assert not found, "\n".join(found)


def some(name: str, cases: list, n: int) -> list:
    """All of the cases, or a few by a chance that is always the same."""
    return cases if WHOLE else random.Random(name).sample(cases, n)


@pytest.mark.parametrize("name", ONE)
def test_calls_on_one_index(name):
    check(ONE[name], name, some(name, [(kind, "same") for kind in NAMES], 2))


@pytest.mark.parametrize("name", TWO)
def test_calls_on_two_indexes(name):
    check(TWO[name], name, some(name, [(kind, other) for kind in NAMES for other in OTHERS], 3))
