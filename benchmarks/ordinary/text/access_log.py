"""Lines of a web server: status codes, pages, visitors, and addresses that ask too often within a minute.
Idea: the tutorial on reading an access log."""

import re
import sys
from collections import defaultdict

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 1_000 if SIZE == "small" else 50_000

rng = np.random.default_rng(404)
pages = ["/", "/about", "/shop?item=3", "/shop?item=17", "/login", "/img/logo.png", "/missing"]
start = pd.Timestamp("2024-02-10 00:00:00")
clock = np.cumsum(rng.exponential(3, n))
hosts = [f"10.0.{a}.{b}" for a, b in zip(rng.integers(0, 3, n), rng.zipf(1.5, n) % 250)]
which = rng.choice(len(pages), n, p=[0.3, 0.1, 0.15, 0.1, 0.1, 0.2, 0.05])
lines = []
for k in range(n):
    t = start + pd.Timedelta(seconds=int(clock[k]))
    page = pages[which[k]]
    status = 404 if page == "/missing" else 302 if page == "/login" else 500 if rng.random() < 0.01 else 200
    size = "-" if status == 302 else str(int(rng.gamma(2, 2000)))
    lines.append(f'{hosts[k]} - - [{t.strftime("%d/%b/%Y:%H:%M:%S")} +0000] "GET {page} HTTP/1.1" {status} {size}')
print(lines[0])

pattern = re.compile(r'^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+) [^"]*" (\d{3}) (\S+)$')
rows = [m.groups() for m in map(pattern.match, lines) if m]
df = pd.DataFrame(rows, columns=["host", "time", "method", "url", "status", "size"])
df["time"] = pd.to_datetime(df["time"], format="%d/%b/%Y:%H:%M:%S %z")
df["status"] = df["status"].astype(int)
df["size"] = pd.to_numeric(df["size"], errors="coerce").fillna(0).astype(int)
df["page"] = df["url"].str.split("?").str[0]
print(df.dtypes.astype(str).to_dict())

print(df["status"].value_counts().sort_index())
print(df.groupby("page").agg(hits=("url", "size"), hosts=("host", "nunique"), bytes=("size", "sum")))
errors = df[df["status"] >= 400].groupby(["status", "page"]).size().reset_index(name="n")
print(errors.sort_values(["status", "n", "page"], ascending=[True, False, True]).to_string(index=False))

minute = df["time"].dt.floor("min")
busy = df.groupby(["host", minute]).size()
print("most in a minute:", busy.max(), "hosts above 8:", busy[busy > 8].index.get_level_values("host").nunique())
visits = defaultdict(int)
last = {}
for host, time in zip(df["host"], df["time"]):
    if host not in last or (time - last[host]).total_seconds() > 1800:
        visits[host] += 1
    last[host] = time
print("visits:", sum(visits.values()), "hosts:", len(visits), "most:", max(visits.values()))
hourly = df.set_index("time")["size"].resample("h").agg(["count", "sum"])
print(hourly.head(4))
