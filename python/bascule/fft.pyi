from collections.abc import Sequence
from typing import SupportsIndex

from ._core import _ArrayLike, _Axes, _Norm, ndarray

def fft(
    a: _ArrayLike, n: int | None = None, axis: SupportsIndex = -1, norm: _Norm | None = None, out: ndarray | None = None
) -> ndarray: ...
def fft2(
    a: _ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: _Norm | None = None,
    out: ndarray | None = None,
) -> ndarray: ...
def fftfreq(n: int, d: float = 1.0, device: str | None = None) -> ndarray: ...
def fftn(
    a: _ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: _Norm | None = None,
    out: ndarray | None = None,
) -> ndarray: ...
def fftshift(x: _ArrayLike, axes: _Axes = None) -> ndarray: ...
def hfft(
    a: _ArrayLike, n: int | None = None, axis: SupportsIndex = -1, norm: _Norm | None = None, out: ndarray | None = None
) -> ndarray: ...
def ifft(
    a: _ArrayLike, n: int | None = None, axis: SupportsIndex = -1, norm: _Norm | None = None, out: ndarray | None = None
) -> ndarray: ...
def ifft2(
    a: _ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: _Norm | None = None,
    out: ndarray | None = None,
) -> ndarray: ...
def ifftn(
    a: _ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: _Norm | None = None,
    out: ndarray | None = None,
) -> ndarray: ...
def ifftshift(x: _ArrayLike, axes: _Axes = None) -> ndarray: ...
def ihfft(
    a: _ArrayLike, n: int | None = None, axis: SupportsIndex = -1, norm: _Norm | None = None, out: ndarray | None = None
) -> ndarray: ...
def irfft(
    a: _ArrayLike, n: int | None = None, axis: SupportsIndex = -1, norm: _Norm | None = None, out: ndarray | None = None
) -> ndarray: ...
def irfft2(
    a: _ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: _Norm | None = None,
    out: ndarray | None = None,
) -> ndarray: ...
def irfftn(
    a: _ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: _Norm | None = None,
    out: ndarray | None = None,
) -> ndarray: ...
def rfft(
    a: _ArrayLike, n: int | None = None, axis: SupportsIndex = -1, norm: _Norm | None = None, out: ndarray | None = None
) -> ndarray: ...
def rfft2(
    a: _ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: _Norm | None = None,
    out: ndarray | None = None,
) -> ndarray: ...
def rfftfreq(n: int, d: float = 1.0, device: str | None = None) -> ndarray: ...
def rfftn(
    a: _ArrayLike,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: _Norm | None = None,
    out: ndarray | None = None,
) -> ndarray: ...
