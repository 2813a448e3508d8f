"""Clusters: `sklearn.cluster`, with k-means by blocks of rows and bounds of distances."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(__name__, {"KMeans": "_k_means", "MiniBatchKMeans": "_mini_batch"})
