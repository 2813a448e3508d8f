"""Calls of ufuncs and of functions composed of them."""

import numpy as np
from bascule._array.ufuncs import by_name, rows
from conformance import FLOATS, REAL, TYPES, row

_ACCURATE = 1e-13  # the error allowed for ops with a stated error; their own tests check the error itself
_POSITIVE = {
    "sqrt",
    "log",
    "log2",
    "log10",
    "log1p",
    "float_power",
    "power",
    "divide",
    "true_divide",
    "pow",
    "reciprocal",
}
_UNIT = {"arcsin", "arccos", "arctanh", "asin", "acos", "atanh"}
_INTEGER = {"left_shift", "right_shift", "gcd", "lcm"}


def _ufuncs():
    for name in sorted(n for n in np.__all__ if isinstance(getattr(np, n), np.ufunc)):
        op = rows.get(by_name[name].__name__) if name in by_name else None
        if op is None:
            continue
        given = "a" if op["nin"] == 1 else "a, b"
        values = "positive" if name in _POSITIVE | _INTEGER else "unit" if name in _UNIT else "any"
        exact = op["ulp64"] == 0 and op["ulp32"] == 0
        calls = [
            f"{name}({given})",
            f"{name}({given}, out=new({name}({given})))",
            f"{name}({given}, out=(new({name}({given})),), where=m)",
            f"{name}({given}, casting='same_kind')",
            f"{name}({given}, subok=True)",
        ]
        rtol = 0.0 if exact else _ACCURATE
        row(name, "0 1 2", *calls, rtol=rtol, types=REAL, values=values)
        row(name, "0 1 2", *calls[:3], rtol=max(rtol, 4e-16), types=("c16",), values=values)
        wide = "float64" if "float64" in [x for x, _ in op["types"]] else "int64"
        loops = getattr(np, name).types
        loop = next((t for t in loops if set(t.partition("->")[0]) == {"d"}), loops[-2 if "O" in loops[-1] else -1])
        row(name, "1 2", f"{name}({given}, dtype=np.{wide})", f"{name}({given}, order='C')", f"{name}({given}, order='F')",
            f"{name}({given}, signature='{loop}', casting='unsafe')", types=("i4",), rtol=rtol, values=values)  # fmt: skip
        results = {t.partition("->")[2] for t in loops} - {"O"}
        if len(results) == 1:  # loops in a type other than the operands'
            row(name, "1", f"{name}({given}, dtype='{results.pop()}')", types=("i4", "f8"), rtol=rtol, values=values)
    row(
        "isnat",
        "1",
        "isnat(a, casting='no', subok=True)",
        "isnat(a, order='C')",
        "isnat(a, signature='M->?')",
        "isnat(a, dtype=bool)",
        types=("M8[s]",),
    )
    row("isnat", "0 1 2", "isnat(a)", "isnat(a, out=new(isnat(a)), where=m)", types=("M8[s]", "m8[ms]", "f8"))


_ufuncs()

row("divmod", "0 1 2", "divmod(a, b)", "divmod(a, b, out=new(divmod(a, b)))", "divmod(a, b, where=True)",
    types=REAL, values="positive")  # fmt: skip
row("divmod", "1 2", "divmod(a, b, casting='same_kind', subok=True)", "divmod(a, b, order='C')", "divmod(a, b, dtype='f8')",
    "divmod(a, b, signature='dd->dd')", types=("i4",), values="positive")  # fmt: skip
row("modf", "1 2", "modf(a, casting='same_kind', subok=True)", "modf(a, order='C')", "modf(a, dtype='f8')", "modf(a, signature='d->dd')",
    "modf(a, out=new(modf(a)), where=m)", types=("i4",), values="positive")  # fmt: skip
row("modf", "0 1 2", "modf(a)", "modf(a, out=new(modf(a)))", types=REAL, special=True)
row("frexp", "0 1 2", "frexp(a)", "frexp(a, out=new(frexp(a)))", "frexp(a, order='C', subok=True)",
    types=("?", "i1", "i4", "f2", "f4", "f8", "c16"), special=True)  # fmt: skip
row("frexp", "1", "frexp(a * 5e-324)", "frexp(a, casting='same_kind', where=True)", "frexp(a, dtype='f8')", "frexp(a, signature='d->di')",
    "frexp(a, out=new(frexp(a)), where=m)", types=("f4", "f8"))  # fmt: skip
row("ldexp", "0 1 2", "ldexp(a, 3)", "ldexp(a, b.astype(np.int32))", "ldexp(a, 2, out=new(ldexp(a, 2)), where=m)",
    "ldexp(a, b)", "ldexp(a, 2, order='C', subok=True, casting='same_kind')",
    types=("?", "i1", "i4", "f2", "f4", "f8", "c16", "u8"), special=True)  # fmt: skip
row("ldexp", "1", "ldexp(a, arr([-1080, -1074, -1022, 1030, 2200, -2200]))", "ldexp(a * 5e-324, 1070)", "ldexp(a, 3, signature='dl->d')",
    "ldexp(a, 3, dtype=np.float64)", types=("f4", "f8"), plain=True)  # fmt: skip

for _name in ("round", "around"):
    row(_name, "0 1 2", f"{_name}(a)", f"{_name}(a, 2)", f"{_name}(a, decimals=-1)", f"{_name}(a, 1, out=new(a))",
        types=("?", "i1", "u2", "i8", "f4", "f8", "c16"))  # fmt: skip
