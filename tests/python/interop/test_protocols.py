"""Dispatch from NumPy, counted fallbacks, configuration."""

import inspect
import pickle
import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.fallback import wrapper
from numpy.testing import assert_array_equal


def test_numpy_ufuncs_dispatch():
    a, b = np.arange(4.0), bc.arange(4.0)
    for r in (
        np.add(b, 1),
        np.add(a, b),
        a + b,
        b + a,
        np.float64(1) + b,
        np.sin(b),
        np.add.outer(b, b),
        np.multiply.accumulate(b),
    ):
        assert type(r) is bc.ndarray
    assert float(np.add.reduce(b)) == 6
    out = bc.zeros(4)
    assert np.add(a, b, out=out) is out and float(out[3]) == 6
    host = np.zeros(4)
    assert np.add(a, b, out=host) is host and host[3] == 6
    a += b
    assert type(a) is np.ndarray and a[3] == 6
    with pytest.warns(bc.FallbackWarning, match="frexp"):
        assert type(np.frexp(b)[0]) is bc.ndarray
    assert type(np.matmul(b, b)) is np.float64 and np.matmul(b, b) == 14


def test_numpy_functions_dispatch():
    bc.fallbacks(reset=True)
    b = bc.arange(6.0).reshape(2, 3)
    for r in (
        np.sum(b, axis=1),
        np.mean(b, axis=0),
        np.concatenate([b, b]),
        np.where(b > 2, b, 0),
        np.stack([b, b]),
        np.zeros_like(b),
        np.fft.fft(b),
    ):
        assert type(r) is bc.ndarray
    assert type(np.sum(b)) is np.float64 and np.sum(b) == 15
    assert np.shape(b) == (2, 3) and np.allclose(b, b)
    assert float(np.percentile(b, 50)) == 2.5
    assert float(np.trapezoid(b[0])) == 2 and bc.fallbacks() == []


class Stranger:
    __array_ufunc__ = None

    def __radd__(self, other):
        return "strange"


class Other:
    def __array_ufunc__(self, *args, **kwargs):
        return "other"

    def __array_function__(self, *args, **kwargs):
        return "other"

    def __radd__(self, other):
        return "reflected"


def test_unknown_types_are_declined():
    assert bc.ones(2) + Stranger() == "strange" and bc.ones(2) + Other() == "reflected"
    assert np.add(bc.ones(2), Other()) == "other" and np.concatenate([bc.ones(2), Other()]) == "other"
    with pytest.raises(TypeError):
        bc.ones(2) + object()
    with pytest.raises(TypeError):
        bc.ones(2) < "text"


def test_array_protocol():
    b = bc.arange(4.0)
    shared = np.asarray(b)
    shared[0] = 9
    assert float(b[0]) == 9 and bc._core.export_count(b) == 1
    del shared
    assert bc._core.export_count(b) == 0
    assert np.asarray(b, dtype="f4").dtype == np.float32 and not np.shares_memory(np.array(b), np.asarray(b))


def test_fallbacks_are_counted_and_warn_once_per_call():
    bc.fallbacks(reset=True)
    x = bc.asarray([3.0, 1.0, 2.0])
    trapezoid = wrapper(np.trapezoid, "trapezoid")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("default")
        for _ in range(3):
            trapezoid(x)
    assert len(seen) == 1 and seen[0].filename == __file__
    assert bc.fallbacks(reset=True) == [{"name": "trapezoid", "reason": "not implemented natively", "calls": 3}]
    assert bc.fallbacks() == []
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match="trapezoid"):
        trapezoid(x)
    with bc.config.set(fallback="silent"):
        assert type(trapezoid(bc.stack([x, x]))) is bc.ndarray


def test_unknown_names():
    with pytest.raises(AttributeError, match="module 'bascule' has no attribute 'nonsense'"):
        bc.nonsense
    assert all(hasattr(bc, n) for n in bc.__all__) and len(set(bc.__all__)) == len(bc.__all__)
    assert {"sum", "config", "fft", "linalg"} <= set(dir(bc))
    for module in (bc, bc.linalg, bc.fft, bc.random, bc.special, bc.lib, bc.array_api):
        assert not [n for n in dir(module) if not hasattr(module, n)]


