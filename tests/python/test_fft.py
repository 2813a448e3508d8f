"""Fourier transforms against NumPy."""

import inspect
import subprocess
import sys

import bascule as bc
import numpy as np
import pytest
from bascule.lib import pocketfft
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("scipy", reason="without SciPy the transforms are NumPy's own")
CALLS = [
    "fft(x)", "fft(x, 6)", "fft(x, n=20)", "fft(x, axis=0)", "fft(x, norm='ortho')", "fft(x, norm='forward')", "ifft(x)",
    "ifft(x, norm='forward')", "rfft(x)", "rfft(x, 5, 0)", "irfft(x)", "irfft(x, 9)", "irfft(x, axis=0, norm='ortho')", "hfft(x)",
    "hfft(x, 7)", "ihfft(x)", "ihfft(x, norm='ortho')", "fft2(x)", "fft2(x, (3, 4))", "ifft2(x)", "rfft2(x)", "irfft2(x)",
    "irfft2(x, (4, 6))", "fftn(x)", "fftn(x, axes=(0,))", "fftn(x, axes=())", "fftn(x, s=(3, -1), axes=(0, 1))", "ifftn(x)",
    "rfftn(x)", "rfftn(x, axes=(1, 0))", "irfftn(x)", "irfftn(x, (4, 5), (1, 0))", "fftfreq(7, 0.5)", "fftfreq(8)", "rfftfreq(8)",
    "rfftfreq(7, 0.1)", "fftfreq(1)", "fftshift(x)", "fftshift(x, 0)", "ifftshift(x, axes=1)", "ifftshift(x, (0, 1))",
]  # fmt: skip
TYPES = ["?", "i1", "u8", "i8", "f2", "f4", "f8", "c8", "c16"]
LAYOUTS = {
    "contiguous": lambda a: a,
    "transposed": lambda a: a.T.copy().T,
    "strided": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "reversed": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
}


@pytest.fixture(autouse=True)
def _without_numpy():
    with bc.config.set(fallback="error"):
        yield


def data(dtype, shape, seed=0):
    x = np.random.default_rng(seed).normal(size=(2, *shape)) * 10
    return (
        abs(x[0]).astype(dtype)
        if dtype[0] in "?u"
        else (x[0] + 1j * x[1]).astype(dtype)
        if dtype[0] == "c"
        else x[0].astype(dtype)
    )


def close(got, want, of=None):
    assert got.dtype == want.dtype and got.shape == want.shape
    single = {np.dtype("f2"): 2e-3, np.dtype("f4"): 1e-5, np.dtype("c8"): 1e-5}
    tolerance = 2e-3 if of == "f2" else single.get(want.dtype, 1e-12)  # NumPy rounds factors to the type of the input
    np.testing.assert_allclose(
        bc.asarray(got).get(), want, rtol=tolerance, atol=tolerance * np.abs(want).max(initial=0)
    )


def outcome(text, module, x):
    try:
        return eval("f." + text, {"f": module.fft, "x": x, "np": np}), None
    except Exception as error:
        return None, error


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("text", CALLS)
def test_calls(text, dtype):
    a = data(dtype, (5, 8))
    want, error = outcome(text, np, a)
    got, mine = outcome(text, bc, bc.asarray(a))
    if error is not None:
        assert str(mine) == str(error)
        return
    close(got, want, dtype)


