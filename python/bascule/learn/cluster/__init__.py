"""Clusters: `sklearn.cluster`, with k-means and clusters of dense rows."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(
    __name__, {"DBSCAN": "_dbscan", "KMeans": "_k_means", "MiniBatchKMeans": "_mini_batch"}
)
