"""One table through CSV, JSON, pickle, NumPy's formats and a compressed file; what survives is compared.

Idea: the comparison of file formats for frames
"""

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd


def make(n):
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "id": np.arange(n, dtype=np.int32),
            "price": rng.gamma(2, 10, n).round(3),
            "when": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 10**6, n), unit="s"),
            "kind": pd.Categorical(rng.choice(["red", "green", "blue"], n)),
            "note": rng.choice(["", "x, y", 'say "hi"', "ä ö"], n),
        }
    )


def as_text(column):
    return (column.round(3) if column.dtype.kind == "f" else column).astype(str)


def compare(name, df, other):
    kept = [c for c in df.columns if other[c].dtype == df[c].dtype]
    same = [c for c in df.columns if as_text(other[c]).equals(as_text(df[c]))]
    print(f"{name:10s} rows {len(other)}, types kept {kept}, values {same}")


def main(argv=None):
    parser = argparse.ArgumentParser(prog="convert")
    parser.add_argument("size", nargs="?", default="middle")
    parser.add_argument("-n", "--rows", type=int)
    args = parser.parse_args(argv)
    n = args.rows or (400 if args.size == "small" else 15_000)
    df = make(n)
    print(df.head(3))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        df.to_csv(folder / "t.csv", index=False)
        compare("csv", df, pd.read_csv(folder / "t.csv"))
        typed = pd.read_csv(
            folder / "t.csv", dtype={"id": "int32", "kind": "category"}, parse_dates=["when"], keep_default_na=False
        )
        compare("typed csv", df, typed)
        df.to_csv(folder / "t.csv.gz", index=False, sep="\t")
        compare("gzip", df, pd.read_csv(folder / "t.csv.gz", sep="\t", keep_default_na=False))
        df.to_json(folder / "t.json", orient="records", date_format="iso")
        compare("json", df, pd.read_json(folder / "t.json"))
        df.to_pickle(folder / "t.pkl")
        compare("pickle", df, pd.read_pickle(folder / "t.pkl"))
        np.savez(folder / "t.npz", id=df["id"], price=df["price"], when=df["when"])
        with np.load(folder / "t.npz") as z:
            print(
                "npz",
                {k: str(z[k].dtype) for k in z.files},
                round(float(z["price"].sum()), 3),
                np.array_equal(z["when"], df["when"]),
            )
        np.savetxt(folder / "t.txt", df[["id", "price"]].head(50), fmt="%.3f", header="id price")
        print("txt", np.loadtxt(folder / "t.txt").shape, np.loadtxt(folder / "t.txt")[1].tolist())
        pieces = [len(c) for c in pd.read_csv(folder / "t.csv", chunksize=n // 3 + 1)]
        print("chunks", pieces, sorted(p.name for p in folder.iterdir()))
    print(df.groupby("kind", observed=True)["price"].agg(["count", "mean"]).round(4))
    return 0


if __name__ == "__main__":
    sys.exit(main())
