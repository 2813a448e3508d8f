"""Calls with hostile arguments, made in a separate process, which may crash.

    python hostile_calls.py KIND SEED FIRST COUNT JOURNAL

makes the calls FIRST to FIRST + COUNT - 1 of a kind. JOURNAL has the text of the current call; JOURNAL.found has the
failures of those before it, one JSON object per line.

table   calls of the conformance table, in which one or two arguments are replaced or added
names   functions and methods of the namespaces, by their signatures
core    functions of the core, as the library calls them, in which one or two arguments are replaced
deadly  calls whose failures the test of this program must find
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import inspect
import io
import json
import mmap
import os
import random
import resource
import signal
import sys
import warnings

import bascule as bc
import conformance
import hostile_values
import numpy as np
import write_coverage  # noqa: F401  (fills the conformance table)
from bascule import _core

SECONDS = 20  # seconds after which a call counts as hanging
MEMORY = 1 << 30  # bytes in addition to those mapped at the start


# Errors that an invalid call may raise: NumPy's classes, and NotImplementedError for features that bascule lacks.
CLASSES = (
    *(TypeError, ValueError, IndexError, MemoryError, OverflowError, ZeroDivisionError, FloatingPointError),
    *(NotImplementedError, np.linalg.LinAlgError, np.exceptions.AxisError, BufferError),
)
# Not called: they exit, stop or change the process for good, or read from or write to addresses in their arguments.
LEFT_OUT = {
    *("set_blas_library", "set_plugin_directories", "from_address", "set_general_form", "set_signature_rules"),
    *("set_time_rules", "set_memory_limit", "trim", "synchronize_stream", "accelerate", "demo", "test", "info"),
    *("set_num_threads", "set_eager_below", "set_default_device", "set_fusion", "set_fastmath"),
    *("set_fp_warnings", "set_late_index_errors", "get_include", "show_config", "breakpoint"),
    *("composite_ufunc", "op_table", "aggregate_table", "ctypeslib", "f2py", "save", "savez", "savez_compressed"),
    *("savetxt", "seterr", "seterrcall", "setbufsize", "set_printoptions", "tofile", "dump", "memmap", "become"),
    *(
        "_in_place_of",
        "begin_export",
        "end_export",
        "fromfile",
        "profile",
        "__jax_array__",
        "show_runtime",
        "set_array_function_like_doc",
    ),
    # objects whose text NumPy's own classes produce
    *("printoptions", "errstate", "nested_iters", "nditer", "ndenumerate", "ndindex", "busdaycalendar"),
}


class Call:
    """One call: its text, which describes the failure completely, and the function that runs it."""

    def __init__(self, text, run, run_numpy=None):
        self.text, self.run, self.run_numpy = text, run, run_numpy


# ---- calls of the table


def _spots(tree):
    """Positions of arguments, and of elements of tuples or lists among them: (list, index) or (keyword, None)."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found += [(node.args, k) for k, x in enumerate(node.args) if not isinstance(x, ast.Starred)]
            found += [(k, None) for k in node.keywords]
        elif isinstance(node, (ast.Tuple, ast.List)):
            found += [(node.elts, k) for k in range(len(node.elts))]
    return found


def _hostile(rng):
    return ast.parse(hostile_values.any_of(rng), mode="eval").body


def _replace(tree, rng):
    spots = _spots(tree)
    if not spots:
        return
    of, k = rng.choice(spots)
    if k is None:
        of.value = _hostile(rng)
    else:
        of[k] = _hostile(rng)


def _add(tree, rng, parameters):
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    if calls and parameters:
        call, name = rng.choice(calls), rng.choice(parameters)
        if all(k.arg != name for k in call.keywords):
            call.keywords.append(ast.keyword(name, _hostile(rng)))


