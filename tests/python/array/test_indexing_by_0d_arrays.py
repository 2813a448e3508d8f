"""An integer array without axes as an index copies elements and returns no view, as in NumPy."""

import itertools

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

ZERO = {
    "array": lambda xp: xp.array(1),
    "small": lambda xp: xp.array(1, "i1"),
    "unsigned": lambda xp: xp.array(1, "u8"),
    "numpy's": lambda xp: np.array(1),
    "scalar": lambda xp: np.int64(1),
    "number": lambda xp: 1,
    "slice": lambda xp: slice(None),
    "part": lambda xp: slice(1, None),
    "dots": lambda xp: ...,
    "new": lambda xp: None,
    "list": lambda xp: [0, 1],
    "truth": lambda xp: xp.array(True),
}
KEYS = [k for n in (1, 2, 3) for k in itertools.product(ZERO, repeat=n)]


def key_of(xp, names):
    parts = tuple(ZERO[n](xp) for n in names)
    return parts if len(parts) > 1 else parts[0]


def read(xp, names, lazy):
    x = xp.arange(60.0).reshape(3, 4, 5)
    x = x + 1 if lazy else x
    try:
        y = x[key_of(xp, names)]
    except IndexError:
        return "refused"
    x[...] = -1
    return np.asarray(y).tolist()


def written(xp, names, value):
    x = xp.arange(60).reshape(3, 4, 5)
    try:
        x[key_of(xp, names)] = value(x)
    except IndexError:
        return "refused"
    return np.asarray(x).tolist()


@pytest.mark.parametrize("eager_below", [0, None])
def test_what_is_read_stays(eager_below):
    default = bc._core.get_eager_below()
    bc._core.set_eager_below(default if eager_below is None else eager_below)
    try:
        for names, lazy in itertools.product(KEYS, (False, True)):
            assert read(bc, names, lazy) == read(np, names, lazy), names
    finally:
        bc._core.set_eager_below(default)


def test_what_is_written():
    for names in KEYS:
        assert written(bc, names, lambda x: -7) == written(np, names, lambda x: -7), names
        if "list" not in names and "truth" not in names:
            assert written(bc, names, lambda x: x[1, 1, 1]) == written(np, names, lambda x: x[1, 1, 1]), names


def test_its_memory_is_its_own():
    x = bc.zeros((3, 4))
    for key in ((slice(None), bc.array(0)), bc.array(0), (bc.array(0), ...), (..., np.array(0))):
        y = x[key]
        assert y.base is None or not bc.shares_memory(x, y)
        y[...] = 5
    assert not x.any()
    at, row = bc.array(0), np.zeros((2, 3))
    assert bc.shares_memory(x[int(at)], x) and bc.shares_memory(x[np.int64(0)], x)
    assert np.shares_memory(row[np.int64(0)], row) and not np.shares_memory(row[np.array(0)], row)
