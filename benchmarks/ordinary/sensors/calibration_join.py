"""Readings are joined with the calibration that was valid at their time, for each device, and corrected.
Idea: the tutorial on joining quotes and trades by time."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 1_000 if SIZE == "small" else 600_000

rng = np.random.default_rng(55)
devices = [f"dev{k}" for k in range(8)]
day = pd.Timestamp("2024-02-01")
seconds = np.sort(rng.integers(0, 10 * 86_400, n))
readings = pd.DataFrame(
    {
        "time": day + pd.to_timedelta(seconds, unit="s"),
        "device": rng.choice(devices, n),
        "raw": rng.normal(500, 40, n).round(1),
    }
)

rows = []
for d in devices:
    for k in range(6):
        moment = day + pd.Timedelta(hours=int(rng.integers(0, 48)) + 40 * k)
        rows.append({"time": moment, "device": d, "gain": 1 + rng.normal(0, 0.02), "offset": rng.normal(0, 5)})
calibrations = pd.DataFrame(rows).sort_values(["time", "device"]).reset_index(drop=True)
print(calibrations.head(5).round(4))

joined = pd.merge_asof(readings, calibrations, on="time", by="device")
print("before any calibration:", int(joined["gain"].isna().sum()))
joined["gain"] = joined["gain"].fillna(1.0)
joined["offset"] = joined["offset"].fillna(0.0)
joined["value"] = joined["raw"] * joined["gain"] + joined["offset"]
print(joined.head(6).round(3).to_string())

stats = joined.groupby("device")["value"].agg(["count", "mean", "std"]).round(2)
print(stats)
daily = joined.set_index("time").groupby("device")["value"].resample("D").mean().unstack("device")
print(daily.iloc[:4, :4].round(2))
latest = calibrations.drop_duplicates("device", keep="last").set_index("device")["gain"]
for d in devices[:3]:
    print(f"{d}: latest gain {latest[d]:.4f}, mean {stats.loc[d, 'mean']:.2f}")
