"""Captured work of a stream that is launched again: CuPy's names, on the emulated device."""

import emulated_cuda
import pytest

PRELUDE = """
import gc
stream = bc.cuda.Stream(non_blocking=True)
def fails(kind, call, part):
    try:
        call()
    except kind as error:
        assert part in str(error), error
    else:
        raise AssertionError(f"{kind.__name__} was expected")
"""


def run(program, device="cuda", pool="exact", **more):
    return emulated_cuda.run(
        PRELUDE + program, BASCULE_DEVICE=device, BASCULE_FAKE_CUDA_LAZY="1", BASCULE_CUDA_POOL=pool, **more
    )


@pytest.mark.parametrize("pool", ["cached", "exact"])
def test_a_recorded_step_runs_at_each_launch(pool):
    run(
        """
host = np.arange(1000.0)
x, y, total = bc.asarray(host), bc.zeros(1000), bc.zeros(1)
kernel = bc.RawKernel('''extern "C" __global__ void twice(double* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] *= 2; }''', "twice")
with stream:
    assert not stream.is_capturing()
    stream.begin_capture()
    assert stream.is_capturing()
    y += x * 3 + 1
    kernel((4,), (256,), (y, np.int32(1000)))
    total += y.sum()
    graph = stream.end_capture()
assert not stream.is_capturing()
assert (y.get() == 0).all(), "nothing runs while it is recorded"
h, sums = np.zeros(1000), 0.0
for k in range(3):
    graph.launch() if k else (graph.upload(), graph.launch(stream))
    h = (h + host * 3 + 1) * 2
    sums += h.sum()
    assert (y.get() == h).all() and np.isclose(float(total[0]), sums), k
x[...] = 1.0                         # what it reads is what is there at the launch
graph.launch()
assert (y.get() == (h + 4) * 2).all()
assert calls("cuGraphLaunch") == 4
""",
        pool=pool,
    )


def test_memory_of_a_graph_is_nobody_elses_while_it_lives():
    run(
        """
x = bc.asarray(np.arange(4096.0))
out = bc.zeros(4096)
with stream:
    stream.begin_capture()
    out[...] = (x * 2 + 1).sum() + x       # temporaries of the graph's own
    made = x - 5
    graph = stream.end_capture()
others = [bc.evaluate(bc.full(4096, float(k)) + 0) for k in range(20)]
expected = np.arange(4096.0)
for k in range(2):
    graph.launch()
    assert (out.get() == (expected * 2 + 1).sum() + expected).all() and (made.get() == expected - 5).all()
    for n, o in enumerate(others):
        assert (o.get() == n).all()
before = bc.get_default_memory_pool().used_bytes()
del graph, made; gc.collect()
assert bc.get_default_memory_pool().used_bytes() < before
""",
        pool="cached",
    )


def test_what_cannot_be_recorded_is_an_error_and_the_device_goes_on():
    run(
        """
x = bc.asarray(np.arange(8.0))
fails(ValueError, bc.cuda.Stream.null.begin_capture, "own stream")
fails(ValueError, stream.end_capture, "not being recorded")
with stream:
    stream.begin_capture()
    fails(ValueError, lambda: float(x.sum()), "begin_capture")
    fails(ValueError, lambda: bc.cuda.Stream().begin_capture(), "already")
    y = x + 1
    graph = stream.end_capture()
    stream.begin_capture()
    fails(ValueError, graph.launch, "being recorded")
    fails(ValueError, graph.upload, "being recorded")
    stream.end_capture()
graph.launch()
assert (y.get() == np.arange(8.0) + 1).all() and float(x.sum()) == 28
try:
    with stream:
        stream.begin_capture()
        bc.synchronize()
except ValueError:
    pass
try:
    stream.end_capture()
except RuntimeError as error:
    pass
assert (x + 1).tolist() == list(np.arange(8.0) + 1)
with stream:
    stream.begin_capture()
    z = x * 4
    again = stream.end_capture()
again.launch(); graph.launch()
assert (z.get() == np.arange(8.0) * 4).all()
"""
    )


