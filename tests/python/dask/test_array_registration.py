"""Dask knows bascule in any process and in any order of imports; importing bascule never imports Dask."""

import os
import subprocess
import sys

import pytest

CHECK = """
import bascule as bc, dask.array as da, numpy as np, importlib
from dask.sizeof import sizeof
tables = importlib.import_module("dask.array.dispatch")
names = "concatenate take tensordot einsum empty percentile numel nannumel".split()
for table in [getattr(tables, name + "_lookup") for name in names] + [tables.to_numpy_dispatch]:
    assert table._lookup.get(bc.ndarray), table
from dask.array.chunk_types import _HANDLED_CHUNK_TYPES as types
assert types.count(bc.ndarray) == 1
assert sizeof(bc.broadcast_to(bc.ones(1), (1000, 1000))) == 8
assert type((da.from_array(bc.arange(4.0), chunks=2) + bc.arange(4.0)).compute()) is bc.ndarray
assert type(da.from_array(bc.arange(4.0), chunks=2).to_backend("numpy").compute()) is np.ndarray
x = da.from_array(bc.ones((2, 2)), chunks=1)
assert type(da.argmax(x, axis=0)._meta) is type(x.map_blocks(bc.asarray, meta=bc.ndarray, dtype="f8")._meta) is bc.ndarray
assert type(x[0, 1].compute()) is type(x.sum().compute()) is np.float64
print("all is known")
"""
ORDERS = {
    "bascule first": "import bascule\nimport dask.array",
    "dask.array first": "import dask.array\nimport bascule",
    "dask, bascule, dask.array": "import dask\nimport bascule\nimport dask.array",
    "bascule.dask first": "import bascule.dask\nimport dask.array",
    "distributed first": "import distributed\nimport bascule\nimport dask.array",
    "distributed last": "import bascule\nimport dask.array\nimport distributed",
    "dask.dataframe first": "import dask.dataframe\nimport bascule",
    "the deepest module first": "import dask.array.linalg\nimport bascule",
    "bascule in a thread": "import threading\nt = threading.Thread(target=__import__, args=['bascule'])\nt.start()\n"
    "import dask.array\nt.join()",
}


def run(code, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")


@pytest.mark.parametrize("order", ORDERS)
def test_the_order_of_imports_does_not_matter(order):
    assert run(ORDERS[order] + CHECK)[0] == "all is known"


def test_configuration_is_enough():
    code = (
        "import dask, dask.array as da\n"
        "with dask.config.set({'array.backend': 'bascule'}):\n"
        "    x = (da.ones((4, 4), chunks=2) + 1).sum(axis=0)\n"
        "print(x); print(type(x.compute()).__module__)"
    )
    said, module, _ = run(code)
    assert said.endswith("chunktype=bascule.ndarray>") and module == "bascule"


def test_bascule_brings_no_dask_and_its_dask_package_neither():
    assert (
        run("import bascule, bascule.dask, sys; print(any(m.split('.')[0] == 'dask' for m in sys.modules))")[0]
        == "False"
    )


def test_serialisers_are_known_wherever_distributed_is_loaded():
    code = (
        "\nfrom distributed.protocol import dask_serialize, dask_deserialize\nimport bascule as bc\n"
        "print(bc.ndarray in dask_serialize._lookup and bc.ndarray in dask_deserialize._lookup)"
    )
    for first in ("import distributed", "import bascule", "import dask.array, bascule", "import distributed.protocol"):
        assert run(first + code)[0] == "True"


def test_the_other_array_implementation_can_be_imported():
    """Dask's array-expr has no back ends; with it switched on, importing both must still work."""
    code = "import dask.array, bascule as bc; from dask.sizeof import sizeof; print(sizeof(bc.ones(3)))"
    assert run(code, DASK_ARRAY__QUERY_PLANNING="true")[0] == "24"


def test_sources_of_hooked_modules_are_still_found():
    assert (
        run("import bascule.dask, inspect, dask.array.dispatch as d; print('take' in inspect.getsource(d))")[0]
        == "True"
    )


def test_patches_are_undone():
    code = (
        "import dask.array as da, bascule.dask._patches as p\n"
        "print(da.linalg.solve_triangular_safe.__module__); p.undo(); print(da.linalg.solve_triangular_safe.__module__)\n"
        "print(hasattr(da.linalg.lu, '__wrapped__'))\n"
        "import dask.array.optimization as o\n"
        "print(*(hasattr(f, '__wrapped__') for f in (da.core.meta_from_array, da.reductions.arg_reduction, o._is_getter_task)))\n"
        "from dask.highlevelgraph import HighLevelGraph as H\n"
        "names = [f.__code__.co_filename for f in (da.Array.__new__, H.from_collections, da.from_array, da.routines._block_histogramdd_rect)]\n"
        "print(any('bascule' in n for n in names), da.coarsen is da.routines.coarsen, type(da.coarsen(np.sum, da.from_array(bc.ones(4), chunks=2), {0: 2})._meta).__module__)"
    )
    for first in ("import numpy as np, bascule as bc\n", "import dask.array, numpy as np, bascule as bc\n"):
        said = run(first + code)
        assert said[:4] == ["bascule.dask._patches", "dask.array.utils", "False", "False False False"]
        assert said[4] == "False True numpy"