NUMPYS = (
    "nditer nested_iters matrix asmatrix bmat memmap char strings rec recarray record ma frompyfunc fromregex ctypeslib f2py "
    "busday_count busday_offset busdaycalendar is_busday"
)


@pytest.mark.parametrize("name", NUMPYS.split())
def test_what_is_numpys_own_is_given(name):
    theirs, ours = getattr(np, name), getattr(bc, name)
    assert (
        hasattr(np, name) and name in dir(bc) and ours.__name__.rpartition(".")[2] == theirs.__name__.rpartition(".")[2]
    )
    assert type(ours) is type(theirs) or getattr(ours, "__wrapped__", None) is theirs or isinstance(ours, type(np))


def test_config():
    assert bc.config.device == "cpu" and bc.config.fusion == "auto"
    with bc.config.set(fusion="off", fallback="silent"):
        assert bc.config.fusion == "off" and bc.config.fallback == "silent"
        assert not bc._core.is_pending(bc.ones(100000) + 1)
    assert bc.config.fusion == "auto" and bc._core.is_pending(bc.ones(100000) + 1)
    with bc.fastmath():
        assert bc.config.fastmath
    with bc.device("reference"):
        assert bc.ones(3).device == "reference" and float(bc.arange(4.0).sum()) == 6
    assert bc.ones(3).device == "cpu"
    for wrong, error in (({"fusion": "maybe"}, ValueError), ({"speed": 1}, AttributeError)):
        with pytest.raises(error):
            bc.config.set(**wrong)
    with pytest.raises(AttributeError, match="no setting"):
        bc.config.speed = 3


def test_evaluate_and_explain():
    x = bc.ones(100000) + 1
    assert "add" in bc.explain(x)
    assert bc.evaluate(x) is x and not bc._core.is_pending(x)
    with pytest.raises(TypeError, match="explain"):
        bc.explain(3)
    bc.synchronize()
    assert bc.get_num_threads() >= 1


def test_moving_to_a_device():
    x = bc.arange(4.0)
    assert x.to_device("cpu") is not None and x.device == "cpu"
    y = x.to_device("reference")
    assert y.device == "reference"
    assert_array_equal(y.get(), x.get())
    with pytest.raises(TypeError, match="different devices"):
        x + y


@pytest.mark.parametrize("layout", [np.s_[::2, ::-1], np.s_[:, 1:3], np.s_[:0], np.s_[...]])
def test_arrays_of_numpy_reach_the_reference_device_in_every_layout(layout):
    n = np.arange(24.0).reshape(4, 6)[layout]
    with bc.device("reference"):
        for a in (bc.asarray(n), bc.array(n.T).T):
            assert a.device == "reference"
            assert_array_equal(a.get(), n)


def test_numpys_old_names_of_its_parts():
    with pytest.warns(DeprecationWarning, match="numpy.core.multiarray is deprecated"):
        from bascule.core.multiarray import normalize_axis_index
    assert normalize_axis_index(-1, 3) == 2 and bc.core is np.core


NO_NUMBERS = {
    "objects": np.array([1, None], object),
    "text": np.array(["a", "b"]),
    "records": np.zeros(2, [("a", "f8")]),
    "long numbers": np.zeros(2, np.clongdouble),
    "a list of text": ["a", "b"],
    "nothing": None,
}


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_questions_about_what_arrays_do_not_hold(name):
    x = NO_NUMBERS[name]
    for question in ("iscomplexobj", "isrealobj", "ndim", "shape", "size"):
        assert getattr(bc, question)(x) == getattr(np, question)(x)
    with bc.config.set(fallback="silent"):
        assert bc.array_equiv(x, x) == np.array_equiv(x, x)
    assert bc.array_equiv([1, [2]], [1]) is np.array_equiv([1, [2]], [1]) is False


FACTORS = [np.arange(9.0).reshape(3, 3), np.arange(9.0).reshape(3, 3).T[::2], np.arange(3.0)]
FACTORS += [FACTORS[0].astype("f4"), np.arange(9).reshape(3, 3), FACTORS[0] * 1j, np.ones((2, 2, 3))]


