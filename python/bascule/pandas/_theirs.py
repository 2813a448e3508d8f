"""pandas and pyarrow, which are imported when a program first needs them: importing them takes longer than most work does.

Modules take `pandas`, `pyarrow` and `pc` (`pyarrow.compute`) from here instead of importing them. Any name in them imports
the library, except for classes and values that are only compared with: as long as a library is not imported, no object is
an instance of one of its classes, nor its NaT or NA (`seen`).
"""

from __future__ import annotations

import contextlib
import enum
import functools
import importlib
import importlib.util
import os
import sys
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..interop import after_import
from . import _scalars


class Waiting(type):
    """The metaclass of stand-ins for classes of a library that is not imported yet."""

    _library: str
    _find: Callable[[], type]
    _instead: Callable[..., Any] | None = (
        None  # what to make of arguments as long as the library is not imported, or None
    )

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        made = None if cls._instead is None or cls._library in _loaded else cls._instead(*args, **kwargs)
        if made is not None:
            return made
        kind = cls._find()
        return kind(*map(own, args), **{k: own(v) for k, v in kwargs.items()})

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(cls._find(), name)


def _is_instance(cls: Any, x: Any) -> bool:
    if cls._library not in _loaded:  # objects that stand for others say so
        return type.__instancecheck__(cls, x)
    return isinstance(x, cls._find())


def _is_subclass(cls: Any, kind: type) -> bool:
    return cls._library in _loaded and issubclass(kind, cls._find())


_HOMES = (
    __name__, "bascule.pandas._stand_ins", "bascule.pandas._intervals", "bascule.pandas._text_array"
)  # fmt: skip


def own(x: Any) -> Any:
    """pandas' object for what stands for it here; any other object unchanged."""
    return x.__bascule_to_pandas__() if type(x).__module__ in _HOMES else x


# Classes that are only asked for by `isinstance` and the like before any object of pandas or pyarrow can exist.
_CLASSES = {
    "pandas": "ArrowDtype Categorical CategoricalDtype CategoricalIndex DataFrame DatetimeIndex DatetimeTZDtype Grouper "
    "Index Interval IntervalDtype IntervalIndex MultiIndex NamedAgg Period PeriodDtype PeriodIndex RangeIndex Series "
    "SparseDtype StringDtype Timedelta TimedeltaIndex Timestamp",
    "pandas.api.extensions": "ExtensionArray ExtensionDtype",
    "pandas.api.indexers": "BaseIndexer",
    "pandas.api.typing": "Expression",
    "pandas.core.dtypes.dtypes": "BaseMaskedDtype",
    "pandas.core.resample": "TimeGrouper",
    "pandas.offsets": "BaseOffset BusinessDay Day Tick",
    "pyarrow": "Array ChunkedArray Table",
}
_SCALARS = "pandas._libs"  # the name here of what `_scalars` imports
_BY = {"pandas.offsets": "pandas.tseries.offsets"}  # where a name is found that is an attribute only
_PUBLIC = ("__all__", "__docformat__", "__git_version__", "__version__")  # programs ask a library for these
_made: dict[str, types.ModuleType] = {}
_following: dict[str, list[Callable[[], None]]] = {"pandas": [], _SCALARS: []}
_loaded: set[str] = set()


def is_loaded(library: str = "pandas") -> bool:
    """Whether a library has been imported and its names are here."""
    return library in _loaded


def check_installed() -> None:
    """ModuleNotFoundError, in one sentence, where pandas or Arrow is not installed; neither is imported."""
    for library in ("pandas", "pyarrow"):
        try:
            there = library in sys.modules or importlib.util.find_spec(library) is not None
        except ModuleNotFoundError:
            there = False
        if not there:
            raise ModuleNotFoundError(
                f"bascule.pandas needs {library}, which is not installed: pip install 'bascule[pandas]'", name=library
            ) from None


