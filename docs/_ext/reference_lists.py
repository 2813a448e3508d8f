"""The lists of public names in the reference."""

from __future__ import annotations

import inspect
import re
from typing import Any

import bascule as bc
import bascule.dask
import bascule.pandas as pd
import numpy as np
import pandas
from bascule.interop.accelerated import Accelerate

# The file that defines a name determines its chapter: the beginning of a module's name, the chapter.
CHAPTERS = {
    "bascule.config": "Settings and evaluation", "bascule.fallback": "Settings and evaluation", "bascule.coverage_table": "Settings and evaluation",
    "bascule.interop": "Other libraries", "bascule.tracing": "Tracing Python functions", "bascule.io": "Files", "bascule._array.printing": "Printing",
    "bascule.lib.creation": "Creating arrays", "bascule.lib.manipulation": "Manipulating arrays", "bascule.lib.insert_delete": "Manipulating arrays",
    "bascule.lib.padding": "Manipulating arrays", "bascule.lib.index_tricks": "Indexing", "numpy.lib._index_tricks_impl": "Indexing",
    "bascule.lib.selection": "Selection and assignment", "bascule.lib.sorting": "Sorting and sets", "bascule.lib.sets": "Sorting and sets",
    "bascule.lib.reductions": "Reductions and statistics", "bascule.lib.quantiles": "Reductions and statistics", "bascule.lib.covariance": "Reductions and statistics",
    "bascule.lib.histograms": "Reductions and statistics", "bascule.lib.histograms_nd": "Reductions and statistics", "bascule.lib": "Mathematics",
    "bascule.linalg": "Products", "bascule.dtypes": "Types", "bascule._array.errstate": "Floating-point errors",
}  # fmt: skip
FRAME_CLASSES = ["DataFrame", "Series", "Index", "RangeIndex", "MultiIndex", "DatetimeIndex", "TimedeltaIndex", "PeriodIndex", "CategoricalIndex", "IntervalIndex"]  # fmt: skip


def summary(title: str, module: str, names: list[str], words: str = "") -> str:
    listed = "\n".join(f"   {name}" for name in names)
    return f"{title}\n{'=' * len(title)}\n\n{words}\n\n.. currentmodule:: {module}\n\n.. autosummary::\n   :toctree: api\n   :nosignatures:\n\n{listed}\n"


def chapter(name: str) -> str | None:
    """The chapter of a name in the array namespace; None for NumPy's own."""
    thing = getattr(bc, name)
    if isinstance(thing, bc.ufunc):
        return "Element-wise functions"
    home = str(getattr(thing, "__module__", None) or "")
    starts = [s for s in CHAPTERS if home == s or home.startswith(s + ".")]
    if starts:
        return CHAPTERS[max(starts, key=len)]
    if isinstance(thing, Accelerate):
        return "Other libraries"
    if home == "bascule":
        return "Classes" if isinstance(thing, type) else "Element-wise functions"
    if isinstance(thing, type(np)):
        return "Modules"
    return None if thing is getattr(np, name, None) else "Settings and evaluation"


def arrays() -> dict[str, list[str]]:
    chapters: dict[str, list[str]] = {}
    for name in bc.__all__:
        place = None if name.startswith("__") else chapter(name)
        if place is not None:
            chapters.setdefault(place, []).append(name)
    return {title: sorted(names) for title, names in sorted(chapters.items())}


def of_numpy() -> list[str]:
    """NumPy's own names in the namespace: types, constants, the state of errors."""
    return sorted(n for n in bc.__all__ if not n.startswith("__") and chapter(n) is None)


def documented(cls: type, theirs: Any) -> list[str]:
    """Members with a docstring of their own; pandas' documentation describes the others."""
    found = []
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        doc = getattr(member, "__doc__", None)
        if name.startswith("_") or not doc or getattr(member, "__bascule_fallback__", False):
            continue
        if callable(member) or isinstance(member, property):
            if doc != getattr(getattr(theirs, name, None), "__doc__", None):
                found.append(name)
    return found


