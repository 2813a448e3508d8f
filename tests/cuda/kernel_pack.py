"""Compile the kernels of the most frequent calls in advance, for every generation of cards, into one file.

    make cuda-kernels                     # build/cuda_kernels.bin; needs NVRTC and no GPU
    make wheel                            # makes it first and takes it along; so does a later pip install .

The calls use the public interface, on a fake driver that reports each of the cards in turn; the code that NVRTC
compiles is kept. cpp/backend/cuda/compiler/prebuilt_kernels.hpp describes the file.
"""

from __future__ import annotations

import argparse
import json
import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python/support"))
import emulated_cuda

# x and y have each of the types, m and k are booleans, A is a matrix.
TYPES = ("f8", "f4", "i8", "i4")
EVERY = """x + y ; x - y ; x * y ; x / y ; bc.maximum(x, y) ; bc.minimum(x, y) ; x + 2 ; x - 2 ; x * 2 ; x / 2 ; 1 - x ; -x ; abs(x)
x > y ; x < y ; x >= y ; x <= y ; x == y ; x != y ; x > 2 ; x < 2 ; x >= 2 ; x <= 2 ; x == 2 ; x != 2 ; bc.where(m, x, y)
x.sum() ; x.max() ; x.min() ; x.mean() ; x.argmax() ; x.argmin() ; A.sum(axis=0) ; A.sum(axis=1) ; x.cumsum() ; x.copy()
x.astype('f8') ; x.astype('f4') ; x.astype('i8') ; x.astype('i4')"""
FLOATS = "1 / x ; x ** 2 ; x ** y ; bc.sqrt(x) ; bc.exp(x) ; bc.log(x) ; bc.sin(x) ; bc.cos(x) ; bc.tanh(x) ; x.std() ; x.prod()"
BOOLEANS = "m & k ; m | k ; ~m ; m.any() ; m.all() ; m.sum()"
# Machine code for a card runs on later cards of its generation; the last is newer than any that NVRTC knows: PTX.
CARDS = (75, 80, 90, 100, 120, 130)

PROGRAM = """
import json, sys
import numpy as np
import bascule as bc
n = 100_000
m, k = bc.asarray(np.ones(n, "?")), bc.asarray(np.ones(n, "?"))
for t, calls in json.loads(sys.stdin.read()):
    x, y = bc.asarray(np.ones(n, t)), bc.asarray(np.ones(n, t))
    A = bc.asarray(np.ones((300, 300), t))
    for text in calls:
        try:
            bc.evaluate(eval(text))
        except (RuntimeError, OSError) as e:
            if "none was found" in str(e):
                sys.exit(str(e))
"""


def split(calls: str) -> list[str]:
    return [c.strip() for c in calls.replace("\n", ";").split(";") if c.strip()]


def all_calls() -> list[tuple[str, list[str]]]:
    return [(t, split(EVERY) + (split(FLOATS) if t[0] == "f" else [])) for t in TYPES] + [("?", split(BOOLEANS))]


def compile_for(card: int, calls: list[tuple[str, list[str]]], emulated: bool) -> list[tuple[str, bytes]]:
    """Keys of the programs that the calls compiled for this card, and the compiled code."""
    with tempfile.TemporaryDirectory() as folder:
        environment = emulated_cuda.environment(
            BASCULE_DEVICE="cuda",
            BASCULE_CACHE_DIR=folder,
            BASCULE_CUDA_KERNELS="",
            BASCULE_FAKE_CUDA_CAPABILITY=str(card),
        )
        if not emulated:
            environment.update(
                {k: v for k, v in os.environ.items() if k in ("CUDA_HOME", "CUDA_PATH", "BASCULE_CUDA_LIBS")}
            )
            del environment["BASCULE_NVRTC"]
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], input=json.dumps(calls), capture_output=True, text=True, env=environment
        )
        if done.returncode != 0:
            sys.exit(done.stderr[-3000:])
        return [parts_of(f.read_bytes()) for f in sorted(Path(folder).glob("cuda/*.cubin"))]


def parts_of(kept: bytes) -> tuple[str, bytes]:
    """The key of a file in the disk cache, and its compiled code; a checksum of 16 digits is between them."""
    end = b"}  // namespace bascule::cuda\n"
    at = kept.index(end) + len(end)
    return kept[:at].decode(), kept[at + 1 + 17 :]


def pack(found: list[tuple[str, bytes]]) -> bytes:
    """The file of these kernels."""
    first, strings, kernels = "", {}, []
    for key, image in found:
        line, text = key.split("\n", 1)
        start, settings = line.split(" headers ")
        version, architecture = start.split()[1], start.split()[3]
        first = f"bascule {version} prebuilt kernels headers {settings}\n"
        strings.setdefault(text, len(strings))
        kernels.append((architecture, text, image))
    at = len(first) + 8 + len(kernels) * 48
    blobs, positions = [], {}
    for text in strings:
        positions[text] = at
        blobs.append(text.encode())
        at += len(blobs[-1])
    rows = []
    for architecture, text, image in kernels:
        rows.append(struct.pack("<16sQQQQ", architecture.encode(), positions[text], len(text.encode()), at, len(image)))
        blobs.append(image)
        at += len(image)
    return first.encode() + struct.pack("<Q", len(rows)) + b"".join(rows) + b"".join(blobs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, help="where the kernels go")
    parser.add_argument("--cards", type=int, nargs="+", default=CARDS, help="compute capabilities, 90 for 9.0")
    parser.add_argument(
        "--calls", metavar="TYPE:CALLS", nargs="+", help='instead of the common ones: "f8:x + y ; x * 2"'
    )
    parser.add_argument("--emulated", action="store_true", help="by the compiler of the emulation, for tests")
    options = parser.parse_args()
    calls = all_calls()
    if options.calls:
        calls = [(t, split(c)) for t, _, c in (given.partition(":") for given in options.calls)]
    found = [kernel for card in options.cards for kernel in compile_for(card, calls, options.emulated)]
    whole = pack(found)
    options.file.parent.mkdir(parents=True, exist_ok=True)
    options.file.write_bytes(whole)
    print(f"{options.file}: {len({key.split(chr(10), 1)[1] for key, _ in found})} kernels, {len(whole) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
