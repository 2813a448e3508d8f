"""Arguments that NumPy refuses or accepts are refused or accepted: casts, values with axes, layouts of results."""

import warnings

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import outcome, same

PROGRAMS = """
place(a, m, 1.5) | place(a, m, [1.5]) | place(a, m, arr([1j])) | place(a, m, arr([300])) | place(a, m, np.float64(2))
place(x, m, arr([1j])) | place(x, m, arr([300])) | place(x, m, arr([3], "i1")) | place(a, m, arr(["2001"], "M8[D]"))
putmask(a, m, 1.5) | putmask(a, m, [1.5]) | putmask(a, m, arr([1j])) | putmask(a, m, arr([300])) | putmask(a, m, 2.5)
putmask(x, m, arr([1j])) | putmask(x, m, arr([300])) | putmask(x, m, arr([3], "i1")) | putmask(t, m, arr([300]))
repeat(v, False) | repeat(v, True) | repeat(v, 1.5) | repeat(v, arr(2, "u8")) | repeat(v, arr(2.0)) | repeat(v, -1)
repeat(v, [1.5, 2.0, 0]) | repeat(v, [True, False, True]) | repeat(v, arr([1.0, 1, 1])) | repeat(v, np.float64(1))
astype(v, "f4").strides | v.astype("f4", order=None) | argmax(v, out=zeros((), "u8")) | argmax(v, out=zeros((), "i4"))
argmax(v, out=zeros((), "u4")) | argmin(w, axis=0, out=zeros(2, "u8")) | argmin(w, axis=0, out=zeros(2, "u1"))
polyfit(v, v, 1, w=arr([1j, 1, 1])) | cov(w, dtype="i1") | cov(w, dtype="?") | corrcoef(w, dtype="i8") | cov(w, dtype="c8")
ones(0, "i8") ** -1 | ones(0, "?") ** -1 | power(ones((0, 3), "i4"), arr([-1, -2, 3])) | ones(1, "i8") ** -1
ones(0, "u1") ** arr(-1) | pad(u, 3, "reflect", reflect_type="odd") | pad(u, 9, "symmetric", reflect_type="odd")
pad(u.astype("i1"), 9, "reflect", reflect_type="odd")
"""
CASES = [p.strip() for line in PROGRAMS.strip().splitlines() for p in line.split(" | ")]


def names(xp):
    arr = np.array if xp is np else bc.array
    found = {n: getattr(xp, n) for n in dir(np) if hasattr(xp, n)} | {"arr": arr, "np": np}
    return found | {
        "a": arr([1, 2, 3]), "x": arr([1, 2, 3], "i1"), "t": arr([True, False, True]), "v": arr([3.0, 1, 2]),
        "m": arr([True, False, True]), "w": arr([[1, 2], [5, 3], [4, 4]]), "u": arr([1, 250, 2], "u1"),
    }  # fmt: skip


@pytest.mark.parametrize("program", CASES)
def test_calls(program):
    def run(xp):
        space = names(xp)
        r = eval(program, space)
        return tuple(v for v in (*(space[k] for k in "axt"), r) if v is not None)

    same_class(run)


def same_class(run):
    """Values to the bit; errors by class, since messages name the function."""
    ours, theirs = outcome(run, bc), outcome(run, np)
    if isinstance(theirs[0], tuple):
        ours, theirs = ours[0][0], theirs[0][0]
        base = {"UFuncTypeError": "TypeError", "UFuncOutputCastingError": "TypeError"}
        ours, theirs = base.get(ours, ours), base.get(theirs, theirs)
    assert ours == theirs


WRITES = [
    "a[0] = [1, 2]", "a[0] = [1]", "a[0] = []", "a[0] = [[1]]", "a[0] = arr([1, 2])", "a[0] = ones(1)", "z[()] = ones(1)",
    "a[0] = ones((1, 1))", "a[0] = np.ones(1)", "a[..., 0] = ones(1)", "w[0, 1] = ones(1)", "w[0, 1, ...] = ones(1)",
    "z[...] = ones(1)", "a.fill(ones(1))", "a.fill([1])", "a.fill([1, 2, 3])", "a.fill(ones(()))", "a.fill(2)",
    "a.fill(np.ones(1))", "a[0] = ones(())", "a[:1] = ones(1)", "a[0] = np.float64(5)",
]  # fmt: skip


@pytest.mark.parametrize("program", WRITES)
def test_writes(program):
    def run(xp):
        space = names(xp) | {"z": (np.array if xp is np else bc.array)(1.0)}
        exec(program, space)
        return space["a"], space["w"], space["z"]

    same(run)


LAYOUTS = """
empty((0, 3)) | empty((3, 0)) | empty((3, 0, 2), order="F") | zeros((0, 3))[:, ::2] | ones((3, 4))[:0] | ones((0, 4)).T
ones((3, 4))[:, 4:] + 1 | ones((0, 4)) + 1 | ones((0, 4)).reshape(4, 0) | ones((0, 4)).copy("F") | ones((3, 0)).sum(0)
ones((3, 0, 2)).astype("f4") | concatenate([ones((0, 3)), ones((0, 3))]) | ones((0, 3)).view("f4") | full((0, 2), 1)
cumsum(f, axis=0) | cumsum(f, axis=1) | cumprod(f, axis=1) | f.cumsum(0) | nancumsum(f, axis=1) | nan_to_num(f)
cumsum(c, axis=0) | cumsum(c.astype("i1"), axis=2) | maximum.accumulate(f, axis=1) | add.accumulate(c, axis=1)
c.cumprod(1) | nan_to_num(c) | cumsum(c.T, axis=0) | cumsum(broadcast_to(f, (2, 2, 3)), axis=1)
"""


