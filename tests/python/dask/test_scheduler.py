"""``scheduler="bascule"``: the results of Dask's own, what it keeps, how it fails, who helps."""

import contextvars
import gc
import operator
import re
import threading
import time
import traceback
import weakref

import bascule as bc
import bascule.dask
import dask
import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import dask_workloads
import frame_workloads
import numpy as np
import pandas
import pytest
from bascule.dask import _scheduler
from dask._task_spec import Alias, DataNode, List, Task, TaskRef
from dask.diagnostics import CacheProfiler, Profiler, ProgressBar

ARRAYS = [
    "every other element of a sum", "mean of everything", "std of columns", "argmax of everything", "cumsum", "cumsum, tree",
    "percentile", "bincount", "x[mask of a collection]", "vindex", "matmul", "einsum", "svd of tall blocks", "q times r", "map_overlap, reflected",
    "normal", "permutation", "unique with everything", "rechunk to one", "fft", "topk", "assignment of a scalar under a mask",
    "select with a scalar", "map_blocks beside a scalar", "nanmean of rows", "std of columns beside that of all", "x minus its mean",
    "one more than the position", "scalars in a row behind a column", "sum in pairs", "blockwise", "diff", "stack", "divmod",
]  # fmt: skip
FRAMES = [
    "read_csv in blocks", "read_parquet, filter and projection", "to_parquet", "arithmetic", "std", "describe", "groupby.agg, lists",
    "groupby, split_out by tasks", "merge, by tasks", "merge, by disk", "set_index", "sort_values", "drop_duplicates", "rolling", "len", "to_backend",
]  # fmt: skip


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_are_those_of_other_schedulers(name):
    maker = dask_workloads.Maker("bascule")
    results = []
    for scheduler in ("sync", "bascule"):
        with maker.settings(), dask.config.set(scheduler=scheduler, num_workers=3):
            x = dask_workloads.PROGRAMS[name](maker)
            results.append(dask.compute(*x) if isinstance(x, tuple) else x.compute())
    wanted, got = results
    assert type(got) is type(wanted)
    for g, w in zip(got, wanted) if isinstance(got, tuple) else [(got, wanted)]:
        np.testing.assert_array_equal(np.asarray(g), np.asarray(w))


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # in Dask's own code
@pytest.mark.parametrize("name", FRAMES)
def test_frames_are_those_of_other_schedulers(name, tmp_path):
    frame_workloads.write_files(tmp_path)
    results = []
    for backend, scheduler in (("pandas", "sync"), ("bascule", "bascule")):
        maker = frame_workloads.Maker(backend, tmp_path)
        with maker.settings(), dask.config.set(scheduler=scheduler, num_workers=3):
            x = frame_workloads.PROGRAMS[name](maker)
            results.append(x.compute() if hasattr(x, "compute") else x)
    frame_workloads.assert_same(results[1], results[0], name not in frame_workloads.NUMBERED)


def test_the_name_is_known_to_dask_and_other_collections():
    assert db.from_sequence(range(100), npartitions=7).map(lambda x: x + 1).sum().compute(scheduler="bascule") == 5050
    assert dask.delayed(sum)([dask.delayed(operator.add)(i, 1) for i in range(5)]).compute(scheduler="bascule") == 15
    x = (da.ones((6, 6), chunks=2) + 1).persist(scheduler="bascule")
    assert float(x.sum().compute(scheduler="bascule")) == 72


def test_graphs_of_every_kind_of_node_and_nested_keys():
    graph = {
        "a": 1, "b": (operator.add, "a", 10), ("c", 0): [1, "b"], "d": Alias("d", "b"), "e": DataNode("e", "text"),
        "f": Task("f", max, List(TaskRef("b"), TaskRef("d"), 3)), "g": Task("g", dict, x=TaskRef("b")), "h": (sum, ["a", "b", (operator.neg, "a")]),
        "unused": (operator.truediv, 1, 0),
    }  # fmt: skip
    wanted = [["a", "b"], [("c", 0), ["d", "e"]], "f", "g", "h"]
    assert _scheduler.get(graph, wanted) == dask.threaded.get(graph, wanted)
    assert _scheduler.get(graph, "b") == 11 and _scheduler.get(graph, []) == ()
    with pytest.raises(KeyError):
        _scheduler.get(graph, "nowhere")
    with pytest.raises(RuntimeError, match="Cycle"):
        _scheduler.get({"a": (operator.neg, "b"), "b": (operator.neg, "a")}, "a")


class Thing:
    """A result whose life can be watched."""

    alive = 0
    most = 0

    def __init__(self, *parts):
        Thing.alive += 1
        Thing.most = max(Thing.most, Thing.alive)
        weakref.finalize(self, Thing.died)

    @staticmethod
    def died():
        Thing.alive -= 1


