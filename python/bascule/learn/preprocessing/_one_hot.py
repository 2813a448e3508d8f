"""Columns of nought and one for the categories of columns."""

from __future__ import annotations

from typing import Any

from sklearn import preprocessing as theirs

from ._encoder import Encoder


class OneHotEncoder(Encoder, theirs.OneHotEncoder):
    __doc__ = theirs.OneHotEncoder.__doc__

    def transform(self, X: Any) -> Any:
        """Encode each value as a row of nought and one.

        Parameters
        ----------
        X : array or frame, shape (n, d)

        Returns
        -------
        sparse matrix or array, shape (n, categories)
            Equal to scikit-learn's; an array follows the kind of X.
        """
        return self._read("transform", X)