@pytest.mark.parametrize("factor", FACTORS, ids=lambda x: f"{x.dtype} {x.shape}")
def test_products_of_numpys_matrices_and_arrays(factor):
    for other in (np.array([1.0, 2.0, 4.0]), np.eye(3, 2), np.array([1, 2, 4]), np.ones(3, "f4")):
        ours, theirs = factor @ bc.asarray(other), factor @ other
        assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)
        assert type(ours) is (bc.ndarray if isinstance(theirs, np.ndarray) else type(theirs))
        before = factor.copy()
        ours += 1  # with memory of its own
        assert np.array_equal(factor, before)
    with pytest.raises(ValueError, match="mismatch in its core dimension 0"):
        factor @ bc.ones(4)


class AnswersItself:
    """An operand of another library that computes itself, as Dask's arrays and quantities with units do."""

    def __array__(self, dtype=None, copy=None):
        raise AssertionError("it was not asked first")

    def __array_function__(self, function, types, args, kwargs):
        return function, len(args), sorted(kwargs)


_IT = AnswersItself()
ASKED_FIRST = {
    "sum": (_IT,), "mean": (_IT, 0), "concatenate": ([_IT, _IT],), "where": (_IT, 1, 2), "stack": ([np.ones(2), _IT],),
    "dot": (_IT, _IT), "sort": (_IT,), "einsum": ("ii", _IT), "shape": (_IT,), "zeros_like": (_IT,), "reshape": (_IT, (2, 2)),
    "percentile": (_IT, 30), "unique": (_IT,), "array_equal": (_IT, 1), "isin": (1, _IT), "clip": (_IT, 0, 1), "block": ([[_IT]],),
    "cumsum": (_IT,), "any": (_IT,), "interp": (1, _IT, _IT), "histogram": (_IT,), "linalg.norm": (_IT,), "linalg.eigh": (_IT,),
    "linalg.trace": (_IT,), "fft.fft": (_IT,), "fft.fftshift": (_IT,), "tensordot": (_IT, _IT), "roll": (_IT, 1),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED_FIRST)
def test_other_librarys_operands_are_asked_first(name):
    ours, theirs = bc, np
    for part in name.split("."):
        ours, theirs = getattr(ours, part), getattr(theirs, part)
    assert ours(*ASKED_FIRST[name]) == theirs(*ASKED_FIRST[name])


def test_functions_that_ask_keep_their_names():
    for f in (bc.percentile, bc.fft.fft, bc.linalg.eig, bc.einsum):
        assert pickle.loads(pickle.dumps(f)) is f
        assert inspect.signature(f).parameters
        assert f.__doc__


def test_operands_that_decline_are_refused_as_numpy_refuses_them():
    class Declines:
        def __array_function__(self, function, types, args, kwargs):
            return NotImplemented

    for xp in (bc, np):
        with pytest.raises(TypeError, match="no implementation found"):
            xp.median(Declines())


def test_arrays_of_dask_stay_lazy():
    da = pytest.importorskip("dask.array")
    x = da.ones((4, 4), chunks=2)
    for found in (
        bc.sum(x),
        bc.stack([bc.ones((4, 4)), x]),
        bc.linalg.norm(x),
        bc.percentile(x[0], 30),
        bc.einsum("ij->i", x),
    ):
        assert isinstance(found, da.Array)


def test_conditions_and_targets_of_ours_stand_alongside_numpys_targets():
    n, where = np.arange(4.0), np.array([True, False, True, True])
    for xs in ((n, where), (bc.asarray(n), where), (n, bc.asarray(where)), (bc.asarray(n), bc.asarray(where))):
        out = np.full(4, -1.0)
        assert np.add(xs[0], n, where=xs[1], out=out) is out and out.tolist() == [0, -1, 4, 6]
        assert np.add.reduce(n, where=xs[1], out=np.zeros(())) == 5
    for x in (n, bc.asarray(n)):
        for mask in (where, bc.asarray(where)):
            outs = np.full(4, -1.0), bc.full(4, -1.0)
            got = np.divmod(x, 2, where=mask, out=outs)
            assert got[0] is outs[0] and got[1] is outs[1]
            assert outs[0].tolist() == [0, -1, 1, 1] and outs[1].tolist() == [0, -1, 0, 1]
    outs = np.zeros(4), None
    assert np.divmod(bc.asarray(n), 2, out=outs)[1].tolist() == [0, 1, 0, 1]
