"""Calls on dates and durations."""

from conformance import row

_DATES, _SPANS = ("M8[s]", "M8[D]"), ("m8[s]", "m8[ms]")
_BOTH = (*_DATES, *_SPANS)

for _name, _calls in {
    "all": ("all(a)",),
    "any": ("any(a, axis=0)",),
    "append": ("append(a, b)",),
    "argmax": ("argmax(a)", "argmax(a, axis=0)"),
    "argmin": ("argmin(a)",),
    "argsort": ("argsort(a, axis=0, kind='stable')",),
    "array_equal": ("array_equal(a, a)", "array_equal(a, b, equal_nan=True)"),
    "average": ("average(a)",),
    "block": ("block([[a, b], [b, a]])",),
    "broadcast_to": ("broadcast_to(a, (2,) + a.shape)",),
    "choose": ("choose(m.astype(int), [a, b])",),
    "clip": ("clip(a, b, b)",),
    "compress": ("compress([True, False], a, axis=0)",),
    "concatenate": ("concatenate((a, b))",),
    "copyto": ("copyto(b, a, where=m)",),
    "count_nonzero": ("count_nonzero(a, axis=0)",),
    "cumsum": ("cumsum(a, axis=0)",),
    "delete": ("delete(a, 1, axis=0)",),
    "diag": ("diag(a)",),
    "diff": ("diff(a)", "diff(a, n=2, axis=0)"),
    "digitize": ("digitize(a, sort(v))",),
    "ediff1d": ("ediff1d(a)",),
    "extract": ("extract(m, a)",),
    "fill_diagonal": ("fill_diagonal(b, b.ravel()[0])",),
    "flip": ("flip(a)",),
    "full_like": ("full_like(a, a.ravel()[0])",),
    "gradient": ("gradient(a)", "gradient(a, axis=0, edge_order=2)"),
    "histogram": ("histogram(a, sort(v))",),
    "insert": ("insert(a, 1, b.ravel()[0])",),
    "intersect1d": ("intersect1d(a, b)",),
    "isfinite": ("isfinite(a)",),
    "isin": ("isin(a, b)",),
    "isnat": ("isnat(a)",),
    "lexsort": ("lexsort((a, b))",),
    "linspace": ("linspace(a[0], b[0], 3)",),
    "max": ("max(a)", "max(a, axis=0)"),
    "maximum": ("maximum(a, b)",),
    "mean": ("mean(a)", "mean(a, axis=0)"),
    "median": ("median(a)", "median(a, axis=0)"),
    "meshgrid": ("meshgrid(a, v)",),
    "min": ("min(a)",),
    "nan_to_num": ("nan_to_num(a)",),
    "nanmax": ("nanmax(a)", "nanmax(a, axis=0)"),
    "nanmedian": ("nanmedian(a, axis=0)",),
    "nonzero": ("nonzero(a)",),
    "pad": ("pad(a, 2, 'edge')", "pad(a, 2, 'reflect')"),
    "percentile": ("percentile(a, 30)",),
    "piecewise": ("piecewise(a, [m], [b.ravel()[0], a.ravel()[0]])",),
    "place": ("place(b, m, a)",),
    "ptp": ("ptp(a)", "ptp(a, axis=0)"),
    "put": ("put(b, k, a)",),
    "quantile": ("quantile(a, 0.3)", "quantile(a, [0.2, 0.7], axis=0)", "quantile(a, 0.5, method='lower')"),
    "repeat": ("repeat(a, 2)",),
    "resize": ("resize(a, (2, 5))",),
    "roll": ("roll(a, 2)",),
    "rot90": ("rot90(a)",),
    "searchsorted": ("searchsorted(sort(v), a)",),
    "select": ("select([m], [a], default=b)",),
    "setdiff1d": ("setdiff1d(a, b)",),
    "sort": ("sort(a)", "sort(a, axis=0)"),
    "stack": ("stack((a, b))",),
    "std": ("std(a)",),
    "subtract": ("subtract(a, b)", "subtract(a, np.timedelta64(1, 's'))"),
    "sum": ("sum(a)", "sum(a, axis=0)"),
    "take": ("take(a, k, mode='wrap')",),
    "take_along_axis": ("take_along_axis(a, argsort(a, axis=0, kind='stable'), axis=0)",),
    "tile": ("tile(a, 2)",),
    "trapezoid": ("trapezoid(a)",),
    "tril": ("tril(a)",),
    "trim_zeros": ("trim_zeros(a)",),
    "union1d": ("union1d(a, b)",),
    "unique": ("unique(a)", "unique(a, return_index=True, return_inverse=True, return_counts=True)"),
    "unwrap": ("unwrap(a)",),
    "where": ("where(m, a, b)",),
    "zeros_like": ("zeros_like(a)",),
}.items():
    row(_name, "1 2", *_calls, types=_BOTH, rtol=1e-15)
row(
    "arange",
    "1",
    "arange(np.datetime64('2001-01-01'), np.datetime64('2001-02-01'), 7)",
    "arange(np.timedelta64(3, 's'))",
    types=("f8",),
)
row("divide", "1 2", "divide(a, b)", "divide(a, 2)", "divide(a, 2.5)", types=_SPANS)
row("multiply", "1 2", "multiply(a, 3)", "multiply(a, 0.5)", types=_SPANS)
row("floor_divide", "1 2", "floor_divide(a, b)", "floor_divide(a, 3)", types=_SPANS)
row("remainder", "1 2", "remainder(a, b)", types=_SPANS)
row("divmod", "1 2", "divmod(a, b)", types=_SPANS)
row(
    "astype",
    "1 2",
    "astype(a, 'M8[ms]')",
    "astype(a, 'M8[h]')",
    "astype(a, 'M8[M]')",
    "astype(a, 'M8[Y]')",
    "astype(a, 'i8')",
    types=_DATES,
)
row("absolute", "1 2", "absolute(a)", types=_SPANS)
row("negative", "1 2", "negative(a)", types=_SPANS)
row("sign", "1 2", "sign(a)", types=_SPANS)
