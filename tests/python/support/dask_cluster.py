"""A cluster of two worker processes without any configuration for bascule."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import cloudpickle
import dask
import distributed


@contextmanager
def two_workers(programs: ModuleType) -> Iterator[distributed.Client]:
    """A client of the cluster; functions of `programs`, which workers cannot import, are pickled with the tasks."""
    cloudpickle.register_pickle_by_value(programs)
    before = dict(os.environ)
    os.environ.update(BASCULE_FALLBACK="silent", BASCULE_NUM_THREADS="1", OMP_NUM_THREADS="1")
    try:
        with (
            dask.config.set({"distributed.worker.preload": [], "distributed.admin.tick.limit": "1h"}),
            distributed.LocalCluster(
                n_workers=2, threads_per_worker=1, processes=True, memory_limit="1GiB", dashboard_address=":0"
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client
    finally:
        os.environ.clear()
        os.environ.update(before)
        cloudpickle.unregister_pickle_by_value(programs)
