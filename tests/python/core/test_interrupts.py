"""Ctrl-C is checked between kernels, and within one whose output is not visible yet; the work can run again."""

import _thread
import os
import signal
import threading

import bascule as bc
import numpy as np
import pytest
from bascule import _core

pytestmark = pytest.mark.usefixtures("ctrl_c")

SIZE = 2_000_000
STEPS = 12


@pytest.fixture(autouse=True)
def one_thread():
    """Use one thread, so that the interrupted work takes long enough on any machine."""
    threads = bc.get_num_threads()
    bc.set_num_threads(1)
    yield
    bc.set_num_threads(threads)


@pytest.fixture
def theirs():
    return np.random.default_rng(0).standard_normal(SIZE)


def chain(xp, x):
    """Every mean must be computed before the next pass: two plans per step."""
    for _ in range(STEPS):
        x = xp.tanh(x - x.mean(keepdims=True)) * 1.25
    return x


def during(evaluation, act):
    """Run evaluation() here and act() in another thread, once the first plan of the evaluation has started."""
    before = _core.statistics()["plans"]
    over = threading.Event()

    def watch():
        while _core.statistics()["plans"] == before and not over.is_set():
            pass
        act()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        evaluation()
        over.set()
        thread.join()  # a signal that came too late raises here
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize(
    "interrupt",
    [_thread.interrupt_main, lambda: os.kill(os.getpid(), signal.SIGINT), lambda: signal.raise_signal(signal.SIGINT)],
)
def test_a_chain_of_plans_is_interrupted_and_can_run_again(theirs, interrupt):
    y = chain(bc, bc.array(theirs))
    before = _core.statistics()["plans"]
    with pytest.raises(KeyboardInterrupt):
        during(lambda: bc.evaluate(y), interrupt)
    assert _core.is_pending(y)
    interrupted_after = _core.statistics()["plans"] - before
    np.testing.assert_allclose(np.asarray(y), chain(np, theirs), rtol=0, atol=1e-9)
    assert _core.statistics()["plans"] - before > interrupted_after


def test_one_long_plan_is_interrupted_between_its_tasks():
    def expression(xp, x):
        for _ in range(6):
            x = xp.sin(xp.exp(xp.tanh(x)))
        return x

    theirs = np.random.default_rng(0).standard_normal(4 * SIZE)
    x = bc.array(theirs)  # kept alive: a plan that reuses the memory of its input runs to its end
    expected = expression(np, theirs)
    for make in (lambda y: y, lambda y: y.sum(keepdims=True), lambda y: y.reshape(-1, 4).sum(axis=0)):
        lazy = make(expression(bc, x))
        before = _core.statistics()["plans"]
        with pytest.raises(KeyboardInterrupt):
            during(lambda lazy=lazy: bc.evaluate(lazy), _thread.interrupt_main)
        assert _core.is_pending(lazy)
        assert _core.statistics()["plans"] == before + 1
        np.testing.assert_allclose(np.array(_core.to_numpy(lazy)), make(expected), rtol=1e-12, atol=1e-9)


def test_a_kernel_that_stores_into_visible_memory_runs_to_its_end(theirs):
    ours = bc.array(theirs)
    view = ours[::1]
    value = ours
    for _ in range(8):
        value = bc.tanh(bc.sin(bc.exp(value)))
    expected = theirs
    for _ in range(8):
        expected = np.tanh(np.sin(np.exp(expected)))

    def write():
        view[...] = value

    with pytest.raises(KeyboardInterrupt):
        during(write, _thread.interrupt_main)
    seen = np.array(_core.to_numpy(ours))
    assert np.array_equal(seen, theirs) or np.allclose(seen, expected, rtol=1e-12, atol=1e-12)


def test_a_handler_that_raises_nothing_runs_meanwhile_and_all_is_computed(theirs):
    y = chain(bc, bc.array(theirs))
    seen = []
    earlier = signal.signal(signal.SIGINT, lambda *_: seen.append(_core.is_pending(y)))
    try:
        during(lambda: bc.evaluate(y), lambda: signal.raise_signal(signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, earlier)
    assert seen == [True], "the handler runs while the array is computed"
    np.testing.assert_allclose(np.asarray(y), chain(np, theirs), rtol=0, atol=1e-9)


def test_what_a_handler_raises_is_what_the_evaluation_raises(theirs):
    def handler(*_):
        raise TimeoutError("time is over")

    y = chain(bc, bc.array(theirs))
    earlier = signal.signal(signal.SIGALRM, handler)
    try:
        with pytest.raises(TimeoutError, match="time is over"):
            during(lambda: bc.evaluate(y), lambda: signal.raise_signal(signal.SIGALRM))
    finally:
        signal.signal(signal.SIGALRM, earlier)
    assert _core.is_pending(y)


def test_a_handler_that_asks_for_what_is_computed_is_answered(theirs):
    y = chain(bc, bc.array(theirs))
    earlier = signal.signal(signal.SIGINT, lambda *_: bc.evaluate(y))
    try:
        with pytest.raises(RuntimeError, match="handler of a signal"):
            during(lambda: bc.evaluate(y), lambda: signal.raise_signal(signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, earlier)
    np.testing.assert_allclose(np.asarray(y), chain(np, theirs), rtol=0, atol=1e-9)


def test_the_main_thread_is_interrupted_while_another_waits_for_its_array(theirs):
    y = chain(bc, bc.array(theirs))
    values = []
    reader = threading.Thread(target=lambda: values.append(y[:3].sum().item()))

    def act():
        reader.start()
        _thread.interrupt_main()

    with pytest.raises(KeyboardInterrupt):
        during(lambda: bc.evaluate(y), act)
    reader.join(120)
    np.testing.assert_allclose(values, [chain(np, theirs)[:3].sum()], rtol=0, atol=1e-9)
