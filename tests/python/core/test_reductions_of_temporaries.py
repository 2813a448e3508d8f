"""A full reduction is computed at the call; operands without other references are not stored for it."""

import ctypes

import bascule as bc
import numpy as np
import pytest
from bascule import _core

N = 300_000
A, B = np.random.default_rng(0).normal(size=(2, N))

REDUCTIONS = {
    "method": lambda xp, x, y: ((x - y) ** 2).sum(),
    "function": lambda xp, x, y: xp.sum((x - y) ** 2),
    "named": lambda xp, x, y: xp.max((x - y) ** 2, axis=None),
    "positional": lambda xp, x, y: xp.mean((x - y) ** 2, None, None),
    "moment": lambda xp, x, y: xp.std(x - y, ddof=1),
    "booleans": lambda xp, x, y: (x > y).all(),
    "position": lambda xp, x, y: xp.argmin(x - y),
    "view": lambda xp, x, y: (x - y)[1::2].sum(),
    "rows": lambda xp, x, y: (x - y).reshape(300, -1).T.min(),
    "selected": lambda xp, x, y: x[x > y].sum(),
}


@pytest.fixture
def room():
    """Calls f(*args) with so many bytes of free memory."""

    def call(nbytes, f, *args):
        _core.trim("cpu")
        _core.set_memory_limit("cpu", _core.memory("cpu")["in_use"] + nbytes)
        try:
            return f(*args)
        finally:
            _core.set_memory_limit("cpu", 0)

    return call


@pytest.mark.parametrize("name", REDUCTIONS)
def test_what_was_made_for_the_call_is_not_stored(name, room):
    x, y = bc.array(A), bc.array(B)
    if name == "selected":  # indices are found at the call, and so are the values
        y = bc.evaluate(y)
    r = room(A.nbytes // 2, REDUCTIONS[name], bc, x, y)
    want = REDUCTIONS[name](np, A, B)
    assert type(r) is type(want)
    np.testing.assert_allclose(r, want, rtol=1e-13)


def test_what_a_name_holds_is_stored_once(room):
    x, y = bc.array(A), bc.array(B)
    z = bc.sin(x - y)
    with pytest.raises(MemoryError):
        room(A.nbytes // 2, lambda: z.sum())
    assert _core.is_pending(z)
    total = z.sum()
    assert not _core.is_pending(z)
    assert total == bc.sum(z) == np.asarray(z).sum()


def test_what_is_only_borrowed_can_be_asked_again():
    """Like extension modules, which call methods without a reference for the call."""
    x, y = bc.array(A), bc.array(B)
    api = ctypes.pythonapi
    item = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_ssize_t)(("PyList_GetItem", api))
    call = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
        ("PyObject_CallMethodObjArgs", api)
    )
    for make in (lambda x, y: np.abs(x - y), lambda x, y: (x - y)[::3], lambda x, y: x[x > y]):
        held, want = [make(x, y)], make(A, B)
        assert _core.is_pending(held[0]) or make(x, y).base is not None
        for _ in range(3):
            np.testing.assert_allclose(call(item(held, 0), "sum", None), want.sum(), rtol=1e-13)
        np.testing.assert_array_equal(np.asarray(held[0]), want)
        held[0][0] = 7.0
        assert held[0][0] == 7.0 and held[0].shape == want.shape


def test_writes_after_a_reduction_see_what_was_there():
    x = bc.array(A)
    total = (x * 2).sum()
    x[:] = 0
    assert total == (A * 2).sum() and x.sum() == 0
