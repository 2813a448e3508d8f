"""dask.dataframe with bascule partitions against dask.dataframe with pandas partitions: values, dtypes, and what meta says."""

import bascule as bc
import bascule.pandas as bpd
import dask
import frame_workloads
import numpy as np
import pandas
import pytest
from frame_workloads import PROGRAMS, Maker

OURS = (bpd.DataFrame, bpd.Series, bpd.Index)
HOST = {"to pandas"}
# Dask numbers the rows of these by the partitions into which they were shuffled, and hashes differ.
NUMBERED = {
    "unique", "unique text", "merge, by tasks", "merge, by disk", "merge, outer", "merge, keys of two types", "merge on text",
}  # fmt: skip
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


def ordered(x, labels):
    """Rows in an order that does not depend on how a shuffle put them; with labels of the rows only if they say something."""
    x = x.to_frame("value of the series") if x.ndim == 1 else x
    x = (
        x.reset_index(drop=not labels, names=[f"label {i}" for i in range(x.index.nlevels)])
        if labels
        else x.reset_index(drop=True)
    )
    return x.sort_values(list(x.columns)).reset_index(drop=True)


def same(got, wanted, labels=True):
    if isinstance(wanted, pandas.Index):
        assert isinstance(got, bpd.Index)
        pandas.testing.assert_index_equal(got.to_pandas(), wanted, exact=True)
        return
    if isinstance(wanted, (pandas.DataFrame, pandas.Series)):
        there = got.to_pandas() if isinstance(got, OURS) else got
        assert type(there) is type(wanted)
        assert there.index.dtype == wanted.index.dtype and list(there.index.names) == list(wanted.index.names)
        check = pandas.testing.assert_frame_equal if there.ndim == 2 else pandas.testing.assert_series_equal
        try:
            check(there, wanted, check_freq=False, rtol=1e-12)
        except AssertionError:
            if there.ndim == 1:
                assert there.name == wanted.name
            pandas.testing.assert_frame_equal(ordered(there, labels), ordered(wanted, labels), rtol=1e-12)
        return
    got = got.get() if isinstance(got, bc.ndarray) else got
    if isinstance(wanted, (np.ndarray, np.generic, float)):
        assert np.asarray(got).dtype == np.asarray(wanted).dtype
        np.testing.assert_allclose(got, wanted, rtol=1e-12)
    else:
        assert got == wanted


@pytest.mark.parametrize("name", PROGRAMS)
def test_bascule_partitions_compute_what_pandas_partitions_do(name, folder):
    _, wanted, _ = run("pandas", name, folder, scheduler="sync")
    meta, got, part = run("bascule", name, folder, scheduler="sync")
    same(got, wanted, name not in NUMBERED)
    if name in HOST:
        assert isinstance(got, pandas.DataFrame)
        return
    if isinstance(wanted, (pandas.DataFrame, pandas.Series, pandas.Index)):
        assert isinstance(got, OURS)
        assert meta is None or type(meta).__name__.endswith(type(got).__name__) or isinstance(meta, bpd.Index)
        assert part is None or type(part) is type(got)
    elif isinstance(wanted, np.ndarray):
        assert type(got) is bc.ndarray
