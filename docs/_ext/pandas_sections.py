"""Completes the pages of frames: pandas' descriptions of parameters, its examples, and what runs in pandas.

Members behave as pandas' do, and tests/python/pandas/test_docstring_examples.py runs its examples here. So where a docstring of ours has
no section Parameters or Examples, the page has that of the installed pandas, and says so.
"""

from __future__ import annotations

import functools
import inspect
import re
from typing import Any

import bascule.pandas as pd
import see_also

HEADING = re.compile(r"^(\S[^\n]*)\n-{3,}$", re.MULTILINE)
BLOCKS = re.compile(r"^( *)\.\. (?:plot|ipython|image|figure)::.*\n(?:(?:\1 +.*)?\n)*", re.MULTILINE)
BORROWED = "Parameters", "Examples"


def sections(doc: str) -> dict[str, str]:
    """The sections of a docstring by their headings; the text before them is that of an empty one."""
    pieces = HEADING.split(doc)
    return {"": pieces[0]} | dict(zip(pieces[1::2], pieces[2::2], strict=True))


def plain(text: str) -> str:
    """A text without what stands only in pandas' own pages: targets of its user guide, footnotes, pictures."""
    text = re.sub(r":ref:`([^`<]+?)\s*<[^`>]*>`", r"\1", text)
    text = re.sub(r"(?:See |see )?:(?:ref|doc):`[^`]*`", "pandas' user guide", text)
    text = re.sub(r"\s*\[\d+\]_", "", text)
    return BLOCKS.sub("", text).strip("\n")


def entries(text: str) -> list[tuple[list[str], str]]:
    """(names, lines) of each parameter in a section."""
    found: list[tuple[list[str], str]] = []
    for piece in re.split(r"\n(?=\S)", text.strip("\n")):
        names = [n.strip().lstrip("*") for n in re.split(r"\s*:\s", piece.partition("\n")[0])[0].split(",")]
        found.append((names, piece))
    return found


def parameters(thing: Any, text: str) -> str:
    """Those of pandas' parameters that ours has, too."""
    try:
        ours = set(inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        return ""
    every = not ours - {"self", "args", "kwargs"}  # a wrapper that hands all on
    return "\n".join(piece for names, piece in entries(text) if every or ours & set(names))


@functools.cache
def table() -> Any:
    return pd.coverage()


def how_it_runs(name: str) -> list[str]:
    """The state of a member, and what runs in pandas, for the section Notes."""
    try:
        entry = table().entry(name)
    except KeyError:
        return []
    if entry.state == "native":
        return ["Runs without pandas.", ""]
    if entry.state != "in part":
        return ["Runs in pandas.", ""]
    found = [f"- ``{given}`` other than ``{values}``" for given, values in entry.arguments.items()]
    found += [f"- {reason}" for reason in entry.reasons]
    return ["Runs without pandas, except for:", "", *found, ""]


def completed(name: str, thing: Any, doc: str) -> str:
    """Our docstring of a member with the sections that it lacks."""
    own = sections(doc)
    theirs = sections(inspect.getdoc(see_also.member("pandas", name)) or "")
    borrowed = [heading for heading in BORROWED if heading not in own and heading in theirs]
    if "Parameters" in borrowed:
        text = parameters(thing, theirs["Parameters"])
        own |= {"Parameters": f"\n{plain(text)}\n\n"} if text else {}
    if "Examples" in borrowed and ">>>" in theirs["Examples"]:
        own["Examples"] = f"\n{plain(theirs['Examples'])}\n\n"
    taken = [heading.lower() for heading in borrowed if heading in own]
    notes = how_it_runs(name)
    if taken:
        notes += [f"The {' and '.join(taken)} are those of pandas' documentation.", ""]
    if notes:
        own["Notes"] = "\n" + own.get("Notes", "").strip("\n") + "\n\n" + "\n".join(notes)
    head = own.pop("")
    return head.rstrip("\n") + "".join(f"\n\n{h}\n{'-' * len(h)}{text.rstrip()}" for h, text in own.items()) + "\n"


def added(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    if name.startswith("bascule.pandas.") and what != "module" and not isinstance(thing, type):
        lines[:] = completed(name.removeprefix("bascule.pandas."), thing, "\n".join(lines)).splitlines()


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", added, priority=300)  # before see_also and numpydoc
    return {"parallel_read_safe": True}
