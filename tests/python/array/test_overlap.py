"""Small writes to strided elements, or to the memory that is read: results follow NumPy's overlap rules."""

import itertools
import operator
import warnings

import bascule as bc
import numpy as np
import pytest

PARTS = {
    "row": np.s_[3, :6],
    "column": np.s_[:6, 2],
    "next column": np.s_[1:7, 2],
    "backwards": np.s_[5::-1, 2],
    "strided": np.s_[2, :12:2],
    "another row": np.s_[4, 1:7],
}
BLOCKS = {
    "block": np.s_[1:5, 1:5],
    "shifted": np.s_[2:6, 1:5],
    "both ways": np.s_[4:0:-1, 5:1:-1],
    "spread": np.s_[::3, ::3],
}
OPERATORS = ["iadd", "isub", "imul", "itruediv", "ifloordiv", "iand", "ixor", "ipow"]
TYPES = ["?", "u1", "i4", "i8", "f4", "f8", "c16"]


def matrix(dtype):
    return (np.arange(144).reshape(12, 12) % 11 + 1).astype(dtype)


def outcome(f):
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")
        try:
            f()
        except Exception as e:
            return TypeError if isinstance(e, TypeError) else type(e)
    return sorted(str(w.message) for w in reported)


def same(dtype, write):
    n, b = matrix(dtype), bc.asarray(matrix(dtype))
    want, got = outcome(lambda: write(n)), outcome(lambda: write(b))
    assert got == want
    assert np.asarray(b).tobytes() == n.tobytes()


def in_place(name, a, to, other):
    part = a[to]
    getattr(operator, name)(part, other(a))
    a[to] = part


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("parts", [PARTS, BLOCKS], ids=["lines", "blocks"])
def test_assigned_within_an_array(parts, dtype):
    for to, of in itertools.product(parts.values(), repeat=2):
        same(dtype, lambda a, to=to, of=of: operator.setitem(a, to, a[of]))
        same(dtype, lambda a, to=to, of=of: operator.setitem(a, to, a.copy()[of]))
    same(dtype, lambda a: operator.setitem(a, slice(None), a[3]))
    same(dtype, lambda a: operator.setitem(a, slice(None), a[:, 3:4]))
    same(dtype, lambda a: operator.setitem(a, np.s_[::-1], a))
    same(dtype, lambda a: operator.setitem(a, slice(None), a.T))


# Complex products and quotients, and powers of floats, are within a bound of NumPy's, not equal to the bit.
EXACT = [
    (name, dtype)
    for name, dtype in itertools.product(OPERATORS, TYPES)
    if not (dtype == "c16" and name in ("itruediv", "imul")) and not (name == "ipow" and dtype[0] in "fc")
]


@pytest.mark.parametrize(("name", "dtype"), EXACT)
@pytest.mark.parametrize("parts", [PARTS, BLOCKS], ids=["lines", "blocks"])
def test_computed_in_place(parts, dtype, name):
    for to, of in itertools.product(parts.values(), repeat=2):
        same(dtype, lambda a, to=to, of=of: in_place(name, a, to, lambda a: a[of]))
        same(dtype, lambda a, to=to, of=of: in_place(name, a, to, lambda a: a.copy()[of]))
    for number in (2, 0, 1.5):
        if number or np.dtype(dtype).kind != "c":
            same(dtype, lambda a, v=number: in_place(name, a, PARTS["column"], lambda a: v))


def test_what_waits_for_the_positions_reads_them_before():
    n = np.arange(40_000.0).reshape(200, 200)
    b = bc.asarray(n)
    later, want = b * 2, n * 2
    b[:6, 2] += b[3, :6]
    b[:, 1] = b[:, 0]
    np.testing.assert_array_equal(np.asarray(later), want)


def test_read_only_positions_are_refused():
    b = bc.asarray(matrix("f8"))
    b.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        b[:6, 2] += 1
    with pytest.raises(ValueError, match="read-only"):
        b[:6, 2] = b[:6, 2]
    assert (np.asarray(b) == matrix("f8")).all()


@pytest.mark.parametrize("dtype", TYPES)
def test_joined_parts(dtype):
    n, b = matrix(dtype), bc.asarray(matrix(dtype))
    parts = [*BLOCKS.values(), np.s_[:, :4], np.s_[:4]]
    for first, second in itertools.product(parts, repeat=2):
        for turned in (lambda a: a, lambda a: a.T, lambda a: a.copy(), lambda a: np.asfortranarray(a)):
            for axis in (0, 1, -1):
                want = got = None
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        want = np.concatenate([n[first], turned(n[second])], axis)
                    except ValueError as e:
                        with pytest.raises(ValueError, match=str(e)[:30]):
                            bc.concatenate([b[first], bc.asarray(turned(n[second]))], axis)
                        continue
                    got = bc.concatenate([b[first], bc.asarray(turned(n[second]))], axis)
                assert np.asarray(got).strides == want.strides
                assert np.asarray(got).tobytes() == want.tobytes()
    assert bc.concatenate([b.T[:3], b.T]).flags.f_contiguous == np.concatenate([n.T[:3], n.T]).flags.f_contiguous
    assert bc.concatenate([b.T, b.T]).flags.f_contiguous
