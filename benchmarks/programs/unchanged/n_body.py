"""A cloud of stars under its own gravity."""

import numpy as np

rng = np.random.default_rng(1)
n, dt = 1200, 0.01
place = rng.normal(size=(n, 3))
speed = np.cross(place, [0.0, 0.0, 0.5])
mass = rng.uniform(0.5, 1.5, n) / n


def pull(place):
    apart = place[None, :, :] - place[:, None, :]
    square = (apart**2).sum(axis=2) + 0.05**2
    return (apart * (mass[None, :] * square**-1.5)[:, :, None]).sum(axis=1)


def energy(place, speed):
    apart = place[None, :, :] - place[:, None, :]
    distance = np.sqrt((apart**2).sum(axis=2) + 0.05**2)
    inner = mass[:, None] * mass[None, :] / distance
    return 0.5 * (mass * (speed**2).sum(axis=1)).sum() - 0.5 * (inner.sum() - np.trace(inner))


start = energy(place, speed)
force = pull(place)
for _ in range(10):
    speed += dt / 2 * force
    place += dt * speed
    force = pull(place)
    speed += dt / 2 * force
print("energy:", round(float(start), 6), "drift below 1e-3:", bool(abs(energy(place, speed) / start - 1) < 1e-3))
print("centre:", np.round((mass[:, None] * place).sum(axis=0), 6).tolist())
print("radius of half the mass:", round(float(np.median(np.linalg.norm(place, axis=1))), 6))
