"""Solving and decompositions against NumPy: types, stacks, empty shapes, views, errors."""

import inspect
import os
import subprocess
import sys

import bascule as bc
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linalg_calls import LAYOUTS, TYPES, agree, close, definite, matrix, ours, outcome, values, without_phases

pytestmark = pytest.mark.usefixtures("native")

SQUARE = ["inv", "det", "slogdet", "eigvals", "eig", "eigh", "eigvalsh", "cholesky"]
RECTANGULAR = ["qr", "svd", "svdvals", "pinv", "matrix_rank", "cond", "norm", "matrix_norm"]
SHAPES = [(4, 4), (1, 1), (3, 5, 5), (2, 3, 2, 2), (0, 0), (0, 3, 3), (2, 0, 0)]


def example(name, dtype, shape, seed=0):
    hermitian = name in ("eigh", "eigvalsh", "cholesky")
    return (definite if hermitian else matrix)(dtype, shape, seed)


def in_phase(r):
    """Eigenvectors with a positive last component of sufficient size, since the sign in LAPACK depends on rounding."""
    v = values(r[1])
    largest = np.take_along_axis(v, np.abs(np.round(v, 3)).argmax(axis=-2)[..., None, :], -2)
    return r[0], v * (np.abs(largest) / largest).astype(v.dtype)


def eig_agrees(a):
    mine, theirs = bc.linalg.eig(ours(a)), np.linalg.eig(a)
    assert mine._fields == theirs._fields and mine[1].dtype == theirs[1].dtype
    if a.size:
        mine, theirs = in_phase(mine), in_phase(theirs)
    close(tuple(mine), tuple(theirs), ulp=4000)


def rebuilt(name, a, r):
    """The product of a decomposition's factors."""
    if name == "qr":
        return r[0] @ r[1]
    if name == "svd":
        k = r[1].shape[-1]
        return r[0][..., :k] * r[1][..., None, :] @ r[2][..., :k, :]
    return r[1] * r[0][..., None, :]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", SQUARE)
def test_square(name, shape, dtype):
    a = example(name, dtype, shape)
    if dtype == "?" and name == "cholesky":  # the only positive definite one
        a = np.broadcast_to(np.eye(shape[-1], dtype=bool), shape)
    if name == "eig":
        eig_agrees(a)
        return
    if name == "inv" and dtype in "?i1u1i4i8u8" and a.size and (np.linalg.det(a) == 0).any():
        assert outcome(lambda: bc.linalg.inv(ours(a)))[1] is not None or np.isfinite(bc.linalg.inv(ours(a)).get()).all()
        return
    agree(name, a, ulp=2000)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    "shape", [(4, 4), (6, 3), (3, 6), (2, 5, 3), (2, 2, 3, 4), (0, 3), (3, 0), (0, 0), (0, 2, 3), (2, 0, 3)]
)
@pytest.mark.parametrize("name", RECTANGULAR)
def test_rectangular(name, shape, dtype):
    a = matrix(dtype, shape)
    if name == "norm" and len(shape) == 4:
        return agree(name, a, ulp=256)
    if name == "pinv" and np.dtype(dtype).kind in "biu" and a.size:
        found = bc.linalg.pinv(ours(a), rtol=1e-10)
        return close(found, np.linalg.pinv(a, rtol=1e-10), ulp=5000)
    if name == "cond" and np.dtype(dtype).kind in "biu" and a.size:
        return None  # singular matrices have an arbitrary condition number
    return agree(name, a, ulp=2000)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["f4", "f8", "c16"])
