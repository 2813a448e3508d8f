"""Matrix factorizations on the CUDA device, emulated with LAPACK, against NumPy."""

import pytest
from emulated_arrays import MODES, check

every_mode = pytest.mark.parametrize("mode", MODES)
HELP = """
def numbers(dtype, shape):
    part = lambda: rng.normal(0, 1, shape)
    return (part() + 1j * part() if np.dtype(dtype).kind == "c" else part()).astype(dtype)

def near(ours, theirs, case, single=None):
    theirs = np.asarray(theirs)
    ours = ours.get() if hasattr(ours, "get") else np.asarray(ours)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, (case, ours.dtype, ours.shape, theirs.dtype, theirs.shape)
    tolerance = 2e-4 if theirs.dtype.char in "fF" else 1e-9
    np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance, err_msg=str(case))

def hermitian(a):
    return a @ a.swapaxes(-1, -2).conj() + 3 * np.eye(a.shape[-1], dtype=a.dtype)

STACKS = [(4, 4), (1, 1), (3, 5, 5), (2, 3, 2, 2), (0, 0), (0, 3, 3), (2, 0, 0)]
WIDE = [(4, 3), (3, 4), (2, 5, 2), (2, 2, 5), (0, 3), (3, 0), (2, 0, 2)]
"""


@every_mode
def test_square_matrices(mode):
    check(
        HELP
        + """
L, N = bc.linalg, np.linalg
for dtype in "fdFD":
    for shape in STACKS:
        a, case = numbers(dtype, shape), (dtype, shape)
        x = on_device(a)
        near(L.inv(x), N.inv(a), ("inv", case))
        near(bc.asarray(L.det(x)), N.det(a), ("det", case))
        for ours, theirs in zip(L.slogdet(x), N.slogdet(a)):
            near(bc.asarray(ours), theirs, ("slogdet", case))
        b = numbers(dtype, (*shape[:-1], 3))
        near(L.solve(x, on_device(b)), N.solve(a, b), ("solve", case))
        h = hermitian(a)
        y = on_device(h)
        near(L.cholesky(y), N.cholesky(h), ("cholesky", case))
        near(L.cholesky(y, upper=True), N.cholesky(h, upper=True), ("upper", case))
        for part in "LU":
            near(L.eigvalsh(y, part), N.eigvalsh(h, part), ("eigvalsh", case))
            values, vectors = L.eigh(y, part)
            near(y @ vectors - vectors * values[..., None, :], np.zeros(shape, dtype), ("eigh", case))
        values, vectors = L.eig(x)
        order = lambda v: np.sort_complex(np.round(v.astype("D"), 3))
        np.testing.assert_allclose(order(values.get()), order(N.eig(a)[0]), atol=2e-3, err_msg=str(case))
        near((x.astype(vectors.dtype) @ vectors - vectors * values[..., None, :]), np.zeros(shape, vectors.dtype), ("eig", case))
        assert L.eigvals(x).dtype == values.dtype
a = numbers("d", (4, 6, 6))
x = on_device(a)
near(L.inv(x[::2, ::-1, ::2][:, :3]), N.inv(a[::2, ::-1, ::2][:, :3]), "strided")
near(L.inv(x.swapaxes(1, 2)), N.inv(a.swapaxes(1, 2)), "turned")
near(L.solve(x[0], on_device(a[1, :, 0])), N.solve(a[0], a[1, :, 0]), "vector")
near(L.solve(x[0], x[1:3]), N.solve(a[0], a[1:3]), "one for all")
near(L.matrix_power(x, -2), N.matrix_power(a, -2), "power")
with bc.config.set(fastmath=True):
    f = a.astype("f")
    near(L.inv(on_device(f)), N.inv(f), "in float32")
near(L.eigvals(on_device(np.diag([1.0, 2.0]))), np.array([1.0, 2.0]), "real values")
""",
        mode,
    )


