"""Calls that NumPy ran because of the types of their arguments go to it at once the next time, with the same results,
counts and errors."""

import warnings

import bascule as bc
import numpy as np
import pytest

ELEMENTS = {
    "strings": [["b", "a", "c", "a"], ["", "xyz", "b", "a"], ["a", "a", "a", "a"]],
    "bytes": [[b"b", b"a", b"c", b"a"], [b"", b"xyz", b"b", b"a"], [b"a"] * 4],
    "objects": [[3, 1, 2.5, 1], [2**80, -1, 0, 7], [True, False, True, 1]],
    "None": [[None, "a", 1, None], [None] * 4, [1, None, None, 2]],
    "records": [[(1, "x"), (2, "y")] * 2, [(0, ""), (5, "zz")] * 2, [(9, "q")] * 4],
}
DTYPES = {"records": np.dtype([("n", "i4"), ("t", "U3")]), "objects": np.dtype(object), "None": np.dtype(object)}
CALLS = {
    "array": lambda m, x, listed: m.array(listed),
    "array of objects": lambda m, x, listed: m.array(listed, dtype=object),
    "array(x, object)": lambda m, x, listed: m.array(listed, object),
    "asarray": lambda m, x, listed: m.asarray(x),
    "asarray of str": lambda m, x, listed: m.asarray(listed[0], dtype="U5"),
    "zeros": lambda m, x, listed: m.zeros(3, dtype=object),
    "zeros of records": lambda m, x, listed: m.zeros(3, dtype=[("n", "i4"), ("t", "U3")]),
    "full": lambda m, x, listed: m.full((2, 3), listed[0]),
    "full_like": lambda m, x, listed: m.full_like(x, listed[1]),
    "sort": lambda m, x, listed: m.sort(x),
    "argsort": lambda m, x, listed: m.argsort(x, kind="stable"),
    "unique": lambda m, x, listed: m.unique(x, return_counts=True),
    "concatenate": lambda m, x, listed: m.concatenate([x, x[::-1]]),
    "vstack": lambda m, x, listed: m.vstack((x, x)),
    "where": lambda m, x, listed: m.where(m.asarray([True, False, True, False]), x, x[::-1]),
    "isin": lambda m, x, listed: m.isin(x, listed[:2]),
    "append": lambda m, x, listed: m.append(x, x[:1]),
    "repeat": lambda m, x, listed: m.repeat(x, 2),
    "take": lambda m, x, listed: m.take(x, m.asarray([2, 0])),
    "array_equal": lambda m, x, listed: m.array_equal(x, x.copy()),
    "equal": lambda m, x, listed: m.equal(x, x[::-1]),
    "add": lambda m, x, listed: m.add(x, x),
    "copyto": lambda m, x, listed: m.copyto(y := x.copy(), x[::-1]) or y,
    "put": lambda m, x, listed: m.put(y := m.zeros(4), [0], x) or y,
}


@pytest.fixture(autouse=True)
def silent():
    with bc.config.set(fallback="silent"):
        yield


def outcome(call, m, kind, listed):
    x = np.array(listed, dtype=DTYPES.get(kind))
    try:
        return call(m, x, listed)
    except Exception as error:
        return type(error), str(error)


def as_seen(result):
    """A result as text and types; arrays of ours as NumPy's."""
    if isinstance(result, tuple):
        return tuple(map(as_seen, result))
    if isinstance(result, bc.ndarray | np.ndarray):
        result = np.asarray(result)
        return result.dtype, result.shape, repr(result.tolist())
    return type(result), repr(result)


@pytest.mark.parametrize("kind", ELEMENTS)
@pytest.mark.parametrize("name", CALLS)
def test_every_call_has_numpys_result_and_is_counted(name, kind):
    counts = []
    for listed in ELEMENTS[kind] * 2:
        bc.fallbacks(reset=True)
        found = outcome(CALLS[name], bc, kind, listed)
        counts.append([(one["name"], one["reason"], one["calls"]) for one in bc.fallbacks()])
        assert as_seen(found) == as_seen(outcome(CALLS[name], np, kind, listed))
    assert counts[:3] == counts[3:], "remembered calls are counted as the first was"


def test_results_that_arrays_hold_are_ours():
    words = np.array(["b", "a", "c"])
    for _ in range(3):
        assert type(bc.isin(words, ["a"])) is bc.ndarray and type(bc.sort(words)) is np.ndarray
        order, counts = bc.unique(words, return_counts=True)
        assert type(order) is np.ndarray and type(counts) is bc.ndarray


def test_arrays_of_ours_are_written_and_returned():
    for _ in range(3):
        to = bc.zeros(3)
        assert bc.copyto(to, np.array([1, "2", 3], dtype=object), casting="unsafe") is None and to.tolist() == [1, 2, 3]
        assert bc.add(np.array([1, 2], dtype=object), bc.array([1, 2]), out=np.zeros(2, object)).tolist() == [2, 4]


def test_arrays_in_lists_are_seen_by_numpy():
    for _ in range(3):
        made = bc.array([bc.arange(2), None], dtype=object)
        assert type(made[0]) is np.ndarray and made[1] is None


def test_numbers_stay_native():
    assert bc.sort(np.array(["b", "a"]))[0] == "a" and bc.array(["a"]).tolist() == ["a"]
    bc.fallbacks(reset=True)
    assert bc.sort(np.array([2, 1])).tolist() == [1, 2] and type(bc.array([1.0, 2])) is bc.ndarray
    assert type(bc.array(["1", "2"], dtype=float)) is bc.ndarray
    assert bc.fallbacks() == []


@pytest.mark.parametrize("call", [lambda: bc.sort(np.array(["b", "a"])), lambda: bc.add("a", np.array(["b"]))])
def test_settings_are_followed(call):
    call(), call()
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match="runs in NumPy"):
        call()
    call()
    for _ in range(2):
        with bc.config.set(fallback="warn"), warnings.catch_warnings(record=True, action="always") as said:
            call()
        assert [one.category for one in said] == [bc.FallbackWarning]
        assert said[0].filename == __file__


def test_numpys_errors_are_raised_again():
    for _ in range(3):
        with pytest.raises(TypeError, match="not supported between instances"):
            bc.sort(np.array([1, "a"], dtype=object))
    words = np.array(["a", "b"])
    for _ in range(2):
        assert bc.concatenate([words, words]).size == 4
        with pytest.raises(ValueError, match="must have same number of dimensions"):
            bc.concatenate([words, "a"])


def test_many_types_of_a_program():
    """A program that makes up types of strings is not followed without end."""
    for n in range(100):
        assert bc.zeros(2, dtype=f"U{n + 1}").itemsize == 4 * (n + 1)
        assert bc.zeros(2, dtype=np.dtype(f"S{n + 1}")).itemsize == n + 1
