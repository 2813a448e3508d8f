"""Mutants of the device's kernels, drawn by a seed: how many the interpreter of PTX and the comparison with NumPy find.

    python tests/cuda/mutants.py [--seed N] [--count N] [--write FILE]

A mutant is one line of a kernel's source with a dropped barrier, a shifted index, a load as wide as if its address were
aligned, or two swapped operands; one that no compiler takes is drawn again. Sources that NVRTC compiles are changed in its
hands; for those of nvcc the file is compiled and linked again. A mutant counts as found if the programs for its file fail.
Takes minutes, and no GPU.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python/support"))
import emulated_cuda

KERNELS, THRUST = ROOT / "cpp/backend/cuda/kernels", ROOT / "cpp/backend/cuda/algorithms/thrust"
BEGIN = """
import warnings
rng = np.random.default_rng(5)
same = np.testing.assert_array_equal
def close(a, b):
    np.testing.assert_allclose(np.asarray(a.get() if hasattr(a, "get") else a), b, rtol=1e-12)
dev = lambda a: bc.asarray(a, device="cuda")
"""
ELEMENTS = """
for t in ("f8", "f4", "i4", "u1", "c16"):
    for n in (1, 31, 1000, 4099):
        a, b = (rng.integers(1, 90, n).astype(t) for _ in range(2))
        x, y = dev(a), dev(b)
        same(bc.evaluate(x * y + x).get(), a * b + a)
        same(bc.evaluate(x[1:] + y[:-1]).get(), a[1:] + b[:-1])
        same(bc.evaluate(x[::2] + y[::-2][: len(x[::2])]).get()[:5], (a[::2] + b[::-2][: len(a[::2])])[:5])
A, row, column = rng.random((60, 70)), rng.random(70), rng.random((60, 1))
for f in (lambda A, r, c: A + r, lambda A, r, c: A * c, lambda A, r, c: A[:, 1:] - A[:, :-1], lambda A, r, c: A.T + c.T, lambda A, r, c: A[::2, ::3] * 2):
    same(bc.evaluate(f(dev(A), dev(row), dev(column))).get(), f(A, row, column))
"""
ERRORS = """
seen = []
warnings.simplefilter("always")
warnings.showwarning = lambda message, *rest: seen.append(str(message))
def warned(f):
    seen.clear()
    r = f()
    if hasattr(r, "get"):
        r = r.get()
    return sorted(set(seen))
for f in (lambda X, v: 1 / v, lambda X, v: v * v, lambda X, v: X.log(v), lambda X, v: X.sqrt(-v), lambda X, v: v.sum(), lambda X, v: (v * 2).sum(),
          lambda X, v: v.var(), lambda X, v: X.exp(v), lambda X, v: v.prod()):
    for values in ([1.0, 0.0, 2.0] * 50, [1.0, 1e300, 1.0] * 50, [1.5] * 150, [1.0, np.inf, -np.inf] * 50):
        a = np.array(values)
        assert warned(lambda: f(bc, dev(a))) == warned(lambda: np.asarray(f(np, a))), values[:3]
"""
REDUCTIONS = """
for shape in ((3, 1000), (5000,), (700, 3), (40, 41), (7, 20, 9), (1, 1)):
    A = rng.random(shape)
    x = dev(A)
    for axis in (None, 0, -1):
        for how in ("sum", "mean", "max", "min", "argmax", "std", "prod"):
            close(getattr(x, how)(axis=axis), getattr(A, how)(axis=axis))
        same(np.asarray((x > 0.99).any(axis=axis).get()), (A > 0.99).any(axis=axis))
    I = rng.integers(0, 9, shape)
    same(np.asarray(dev(I).sum(axis=0).get()), I.sum(axis=0))
A = rng.random((3000, 8))
for how in ("sum", "max", "std", "argmin"):
    close(getattr(dev(A)[:, :6], how)(), getattr(A[:, :6], how)())
    close(getattr(dev(A)[:, :6], how)(axis=1), getattr(A[:, :6], how)(axis=1))
C = rng.random((5, 300)) + 1j
close(dev(C).var(axis=1), C.var(axis=1))
"""
SCANS = """
for shape in ((1,), (3000,), (20000,), (3, 50), (5, 2000), (300, 4), (2, 70000)):
    A, I = rng.random(shape), rng.integers(-9, 9, shape)
    for axis in (0, -1):
        close(dev(A).cumsum(axis=axis), A.cumsum(axis=axis))
        same(dev(I).cumsum(axis=axis).get(), I.cumsum(axis=axis))
    same(bc.maximum.accumulate(dev(I), axis=-1).get(), np.maximum.accumulate(I, axis=-1))
    F = A / 5 + 0.9  # of many of these the product is not below what has all its digits
    close(dev(F).cumprod(axis=0), F.cumprod(axis=0))
"""
SELECTIONS = """
for shape in ((1,), (33,), (5000,), (60, 70), (2_200_000,), (5, 6, 7)):  # more chunks than a block adds up at once, too
    A, M = rng.random(shape), rng.random(shape) < 0.4
    for m in (M, np.zeros_like(M), np.ones_like(M))[: 3 if A.size < 9999 else 1]:
        same(dev(A)[dev(m)].get(), A[m])
        for ours, theirs in zip(bc.nonzero(dev(m)), np.nonzero(m)):
            same(ours.get(), theirs)
