"""vectorize: traced functions against NumPy's, functions that need numbers, signatures; joins by index."""

import math
import pickle
import random

import bascule as bc
import numpy as np
import pytest
from numpy.testing import assert_array_equal

pytestmark = pytest.mark.usefixtures("native")


def same(ours, theirs):
    assert type(ours) is bc.ndarray and ours.dtype == theirs.dtype and ours.shape == np.shape(theirs)
    assert_array_equal(ours.get(), theirs)


FUNCTIONS = [
    lambda x, y: x * y + 1,
    lambda x, y: (x > y) & (x < 3),
    lambda x, y: np.sin(x) / 2,
    lambda x, y: abs(-x) // 2 % 3,
    lambda x, y: 5,
    lambda x, y: 2 - x,
    lambda x, y: np.maximum(x, y),
]


@pytest.mark.parametrize("f", FUNCTIONS)
@pytest.mark.parametrize("t", ["i8", "f4", "f8"])
def test_traced_functions_are_numpys(f, t):
    x, y = np.arange(6).reshape(2, 3).astype(t), np.array([3, 1, 2]).astype(t)
    ours, theirs = bc.vectorize(f)(bc.array(x), bc.array(y)), np.vectorize(f)(x, y)
    assert ours.shape == theirs.shape and ours.dtype == theirs.dtype
    np.testing.assert_allclose(ours.get(), theirs, rtol=1e-6 if t == "f4" else 1e-15)


def test_a_traced_function_is_one_lazy_pass():
    x = bc.arange(100_000.0)
    r = bc.vectorize(lambda v: bc.where(v > 5, v * v, -v))(x)
    assert "passes" in bc.explain(r) or bc._core.is_pending(r)
    assert_array_equal(r.get(), np.where(x.get() > 5, x.get() ** 2, -x.get()))


def test_several_results_types_and_arguments():
    f = lambda x, n, *, k=1: (x + n, x * k)
    a = np.arange(3.0)
    for ours, theirs in zip(
        bc.vectorize(f, otypes="fd", excluded=["k"])(bc.array(a), 2, k=4),
        np.vectorize(f, otypes="fd", excluded=["k"])(a, 2, k=4),
    ):
        same(ours, theirs)
    same(bc.vectorize(lambda x, p: x + p[1], excluded={1})(bc.array(a), [1, 2]), a + 2)
    same(bc.vectorize(lambda x: x + 1, otypes=[float])(bc.zeros(0)), np.zeros(0))
    assert bc.vectorize(lambda: 3)() == 3


def test_used_as_a_decorator():
    @bc.vectorize
    def one(x):
        """One more."""
        return x + 1

    @bc.vectorize(otypes=[int])
    def two(x):
        return x + 2

    assert one.__doc__ == "One more." and one.__name__ == "one" and two.__name__ == "two"
    assert one(bc.arange(2)).tolist() == [1, 2] and two(bc.arange(2)).tolist() == [2, 3]


@pytest.mark.parametrize(
    "f, why",
    [
        (lambda x: x if x > 2 else -x, "instead of `if` write bascule.where"),
        (lambda x: math.sin(x), "instead of math.sin bascule.sin"),
        (lambda x: x + random.random(), "uses random.random"),
        (lambda x: [x], "something else than numbers"),
        (lambda x: x.no_such_thing, "called for every element"),
    ],
)
def test_what_cannot_be_traced_says_why(f, why):
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match=why):
        bc.vectorize(f)(bc.arange(4.0))


