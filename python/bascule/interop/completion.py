"""Completion in IPython: its completer reads attributes and items of the classes that it knows to have no side effects."""

from __future__ import annotations

from typing import Any

from . import after_import


def allow(*classes: type) -> None:
    """Let IPython's completer, once it is there, read from objects of the classes, as it does from pandas' frames.

    Without it ``df.a.str.<TAB>`` and ``df.loc[:, "<TAB>`` complete nothing, since the completer evaluates no attribute of a class
    with a ``__getattr__`` of its own.
    """

    def add(guarded: Any) -> None:
        policy = getattr(guarded, "EVALUATION_POLICIES", {}).get("limited")
        for kind in ("allowed_getattr", "allowed_getitem"):
            known = getattr(policy, kind, None)
            if isinstance(known, set):
                known.update(classes)

    after_import.fill({"IPython.core.guarded_eval": add})
