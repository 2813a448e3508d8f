"""The commands of `bascule`, one module each: `add` adds its arguments, `run` runs it and returns the exit code."""
