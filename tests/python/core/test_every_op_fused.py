"""Every op of the table in every type: a value has one result, at any position in blocks, tasks and registers, whether
its operands were computed in the same pass or not, and whether operations were pending or not."""

import bascule as bc
import numpy as np
import pytest
from bascule._array import ufuncs
from ufunc_cases import cases, values

# A product of two durations is not defined: the loop is for durations and numbers.
CASES = [c for c in cases(ufuncs.table) if c.id != "multiply-timedelta64"]
PERIOD = 199  # a prime, so that the same value occurs in every lane of a register and at every position of a block
BLOCK, TASK = 1024, 32 * 1024
SIZES = (BLOCK - 1, BLOCK + 1, 8193, TASK - 1, TASK, TASK + 1, 2 * TASK + 3)


def operands(row, dtype, n):
    return [bc.asarray(np.resize(values(row, dtype, seed)[:PERIOD], n)) for seed in range(row["nin"])]


def bits(x):
    """The bytes of an array, with NaN unified: if there are two NaN to choose from, either one is correct."""
    x = np.atleast_1d(x.get() if type(x) is bc.ndarray else x)
    if x.dtype.kind in "fc":
        parts = x.view(x.real.dtype)
        parts[np.isnan(parts)] = np.nan
    return x.tobytes()


@pytest.mark.parametrize(("row", "dtype"), CASES)
def test_one_value_has_one_result_wherever_it_lies(row, dtype):
    op = row["ufunc"]
    with np.errstate(all="ignore"):
        period = op(*operands(row, dtype, PERIOD)).get()
        for n in SIZES:
            r = op(*operands(row, dtype, n))
            assert bits(r) == bits(bc.asarray(np.resize(period, n))), n


def program(op, given, keep):
    """The op on pending operands, with its result used at once, and the same computed separately from stored ones."""
    waiting = [bc.where(keep, x, x) for x in given]
    r = op(*waiting)
    out = bc.where(keep, r, op(*given))
    same = (r == r).sum()
    return out, same, r


@pytest.mark.parametrize(("row", "dtype"), CASES)
@pytest.mark.parametrize("n", [8193, 2 * TASK + 3])
def test_waiting_changes_no_bit(row, dtype, n):
    op, given = row["ufunc"], operands(row, dtype, n)
    keep = bc.asarray(np.arange(n) % 3 == 0)
    with np.errstate(all="ignore"):
        late = [bits(x) for x in bc.evaluate(*program(op, given, keep))]
        with bc.config.set(fusion="off"):
            at_once = [bits(x) for x in program(op, given, keep)]
    assert late == at_once


def test_every_op_waits():
    """Otherwise the test above would compare a result with itself."""
    at_once = []
    for row in (case.values[0] for case in CASES):
        dtype = "float64" if "float64" in dict(row["types"]) else row["types"][-1][0]
        with np.errstate(all="ignore"):
            waits = bc._core.is_pending(row["ufunc"](*operands(row, dtype, 8193)))
        at_once += [] if waits else [row["name"]]
    assert at_once == []


REDUCTIONS = ("sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax")
TYPES = ("?", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8", "c8", "c16")


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("shape", [(TASK + 1,), (5, TASK + 3), (TASK + 3, 3), (40, 33, 17)], ids=str)
def test_reductions_take_their_operands_along_without_changing_a_bit(name, dtype, shape):
    rng = np.random.default_rng(7)
    x = bc.asarray(
        (rng.normal(0.2, 1, shape) * (1 if dtype[0] in "fc" else 3))
        .astype("i8" if dtype[0] == "u" else "f8")
        .astype(dtype)
    )
    keep = bc.asarray(rng.random(shape) < 0.5)

    def reductions():
        for axis in (None, *range(len(shape))):
            chain = bc.where(keep, x, x + x)
            yield getattr(chain, name)(axis=axis)
            yield getattr((chain + x)[..., ::-1], name)(axis=axis)

    with np.errstate(all="ignore"):
        late = [bits(r) for r in bc.evaluate(*reductions())]
        with bc.config.set(fusion="off"):
            at_once = [bits(r) for r in reductions()]
    assert late == at_once
