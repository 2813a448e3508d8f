"""The settings of spilling: where arrays go that a GPU's memory, or `config.memory_limit`, has no room for."""

from __future__ import annotations

import os
from typing import Any

from . import _core

SETTINGS = ("spill", "spill_host_limit", "spill_disk_limit", "spill_directory")


def value_of(values: dict[str, Any], name: str) -> Any:
    """The value of a setting, or its default."""
    if values[name] is not None:
        return values[name]
    if name == "spill_directory":
        import tempfile  # imported here, as shutil below, because it takes milliseconds

        return tempfile.gettempdir()
    if name == "spill_host_limit":
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    import shutil

    return shutil.disk_usage(value_of(values, "spill_directory")).free // 2


def number_of_bytes(name: str, value: Any) -> int | None:
    """The value of a limit, if it is a number of bytes or None."""
    if value is None:
        return None
    try:
        value = int(value)
    except (TypeError, ValueError):
        raise ValueError(f"[config] {name} must be a number of bytes, not {value!r}") from None
    if value < 0:
        raise ValueError(f"[config] {name} must not be negative, not {value}")
    return value


def change(values: dict[str, Any], name: str, value: Any) -> None:
    """Change one setting, if it is valid together with the others."""
    if name.endswith("_limit"):
        value = number_of_bytes(name, value)
    if name == "spill_directory" and value is not None:
        value = os.fspath(value)
        if not (os.path.isdir(value) and os.access(value, os.W_OK)):
            raise ValueError(f"[config] spill_directory must be a directory that can be written to, not {value!r}")
    where, *others = (value_of({**values, name: value}, setting) for setting in SETTINGS)
    _core.set_spilling(where != "off", where == "disk", *others)
    values[name] = value
