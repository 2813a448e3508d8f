"""Small calls that are computed at once: choices by a condition, results written into arrays, strided elements, views
and indices. Each gives NumPy's result, or leaves the call to the general form."""

import warnings

import bascule as bc
import numpy as np
import pytest

SIZES = (1, 7, 8, 33, 1000)
TYPES = ("f8", "f4", "f2", "i8", "i4", "u1", "?", "c16", "M8[s]", "m8[s]")


def numbers(n, dtype, seed=0):
    v = np.random.default_rng(seed).integers(0, 3, n)
    return v.astype("i8").astype(dtype) if np.dtype(dtype).kind in "mM" else v.astype(dtype)


def same(ours, theirs, strides=True):
    if isinstance(theirs, tuple):
        assert isinstance(ours, tuple) and len(ours) == len(theirs)
        for a, b in zip(ours, theirs):
            same(a, b, strides=False)  # NumPy's are contiguous
        return
    got = np.asarray(ours)
    assert got.dtype == theirs.dtype and got.shape == theirs.shape
    assert not strides or ours.strides == theirs.strides or theirs.size == 0
    assert got.tobytes() == theirs.tobytes()


def both(f, *arrays):
    same(f(bc, *map(bc.array, arrays)), f(np, *map(np.array, arrays)))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", SIZES)
def test_where_takes_elements_of_two_arrays(n, dtype):
    c, x, y = numbers(n, "?"), numbers(n, dtype, 1), numbers(n, dtype, 2)
    both(lambda m, c, x, y: m.where(c, x, y), c, x, y)
    both(lambda m, c, x, y: m.where(c[::2], x[::2], y[::2]), c, x, y)
    both(lambda m, c, x, y: m.where(c, x, y[:1]), c, x, y)
    both(lambda m, c, x, y: m.where(c[:, None], x[:, None], y[:, None]), c, x, y)


@pytest.mark.parametrize("number", [0, 1, -3, 0.0, -0.0, 2.5, float("nan"), True, 2**40, 1e300, 1j])
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "i4", "u1", "?", "c16"])
def test_where_alongside_a_number_has_numpys_type(dtype, number):
    c, x = numbers(33, "?"), numbers(33, dtype, 1)
    for f in (lambda m, c, x: m.where(c, x, number), lambda m, c, x: m.where(c, number, x)):
        try:
            with warnings.catch_warnings(record=True) as reported:
                warnings.simplefilter("always")
                theirs = f(np, c, x)
        except OverflowError as error:
            with pytest.raises(OverflowError, match=str(error)[:20]):
                f(bc, bc.array(c), bc.array(x))
            continue
        with warnings.catch_warnings(record=True) as ours_reported:
            warnings.simplefilter("always")
            same(f(bc, bc.array(c), bc.array(x)), theirs)
        assert [str(w.message) for w in ours_reported] == [str(w.message) for w in reported]


@pytest.mark.parametrize("x, y", [(1, 0), (1.0, 0.0), (1, 0.5), (2.5, 1), (True, False), (True, 2), (1j, 2)])
def test_where_of_two_numbers(x, y):
    both(lambda m, c: m.where(c, x, y), numbers(33, "?"))


def test_where_takes_a_value_of_an_array_as_a_number():
    both(lambda m, c, x: m.where(c, x, x[2]), numbers(33, "?"), numbers(33, "f8", 1))
    both(lambda m, c, x: m.where(c, x[0], x[2]), numbers(33, "?"), numbers(33, "f8", 1))
    both(lambda m, c, x: m.where(c[0], x, x + 1), numbers(33, "?"), numbers(33, "f8", 1))
    both(lambda m, c, x: m.where(x, x, 7), numbers(33, "?"), numbers(33, "i8", 1))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("ufunc", ["add", "divide", "less", "sqrt", "negative", "floor_divide", "maximum"])
