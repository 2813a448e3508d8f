"""The commands of `bascule`, one module each: `add` adds its arguments, `run` runs it and returns the exit code."""

NAMES = ("info", "doctor", "demo", "bench", "tune", "coverage", "profile")  # without the modules that run them
