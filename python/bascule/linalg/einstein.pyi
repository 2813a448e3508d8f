from collections.abc import Sequence
from typing import Any

from .._core import _ArrayOrScalar, ndarray

def einsum(
    *operands: Any, out: ndarray | None = None, optimize: bool | str | Sequence[Any] = False, **kwargs: Any
) -> _ArrayOrScalar: ...
def einsum_path(
    *operands: Any, optimize: bool | str | Sequence[Any] = "greedy", einsum_call: bool = False
) -> tuple[list[Any], str]: ...