@every_mode
def test_matrices_of_any_shape(mode):
    check(
        HELP
        + """
L, N = bc.linalg, np.linalg
for dtype in "fdFD":
    for shape in WIDE + [(4, 4)]:
        a, case = numbers(dtype, shape), (dtype, shape)
        x = on_device(a)
        for kind in ("reduced", "complete"):
            q, r = L.qr(x, kind)
            theirs = N.qr(a, kind)
            assert q.shape == theirs.Q.shape and q.dtype == theirs.Q.dtype
            near(q @ r, a, ("qr", kind, case))
            near(abs(r), abs(theirs.R), ("r", kind, case))
            near(q.swapaxes(-1, -2).conj() @ q, N.multi_dot([np.eye(q.shape[-1], dtype=dtype)] * 2) + 0 * (theirs.Q.swapaxes(-1, -2).conj() @ theirs.Q), ("Q", kind, case))
        near(abs(L.qr(x, "r")), abs(N.qr(a, "r")), ("r alone", case))
        h, tau = L.qr(x, "raw")
        wanted = N.qr(a, "raw")
        near(h, wanted[0], ("raw", case)), near(tau, wanted[1], ("scales", case))
        for full in (False, True):
            u, s, vh = L.svd(x, full_matrices=full)
            theirs = N.svd(a, full_matrices=full)
            assert (u.shape, vh.shape, u.dtype) == (theirs.U.shape, theirs.Vh.shape, theirs.U.dtype)
            near(s, theirs.S, ("values", case))
            k = s.shape[-1]
            near((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, ("svd", full, case))
        near(L.svdvals(x), N.svdvals(a), ("svdvals", case))
        near(L.pinv(x), N.pinv(a), ("pinv", case))
        if a.size:
            near(bc.asarray(L.matrix_rank(x)), N.matrix_rank(a), ("rank", case))
            near(bc.asarray(L.norm(x, 2, axis=(-2, -1))), N.norm(a, 2, axis=(-2, -1)), ("norm", case))
            near(bc.asarray(L.cond(x)), N.cond(a), ("cond", case))
""",
        mode,
    )


@every_mode
def test_least_squares(mode):
    check(
        HELP
        + """
for dtype in "fdFD":
    for shape, columns in [((6, 3), 2), ((3, 6), 2), ((4, 4), 1), ((6, 3), 0), ((0, 3), 2), ((3, 0), 2), ((5, 2), None)]:
        a = numbers(dtype, shape)
        b = numbers(dtype, shape[:1] if columns is None else (shape[0], columns))
        for low in (False, True):
            if low and a.size:
                a[:, -1] = a[:, 0]
            for rcond in (None, -1, 1e-3):
                ours, theirs = bc.linalg.lstsq(on_device(a), on_device(b), rcond), np.linalg.lstsq(a, b, rcond)
                if rcond == -1 and low and a.size:
                    continue  # whether rounding leaves a value is not told
                assert ours[2] == theirs[2], (dtype, shape, low, rcond, ours[2], theirs[2])
                for k in (0, 1, 3):
                    near(ours[k], theirs[k], (dtype, shape, columns, low, rcond, k))
""",
        mode,
    )


def test_errors_are_numpys():
    said = check("""
L = bc.linalg
zero, unknown = on_device(np.zeros((3, 3))), on_device(np.full((3, 3), np.nan))
stack = on_device(np.stack([np.eye(2), np.zeros((2, 2))]))
calls_of = [
    lambda: L.inv(zero), lambda: L.solve(zero, on_device(np.ones(3))), lambda: L.inv(stack), lambda: L.cholesky(-stack),
    lambda: L.cholesky(unknown), lambda: L.svd(unknown), lambda: L.eigvals(unknown), lambda: L.inv(on_device(np.ones((2, 3)))),
    lambda: L.lstsq(unknown, unknown),
]
for call in calls_of:
    try:
        print("none", call())
    except np.linalg.LinAlgError as error:
        print(error)
print(float(L.det(zero)), [float(v) for v in L.slogdet(zero)])
print(L.cond(stack).tolist())
""")
    assert said.splitlines() == [
        *["Singular matrix"] * 3,
        *["Matrix is not positive definite"] * 2,
        "SVD did not converge",
        "Array must not contain infs or NaNs",
        "Last 2 dimensions of the array must be square",
        "SVD did not converge in Linear Least Squares",
        "0.0 [0.0, -inf]",
        "[1.0, inf]",
    ]


def test_only_what_may_fail_waits():
    said = check("""
a = on_device(rng.normal(size=(3, 5, 5)))
bc.synchronize("cuda")
for name in ("det", "slogdet", "qr", "inv", "cholesky", "svdvals", "eigvalsh"):
    x = a @ a.swapaxes(-1, -2) if name == "cholesky" else a
    before = calls("cuMemcpyDtoHAsync_v2")
    getattr(bc.linalg, name)(x)
    print(name, calls("cuMemcpyDtoHAsync_v2") - before)
""")
    assert said.splitlines() == ["det 0", "slogdet 0", "qr 0", "inv 1", "cholesky 1", "svdvals 1", "eigvalsh 1"]


