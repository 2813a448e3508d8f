"""SciPy's sparse arrays compute with dense arrays of bascule as with NumPy's, in the accelerated mode."""

import numpy as np
import pytest
import scipy.sparse
from users import same

pytestmark = pytest.mark.usefixtures("accelerated")

DENSE = np.arange(1.0, 7).reshape(2, 3)
KINDS = ["csr_array", "csc_array", "coo_array", "lil_array", "dok_array", "dia_array", "bsr_array", "csr_matrix"]
CALLS = {
    "equal": lambda s, x: s == x,
    "equal, the array first": lambda s, x: x == s,
    "not equal": lambda s, x: s != x,
    "less": lambda s, x: s < x,
    "greater or equal": lambda s, x: s >= x,
    "sum": lambda s, x: s + x,
    "sum, the array first": lambda s, x: x + s,
    "difference": lambda s, x: x - s,
    "quotient": lambda s, x: s / x,
    "product by element": lambda s, x: s.multiply(x),
    "product": lambda s, x: s @ x.T,
    "maximum": lambda s, x: s.maximum(x),
    "of one row": lambda s, x: s.multiply(x[:1]),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("kind", KINDS)
def test_dense_operands(kind, call):
    def run(x):
        found = CALLS[call](getattr(scipy.sparse, kind)(np.array([[1.0, 0, 2], [0, 3, 0]])), x)
        return found.toarray() if scipy.sparse.issparse(found) else np.asarray(found)

    same(run, DENSE, rtol=1e-12, stays=False)
