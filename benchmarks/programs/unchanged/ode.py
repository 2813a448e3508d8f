"""A field of pendulums with friction, by Runge and Kutta's method of the fourth order."""

import numpy as np

n, steps, dt = 300_000, 100, 0.02
angle = np.linspace(-3, 3, n)
speed = np.zeros(n)


def change(angle, speed):
    return speed, -np.sin(angle) - 0.1 * speed


def energy(angle, speed):
    return 0.5 * speed**2 + 1 - np.cos(angle)


before = energy(angle, speed).mean()
for _ in range(steps):
    a1, s1 = change(angle, speed)
    a2, s2 = change(angle + dt / 2 * a1, speed + dt / 2 * s1)
    a3, s3 = change(angle + dt / 2 * a2, speed + dt / 2 * s2)
    a4, s4 = change(angle + dt * a3, speed + dt * s3)
    angle = angle + dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    speed = speed + dt / 6 * (s1 + 2 * s2 + 2 * s3 + s4)
after = energy(angle, speed).mean()
print("energy:", round(float(before), 8), "->", round(float(after), 8))
print("fastest:", round(float(np.abs(speed).max()), 8), "at", int(np.abs(speed).argmax()) // 1000)
print("turned over:", int((np.abs(angle) > np.pi).sum()))