def test_out_holds_the_result_and_is_returned(ufunc, n):
    x, y = numbers(n, "f8", 1) + 1, numbers(n, "f8", 2) + 1
    for m in (bc, np):
        f = getattr(m, ufunc)
        a, b = m.array(x), m.array(y)
        args = (a, b) if f.nin == 2 else (a,)
        out = m.zeros(n, bool if ufunc == "less" else float)
        assert f(*args, out=out) is out
        second = m.zeros_like(out)
        with warnings.catch_warnings(record=True) as reported:
            warnings.simplefilter("always")
            assert f(*args, second) is second
        words = [str(w.message) for w in reported]  # for a third operand
        assert len(reported) == (ufunc == "maximum")
        if m is bc:
            ours, our_words = (np.asarray(out), np.asarray(second)), words
    assert our_words == words and ours[0].tobytes() == out.tobytes() and ours[1].tobytes() == second.tobytes()


def test_out_may_be_an_operand_or_lie_alongside_it():
    def results(m):
        x = m.arange(40.0)
        m.add(x, x, out=x)
        m.multiply(x[:-1], 2.0, out=x[1:])
        m.subtract(x[1:], 1.0, out=x[:-1])
        i = m.arange(40)
        m.add(i, 1, out=x)
        with pytest.raises(TypeError, match="Cannot cast ufunc 'add' output"):
            m.add(x, 1.0, out=i)
        with pytest.raises(ValueError, match="broadcast"):
            m.add(x, 1.0, out=m.zeros(3))
        m.add(x, 1.0, out=(rows := m.zeros((2, 40))))
        return x, i, rows

    same(results(bc), results(np))


def test_out_that_is_read_only_stays_as_it_is():
    for m in (bc, np):
        x, out = m.arange(5.0), m.zeros(5)
        out.flags.writeable = False
        with pytest.raises(ValueError, match="read-only"):
            m.add(x, x, out=out)
        assert out.tolist() == [0] * 5


def test_what_waits_for_the_old_elements_of_out_sees_them():
    x = bc.arange(20_000.0)
    head = x[:100]
    waits = x * 2
    bc.add(head, 1.0, out=head)
    assert waits[1] == 2 and x[1] == 2


CUTS = {
    "every other": lambda x: x[::2],
    "a column": lambda x: x.reshape(-1, 2)[:, 1],
    "columns": lambda x: x.reshape(-1, 4)[:, 1:3],
    "backwards": lambda x: x[::-1],
    "turned": lambda x: x.reshape(-1, 4).T,
    "planes": lambda x: x.reshape(-1, 2, 2)[:, :, :1],
    "one row": lambda x: x.reshape(-1, 4)[1:2, ::2],
    "a part": lambda x: x[3:],
}


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "u1", "?", "c16"])
@pytest.mark.parametrize("cut", CUTS)
def test_elements_that_lie_apart_compute_as_numpys(cut, dtype):
    take, x, y = CUTS[cut], numbers(64, dtype, 1), numbers(64, dtype, 2)
    both(lambda m, x, y: take(x) + take(y), x, y)
    both(lambda m, x, y: take(x) == take(y), x, y)
    both(lambda m, x, y: m.maximum(take(x), take(x)), x, y)
    both(lambda m, x, y: m.square(take(x)) if dtype != "?" else ~take(x), x, y)
    both(lambda m, x, y: take(x) * m.ascontiguousarray(take(y)), x, y)
    both(lambda m, x, y: take(x) + 2, x, y)
    both(lambda m, x, y: take(x) + take(y)[:1], x, y)


def test_elements_that_lie_apart_report_conditions():
    for m in (bc, np):
        x = m.array([1.0, 5.0, 0.0, 5.0, -1.0])
        with pytest.warns(RuntimeWarning, match="divide by zero encountered in divide") as reported:
            r = 1 / x[::2]
        assert len(reported) == 1 and reported[0].filename == __file__
        assert r.tolist() == [1.0, float("inf"), -1.0]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", [(5,), (0,), (2, 3), (3, 1, 2), ()])
def test_parts_flips_and_positions(shape, dtype):
    x = numbers(int(np.prod(shape)), dtype, 3).reshape(shape)
    both(lambda m, x: x.real, x)
    if np.dtype(dtype).kind not in "mM":
        both(lambda m, x: x.imag, x)
    if shape:
        both(lambda m, x: x.nonzero(), x)
        both(lambda m, x: m.where(x), x)
        both(lambda m, x: m.nonzero(x[::-1]), x)
        for axis in (None, 0, -1, (0,)):
            same(bc.flip(bc.array(x), axis), np.flip(x, axis))
        both(lambda m, x: m.ascontiguousarray(x.T), x)
        both(lambda m, x: m.asfortranarray(x), x)
        both(lambda m, x: m.asfortranarray(x[::-1]), x)
    with pytest.raises(np.exceptions.AxisError):
        bc.flip(bc.array(x), 7)


