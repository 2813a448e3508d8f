"""Clusters on this machine with one worker for each device, also on machines without a GPU."""

from __future__ import annotations

import importlib.metadata
import inspect
import os
import pickle
import warnings
from collections.abc import Sequence
from typing import Any

import distributed
from dask.system import CPU_COUNT
from dask.utils import parse_bytes
from distributed.deploy.utils import nprocesses_nthreads
from distributed.system import MEMORY_LIMIT

from .. import _core
from ._device_memory import DeviceHostFile


def devices_of_this_machine() -> list[str]:
    """The GPUs of this machine, or the CPU where there is none; no context is created on a GPU."""
    return [f"cuda:{i}" for i in range(_gpus())] or ["cpu"]


def _checked(devices: list[str]) -> list[str]:
    """Devices, if this machine has them."""
    if not devices:
        raise ValueError("[dask] a cluster needs a device")
    for d in devices:
        kind, _, number = d.partition(":")
        if kind not in ("cpu", "cuda", "reference"):
            raise ValueError(f"[dask] there is no device {d!r}; there are cpu, cuda:0 ..., reference")
        if kind == "cuda" and int(number or 0) >= _gpus():
            there = _gpus()
            raise ValueError(
                f"[dask] there is no device {d!r}: this machine has {there or 'no'} GPU{'s' * (there > 1)}"
            )
    return devices


def _known_options() -> set[str]:
    """The keywords of Dask's clusters and workers and of the processes that watch over workers."""
    kinds = (distributed.LocalCluster, distributed.SpecCluster, distributed.Nanny, distributed.Worker)
    kinds = [k for kind in kinds for k in kind.__mro__ if k.__module__.startswith("distributed.")]
    return {name for k in kinds if "__init__" in vars(k) for name in inspect.signature(k.__init__).parameters}


def _gpus() -> int:
    try:
        return _core.device_count("cuda")
    except RuntimeError:  # there is no driver
        return 0


class OnDevice(distributed.WorkerPlugin):
    """Makes a device the default of a worker; bascule is imported there before the worker's environment is set."""

    def __init__(self, device: str, threads: int):
        self.name, self.device, self.threads = "bascule-device", device, threads

    def setup(self, worker: Any) -> None:
        """At the start of the worker."""
        import bascule

        bascule.config.device = self.device
        if "BASCULE_NUM_THREADS" not in os.environ:
            bascule.set_num_threads(self.threads)


class Resources(distributed.SchedulerPlugin):
    """Warns of tasks that ask for resources of which no worker has enough: they would wait for ever without any message."""

    name = "bascule-resources"

    def update_graph(self, scheduler: Any, *, annotations: Any, **more: Any) -> None:
        """When tasks come."""
        waiting: dict[tuple, list] = {}
        for key, needs in annotations.get("resources", {}).items():
            if not any(all(w.resources.get(r, 0) >= n for r, n in needs.items()) for w in scheduler.workers.values()):
                waiting.setdefault(tuple(sorted(needs.items())), []).append(key)
        for needs, keys in waiting.items():
            asked = ", ".join(f"{r}={n:g}" for r, n in needs)
            text = f"[dask] {len(keys)} tasks, {keys[0]!r} first, wait for a worker with {asked}, and none has that"
            scheduler.log_event("warn", {"message": pickle.dumps(text), "category": pickle.dumps(RuntimeWarning)})