@pytest.mark.parametrize("workers", [1, 4])
def test_what_nobody_needs_any_more_is_gone_before_more_is_made(workers):
    gc.collect()
    Thing.alive = Thing.most = 0
    graph = {("a", i): Task(("a", i), Thing) for i in range(512)}
    width, level = 512, "a"
    for below in "bcd":
        width //= 8
        graph |= {(below, j): Task((below, j), Thing, *(TaskRef((level, i)) for i in range(8 * j, 8 * j + 8))) for j in range(width)}  # fmt: skip
        level = below
    last = _scheduler.get(graph, ("d", 0), num_workers=workers)
    assert type(last) is Thing and Thing.alive == 1
    assert Thing.most <= 8 * 3 * workers + 8


def test_shared_results_are_computed_once_and_in_dasks_order():
    calls = []
    graph = {"a": Task("a", lambda: calls.append("a") or 1)}
    graph |= {("b", i): Task(("b", i), lambda x, i: calls.append(i) or x + i, TaskRef("a"), i) for i in range(20)}
    assert sum(_scheduler.get(graph, [("b", i) for i in range(20)], num_workers=1)) == 210
    assert calls.count("a") == 1 and len(calls) == 21


def fails(x):
    raise ZeroDivisionError("in the chunk")


def test_a_failing_task_names_its_chunk_and_keeps_its_traceback():
    x = da.ones((4, 4), chunks=2).map_blocks(fails, dtype=float, meta=np.empty((0, 0)))
    with pytest.raises(ZeroDivisionError, match="in the chunk") as caught:
        x.compute(scheduler="bascule", num_workers=2)
    assert "fails" in [f.name for f in traceback.extract_tb(caught.value.__traceback__)]
    (note,) = caught.value.__notes__
    assert re.search(r"while computing \('fails-\w+', [01], [01]\)$", note) and caught.value.args == ("in the chunk",)


def test_after_a_failure_nothing_more_is_started():
    done = []
    graph = {("a", i): Task(("a", i), (lambda i: done.append(i) or (1 / (i - 3))), i) for i in range(100)}
    with pytest.raises(ZeroDivisionError):
        _scheduler.get(graph, list(graph), num_workers=1)
    assert done == [0, 1, 2, 3]


def test_exceptions_may_be_met_again_where_they_happen():
    calls = []
    with dask.config.set(rerun_exceptions_locally=True), pytest.raises(ZeroDivisionError):
        _scheduler.get({"a": Task("a", lambda: calls.append(0) or 1 / 0)}, "a")
    assert len(calls) == 2


def test_long_tasks_run_alongside_each_other_though_one_waits():
    together = threading.Barrier(3, timeout=30)
    graph = {i: Task(i, together.wait) for i in range(3)}
    assert sorted(_scheduler.get(graph, [0, 1, 2], num_workers=3)) == [0, 1, 2]


def test_no_more_tasks_than_asked_for_run_at_a_time():
    now, most, lock = [0], [0], threading.Lock()

    def task(i):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.003)
        with lock:
            now[0] -= 1
        return i

    graph = {i: Task(i, task, i) for i in range(60)}
    assert _scheduler.get(graph, list(range(60)), num_workers=3) == tuple(range(60))
    assert most[0] == 3


def test_tasks_may_compute_collections_of_their_own():
    def inner(i):
        return float((da.ones((20, 20), chunks=5) * i).sum().compute(scheduler="bascule"))

    with dask.config.set(scheduler="bascule", num_workers=2):
        graph = {i: Task(i, inner, i) for i in range(12)}
        assert _scheduler.get(graph, list(range(12))) == tuple(400.0 * i for i in range(12))


def test_tasks_see_the_context_of_the_call():
    variable = contextvars.ContextVar("variable", default="other")
    variable.set("mine")

    def seen(i):
        time.sleep(0.002)
        return variable.get(), threading.get_ident()

    found = _scheduler.get({i: Task(i, seen, i) for i in range(40)}, list(range(40)), num_workers=3)
    assert {v for v, _ in found} == {"mine"} and len({t for _, t in found}) > 1


def test_callbacks_are_called_as_dask_calls_them():
    x = (da.ones((6, 6), chunks=2) + 1).sum()
    with Profiler() as tasks, CacheProfiler() as cache, ProgressBar(minimum=100):
        assert float(x.compute(scheduler="bascule")) == 72
    assert len(tasks.results) > 8 and len(cache.results) > 8


class Noted(dask.callbacks.Callback):
    def __init__(self):
        self.seen, self.failed = [], None
        super().__init__(start=lambda d: self.seen.append("start"), start_state=lambda d, s: self.seen.append(sorted(s)),
                         pretask=lambda k, d, s: self.seen.append((k, k in s["running"])), posttask=self.after,
                         finish=lambda d, s, failed: setattr(self, "failed", failed))  # fmt: skip

    def after(self, key, result, graph, state, worker):
        self.seen.append((key, result, key in state["finished"], state["cache"][key]))


