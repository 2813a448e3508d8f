"""Writes the stubs of `bascule.pandas`, which a type checker and an editor read instead of its modules.

Parameters, their kinds and defaults are those of the signatures when the library runs, or of pandas' function where ours
takes pandas' options. Types of parameters are in pandas_parameters.py, results and their forms in pandas_results.py,
constructors and operators in pandas_classes.py. Run it as `python python/stubs/write_pandas.py`; tests/python/typing
compares the files with its output and the output with the signatures.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import bascule.pandas as bpd
import pandas as pd
import pandas_classes
import pandas_parameters
import pandas_results
from bascule.pandas import _namespace

PACKAGE = Path(bpd.__file__).parent
FOLDER = PACKAGE / "_types"
P = inspect.Parameter
MARK = f"# Written by python/stubs/write_pandas.py from the signatures, with pandas {pd.__version__.rpartition(chr(46))[0]}, and the tables beside it.\n"


def objects() -> dict[str, tuple[Any, Any]]:
    """Of each class: ours, an object of it or the class, and the same of pandas."""
    found: dict[str, tuple[Any, Any]] = {
        n: (getattr(bpd, n), getattr(pd, n)) for n in INDEXES + ("DataFrame", "Series")
    }
    for lib, k in ((bpd, 0), (pd, 1)):
        days = lib.date_range("2024-01-01", periods=2)
        frame = lib.DataFrame({"a": [1, 2], "b": [1.5, 2.5]}, index=days)
        kinds = {
            "DataFrameGroupBy": frame.groupby("a"),
            "SeriesGroupBy": frame.groupby("a")["b"],
            "Rolling": frame.rolling(2),
            "Expanding": frame.expanding(),
            "ExponentialMovingWindow": frame.ewm(com=1),
            "Resampler": frame.resample("D"),
            "StringMethods": lib.Series(["a"]).str,
            "IndexStringMethods": lib.Index(["a"]).str,
            "TimeProperties": lib.Series(days).dt,
            "CategoricalAccessor": lib.Series(["a"], dtype="category").cat,
            "PlotAccessor": frame.plot,
            **nested(lib),
        }
        for name, thing in kinds.items():
            found[name] = (type(thing), None) if k == 0 else (found[name][0], type(thing))
    found["TimeProperties"] = (found["TimeProperties"][0], pd.Series.dt)  # of durations and periods, too
    return found


def nested(lib: Any) -> dict[str, Any]:
    """The accessors of lists and structs, which are types of Arrow."""
    import pyarrow as pa

    lists = lib.Series([[1]], dtype=pd.ArrowDtype(pa.list_(pa.int64())))
    structs = lib.Series([{"a": 1}], dtype=pd.ArrowDtype(pa.struct([("a", pa.int64())])))
    return {"ListAccessor": lists.list, "StructAccessor": structs.struct}


INDEXES = (
    "Index", "RangeIndex", "DatetimeIndex", "TimedeltaIndex", "PeriodIndex", "CategoricalIndex", "IntervalIndex", "MultiIndex",
)  # fmt: skip
ACCESSORS = (
    "StringMethods", "IndexStringMethods", "TimeProperties", "CategoricalAccessor", "ListAccessor", "StructAccessor", "PlotAccessor",
)  # fmt: skip
# Attributes that can be set.
SETTABLE = {
    "DataFrame": {"index", "columns", "attrs"},
    "Series": {"index", "name", "attrs"},
    "Index": {"name", "names"},
}
INNER = {"get_iterator"}  # public by its name only, as in pandas
LESS = {"annotations", "pandas", "core", "compat"}  # modules that pandas' namespace has by accident


def public(cls: Any) -> list[str]:
    return [n for n in dir(cls) if not n.startswith("_")]


def static(cls: Any, name: str) -> Any:
    return inspect.getattr_static(cls, name, None) if cls is not None else None


def is_attribute(ours: Any, theirs: Any) -> bool:
    """Whether a member is read and not called."""
    thing = ours if ours is not None else theirs
    if isinstance(thing, (classmethod, staticmethod)):
        return False
    return not callable(thing) or isinstance(thing, type)


def signature_of(thing: Any) -> inspect.Signature | None:
    thing = getattr(thing, "__func__", thing)
    try:
        return inspect.signature(thing)
    except (TypeError, ValueError):
        return None


def signature(ours: Any, theirs: Any) -> inspect.Signature:
    """The parameters as a program may give them: pandas', where ours takes them as options."""
    own, other = signature_of(ours), signature_of(theirs)
    if own is None or (
        other is not None and rest(own) and (not rest(other) or len(other.parameters) > len(own.parameters))
    ):
        own = other
    assert own is not None, (ours, theirs)
    return own


