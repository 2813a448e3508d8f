"""Lines of a web server's log taken apart by a regular expression: status, bytes and busiest hours.

Idea: the question how to parse an access log into a DataFrame
"""

import re
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 700 if SIZE == "small" else 12_000

PATTERN = re.compile(
    r'(?P<host>\S+) \S+ \S+ \[(?P<time>[^\]]+)\] "(?P<method>\w+) (?P<path>\S+)[^"]*" (?P<status>\d{3}) (?P<bytes>\d+|-)'
)
rng = np.random.default_rng(80)
lines = []
for k in range(n):
    host = f"10.0.{rng.integers(4)}.{rng.integers(1, 30)}"
    hour = int(rng.choice(24, p=np.array([1] * 8 + [4] * 12 + [2] * 4) / 64))
    path = rng.choice(
        ["/", "/index.html", "/img/logo.png", "/api/items?id=3", "/admin"], p=[0.3, 0.25, 0.25, 0.18, 0.02]
    )
    status = rng.choice([200, 304, 404, 500], p=[0.85, 0.08, 0.05, 0.02])
    sent = "-" if status == 304 else str(rng.integers(200, 90_000))
    lines.append(
        f'{host} - - [{rng.integers(1, 4):02d}/Feb/2024:{hour:02d}:{rng.integers(60):02d}:00 +0000] "GET {path} HTTP/1.1" {status} {sent}'
    )
    if k % 97 == 0:
        lines.append("garbage line")

rows, bad = [], 0
for line in lines:
    match = PATTERN.match(line)
    if match:
        rows.append(match.groupdict())
    else:
        bad += 1
df = pd.DataFrame(rows)
print("bad lines:", bad)
df["time"] = pd.to_datetime(df["time"], format="%d/%b/%Y:%H:%M:%S %z")
df["status"] = df["status"].astype(int)
df["bytes"] = pd.to_numeric(df["bytes"], errors="coerce").fillna(0).astype(int)
print(df.head(4).to_string())
print(df["status"].value_counts().sort_index())
print(
    df.groupby("path")
    .agg(hits=("status", "size"), kilobytes=("bytes", lambda b: b.sum() // 1024))
    .sort_values("hits", ascending=False)
)

again = pd.Series(lines).str.extract(r'^(?P<host>[\d.]+) .*" (?P<status>\d{3}) ').dropna()
print("by str.extract:", len(again), (again["host"].to_numpy() == df["host"].to_numpy()).all())
hours = df["time"].dt.hour.value_counts().sort_index()
for hour, hits in hours.items():
    if hour % 4 == 0:
        print(f"{hour:02d}h {'#' * int(30 * hits / hours.max())}")
df["network"] = df["host"].str.rsplit(".", n=1).str[0]
print(pd.crosstab(df["network"], df["status"] >= 400))
df["query"] = df["path"].str.partition("?")[2].replace("", np.nan)
print("queries:", df["query"].value_counts().to_dict(), "pictures:", int(df["path"].str.endswith(".png").sum()))
worst = df[df["status"] == 500].groupby(df["time"].dt.date).size()
print({str(k): int(v) for k, v in worst.items()})
