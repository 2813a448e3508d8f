"""Names whose modules are imported when they are first asked for, so that `import bascule` is quick."""

from __future__ import annotations

_MODULES = {
    "bits": "frexp ldexp packbits unpackbits",
    "calculus": "ediff1d gradient interp trapezoid unwrap",
    "coverage_table": "coverage",
    "editing": "block delete insert resize trim_zeros",
    "filters": "bartlett blackman convolve correlate hamming hanning i0 kaiser",
    "linalg.einstein": "einsum einsum_path",
    "functional": "apply_along_axis apply_over_axes piecewise select",
    "histograms": "bincount histogram histogram_bin_edges",
    "histograms_nd": "histogram2d histogramdd",
    "moments": "corrcoef cov nanstd nanvar",
    "npy": "load save savez savez_compressed",
    "padding": "pad",
    "polynomials": "poly poly1d polyadd polyder polydiv polyfit polyint polymul polysub polyval roots vander",
    "positions": "c_ choose diag_indices diag_indices_from index_exp ix_ mask_indices mgrid ogrid r_ ravel_multi_index s_ "
    "tril_indices tril_indices_from triu_indices triu_indices_from unravel_index",
    "quantiles": "median nanmedian nanpercentile nanquantile percentile quantile",
    "sets": "intersect1d isin setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse unique_values",
    "text": "array2string array_repr array_str datetime_as_string format_float_positional format_float_scientific "
    "get_printoptions printoptions set_printoptions",
    "text_files": "fromfile fromstring genfromtxt loadtxt savetxt",
    "vectorizing": "vectorize",
    "spacings": "geomspace logspace",
    "stencils": "stencil",
}
LAZY: dict[str, str] = {name: module for module, names in _MODULES.items() for name in names.split()}
