"""Many small CSV files written to a temporary folder and read by a pool of threads."""

import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
files, rows = (5, 60) if SIZE == "small" else (60, 1200)


def write(folder, k):
    rng = np.random.default_rng(k)
    df = pd.DataFrame(
        {
            "t": range(rows),
            "value": rng.normal(k % 7, 1, rows).round(3),
            "flag": rng.choice(["ok", "bad", ""], rows, p=[0.9, 0.06, 0.04]),
        }
    )
    df.to_csv(folder / f"sensor_{k:03d}.csv", index=False)


def read(path):
    df = pd.read_csv(path)
    df["sensor"] = path.stem.split("_")[1]
    good = df[df["flag"] == "ok"]
    return df, {
        "sensor": path.stem,
        "n": len(df),
        "good": len(good),
        "mean": good["value"].mean(),
        "missing": int(df["flag"].isna().sum()),
    }


with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    for k in range(files):
        write(folder, k)
    paths = sorted(folder.glob("*.csv"))
    print(len(paths), "files:", [p.name for p in paths[:3]])
    with ThreadPoolExecutor(max_workers=4) as executor:
        results = list(executor.map(read, paths))

summary = pd.DataFrame([s for _, s in results]).set_index("sensor")
print(summary.head(6).round(4))
everything = pd.concat([df for df, _ in results], ignore_index=True)
print(everything.shape, everything["flag"].value_counts(dropna=False).to_dict())
print(everything.groupby("sensor")["value"].agg(["mean", "std", "min", "max"]).head(4).round(3))
bad = everything.loc[everything["flag"] != "ok"].copy()
bad["value"] = np.nan
print("bad rows:", len(bad), "after dropping:", everything.drop(bad.index).shape[0])
