"""Streams, events, devices, pools and other names that CuPy programs use, on the default device."""

import os

import bascule as bc
import numpy as np

on_cuda = bc.config.device.startswith("cuda")
cuda = bc.cuda


def fails(kind, call, *words):
    try:
        call()
    except kind as error:
        assert all(w in str(error) for w in words), str(error)
    else:
        raise AssertionError("nothing was raised")


# ---- streams: results are those of the program's order
ADD = bc.RawKernel('extern "C" __global__ void add(double* x, double by) { x[threadIdx.x] += by; }', "add")
first, second = cuda.Stream(non_blocking=True), cuda.Stream()
assert cuda.get_current_stream() == cuda.Stream.null and (first != second) == on_cuda
with first:
    assert cuda.get_current_stream() == first
    x = bc.arange(32) * 1.0
    with second:
        assert cuda.get_current_stream() == second
        y = x * 2
        ADD((1,), (32,), (y, 1.0))
    ADD((1,), (32,), (x, 10.0), stream=second)
    assert cuda.get_current_stream() == first
    total = (x + y).sum()
assert cuda.get_current_stream() == cuda.Stream.null
z = bc.sort(x - y)
assert (y.get() == np.arange(32) * 2 + 1).all() and (x.get() == np.arange(32) + 10).all()
assert float(total) == (np.arange(32) * 3 + 11).sum() and (z.get() == np.sort(9 - np.arange(32.0))).all()
for k in range(20):  # freed memory is reused by other streams
    with (first, second, cuda.Stream.null)[k % 3]:
        z = z + bc.ones(32) * k
assert (z.get() == np.sort(9 - np.arange(32.0)) + 190).all()
assert second.use() is second and cuda.get_current_stream() == second
cuda.Stream.null.use()
assert cuda.get_current_stream() == cuda.Stream.null
first.synchronize()
assert first.done and cuda.Stream.null.device_id == 0
called = []
first.launch_host_func(called.append, 1)
second.add_callback(lambda stream, code, arg: called.append((stream, code, arg)), 2)
assert called == [1, (second, 0, 2)]
called.clear()
try:
    with first:
        raise KeyError("left")
except KeyError:
    assert cuda.get_current_stream() == cuda.Stream.null
if on_cuda:
    assert cuda.ExternalStream(first.ptr) == first and cuda.Stream(null=True) == cuda.Stream.null
    with cuda.ExternalStream(first.ptr):
        assert (bc.arange(3) + 1).tolist() == [1, 2, 3]
else:
    fails(NotImplementedError, lambda: cuda.ExternalStream(1), "no streams")
priority = cuda.Stream(priority=-1)
del first, second, priority

# ---- events
start, end, untimed = cuda.Event(), cuda.Event(block=True), cuda.Event(disable_timing=True)
fails(ValueError, lambda: cuda.get_elapsed_time(start, end), "recorded")
start.record()
w = bc.ones(1000) * 3
assert cuda.Stream.null.record(end) is end
end.synchronize()
assert end.done and cuda.get_elapsed_time(start, end) >= 0
stream = cuda.Stream()
made = stream.record()
stream.wait_event(end)
cuda.Stream.null.wait_event(made)
untimed.record()
fails(ValueError, lambda: cuda.get_elapsed_time(start, untimed), "timing")
fails(NotImplementedError, lambda: cuda.Event(interprocess=True), "interprocess")

# ---- devices
with cuda.Device(0) as device:
    assert bc.zeros(2).device == bc.config.device == device.name and int(device) == 0 == cuda.get_device_id()
device.synchronize()
device.use()
assert device == cuda.Device() and cuda.runtime.getDevice() == 0
fails(ValueError, lambda: cuda.Device(9), "below")
free, total = device.mem_info
assert 0 < free <= total and device.attributes["WarpSize"] == 32 if not on_cuda else free <= total
assert cuda.is_available() == on_cuda or not on_cuda
assert cuda.runtime.getDeviceCount() >= 1 and cuda.runtime.memGetInfo()[1] == total
cuda.runtime.setDevice(0)
cuda.runtime.deviceSynchronize()
cuda.runtime.streamSynchronize(stream.ptr)
properties = cuda.runtime.getDeviceProperties(0)
assert isinstance(properties["name"], bytes) and properties["totalGlobalMem"] == total
if on_cuda:
    assert device.compute_capability == "90" and cuda.runtime.driverGetVersion() == 13000
