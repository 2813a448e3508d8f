"""Decompositions: `sklearn.decomposition`, with principal components from one pass over the rows."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(
    __name__, {"IncrementalPCA": "_incremental", "PCA": "_pca", "TruncatedSVD": "_truncated"}
)
