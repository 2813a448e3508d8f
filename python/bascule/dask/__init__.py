"""bascule as a backend of Dask, for arrays and for frames.

    dask.config.set({"array.backend": "bascule"})      # da.ones, da.random … make bascule chunks; nothing need be imported
    x.to_backend("bascule"), x.to_backend("numpy")     # convert a collection, there and back

    dask.config.set({"dataframe.backend": "bascule"})  # dd.from_dict, dd.read_csv, dd.read_parquet … make bascule frames
    df.to_backend("bascule"), df.to_backend("pandas")

    x.compute(scheduler="bascule")                     # on this machine, in place of Dask's threads
    client = bascule.dask.Client()                     # a process a GPU, or several on the CPU where there is none

The first setting reaches ``ones``, ``zeros``, ``empty``, ``full``, ``arange``, ``da.random`` and ``to_backend()``;
whatever Dask makes of other data (``from_array``, ``from_zarr``, ``linspace``, ``eye``) has the chunks of its source
until ``to_backend``, or from the start where `follow_config` asks for that. A chunk is on the device that was the default
when the collection was made; where that is the CPU, which is the default without any choice, a worker makes the chunk on
its own default device unless ``device=`` is given. A worker evaluates the result of a task when the task ends; the threads
of one process may pass on lazy chunks, within the limits of the lazy graph. ``dd.from_pandas`` and ``dd.from_dask_array``
keep the kind of what they are given; where both kinds meet in an expression, pandas' partitions are converted to bascule's.
Importing this package registers bascule with those modules of Dask that are loaded, and with the others as soon as they
are loaded; Dask itself is not imported.
"""

from __future__ import annotations

from typing import Any

try:
    from . import _register
except ModuleNotFoundError as error:
    if error.name not in ("dask", "pandas", "pyarrow"):
        raise
    words = f"bascule.dask needs {error.name}, which is not installed: pip install 'bascule[dask]'"
    raise ModuleNotFoundError(words, name=error.name) from None

__all__ = ["ArrayEntry", "Client", "FrameEntry", "LocalDeviceCluster", "follow_config", "register_sizeof"]


def follow_config(on: bool = True) -> Any:
    """Make collections of existing data use the configured backend; as a context manager, until the end of the block.

    By itself Dask asks the backend of ``array.backend`` and ``dataframe.backend`` only for some functions. With this on,
    ``da.from_array``, ``asarray``, ``from_zarr``, ``linspace``, ``eye``, ``dd.from_pandas``, ``from_map`` and their kin follow
    it, too. It is Dask's setting ``bascule.follow-config``, which can also be given in its files or as
    ``DASK_BASCULE__FOLLOW_CONFIG``.

    Parameters
    ----------
    on : bool, optional
        False resets it.

    Returns
    -------
    dask.config.set
        A context manager that restores the former setting.

    Examples
    --------
    >>> import dask, dask.array as da, numpy as np
    >>> import bascule.dask
    >>> with dask.config.set({"array.backend": "bascule"}), bascule.dask.follow_config():
    ...     type(da.from_array(np.arange(4), chunks=2)._meta).__module__
    'bascule'
    """
    from dask import config

    from ._following import KEY

    return config.set({KEY: bool(on)})


def register_sizeof(sizeof: Any) -> None:
    """Entry point ``dask.sizeof``: called in every process of Dask, so that workers know bascule without any preload."""
    _register.install()
    _register.add_sizeof(sizeof)


def __getattr__(name: str) -> Any:
    if name == "ArrayEntry":
        from ._array import ArrayEntry

        return ArrayEntry
    if name == "FrameEntry":
        from ._frame import FrameEntry

        return FrameEntry
    if name in ("Client", "LocalDeviceCluster"):
        from . import _cluster

        return getattr(_cluster, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_register.install()
