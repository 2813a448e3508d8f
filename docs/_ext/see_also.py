"""Adds the section See Also to the pages of the reference: the names that NumPy and pandas list there, where bascule has them, in our own words."""

from __future__ import annotations

import functools
import importlib
import inspect
import re
from typing import Any

# Beginnings of our names, the module that has the same names, and the one that theirs are looked up in.
PLACES = {
    "bascule.pandas.": "pandas",
    "bascule.linalg.": "numpy.linalg",
    "bascule.fft.": "numpy.fft",
    "bascule.random.": "numpy.random",
    "bascule.special.": "scipy.special",
    "bascule.lib.stride_tricks.": "numpy.lib.stride_tricks",
    "bascule.": "numpy",
}
OURS = {"pandas": "bascule.pandas", "scipy.special": "bascule.special", "numpy": "bascule"}
INNER = ("core.groupby.", "core.resample.", "core.window.", "api.typing.")


def member(module: str, name: str) -> Any:
    """The object with a dotted name in a module; None where there is none."""
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        try:
            found = getattr(found, part) if inspect.ismodule(found) else inspect.getattr_static(found, part)
        except AttributeError:
            return None
        found = getattr(found, "__func__", found)
    return found


def counterpart(name: str) -> tuple[str, str]:
    """(their module, the name in it) of a name of ours; empty where there is none."""
    start = next((s for s in PLACES if name.startswith(s)), None)
    if start is None or name.startswith(("bascule.dask.", "bascule.sched.", "bascule.learn.")):
        return "", ""
    return PLACES[start], name.removeprefix(start)


def here(library: str, owner: str, name: str) -> str | None:
    """Our full name of what their documentation of a member of `owner` calls `name`; None where we have none."""
    for other in ("pandas", "scipy.special", "numpy"):
        if name.startswith(f"{other}."):
            library, owner, name = other, "", name.removeprefix(f"{other}.")
    name = next((name.removeprefix(i) for i in INNER if name.startswith(i)), name)
    places = [f"{owner}.{name}"] if owner else []
    for module in dict.fromkeys([library, library.partition(".")[0]] if library.startswith("numpy.") else [library]):
        ours = OURS.get(module) or module.replace("numpy", "bascule", 1)
        for tried in (name, *places):
            if member(ours, tried) is not None:
                return f"{ours}.{tried}"
    return None


@functools.cache
def listed(library: str, name: str) -> tuple[str, ...]:
    """The names in the section See Also of their documentation."""
    doc = inspect.getdoc(member(library, name)) or ""
    found = re.search(r"^See Also\n-+\n(.*?)(?=^\S[^\n]*\n---|\Z)", doc, re.MULTILINE | re.DOTALL)
    lines = found[1].splitlines() if found else []
    entries = [line.partition(" :")[0] for line in lines if line and not line[0].isspace()]
    return tuple(n for e in entries for n in re.findall(r"[A-Za-z_][\w.]*", re.sub(r":\w+:", "", e)))


def summary(name: str) -> str:
    """The first paragraph of our docstring that is no signature, on one line."""
    module = next(s for s in PLACES if name.startswith(s)).removesuffix(".")
    paragraphs = (inspect.getdoc(member(module, name.removeprefix(f"{module}."))) or "").split("\n\n")
    return next((" ".join(p.split()) for p in paragraphs if not re.match(r"[\w.]+\(", p)), "")


def section(name: str) -> list[str]:
    """The lines of the section of one of our names; none where they have none, or nothing that is here."""
    library, theirs = counterpart(name)
    if not library or member(library, theirs) is None:
        return []
    owner = theirs.rpartition(".")[0]
    found = dict.fromkeys(here(library, owner, other) for other in listed(library, theirs))
    entries = [f"{other} : {summary(other)}".rstrip(" :") for other in found if other is not None and other != name]
    return ["", "See Also", "--------", *entries, ""] if entries else []


def added(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    if "See Also" not in lines:
        lines += section(name)


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", added, priority=400)  # before numpydoc reads the sections
    return {"parallel_read_safe": True}
