"""Fusion never changes bits: random programs give the same bytes, whatever the settings, time and place of their
evaluation.

The file is also a program: `python test_flush_invariance.py OUT KIND FUSION FIRST COUNT` runs random programs in a
separate process, whose environment sets the instruction set and the number of threads, and writes the results to OUT.
"""

import os
import subprocess
import sys

import bascule as bc
import numpy as np
import pytest
from bascule import _core

EXACT = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "sqrt",
    "maximum",
    "minimum",
    "negative",
    "absolute",
    "square",
    "floor",
    "rint",
]
MATHS = ["exp", "log1p", "sin", "cos", "tanh", "arctan", "expm1", "cbrt", "exp2", "arcsinh"]
INTEGERS = ["add", "subtract", "multiply", "bitwise_xor", "bitwise_and", "maximum", "minimum", "negative"]
SHAPES = [(3000,), (70, 61), (17, 16, 15), (40_000,), (200, 201), (9,), (2, 3, 700), (330, 401)]
PROGRAMS = 2 * len(SHAPES)
REDUCTIONS = ["sum", "mean", "max", "min", "var", "std"]


class Program:
    """Random operations on a pool of arrays. They depend on its seed alone."""

    def __init__(self, seed, kind, flush_always=False):
        self.random = np.random.default_rng(seed)
        self.maths = MATHS if kind == "maths" else []
        self.flush_always = flush_always
        shape = SHAPES[seed % len(SHAPES)]
        floats = self.random.standard_normal(shape) * 3
        self.pool = [
            bc.array(floats),
            bc.array(floats[..., ::-1].astype("f4")),
            bc.array(self.random.integers(-50, 50, shape)),
            bc.array(self.random.integers(0, 9, shape).astype("i2")),
        ]
        self.results = []

    def pick(self, kinds="fiub", shape=None):
        fitting = [a for a in self.pool if a.dtype.kind in kinds and (shape is None or a.shape == shape)]
        return fitting[self.random.integers(len(fitting))]

    def run(self, steps=28):
        with np.errstate(all="ignore"):
            for _ in range(steps):
                self.step()
                if self.flush_always:
                    bc.evaluate(*self.pool, *self.results)
                if len(self.pool) > 9:
                    del self.pool[self.random.integers(4, 9)]
        return [np.array(a.get() if type(a) is bc.ndarray else a) for a in self.pool + self.results]

    def step(self):
        kind = self.random.choice(
            [
                "float",
                "float",
                "float",
                "integer",
                "cast",
                "view",
                "reduction",
                "reduction",
                "spread",
                "write",
                "where",
                "update",
            ]
            + ["tile", "frame"]
        )
        result = getattr(self, kind)()
        if result is not None:
            self.pool.append(result)

    def float(self):
        a = self.pick("f")
        op = getattr(bc, str(self.random.choice(EXACT + self.maths)))
        if op.nin == 1:
            return op(a)
        return op(a, self.pick("fi", a.shape) if self.random.random() < 0.8 else 1.75)

    def integer(self):
        a = self.pick("i")
        op = getattr(bc, str(self.random.choice(INTEGERS)))
        return op(a) if op.nin == 1 else op(a, self.pick("i", a.shape))

    def cast(self):
        a = self.pick("fi")
        return a.astype(
            str(self.random.choice(["f4", "f8", "f2"] if a.dtype.kind == "f" else ["f8", "f4", "i4", "i2", "u1"]))
        )

    def view(self):
        a = self.pick()
        choice = self.random.integers(4)
        if choice == 0:
            return a[::2]
        if choice == 1:
            return a[..., ::-1]
        if choice == 2:
            return a.T
        return a.reshape(-1)

    def reduction(self):
        a = self.pick("fi")
        axis = None if self.random.random() < 0.4 else int(self.random.integers(a.ndim))
        if a.dtype == np.float16 or a.size == 0:
            return
        waits = bool(self.random.random() < 0.7)  # a scalar is computed at once
        self.results.append(getattr(a, str(self.random.choice(REDUCTIONS)))(axis=axis, keepdims=axis is None and waits))

    def spread(self):
        """An array with a reduction of itself: plans that may run row by row."""
        a = self.pick("f")
        if a.dtype == np.float16 or a.size == 0:
            return None
        reduced = getattr(a, str(self.random.choice(REDUCTIONS)))(axis=int(self.random.integers(a.ndim)), keepdims=True)
        return getattr(bc, str(self.random.choice(["subtract", "divide", "maximum"])))(a, reduced)

    def write(self):
        a = self.pick("f")
        if self.random.random() < 0.5:
            a[1::3] = a[1::3] * 0.5
        else:
            a[...] = a[::-1] - 1

    def tile(self):
        """New memory in which every write fills some of every `step` elements, or all of them together."""
        a = self.pick("fi")
        step = int(self.random.integers(2, 5))
        if a.size == 0 or a.size * step > 400_000:
            return None
        new = bc.full((*a.shape[:-1], a.shape[-1] * step), 3, dtype=a.dtype)
        for k in range(step if self.random.random() < 0.7 else step - 1):
            new[..., k::step] = bc.maximum(a, self.pick("fi", a.shape)) if self.random.random() < 0.5 else a
        return new

    def frame(self):
        """New memory, or a copy, whose edges are kept."""
        a = self.pick("f")
        new = a.copy() if self.random.random() < 0.5 else bc.zeros(a.shape, dtype=a.dtype)
        inside = (slice(1, -1),) * a.ndim
        new[inside] = a[inside] * self.pick("fi", a.shape)[inside]
        return new

    def where(self):
        a = self.pick("f")
        b = self.pick("fi", a.shape)
        return bc.where(a > b, a, b)

    def update(self):
        a = self.pick("f")
        a += self.pick("f", a.shape) * 2 if self.random.random() < 0.7 else 1
        a *= 0.5


