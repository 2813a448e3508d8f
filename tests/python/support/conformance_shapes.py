"""Calls that create, reshape, join and split arrays."""

from conformance import REAL, TYPES, row

_ONE = {"types": ("f8",), "plain": True}
_ALL = "0 1 2 3"

row("empty", "1", "zeros_like(empty(3))", "zeros_like(empty((2, 3), dtype='f4', order='F'))", "empty(2, device='cpu').shape",
    "empty(3, int, like=a).dtype", **_ONE)  # fmt: skip
for _name in ("zeros", "ones"):
    row(_name, "1", f"{_name}(3)", f"{_name}((2, 3), int)", f"{_name}(shape=(2, 3), dtype='c8', order='F')",
        f"{_name}(2, device='cpu')", f"{_name}(2, like=a)", f"{_name}(-1)", f"{_name}(1.5)", f"{_name}(())", **_ONE)  # fmt: skip
row("full", "1", "full(3, 7)", "full((2, 3), 1.5, dtype='f4', order='F')", "full(2, [1, 2])", "full(2, 1j, device='cpu')",
    "full(2, fill_value=1, like=a)", "full((), True)", "full((2, 3), [1, 2])", **_ONE)  # fmt: skip
for _name, _more in (("empty_like", ""), ("zeros_like", ""), ("ones_like", ""), ("full_like", ", 3")):
    _wrap = "(lambda x: (x.shape, x.dtype, x.strides, (x != x).all()))" if _name == "empty_like" else ""
    row(_name, _ALL, f"{_wrap}({_name}(a{_more}))" if not _wrap else f"{_name}(a).shape",
        f"{_name}(a{_more}, dtype='f4').dtype", f"{_name}(a{_more}, order='F', subok=False).flags.f_contiguous",
        f"{_name}(a{_more}, shape=(2, 2)).shape", f"{_name}(a{_more}, device='cpu').shape", f"{_name}(a{_more}).strides if a.size else 0")  # fmt: skip
for _name in ("array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray"):
    row(
        _name,
        _ALL,
        f"{_name}(a)",
        f"{_name}(a, dtype='f8')",
        f"{_name}([1, 2.5])",
        f"{_name}(3)",
        f"{_name}(a, like=b)",
    )
row("array", _ALL, "array(a, copy=None, order='F').strides if a.size else 0", "array(a, ndmin=3)", "array(a, subok=True)",
    "array([[1, 2], [3, 4]], ndmax=2)", "array([[1], [2, 3]])")  # fmt: skip
for _name in ("asarray", "asanyarray"):
    row(_name, _ALL, f"{_name}(a, order='F').flags.f_contiguous", f"{_name}(a, device='cpu')", f"{_name}(a, copy=True)",
        f"{_name}(a, copy=False)")  # fmt: skip
row("asarray_chkfinite", "0 1 2", "asarray_chkfinite(a)", "asarray_chkfinite(a, dtype='f4', order='F')", special=True)
row("require", _ALL, "require(a)", "require(a, dtype='f8', requirements='F').strides if a.size else 0", "require(a, requirements=['C', 'W'])",
    "require(a, None, ['O'], like=b)", "require(a, requirements='CF')")  # fmt: skip
row("copy", _ALL, "copy(a)", "copy(a, order='F').strides if a.size else 0", "copy(a, subok=True)")
row("isfortran", _ALL, "isfortran(a)")
row("astype", _ALL, "astype(a, 'f4')", "astype(a, a.dtype, copy=False)", "astype(a, 'f8', device='cpu')", types=REAL)
row("arange", "1", "arange(5)", "arange(2, 9)", "arange(2, 9, 3)", "arange(1.5)", "arange(1, 2, .25, dtype='f4')",
    "arange(5, 0, -1)", "arange(3, dtype='c8')", "arange(5, device='cpu')", "arange(3, like=a)", "arange(3, step=2)",
    "arange(1, stop=3)", "arange(0, 3, 0)", "arange(-5)", "arange('2001-01-01', '2001-01-05', dtype='M8[D]')", **_ONE)  # fmt: skip
row("linspace", "1 2", "linspace(0, 1, 5)", "linspace(2, 3)", "linspace(0, 1, num=4, endpoint=False)",
    "linspace(0, 9, 4, retstep=True)", "linspace(0, 9, 4, dtype=int)", "linspace(a, b, 3, axis=-1)", "linspace(a, 9, 3)",
    "linspace(0, 1, 3, device='cpu')", "linspace(0, 1, -1)", "linspace(0, 1, 1)", types=("i8", "f8", "c16"))  # fmt: skip
