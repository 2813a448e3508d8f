"""Scalar results in NumPy are NumPy's own scalars here; arrays without axes in NumPy are arrays here (rule 16)."""

import itertools
import operator
import re

import bascule as bc
import conformance
import numpy as np
import pytest
import write_coverage
from conformance import NOTHING, SHAPES
from scalar_results import compared, differs, eager_below, elements, other_form, outcome

TYPES = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 M8[D] m8[ns]".split()

pytestmark = [
    pytest.mark.usefixtures("native"),
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(not bc._core.get_default_device().startswith("cpu"), reason="on a GPU scalars are arrays"),
]


@pytest.fixture(autouse=True)
def _with_numpy(native):
    """Calls that run in NumPy return the same kind of results."""
    with bc.config.set(fallback="silent"):
        yield


def reported(wrong):
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:5])


# ---- functions of the namespace, as in test_conformance.py


def _operands(call, xp, how, kind, row):
    """Operands without axes: NumPy's scalars, or Python's numbers."""
    take, found = np.array if xp is np else bc.array, {}
    for name in conformance.words(call) & set("abmvwk"):
        seed = conformance._SEEDS.get(name, 1)
        if name in "ab":
            x = np.asarray(conformance.elements((), kind, seed, row.values)).astype(kind)
            found[name] = x[()] if how == "scalar" else x.item()
        elif name == "m":
            found[name] = np.True_
        elif name == "k":
            found[name] = take(np.array([2, 0, 1]))
        else:
            found[name] = take(conformance.elements({"v": (5,), "w": (3,)}[name], kind, seed, row.values))
    return conformance.Names(xp, **found, np=np, arr=take, xp=xp)


# `like=` and outputs need an array; NumPy's interp casts a complex scalar, but no complex array.
_ONLY_ARRAYS = re.compile(r"like=|out=|\bput\(")


def _of_scalars(row, call):
    if _ONLY_ARRAYS.search(call):
        return
    for how, kind in itertools.product(("scalar", "python"), row.types):
        if (how == "python" and kind[0] in "mM") or (row.name == "interp" and kind == "c16"):
            continue
        names = [_operands(call, xp, how, kind, row) for xp in (np, bc)]
        theirs, ours = (outcome(eval, conformance.code(call), n) for n in names)
        if theirs[0] is NOTHING and (how == "python" or isinstance(theirs[1], AttributeError)):
            continue  # Python's numbers have no methods
        if why := compared(ours, theirs, row.rtol):
            yield f"{call} with the {how} a of {kind}: {why}"


def _of_arrays(row, call):
    for rank, kind in itertools.product(row.ranks.split(), row.types):
        for below in (0, None):
            case = (SHAPES[rank], "dense", kind, row)
            theirs, after = conformance.outcome(call, np, *case)
            with eager_below(below):
                ours, ours_after = conformance.outcome(call, bc, *case)
            if theirs is NOTHING or ours is NOTHING:
                why = "" if ours is theirs else f"{ours_after!r} is not NumPy's {after!r}"
            else:
                why = differs(ours, theirs, row.rtol)
            if why:
                yield f"{call} with a: {kind} {SHAPES[rank]}, eager below {below}: {why}"


@pytest.mark.parametrize("name", write_coverage.names())
def test_functions(name):
    reported([w for row in write_coverage.rows_of(name) for call in row.calls for w in _of_arrays(row, call)])
    reported([w for row in write_coverage.rows_of(name) for call in row.calls for w in _of_scalars(row, call)])


# ---- elements and methods

