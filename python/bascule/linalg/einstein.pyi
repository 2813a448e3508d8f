from collections.abc import Sequence
from typing import Any

from .._core import ndarray

def einsum(
    *operands: Any, out: ndarray | None = None, optimize: bool | str | Sequence[Any] = False, **kwargs: Any
) -> ndarray: ...
def einsum_path(
    *operands: Any, optimize: bool | str | Sequence[Any] = "greedy", einsum_call: bool = False
) -> tuple[list[Any], str]: ...