def test_zeros_of_either_sign_are_zero_and_nan_is_not():
    both(lambda m, x: m.nonzero(x), [0.0, -0.0, float("nan"), 5e-324])
    both(lambda m, x: m.nonzero(x), np.array([0.0, -0.0, float("nan"), 1e-45], "f4"))


def test_parts_are_views():
    x = bc.array([1 + 2j, 3 + 4j])
    x.real[0], x.imag[1] = 7, 8
    assert x.tolist() == [7 + 2j, 3 + 8j] and x.real.base is x
    real = bc.array([1.0])
    assert real.real is real and not bc.array([1.0]).imag.flags.writeable
    waits = bc.arange(20_000) * (1 + 1j)
    assert waits.real[3] == 3 and waits.imag[4] == 4


def test_a_flip_writes_to_the_array():
    x = bc.arange(4)
    bc.flip(x)[0] = 9
    assert x.tolist() == [0, 1, 2, 9]


@pytest.mark.parametrize(
    "to", ["i8", "f8", "u8", "M8[s]", "m8[D]", "c8", "i4", "f4", "?", "c16", "<i8", np.int64, float]
)
@pytest.mark.parametrize("dtype", ["f8", "i8", "c8", "i4", "M8[s]", "?"])
def test_view_reads_the_same_bytes(dtype, to):
    x = numbers(8, dtype, 4)
    for cut in (slice(None), slice(None, None, 2)):
        try:
            theirs = x[cut].view(to)
        except ValueError:
            with pytest.raises(ValueError):
                bc.array(x)[cut].view(to)
            continue
        same(bc.array(x)[cut].view(to), theirs)


class Interrupted:
    @property
    def dtype(self):
        raise KeyboardInterrupt


def test_view_as_what_arrays_cannot_hold_is_refused():
    with pytest.raises(TypeError):
        bc.arange(3).view(object)
    with pytest.raises(KeyboardInterrupt):
        bc.arange(3).view(Interrupted())
    with pytest.raises(TypeError):
        bc.arange(3).view("no type")


@pytest.mark.parametrize("value", [0, 1, 7, -2.5, True, float("nan"), 2**40, "2", 300])
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?", "c16"])
def test_full_like_casts_as_numpy(dtype, value):
    x = numbers(5, dtype)
    if value != value and dtype in ("i8", "u1"):
        for m in (np, bc):  # the result depends on the processor
            with pytest.warns(RuntimeWarning, match="invalid value encountered in cast"):
                full = m.full_like(m.asarray(x), value)
            assert full.dtype == x.dtype and full.shape == x.shape
        return
    try:
        theirs = np.full_like(x, value)
    except (ValueError, OverflowError) as error:
        with pytest.raises(type(error)):
            bc.full_like(bc.array(x), value)
        return
    same(bc.full_like(bc.array(x), value), theirs)


def test_copyto_and_putmask_choose_by_a_mask():
    def results(m):
        a, b, i = m.arange(12.0), m.arange(12.0) * 2, m.arange(12)
        mask = b % 4 == 0
        m.copyto(a, b, where=mask)
        m.putmask(i, mask, i + 5)
        m.putmask(i, mask.reshape(3, 4), [1, 2, 3])
        m.putmask(i, mask, 2.5)
        rows = m.zeros((3, 12))
        m.copyto(rows, b, where=mask)
        m.putmask(rows, rows > 8, rows + 1)
        with pytest.raises(TypeError, match="Cannot cast"):
            m.copyto(i, b)
        return a, b, i, rows

    same(results(bc), results(np))


def test_argsort_of_rows():
    x = numbers(60, "i8").reshape(6, 10)
    for m in (bc, np):
        with pytest.raises(TypeError):
            m.array(x).argsort(-1.0)
    kind = "stable" if bc.array(x).device.startswith("cuda") else None
    assert bc.array(x).argsort().tolist() == np.argsort(x, kind=kind).tolist()
    assert bc.array(x).argsort(0).tolist() == np.argsort(x, 0, kind=kind).tolist()