_ELEMENTS = """
x[1]; x[-1]; x[0, 1]; x[..., 0]; x[0, ...]; x[...]; x[0, 1, ...]; x[()]; x[np.int64(1)]; x[np.array(1)]; x[True]; x[None]
x[0, None]; x[(1,)]; x[0][1]; x[[1]]; x[[1]][0]; x[1:][0]; x[::-1][0]; x[x == x][0]; x.T[0]; x.real[0]; x.imag[0]; x.flat[1]
x.flat[-1]; list(x.flat); next(iter(x.flat)); x.item(); x.item(1); x.item(0, 1); list(x); [list(r) for r in x]; tuple(x)
min(x); max(x); sorted(x); sum(x); list(reversed(x)); list(enumerate(x)); list(zip(x, x)); x.tolist(); x.copy(); x.take(1)
x.take(np.int64(1)); x.take([1]); x.take(np.array(1)); x.compress([True]); x[:1].squeeze(); x[:1].reshape(()); x.ravel()[0]
x.diagonal()[0]; x.view(x.dtype)[0]; x.astype(x.dtype)[0]; x[0] in x; bool(x.ravel()[0]); x.sum() is x.any()
operator.index(x.ravel()[0]); float(x.ravel()[0]); int(x.ravel()[0]); hash(x.ravel()[0]); x.any() is np.True_
isinstance(x.ravel()[0], (float, complex)); isinstance(x.max(), np.generic); isinstance(x.mean(), np.number); round(x)
"""
_SKIPPED = set(
    "argpartition base byteswap ctypes data device dump dumps fill flags flat getfield newbyteorder partition resize setfield "
    "setflags sort strides to_device tobytes tofile".split()
)
_ARGUMENTS = (
    "",
    "axis=0",
    "axis=None",
    "axis=-1",
    "keepdims=True",
    "0",
    "1",
    "0, 1",
    "axis=0, keepdims=True",
    "decimals=0",
)


def _methods():
    for name in sorted(n for n in dir(np.ndarray) if not n.startswith("_") and n not in _SKIPPED):
        yield from [f"x.{name}({a})" for a in _ARGUMENTS] if callable(getattr(np.ndarray, name)) else [f"x.{name}"]


# Equal elements are in any order there, and 0, 1 is an axis in one call and invalid in another.
_UNTOLD = {
    "x.argsort(axis=None)",
    "x.choose()",
    "x.dot(0, 1)",
    "x.cumsum(0, 1)",
    "x.view(0)",
    "x.view(1)",
    "x.view(0, 1)",
    "x.flatten(0)",
    "x.flatten(1)",
}


def evaluated(text, root, **operands):
    return outcome(eval, conformance.code(text), conformance.Names(root, np=np, operator=operator, **operands))


@pytest.mark.parametrize("kind", TYPES)
def test_elements_and_methods(kind):
    strings = [t.strip() for t in _ELEMENTS.replace("\n", ";").split(";") if t.strip()]
    wrong = []
    for shape, below in itertools.product(((), (4,), (3, 4), (1,)), (0, None)):
        for text in [*strings, *(m for m in _methods() if m not in _UNTOLD)]:
            a = elements(shape, kind)
            with eager_below(below):
                ours = evaluated(text, bc, x=bc.array(a))
            if why := compared(ours, evaluated(text, np, x=a)):
                wrong.append(f"{text} of {shape}: {why}")
    reported(wrong)


# ---- operators

_BINARY = "add sub mul truediv floordiv mod pow and_ or_ xor lshift rshift eq ne lt le gt ge matmul".split()
_IN_PLACE = "iadd isub imul ipow itruediv ior".split()
_UNARY = [operator.neg, operator.pos, abs, operator.invert, operator.not_, operator.index, int, float, bool]
_PAIRS = [(k, k) for k in TYPES] + [
    ("f8", "i8"), ("i8", "f8"), ("f4", "f8"), ("i1", "u1"), ("f8", "c16"), ("?", "i8"), ("i8", "?"), ("M8[D]", "m8[ns]"),
    ("m8[ns]", "i8"), ("i8", "m8[ns]"), ("f2", "f4"), ("u8", "i8"), ("m8[ns]", "f8"),
]  # fmt: skip


def _forms(kind, seed):
    a = elements((4,), kind, seed)
    zero = np.array(a[1])
    yield "an array", bc.array(a), a
    yield "an array without axes", bc.array(zero), zero
    yield "an element", bc.array(a)[1], a[1]
    yield "a Python number", a[1].item(), a[1].item()
    yield "2", 2, 2
    yield "NumPy's array without axes", zero, zero
    yield "NumPy's array", a, a
    if kind[0] not in "mM":
        yield "a list", a.tolist(), a.tolist()
    if kind[0] != "c":
        yield "the largest", bc.array(a).max(), a.max()


