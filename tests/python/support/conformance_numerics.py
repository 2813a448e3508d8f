"""Calls of numerical functions: interpolation, windows, polynomials, histograms, text."""

from conformance import REAL, TYPES, row

_SIGNED = ("i1", "i8", "f4", "f8", "c16")
_ONE = {"types": ("f8",), "plain": True}

# ---- lines
row("convolve", "0 1 2", "convolve(a, w)", "convolve(w, a, 'same')", "convolve(a, v=v, mode='valid')", "convolve(a, b, 'other')",
    "convolve(a, a)", "convolve(a, [])", rtol=1e-13)  # fmt: skip
row("correlate", "0 1 2", "correlate(a, w)", "correlate(w, a, 'same')", "correlate(a, v=v, mode='full')", "correlate(v, a, 'full')",
    "correlate(a, [])", rtol=1e-13)  # fmt: skip
row(
    "convolve",
    "1",
    "convolve(tile(a, 300), tile(b, 20))",
    "convolve(tile(a, 300), tile(b, 200), 'same')",
    types=("i8", "f4", "f8", "c16"),
    rtol=1e-12,
    plain=True,
)
row(
    "convolve", "1", "convolve(a, w / 0)", "convolve(tile(a, 40), tile(v, 10))", types=("f8",), special=True, rtol=1e-13
)
row("interp", "0 1 2", "interp(a, [0, 1, 2], [5.0, 6.0, 9.0])", "interp(a, sort(v), v)", "interp(a, [0, 1, 2], [1j, 2, 3])",
    "interp(x=a, xp=[0, 1], fp=[1, 2], left=-1, right=9)", "interp(a, v, v, period=3)", "interp(a, [1], [2])", "interp(a, [], [])",
    "interp(a, [1, 2], [1])", "interp(a, [0, 1, 1, 2], [0, 1, 2, 3])", "interp(a, [[1]], [[2]])", "interp(a, [0, 1], [1, 2], period=0)",
    "interp(a, [0, 1, np.inf], [1, np.inf, 2])", rtol=1e-13, special=True)  # fmt: skip
row("unwrap", "1 2 3", "unwrap(a * 3)", "unwrap(a, axis=0, period=4)", "unwrap(p=a, discont=3, axis=-1)", "unwrap(a, axis=7)",
    "unwrap(a, period=3)", types=_SIGNED, rtol=1e-13)  # fmt: skip
row("gradient", "0 1 2 3", "gradient(a)", "gradient(a, 2.0)", "gradient(a, axis=0)", "gradient(a, axis=(0, -1), edge_order=2)",
    "gradient(a, 2, axis=-1, edge_order=2)", "gradient(a, cumsum(arange(a.shape[0]) + 1), axis=0)",
    "gradient(a, cumsum(arange(a.shape[0]) + 1.0), axis=0, edge_order=2)", "gradient(a, 1, 2, 3, 4)", "gradient(a, edge_order=3)",
    "gradient(a, [1, 2], axis=0)", types=[t for t in TYPES if t != "?"], rtol=1e-13)  # fmt: skip
row("trapezoid", "1 2 3", "trapezoid(a)", "trapezoid(a, dx=2, axis=0)", "trapezoid(y=a, x=arange(a.shape[-1]) ** 2)", "trapezoid(a, b)",
    "trapezoid(a, axis=7)", types=[t for t in TYPES if t != "?"], rtol=1e-13)  # fmt: skip
row(
    "ediff1d",
    "0 1 2",
    "ediff1d(a)",
    "ediff1d(a, to_end=1)",
    "ediff1d(a, [1, 2], to_begin=b)",
    "ediff1d(ary=a, to_end=1.5)",
)
for _name in ("bartlett", "blackman", "hamming", "hanning"):
    row(_name, "1", f"{_name}(12)", f"{_name}(M=5)", f"{_name}(1)", f"{_name}(0)", f"{_name}(2.5)", rtol=1e-14, **_ONE)
row(
    "kaiser",
    "1",
    "kaiser(12, 14)",
    "kaiser(M=5, beta=0.5)",
    "kaiser(1, 2)",
    "kaiser(0, 2)",
    "kaiser(9, 0)",
    rtol=1e-13,
    **_ONE,
)

# ---- moments
row("cov", "1 2", "cov(a)", "cov(a, b)", "cov(a, rowvar=False)", "cov(m=a, bias=True)", "cov(a, ddof=2)", "cov(a, dtype='f4')",
    "cov(a, fweights=arange(1, 1 + a.shape[-1]))", "cov(a, y=b, aweights=arange(1, 1 + a.shape[-1]) * 0.5, ddof=0)",
    "cov(a, fweights=[1.5])", "cov(a, ddof=1.5)", "cov(a[None, None])", rtol=1e-12)  # fmt: skip
row("corrcoef", "1 2", "corrcoef(a)", "corrcoef(a, b)", "corrcoef(x=a, y=b, rowvar=False, dtype='f8')", rtol=1e-12)

