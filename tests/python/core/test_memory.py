"""Memory is freed when the last array is deleted, in whatever combination and order results are computed and read."""

from __future__ import annotations

import random

import bascule as bc
import numpy as np
import pytest
from lazy_arrays import in_use

N = 20_000
CHEAP = [bc.add, bc.subtract, bc.multiply, bc.maximum]
DEAR = [bc.exp, bc.tanh, bc.arctan, bc.cos]


def test_a_result_that_another_result_of_its_pass_needs() -> None:
    x, y = bc.arange(float(N)) / N, bc.arange(float(N))
    bc.evaluate(x, y)
    before = in_use()
    for _ in range(3):
        first = bc.tanh(x)
        second = first - y
        bc.evaluate(first, second)
        assert in_use() <= before + 2 * (first.nbytes + first.nbytes // 8)
        np.testing.assert_array_equal(np.asarray(second), np.asarray(first) - np.asarray(y))
        del first, second
    assert in_use() == before


@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed: int) -> None:
    choose = random.Random(seed)
    inputs = [bc.array(np.random.default_rng(seed + k).random((200, N // 200))) for k in range(3)]
    bc.evaluate(*inputs)
    before = in_use()
    values = list(inputs)
    for _ in range(choose.randrange(3, 14)):
        a, b = choose.choice(values), choose.choice(values)
        kind = choose.randrange(6)
        if kind < 3:
            made = choose.choice(CHEAP)(a, b)
        elif kind < 5:
            made = choose.choice(DEAR)(a)
        else:
            made = a / (b.sum(axis=1, keepdims=True) + 3.0)
        values.append(made[:, ::-1] if choose.random() < 0.2 else made)
    kept = choose.sample(values, choose.randrange(1, len(values)))
    del values, made, a, b
    choose.shuffle(kept)
    if choose.random() < 0.5:
        bc.evaluate(*kept)
    else:
        for k in kept:
            k.sum().item() if choose.random() < 0.5 else np.asarray(k).sum()
            k = None
    del kept
    assert in_use() == before
