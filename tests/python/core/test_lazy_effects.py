"""The rules of the lazy array, 10 to 17: effects that must not be visible, and those that other libraries may see."""

import operator
import signal
import threading

import bascule as bc
import numpy as np
import pytest
from bascule import _core
from lazy_arrays import BIG, N, numbers, pair, pending, run, same, value


@pytest.fixture(autouse=True)
def settings_stay():
    fusion, eager_below = _core.get_fusion(), _core.get_eager_below()
    yield
    _core.set_fusion(fusion)
    _core.set_eager_below(eager_below)


# ---- rule 10


def test_rule_10_products_and_sums_are_rounded_each():
    x = np.nextafter(1.0, 2) * np.linspace(1, 3, N)
    y = np.linspace(0.3, 5, N)
    ours_x, ours_y = bc.array(x), bc.array(y)
    same(ours_x * ours_y - ours_x, x * y - x)
    f, g = x.astype("f4"), y.astype("f4")
    same(bc.array(f) * bc.array(g) + bc.array(f), f * g + f)
    h = x.astype("f2")
    same((bc.array(h) * bc.array(h) + bc.array(h)) * bc.array(h), (h * h + h) * h)


# ---- rule 12


def test_rule_12_bad_positions_raise_and_nothing_is_written():
    ours, theirs = pair()
    for bad in (N, -N - 1):
        for act in (lambda a, k: a[k], lambda a, k: a.__setitem__(k, 1.0)):
            with pytest.raises(IndexError) as expected:
                act(theirs, np.array([0, bad]))
            with pytest.raises(IndexError) as got:
                act(ours, bc.array(np.array([0, bad])))
            assert str(got.value) == str(expected.value)


def test_rule_12_the_last_of_duplicate_positions_wins():
    ours, theirs = pair()
    positions = np.random.default_rng(1).integers(0, 100, 9000)
    values = numbers(9000, 2)
    ours[bc.array(positions)] = bc.array(values)
    theirs[positions] = values
    same(ours, theirs)


# ---- rule 13


def test_rule_13_a_flush_without_memory_leaves_everything_pending():
    ours, theirs = pair(BIG)
    y = bc.sqrt(bc.absolute(ours)) + 1
    z = y * 2
    s = z.sum(keepdims=True)
    try:
        _core.trim("cpu")
        _core.set_memory_limit("cpu", _core.memory("cpu")["in_use"] + 1_000_000)
        with pytest.raises(MemoryError):
            bc.evaluate(z)
        assert pending(y) and pending(z) and pending(s)
        with pytest.raises(MemoryError):
            z[3].item() if pending(z) else None
            bc.evaluate(y)
    finally:
        _core.set_memory_limit("cpu", 0)
    expected = np.sqrt(np.abs(theirs)) + 1
    same(z, expected * 2)
    same(y, expected)
    assert s.item() == (expected * 2).sum()


def test_rule_13_a_write_without_memory_changes_nothing():
    ours, theirs = pair(BIG)
    v = ours[::2]
    try:
        _core.trim("cpu")
        _core.set_memory_limit("cpu", _core.memory("cpu")["in_use"] + 100_000)
        with pytest.raises(MemoryError):
            ours[1:] = ours[:-1]
    finally:
        _core.set_memory_limit("cpu", 0)
    same(ours, theirs)
    same(v, theirs[::2])
    ours[1:] = ours[:-1]
    theirs[1:] = theirs[:-1]
    same(ours, theirs)


def test_rule_13_an_interrupt_leaves_arrays_usable():
    def interrupt(*_):
        raise KeyboardInterrupt

    ours, theirs = pair(BIG)
    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            for _ in range(1000):
                y = bc.sin(bc.exp(ours)) + bc.cos(ours)
                y.sum().item()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    same(ours + 1, theirs + 1)
    assert (ours * 2).sum().item() == (theirs * 2).sum()


# ---- rule 14


