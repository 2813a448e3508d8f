"""Sorting and what is made of it, by Thrust's and CUB's own kernels: nvcc's PTX of them runs in the interpreter."""

import json
import sys
from pathlib import Path

import emulated_cuda
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tests/cuda"))
import mutants

pytestmark = pytest.mark.skipif(
    emulated_cuda.nvrtc() is None or emulated_cuda.thrust() is None,
    reason="NVRTC or the algorithms' PTX are missing: both need NVIDIA's compilers, see docs/gpu.md",
)

ARRAYS = """
rng = np.random.default_rng(int(os.environ["BASCULE_FAKE_CUDA_PTX_ORDER"]))
same = np.testing.assert_array_equal
assert "on the host" not in bc._core.describe("cuda:0")
for n in (1, 33, 3001):
    for dtype in ("i1", "u2", "i4", "i8", "u8", "f4", "f8", "?", "M8[s]"):
        a = rng.integers(0, 2 if dtype == "?" else 100, n).astype(dtype)
        if dtype in ("f4", "f8"):
            a[::7], a[1::9] = np.nan, -0.0
        if dtype == "M8[s]":
            a[::7] = "NaT"
        x = bc.asarray(a, device="cuda")
        same(bc.sort(x).get(), np.sort(a))
        same(bc.argsort(x, kind="stable").get(), np.argsort(a, kind="stable"))
        for ours, theirs in zip(*(X.unique(v, return_index=True, return_inverse=True, return_counts=True) for X, v in ((bc, x), (np, a)))):
            same(ours.get(), theirs)
        same(bc.searchsorted(bc.sort(x), x, "right").get(), np.searchsorted(np.sort(a), a, "right"))
        if n == 3001:
            for axis in (0, 1):
                same(bc.sort(x[:3000].reshape(60, 50), axis=axis).get(), np.sort(a[:3000].reshape(60, 50), axis=axis))
        if a.dtype.kind in "iu":
            same(bc.partition(x, n // 2).get()[n // 2], np.partition(a, n // 2)[n // 2])
            same(bc.bincount(x.astype("i8")).get(), np.bincount(a.astype("i8")))
weights = rng.random(3001)
counted = bc.asarray(rng.integers(0, 9, 3001), device="cuda")
np.testing.assert_allclose(
    bc.bincount(counted, bc.asarray(weights, device="cuda")).get(), np.bincount(counted.get(), weights), rtol=1e-13)
same(bc.histogram(bc.asarray(weights, device="cuda"), 10, (0, 1))[0].get(), np.histogram(weights, 10, (0, 1))[0])
"""

FRAMES = """
import pandas
import bascule.pandas as pd
rng = np.random.default_rng(int(os.environ["BASCULE_FAKE_CUDA_PTX_ORDER"]))
n = 2000
left = pandas.DataFrame({
    "k": rng.integers(0, 50, n), "s": rng.choice(["ab", "c", "xyz", "d\\u00e9f"], n), "v": rng.random(n), "w": rng.integers(0, 9, n)})
left.loc[::11, "v"] = np.nan
left["t"] = pandas.Timestamp("2020-01-01") + pandas.to_timedelta(np.cumsum(rng.integers(0, 3, n)), unit="s")
right = pandas.DataFrame({"k": rng.integers(0, 60, 300), "u": rng.random(300)})
ours, other = pd.from_pandas(left), pd.from_pandas(right)
def check(f):
    got, wanted = f(ours, other).to_pandas(), f(left, right)
    test = pandas.testing.assert_frame_equal if isinstance(wanted, pandas.DataFrame) else pandas.testing.assert_series_equal
    test(got, wanted, check_dtype=False, rtol=1e-12)
for how in ("sum", "mean", "min", "max", "count", "std", "first", "last", "nunique", "median", "prod"):
    check(lambda f, g: getattr(f.groupby("k")[["v", "w"]], how)())
check(lambda f, g: f.groupby(["s", "k"]).agg({"v": "sum"}))
for how in ("cumsum", "rank", "shift"):
    check(lambda f, g: getattr(f.groupby("k")["v"], how)())
for how in ("inner", "left", "right", "outer"):
    check(lambda f, g: f.merge(g, on="k", how=how))
check(lambda f, g: f.merge(f[:50], on=["s", "k"]))
check(lambda f, g: f[["v", "w"]].merge(f[["v", "k"]][:50], on="v"))
check(lambda f, g: f.sort_values(["s", "v"], ascending=[False, True]))
check(lambda f, g: f[f.v > 0.5])
check(lambda f, g: f.drop_duplicates(["k", "s"]))
check(lambda f, g: f.s.value_counts())
check(lambda f, g: f.s.str.contains("b", regex=False))
check(lambda f, g: f.s.str.replace("x", "yy", regex=False))
for how in ("mean", "min", "max", "std", "median", "sum"):
    check(lambda f, g: getattr(f.v.rolling(7), how)())
for closed in ("right", "both", "left", "neither"):
    check(lambda f, g: f.set_index("t").v.rolling("5s", closed=closed).sum())
check(lambda f, g: f.v.ewm(span=5).mean())
check(lambda f, g: f.v.expanding().sum())
"""

