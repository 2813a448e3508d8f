"""The demo's program: its steps, in order."""

from __future__ import annotations

from . import arrays, chunks, tables
from .steps import Step


def program() -> list[Step]:
    """All steps in order."""
    return [*tables.STEPS, *chunks.TABLES, *arrays.STEPS, *chunks.ARRAYS]
