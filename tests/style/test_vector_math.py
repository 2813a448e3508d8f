"""A plain loop over an elementary function must become vector code: a loop that quietly falls back to scalar code is
right, and several times slower, so no other test would notice."""

import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNARY = """fast::exp fast::exp2 fast::log fast::tanh fast::erf
    fast::expm1 fast_of_ops::exp fast_of_ops::log fast_of_ops::log2 fast_of_ops::log10 fast_of_ops::log1p
    of_ops::exp of_ops::log of_ops::log2 of_ops::log10 of_ops::log1p
    sqrt floor ceil trunc rint abs exp exp2 expm1 log log2 log10 log1p cbrt fast::sin fast::cos fast::tan arcsin
    arccos arctan sinh cosh tanh arcsinh arccosh arctanh erf erfc spacing
    expit logit log_expit exp10 exprel erfinv erfcinv ndtr ndtri log_ndtr gamma gammaln digamma fast::gammaln fast::digamma
    i0 i0e i1 i1e""".split()
BINARY = """copysign hypot fast::hypot arctan2 pow logaddexp logaddexp2 nextafter fast::fmod fast::remainder
    fast::floor_divide rel_entr kl_div fast::beta fast::betaln""".split()
TABLE = [
    (f, dtype, arity)
    for arity, names in ((1, UNARY), (2, BINARY))
    for f in names
    for dtype in ("double", "float")
    if (dtype == "double" and f not in ("log2", "log10")) or (dtype == "float" and "of_ops" not in f)
]  # of doubles those are of_ops', of which floats' are others of the list, and compiled once
FLAGS = "-std=c++20 -O3 -ffp-contract=off -fno-math-errno -fno-trapping-math -fopt-info-vec-optimized -c -o /dev/null"


def loop(number: int, function: str, dtype: str, arity: int) -> str:
    """One line of C++: a kernel that applies the function to arrays."""
    inputs = [f"{dtype} const* __restrict {name}" for name in "ab"[:arity]]
    call = f"bascule::ops::math::{function}({', '.join(f'{name}[i]' for name in 'ab'[:arity])})"
    arguments = ", ".join([f"{dtype}* __restrict out", *inputs, "long n"])
    return f"void kernel{number}({arguments}) {{ for (long i = 0; i < n; ++i) out[i] = {call}; }}"


@pytest.mark.skipif(platform.machine() != "x86_64" or not shutil.which("g++"), reason="reads reports of g++ for x86-64")
@pytest.mark.parametrize("isa", ["x86-64-v2", "x86-64-v3", "x86-64-v4"])
def test_every_function_becomes_vector_code(isa: str, tmp_path: Path) -> None:
    source = tmp_path / "kernels.cpp"
    lines = ['#include "bascule/ops/math.hpp"', *(loop(k, *f) for k, f in enumerate(TABLE))]
    source.write_text("\n".join(lines) + "\n")
    command = ["g++", *FLAGS.split(), f"-march={isa}", f"-I{ROOT / 'cpp/include'}", str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    reports = re.findall(r"kernels\.cpp:(\d+):\d+: optimized: loop vectorized", done.stderr)
    vectorised = {int(line) - 2 for line in reports}
    missed = [f"{name} ({dtype})" for k, (name, dtype, _) in enumerate(TABLE) if k not in vectorised]
    assert missed == []
