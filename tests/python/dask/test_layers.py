"""Layers of blocks that no task is made of: the results of Dask's own graphs, and what is left to Dask."""

import warnings

import bascule as bc
import bascule.dask
import dask
import dask.array as da
import dask.blockwise
import numpy as np
import pytest
from bascule.dask import _layers, _plans

N = 47
RNG = np.random.default_rng(0)
HOST = RNG.integers(-9, 9, (N, N)).astype("f8")


def ours(x=HOST, chunks=13):
    return da.from_array(bc.array(x), chunks=chunks)


EXPRESSIONS = {
    "creation": lambda: ((da.ones((N, N), chunks=10) + 1) * 2).sum(),
    "uneven": lambda: (da.full((N, 31), 3, chunks=(10, 7)) * ours()[:, :31].rechunk((10, 7))).sum(axis=0),
    "every other": lambda: (ours() + 1)[::2, ::3].sum(axis=1),
    "mean": lambda: (ours() * 2).mean(axis=0),
    "std": lambda: (ours() - 1).std(),
    "extrema": lambda: abs(ours()).max(axis=0) - ours().min(),
    "transposed": lambda: (ours() + ours().T).sum(axis=0),
    "broadcast": lambda: (ours() - ours().mean(axis=0)).sum(axis=1),
    "of a vector": lambda: (ours() * da.arange(N, chunks=13)[:, None]).sum(),
    "arange": lambda: (da.arange(1000, chunks=17) ** 2).sum(),
    "random": lambda: (da.random.default_rng(1).normal(10, 1, (N, N), chunks=13) + 1)[::2, ::2].sum(),
    "no reduction": lambda: da.where(ours() > 0, ours(), -1) * 2,
    "any": lambda: (ours() > 8).any(axis=0),
    "integers": lambda: ours(HOST.astype("i4")).sum(),
    "new axis": lambda: (ours()[None] * ours()[:, None]).sum(axis=2),
    "matmul": lambda: (ours() + 1) @ ours(),
    "map_blocks": lambda: (ours() + 1).map_blocks(lambda b: b * 2).sum(),
    "block info": lambda: ours().map_blocks(lambda b, block_id: b + block_id[0], dtype="f8").sum(axis=0),
    "cumsum": lambda: (ours() + 1).cumsum(axis=0),
    "argmax": lambda: (ours() + 1).argmax(axis=0),
    "concatenate": lambda: da.concatenate([ours() + 1, da.zeros((5, N), chunks=5)]).sum(axis=1),
    "float32": lambda: (ours(HOST.astype("f4")) / 3).sum(),
    "booleans": lambda: (~(ours() > 0)).sum(),
    "overlap": lambda: (ours() + 1).map_overlap(lambda b: b * 2, depth=1, boundary="reflect"),
}  # fmt: skip


def same(a, b):
    assert type(a) is type(b)
    assert np.asarray(a).dtype == np.asarray(b).dtype
    np.testing.assert_array_equal(np.asarray(a), np.asarray(b))


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("name", EXPRESSIONS)
def test_results_are_those_of_dasks_graphs(name, workers):
    with dask.config.set({"array.backend": "bascule"}):
        x = EXPRESSIONS[name]()
        same(x.compute(scheduler="bascule", num_workers=workers), x.compute(scheduler="sync"))
        one, two = dask.compute(x + 1, x * 2, scheduler="bascule", num_workers=workers)
        also_one, also_two = dask.compute(x + 1, x * 2, scheduler="sync")
        same(one, also_one), same(two, also_two)
        same(x.persist(scheduler="bascule").compute(scheduler="sync"), x.compute(scheduler="sync"))


def test_no_task_is_made_of_a_block(monkeypatch):
    with dask.config.set({"array.backend": "bascule"}):
        x = ((da.ones((40, 40), chunks=2) + 1) * 2).sum()
        made = []
        make = dask.blockwise._make_blockwise_graph
        monkeypatch.setattr(dask.blockwise, "_make_blockwise_graph", lambda *a, **k: made.append(a) or make(*a, **k))
        assert float(x.compute(scheduler="bascule")) == 6400 and not made


def test_one_program_serves_blocks_of_one_shape(monkeypatch):
    recorded = []
    record = bc.sched._record.record
    monkeypatch.setattr(bc.sched._record, "record", lambda *a: recorded.append(a) or record(*a))
    with dask.config.set({"array.backend": "bascule"}):
        x = ((da.ones((40, 40), chunks=4) + 1) * 2).sum()
        assert float(x.compute(scheduler="bascule", num_workers=1)) == 6400
    assert 0 < len(recorded) <= 8


def test_functions_of_the_users_own_are_called_for_each_block():
    calls = []
    x = ours().map_blocks(lambda b: calls.append(b.shape) or b + 1, dtype="f8", meta=bc.empty((0, 0)))
    same(x.sum().compute(scheduler="bascule", num_workers=1), x.sum().compute(scheduler="sync"))
    assert len(calls) == 2 * 16


def test_chunks_do_not_share_memory():
    with dask.config.set({"array.backend": "bascule"}):
        for x in (da.ones((8, 8), chunks=4) + 0, da.full((8, 8), 2.0, chunks=4) * 1):
            p = x.persist(scheduler="bascule")
            blocks = list(p.dask.values())
            kept = np.asarray(blocks[1]).copy()
            blocks[0][...] = 77
            np.testing.assert_array_equal(np.asarray(blocks[1]), kept)


def test_what_is_not_ours_or_not_known_is_dasks():
    def taken(x, **settings):
        found = []

        def get(dsk, keys, **kwargs):
            found.append(_layers.layers_of(dsk, keys))
            return dask.get(dsk.__dask_graph__(), keys)

        with dask.config.set(settings):
            x.compute(scheduler=get)
        return found[0] is not None

    x = (ours() + 1).sum()
    assert taken(x)
    assert not taken(x, **{"optimization.fuse.active": False})
    assert not taken((da.from_array(HOST, chunks=13) + 1).sum())
    with dask.annotate(priority=1):
        annotated = (ours() + 1).sum()
    assert not taken(annotated)
    assert _layers.layers_of({"a": 1}, ["a"]) is None


def test_known_functions():
    from functools import partial

    for f in (np.add, np.sum, bc.exp, partial(np.sum, axis=0), dask.array.chunk.getitem):
        assert _plans.is_known(f)
    for f in (lambda x: x, partial(dask.utils.apply, print), np.random.normal, print, partial(np.sum, where=[print]), dask.array.core.getter, dask.array.random._apply_random_func):  # fmt: skip
        assert not _plans.is_known(f)


def test_floating_point_errors_are_reported():
    x = 1 / ours(np.zeros((60, 60)), chunks=30)
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        assert np.isinf(np.asarray(x.sum().compute(scheduler="bascule")))
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError) as caught:
        x.sum().compute(scheduler="bascule", num_workers=1)
    assert "while computing" in caught.value.__notes__[0]
    with warnings.catch_warnings(), np.errstate(divide="ignore"):
        warnings.simplefilter("error")
        x.sum().compute(scheduler="bascule")


def test_a_chunk_that_fails_is_named():
    x = (ours() + 1).map_blocks(lambda b: 1 // 0, dtype="f8", meta=bc.empty((0, 0)))
    with pytest.raises(ZeroDivisionError) as caught:
        x.sum().compute(scheduler="bascule")
    assert "while computing ('" in caught.value.__notes__[0]
