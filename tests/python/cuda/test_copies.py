"""Copies of the host's memory to a device that reads pageable memory itself, when their turn comes. All emulated."""

import emulated_cuda
import pytest

PROGRAM = """
small, large = np.arange(1000.0), np.arange(1 << 18) + 0.5  # a large one goes through pinned memory, by pieces
many = [np.full(50, float(k)) for k in range(200)]
before = calls("cuStreamSynchronize")
x, y, z = bc.asarray(small), bc.asarray(large), [bc.asarray(a) for a in many]
waits = calls("cuStreamSynchronize") - before
for a in (small, large, *many):
    a[:] = -1
assert (x.get() == np.arange(1000.0)).all()
assert (y.get() == np.arange(1 << 18) + 0.5).all()
assert all((b.get() == float(k)).all() for k, b in enumerate(z))
# More parameters than a kernel takes by value, and what algorithms send to the device.
f = [bc.asarray(np.full(7, float(k))) for k in range(300)]
assert (bc.evaluate(bc.concatenate(f)).get() == np.repeat(np.arange(300.0), 7)).all()
assert float(bc.quantile(bc.asarray(np.arange(101.0)), 0.25)) == 25
print(waits)
"""


@pytest.mark.parametrize("pinned", ["", "0"], ids=["pinned", "no pinned memory"])
def test_memory_that_is_read_late_may_change_after_the_call(pinned):
    more = {"BASCULE_FAKE_CUDA_PINNED": pinned} if pinned else {}
    said = emulated_cuda.run(
        PROGRAM,
        BASCULE_DEVICE="cuda",
        BASCULE_FAKE_CUDA_LAZY="1",
        BASCULE_FAKE_CUDA_PAGEABLE_LATE="1",
        **more,
    )
    assert (int(said) == 0) == (not pinned)  # without pinned memory the host waits instead


def test_other_devices_have_read_it_when_the_call_returns():
    said = emulated_cuda.run(PROGRAM, BASCULE_DEVICE="cuda", BASCULE_FAKE_CUDA_LAZY="1")
    assert said == "0"
