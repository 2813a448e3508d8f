"""Sparse arrays on the emulated CUDA device: products, rows, scaling, sums and stacks are those of SciPy; all else raises."""

import pytest
from emulated_arrays import MODES, check

pytest.importorskip("scipy")
MADE = """
from bascule import sparse as ours
from scipy import sparse as theirs

def made(form, dtype):
    A = theirs.random_array((30, 12), density=0.3, rng=0, dtype=dtype).toarray()
    A[::5] = 0
    return theirs.csr_array(A).asformat(form)

def on_cuda(A):
    return getattr(ours, f"{A.format}_array")(A, device="cuda:0")

def near(got, wanted, case):
    if theirs.issparse(wanted):
        assert type(got).__module__.startswith("bascule") and got.device.startswith("cuda"), case
        got, wanted = got.toarray(), wanted.toarray()
    assert got.device.startswith("cuda") and got.dtype == wanted.dtype and got.shape == wanted.shape, case
    np.testing.assert_allclose(got.get(), wanted, rtol=1e-5 if wanted.dtype == np.float32 else 1e-12, err_msg=str(case))
"""


@pytest.mark.parametrize("mode", MODES)
def test_calls(mode):
    check(
        MADE
        + """
calls = {
    "vector": lambda A, xp: A @ xp(np.arange(12.0)),
    "matrix": lambda A, xp: A @ xp(np.arange(36.0).reshape(12, 3)),
    "from the left": lambda A, xp: xp(np.arange(60.0).reshape(2, 30)) @ A,
    "transpose": lambda A, xp: A.T,
    "by rows": lambda A, xp: A.tocsr(),
    "by columns": lambda A, xp: A.tocsc(),
    "slice": lambda A, xp: A[3:20],
    "steps": lambda A, xp: A[20:2:-3],
    "indices": lambda A, xp: A[np.array([3, 3, 29, 0])],
    "mask": lambda A, xp: A[np.arange(30) % 2 == 0],
    "columns": lambda A, xp: A[:, np.array([3, 0])],
    "column sums": lambda A, xp: A.sum(axis=0),
    "row sums": lambda A, xp: A.sum(axis=1),
    "means": lambda A, xp: A.mean(axis=0),
    "absolute": lambda A, xp: abs(A),
    "scaled": lambda A, xp: A * 2.5,
    "scaled rows": lambda A, xp: A * xp(np.arange(30.0)[:, None]),
    "scaled columns": lambda A, xp: A * xp(np.arange(12.0)),
}
for form in ("csr", "csc"):
    for dtype in (np.float64, np.float32):
        A = made(form, dtype)
        mine = on_cuda(A)
        near(mine, A, "made")
        for name, call in calls.items():
            near(call(mine, on_device), call(A, np.asarray), (name, form, dtype))
        for stack in ("vstack", "hstack"):
            near(getattr(ours, stack)([mine, mine]), getattr(theirs, stack)([A, A], format=form), (stack, form, dtype))
        near(getattr(ours, f"{form}_array")(on_device(A.toarray())), A, "of a dense array")
        np.testing.assert_array_equal(mine.to_scipy().toarray(), A.toarray())
        assert mine.to_device("cpu").device == "cpu"
""",
        mode,
    )


def test_what_scipy_computes_raises():
    check(
        MADE
        + """
mine = on_cuda(made("csr", np.float64))
unknown = ours.csr_array((mine.data, mine.indices, mine.indptr), shape=mine.shape)  # they may have repeated positions
for call in (lambda: abs(unknown), lambda: mine + mine, lambda: mine @ mine.T, lambda: mine.max(axis=0), lambda: mine[3, 4]):
    try:
        call()
    except NotImplementedError as error:
        assert "exists only in SciPy" in str(error), error
    else:
        raise AssertionError("it did not raise")
try:
    mine @ bc.asarray(np.ones(12), device="cpu")
except ValueError as error:
    assert "the factor is on cpu" in str(error), error
else:
    raise AssertionError("it did not raise")
"""
    )


PRODUCTS = """
for dtype in (np.float64, np.float32):
    for indices in (np.int32, np.int64):
        for form in ("csr", "csc"):
            A = made(form, dtype)
            A.indices, A.indptr = A.indices.astype(indices), A.indptr.astype(indices)
            for columns in (1, 3, 0):
                B = np.random.default_rng(1).normal(size=(12, columns)).astype(dtype)
                got, case = on_cuda(A) @ on_device(B), (dtype, indices, form, columns)
                near(got, A @ B, case)
                if exact:
                    np.testing.assert_array_equal(got.get(), A.tocsr() @ B, err_msg=str(case))
for shape in ((0, 4), (4, 0), (0, 0)):
    near(on_cuda(theirs.csr_array(shape)) @ on_device(np.ones((shape[1], 2))), np.zeros((shape[0], 2)), shape)
twice = ours.csr_array((on_device([1.0, 2.0, 4.0]), on_device([2, 0, 2]), on_device([0, 3])), shape=(1, 3))
assert (twice @ on_device([1.0, 10.0, 100.0])).get().tolist() == [502.0]
wrong = on_device([[1.0, np.nan], [np.inf, 0.0]])
with np.errstate(invalid="ignore"):
    near(on_cuda(theirs.csr_array(np.array([[0.0, 2.0], [3.0, 0.0]]))) @ wrong, np.array([[np.inf, 0.0], [3.0, np.nan]]), "NaN")
print(calls("cusparseSpMM"), calls("cusparseDestroySpMat") == calls("cusparseCreateCsr"))
"""


@pytest.mark.parametrize("mode", MODES)
def test_products_are_those_of_cusparse(mode):
    said = check(MADE + "exact = False" + PRODUCTS, mode)
    count, let_go = said.split()
    assert int(count) == 18 and let_go == "True"


def test_products_without_cusparse_have_the_order_of_sums_of_the_host():
    said = check(MADE + "exact = True" + PRODUCTS, BASCULE_CUSPARSE="/nowhere/lib.so")
    assert said == "0 True"