# ---- counts
row("bincount", "1 2", "bincount(a)", "bincount(a, minlength=9)", "bincount(a, weights=b)",
    "bincount(a, minlength=-1)", "bincount(a, v)", types=("?", "i1", "u2", "i8", "f8"), values="positive")  # fmt: skip
_RULES = ("auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt")
row("histogram", "0 1 2", "histogram(a)", "histogram(a, 4, (0, 3))", "histogram(a, bins=[0, 1, 2, 4], density=True)",
    "histogram(a, range=(-1, 5), weights=b)", "histogram(a, bins=[0, 1, 3], weights=b)", "histogram(a, 0)", "histogram(a, 3, (2, 1))",
    *(f"histogram(a, '{r}')" for r in _RULES), "histogram(a, 'rule')", "histogram(a, [2, 1])", types=REAL, rtol=1e-13)  # fmt: skip
row("histogram_bin_edges", "0 1 2", "histogram_bin_edges(a)", "histogram_bin_edges(a, 4, range=(0, 3), weights=b)",
    *(f"histogram_bin_edges(a, bins='{r}')" for r in _RULES), types=REAL, rtol=1e-13)  # fmt: skip
row("histogram2d", "1", "histogram2d(a, b)", "histogram2d(a, b, bins=[3, 2], range=[[0, 2], [0, 3]])", "histogram2d(x=a, y=b, density=True)",
    "histogram2d(a, b, [0, 1, 2, 3], weights=abs(b))", "histogram2d(a, v)", types=REAL, rtol=1e-13)  # fmt: skip
row("histogramdd", "2", "histogramdd(a)", "histogramdd(a, bins=3, density=True)", "histogramdd(sample=[a[:, 0], a[:, 1]], bins=[2, [0, 1, 2]])",
    "histogramdd(a[:, :2], 2, range=[(0, 1), None], weights=abs(b[:, 0]))", "histogramdd(a, [2])", "histogramdd(a, 0)", types=("i8", "f4", "f8"), rtol=1e-13)  # fmt: skip

# ---- polynomials
row("poly", "0 1 2 s", "poly(a)", "poly(seq_of_zeros=w)", "poly([])", rtol=1e-9)
row("roots", "1", "sort_complex(roots(w))", "roots(p=[0, 0])", "roots([1, -3, 2, 0, 0])", "roots([[1, 2]])", rtol=1e-9, values="positive",
    types=("i8", "f4", "f8"), plain=True)  # fmt: skip
row(
    "polyval",
    "0 1 2",
    "polyval(w, a)",
    "polyval(p=[1, 2, 3], x=a)",
    "polyval(w, poly1d([1, 2]))",
    "polyval([], a)",
    rtol=1e-13,
)
for _name in ("polyadd", "polysub", "polymul"):
    row(
        _name,
        "0 1",
        f"{_name}(a, w)",
        f"{_name}(a1=w, a2=a)",
        f"{_name}(poly1d([1, 2]), w)",
        f"{_name}(w, 3)",
        rtol=1e-13,
    )
row("polydiv", "1", "polydiv(a, w)", "polydiv(u=w, v=a)", "polydiv(poly1d([1, 2, 3]), w)", types=("i8", "f4", "f8", "c16"), rtol=1e-12,
    values="positive")  # fmt: skip
row("polyder", "1", "polyder(a)", "polyder(p=a, m=2)", "polyder(poly1d([1, 2, 3]))", "polyder(a, -1)", "polyder(a, 0)")
row("polyint", "1", "polyint(a)", "polyint(p=a, m=2, k=[1, 2])", "polyint(poly1d([1, 2, 3]))", "polyint(a, -1)", "polyint(a, 2, 3)",
    "polyint(a, 3, [1, 2])", rtol=1e-14)  # fmt: skip
row("polyfit", "1", "polyfit(arange(6), a, 2)", "polyfit(x=arange(6.0), y=stack([a, b], -1), deg=1, rcond=1e-9)", "polyfit(arange(6), a, 1, full=True)[0]",
    "polyfit(arange(6), a, 1, w=[1, 2, 3, 4, 5, 6])", "polyfit(arange(6), a, 2, cov=True)", "polyfit(arange(6), a, 2, cov='unscaled')",
    "polyfit(arange(6), a, -1)", "polyfit([], [], 1)", "polyfit(arange(5), a, 1)", rtol=1e-9, plain=True, types=("i8", "f4", "f8", "c16"))  # fmt: skip

# ---- text
for _name, _first in (("array2string", "a"), ("array_repr", "arr"), ("array_str", "a")):
    row(_name, "0 1 2 3", f"{_name}(a)", f"{_name}({_first}=a, max_line_width=20, precision=2, suppress_small=True)",
        f"{_name}(arange(2000))", types=(*TYPES, "M8[s]"))  # fmt: skip
row("array2string", "1 2", "array2string(a, separator=',', prefix='xx', suffix='y')", "array2string(a, threshold=2, edgeitems=1)",
    "array2string(a, formatter={'all': lambda x: 'z'}, sign='+', floatmode='fixed')", "array2string(a, legacy='1.13')")  # fmt: skip
