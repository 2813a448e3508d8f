"""Frames of three times a device's memory, emulated: unused columns are spilled, and results are pandas'."""

import emulated_cuda
import pytest

PROGRAM = """
import pandas, bascule.pandas as pd
UNIT = 1 << 20
n = UNIT // 8
pool, rng = bc.get_default_memory_pool(), np.random.default_rng(0)
frame = pandas.DataFrame({"k": rng.integers(0, 50, n), **{f"x{i}": rng.normal(size=n) for i in range(23)}})
small = pandas.DataFrame({"k": np.arange(60), "w": rng.normal(size=60)})
bc.synchronize()
pool.free_all_blocks()
pool.set_limit(pool.used_bytes() + 8 * UNIT)
ours, other = pd.from_pandas(frame), pd.from_pandas(small)
assert pool.spilled()["host_bytes"] >= 15 * UNIT
call = CALL
found, expected = call(ours, other), call(frame, small)
assert pool.used_bytes() <= pool.get_limit()
pandas.testing.assert_frame_equal(found.to_pandas(), expected, rtol=1e-9, atol=1e-9)
"""
CALLS = {
    "sort": "lambda f, o: f.sort_values('x3')",
    "group": "lambda f, o: f.groupby('k').sum()",
    "merge": "lambda f, o: f.merge(o, on='k')",
    "filter": "lambda f, o: f[f.x1 > 0]",
}


@pytest.mark.parametrize("call", CALLS)
def test_they_are_grouped_joined_and_sorted(call):
    emulated_cuda.run(PROGRAM.replace("CALL", CALLS[call]), BASCULE_DEVICE="cuda", BASCULE_SPILL="host")
