"""The namespace of an array is the standard's: bascule's own, except for the few functions that differ in NumPy."""

import inspect

import bascule as bc
import numpy as np
import pytest
import scipy.special

pytestmark = pytest.mark.usefixtures("native")

xp = bc.ones(1).__array_namespace__()
_OWN = {"argsort", "clip", "expm1", "finfo", "sort", "tanh", "__array_namespace_info__"}


def test_every_array_names_it_for_every_edition():
    assert xp is bc.array_api and xp.__array_api_version__ == "2025.12"
    assert bc.arange(3).__array_namespace__(api_version="2025.12") is xp
    assert bc.ones(2, device="reference").__array_namespace__(api_version="2021.12") is xp
    with pytest.raises(ValueError, match="1999.01.* not supported"):
        bc.ones(1).__array_namespace__(api_version="1999.01")


def test_it_is_bascule_but_for_the_functions_that_numpy_has_otherwise():
    names = set(bc.__all__) - _OWN - {"linalg", "special", "__array_api_version__"}
    assert len(names) > 400

    def differ(of, ours, numpys):
        """Classes and values are the same objects; functions return arrays where NumPy returns scalars."""
        pairs = [(n, getattr(ours, n), getattr(numpys, n)) for n in of]
        return {n for n, a, b in pairs if a is not b and getattr(a, "__wrapped__", None) is not b}

    assert differ(names, xp, bc) == set()
    for part, own in (("fft", {"fftfreq", "rfftfreq"}), ("linalg", {"eig", "eigvals"}), ("special", set())):
        assert differ(getattr(bc, part).__all__, getattr(xp, part), getattr(bc, part)) == own
    assert set(dir(bc)) <= set(dir(xp)) and xp.random is bc.random
    with pytest.raises(AttributeError, match="bascule"):
        xp.no_such_name


def test_what_has_no_axes_is_an_array_and_stays_one():
    x = bc.arange(6.0).reshape(2, 3)
    square = x[:, :2]
    made = [xp.sum(x), xp.asarray(2.5), xp.sqrt(2.0), xp.add(xp.asarray(1), 2), xp.max(x), xp.vecdot(x[0], x[1])]
    made += [xp.linalg.det(square), xp.linalg.matrix_norm(x), *xp.linalg.slogdet(square), xp.mean(x), xp.any(x > 2)]
    made += [
        xp.expm1(0.5),
        xp.tanh(1j),
        xp.clip(xp.asarray(3), max=2),
        xp.argmax(x),
        xp.astype(xp.asarray(1), xp.float32),
    ]
    made += [
        x[xp.asarray(1), 2],
        x[1, :][xp.argmax(x[1, :])],
        xp.special.logsumexp(x),
        xp.special.expit(0.5),
        xp.special.gamma(xp.asarray(2.5)),
    ]
    with bc.config.set(fallback="silent"):  # for functions that run in SciPy
        made += [xp.special.stdtr(9.0, 0.5), xp.special.chdtr(made[0], 2.0), scipy.special.chdtr(2.0, made[0])]
    days = np.datetime64("2024-02-28") + bc.arange(3)
    last, two = xp.max(days), xp.max(days) - xp.min(days)  # xarray uses these types beyond the standard
    since = last - np.datetime64("2000-01-01", "h")
    made += [two, since, (last + two) - last, two / two, *divmod(two, two), -two, np.subtract(last, last)]
    for s in made:
        assert type(s) is bc.ndarray and s.shape == ()
        assert s.__array_namespace__() is xp and hash(s) == hash(s.item())
        for r in (
            s[()],
            s == s,
            xp.equal(s, s),
            xp.asarray(s),
            xp.abs(s),
            +s if s.dtype != bool else ~s,
            s.to_device("cpu"),
        ):
            assert type(r) is bc.ndarray and r.shape == () and r.__array_namespace__() is xp
    there = bc.asarray(x, device="reference")
    for s in (xp.sum(there), xp.max(there), xp.expm1(xp.asarray(1j, device="reference")), xp.any(there > 2)):
        assert s.device == "reference" and type(s + 1) is bc.ndarray and (s + 1).device == "reference"
    held = s = xp.sum(x)
    s += 1  # rebinds, as for any 0-d result
    assert float(held) == 15.0 and float(s) == 16.0
    assert type(bc.sum(x)) is np.float64 and type(x.sum() + 1) is np.float64


