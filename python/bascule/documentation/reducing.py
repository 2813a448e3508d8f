"""Of the functions that reduce arrays, whole or along axes, and of cumulative operations."""

from .parts import ARRAY, AXIS, BAD_AXIS, FOLD_DTYPE, INITIAL, KEEPDIMS, ONE_AXIS, OUT, WHERE, entry

_REDUCED = "ndarray, or a scalar where every axis is reduced\n    Shape of `a` without the reduced axes."
_SUMMED = ARRAY + AXIS + FOLD_DTYPE + OUT + KEEPDIMS + INITIAL + WHERE
_EXTREME = ARRAY + AXIS + OUT + KEEPDIMS + INITIAL + WHERE
_TRUTH = ARRAY + AXIS + OUT + KEEPDIMS + WHERE
_ERRORS = BAD_AXIS
_EMPTY = """
ValueError
    Nothing is there to choose from, and there is no `initial`.
"""
_FLOAT_DTYPE = """
dtype : dtype, optional
    Type to compute in; float64 for integers and booleans when absent, else that of `a`.
"""
_MEAN = ARRAY + AXIS + _FLOAT_DTYPE + OUT + KEEPDIMS + WHERE
_SPREAD = (
    ARRAY
    + AXIS
    + _FLOAT_DTYPE
    + OUT
    + """
ddof : float, optional
    What the number of elements is diminished by before the division.
"""
    + KEEPDIMS
    + WHERE
    + """
mean : array_like, optional
    The mean, if it is known, with its axes kept.
correction : float, optional
    Another name of `ddof`, of which one may be given.
"""
)
_SPREAD_NOTES = """
Within 4 units in the last place of two passes, the mean first and then the squares of the distances from it. It warns where
`ddof` leaves nothing to divide by. Source of the method: two passes over parts of up to 1,024 elements, which Chan, Golub
and LeVeque's formula puts together (Updating formulae and a pairwise algorithm for computing sample variances, 1979).
"""
_SPREAD_ERRORS = """
ValueError
    Both `ddof` and `correction` are given.
"""
_POSITION = ARRAY + ONE_AXIS + OUT + KEEPDIMS
_PLACED = "ndarray of int64, or a scalar\n    Shape of `a` without the axis."
_RUNNING = ARRAY + ONE_AXIS + FOLD_DTYPE + OUT
_RUN = "ndarray, shape a.shape, or (a.size,) without `axis`"
_CUMULATIVE = (
    ARRAY.replace("a :", "x :")
    + """
axis : int, optional
    Along which it runs; it may be absent for arrays of one axis.
"""
    + FOLD_DTYPE
    + OUT
    + """
include_initial : bool, optional
    Begin with what an empty part gives.
"""
)
_CUMULATIVE_ERRORS = """
ValueError
    The array has several axes, and none is named.
"""
_PAIRWISE = "The order of the additions is NumPy's, and so are the bits; it depends on neither threads nor device."
_NAN = "Arrays of other types than floating and complex ones hold no NaN."