@pytest.mark.parametrize("name", [*SQUARE, "qr", "svd", "pinv"])
def test_views(name, dtype, layout):
    a = LAYOUTS[layout](example(name, dtype, (3, 4, 4)))
    before = a.copy()
    if name == "eig":
        eig_agrees(a)
    else:
        agree(name, a, ulp=2000)
    np.testing.assert_array_equal(a, before)


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (2, 4, 4), (2, 40, 30)])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_svd(dtype, shape, full):
    a = matrix(dtype, shape)
    r = bc.linalg.svd(ours(a), full_matrices=full)
    close(without_phases(r), without_phases(np.linalg.svd(a, full_matrices=full)), ulp=4000)
    np.testing.assert_allclose(
        rebuilt("svd", a, [x.get() for x in r]), a, atol=100 * np.finfo(dtype).eps * abs(a).max()
    )
    close(bc.linalg.svd(ours(a), compute_uv=False), np.linalg.svd(a, compute_uv=False), ulp=500)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c16"])
def test_svd_of_hermitian_matrices(dtype):
    a = matrix(dtype, (2, 5, 5))
    a = a + a.conj().swapaxes(-1, -2)
    agree("svd", a, hermitian=True, ulp=4000)
    agree("svd", a, hermitian=True, compute_uv=False, ulp=500)
    agree("pinv", a, hermitian=True, ulp=4000)
    agree("matrix_rank", a, hermitian=True)
    singular = bc.linalg.svd(ours(np.diag([2, 0, -3]).astype(dtype)), hermitian=True)
    for vectors in (singular.U, singular.Vh):
        np.testing.assert_allclose(abs((vectors @ vectors.swapaxes(-1, -2)).get()), np.eye(3), atol=1e-7)


@pytest.mark.parametrize("mode", ["reduced", "complete", "r", "raw", "economic", "full", "wrong"])
@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4), (2, 5, 3), (0, 3), (3, 0)])
@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c16"])
def test_qr(dtype, shape, mode):
    agree("qr", matrix(dtype, shape), mode, ulp=1000)


def test_qr_warns_of_old_modes():
    for mode in ("full", "economic"):
        with pytest.warns(DeprecationWarning) as theirs:
            np.linalg.qr(np.eye(2), mode)
        with pytest.warns(DeprecationWarning) as mine:
            bc.linalg.qr(bc.eye(2), mode)
        assert str(mine[0].message) == str(theirs[0].message)