"""
INDICES = """
A = rng.random((50, 60))
k, j = rng.integers(-50, 50, 300), rng.integers(-60, 60, 300)
x = dev(A)
same(x[dev(k)].get(), A[k])
same(x[dev(k), dev(j)].get(), A[k, j])
same(x[:, dev(j)].get(), A[:, j])
same(bc.take_along_axis(x, dev(np.argsort(A, axis=1)), axis=1).get(), np.sort(A, axis=1))
for t in ("f8", "u1", "c16"):
    for n in (5, 400, 30_000):
        a = np.zeros(n, t)
        y = dev(a.copy())
        at, v = rng.integers(-n, n, 300), rng.integers(0, 99, 300).astype(t)
        a[at] = v
        y[dev(at)] = dev(v)
        same(y.get(), a)
for bad in (50, -51):
    try:
        bc.evaluate(x[dev(np.array([0, bad]))])
        bc.synchronize()
        raise AssertionError("no error")
    except IndexError as error:
        assert f"index {bad} is out of bounds for axis 0 with size 50" in str(error), error
"""
PRODUCTS = """
for n, m, k in ((1, 1, 1), (5, 7, 3), (70, 33, 40), (16, 64, 130)):
    for t in ("i4", "f8", "c16", "f4"):
        a, b = rng.integers(0, 9, (n, k)).astype(t), rng.integers(0, 9, (k, m)).astype(t)
        same((dev(a) @ dev(b)).get(), a @ b)
        same((dev(b).T @ dev(a).T).get(), b.T @ a.T)
    same((dev(a)[None] @ dev(np.stack([b, b + 1]))).get(), a[None] @ np.stack([b, b + 1]))