def table(rng):
    row = rng.choice([r for r in conformance.ROWS if r.name not in LEFT_OUT])
    tree = ast.parse(rng.choice(row.calls), mode="eval")
    for _ in range(rng.choice((1, 1, 2))):
        if rng.random() < 0.8:
            _replace(tree, rng)
        else:
            _add(tree, rng, [p.name for p in conformance.parameters(row.name) if p.kind is not p.VAR_POSITIONAL])
    shape = conformance.SHAPES[rng.choice(row.ranks.split())]
    case = shape, rng.choice(conformance.layouts(shape, row.plain)), rng.choice(row.types), row
    text = ast.unparse(tree)
    if "evil.shrinking" in text and "np." in text:
        return table(rng)  # NumPy itself crashes for such a list

    def run(xp):
        names = conformance.environment(text, xp, *case)
        names["evil"] = hostile_values
        return eval(compile(text, "<call>", "eval"), names)

    return Call(f"{text}  with a: {case[2]} {case[0]} {case[1]}", lambda: run(bc), lambda: run(np))


# ---- functions and methods by their names


def _callables(prefix, owner, like=None):
    for name in sorted(vars(owner) if inspect.isclass(owner) else dir(owner)):
        if name in LEFT_OUT or (name.startswith("_") and not inspect.isclass(owner)):
            continue
        f = getattr(owner, name, None)
        if type(getattr(getattr(f, "__wrapped__", None), "__self__", None)) is np.random.RandomState:
            continue  # NumPy's own streams, drawn by NumPy
        if callable(f) and not (inspect.isclass(f) and issubclass(f, (BaseException, np.generic))):
            if name not in ("__class__", "__new__", "__init__", "__init_subclass__", "__subclasshook__", "__del__"):
                yield f"{prefix}{name}"


def _targets():
    from bascule import fft, lib, linalg, special
    from bascule.lib import stride_tricks

    del fft, lib, special, stride_tricks
    of = [("bc.", bc), ("bc.fft.", bc.fft), ("bc.linalg.", linalg), ("bc.random.", bc.random)]
    of += [("bc.lib.stride_tricks.", bc.lib.stride_tricks), ("bc.lib.scimath.", bc.lib.scimath)]
    of += [("bc.special.", bc.special), ("bc.polynomial.", bc.polynomial), ("a.", bc.ndarray)]
    of += [("bc.random.default_rng(5).", type(bc.random.default_rng(5)))]
    found = [t for prefix, owner in of for t in _callables(prefix, owner)]
    for name in ("add", "multiply", "power", "maximum", "sqrt", "divmod", "logical_and", "left_shift"):
        found += [f"bc.{name}.{m}" for m in ("reduce", "accumulate", "reduceat", "at", "outer", "resolve_dtypes")]
    return found


_OPERANDS = ["a", "a", "b", "2", "[1, 2, 3]", "1.5", "arr([0, 1])"]
_KEYWORDS = ["axis", "dtype", "out", "where", "keepdims", "order", "size", "shape", "n", "k", "mode", "initial"]


def _arguments(rng, f):
    """Text of arguments for a function: of the required number or not, one or two or all of them hostile."""
    try:
        parameters = [p for p in inspect.signature(f).parameters.values() if p.name != "self"]
    except (TypeError, ValueError):
        parameters = []
    positions = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = sum(p.default is p.empty for p in positions)
    count = rng.randint(needed, max(len(positions), 3)) if rng.random() < 0.8 else rng.randint(0, 4)
    bad = rng.choice((0.3, 0.5, 1.0))
    one = lambda: hostile_values.any_of(rng) if rng.random() < bad else rng.choice(_OPERANDS)
    given = [one() for _ in range(count)]
    names = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY or p in positions[count:]] or _KEYWORDS
    for name in rng.sample(names, min(len(names), rng.choice((0, 0, 1, 1, 2)))):
        given.append(f"{name}={hostile_values.any_of(rng)}")
    return ", ".join(given)


_OF_NAMES = []


