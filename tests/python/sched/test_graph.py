"""Task graphs: their results, kept outputs, errors and interruption."""

import os
import signal
import subprocess
import sys
import threading
import time
import traceback
import weakref

import bascule as bc
import numpy as np
import pytest


def test_outputs_come_back_nested_and_dependencies_may_be():
    g = bc.sched.Graph()
    a, b = g.add(lambda: 2), g.add(lambda x: x + 1, 5)
    c = g.add(lambda xs, y: (xs, y), [a, (b, a)], b, key="c")
    assert g.run([c, (a, [b])]) == [([2, (6, 2)], 6), (2, [6])]
    assert g.run(a) == 2 and g.run([]) == [] and len(g) == 3 and repr(c) == "<task 'c'>"


def test_only_what_is_wanted_runs():
    ran = []
    g = bc.sched.Graph()
    a = g.add(lambda: ran.append("a") or 1)
    g.add(lambda: ran.append("unwanted"))
    assert g.run(g.add(lambda x: x + 1, a)) == 2 and ran == ["a"]


@pytest.mark.parametrize("threads", [1, 4])
def test_random_graphs_give_what_a_loop_gives(threads):
    rng = np.random.default_rng(threads)
    for _ in range(20):
        g, wanted, handles = bc.sched.Graph(), [], []
        for i in range(int(rng.integers(1, 200))):
            needs = [int(k) for k in rng.integers(0, i, size=rng.integers(0, 4))] if i else []
            handles.append(g.add(lambda i, *xs: i + sum(xs) % 1009, i, *[handles[k] for k in needs], priority=int(rng.integers(0, 3))))  # fmt: skip
            wanted.append(i + sum(wanted[k] for k in needs) % 1009)
        assert g.run(handles, threads=threads, memory_limit=1000) == wanted


def test_an_error_is_the_tasks_own_and_names_its_key():
    def fails(x):
        raise ZeroDivisionError("in the task")

    g = bc.sched.Graph()
    with pytest.raises(ZeroDivisionError, match="in the task") as caught:
        g.run(g.add(fails, 1, key=("block", 3)))
    assert caught.value.__notes__ == ["[sched] while running task ('block', 3)"]
    assert "fails" in [f.name for f in traceback.extract_tb(caught.value.__traceback__)]


def test_wrong_arguments_are_named():
    g, other = bc.sched.Graph(), bc.sched.Graph()
    a = g.add(lambda: 1, key="a")
    for wrong, error, text in (
        (lambda: g.add(3), TypeError, "a task is a function, got int"),
        (lambda: g.add(len, key="a"), ValueError, "a task 'a' already"),
        (lambda: g.add(len, size=-1), ValueError, "not negative, got -1"),
        (lambda: other.add(len, a), ValueError, "task 'a' is one of another graph"),
        (lambda: other.run(a), ValueError, "another graph"),
        (lambda: g.run(a, memory_limit=0), ValueError, "memory_limit must be positive"),
        (lambda: g.run(a, threads=-2), ValueError, "threads must be positive"),
        (lambda: bc.sched.reduce_blocks(len, (4,), (2, 2), sum), ValueError, "do not divide"),
        (lambda: bc.sched.reduce_blocks(len, (4,), (2,), sum, group=1), ValueError, "two contributions"),
        (lambda: bc.sched.native(3), TypeError, "native takes a function, got int"),
    ):
        with pytest.raises(error, match=text):
            wrong()


def test_progress_is_reported_after_each_task():
    reported = []
    g = bc.sched.Graph()
    parts = [g.add(time.sleep, 0.001) for _ in range(20)]
    g.run(g.add(len, parts), progress=lambda done, total: reported.append((done, total)), threads=3)
    assert sorted(reported) == [(k, 21) for k in range(1, 22)]


class Block:
    nbytes = 100

    def __init__(self, alive, most):
        alive.add(self)
        most.append(len(alive))


@pytest.mark.parametrize("threads", [1, 4])
def test_outputs_stay_below_the_limit(threads):
    def peak(limit):
        alive, most = weakref.WeakSet(), []

        def make(_):
            time.sleep(0.0003)
            return Block(alive, most)

        g = bc.sched.Graph()
        made = [g.add(make, i) for i in range(64)]
        g.run([g.add(lambda b: 0, b, priority=1, size=0) for b in made], memory_limit=limit, threads=threads)
        return max(most)

    assert peak(None) >= 60 and peak(1000) <= 10 + threads


def test_tasks_may_run_graphs_of_their_own():
    def inner(i):
        g = bc.sched.Graph()
        return g.run(g.add(sum, [g.add(lambda k: k * i, k) for k in range(5)]), threads=2)

    g = bc.sched.Graph()
    assert g.run([g.add(inner, i) for i in range(30)], threads=2) == [10 * i for i in range(30)]


def test_long_tasks_run_alongside_each_other():
    together = threading.Barrier(3, timeout=30)
    g = bc.sched.Graph()
    assert sorted(g.run([g.add(together.wait) for _ in range(3)], threads=3)) == [0, 1, 2]


@pytest.mark.parametrize("threads", [1, 3])
def test_ctrl_c_stops_it(threads, ctrl_c):
    g = bc.sched.Graph()
    tasks = [g.add(time.sleep, 0.02) for _ in range(1000)]
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        g.run(tasks, threads=threads)
    assert time.perf_counter() - began < 5


def test_ctrl_c_is_seen_while_only_another_thread_works(ctrl_c):
    release, main = threading.Event(), threading.get_ident()

    def task(k):
        if threading.get_ident() == main:
            time.sleep(0.02)  # until the other one has started
        else:
            release.wait(30)

    g = bc.sched.Graph()
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        g.run([g.add(task, 0), g.add(task, 1)], threads=2)
    release.set()
    assert time.perf_counter() - began < 20


def test_blocks_are_reduced_to_what_the_whole_gives():
    x = np.random.default_rng(0).integers(-9, 9, (103, 57))
    assert bc.sched.reduce_blocks(lambda w: bc.array(x[w]).sum(), x.shape, (10, 20), sum) == x.sum()
    assert bc.sched.reduce_blocks(lambda w: x[w].max(), x.shape, (50, 50), max, group=2, threads=3) == x.max()
    assert bc.sched.reduce_blocks(lambda w: int(x[w].sum()), x.shape, (200, 200), sum, memory_limit=10) == x.sum()


PEAK = """
import bascule as bc

def high_water():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

def total(where):
    rng = bc.random.default_rng([s.start for s in where])
    return (rng.normal(10, 1, tuple(s.stop - s.start for s in where)) + 1)[::2, ::2].sum()

bc.sched.reduce_blocks(total, (200, 200), (100, 100), sum)
before = high_water()
mean = float(bc.sched.reduce_blocks(total, (16_000, 16_000), (2000, 2000), sum)) / 8000**2
assert abs(mean - 11) < 0.01, mean
print(high_water() - before)
"""


def test_an_array_of_two_gigabytes_takes_little_memory():
    done = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 200_000


@pytest.mark.parametrize(
    "made", ["Index([1, 2])", "Categorical(['a', None])", "DataFrame({'a': [1]})", "Series([1.5])"]
)
@pytest.mark.parametrize("module", ["pandas", "bascule.pandas"])
def test_labels_and_frames_have_a_size(module, made):
    pd = pytest.importorskip(module)
    g = bc.sched.Graph()
    assert g.run(g.add(lambda x: len(x) > 0, g.add(lambda: eval(f"pd.{made}", {"pd": pd}))), memory_limit=10)
