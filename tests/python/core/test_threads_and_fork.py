"""Arrays used from many threads at once, and after a fork; long work does not block other threads."""

import subprocess
import sys
import textwrap
import threading
import time

import bascule as bc
import numpy as np
import pytest
from bascule import _core

THREADS = 8


@pytest.fixture(autouse=True)
def settings_stay():
    eager_below = _core.get_eager_below()
    yield
    _core.set_eager_below(eager_below)


def value(a):
    return np.array(_core.to_numpy(a))


def in_threads(work, seconds=60):
    """Run work(number) in all threads at once; the first error is raised here."""
    errors = []
    together = threading.Barrier(THREADS)

    def run(number):
        try:
            together.wait()
            work(number)
        except BaseException as e:
            errors.append(e)

    threads = [threading.Thread(target=run, args=(k,), daemon=True) for k in range(THREADS)]
    for t in threads:
        t.start()
    deadline = time.monotonic() + seconds
    for t in threads:
        t.join(max(0.0, deadline - time.monotonic()))
    if errors:
        raise errors[0]
    assert not any(t.is_alive() for t in threads), "threads wait for each other"


@pytest.mark.parametrize("eager_below", [0, 8192])
def test_private_arrays_are_independent(eager_below):
    _core.set_eager_below(eager_below)

    def work(number):
        random = np.random.default_rng(number)
        for n in (5, 300, 9000, 40_000) * 4:
            x = random.standard_normal(n)
            a, b = bc.array(x), x.copy()
            for k in range(6):
                a, b = a * 1.5 + k, b * 1.5 + k
                a[::2] = a[::-1][::2] - k
                b[::2] = b[::-1][::2].copy() - k
                a += 1
                b += 1
            np.testing.assert_array_equal(value(a), b)
            assert a.sum().item() == b.sum()

    in_threads(work)


@pytest.mark.parametrize("eager_below", [0, 8192])
def test_one_pending_graph_is_read_by_all(eager_below):
    _core.set_eager_below(eager_below)
    theirs = np.random.default_rng(0).standard_normal(200_000)
    for _ in range(5):
        ours = bc.array(theirs)
        y = bc.sqrt(bc.absolute(ours)) + 1
        z = y * ours
        expected_y = np.sqrt(np.abs(theirs)) + 1
        expected_z = expected_y * theirs

        def work(number):
            if number % 4 == 0:
                np.testing.assert_array_equal(value(z), expected_z)
            elif number % 4 == 1:
                assert y.max().item() == expected_y.max()
            elif number % 4 == 2:
                np.testing.assert_array_equal(value(z[::3] + y[::3]), expected_z[::3] + expected_y[::3])
            else:
                np.testing.assert_array_equal(np.asarray(y), expected_y)

        in_threads(work)


def test_writes_to_parts_of_one_array_all_arrive():
    size = 30_000
    ours = bc.zeros(THREADS * size)

    def work(number):
        part = slice(number * size, (number + 1) * size)
        for k in range(20):
            ours[part] = ours[part] + number
            ours[number * size + k] = -1.0

    in_threads(work)
    expected = np.zeros(THREADS * size)
    for number in range(THREADS):
        part = expected[number * size : (number + 1) * size]
        for k in range(20):
            part += number
            part[k] = -1
    np.testing.assert_array_equal(value(ours), expected)


@pytest.mark.parametrize(
    "read",
    [
        lambda a: value(a),
        lambda a: value(a + 0),
        lambda a: value(a[bc.array(np.arange(0, 50_000, 7))]),
        lambda a: value(a[a >= 0]),
        lambda a: np.asarray([a.max().item(), a.min().item()]),
        lambda a: np.asarray(a[123].item()),
        lambda a: np.array(np.asarray(a)),
    ],
)
def test_readers_of_an_array_that_is_written_see_its_memory_alive(read):
    """Which of the values they read is not defined, as in NumPy; they are always values that were written."""
    ours = bc.zeros(50_000)
    steps = 60
    done = threading.Event()

    def work(number):
        if number == 0:
            try:
                for _ in range(steps):
                    ours.__iadd__(1)
                    ours[...] = ours + 0.0
            finally:
                done.set()
            return
        while not done.is_set():
            seen = read(ours)
            assert ((seen >= 0) & (seen <= steps) & (seen == np.floor(seen))).all()

    in_threads(work)
    np.testing.assert_array_equal(value(ours), np.full(50_000, float(steps)))


