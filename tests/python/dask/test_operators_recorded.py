"""``scheduler="bascule"`` records operators of chunks: by their own rules, the same bits, types and warnings as without it."""

import functools
import operator
import warnings

import bascule as bc
import dask.array as da
import numpy as np
import pytest
from bascule.dask import _plans

SCALARS = [2, 0, 1, -1, 3, 0.5, 2.0, -1.0, True, 1j, np.float32(2), np.float64(2), np.int8(2), np.bool_(True), np.float16(0.5)]  # fmt: skip
TYPES = ["?", "i1", "i4", "i8", "u1", "u8", "f2", "f4", "f8", "c8", "c16"]
OPERATORS = {
    **{n: getattr(operator, n) for n in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "xor", "lshift", "lt", "eq")},
    **{f"r{n}": lambda a, b, f=getattr(operator, n): f(b, a) for n in ("sub", "truediv", "pow", "mod")},
    "invert": lambda a, b: ~a,
    "negative": lambda a, b: -a,
    "absolute": lambda a, b: abs(a),
    "power": lambda a, b: np.power(a, b),
}  # fmt: skip


def outcome(make, scheduler):
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")
        try:
            x = np.asarray(make().compute(scheduler=scheduler))
        except Exception as error:
            return type(error).__name__, None, None
    return x.dtype.str, x.tobytes(), sorted({str(w.message) for w in reported})


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_on_chunks_gives_the_bits_of_the_plain_call(name):
    function = OPERATORS[name]
    rng = np.random.default_rng(0)
    for dtype in TYPES:
        values = rng.normal(size=(12, 4)) * 5 if dtype[0] in "fc" else rng.integers(0, 9, (12, 4))
        x = da.from_array(bc.asarray(values.astype(dtype)), chunks=(4, 4))
        for scalar in SCALARS if name not in ("invert", "negative", "absolute") else SCALARS[:1]:
            results = [outcome(lambda: function(x, scalar), s) for s in ("sync", "bascule")]
            assert results[0] == results[1], (dtype, scalar)


def test_a_function_with_the_name_of_numpys_is_not_taken_for_it():
    x = da.from_array(bc.arange(12) + 0.5, chunks=4)
    thousand_times = functools.wraps(np.square)(lambda v: v * 1000)
    thousand_times.__module__, thousand_times.__name__ = "numpy", "square"
    got = x.map_blocks(thousand_times, dtype=float).compute(scheduler="bascule")
    np.testing.assert_array_equal(got.get(), (np.arange(12) + 0.5) * 1000)
    assert not _plans.is_known(thousand_times) and not _plans.is_known(np.vectorize(thousand_times))
    assert all(
        map(_plans.is_known, (np.sum, np.square, bc.sum, bc.square, operator.add, operator.itemgetter(0), da.chunk.sum))
    )
    assert not _plans.is_known(da.core.getter) and not _plans.is_known(np.random.normal)


def test_a_compiled_ufunc_with_the_name_of_numpys_is_called():
    numba = pytest.importorskip("numba", reason="numba is not installed")

    @numba.vectorize(["float64(float64)"])
    def square(v):
        return v * 1000

    stand_in = bc.sched._record.Recorded(bc.ones(3), 0, None, True)
    with pytest.raises(bc.sched._record.NotRecordable):
        stand_in.__array_ufunc__(square, "__call__", stand_in)
