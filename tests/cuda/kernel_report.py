"""Code that NVIDIA's compiler makes of common plans: registers, spills, widths of loads and stores, and estimated
speed.

    python tests/cuda/kernel_report.py [--write FILE] [--only NAME]

Each plan is an expression of the public interface. The CUDA device prints it, NVRTC compiles it for a card's
architecture, and the fake driver refuses the result; the program for the card is then in the disk cache, and the
figures are read from it. No GPU is used: the last column is an estimate from bytes and instructions alone.
"""

from __future__ import annotations

import argparse
import collections
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1] / "python/support"
sys.path.insert(0, str(SUPPORT))
import emulated_cuda

# Name: least bytes per element of the result, None if all operands are contiguous and the types determine them. x, y,
# z, w float64, f, g float32, h float16, c complex128, i int32, u uint8, m bool; A and B are matrices.
CONTIGUOUS = """x + y ; x * 2 + 1 ; x * y + z * w - x / 2 ; f + g ; f * 2 + 1 ; f * g + f ; u + u ; u & 15 ; i * 3 + 1 ; i // 7 ; h + h
c * c ; abs(c) ; x > y ; (x > 0) & (y < 1) ; bc.where(m, x, y) ; bc.maximum(x, y) ; bc.clip(x, 0, 1) ; abs(x) ; -f ; bc.sqrt(x)
bc.sqrt(x * x + y * y) ; x / y ; 1 / x ; bc.exp(x) ; bc.log(x) ; bc.sin(x) ; bc.sin(f) ; bc.tanh(x) ; x ** 2 ; x ** y
bc.sin(x) ** 2 + bc.cos(x) ** 2 ; x.astype('f4') ; f.astype('f8') + x ; u.astype('f4') * 0.5 ; bc.isnan(x) ; ~m
A + B ; (A - 1) / 2""".replace("\n", ";")
OTHER = """A + row ; A + column ; A + B.T ; x[::2] + 1 ; A[:, 1:] - A[:, :-1] ; bc.arange(100000) * 0.5
bc.random.default_rng(1).random(100000) ; x.sum() ; f.sum() ; (x * y).sum() ; A.sum(axis=0) ; A.sum(axis=1) ; A.sum(axis=(0, 1))
x.std() ; A.std(axis=1) ; x.cumsum() ; A.cumsum(axis=0) ; A.cumsum(axis=1) ; x.max() ; x.argmax() ; (x > 0).any() ; (x * 2).mean()""".replace(
    "\n", ";"
)
ARCHITECTURES = (80, 90)
# Bytes and thread instructions per second: A100 (80 GB) and H100 (SXM), from their data sheets.
CARDS = {80: (2.039e12, 108 * 4 * 32 * 1.41e9), 90: (3.35e12, 132 * 4 * 32 * 1.755e9)}

PROGRAM = """
import json, os, sys
from pathlib import Path
import numpy as np
import bascule as bc
folder = Path(os.environ["BASCULE_CACHE_DIR"])
n = 100_000
x, y, z, w = (bc.asarray(np.full(n, k + 1.0)) for k in range(4))
f, g = bc.asarray(np.ones(n, "f4")), bc.asarray(np.ones(n, "f4"))
h, c, i = bc.asarray(np.ones(n, "f2")), bc.asarray(np.ones(n, "c16")), bc.asarray(np.ones(n, "i4"))
u, m = bc.asarray(np.ones(n, "u1")), bc.asarray(np.ones(n, "?"))
A, B, row, column = (bc.asarray(np.ones(s)) for s in ((1000, 1000), (1000, 1000), (1000,), (1000, 1)))
made, problem = {}, ""
for text in json.loads(sys.stdin.read()):
    try:
        bc.evaluate(eval(text))
    except Exception as e:
        problem = str(e)
    # Put aside, so that a call of the same kernels makes them again.
    made[text] = [str(p.rename(folder / f"{len(made)}-{p.name}")) for p in folder.glob("cuda/*.cubin")]
    if not made[text]:
        sys.exit(f"{text}: {problem}")
print(json.dumps(made))
"""


