"""Settings of the process: the device, fusion, fast mathematics, fallbacks, random numbers."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _core, device_libraries, spilling  # noqa: F401  (before BASCULE_DEVICE can open a device)

_CHOICES: dict[str, tuple[Any, ...]] = {
    "fusion": ("auto", "off"),
    "fastmath": (True, False),
    "fallback": ("warn", "silent", "error"),
    "random": ("bascule", "numpy"),
    "index_errors": ("lazy", "eager"),
    "fp_warnings": ("auto", "lazy", "eager"),
    "progress": ("auto", "on", "off"),
    "spill": ("off", "host", "disk"),
    "lazy_frames": (True, False),
}
_WORDS = {
    "1": True,
    "true": True,
    "yes": True,
    "on": True,
    "0": False,
    "false": False,
    "no": False,
    "off": False,
    "": False,
}


class _Restore:
    """The context manager that `config.set` returns; it restores the old values."""

    def __init__(self, owner: Config, old: dict[str, Any]):
        self._owner, self._old = owner, old

    def __enter__(self) -> Config:
        return self._owner

    def __exit__(self, *exc: object) -> None:
        for name, value in self._old.items():
            setattr(self._owner, name, value)


class Config:
    """The settings of the process; each can also be given by an environment variable, such as BASCULE_DEVICE.

    Attributes
    ----------
    device : str
        Device of new arrays: "cpu", "cuda", "cuda:1", "reference".
    fusion : {"auto", "off"}
        Whether element-wise calls are deferred and run together in one pass. Results have the same bits.
    fastmath : bool
        Whether kernels may round intermediates less strictly than NumPy does.
    fallback : {"warn", "silent", "error"}
        How a call to a function that exists only in NumPy is reported, for CPU arrays.
    random : {"bascule", "numpy"}
        Whose random numbers ``bascule.random.default_rng`` gives.
    index_errors : {"lazy", "eager"}
        When an index out of bounds on a GPU raises: when the program next waits for the device (a value is read,
        `synchronize`), or at the call, which then waits for the device. Results that were computed from it raise again
        when they are read, until they are overwritten. On the CPU both raise at the call.
    fp_warnings : {"auto", "lazy", "eager"}
        When floating-point warnings of lazy operations are issued: when they are computed, or at the call, which then
        computes the operation at once. "auto" issues them at the call while warnings are recorded, as pytest does, or a
        filter turns them into errors. The filters at the time of the call apply in any case.
    progress : {"auto", "on", "off"}
        Whether reading a large CSV file, sorting, merging or factoring matrices (svd, eigh, solve) shows a progress bar
        after two seconds: tqdm's where tqdm is installed, else a line of text. "auto" shows it in terminals and
        notebooks.
    spill : {"off", "host", "disk"}
        Where unused arrays are moved, least recently used first, when a GPU's memory is short: nowhere, which raises
        MemoryError; to the host's memory; or from there on to disk. They are moved back when they are used. Memory is
        short when the device has none left, or at the limit of ``bc.cuda.MemoryPool.set_limit``. Arrays whose address
        is known to other libraries (DLPack, ``__cuda_array_interface__``) are not moved.
    spill_host_limit, spill_disk_limit : int
        Number of bytes to keep in the host's memory, by default half of it, and on disk, by default half of the free
        space.
    spill_directory : str
        Directory of the file on disk, by default that of temporary files. The file has no name and ends with the
        process.
    memory_limit : int or None
        Number of bytes that frames over files may take in memory: those of `read_parquet`, and `read_csv` of one file.
        Where `groupby`, `merge`, `sort_values` and `drop_duplicates` would need more, they work through the files in
        parts, of which some go to `spill_directory`, within `spill_disk_limit`; columns that would need more raise
        MemoryError when they are read. By default, None, there is no limit.
    lazy_frames : bool
        Whether columns of frames wait until they are used; else rows are gathered, and files read, at the call.
    """

    def __init__(self) -> None:
        self._values: dict[str, Any] = {
            "fallback": "warn", "random": "bascule", "progress": "auto", "spill": "off", "spill_host_limit": None,
            "spill_disk_limit": None, "spill_directory": None, "memory_limit": None, "lazy_frames": True,
        }  # fmt: skip

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "_values":
            object.__setattr__(self, name, value)
            return
        if name == "device":
            _core.set_default_device(str(value))
            return
        if name not in self.names():
            raise AttributeError(f"bascule.config has no setting {name!r}; there are {', '.join(self.names())}")
        if name in _CHOICES and value not in _CHOICES[name]:
            raise ValueError(f"[config] {name} must be one of {', '.join(map(repr, _CHOICES[name]))}, not {value!r}")
        if name == "fusion":
            _core.set_fusion(value == "auto")
        elif name == "fastmath":
            _core.set_fastmath(bool(value))
        elif name == "index_errors":
            _core.set_late_index_errors(value == "lazy")
        elif name == "fp_warnings":
            _core.set_fp_warnings(_CHOICES[name].index(value))
        elif name in spilling.SETTINGS:
            spilling.change(self._values, name, value)
        elif name == "memory_limit":
            self._values[name] = spilling.number_of_bytes(name, value)
        else:
            self._values[name] = value
            _core.forget_calls()  # those remembered are only counted, which may no longer be so

    def __getattr__(self, name: str) -> Any:
        if name == "device":
            return _core.get_default_device()
        if name == "fusion":
            return "auto" if _core.get_fusion() else "off"
        if name == "fastmath":
            return _core.get_fastmath()
        if name == "index_errors":
            return "lazy" if _core.get_late_index_errors() else "eager"
        if name == "fp_warnings":
            return _CHOICES[name][_core.get_fp_warnings()]
        if name in spilling.SETTINGS:
            return spilling.value_of(object.__getattribute__(self, "_values"), name)
        try:
            return object.__getattribute__(self, "_values")[name]
        except KeyError:
            raise AttributeError(
                f"bascule.config has no setting {name!r}; there are {', '.join(self.names())}"
            ) from None

    @staticmethod
    def names() -> list[str]:
        """Names of the settings."""
        return ["device", *_CHOICES, *spilling.SETTINGS[1:], "memory_limit"]

    def set(self, **settings: Any) -> _Restore:
        """Change settings. As a context manager, restore them at the end of the block."""
        for name in settings:
            if name not in self.names():
                raise AttributeError(f"bascule.config has no setting {name!r}; there are {', '.join(self.names())}")
        old = {name: getattr(self, name) for name in settings}
        restore = _Restore(self, old)
        try:
            for name, value in settings.items():
                setattr(self, name, value)
        except BaseException:
            restore.__exit__()
            raise
        return restore

    def __dir__(self) -> list[str]:
        return [*self.names(), "names", "set"]

    def __repr__(self) -> str:
        return "bascule.config(" + ", ".join(f"{n}={getattr(self, n)!r}" for n in self.names()) + ")"


config = Config()


def _from_environment() -> None:
    for name in Config.names():
        text = os.environ.get("BASCULE_" + name.upper())
        if text:
            setattr(config, name, _WORDS.get(text.lower(), text) if True in _CHOICES.get(name, ()) else text)
    threads = os.environ.get("BASCULE_NUM_THREADS", "")  # the core reads these three and ignores invalid values
    if threads and not (threads.isdecimal() and int(threads)):
        raise ValueError(f"[config] BASCULE_NUM_THREADS must be a positive number, not {threads!r}")
    trace = os.environ.get("BASCULE_TRACE", "")
    if trace not in ("", "flush"):
        raise ValueError(f"[config] BASCULE_TRACE must be 'flush', not {trace!r}")
    jit = os.environ.get("BASCULE_JIT", "")
    if jit not in ("", "auto", "off", "always"):
        raise ValueError(f"[config] BASCULE_JIT must be 'auto', 'off' or 'always', not {jit!r}")


_from_environment()


def device(name: str) -> _Restore:
    """Set the device of new arrays; as a context manager, until the end of the block.

    Parameters
    ----------
    name : str
        "cpu", "cuda", "cuda:1", "reference".

    Returns
    -------
    context manager
        Restores the previous device.

    Raises
    ------
    ValueError
        There is no such device.

    Examples
    --------
    >>> import bascule as bc
    >>> with bc.device("cpu"):
    ...     bc.zeros(3).device
    'cpu'
    """
    return config.set(device=name)


def fastmath(on: bool = True) -> _Restore:
    """Allow kernels to round intermediate results less strictly than NumPy; as a context manager, until the end of the block.

    Parameters
    ----------
    on : bool, optional
        False turns it off.

    Returns
    -------
    context manager
        Restores the previous setting.

    Notes
    -----
    Results may then differ from NumPy's, and between devices, in the last digits.

    Examples
    --------
    >>> import bascule as bc
    >>> with bc.fastmath():
    ...     bc.config.fastmath
    True
    """
    return config.set(fastmath=bool(on))


def _arrays_in(value: Any, found: list, waiting: list | None = None) -> None:
    """Collect the arrays of a value; those of columns that wait are made, unless lines about these are collected too."""
    if type(value) is _core.ndarray:
        found.append(value)
    elif waiting is not None and hasattr(value, "__bascule_waiting__"):
        found += value.__bascule_waiting__(waiting)
    elif hasattr(value, "__bascule_arrays__"):
        for inner in value.__bascule_arrays__():
            _arrays_in(inner, found)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            _arrays_in(inner, found, waiting)


def evaluate(*values: Any) -> Any:
    """Run the pending operations of arrays or frames, in as few passes as possible, and return them.

    Parameters
    ----------
    *values : ndarray, frame, or sequence of them
        Other values are returned as they are.

    Returns
    -------
    object or tuple
        The value, or all of them.

    Examples
    --------
    >>> import bascule as bc
    >>> x, y = bc.evaluate(bc.ones(100_000) + 1, bc.zeros(3))
    >>> float(x[0])
    2.0
    """
    if len(values) == 1 and type(values[0]) is _core.ndarray:  # the most frequent call
        _core.evaluate(values[0])
        return values[0]
    found: list = []
    _arrays_in(values, found)
    _core.evaluate(*found)
    return values[0] if len(values) == 1 else values


def synchronize(device: str | None = None) -> None:
    """Wait until a device has finished its work; errors that occurred there are raised here.

    Parameters
    ----------
    device : str, optional
        The device; by default `config.device`.

    Returns
    -------
    None

    Raises
    ------
    IndexError
        An index of an earlier operation on a GPU was out of bounds; see `config.index_errors`.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.synchronize("cpu")
    """
    _core.synchronize(device or config.device)


def trim(device: str | None = None) -> int:
    """Return the memory cached for new arrays to the system.

    Memory of deleted arrays is kept for new ones, because allocating it again is slower.

    Parameters
    ----------
    device : str, optional
        The device; by default `config.device`.

    Returns
    -------
    int
        Number of bytes returned.

    Raises
    ------
    ValueError
        There is no such device.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.evaluate(bc.arange(1_000_000) + 1)
    >>> del x
    >>> bc.trim("cpu") >= 8_000_000
    True
    """
    return _core.trim(device or config.device)


def explain(x: Any) -> str:
    """Show which operations of an array are pending, in how many passes over memory they will run, and when.

    Parameters
    ----------
    x : ndarray, frame, or sequence of them
        Arrays to explain; nothing is computed.

    Returns
    -------
    str
        For each array a line that says whether it is pending, and a line for each operation that is pending with it:
        its operands (operations above by their number, memory, constants), type and shape; the axes of a reduction
        after `over`; and `held` where a Python variable still refers to it. For each column of a frame that waits, a line
        that says for what: rows of another column, or of a file. It is printed as is; notebooks show a tree.

    Raises
    ------
    TypeError
        `x` holds no array.

    Examples
    --------
    >>> import bascule as bc
    >>> x = bc.ones((1000, 1000))
    >>> print(bc.explain((x + 1).sum(keepdims=True)))  # doctest: +NORMALIZE_WHITESPACE
    pending on cpu: 3 operations, 0 reads of memory, 1 pass; runs when a value is read or what it reads is about to be
    written, and before it has more than 88 operations, casts, constants and reads
      %0 = cast(float64 constant)  float64(1000,1000)  held
      %1 = add(%0, int64 constant)  float64(1000,1000)
      %2 = sum(%1)  float64(1,1)  over (1000,1000)  held
    >>> print(bc.explain(bc.evaluate(x)))
    in memory: float64(1000,1000) on cpu
    <BLANKLINE>
    """
    found: list = []
    waiting: list[str] = []
    _arrays_in(x, found, waiting)
    if not found and not waiting:
        hint = "; a scalar has been computed: ask with axis= or keepdims=True" if isinstance(x, np.generic) else ""
        raise TypeError(f"[explain] expected a bascule array or frame, got {type(x).__name__}{hint}")
    from .explanation import Explanation

    return Explanation("\n".join([*waiting, *(_core.explain(a) for a in found)]))


def get_num_threads() -> int:
    """Return the number of threads that kernels on the CPU use.

    Returns
    -------
    int
        The value of `BASCULE_NUM_THREADS` at the start, else of `OMP_NUM_THREADS`, else the number of cores that the
        process may use.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.get_num_threads() >= 1
    True
    """
    return _core.get_num_threads()


def set_num_threads(n: int) -> None:
    """Set the number of threads that kernels on the CPU use.

    Parameters
    ----------
    n : int
        Number of threads, at least one. Results do not depend on it.

    Returns
    -------
    None

    Raises
    ------
    ValueError
        `n` is below one.

    Examples
    --------
    >>> import bascule as bc
    >>> bc.set_num_threads(bc.get_num_threads())
    """
    if n < 1:
        raise ValueError(f"[set_num_threads] expected at least 1, got {n}")
    _core.set_num_threads(int(n))
