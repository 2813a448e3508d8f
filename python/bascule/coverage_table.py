"""The functions of NumPy's namespace that are native, found by the conformance tests, which keep this table true.

A function is native with all its parameters unless it has a row in the table next to this file, which those tests
write.
"""

from __future__ import annotations

import importlib.resources
import inspect
from collections.abc import Iterator, Mapping

import numpy as np

import bascule

from ._array.numpy_versions import signature_of

__all__ = ["coverage"]


_STATES = ("native", "NumPy-backed", "refused", "differs")


class Entry:
    """State of one function and of each of its parameters.

    Attributes
    ----------
    name : str
    state : {'native', 'NumPy-backed', 'refused', 'differs'}
        Native: equal to NumPy's in every call of its conformance test, with the fallback forbidden. Differs: native,
        but not yet equal to NumPy in some call of that test.
    parameters : dict of str to str
        The state of each parameter; 'untested' if no call of the test passes it.
    reason : str
        A call that fails, or the reason why it is refused.
    """

    def __init__(self, line: str) -> None:
        self.name, self.state, parameters, self.reason = line.split("\t")
        self.parameters: dict[str, str] = {}
        for part in filter(None, parameters.split("; ")):
            state, _, names = part.partition(": ")
            self.parameters |= dict.fromkeys(names.split(), state)

    def __repr__(self) -> str:
        by_state: dict[str, list[str]] = {}
        for name, state in self.parameters.items():
            by_state.setdefault(state, []).append(name)
        text = "; ".join(f"{state}: {' '.join(names)}" for state, names in by_state.items())
        return f"{self.name:26}{self.state:14}{text}" + (f"  ({self.reason})" if self.reason else "")


class Coverage(Mapping):
    """Entries by name; printed, it is the whole table."""

    def __init__(self, lines: list[str]) -> None:
        self._entries = {e.name: e for e in map(Entry, lines)}

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def names(self, state: str) -> list[str]:
        """Names of the functions in a state."""
        return [e.name for e in self._entries.values() if e.state == state]

    @property
    def share(self) -> float:
        """The share of native functions among those that are not refused."""
        return len(self.names("native")) / (len(self) - len(self.names("refused")))

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(self.names(state))} {state}" for state in _STATES)
        head = f"{len(self)} functions of numpy: {counts}; {self.share:.1%} of those not refused are native"
        return "\n".join([head, *map(repr, self._entries.values())])


def functions() -> list[str]:
    """The functions of NumPy's namespace."""
    found = {n: getattr(np, n) for n in np.__all__ if not n.startswith("_")}
    return sorted(n for n, x in found.items() if callable(x) and not isinstance(x, type))


def native_line(name: str) -> str:
    """The row of a function that is native with all of NumPy's parameters, or ours if an older NumPy has no signature."""
    ours = getattr(bascule, name)
    if name not in bascule.__all__:  # a function that newer versions of NumPy have removed
        return f"{name}\tNumPy-backed\t\tnot implemented natively"
    signature = signature_of(getattr(np, name)) or signature_of(ours) or inspect.Signature()
    names = " ".join(p.name for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD)
    return f"{name}\tnative\t{'native: ' if names else ''}{names}\t"


def lines() -> list[str]:
    """The rows of the whole table."""
    text = importlib.resources.files("bascule").joinpath("coverage.tsv").read_text()
    others = {line.partition("\t")[0]: line for line in text.splitlines()}
    return [others.get(name) or native_line(name) for name in functions()]


def coverage() -> Coverage:
    """List which of NumPy's functions and parameters are native, run in NumPy, or are refused.

    Returns
    -------
    Coverage
        A mapping of names to entries with `state`, `parameters` and `reason`; printed, it is a table.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.coverage()["pad"].state
    'native'
    """
    return Coverage(lines())
