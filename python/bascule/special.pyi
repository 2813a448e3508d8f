from typing import Any, Literal, overload

from ._array.ufuncs import cbrt as cbrt
from ._array.ufuncs import erf as erf
from ._array.ufuncs import erfc as erfc
from ._core import _ArrayLike, _ArrayOrScalar, _Axes, ndarray
from .lib.arithmetic import sinc as sinc
from .special_ufuncs import *

def log_softmax(x: _ArrayLike, axis: _Axes | None = None) -> ndarray: ...
@overload
@overload
def logsumexp(
    a: _ArrayLike,
    axis: None = None,
    b: _ArrayLike | None = None,
    keepdims: Literal[False] = False,
    return_sign: Literal[False] = False,
) -> _ArrayOrScalar: ...
@overload
def logsumexp(
    a: _ArrayLike,
    axis: _Axes = None,
    b: _ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: Literal[False] = False,
) -> ndarray: ...
@overload
def logsumexp(
    a: _ArrayLike,
    axis: _Axes = None,
    b: _ArrayLike | None = None,
    keepdims: bool = False,
    *,
    return_sign: Literal[True],
) -> tuple[ndarray, ndarray]: ...
def softmax(x: _ArrayLike, axis: _Axes | None = None) -> ndarray: ...
def __getattr__(name: str) -> Any: ...  # the rest of scipy.special, which runs there
