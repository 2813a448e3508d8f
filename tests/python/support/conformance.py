"""A table of calls, run with NumPy and with bascule on arrays of many types and layouts; equal calls are native.

A call is an expression. Names in it are functions of the namespace under test, except the operands:

a        the array whose type and layout vary
b        a contiguous array of the shape and type of `a`
m        a boolean array of the shape of `a`
v, w     arrays of one axis, of the type of `a`: five and three elements
k        positions, shape (3,)
np       NumPy, for its types and constants
arr(x)   the array of x
new(x)   an array of zeros like the result x, for out=
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import datetime
import functools
import inspect
import io
import re
import tempfile
import warnings
from dataclasses import dataclass, field

import bascule as bc
import numpy as np

TYPES = ("?", "i1", "u2", "i8", "u8", "f4", "f8", "c16")
REAL = ("?", "i1", "u2", "i8", "u8", "f4", "f8")
FLOATS = ("f2", "f4", "f8", "c8", "c16")
SHAPES = {"0": (), "1": (6,), "2": (3, 4), "3": (2, 3, 4), "s": (4, 4)}
NOTHING = object()


@dataclass(frozen=True)
class Row:
    """Calls of one function, and the kinds of arrays for them."""

    name: str
    ranks: str
    calls: tuple[str, ...]
    types: tuple[str, ...] = TYPES
    rtol: float = 0.0
    plain: bool = False  # without empty operands
    special: bool | str = False  # NaN and infinities among the elements; with "nan" only NaN
    values: str = "any"  # or "positive", "unit"
    seen: dict = field(default_factory=dict, compare=False)


ROWS: list[Row] = []


def row(name, ranks, *calls, types=TYPES, rtol=0.0, **options):
    """Add calls to the table."""
    ROWS.append(Row(name, ranks, calls, tuple(types), rtol, **options))


# ---- operands


@functools.cache
def elements(shape, kind, seed, values="any", special=False):
    rng = np.random.default_rng(seed)
    t = np.dtype(kind)
    if t.kind == "b":
        return rng.random(shape) < 0.5
    if t.kind in "iu":
        return rng.integers(1 if values != "any" or t.kind == "u" else -5, 9 if values != "unit" else 2, shape).astype(
            t
        )
    if t.kind in "mM":
        return rng.integers(-500, 500, shape).astype("i8").view(t)
    low = {"any": -4.0, "positive": 0.5, "unit": -0.9}[values]
    high = 0.9 if values == "unit" else 4.0
    x = np.round(rng.uniform(low, high, shape), 3)
    if t.kind == "c":
        x = x + 1j * np.round(rng.uniform(low, high, shape), 3)
    x = np.asarray(x).astype(t)
    if special and x.size > 3:
        flat = x.reshape(-1)
        flat[1], flat[-1] = np.nan, flat[-1] if special == "nan" else np.inf
    return x


def layouts(shape, plain):
    """Names of the layouts of a shape."""
    found = ["dense"]
    if shape:
        found += ["strided", "reversed", "broadcast"]
        found += ["fortran"] if len(shape) > 1 else []
        found += [] if plain else ["empty"]
    return found


def laid(shape, layout, kind, row):
    """A NumPy array with a layout, and a function that gives a contiguous array the same layout."""
    make = functools.partial(elements, kind=kind, values=row.values, special=row.special)
    if layout == "strided":
        wide = make(tuple(2 * n for n in shape), seed=1)
        return wide, lambda x: x[tuple(slice(1, None, 2) for _ in shape)]
    if layout == "reversed":
        return make(shape, seed=1), lambda x: x[tuple(slice(None, None, -1) for _ in shape)]
    if layout == "broadcast":
        thin = make((1,) + shape[1:], seed=1)
        return thin, lambda x: (bc if type(x) is bc.ndarray else np).broadcast_to(x, shape)
    if layout == "fortran":
        return make(shape, seed=1).T.copy().T, lambda x: x.T.copy().T
    if layout == "empty":
        return make((0,) + shape[1:], seed=1), lambda x: x
    return make(shape, seed=1), lambda x: x


_SEEDS = {"b": 2, "v": 4, "w": 5}


@functools.cache
def words(call):
    return frozenset(re.findall(r"\b[a-z]\b", call))


def environment(call, xp, shape, layout, kind, row):
    """The operands in a call, and the functions of a namespace."""
    take = np.array if xp is np else bc.array
    source, view = laid(shape, layout, kind, row)
    a = view(take(source))
    found = {"a": a}
    for name in words(call) & {"b", "m", "v", "w", "k"}:
        if name == "m":
            x = elements(a.shape, "?", 3)
        elif name == "k":
            x = np.array([2, 0, 1])
        else:
            x = elements({"v": (5,), "w": (3,)}.get(name, a.shape), kind, _SEEDS[name], row.values)
        found[name] = take(x)
    new = lambda x: tuple(map(xp.zeros_like, x)) if isinstance(x, tuple) else xp.zeros_like(x)
    return Names(xp, **found, np=np, arr=take, xp=xp, new=new)


class Names(dict):
    """The names in an expression: operands, then the functions of a namespace, then Python's."""

    def __init__(self, namespace, **operands):
        super().__init__(operands, __builtins__=builtins)
        self.namespace = namespace

    def __missing__(self, name):
        if name == "__import__" or (hasattr(builtins, name) and not hasattr(np, name)):
            return getattr(builtins, name)
        return getattr(self.namespace, name)


