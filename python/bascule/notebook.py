"""The IPython extension that ``%load_ext bascule`` loads."""

from __future__ import annotations

import functools
from typing import Any

from .commands.profile import magic
from .interop.accelerated import accelerate


def load_ipython_extension(shell: Any) -> None:
    """Turn on the accelerated mode for the cells that follow, and add ``%%bascule_profile`` (``%load_ext bascule``)."""
    accelerate()
    if shell is not None:
        shell.register_magic_function(functools.partial(magic, shell), "cell", "bascule_profile")


def unload_ipython_extension(shell: Any) -> None:
    """Turn the accelerated mode off (``%unload_ext bascule``)."""
    accelerate.undo()
