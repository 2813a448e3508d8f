"""x[mask]: the selected elements are found at once and copied when they are read; a reduction reads them in place."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Thread

import bascule as bc
import numpy as np
import pytest

LENGTHS = (65536, 65537, 3 * 16384 + 5 * 16384 - 1, 100_003)
TYPES = ("?", "u1", "i2", "f2", "f4", "i8", "f8", "c8", "c16", "M8[s]", "m8[ns]")
MASKS = {
    "half": lambda x: x % 2 == 0,
    "few": lambda x: x == 17,
    "none": lambda x: x < 0,
    "all": lambda x: x >= 0,
    "first": lambda x: x < 300,
    "last": lambda x: x > x.size - 300,
    "runs": lambda x: (x // 1000) % 3 == 0,
}


def whole_numbers(n: int, dtype: str) -> np.ndarray:
    return (np.random.default_rng(n).permutation(n) % 251).astype(dtype)


@pytest.mark.parametrize("n", LENGTHS)
@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("dtype", TYPES)
def test_selected_elements_are_numpys(dtype: str, name: str, n: int) -> None:
    x, positions = whole_numbers(n, dtype), np.arange(n)
    want = x[MASKS[name](positions)]
    got = bc.array(x)[MASKS[name](bc.arange(n))]
    assert got.shape == want.shape and got.dtype == want.dtype
    np.testing.assert_array_equal(np.asarray(got), want)


@pytest.mark.parametrize(
    "reduction", ["sum", "prod", "mean", "std", "var", "max", "min", "argmax", "argmin", "any", "all"]
)
@pytest.mark.parametrize("name", [name for name in MASKS if name != "none"])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "c16"])
def test_reductions_are_those_of_the_copied_elements(dtype: str, name: str, reduction: str) -> None:
    for n in LENGTHS:
        x = (np.random.default_rng(n).standard_normal(n) * 1.3).astype(dtype)
        mask = MASKS[name](np.arange(n))
        with np.errstate(all="ignore"), bc.errstate(all="ignore"):
            want = getattr(bc.array(x[mask]), reduction)()
            got = getattr(bc.array(x)[MASKS[name](bc.arange(n))], reduction)()
            kept = getattr(bc.array(x)[MASKS[name](bc.arange(n))], reduction)(keepdims=True)
        assert got.dtype == want.dtype
        assert np.asarray(got).tobytes() == np.asarray(want).tobytes(), (n, got, want)
        assert kept.shape == (1,) and np.asarray(kept).tobytes() == np.asarray(want).tobytes()
        if reduction == "sum":
            assert float(np.real(got)) == float(np.real(x[mask].sum()))  # NumPy's tree of selected elements


def test_a_reduction_of_nothing_is_numpys() -> None:
    x = bc.arange(70_000.0)
    assert float(x[x < 0].sum()) == 0.0 and x[x < 0].shape == (0,)
    with pytest.raises(ValueError, match="zero-size array to reduction operation maximum which has no identity"):
        x[x < 0].max()


def test_selections_of_matrices_go_by_rows() -> None:
    x = np.random.default_rng(0).standard_normal((300, 301))
    y, row = bc.array(x), x[0]
    np.testing.assert_array_equal(np.asarray(y[y > 0]), x[x > 0])
    np.testing.assert_array_equal(np.asarray(y[y > bc.array(row)]), x[x > row])
    np.testing.assert_array_equal(np.asarray(y.T[y.T > 0]), x.T[x.T > 0])
    np.testing.assert_array_equal(np.asarray(y[:, ::2][y[:, ::2] > 0]), x[:, ::2][x[:, ::2] > 0])
    np.testing.assert_array_equal(np.asarray(y[y.T.copy().T > 0]), x[x > 0])
    assert float(y[y > 0].sum()) == x[x > 0].sum()


def test_what_is_written_later_does_not_show() -> None:
    x = bc.arange(100_000.0)
    mask = x % 2 == 0
    even, small = x[mask], x[x < 50_000]
    total = x[x >= 50_000].sum()
    x[...] = -1.0
    mask[...] = False
    np.testing.assert_array_equal(np.asarray(even), np.arange(0, 100_000, 2.0))
    np.testing.assert_array_equal(np.asarray(small), np.arange(50_000.0))
    assert float(total) == np.arange(50_000.0, 100_000.0).sum()
    x[0] = 5.0
    selected = x[x < 0]
    x += 1.0
    np.testing.assert_array_equal(np.asarray(selected), np.full(99_999, -1.0))


def test_selections_are_arrays_like_others() -> None:
    n = 80_000
    x, y = np.arange(float(n)), bc.arange(float(n))
    chosen, want = y[y % 3 == 1], x[x % 3 == 1]
    np.testing.assert_array_equal(np.asarray(chosen * 2 + chosen[::-1]), want * 2 + want[::-1])
    chosen[10:20] = 0.0
    want[10:20] = 0.0
    np.testing.assert_array_equal(np.asarray(chosen), want)
    chosen += 1.0
    np.testing.assert_array_equal(np.asarray(chosen), want + 1.0)
    again = y[y > 5][bc.arange(n - 6) % 2 == 0]
    np.testing.assert_array_equal(np.asarray(again), x[x > 5][::2])
    held = y[y < 70_000]
    assert float(held.sum()) == x[:70_000].sum() and float(held.max()) == 69_999.0
    assert float(held.sum()) == x[:70_000].sum()
    float16 = (x % 64).astype("f2")
    np.testing.assert_array_equal(np.asarray(bc.array(float16)[y < 100].sum()), float16[:100].sum())
    nan = bc.where(y % 2 == 0, np.nan, y)
    assert float(nan[~bc.isnan(nan)].sum()) == x[1::2].sum()


def test_of_what_is_pending_too() -> None:
    x = np.random.default_rng(3).standard_normal(90_000)
    y = bc.array(x) * 2 + 1
    assert float(y[y > 0.5].sum()) == (x * 2 + 1)[x * 2 + 1 > 0.5].sum()
    z = bc.array(x) * 2 + 1
    chosen = z[bc.arange(90_000) % 3 == 0]
    z *= 0.0
    np.testing.assert_array_equal(np.asarray(chosen), (x * 2 + 1)[::3])


def test_memory_that_others_write_is_read_at_once() -> None:
    x = np.arange(70_000.0)
    shared = bc.from_dlpack(x)
    chosen = shared[shared >= 0]
    x[:] = -1.0
    np.testing.assert_array_equal(np.asarray(chosen), np.arange(70_000.0))


def test_fp_errors_of_the_mask_are_reported_once() -> None:
    x = bc.arange(70_000.0)
    with pytest.warns(RuntimeWarning, match="divide by zero") as reported:
        total = x[1.0 / x > 1e-3].sum()
        float(total)
    assert len(reported) == 1


def test_fp_errors_of_the_reduction_are_reported() -> None:
    x = bc.full(70_000, 1e308)
    with pytest.warns(RuntimeWarning, match="overflow encountered in reduce"):
        float(x[x > 0].sum())


def test_explain_names_it() -> None:
    x = bc.arange(70_000.0)
    x.__array__()
    text = bc.explain(x[x > 3])
    assert "= select(memory float64)" in text and text.startswith("pending")


def test_threads_select_from_one_array() -> None:
    x = bc.arange(300_000.0)
    x.__array__()
    found: list[float] = []

    def work(low: float) -> None:
        for k in range(20):
            found.append(float(x[x >= low + k].sum()) - np.arange(low + k, 300_000.0).sum())

    threads = [Thread(target=work, args=(1000.0 * t,)) for t in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [0.0] * 80


SAME_EVERYWHERE = """
import numpy as np, bascule as bc
x = bc.array(np.random.default_rng(1).standard_normal(200_001))
print([float(getattr(x[x > 0.3], f)()).hex() for f in ("sum", "mean", "var", "max", "prod")])
print(hash(np.asarray(x[x > 0.3]).tobytes()))
"""


@pytest.mark.parametrize(
    "setting",
    [{"BASCULE_ISA": "avx2"}, {"BASCULE_ISA": "baseline"}, {"BASCULE_JIT": "off"}, {"BASCULE_NUM_THREADS": "1"}],
)
def test_bits_do_not_depend_on_how_it_runs(setting: dict[str, str]) -> None:
    def run(**changed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": "0", **changed}
        done = subprocess.run([sys.executable, "-c", SAME_EVERYWHERE], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run(**setting) == run()