ENTRIES = {
    "sum": entry(
        _SUMMED,
        _REDUCED,
        """
>>> x = bc.asarray([[1, 2], [3, 4]])
>>> int(bc.sum(x))
10
>>> bc.sum(x, axis=0).tolist()
[4, 6]
""",
        _ERRORS,
        _PAIRWISE,
    ),
    "prod": entry(
        _SUMMED,
        _REDUCED,
        """
>>> bc.prod([[1, 2], [3, 4]], axis=1).tolist()
[2, 12]
""",
        _ERRORS,
        "Integers wrap.",
    ),
    "max": entry(
        _EXTREME,
        _REDUCED,
        """
>>> bc.max([[1, 5], [7, 2]], axis=0).tolist()
[7, 5]
""",
        _EMPTY + _ERRORS,
    ),
    "min": entry(
        _EXTREME,
        _REDUCED,
        """
>>> bc.min([[1, 5], [7, 2]], axis=0).tolist()
[1, 2]
""",
        _EMPTY + _ERRORS,
    ),
    "any": entry(
        _TRUTH,
        _REDUCED.replace("ndarray", "ndarray of bool"),
        """
>>> bc.any([[0, 0], [0, 3]], axis=1).tolist()
[False, True]
""",
        _ERRORS,
        "NaN is true, as it is not zero.",
    ),
    "all": entry(
        _TRUTH,
        _REDUCED.replace("ndarray", "ndarray of bool"),
        """
>>> bc.all([[1, 0], [2, 3]], axis=1).tolist()
[False, True]
""",
        _ERRORS,
        "NaN is true, as it is not zero.",
    ),
    "mean": entry(
        _MEAN,
        _REDUCED,
        """
>>> bc.mean([[1, 2], [3, 4]], axis=0).tolist()
[2.0, 3.0]
""",
        _ERRORS,
        "The sum is `sum`'s, float16 summed in float32. The mean of nothing is NaN, with a RuntimeWarning.",
    ),
    "var": entry(
        _SPREAD,
        _REDUCED,
        """
>>> float(bc.var([1.0, 2.0, 3.0], ddof=1))
1.0
""",
        _SPREAD_ERRORS + _ERRORS,
        _SPREAD_NOTES,
    ),
    "std": entry(
        _SPREAD,
        _REDUCED,
        """
>>> float(bc.std([1.0, 3.0]))
1.0
""",
        _SPREAD_ERRORS + _ERRORS,
        _SPREAD_NOTES,
    ),
    "argmax": entry(
        _POSITION,
        _PLACED,
        """
>>> bc.argmax([[1, 5], [7, 2]], axis=1).tolist()
[1, 0]
""",
        _EMPTY.replace(", and there is no `initial`", "") + _ERRORS,
        "The first NaN counts as the largest element.",
    ),
    "argmin": entry(
        _POSITION,
        _PLACED,
        """
>>> int(bc.argmin([[3, 5], [1, 2]]))
2
""",
        _EMPTY.replace(", and there is no `initial`", "") + _ERRORS,
        "The first NaN counts as the smallest element.",
    ),
    "count_nonzero": entry(
        ARRAY + AXIS + KEEPDIMS,
        _REDUCED.replace("ndarray", "ndarray of int64"),
        """
>>> int(bc.count_nonzero([0, 3, 0, 4]))
2
""",
        _ERRORS,
    ),
    "ptp": entry(
        ARRAY + AXIS + OUT + KEEPDIMS,
        _REDUCED,
        """
>>> bc.ptp([[1, 5], [7, 2]], axis=1).tolist()
[4, 5]
""",
        _EMPTY.replace(", and there is no `initial`", "") + _ERRORS,
        "Integers stay what they are, and wrap where the distance is too large for their type.",
    ),
    "average": entry(
        ARRAY
        + AXIS
        + """
weights : array_like, optional
    Of the shape of `a`, or of its extents along `axis`. Equal ones when absent.
returned : bool, optional
    Return the sums of the weights, too.
"""
        + KEEPDIMS,
        _REDUCED + "\n    With `returned` a tuple of it and the sums of the weights.",
        """
>>> float(bc.average([1.0, 4.0], weights=[3, 1]))
1.75
""",
        """
TypeError
    The weights have another shape than `a`, and there is no axis.
ValueError
    The weights have not the extents of `a` along the axes.
ZeroDivisionError
    Weights sum to zero.
""",
    ),
    "cumsum": entry(
        _RUNNING,
        _RUN,
        """
>>> bc.cumsum([1, 2, 3]).tolist()
[1, 3, 6]
""",
        _ERRORS,
        "Each element is added to the sum of those before it, which rounds otherwise than `sum`.",
    ),
    "cumprod": entry(
        _RUNNING,
        _RUN,
        """
>>> bc.cumprod([[1, 2], [3, 4]], axis=0).tolist()
[[1, 2], [3, 8]]
""",
        _ERRORS,
    ),
    "cumulative_sum": entry(
        _CUMULATIVE,
        "ndarray, shape x.shape, longer by one along the axis with `include_initial`",
        """
>>> bc.cumulative_sum([1, 2, 3], include_initial=True).tolist()
[0, 1, 3, 6]
""",
        _CUMULATIVE_ERRORS + _ERRORS,
    ),
    "cumulative_prod": entry(
        _CUMULATIVE,
        "ndarray, shape x.shape, longer by one along the axis with `include_initial`",
        """
>>> bc.cumulative_prod([1, 2, 3], include_initial=True).tolist()
[1, 1, 2, 6]
""",
        _CUMULATIVE_ERRORS + _ERRORS,
    ),
    "diff": entry(
        ARRAY.replace("any shape", "one axis or more")
        + """
n : int, optional
    How often differences are taken.
axis : int, optional
    Along which.
prepend, append : array_like, optional
    What is put before and behind the array first; a scalar stands for one slice of it.
""",
        "ndarray\n    Shorter by `n` along the axis; of booleans, whether neighbours differ.",
        """
>>> bc.diff([1, 4, 9]).tolist()
[3, 5]
>>> bc.diff([1, 4, 9], 2).tolist()
[2]
""",
        """
ValueError
    `n` is negative, or the array has no axis.
""",
    ),
    "nanargmax": entry(
        _POSITION,
        _PLACED,
        """
>>> int(bc.nanargmax([1.0, bc.nan, 3.0]))
2
""",
        """
ValueError
    A slice holds nothing but NaN.
""",
        _NAN,
    ),
    "nanargmin": entry(
        _POSITION,
        _PLACED,
        """
>>> int(bc.nanargmin([bc.nan, 2.0, 1.0]))
2
""",
        """
ValueError
    A slice holds nothing but NaN.
""",
        _NAN,
    ),
    "nancumsum": entry(
        _RUNNING,
        _RUN,
        """
>>> bc.nancumsum([1.0, bc.nan, 2.0]).tolist()
[1.0, 1.0, 3.0]
""",
        _ERRORS,
        _NAN,
    ),
    "nancumprod": entry(
        _RUNNING,
        _RUN,
        """
>>> bc.nancumprod([2.0, bc.nan, 3.0]).tolist()
[2.0, 2.0, 6.0]
""",
        _ERRORS,
        _NAN,
    ),
    "nansum": entry(
        _SUMMED,
        _REDUCED,
        """
>>> bc.nansum([[1.0, bc.nan], [bc.nan, bc.nan]], axis=1).tolist()
[1.0, 0.0]
""",
        _ERRORS,
        _NAN,
    ),
    "nanprod": entry(
        _SUMMED,
        _REDUCED,
        """
>>> bc.nanprod([[2.0, bc.nan], [bc.nan, bc.nan]], axis=1).tolist()
[2.0, 1.0]
""",
        _ERRORS,
        _NAN,
    ),
    "nanmin": entry(
        _EXTREME,
        _REDUCED,
        """
>>> float(bc.nanmin([3.0, bc.nan, 2.0]))
2.0
""",
        _EMPTY + _ERRORS,
        "A slice of nothing but NaN gives NaN, with a RuntimeWarning.",
    ),
    "nanmax": entry(
        _EXTREME,
        _REDUCED,
        """
>>> float(bc.nanmax([3.0, bc.nan, 2.0]))
3.0
""",
        _EMPTY + _ERRORS,
        "A slice of nothing but NaN gives NaN, with a RuntimeWarning.",
    ),
    "nanmean": entry(
        _MEAN,
        _REDUCED,
        """
>>> float(bc.nanmean([1.0, bc.nan, 2.0]))
1.5
""",
        _ERRORS,
        "A slice of nothing but NaN gives NaN, with a RuntimeWarning.",
    ),
}
