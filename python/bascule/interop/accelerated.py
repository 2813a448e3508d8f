"""The accelerated mode: one switch for programs that were not written for bascule."""

from __future__ import annotations

import os
import runpy
import sys
from typing import Any

from .. import _core
from ..config import config
from . import import_hook, mode, other_libraries

__all__ = ["accelerate"]


class Accelerate:
    """Run unchanged NumPy and pandas programs with bascule.

    ``bascule.accelerate()`` does three things, which plain ``import bascule`` does not:

    - In the modules of the program itself (the script, a notebook, files beside them) ``import numpy`` means `bascule` and
      ``import pandas`` means `bascule.pandas`. Modules that were imported before keep what they have. Installed packages
      keep NumPy and pandas.
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
        mode.on = True
        if libraries and self._call_off is None:
            self._call_off = other_libraries.replace(self._changes)
        if imports and self._hook is None:
            self._hook = import_hook.ImportHook()
            self._hook.install()

    def changes(self) -> list[str]:
        """Names of what is replaced here and in other libraries, in the order of replacement.

        Returns
        -------
        list of str
            Empty where the mode is off. Libraries that are not imported yet are not listed yet.
        """
        own = ["bascule.ndarray.__instancecheck__"] if mode.on else []
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
        mode.on = False

    def __repr__(self) -> str:
        state = "off" if not (mode.on or self._hook) else f"on, {len(self.changes())} changes"
        return f"<bascule.accelerate: {state}>"


accelerate = Accelerate()


def begin_program() -> None:
    """What a program in the accelerated mode starts with: NumPy's random streams, too."""
    accelerate()
    config.random = "numpy"


def run(arguments: list[str]) -> None:
    """``python -m bascule script.py arguments``, or ``-m module arguments``: a program in the accelerated mode, with NumPy's
    random streams.

    Raises
    ------
    SystemExit
        The script cannot be read.
    """
    begin_program()
    if arguments[0] == "-m":
        sys.argv[:] = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    sys.argv[:] = arguments
    sys.path.insert(0, os.path.dirname(os.path.abspath(arguments[0])))
    try:
        with open(arguments[0], "rb"):
            pass
    except OSError as e:
        print(f"bascule: can't open file {arguments[0]!r}: {e.strerror}", file=sys.stderr)
        raise SystemExit(2) from None
    runpy.run_path(arguments[0], run_name="__main__")