CSV = f"""
import io, random, sys
sys.path.append({str(Path(emulated_cuda.__file__).parent)!r})
from random_csv import table
import bascule.pandas as pd
import pandas
bc.config.set(fallback="silent")
def outcome(text, options):
    try:
        return pd.read_csv(io.BytesIO(text), **options)
    except Exception as error:
        return type(error).__name__, str(error)
first, read = 1000 * int(os.environ["BASCULE_FAKE_CUDA_PTX_ORDER"]), 0
for seed in range(first, first + 100):
    text, options = table(random.Random(seed))
    with bc.device("cpu"):
        wanted = outcome(text.encode(), options)
    bc.fallbacks(reset=True)
    found = outcome(text.encode(), options)
    read += not bc.fallbacks() and not isinstance(found, tuple)
    if isinstance(wanted, tuple):
        assert found == wanted, (seed, found, wanted)
    else:
        assert all(c.device == "cuda" for c in found._columns if c.has_core)
        pandas.testing.assert_frame_equal(found.to_pandas(), wanted.to_pandas(), check_exact=True)
assert read >= 40, read
"""


def run(program, order, **more):
    settings = emulated_cuda.ptx_environment()
    return emulated_cuda.run(
        program,
        BASCULE_DEVICE="cuda",
        BASCULE_CUDA_POOL="exact",
        **{**settings, "BASCULE_FAKE_CUDA_PTX_ORDER": order, **more},
    )


@pytest.mark.parametrize("order", ["0", "1"])
@pytest.mark.parametrize("program", [ARRAYS, FRAMES, CSV], ids=["arrays", "frames", "csv"])
def test_results_are_those_of_the_cpu(program, order):
    """Nothing reads what nothing wrote, no two threads race, and blocks and warps may run in another order."""
    run(program, order)


def test_the_kernels_are_cubs(tmp_path):
    counts = tmp_path / "counts"
    run("x = bc.asarray(np.arange(9000)[::-1].copy())\nassert (bc.sort(x).get() == np.arange(9000)).all()", "0",
        BASCULE_FAKE_CUDA_PTX_COUNTS=str(counts))  # fmt: skip
    kernels = [json.loads(line)["kernel"] for line in counts.read_text().splitlines()]
    assert any("DeviceRadixSort" in name for name in kernels), kernels


MERGE = """
import pandas
import bascule.pandas as pd
left, right = pandas.DataFrame({"k": [3, 1, 2, 1], "a": range(4)}), pandas.DataFrame({"k": [1, 1, 3], "b": range(3)})
ours = pd.from_pandas(left).merge(pd.from_pandas(right), on="k").to_pandas()
pandas.testing.assert_frame_equal(ours, left.merge(right, on="k"), check_dtype=False)
"""
CODE = "bool const is_right = order[i] >= left_rows;"
HOST = "constexpr bool of_the_host(bool x) { return x; }\n"


@pytest.mark.parametrize("left_out", ["", "--diag-error=20011,20013,20014,20015"], ids=["as it is built", "warnings"])
def test_a_constexpr_function_of_the_host_is_found(left_out, tmp_path):
    """In code of the device nvcc warns of it and puts nothing in its place: an error as the library is built, a wrong result else."""
    path = mutants.THRUST / "join_pairs.cu"
    text = path.read_text().replace(CODE, "bool const is_right = of_the_host(order[i] >= left_rows);", 1)
    assert "of_the_host" in text
    text = text.replace("struct find_keys {", HOST + "struct find_keys {", 1)
    if not left_out:
        with pytest.raises(mutants.NotCompiled):
            mutants.algorithms_with(path, text, str(tmp_path))
        return
    library = mutants.algorithms_with(path, text, str(tmp_path), left_out=left_out)
    with pytest.raises(AssertionError):
        run(MERGE, "0", BASCULE_CUDA_ALGORITHMS=library)
