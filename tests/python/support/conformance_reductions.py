"""Calls that reduce, sort or search arrays."""

import numpy as np
from conformance import REAL, TYPES, row

_NUMBERS = [t for t in TYPES if t != "?"]
_SUMS = 1e-14  # products and means along strided axes may round in another order
_TWO = "1 2 3"


def reductions(name, *extra, types=TYPES, rtol=0.0, initial="", out=True, dtype=TYPES, **options):
    """Calls with the keywords that all reductions share."""
    calls = [f"{name}(a)", f"{name}(a, axis=0)", f"{name}(a, -1)", f"{name}(a, axis=(0, -1))", f"{name}(a, axis=7)",
             f"{name}(a, axis=-1, keepdims=True)", *extra]  # fmt: skip
    if out:
        calls.append(f"{name}(a, axis=0, out=new({name}(a, axis=0)))")
    if dtype:
        row(name, "0 1 2", f"{name}(a, axis=0, dtype='f8')", types=dtype, rtol=rtol, **options)
    calls.append(f"{name}(a, axis=0, where=m{initial})")
    if initial:
        calls.append(f"{name}(a, axis=0{initial})")
    row(name, "0 1 2 3", *calls, types=types, rtol=rtol, **options)


reductions("sum", initial=", initial=3", rtol=_SUMS)
reductions("prod", initial=", initial=3", rtol=_SUMS)
for _name in ("max", "min", "amax", "amin"):
    reductions(_name, initial=", initial=3", dtype=())
for _name in ("any", "all"):
    reductions(_name, dtype=())
reductions("mean", rtol=_SUMS)
for _name in ("std", "var"):
    reductions(_name, f"{_name}(a, ddof=1)", f"{_name}(a, axis=0, correction=1)", f"{_name}(a, axis=0, mean=mean(a, axis=0, keepdims=True))",
          f"{_name}(a, ddof=1, correction=1)", dtype=REAL, rtol=1e-13)  # fmt: skip
for _name in ("argmax", "argmin"):
    row(_name, "0 1 2 3", f"{_name}(a)", f"{_name}(a, axis=0)", f"{_name}(a, -1, keepdims=True)", f"{_name}(a, axis=7)",
        f"{_name}(a, axis=0, out=new({_name}(a, axis=0)))")  # fmt: skip
row("count_nonzero", "0 1 2 3", "count_nonzero(a)", "count_nonzero(a, axis=0)", "count_nonzero(a, -1, keepdims=True)",
    "count_nonzero(a, (0, -1))")  # fmt: skip
row(
    "ptp", "0 1 2 3", "ptp(a)", "ptp(a, axis=0)", "ptp(a, -1, keepdims=True)", "ptp(a, axis=0, out=new(ptp(a, axis=0)))"
)
row("average", "1 2 3", "average(a)", "average(a, axis=0)", "average(a, weights=b)", "average(a, axis=-1, returned=True)",
    "average(a, axis=0, weights=b, returned=True, keepdims=True)", "average(a, weights=[1, 2])", "average(a, axis=0, weights=b * 0)",
    rtol=1e-13, values="positive")  # fmt: skip
for _name in ("cumsum", "cumprod"):
    row(_name, "0 1 2 3", f"{_name}(a)", f"{_name}(a, axis=0)", f"{_name}(a, -1, dtype='f8')",
        f"{_name}(a, axis=0, out=new({_name}(a, axis=0)))", f"{_name}(a, axis=7)", rtol=_SUMS)  # fmt: skip
    row("nan" + _name, "0 1 2 3", f"nan{_name}(a)", f"nan{_name}(a, axis=0)", f"nan{_name}(a, -1, dtype='f8')",
        f"nan{_name}(a, axis=0, out=new(nan{_name}(a, axis=0)))", rtol=_SUMS, special=True)  # fmt: skip
for _name in ("cumulative_sum", "cumulative_prod"):
    row(_name, "0 1 2 3", f"{_name}(a)", f"{_name}(a, axis=0)", f"{_name}(a, axis=-1, dtype='f8')",
        f"{_name}(a, axis=0, include_initial=True)", f"{_name}(a, axis=0, out=new({_name}(a, axis=0)))", rtol=_SUMS)  # fmt: skip
