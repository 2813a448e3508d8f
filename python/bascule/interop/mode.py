"""Whether the accelerated mode is on, for what behaves differently in it."""

on = False
