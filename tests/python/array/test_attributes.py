"""Attributes and methods of ndarray against NumPy's: names, signatures, attributes to set, and error messages."""

import contextlib
import ctypes
import inspect
import pickle
import sys

import bascule as bc
import numpy as np
import pytest
from bascule._array.numpy_versions import signature_of, since

pytestmark = pytest.mark.usefixtures("native")


@pytest.fixture(autouse=True)
def _native():
    with bc.config.set(fallback="error"):
        yield


def outcome(call):
    try:
        r = call()
    except Exception as error:
        return type(error), str(error).replace("bascule", "numpy")
    return r.get() if type(r) is bc.ndarray else r


def both(call, make=lambda m: m.arange(12.0).reshape(3, 4)):
    """The outcome of a call on an array of ours and on NumPy's, and the arrays' contents afterwards."""
    found = []
    for m in (bc, np):
        a = make(m)
        r = outcome(lambda: call(m, a))
        found.append((r, a.get() if m is bc else a))
    (got, ours), (want, theirs) = found
    if isinstance(want, np.ndarray):
        np.testing.assert_array_equal(got, want, strict=True)
    else:
        assert got == want
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    np.testing.assert_array_equal(ours, theirs)


def test_every_name_is_there():
    a = np.zeros((1, 1))  # older versions of NumPy list names that only raise with a replacement
    missing = [
        name for name in dir(np.ndarray) if name[:2] != "_s" and hasattr(a, name) and not hasattr(bc.ndarray, name)
    ]
    assert missing == ([] if since("arrays have no tostring") else ["tostring"])


@pytest.mark.parametrize(
    "name", [n for n in dir(np.ndarray) if not n.startswith("_") and callable(getattr(np.ndarray, n))]
)
def test_methods_have_numpys_parameters(name):
    theirs = signature_of(getattr(np.ndarray, name))
    if theirs is None or not hasattr(bc.ndarray, name):
        assert not since("C functions and ufuncs have signatures")
        return
    ours = inspect.signature(getattr(bc.ndarray, name))
    assert next(iter(ours.parameters.values())).kind is inspect.Parameter.POSITIONAL_ONLY
    if name == "view":  # NumPy's signature is *args, **kwargs
        return
    names = {"b" if name == "dot" and p == "other" else p for p in theirs.parameters if p != "kwargs"}
    assert names <= set(ours.parameters)
    for p, parameter in theirs.parameters.items():
        if p in ours.parameters and parameter.default is not parameter.empty:
            assert ours.parameters[p].default == parameter.default, p


