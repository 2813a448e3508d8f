"""Categories of columns by their numbers."""

from __future__ import annotations

from typing import Any

from sklearn import preprocessing as theirs

from ._encoder import Encoder


class OrdinalEncoder(Encoder, theirs.OrdinalEncoder):
    __doc__ = theirs.OrdinalEncoder.__doc__

    def transform(self, X: Any) -> Any:
        """Encode each value as the number of its category.

        Parameters
        ----------
        X : array or frame, shape (n, d)

        Returns
        -------
        array, shape (n, d)
            Equal to scikit-learn's, in the kind of X.
        """
        return self._read("transform", X)
