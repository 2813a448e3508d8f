"""Objects of deleted small arrays are reused: their former properties do not show in the new arrays."""

from __future__ import annotations

import gc
import weakref

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")


def fresh(n: int) -> list[bc.ndarray]:
    x = bc.asarray(np.arange(float(n)))
    return [x + 1, x.sum(), x * x, x.max(), x > 2]


def check(n: int) -> None:
    x = np.arange(float(n))
    for got, wanted in zip(fresh(n), [x + 1, x.sum(), x * x, x.max(), x > 2], strict=True):
        assert np.asarray(got).dtype == wanted.dtype
        np.testing.assert_array_equal(np.asarray(got), wanted)
        assert got.shape == wanted.shape
        assert got.strides == wanted.strides


@pytest.mark.parametrize("n", [1, 2, 16, 17, 1000])
def test_one_size_after_another(n: int) -> None:
    for m in (n, 3, n, 1000, n):
        check(m)


def test_a_scalar_becomes_an_array() -> None:
    x = bc.asarray([1.0, 2.0])
    for _ in range(40):
        s = x.sum()
        assert hash(s) == hash(3.0)
        del s
        y = x + 1
        with pytest.raises(TypeError, match="unhashable"):
            hash(y)
        del y


def test_a_read_only_array_becomes_a_writeable_one() -> None:
    x = bc.asarray([1.0, 2.0])
    view = bc.broadcast_to(x + 1, (2,))
    del view
    for _ in range(40):
        y = x + 1
        y[0] = 7
        assert y.tolist() == [7.0, 3.0]
        del y


def test_what_is_still_shared_is_not_taken() -> None:
    x = bc.asarray([1.0, 2.0, 3.0])
    y = x + 1
    view, shown, second = y[1:], memoryview(y), np.asarray(x + 2)
    del y
    others = [x * 10 for _ in range(40)]
    assert view.tolist() == [3.0, 4.0]
    assert shown.tolist() == [2.0, 3.0, 4.0]
    assert second.tolist() == [3.0, 4.0, 5.0]
    shown.release()
    del view, second
    more = [x * 100 for _ in range(40)]
    assert all(o.tolist() == [10.0, 20.0, 30.0] for o in others)
    assert all(o.tolist() == [100.0, 200.0, 300.0] for o in more)


def test_a_weak_reference_ends_with_its_array() -> None:
    x = bc.asarray([1.0, 2.0])
    y = x + 1
    seen = weakref.ref(y)
    del y
    gc.collect()
    z = x + 2
    assert seen() is None
    assert z.tolist() == [3.0, 4.0]


def test_a_refused_call_leaves_nothing_behind() -> None:
    x = bc.asarray([1.0, 2.0])
    for _ in range(40):
        with pytest.raises(ValueError, match="broadcast"):
            x + bc.asarray([1.0, 2.0, 3.0])
        with np.errstate(all="raise"), pytest.raises(FloatingPointError):
            x / bc.asarray([0.0, 1.0])
        assert (x + x).tolist() == [2.0, 4.0]


@pytest.mark.parametrize("dtype", ["?", "u1", "i2", "f4", "i8", "c16", "f2", "M8[s]"])
def test_an_element_is_a_value_of_its_own(dtype: str) -> None:
    plain = np.array([1, 0, 1, 1]).astype(dtype)
    x = bc.asarray(plain)
    for at in (0, 3, -1, -4):
        element = x[at]
        assert np.asarray(element) == plain[at]
        assert np.asarray(element).dtype == plain.dtype
        assert element.shape == ()
        assert element.base is None
    strided, taken = x[::-2], x[1]
    assert np.asarray(strided[1]) == plain[::-2][1]
    x[1] = plain[0]
    assert np.asarray(taken) == plain[1]
    for at in (4, -5, 2**70):
        with pytest.raises(IndexError):
            x[at]
    with pytest.raises(IndexError):
        bc.zeros(0)[0]


@pytest.mark.parametrize("shape", [(2, -1), (-1,), (3, 4), (1, 12, 1), (2, 2, 3), (12,)])
def test_reshaped_arrays_are_views(shape: tuple[int, ...]) -> None:
    for plain in (np.arange(12.0), np.arange(24.0).reshape(6, 4)[2:5]):
        x = bc.asarray(np.arange(24.0)).reshape(6, 4)[2:5] if plain.ndim > 1 else bc.asarray(plain)
        r, wanted = x.reshape(shape), plain.reshape(shape)
        assert (r.shape, r.strides) == (wanted.shape, wanted.strides)
        np.testing.assert_array_equal(np.asarray(r), wanted)
        assert r.base is not None
        r[...] = 5.0
        assert np.asarray(x).tolist() == np.full(plain.shape, 5.0).tolist()


def test_reshaped_arrays_of_no_or_one_element() -> None:
    assert bc.zeros((0, 3)).reshape(3, 0, 2).strides == np.zeros((0, 3)).reshape(3, 0, 2).strides
    assert bc.asarray(3.0).reshape(1, 1).shape == (1, 1)


def test_views_and_weak_references_are_forgotten() -> None:
    x = bc.asarray([1.0, 2.0, 3.0])
    for _ in range(40):
        y = x + 1
        view = y[1:]
        seen = weakref.ref(view)
        assert view.base is y
        del y, view
        assert seen() is None
        again = x + 1
        assert again.base is None
        assert weakref.getweakrefcount(again) == 0
        del again