def rest(s: inspect.Signature) -> bool:
    return any(p.kind is P.VAR_KEYWORD for p in s.parameters.values())


def annotated(owner: str, member: str, p: inspect.Parameter) -> str:
    kind = pandas_parameters.of(owner, member, p.name) if p.kind not in (P.VAR_KEYWORD, P.VAR_POSITIONAL) else "Any"
    return f"{kind} | None" if p.default is None and kind != "Any" and "None" not in kind.split(" | ") else kind


def text_of_default(p: inspect.Parameter) -> str:
    if p.default is P.empty:
        return ""
    plain = (
        p.default is None
        or type(p.default) in (bool, int, str)
        or (type(p.default) is float and p.default == p.default)
    )
    return f" = {p.default!r}" if plain else " = ..."


def changes(form: str) -> dict[str, tuple[str, str]]:
    """{parameter: (type, default)} of a form, whose default is empty where it is required."""
    found = {}
    for part in filter(None, form.split("; ")):
        name, _, kind = part.partition(": ")
        kind, _, default = kind.partition(" = ")
        found[name] = (kind, f" = {default}" if default else "")
    return found


def parameters(owner: str, member: str, s: inspect.Signature, form: str = "", own: str = "self") -> str:
    """The text of the parameters in one form; those after a required one that had a default are given by name."""
    changed, strings, starred, optional = changes(form), [], False, False
    given = list(s.parameters.values())
    if own:
        strings.append(own)
        given = given[1:]
    assert changed.keys() <= {p.name for p in given}, (owner, member, form, s)
    for k, p in enumerate(given):
        kind, default = changed.get(p.name, (annotated(owner, member, p), text_of_default(p)))
        if p.kind is P.VAR_POSITIONAL:
            strings.append(f"*{p.name}: {kind}")
            starred = True
            continue
        if p.kind is P.VAR_KEYWORD:
            strings.append(f"**{p.name}: {kind}")
            continue
        by_name = p.kind is P.KEYWORD_ONLY or (optional and not default and p.kind is P.POSITIONAL_OR_KEYWORD)
        if by_name and not starred:
            strings.append("*")
            starred = True
        optional = optional or bool(default)
        strings.append(f"{p.name}: {kind}{default}")
        if p.kind is P.POSITIONAL_ONLY and (k + 1 == len(given) or given[k + 1].kind is not P.POSITIONAL_ONLY):
            strings.append("/")
    return ", ".join(strings)


def definition(name: str, given: str, result: str, notes: str = "") -> str:
    line = f"def {name}({given}) -> {result}: ..."
    if len(line) < 110:
        return line
    whole = re.sub(r"(?<!,) ", "\0", given)  # lines break after commas
    broken = textwrap.fill(whole + ",", 108, break_long_words=False, break_on_hyphens=False).replace("\0", " ")
    return f"def {name}(\n" + textwrap.indent(broken, "    ") + f"\n) -> {result}: ...  # fmt: skip"


def method(owner: str, name: str, s: inspect.Signature, kind: Any = None) -> str:
    """A method in all its forms, or a function where the owner is the namespace."""
    own = {"functions": "", classmethod: "cls", staticmethod: ""}.get(owner if owner == "functions" else kind, "self")
    head = {classmethod: "@classmethod\n", staticmethod: "@staticmethod\n"}.get(kind, "")
    if kind is staticmethod:
        s = s.replace(parameters=list(s.parameters.values()))
    forms = pandas_results.forms(owner, name)
    if not forms:
        result = pandas_results.result(owner, name)
        if result is None:
            MISSING.append(f"{owner}.{name}")
        forms = [("", result)]
        at = s.parameters.get("inplace")
        if at is not None and at.kind is P.KEYWORD_ONLY:
            forms = [("inplace: Literal[False] = False", result), ("inplace: Literal[True]", "None")]
    strings = [definition(name, parameters(owner, name, s, form, own), result) for form, result in forms]
    for k, allowed in _ALLOWED.get(f"{owner}.{name}", {}).items():
        first, end, more = strings[k].partition("\n")
        strings[k] = f"{first}  # type: ignore[{allowed}]{end}{more}"
    over = "@overload\n" if len(forms) > 1 else ""
    return "\n".join(over + head + text for text in strings)