def test_flushes_and_deletions_cross_threads():
    """Graphs are built in one thread and deleted in another."""
    made = [None] * THREADS
    base = bc.array(np.arange(50_000.0))

    def work(number):
        for k in range(60):
            y = bc.sin(base + number) * k
            made[(number + k) % THREADS] = (y, y[::2] + 1)
            other = made[(number * 3 + k) % THREADS]
            if other is not None and k % 5 == 0:
                bc.evaluate(other[1])

    in_threads(work)
    made.clear()
    np.testing.assert_array_equal(value(base), np.arange(50_000.0))


def pending():
    """Numbers between -1 and 1 that take long to compute."""
    y = bc.array(np.linspace(0, 1, 1_000_000))
    for _ in range(8):
        y = bc.tanh(bc.sin(bc.exp(y)))
    return y


def exported_and_pending():
    """A destination whose memory is exported, which is written at the call (others are written later), and values."""
    to = bc.zeros(1_000_000)
    return memoryview(to), to, pending()


DATES = np.arange(1_000_000).astype("M8[s]")
LONG_WORK = {
    "evaluate": (pending, bc.evaluate),
    "digitize": (pending, lambda y: bc.digitize(y, [0.0, 0.5])),
    "choose": (lambda: (pending() * 0).astype(np.int64), lambda k: bc.choose(k, [[1.0], [2.0]])),
    "times": (lambda: (bc.array(DATES), (pending() * 99).astype("m8[s]")), lambda both: both[0] + both[1]),
    "linspace": (lambda: 5_000_000, lambda n: bc.linspace(0.0, 1.0, n)),
    "view": (pending, lambda y: y.view(np.int64)),
    "words_of_booleans": (lambda: pending() > 0.5, _core.words_of_booleans),
    "to_numpy": (pending, _core.to_numpy),
    "assign": (exported_and_pending, lambda given: _core.assign(*given[1:])),
    "add.at": (lambda: bc.array(np.arange(1_000_000) % 7), lambda at: bc.multiply.at(bc.ones(7), at, -1.0)),
    "accumulate": (pending, bc.add.accumulate),
}


@pytest.mark.parametrize("prepare, work", LONG_WORK.values(), ids=LONG_WORK)
def test_another_thread_advances_during_long_work(prepare, work):
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count, daemon=True)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(5)  # the interpreter does not switch by itself: other threads run only if the GIL is released
    try:
        thread.start()
        for _ in range(20):  # a busy machine may delay the other thread
            given = prepare()
            before = counted[0]
            work(given)
            advanced = counted[0] - before
            if advanced:
                break
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()
    assert advanced > 0


PROGRAM = """
    import os, signal, sys, threading
    import numpy as np
    import bascule as bc
    from bascule import _core

    def result(x):
        y = bc.sqrt(bc.absolute(x)) * 2 + 1
        return float(y.sum()), float(y.max())

    theirs = np.random.default_rng(0).standard_normal(1_000_000)
    x = bc.array(theirs)
    expected = result(x)
    waiting = bc.exp(x) + 1

    def check_child(pid):
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0

    def child(work):
        sys.stdout.flush()
        pid = os.fork()
        if pid:
            return check_child(pid)
        status = 1
        try:
            signal.alarm(60)
            work()
            status = 0
        finally:
            os._exit(status)
"""


def run(code):
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(PROGRAM) + textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=150,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def test_a_forked_child_computes():
    run("""
    def work():
        assert result(x) == expected
        assert float(waiting.min()) > 1
        x[::2] = 0
        assert float(x[0]) == 0
        def inner():
            assert float(bc.ones(500_000).sum()) == 500_000
        child(inner)
    child(work)
    assert result(x) == expected and float(x[0]) == theirs[0]
    assert float(waiting.min()) > 1
    """)


def test_a_child_forked_while_other_threads_compute_computes():
    run("""
    import warnings
    warnings.simplefilter("ignore")  # about forks beside threads, which is what is tried here
    stop = threading.Event()
    def busy():
        while not stop.is_set():
            assert result(x) == expected
    threads = [threading.Thread(target=busy) for _ in range(3)]
    for t in threads:
        t.start()
    try:
        for _ in range(10):
            child(lambda: [None for _ in range(3) if result(bc.array(theirs)) != expected and sys.exit(1)])
    finally:
        stop.set()
        for t in threads:
            t.join()
    """)
