"""tril and triu of small and large matrices against NumPy: diagonals, stacks, layouts, types."""

import bascule as bc
import numpy as np
import pytest
from ordered_arrays import same

pytestmark = pytest.mark.usefixtures("native")


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "u1", "?", "c16", "c8"])
@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (3, 7), (7, 3), (2, 3, 4, 5), (30, 30), (90, 80), (0, 3), (3, 0)])
def test_triangles(shape, dtype):
    a = (np.arange(np.prod(shape)) % 5 + 1).astype(dtype).reshape(shape)
    for k in (0, 1, -1, 2, -2, 6, -6, 100, -100, 2**62, -(2**62), np.int64(1)):
        for name in ("tril", "triu"):
            same(getattr(bc, name)(bc.array(a), k), getattr(np, name)(a, k))
            same(getattr(bc, name)(bc.array(a).swapaxes(-1, -2), k), getattr(np, name)(a.swapaxes(-1, -2), k))


def test_triangles_are_copies():
    a = np.ones((4, 4))
    x = bc.array(a)
    r = bc.triu(x, -9)
    r[:] = 0
    same(x, a)
    line = bc.array([1.0, 2, 3])
    same(bc.tril(line), np.tril([1.0, 2, 3]))
    same(bc.triu(line * 2), np.triu([2.0, 4, 6]))
    b = np.array([[np.nan, np.inf], [1.0, -0.0]])
    same(bc.tril(bc.array(b)), np.tril(b))
    same(bc.triu(bc.array(b)), np.triu(b))
