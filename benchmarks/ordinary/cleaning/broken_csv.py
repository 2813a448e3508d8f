"""Lines of a file with too many fields, quotes and comments are read by the csv module, then by pandas."""

import csv
import io
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 500 if SIZE == "small" else 15_000

rng = np.random.default_rng(41)
cities = ["Rome", "Paris, France", "Oslo", 'The "Hague"', "Lima"]
out = io.StringIO()
writer = csv.writer(out)
writer.writerow(["id", "city", "temp", "note"])
for k in range(n):
    if k % 50 == 7:
        out.write("# checkpoint\n")
    row = [k, cities[rng.integers(0, 5)], f"{rng.normal(15, 8):.1f}", rng.choice(["", "ok", "late"])]
    if k % 33 == 5:
        row.append("extra")
    if k % 41 == 3:
        row = row[:2]
    writer.writerow(row)
text = out.getvalue()

good, bad = [], []
lines = [line for line in text.splitlines() if not line.startswith("#")]
reader = csv.reader(lines)
header = next(reader)
for number, fields in enumerate(reader, start=2):
    if len(fields) != len(header):
        bad.append((number, len(fields)))
    else:
        good.append(dict(zip(header, fields)))
print("good", len(good), "bad", len(bad), bad[:4])

df = pd.DataFrame(good)
df["id"] = df["id"].astype(int)
df["temp"] = df["temp"].astype(float)
print(df.dtypes)
print(df.head())

buffer = io.StringIO()
df.to_csv(buffer, index=False)
again = pd.read_csv(io.StringIO(buffer.getvalue()), keep_default_na=False)
print("the same after writing and reading:", again.equals(df))
loose = pd.read_csv(io.StringIO(text), comment="#", on_bad_lines="skip")
print(len(loose), "rows by pandas,", int(loose["temp"].isna().sum()), "without a temperature")
print(df.groupby("city")["temp"].agg(["count", "mean"]).round(2))
print(df["note"].value_counts().sort_index())
