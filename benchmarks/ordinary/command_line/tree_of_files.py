"""A folder of files is made, walked through, and described: sizes by suffix, duplicates, deepest paths.

Idea: the script that looks for duplicate files
"""

import hashlib
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
count = 80 if SIZE == "small" else 1500


def make(root, rng):
    contents = [rng.bytes(int(size)) for size in rng.integers(10, 5000, count // 3)]
    for k in range(count):
        parts = [f"dir{rng.integers(3)}" for _ in range(rng.integers(0, 4))]
        folder = root.joinpath(*parts)
        folder.mkdir(parents=True, exist_ok=True)
        suffix = [".txt", ".csv", ".bin", ""][rng.integers(4)]
        (folder / f"file{k:04d}{suffix}").write_bytes(contents[rng.integers(len(contents))])


def describe(root):
    for path in sorted(root.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            relative = path.relative_to(root)
            yield {
                "path": relative.as_posix(),
                "folder": relative.parent.as_posix(),
                "suffix": path.suffix or "(none)",
                "size": path.stat().st_size,
                "depth": len(relative.parts) - 1,
                "digest": hashlib.sha256(data).hexdigest()[:10],
                "mean byte": np.frombuffer(data, dtype=np.uint8).mean(),
            }


with tempfile.TemporaryDirectory() as name:
    root = Path(name)
    make(root, np.random.default_rng(7))
    df = pd.DataFrame(describe(root))
    walked = sum(len(files) for _, _, files in os.walk(root))

print("files:", len(df), "walked:", walked, "bytes:", df["size"].sum())
print(df.head(4).round(3).to_string())
by_suffix = df.groupby("suffix")["size"].agg(["count", "sum", "max"])
by_suffix.columns = [f"{c} of size" for c in by_suffix.columns]
print(by_suffix.sort_index())
print(df["depth"].value_counts(sort=False).sort_index().to_dict())
twice = df[df.duplicated("digest", keep=False)].sort_values(["digest", "path"])
groups = twice.groupby("digest").agg(n=("path", "size"), size=("size", "first"), first=("path", "first"))
groups["wasted"] = groups["size"] * (groups["n"] - 1)
print(groups.sort_values(["wasted", "first"], ascending=False).head(3))
print(f"{groups['wasted'].sum()} bytes in copies, {100 * groups['wasted'].sum() / df['size'].sum():.2f} %")
bins = pd.cut(df["size"], bins=[0, 100, 1000, 2500, np.inf], labels=["tiny", "small", "middle", "large"])
print(bins.value_counts().sort_index())
top = df["folder"].str.split("/").str[0].replace(".", "(root)")
print(df.groupby(top)["size"].sum().sort_index().to_dict())
print("mean byte:", round(df["mean byte"].mean(), 4))