def names(rng):
    if not _OF_NAMES:
        _OF_NAMES.extend(_targets())
    target = rng.choice(_OF_NAMES)
    kind, shape = (
        rng.choice(conformance.TYPES + ("f2", "M8[D]", "m8[s]")),
        rng.choice([(), (0,), (6,), (3, 4), (2, 3, 4)]),
    )

    def spaces(xp):
        make = np.array if xp is np else bc.array
        found = {"bc": xp, "xp": xp, "np": np, "arr": make, "evil": hostile_values}
        found["a"], found["b"] = (make(conformance.elements(shape, kind, seed)) for seed in (1, 2))
        return found

    text = f"{target}({_arguments(rng, eval(target, spaces(bc)))})"

    def run(xp):
        return eval(compile(text, "<call>", "eval"), spaces(xp))

    has_numpys = not target.startswith("bc.special") and "default_rng" not in target
    return Call(f"{text}  with a: {kind} {shape}", lambda: run(bc), (lambda: run(np)) if has_numpys else None)


# ---- functions of the core

CORE = """
empty((2, 3), 'f8') | empty((2, 3), 'f8', None, True) | full((2, 3), 1.5, 'f8') | full(3, 1, 'i8', None, True)
arange(0, 1, 5, 'i8', None) | arange(0.5, 2.5, 5, 'f8', None) | from_numpy(np.ones(3)) | to_numpy(a)
reshape(a, (-1,)) | reshape(a, (4, 3), True) | reshape_view(a, (12,)) | joined([a, a], 0) | joined((a, b), -1)
transpose(a, [1, 0]) | broadcast_to(a, (2, 3, 4)) | view(a, (2, 2), (8, 16), 8) | view(a, (3, 4), (32, 8), 0, 'i8')
words_of_booleans(xp.ones((2, 8), '?')) | astype(a, 'f4') | astype(a, 'i1', True, 'F') | as_scalar(a[0, 0]) | as_scalar(a)
keep_scalar(a[:1, 0]) | is_scalar(a) | set_writeable(a, False) | is_writeable(a) | shares_storage(a, b) | holders(a)
owns_storage(a) | to_device(a, 'cpu', True) | item(a, 5) | item(i, 0) | take(a, i, 1) | nonzero(a) | assign(a, b)
assign(a[0], [1, 2, 3, 4]) | may_share_memory(a, b) | evaluate(a, b) | explain(a + 1) | is_pending(a)
statistics() | device_count('cpu') | check_device('cpu') | describe('cpu') | memory('cpu') | synchronize('cpu')
export_count(a) | sort(a, 1) | sort(a, 0, False) | argsort(a, 1) | argsort(a, 0) | partition(a, 1, [1, 2])
argpartition(a, 0, [1]) | argsort_by([v, v]) | searchsorted(v, v, True) | select_ranks(v, [1, 2])
factorize([v, i], True) | factorize([v], False) | bincount(i, 5) | scatter_add(v, i, v[:3]) | scatter_add(v, i, v[:1])
histogram(v, arr([0.0, 1, 2]), 1.0, True, None, 0) | histogram(v, arr([0.0, 1, 2]), 1.0, False, v, 1)
product(0, a, b.T) | product(1, a, v) | product(2, v[:3], a) | product(3, v, v) | product(0, a, b.T, 'f4', None, True)
product(0, a, b.T, None, xp.zeros((3, 3))) | factor(0, s, s) | factor(1, s) | factor(2, s) | factor(3, a)
factor(4, a) | factor(5, s) | factor(6, s) | factor(7, a) | factor(8, a, b) | factor(9, a, b)
counter_fill('random_bits', (2, 3), 'u8', 5, 0, None) | draw('uniform_draw', (3,), 1, 0, None, 0.0, 1.0)
draw('poisson_draw', (3,), 1, 0, None, 5.0) | draw('integers_draw', (3,), 1, 0, None, 5, 9)
reduce(0, a, None, None, None, False, None, False, True) | reduce(1, a, 1, 'f4', None, True, 1, True, True)
reduce(0, a, (0, 1), None, None, False, None, False, xp.ones((3, 4), '?')) | reduce(3, a, 1, None, v, False, None, False, True)
accumulate(0, a, 1, None, None) | accumulate(2, a, 0, 'f4', None) | accumulate(0, a, 1, None, b)
reduceat(0, a, np.array([0, 2]), 1, None, None) | reduceat(2, a, np.array([1, 0, 2]), 0, 'f4', None)
apply_at(0, v, i, v[:3]) | apply_at(1, v, i, None) | add_at(0, v, i, v[:3], True) | report_fp_errors(0, 5)
Column.plain(v) | Column.plain(v, v > 1) | Column.text(u, o) | Column.text(u, o, o[1:] > 1) | Column.coded(c, t)
Column.recoded(c, t) | len(t) | t.form | t.encoded() | d.decoded() | t.take(i) | t.take(i, True) | d.take(i) | p.take(i)
t.filter(k) | p.filter(k) | t.slice(0, 1, 2) | p.slice(3, -1, 3)
d.slice(0, 2, 2) | t.missing() | d.missing() | t.compare(t, 'lt') | d.compare(d, 'eq') | t.compare(t.slice(0, 1, 1), 'ne')
concat_columns([t, d]) | concat_columns([p, p]) | concat_columns([d, d]) | factorize_columns([p, t], True, False)
factorize_columns([d], False, True) | aggregate_columns(c64, 2, [(p, 'sum', 0, -1), (p, 'cumsum', 0, 0)])
aggregate_columns(c64, 2, [(None, 'size', 0, -1), (t, 'min', 0, -1)]) | aggregate_columns(c64, 2, [(p, 'var', 1, 2)])
Groups([p], True, False).aggregate([(p, 'sum', 0, -1)]) | Groups([t], True, False).aggregate([(q, 'max', 0, -1)]) | Groups.known(i, i, 5)
group_ranks(c64, 2, p, [0.5, 1.0]) | group_ranks(c64, 2, p, [0.5], True) | order_columns([p, t], [True, False], False)
order_columns([d], [False], True) | sort_columns([p], [True], False, [t, d, q]) | sort_columns([t, q], [True, True], True, [])
join_columns([p], [p], 'inner', True) | join_columns([t], [d], 'outer', False) | join_columns([q, t], [q, t], 'left', False)
Labels.range(0, 1, 4) | Labels.range(5, -2, 3) | Labels([p, t]) | len(l) | l.nlevels | l.as_range | l.level(0) | m.level(1)
l.is_unique() | m.is_unique() | l.is_increasing() | m.is_decreasing() | l.equals(m) | l.find([q]) | m.find([p, t])
l.positions_of(l) | n.positions_of(l) | n.between(q.slice(0, 1, 1), None) | align_labels(l, n, 'outer')
align_labels(m, m, 'inner') | range_of(q) | read_csv(b'a,b\\n1,2\\n3,4\\n', {}) | to_dlpack(a, True) | to_dlpack(a, False, True)
read_csv(b'a,b\\n1,x\\n3,\\n', {'separator': ',', 'quote': '"', 'header': 0, 'skip_rows': 0, 'row_limit': 5})
read_csv(b'1,2\\n3,4\\n', {'header': -1, 'names': ['a', 'b'], 'wanted_positions': [1], 'kinds': {'b': 'float64'}})
read_csv(b'a,b\\n1,2\\n', {'range_begin': 0, 'range_end': 4, 'na_words': ['2'], 'wanted_names': ['b']})
from_dlpack(a.__dlpack__()) | dlpack_device(a) | get_fusion() | ndarray((2, 3), 'f8') | ndarray((2,), 'i2', b'123456', 2)
ndarray((2, 2), 'u1', bytearray(8), 1, (4, 2), 'C')
"""
_CORE_CALLS = [c.strip() for line in CORE.strip().splitlines() for c in line.split(" | ")]


