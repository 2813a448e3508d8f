"""The tone of a noisy microphone: Hann windows, Fourier transforms, averaged power, harmonics and their level."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
seconds = 2 if SIZE == "small" else 60
rate = 8_000

rng = np.random.default_rng(440)
t = np.arange(seconds * rate) / rate
signal = np.sin(2 * np.pi * 440 * t) + 0.5 * np.sin(2 * np.pi * 880 * t + 0.3) + 0.2 * np.sin(2 * np.pi * 1320 * t)
signal += rng.normal(0, 0.8, len(t))
signal -= signal.mean()

size, hop = 1024, 512
window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(size) / size)
frames = []
for start in range(0, len(signal) - size + 1, hop):
    frames.append(signal[start : start + size] * window)
frames = np.array(frames)
power = np.abs(np.fft.rfft(frames, axis=1)) ** 2
mean_power = power.mean(axis=0) / (window**2).sum()
freqs = np.fft.rfftfreq(size, 1 / rate)
print(frames.shape, power.shape, freqs[:3])

order = np.argsort(mean_power)[::-1]
peaks = []
for k in order:
    if all(abs(freqs[k] - f) > 40 for f, _ in peaks):
        peaks.append((freqs[k], mean_power[k]))
    if len(peaks) == 3:
        break
for f, p in peaks:
    print(f"{f:8.2f} Hz {10 * np.log10(p):7.2f} dB")

noise = np.median(mean_power)
print(f"noise floor {10 * np.log10(noise):.2f} dB, signal to noise {10 * np.log10(peaks[0][1] / noise):.2f} dB")
bands = {"low": (0, 300), "mid": (300, 2000), "high": (2000, 4000)}
for name, (a, b) in bands.items():
    mask = (freqs >= a) & (freqs < b)
    print(f"{name:5s} {mean_power[mask].sum():10.3f} {mask.sum()} bins")
whole = np.fft.rfft(signal)
back = np.fft.irfft(whole, len(signal))
print("comes back:", np.allclose(back, signal), "Parseval:", round(float((signal**2).sum() / len(signal)), 4))
loud = [i for i, row in enumerate(power) if row.sum() > 1.3 * power.sum(axis=1).mean()]
print("loud frames:", len(loud))