row("logspace", "1", "logspace(0, 2, 3)", "logspace(0, 1)", "logspace(0, 2, num=4, endpoint=False, base=2.0)",
    "logspace(0, 2, 3, dtype='f4')", "logspace(w, 1, 3, axis=-1)", rtol=1e-14, types=("f8",))  # fmt: skip
row("geomspace", "1", "geomspace(1, 1000, 4)", "geomspace(1, 256, num=9, endpoint=False)", "geomspace(1, 1000, 4, dtype=int)",
    "geomspace(-1, -1000, 4)", "geomspace(1j, 1000j, 4)", "geomspace(w, 50, 3, axis=-1)", "geomspace(0, 3)",
    rtol=1e-13, types=("i8", "f8"), values="positive")  # fmt: skip
row("eye", "1", "eye(3)", "eye(2, 3, 1)", "eye(3, M=2, k=-1, dtype='i4', order='F')", "eye(2, device='cpu')",
    "eye(N=2, like=a)", **_ONE)  # fmt: skip
row("identity", "1", "identity(3)", "identity(2, dtype='i4')", "identity(n=2, like=a)", **_ONE)
row("tri", "1", "tri(3)", "tri(3, 4, 1)", "tri(3, M=2, k=-1, dtype=int)", "tri(N=2, like=a)", **_ONE)
for _name in ("tril", "triu"):
    row(_name, "2 3", f"{_name}(a)", f"{_name}(a, k=1)", f"{_name}(a, -1)")
row("diag", "1 2", "diag(a)", "diag(a, k=1)", "diag(a, -2)", "diag(a[..., None, None])")
row("diagflat", "1 2", "diagflat(a)", "diagflat(a, k=1)")
row("vander", "1 2", "vander(a)", "vander(a, 3)", "vander(a, N=4, increasing=True)", "vander(a, 0)", rtol=1e-13)
row("meshgrid", "1", "meshgrid(a, v)", "meshgrid(a, v, indexing='ij')", "meshgrid(a, v, w, sparse=True, copy=False)", "meshgrid(a)",
    "meshgrid(a, v, indexing='x')")  # fmt: skip
row("indices", "1", "indices((2, 3))", "indices((2, 3), dtype='f4')", "indices(dimensions=(2, 3), sparse=True)", **_ONE)
row("fromfunction", "1", "fromfunction(lambda i, j: i + j, (2, 3))", "fromfunction(lambda i, n: i * n, (3,), dtype=int, n=2)",
    "fromfunction(lambda i: i, (3,), like=a)", **_ONE)  # fmt: skip
row(
    "fromiter",
    "1",
    "fromiter([1, 2, 3], float)",
    "fromiter(iter([1, 2]), dtype=int, count=2)",
    "fromiter([1], int, like=a)",
    **_ONE,
)
row("frombuffer", "1", "frombuffer(b'12345678')", "frombuffer(b'1234', dtype='u1', count=2, offset=1)",
    "frombuffer(b'1234', 'i2', like=a)", "frombuffer(b'123', 'i2')", **_ONE)  # fmt: skip
row("from_dlpack", _ALL, "from_dlpack(b)", "from_dlpack(b, copy=True)", "from_dlpack(b, device='cpu')",
    types=("i1", "i8", "f4", "f8", "c16"))  # fmt: skip

# ---- shapes
row("reshape", _ALL, "reshape(a, -1)", "reshape(a, (-1,), order='F')", "reshape(a, shape=a.shape[::-1], order='A')",
    "reshape(a, (5, 5))", "reshape(a, -1, copy=True)", "reshape(a, a.shape, copy=False)")  # fmt: skip
row("ravel", _ALL, *(f"ravel(a, order='{o}')" for o in "CFAK"), "ravel(a)")
row("resize", _ALL, "resize(a, (2, 5))", "resize(a, new_shape=3)", "resize(a, 0)", "resize(a, (-1,))")
row("transpose", _ALL, "transpose(a)", "transpose(a, axes=(1, 0))", "transpose(a, (1, 0, 2))")
row("permute_dims", _ALL, "permute_dims(a, axes=(1, 0))")
row("matrix_transpose", _ALL, "matrix_transpose(a)")
row("swapaxes", _ALL, "swapaxes(a, 0, -1)", "swapaxes(a, axis1=0, axis2=1)")
row("moveaxis", _ALL, "moveaxis(a, 0, -1)", "moveaxis(a, source=[0, 1], destination=[-1, 0])")
row("rollaxis", _ALL, "rollaxis(a, 1)", "rollaxis(a, axis=1, start=2)", "rollaxis(a, -1, 9)")
row("expand_dims", _ALL, "expand_dims(a, 0)", "expand_dims(a, axis=(0, -1))", "expand_dims(a, 9)")
row("squeeze", _ALL, "squeeze(a)", "squeeze(a[..., None], axis=-1)", "squeeze(a, axis=0)")
for _name in ("atleast_1d", "atleast_2d", "atleast_3d"):
    row(_name, _ALL, f"{_name}(a)", f"{_name}(a, w)", f"{_name}(3)")