def _core_space():
    core = {n: getattr(_core, n) for n in dir(_core) if not n.startswith("_")}
    v, i = bc.array([3.0, 1.0, 2.0, 2.0]), bc.array([0, 2, 1])
    text = _core.Column.text(bc.array([97, 98, 99, 100], "u1"), bc.array([0, 1, 3, 3, 4]))
    words = _core.Column.text(bc.array([97, 98], "u1"), bc.array([0, 1, 2]))
    codes = bc.array([0, 1, -1, 0], "i4")
    q = _core.Column.plain(bc.array([3, 1, 2, 2]))
    return core | {
        "a": bc.array(np.arange(12.0).reshape(3, 4)), "b": bc.array(np.ones((3, 4))), "v": v, "i": i,
        "s": bc.array(np.eye(3) * 2 + 0.5), "u": bc.array([97, 98, 99, 100], "u1"), "o": bc.array([0, 1, 3, 3, 4]),
        "c": codes, "c64": bc.array([0, 1, 1, 0]), "k": bc.array([True, False, True, False]), "t": text,
        "d": _core.Column.coded(codes, words), "p": _core.Column.plain(v), "q": q, "l": _core.Labels.range(0, 1, 4),
        "m": _core.Labels([_core.Column.plain(v), text]), "n": _core.Labels([q]), "bc": bc, "xp": bc, "np": np,
        "arr": bc.array, "evil": hostile_values,
    }  # fmt: skip


