"""divmod is one ufunc with two results: its errors, warnings and keywords use its own name, as NumPy's."""

import itertools
import warnings

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import bits
from reported_outcomes import same as same_fp_errors

pytestmark = pytest.mark.usefixtures("native")

INF = np.inf


@pytest.fixture(autouse=True)
def _reported_at_the_call():
    """Warnings are issued at the call if they are recorded, as outside of these tests."""
    with bc.config.set(fp_warnings="auto"):
        yield


PAIRS = [([1.0, 2.0], [0.0, 0.0]), ([INF, 1.0], [1.0, 0.0]), ([1, 2], [0, 3]), ([7.5, -2.0], [3.0, 4.0])]


def outcome(program, xp):
    """Types, shapes and bits of the results, or the error; and the warnings."""
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always")
        try:
            results = [np.asarray(r) for r in program(xp)]
            found = [(r.dtype, r.shape, bits(r)) for r in results]
        except Exception as error:
            found = (type(error).__mro__, str(error))
    return found, sorted(str(w.message) for w in reported)


def same(program):
    (wanted, reported), (got, ours) = outcome(program, np), outcome(program, bc)
    assert ours == reported
    if isinstance(wanted, tuple):  # NumPy's private error classes stand for public ones
        assert isinstance(got, tuple) and got[0][0] in wanted[0] and got[1] == wanted[1]
        return
    assert got == wanted


def into(xp, x, y, outputs, **keywords):
    out = tuple(None if o is None else xp.zeros(*o) for o in outputs)
    keywords = {k: xp.asarray(v) if isinstance(v, np.ndarray) else v for k, v in keywords.items()}
    results = xp.divmod(xp.asarray(x), xp.asarray(y), out=out, **keywords)
    assert all(o is None or r is o for o, r in zip(out, results, strict=True))
    return [o for o in out if o is not None]


OUTPUTS = [
    [((2,), "f8"), ((2,), "f8")], [((2,), "f8"), None], [None, ((2,), "f8")], [((2,), "i8"), ((2,), "f8")],
    [((2,), "f8"), ((2,), "i8")], [((3,), "f8"), ((2,), "f8")], [((2,), "f8"), ((3,), "f8")],
    [((2, 2), "f8"), ((2,), "f8")], [((2, 2), "f8"), ((2, 2), "f4")], [((2,), "f8")], [((2,), "i4"), ((2,), "i8")],
]  # fmt: skip


@pytest.mark.parametrize("outputs", OUTPUTS)
@pytest.mark.parametrize("pair", PAIRS)
def test_outputs(pair, outputs):
    same(lambda xp: into(xp, *pair, outputs))
    same(lambda xp: into(xp, *pair, outputs, where=np.array([True, False])))


@pytest.mark.parametrize(
    "keywords",
    [
        {"dtype": "i8"}, {"dtype": "f4"}, {"dtype": "f4", "casting": "unsafe"}, {"dtype": bool}, {"casting": "no"},
        {"signature": "dd->dd"}, {"signature": "ff->ff"}, {"signature": "ddd->d"}, {"signature": ("f4", "f4", None, None)},
        {"dtype": "f4", "signature": "dd->dd"}, {"casting": "none"}, {"order": "F"}, {"foo": 1},
    ],
)  # fmt: skip
@pytest.mark.parametrize("pair", PAIRS)
def test_keywords(pair, keywords):
    same(lambda xp: xp.divmod(*map(xp.asarray, pair), **keywords))
    same(lambda xp: xp.divmod(xp.asarray(np.array(pair[0], "i1")), 3, **keywords))


def test_where_without_an_output_leaves_memory_and_says_so():
    with pytest.warns(UserWarning, match="'where' used without 'out'"):
        quotient, rest = bc.divmod(bc.array([7.0, 1.0]), bc.array([2.0, 0.0]), where=[True, False])
    assert (quotient[0], rest[0]) == (3, 1)


def test_numbers_have_to_fit_the_loop():
    for value in (300, 2**70, -129):
        same(lambda xp, v=value: xp.divmod(xp.asarray([1, 2], dtype="i1"), v))
        same(
            lambda xp, v=value: (
                into(xp, np.array([1, 2], "i1"), 3, [((2,), "i1"), None]) + [xp.divmod(v, 7, order="C")[0]]
            )
        )


