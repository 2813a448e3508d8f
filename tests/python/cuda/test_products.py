"""Matrix products on the emulated CUDA device, against NumPy."""

import pytest
from emulated_arrays import MODES, check

every_mode = pytest.mark.parametrize("mode", MODES)


@every_mode
def test_products_of_every_type_stack_and_layout(mode):
    check(
        """
def near(ours, theirs, case):
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, case
    tolerance = {"e": 2e-3, "f": 1e-5, "F": 1e-5}.get(theirs.dtype.char, 1e-12)
    np.testing.assert_allclose(ours.get(), theirs, rtol=tolerance, atol=30 * tolerance, err_msg=str(case))

def numbers(dtype, shape):
    part = lambda: rng.integers(-4, 5, shape) if np.dtype(dtype).kind in "iub?" else rng.normal(0, 1, shape)
    return (part() + 1j * part() if np.dtype(dtype).kind == "c" else part()).astype(dtype)

for dtype in "?bBhHiIqQefdFD":
    for shape, other in [((3, 4), (4, 5)), ((70, 17), (17, 66)), ((1, 40), (40, 1)), ((2, 0), (0, 3)), ((0, 3), (3, 2)), ((5,), (5, 2)), ((2, 5), (5,)), ((6,), (6,))]:
        a, b = numbers(dtype, shape), numbers(dtype, other)
        near(bc.asarray(on_device(a) @ on_device(b)), np.asarray(a @ b), (dtype, shape))
for dtype in "id":
    a, b = numbers(dtype, (2, 1, 3, 4)), numbers(dtype, (5, 4, 2))
    near(on_device(a) @ on_device(b), a @ b, "stack")
    a = numbers(dtype, (20, 30))
    x = on_device(a)
    near(x.T @ x, a.T @ a, "turned")
    near(x[::-2, ::3] @ x[:10, ::-1].T[:10], a[::-2, ::3] @ a[:10, ::-1].T[:10], "strided")
    near(bc.einsum("ij,kj->ki", x, x[:3]), np.einsum("ij,kj->ki", a, a[:3]), "einsum")
    near(bc.tensordot(x, x, axes=([0], [0])), np.tensordot(a, a, axes=([0], [0])), "tensordot")
    out = bc.zeros((20, 20), dtype=dtype, device="cuda")
    bc.matmul(x, x.T, out=out)
    near(out, a @ a.T, "out")
z = numbers("D", (6,))
near(bc.asarray(bc.vecdot(on_device(z), on_device(z))), np.asarray(np.vecdot(z, z)), "conjugate")
near(bc.asarray(bc.vdot(on_device(z), on_device(z * 1j))), np.asarray(np.vdot(z, z * 1j)), "vdot")
""",
        mode,
    )


def test_products_wait_for_nothing_and_report_errors_at_the_next_wait():
    said = check(
        """
a = np.full((3, 3), 1e200)
x = on_device(a)
bc.synchronize("cuda")
before = calls("cuStreamSynchronize"), calls("cuMemcpyDtoHAsync_v2")
y = x @ x
print(calls("cuStreamSynchronize") - before[0], calls("cuMemcpyDtoHAsync_v2") - before[1])
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    bc.synchronize("cuda")
    print([str(w.message) for w in told])
for given in (np.array([[np.inf, 1.0], [0, 1]]), np.array([[np.nan, 1.0], [0, 1]])):
    with bc.errstate(all="raise"):
        try:
            (on_device(given) @ on_device(np.array([[0.0, 1], [1, 1]]))).get()
            print("none")
        except FloatingPointError as error:
            print(error)
"""
    )
    assert said.splitlines() == [
        "0 0",
        "['overflow encountered in matmul']",
        "invalid value encountered in matmul",
        "none",
    ]