def _is_mismatch(a, b):
    """A date with a duration, or a duration with a number: the result of == depends on NumPy if it is called first."""
    kinds = {getattr(x, "dtype", np.dtype(int)).kind for x in (a, b)}
    return len(kinds) > 1 and kinds & {"m", "M"}


@pytest.mark.parametrize("first, second", _PAIRS)
def test_operators(first, second):
    wrong = []
    for (n1, o1, t1), (n2, o2, t2) in itertools.product(_forms(first, 1), _forms(second, 2)):
        if type(o1) is not bc.ndarray and type(o2) is not bc.ndarray:
            continue
        for name in [*_BINARY, "divmod", *(_IN_PLACE if type(o1) is bc.ndarray else ())]:
            if _is_mismatch(t1, t2) and name in ("eq", "ne", "matmul"):
                continue
            if name == "matmul" and "m" in (np.dtype(first).kind + np.dtype(second).kind).lower():
                continue
            f = divmod if name == "divmod" else getattr(operator, name)
            ours, theirs = (x.copy() if name in _IN_PLACE else x for x in (o1, t1))
            if why := compared(outcome(f, ours, o2), outcome(f, theirs, t2)):
                wrong.append(f"{name}({n1}, {n2}): {why}")
    for name, ours, theirs in _forms(first, 1):
        for f in _UNARY if type(ours) is bc.ndarray else ():
            if why := compared(outcome(f, ours), outcome(f, theirs)):
                wrong.append(f"{f.__name__}({name}): {why}")
    reported(wrong)


# ---- ufuncs

_UFUNCS = [n for n in sorted(np.__all__) if isinstance(getattr(np, n), np.ufunc) and hasattr(bc, n)]
_FOLDS = ("", ", 0", ", None", ", axis=0", ", axis=None", ", axis=-1", ", keepdims=True", ", axis=()", ", dtype='f8'")
_CALLS = (
    [f"f.reduce(x{a})" for a in _FOLDS]
    + ["f.reduce(x, initial=1)", "f.reduce(x, axis=None, initial=2)"]
    + [f"f.accumulate(x{a})" for a in _FOLDS[:6]]
    + [f"f.reduceat(x, {i})" for i in ("[0]", "[0, 1]", "0", "np.int64(1)")]
    + ["f.outer(x, x)", "f.outer(x, 2)", "f.outer(2, x)", "f.outer(2, 3)", "f.outer(x, x.ravel()[0])"]
    + ["(f.at(x, [0], 1), x)[1]", "(f.at(x, (), 1), x)[1]", "(f.at(x, ..., 1), x)[1]"]
)
# NumPy's vectorized loops read elements that they have just written for these, and it has more float16 loops of others.
_VALUES_OF_THEIR_OWN = {"arctan2", "atan2", "pow", "power"}
_LOOPS_OF_THEIR_OWN = {"ldexp", "nextafter"}


@pytest.mark.parametrize("name", [n for n in _UFUNCS if getattr(np, n).nin == 2 and getattr(np, n).nout == 1])
def test_methods_of_ufuncs(name):
    wrong = []
    for kind, shape in itertools.product(
        ("?", "i4", "i8", "u1", "f2", "f4", "f8", "c16", "m8[ns]"), ((), (4,), (3, 4))
    ):
        for text in _CALLS:
            if name in _LOOPS_OF_THEIR_OWN or (".reduce" in text and name in _VALUES_OF_THEIR_OWN):
                continue
            a = elements(shape, kind)
            theirs = evaluated(text, np, f=getattr(np, name), x=a)
            if theirs[0] is NOTHING and ".at(" in text:
                continue  # which of two errors is raised first
            if why := compared(evaluated(text, bc, f=getattr(bc, name), x=bc.array(elements(shape, kind))), theirs):
                wrong.append(f"{name}: {text} of {kind} {shape}: {why}")
    reported(wrong)