ALL_FREQUENCIES = [t for t in CALLS if t.startswith(("fft(", "ifft(", "fft2", "ifft2", "fftn", "ifftn")) and "=()" not in t] + [
    "fft(x, 1)", "fft(x, 2)", "ifft(x, 3, 0)", "fftn(x, s=(7, 1), axes=(-1, 0))", "ifftn(x, (-1, 5))", "fft2(x, axes=(1, 0))",
    "fftn(x, axes=(0, 0))", "fft(x, axis=2)", "fft(x, norm='of mine')",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i4"])
@pytest.mark.parametrize("text", ALL_FREQUENCIES)
@pytest.mark.parametrize("shape", [(5, 8), (6, 7), (1, 9), (2, 1)])
def test_large_transforms_of_real_values_are_mirrored(text, dtype, shape, monkeypatch):
    monkeypatch.setattr(bc.fft, "_WORTH_A_MIRROR", 1)
    a = data(dtype, shape)
    with bc.config.set(fallback="silent"):  # for axes that SciPy refuses
        want, error = outcome(text, np, a)
        got, mine = outcome(text, bc, bc.asarray(a))
    if error is not None:
        assert type(mine) is type(error) and str(mine) == str(error)
        return
    close(got, want, dtype)


@pytest.mark.parametrize("name", ["fft", "ifft", "fft2", "ifft2"])
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_large_transforms_of_real_values_are_scipys(name, dtype):
    scipy_fft = pytest.importorskip("scipy.fft", reason="SciPy, of the extra `test`, is not installed")
    a = data(dtype, (130, 41, 30))
    got = getattr(bc.fft, name)(bc.asarray(a)).get()
    np.testing.assert_array_equal(got.view(dtype), getattr(scipy_fft, name)(a).view(dtype))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("text", ["fft(x)", "fft(x, axis=0)", "fftn(x)", "rfft2(x.real)", "irfft(x)", "hfft(x)"])
def test_views_stay_as_they_are(text, layout):
    a = LAYOUTS[layout](data("c16", (6, 9)))
    b = bc.asarray(a, copy=False)
    close(outcome(text, bc, b)[0], outcome(text, np, a)[0])
    np.testing.assert_array_equal(b.get(), a)


WRONG = [
    "fft(x, 0)", "fft(x, -2)", "fft(x, 2.5)", "fft(x, axis=2)", "fft(x, norm='x')", "fft(3.0)", "irfft(x, 0)", "irfft(x[:, :1])", "fft2(x[0])",
    "fftn(x, (2, 3, 4), (0, 1))", "fftn(x, axes=(0, 5))", "rfft(x * 1j)", "ihfft(x * 1j)", "fft(x.astype('M8[s]'))", "fft(x[:, :0])",
    "fftfreq(2.5)", "rfftfreq('a')", "fftn(x, (0, 3), (0, 1))", "rfftn(x, axes=())",
]  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_errors_are_numpys(text):
    a = data("f8", (5, 8))
    _, error = outcome(text, np, a)
    _, mine = outcome(text, bc, bc.asarray(a))
    assert error is not None and isinstance(mine, type(error)), repr(mine)
    assert str(mine) == str(error)


def test_axes_that_scipy_refuses_are_counted():
    a = data("f8", (70, 70))
    with pytest.raises(NotImplementedError, match="unique"):
        bc.fft.fftn(bc.asarray(a), axes=(0, 0))
    with bc.config.set(fallback="silent"):
        bc.fallbacks(reset=True)
        close(bc.fft.fftn(bc.asarray(a), axes=(0, 0)), np.fft.fftn(a, axes=(0, 0)))
        assert [f["name"] for f in bc.fallbacks(reset=True)] == ["fft.fftn"]


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfftn"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_few_elements_have_numpys_bits_and_errors(name, dtype):
    if name in ("rfft", "ihfft", "rfft2") and dtype[0] == "c":
        dtype = "f8"
    a = data(dtype, (8, 9))
    options = [{}, {"norm": "ortho"}, {"norm": "forward"}, {"norm": "odd"}]
    one = not name.rstrip("n").endswith("2") and not name.endswith("n")
    options += [{"n": 4}, {"n": 20, "axis": 0}, {"n": 0}, {"axis": 5}] if one else [{"axes": (0, 1)}, {"axes": (0, 7)}]
    for chosen in options:
        try:
            wanted = getattr(np.fft, name)(a, **chosen)
        except Exception as error:
            with pytest.raises(type(error)) as said:
                getattr(bc.fft, name)(bc.asarray(a), **chosen)
            assert str(said.value) == str(error)
            continue
        r = getattr(bc.fft, name)(bc.asarray(a), **chosen)
        assert (r.dtype, r.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_array_equal(np.asarray(r), wanted)
        r[...] = 0  # the memory is the result's own


def test_lengths_without_axes_warn():
    for module in (np, bc):
        with pytest.warns(DeprecationWarning, match="`axes` should not be `None`"):
            module.fft.fftn(module.ones((4, 4)), s=(2,))


@pytest.mark.parametrize("dtype", ["f8", "c16", "c8"])
@pytest.mark.parametrize("name", ["fft", "ifft", "fft2", "fftn"])
def test_out(name, dtype):
    a = data(dtype, (5, 8))
    want = getattr(np.fft, name)(a)
    for out in (
        bc.zeros(want.shape, dtype=want.dtype),
        bc.zeros(want.shape[::-1], dtype=want.dtype).T,
        bc.zeros(want.shape, dtype="c8"),
    ):
        assert getattr(bc.fft, name)(bc.asarray(a), out=out) is out
        np.testing.assert_allclose(out.get(), want, rtol=1e-4, atol=1e-4 * abs(want).max())
    host = np.zeros(want.shape, want.dtype)
    assert getattr(bc.fft, name)(bc.asarray(a), out=host) is host
    np.testing.assert_allclose(host, want, rtol=1e-5, atol=1e-5 * abs(want).max())
    for wrong in (np.zeros((5, 7), want.dtype), np.zeros(want.shape)):
        with pytest.raises((TypeError, ValueError)) as theirs:
            getattr(np.fft, name)(a, out=wrong)
        with pytest.raises((TypeError, ValueError)) as mine:
            getattr(bc.fft, name)(bc.asarray(a), out=bc.asarray(wrong))
        assert isinstance(mine.value, TypeError) == isinstance(theirs.value, TypeError)
        assert "same_kind" in str(mine.value) or str(mine.value) == str(theirs.value)


def test_out_is_an_array():
    for module in (np, bc):
        with pytest.raises(TypeError, match="return arrays must be of ArrayType"):
            module.fft.fft(module.ones(3), out="")


def test_out_may_be_the_operand():
    a = data("c16", (64,))
    x = bc.asarray(a)
    assert bc.fft.fft(x, out=x) is x
    close(x, np.fft.fft(a))


def test_results_are_arrays_of_their_own():
    x = bc.asarray(data("f8", (4096,)))
    r = bc.fft.fft(x)
    before = r.get()
    y = r * 2
    r += 1
    np.testing.assert_allclose(y.get(), before * 2)
    np.testing.assert_allclose(r.get(), before + 1)
    assert bc._core.export_count(bc.fft.fft(x)) == 0
    assert not bc.may_share_memory(bc.fft.fftn(x, axes=()), x)


SHORT = """
import sys
import bascule as bc
x = bc.fft.rfft2(bc.ones((64, 64)))
assert bc.fft.irfft2(x, (64, 64)).shape == (64, 64) and bc.fft.fft2(x, (8, 8)).shape == (8, 8)
assert "scipy" not in sys.modules
bc.fft.fft2(x, (128, 128))  # by SciPy's compiled module alone
assert "scipy.fft" not in sys.modules
"""


def test_short_transforms_do_not_import_scipy():
    """SciPy's import takes longer than thousands of them."""
    subprocess.run([sys.executable, "-c", SHORT], check=True, timeout=200)


def test_pending_operands_and_round_trip():
    x = bc.asarray(np.arange(5000.0))
    back = bc.fft.ifft(bc.fft.fft(x * 2 + 1))
    np.testing.assert_allclose(back.real.get(), np.arange(5000.0) * 2 + 1, atol=1e-9)


def test_numpy_calls_come_here():
    x = bc.asarray(data("f8", (8,)))
    assert type(np.fft.fft(x)) is bc.ndarray
    assert type(bc.fft.fft([1.0, 2.0])) is bc.ndarray


@pytest.mark.parametrize("name", np.fft.__all__)
def test_signatures_are_numpys(name):
    mine, theirs = (inspect.signature(getattr(m.fft, name)) for m in (bc, np))
    bare = [[(p.name, p.kind, p.default) for p in s.parameters.values()] for s in (mine, theirs)]
    assert bare[0] == bare[1]


def test_all_names_are_there():
    assert sorted(bc.fft.__all__) == sorted(np.fft.__all__)


@given(st.integers(1, 60), st.integers(1, 70), st.sampled_from(TYPES[3:]), st.sampled_from(["fft", "ifft", "irfft", "hfft"]),
       st.sampled_from([None, "ortho", "forward"]))  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_any_length(length, n, dtype, name, norm):
    a = data(dtype, (2, length))
    close(getattr(bc.fft, name)(bc.asarray(a), n, norm=norm), getattr(np.fft, name)(a, n, norm=norm), dtype)


@pytest.mark.parametrize(
    ("name", "dtype"),
    [(n, t) for n in ("fft", "ifft", "irfft", "fft2", "hfft") for t in ("f4", "c8")]
    + [("rfft", "f4"), ("rfftn", "f4")],
)
def test_scipy_gets_all_threads_and_float32_stays(name, dtype, monkeypatch):
    scipy_fft = pytest.importorskip("scipy.fft", reason="SciPy, of the extra `test`, is not installed")
    seen = []
    real = getattr(scipy_fft, name)
    monkeypatch.setattr(scipy_fft, name, lambda x, *a, **k: seen.append((k["workers"], x.dtype)) or real(x, *a, **k))
    r = getattr(bc.fft, name)(bc.asarray(data(dtype, (64, 128))))
    assert [w for w, _ in seen] == [bc.get_num_threads()]
    assert seen[0][1] in (np.float32, np.complex64) and r.dtype in (np.float32, np.complex64)


NAMES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2", "fftn", "irfftn")


_OF_ONE = ({"axis": 0}, *({"axis": axis, "n": n} for axis in (-1, 0) for n in (1, 5, 6, 7, 12, 49, 50, 51, 60)))
_OF_SEVERAL = ({"axes": (-2, -1), "s": None}, *({"axes": axes, "s": (9, 3)} for axes in (None, (0, 1), (1, 0))))


@pytest.mark.parametrize("name", NAMES)
def test_the_compiled_module_alone_computes_as_the_package(name):
    library, scipys = pocketfft.compiled(), pytest.importorskip("scipy.fft")
    x = np.random.default_rng(3).normal(size=(6, 50))
    for values in (x, x.astype("f4"), x + 1j * x[::-1], (x - 2j * x).astype("c8")):
        for norm in (None, "ortho", "forward"):
            for where in _OF_SEVERAL if name[-1] in "2n" else _OF_ONE:
                if name[:2] in ("rf", "ih") and values.dtype.kind == "c":
                    continue
                ours = getattr(library, name)(values, norm=norm, workers=1, **where)
                theirs = getattr(scipys, name)(values, norm=norm, workers=1, **where)
                assert ours.dtype == theirs.dtype
                np.testing.assert_array_equal(ours, theirs)


def test_a_long_transform_does_not_import_scipys_package():
    code = (
        "import sys, bascule as bc; bc.fft.fft(bc.ones(8192)); bc.fft.irfft(bc.ones(9000)); "
        "bc.fft.irfft(bc.ones(5001), 9999); bc.fft.rfft2(bc.ones((99, 99)), (50, 120)); "
        "sys.exit('scipy.fft' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
