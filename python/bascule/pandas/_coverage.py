"""Coverage of pandas' namespace: the members that run without pandas, derived from the code itself."""

from __future__ import annotations

import difflib
import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ._fallback.native import arguments_of
from ._fallback.reasons import reasons
from ._frames.accessors import CategoryMethods, TimeProperties
from ._groupby.groupby import DataFrameGroupBy, SeriesGroupBy
from ._groupby.resample import Resampler
from ._strings.kernels import KERNELS
from ._strings.methods import TextMethods, signature
from ._theirs import pandas, unset
from ._window.ewm import ExponentialMovingWindow
from ._window.expanding import Expanding
from ._window.rolling import Rolling

_CLASSES = (
    "DataFrame", "Series", "Index", "RangeIndex", "DatetimeIndex", "TimedeltaIndex", "PeriodIndex", "CategoricalIndex",
    "IntervalIndex", "MultiIndex",
)  # fmt: skip
STATES = ("native", "in part", "presentation", "fallback", "absent")
_LEADING = {"_call_pandas", "_in_pandas", "in_pandas", "share", "run", "call", "_fallback", "native", "NotNative"}  # fmt: skip


@dataclass(frozen=True)
class Member:
    """How one of pandas' members runs; its text has all of it.

    Attributes
    ----------
    name, state : str
        As in `Coverage`.
    arguments : dict of str to str
        The values of arguments that are native, where others run in pandas.
    reasons : list of str
        The reasons that calls which run in pandas may have, in the words of `bascule.fallbacks`.
    """

    name: str
    state: str
    arguments: dict[str, str]
    reasons: list[str]

    def __repr__(self) -> str:
        found = [f"{given}= other than {values}" for given, values in self.arguments.items()]
        found += [f"{r[:-1]} of some values" if r.endswith("=…") else r for r in self.reasons]
        head = f"{self.name}: {self.state}"
        return "\n  ".join([f"{head}; in pandas with", *found]) if found else head