def test_functions_that_want_numbers_run_in_numpy_and_are_counted():
    bc.fallbacks(reset=True)
    f = lambda x: x if x > 2 else -x
    with bc.config.set(fallback="silent"):
        same(bc.vectorize(f)(bc.arange(5.0)), np.vectorize(f)(np.arange(5.0)))
        with pytest.raises(ZeroDivisionError):
            bc.vectorize(lambda x: 1 // 0)(bc.arange(2))
    assert [e["name"] for e in bc.fallbacks(reset=True)] == ["vectorize", "vectorize"]


def test_signatures():
    a, b = np.arange(24.0).reshape(2, 3, 4), np.arange(4.0)
    for signature, f in (
        ("(n),(n)->()", lambda x, y: (x * y).sum()),
        ("(n),(n)->(n)", lambda x, y: x - y),
        ("(n),(n)->(),(n)", lambda x, y: (x.max(), y)),
    ):
        ours = bc.vectorize(f, signature=signature)(bc.array(a), bc.array(b))
        theirs = np.vectorize(f, signature=signature)(a, b)
        for x, y in zip(*((r,) if not isinstance(r, tuple) else r for r in (ours, theirs))):
            same(x, y)


@pytest.mark.parametrize(
    "make",
    [
        lambda xp: xp.vectorize(3, 4),
        lambda xp: xp.vectorize(abs, otypes="?!"),
        lambda xp: xp.vectorize(abs, otypes=3),
        lambda xp: xp.vectorize(abs, signature="n->()"),
        lambda xp: xp.vectorize(abs)(xp.zeros(0)),
        lambda xp: xp.vectorize(abs, signature="(n),(n)->()")(xp.zeros(2)),
        lambda xp: xp.vectorize(lambda x, y: x, signature="(n),(n)->(n)")(xp.zeros(2), xp.zeros(3)),
        lambda xp: xp.vectorize(lambda x: (x, x), signature="(n)->(n)")(xp.zeros(2)),
        lambda xp: xp.vectorize(lambda x: x, signature="(n)->(n)")(xp.zeros(())),
        lambda xp: xp.vectorize(lambda x: x, signature="()->()")(xp.zeros(0)),
        lambda xp: xp.vectorize(lambda x: x, signature="()->(k)", otypes="d")(xp.zeros(0)),
    ],
)
def test_errors_are_numpys(make):
    with pytest.raises(Exception) as theirs:
        make(np)
    with pytest.raises(type(theirs.value)) as ours:
        make(bc)
    assert str(ours.value) == str(theirs.value)


@pytest.mark.parametrize(
    "key", [np.s_[0:3], np.s_[0:3, 1:9:2], np.s_[0:1:5j], np.s_[0:1:3j, 2:4], np.s_[:2, :3.5, 1:2:2j]]
)
def test_grids(key):
    for name in ("mgrid", "ogrid"):
        ours, theirs = getattr(bc, name)[key], getattr(np, name)[key]
        pairs = zip(ours, theirs) if isinstance(theirs, tuple) else [(ours, theirs)]
        for x, y in pairs:
            same(x, y)
    assert bc.s_[1:2] == np.s_[1:2] and bc.index_exp[0] == np.index_exp[0]


@pytest.mark.parametrize(
    "key",
    [
        lambda a: (a, 0, 0, a),
        lambda a: (np.s_[1:4], 5.5),
        lambda a: (np.s_[0:1:4j],),
        lambda a: ("-1", a[None], a[None]),
        lambda a: ("0,2", a, a),
        lambda a: ("1,2,0", a, a),
        lambda a: ("0,3,-1", a, a),
        lambda a: ([1, 2], a.astype("f4"), np.float32(3)),
        lambda a: ("x", a),
        lambda a: (a, "0"),
        lambda a: (),
    ],
)
def test_concatenation_by_index(key):
    a = np.array([1, 2, 3])
    for name in ("r_", "c_"):
        try:
            theirs = getattr(np, name)[key(a)]
        except Exception as error:
            with pytest.raises(type(error)):
                getattr(bc, name)[key(bc.array(a))]
        else:
            same(getattr(bc, name)[key(bc.array(a))], theirs)
    with bc.config.set(fallback="silent"), pytest.warns(PendingDeprecationWarning):
        found = bc.r_["r", bc.array(a)]
    assert type(found) is np.matrix and found.tolist() == [[1, 2, 3]]


def test_few_elements_of_the_cpu_are_passed_one_by_one(monkeypatch):
    from bascule.tracing import vectorize as room

    traces, trace = [], room.trace
    monkeypatch.setattr(room, "FEW", 4)
    monkeypatch.setattr(room, "trace", lambda *given: traces.append(given) or trace(*given))
    f = lambda x, y=1: x * y + 1

    def traced(call):
        traces.clear()
        same(call(bc), call(np))
        return len(traces)

    bc.fallbacks(reset=True)
    few, many = np.arange(4.0), np.arange(5.0)
    column = few[:, None].copy()
    with bc.config.set(fallback="warn"):
        assert not traced(lambda m: m.vectorize(f)(m.array(few)))
        assert not traced(lambda m: m.vectorize(f)(m.array(few), 3))
        assert traced(lambda m: m.vectorize(f)(m.array(many)))
        assert traced(lambda m: m.vectorize(f)(m.array(column), m.array(few)))  # 16 elements
        mine, other = bc.vectorize(f, excluded={"y"}), np.vectorize(f, excluded={"y"})
        for y in (2, 3):  # the second is no call of the function of the first
            assert not traced(lambda m: (mine if m is bc else other)(m.array(few), y=y))
        with pytest.raises(ValueError, match="size 0"):
            mine(bc.array([]))
    assert not bc.fallbacks(reset=True)
    with bc.config.set(fallback="error"):
        assert traced(lambda m: m.vectorize(f)(m.array(few)))


@pytest.mark.parametrize("options", [{}, {"otypes": "d"}, {"excluded": {"base"}}])
def test_an_object_is_pickled_after_a_call_with_few_elements(monkeypatch, options):
    from bascule.tracing import vectorize as room

    monkeypatch.setattr(room, "FEW", 4)
    f = bc.vectorize(math.log, **options)
    with bc.config.set(fallback="warn"):
        f(bc.array([1.0, 2.0]))
        same(pickle.loads(pickle.dumps(f))(bc.array([1.0, 2.0])), np.log([1.0, 2.0]))