@pytest.mark.parametrize("name", [n for n in _UFUNCS if n not in _LOOPS_OF_THEIR_OWN])
def test_ufuncs(name):
    ours, theirs, wrong = getattr(bc, name), getattr(np, name), []
    for kind in ("?", "i4", "i8", "u1", "f2", "f4", "f8", "c16", "m8[ns]"):
        if name == "matmul" and kind == "m8[ns]":
            continue  # which of two errors is raised first
        forms = [f for f in _forms(kind, 1) if f[0] != "NumPy's array" and not (kind == "m8[ns]" and "Python" in f[0])]
        for given in itertools.product(forms, repeat=theirs.nin):
            for options in ({}, {"out": ...}, {"where": True}, *([{"dtype": "f8"}] if theirs.nin == 1 else [])):
                call = lambda f, k: outcome(lambda: f(*(g[k] for g in given), **options))
                if why := compared(call(ours, 1), call(theirs, 2)):
                    wrong.append(f"{name}({', '.join(g[0] for g in given)}, {options}) of {kind}: {why}")
    reported(wrong)


# ---- functions outside the function table

_LINEAR_ALGEBRA = """
norm(x); norm(x, 1); norm(x, 2); norm(x, np.inf); norm(x, -np.inf); norm(x, 0); norm(x, 3); norm(x, 'fro'); norm(x, 'nuc')
norm(x, -2); norm(x, -1); norm(x, axis=0); norm(x, axis=-1, keepdims=True); norm(x, keepdims=True); norm(x, 2, keepdims=True)
norm(x, 'fro', keepdims=True); norm(x, 1, axis=(0, 1), keepdims=True); norm(x, axis=(-2, -1)); vector_norm(x)
vector_norm(x, keepdims=True); vector_norm(x, axis=0); vector_norm(x, ord=1); vector_norm(x, ord=np.inf); vector_norm(x, ord=0)
vector_norm(x, axis=(0, 1)); matrix_norm(x); matrix_norm(x, ord='nuc'); matrix_norm(x, ord=2, keepdims=True); det(x); slogdet(x)
matrix_norm(x, ord=1); cond(x); cond(x, 1); cond(x, 'fro'); cond(x, -2); matrix_rank(x); matrix_rank(x, tol=0.1)
matrix_rank(x, hermitian=True); matrix_rank(x, rtol=1e-3); inv(x); pinv(x); solve(x, x[0]); lstsq(x, x[0])[1:3]; lstsq(x, x)[1:3]
eigvals(x)[..., 0]; svd(x)[1][..., 0]; svdvals(x); qr(x, 'r')[..., 0, 0]; trace(x); trace(x, offset=1); diagonal(x)
vecdot(x, x); vecdot(x, x, axis=0); matmul(x, x); outer(x, x); tensordot(x, x, x.ndim); tensordot(x, x, 0); tensordot(x, x, 1)
cross(x, x); matrix_power(x, 2); multi_dot([x, x]); multi_dot([x, x, x]); multi_dot([x[0], x, x[0]]); cholesky(x); eigvalsh(x)[0]
"""


@pytest.mark.parametrize("kind", ["f8", "f4", "c16", "i8", "?"])
def test_linear_algebra(kind):
    square = lambda *shape: elements(shape, kind) + (np.eye(3) * 9).astype(kind)
    arrays = [square(3, 3), square(2, 3, 3), *(elements(s, kind) for s in ((4,), (), (3, 4), (1, 1), (1,)))]
    arrays.append(np.zeros((3, 3), kind))
    wrong = []
    for text in (t.strip() for t in _LINEAR_ALGEBRA.replace("\n", ";").split(";") if t.strip()):
        for a in arrays if kind != "?" or not text.startswith("cond") else ():  # those are singular up to rounding
            ours, theirs = evaluated(text, bc.linalg, x=bc.array(a)), evaluated(text, np.linalg, x=a)
            if why := compared(ours, theirs, 1e-6 if np.dtype(kind).char in "fF" else 1e-10):
                wrong.append(f"linalg.{text} of {a.shape}: {why}")
    reported(wrong)