class Coverage(Mapping):
    """States by name, such as "DataFrame.sum"; its text is the whole table.

    native: own code that never leads into pandas. in part: own code that leaves some arguments or types to
    pandas. presentation: formatted by pandas, which is no fallback. fallback: counted. absent: does not exist.
    """

    def __init__(self, states: dict[str, str], member: Callable[[str], Any], owner: Callable[[str], type | None]):
        self._states = states
        self._member, self._owner = member, owner  # by its name

    def __getitem__(self, name: str) -> str:
        return self._states[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def names(self, state: str) -> list[str]:
        """Names of the members in a state."""
        return [n for n, s in self._states.items() if s == state]

    def arguments(self, name: str) -> dict[str, str]:
        """The arguments of a member that fall back to pandas with other values than those given here, in words.

        There may be more: this is the table of the reasons that the method is decorated with, and others depend on what
        the frame holds or on several arguments at once.

        Examples
        --------
        >>> import bascule.pandas as pd
        >>> pd.coverage().arguments("DataFrame.unstack")
        {'sort': 'True'}
        """
        table = arguments_of(_function_of(self._member(name)))
        return {} if table is None else {given: _in_words(values) for given, values in table.native.items()}

    def entry(self, name: str) -> Member:
        """The state, arguments and reasons of a member."""
        if name not in self._states and f"pandas.{name}" in self._states:
            name = f"pandas.{name}"
        if name not in self._states:
            near = difflib.get_close_matches(name, self._states, 1)
            raise KeyError(f"[coverage] no member of pandas is called {name!r}" + (f": {near[0]!r}?" if near else ""))
        found = self._reasons(name) if self[name] == "in part" else []
        given = self.arguments(name) if self[name] == "in part" else {}
        return Member(name, self[name], given, [r for r in found if r.removesuffix("=") not in given])

    def _reasons(self, name: str) -> list[str]:
        """The reasons of a member that is native in part."""
        prefix, _, last = name.rpartition(".")
        member, owner = self._member(name), self._owner(name)
        if member is None and owner is TextMethods:
            known = frozenset(signature(last).parameters)
            both = [r for f in (TextMethods._computed, KERNELS[last]) for r in reasons(f, owner, known)]
            return list(dict.fromkeys(both))
        if member is None:  # a field of times
            return reasons(owner.__getattr__, owner)
        found = [r for f in _functions_of(member) for r in reasons(f, owner)]
        if last in _DOORS:
            group = _DOORS[last].format(prefix)
            states = [s for n, s in self._states.items() if n.rpartition(".")[0] == group]
            some = len(states) - states.count("native")
            found.append(f"{some} of the {len(states)} members of its result, each for reasons of its own: see {group}")
        return found

    def __repr__(self) -> str:
        groups: dict[str, Counter] = {}
        for name, state in self._states.items():
            groups.setdefault(name.rpartition(".")[0], Counter())[state] += 1
        head = f"{'':24}" + "".join(f"{s:>14}" for s in STATES)
        rows = [f"{group:24}" + "".join(f"{found[s]:14d}" for s in STATES) for group, found in groups.items()]
        rows += [f"{name:48}{state}" for name, state in self._states.items()]
        return "\n".join([head, *rows])


def _code_names(function: Any) -> set[str]:
    """The names in the code of a function, and in the functions inside it and those that it wraps."""
    found: set[str] = set()
    todo = [function]
    while todo:
        f = todo.pop()
        code = f if inspect.iscode(f) else getattr(f, "__code__", None)
        if code is None:
            continue
        found |= {*code.co_names, *code.co_freevars}
        todo += [c for c in code.co_consts if inspect.iscode(c)]
        if not inspect.iscode(f):
            todo += [f.__wrapped__] if hasattr(f, "__wrapped__") else []
            cells = [c.cell_contents for c in f.__closure__ or () if _filled(c)]
            todo += [c for c in cells if hasattr(c, "__code__")]
    return found


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _in_words(values: Any) -> str:
    """The values of an argument that a method takes natively."""
    if values is unset:
        return "not given"
    if callable(values):
        return "some"
    named = [
        v.__name__ if isinstance(v, type) else repr(v) for v in (values if isinstance(values, tuple) else (values,))
    ]
    return " or ".join(named)


def _function_of(member: Any) -> Any:
    return getattr(member, "fget", None) or getattr(member, "__func__", member)


def _functions_of(member: Any) -> list[Any]:
    """The function of a member, or those that read and set a property."""
    setter = getattr(member, "fset", None)
    return [_function_of(member)] + ([] if setter is None else [setter])


def _state(member: Any, owner: type | None = None) -> str:
    """The state of an existing member."""
    function = _function_of(member)
    if getattr(function, "__bascule_presentation__", False):
        return "presentation"
    if getattr(function, "__bascule_fallback__", False) or getattr(member, "__bascule_fallback__", False):
        return "fallback"
    if arguments_of(function) is not None:
        return "in part"
    names = set().union(*map(_code_names, _functions_of(member)))
    if owner is not None:  # names used by helpers of the same class
        for name in [n for n in names if n.startswith("_") and not n.startswith("__")]:
            names |= _code_names(getattr(owner, name, None))
    else:
        home = getattr(function, "__globals__", {})
        for name in list(names):
            if str(getattr(home.get(name), "__module__", "")).startswith("bascule.pandas"):
                names |= _code_names(home[name])
    return "in part" if names & _LEADING and any(reasons(f, owner) for f in _functions_of(member)) else "native"


def _hands_on_to(function: Any, functions: list[Any]) -> bool:
    """Whether the code of a method names one of some functions."""
    home = getattr(inspect.unwrap(function) if callable(function) else None, "__globals__", {})
    return any(home.get(n) is f for n in _code_names(function) if n in home for f in functions)


# Members whose results have members that may fall back, and how the table calls these.
_DOORS = {
    "groupby": "{}GroupBy", "rolling": "Rolling", "expanding": "Expanding", "ewm": "ExponentialMovingWindow",
    "resample": "Resampler", "str": "Series.str", "dt": "Series.dt", "cat": "Series.cat",
}  # fmt: skip
_INDEXERS = frozenset(("loc", "iloc", "at", "iat"))


def _of_class(own: type, theirs: type, prefix: str) -> dict[str, str]:
    states = {}
    for name in dir(theirs):
        if name.startswith("_"):
            continue
        try:
            member = inspect.getattr_static(own, name)
        except AttributeError:
            states[f"{prefix}.{name}"] = "absent"
            continue
        states[f"{prefix}.{name}"] = "in part" if name in _DOORS or name in _INDEXERS else _state(member, own)
    return states


def _of_strings() -> dict[str, str]:
    states = {}
    for name in (n for n in dir(pandas.Series.str) if not n.startswith("_")):
        own = KERNELS.get(name, vars(TextMethods).get(name))
        states[f"Series.str.{name}"] = "fallback" if own is None else "in part"
    return states


def table(ours: Callable[[str], Any]) -> Coverage:
    """The states of all names of pandas; `ours` finds the member of a name here."""
    groups, times = pandas.core.groupby, pandas.core.indexes.accessors.CombinedDatetimelikeProperties
    classes = {name: (ours(name), getattr(pandas, name)) for name in _CLASSES}
    classes["DataFrameGroupBy"] = DataFrameGroupBy, groups.DataFrameGroupBy
    classes["SeriesGroupBy"] = SeriesGroupBy, groups.SeriesGroupBy
    for own in (Rolling, Expanding, ExponentialMovingWindow, Resampler):
        classes[own.__name__] = own, getattr(pandas.api.typing, own.__name__)
    states: dict[str, str] = {}
    for name, (own, theirs) in classes.items():
        states |= _of_class(own, theirs, name)
    states |= _of_strings()
    accessors = {"Series.dt": (TimeProperties, times), "Series.cat": (CategoryMethods, pandas.Series.cat)}
    for prefix, (accessor, theirs) in accessors.items():
        for name in (n for n in dir(theirs) if not n.startswith("_")):
            own = vars(accessor).get(name)
            native = accessor is TimeProperties and name in accessor.fields
            state = "in part" if native else "fallback" if own is None else _state(own, accessor)
            states[f"{prefix}.{name}"] = state
    for name in dir(pandas):
        found = getattr(pandas, name)
        if name.startswith("_") or isinstance(found, type) or not callable(found):
            continue
        states[f"pandas.{name}"] = _state(ours(name))
    owners = {**classes, **accessors, "Series.str": (TextMethods, None)}

    def member(name: str) -> Any:
        prefix, _, last = name.rpartition(".")
        return ours(last) if prefix == "pandas" else inspect.getattr_static(owners[prefix][0], last, None)

    functions = [
        ours(n.removeprefix("pandas.")) for n, s in states.items() if n.startswith("pandas.") and s == "in part"
    ]
    for name in [n for n, s in states.items() if s == "native" and not n.startswith("pandas.")]:
        if _hands_on_to(_function_of(member(name)), functions):
            states[name] = "in part"

    def owner(name: str) -> type | None:
        return owners[name.rpartition(".")[0]][0] if not name.startswith("pandas.") else None

    return Coverage(states, member, owner)
