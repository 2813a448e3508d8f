"""SciPy's compiled Fourier transforms without the import of its package, which takes longer than most transforms."""

from __future__ import annotations

import functools
import importlib.machinery
import importlib.util
import os
from typing import Any

import numpy as np

_NORMS = {None: 0, "backward": 0, "ortho": 1, "forward": 2}


def _fitted(x: np.ndarray, axes: list[int], lengths: list[int]) -> np.ndarray:
    """The values cut off, or followed by zeros, to some lengths of axes."""
    shape = list(x.shape)
    for axis, n in zip(axes, lengths, strict=True):
        shape[axis] = n
    if shape == list(x.shape):
        return x
    kept = tuple(slice(min(a, b)) for a, b in zip(x.shape, shape, strict=True))
    if all(a >= b for a, b in zip(x.shape, shape, strict=True)):
        return x[kept]
    made = np.zeros(shape, x.dtype)
    made[kept] = x[kept]
    return made


class _Kernels:
    """The functions of scipy.fft, by the compiled module; calls that need more than that import the package."""

    def __init__(self, module: Any) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return functools.partial(self._transform, name)

    def _transform(
        self, name: str, x: np.ndarray, *, norm: Any, workers: int, overwrite_x: bool = False, **where: Any
    ) -> Any:
        lengths, axes = where.get("n", where.get("s")), where.get("axes", where.get("axis"))
        lengths = [] if lengths is None else [lengths] if "n" in where else list(lengths)
        axes = list(range(-len(lengths or x.shape), 0)) if axes is None else [axes] if "axis" in where else list(axes)
        from_real, to_real = name[:2] in ("rf", "ih"), name[:2] in ("ir", "hf")
        usual = norm in _NORMS and x.dtype.char in ("fd" if from_real else "fdFD")
        usual = (
            usual and x.dtype.isnative and x.flags.aligned and min(x.shape, default=0) > int(to_real and not lengths)
        )
        known = all(type(k) is int and -x.ndim <= k < x.ndim for k in axes) and axes != []
        known = known and len(lengths) in (0, len(axes)) and all(type(n) is int and n > 0 for n in lengths)
        if not (usual and known and len({k % x.ndim for k in axes}) == len(axes)):
            options = where | {"norm": norm, "workers": workers, "overwrite_x": overwrite_x}
            return getattr(importlib.import_module("scipy.fft"), name)(x, **options)
        forward, axes = name[0] != "i", [k % x.ndim for k in axes]
        n = lengths[-1] if lengths else (x.shape[axes[-1]] - 1) * 2
        if lengths:
            given = x
            x = _fitted(x, axes, [*lengths[:-1], n // 2 + 1] if to_real else lengths)
            overwrite_x = overwrite_x and x is given
        scale = _NORMS[norm] if forward else 2 - _NORMS[norm]
        if from_real:
            return self._module.r2c(x, axes, forward, scale, None, workers)
        if not to_real:
            return self._module.c2c(
                x, axes, forward, scale, x if overwrite_x and x.dtype.kind == "c" else None, workers
            )
        return self._module.c2r(x if x.dtype.kind == "c" else x + 0.0j, axes, n, forward, scale, None, workers)


@functools.cache
def compiled() -> Any:
    """SciPy's compiled transforms; None where they are not found."""
    found = importlib.util.find_spec("scipy")
    folder = os.path.join(next(iter(found.submodule_search_locations or ()), ""), "fft", "_pocketfft") if found else ""
    spec = importlib.machinery.PathFinder.find_spec("pypocketfft", [folder]) if folder else None
    if spec is None or spec.loader is None:
        return None
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except ImportError:
        return None
    return _Kernels(module) if all(hasattr(module, name) for name in ("c2c", "r2c", "c2r")) else None
