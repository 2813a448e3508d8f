"""Discrete Fourier transforms, by scipy.fft with as many workers as bascule has threads (NumPy's where SciPy is absent)."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numpy as np

from . import _core
from .conversion import as_array, from_result, host_view
from .fallback import in_numpy

_TRANSFORMS = [
    "fft",
    "ifft",
    "rfft",
    "irfft",
    "hfft",
    "ihfft",
    "fft2",
    "ifft2",
    "rfft2",
    "irfft2",
    "fftn",
    "ifftn",
    "rfftn",
    "irfftn",
]
__all__ = [*_TRANSFORMS, "fftfreq", "fftshift", "ifftshift", "rfftfreq"]


def _transform(name: str) -> Any:
    in_numpy_only = getattr(np.fft, name)

    def call(a: Any, *args: Any, **kwargs: Any) -> Any:
        x = as_array(a)
        if x.device.startswith("cuda"):
            raise NotImplementedError(f"[fft.{name}] does not run on {x.device} yet")
        out = kwargs.pop("out", None)
        try:
            library = importlib.import_module("scipy.fft")
        except ImportError:
            r = in_numpy(in_numpy_only, (x, *args), kwargs, "fft." + name, "SciPy is not installed")
        else:
            host = host_view(x)
            host = host.astype(np.float64) if host.dtype.kind in "biu" else host
            r = from_result(getattr(library, name)(host, *args, **kwargs, workers=_core.get_num_threads()), x.device)
        if out is None:
            return r
        out[...] = r
        return out

    call.__name__ = call.__qualname__ = name
    call.__signature__ = inspect.signature(in_numpy_only)  # type: ignore[attr-defined]
    call.__doc__ = f"numpy.fft.{name}, with several workers.\n\n{in_numpy_only.__doc__}"
    return call


def fftfreq(n: int, d: float = 1.0, device: str | None = None) -> Any:
    """Sample frequencies of a transform of length n."""
    return _core.from_numpy(np.fft.fftfreq(n, d), device)


def rfftfreq(n: int, d: float = 1.0, device: str | None = None) -> Any:
    """Sample frequencies of a transform of n real values."""
    return _core.from_numpy(np.fft.rfftfreq(n, d), device)


def _shifted(x: Any, axes: Any, by: Any) -> Any:
    from .manipulation import roll

    x = as_array(x)
    axes = tuple(range(x.ndim)) if axes is None else (axes,) if isinstance(axes, int) else tuple(axes)
    return roll(x, tuple(by(x.shape[k]) for k in axes), axes)


def fftshift(x: Any, axes: Any = None) -> Any:
    """Zero frequency moved to the middle."""
    return _shifted(x, axes, lambda n: n // 2)


def ifftshift(x: Any, axes: Any = None) -> Any:
    """Zero frequency moved back to the front."""
    return _shifted(x, axes, lambda n: -(n // 2))


def __getattr__(name: str) -> Any:
    if name in _TRANSFORMS:
        found = globals()[name] = _transform(name)
        return found
    raise AttributeError(f"module 'bascule.fft' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
