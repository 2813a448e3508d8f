"""Counts of tokens in columns by their hashes."""

from __future__ import annotations

from typing import Any

from sklearn.feature_extraction import text as theirs
from sklearn.preprocessing import normalize

from .... import _core
from ._tokens import Tokens, aligned, are_few, listed, matrix


class HashingVectorizer(Tokens, theirs.HashingVectorizer):
    __doc__ = theirs.HashingVectorizer.__doc__

    def transform(self, X: Any) -> Any:
        """Count the tokens of documents.

        Parameters
        ----------
        X : iterable of str or bytes
            Documents are ASCII and cut by scikit-learn's default pattern on all threads; those with other letters by its
            analyzer.

        Returns
        -------
        sparse array or matrix, shape (n, n_features)
            Equal to scikit-learn's.

        Examples
        --------
        >>> from bascule.learn.feature_extraction.text import HashingVectorizer
        >>> HashingVectorizer(n_features=8, norm=None).transform(["to be or not to be"]).toarray().tolist()
        [[0.0, 0.0, 0.0, 0.0, 3.0, 1.0, 0.0, 0.0]]
        """
        if isinstance(X, str) or not self._counts_reason("transform"):
            return theirs.HashingVectorizer.transform(self, X)
        documents = listed(X)
        if are_few(documents):
            return theirs.HashingVectorizer.transform(self, documents)
        self._validate_ngram_range()
        self._get_hasher()  # checks its parameters
        found = _core.hash_tokens(self._documents(documents), self.n_features, self.alternate_sign, **self._rule())
        made = matrix(found, self.n_features, self.dtype)
        if self.binary:
            made.data.fill(1)
        if self.norm is not None:
            made = normalize(made, norm=self.norm, copy=False)
        return aligned(made)