row("fix", "0 1 2", "fix(a)", "fix(a, out=new(fix(a)))", types=("i8", "f4", "f8"))
row("real", "0 1 2", "real(a)", "real(val=a)")
row("imag", "0 1 2", "imag(a)", "imag(val=a)")
row("angle", "0 1 2", "angle(a)", "angle(a, deg=True)", types=("i8", "f4", "f8", "c8", "c16"), rtol=_ACCURATE)
for _name in ("isposinf", "isneginf"):
    row(_name, "0 1 2", f"{_name}(a)", f"{_name}(a, out=new({_name}(a)))", types=("i8", "f4", "f8"), special=True)
for _name in ("isreal", "iscomplex", "isrealobj", "iscomplexobj"):
    row(_name, "0 1 2", f"{_name}(a)")
row("nan_to_num", "0 1 2", "nan_to_num(a)", "nan_to_num(a, nan=1.5, posinf=7.0, neginf=-7.0)", special=True)
row("nan_to_num", "1 2", "nan_to_num(b, copy=False)", special=True)
row("isclose", "0 1 2", "isclose(a, b)", "isclose(a, a)", "isclose(a, a, equal_nan=True)",
    "isclose(a, b, rtol=0.5, atol=0.5)", special=True)  # fmt: skip
row("allclose", "0 1 2", "allclose(a, b)", "allclose(a, a)", "allclose(a, a, equal_nan=True)",
    "allclose(a, b, rtol=3.0, atol=3.0)", special=True)  # fmt: skip
row("array_equal", "0 1 2", "array_equal(a, b)", "array_equal(a, a)", "array_equal(a, a, equal_nan=True)", special=True)
row("array_equiv", "0 1 2", "array_equiv(a, b)", "array_equiv(a, a)", "array_equiv(a, a[..., None])")
row("sinc", "0 1 2", "sinc(a)", "sinc(a * 0)", types=("i8", "f4", "f8", "c16"), rtol=1e-14)
row("real_if_close", "0 1 2", "real_if_close(a)", "real_if_close(a.real + 0j)", "real_if_close(a, tol=1e9)")
row("i0", "0 1 2", "i0(a)", "i0(a * 10)", types=("i8", "f4", "f8", "c16"), rtol=1e-14)
row("clip", "0 1 2", "clip(a, 1, 3)", "clip(a, a_min=1, a_max=None)", "clip(a, min=1, max=2)", "clip(a, max=2)",
    "clip(a, 1, 3, out=new(a))", "clip(a)", "clip(a, 1, 3, dtype=a.dtype)", types=[t for t in TYPES if t != "?"])  # fmt: skip
row("clip", "1", "clip(a, b, b + b)", types=FLOATS)

# ---- bits
row("packbits", "0 1 2 3", "packbits(a)", "packbits(a, axis=-1)", "packbits(a, axis=0, bitorder='little')",
    "packbits(a, axis=9)", types=("?", "i1", "u1", "u8", "f8"))  # fmt: skip
row("unpackbits", "0 1 2 3", "unpackbits(a)", "unpackbits(a, axis=-1)", "unpackbits(a, axis=0, bitorder='little')",
    "unpackbits(a, axis=-1, count=3)", "unpackbits(a, axis=-1, count=-3)", "unpackbits(a, count=-99)",
    types=("u1", "i1"))  # fmt: skip
row("unpackbits", "1 2", "unpackbits(a, axis=-1, count=99)", types=("u1",), plain=True)

# ---- types
_TYPED = {
    "can_cast": ("can_cast(a.dtype, 'f4')", "can_cast(a.dtype, to='f4', casting='same_kind')"),
    "common_type": ("common_type(a, b)", "common_type(a, arr([1.0]))"),
    "issubdtype": ("issubdtype(a.dtype, np.floating)", "issubdtype(arg1=a.dtype, arg2=np.integer)"),
    "isdtype": ("isdtype(a.dtype, 'real floating')", "isdtype(dtype=a.dtype, kind=('integral', 'bool'))"),
    "min_scalar_type": ("min_scalar_type(a)",),
    "mintypecode": ("mintypecode(a.dtype.char)", "mintypecode(typechars=['f', 'd'], typeset='GDFgdf', default='d')"),
    "promote_types": ("promote_types(a.dtype, 'f4')",),
    "result_type": ("result_type(a, b)", "result_type(a, 1.5)", "result_type('i1', 'u1')"),
    "typename": ("typename(a.dtype.char)", "typename(char='d')"),
    "iterable": ("iterable(a)", "iterable(y=3)"),
    "isscalar": ("isscalar(a)", "isscalar(3.0)", "isscalar(element=a.sum())"),
}
for _name, _calls in _TYPED.items():
    row(_name, "0 1", *_calls)
_VALUES = {
    "base_repr": ("base_repr(11)", "base_repr(number=11, base=16, padding=3)"),
    "binary_repr": ("binary_repr(-3)", "binary_repr(num=3, width=8)"),
    "datetime_data": ("datetime_data(np.dtype('M8[5s]'))",),
    "get_include": ("get_include()",),
    "geterr": ("geterr()",),
    "geterrcall": ("geterrcall()",),
    "seterr": (
        "seterr(**geterr())",
        *(f"seterr({k}='warn')" for k in ("divide", "over", "invalid")),
        "seterr(under='ignore')",
        "seterr(all=None)",
    ),
    "seterrcall": ("seterrcall(None)", "seterrcall(func=None)", "seterrcall(3)"),
    "show_config": ("show_config(mode='dicts')['Python Information']",),
    "show_runtime": ("show_runtime()",),
    "getbufsize": ("getbufsize()",),
    "setbufsize": ("setbufsize(8192)", "setbufsize(size=8192)"),
    "info": (
        "info(np.float64, output=__import__('io').StringIO())",
        "info(np.float64, 60, __import__('io').StringIO(), 'numpy')",
    ),
}
for _name, _calls in _VALUES.items():
    row(_name, "1", *_calls, types=("f8",), plain=True)
