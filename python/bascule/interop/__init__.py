"""Arrays in other libraries: DLPack, NumPy's and the Array API's protocols, numba, replaced functions."""