@every_mode
def test_stacks_of_little_matrices_are_one_call(mode):
    check(
        HELP
        + """
L, N = bc.linalg, np.linalg
def made(run, *names):
    before = [calls(n) for n in names]
    result = run()
    return result, [calls(n) - b for n, b in zip(names, before)]
def check_all(dtype, t):
    e = "syevj" if t in "SD" else "heevj"
    for count, n in [(2, 1), (7, 3), (3, 32), (2, 33), (2, 129), (1, 8)] if dtype == "d" else [(7, 3), (2, 33)]:
        a, case = numbers(dtype, (count, n, n)), (dtype, count, n)
        h, b = hermitian(a), numbers(dtype, (count, n, 2))
        x, y = on_device(a + 2 * n * np.eye(n, dtype=dtype)), on_device(h)
        eliminated, rotated = int(count > 1 and n <= 128), int(count > 1 and n <= 32)
        got, counts = made(lambda: L.solve(x, on_device(b)), f"cublas{t}getrfBatched", f"cublas{t}getrsBatched", "cusolverDnXgetrf")
        near(got, N.solve(x.get(), b), ("solve", case))
        assert counts == ([1, 1, 0] if eliminated else [0, 0, count]), (case, counts)
        got, counts = made(lambda: L.slogdet(x), f"cublas{t}getrfBatched", "cusolverDnXgetrf")
        for ours, theirs in zip(got, N.slogdet(x.get())):
            near(bc.asarray(ours) / n, theirs / theirs.dtype.type(n), ("slogdet", case))
        assert counts == ([1, 0] if eliminated else [0, count]), (case, counts)
        got, counts = made(lambda: L.cholesky(y), f"cusolverDn{t}potrfBatched", "cusolverDnXpotrf")
        near(got, N.cholesky(h), ("cholesky", case))
        assert counts == ([1, 0] if eliminated else [0, count]), (case, counts)
        near(L.cholesky(y, upper=True), N.cholesky(h, upper=True), ("upper", case))
        (values, vectors), counts = made(lambda: L.eigh(y), f"cusolverDn{t}{e}Batched", "cusolverDnXsyevd")
        assert counts == ([1, 0] if rotated else [0, count]), (case, counts)
        near(values / n, N.eigvalsh(h) / values.dtype.type(n), ("eigh", case))
        near((y @ vectors - vectors * values[..., None, :]) / n, np.zeros(a.shape, dtype), ("vectors", case))
        for wide in (a, a[:, : max(n // 2, 1)], a[:, :, : max(n // 2, 1)]):
            w = on_device(wide)
            for full in (False, True):
                (u, s, vh), counts = made(lambda: L.svd(w, full_matrices=full), f"cusolverDn{t}gesvdjBatched", "cusolverDnXgesvd")
                assert counts == ([1, 0] if rotated else [0, count]), (case, counts)
                theirs = N.svd(wide, full_matrices=full)
                assert (u.shape, vh.shape) == (theirs.U.shape, theirs.Vh.shape)
                near(s, theirs.S, ("svd", case))
                k = s.shape[-1]
                near((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], wide, ("product", case))
            near(L.svdvals(w), N.svdvals(wide), ("svdvals", case))
for dtype, t in zip("fdFD", "DDZZ"):  # what is computed in float32 by itself is in float64
    check_all(dtype, t)
with bc.config.set(fastmath=True):
    for dtype, t in zip("fF", "SC"):
        check_all(dtype, t)
# One of a stack that fails is an error, and no answer is lost where there is one.
a = numbers("d", (5, 4, 4))
a[2] = 0
x = on_device(a)
near(bc.asarray(L.det(x)), N.det(a), "a determinant of zero")
for call, b in ((L.inv, a), (L.cholesky, -hermitian(a))):
    try:
        call(on_device(b))
    except N.LinAlgError as error:
        pass
    else:
        raise AssertionError(call)
a[1, 0, 0] = np.nan
for call in (L.eigvalsh, L.svdvals):
    try:
        print(call(on_device(a)))
    except N.LinAlgError:
        pass
""",
        mode,
    )
