"""What ``%load_ext bascule`` does."""

from __future__ import annotations

import functools
from typing import Any

from .commands.profile import magic
from .interop.accelerated import accelerate


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext bascule``: the accelerated mode in the cells that follow, and ``%%bascule_profile``."""
    accelerate()
    if shell is not None:
        shell.register_magic_function(functools.partial(magic, shell), "cell", "bascule_profile")


def unload_ipython_extension(shell: Any) -> None:
    """``%unload_ext bascule``: the accelerated mode is over."""
    accelerate.undo()