else:
    fails(NotImplementedError, lambda: device.compute_capability, "compute capability")
    fails(NotImplementedError, cuda.runtime.runtimeGetVersion, "CUDA")

# ---- memory
pool = bc.get_default_memory_pool()
before = pool.used_bytes()
big = bc.evaluate(bc.ones(1 << 17) + 1)
assert pool.used_bytes() >= before + (1 << 20) and pool.total_bytes() >= pool.used_bytes()
del big
pool.free_all_blocks()
assert pool.free_bytes() == pool.total_bytes() - pool.used_bytes() and pool.get_limit() == 0
pool.set_limit(size=pool.used_bytes() + (1 << 16))
fails(MemoryError, lambda: bc.evaluate(bc.ones(1 << 20) + 1))
pool.set_limit(fraction=0.5)
assert pool.get_limit() == total // 2
pool.set_limit(size=0)
fails(ValueError, lambda: pool.set_limit(1, 0.5), "exactly one")
fails(ValueError, lambda: pool.set_limit(fraction=2), "between")
bc.get_default_pinned_memory_pool().free_all_blocks()
memory = pool.malloc(64)
view = bc.ndarray((8,), np.float64, memory)
view[...] = 3
assert view.sum() == 24 and memory.size == 64 and memory.ptr
fails(ValueError, lambda: cuda.alloc(-1), "negative")
fails(ValueError, lambda: cuda.alloc_pinned_memory(-1), "negative")
big, small = cuda.alloc(3 << 20), cuda.alloc(100)
del big, small
if on_cuda:
    assert pool.n_free_blocks() >= (0 if os.environ.get("BASCULE_CUDA_POOL") == "exact" else 1)

# ---- pinned memory of the host, and asynchronous copies to it
room = cuda.alloc_pinned_memory(8 * 1000)
host = np.frombuffer(room, np.float64)
assert host.shape == (1000,) and room.size == 8000 and room.ptr == host.ctypes.data and room.is_pinned == on_cuda
x = bc.arange(1000.0) * 2
assert x.get(out=host, stream=stream, blocking=False) is host
stream.synchronize()
assert (host == np.arange(1000.0) * 2).all()
host[:] = 7
x.set(host, stream=stream)
host[:] = 8  # its old values have been read
assert (x.get() == 7).all()
assert bc.asnumpy(x + 1, out=host[:1000], blocking=False, stream=stream) is not None
bc.synchronize()
assert (host == 8).all()
plain = np.empty((10, 100))
assert (x.reshape(10, 100) + 2).get(out=plain, blocking=False) is plain and (plain == 9).all()
assert (x.reshape(100, 10).T + 2).get(out=plain.reshape(10, 100)) is not None and (plain == 9).all()
backwards = np.empty(1000)[::-1]
assert (bc.arange(1000.0).get(out=backwards) == np.arange(1000.0)).all()
del room, host
bc.get_default_pinned_memory_pool().free_all_blocks()

# ---- to and from NumPy
a = bc.arange(6).reshape(2, 3) + 0.5
expected = np.arange(6).reshape(2, 3) + 0.5
assert (bc.asnumpy(a) == expected).all() and bc.asnumpy([1, 2]).tolist() == [1, 2]
assert a.get(order="F").flags.f_contiguous and (a.get(order="F") == expected).all()
out = np.empty((2, 3))
assert a.get(stream=stream, out=out) is out and (out == expected).all()
assert bc.asnumpy(a, out=np.empty((2, 3))).tolist() == expected.tolist()
fails(ValueError, lambda: a.get(out=np.empty(6)), "shape")
a.set(-expected)
a[:, 0].set(np.array([7.0, 8.0]), stream=stream)
assert a.tolist() == [[7, -1.5, -2.5], [8, -4.5, -5.5]]
fails(TypeError, lambda: a.set(expected.astype("f4")), "float64")
fails(ValueError, lambda: a.set(expected[0]), "shape")
fails(TypeError, lambda: a.set([1]), "NumPy")
assert bc.get_array_module(1, a) is bc and bc.get_array_module(expected) is np

# ---- ranges, and timing of calls
with cuda.profiler.time_range("part", sync=True):
    cuda.nvtx.Mark("here")
times = cuda.profiler.benchmark(lambda x: x + 1, (a,), n_repeat=3, n_warmup=1, name="plus")
assert times.gpu_times.shape == (1, 3) and len(times.cpu_times) == 3 and str(times).startswith("plus")
print("done")
