"""Work on streams of the user's own overlaps: what depends on work of another stream waits for it, and nothing else. All emulated."""

import emulated_cuda
import pytest

LATE = {"BASCULE_DEVICE": "cuda", "BASCULE_FAKE_CUDA_LAZY": "1"}
TWO = """
s, t = bc.cuda.Stream(non_blocking=True), bc.cuda.Stream(non_blocking=True)
host = np.arange(1000.0)
x, y = bc.asarray(host), bc.asarray(host + 1)
bc.synchronize()
def wait_for(stream):
    "As the driver does: nothing runs but what the stream's own work needs."
    assert _fake.cuStreamSynchronize(ctypes.c_void_p(stream.ptr)) == 0
"""


@pytest.mark.parametrize("pool", ["cached", "exact"])
def test_what_is_independent_does_not_wait(pool):
    emulated_cuda.run(
        TWO
        + """
with s:
    a = bc.evaluate(x * 2)
with t:
    b = bc.evaluate(y * 3)
wait_for(t)
assert t.done and not s.done
with t:
    c = bc.evaluate(a + b)      # needs what the other stream makes
wait_for(t)
assert s.done
assert (c.get() == host * 2 + (host + 1) * 3).all()
""",
        BASCULE_CUDA_POOL=pool,
        **LATE,
    )


def test_streams_overlap_again_after_many_results():
    emulated_cuda.run(
        TWO
        + """
with s:
    many = [bc.evaluate(x * k) for k in range(600)]     # more than are kept apart
    a = bc.evaluate(x * 2)
with t:
    b = bc.evaluate(y * 3)
wait_for(t)
assert t.done and not s.done
assert all((r.get() == host * k).all() for k, r in enumerate(many))
assert (a.get() == host * 2).all() and (b.get() == (host + 1) * 3).all()
""",
        **LATE,
    )


def test_copies_to_pinned_memory_overlap_with_kernels():
    emulated_cuda.run(
        TWO
        + """
target = np.frombuffer(bc.cuda.alloc_pinned_memory(8000), np.float64)
with s:
    a = bc.evaluate(x * 2)
with t:
    y.get(out=target, blocking=False)
wait_for(t)
assert (target == host + 1).all() and not s.done
with t:
    a.get(out=target, blocking=False)
wait_for(t)
assert (target == host * 2).all() and s.done
""",
        **LATE,
    )


def test_events_are_of_their_own_stream():
    emulated_cuda.run(
        TWO
        + """
with s:
    a = bc.evaluate(x * 2)
with t:
    b = bc.evaluate(y * 3)
e = bc.cuda.Event()
e.record(t)
e.synchronize()
assert e.done and not s.done
bc.cuda.Event().record()        # of the device's own stream: after all work of the program
bc.synchronize()
assert s.done and (a.get() == host * 2).all() and (b.get() == (host + 1) * 3).all()
""",
        **LATE,
    )


def test_a_stream_of_another_library_is_waited_for_at_once():
    """It may be gone later."""
    emulated_cuda.run(
        TWO
        + """
handle = ctypes.c_void_p()
assert _fake.cuStreamCreate(ctypes.byref(handle), 1) == 0
with bc.cuda.ExternalStream(handle.value):
    a = bc.evaluate(x * 2)
assert _fake.cuStreamDestroy_v2(handle) == 0
with s:
    b = bc.evaluate(y * 3)
del s                            # so may ours
assert (a.get() == host * 2).all() and (b.get() == (host + 1) * 3).all()
""",
        **LATE,
    )


PROGRAM = """
import random
draw = random.Random(SEED)
streams = [bc.cuda.Stream(non_blocking=bool(k % 2)) for k in range(3)] + [bc.cuda.Stream.null]
rng = np.random.default_rng(SEED)
arrays = [(bc.asarray(h), h) for h in (rng.integers(-50, 50, (8, 9)).astype("f8") for _ in range(4))]
def step():
    k, j = draw.randrange(len(arrays)), draw.randrange(len(arrays))
    (x, hx), (y, hy) = arrays[k], arrays[j]
    what = draw.randrange(11)
    if what < 4:
        arrays.append((bc.evaluate(x * 2 - y), hx * 2 - hy))
    elif what == 4:
        x += y
        hx += hy
    elif what == 5:
        x[2:5] = y[1:4] * 2
        hx[2:5] = hy[1:4] * 2
        bc.evaluate(x)
    elif what == 6:
        arrays.append((bc.evaluate(x.T[::-1].T + 1), hx[:, ::-1] + 1))
    elif what == 7:
        arrays.append((bc.sort(x, axis=1) + y.sum(axis=0), np.sort(hx, axis=1) + hy.sum(axis=0)))
    elif what == 8:
        arrays.append((bc.asarray(hx + 7), hx + 7))
    elif what == 9 and len(arrays) > 2:
        del arrays[k]
    elif what == 10:
        np.testing.assert_array_equal(x.get(), hx)
for n in range(STEPS):
    with draw.choice(streams):
        step()
    if len(arrays) > 8:
        arrays.pop(draw.randrange(len(arrays)))
    if n % 20 == 19:  # numbers stay small
        for x, h in arrays:
            np.testing.assert_array_equal(x.get(), h)
        arrays = [(bc.asarray(h % 50), h % 50) for _, h in arrays[:4]]
for x, h in arrays:
    np.testing.assert_array_equal(x.get(), h)
"""


@pytest.mark.parametrize("late", ["0", "1"])
@pytest.mark.parametrize("pool", ["cached", "exact"])
@pytest.mark.parametrize("seed", range(4))
def test_results_do_not_depend_on_the_choice_of_streams(seed, pool, late):
    """The fake driver sees each use of a block that does not wait for another stream's, where each array has an own one."""
    emulated_cuda.run(
        f"SEED, STEPS = {seed}, 200\n" + PROGRAM,
        BASCULE_DEVICE="cuda",
        BASCULE_CUDA_POOL=pool,
        BASCULE_FAKE_CUDA_LAZY=late,
    )