@pytest.mark.parametrize("name", ["sort", "argsort"])
def test_orders_have_the_standards_parameters_only(name):
    f = getattr(xp, name)
    assert str(inspect.signature(f)).startswith("(x: ") and list(inspect.signature(f).parameters) == [
        "x", "axis", "descending", "stable",
    ]  # fmt: skip
    with pytest.raises(TypeError):
        f(bc.ones(2), kind="stable")
    with pytest.raises(np.exceptions.AxisError):
        f(bc.ones(2), axis=1)
    with pytest.raises(np.exceptions.AxisError):
        f(bc.ones(2), axis=1, descending=True)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1", "bool", "c16"])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("n", [0, 1, 7, 9000])
def test_descending_keeps_the_order_of_equal_elements(dtype, axis, n):
    x = (np.random.default_rng(n).integers(0, 9, (3, n)) * (1j if dtype == "c16" else 1)).astype(dtype)
    b = bc.asarray(x)
    # Indices by the negated ranks of the values, which is what "descending and stable" means.
    ranks = -np.unique(x, return_inverse=True)[1].reshape(x.shape)
    expected = np.argsort(ranks, axis=axis, kind="stable")
    np.testing.assert_array_equal(np.asarray(xp.argsort(b, axis=axis, descending=True)), expected)
    values = np.take_along_axis(x, expected, axis)
    assert xp.argsort(b, axis=axis, descending=True).dtype == np.int64
    np.testing.assert_array_equal(np.asarray(xp.sort(b, axis=axis, descending=True)), values, strict=True)
    np.testing.assert_array_equal(np.asarray(xp.sort(b, axis=axis)), np.sort(x, axis=axis), strict=True)
    np.testing.assert_array_equal(np.asarray(xp.argsort(b, axis=axis)), np.argsort(x, axis=axis, kind="stable"))


@pytest.mark.parametrize("stable", [True, False])
def test_zeros_and_nan_in_descending_order(stable):
    x = np.array([0.0, np.nan, -0.0, 2.0, 0.0, -0.0])
    r = np.asarray(xp.sort(bc.asarray(x), descending=True, stable=stable))
    np.testing.assert_array_equal(r, [np.nan, 2, 0, 0, 0, 0])
    if stable:
        assert np.signbit(r[2:]).tolist() == [False, True, False, True]


def test_clip_has_the_standards_names():
    assert list(inspect.signature(xp.clip).parameters)[:3] == ["x", "min", "max"]
    x = np.linspace(-3, 3, 7, dtype="f4")
    b = bc.asarray(x)
    for limits in ({}, {"min": -1}, {"max": 1.5}, {"min": -1, "max": 1}, {"min": x[::-1], "max": np.float32(2)}):
        ours = {k: bc.asarray(v) if isinstance(v, np.ndarray) else v for k, v in limits.items()}
        np.testing.assert_array_equal(
            np.asarray(xp.clip(b, **ours)), np.clip(x, **{"min": None, **limits}), strict=True
        )
    np.testing.assert_array_equal(np.asarray(xp.clip(b, -1, 1)), np.clip(x, -1, 1), strict=True)
    out = bc.zeros(7, dtype="f4")
    assert xp.clip(b, 0, out=out) is out and float(out.min()) == 0


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
def test_limits_of_floats_are_python_numbers(dtype):
    ours, theirs = xp.finfo(bc.ones(1, dtype=dtype)), np.finfo(dtype)
    for name in ("eps", "max", "min", "smallest_normal"):
        assert type(getattr(ours, name)) is float and getattr(ours, name) == getattr(theirs, name)
    assert type(ours.bits) is int and ours.bits == theirs.bits and ours.dtype == theirs.dtype
    assert ours.tiny == theirs.tiny and repr(ours) == repr(theirs) and xp.finfo(np.dtype(dtype)).eps == ours.eps
    with pytest.raises(AttributeError):
        ours.no_such_limit
    with pytest.raises(ValueError, match="not inexact|not compatible with finfo"):
        xp.finfo(np.int64)


