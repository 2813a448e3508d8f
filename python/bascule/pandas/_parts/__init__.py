"""Frames larger than `config.memory_limit`: their rows a part at a time, from files and to disk."""
