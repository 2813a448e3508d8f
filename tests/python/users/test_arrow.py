"""pyarrow takes bascule arrays like NumPy's: complete, of every type, with masks, and with safe casts."""

import pickle

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow, of the extra `pandas`, is not installed")
DATES = np.array(["2020-01-01", "NaT", "1999-12-31"], "M8[D]")


def same(call):
    """Check that a call has the same result, or error, with bascule's module as with NumPy's."""

    def reported(m):
        try:
            r = call(m)
        except Exception as e:
            return type(e), str(e)
        return r.to_pydict() if isinstance(r, pa.Table) else (r.type, [str(v) for v in r.to_pylist()])

    got, want = reported(bc), reported(np)
    assert got == want


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c16", "M8[D]", "M8[ns]", "m8[ms]"])
def test_every_type(dtype):
    def x(m):
        if dtype[0] == "M":
            return m.asarray(DATES.astype(dtype))
        return m.asarray(np.array([0, 1, 5], "i8").astype(dtype))

    same(lambda m: pa.array(x(m)))
    same(lambda m: pa.array(x(m)[::-2]))
    same(lambda m: pa.chunked_array([x(m), x(m)[:1]]))
    same(lambda m: pa.table({"a": x(m), "b": x(m)}))
    same(lambda m: pa.Table.from_arrays([x(m)], names=["a"]))


@pytest.mark.usefixtures("accelerated")  # `__arrow_array__` gets no options
def test_options():
    same(lambda m: pa.array(m.arange(3), pa.int8()))
    same(lambda m: pa.array(m.arange(3) * 1.5, pa.int8()))  # refused: numbers would be truncated
    same(lambda m: pa.array(m.arange(3) * 1.5, pa.int8(), safe=False))
    same(lambda m: pa.table({"a": m.arange(3) * 1.5}, schema=pa.schema([("a", pa.int8())])))
    same(lambda m: pa.array(m.arange(3), mask=m.array([True, False, True])))
    same(lambda m: pa.array(m.array([1, m.nan]), from_pandas=True))
    same(lambda m: pa.array(m.array([1, m.nan])))
    same(lambda m: pa.array(m.ones((2, 2))))
    same(lambda m: pa.array(m.array(3)))
    same(lambda m: pa.array([m.arange(3)[1], m.arange(2)[1]]))


def test_no_copy_is_made():
    a = bc.ones(1000) + 1
    there = pa.array(a)
    assert there.buffers()[1].address == np.asarray(a).ctypes.data
    before = a * 2
    a[0] = 9
    assert there[0].as_py() == 9.0 and before[0] == 4.0


@pytest.mark.usefixtures("accelerated")
def test_the_function_is_found_by_pickle():
    assert pickle.loads(pickle.dumps(pa.array)) is pa.array


class Capsules:
    """An object with nothing but Arrow's PyCapsule interface."""

    def __init__(self, x):
        name = next(n for n in ("__arrow_c_array__", "__arrow_c_stream__") if hasattr(x, n))
        self.of = x
        setattr(type(self), name, lambda self, schema=None: getattr(self.of, name)(schema))


@pytest.mark.parametrize("dtype", ["i1", "u8", "f4", "f8", "?", "M8[us]", "m8[s]"])
@pytest.mark.parametrize("kind", ["array", "Series", "Index"])
def test_capsules_of_one_axis(kind, dtype):
    values = np.array([1, 0, 3]).astype(dtype)
    mine = bc.asarray(values) if kind == "array" else getattr(pd, kind)(values)
    shown = type(kind, (Capsules,), {})(mine)
    made = pa.array(shown) if kind == "array" else pa.chunked_array(shown).combine_chunks()
    assert made.equals(pa.array(values)) and made.type == pa.array(values).type
    wanted = pa.float64() if dtype in ("i1", "f4") else made.type
    cast = pa.array(shown, wanted) if kind == "array" else pa.chunked_array(shown, wanted).combine_chunks()
    assert cast.type == wanted and cast.equals(made.cast(wanted))


def test_only_arrays_of_one_axis_have_capsules():
    with pytest.raises(pa.ArrowInvalid):
        bc.zeros((2, 2)).__arrow_c_array__()