def attribute(owner: str, name: str) -> str:
    kind = pandas_results.result(owner, name)
    if kind is None:
        MISSING.append(f"{owner}.{name}")
    text = f"@property\ndef {name}(self) -> {kind}: ..."
    if name in SETTABLE.get(owner, ()):
        text += f"\n@{name}.setter\ndef {name}(self, value: Any) -> None: ..."
    return text


def members(owner: str, ours: Any, theirs: Any) -> dict[str, str]:
    """The text of every public member of a class by its name."""
    found = {}
    names = {*public(theirs), *(() if owner in ACCESSORS else public(ours))} - INNER
    for name in sorted(names):
        own, other = static(ours, name), static(theirs, name)
        if is_attribute(own, other):
            found[name] = attribute(owner, name)
        else:
            kind = type(own if own is not None else other)
            s = signature(own, other)
            found[name] = method(owner, name, s, kind if kind in (classmethod, staticmethod) else None)
    return found


# Forms that take some of another's arguments, with another result: a checker takes the first that fits. And methods
# with other parameters than those of the class above.
_ALLOWED: dict[str, dict[int, str]] = {
    "functions.concat": {1: "overload-overlap"},
    "Series.searchsorted": {0: "overload-overlap"},
    **{f"{name}.searchsorted": {0: "overload-overlap"} for name in INDEXES},
    **{f"functions.{n}": {2: "overload-overlap"} for n in ("isna", "isnull", "notna", "notnull")},
    **{
        name: {0: "override"}
        for name in (
            "DatetimeIndex.round", "TimedeltaIndex.round", "MultiIndex.copy", "MultiIndex.drop", "MultiIndex.sortlevel",
        )
    },
}  # fmt: skip
AS_TYPE = r"(?<=-> ){0}(?=:)|(?<![\w.'*]){0}(?![\w'(:=])"


def kept_words(text: str) -> str:
    """Types whose names are those of members of a class get a second name, since its own names come first."""
    members = set(re.findall(r"^ *def (\w+)\(", text, re.MULTILINE))
    for word in sorted(members & {"str", "list", "date", "time", "slice"}):
        text = re.sub(AS_TYPE.format(word), rf"_{word}", text)
    for word in "TRW":  # T is a property
        text = re.sub(AS_TYPE.format(word), f"_{word}", text)
    return text


def class_text(head: str, strings: list[str]) -> str:
    body = kept_words("\n".join(strings)) or "..."
    return f"class {kept_words(head)}:\n" + textwrap.indent(body, "    ") + "\n"


HEAD = """import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import date, time, timedelta, tzinfo
from typing import IO, Any, ClassVar, Generic, Literal, Self, TypeAlias, overload

import numpy as np
from numpy.typing import DTypeLike

"""


def head(text: str, here: str) -> str:
    """The imports of a file from the others."""
    lines: list[str] = [MARK]
    found = re.findall(r"\b(?:from|import) [^\n]*", HEAD)
    used = lambda word: re.search(AS_TYPE.format(word), text)
    for line in found:
        if line.startswith("from"):
            module, _, words = line.partition(" import ")
            words = [w for w in words.split(", ") if used(w)]
            lines += [f"{module} import {', '.join(words)}\n"] if words else []
        elif used(line.split()[-1]):
            lines.append(line + "\n")
    for module, words in HOMES.items():
        names = [w for w in sorted(words) if module != here and used(w)]
        if names:
            lines.append(f"from {'.' + module if module else '..._core'} import {', '.join(names)}\n")
    return "".join(lines) + "\n"