def frames() -> dict[str, str]:
    pages = {}
    bases: dict[str, list[str]] = {}
    for name in FRAME_CLASSES:
        cls, theirs = getattr(pd, name), getattr(pandas, name)
        own = documented(cls, theirs)
        inherited = set(bases.get("Index", [])) if name.endswith("Index") else set()
        bases[name] = own
        listed = (
            [n for n in own if inspect.getattr_static(cls, n) is not inspect.getattr_static(pd.Index, n, None)]
            if inherited
            else own
        )
        words = f"Members with their own documentation. All others behave as in pandas' `documentation of {name} <https://pandas.pydata.org/docs/reference/index.html>`__; :doc:`/frames` lists which are native."
        if inherited:
            words += " Members shared with Index are documented there."
        pages[name] = summary(f"bascule.pandas.{name}", "bascule.pandas", [f"{name}.{n}" for n in listed], words)
    functions = (
        [n for n in pd._namespace.__all__ if not isinstance(getattr(pd, n, None), type) and hasattr(pd, n)]
        if hasattr(pd, "_namespace")
        else []
    )
    pages["functions"] = summary(
        "Functions of bascule.pandas",
        "bascule.pandas",
        sorted(set(functions)),
        "All other functions of pandas' namespace run in pandas and are counted as fallbacks.",
    )
    return pages


def modules() -> dict[str, tuple[str, str, list[str]]]:
    """File, title and names of the smaller modules."""
    own = lambda m, names: [n for n in names if str(getattr(getattr(m, n), "__module__", "")).startswith("bascule")]
    random = [n for n in bc.random.__all__ if n in ("default_rng", "Generator", "RandomState", "CounterBits")]
    return {
        "linalg": ("Linear algebra", "bascule.linalg", own(bc.linalg, bc.linalg.__all__)),
        "fft": ("Fourier transforms", "bascule.fft", own(bc.fft, bc.fft.__all__)),
        "random": ("Random numbers", "bascule.random", random),
        "special": ("Special functions", "bascule.special", list(bc.special.__all__)),
        "sched": ("Task graphs", "bascule.sched", list(bc.sched.__all__)),
        "dask": ("Dask", "bascule.dask", [n for n in bascule.dask.__all__]),
        "stride_tricks": ("Windows and strides", "bascule.lib.stride_tricks", list(bc.lib.stride_tricks.__all__)),
    }


def members(cls: type) -> list[str]:
    return [n for n in dir(cls) if not n.startswith("_") and getattr(inspect.getattr_static(cls, n), "__doc__", None)]


def strings() -> dict[str, str]:
    """Names of files below `generated`, and their contents."""
    found, entries = {}, {"arrays": [], "frames": []}
    for title, names in arrays().items():
        file = f"reference/{title.lower().replace(' ', '_').replace(',', '')}.rst"
        found[file] = summary(title, "bascule", [n for n in names if n != "ufunc"])  # which has a separate page
        entries["arrays"].append(file)
    for cls in ("ndarray", "ufunc"):
        found[f"reference/{cls}.rst"] = summary(
            f"bascule.{cls}", "bascule", [f"{cls}.{n}" for n in members(getattr(bc, cls))]
        )
        entries["arrays"].append(f"reference/{cls}.rst")
    for file, (title, module, names) in modules().items():
        found[f"reference/{file}.rst"] = summary(title, module, names)
        entries["arrays"].append(f"reference/{file}.rst")
    found["reference/generator.rst"] = summary(
        "Methods of random.Generator", "bascule.random", [f"Generator.{n}" for n in members(bc.random.Generator)]
    )
    entries["arrays"].append("reference/generator.rst")
    for name, text in frames().items():
        found[f"reference/pandas_{name}.rst"] = text
        entries["frames"].append(f"reference/pandas_{name}.rst")
    for kind, files in entries.items():
        listed = "\n".join(f"generated/{f.removesuffix('.rst')}" for f in files)
        found[f"reference_{kind}.md"] = f"```{{toctree}}\n:maxdepth: 1\n{listed}\n```\n"
    found["of_numpy.md"] = " ".join(f"`{n}`" for n in of_numpy()) + "\n"
    return found


def ufuncs_as_functions() -> None:
    """Replace ufuncs by functions of the same name, signature and docstring: Sphinx documents no callable objects."""
    for module in (bc, bc.special):
        for name in module.__all__:
            ufunc = getattr(module, name)
            if not isinstance(ufunc, bc.ufunc):
                continue

            def shown(*args: Any, **kwargs: Any) -> None:
                raise NotImplementedError

            shown.__name__ = shown.__qualname__ = name
            shown.__module__ = module.__name__
            shown.__doc__ = re.sub(r"\|(\w+)\|", r"``|\1|``", ufunc.__doc__)  # Sphinx gives bars a meaning
            shown.__signature__ = inspect.signature(ufunc)  # type: ignore[attr-defined]
            setattr(module, name, shown)
