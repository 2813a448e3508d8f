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
    "lib.arithmetic": "angle around fix imag real round sinc",
    "lib.bits": "frexp ldexp packbits unpackbits",
    "lib.calculus": "ediff1d gradient interp trapezoid unwrap",
    "lib.comparison": "allclose array_equal array_equiv isclose iscomplex iscomplexobj isneginf isposinf isreal isrealobj "
    "nan_to_num real_if_close",
    "lib.convolve_windows": "bartlett blackman convolve correlate hamming hanning i0 kaiser",
    "lib.covariance": "corrcoef cov nanstd nanvar",
    "lib.creation.filled": "empty empty_like full full_like ones ones_like zeros zeros_like",
    "lib.creation.from_data": "array asarray asarray_chkfinite ascontiguousarray asfortranarray copy frombuffer fromiter isfortran "
    "require",
    "lib.creation.matrices": "diag diagflat eye identity tri tril triu",
    "lib.creation.ranges": "arange fromfunction indices linspace meshgrid",
    "lib.functional": "apply_along_axis apply_over_axes piecewise select",
    "lib.histograms": "bincount histogram histogram_bin_edges",
    "lib.histograms_nd": "histogram2d histogramdd",
    "lib.index_tricks": "c_ choose diag_indices diag_indices_from index_exp ix_ mask_indices mgrid ogrid r_ ravel_multi_index s_ "
    "tril_indices tril_indices_from triu_indices triu_indices_from unravel_index",
    "lib.insert_delete": "block delete insert resize trim_zeros",
    "lib.logspace": "geomspace logspace",
    "lib.manipulation.joining": "append atleast_1d atleast_2d atleast_3d column_stack concat concatenate dstack hstack row_stack stack "
    "vstack",
    "lib.manipulation.rearranging": "flip fliplr flipud repeat roll rot90 tile",
    "lib.manipulation.shapes": "broadcast_arrays broadcast_shapes broadcast_to expand_dims matrix_transpose moveaxis permute_dims ravel "
    "reshape rollaxis squeeze swapaxes transpose",
    "lib.manipulation.splitting": "array_split dsplit hsplit split unstack vsplit",
    "lib.padding": "pad",
    "lib.polynomials": "poly poly1d polyadd polyder polydiv polyfit polyint polymul polysub polyval roots vander",
    "lib.quantiles": "median nanmedian nanpercentile nanquantile percentile quantile",
    "lib.reductions.cumulative": "cumprod cumsum cumulative_prod cumulative_sum diff nancumprod nancumsum",
    "lib.reductions.extrema": "amax amin argmax argmin max min ptp",
    "lib.reductions.moments": "average mean std var",
    "lib.reductions.nan": "nanargmax nanargmin nanmax nanmean nanmin nanprod nansum",
    "lib.reductions.sums": "all any count_nonzero prod sum",
    "lib.selection.properties": "diagonal may_share_memory ndim shape shares_memory size trace",
    "lib.selection.taking": "argwhere clip compress extract flatnonzero nonzero put_along_axis take take_along_axis where",
    "lib.selection.writing": "astype copyto fill_diagonal place put putmask",
    "lib.sets": "intersect1d isin setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse unique_values",
    "lib.sorting": "argpartition argsort digitize lexsort partition searchsorted sort sort_complex",
    "linalg.contractions": "cross dot inner kron outer tensordot vdot",
    "linalg.einstein": "einsum einsum_path",
    "linalg.products": "matmul matvec vecdot vecmat",
    "profiling": "profile",
    "tracing.stencil": "stencil",
    "tracing.vectorize": "vectorize",
}
LAZY: dict[str, str] = {name: module for module, names in _MODULES.items() for name in names.split()}