_MORE = """
dot(x, 2); dot(2, x); dot(3, 4); vdot(3, 4); inner(x, 2); inner(2, 3); outer(x, 2); einsum('i,i', x, x); einsum('i->', x)
einsum('ii', x); einsum('ij->', x); einsum('...->...', x); einsum(',', 2, 3); einsum('ij,ij', x, x); kron(x, 2); kron(2, 3)
einsum('i,i', x, x, optimize=True); einsum('i,i,i', x, x, x, optimize=True); einsum('i,j->', x, x, optimize=True)
cross([1, 2], [3, 4]); cross([1, 2, 3], [3, 4, 5]); tensordot(x, x, 0); tensordot(2, 3, 0); matvec(x, x[0]); vecmat(x[0], x)
polyval([1, 2], 2); polyval([1, 2], x); polyval(x, 2); poly1d([1, 2])(2); poly1d([1, 2])(x); poly1d([1, 2, 3]).deriv()(2)
poly1d([1, 2])[0]; poly1d([1, 2]).order; polyfit([1, 2, 3], [1, 2, 4], 1)[0]; roots([1, -3, 2])[0]; poly([1, 2])[0]; poly([])
polyadd(1, 2); polymul([1], 2); histogram(x)[0][0]; bincount([1, 2])[1]; digitize(2, [1, 2, 3]); digitize([2], [1, 2, 3])
histogram(x, density=True)[0][0]; searchsorted([1, 2, 3], 2); searchsorted([1, 2, 3], [2]); searchsorted([1, 2, 3], np.array(2))
digitize(x, [1, 2, 3]); unique(x)[0]; unique(x, return_counts=True); unique(x, return_index=True, return_inverse=True)
unique_counts(x); unique_all(x); unique_inverse(x); isin(2, [1, 2]); isin([2], [2]); intersect1d(x, x); setdiff1d(x, [])
union1d(2, 3); allclose(x, x); array_equal(x, x); array_equiv(x, x); isclose(1, 1); isclose(x, x); isclose(np.float64(1), 1.0)
isclose(np.array(1.0), 1); isscalar(x); isscalar(x.ravel()[0]); isscalar(x.sum()); isscalar(2); isscalar('a'); ndim(2)
ndim(x.ravel()[0]); size(x); size(2); shape(2); shape(x.ravel()[0]); where(True, 1, 2); where(x.any(), 1.0, 2)
where(np.True_, 1, 2); select([True], [1]); select([x == x], [x]); piecewise(2.0, [True], [1]); piecewise(x, [x == x], [1])
clip(3, 1, 2); clip(np.float64(3), 1, 2); clip(x, 1, 2); round(2.567, 1); round(3); round(np.float32(2.567), 1); around(x)
fix(2.7); copy(2); copy(x); copy(x.ravel()[0]); real_if_close(2 + 0j); real_if_close(x); real(2 + 1j); imag(2 + 1j); angle(1j)
conj(1j); nan_to_num(np.nan); nan_to_num(2); nan_to_num(np.array(2)); sinc(0.5); i0(0.5); iscomplex(1j); isreal(2)
isposinf(2.0); isneginf(x); unwrap([0.0, 6.5])[1]; interp(2.5, [1, 2, 3], [1, 4, 9]); interp([2.5], [1, 2, 3], [1, 4, 9])[0]
interp(np.array(2.5), [1, 2, 3], [1, 4, 9]); interp(np.float64(2.5), [1, 2, 3], [1, 4, 9], period=2); trapezoid([1, 2, 3])
interp(2.5, [1, 2, 3], [1, 4j, 9]); trapezoid(x); gradient([1, 2, 4.0])[0]; diff([1, 3])[0]; ptp(x); ptp(2); average(x)
average(x, weights=x); average(x, returned=True); average(x, axis=0, returned=True); average(2); median(x); median(2)
median(x, axis=0); nanmedian(x); nanmedian(2.0); percentile(x, 50); percentile(x, [50]); percentile(x, 50, axis=0); quantile(x, 0.5)
percentile(2, 50); quantile(x, np.float64(0.5)); quantile(x, np.array(0.5)); quantile(x, [0.25, 0.75])[0]; nanquantile(x, 0.5)
percentile(x, 50, method='lower'); cov(x); cov([1, 2, 3.0]); corrcoef(x); corrcoef([1, 2, 3.0], [1, 2, 4.0])[0, 1]
corrcoef([1, 2, 3.0]); std(x); std(x, ddof=1); var(x); var(2); nanstd(x); nanvar(2.0); nanmean(x); nansum(x); nansum(2)
nanprod(x); nanmax(x); nanmin(2.0); nanargmax(x); nanargmin([1, 2]); count_nonzero(x); count_nonzero(2); count_nonzero([1, 0])
count_nonzero(x, keepdims=True); argmin([1, 2]); argmax(2); sum(2); sum([1, 2]); sum([]); prod([]); max(2); min([1, 2]); any(2)
all([]); mean(2); mean([1, 2]); cumsum(2); take(x, 1); take([1, 2], 1); take(2, 0); take_along_axis(x, argmax(x, 0, keepdims=True), 0)
extract([True], x); choose(0, [1, 2]); choose([0, 1], [1, 2]); choose(0, [x, x]); squeeze(x[:1]); ravel(2)[0]; expand_dims(2, 0)
broadcast_to(2, ()); broadcast_arrays(2, x); array(2); asarray(x.sum()); zeros(()); ones(()); full((), 2); zeros_like(2)
full_like(x.ravel()[0], 2); zeros_like(x.ravel()[0]); linspace(0, 1, 3, retstep=True)[1]; linspace(0, 1, 1, retstep=True)[1]
stack([1, 2]); stack([x.ravel()[0], x.ravel()[0]]); hstack([1, 2]); append(1, 2); insert([1, 2], 0, 3)[0]; block(2); tile(2, ())
repeat(2, 2); roll(2, 1); flip(2); pad(2, 0); lexsort([1, 2]); unravel_index(5, (2, 3)); unravel_index([5], (2, 3)); sort(x, axis=None)[0]
unravel_index(np.array(5), (2, 3)); ravel_multi_index((1, 2), (2, 3)); ravel_multi_index(([1], [2]), (2, 3)); fromiter([1], float)[0]
apply_along_axis(np.sum, 0, x); apply_along_axis(lambda v: v[0], 0, x); apply_along_axis(lambda v: v.sum(), -1, [1, 2])
apply_over_axes(sum, x, 0); vectorize(lambda v: v + 1)(2); vectorize(lambda v, w: v + w)(2, 3.0)
vectorize(lambda v: v.sum(), signature='(n)->()')([1, 2]); loadtxt(['1']); loadtxt(['1 2']); genfromtxt(['1']); modf(2.5)
modf(np.array(2.5)); frexp(2.5); frexp(np.array(2.5)); divmod(5, 3); divmod(np.array(5), 2); divmod(x, 2); modf(x); ldexp(2.0, 3)
datetime64('2020-01-01') - datetime64('2019-01-01'); array(np.datetime64('2020-01-01')); array(['2020-01-01'], 'M8[D]')[0]
emath.sqrt(-1); emath.log(-1.0); emath.power(-1, 0.5); emath.arccos(2); emath.sqrt(4.0); emath.log2(2); emath.logn(2, 4)
emath.sqrt(np.array(-1.0)); fft.fft([1, 2])[0]; fft.rfft(x); fft.ifft([1])[0]; fft.fftfreq(4)[1]; fft.hfft([1, 2])[0]; fft.fft(x)
lib.stride_tricks.sliding_window_view(x, 1)[0]; ndenumerate(x).__next__(); broadcast(x, 2).__next__(); broadcast(1, 2).__next__()
iinfo('i4').max; finfo('f8').eps; correlate([1, 2], [1, 2]); convolve([1], [2])[0]; kaiser(3, 1)[1]; min_scalar_type(x.sum())
array(2.0) + 1; 1 + array(2.0); array(2.0) * array(3.0); -array(2.0); abs(array(-2.0)); array(2) // 2; array(True) & True
~array(True); array(2) < 3; array(2) == 2; array(2) == None; array(2) != 'a'; array(2) ** 2; array(2) ** 0.5; 2 ** array(3)
array(2.5) % 1; array(True) ** 2; array([True]) ** 2; np.float64(2) + array(3.0); np.float64(2) + x; float16(1) + array(2, 'f2')
x.sum() / x.size; x.max() - x.min(); x.mean() - x; (x - x.mean()) / x.std(); x.any() and 1; f'{x.mean():.2f}'; str(x.max())
repr(x.sum()); type(x.argmax()); type(x.mean()); type((x > x).any()); x.sum() * [1.5]; [1, 2][x.argmax() * 0]
polynomial.polynomial.polyval(2, [1, 2])
polynomial.chebyshev.chebval(2, [1, 2]); polynomial.polynomial.polyroots([1, -3, 2])[0]
"""


