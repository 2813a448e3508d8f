"""Trials, channels and times of an experiment: labels instead of axes, and an average per condition."""

import sys

import numpy as np
import xarray as xr

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
trials, samples = (20, 150) if SIZE == "small" else (300, 1000)

rng = np.random.default_rng(40)
t = np.linspace(-0.2, 0.8, samples)
channels = ["Fz", "Cz", "Pz", "Oz"]
condition = rng.choice(["rare", "often"], trials, p=[0.3, 0.7])
wave = 5 * np.exp(-(((t - 0.3) / 0.07) ** 2))
signal = rng.normal(0, 3, (trials, len(channels), samples))
for k in range(trials):
    for c, strength in enumerate([0.3, 0.7, 1.0, 0.5]):
        signal[k, c] += strength * wave * (2 if condition[k] == "rare" else 1)
eeg = xr.DataArray(
    signal,
    dims=("trial", "channel", "time"),
    coords={"channel": channels, "time": t, "condition": ("trial", condition)},
    name="volts",
)
base = eeg.sel(time=slice(-0.2, 0)).mean("time")
eeg = eeg - base
print(dict(eeg.sizes), {c: int((condition == c).sum()) for c in ("rare", "often")})

mean = eeg.groupby("condition").mean("trial")
peak = mean.sel(time=slice(0.2, 0.45)).max("time")
print(peak.to_pandas().round(2))
difference = mean.sel(condition="rare") - mean.sel(condition="often")
window = difference.sel(time=slice(0.25, 0.35)).mean("time")
print("difference:", dict(zip(channels, window.values.round(3).tolist(), strict=True)))

score = eeg.sel(channel="Pz", time=slice(0.25, 0.35)).mean("time")
a, b = score[score["condition"] == "rare"], score[score["condition"] == "often"]
z = (a.mean() - b.mean()) / np.sqrt(a.var(ddof=1) / a.size + b.var(ddof=1) / b.size)
print(f"t of Pz: {float(z):.3f}")
bad = np.abs(eeg).max(("channel", "time")) > 15
clean = eeg.where(~bad, drop=True)
print("bad trials:", int(bad.sum()), "left:", clean.sizes["trial"])
smooth = clean.mean("trial").rolling(time=11, center=True).mean().dropna("time")
print("smooth:", smooth.sizes["time"], smooth.isel(channel=2).max().round(3).item())
flat = clean.transpose("channel", "trial", "time").stack(all=("trial", "time"))
print(np.corrcoef(flat.values).round(3))
spectrum = np.abs(np.fft.rfft(clean.sel(channel="Oz").values, axis=-1)).mean(axis=0)
print("spectrum:", spectrum[:5].round(2))
order = score.sortby(score, ascending=False)
print("best trials:", order.values[:4].round(3), order["condition"].values[:6])
