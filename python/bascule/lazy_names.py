"""Names whose modules are imported when they are first asked for, so that `import bascule` is quick.

Written by python/stubs/write_generated.py from the modules' `__all__`; a new module gets a row without names first.
"""

from __future__ import annotations

_MODULES = {
    "_array.printing": "array2string array_repr array_str datetime_as_string format_float_positional format_float_scientific "
    "get_printoptions printoptions set_printoptions",
    "coverage_table": "coverage",
    "interop.accelerated": "accelerate",
    "io.npy": "load save savez savez_compressed",
    "io.text_files": "fromfile fromstring genfromtxt loadtxt savetxt",
    "lib.bits": "frexp ldexp packbits unpackbits",
    "lib.calculus": "ediff1d gradient interp trapezoid unwrap",
    "lib.convolve_windows": "bartlett blackman convolve correlate hamming hanning i0 kaiser",
    "lib.covariance": "corrcoef cov nanstd nanvar",
    "lib.functional": "apply_along_axis apply_over_axes piecewise select",
    "lib.histograms": "bincount histogram histogram_bin_edges",
    "lib.histograms_nd": "histogram2d histogramdd",
    "lib.index_tricks": "c_ choose diag_indices diag_indices_from index_exp ix_ mask_indices mgrid ogrid r_ ravel_multi_index s_ "
    "tril_indices tril_indices_from triu_indices triu_indices_from unravel_index",
    "lib.insert_delete": "block delete insert resize trim_zeros",
    "lib.logspace": "geomspace logspace",
    "lib.padding": "pad",
    "lib.polynomials": "poly poly1d polyadd polyder polydiv polyfit polyint polymul polysub polyval roots vander",
    "lib.quantiles": "median nanmedian nanpercentile nanquantile percentile quantile",
    "lib.sets": "intersect1d isin setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse unique_values",
    "linalg.einstein": "einsum einsum_path",
    "profiling": "profile",
    "tracing.stencil": "stencil",
    "tracing.vectorize": "vectorize",
}
LAZY: dict[str, str] = {name: module for module, names in _MODULES.items() for name in names.split()}
