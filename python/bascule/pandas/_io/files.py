"""Files that text is read from and written to, compressed or not."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
from typing import Any

from .._fallback.open_files import before_write
from .._theirs import pandas

UTF8 = (None, "utf-8", "UTF-8", "utf8")
OPENERS = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}  # modules, imported by programs that need them
_METHODS = {"gzip": ".gz", "bz2": ".bz2", "xz": ".xz"}
_ONLY_PANDAS = (".tar", ".zip", ".zst", ".tgz")


def _module_for(path: str, compression: Any) -> str | None:
    """The module whose files are compressed as asked; "" without compression, None where pandas has to open the file."""
    if compression == "infer":
        ending = os.path.splitext(path)[1].lower()
        return None if ending in _ONLY_PANDAS or ".tar." in path.lower() else OPENERS.get(ending, "")
    if compression is None:
        return ""
    return OPENERS[_METHODS[compression]] if isinstance(compression, str) and compression in _METHODS else None


def check_folder(path: str) -> None:
    """OSError for a file in a folder that does not exist."""
    folder = os.path.dirname(path)
    if folder and not os.path.isdir(folder):
        raise OSError(f"Cannot save file into a non-existent directory: '{folder}'")


def opened(x: Any, mode: str, as_bytes: bool, how: dict[str, Any]) -> Any:
    """The file to write to, which is closed if it is opened here; pandas opens archives and what is not local."""
    if how["compression"] in ("infer", None) and how["storage_options"] is None and isinstance(x, io.TextIOBase):
        return contextlib.nullcontext(x)
    before_write(x)
    x = os.fspath(x) if isinstance(x, os.PathLike) else x
    local = isinstance(x, str) and "://" not in x and how["storage_options"] is None
    module = _module_for(x, how["compression"]) if local and as_bytes else None
    if module is None:
        return pandas.io.common.get_handle(x, mode, is_text=not as_bytes, **how)
    path = os.path.expanduser(x)
    check_folder(path)
    return importlib.import_module(module).open(path, mode) if module else open(path, mode)


def text_of_file(x: Any, encoding: str | None, errors: str | None, compression: Any) -> str | None:
    """The text of a local file or an open one; None where pandas has to open it."""
    if hasattr(x, "read"):
        text = x.read()
        return text if isinstance(text, str) else bytes(text).decode(encoding or "utf-8", errors or "strict")
    if not isinstance(x, (str, os.PathLike)):
        return None
    path = os.path.expanduser(os.fspath(x))
    module = _module_for(path, compression) if isinstance(path, str) and "://" not in path else None
    if module is None or not os.path.isfile(path):
        return None
    open_it = importlib.import_module(module).open if module else open
    with open_it(path, "rt", encoding=encoding or "utf-8", errors=errors, newline="") as file:
        return file.read()
