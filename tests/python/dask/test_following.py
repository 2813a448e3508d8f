"""`follow_config`: collections of other data have the configured backend's chunks; without it Dask's rules hold."""

import bascule as bc
import bascule.dask
import bascule.pandas as bpd
import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas
import pytest

GRID = np.arange(12.0).reshape(3, 4)
TABLE = pandas.DataFrame({"x": [1, 2, 3], "b": ["p", "q", "r"]})
ARRAYS = {
    "from_array": lambda: da.from_array(GRID, chunks=2),
    "asarray": lambda: da.asarray([1, 2, 3]),
    "asanyarray": lambda: da.asanyarray(GRID),
    "linspace": lambda: da.linspace(0, 1, 5, chunks=2),
    "linspace with its step": lambda: da.linspace(0, 1, 5, chunks=2, retstep=True)[0],
    "eye": lambda: da.eye(4, chunks=2),
    "tri": lambda: da.tri(4, chunks=2),
    "from_delayed": lambda: da.from_delayed(dask.delayed(np.ones)(3), (3,), dtype=float),
}
FRAMES = {
    "from_pandas": lambda: dd.from_pandas(TABLE, npartitions=2),
    "from_map": lambda: dd.from_map(lambda i: TABLE, [0, 1]),
    "from_delayed": lambda: dd.from_delayed([dask.delayed(lambda: TABLE)()]),
    "from_array": lambda: dd.from_array(GRID),
}
BOTH = {"array.backend": "bascule", "dataframe.backend": "bascule", "scheduler": "sync"}


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_follow(name):
    wanted = ARRAYS[name]()
    with dask.config.set(BOTH):
        alone = ARRAYS[name]()
        with bascule.dask.follow_config():
            x = ARRAYS[name]()
            got = x.compute()
    assert type(x._meta) is type(got) is bc.ndarray and got.dtype == wanted.dtype
    np.testing.assert_array_equal(got.get(), wanted.compute(scheduler="sync"))
    if name != "tri":  # which Dask makes of a range
        assert type(wanted._meta) is type(alone._meta) is np.ndarray


@pytest.mark.parametrize("name", FRAMES)
def test_frames_follow(name):
    with dask.config.set({"dataframe.convert-string": False}):
        wanted = FRAMES[name]().compute(scheduler="sync")
        with dask.config.set(BOTH):
            assert type(FRAMES[name]()._meta) is pandas.DataFrame
            with bascule.dask.follow_config():
                got = FRAMES[name]().compute()
    assert type(got) is bpd.DataFrame
    pandas.testing.assert_frame_equal(got.to_pandas(), wanted)


def test_rows_are_brought_once_and_not_by_tasks():
    with dask.config.set(BOTH), bascule.dask.follow_config():
        for x in (dd.from_pandas(TABLE, npartitions=3), dd.from_pandas(data=TABLE.x, npartitions=3)):
            assert len(x.dask) == 3 and x.divisions == (0, 1, 2, 2) and x.npartitions == 3


def test_eager_rows_in_divisions_follow():
    with dask.config.set(BOTH), bascule.dask.follow_config():
        for x in (dd.repartition(TABLE, [0, 1, 2]), dd.repartition(df=TABLE, divisions=[0, 1, 2])):
            assert type(x._meta) is bpd.DataFrame and x.divisions == (0, 1, 2) and len(x.dask) == 2
            assert x.compute().to_pandas().x.tolist() == TABLE.x.tolist()


def test_other_backends_and_types_are_left_alone():
    with bascule.dask.follow_config():
        assert type(da.from_array(GRID)._meta) is np.ndarray
        with dask.config.set(BOTH):
            assert type(da.from_array(np.array(["a", "b"]))._meta) is np.ndarray
            assert type(da.from_array(np.array([{}], dtype=object), chunks=1)._meta) is np.ndarray
            assert type(da.from_array(np.ma.array([1.0, 2.0], mask=[0, 1]))._meta) is np.ma.MaskedArray
            with bascule.dask.follow_config(False):
                assert type(da.from_array(GRID)._meta) is np.ndarray


def test_following_needs_no_import_and_is_undone():
    import os
    import subprocess
    import sys

    code = (
        "import dask.array as da, numpy as np\n"
        "x = da.from_array(np.ones(3)); print(type(x._meta).__module__)\n"
        "import bascule.dask._patches as p; p.undo()\n"
        "print(type(da.from_array(np.ones(3))._meta).__module__)"
    )
    settings = {"DASK_ARRAY__BACKEND": "bascule", "DASK_BASCULE__FOLLOW_CONFIG": "true"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env={**os.environ, **settings}
    )
    assert done.stdout.split() == ["bascule", "numpy"], done.stderr
