"""Calls of products of matrices and tensors, and of related functions."""

import numpy as np
from conformance import REAL, row

_R = 1e-13
_TYPES = (*REAL[1:], "c16")

row(
    "dot",
    "0 1 2 s",
    "dot(a, a)",
    "dot(a, b.T)",
    "dot(a, b.T, out=new(dot(a, b.T)))",
    "dot(a, 2)",
    "dot(a, v)",
    types=_TYPES,
    rtol=_R,
)
row("vdot", "0 1 2", "vdot(a, b)", "vdot(a, v)", types=_TYPES, rtol=_R)
row("inner", "0 1 2", "inner(a, b)", "inner(a, v)", types=_TYPES, rtol=_R)
row("outer", "0 1 2", "outer(a, w)", "outer(a, b)", "outer(a, w, out=new(outer(a, w)))", types=_TYPES, rtol=_R)
row("kron", "0 1 2", "kron(a, w)", "kron(a, b)", types=_TYPES, rtol=_R)
row("matmul", "0 1 2 3 s", "matmul(a, a)", "matmul(a, swapaxes(b, -1, -2))", "matmul(a, b.T, out=new(matmul(a, b.T)))", "matmul(a, v)",
    "matmul(a, b.T, dtype='f8')", "matmul(a, b.T, casting='same_kind', order='C', subok=True)", types=_TYPES, rtol=_R)  # fmt: skip
row(
    "matmul",
    "s 3",
    "matmul(a, swapaxes(b, -1, -2), axes=[(-2, -1), (-2, -1), (-1, -2)])",
    "matmul(a, swapaxes(b, -1, -2), axis=0)",
    types=("f8",),
    rtol=_R,
)
row("vecdot", "0 1 2 3", "vecdot(a, b)", "vecdot(a, b, axis=0)", "vecdot(a, b, out=new(vecdot(a, b)))", "vecdot(a, v)",
    "vecdot(a, b, dtype='f8')", types=_TYPES, rtol=_R)  # fmt: skip
row(
    "matvec",
    "1 2 3",
    "matvec(a, b[..., 0, :])",
    "matvec(a, v)",
    "matvec(a, b[..., 0, :], out=new(matvec(a, b[..., 0, :])))",
    types=_TYPES,
    rtol=_R,
)
row(
    "vecmat",
    "1 2 3",
    "vecmat(b[..., 0], a)",
    "vecmat(v, a)",
    "vecmat(b[..., 0], a, out=new(vecmat(b[..., 0], a)))",
    types=_TYPES,
    rtol=_R,
)
_SIGNED = {"matmul": "a, b.T", "matvec": "a, v[:a.shape[-1]]", "vecmat": "v[:a.shape[-2]], a", "vecdot": "a, b"}
for _name, _given in _SIGNED.items():
    row(_name, "2 3", f"{_name}({_given}, signature='dd->d')", f"{_name}({_given}, signature='ff->f', casting='unsafe')",
        f"{_name}({_given}, signature=('l', None, None), casting='unsafe')", f"{_name}({_given}, signature='dd')",
        f"{_name}({_given}, signature='dd->d', dtype='d')", types=("i4", "f4", "f8"), rtol=2e-6)  # fmt: skip
    row(_name, "2", f"{_name}({_given}, axis=0)", f"{_name}({_given}, keepdims=True)", types=("f8",), rtol=_R)
row("tensordot", "1 2 3", "tensordot(a, b.T, 1)", "tensordot(a, b, axes=([0], [0]))", "tensordot(a, b, a.ndim)", "tensordot(a, v)",
    types=_TYPES, rtol=_R)  # fmt: skip
row("einsum", "2", "einsum('ij,kj->ik', a, b)", "einsum('ij->j', a)", "einsum(a, [0, 1], b, [0, 1], [1])", "einsum('ij,ij', a, b, optimize=True)",
    "einsum('ij->ji', a)", "einsum('ij,kj->ik', a, b, out=new(einsum('ij,kj->ik', a, b)))", "einsum('ij,jk', a, b)", "einsum('i', a)",
    "einsum('ij,ij->ij', a, b, dtype='f8', casting='unsafe', order='C')", types=_TYPES, rtol=_R)  # fmt: skip
row(
    "einsum_path",
    "2",
    "einsum_path('ij,kj->ik', a, b)[0]",
    "einsum_path('ij,kj,kl->il', a, b, a, optimize='greedy', einsum_call=False)[0]",
    types=("f8",),
)
row("cross", "1", "cross(w, w)", "cross(w, stack([w, w]))", "cross(stack([w, w]), w, axisa=-1, axisb=0, axisc=0)", "cross(w, v)",
    "cross(stack([w, w], -1), stack([w, w * w], -1), axis=0)", types=_TYPES, plain=True, rtol=_R)  # fmt: skip
if hasattr(np, "row_stack"):
    row("row_stack", "0 1 2", "row_stack((a, b))", "row_stack((a, b), dtype='f8', casting='unsafe')")
