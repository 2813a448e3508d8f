"""Keywords of products over core dimensions, and products of bool."""

from conformance import row

_FAR = 1e-12
_WAYS = ("dtype='f8'", "order='C'", "casting='safe'", "subok=False", "keepdims=True", "axis=0")
_CALLS = {
    "matmul": ("a, b", "[(1, 0), (0, 1), (0, 1)]"),
    "matvec": ("a, b[..., 0, :]", "[(0, 1), 0, 0]"),
    "vecmat": ("a[..., 0], b", "[0, (0, 1), 0]"),
    "vecdot": ("a, b", "[0, 0, ()]"),
}

for _name, (_operands, _axes) in _CALLS.items():
    ways = [f"{_name}({_operands}, {way})" for way in (*_WAYS, f"axes={_axes}")]
    row(_name, "s", f"{_name}({_operands})", *ways, rtol=_FAR)
row("dot", "0 1 s", "dot(a, b)", types=("?",))
row(
    "einsum",
    "s",
    "einsum('ij,jk->ik', a, b)",
    "einsum('ij->i', a)",
    "einsum('ij,ij->j', a, b)",
    types=("?", "c16"),
    rtol=_FAR,
)
row("einsum", "s", "einsum('ij,jk,kl->il', a, b, a, optimize=True)", "einsum('ij,jk->ik', a, b, order='F')", rtol=_FAR)
row(
    "cross",
    "2",
    "cross(a, b, axis=0)",
    "cross(a=a, b=b, axisa=0, axisb=0, axisc=0)",
    "cross(a, b)",
    rtol=_FAR,
    plain=True,
)
row("einsum", "s", "einsum('ii->i', a)", "einsum('ii', a)", plain=True, rtol=_FAR)