row(
    "broadcast_to",
    _ALL,
    "broadcast_to(a, (2,) + a.shape)",
    "broadcast_to(a, shape=a.shape, subok=True)",
    "broadcast_to(a, 7)",
)
row(
    "broadcast_arrays",
    _ALL,
    "broadcast_arrays(a, a[None])",
    "broadcast_arrays(a, 3, subok=True)",
    "broadcast_arrays(a, zeros(7))",
)
row("broadcast_shapes", "1", "broadcast_shapes((2, 1), (3,))", "broadcast_shapes((2,), (3,))", **_ONE)
row("ndim", _ALL, "ndim(a)", "ndim([[1]])")
row("shape", _ALL, "shape(a)", "shape([[1]])")
row("size", _ALL, "size(a)", "size(a, axis=0)", "size([[1]])", "size(a, (0, 1))")
row("may_share_memory", _ALL, "may_share_memory(a, a[..., :1])", "may_share_memory(a, b, max_work=0)")
row("shares_memory", _ALL, "shares_memory(a, a)", "shares_memory(a, b, max_work=1)")

# ---- joins
for _name in ("concatenate", "concat"):
    row(_name, _ALL, f"{_name}((a, b))", f"{_name}([a, b], axis=-1)", f"{_name}((a, b), axis=None)",
        f"{_name}((a, b), out=new({_name}((a, b))))", f"{_name}((a, b), dtype='f8', casting='unsafe')", f"{_name}((a, w))",
        f"{_name}((a, b), dtype='i2')", f"{_name}(())")  # fmt: skip
row("stack", _ALL, "stack((a, b))", "stack([a, b], axis=-1)", "stack((a, b), out=new(stack((a, b))))",
    "stack((a, b), dtype='f8', casting='unsafe')", "stack((a, w))")  # fmt: skip
for _name in ("vstack", "hstack"):
    row(_name, _ALL, f"{_name}((a, b))", f"{_name}((a, b), dtype='f8', casting='unsafe')")
row("dstack", _ALL, "dstack((a, b))")
row("column_stack", _ALL, "column_stack((a, b))")
row("append", _ALL, "append(a, b)", "append(a, b, axis=0)", "append(a, [1, 2])", "append(a, w, axis=-1)")
row("block", _ALL, "block([a, b])", "block([[a, b], [b, a]])", "block(a)", "block([[a], b])", "block([])", "block((a, b))",
    "block([1, w])")  # fmt: skip
for _name in ("split", "array_split"):
    row(_name, "1 2 3", f"{_name}(a, 2)", f"{_name}(a, [1, 2], axis=-1)", f"{_name}(a, indices_or_sections=3, axis=0)",
        f"{_name}(a, 0)", f"{_name}(a, [5, 1, -1])")  # fmt: skip
for _name in ("hsplit", "vsplit", "dsplit"):
    row(_name, _ALL, f"{_name}(a, 2)", f"{_name}(a, [1])")
row("unstack", _ALL, "unstack(a)", "unstack(a, axis=-1)")

# ---- rearrangements
row("flip", _ALL, "flip(a)", "flip(a, axis=0)", "flip(a, (0, -1))")
row("flipud", _ALL, "flipud(a)")
row("fliplr", _ALL, "fliplr(a)")
row(
    "rot90",
    "1 2 3",
    "rot90(a)",
    "rot90(a, k=2)",
    "rot90(a, 3, axes=(1, 0))",
    "rot90(a, axes=(0, 0))",
    "rot90(a, axes=(0, 5))",
)
row("roll", _ALL, "roll(a, 2)", "roll(a, -1, axis=0)", "roll(a, shift=(1, 2), axis=(0, -1))")
row("repeat", _ALL, "repeat(a, 2)", "repeat(a, repeats=2, axis=-1)", "repeat(a, [1, 2, 3], axis=-1)", "repeat(a, -1)")
row("tile", _ALL, "tile(a, 2)", "tile(a, reps=(2, 1, 2))", "tile(a, 0)")
row("trim_zeros", "0 1 2", "trim_zeros(a * m)", "trim_zeros(a * m, trim='f')", "trim_zeros(a * m, 'b', axis=-1)", "trim_zeros(a * 0)",
    "trim_zeros(a, 'x')", "trim_zeros([0, 1, 0])")  # fmt: skip