@pytest.mark.parametrize("triangle", ["L", "U", "l", "u", "x"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_one_triangle_is_read(dtype, triangle):
    a = matrix(dtype, (2, 4, 4))
    agree("eigvalsh", a, triangle, ulp=500)
    agree("eigh", a, UPLO=triangle, ulp=4000)
    if triangle in "LU":
        a = definite(dtype, (2, 4, 4))
        a[..., 0, 3] = 77
        agree("cholesky", a, upper=triangle == "U", ulp=500)


def test_eigenvalues_are_real_where_they_can_be():
    triangle = np.triu(matrix("f8", (4, 4)))
    assert bc.linalg.eigvals(ours(triangle)).dtype == np.linalg.eigvals(triangle).dtype
    agree("eig", triangle, ulp=1000)
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    assert bc.linalg.eigvals(ours(turn)).dtype == bc.complex128
    agree("eig", turn)
    agree("eig", turn.astype("f4"))
    agree("eig", np.stack([turn, np.eye(2)]))


@pytest.mark.parametrize(
    ("x", "y"), [("f4", "f4"), ("f4", "f8"), ("i4", "f4"), ("c8", "f8"), ("f8", "c8"), ("?", "i2")]
)
@pytest.mark.parametrize(
    ("left", "right"),
    [((3, 3), (3,)), ((3, 3), (3, 2)), ((3, 3), (3, 0)), ((2, 3, 3), (3,)), ((2, 3, 3), (3, 2)), ((2, 3, 3), (2, 3, 1)),
     ((3, 3), (2, 3, 4)), ((2, 1, 3, 3), (4, 3, 2)), ((0, 0), (0,)), ((0, 0), (0, 2)), ((0, 3, 3), (3, 2)),
     ((3, 3), (4,)), ((3, 3), (4, 2)), ((3, 3), ()), ((3,), (3,)), ((3, 4), (3,)), ((2, 3, 3), (5, 3, 2))],
)  # fmt: skip
def test_solve(left, right, x, y):
    a = matrix(x, left)
    if a.ndim > 1 and a.shape[-1] == a.shape[-2]:
        a = (a + 9 * np.eye(a.shape[-1])).astype("i4" if x == "?" else x)
    agree("solve", a, matrix(y, right, 1), ulp=300)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_solve_reads_views(layout):
    a, b = LAYOUTS[layout](matrix("f8", (3, 6, 6))), LAYOUTS[layout](matrix("f8", (3, 6, 4), 1))
    agree("solve", a, b, ulp=3000)


@pytest.mark.parametrize("columns", [(), (1,), (3,), (0,)])
@pytest.mark.parametrize("shape", [(6, 3), (3, 6), (4, 4), (0, 3), (3, 0), (0, 0)])
@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c8", "c16"])
def test_lstsq(dtype, shape, columns):
    a, b = matrix(dtype, shape), matrix(dtype, (shape[0], *columns), 1)
    if columns == (0,) or 0 in shape:
        got, expected = bc.linalg.lstsq(ours(a), ours(b)), np.linalg.lstsq(a, b)
        assert [values(g).shape for g in got] == [np.shape(e) for e in expected]
        close(got[0], expected[0])
        close(got[1], expected[1], ulp=1000)
        return
    agree("lstsq", a, b, ulp=4000)
    agree("lstsq", a, b, rcond=0.5, ulp=4000)
    agree("lstsq", a, b, -1, ulp=4000)


def test_lstsq_of_dependent_columns():
    a = matrix("f8", (6, 2)) @ np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]])
    b = matrix("f8", (6, 2), 3)
    got, expected = bc.linalg.lstsq(ours(a), ours(b)), np.linalg.lstsq(a, b)
    assert got[2] == expected[2] == 2 and got[1].shape == (0,)
    close(got[0], expected[0], ulp=1000)


SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])
WRONG = {
    "inv of a vector": ("inv", [1.0, 2.0]),
    "inv of a rectangle": ("inv", np.ones((2, 3))),
    "inv of a singular matrix": ("inv", np.zeros((2, 2))),
    "inv in a stack": ("inv", np.stack([np.eye(2), np.zeros((2, 2))])),
    "inv of float16": ("inv", np.eye(2, dtype="f2")),
    "inv of times": ("inv", np.eye(2).astype("m8[s]")),
    "solve singular": ("solve", SINGULAR, np.ones(2)),
    "det of a rectangle": ("det", np.ones((2, 3))),
    "det of a number": ("det", 3.0),
    "cholesky of an indefinite one": ("cholesky", -np.eye(2)),
    "eig of NaN": ("eig", np.array([[np.nan, 1], [1, 1]])),
    "eigvals of infinity": ("eigvals", np.array([[np.inf, 1], [1, 1]])),
    "eigh of a rectangle": ("eigh", np.ones((2, 3))),
    "svd of NaN": ("svd", np.full((2, 2), np.nan)),
    "svd of a vector": ("svd", np.ones(3)),
    "qr of a vector": ("qr", np.ones(3)),
    "lstsq of a stack": ("lstsq", np.ones((2, 2, 2)), np.ones(2)),
    "lstsq of other lengths": ("lstsq", np.ones((3, 2)), np.ones(2)),
    "power of a half": ("matrix_power", np.eye(2), 0.5),
    "power of a rectangle": ("matrix_power", np.ones((2, 3)), 2),
    "inverse power of zero": ("matrix_power", np.zeros((2, 2)), -1),
    "chain of one": ("multi_dot", [np.eye(2)]),
    "chain with a stack": ("multi_dot", [np.eye(2), np.ones((2, 2, 2)), np.eye(2)]),
    "tensor of a wrong size": ("tensorsolve", np.ones((2, 3, 5)), np.ones(2)),
    "no axes to invert": ("tensorinv", np.ones((2, 3, 6)), 0),
    "matrix norm of an unknown order": ("norm", np.eye(2), 3),
    "vector norm by name": ("norm", np.ones(2), "fro"),
    "norm of three axes": ("norm", np.ones((2, 2, 2)), 2),
    "norm of an axis twice": ("norm", np.eye(2), None, (0, 0)),
    "norm along a text": ("norm", np.eye(2), None, "x"),
    "transpose of a vector": ("matrix_transpose", np.ones(2)),
    "outer of a matrix": ("outer", np.eye(2), np.eye(2)),
    "cross of pairs": ("cross", np.ones(2), np.ones(2)),
    "cond of nothing": ("cond", np.ones((0, 3))),
    "cond of a rectangle": ("cond", np.ones((2, 3)), 1),
}