WORDS = {
    "Axis", "Dtype", "Dtypes", "File", "Frequency", "Label", "Many", "Row", "Scalar", "TextFileReader", "Timedelta", "Timestamp",
    "Coverage", "Member", "Frame", "Made", "_T", "_R", "_W", "_date", "_list", "_slice", "_str", "_time",
}  # fmt: skip
# Files, and the classes in them. Members that frames and series share, with the same text, are in Rows.
FILES: dict[str, tuple[str, ...]] = {
    "rows": ("Rows",),
    "rows_files": ("RowsFiles",),
    "frame": ("DataFrame",),
    "frame_members": ("FrameMembers",),
    "frame_numbers": ("FrameNumbers",),
    "frame_files": ("FrameFiles",),
    "series": ("Series",),
    "series_members": ("SeriesMembers",),
    "series_numbers": ("SeriesNumbers",),
    "series_files": ("SeriesFiles",),
    "index": INDEXES[:1],
    "index_kinds": INDEXES[1:],
    "groupby": ("DataFrameGroupBy", "SeriesGroupBy"),
    "windows": ("Rolling", "Expanding", "ExponentialMovingWindow", "Resampler"),
    "strings": ("StringMethods", "IndexStringMethods"),
    "accessors": ACCESSORS[2:],
}
HOMES: dict[str, Any] = {
    "words": WORDS,
    "": {"ndarray"},
    "indexers": {"ByLabel", "Positions", "OneByLabel", "OneByPosition", "Nth"},
    **FILES,
}
FILE = re.compile(r"(to|from)_|info$")  # members about files and other forms of the values
HEADS = {
    "Rows": "Rows(RowsFiles)",
    "DataFrame": "DataFrame(FrameMembers, FrameNumbers, FrameFiles, Rows)",
    "Series": "Series(SeriesMembers[T], SeriesNumbers[T], SeriesFiles[T], Rows)",
    **{n: f"{n}(Generic[T])" for n in ("SeriesMembers", "SeriesNumbers", "SeriesFiles")},
    **{n: f"{n}(Generic[R])" for n in FILES["groupby"]},
    **{n: f"{n}(Generic[W])" for n in FILES["windows"]},
    **{n: f"{n}(Index)" for n in INDEXES[1:]},
}


def part_of(name: str) -> str:
    return "Numbers" if name in pandas_results.NUMBERS else "Members"


def of_rows(all_of: dict[str, tuple[Any, Any]]) -> dict[str, list[str]]:
    """The members of frames, of series and of both, by the class that has them in the stubs."""
    frame, series = (members(n, *all_of[n]) for n in ("DataFrame", "Series"))
    shared = {n for n, text in frame.items() if series.get(n) == text}
    found: dict[str, list[str]] = {}
    for cls, own in (("Rows", frame), ("Frame", frame), ("Series", series)):
        for name, text in own.items():
            if (name in shared) == (cls == "Rows"):
                part = "Files" if FILE.match(name) else "" if cls == "Rows" else part_of(name)
                found.setdefault(cls + part, []).append(text)
    return found


def parameters_of(text: str) -> str:
    """The parameters of a method's text; nothing of a property."""
    return "" if text.startswith("@property") else text.partition("(")[2].rpartition(" -> ")[0]


def of_index_kinds(all_of: dict[str, tuple[Any, Any]], strings: dict[str, list[str]]) -> None:
    """Members of each kind of index that are not those of all, or have other parameters."""
    plain = members("Index", *all_of["Index"])
    strings["Index"] = list(plain.values())
    for name in INDEXES[1:]:
        own = members(name, *all_of[name])
        strings[name] = [t for n, t in own.items() if n not in plain or parameters_of(t) != parameters_of(plain[n])]


def stubs() -> dict[str, str]:
    """The complete files by their names, except for their line breaks."""
    all_of = objects()
    strings = of_rows(all_of)
    of_index_kinds(all_of, strings)
    for name in (*FILES["groupby"], *FILES["windows"], *ACCESSORS):
        strings[name] = list(members(name, *all_of[name]).values())
    for name, lines in pandas_classes.MEMBERS.items():
        strings.setdefault(name, []).extend(lines)
    found = {}
    for file, classes in FILES.items():
        body = "\n".join(class_text(HEADS.get(n, n), strings.get(n, [])) for n in classes)
        found[f"_types/{file}.pyi"] = head(body, file) + body
    body = functions()
    for file, part in (("functions_files", body[0]), ("functions", body[1])):
        found[f"_types/{file}.pyi"] = head(part, file) + part
    return found | {"__init__.pyi": namespace()} | of_modules()