LAYOUTS = {
    "C": lambda m: m.arange(12.0).reshape(3, 4),
    "F": lambda m: m.asarray(m.arange(12.0).reshape(3, 4), order="F"),
    "strided": lambda m: m.arange(24.0).reshape(4, 6)[::2, ::3],
    "1-D": lambda m: m.arange(4),
    "0-d": lambda m: m.asarray(3.0),
    "empty": lambda m: m.zeros((0, 3)),
    "transposed": lambda m: m.arange(12.0).reshape(3, 4).T,
    "broadcast": lambda m: m.broadcast_to(m.arange(3.0), (2, 3)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_flags(layout):
    ours, theirs = LAYOUTS[layout](bc).flags, LAYOUTS[layout](np).flags
    names = [n for n in dir(theirs) if not n.startswith("_")]
    assert {n: getattr(ours, n) for n in names} == {n: getattr(theirs, n) for n in names}
    assert repr(ours) == repr(theirs)
    assert ours == theirs
    for key in ("C", "F", "O", "W", "A", "X", "CA", "FA", "FNC", "FORC", "B", "CONTIGUOUS", "FORTRAN"):
        assert ours[key] == theirs[key]


def test_flags_that_are_set():
    both(lambda m, a: a.setflags(write=False) or a.flags.writeable)
    both(lambda m, a: setattr(a.flags, "writeable", False))
    both(lambda m, a: a.flags.__setitem__("WRITEABLE", False) or a.flags.writeable)
    both(lambda m, a: a.setflags(write=True, uic=True))
    both(lambda m, a: setattr(a.flags, "writebackifcopy", True))
    both(lambda m, a: a.flags["Q"])
    both(lambda m, a: a.flags.__setitem__("C", True))

    def view_of_read_only(m, a):
        a.flags.writeable = False
        a[1:].flags.writeable = True

    both(view_of_read_only)


def test_views_know_their_base():
    for make in (lambda a: a[1:], lambda a: a.T, lambda a: a.reshape(4, 3), lambda a: a[0], lambda a: a[None]):
        for m in (bc, np):
            a = m.zeros((3, 4))
            assert a.base is None
            assert make(a).base is a
            assert make(a)[...].base is a
            assert a.copy().base is None
            assert (a + 1).base is None
    for name in ("real", "imag"):
        z = bc.ones(3, "c16")
        assert getattr(z, name).base is z


@pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")
def test_shape_dtype_and_strides_can_be_set():
    both(lambda m, a: setattr(a, "shape", (4, 3)))
    both(lambda m, a: setattr(a, "shape", (2, -1)))
    both(lambda m, a: setattr(a, "shape", 12))
    both(lambda m, a: setattr(a, "shape", (5, 5)))
    both(lambda m, a: setattr(a[:, ::2], "shape", (6,)))
    both(lambda m, a: setattr(a.T, "shape", (12,)))
    both(lambda m, a: setattr(a, "dtype", "i8"))
    both(lambda m, a: setattr(a, "dtype", "i4"))
    both(lambda m, a: setattr(a, "dtype", "c16"))
    both(lambda m, a: setattr(a[:, :3], "dtype", "c16"))
    for name in ("shape", "dtype", "strides"):
        both(lambda m, a, n=name: delattr(a, n))
    warns = since("setting strides is deprecated")
    with pytest.warns(DeprecationWarning, match="Setting the strides") if warns else contextlib.nullcontext():
        both(lambda m, a: setattr(a, "strides", (8, 8)))
    both(lambda m, a: setattr(a, "strides", (800, 8)))
    both(lambda m, a: setattr(a, "strides", (8,)))
    a = bc.arange(6)
    v = a[:]
    a.shape = (2, 3)
    a[0, 0] = 9
    assert v.tolist() == [9, 1, 2, 3, 4, 5]


@pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")
def test_setting_the_shape_of_a_pending_result():
    x = bc.ones(10_000) + 1
    x.shape = (100, 100)
    assert x.shape == (100, 100) and float(x.sum()) == 20_000


@pytest.mark.parametrize("code", ["?", "b", "h", "I", "l", "e", "f", "d", "F", "D", "M8[s]"])
@pytest.mark.parametrize("layout", ["C", "F", "strided", "0-d", "empty"])
def test_byteswap(code, layout):
    make = lambda m: LAYOUTS[layout](m).astype(code)
    both(lambda m, a: a.byteswap().byteswap(), make)
    if code not in "?":
        ours, theirs = bc.asarray(make(np)).byteswap(), make(np).byteswap()
        assert ours.get().tobytes() == theirs.tobytes()
    both(lambda m, a: a.byteswap(inplace=True) is a, lambda m: LAYOUTS[layout](m).astype("i4"))


def test_fields():
    both(lambda m, a: a.getfield("i4", 4))
    both(lambda m, a: a.getfield("u1"))
    both(lambda m, a: a.setfield(7, "i4", 4))
    both(lambda m, a: a.getfield("f8", 1))
    both(lambda m, a: a.getfield("f4", -1))
    both(lambda m, a: a.getfield("c16"))


def test_resize():
    checked = sys.version_info < (3, 14)  # from 3.14 on NumPy refuses any array that a variable refers to
    for shape in ((5, 2), ((7, 3),), (0,), (), (None,), ((2, -1),), ((3, 4),)):
        found = []
        for m in (bc, np):
            a = m.ones((3, 4))
            try:
                a.resize(*shape, refcheck=checked)
            except ValueError as error:
                found.append(str(error))
            else:
                found.append(a.tolist())
        assert found[0] == found[1]
    for make in (lambda m: m.ones(7)[::2], lambda m: m.ones(7)[:2]):
        both(lambda m, a: a.resize(3), make)
    for m in (bc, np):
        a = m.ones(7)
        v = a[:2]
        with pytest.raises(ValueError, match="references or is referenced|may be referenced by another"):
            a.resize(3)
        del v
        a.resize(3, refcheck=False)
        assert a.tolist() == [1.0, 1.0, 1.0]


def test_flat():
    for layout in ("C", "F", "strided", "1-D"):
        make = LAYOUTS[layout]
        for key in (0, -1, slice(1, 3), [1, 0], slice(None, None, -1), ...):
            both(lambda m, a, k=key: a.flat[k], make)
            both(lambda m, a, k=key: a.flat.__setitem__(k, 7), make)
            both(lambda m, a, k=key: a.flat.__setitem__(k, [7, 8]), make)
        both(lambda m, a: list(a.flat) == a.ravel().tolist(), make)
        both(lambda m, a: setattr(a, "flat", [1, 2, 3]), make)
        both(lambda m, a: (a.flat == 3) | (a.flat > 5), make)
    both(lambda m, a: a.flat[99])
    both(lambda m, a: a.flat[None])
    both(lambda m, a: a.flat[1, 2])
    for m in (bc, np):
        it = m.arange(6).reshape(2, 3).flat
        assert [(it.index, it.coords, int(v)) for v in it][:2] == [(1, (0, 1), 0), (2, (0, 2), 1)]
        assert it.index == 6 and len(it) == 6 and next(it, None) is None


FLAT_LAYOUTS = {
    "C": lambda a: a.reshape(4, 5, 6),
    "F": lambda a: a.reshape(4, 5, 6).T,
    "strided": lambda a: a.reshape(4, 5, 6)[::2, ::-1, 1::2],
    "reversed": lambda a: a[::-3],
    "turned": lambda a: a.reshape(10, 12).T[::3],
    "0-d": lambda a: a[7:8].reshape(()),
    "empty": lambda a: a.reshape(4, 5, 6)[:, 2:2],
    "long": lambda a: a.reshape(10, 12)[:, ::5],
}


@pytest.mark.parametrize("dtype", ["f8", "i4", "f2", "?", "c16", "M8[s]"])
@pytest.mark.parametrize("layout", FLAT_LAYOUTS)
def test_elements_one_by_one(layout, dtype):
    values = np.arange(120).astype(dtype)
    ours, theirs = (FLAT_LAYOUTS[layout](v) for v in (bc.array(values), values))
    got, want = list(ours.flat), list(theirs.flat)
    assert [(v.dtype, v.shape, np.asarray(v).tobytes()) for v in got] == [(v.dtype, (), v.tobytes()) for v in want]
    wide = bc.broadcast_to(ours, (2, *ours.shape)).flat
    assert [np.asarray(v).tobytes() for v in wide] == 2 * [v.tobytes() for v in want]
    assert [np.asarray(ours.flat[k]).tobytes() for k in range(-len(want), len(want))] == [v.tobytes() for v in 2 * want]
    a, b = ours.flat, theirs.flat
    assert iter(a) is a and a.base is ours and len(a) == len(b)
    for _ in range(len(b) + 1):
        assert (a.index, a.coords) == (b.index, b.coords)
        assert next(a, None) == next(b, None)
    assert (a.index, a.coords) == (b.index, b.coords)
    for k in (0, -1, 7, np.int64(2)):
        if -len(want) <= k < len(want) and theirs.flags.writeable:
            ours.flat[k], theirs.flat[k] = want[-1], want[-1]
    np.testing.assert_array_equal(np.asarray(ours), theirs)


def test_elements_are_read_when_the_iterator_comes_to_them():
    for m in (bc, np):
        for make in (lambda m: m.arange(12.0).reshape(3, 4), lambda m: m.arange(12.0).reshape(4, 3).T):
            a = make(m)
            seen = []
            for v in a.flat:
                seen.append(float(v))
                if len(seen) == 2:
                    a[...] = -1.0
            assert seen[2:] == [-1.0] * 10
            it = (a * 2).flat  # which is pending
            assert float(next(it)) == -2.0
    with pytest.raises(TypeError):
        type(bc.arange(3).flat)([1, 2])


def test_parts_of_complex_numbers_can_be_set():
    make = lambda m: m.arange(4) * (1 + 2j)
    both(lambda m, a: setattr(a, "real", 7), make)
    both(lambda m, a: setattr(a, "imag", [1, 2, 3, 4]), make)
    both(lambda m, a: setattr(a, "imag", 1), lambda m: m.arange(3))
    both(lambda m, a: setattr(a, "real", 1), lambda m: m.arange(3))


def test_memory_for_other_libraries():
    for layout in ("C", "F", "strided", "transposed"):
        a, x = LAYOUTS[layout](bc), LAYOUTS[layout](np)
        assert {k: v for k, v in a.__array_interface__.items() if k != "data"} == {
            k: v for k, v in x.__array_interface__.items() if k != "data"
        }

        class Holder:
            def __init__(self, **attributes):
                self.__dict__.update(attributes)

        for seen in (
            np.asarray(Holder(__array_interface__=a.__array_interface__)),
            np.asarray(Holder(__array_struct__=a.__array_struct__)),
        ):
            np.testing.assert_array_equal(seen, x)
            a[0, 0] = 5  # memory that other libraries may read is written at once
            assert seen[0, 0] == 5
            a[0, 0] = x[0, 0]
        assert a.ctypes.shape[:] == list(a.shape) and a.ctypes.strides[:] == list(a.strides)
        assert ctypes.c_double.from_address(a.ctypes.data).value == 0.0
        assert a.data.tolist() == x.tolist()


def test_choices_are_given_one_by_one_or_as_a_sequence():
    make = lambda m: m.asarray([0, 1, 1, 0])
    both(lambda m, a: a.choose(m.arange(4), m.arange(4) * 10), make)
    both(lambda m, a: a.choose([m.arange(4), m.arange(4) * 10]), make)
    both(lambda m, a: a.choose(5, 7, mode="wrap"), make)


def test_files_and_pickles(tmp_path):
    a, x = LAYOUTS["strided"](bc), LAYOUTS["strided"](np)
    for name, v in (("ours", a), ("theirs", x)):
        v.tofile(tmp_path / f"{name}.bin")
        v.tofile(str(tmp_path / f"{name}.txt"), sep=", ", format="%.2f")
        v.dump(tmp_path / f"{name}.pickle")
        with open(tmp_path / f"{name}2.pickle", "wb") as f:
            v.dump(f)
    for ending in ("bin", "txt"):
        assert (tmp_path / f"ours.{ending}").read_bytes() == (tmp_path / f"theirs.{ending}").read_bytes()
    for name in ("ours.pickle", "ours2.pickle"):
        np.testing.assert_array_equal(pickle.loads((tmp_path / name).read_bytes()).get(), x)
    np.testing.assert_array_equal(pickle.loads(a.dumps()).get(), x)
    b = bc.zeros(1)
    b.__setstate__(np.arange(6.0).reshape(2, 3).__reduce__()[2])
    np.testing.assert_array_equal(b.get(), np.arange(6.0).reshape(2, 3))


def test_aliases_of_the_type():
    assert bc.ndarray[int, np.dtype[np.float64]].__origin__ is bc.ndarray
    for bad in ((), (1, 2, 3)):
        with pytest.raises(TypeError, match="arguments for bascule.ndarray"):
            bc.ndarray[bad]


def test_arrays_over_a_buffer():
    memory = bytearray(range(16))
    for m in (bc, np):
        a = m.ndarray((2, 3), "u2", memory, 4, (6, 2))
        assert a.tolist() == np.frombuffer(bytes(memory), "u2", 6, 4).reshape(2, 3).tolist()
    a = bc.ndarray((2,), "u1", memory)
    a[0] = 99
    assert memory[0] == 99
    memory[0] = 0


WRITES = {
    "item": lambda m, a: a.__setitem__(0, 1),
    "slice": lambda m, a: a.__setitem__(slice(1), 1),
    "mask": lambda m, a: a.__setitem__(a > 1, 1),
    "array": lambda m, a: a.__setitem__([0, 1], 1),
    "in place": lambda m, a: a.__iadd__(1),
    "fill": lambda m, a: a.fill(1),
    "out": lambda m, a: m.add(1, 1, out=a),
    "sum out": lambda m, a: m.ones((3, 3, 4)).sum(axis=0, out=a),
    "sort": lambda m, a: a.sort(),
    "partition": lambda m, a: a.partition(1),
    "put": lambda m, a: a.put([0], [1]),
    "flat": lambda m, a: a.flat.__setitem__(0, 1),
    "real": lambda m, a: setattr(a, "real", 1),
    "setfield": lambda m, a: a.setfield(1, "f8"),
    "itemwise": lambda m, a: a[0].__setitem__(0, 1),
    "view": lambda m, a: a.T.__setitem__(0, 1),
    "byteswap": lambda m, a: a.byteswap(inplace=True),
}


@pytest.mark.parametrize("write", WRITES)
def test_read_only_arrays_refuse_writes(write):
    x = np.arange(12.0).reshape(3, 4)
    found = []
    for m in (bc, np):
        a = m.asarray(x.copy())
        a.flags.writeable = False
        found.append(outcome(lambda: WRITES[write](m, a)))
        np.testing.assert_array_equal(np.asarray(a), x)
    assert isinstance(found[0], tuple) and found[0][0] is found[1][0] is ValueError
    assert "read-only" in found[0][1]
    if write not in ("sum out", "byteswap"):
        assert found[0][1] == found[1][1]