def run(seed, kind, flush_always=False, fusion=True, eager_below=None):
    before = _core.get_fusion(), _core.get_eager_below()
    _core.set_fusion(fusion)
    if eager_below is not None:
        _core.set_eager_below(eager_below)
    try:
        return Program(seed, kind, flush_always).run()
    finally:
        _core.set_fusion(before[0])
        _core.set_eager_below(before[1])


def assert_same_bytes(ours, theirs):
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape
        # Which NaN it is is not defined; all other values are compared bit by bit.
        if a.dtype.kind == "f":
            np.testing.assert_array_equal(np.isnan(a), np.isnan(b))
            a, b = np.where(np.isnan(a), 0, a), np.where(np.isnan(b), 0, b)
        assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("kind", ["exact", "maths"])
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_evaluating_after_every_operation_changes_nothing(seed, kind):
    fused = run(seed, kind, eager_below=0)
    assert_same_bytes(fused, run(seed, kind, flush_always=True, eager_below=0))
    assert_same_bytes(fused, run(seed, kind, fusion=False, eager_below=0))
    assert_same_bytes(fused, run(seed, kind))
    assert_same_bytes(fused, run(seed, kind, fusion=False))


def supported(isa):
    with open("/proc/cpuinfo") as f:
        flags = next((line.split() for line in f if line.startswith("flags")), [])
    return all(
        flag in flags
        for flag in {
            "baseline": (),
            "avx2": ("avx2", "fma"),
            "avx512": ("avx512f", "avx512dq", "avx512bw", "avx512vl"),
        }[isa]
    )


def run_in_process(tmp_path, kind, fusion="fused", **environment):
    out = tmp_path / ("-".join([kind, fusion, *map(str, environment.values())]) + ".npz")
    command = [sys.executable, "-X", "faulthandler", __file__, str(out), kind, fusion, "0", str(PROGRAMS)]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    with np.load(out) as f:
        return [f[name] for name in f.files]


@pytest.mark.parametrize("kind", ["exact", "maths"])
def test_avx2_and_avx512_agree_bit_for_bit(tmp_path, kind):
    if not (supported("avx2") and supported("avx512")):
        pytest.skip("this machine has not both instruction sets")
    assert_same_bytes(
        run_in_process(tmp_path, kind, BASCULE_ISA="avx2"), run_in_process(tmp_path, kind, BASCULE_ISA="avx512")
    )


@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
@pytest.mark.parametrize("kind", ["exact", "maths"])
def test_fusion_changes_nothing_on_any_instruction_set(tmp_path, kind, isa):
    if not supported(isa):
        pytest.skip(f"this machine has no {isa}")
    assert_same_bytes(
        run_in_process(tmp_path, kind, BASCULE_ISA=isa), run_in_process(tmp_path, kind, "one-by-one", BASCULE_ISA=isa)
    )


@pytest.mark.parametrize("kind", ["exact", "maths"])
def test_machine_code_changes_nothing(tmp_path, kind):
    assert_same_bytes(
        run_in_process(tmp_path, kind, BASCULE_JIT="always"), run_in_process(tmp_path, kind, BASCULE_JIT="off")
    )


def test_exact_programs_have_the_same_bits_without_fused_multiply_add(tmp_path):
    if not supported("avx2"):
        pytest.skip("this machine has the baseline only")
    assert_same_bytes(
        run_in_process(tmp_path, "exact", BASCULE_ISA="baseline"), run_in_process(tmp_path, "exact", BASCULE_ISA="avx2")
    )


def test_maths_of_the_baseline_keeps_its_bounds(tmp_path):
    rows = {r["name"]: r for r in _core.op_table()}
    baseline = run_in_process(tmp_path, "singles", BASCULE_ISA="baseline")
    for name, (x, got) in zip(MATHS, zip(baseline[::2], baseline[1::2], strict=True), strict=True):
        exact = getattr(np, name)(x.astype(np.longdouble))
        error = np.abs((got - exact) / np.spacing(np.abs(exact.astype(x.dtype)))).max()
        assert error <= rows[name]["ulp64"] + 1e-3, (name, error)


@pytest.mark.parametrize("kind", ["exact", "maths"])
def test_the_number_of_threads_changes_nothing(tmp_path, kind):
    one = run_in_process(tmp_path, kind, BASCULE_NUM_THREADS="1")
    for threads in ("2", "3"):
        assert_same_bytes(one, run_in_process(tmp_path, kind, BASCULE_NUM_THREADS=threads))


def main(out, kind, fusion, first, count):
    results = []
    if kind == "singles":
        x = np.random.default_rng(0).uniform(0.01, 20, 20_000)
        for name in MATHS:
            results += [x, np.array(_core.to_numpy(getattr(bc, name)(bc.array(x))))]
    else:
        for seed in range(int(first), int(first) + int(count)):
            results += run(seed, kind, fusion=fusion == "fused", eager_below=0)
    np.savez(out, *results)


if __name__ == "__main__":
    main(*sys.argv[1:])
