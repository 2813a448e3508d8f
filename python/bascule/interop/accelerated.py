"""The accelerated mode: one switch for programs that were not written for bascule."""

from __future__ import annotations

import sys
import types
from typing import Any

from .. import _core
from .._array.caller_warnings import user_frame, warn
from ..config import config
from . import import_hook, mode, other_libraries, programs, stand_in

__all__ = ["accelerate"]
_FRAMES = ("pandas.DataFrame", "pandas.Series")


class Accelerate:
    """Run unchanged NumPy and pandas programs with bascule.

    ``bascule.accelerate()`` does four things, which plain ``import bascule`` does not:

    - In the modules of the program itself (the script, a notebook, files beside them) ``import numpy`` means `bascule` and
      ``import pandas`` means `bascule.pandas`, with all that only NumPy and pandas have; what these modules have imported
      before is replaced, arrays and frames stay what they are. Installed packages keep NumPy and pandas.
    - bascule's frames, series and indexes answer ``isinstance(x, pandas.DataFrame)`` and the like, as pandas' answer
      ``isinstance(x, bascule.pandas.DataFrame)``. Ours, and arrays, are
      pickled as NumPy's and pandas' objects, which programs without bascule load.
    - Functions of other libraries that take NumPy's arrays by class (torch, SciPy, pandas, networkx, h5py, OpenCV, pyarrow,
      xarray, JAX, ctypes) are replaced by ones that take bascule's arrays over the same memory. Versions that were not
      tested are left alone, with one warning.
    - NumPy's arrays, which such libraries return, answer ``isinstance(x, bascule.ndarray)``.

    ``python -m bascule script.py`` runs a script in this mode, ``%load_ext bascule`` turns it on in a notebook.

    Parameters
    ----------
    imports : bool, optional
        Whether `numpy` and `pandas` mean bascule in the program's own modules.
    libraries : bool, optional
        Whether other libraries' functions are replaced.

    See Also
    --------
    changes : what was replaced.
    undo : put everything back.

    Examples
    --------
    >>> import bascule
    >>> bascule.accelerate(imports=False)
    >>> bascule.accelerate.undo()
    """

    def __init__(self) -> None:
        self.__name__ = self.__qualname__ = "accelerate"
        self.__module__ = "bascule"
        self._changes = other_libraries.Changes()
        self._call_off: Any = None
        self._hook: import_hook.ImportHook | None = None

    def __call__(self, *, imports: bool = True, libraries: bool = True) -> None:
        for name, value in (("imports", imports), ("libraries", libraries)):
            if not isinstance(value, bool):
                raise TypeError(f"[accelerate] {name} is to be True or False, got {value!r}")
        _core.numpy_arrays_are_instances(True)
        mode.switch(True)
        if libraries and self._call_off is None:
            self._call_off = other_libraries.replace(self._changes)
        if imports and self._hook is None:
            self._hook = import_hook.ImportHook()
            self._hook.install()
            self._rebind()

    def _rebind(self) -> None:
        """Let what the program's modules have imported of NumPy and pandas be bascule's; warn of variables that keep theirs."""
        for owner in [m for m in sys.modules.values() if isinstance(m, types.ModuleType)]:
            if not import_hook.is_users(vars(owner)):
                continue
            for name, value in list(vars(owner).items()):
                ours = stand_in.meant(value)
                if ours is not value:
                    self._changes.attribute(owner, name, ours)
        frame = user_frame()
        if frame.f_locals is frame.f_globals:
            return
        kept = [n for n, v in frame.f_locals.items() if isinstance(v, types.ModuleType) and stand_in.meant(v) is not v]
        if kept:
            text = f"[accelerate] {', '.join(kept)}: imported before in {frame.f_code.co_name}, which keeps NumPy and pandas"
            warn(text)

    def changes(self) -> list[str]:
        """Names of what is replaced here and in other libraries, in the order of replacement.

        Returns
        -------
        list of str
            Empty where the mode is off. Libraries that are not imported yet are not listed yet.
        """
        own = [f"bascule.{name}.__instancecheck__" for name in ("ndarray", *_FRAMES)] if mode.on else []
        if self._hook is not None:
            own.append("builtins.__import__")
        return own + self._changes.names()

    def undo(self) -> None:
        """Put everything back. Modules that were imported meanwhile keep the names that they imported."""
        if self._call_off is not None:
            self._call_off()
            self._call_off = None
        self._changes.undo()
        if self._hook is not None and self._hook.uninstall():
            self._hook = None
        _core.numpy_arrays_are_instances(False)
        mode.switch(False)

    def __repr__(self) -> str:
        state = "off" if not (mode.on or self._hook) else f"on, {len(self.changes())} changes"
        return f"<bascule.accelerate: {state}>"


accelerate = Accelerate()


def begin_program() -> None:
    """What a program in the accelerated mode starts with: NumPy's random streams, too."""
    accelerate()
    config.random = "numpy"


def run(arguments: list[str]) -> None:
    """``python -m bascule script.py arguments``, and all other forms of programs that `python` runs: in the accelerated mode,
    with NumPy's random streams."""
    begin_program()
    programs.run(arguments)
