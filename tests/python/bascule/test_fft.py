"""Fourier transforms against NumPy."""

import bascule as bc
import numpy as np
import pytest

pytest.importorskip("scipy", reason="without SciPy the transforms are NumPy's own")
CALLS = [
    "fft(x)", "fft(x, 6)", "fft(x, axis=0)", "fft(x, norm='ortho')", "ifft(x)", "rfft(x)", "irfft(x)", "hfft(x)", "ihfft(x)", "fft2(x)",
    "ifft2(x)", "rfft2(x)", "irfft2(x)", "fftn(x, axes=(0,))", "ifftn(x)", "rfftn(x)", "irfftn(x)", "fftfreq(7, 0.5)", "rfftfreq(8)",
    "fftshift(x)", "ifftshift(x, axes=1)",
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8"])
@pytest.mark.parametrize("text", CALLS)
def test_calls(text, dtype):
    a = (np.random.default_rng(0).normal(size=(5, 8)) * 10).astype(dtype)
    want = eval("f." + text, {"f": np.fft, "x": a})
    got = eval("f." + text, {"f": bc.fft, "x": bc.asarray(a)})
    assert got.dtype == want.dtype and got.shape == want.shape
    tolerance = 1e-5 if want.dtype.itemsize * (1 if want.dtype.kind == "f" else 0.5) == 4 else 1e-12
    np.testing.assert_allclose(got.get(), want, rtol=tolerance, atol=tolerance * np.abs(want).max())


def test_out_and_round_trip():
    x = bc.asarray(np.arange(8.0))
    out = bc.zeros(8, dtype=complex)
    assert bc.fft.fft(x, out=out) is out
    np.testing.assert_allclose(bc.fft.ifft(out).real.get(), np.arange(8.0), atol=1e-14)