def load(library: str = "pandas") -> None:
    """Import a library."""
    if library == _SCALARS:
        _load_scalars()
        return
    if sys.modules.get(library) is _made.get(library):  # while pandas' scalars are imported
        sys.modules.pop(library, None)
    theirs = importlib.import_module(library)
    if library not in _loaded:  # imported by other means than Python's usual finders
        _arrived(theirs)


def _arrow_version() -> str | None:
    """The version in the name of Arrow's folder of metadata; None without one. Python's own way to ask takes longer."""
    spec = importlib.util.find_spec("pyarrow")
    if spec is None or not spec.origin:
        return None
    names = os.listdir(os.path.dirname(os.path.dirname(spec.origin)))
    found = [n[len("pyarrow-") : -len(".dist-info")] for n in names if n[:8] == "pyarrow-" and n[-10:] == ".dist-info"]
    return found[0] if len(found) == 1 else None


@contextlib.contextmanager
def _arrow_put_off() -> Iterator[None]:
    """A block in which pandas' scalars may be imported without Arrow, of which they only ask the version.

    They get the module here, which imports Arrow with any other of its names.
    """
    alone = "threading" not in sys.modules or sys.modules["threading"].active_count() == 1
    version = _arrow_version() if alone and "pyarrow" not in sys.modules else None
    if version is None:
        yield
        return
    stand_in = _module("pyarrow")
    stand_in.__version__ = version  # type: ignore[attr-defined]
    sys.modules["pyarrow"] = stand_in
    try:
        yield
    finally:
        if sys.modules.get("pyarrow") is stand_in:
            del sys.modules["pyarrow"]


def _give_arrow_to_scalars(theirs: types.ModuleType) -> None:
    for name, module in list(sys.modules.items()):
        if name.startswith("pandas.") and getattr(module, "__dict__", {}).get("pa") is _made["pyarrow"]:
            module.pa = theirs  # type: ignore[attr-defined]


def _load_scalars() -> None:
    with _arrow_put_off():
        _scalars.load()
    if not _loaded.isdisjoint(("pandas", _SCALARS)):
        return
    if "pandas" in sys.modules:
        load()
        return
    for path in _scalars.HOMES:
        here = vars(_module(path))
        here.update({name: _found(path, name) for name in here if _scalars.home_of(path, name) and name[0] != "_"})
    _scalars_arrived()


def _scalars_arrived() -> None:
    _ask(_SCALARS)
    seen.NaT, seen.NA = _found("pandas", "NaT"), _found("pandas", "NA")
    for f in _following[_SCALARS]:
        f()


def _library_of(path: str, name: str) -> str:
    return _SCALARS if _scalars.home_of(path, name) else path.partition(".")[0]


def _found(path: str, name: str) -> Any:
    """A name of a module of a library that has been imported, perhaps the scalars of pandas alone."""
    home = None if "pandas" in sys.modules else _scalars.home_of(path, name)
    return getattr(importlib.import_module(home or _BY.get(path, path)), name)


def _class(home: str, name: str) -> Waiting:
    library = _library_of(home, name)

    def find() -> type:
        load(library)
        return _found(home, name)

    return Waiting(name, (), {"_find": staticmethod(find), "_library": library, "__module__": home})


def _module(path: str) -> types.ModuleType:
    """A module whose names are those of a library's module, which is imported with the first of them."""
    made = _made.get(path)
    if made is None:
        made = _made[path] = types.ModuleType(path)

        def find(name: str) -> Any:
            if name.startswith("__") and name not in _PUBLIC:
                raise AttributeError(name)
            load(_library_of(path, name))
            found = _found(path, name)
            if path == "pyarrow.compute" and hasattr(found, "__arrow_compute_function__"):
                found = _scalars.of_arrow(found, is_loaded)
            vars(made)[name] = found
            return found

        vars(made)["__getattr__"] = find
        above, _, name = path.rpartition(".")
        if above:
            setattr(_module(above), name, made)
        for name in _CLASSES.get(path, "").split():
            setattr(made, name, _class(path, name))
    return made