@pytest.mark.parametrize("program", [p.strip() for line in LAYOUTS.strip().splitlines() for p in line.split(" | ")])
def test_layouts_of_results(program):
    def run(xp):
        space = names(xp) | {"f": xp.ones((2, 3), order="F"), "c": xp.ones((2, 3, 4)).transpose(1, 0, 2)}
        r = eval(program, space)
        return np.array(r.strides), r

    same(run)


@pytest.mark.parametrize("shape", [(3,), (1, 3), (2, 1), (2, 1, 3), (2, 3, 1), (1, 3, 2)])
@pytest.mark.parametrize("order", "CFAK")
def test_elements_of_broadcasts_one_by_one(shape, order):
    wide = shape[:-1] + (shape[-1] if shape[-1] > 1 else 4,) if len(shape) == 1 else tuple(max(n, 4 - n) for n in shape)

    def run(xp):
        x = xp.broadcast_to(xp.arange(6)[: int(np.prod(shape))].reshape(shape), wide)
        turned = [x.T, x] + ([x.transpose(1, 0, 2), x.transpose(2, 0, 1)] if x.ndim == 3 else [])
        return tuple(y.ravel(order) for y in turned)

    same(run)


SWAPPED = [
    "asarray(s)", "array(s)", "a + s", "add(a, s)", "concatenate([a, s])", "sum(s)", "maximum(s, a)", "where(m, s, a)",
    "dot(a, s)", "sort(s)", "isin(a, s)", "stack([s, s])", "a.searchsorted(s)", "interp(s, a, a)",
]  # fmt: skip


@pytest.mark.parametrize("kind", ["i8", "f4", "c16", "u2"])
@pytest.mark.parametrize("program", SWAPPED)
def test_arrays_whose_bytes_stand_in_the_other_order(program, kind):
    def run(xp):
        s = np.array([3, 1, 2]).astype(np.dtype(kind).newbyteorder(">"))
        with bc.config.set(fallback="silent"):
            r = np.asarray(eval(program, names(xp) | {"s": s}))
        return r.astype(r.dtype.newbyteorder("="))

    same_class(run)


def test_polyutils():
    with bc.config.set(fallback="silent"):
        assert bc.polynomial.polyutils.getdomain([1, 2, 0]).tolist() == [0, 2]
        assert bc.polynomial.polyutils.mapdomain([0.5], [0, 1], [2, 4]).tolist() == [3]
    assert [f["name"] for f in bc.fallbacks()][-1] == "polynomial.polyutils.mapdomain"


def test_times_whose_bytes_stand_in_the_other_order():
    s = np.array(["2001-02-03", "NaT"], ">M8[D]")
    target = np.zeros(2, ">i8")
    with bc.config.set(fallback="silent"):
        assert bc.asarray(s).dtype == s.dtype and bc.asarray(s).tolist() == s.tolist()
        assert bc.add(bc.ones(2, "i8"), 1, out=target) is target
    assert target.tolist() == [2, 2]


def test_a_warning_of_a_conversion_names_the_line_of_the_caller():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        bc.asarray([1e300], "f4")
        np.asarray([1e300], "f4")
    assert [w.filename for w in seen] == [__file__] * 2
    assert seen[0].lineno == seen[1].lineno - 1
    assert str(seen[0].message) == str(seen[1].message)


@pytest.mark.parametrize("offset", range(1, 8))
@pytest.mark.parametrize("kind", ["i2", "f4", "f8", "c16", "u8"])
def test_copies_of_elements_at_odd_addresses(kind, offset):
    raw = np.arange(500, dtype="u1")
    theirs = np.frombuffer(raw, kind, 24, offset)
    ours = bc.frombuffer(raw, kind, 24, offset)
    for cut in (slice(None), slice(None, None, -1), slice(None, None, 3), slice(None, None, -2)):
        assert ours[cut].copy().tobytes() == theirs[cut].copy().tobytes()
        wide = bc.zeros(48, kind)[::2][: len(theirs[cut])]
        wide[...] = ours[cut]
        assert wide.tobytes() == theirs[cut].tobytes()


@pytest.mark.parametrize("n", [0, 2, 100_000])
@pytest.mark.parametrize(
    "types", ["i1 u1 f2", "i1 u2 f4", "i2 u2 c8", "u2 i1 f2", "i4 u1 f4", "? i1 f2", "f8 u1 c8", "i8 u8 f4"]
)
def test_three_operands_meet_in_the_smallest_loop(types: str, n: int) -> None:
    same(lambda xp: xp.clip(*(xp.ones(n, t) for t in types.split())))
    same(lambda xp: xp.clip(*(xp.ones(n, t) for t in types.split()[:2]), 1.5))
    same(lambda xp: xp.clip(xp.ones(n, types.split()[0]), -1e300, xp.ones(n, types.split()[1])))


@pytest.mark.parametrize("n", [0, 2, 100_000])
@pytest.mark.parametrize("name", ["add", "minimum", "multiply"])
def test_python_complex_numbers_take_the_loops_precision(name: str, n: int) -> None:
    for given in ("f2", "f4", "c8"):
        same(lambda xp, t=given: getattr(xp, name)(xp.ones(n, t), 2j, out=xp.zeros(n, "c8"), casting="safe"))
