"""Calls of pandas: arguments are converted to copies, results are converted back, and each call is counted with its reason."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ... import _core
from ... import fallback as _fallback
from ..._array.caller_warnings import at_users_line
from .. import _classes
from .._theirs import follow, pandas
from .as_pandas import OWN_ACCESSORS
from .counted import UNSAID, in_pandas, presented, refuse_on_gpu
from .deprecations import keywords_for_pandas, quietly
from .open_files import before_write
from .scope import with_names
from .writeback import SharedObject, SharedObjects

_OPERATORS = {
    f"__{side}{n}__"
    for side in ("", "r")
    for n in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "matmul", "divmod")
}
_SPECIAL = _OPERATORS | {
    "__abs__", "__neg__", "__pos__", "__invert__", "__round__", "__contains__", "__delitem__", "__array__",
    "__arrow_c_stream__", "__arrow_c_schema__", "__arrow_c_array__",
}  # fmt: skip
HELPERS: tuple[type, ...] = ()  # classes of objects between rows and a result, once pandas is imported
READERS: tuple[type, ...] = ()  # those that read a file some rows at a time


@follow
def _know_helpers() -> None:
    global HELPERS, READERS
    core, io = pandas.core, pandas.io
    READERS = (io.parsers.TextFileReader, io.json._json.JsonReader)
    HELPERS = (core.window.rolling.BaseWindow, core.groupby.groupby.BaseGroupBy, core.arrays.categorical.CategoricalAccessor, core.strings.accessor.StringMethods)  # fmt: skip


_AS_THEY_ARE = frozenset(
    (str, bool, int, float, complex, type(None), bytes, np.bool_, np.int64, np.float64)
)  # of arguments
_IN_TEXT = frozenset(("eval", "query"))  # they evaluate a string with the caller's variables
_PRESENTATION = frozenset("info plot hist boxplot style to_string to_html to_latex to_markdown memory_usage".split())


def _method_of_pandas(f: types.FunctionType) -> Any:
    """The method of pandas' class of the same name, such as `pd.Series.mode`; other functions unchanged."""
    name = f.__name__
    found = [c for c in ("Series", "DataFrame", "Index") if getattr(getattr(_classes, c), name, None) is f]
    methods = {getattr(getattr(pandas, c), name, None) for c in found} - {None}
    if len(methods) < 2:
        return methods.pop() if methods else f

    @functools.wraps(f)
    def of_its_class(x: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(x, name)(*args, **kwargs)

    return of_its_class


def to_pandas(x: Any, shared: SharedObjects | None = None) -> Any:
    """x with every frame, series, index and array of bascule in it converted to pandas' or NumPy's; `lent` records the copies.

    Raises
    ------
    NotImplementedError
        An object to convert is on a GPU.
    """
    if type(x) in _AS_THEY_ARE:
        return x
    if isinstance(x, type):
        return getattr(pandas, x.__name__, x) if x.__module__ == "bascule.pandas" else x
    if isinstance(x, types.FunctionType) and (x.__module__ or "").startswith("bascule.pandas"):
        return _method_of_pandas(x)
    if isinstance(x, functools.partial):
        f = to_pandas(x.func)
        if f is x.func:
            return x
        made = functools.partial(f, *x.args, **x.keywords)
        made.__dict__.update(x.__dict__)  # such as a __name__ that was set on it
        return made
    if isinstance(x, pandas.api.typing.Expression):  # it has every attribute; pandas gives it pandas' frame
        return x
    if hasattr(x, "__bascule_to_pandas__"):
        if shared is not None and hasattr(x, "_device"):
            refuse_on_gpu(shared.name, shared.reason, x._device())
        if shared is None or not hasattr(x, "_become"):
            return x.__bascule_to_pandas__()
        if id(x) not in shared:
            shared[id(x)] = SharedObject(x, x.__bascule_to_pandas__())
        return shared[id(x)].there
    if isinstance(x, (dict, list, tuple)):
        return _fallback.with_items(x, lambda v: to_pandas(v, shared))
    if shared is not None and type(x) is _core.ndarray:
        refuse_on_gpu(shared.name, shared.reason, x.device)
    there = _fallback._to_host(x)
    return there[()] if there is not x and getattr(there, "ndim", 1) == 0 else there


def from_pandas(x: Any) -> Any:
    """x with pandas' frames, series and indexes in it converted to bascule's."""
    if hasattr(x, "__bascule_to_pandas__"):
        return x
    if isinstance(x, pandas.DataFrame):
        return _classes.DataFrame._from_pandas(x)
    if isinstance(x, pandas.Series):
        return _classes.Series._from_pandas(x)
    if isinstance(x, pandas.Index):
        return _classes.Index._from_pandas(x)
    if type(x) in (list, tuple):
        return type(x)(from_pandas(v) for v in x)
    if type(x) is dict:
        return {k: from_pandas(v) for k, v in x.items()}
    if isinstance(x, READERS):
        return Reader(x)
    return Helper(x) if isinstance(x, HELPERS) else x


def count(name: str, reason: str = UNSAID, device: str = "cpu") -> None:
    """Count a call of pandas that is not timed; refuse it where it would move data off a GPU."""
    refuse_on_gpu(name, reason, device)
    _fallback.count(name, reason, "pandas")


def share(name: str, reason: str, function: Any, args: tuple, kwargs: dict, surely: bool = False) -> Any:
    """Call a function of pandas on converted copies: counted, and changes to the copies are copied back.

    Data on a GPU is refused, not converted.
    """
    shared = SharedObjects(name, reason)
    with in_pandas(name, reason, later=True) as running:
        given = to_pandas(args, shared), to_pandas(kwargs, shared)
        running.count()
        made = _on_shared(function, *given, shared, surely)
        running.warns = type(made) is not Helper  # methods called on the result warn themselves
        return made


def _on_shared(function: Any, args: tuple, kwargs: dict, shared: SharedObjects, surely: bool) -> Any:
    """The result of a function of pandas on copies; changes to them are copied back, also when it raises."""
    try:
        result = at_users_line(function, *args, **kwargs)
    finally:
        for one in shared.values():
            one.bring_back(from_pandas, surely)
    same = [one.own for one in shared.values() if one.there is result]
    return same[0] if same else from_pandas(result)


def run(name: str, reason: str, function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a function of pandas as `lend` does."""
    return share(name, reason, function, args, kwargs)


def call(self: Any, name: str, args: tuple = (), kwargs: dict | None = None, reason: str = UNSAID) -> Any:
    """Call pandas' method of that name on a copy of a frame, series or index; changes to the copy are copied back."""

    def of(there: Any, /, *args: Any, **kwargs: Any) -> Any:
        return quietly(lambda: at_users_line(getattr(there, name), *args, **kwargs), kwargs)

    given = keywords_for_pandas(type(self), name, kwargs or {})
    if name.startswith("to_"):
        for target in (*args, *given.values()):
            before_write(target)
    return share(f"{type(self).__name__}.{name}", reason, of, (self, *args), given)


def _method(name: str, like: Any) -> Any:
    def shown(self: Any, *args: Any, **kwargs: Any) -> Any:
        with presented():
            return at_users_line(getattr(to_pandas(self), name), *to_pandas(args), **to_pandas(kwargs))

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return call(self, name, args, with_names(args, kwargs) if name in _IN_TEXT else kwargs)

    if name in _PRESENTATION:
        method = shown
        shown.__bascule_presentation__ = True

    method.__name__, method.__qualname__, method.__doc__ = name, name, getattr(like, "__doc__", None)
    if like is not None:
        method.__wrapped__ = like
    method.__bascule_fallback__ = True
    return method


def _attribute(name: str, like: Any) -> property:
    def read(self: Any) -> Any:
        if name in _PRESENTATION:
            with presented():
                return getattr(to_pandas(self), name)
        if name == "sparse" and not all(str(c.dtype).startswith("Sparse") for c in self._all_columns()):
            raise AttributeError("Can only use the '.sparse' accessor with Sparse data.")  # libraries ask every frame
        with in_pandas(f"{type(self).__name__}.{name}", UNSAID, self._device()):
            return from_pandas(at_users_line(getattr, to_pandas(self), name))

    read.__bascule_fallback__ = True
    read.__bascule_presentation__ = name in _PRESENTATION
    read.__name__ = name
    return (OfClass if isinstance(like, type) else property)(read, doc=getattr(like, "__doc__", None))


class OfClass(property):
    """An accessor of a class; read from the class itself, it provides the accessor's constructors."""

    def __init__(self, fget: Callable, doc: str | None = None):
        super().__init__(fget)
        self.__doc__ = doc  # which Python 3.11 takes from the class where it is only handed on

    def __get__(self, x: Any, owner: type | None = None) -> Any:
        return Constructors(self, owner) if x is None and owner is not None else super().__get__(x, owner)


class Constructors:
    """Attributes of an accessor that need no object, such as `DataFrame.sparse.from_spmatrix`."""

    def __init__(self, accessor: OfClass, owner: type):
        self._accessor, self._owner = accessor, owner
        self.fget = accessor.fget
        self.__doc__ = accessor.__doc__

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        theirs = getattr(getattr(pandas, self._owner.__name__), self.fget.__name__)
        found = getattr(theirs, name)
        if getattr(found, "__self__", None) is None:
            return found
        return lambda *args, **kwargs: run(f"{self._owner.__name__}.{name}", UNSAID, found, *args, **kwargs)


def _constructor(name: str, theirs: type) -> classmethod:
    """A classmethod that constructs an object by pandas' method of that name."""

    def make(cls: type, *args: Any, **kwargs: Any) -> Any:
        return run(f"{cls.__name__}.{name}", UNSAID, getattr(theirs, name), *args, **kwargs)

    make.__name__ = make.__qualname__ = name
    make.__bascule_fallback__ = True
    make.__doc__ = getattr(theirs, name).__doc__
    return classmethod(make)


def install(own: type, find: Callable[[], type], special: str = "") -> None:
    """Add every public member of pandas' class that a class lacks, as a fallback: once pandas is imported.

    Python looks for `special` members, such as operators, in the class only: they are added now.
    """
    for name in special.split():
        setattr(own, name, _method(name, None))
    follow(lambda: _complete(own, find()))


def _complete(own: type, theirs: type) -> None:
    named_as_theirs(own, theirs)
    for name in dir(theirs):
        if (name.startswith("_") and name not in _SPECIAL) or hasattr(own, name):
            continue
        if name in getattr(theirs, "_accessors", ()) and name not in OWN_ACCESSORS:
            continue  # registered by another library: it reads our objects
        like = getattr(theirs, name)
        if getattr(like, "__self__", None) is theirs:
            setattr(own, name, _constructor(name, theirs))
            continue
        setattr(
            own, name, _method(name, like) if callable(like) and not isinstance(like, type) else _attribute(name, like)
        )


_OPTIONS = frozenset("describe_option set_eng_float_format show_versions".split())


def module_function(name: str) -> Any:
    """pandas' function of that name, for bascule's objects."""
    function = getattr(pandas, name)

    def call_it(*args: Any, **kwargs: Any) -> Any:
        if name in _OPTIONS:
            return function(*args, **kwargs)
        if name in _IN_TEXT:
            kwargs = with_names(args, kwargs)
        return run(f"pandas.{name}", UNSAID, function, *args, **kwargs)

    call_it.__name__ = call_it.__qualname__ = name
    call_it.__module__ = "bascule.pandas"
    call_it.__doc__ = function.__doc__
    call_it.__wrapped__ = function
    call_it.__bascule_fallback__ = True
    call_it.__bascule_presentation__ = name in _OPTIONS
    return call_it


def named_as_theirs(own: type, theirs: type) -> None:
    """Give the methods of a class and its bases pandas' qualified names, which errors show."""
    for kind in own.__mro__:
        if not kind.__module__.startswith("bascule.pandas"):
            continue
        for name, member in vars(kind).items():
            function = getattr(member, "__func__", member)
            if hasattr(function, "__code__") and not hasattr(function, "__bascule_named__"):
                home = next((k for k in theirs.__mro__ if name in vars(k)), theirs)
                for f in _layers(function):
                    f.__qualname__, f.__bascule_named__ = f"{home.__name__}.{name}", True


def _helper(there: Any) -> Helper:
    """Make a Helper again from its pickled part."""
    return Helper(there)


def _layers(f: Any) -> Iterator[Any]:
    """A method and the functions that it wraps: Python names the innermost in its errors."""
    while isinstance(f, types.FunctionType) and (f.__module__ or "").startswith("bascule.pandas"):
        yield f
        f = getattr(f, "__wrapped__", None)


class Helper:
    """An object of pandas between rows and a result (a window, an accessor), over a copy of the rows; each use is counted.

    Functions passed to it (``apply``, ``agg``, ...) get pandas' objects.
    """

    __module__ = "bascule.pandas"

    def __init__(self, there: Any):
        self._there = there

    def __bascule_to_pandas__(self) -> Any:
        return self._there

    def __reduce__(self) -> tuple:
        return _helper, (self._there,)

    def _run(self, name: str, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        return run(f"{type(self._there).__name__}.{name}", UNSAID, function, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_there":
            raise AttributeError(f"'{type(self._there).__name__}' object has no attribute '{name}'")
        if name.startswith("_"):
            return getattr(self._there, name)
        like = inspect.getattr_static(type(self._there), name, None)
        if like is None:  # a column by its name
            with presented():
                found = getattr(self._there, name)
            return self._run(name, lambda: found)
        if not callable(like) and not isinstance(like, (classmethod, staticmethod)):
            return self._run(name, getattr, self._there, name)

        def method(*args: Any, **kwargs: Any) -> Any:
            return self._run(name, getattr(self._there, name), *args, **kwargs)

        method.__name__, method.__doc__ = name, like.__doc__
        return method

    def __getitem__(self, key: Any) -> Any:
        return self._run("__getitem__", self._there.__getitem__, key)

    def __iter__(self) -> Iterator[Any]:
        return self._run("__iter__", lambda: map(from_pandas, self._there))

    def __len__(self) -> int:
        return len(self._there)

    def __dir__(self) -> list[str]:
        return dir(self._there)

    def __repr__(self) -> str:
        return repr(self._there)


class Reader(Helper):
    """An object of pandas that reads a file some rows at a time; the rows are converted."""

    __module__ = "bascule.pandas"

    def __next__(self) -> Any:
        return self._run("__next__", self._there.__next__)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: Any) -> None:
        with presented():
            self._there.close()
