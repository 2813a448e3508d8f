"""Views of another type may have any alignment; misaligned reads would be fatal on a GPU. All emulated."""

import emulated_cuda
import pytest


@pytest.mark.parametrize("dtype", ["f2", "i2", "f4", "i4", "f8", "i8", "c8", "c16", "M8[s]"])
def test_views_off_the_border_are_copied(dtype):
    said = emulated_cuda.run(
        f"""
    import bascule.lib.stride_tricks as tricks
    t = np.dtype({dtype!r})
    host = (np.arange(40 * t.itemsize + 8) * 7 % 61).astype("u1")
    x = bc.asarray(host)
    aligned = []
    for first in range(0, 9):
        v, expected = x[first:first + 4 * t.itemsize].view(t), host[first:first + 4 * t.itemsize].view(t)
        assert v.flags.aligned or not v.flags.writeable, first
        np.testing.assert_array_equal((v[::-1].copy()).get().view("u1"), expected[::-1].copy().view("u1"))
        if t.kind in "fi":
            got, wanted = (v + v).get(), expected + expected
            np.testing.assert_array_equal(got.view("u1"), wanted.view("u1"))
        aligned.append(bool(v.flags.aligned))
    steps = tricks.as_strided(x.view("u1")[: 8 * t.itemsize].view(t), (5,), (t.itemsize + 1,))
    wanted = np.lib.stride_tricks.as_strided(host[: 8 * t.itemsize].view(t), (5,), (t.itemsize + 1,))
    np.testing.assert_array_equal(steps.copy().get().view("u1"), wanted.copy().view("u1"))
    bc.synchronize("cuda")
    print(all(aligned))
    """,
        BASCULE_DEVICE="cuda",
    )
    assert said == "True"


def test_what_is_aligned_stays_a_view():
    said = emulated_cuda.run(
        """
    x = bc.zeros(64, "u1")
    x[8:40].view("f8")[:] = 1.5
    print(x.get().view("f8").tolist())
    """,
        BASCULE_DEVICE="cuda",
    )
    assert said == str([0.0, 1.5, 1.5, 1.5, 1.5, 0.0, 0.0, 0.0])


def test_the_emulation_sees_a_misaligned_access():
    said = emulated_cuda.run(
        """
    kernel = bc.cuda.RawKernel('extern "C" __global__ void f(double* x) { x[0] = 1; }', "f")
    x = bc.zeros(64, "u1")
    address = x.__cuda_array_interface__["data"][0]
    kernel((1,), (1,), (np.uint64(address + 1),))
    try:
        bc.synchronize("cuda")
    except RuntimeError as error:
        print("MISALIGNED" in str(error))
    """,
        BASCULE_DEVICE="cuda",
    )
    assert said == "True"
