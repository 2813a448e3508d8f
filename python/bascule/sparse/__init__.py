"""Sparse arrays in compressed form: three arrays of bascule on one device, with SciPy's names and rules.

>>> import bascule as bc
>>> from bascule.sparse import csr_array
>>> A = csr_array([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]])
>>> A @ bc.ones(3)
array([3., 3.])
>>> A.data, A.indices, A.indptr
(array([1., 2., 3.]), array([0, 2, 1], dtype=int32), array([0, 2, 3], dtype=int32))
"""

from __future__ import annotations

try:
    import scipy as _scipy  # noqa: F401  # what is not computed here is computed there
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError("[sparse] needs SciPy: pip install scipy", name="scipy") from _error

from ._arrays import csc_array, csr_array, issparse
from ._stacks import hstack, vstack

__all__ = ["csc_array", "csr_array", "hstack", "issparse", "vstack"]