def test_rule_14_two_threads_may_read_one_pending_array():
    ours, theirs = pair(BIG)
    y = bc.sqrt(bc.absolute(ours)) * 3
    got = []
    threads = [threading.Thread(target=lambda: got.append(value(y))) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(got) == 4
    for g in got:
        np.testing.assert_array_equal(g, np.sqrt(np.abs(theirs)) * 3)


# ---- rule 15


def test_rule_15_an_export_is_counted_while_it_lives():
    x, theirs = pair()
    assert _core.export_count(x) == 0
    shared = np.asarray(x)
    again = memoryview(x)
    assert _core.export_count(x) == 2
    again.release()
    view = shared[::2]
    del shared
    assert _core.export_count(x) == 1
    np.testing.assert_array_equal(view, theirs[::2])
    del view
    assert _core.export_count(x) == 0


def test_rule_15_operations_on_shared_memory_run_at_the_call():
    x, theirs = pair()
    reader = x * 2
    assert pending(reader)
    shared = np.asarray(x)
    assert not pending(reader)
    y = x + 1
    s = (x + 1).sum()
    assert not pending(y)
    shared[:] = 0
    same(reader, theirs * 2)
    same(y, theirs + 1)
    assert s.item() == (theirs + 1).sum()
    same(x, np.zeros(N))
    x += 1
    np.testing.assert_array_equal(shared, np.ones(N))
    x[::2] = 5
    assert shared[0] == 5 and shared[1] == 1
    del shared
    assert pending(x + 1)


def test_rule_15_array_copies_and_asarray_without_copy_shares():
    theirs = numbers()
    copied, shared = bc.array(theirs), bc.asarray(theirs, copy=False)
    total = shared + copied
    theirs[0] = 99
    assert copied[0].item() != 99 and shared[0].item() == 99
    assert total[0].item() != 99 + copied[0].item()
    shared[1] = -99
    assert theirs[1] == -99


def test_rule_15_a_numpy_operand_is_borrowed_for_the_call():
    x, theirs = pair()
    other = numbers(seed=3)
    y = x + other
    expected = theirs + other
    other[:] = 0
    same(y, expected)


# ---- rule 16


def scalars():
    x, _ = pair()
    return [x.sum(), x[3], x.reshape(100, -1)[2, 5], (x > 0).any(), x.argmax(), bc.array(numbers(10)).max()]


def test_rule_16_full_reductions_and_full_indices_are_numpys_scalars():
    for s in scalars():
        assert type(s) is s.dtype.type and isinstance(s, np.generic)
        assert isinstance(hash(s), int) and hash(s) == hash(s.item())
    with pytest.raises(TypeError):
        hash(bc.array(np.float64(3)))
    with pytest.raises(TypeError):
        hash(bc.array(numbers(3)))


def test_rule_16_the_namespace_of_the_array_api_has_arrays_in_their_place():
    x, _ = pair()
    xp = x.__array_namespace__()
    for s in (xp.sum(x), xp.sum(x) + 1, xp.any(x > 0), xp.asarray(3.0) * 2):
        assert type(s) is bc.ndarray and s.shape == () and _core.is_scalar(s)
        assert isinstance(hash(s), int) and hash(s) == hash(s.item())
    assert not _core.is_scalar(bc.array(np.float64(3)))


def test_rule_16_in_place_operators_of_a_scalar_bind_the_name_again():
    x, theirs = pair()
    s = t = x.sum()
    s += 1
    assert t.item() == theirs.sum() and s.item() == theirs.sum() + 1
    e = x[3]
    e *= 2
    assert x[3].item() == theirs[3] and e.item() == theirs[3] * 2


def test_rule_16_a_scalar_does_not_follow_later_writes():
    x, theirs = pair()
    e, s = x[3], x.sum()
    x[...] = 0
    assert e.item() == theirs[3] and s.item() == theirs.sum()


def test_rule_16_scalars_convert():
    x = bc.array(np.arange(N))
    s = x.max()
    assert float(s) == N - 1 and int(s) == N - 1 and bool(s) and operator.index(s) == N - 1
    assert list(range(N))[x[7]] == 7
    assert f"{bc.array(numbers()).max():.3f}" == f"{numbers().max():.3f}"
    assert round(bc.array(numbers()).max(), 2) == round(numbers().max(), 2)


def test_rule_16_arrays_without_axes_can_be_written_to():
    x, _ = pair()
    s = x.__array_namespace__().sum(x)
    s[()] = 4
    assert s.item() == 4
    s[...] = 5
    assert s.item() == 5
    with pytest.raises(TypeError, match="does not support item assignment"):
        x.sum()[()] = 4


# ---- rule 17


def test_rule_17_laziness_can_be_looked_at_and_ended():
    x, _ = pair()
    y = x * 2 + 1
    assert "multiply" in bc.explain(y) and pending(y)
    bc.evaluate(y)
    assert not pending(y)
    _core.synchronize("cpu")


def test_rule_17_fusion_can_be_switched_off():
    _core.set_fusion(False)
    x, theirs = pair()
    y = x * 2 + 1
    assert not pending(y)
    same(y, theirs * 2 + 1)


def test_rule_17_flushes_are_traced_with_their_reasons():
    _, trace = run(
        """
    import numpy as np, bascule as bc
    x = bc.array(np.ones(100_000))
    y = x * 2 + 1
    x[0] = 3
    (y + 1).sum().item()
    """,
        BASCULE_TRACE="flush",
    )
    assert "a write" in trace and "a value is read" in trace
