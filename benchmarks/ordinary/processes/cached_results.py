"""Slow functions kept by joblib.Memory in a temporary folder, arrays dumped and loaded again."""

import sys
import tempfile
from pathlib import Path

import joblib
import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 3_000 if SIZE == "small" else 400_000
calls = []


def simulate(seed, n):
    calls.append(seed)
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"x": rng.normal(size=n).cumsum(), "group": rng.choice(["a", "b"], n)})


def describe(df):
    calls.append("describe")
    return df.groupby("group")["x"].agg(["size", "mean", "min", "max"])


with tempfile.TemporaryDirectory() as name:
    memory = joblib.Memory(name, verbose=0)
    cached_simulate, cached_describe = memory.cache(simulate), memory.cache(describe)
    tables = []
    for seed in (1, 2, 1, 2, 1):
        df = cached_simulate(seed, n)
        tables.append(cached_describe(df))
    print("calls:", calls)
    print(tables[0].round(3))
    print("again the same:", tables[0].equals(tables[2]) and tables[1].equals(tables[3]))
    path = Path(name) / "model.joblib"
    joblib.dump({"table": tables[1], "array": np.arange(6).reshape(2, 3), "text": "done"}, path, compress=3)
    back = joblib.load(path)
    print(list(back), back["array"].sum(), back["table"].loc["a"].round(3).to_dict())
    print(
        "same hash:", joblib.hash(tables[0]) == joblib.hash(tables[2]), joblib.hash(tables[0]) == joblib.hash(tables[1])
    )
    files = [p for p in Path(name).rglob("*.pkl") if p.is_file()]
    print("kept results:", len(files))
ups = (df["x"].diff() > 0).mean()
print(f"rises {ups:.4f}, ends {df['x'].iloc[-1]:.3f}, last {df['group'].tail(3).tolist()}")