"""
MATRICES = """
for shape in ((4, 4), (3, 5, 5), (40, 40)):
    a = rng.random(shape) + 3 * np.eye(shape[-1])
    close(bc.linalg.det(dev(a)), np.linalg.det(a))
    np.testing.assert_allclose(bc.linalg.inv(dev(a)).get(), np.linalg.inv(a), rtol=1e-9)
    spd = a @ np.swapaxes(a, -1, -2)
    np.testing.assert_allclose(bc.linalg.cholesky(dev(spd)).get(), np.linalg.cholesky(spd), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(bc.linalg.eigvalsh(dev(spd)).get(), np.linalg.eigvalsh(spd), rtol=1e-9)
    q, r = bc.linalg.qr(dev(a))
    np.testing.assert_allclose((q @ r).get(), a, rtol=1e-9)
    u, s, v = bc.linalg.svd(dev(a))
    np.testing.assert_allclose(s.get(), np.linalg.svd(a)[1], rtol=1e-9)
    sign, log = bc.linalg.slogdet(dev(a))
    np.testing.assert_allclose(log.get(), np.linalg.slogdet(a)[1], rtol=1e-9)
"""
ALL = {
    "elementwise.cuh": ELEMENTS, "element.cuh": ELEMENTS + INDICES + REDUCTIONS, "fp_errors.cuh": ERRORS, "reduce_fp_errors.cuh": ERRORS,
    "reduce.cuh": REDUCTIONS, "scan.cuh": SCANS, "select.cuh": SELECTIONS, "indexed.cuh": INDICES + SELECTIONS, "product.cuh": PRODUCTS,
    "matrices.cuh": MATRICES,
}  # fmt: skip


def thrust_programs() -> str:
    sys.path.insert(0, str(ROOT / "tests/python/cuda"))
    import test_thrust

    return test_thrust.ARRAYS + test_thrust.FRAMES + test_thrust.CSV


# ---- drawing
SWAPPED = re.compile(r"(?<![\w.>\]\)] )\b(\w+) (<|<=|>|>=|-|/|%) (\w+)\b(?! [*/%]|[\w.(\[:])")
CHANGES = {
    "a dropped barrier": (re.compile(r"__syncthreads\(\);"), lambda m: ";"),
    "a shifted index": (re.compile(r"(?<=\w)\[([a-z]\w*)\]"), lambda m: f"[{m[1]} + 1]"),
    "a widened load": (re.compile(r"address % .* != 0(?=\))|count < Items(?= \|\|)"), lambda m: "false"),
    "a swapped operand": (SWAPPED, lambda m: f"{m[3]} {m[2]} {m[1]}"),
}


class Mutant(NamedTuple):
    path: Path
    number: int
    instead: str
    change: str

    def text(self) -> str:
        lines = self.path.read_text().splitlines()
        lines[self.number - 1] = self.instead
        return "\n".join(lines) + "\n"


def sites() -> dict[str, list[Mutant]]:
    """Every mutant that can be drawn, by the kind of change."""
    found: dict[str, list[Mutant]] = {change: [] for change in CHANGES}
    for path in sorted([*KERNELS.glob("*.cuh"), *THRUST.rglob("*.cu")]):
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines, 1):
            code = line.partition("//")[0]
            if code.lstrip().startswith(("#", "template", "static_assert", "using", "constexpr")):
                continue
            for change, (pattern, instead) in CHANGES.items():
                for match in pattern.finditer(code):
                    text = line[: match.start()] + instead(match) + line[match.end() :]
                    if text != line:
                        found[change].append(Mutant(path, number, text, change))
    return found


# ---- trying
class NotCompiled(Exception):
    pass


def algorithms_with(path: Path, text: str, folder: str, *, left_out: str = "") -> str:
    """The algorithms' library with another text of one file, in whose command something may be left out."""
    build = Path(emulated_cuda.library()).parent
    library, top = "tests/cuda/libbascule_ptx_algorithms.so", build.parents[1]
    said = subprocess.run(["ninja", "-t", "commands", library], cwd=top, capture_output=True, text=True, check=True)
    commands = said.stdout.splitlines()
    compile_it = next(part for c in commands for part in c.split(" && ") if f"-c {path} -o" in part)
    link = next(c for c in commands if f"-o {library}" in c)
    usual, made = compile_it.rpartition(" -o ")[2].strip(), f"{folder}/{path.stem}.o"
    changed = Path(folder, path.name)
    compile_it = compile_it.replace(f"-c {path} -o {usual}", f"-c {changed} -o {made}").replace(
        f"{usual}.d", f"{made}.d"
    )
    changed.write_text(text)
    done = subprocess.run(compile_it.replace(left_out, ""), shell=True, cwd=top, capture_output=True)
    if done.returncode:
        raise NotCompiled
    link = re.sub(rf"\S*thrust_ptx/{path.stem}\.o\b", made, link.replace(f"-o {library}", f"-o {folder}/libmutant.so"))
    subprocess.run(link, shell=True, cwd=top, check=True, capture_output=True)
    return f"{folder}/libmutant.so"


def message_of(mutant: Mutant) -> str:
    """How the mutant was found; empty if it was not."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "BASCULE_DEVICE": "cuda",
            "BASCULE_CUDA_POOL": "exact",
            **emulated_cuda.ptx_environment(),
            "BASCULE_FAKE_CUDA_PTX_ORDER": "1",
        }
        if mutant.path.suffix == ".cu":
            program = thrust_programs()
            settings["BASCULE_CUDA_ALGORITHMS"] = algorithms_with(mutant.path, mutant.text(), folder)
        else:
            program = BEGIN + ALL[mutant.path.name]
            text = Path(folder, mutant.path.name)
            text.write_text(mutant.text())
            settings["BASCULE_FAKE_CUDA_PLANT"] = f"{mutant.path.name}\nfile\n{text}"
        try:
            emulated_cuda.run(program, **settings)
        except subprocess.TimeoutExpired:
            return "it does not end"
        except AssertionError as error:
            said = str(error)
            if "NVRTC error" in said or "CompileException" in said:
                raise NotCompiled from None
            lines = [line for line in said.splitlines() if re.match(r"\w*(Error|Exception|Warning)\b", line)]
            return (lines or said.strip().splitlines()[-1:])[-1]
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=38)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--write", metavar="FILE", help="where the table goes")
    options = parser.parse_args()
    if emulated_cuda.nvrtc() is None or emulated_cuda.thrust() is None:
        sys.exit("missing: NVRTC, or the algorithms' PTX, for which nvcc is needed")
    drawn, all_sites, rows = random.Random(options.seed), sites(), []
    kinds = list(CHANGES)
    while len(rows) < options.count:
        kind = kinds[len(rows) % len(kinds)]
        if not all_sites[kind]:
            kinds.remove(kind)
            continue
        mutant = all_sites[kind].pop(drawn.randrange(len(all_sites[kind])))
        try:
            message = message_of(mutant)
        except NotCompiled:
            continue
        rows.append((mutant, message))
        print(
            f"{len(rows)}: {mutant.path.name}:{mutant.number}, {mutant.change}: {message[:150] or 'NOT FOUND'}",
            flush=True,
        )
    found = sum(bool(message) for _, message in rows)
    print(f"{found} of {len(rows)} found")
    if options.write:
        cell = lambda text: text.strip().replace("|", "\\|")
        table = [
            "# Mutants of the device's kernels", "",
            f"Written by `python tests/cuda/mutants.py --seed {options.seed} --count {options.count} --write` on a machine without a GPU: {found} of {len(rows)} were found.",
            "Each is one changed line of a kernel's source, compiled by NVRTC or nvcc and run by the interpreter of `tests/cuda/ptx`.", "",
            "| file | line | change | instead | found by |", "|---|---|---|---|---|",
            *(f"| {m.path.name} | {m.number} | {m.change} | `{cell(m.instead)}` | {cell(message)[:160].replace(str(ROOT.parent), '') or '**not found**'} |" for m, message in rows),
        ]  # fmt: skip
        Path(options.write).write_text("\n".join(table) + "\n")
    return found < 0.9 * len(rows)


if __name__ == "__main__":
    sys.exit(main())