row(
    "diff",
    "0 1 2 3",
    "diff(a)",
    "diff(a, n=2)",
    "diff(a, 1, axis=0)",
    "diff(a, prepend=1, append=2)",
    "diff(a, -1)",
    "diff(a, 0)",
)

# ---- ignoring NaN
reductions("nansum", initial=", initial=3", rtol=_SUMS, special=True)
reductions("nanprod", initial=", initial=3", rtol=_SUMS, special="nan")
for _name in ("nanmax", "nanmin"):
    reductions(_name, initial=", initial=3", dtype=(), special=True)
reductions("nanmean", rtol=_SUMS, special=True)
for _name in ("nanstd", "nanvar"):
    reductions(_name, f"{_name}(a, ddof=1)", f"{_name}(a, axis=0, correction=1)", f"{_name}(a, axis=0, mean=nanmean(a, axis=0, keepdims=True))",
          f"{_name}(a, ddof=1, correction=1)", f"{_name}(a * arr(np.nan))", dtype=REAL, rtol=1e-13, special=True)  # fmt: skip
for _name in ("nanargmax", "nanargmin"):
    row(_name, "0 1 2 3", f"{_name}(a)", f"{_name}(a, axis=0)", f"{_name}(a, -1, keepdims=True)",
        f"{_name}(a, axis=0, out=new({_name}(a, axis=0)))", special=True)  # fmt: skip

# ---- quantiles
for _name in ("median", "nanmedian"):
    row(_name, "0 1 2 3", f"{_name}(a)", f"{_name}(a, axis=0)", f"{_name}(a, -1, keepdims=True)", f"{_name}(a, axis=(0, -1))",
        f"{_name}(a, axis=0, out=new({_name}(a, axis=0)))", f"{_name}(b, overwrite_input=True) if 0 else {_name}(a)",
        types=_NUMBERS, rtol=_SUMS, special=_name[0] == "n")  # fmt: skip
_METHODS = ("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull",
            "linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest")  # fmt: skip
for _name, _q in (("quantile", "0.3"), ("nanquantile", "0.3"), ("percentile", "30"), ("nanpercentile", "30")):
    row(_name, "1 2 3", f"{_name}(a, {_q})", f"{_name}(a, [{_q}, {_q}], axis=0)", f"{_name}(a, q={_q}, axis=-1, keepdims=True)",
        f"{_name}(a, {_q}, axis=0, out=new({_name}(a, {_q}, axis=0)))", f"{_name}(a, 101)",
        *(f"{_name}(a, {_q}, method='{m}')" for m in _METHODS), f"{_name}(a, {_q}, method='other')", f"{_name}(a, {_q}, overwrite_input=False)",
        types=[t for t in TYPES if t not in ("?", "c16")], rtol=_SUMS, special=_name[0] == "n")  # fmt: skip
    row(_name, "1 2", f"{_name}(a, {_q}, weights=abs(b) + 1, method='inverted_cdf')",
        f"{_name}(a, {_q}, axis=-1, weights=abs(b) + 1, method='inverted_cdf')", types=("i8", "f8"), plain=True)  # fmt: skip

# ---- order
for _name in ("sort", "argsort"):
    row(_name, "1 2 3", f"{_name}(a, kind='stable')", f"{_name}(a, axis=0, stable=True)", f"{_name}(a, axis=None, kind='stable')",
        f"{_name}(a, order='x')", f"{_name}(a, -1, 'mergesort')", f"{_name}(a, axis=7)")  # fmt: skip
    if "descending" in np.sort.__doc__:
        row(
            _name,
            "1 2 3",
            f"{_name}(a, stable=True, descending=True)",
            f"{_name}(a, axis=0, stable=True, descending=True)",
        )