row("get_printoptions", "1", "get_printoptions()['precision']", **_ONE)
row(
    "printoptions",
    "1",
    "printoptions(precision=2).__enter__()['precision']",
    "printoptions(3).__enter__()['precision']",
    "set_printoptions(precision=8)",
    **_ONE,
)
row("set_printoptions", "1", *(f"set_printoptions({k})" for k in (
    "precision=8", "threshold=1000", "edgeitems=3", "linewidth=75", "suppress=False", "nanstr='nan'", "infstr='inf'", "formatter=None",
    "sign='-'", "floatmode='maxprec'", "legacy=False", "override_repr=None")), **_ONE)  # fmt: skip
row("format_float_positional", "1", "format_float_positional(a.sum())", "format_float_positional(x=1.5, precision=3, unique=False, fractional=True, trim='k')",
    "format_float_positional(1.5, sign=True, pad_left=4, pad_right=3, min_digits=2)", **_ONE)  # fmt: skip
row("format_float_scientific", "1", "format_float_scientific(a.sum())", "format_float_scientific(x=1.5, precision=3, unique=False, trim='k')",
    "format_float_scientific(1.5, sign=True, pad_left=4, exp_digits=3, min_digits=2)", **_ONE)  # fmt: skip
row("datetime_as_string", "0 1 2", "datetime_as_string(a)", "datetime_as_string(arr=a, unit='D', timezone='UTC', casting='unsafe')",
    types=("M8[s]", "f8"))  # fmt: skip

# ---- files
_FILE = "__import__('io').StringIO()"
row("loadtxt", "1", "loadtxt(['1 2', '3 4'])", "loadtxt(fname=['# x', '1,2', '3,4'], dtype=int, comments='#', delimiter=',', unpack=True)",
    "loadtxt(['h', '1 2', '3 4'], skiprows=1, usecols=1, ndmin=2, max_rows=1)", "loadtxt(['1'], converters=float, encoding='utf8')",
    "loadtxt(['\"1\" 2'], quotechar='\"')", "loadtxt(['1 2'], like=a)", "loadtxt(['x'])", **_ONE)  # fmt: skip
row("genfromtxt", "1", "genfromtxt(['1,2', '3,'], delimiter=',')", "genfromtxt(fname=['h', '1 2', '3 x', 'f'], skip_header=1, skip_footer=1, filling_values=7)",
    "genfromtxt(['1 2'], dtype=int, comments='#', usecols=0, unpack=True, max_rows=1, encoding='utf8', ndmin=2)",
    "genfromtxt(['1;2'], delimiter=';', converters={0: lambda s: 5.0}, missing_values='x', autostrip=True, loose=True, invalid_raise=True, like=a)",
    "genfromtxt(['1 2'], names=None, excludelist=None, deletechars='', replace_space='_', case_sensitive=True, defaultfmt='f%i', usemask=False)",
    **_ONE)  # fmt: skip
row("savetxt", "0 1 2 3", f"(lambda f: (savetxt(f, a, fmt='%.4f'), f.getvalue()))({_FILE})",
    f"(lambda f: (savetxt(fname=f, X=a, fmt='%.2e', delimiter=',', newline=';', header='h', footer='f', comments='!', encoding='utf8'), f.getvalue()))({_FILE})",
    types=("i8", "f8"))  # fmt: skip
row(
    "fromstring",
    "1",
    "fromstring('1 2 3', sep=' ')",
    "fromstring(string='1,2,3', dtype=int, count=2, sep=',', like=a)",
    **_ONE,
)
_TEMPORARY = "(lambda f: (f.write(bytes(range(32))), f.seek(0), {}))(__import__('tempfile').TemporaryFile())[2]"
row("fromfile", "1", _TEMPORARY.format("fromfile(f)"), _TEMPORARY.format("fromfile(file=f, dtype='i2', count=3, offset=4, like=a)"),
    _TEMPORARY.format("fromfile(f, 'u1', 99)"), "fromfile(__import__('conformance').text_file('1 2 3'), int, sep=' ')",
    "fromfile('/no/such/file')", **_ONE)  # fmt: skip
_BYTES = "(lambda f: ({}, f.seek(0), {}))(__import__('io').BytesIO())[2]"
row(
    "save",
    "0 1 2 3",
    _BYTES.format("save(f, a)", "f.read()[:6]"),
    _BYTES.format("save(file=f, arr=a, allow_pickle=False)", "load(f)"),
)
row("load", "0 1 2 3", _BYTES.format("save(f, a)", "load(f)"), _BYTES.format("save(f, a)", "load(file=f, mmap_mode=None, allow_pickle=False, max_header_size=9999)"),
    _BYTES.format("save(f, a)", "load(f, fix_imports=True, encoding='ASCII')"))  # fmt: skip
for _name in ("savez", "savez_compressed"):
    row(_name, "0 1 2", _BYTES.format(f"{_name}(f, a, x=b)", "(lambda z: (z['arr_0'], z['x']))(load(f))"), _BYTES.format(f"{_name}(file=f, y=a, allow_pickle=False)", "load(f)['y']"))  # fmt: skip