@pytest.mark.parametrize("kind", ["f8", "f4", "c16", "i8", "?", "f2", "u1", "m8[ns]"])
def test_more_calls(kind):
    wrong = []
    for text in (t.strip() for t in _MORE.replace("\n", ";").split(";") if t.strip()):
        for shape, below in itertools.product(((4,), (3, 4), (3, 3), ()), (0, None)):
            a = elements(shape, kind)
            with eager_below(below):
                ours = evaluated(text, bc, x=bc.array(a))
            theirs = evaluated(text, np, x=a)
            if kind == "m8[ns]" and theirs[0] is NOTHING:
                continue  # functions that do not take dates and durations
            if why := compared(ours, theirs, 2e-3 if kind == "f2" else 1e-5 if kind == "f4" else 1e-10):
                wrong.append(f"{text} of {kind} {shape}, eager below {below}: {why}")
    reported(wrong)


# ---- draws: the streams are bascule's own, and so are the values

_PARAMETERS = {
    "beta": (1, 2), "binomial": (5, 0.5), "chisquare": (2,), "f": (2, 3), "gamma": (2,), "geometric": (0.5,), "choice": (5,),
    "hypergeometric": (5, 5, 3), "logseries": (0.5,), "multinomial": (5, [0.5, 0.5]), "negative_binomial": (3, 0.5),
    "noncentral_chisquare": (2, 1), "noncentral_f": (2, 3, 1), "pareto": (2,), "poisson": (3,), "power": (2,), "randint": (5,),
    "standard_gamma": (2,), "standard_t": (3,), "triangular": (0, 1, 2), "vonmises": (0, 1), "wald": (1, 2), "weibull": (2,),
    "zipf": (2,), "integers": (5,), "multivariate_normal": ([0, 0], np.eye(2)), "dirichlet": ([1, 2],), "permutation": (3,),
    "exponential": (), "gumbel": (), "laplace": (), "logistic": (), "lognormal": (), "normal": (), "random": (), "rayleigh": (),
    "standard_cauchy": (), "standard_exponential": (), "standard_normal": (), "uniform": (), "random_sample": (), "rand": (),
    "randn": (), "ranf": (), "sample": (), "permuted": ([1, 2],), "multivariate_hypergeometric": ([3, 4], 3),
}  # fmt: skip
_OPTIONS = {
    "choice": ({"p": [0.2] * 5}, {"replace": False}, {"size": ()}, {"size": 2}),
    "integers": (
        {"dtype": "i4"},
        {"dtype": "u1"},
        {"endpoint": True},
        {"size": ()},
        {"dtype": int},
        {"dtype": np.int64},
    ),
    "randint": ({"dtype": "i4"}, {"dtype": "u1"}, {"size": ()}, {"dtype": int}, {"dtype": np.int64}),
    "random": ({"dtype": "f4"}, {"size": ()}, {"size": None}, {"size": 1}),
    "standard_normal": ({"dtype": "f4"}, {"size": ()}, {"size": None}),
    "standard_exponential": ({"dtype": "f4"}, {"size": ()}, {"method": "inv"}),
    "standard_gamma": ({"dtype": "f4"}, {"size": ()}, {"size": None}),
    **dict.fromkeys(("permutation", "permuted", "rand", "randn"), ()),
}