@pytest.mark.parametrize("case", WRONG)
def test_errors_are_numpys(case):
    name, *args = WRONG[case]
    with pytest.raises(Exception):
        getattr(np.linalg, name)(*args)
    agree(name, *args)


def test_linalg_error_is_numpys():
    assert bc.linalg.LinAlgError is np.linalg.LinAlgError


def test_singular_matrices_have_determinants_and_conditions():
    for a in (SINGULAR, np.zeros((3, 3)), np.stack([SINGULAR, np.eye(2)]), np.zeros((2, 2), "c8")):
        agree("det", a)
        agree("slogdet", a)
        for p in (1, np.inf, "fro"):
            agree("cond", a, p)
    agree("cond", np.array([[np.nan, 1], [1, 1]]), 1)


@pytest.mark.parametrize("n", [-3, -1, 0, 1, 2, 3, 5, 8])
@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c16"])
def test_powers(dtype, n):
    a = (matrix(dtype, (2, 3, 3)) + 9 * np.eye(3)).astype(dtype)
    agree("matrix_power", a, n, ulp=500)


def test_tensors_as_matrices():
    a = matrix("f8", (2, 3, 6))
    agree("tensorsolve", a, matrix("f8", (2, 3), 1), ulp=500)
    agree("tensorsolve", a.transpose(0, 2, 1), matrix("f8", (2, 3), 1), axes=(1,), ulp=500)
    agree("tensorinv", a, 2, ulp=500)
    agree("tensorinv", matrix("f8", (6, 2, 3)), ind=1, ulp=500)


def test_ranks_and_pseudo_inverses():
    a = matrix("f8", (3, 5, 2)) @ matrix("f8", (3, 2, 4), 1)
    for options in ({}, {"tol": 0.5}, {"rtol": 0.9}, {"rtol": [0.1, 0.5, 0.9]}, {"tol": [0.1, 2.0, 9.0]}):
        agree("matrix_rank", a, **options)
    agree("matrix_rank", np.zeros(4))
    agree("matrix_rank", np.ones(4))
    for options in ({"rcond": 1e-10}, {"rtol": 1e-10}, {"rtol": None}, {"rcond": np.array([1e-10, 0.5, 0.9])}):
        agree("pinv", a, ulp=4000, **options)
    assert "both" in str(outcome(lambda: bc.linalg.pinv(ours(a), 0.1, rtol=0.1))[1])
    assert "both" in str(outcome(lambda: bc.linalg.matrix_rank(ours(a), 0.1, rtol=0.1))[1])


def test_large_matrices_run_on_threads_of_lapack():
    a = matrix("f8", (300, 300))
    for name in ("inv", "svdvals", "det", "qr", "eigvalsh"):
        agree(name, a, ulp=20000)


def test_float32_is_computed_in_float64_unless_fast():
    a = np.vander(np.linspace(0.1, 1, 5)).astype("f4")
    np.testing.assert_array_equal(bc.linalg.inv(ours(a)).get(), np.linalg.inv(a))
    with bc.fastmath():
        fast = bc.linalg.inv(ours(a))
    assert fast.dtype == bc.float32
    assert (fast.get() != np.linalg.inv(a)).any()
    np.testing.assert_allclose(fast.get(), np.linalg.inv(a), rtol=1e-2)