@pytest.mark.parametrize("workers", [1, 3])
def test_callbacks_see_the_state_that_dasks_schedulers_keep(workers):
    graph = {
        "a": DataNode("a", 1),
        "b": Task("b", operator.add, TaskRef("a"), 1),
        "c": Task("c", operator.neg, TaskRef("b")),
    }
    with Noted() as ours:
        assert _scheduler.get(graph, ["c"], num_workers=workers) == (-2,)
    with Noted() as theirs:
        dask.threaded.get(graph, ["c"])
    assert ours.seen == theirs.seen and ours.failed is theirs.failed is False
    with Noted() as ours, pytest.raises(ZeroDivisionError):
        _scheduler.get({"a": Task("a", operator.truediv, 1, 0)}, "a")
    assert ours.failed is True


def test_a_callback_that_fails_at_the_start_ends_those_that_started():
    first = Noted()
    with first, dask.callbacks.Callback(start=lambda d: 1 / 0), pytest.raises(ZeroDivisionError):
        _scheduler.get({"a": Task("a", int)}, "a")
    assert first.failed in (True, None) and dask.callbacks.Callback.active == set()


@pytest.mark.parametrize("workers", [1, 4])
def test_random_graphs_give_what_dask_gives(workers):
    rng = np.random.default_rng(workers)
    for _ in range(40):
        n = int(rng.integers(1, 120))
        graph = {}
        for i in range(n):
            needs = [("t", int(k)) for k in rng.integers(0, i, size=rng.integers(0, 4))] if i else []
            kind = rng.integers(0, 5)
            if kind == 0:
                graph["t", i] = DataNode(("t", i), i)
            elif kind == 1 and needs:
                graph["t", i] = Alias(("t", i), needs[0])
            elif kind == 2:
                graph["t", i] = (sum, [i, *needs])
            else:
                graph["t", i] = Task(("t", i), lambda i, *xs: i + sum(xs) % 1009, i, *map(TaskRef, needs))
        keys = [("t", n - 1), [("t", int(k)) for k in rng.integers(0, n, size=3)]]
        assert _scheduler.get(graph, keys, num_workers=workers, memory_limit=200) == dask.get(graph, keys)


@pytest.mark.parametrize("workers", [1, 3])
def test_results_stay_below_a_limit(workers):
    class Wide:
        alive = weakref.WeakSet()
        most = 0

        def __init__(self, i):
            time.sleep(0.0003)
            Wide.alive.add(self)
            Wide.most = max(Wide.most, len(Wide.alive))

        def __sizeof__(self):
            return 1000

    graph = {("a", i): Task(("a", i), Wide, i) for i in range(64)}
    graph |= {
        ("b", i): Task(("b", i), lambda *xs: 0, TaskRef(("a", i)), TaskRef(("a", (i + 1) % 64))) for i in range(64)
    }
    wanted = [("b", i) for i in range(64)]
    assert _scheduler.get(graph, wanted, num_workers=workers, memory_limit="8 kB") == (0,) * 64
    assert Wide.most <= 8 + workers + 1
    with pytest.raises(ValueError, match="Could not interpret"):
        _scheduler.get(graph, wanted, memory_limit="much")


def test_a_pool_of_the_users_own_helps():
    from concurrent.futures import ThreadPoolExecutor

    def name(i):
        time.sleep(0.002)
        return threading.current_thread().name

    with ThreadPoolExecutor(3, "own") as pool:
        found = _scheduler.get({i: Task(i, name, i) for i in range(40)}, list(range(40)), pool=pool)
    assert {n.split("_")[0] for n in found} == {"own", threading.current_thread().name}


def test_an_interrupt_stops_it():
    done = []

    def interrupt(i):
        done.append(i)
        if i == 5:
            raise KeyboardInterrupt
        return i

    with pytest.raises(KeyboardInterrupt):
        _scheduler.get({i: Task(i, interrupt, i) for i in range(100)}, list(range(100)), num_workers=2)
    assert len(done) < 100


def test_many_calls_at_once():
    results = []

    def call(k):
        x = (da.from_array(bc.arange(1000.0), chunks=50) * k).sum()
        results.append((k, float(x.compute(scheduler="bascule", num_workers=4))))

    threads = [threading.Thread(target=call, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(results) == [(k, 499500.0 * k) for k in range(8)]


def test_frames_of_pandas_too():
    d = dd.from_pandas(pandas.DataFrame({"k": [0, 1] * 50, "x": range(100)}), npartitions=4)
    pandas.testing.assert_series_equal(d.groupby("k").x.sum().compute(scheduler="bascule"), d.groupby("k").x.sum().compute(scheduler="sync"))  # fmt: skip