_MORE_FOR_CORE = ["t", "d", "p", "q", "l", "m", "n", "[t]", "[p, q]", "i", "c", "c64", "u", "o", "k", "Column", "a + 1"]


def core(rng):
    if rng.random() < 0.5:
        return recorded(rng)
    tree = ast.parse(rng.choice(_CORE_CALLS), mode="eval")
    for _ in range(rng.choice((1, 1, 2))):
        _replace(tree, rng)
        spots = _spots(tree)
        if spots and rng.random() < 0.2:
            of, k = rng.choice(spots)
            other = ast.parse(rng.choice(_MORE_FOR_CORE), mode="eval").body
            if k is None:
                of.value = other
            else:
                of[k] = other
    text = ast.unparse(tree)
    return Call(f"core: {text}", lambda: eval(compile(text, "<call>", "eval"), _core_space()))


class Recorder:
    """Records the core functions that a call of the library calls, with their arguments."""

    def __init__(self):
        self.found = []

    def __enter__(self):
        self.kept = dict(vars(_core))
        for name, f in self.kept.items():
            if callable(f) and not inspect.isclass(f) and not name.startswith("_") and name not in LEFT_OUT:
                setattr(_core, name, self._noting(name, f))
        return self

    def __exit__(self, *_):
        for name, f in self.kept.items():
            setattr(_core, name, f)

    def _noting(self, name, f):
        def noting(*args, **kwargs):
            self.found.append((name, args, kwargs))
            return f(*args, **kwargs)

        return noting


def recorded(rng):
    """A call that the library made to its core, with changed arguments."""
    row = rng.choice([r for r in conformance.ROWS if r.name not in LEFT_OUT])
    call, shape = rng.choice(row.calls), conformance.SHAPES[rng.choice(row.ranks.split())]
    case = shape, rng.choice(conformance.layouts(shape, row.plain)), rng.choice(row.types), row
    space = conformance.environment(call, bc, *case) | {"evil": hostile_values}
    with Recorder() as notes, contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
        eval(conformance.code(call), conformance.Names(bc, **space))
    if not notes.found:
        return Call("nothing", lambda: None)
    name, args, kwargs = rng.choice(notes.found)
    args, strings = list(args), []
    for _ in range(rng.choice((1, 1, 2))):
        at = rng.randrange(len(args) + len(kwargs)) if args or kwargs else -1
        text = hostile_values.any_of(rng)
        strings.append(f"{at if at < len(args) else list(kwargs)[at - len(args)]}={text}")
        with contextlib.suppress(Exception):
            value = eval(text, {"xp": bc, "arr": bc.array, "np": np, **space})
            if 0 <= at < len(args):
                args[at] = value
            elif at >= 0:
                kwargs[list(kwargs)[at - len(args)]] = value
    cut = rng.random() < 0.1
    if cut:
        args = args[: rng.randint(0, len(args))]
    of = f"{call}  with a: {case[2]} {case[0]} {case[1]}"
    return Call(
        f"core.{name}({', '.join(strings)}{' cut' * cut}) of {of}", lambda: getattr(_core, name)(*args, **kwargs)
    )


