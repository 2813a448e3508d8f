"""Counts the array calls that run on the emulated CUDA device, and lists those that raise.

    python tests/cuda/array_calls.py [--every N] [--only NAME ...] [--areas WORD ...] [--write FILE]

The calls are those of the conformance tables (element-wise, reductions, scans, order, creation, manipulation) and those
below (indexing, assignment, random numbers, linear algebra, FFT), each on one small array, with fallbacks forbidden and
results compared with NumPy's. For each call the waits and the copies to the host before its result was read are listed.
Nothing here runs on a GPU.
"""

from __future__ import annotations

import argparse
import collections
import ctypes
import importlib
import os
import re
import sys
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1] / "python/support"
sys.path.insert(0, str(SUPPORT))
import emulated_cuda

# Functions without arrays.
NO_ARRAYS = set(
    """can_cast common_type issubdtype isdtype min_scalar_type mintypecode promote_types result_type typename iterable
    isscalar base_repr binary_repr datetime_data get_include geterr geterrcall seterr seterrcall show_config show_runtime
    getbufsize setbufsize info frombuffer from_dlpack fromiter may_share_memory shares_memory broadcast_shapes ndim shape
    size asarray_chkfinite ix_""".split()
)
INDEXING = """
a[1] ; a[1, 2] ; a[-1] ; a[1:] ; a[::2, 1:3] ; a[..., 0] ; a[None] ; a[:, ::-1] ; a[[0, 2]] ; a[[0, 2], [1, 3]] ; a[k] ; a[:, k]
a[k[:, None], [0, 3]] ; a[m] ; a[a > 0] ; a[m[:, 0]] ; a[k > 0] ; a[np.array([True, False, True])] ; a.flat[3] ; a.T[1]
a.take(k) ; a.take(k, axis=1) ; a.item(3) ; a.tolist() ; len(a) ; (not a[1, 1] == a[1, 1]) ; float(a[1, 1]) ; list(a[0])
""".replace("\n", ";")
ASSIGNMENT = """
x[1] = 5 ; x[1:] = 7 ; x[:, ::2] = x[:, 1::2] ; x[[0, 2]] = 1 ; x[k] = a ; x[k, 1] = 3 ; x[m] = 0 ; x[m] = a[m] ; x[...] = a
x[::-1] = a ; x += 1 ; x -= a ; x *= 2 ; x /= 2 ; x **= 2 ; x[1] += 1 ; x[a > 0] += 1 ; x[m] *= 2 ; x.fill(3) ; x.flat[2] = 9
x[0, 0] = a[1, 1] ; x[:, 0] = [1, 2, 3] ; x.T[0] = 4 ; x[-1, -1] = 0 ; x[np.array([2, 1])] = a[:2]
""".replace("\n", ";")
RANDOM = """
random.default_rng(0).random(8) ; random.default_rng(0).standard_normal((3, 4)) ; random.default_rng(0).integers(0, 9, 5)
random.default_rng(0).normal(1, 2, 7) ; random.default_rng(0).uniform(-1, 1, 7) ; random.default_rng(0).exponential(2, 7)
random.default_rng(0).standard_exponential(7) ; random.default_rng(0).gamma(2, 1, 7) ; random.default_rng(0).beta(2, 3, 7)
random.default_rng(0).poisson(3, 7) ; random.default_rng(0).binomial(5, 0.3, 7) ; random.default_rng(0).chisquare(3, 7)
random.default_rng(0).geometric(0.3, 7) ; random.default_rng(0).laplace(0, 1, 7) ; random.default_rng(0).logistic(0, 1, 7)
random.default_rng(0).lognormal(0, 1, 7) ; random.default_rng(0).rayleigh(1, 7) ; random.default_rng(0).weibull(2, 7)
random.default_rng(0).triangular(0, 1, 2, 7) ; random.default_rng(0).standard_cauchy(7) ; random.default_rng(0).standard_t(4, 7)
random.default_rng(0).pareto(3, 7) ; random.default_rng(0).power(2, 7) ; random.default_rng(0).gumbel(0, 1, 7)
random.default_rng(0).random(8, dtype='f4') ; random.default_rng(0).integers(0, 2**40, 5) ; random.default_rng(0).wald(1, 2, 7)
""".replace("\n", ";")

