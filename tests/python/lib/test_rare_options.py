"""Options of which NumPy knows values or types that are seldom given: the same results, or the same class of error."""

import itertools
import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

on_cpu = pytest.mark.skipif(bc.config.device != "cpu", reason="what NumPy makes is the CPU device's")


def same(call):
    found = []
    for xp in (np, bc):
        with warnings.catch_warnings(), bc.config.set(fallback="silent"):
            warnings.simplefilter("ignore")
            try:
                r = np.asarray(call(xp))
                found.append((str(r.dtype), r.shape, repr(r.tolist())))
            except Exception as error:
                found.append(next(c.__name__ for c in type(error).__mro__ if not c.__name__.startswith(("_", "UFunc"))))
    return found[0] == found[1] or found


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16", "i4", "m8[s]"])
def test_an_initial_value_that_is_no_number(dtype):
    """nanmin and nanmax leave it out like the elements that are none."""
    nan = np.nan
    nothing = np.timedelta64("NaT", "s")
    initials = (
        [nothing, np.timedelta64(3, "s")] if dtype[0] == "m" else [nan, np.float32(nan), complex(nan, 1), 0, 3, np.inf]
    )
    for values in ([1, 2], [nan, nan], [nan, 1], [np.inf, nan], [-np.inf, 2]):
        if dtype[0] in "im":
            values = [int(v) if np.isfinite(v) else 0 for v in values]
        for initial, where, name in itertools.product(
            initials, (None, [True, False], [False, False]), ("nanmin", "nanmax")
        ):
            options = {} if where is None else {"where": where}
            call = lambda xp: getattr(xp, name)(xp.array(np.array(values).astype(dtype)), initial=initial, **options)
            assert same(call) is True, (name, values, initial, where)


@pytest.mark.parametrize("dtype", ["i4", "f2", "f4", "c8"])
def test_medians_into_outputs_of_other_types(dtype):
    for values, out, keepdims in itertools.product(
        ([1, 2], [1, 2, 0], [1, 2, np.nan], []), "? i4 u1 f2 f8 c8 c16".split(), (False, True)
    ):
        if dtype == "i4" and np.nan in values:
            continue
        shape = (1,) if keepdims else ()
        call = lambda xp: xp.median(
            xp.array(np.array(values).astype(dtype)), out=xp.zeros(shape, out), keepdims=keepdims
        )
        assert same(call) is True, (values, out)


@on_cpu
def test_casts_that_keep_values():
    values = [[1.0, 2.0], [1.5], [np.nan], [1e300], [-1], [300], [2**53 + 1], [1 + 0j], [1j], [True], []]
    for given, to, rule in itertools.product(values, "? i1 u1 i8 f2 f4 f8 c8 M8[s]".split(), ("same_value", "other")):
        assert same(lambda xp: xp.array(given).astype(to, casting=rule)) is True, (given, to, rule)


@on_cpu
def test_windows_of_long_doubles():
    for name, m in itertools.product(("hanning", "hamming", "bartlett", "blackman"), (0, 1, 5)):
        assert same(lambda xp: getattr(xp, name)(np.longdouble(m))) is True, (name, m)
    for m, beta in ((np.longdouble(1), 3), (5, np.longdouble(3)), (np.longdouble(5), 2.0)):
        assert same(lambda xp: xp.kaiser(m, beta)) is True, (m, beta)


@on_cpu
def test_copies_of_derived_classes():
    masked = np.ma.array([1, 2], mask=[False, True])
    assert type(bc.copy(masked, subok=True)) is np.ma.MaskedArray and type(bc.copy(masked)) is bc.ndarray


def test_comparisons_asked_for_booleans():
    for name, value in itertools.product(("equal", "less", "greater_equal"), (300, -1, 2**40, 5)):
        for dtype, boolean in itertools.product("i1 u1 i4 u8 f4".split(), ("?", bool, np.bool_)):
            assert same(lambda xp: getattr(xp, name)(xp.array([1, 2], dtype), value, dtype=boolean)) is True, (
                name,
                value,
                dtype,
            )


@on_cpu
def test_lists_that_hold_themselves():
    endless = []
    endless.append(endless)
    with bc.config.set(fallback="silent"):
        assert bc.array([endless, endless], dtype=object).shape == np.array([endless, endless], dtype=object).shape


def test_errors_of_vectorize():
    for given in (3, "string"):
        with pytest.raises(TypeError):
            bc.vectorize(given)


def test_types_of_loops():
    for name in ("add", "logical_and", "floor_divide", "sin"):
        assert (
            getattr(bc, name).types == getattr(np, name).types and getattr(bc, name).ntypes == getattr(np, name).ntypes
        )


def test_flat_positions_of_shapes_at_the_edge():
    zeros = lambda xp, *shape: xp.zeros(shape, int)
    for shape in ((), (2,), (2, 1, 0), (0,), (2**40, 0), (2**61, 4), (2**40, 2**40), (2**62, 1)):
        for at in (0, [0], 1, [[1]]):
            assert same(lambda xp: list(xp.unravel_index(at, shape))) is True, (at, shape)
        assert same(lambda xp: list(xp.unravel_index(zeros(xp, 2, 0), shape))) is True, shape
        for n, mode in itertools.product((0, 1, 2), ("raise", "wrap", "clip")):
            assert same(lambda xp: xp.ravel_multi_index(zeros(xp, len(shape), n), shape, mode=mode)) is True, (
                shape,
                n,
                mode,
            )
