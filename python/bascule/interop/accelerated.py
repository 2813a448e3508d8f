"""The accelerated mode, in which programs written for NumPy and pandas run with bascule."""

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

    ``bascule.accelerate()`` has four effects that plain ``import bascule`` has not:

    - In the modules of the program itself (the script, a notebook, files in its folder) ``import numpy`` means
      `bascule`, ``import pandas`` means `bascule.pandas` and ``import sklearn`` means `bascule.learn`, with all names
      that only NumPy, pandas and scikit-learn have. Names that these modules have imported before are replaced;
      existing arrays and frames are not changed. Installed packages keep NumPy, pandas and scikit-learn.
    - ``isinstance(x, pandas.DataFrame)`` and the like are true for bascule's frames, series and indexes, and
      ``isinstance(x, bascule.pandas.DataFrame)`` is true for pandas'. Our frames and arrays are pickled as pandas'
      and NumPy's objects, which programs without bascule can load; between forked processes they stay bascule's.
    - Functions of other libraries that take NumPy's arrays by class (torch, SciPy, pandas, networkx, h5py, OpenCV,
      pyarrow, xarray, JAX, ctypes) are replaced by ones that also take bascule's arrays, over the same memory.
      Versions that were not tested are left alone, with one warning.
    - ``isinstance(x, bascule.ndarray)`` is true for NumPy's arrays, which such libraries return.

    ``python -m bascule script.py`` runs a script in this mode, ``%load_ext bascule`` turns it on in a notebook.

    Parameters
    ----------
    imports : bool, optional
        Replace `numpy` and `pandas` in the program's own modules.
    libraries : bool, optional
        Replace functions of other libraries.

    See Also
    --------
    changes : names of the replaced functions.
    undo : restore all that was replaced.

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
        """Replace names of NumPy and pandas in the program's modules; warn of variables that keep theirs."""
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
        """Names of the replaced functions, here and in other libraries, in the order of replacement.

        Returns
        -------
        list of str
            Empty if the mode is off. Libraries that are not imported yet are not listed yet.
        """
        own = [f"bascule.{name}.__instancecheck__" for name in ("ndarray", *_FRAMES)] if mode.on else []
        if self._hook is not None:
            own.append("builtins.__import__")
        return own + self._changes.names()

    def undo(self) -> None:
        """Restore all that was replaced. Modules imported in the meantime keep the names that they imported."""
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
    """Prepare for running a program in the accelerated mode: random numbers are NumPy's, too."""
    accelerate()
    config.random = "numpy"


def run(arguments: list[str]) -> None:
    """Run ``python -m bascule script.py arguments``, and all other forms of programs that `python` runs, in the
    accelerated mode, with NumPy's random streams."""
    begin_program()
    programs.run(arguments)
