from typing import Any, Literal

from .._core import _ArrayLike, _File

def load(
    file: _File,
    mmap_mode: Literal["r", "r+", "c"] | None = None,
    allow_pickle: bool = False,
    fix_imports: bool = True,
    encoding: str = "ASCII",
    *,
    max_header_size: int = 10000,
) -> Any: ...
def save(file: _File, arr: _ArrayLike, allow_pickle: bool = False) -> None: ...
def savez(file: _File, *args: _ArrayLike, allow_pickle: bool = False, **kwds: _ArrayLike) -> None: ...
def savez_compressed(file: _File, *args: _ArrayLike, allow_pickle: bool = False, **kwds: _ArrayLike) -> None: ...