@given(st.integers(0, 5), st.integers(0, 5), st.lists(st.integers(0, 3), max_size=2), st.sampled_from(["f4", "f8", "c8", "c16"]),
       st.sampled_from(sorted(LAYOUTS)), st.integers(0, 99))  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_decompositions_multiply_back(m, n, stack, dtype, layout, seed):
    a = matrix(dtype, (*stack, m, n), seed)
    if a.size:
        a = LAYOUTS[layout](a)
    eps = np.finfo(dtype).eps
    for name in ("qr", "svd"):
        r = [x.get() for x in getattr(bc.linalg, name)(ours(a))]
        np.testing.assert_allclose(rebuilt(name, a, r), a, atol=500 * eps)
        u = r[0]
        np.testing.assert_allclose(
            u.conj().swapaxes(-1, -2) @ u,
            np.broadcast_to(np.eye(u.shape[-1]), (*stack, u.shape[-1], u.shape[-1])),
            atol=500 * eps,
        )


@pytest.mark.parametrize("name", [n for n in np.linalg.__all__ if n != "LinAlgError"])
def test_signatures_are_numpys(name):
    mine, theirs = (inspect.signature(getattr(m.linalg, name)) for m in (bc, np))
    bare = [[(p.name, p.kind, p.default) for p in s.parameters.values()] for s in (mine, theirs)]
    assert bare[0] == bare[1]


def test_all_names_are_there():
    assert sorted(bc.linalg.__all__) == sorted(np.linalg.__all__)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_determinants_of_many_small_matrices(n, dtype):
    """Exchanged rows, dependent rows, NaN and infinities, and matrices with other layouts."""
    a = np.random.default_rng(n).normal(size=(300, n, n)).astype(dtype)
    a[::3] = np.random.default_rng(1).integers(-2, 3, (100, n, n))
    a[5, :, -1], a[7], a[8, 0, 0], a[9, -1, -1], a[10, 0, -1] = 0, 0, np.nan, np.inf, -np.inf
    a[11] = a[11] * np.array(1e30, dtype)
    for layout in (
        a,
        a[::-2],
        a.transpose(0, 2, 1),
        a[:, ::-1, ::-1],
        np.asfortranarray(a),
        a.reshape(3, 100, n, n)[:, 4],
    ):
        with np.errstate(all="ignore"):
            agree("det", layout, ulp=8 * n)
            sign, size = (np.asarray(part) for part in bc.linalg.slogdet(layout))
            wanted = np.linalg.slogdet(layout)
        # The determinant that rounding leaves for a singular matrix has either sign, and depends on the kernels.
        rounding = np.log(256 * n * np.finfo(dtype).eps)
        singular = wanted.logabsdet < rounding
        assert (size[singular] < rounding + 1).all()
        tolerance = 64 * n * np.finfo(dtype).eps
        np.testing.assert_array_equal(sign[~singular], wanted.sign[~singular])
        np.testing.assert_allclose(size[~singular], wanted.logabsdet[~singular], tolerance, tolerance)


@pytest.mark.parametrize("name", ["OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"])
def test_threads_of_lapack_follow_the_environment(name):
    """Programs limit them on machines that others use, too, where a late thread makes a factorization ten times slower."""
    program = """
import os, bascule as bc
a = (bc.ones((300, 300)) + bc.eye(300)).copy()
a.tolist()
before = len(os.listdir("/proc/self/task"))
bc.linalg.svd(a).S.tolist()
print(len(os.listdir("/proc/self/task")) - before)
"""

    def started(limit):
        environment = {**os.environ, "BASCULE_NUM_THREADS": "4", name: limit}
        made = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        return int(made.stdout)

    assert started("1") < started("4")