@functools.cache
def text_file(text):
    """The name of a file with a text."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as f:
        f.write(text)
    return f.name


# ---- comparison


def differs(ours, theirs, rtol):
    """The difference of two results, or an empty string."""
    if isinstance(theirs, (tuple, list)):
        if not isinstance(ours, (tuple, list)) or len(ours) != len(theirs):
            return f"{type(ours).__name__} {ours!r} is not {theirs!r}"
        return next((d for d in (differs(x, y, rtol) for x, y in zip(ours, theirs)) if d), "")
    if isinstance(theirs, np.poly1d):
        return differs(list(ours.coeffs), list(theirs.coeffs), rtol)
    if type(ours) is bc.ndarray:
        ours = ours.get()
    if isinstance(theirs, (np.ndarray, np.generic)):
        if not hasattr(ours, "dtype"):
            if np.ndim(theirs) or isinstance(theirs, np.ndarray):
                return f"{ours!r} is no array like {theirs!r}"
        elif ours.dtype != theirs.dtype:
            return f"type {ours.dtype} is not {theirs.dtype}"
        if np.shape(ours) != np.shape(theirs):
            return f"shape {np.shape(ours)} is not {np.shape(theirs)}"
        return "" if equal(np.asarray(ours), np.asarray(theirs), rtol) else f"{ours!r}\n is not\n{theirs!r}"
    if isinstance(theirs, (int, float, complex)) and isinstance(ours, (np.ndarray, np.generic)):
        return (
            ""
            if ours.shape == () and equal(np.asarray(ours), np.asarray(theirs), rtol)
            else f"{ours!r} is not {theirs!r}"
        )
    if isinstance(theirs, dict):
        if not isinstance(ours, dict) or list(ours) != list(theirs):
            return f"{ours!r} is not {theirs!r}"
        return next((d for d in (differs(ours[k], v, rtol) for k, v in theirs.items()) if d), "")
    if theirs is None or isinstance(
        theirs, (int, float, complex, str, bytes, bool, type, np.dtype, datetime.date, datetime.timedelta)
    ):
        return "" if ours == theirs or (ours != ours and theirs != theirs) else f"{ours!r} is not {theirs!r}"
    return f"{ours!r} and {theirs!r} are of a type that nothing here compares"


def equal(x, y, rtol):
    if x.dtype.kind not in "fc" or rtol == 0:
        if x.dtype.kind == y.dtype.kind == "f" and (np.signbit(x) != np.signbit(y))[(x == 0) & (y == 0)].any():
            return False  # zeros with another sign
        return np.array_equal(x, y, equal_nan=y.dtype.kind in "fcmM")
    if y.dtype.kind == "c":
        scale = np.full(2, np.abs(y[np.isfinite(y)]).max(initial=1), y.real.dtype)
        parts = ((np.append(getattr(v, p), scale) for v in (x, y)) for p in ("real", "imag"))
        return all(equal(*pair, rtol) for pair in parts)
    small = {"f2": 2e-3, "f4": 2e-6}.get(y.dtype.str[1:], rtol)
    scale = np.abs(y[np.isfinite(y)]).max(initial=1)
    return np.allclose(x, y, rtol=builtins.max(small, rtol), atol=builtins.max(small, rtol) * scale, equal_nan=True)


# ---- the run


# NumPy's functions divide durations by plain integers inside, and so warn of what the caller did not write.
OF_NUMPYS_OWN_CODE = {
    "DeprecationWarning: The 'generic' unit for NumPy timedelta is deprecated, and will raise an error in the future. "
    "This includes implicit conversion of bare integers (e.g. `+ 1`). Please use a specific unit instead."
}


def outcome(call, xp, *case):
    """Value, operands afterwards and warnings, or the error."""
    names = environment(call, xp, *case)
    with (
        warnings.catch_warnings(record=True) as seen,
        np.errstate(all="ignore"),
        contextlib.redirect_stdout(io.StringIO()),
    ):
        warnings.simplefilter("always")
        try:
            r = eval(code(call), names)
        except Exception as error:
            return NOTHING, error
    operands = [names[x] for x in "abmvwk" if x in names]
    return r, [operands, sorted({f"{w.category.__name__}: {w.message}" for w in seen} - OF_NUMPYS_OWN_CODE)]


@functools.cache
def code(call):
    return compile(call, call, "eval")


def kind_of(error):
    """The built-in class that one of NumPy's own error classes derives from."""
    return next(c for c in type(error).__mro__ if c.__module__ in ("builtins", "numpy.exceptions", "numpy.linalg"))