def test_copies_from_the_host_are_kept_and_pinned_memory_is_read_at_each_launch():
    run(
        """
source = np.frombuffer(bc.cuda.alloc_pinned_memory(64), np.float64)
target = np.frombuffer(bc.cuda.alloc_pinned_memory(64), np.float64)
x = bc.zeros(8)
with stream:
    stream.begin_capture()
    x[...] = bc.asarray(np.arange(8.0))     # pageable: the elements of now
    x *= 2
    graph = stream.end_capture()
for k in range(2):
    graph.launch()
    assert (x.get() == np.arange(8.0) * 2).all()
"""
    )


@pytest.mark.parametrize(
    "call", ["cuStreamBeginCapture_v2", "cuStreamEndCapture", "cuGraphInstantiateWithFlags", "cuGraphLaunch"]
)
def test_each_call_that_fails_is_an_error_and_the_next_try_works(call):
    run(
        """
x = bc.asarray(np.arange(8.0))
def record():
    with stream:
        stream.begin_capture()
        try:
            y = x * 2 + 1
        finally:
            graph = stream.end_capture()
    return graph, y
record()  # kernels are there
_fake.bascule_fake_reset()
os.environ["BASCULE_FAKE_CUDA_FAIL"] = %r + ":1"
try:
    graph, y = record()
    graph.launch()
except RuntimeError as error:
    assert "CUDA_ERROR_UNKNOWN" in str(error), error
else:
    raise AssertionError("an error was expected")
del os.environ["BASCULE_FAKE_CUDA_FAIL"]
assert not stream.is_capturing()
graph, y = record()
graph.launch()
assert (y.get() == np.arange(8.0) * 2 + 1).all()
"""
        % call
    )


def test_arrays_are_not_moved_out_of_memory_while_a_graph_lives():
    run(
        """
pool = bc.get_default_memory_pool()
x, y = bc.asarray(np.arange(65536.0)), bc.zeros(65536)
with stream:
    stream.begin_capture()
    y += x
    graph = stream.end_capture()
pool.set_limit(pool.used_bytes() + (1 << 20))
fails(MemoryError, lambda: bc.evaluate(bc.ones(1 << 18) + 1), "graph")
graph.launch()
assert (y.get() == np.arange(65536.0)).all()
del graph; gc.collect()
kept = [bc.evaluate(bc.ones(1 << 16) + k) for k in range(4)]
assert pool.spilled()["moved_out"] > 0 and (y.get() == np.arange(65536.0)).all()
""",
        BASCULE_SPILL="host",
    )


@pytest.mark.parametrize("call", ["x @ x", "bc.linalg.det(x)", "bc.linalg.qr(x)[1]", "rows @ x"])
def test_the_first_call_of_a_library_may_be_recorded(call):
    """The libraries make no handles while a stream is recorded."""
    pytest.importorskip("scipy")
    run(
        f"""
import bascule.sparse
a = np.random.default_rng(0).random((5, 5)) + np.eye(5)
x, rows = bc.asarray(a), bascule.sparse.csr_array(a, device="cuda:0")
with stream:
    stream.begin_capture()
    try:
        y = {call}
    finally:
        graph = stream.end_capture()
for k in range(2):
    graph.launch()
x = rows = a
bc, np = np, np
np.testing.assert_allclose(y.get(), {call}, rtol=1e-10)
"""
    )


def test_a_transform_without_a_plan_says_what_to_do_before():
    run(
        """
a = np.arange(8.0) + 1j
x = bc.asarray(a)
with stream:
    stream.begin_capture()
    fails(ValueError, lambda: bc.evaluate(bc.fft.fft(x)), "once before begin_capture")
    stream.end_capture()
bc.evaluate(bc.fft.fft(x))
with stream:
    stream.begin_capture()
    y = bc.fft.fft(x)
    graph = stream.end_capture()
graph.launch()
np.testing.assert_allclose(y.get(), np.fft.fft(a))
"""
    )


def test_the_cpu_device_says_that_it_records_nothing():
    run(
        """
fails(NotImplementedError, stream.begin_capture, "cpu")
assert not stream.is_capturing()
""",
        device="cpu",
    )