def stands_for(path: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: the function answers for that of its name in a module of a library until this is imported.

    Where it returns `NotImplemented`, the library is imported and asked.
    """

    def entered(own: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(own)
        def asked(*args: Any, **kwargs: Any) -> Any:
            found = own(*args, **kwargs)
            if found is not NotImplemented:
                return found
            load(path.partition(".")[0])
            return getattr(importlib.import_module(path), own.__name__)(*args, **kwargs)

        if not is_loaded(path.partition(".")[0]):
            setattr(_module(path), own.__name__, asked)
        return own

    return entered


def follow(f: Callable[[], None], library: str = "pandas") -> Callable[[], None]:
    """Decorator: the function is called once pandas is imported; at once if it is."""
    _following[library].append(f)
    if is_loaded(library):
        f()
    return f


follow_scalars = functools.partial(follow, library=_SCALARS)  # once pandas' scalars are there, perhaps without the rest


def _ask(library: str) -> None:
    """Ask the classes of a library from now on."""
    _loaded.add(library)
    Waiting.__instancecheck__ = _is_instance  # type: ignore[method-assign]  # of those that a variable still holds
    Waiting.__subclasscheck__ = _is_subclass  # type: ignore[method-assign]


def _arrived(theirs: types.ModuleType) -> None:
    """Take over the names of a library that has just been imported."""
    library = theirs.__name__
    _ask(library)
    here = vars(_made[library])
    here.update({n: x for n, x in vars(theirs).items() if not n.startswith("__") or n in _PUBLIC})
    if library == "pyarrow":
        _give_arrow_to_scalars(theirs)
    if library == "pandas" and _SCALARS not in _loaded:
        _scalars_arrived()
    for f in _following["pandas"] if library == "pandas" else ():
        f()


class _Nothing:
    """A class without objects of a program."""


class _Seen:
    """pandas' scalars to compare with: as long as pandas is not imported, no value is one of them."""

    NaT: Any = _Nothing()
    NA: Any = _Nothing()


class _NoDefault(enum.Enum):
    """The default of parameters for which None is a value, as pandas' own."""

    no_default = "NO_DEFAULT"

    def __repr__(self) -> str:
        return "<no_default>"

    def __bascule_to_pandas__(self) -> Any:
        return pandas.api.extensions.no_default


seen = _Seen()
UNSET: Any = _NoDefault.no_default


def unset(x: Any) -> bool:
    """Whether a parameter was not given: it has the default of this library, or of pandas'."""
    return type(x).__name__ == "_NoDefault"


if TYPE_CHECKING:
    import pandas
    import pyarrow
    import pyarrow.compute as pc
else:
    pandas, pyarrow, pc = map(_module, ("pandas", "pyarrow", "pyarrow.compute"))
    for _path in (*_CLASSES, *_scalars.HOMES):
        _module(_path)
check_installed()
after_import.fill({"pandas": _arrived, "pyarrow": _arrived})


_needed: Any = None  # one byte that forked processes share: whether one of them imported pandas


def _before_fork() -> None:
    """Make the byte, if the program uses frames and pandas is not imported yet."""
    global _needed
    if _needed is None and "bascule.pandas._namespace" in sys.modules and "pandas" not in sys.modules:
        import mmap  # imported here because few programs fork

        _needed = mmap.mmap(-1, 1)


def _after_fork() -> None:
    """Once a forked process needed pandas, its parent imports it before it forks others, rather than each of them.

    Not before the fork: modules that take their locks around a fork would release what they have not taken.
    """
    if _needed is not None and _needed[0] and "pandas" not in sys.modules:
        load()


def _note_need() -> None:
    if _needed is not None:
        _needed[0] = 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork)
    follow(_note_need)
