"""Keywords of a ufunc's call other than out and dtype: order, signature, where; comparisons without a loop."""

import warnings

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import bits

pytestmark = pytest.mark.usefixtures("native")


@pytest.fixture(autouse=True)
def _native():
    with bc.config.set(fallback="error"):
        yield


def outcome(call):
    try:
        r = call()
    except Exception as error:
        return type(error), str(error)
    return r.get() if type(r) is bc.ndarray else np.asarray(r)


def same(call, *arrays):
    got, want = outcome(lambda: call(bc, *map(bc.asarray, arrays))), outcome(lambda: call(np, *arrays))
    if isinstance(want, tuple):
        assert got == want
    else:
        np.testing.assert_array_equal(got, want, strict=True)
    return got, want


@pytest.mark.parametrize("order", ["C", "F", "A", "K", "c", "f", None])
@pytest.mark.parametrize("name", ["add", "negative", "less"])
def test_order_lays_out_the_result(name, order):
    a = np.arange(12.0).reshape(3, 4)
    layouts = (a, np.asfortranarray(a), a[:, ::2], np.asfortranarray(a)[::-1], a[0], a[0, 0])
    for x in layouts:
        args = (x,) * getattr(np, name).nin
        ours = getattr(bc, name)(*map(bc.asarray, args), order=order)
        theirs = getattr(np, name)(*args, order=order)
        assert type(ours) is (bc.ndarray if theirs.ndim else type(theirs))
        np.testing.assert_array_equal(np.asarray(ours), theirs, strict=True)
        if order in ("C", "F", "c", "f"):  # views get a new layout when they come from NumPy
            assert ours.flags.c_contiguous == theirs.flags.c_contiguous
            assert ours.flags.f_contiguous == theirs.flags.f_contiguous
    with pytest.raises(ValueError, match="order must be one of"):
        bc.add(a, a, order="Q")


def test_signature_names_the_loop():
    a = np.arange(4)
    for signature in (
        "d",
        "dd->d",
        (None, None, "f8"),
        ("f8", None, "f8"),
        (None, None, None),
        None,
        np.float32,
        (None, None),
        3,
    ):
        same(lambda m, x, s=signature: m.add(x, x, signature=s), a)
        same(lambda m, x, s=signature: m.add(x, x, sig=s), a)
    with pytest.raises(TypeError, match="No loop matching the specified signature"):
        bc.add(a, a, signature=("f4", "f8", "f8"))
    with pytest.raises(ValueError, match="type"):
        bc.add(a, a, signature="ddd->d")


def test_types_are_named_once():
    for options in (
        {"sig": "dd->d", "dtype": "d"},
        {"dtype": "d", "signature": "dd->d"},
        {"sig": "dd->d", "signature": "dd->d"},
    ):
        same(lambda m, x, o=options: m.add(x, x, **o), np.arange(3))


def test_writing_complex_values_to_real_ones_warns():
    for m in (bc, np):
        a = m.zeros(3)
        with pytest.warns(np.exceptions.ComplexWarning, match="discards the imaginary part"):
            a[...] = m.ones(3) * 1j
        with pytest.warns(np.exceptions.ComplexWarning):
            a[[0, 1]] = m.ones(2) * 1j


def test_dots_for_out_keep_the_array():
    for r in (bc.add(1, 2, out=...), bc.add(bc.asarray(1.0), 2, out=...)):
        assert r.shape == () and float(r) == 3
        r += 1  # for a scalar this would rebind the name
        assert float(r) == 4
    with pytest.raises(TypeError, match="is only allowed as a keyword argument"):
        bc.add(1, 2, ...)


def test_masks_may_be_sequences_of_numbers():
    for mask in ([1, 0, 2, 0], [[1], [0]], [True, False, True, False], (0, 0, 0, 1)):
        shape = np.broadcast_shapes(np.shape(mask), (4,))
        same(lambda m, x, k=mask, s=shape: m.add(x, 1, out=m.zeros(s), where=k), np.arange(4.0))
        same(lambda m, x, k=mask: m.add.reduce(m.broadcast_to(x, np.shape(k)), where=k), np.arange(1.0))
    same(lambda m, x: m.add(x, 1, out=m.zeros(4), where=x), np.arange(4))


def test_a_mask_without_out_warns():
    mask = np.array([True, False, True])
    for m in (bc, np):
        with pytest.warns(UserWarning, match="'where' used without 'out'"):
            m.add(m.ones(3), 1, where=m.asarray(mask))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            m.add(m.ones(3), 1, where=m.asarray(mask), out=None)
            m.add(m.ones(3), 1, where=True)


