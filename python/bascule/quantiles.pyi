from ._core import _ArrayLike, _Axes, _Quantile, ndarray

def median(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> ndarray: ...
def nanmedian(
    a: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    keepdims: bool = ...,
) -> ndarray: ...
def quantile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: bool = False,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
def percentile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: bool = False,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
def nanquantile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: bool = ...,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
def nanpercentile(
    a: _ArrayLike,
    q: _ArrayLike,
    axis: _Axes | None = None,
    out: ndarray | None = None,
    overwrite_input: bool = False,
    method: _Quantile = "linear",
    keepdims: bool = ...,
    *,
    weights: _ArrayLike | None = None,
) -> ndarray: ...