LINALG = """
linalg.inv(s) ; linalg.det(s) ; linalg.slogdet(s)[1] ; linalg.solve(s, s[:, :2]) ; linalg.solve(s, s[0]) ; linalg.cholesky(h)
linalg.cholesky(h, upper=True) ; linalg.eigvalsh(h) ; linalg.eigh(h)[0] ; linalg.eigvals(h) ; linalg.eig(h)[0] ; linalg.svdvals(a)
linalg.svd(a)[1] ; linalg.svd(a, full_matrices=False)[1] ; linalg.svd(a, compute_uv=False) ; abs(linalg.qr(a)[1])
abs(linalg.qr(a, 'r')) ; linalg.qr(a, 'raw')[1] ; linalg.qr(a, 'complete')[0].shape ; linalg.pinv(a) ; linalg.pinv(h, hermitian=True)
linalg.lstsq(s, s[:, :2])[0] ; linalg.lstsq(a.T, a[0])[3] ; linalg.matrix_rank(a) ; linalg.cond(s) ; linalg.cond(s, 1)
linalg.norm(a) ; linalg.norm(a, 2) ; linalg.norm(a, 'nuc') ; linalg.norm(a, 1) ; linalg.norm(a[0], 3) ; linalg.matrix_norm(a)
linalg.vector_norm(a, axis=0) ; linalg.matrix_power(s, 3) ; linalg.matrix_power(s, -2) ; linalg.multi_dot([a.T, a, s]) ; linalg.trace(s)
linalg.tensorsolve(s.reshape(2, 2, 4), s[:2, :2]) ; linalg.tensorinv(s.reshape(4, 2, 2), 1) ; linalg.matrix_transpose(a)
linalg.inv(h[None] * m[:2, :1, None] + h) ; linalg.outer(k, k) ; linalg.cross(a[:, :3], s[:3, :3]) ; linalg.diagonal(s)
""".replace("\n", ";")
FFT = """
fft.fft(a) ; fft.fft(a, 6) ; fft.fft(a, axis=0, norm='ortho') ; fft.ifft(a) ; fft.rfft(a) ; fft.irfft(a) ; fft.irfft(a, 7) ; fft.hfft(a)
fft.ihfft(a) ; fft.fft2(a) ; fft.ifft2(a) ; fft.rfft2(a) ; fft.irfft2(a) ; fft.fftn(a, axes=(0,)) ; fft.ifftn(a) ; fft.rfftn(a)
fft.irfftn(a, (4, 5), (1, 0)) ; fft.fftfreq(7, 0.5) ; fft.rfftfreq(8) ; fft.fftshift(a) ; fft.ifftshift(a, 0)
""".replace("\n", ";")


def split(text: str) -> list[str]:
    return [call.strip() for call in text.split(";") if call.strip()]


class Device:
    """The counts of the fake driver."""

    def __init__(self) -> None:
        self._fake = ctypes.CDLL(os.environ["BASCULE_CUDA_DRIVER"])

    def counts(self) -> tuple[int, int]:
        waits = sum(self._fake.bascule_fake_calls(n) for n in (b"cuStreamSynchronize", b"cuEventSynchronize"))
        return waits, self._fake.bascule_fake_calls(b"cuMemcpyDtoHAsync_v2")

    def fix(self) -> None:
        self._fake.bascule_fake_reset()


class Table:
    """The calls by area, and their outcomes."""

    def __init__(self, every: int, only: set[str]) -> None:
        self.every, self.only = every, only
        self.found: dict[str, list[tuple[str, str, tuple[int, int]]]] = collections.defaultdict(list)
        self.device = Device()

    def note(self, area: str, name: str, run) -> None:
        if self.only and name not in self.only:
            return
        before = self.device.counts()
        try:
            result, after = run()
        except Exception as error:
            self.device.fix()
            self.found[area].append((name, f"{type(error).__name__}: {error}".split("\n")[0][:150], (0, 0)))
            return
        waits = tuple(y - x for x, y in zip(before, self.device.counts()))
        try:
            why = after(result)
        except Exception as error:
            self.device.fix()
            why = f"{type(error).__name__} when read: {error}"
        self.found[area].append((name, why.split("\n")[0][:150], waits))


def conformance_calls(table: Table, areas: dict[str, list]) -> None:
    import bascule as bc
    import conformance
    import numpy as np

    def try_call(area, row, call):
        ranks = row.ranks.split()
        shape = conformance.SHAPES["2" if "2" in ranks else ranks[-1]]
        for kind in dict.fromkeys([k for k in ("f8", "i8") if k in row.types] + list(row.types)):
            case = (shape, "dense", kind, row)
            theirs, after = conformance.outcome(call, np, *case)
            if theirs is not conformance.NOTHING:
                break
        else:
            return

        def run():
            ours, ours_after = conformance.outcome(call, bc, *case)
            if ours is conformance.NOTHING:
                raise ours_after
            return ours, ours_after[0]

        row_rtol = max(row.rtol, 1e-13)
        table.note(
            area,
            f"{row.name}: {call}",
            lambda: (
                run(),
                lambda r: conformance.differs(r[0], theirs, row_rtol) or conformance.differs(r[1], after[0], row_rtol),
            ),
        )

    count = 0
    for area, rows in areas.items():
        for row in rows:
            if row.name in NO_ARRAYS or (table.only and row.name not in table.only):
                continue
            for call in row.calls:
                count += 1
                if count % table.every == 0:
                    saved, table.only = table.only, set()
                    try_call(area, row, call)
                    table.only = saved