def test_operands_may_be_the_outputs():
    x, y = bc.array([7.0, 8.0]), bc.array([2.0, 3.0])
    bc.divmod(x, y, out=(y, x))
    assert (x.tolist(), y.tolist()) == ([1.0, 2.0], [3.0, 2.0])


def test_outputs_of_numpy():
    out = np.zeros(2), np.zeros(2)
    results = bc.divmod(bc.array([7.0, 8.0]), 3, out=out)
    assert results[0] is out[0] and [o.tolist() for o in out] == [[2.0, 2.0], [1.0, 2.0]]


def test_types_without_a_loop():
    same(lambda xp: xp.divmod(xp.asarray([1j]), xp.asarray([1j])))
    same(lambda xp: divmod(xp.asarray([1j]), 2))
    same(lambda xp: xp.divmod(xp.asarray(["2020"], dtype="M8[s]"), xp.asarray([1], dtype="m8[s]")))
    same(lambda xp: divmod(xp.asarray([7], dtype="m8[s]"), xp.asarray([2000], dtype="m8[ms]")))
    same(lambda xp: xp.divmod(xp.asarray([1, 2, 3]), xp.asarray([1, 2])))


def test_durations_warn_once_by_the_name_of_divmod():
    spans, zeros = np.array([7, -7, 0, 5], "m8[s]"), np.array([2, 0, "NaT", 0], "m8[s]")
    for state in ({}, {"divide": "raise"}, {"invalid": "ignore"}):
        for divisor in (zeros, zeros[:1], zeros[1]):
            same_fp_errors(lambda xp, y=divisor: xp.divmod(xp.asarray(spans), xp.asarray(y)), **state)
            same_fp_errors(lambda xp, y=divisor: divmod(xp.asarray(spans), xp.asarray(y)), **state)


@pytest.mark.parametrize("n", [1, 2, 9000])
@pytest.mark.parametrize("errors", ["warn", "raise", "ignore"])
def test_each_fp_error_is_reported_once(n, errors):
    for (x, y), wide in itertools.product([(1.0, 0.0), (INF, 1.0), (1, 0), (0.0, 0.0), (1.0, 3.0)], (True, False)):
        b = np.full(n, y) if wide else y

        def quiet(xp, program, x=x, b=b):
            with np.errstate(all=errors):
                return program(xp, xp.asarray(np.full(n, x)), xp.asarray(b) if isinstance(b, np.ndarray) else b)

        same(lambda xp: quiet(xp, lambda xp, a, b: xp.divmod(a, b)))
        same(lambda xp: quiet(xp, lambda xp, a, b: divmod(a, b)))
        same(lambda xp: quiet(xp, lambda xp, a, b: divmod(b, a)))
        same(lambda xp: quiet(xp, lambda xp, a, b: xp.divmod(a, b, order="C")))


DIVISIONS = ["divmod", "floor_divide", "remainder", "fmod"]


def usual_numbers(rng, n, dtype):
    """Operands with quotients of many sizes, integral ones, and zeros of either sign."""
    y = rng.choice([0.1, 3.0, -7.5, 1e-3, 2.0**-30, 6e4], n) * rng.choice([1, -1], n)
    x = rng.uniform(-1e4, 1e4, n) * rng.choice([0.0, -0.0, 1.0, 1e-3], n)
    return np.where(rng.random(n) < 0.3, np.trunc(x) * y, x).astype(dtype), y.astype(dtype)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("n", [1, 127, 128, 129, 5000, 100_003])
@pytest.mark.parametrize("name", DIVISIONS)
def test_pieces_of_usual_and_of_other_numbers(name, n, dtype):
    def divided(xp, x, y):
        r = getattr(xp, name)(*(xp.asarray(v) if isinstance(v, np.ndarray) else v for v in (x, y)))
        return r if isinstance(r, tuple) else (r,)

    rng = np.random.default_rng(n)
    with np.errstate(all="ignore"), bc.errstate(all="ignore"):
        x, y = usual_numbers(rng, n, dtype)
        odd = x.copy(), y.copy()
        for v in odd:
            v[rng.integers(0, n, 1 + n // 1000)] = rng.choice([INF, -INF, 0.0, -0.0, 1e-300, 1e300])
        for a, b in [(x, y), odd, (x, y[:1]), (x[:1], y), (x[::-1], y), (x, float(y[0])), (float(x[0]), y)]:
            same(lambda xp, a=a, b=b: divided(xp, a, b))