row("sort", "0 1 2 3", "sort(a)", "sort(a, order=None)", "sort(a, axis=None)", special=True)
row("argsort", "1", "argsort(a, kind='stable', order=None)")
row("partition", "1", "partition(a, 0, order=None)[0]")
row("argpartition", "1", "a[argpartition(a, 0, order=None)[:1]]")
row("argsort", "1 2 3", "sort(a) == take_along_axis(a, argsort(a), -1)")
row("partition", "1 2", "partition(sort(a), 1)[..., 1]", "partition(a, 1, axis=0)[1]", "partition(a, kth=[0, 2], axis=None)[2]",
    "partition(a, 99)", "partition(a, 1, kind='introselect')[..., 1]", "partition(a, 1, order='x')")  # fmt: skip
row("argpartition", "1 2", "take_along_axis(a, argpartition(a, 1), -1)[..., 1]", "argpartition(a, 1, axis=0).shape",
    "a.ravel()[argpartition(a, kth=[0, 2], axis=None)[2]]", "argpartition(a, 99)", "argpartition(a, 1, kind='introselect').shape",
    "argpartition(a, 1, order='x')")  # fmt: skip
row(
    "lexsort",
    "1 2",
    "lexsort((a, b))",
    "lexsort(keys=(a, b), axis=0)",
    "lexsort(a)",
    "lexsort(())",
    "lexsort((a, [1]))",
)
row("sort_complex", "1 2", "sort_complex(a)")
row("searchsorted", "1", "searchsorted(sort(a), v)", "searchsorted(sort(a), v, side='right')", "searchsorted(a, v, sorter=argsort(a, kind='stable'))",
    "searchsorted(sort(a), 3)", "searchsorted(v[:, None], a)", "searchsorted(v, a, side='middle')")  # fmt: skip
row("digitize", "0 1 2", "digitize(a, [0, 1, 2])", "digitize(a, bins=[2, 1, 0], right=True)", "digitize(a, [0, 2, 1])")

# ---- sets
row("unique", "0 1 2", "unique(a)", "unique(a, return_index=True, return_inverse=True, return_counts=True)", "unique(a, axis=0)",
    "unique(ar=a, axis=-1, return_inverse=True)", "unique(a, equal_nan=False)", "unique(a, sorted=True)", "unique(a, axis=7)")  # fmt: skip
for _name in ("unique_all", "unique_counts", "unique_inverse", "unique_values"):
    row(_name, "0 1 2", f"sort({_name}(a))" if _name == "unique_values" else f"{_name}(a)")
for _name in ("intersect1d", "setdiff1d", "setxor1d", "union1d"):
    row(_name, "1 2", f"{_name}(a, b)", f"{_name}(ar1=a, ar2=v)")
    if _name != "union1d":
        row(_name, "1", f"{_name}(unique(a), unique(b), assume_unique=True)")
row("intersect1d", "1 2", "intersect1d(a, b, return_indices=True)")
row("isin", "0 1 2", "isin(a, b)", "isin(a, v, invert=True)", "isin(element=a, test_elements=[1, 2], assume_unique=False)",
    "isin(a, v, kind='sort')", "isin(a, v, kind='table')")  # fmt: skip

# ---- look-ups
row("take", _TWO, "take(a, k)", "take(a, k, axis=-1)", "take(a, indices=[[0, 1]], axis=0)", "take(a, [7, -9], mode='wrap', axis=0)",
    "take(a, [7, -9], axis=0, mode='clip')", "take(a, 99)", "take(a, k, axis=-1, out=new(take(a, k, axis=-1)))", "take(a, [1.5])")  # fmt: skip
row("take_along_axis", "1 2", "take_along_axis(a, argsort(a, axis=0, kind='stable'), axis=0)", "take_along_axis(a, argsort(a, axis=-1, kind='stable'))",
    "take_along_axis(a, k, None)", "take_along_axis(arr=a, indices=a, axis=0)")  # fmt: skip
row("put_along_axis", "1 2", "put_along_axis(b, argsort(a, axis=0, kind='stable')[:1], 9, axis=0)", "put_along_axis(b, k, values=5, axis=None)",
    "put_along_axis(arr=b, indices=k, values=1, axis=0)")  # fmt: skip
