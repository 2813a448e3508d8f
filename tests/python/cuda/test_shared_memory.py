"""Memory shared by two libraries on a GPU: it is not reused while the other's stream uses it. All emulated."""

import emulated_cuda
import pytest

# Stands for torch or CuPy: it submits work to a stream and does not report to bascule when it is done.
CONSUMER = """
import ctypes
address = ctypes.c_ulonglong
def copy_later(to, source, count, stream):
    "Queued only: nothing runs before somebody waits for the stream."
    assert _fake.cuMemcpyDtoDAsync_v2(address(to), address(source), ctypes.c_size_t(count), ctypes.c_void_p(stream)) == 0
def address_of(x):
    return x.__cuda_array_interface__["data"][0]
class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p)]
def data_of(capsule):
    take = ctypes.pythonapi.PyCapsule_GetPointer
    take.restype, take.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Tensor.from_address(take(capsule, b"dltensor")).data
def stream():
    out = ctypes.c_void_p()
    assert _fake.cuStreamCreate(ctypes.byref(out), 1) == 0
    return out.value
n = 1000
own = bc.empty(n)
target = address_of(own)
"""
LATE = {"BASCULE_DEVICE": "cuda", "BASCULE_FAKE_CUDA_LAZY": "1"}


@pytest.mark.parametrize("pool", ["cached", "exact"])
@pytest.mark.parametrize("stream", ["1", "stream()"])
@pytest.mark.parametrize("way", ["dlpack", "interface"])
def test_a_block_is_not_reused_while_the_consumer_reads(way, stream, pool):
    """If the interface names no stream of the consumer's, it is the legacy one."""
    if way == "interface":
        stream = "1"
        share = "shown = x.__cuda_array_interface__; source = shown['data'][0]"
    else:
        share = "shown = x.__dlpack__(stream=s); source = data_of(shown)"
    said = emulated_cuda.run(
        CONSUMER
        + f"""
s = {stream}
x = bc.full(n, 7.0)
bc.evaluate(x)
{share}
copy_later(target, source, 8 * n, s)
del x, shown
y = bc.full(n, -1.0)  # in a pool, the same block
bc.evaluate(y)
bc.synchronize("cuda")
assert _fake.cuStreamSynchronize(ctypes.c_void_p(s)) == 0, _fake.bascule_fake_message()
print(set(own.get().tolist()))
""",
        BASCULE_CUDA_POOL=pool,
        **LATE,
    )
    assert said == "{7.0}"


@pytest.mark.parametrize("stream", ["1", "stream()"])
def test_a_producers_memory_is_given_back_after_what_reads_it(stream):
    said = emulated_cuda.run(
        CONSUMER
        + f"""
s = {stream}
theirs = bc.full(n, 7.0)
bc.evaluate(theirs)
bc.synchronize("cuda")
class Producer:
    "Gives its memory another content as soon as nobody holds it, on its own stream."
    def __init__(self):
        self.__cuda_array_interface__ = dict(theirs.__cuda_array_interface__, stream=s)
    def __del__(self):
        assert _fake.cuMemsetD8Async(address(address_of(theirs)), 255, ctypes.c_size_t(8 * n), ctypes.c_void_p(s)) == 0
z = bc.asarray(Producer())
y = z + 1
bc.evaluate(y)
del z
assert _fake.cuStreamSynchronize(ctypes.c_void_p(s)) == 0
print(set(y.get().tolist()))
""",
        **LATE,
    )
    assert said == "{8.0}"


def test_the_interface_does_not_make_the_host_wait():
    said = emulated_cuda.run(
        CONSUMER
        + """
s = stream()
x = bc.full(n, 7.0) + 1
bc.evaluate(x)
bc.synchronize("cuda")
before = calls("cuStreamSynchronize"), calls("cuEventSynchronize")
shown = x.__cuda_array_interface__
class Producer:
    __cuda_array_interface__ = dict(shown, stream=s)
y = bc.asarray(Producer()) * 2
bc.evaluate(y)
assert (calls("cuStreamSynchronize"), calls("cuEventSynchronize")) == before
assert shown["stream"] not in (None, 0)
print(set(y.get().tolist()))
""",
        **LATE,
    )
    assert said == "{16.0}"


def test_the_check_of_orders_sees_a_reader_that_nobody_waits_for():
    """Tests the stand-in driver itself: without an ordering it reports an error."""
    said = emulated_cuda.run(
        CONSUMER
        + """
s = stream()
x = bc.full(n, 7.0)
bc.evaluate(x)
bc.synchronize("cuda")
copy_later(target, address_of(x), 8 * n, s)
x[:] = 1.0  # our own stream writes what the other reads
bc.evaluate(x)
_fake.cuStreamSynchronize(ctypes.c_void_p(s))
try:
    x.get()
except RuntimeError as error:
    print("does not wait for it" in str(error))
""",
        BASCULE_CUDA_POOL="exact",
        **LATE,
    )
    assert said == "True"