def deadly(rng):
    """A crash, a hang, and an error that reports a defect of the library."""
    del rng
    number = next(_NUMBERS)

    def run():
        if number == 0:
            os.kill(os.getpid(), signal.SIGSEGV)
        if number == 1:
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            while True:
                pass
        raise SystemError("no result and no error")

    return Call(f"deadly {number}", run)


_NUMBERS = iter(range(int(sys.argv[3]) if len(sys.argv) > 3 else 0, 1 << 30))

# ---- the run


def look_at(r, depth=0):
    """Evaluate a result and read some of its elements; returns what is invalid in its layout."""
    if type(r) is bc.ndarray:
        _core.evaluate(r)
        if not _core.lies_in_storage(r):
            return f"a layout that leaves its memory: {r.shape} {r.strides}"
        if 0 < r.size < 1 << 16:
            repr(r), r.copy()
    elif isinstance(r, (tuple, list)) and depth < 2:
        for x in r[:8]:
            if why := look_at(x, depth + 1):
                return why
    return ""


def outcome(run):
    """(result, error) of a call, without output and warnings."""
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        try:
            return run(), None
        except Exception as error:
            return None, error
        except SystemExit as error:
            return None, RuntimeError(f"it would end the process: {error!r}")


def made(kind, seed, index):
    """The call with a number."""
    return builtins.globals()[kind](random.Random(f"{kind} {seed} {index}"))


def judge(call, mark):
    """The failure of a call by its outcome; empty if there is none."""
    mark("bascule")
    wrong = []
    _, error = outcome(lambda: wrong.append(look_at(call.run())))
    if error is None:
        return wrong[0]
    if isinstance(error, SystemError):
        return f"{type(error).__name__}: {error}"
    if call.text.startswith("core") or isinstance(error, CLASSES) or "as it always does" in str(error):
        return ""
    if call.run_numpy:
        mark("numpy")
        _, theirs = outcome(call.run_numpy)
        if theirs is not None and isinstance(error, type(theirs)):
            return ""
        return f"{type(error).__name__}: {error}, where NumPy gives {theirs!r:.200}"
    return f"{type(error).__name__}: {error}"


def limit():
    with open("/proc/self/statm") as f:
        used = int(f.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main():
    kind, seed, first, count, journal = sys.argv[1], *map(int, sys.argv[2:5]), sys.argv[5]
    names(random.Random(0)), _core_space(), bc.linalg.solve(bc.eye(2), bc.ones(2))
    limit()
    with open(journal, "w+b") as f:
        f.truncate(1 << 16)
        page = mmap.mmap(f.fileno(), 1 << 16)
    found = open(journal + ".found", "a", buffering=1)
    for index in range(first, first + count):
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
        call = made(kind, seed, index)

        def mark(phase, call=call, index=index):
            text = json.dumps([index, phase, call.text[:4000]]).encode()
            page[: len(text) + 1] = text + b"\0"

        if why := judge(call, mark):
            found.write(json.dumps([index, why[:2000], call.text[:4000]]) + "\n")
    page[:5] = b"done\0"
    os._exit(0)  # remaining objects of the calls must not matter


if __name__ == "__main__":
    main()