def test_equality_without_a_loop():
    times, numbers = np.arange(3).astype("M8[s]"), np.arange(2.0)[:, None]
    for call in (lambda m, a, b: a == b, lambda m, a, b: a != b):
        same(call, times, numbers)
        same(lambda m, a, c=call: c(m, a, "text"), np.arange(3))
    same(lambda m, a, b: a == b, times, np.arange(3).astype("m8[s]"))
    with pytest.raises(TypeError):
        bc.asarray(times) > bc.asarray(numbers)
    with pytest.raises(ValueError, match="broadcast"):
        bc.asarray(times) == bc.arange(2.0)


def test_other_classes_may_give_arrays_of_ours():
    class Holder:
        def __array__(self, dtype=None, copy=None):
            return bc.arange(3)

    assert bc.asarray(Holder()).tolist() == [0, 1, 2]
    assert bc.array(Holder(), dtype="f4").dtype == np.float32
    assert bc.add(Holder(), 1).tolist() == [1, 2, 3]
    assert bc.arange(5)[Holder()].tolist() == [0, 1, 2]


def test_types_are_resolved_as_numpy_does():
    f4, i8 = np.dtype("f4"), np.dtype("i8")
    for name in ("add", "divide", "less"):
        want = getattr(np, name).resolve_dtypes((f4, i8, None))
        assert getattr(bc, name).resolve_dtypes((f4, i8, None)) == want


def test_copies_are_refused_where_one_is_needed():
    a = bc.arange(6).reshape(2, 3)
    for options in ({"dtype": "f8"}, {"order": "F"}):
        with pytest.raises(ValueError, match="Unable to avoid copy"):
            bc.array(a, copy=False, **options)
        with pytest.raises(ValueError, match="Unable to avoid copy"):
            bc.array(a, copy=np._CopyMode.NEVER, **options)
    assert bc.array(a, copy=np._CopyMode.NEVER) is a
    assert bc.array(a, copy=np.True_) is not a


def test_an_element_takes_no_sequence():
    for key, value in ((0, [1]), ((0, 1), (1,)), (-1, [1, 2])):
        a = np.zeros((2, 3)) if isinstance(key, tuple) else np.zeros(3)
        same(lambda m, x, k=key, v=value: x.__setitem__(k, v), a)
    same(lambda m, x: x.__setitem__(0, [1, 2, 3]) or x, np.zeros((2, 3)))


def test_copy_takes_no_text():
    with pytest.raises(ValueError, match="strings are not allowed for 'copy' keyword"):
        bc.array([1, 2, 3], copy="always")


def test_rounding_keeps_the_layout():
    for code in ("u1", "i8", "f8", "c16", "?"):
        a = np.asfortranarray(np.arange(6).reshape(2, 3).astype(code))
        ours = bc.round(bc.asarray(a, order="F"))
        assert ours.flags.f_contiguous and ours.dtype == np.round(a).dtype


def reported(call, xp):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        r = np.array(call(xp))
    return r.dtype, bits(r), sorted({(w.category, str(w.message)) for w in found}, key=str)


@pytest.mark.parametrize("n", [5, 100, 5000, 70_000])
@pytest.mark.parametrize("to", ["f2", "f4", "i4"])
def test_what_is_not_selected_is_not_cast_either(n, to):
    large = np.where(np.arange(n) % 3 == 1, 1e300, 2.0)
    for mask in (np.arange(n) % 3 != 1, np.arange(n) % 2 == 0, np.zeros(n, bool), np.ones(n, bool)):
        for op in ("add", "multiply", "maximum"):

            def call(xp, op=op, mask=mask):
                x = xp.asarray(large)
                return getattr(xp, op)(x, xp.asarray(1.0), out=xp.ones(n, to), where=xp.asarray(mask), casting="unsafe")

            assert reported(call, bc) == reported(call, np)


@pytest.mark.parametrize("n", [5, 70_000])
def test_exponents_have_the_sign_of_the_loop(n):
    base, large = np.arange(n, dtype="u4") % 5, np.full(n, 3, "u4")
    large[n // 2] = 2**32 - 1
    same(lambda xp, x, y: xp.power(x, y, dtype="i4"), base, large)
    same(lambda xp, x, y: xp.power(x, y, dtype="i8"), base, large % 7)
    same(lambda xp, x, y: xp.power(x, y, dtype="u4", casting="unsafe"), base, large.astype("i4"))
    same(lambda xp, x, y: xp.power(x, y, dtype="i4", where=y < 9, out=xp.zeros(n, "i4")), base, large)
