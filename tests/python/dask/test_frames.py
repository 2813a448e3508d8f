"""dask.dataframe with bascule partitions against dask.dataframe with pandas partitions: values, dtypes, and what meta says."""

import bascule as bc
import bascule.pandas as bpd
import dask
import frame_workloads
import numpy as np
import pandas
import pytest
from frame_workloads import NUMBERED, OURS, PROGRAMS, Maker, assert_same

HOST = {"to pandas"}
pytestmark = [
    pytest.mark.filterwarnings("ignore:The inplace keyword"),  # in Dask's own code
    pytest.mark.filterwarnings("ignore:Merging dataframes with merge column data type mismatches"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("files")
    frame_workloads.write_files(path)
    return path


def run(backend, name, folder, compute=None, **how):
    """What meta says, the result, and a partition."""
    maker = Maker(backend, folder)
    with maker.settings(), dask.config.set(**how):
        r = PROGRAMS[name](maker)
        if not hasattr(r, "compute"):
            return None, r, None
        meta = r._meta
        part = (
            r.partitions[0].compute()
            if hasattr(r, "npartitions") and hasattr(meta, "iloc") and compute is None
            else None
        )
        return meta, compute(r) if compute else r.compute(), part


@pytest.mark.parametrize("name", PROGRAMS)
def test_bascule_partitions_compute_what_pandas_partitions_do(name, folder):
    _, wanted, _ = run("pandas", name, folder, scheduler="sync")
    meta, got, part = run("bascule", name, folder, scheduler="sync")
    assert_same(got, wanted, name not in NUMBERED)
    if name in HOST:
        assert isinstance(got, pandas.DataFrame)
        return
    if isinstance(wanted, (pandas.DataFrame, pandas.Series, pandas.Index)):
        assert isinstance(got, OURS)
        assert meta is None or type(meta).__name__.endswith(type(got).__name__) or isinstance(meta, bpd.Index)
        assert part is None or type(part) is type(got)
    elif isinstance(wanted, np.ndarray):
        assert type(got) is bc.ndarray
