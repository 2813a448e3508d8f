"""Counts of tokens as frequencies in documents over those in all documents, by blocks of documents on all threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import _fit_context
from sklearn.feature_extraction import text as theirs
from sklearn.utils.validation import check_is_fitted

from ..._checks import known_finite, validate_data, values_of
from ..._estimator import Derived, leave
from ..._kinds import Kind, is_sparse
from ..._rows import in_parts

_BLOCK = 1 << 15  # elements of a block of documents
_HOW = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "reset": False}
_aligned = getattr(theirs, "_align_api_if_sparse", lambda x: x)  # by scikit-learn's configuration, from 1.9 on


class TfidfTransformer(Derived, theirs.TfidfTransformer, auto_wrap_output_keys=None):
    __doc__ = theirs.TfidfTransformer.__doc__

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any = None) -> TfidfTransformer:
        """Find in how many documents each token is.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, tokens)
        y : None
            Not used.

        Returns
        -------
        TfidfTransformer
            The transformer itself.
        """
        taken = self._taken("fit", X)
        with known_finite(values_of(taken)):
            return theirs.TfidfTransformer.fit.__wrapped__(self, taken)

    def transform(self, X: Any, copy: bool = True) -> Any:
        """Weight counts by the frequency of the tokens.

        Parameters
        ----------
        X : array or sparse matrix, shape (n, tokens)
        copy : bool, optional
            False writes into a CSR matrix of floats.

        Returns
        -------
        sparse matrix, shape (n, tokens)
            Equal to scikit-learn's to rounding.
        """
        check_is_fitted(self)
        taken = self._taken("transform", X)
        if is_sparse(taken):
            with known_finite(values_of(taken)):
                found = validate_data(self, taken, **_HOW)
            counts = found.data
            if copy and found.format == taken.format and np.shares_memory(counts, taken.data):
                indices, starts = found.indices.copy(), found.indptr.copy()
                found = type(found)((np.empty_like(counts), indices, starts), shape=found.shape)
            self._weigh(counts, found)
        else:
            found = sparse.csr_array(validate_data(self, taken, **_HOW))
            self._weigh(found.data, found)
        return _aligned(found)

    def _taken(self, name: str, X: Any) -> Any:
        kind = Kind.of(X)
        if not kind.on_host:
            leave(f"learn.TfidfTransformer.{name}", "rows on a device", kind)
        return kind.take(X, "X")

    def _weigh(self, counts: np.ndarray, to: Any) -> None:
        """Write the weighted counts of the documents into the matrix."""
        ends = np.unique(np.searchsorted(to.indptr, np.arange(0, len(to.data) + _BLOCK, _BLOCK)))
        ends[-1] = len(to.indptr) - 1

        def documents(begin: int, end: int) -> None:
            for k in range(begin, end):
                self._weigh_block(counts, to, ends[k], ends[k + 1])

        in_parts(documents, len(ends) - 1)

    def _weigh_block(self, counts: np.ndarray, to: Any, begin: int, end: int) -> None:
        starts = to.indptr[begin : end + 1]
        part = slice(starts[0], starts[-1])
        data = to.data[part]
        if self.sublinear_tf:
            np.log(counts[part], out=data)
            data += 1.0
        else:
            data[...] = counts[part]
        if hasattr(self, "idf_"):
            data *= self.idf_[to.indices[part]]
        lengths = np.diff(starts)
        full = lengths > 0
        if self.norm is None or not full.any():
            return
        sizes = np.abs(data) if self.norm == "l1" else np.square(data, dtype=np.float64)
        norms = np.add.reduceat(sizes, starts[:-1][full] - starts[0], dtype=np.float64)
        norms = np.sqrt(norms) if self.norm == "l2" else norms
        norms[norms == 0] = 1
        data /= np.repeat(norms, lengths[full])