class NoCompiler(Exception):
    pass


def split(calls: str) -> list[str]:
    return [call.strip() for call in calls.split(";") if call.strip()]


def compile_all(calls: list[str], architecture: int, folder: str) -> dict[str, list[str]]:
    """The files that hold the compiled kernels of each call."""
    import json

    environment = emulated_cuda.environment(
        BASCULE_DEVICE="cuda", BASCULE_CACHE_DIR=folder, BASCULE_FAKE_CUDA_CAPABILITY=str(architecture)
    )
    environment.update({k: v for k, v in os.environ.items() if k in ("CUDA_HOME", "CUDA_PATH", "BASCULE_CUDA_LIBS")})
    del environment["BASCULE_NVRTC"]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], input=json.dumps(calls), capture_output=True, text=True, env=environment
    )
    if "NVRTC, and none was found" in done.stderr:
        raise NoCompiler(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


class Kernel:
    """A function of a compiled program: properties of its code."""

    # The low twelve bits of an instruction, and the width in its bits 73 to 75.
    MEMORY = {
        0x981: "load",
        0x986: "store",
        0x980: "load",
        0x985: "store",
        0x983: "spill",
        0x387: "spill",
        0x987: "spill",
    }
    WIDTH = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 8, 6: 16}

    def __init__(self, name: str, registers: int, code: bytes, stack: int) -> None:
        self.name, self.registers, self.stack = name, registers, stack
        self.widths: dict[str, collections.Counter[int]] = collections.defaultdict(collections.Counter)
        self.instructions = self.generic = 0
        for low, high in struct.iter_unpack("<QQ", code):
            opcode = low & 0xFFF
            if opcode == 0x918:  # a no-op, which pads the end
                continue
            self.instructions += 1
            self.generic += opcode in (0x980, 0x985)
            if kind := self.MEMORY.get(opcode):
                self.widths[kind][self.WIDTH[high >> 9 & 7]] += 1

    @property
    def spills(self) -> int:
        return sum(self.widths["spill"].values())

    def widest(self, kind: str) -> int:
        return max(self.widths[kind], default=0)