row("insert", "1 2 3", "insert(a, 1, 3)", "insert(a, [0, 2, 2], 3, axis=-1)", "insert(a, obj=slice(0, 2), values=7, axis=0)",
    "insert(a, 1, b[0] if a.size else 0, axis=0)", "insert(a, [1], 9, axis=0)", "insert(a, -1, 2)", "insert(a, 99, 2)",
    "insert(a, np.array([True, False, True]), 5)", "insert(a, [], 5)", "insert(a, [[1]], 5)", "insert(a, 1, w)")  # fmt: skip
row("delete", "1 2 3", "delete(a, 1)", "delete(a, [0, 2], axis=-1)", "delete(a, obj=slice(0, 2), axis=0)", "delete(a, slice(None, None, -2))",
    "delete(a, slice(1, None, 2), 0)", "delete(a, -1)", "delete(a, 99)", "delete(a, np.arange(a.shape[0]) > 0, 0)", "delete(a, [])", "delete(a, [True])")  # fmt: skip

_FILLS = ("edge", "wrap", "reflect", "symmetric", "maximum", "minimum", "mean", "median", "linear_ramp", "empty")
row("pad", "1 2", "pad(a, 2)", "pad(a, (1, 2), mode='constant', constant_values=3)", "pad(a, 1, constant_values=(1, 2))",
    *(f"pad(a, pad_width=(2, 1), mode='{m}')" for m in _FILLS if m != "empty"), "pad(a, 2, mode='empty').shape",
    "pad(a, 9, 'reflect')", "pad(a, 9, 'symmetric')", "pad(a, 9, 'wrap')", "pad(a, {-1: (1, 2)}, 'edge')",
    "pad(a, 2, 'maximum', stat_length=2)", "pad(a, 2, 'mean', stat_length=(1, 2))",
    "pad(a, 2, 'nothing')", "pad(a, -1)", "pad(a, 1.5)", "pad(a, 1, 'edge', stat_length=3)", "pad(a, [[1, 2], [3, 4]])",
    rtol=1e-13)  # fmt: skip
row("pad", "1 2", "pad(a, 2, 'linear_ramp', end_values=(5, -4))", "pad(a, 11, 'reflect', reflect_type='odd')",
    "pad(a, 11, 'symmetric', reflect_type='odd')", "pad(a, 1, lambda v, w, i, k: v.__setitem__(slice(0, w[0]), k['x']), x=3)",
    types=[t for t in TYPES if t not in ("?", "u2", "u8")], rtol=1e-12)  # fmt: skip

# ---- grids
row("ix_", "1", "ix_(a.astype(int), k)", "ix_(m, k)", "ix_([], k)", "ix_([[1]])", "b[ix_(k)]")
row("unravel_index", "0 1 2", "unravel_index(abs(a.astype(int)), (4, 5))", "unravel_index(indices=k, shape=(2, 3), order='F')",
    "unravel_index(a, (90, 2))", "unravel_index(7, (2, 3))", "unravel_index(k, 3)", "unravel_index(k, (2, 3), 'x')")  # fmt: skip
row("ravel_multi_index", "1", "ravel_multi_index((k, k), (3, 4))", "ravel_multi_index((k, 1), dims=(3, 4), order='F')",
    "ravel_multi_index((k * 3, k - 5), (3, 4), mode='wrap')", "ravel_multi_index(multi_index=(k * 3, k), dims=(3, 4), mode=('clip', 'wrap'))",
    "ravel_multi_index((k, k), (2, 2))", "ravel_multi_index((k,), (2, 2))", "ravel_multi_index((1.5, 1), (2, 2))", "ravel_multi_index(arr([[0, 1], [1, 0]]), (2, 2))", **_ONE)  # fmt: skip
row("diag_indices", "1", "diag_indices(3)", "diag_indices(n=3, ndim=3)", **_ONE)
row("diag_indices_from", "1 2 s", "diag_indices_from(a)", "diag_indices_from(arr=a)")
for _name in ("tril_indices", "triu_indices"):
    row(_name, "1", f"{_name}(3)", f"{_name}(3, k=1)", f"{_name}(n=3, k=-1, m=4)", **_ONE)
    row(_name + "_from", "1 2", f"{_name}_from(a)", f"{_name}_from(arr=a, k=1)")
row("mask_indices", "1", "mask_indices(3, triu)", "mask_indices(n=3, mask_func=tril, k=-1)", **_ONE)