@pytest.mark.parametrize("name", ["fftfreq", "rfftfreq"])
def test_frequencies_have_a_type(name):
    ours, theirs = getattr(xp.fft, name), getattr(np.fft, name)
    for n in (1, 8, 9):
        np.testing.assert_array_equal(np.asarray(ours(n, d=0.3)), theirs(n, 0.3), strict=True)
        r = ours(n, d=0.3, dtype=xp.float32, device="cpu")
        np.testing.assert_array_equal(np.asarray(r), theirs(n, 0.3).astype("f4"), strict=True)
    with pytest.raises(ValueError, match=f"{name}.*real floating dtype, got int64"):
        ours(3, dtype=np.int64)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_eigenvalues_are_complex(dtype):
    # Symmetric matrices and others: NumPy's results are real for the former.
    for x in (np.diag([3.0, 1.0, 2.0]), np.array([[0.0, -1], [1, 0]])):
        x = x.astype(dtype)
        values, vectors = np.linalg.eig(x)
        wanted = np.result_type(dtype, "c8")
        r = xp.linalg.eig(bc.asarray(x))
        assert r.eigenvalues.dtype == r.eigenvectors.dtype == wanted
        rtol = 100 * np.finfo(dtype).eps
        np.testing.assert_allclose(np.asarray(r.eigenvalues), values, rtol=rtol, atol=rtol)
        np.testing.assert_allclose(np.abs(np.asarray(r.eigenvectors)), np.abs(vectors), rtol=rtol, atol=rtol)
        lone = xp.linalg.eigvals(bc.asarray(x))
        assert lone.dtype == wanted
        np.testing.assert_allclose(np.asarray(lone), values, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_signs_of_complex_zeros(dtype):
    edges = [-np.inf, -1.0, -0.0, 0.0, 2.0, 3e9, np.inf, np.nan]
    x = np.empty((8, 8), dtype)
    x.real, x.imag = np.meshgrid(edges, edges, indexing="ij")
    x = np.ascontiguousarray(np.broadcast_to(x, (100, 8, 8)))  # more matrices than are computed at once
    with np.errstate(all="ignore"):
        ours = {n: np.asarray(getattr(xp, n)(bc.asarray(x))) for n in ("expm1", "tanh")}
        theirs = {n: np.asarray(getattr(bc, n)(bc.asarray(x))) for n in ("expm1", "tanh")}
    for name in ours:
        np.testing.assert_array_equal(ours[name], theirs[name])  # equal except for the signs of zeros
        same = ours[name].view(ours[name].real.dtype).tobytes() == theirs[name].tobytes()
        assert not same
    zero = ours["expm1"][x == 0]
    assert not np.signbit(zero.real).any() and (np.signbit(zero.imag) == np.signbit(x[x == 0].imag)).all()
    ends = np.isinf(x.real) & np.isfinite(x.imag)
    assert (ours["tanh"][ends] == np.sign(x[ends].real)).all()
    assert (np.signbit(ours["tanh"].imag) == np.signbit(x.imag))[ends].all()
    inner = np.isfinite(x.real)
    np.testing.assert_array_equal(ours["tanh"][inner].view("u4"), theirs["tanh"][inner].view("u4"))


def test_tanh_and_expm1_of_reals_are_bascules():
    x = bc.asarray(np.linspace(-3, 3, 9))
    for name in ("expm1", "tanh"):
        np.testing.assert_array_equal(np.asarray(getattr(xp, name)(x)), np.asarray(getattr(bc, name)(x)), strict=True)


def test_information_lists_devices_in_a_tuple():
    info = xp.__array_namespace_info__()
    assert type(info.devices()) is tuple and info.default_device() in info.devices()
    assert info.dtypes(kind="bool") == {"bool": np.dtype("bool")}
    assert bc.__array_namespace_info__().devices() == list(info.devices())  # a list, as in NumPy