def kernels_of(file: str) -> tuple[str, list[Kernel]]:
    """The first line of a cached file, and the functions of the program after it."""
    data = Path(file).read_bytes()
    key = data[: data.index(b"\n")].decode()
    elf = data[data.index(b"\x7fELF") :]
    (offset,) = struct.unpack_from("<Q", elf, 40)
    size, count, names = struct.unpack_from("<HHH", elf, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", elf, offset + k * size) for k in range(count)]

    def contents(section: tuple[int, ...]) -> bytes:
        return elf[section[4] : section[4] + section[5]]

    table = contents(sections[names])
    named = [(table[s[0] : table.index(b"\0", s[0])].decode(), s) for s in sections]
    sizes = next(attributes(contents(s)) for name, s in named if name == ".nv.info")
    found = []
    for name, section in named:
        if name.startswith(".text."):
            symbol = section[7] & 0xFFFFFF  # the low bits of the section's info
            found.append(Kernel(name[6:], sizes[REGISTERS][symbol], contents(section), sizes[STACK].get(symbol, 0)))
    return key, found


REGISTERS, STACK = 0x2F, 0x11


def attributes(info: bytes) -> dict[int, dict[int, int]]:
    """Numbers by their kind, then by the number of a function's symbol."""
    at = 0
    found: dict[int, dict[int, int]] = collections.defaultdict(dict)
    while at + 4 <= len(info):
        form, kind, size = struct.unpack_from("<BBH", info, at)
        at += 4
        if form != 4:
            continue
        if size == 8:
            symbol, number = struct.unpack_from("<II", info, at)
            found[kind][symbol] = number
        at += size
    return found


def report(calls: list[str]) -> tuple[str, dict[str, dict[int, list[Kernel]]]]:
    """The compiler's version, and the kernels of each call by architecture."""
    found: dict[str, dict[int, list[Kernel]]] = {call: {} for call in calls}
    version = ""
    for architecture in ARCHITECTURES:
        with tempfile.TemporaryDirectory() as folder:
            for call, files in compile_all(calls, architecture, folder).items():
                kernels = []
                for file in files:
                    key, more = kernels_of(file)
                    version = key.split(" nvrtc ")[1].split()[0]
                    kernels += more
                found[call][architecture] = kernels
    return version, found


def main_kernel(kernels: list[Kernel]) -> Kernel:
    """The kernel that reads the operands: the others combine its results."""
    for start in ("elementwise", "leaves", "stripes", "columns"):
        for kernel in kernels:
            if kernel.name.startswith(start):
                return kernel
    return kernels[0]


# Types of the operands by name, and items per thread, which the estimate uses in addition to the code.
BYTES = dict.fromkeys("xyzwABC", 8) | {"f": 4, "g": 4, "h": 2, "c": 16, "i": 4, "u": 1, "m": 1}


def result_bytes(call: str) -> int:
    if ">" in call or call.startswith(("~", "bc.isnan")):
        return 1
    if call == "abs(c)" or "'f8'" in call or call.startswith(("i // 7",)):
        return 4 if call.startswith("i") else 8
    if "'f4'" in call:
        return 4
    return next(b for name, b in BYTES.items() if name in names_in(call))


def names_in(call: str) -> set[str]:
    import re

    return {n for n in re.findall(r"(?<![.\w'])([a-zA-Z])(?![\w'(])", call) if n in BYTES}


def estimate(call: str, architecture: int, kernel: Kernel) -> str:
    """Fraction of the card's bandwidth that the instructions permit, if every one in the code is executed."""
    bandwidth, rate = CARDS[architecture]
    names = names_in(call)
    sizes = [BYTES[n] for n in names] + [result_bytes(call)]
    items = max(kernel.widest("load") // min(BYTES[n] for n in names), 1)
    memory, issue = sum(sizes) / bandwidth, kernel.instructions / items / rate
    return f"{min(memory / max(memory, issue), 1):.0%}"


def table(version: str, found: dict[str, dict[int, list[Kernel]]]) -> str:
    contiguous = set(split(CONTIGUOUS))
    lines = [
        "# Kernels of common plans",
        "",
        f"Written by `make cuda-report` with NVRTC {version}, on a machine without a GPU: nothing here was measured on one.",
        "Registers, spills, stack and widths are read from the compiled programs. The last column is an *estimate*: of the",
        "bytes that have to move and of all instructions of the kernel, the share of the card's bandwidth (A100 80 GB, H100 SXM,",
        "by their data sheets) that is left if each instruction were issued once. It leaves out latency, caches and the pipes of",
        "float64; it counts the ways for ends of rows and for memory off 128-bit borders too, which few threads take. Plans are",
        "those of the public interface with its floating-point warnings on. A dash: the plan is not contiguous, or has several kernels.",
        "",
        "| plan | kernel | sm | registers | spills | stack | loads | stores | instructions | estimate |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for call, by_architecture in found.items():
        for architecture, kernels in by_architecture.items():
            k = main_kernel(kernels)
            widths = [
                " ".join(f"{8 * w}×{n}" for w, n in sorted(k.widths[kind].items(), reverse=True)) or "none"
                for kind in ("load", "store")
            ]
            share = estimate(call, architecture, k) if call in contiguous else "–"
            cells = [f"`{call}`".replace("|", "\\|"), k.name, architecture, k.registers, k.spills, k.stack]
            lines.append("| " + " | ".join(map(str, [*cells, *widths, k.instructions, share])) + " |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", metavar="FILE", help="where the table goes; printed without it")
    parser.add_argument("--only", metavar="NAME", help="calls that contain this")
    options = parser.parse_args()
    calls = [c for c in split(CONTIGUOUS) + split(OTHER) if not options.only or options.only in c]
    try:
        text = table(*report(calls))
    except NoCompiler as e:
        sys.exit(f"missing: {e}")
    if options.write:
        Path(options.write).write_text(text)
    else:
        print(text)


if __name__ == "__main__":
    main()
