"""The settings of spilling: where what lies unused in a GPU's memory goes when that is short (`config.spill`)."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any

from . import _core

PLACES = ("off", "host", "disk")
SETTINGS = ("spill", "spill_host_limit", "spill_disk_limit", "spill_directory")


def chosen(values: dict[str, Any]) -> dict[str, Any]:
    """The settings of spilling, with what stands for those that were not given."""
    settings = {name: values[name] for name in SETTINGS}
    if settings["spill_directory"] is None:
        settings["spill_directory"] = tempfile.gettempdir()
    if settings["spill_host_limit"] is None:
        settings["spill_host_limit"] = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    if settings["spill_disk_limit"] is None:
        settings["spill_disk_limit"] = shutil.disk_usage(settings["spill_directory"]).free // 2
    return settings


def change(values: dict[str, Any], name: str, value: Any) -> None:
    """Take over one setting, if all of them together can be."""
    if name == "spill" and value not in PLACES:
        raise ValueError(f"[config] spill must be one of {', '.join(map(repr, PLACES))}, not {value!r}")
    if name.endswith("_limit") and value is not None:
        try:
            value = int(value)
        except (TypeError, ValueError):
            raise ValueError(f"[config] {name} must be a number of bytes, not {value!r}") from None
        if value < 0:
            raise ValueError(f"[config] {name} must not be negative, not {value}")
    if name == "spill_directory" and value is not None:
        value = os.fspath(value)
        if not (os.path.isdir(value) and os.access(value, os.W_OK)):
            raise ValueError(f"[config] spill_directory must be a directory that can be written to, not {value!r}")
    settings = chosen({**values, name: value})
    where = settings["spill"]
    _core.set_spilling(
        where != "off",
        where == "disk",
        settings["spill_host_limit"],
        settings["spill_disk_limit"],
        settings["spill_directory"],
    )
    values[name] = value