def names_of_functions() -> list[str]:
    here = set(_namespace.__all__) | {n for n in dir(pd) if not n.startswith("_")}
    found = {n for n in here if callable(getattr(bpd, n)) and not isinstance(getattr(bpd, n), type)}
    return sorted(found - OBJECTS)


def functions() -> tuple[str, str]:
    """Functions that read files, and the others."""
    files, others = [], []
    for name in names_of_functions():
        s = signature(getattr(bpd, name), getattr(pd, name, None))
        (files if name.startswith("read_") else others).append(method("functions", name, s))
    return "\n".join(files) + "\n", "\n".join(others) + "\n"


MISSING: list[str] = []  # members without a row in pandas_results.py
OBJECTS = {"NA", "NaT", "options", "IndexSlice", "ByLabel", "Positions"}
MODULES = ("api", "errors", "plotting", "testing", "tseries", "util")


def again(names: Iterable[str]) -> str:
    """Names that a module shows as its own."""
    return ", ".join(f"{n} as {n}" for n in names)


def from_pandas(module: str, names: Iterable[str]) -> str:
    """The import of pandas' own names: a checker knows them where pandas-stubs is installed, and else takes any use."""
    broken = textwrap.fill(again(names).replace(" as ", "\0as\0"), 108).replace("\0", " ")
    allowed = "  # type: ignore[import-untyped, attr-defined, unused-ignore]"
    text = f"from {module} import ({allowed}\n{textwrap.indent(broken, '    ')},\n)  # fmt: skip"
    return f"# isort: off\n{text}\n# isort: on\n"


# Modules whose names are pandas' own but for some, which are ours.
_OURS = {
    "errors": "",
    "api.types": "",
    "api.typing": "from .._types.groupby import DataFrameGroupBy as DataFrameGroupBy, SeriesGroupBy as SeriesGroupBy\n",
    "api.extensions": "from collections.abc import Callable\nfrom typing import Any\n\n"
    + "".join(
        f"def register_{kind}_accessor(name: str) -> Callable[[Any], Any]: ...\n"
        for kind in ("dataframe", "series", "index")
    ),
    "util": "from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n",
    "plotting": "from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n",
    "tseries": "from typing import Any\n\ndef __getattr__(name: str) -> Any: ...\n",
}


def of_modules() -> dict[str, str]:
    """The files of the modules in the namespace."""
    found = {"api/__init__.pyi": f"{MARK}from . import {again(('extensions', 'types', 'typing'))}\n"}
    for module, ours in _OURS.items():
        made = importlib.import_module(f"bascule.pandas.{module}")
        shared = [n for n in public(importlib.import_module(f"pandas.{module}")) if hasattr(made, n)]
        names = [n for n in shared if not re.search(rf"\b{n}\b", ours)] if module in _LISTED else []
        shown = from_pandas(f"pandas.{module}", names) if names else ""
        found[module.replace(".", "/") + ".pyi"] = MARK + shown + ours
    return found


_LISTED = ("errors", "api.types", "api.typing", "api.extensions")


def namespace() -> str:
    """The names of the namespace: ours, and those of pandas that are its own there, too."""
    own = ("DataFrame", "Series", *INDEXES, *FILES["groupby"])
    function_names = names_of_functions()
    theirs = [
        n for n in public(pd)
        if n not in LESS and n not in MODULES and n not in own and n not in function_names
    ]  # fmt: skip
    lines = [MARK, from_pandas("pandas", theirs), "\n"]
    lines.append("from . import " + again(MODULES) + "\n")
    for file, classes in FILES.items():
        if here := [n for n in classes if n in own]:
            lines.append(f"from ._types.{file} import {again(here)}\n")
    readers = [n for n in function_names if n.startswith("read_")]
    lines.append(f"from ._types.functions_files import {again(readers)}\n")
    lines.append(f"from ._types.functions import {again([n for n in function_names if n not in readers])}\n")
    lines.append("from ._types.indexers import ByLabel as ByLabel, Positions as Positions\n")
    lines.append(f"\n__version__: str\n__all__ = {bpd.__all__!r}\n")
    return "".join(lines)


if __name__ == "__main__":
    for name, text in stubs().items():
        (PACKAGE / name).write_text(text)
    sys.stdout.write("written; `make format` breaks their lines\n")