@pytest.mark.parametrize(
    "source", [lambda xp: xp.random.default_rng(3), lambda xp: xp.random.RandomState(3), lambda xp: xp.random]
)
def test_draws(source):
    ours, theirs, wrong = source(bc), source(np), []
    ours_of = lambda x: bc.array(x) if isinstance(x, np.ndarray) else x
    for name, plain in _PARAMETERS.items():
        if not hasattr(theirs, name):
            continue
        ways = [(plain, k) for k in ({}, *_OPTIONS.get(name, ({"size": ()}, {"size": 2}, {"size": None})))]
        if plain and np.ndim(plain[0]) == 0:
            ways += [((x(plain[0]), *plain[1:]), {}) for x in (np.array, np.float64, lambda v: [v])]
        for args, options in ways:
            a, _ = outcome(lambda: getattr(ours, name)(*map(ours_of, args), **options))
            b, _ = outcome(lambda: getattr(theirs, name)(*args, **options))
            if a is NOTHING or b is NOTHING:
                why = "" if a is b else f"{a!r} is not {b!r}"
            else:
                why = other_form(a, b) or ("" if np.shape(a) == np.shape(b) else f"shape {np.shape(a)}")
                why = why or ("" if getattr(a, "dtype", None) == getattr(b, "dtype", None) else f"type {a.dtype}")
            if why:
                wrong.append(f"{name}{args} {options}: {why}")
    reported(wrong)


