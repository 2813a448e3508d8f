"""How other libraries meet arrays: DLPack, NumPy's and the Array API's protocols, numba, replaced functions."""