row("where", "0 1 2", "where(m, a, b)", "where(m, a, 3)", "where(m)", "where(a, 1, 2.5)", "where(m, a)")
row("nonzero", "0 1 2 3", "nonzero(a)")
row("flatnonzero", "0 1 2 3", "flatnonzero(a)")
row("argwhere", "0 1 2 3", "argwhere(a)")
row("compress", _TWO, "compress([True, False, True], a)", "compress([1, 0], a, axis=0)", "compress(condition=m.ravel()[:2], a=a, axis=-1)",
    "compress([True, True], a, axis=0, out=new(compress([True, True], a, axis=0)))", "compress([[True]], a)")  # fmt: skip
row("extract", "1 2", "extract(m, a)", "extract(condition=a, arr=b)")
row("choose", "0 1 2", "choose(m.astype(int), [a, b])", "choose(m, (a, 3))", "choose(a, [b, a], mode='wrap')",
    "choose(a=m, choices=[a, b], out=new(b), mode='clip')", "choose(a, [b, a])")  # fmt: skip
row("select", "0 1 2", "select([m, a > 1], [a, b])", "select([a > 2, m], [a, 3], default=7)", "select([m], [a, b])", "select([a], [b])",
    "select(condlist=[m], choicelist=[1.5], default=a)", "select([], [])")  # fmt: skip
row("piecewise", "0 1 2", "piecewise(a, [a < 0, a >= 0], [lambda x: -x, lambda x: x * 2])", "piecewise(a, a > 1, [5, 7])",
    "piecewise(a, [m], [lambda x, s, t: x * s + t, 3], 2, t=1)", "piecewise(x=a, condlist=[m, m], funclist=[1])",
    types=[t for t in _NUMBERS if t not in ("u2", "u8")])  # fmt: skip
row("copyto", "0 1 2", "copyto(b, a)", "copyto(b, 3, where=m)", "copyto(dst=b, src=a, casting='same_kind')", "copyto(b, 1.5, casting='no')",
    "copyto(b, a.astype('c16'))", "copyto(b, [[1]], where=[True])")  # fmt: skip
row(
    "putmask",
    "0 1 2",
    "putmask(b, m, a)",
    "putmask(b, mask=m, values=[1, 2])",
    "putmask(b, m, 7)",
    "putmask(b, [True], 3)",
)
row("place", "1 2", "place(b, m, a)", "place(arr=b, mask=m, vals=[1, 2])", "place(b, m, [])")
row("put", "1 2", "put(b, k, a)", "put(b, [0, -1], [7, 8])", "put(a=b, ind=[9], v=1, mode='wrap')", "put(b, [99], 1, mode='clip')",
    "put(b, 99, 1)")  # fmt: skip
row(
    "fill_diagonal",
    "1 2 s 3",
    "fill_diagonal(b, 7)",
    "fill_diagonal(b, [1, 2], wrap=True)",
    "fill_diagonal(a=b.T.copy(), val=3, wrap=True)",
)
row(
    "diagonal",
    _TWO,
    "diagonal(a)",
    "diagonal(a, offset=1)",
    "diagonal(a, -1, axis1=1, axis2=0)",
    "diagonal(a, axis1=0, axis2=0)",
)
row("trace", _TWO, "trace(a)", "trace(a, offset=1)", "trace(a, 0, axis1=-1, axis2=0, dtype='f8')", "trace(a, out=new(trace(a)))",
    rtol=_SUMS)  # fmt: skip

# ---- functions of functions
row("apply_along_axis", "1 2 3", "apply_along_axis(lambda x: x.max(), 0, a)", "apply_along_axis(lambda x: x[::-1], -1, a)",
    "apply_along_axis(lambda x: x, 9, a)",
    "apply_along_axis(lambda x, n: x[:n], 0, a, 2)", "apply_along_axis(lambda x, n: x[:n], 0, a, n=1)")  # fmt: skip
row(
    "apply_over_axes", "1 2 3", "apply_over_axes(sum, a, 0)", "apply_over_axes(func=max, a=a, axes=[0, -1])", rtol=_SUMS
)
