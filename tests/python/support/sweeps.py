"""Sweeps: a test with many cases runs a third of them a day, another one each day, so that three days run every case.

BASCULE_TEST_SWEEPS=all runs all cases, and BASCULE_TEST_SWEEPS=2/3 the last third. `pytest FILE` runs all cases of the file.
"""

from __future__ import annotations

import collections
import datetime
import os
import zlib
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Case = TypeVar("Case")
SETTING = "BASCULE_TEST_SWEEPS"
DAYS = 3
MANY = 30  # cases of one test function


def todays() -> str:
    """The setting of today, of which child processes get the same: at midnight it does not change within a run."""
    return os.environ.setdefault(SETTING, f"{datetime.date.today().toordinal() % DAYS}/{DAYS}")


def part() -> tuple[int, int]:
    """k and n, of which a sweep runs its k-th part of n; 0 and 1 if it runs whole."""
    if (setting := todays()) == "all":
        return 0, 1
    k, _, n = setting.partition("/")
    return int(k), int(n)


def has_all_products() -> bool:
    """Whether tests of products (every kind of index with every call) run every pair; it takes hours, and not all pass yet."""
    return os.environ.get("BASCULE_TEST_PRODUCTS") == "all"


def taken(cases: Iterable[Case]) -> list[Case]:
    """Today's part of the cases of a sweep within a test."""
    k, n = part()
    return list(cases)[k::n]


def split(names: Sequence[str], function: Callable[[str], str]) -> set[str]:
    """The names of tests that run today: all of the functions with few cases, a part of those with many."""
    k, n = part()
    counts = collections.Counter(map(function, names))
    return {name for name in names if counts[function(name)] < MANY or zlib.crc32(name.encode()) % n == k}