def cases(row):
    for rank in row.ranks.split():
        for layout in layouts(SHAPES[rank], row.plain):
            for kind in row.types:
                yield SHAPES[rank], layout, kind, row


def compared(call, case, eager_below):
    """(failure, whether there was a result) of one call in one case; arrays of `eager_below` elements are lazy."""
    theirs, after = outcome(call, np, *case)
    default = bc._core.get_eager_below()
    bc._core.set_eager_below(eager_below)
    ours, ours_after = outcome(call, bc, *case)
    why, row = "", case[3]
    if theirs is NOTHING:
        if ours is not NOTHING:
            why = f"gave {ours!r}, where NumPy raises {after!r}"
        elif not (isinstance(ours_after, kind_of(after)) or isinstance(after, kind_of(ours_after))):
            why = f"raised {ours_after!r}, NumPy {after!r}"
    elif ours is NOTHING:
        why = f"raised {ours_after!r}"
    else:
        why = differs(ours, theirs, row.rtol) or differs(ours_after, after, row.rtol)
    bc._core.set_eager_below(default)
    return f"{call}  with a: {case[2]} {case[0]} {case[1]}: {why}" if why else "", theirs is not NOTHING


def run(row, call):
    """(failure, whether there was a result) of one call in all its cases. Every second case runs lazily, as large
    arrays do."""
    eager_below = bc._core.get_eager_below()
    found = [compared(call, case, eager_below if k % 2 else 0) for k, case in enumerate(cases(row))]
    return [why for why, _ in found if why], any(useful and not why for why, useful in found)


def run_around_a_block(row, call):
    """The failure of a call on arrays with one axis, slightly shorter and longer than a block; all of them lazy."""
    kinds = [k for k in ("f8", "i8", "f4") if k in row.types][:2]
    around = [((1025,), "strided", k, row) for k in kinds] + [((1023,), "dense", k, row) for k in kinds[:1]]
    return [why for case in around for why, _ in [compared(call, case, 0)] if why]


# ---- parameters of a call


@functools.cache
def parameters(name):
    """Parameters of NumPy's function, in order; for builtins without a signature those of the documentation."""
    known = {"fromstring": "string dtype count sep like"}
    try:
        return list(inspect.signature(getattr(np, name)).parameters.values())
    except ValueError:
        return [inspect.Parameter(p, inspect.Parameter.POSITIONAL_OR_KEYWORD) for p in known.get(name, "").split()]


def keywords(name, call):
    """Names of the parameters that a call passes to a function."""
    found = set()
    given = parameters(name)
    for node in ast.walk(ast.parse(call, mode="eval")):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name):
            continue
        found |= {k.arg for k in node.keywords if k.arg}
        for i, _ in enumerate(node.args):
            variable = next((p for p in given if p.kind is p.VAR_POSITIONAL), None)
            if i < len(given) and given[i].kind in (given[i].POSITIONAL_ONLY, given[i].POSITIONAL_OR_KEYWORD):
                found.add(given[i].name)
            elif variable:
                found.add(variable.name)
    return found