# ---- special functions


@pytest.mark.parametrize("name", bc.special.__all__)
def test_special_functions(name):
    special = pytest.importorskip("scipy.special")
    ours, theirs, wrong = getattr(bc.special, name), getattr(special, name, np.sinc), []
    count = getattr(theirs, "nin", 1)
    for x in (0.3, 1, np.float64(0.3), np.float32(0.25), np.array(0.3), np.array([0.3, 0.5]), np.array([[0.3, 0.5]])):
        o = bc.array(x) if isinstance(x, np.ndarray) else x
        if why := compared(outcome(lambda: ours(*[o] * count)), outcome(lambda: theirs(*[x] * count)), 1e-6):
            wrong.append(f"{name}({x!r}): {why}")
    reported(wrong)


# ---- devices

_MADE_OF_SCALARS = """
apply_over_axes(sum, x, 0); nanquantile(x, 0.3, keepdims=True); nanpercentile(x, [30]); median(x, keepdims=True); cross(x[:3], x[:3])
linalg.norm(x, keepdims=True); linalg.vector_norm(x, keepdims=True); interp(x, x, x); choose(zero, [x, x], mode='wrap')
histogram(x)[0]; histogram(x)[1]; cov(x[None, :], fweights=k); polyder(x); take(x, k, mode='clip'); average(x, keepdims=True)
select([x > 1], [x]); vectorize(lambda v: v + 1)(zero); unique(x, return_counts=True)[1]; einsum('i->i', x); diff(x, prepend=x[0])
nanvar(x, keepdims=True); nanmean(x, 0, keepdims=True, where=x > 0); pad(x, 1, 'mean'); trim_zeros(x); ediff1d(x, x[0])
"""


@pytest.mark.parametrize("text", [t.strip() for t in _MADE_OF_SCALARS.replace("\n", ";").split(";") if t.strip()])
def test_arrays_stay_alongside_their_operands(text):
    """Intermediate scalars have no device."""
    a, k = np.array([0.5, 1.0, 2.5, 4.0]), np.array([1, 2, 0, 1])
    here = lambda x: bc.array(x).to_device("reference")
    ours, error = evaluated(text, bc, x=here(a), k=here(k), zero=here(np.array(0)))
    assert error is None or "does not run on reference" in str(error) or "does not exist" in str(error), error
    if error is None:
        assert not differs(ours, evaluated(text, np, x=a, k=k, zero=np.array(0))[0]) and ours.device == "reference"


def test_scalars_without_axes_alongside_an_array_of_another_device():
    x = bc.array([1.0, 2.0, 3.0]).to_device("reference")
    assert bc.interp(x[1], x, x) == 2.0 and bc.nanvar(x[0], where=True) == 0.0
    assert type(bc.interp(x.max(), x, x)) is np.float64 and (x * x.max()).device == "reference"
    assert bc.nanmean(bc.array(2.0).to_device("reference"), where=bc.array(True).to_device("reference")) == 2.0