def other_calls(table: Table) -> None:
    import bascule as bc
    import conformance
    import numpy as np

    source = np.arange(12.0).reshape(3, 4) - 5
    boolean = source % 3 == 0
    invertible = np.array([[2.0, -1, 0.5, 0], [1, 3, -1, 2], [0, 1, 4, -2], [1, -0.5, 1, 5]])

    def names(xp):
        take = np.array if xp is np else bc.array
        square = take(invertible)
        return conformance.Names(
            xp,
            a=take(source),
            x=take(source),
            m=take(boolean),
            k=take(np.array([2, 0, 1])),
            s=square,
            h=square @ square.T,
            np=np,
        )

    def value(xp, call):
        return eval(call, names(xp))

    def assigned(xp, statement):
        scope = names(xp)
        exec(statement, scope)
        return scope["x"]

    for area, calls, run, rtol in (
        ("indexing", INDEXING, value, 1e-13),
        ("assignment", ASSIGNMENT, assigned, 1e-13),
        ("linear algebra", LINALG, value, 1e-9),
        ("FFT", FFT, value, 1e-9),
    ):
        for call in split(calls):
            table.note(area, call, lambda: (run(bc, call), lambda r: conformance.differs(r, run(np, call), rtol)))
    for call in split(RANDOM):
        with bc.device("cpu"):
            expected = value(bc, call)
        expected = expected.get() if hasattr(expected, "get") else expected
        table.note(
            "random",
            call,
            lambda: (value(bc, call), lambda r: conformance.differs(r, expected, 1e-6 if "f4" in call else 1e-12)),
        )


def report(table: Table) -> str:
    lines = ["Array calls on the CUDA device, run by emulation, not on a GPU", ""]
    total = right = 0
    for area, calls in table.found.items():
        good = sum(not why for _, why, _ in calls)
        total, right = total + len(calls), right + good
        lines.append(f"{area:12} {good:5} of {len(calls):5}  {100 * good / max(len(calls), 1):5.1f} %")
    lines += [f"{'all':12} {right:5} of {total:5}  {100 * right / max(total, 1):5.1f} %", ""]
    causes = collections.Counter(
        re.sub(r"[0-9]+|'[^']*'", "…", why)[:90] for calls in table.found.values() for _, why, _ in calls if why
    )
    lines += ["causes, most frequent first", *(f"{n:5}  {cause}" for cause, n in causes.most_common()), ""]
    lines += [
        "calls that raise or differ",
        *(f"  {area}: {name}   {why}" for area, calls in table.found.items() for name, why, _ in calls if why),
        "",
    ]
    waiting = [(name, waits) for calls in table.found.values() for name, why, waits in calls if not why and any(waits)]
    lines += ["calls that waited for the device or copied to the host before their result was read: waits, copies"]
    lines += [f"  {waits[0]:3} {waits[1]:3}  {name}" for name, waits in waiting]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one call of the tables in N")
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME", help="these functions alone")
    parser.add_argument(
        "--areas", nargs="*", default=[], metavar="WORD", help="the tables whose names have one of these"
    )
    parser.add_argument("--write", type=Path, metavar="FILE")
    chosen = parser.parse_args()
    os.environ.update(emulated_cuda.environment(BASCULE_DEVICE="cuda", BASCULE_CACHE_DIR=""))
    import bascule as bc
    import conformance

    areas = {}
    for area, module in (
        ("element-wise", "elements"),
        ("reductions, scans, selection", "reductions"),
        ("creation, manipulation", "shapes"),
        ("numerics", "numerics"),
        ("dates and durations", "times"),
        ("products", "products"),
        ("keywords of products", "linalg"),
    ):
        before = len(conformance.ROWS)
        importlib.import_module(f"conformance_{module}")
        if not chosen.areas or any(word in area for word in chosen.areas):
            areas[area] = conformance.ROWS[before:]
    table = Table(chosen.every, set(chosen.only))
    with bc.config.set(fallback="error"):
        conformance_calls(table, areas)
        if not (chosen.only or chosen.areas):
            other_calls(table)
    text = report(table)
    print(text)
    if chosen.write:
        chosen.write.write_text(text + "\n")


if __name__ == "__main__":
    main()