class LocalDeviceCluster(distributed.LocalCluster):
    """Workers on this machine, one per device, each with its device as the default and its own memory limits.

    Results beyond `device_memory_limit` move from a worker's device to the host, and those beyond the host's target to disk.
    A warning names tasks whose resources, by ``dask.annotate(resources=...)``, no worker has; a worker with a GPU
    has the resource ``GPU``. Without a GPU the workers share the CPU's cores and memory, and options for GPUs are ignored.

    Parameters
    ----------
    n_workers : int, optional
        By default one for each device; on the CPU as many as Dask starts.
    devices : sequence of str, optional
        "cuda:0", "cpu", "reference"; by default all GPUs, or the CPU where there is none.
    threads_per_worker : int, optional
        Tasks that a worker runs at once; by default one on a GPU, and on the CPU as many as Dask starts. Kernels use the
        threads of the worker's share of the cores.
    memory_limit : int or float or str, optional
        Limit of a worker's process: bytes, or a fraction of the machine's memory; by default an equal part. 0: none.
    device_memory_limit : int or float or str, optional
        Limit of the results on a worker's device: bytes, or a fraction of the device's memory. None: no limit.
    **options
        Passed to ``distributed.LocalCluster``.

    Raises
    ------
    ValueError
        There are more workers than GPUs, or a device does not exist.
    TypeError
        An option is unknown to Dask.
    RuntimeError
        A worker does not start.

    Examples
    --------
    >>> from bascule.dask import Client, LocalDeviceCluster
    >>> cluster = LocalDeviceCluster(n_workers=2, memory_limit="4 GB")  # doctest: +SKIP
    >>> client = distributed.Client(cluster)  # doctest: +SKIP
    """

    def __init__(self, n_workers: int | None = None, devices: Sequence[str] | None = None, threads_per_worker: int | None = None,
                 memory_limit: Any = "auto", device_memory_limit: Any = 0.8, **options: Any):  # fmt: skip
        self.devices = _checked(list(devices) if devices is not None else devices_of_this_machine())
        unknown = options.keys() - _known_options()
        if unknown:
            raise TypeError(f"[dask] neither a cluster nor its workers have an option {', '.join(sorted(unknown))}")
        on_cpu = set(self.devices) == {"cpu"}
        processes, threads = nprocesses_nthreads() if on_cpu else (len(self.devices), 1)
        if on_cpu and n_workers is not None:
            threads = max(1, CPU_COUNT // max(n_workers, 1))
        count = processes if n_workers is None else n_workers
        self._check(count)
        share = max(count, 1)
        self._kernel_threads = max(1, CPU_COUNT // share)
        self._taken: dict[Any, str] = {}  # the devices of workers
        self._device_limit = device_memory_limit
        if memory_limit == "auto":
            memory_limit = MEMORY_LIMIT // share
        elif isinstance(memory_limit, float) and memory_limit <= 1:
            memory_limit = int(MEMORY_LIMIT * memory_limit)
        else:
            memory_limit = parse_bytes(memory_limit or 0)
        options.setdefault("dashboard_address", ":0")
        super().__init__(n_workers=0, threads_per_worker=threads_per_worker or threads, memory_limit=memory_limit, **options)  # fmt: skip
        for _ in range(count):
            self.worker_spec.update(self.new_worker_spec())
        if not self.asynchronous:  # else they start, and may fail, when the cluster is awaited
            self._start_workers()
            self.scheduler.add_plugin(Resources())

    def _start_workers(self) -> None:
        try:
            self.sync(self._correct_state)
        except BaseException:
            self.close()
            raise

    def _check(self, count: int) -> None:
        if "cpu" not in self.devices and count > len(self.devices):
            raise ValueError(
                f"[dask] {count} workers are more than the devices, of which there are {len(self.devices)}"
            )

    def scale(self, n: int = 0, memory: Any = None, cores: Any = None) -> Any:
        """Scale to n workers; no more than there are GPUs."""
        if memory is None and cores is None:
            self._check(n)
        return super().scale(n, memory, cores)

    def new_worker_spec(self) -> dict:
        """The class and the options of the next worker."""
        ((name, spec),) = super().new_worker_spec().items()
        self._taken = {k: d for k, d in self._taken.items() if k in self.worker_spec}
        free = [d for d in self.devices if d not in self._taken.values()] or self.devices
        device = self._taken[name] = free[0]
        options = dict(spec["options"])
        env = {
            "BASCULE_DEVICE": device,
            "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", str(self._kernel_threads)),
        }
        if device.startswith("cuda"):
            first = int(device.partition(":")[2] or 0)
            env["CUDA_VISIBLE_DEVICES"] = _rotated(first)
            env["BASCULE_DEVICE"] = device = "cuda"
            options["resources"] = {"GPU": 1, **(options.get("resources") or {})}
        options["plugins"] = (*(options.get("plugins") or ()), OnDevice(device, self._kernel_threads))
        if spec["cls"] is distributed.Nanny:  # a worker in this process shares its environment
            options["env"] = {**env, **options.get("env", {})}
        if device != "cpu" and self._device_limit is not None and "data" not in options:
            limit = options["memory_limit"]
            options["data"] = (DeviceHostFile, {"device_memory_limit": self._device_limit, "memory_limit": limit})
        return {name: {**spec, "options": options}}


def _rotated(first: int) -> str:
    """The GPUs of this process, that of a worker first."""
    asked = os.environ.get("CUDA_VISIBLE_DEVICES")
    there = asked.split(",") if asked else [str(i) for i in range(_gpus())]
    return ",".join(there[first:] + there[:first])


def _version() -> str:
    return importlib.metadata.version("bascule")


class Client(distributed.Client):
    """A client of its own `LocalDeviceCluster`, or of a given cluster, whose workers use the client's version of bascule.

    Parameters
    ----------
    address : str or Cluster, optional
        As ``distributed.Client`` takes it; without it a cluster is started, which ends with the client.
    n_workers, devices, threads_per_worker, memory_limit, device_memory_limit
        Of the cluster that is started, as in `LocalDeviceCluster`.
    **options
        Passed to ``distributed.Client``.

    Raises
    ------
    RuntimeError
        A worker lacks bascule: tasks sent to it would never return. Another version gives a warning.

    Examples
    --------
    >>> with bascule.dask.Client() as client:  # doctest: +SKIP
    ...     x.compute()
    """

    _OF_CLUSTER = (
        "n_workers",
        "devices",
        "threads_per_worker",
        "memory_limit",
        "device_memory_limit",
        "local_directory",
    )

    def __init__(self, address: Any = None, **options: Any):
        mine = {k: options.pop(k) for k in self._OF_CLUSTER if k in options}
        self._started: LocalDeviceCluster | None = None
        if address is not None and mine:
            raise TypeError(f"[dask] {', '.join(mine)} are of a cluster that is started, and there is an address")
        if mine and options.get("asynchronous"):
            raise TypeError(
                f"[dask] {', '.join(mine)} are of a cluster that is started, which no asynchronous client does"
            )
        if address is None and not options.get("asynchronous"):
            address = self._started = LocalDeviceCluster(**mine)
        try:
            super().__init__(address, **options)
        except BaseException:
            if self._started is not None:
                self._started.close()
            raise

    async def _start(self, *args: Any, **options: Any) -> None:
        await super()._start(*args, **options)
        try:
            await self._check_workers()
        except BaseException:
            await self._close(fast=True)
            raise

    async def _check_workers(self) -> None:
        found = (await self._get_versions(packages=["bascule"]))["workers"]
        versions = {address: there["packages"].get("bascule") for address, there in found.items()}
        lacking = [address for address, version in versions.items() if version is None]
        if lacking:
            raise RuntimeError(
                f"[dask] {len(lacking)} of {len(versions)} workers have no bascule: {', '.join(lacking)}; install bascule {_version()} there"
            )
        other = {address: version for address, version in versions.items() if version != _version()}
        if other:
            reported = ", ".join(f"{address} has {version}" for address, version in other.items())
            warnings.warn(f"[dask] this client has bascule {_version()}, but {reported}", RuntimeWarning, stacklevel=2)

    def close(self, *args: Any, **options: Any) -> Any:
        """Close the client, and the cluster that it started."""
        done = super().close(*args, **options)
        started, self._started = self._started, None
        if started is not None:
            started.close()
        return done
