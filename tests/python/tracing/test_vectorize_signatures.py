"""vectorize with signatures, as in numba: NumPy arrays in and out, one traced function for given types."""

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")


@bc.vectorize(["int64(int64, int64)", "float64(float64, float64)"])
def larger(x, y):
    """The larger one."""
    return bc.where(x > y, x, y)


def test_values_and_types():
    x, y = np.arange(5), np.array([[3], [1]])
    found = larger(x, y)
    assert type(found) is np.ndarray and found.dtype == np.int64
    assert np.array_equal(found, np.maximum(x, y))
    found = larger(x, 2.5)
    assert found.dtype == np.float64 and np.array_equal(found, np.maximum(x, 2.5))
    assert type(larger(2, 3)) is np.int64 and larger(2, 3) == 3
    assert type(larger(bc.arange(5), 2)) is bc.ndarray
    assert larger.types == ["ll->l", "dd->d"] and larger.nin == 2
    assert larger.__doc__ == "The larger one." and larger.__name__ == "larger"
    out = np.zeros(5)
    assert larger(x, 2.5, out=out) is out and np.array_equal(out, np.maximum(x, 2.5))


def test_long_functions():
    @bc.vectorize("float64(float64)", device="cpu")
    def iterated(x):
        for _ in range(3000):
            x = x * 0.5 + 1
        return x

    assert np.array_equal(iterated(np.array([0.0, 8.0])), [2.0, 2.0])


def test_what_is_shared_is_computed_once():
    @bc.vectorize("float64(float64)")
    def doubled(x):
        for _ in range(60):
            x = x + x
        return x

    assert doubled(1.0) == 2.0**60


def test_types_are_converted():
    f = bc.vectorize("float32(int16)")(lambda x: x / 3)
    assert f(np.arange(3, dtype="int8")).dtype == np.float32
    with pytest.raises(TypeError, match="could not be safely coerced"):
        f(np.arange(3))
    with pytest.raises(TypeError, match="takes 1 positional"):
        f(1, 2)

    assert bc.vectorize("(float64, float64) -> float64")(lambda x, y: x + y)(1, 2) == 3.0


def test_refusals():
    with pytest.raises(TypeError, match="instead of `if` write bascule.where"):
        bc.vectorize("float64(float64)")(lambda x: 1 if x > 0 else 2)
    with pytest.raises(ValueError, match="a signature such as"):
        bc.vectorize("float64")
    for what in (1, None):
        with pytest.raises(TypeError, match="only accepts keyword arguments") as raised:
            bc.vectorize(what)
        assert raised.type is TypeError
    with pytest.raises(TypeError, match="in the signature"):
        bc.vectorize("float65(float64)")
    with pytest.raises(ValueError, match="same number of arguments"):
        bc.vectorize(["f8(f8)", "f8(f8,f8)"])
    with pytest.raises(ValueError, match="one signature or more"):
        bc.vectorize([])
    with pytest.raises(TypeError, match="one value is returned"):
        bc.vectorize("f8(f8)")(lambda x: (x, x))


def test_a_device_goes_with_signatures():
    assert bc.vectorize(lambda a: a + 1, device=None)(bc.arange(3)).tolist() == [1, 2, 3]
    assert bc.vectorize(["float64(float64)"], device=None)(lambda a: a + 1)(np.arange(3)).tolist() == [1, 2, 3]
    for given in ((lambda a: a + 1,), ()):
        with pytest.raises(ValueError, match="a signature such as"):
            bc.vectorize(*given, device="cpu")
