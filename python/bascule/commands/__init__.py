"""The commands of `bascule`, a module each: `add` enters its arguments, `run` does it and returns the exit code."""
