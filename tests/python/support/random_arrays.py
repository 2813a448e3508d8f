"""Random calls on arrays, made with NumPy and with bascule: every dtype, layout and option with every function.

    python random_arrays.py [SEED [SECONDS]]

draws calls for so long and prints those that differ, one Python expression per line: `SEED NUMBER: what`, and the call.
A call is text that is evaluated with both libraries on copies of the same inputs, so that failures can be pasted.
"""

from __future__ import annotations

import random
import sys
import time
import warnings
from typing import Any

import numpy as np
from allowed_differences import allowed

REAL = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"]
NUMBERS = [*REAL, "c8", "c16"]
TIMES = ["m8[s]", "M8[D]"]
SHAPES = [
    (),
    (0,),
    (1,),
    (3,),
    (5,),
    (17,),
    (2, 3),
    (3, 3),
    (0, 3),
    (3, 0),
    (1, 4),
    (4, 1),
    (2, 3, 4),
    (3, 1, 2),
    (70, 90),
]
LAYOUTS = ["{}", "{}", "F({})", "{}[::2]", "{}[::-1]", "{}.T", "{}[..., ::2]", "{}[1:]", "{}[None]", "{}[..., 1:]"]
UNARY = """negative positive absolute sign square sqrt exp log sin cos tanh floor ceil trunc rint isnan isfinite isinf signbit
invert logical_not conj reciprocal exp2 log2 log10 expm1 log1p arctan cbrt deg2rad spacing fabs real imag angle isreal
iscomplex nan_to_num""".split()
BINARY = """add subtract multiply divide floor_divide remainder power maximum minimum fmax fmin hypot arctan2 copysign equal
not_equal less less_equal greater greater_equal logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor
left_shift right_shift fmod gcd lcm heaviside nextafter logaddexp ldexp float_power""".split()
REDUCTIONS = "sum prod min max any all mean var std argmin argmax nansum nanprod nanmin nanmax nanmean nanvar median ptp count_nonzero".split()  # fmt: skip
RUNNING = "cumsum cumprod nancumsum nancumprod".split()
METHODS = (
    "add multiply maximum minimum logical_or logical_and bitwise_or bitwise_and subtract logaddexp hypot fmax".split()
)
# Ufuncs whose last bits differ between two libraries, and functions composed of them.
INEXACT = frozenset(
    """exp log sin cos tanh exp2 log2 log10 expm1 log1p arctan cbrt deg2rad hypot arctan2 power logaddexp float_power sum mean
    var std nansum nanmean nanvar prod nanprod cumsum cumprod nancumsum nancumprod median angle divide reciprocal square
    multiply sqrt dot matmul inner outer tensordot einsum trace interp convolve correlate linspace logspace percentile
    quantile average cov diff gradient cross kron vdot remainder floor_divide round multiply.reduce add.reduce
    logaddexp.reduce hypot.reduce multiply.accumulate add.accumulate logaddexp.accumulate hypot.accumulate
    add.reduceat multiply.reduceat subtract.reduce subtract.accumulate subtract.reduceat logaddexp.reduceat hypot.reduceat trapezoid absolute sign""".split()
)


def elements(r: random.Random, dtype: str, n: int) -> np.ndarray:
    """So many elements, ordinary ones and the limits of the type."""
    t = np.dtype(dtype)
    if t.kind == "b":
        return np.array([r.random() < 0.5 for _ in range(n)], t)
    if t.kind in "iu":
        info = np.iinfo(t)
        edge = [info.min, info.max, info.max - 1, 0, 1, info.max // 2]
        return np.array([r.choice(edge) if r.random() < 0.2 else r.randint(max(-9, info.min), 9) for _ in range(n)], t)
    if t.kind in "mM":
        return np.array([r.randint(-50, 20_000) if r.random() < 0.9 else -(2**63) for _ in range(n)], "i8").view(t)
    edge = [0.0, -0.0, np.inf, -np.inf, np.nan, float(np.finfo(t).max), float(np.finfo(t).tiny), 1e-7]
    number = lambda: r.choice(edge) if r.random() < 0.15 else round(r.uniform(-6, 6), r.randint(0, 3))
    with np.errstate(all="ignore"):
        return np.array([complex(number(), number()) if t.kind == "c" else number() for _ in range(n)]).astype(t)


class Draw:
    """One call: its text, its inputs by name, and whether results are rounded."""

    def __init__(self, seed: int, number: int) -> None:
        self.r = random.Random(f"{seed} {number}")
        self.inputs: dict[str, np.ndarray] = {}
        self.rounded = False
        self.exact_zeros = True  # if not, zeros with two signs count as equal
        self.text = self.r.choice(KINDS)(self)

    def chance(self, p: float) -> bool:
        return self.r.random() < p

    def one(self, items: Any) -> Any:
        return self.r.choice(list(items))

    def shape(self, least: int = 0) -> tuple[int, ...]:
        return self.one([s for s in SHAPES if len(s) >= least])

    def array(self, dtypes: list[str] | None = None, shape: tuple | None = None, plain: bool = False) -> str:
        """The text of an input array."""
        dtype = self.one(dtypes or (NUMBERS if self.chance(0.9) else TIMES))
        shape = self.shape() if shape is None else shape
        name = "abcdefgh"[len(self.inputs)]
        self.inputs[name] = elements(self.r, dtype, int(np.prod(shape))).reshape(shape)
        layout = "{}" if plain or self.chance(0.4) or not shape else self.one(LAYOUTS)
        return layout.format(name)

    def value(self, text: str) -> np.ndarray:
        """The value of an input's text."""
        return np.asarray(eval(text, {"F": np.asfortranarray, "np": np}, self.inputs))

    def like(self, text: str, dtypes: list[str] | None = None) -> str:
        """An input that broadcasts against another one."""
        shape = self.value(text).shape
        if self.chance(0.25):
            shape = tuple(1 if self.chance(0.4) else n for n in shape)
        if self.chance(0.15):
            shape = shape[1:]
        return self.array(dtypes, shape, plain=self.chance(0.7))

    def number(self) -> str:
        return self.one(["0", "1", "-1", "2", "3", "7", "-5", "0.5", "-0.0", "1.5", "True", "False", "2j", "300", "2**40", "-2**63",
                         "2**63", "2**64", "1e30", "-1e300", "np.nan", "np.inf", "np.float32(0.1)", "np.int8(5)", "np.uint8(200)",
                         "np.float64(2.5)", "np.int64(-3)", "np.float16(1.5)"])  # fmt: skip

    def operand(self, alongside: str, dtypes: list[str] | None = None) -> str:
        return self.number() if self.chance(0.35) else self.like(alongside, dtypes)

    def mask(self, alongside: str) -> str:
        return self.like(alongside, ["?"])

    def axis(self, ndim: int) -> str:
        if self.chance(0.05):
            return self.one(["7", "-9", "(0, 0)", "2**64", "1.0", "'a'"])
        if ndim > 1 and self.chance(0.2):
            return str(tuple(self.r.sample(range(ndim), self.r.randint(1, ndim))))
        return str(self.r.randint(-ndim, ndim - 1)) if ndim else self.one(["0", "-1", "()", "None"])

    def rank(self, text: str) -> int:
        return self.value(text).ndim

    def out(self, shape: tuple[int, ...]) -> str:
        if self.chance(0.1):
            shape = self.one([(), (2,), (*shape, 1), (1, *shape), shape[1:]])
        return self.array(NUMBERS, shape, plain=self.chance(0.7))


def unary(d: Draw) -> str:
    name = d.one(UNARY)
    d.rounded = name in INEXACT
    x = d.array()
    if name in ("real", "imag", "angle", "isreal", "iscomplex", "nan_to_num"):
        return f"xp.{name}({x})"
    return f"xp.{name}({x}{options(d, x)})"


def options(d: Draw, x: str, *more: str) -> str:
    """Options of a ufunc's call, and its output."""
    text = ""
    shape = np.broadcast_shapes(*(d.value(v).shape for v in (x, *more)))
    if d.chance(0.2):
        text += f", out={(o := d.out(shape))}"
        if d.chance(0.4):
            text += f", where={d.array(['?'], shape, plain=True)}"
        del o
    if d.chance(0.1):
        text += f", dtype={d.one(NUMBERS)!r}"
    if d.chance(0.1):
        text += f", casting={d.one(['unsafe', 'safe', 'same_kind'])!r}"
    return text


def binary(d: Draw) -> str:
    name = d.one(BINARY)
    d.rounded = name in INEXACT
    d.exact_zeros = name not in ("maximum", "minimum", "fmax", "fmin")
    x = d.array()
    if d.chance(0.4):
        y = d.number()
        return f"xp.{name}({x}, {y}{options(d, x)})" if d.chance(0.7) else f"xp.{name}({y}, {x}{options(d, x)})"
    y = d.like(x)
    return f"xp.{name}({x}, {y}{options(d, x, y)})"


def operators(d: Draw) -> str:
    op = d.one(["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "@"])
    d.rounded = op in ("**", "@", "/", "//", "%", "*")
    x = d.array()
    y = d.operand(x)
    return f"{x} {op} {y}" if d.chance(0.7) else f"{y} {op} {x}"


def in_place(d: Draw) -> str:
    op = d.one(["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"])
    d.rounded = op in ("**", "/", "//", "%", "*")
    x = d.array(plain=True)
    view = x + d.one(["", "[::2]", "[::-1]", "[1:]", ".T", "[...]"])
    return f"inplace({view}, {op!r}, {d.operand(x)}), {x}"


def reduction(d: Draw) -> str:
    name = d.one(REDUCTIONS)
    d.rounded = name in INEXACT
    d.exact_zeros = name not in ("max", "min", "nanmax", "nanmin", "ptp")
    x = d.array()
    ndim, shape = d.rank(x), d.value(x).shape
    text, axis = x, None
    if d.chance(0.7):
        text += f", axis={(axis := d.axis(ndim))}"
    if d.chance(0.3):
        text += ", keepdims=True"
    if name in ("sum", "prod", "min", "max", "nansum", "nanmin") and d.chance(0.25):
        text += f", initial={d.number()}"
    if name in ("sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "nansum") and d.chance(0.2):
        text += f", where={d.mask(x)}"
    if name in ("sum", "prod", "mean", "var", "std", "nansum", "nanprod") and d.chance(0.2):
        text += f", dtype={d.one(NUMBERS)!r}"
    if name not in ("count_nonzero",) and d.chance(0.15):
        try:
            left = np.sum(np.zeros(shape), axis=eval(axis) if axis else None, keepdims="keepdims" in text).shape
        except Exception:
            left = ()
        text += f", out={d.out(left)}"
    return f"xp.{name}({text})"


def ufunc_method(d: Draw) -> str:
    name, how = d.one(METHODS), d.one(["reduce", "reduce", "accumulate", "reduceat", "outer", "at"])
    d.rounded = f"{name}.{how}" in INEXACT or how in ("outer", "at")
    d.exact_zeros = name not in ("maximum", "minimum", "fmax")
    x = d.array(plain=how == "at")
    ndim, shape = d.rank(x), d.value(x).shape
    if how == "at":
        return f"xp.{name}.at({x}, {index(d, x, basic=False)}, {d.number()}), {x}"
    if how == "outer":
        return f"xp.{name}.outer({x}, {d.array(shape=d.one([(2,), (), (0,), (2, 2)]))})"
    text = f"{x}"
    if how == "reduceat":
        text += f", {[d.r.randint(0, max(shape[0] - 1, 0) if shape else 0) for _ in range(d.r.randint(0, 3))]}"
    if d.chance(0.7):
        text += f", axis={d.axis(ndim)}"
    if d.chance(0.2):
        text += f", dtype={d.one(NUMBERS)!r}"
    if how == "reduce":
        text += ", keepdims=True" if d.chance(0.2) else ""
        text += f", initial={d.number()}" if d.chance(0.2) else ""
        text += f", where={d.mask(x)}" if d.chance(0.15) else ""
    if how == "accumulate" and d.chance(0.2) and ndim:
        text += f", out={d.array(NUMBERS, shape, plain=True)}"
    return f"xp.{name}.{how}({text})"


def running(d: Draw) -> str:
    name = d.one(RUNNING)
    d.rounded = True
    x = d.array()
    text, shape = x, d.value(x).shape
    if d.chance(0.7):
        text += f", axis={d.axis(d.rank(x))}"
    if d.chance(0.2):
        text += f", dtype={d.one(NUMBERS)!r}"
    if d.chance(0.2) and shape:
        text += f", out={d.array(NUMBERS, shape, plain=True)}"
    return f"xp.{name}({text})"


def index(d: Draw, x: str, basic: bool | None = None) -> str:
    """The text of an index."""
    shape = d.value(x).shape
    parts = []
    for n in shape[: d.r.randint(0, len(shape))] if shape else ():
        how = d.r.randint(0, 3 if basic else 7)
        at = lambda: d.r.randint(-n - (d.r.random() < 0.05), max(n - 1, 0))
        if how == 0:
            parts.append(str(at()))
        elif how <= 2:
            ends = [d.one(["", str(at()), "2**63", "-2**64"] if d.chance(0.2) else ["", str(at())]) for _ in range(2)]
            parts.append(":".join(ends) + d.one(["", "", ":2", ":-1", ":-2", ":2**63"]))
        elif how == 3:
            parts.append(d.one(["None", "..."]) if "..." not in parts else "None")
        elif how <= 5:
            parts.append(str([at() for _ in range(d.r.randint(0, 3))]))
        elif how == 6:
            parts.append(
                f"A({[at() for _ in range(2)]}, {d.one(['i8', 'u1', 'i2', 'i4'])!r})" if n and at() >= 0 else "None"
            )
        else:
            parts.append(f"A({[d.r.random() < 0.5 for _ in range(n)]}, '?')")
    if not parts:
        parts = ["..."] if d.chance(0.7) or basic else [d.mask_text(shape)]
    return f"np.s_[{', '.join(parts)}]"


Draw.mask_text = lambda self, shape: f"{self.array(['?'], shape, plain=True)}"  # type: ignore[attr-defined]


def get(d: Draw) -> str:
    x = d.array()
    return f"{x}[{index(d, x)}]"


def put_item(d: Draw) -> str:
    x = d.array(plain=True)
    at = index(d, x)
    try:
        part = d.value(f"{x}[{at}]".replace("A(", "np.array(")).shape
    except Exception:
        part = ()
    value = d.number() if d.chance(0.5) else d.array(shape=d.one([part, part[1:], (1,), ()]))
    if d.chance(0.15):
        value = f"{value}.tolist()" if not value[0].isdigit() and value.isalpha() and len(value) == 1 else f"[{value}]"
    return f"setitem({x}, {at}, {value}), {x}"


WRITERS = [
    lambda d, x: f"xp.copyto({x}, {d.operand(x)}{d.one(['', ', casting=' + repr(d.one(['unsafe', 'safe', 'no', 'equiv']))])}{d.one(['', ', where=' + d.mask(x)])})",
    lambda d, x: f"xp.put({x}, {[d.r.randint(0, 3) for _ in range(2)]}, {d.operand(x)}, {d.one(['raise', 'wrap', 'clip'])!r})",
    lambda d, x: f"xp.putmask({x}, {d.array(['?'], d.value(x).shape)}, {d.operand(x)})",
    lambda d, x: f"xp.place({x}, {d.array(['?'], d.value(x).shape, plain=True)}, {d.one([d.number(), '[' + d.number() + ']', d.array(shape=(2,))])})",
    lambda d, x: f"xp.fill_diagonal({x}, {d.one([d.number(), d.array(shape=(2,))])}, {d.chance(0.5)})",
    lambda d, x: f"{x}.fill({d.number()})",
    lambda d, x: f"xp.put_along_axis({x}, A([0]), {d.number()}, None)",
    lambda d, x: f"{x}.sort()",
]  # fmt: skip


def writer(d: Draw) -> str:
    x = d.array(plain=True)
    text = d.one(WRITERS)(d, x)
    d.exact_zeros = ".sort(" not in text
    return f"{text}, {x}"


MAKERS = [
    lambda d: f"xp.full({d.shape()}, {d.number()}{d.one(['', ', ' + repr(d.one(NUMBERS))])})",
    lambda d: f"xp.full_like({d.array()}, {d.number()}{d.one(['', ', dtype=' + repr(d.one(NUMBERS))])})",
    lambda d: f"xp.linspace({d.number()}, {d.number()}, {d.r.randint(0, 5)}, endpoint={d.chance(0.7)})",
    lambda d: f"xp.linspace({(x := d.array(REAL, (2,), True))}, {d.operand(x)}, 3, axis={d.one([0, -1])})",
    lambda d: f"xp.arange({d.r.randint(-3, 3)}, {d.r.randint(-3, 9)}, {d.one(['1', '2', '-1', '0.5', 'np.float32(0.5)', 'np.int8(2)', 'True'])}{d.one(['', ', dtype=' + repr(d.one(NUMBERS))])})",
    lambda d: f"xp.arange({d.array(['i1', 'u1', 'f2', '?'], (), True)}{d.one(['', ', 5'])})",
    lambda d: f"xp.arange(A({d.r.randint(0, 9)}, {(t := d.one(TIMES))!r}), A({d.r.randint(0, 9)}, {t!r}))",
    lambda d: f"xp.eye({d.r.randint(0, 3)}, {d.r.randint(0, 3)}, {d.r.randint(-3, 3)}, {d.one(NUMBERS)!r})",
    lambda d: f"xp.array({d.array(shape=(3,))}.tolist(), {d.one(NUMBERS)!r})",
    lambda d: f"xp.array([{d.number()}, {d.number()}])",
]  # fmt: skip


def maker(d: Draw) -> str:
    d.rounded = True
    return d.one(MAKERS)(d)


MOVERS = [
    lambda d, x: f"xp.take({x}, {[d.r.randint(-2, 3) for _ in range(2)]}{d.one(['', ', axis=' + d.axis(d.rank(x))])}, mode={d.one(['raise', 'wrap', 'clip'])!r})",
    lambda d, x: f"xp.repeat({x}, {d.one(['2', '[1, 2]', '0', '-1', '1.5'])}{d.one(['', ', axis=' + d.axis(d.rank(x))])})",
    lambda d, x: f"xp.roll({x}, {d.r.randint(-9, 9)}{d.one(['', ', axis=' + d.axis(d.rank(x))])})",
    lambda d, x: f"xp.concatenate([{x}, {d.like(x)}]{d.one(['', ', axis=None', ', axis=' + d.axis(d.rank(x)), ', dtype=' + repr(d.one(NUMBERS))])})",
    lambda d, x: f"xp.stack([{x}, {d.array(shape=d.value(x).shape)}], axis={d.r.randint(-2, 2)})",
    lambda d, x: f"xp.where({d.mask(x)}, {x}, {d.operand(x)})",
    lambda d, x: f"xp.where({d.mask(x)}, {d.number()}, {d.number()})",
    lambda d, x: f"xp.clip({x}, {d.one(['None', d.operand(x)])}, {d.operand(x)})",
    lambda d, x: f"xp.select([{d.mask(x)}, {d.mask(x)}], [{x}, {d.operand(x)}], {d.number()})",
    lambda d, x: f"xp.choose({d.array(['i8', 'u1', '?'], (3,), True)} % 2, [{d.array(shape=(3,))}, {d.number()}])",
    lambda d, x: f"xp.pad({x}, {d.one(['1', '(0, 2)', '-1'])}, constant_values={d.number()})",
    lambda d, x: f"xp.pad({x}, 2, {d.one(['edge', 'reflect', 'wrap', 'symmetric', 'maximum', 'minimum'])!r})",
    lambda d, x: f"xp.insert({x}, {d.one(['0', '[0, 1]', '-1', '5'])}, {d.number()}{d.one(['', ', axis=' + d.axis(d.rank(x))])})",
    lambda d, x: f"xp.append({x}, {d.operand(x)})",
    lambda d, x: f"xp.delete({x}, {d.one(['0', '[0, 1]', '-1', '5', 'np.s_[::2]'])}{d.one(['', ', axis=' + d.axis(d.rank(x))])})",
    lambda d, x: f"xp.flip({x}{d.one(['', ', axis=' + d.axis(d.rank(x))])})",
    lambda d, x: f"xp.reshape({x}, {d.one(['-1', '(1, -1)', '(-1, 2)', '(3, -1)', 'None', '()'])}, order={d.one(['C', 'F', 'A', None])!r})",
    lambda d, x: f"{x}.{d.one(['ravel', 'flatten', 'copy'])}({d.one(['', repr('F'), repr('K'), repr('A'), 'None'])})",
    lambda d, x: f"{x}.astype({d.one([*NUMBERS, *TIMES])!r}{d.one(['', ', casting=' + repr(d.one(['safe', 'same_kind', 'no']))])})",
    lambda d, x: f"xp.squeeze({x}{d.one(['', ', axis=' + d.axis(d.rank(x))])})",
    lambda d, x: f"xp.expand_dims({x}, {d.r.randint(-3, 3)})",
    lambda d, x: f"xp.broadcast_to({x}, {d.shape()})",
    lambda d, x: f"xp.tile({x}, {d.one(['2', '(2, 1)', '0', '(1, 2, 1)'])})",
    lambda d, x: f"xp.diff({x}, {d.r.randint(0, 2)})",
    lambda d, x: f"xp.tril({x}, {d.r.randint(-2, 2)})",
    lambda d, x: f"xp.diagonal({x}, {d.r.randint(-2, 2)})",
    lambda d, x: f"xp.trace({x}, {d.r.randint(-2, 2)})",
]  # fmt: skip


def mover(d: Draw) -> str:
    d.rounded = True
    x = d.array()
    text = d.one(MOVERS)(d, x)
    return text if "xp.pad" not in text or d.inputs["a"].dtype.kind not in "mM" else f"xp.flip({x})"


ORDERED = [
    lambda d, x: f"xp.sort({x}{d.one(['', ', axis=' + d.axis(d.rank(x))])})",
    lambda d, x: f"xp.argsort({x}, kind='stable'{d.one(['', ', axis=' + d.axis(d.rank(x))])})",
    lambda d, x: f"xp.unique({x}{d.one(['', ', return_counts=True', ', return_inverse=True', ', return_index=True'])})",
    lambda d, x: f"xp.isin({x}, {d.operand(x)}{d.one(['', ', invert=True'])})",
    lambda d, x: f"xp.{d.one(['intersect1d', 'union1d', 'setdiff1d', 'setxor1d'])}({x}, {d.like(x)})",
    lambda d, x: f"xp.searchsorted(np.sort({d.array(REAL, (5,), True)}), {d.one([x, d.number()])}, {d.one(['left', 'right'])!r})",
    lambda d, x: f"xp.digitize({x}, [0, 1, 3.5])",
    lambda d, x: f"xp.bincount(abs({d.array(['u1', 'i8', '?'], (5,), True)}) % 7, minlength={d.r.randint(0, 9)})",
    lambda d, x: f"xp.histogram({x}, {d.one(['3', '[0, 1, 5]', '[]', '[1]'])}, range={d.one(['None', '(0, 5)'])})[0]",
    lambda d, x: f"xp.nonzero({x})",
    lambda d, x: f"xp.flatnonzero({x})",
    lambda d, x: f"xp.count_nonzero({x}{d.one(['', ', axis=' + d.axis(d.rank(x))])})",
    lambda d, x: f"xp.array_equal({x}, {d.like(x)}, equal_nan={d.chance(0.5)})",
    lambda d, x: f"xp.allclose({x}, {d.operand(x)})",
    lambda d, x: f"xp.compress({[d.chance(0.5) for _ in range(3)]}, {x}{d.one(['', ', axis=' + d.axis(d.rank(x))])})",
    lambda d, x: f"xp.extract({d.array(['?'], d.value(x).shape)}, {x})",
]  # fmt: skip


def ordered(d: Draw) -> str:
    d.exact_zeros = False
    x = d.array(NUMBERS)
    return d.one(ORDERED)(d, x)


PRODUCTS = [
    lambda d: f"xp.{d.one(['dot', 'inner', 'vdot', 'outer', 'matmul', 'kron'])}({d.array(shape=d.one([(3,), (3, 3), (2, 3), ()]))}, {d.array(shape=d.one([(3,), (3, 3), (3, 2), ()]))})",
    lambda d: f"xp.tensordot({d.array(shape=(2, 3))}, {d.array(shape=(3, 2))}, {d.one(['0', '1', '2', '([0], [1])', '([0, 1], [1, 0])', '3', '-1'])})",
    lambda d: f"xp.einsum({d.one(['ij,jk', 'ij,jk->', 'ij,jk->ki', 'ij,ji', 'ij,kl->il'])!r}, {d.array(NUMBERS, (2, 3))}, {d.array(NUMBERS, (3, 2))})",
    lambda d: f"xp.{d.one(['convolve', 'correlate'])}({d.array(NUMBERS, d.one([(3,), (1,), (17,)]))}, {d.array(NUMBERS, d.one([(3,), (2,), (5,)]))}, {d.one(['full', 'same', 'valid'])!r})",
    lambda d: f"xp.interp({d.array(REAL, (5,))}, [0, 1, 3], {d.array(REAL, (3,))})",
    lambda d: f"xp.{d.one(['percentile', 'nanpercentile'])}({d.array(REAL)}, {d.one(['50', '[10, 90]', '0', '100'])}, method={d.one(['linear', 'lower', 'nearest', 'midpoint', 'inverted_cdf'])!r})",
    lambda d: f"xp.round({d.array()}, {d.one([0, 1, 2, -1, 20, -20])})",
    lambda d: f"xp.average({(x := d.array(NUMBERS))}, axis={d.axis(d.rank(x))})",
    lambda d: f"xp.trapezoid({d.array(NUMBERS)})",
]  # fmt: skip


def product(d: Draw) -> str:
    d.rounded = True
    return d.one(PRODUCTS)(d)


KINDS = [unary, binary, binary, operators, in_place, reduction, reduction, reduction, ufunc_method, running, get, put_item, put_item, writer, writer, maker, mover, mover, mover, ordered, ordered, product]  # fmt: skip


# ---- running them


def scope(xp: Any, inputs: dict[str, np.ndarray]) -> dict[str, Any]:
    def inplace(x: Any, op: str, y: Any) -> Any:
        held = {"x": x, "y": y}
        exec(f"x {op}= y", held)
        return held["x"]

    def setitem(x: Any, at: Any, value: Any) -> None:
        x[at] = value

    fortran = lambda x: xp.asarray(x, order="F").copy("F")
    arrays = {k: xp.array(v) for k, v in inputs.items()}
    return {"xp": xp, "np": np, "A": xp.array, "F": fortran, "inplace": inplace, "setitem": setitem, **arrays}


def outcome(xp: Any, d: Draw) -> tuple[type | None, list[Any]]:
    """The class of the error, or None and the results as NumPy's arrays."""
    names = scope(xp, d.inputs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = eval(d.text, names)
            parts = found if isinstance(found, (tuple, list)) else (found,)
            return None, [x if x is None else np.array(x) for x in parts]
        except Exception as error:
            return type(error), [str(error)]


def _tolerance(t: np.dtype) -> float:
    """Tolerance for results computed from this type; small integers become small floats."""
    if t == np.float16 or (t.kind in "iub" and t.itemsize == 1):
        return 1e-2
    return 2e-4 if t in (np.float32, np.complex64) or (t.kind in "iu" and t.itemsize == 2) else 1e-9


def same_values(x: Any, y: Any, rounded: float, exact_zeros: bool) -> bool:
    if x is None or y is None:
        return x is y
    if x.dtype != y.dtype or x.shape != y.shape:
        return False
    if x.dtype.kind in "mM":
        return bool((x.view("i8") == y.view("i8")).all())
    if x.dtype.kind not in "fc" or x.dtype == object:
        return bool((x == y).all())
    with np.errstate(all="ignore"):
        if not exact_zeros:
            return bool(np.array_equal(x, y, equal_nan=True)) or (rounded > 0 and _close(x, y, rounded))
        real = lambda v: v if v.dtype.kind == "f" else np.stack([v.real, v.imag])
        a, b = real(x), real(y)
        equal = ((a == b) & (np.signbit(a) == np.signbit(b))) | ((a != a) & (b != b))
        return bool(equal.all()) or (rounded > 0 and _close(x, y, rounded))


def _close(x: np.ndarray, y: np.ndarray, tolerance: float) -> bool:
    """Whether arrays are equal up to rounding. Whether parts of complex numbers and sums of products are infinite or
    NaN depends on the order of operations."""
    finite = np.isfinite(x) & np.isfinite(y)
    scale = min(max(float(np.abs(y[finite]).max(initial=0)), 1.0), 1e30)
    return np.allclose(x[finite], y[finite], rtol=tolerance, atol=tolerance * scale)


def difference(xp: Any, d: Draw) -> str | None:
    """The difference between NumPy's result and that of `xp`; None if there is none."""
    error, theirs = outcome(np, d)
    ours_error, ours = outcome(xp, d)
    if error is not None or ours_error is not None:
        if error is not None and ours_error is not None:
            return None  # with several errors either may be raised
        return f"{error and error.__name__} {theirs} and {ours_error and ours_error.__name__} {ours}"
    kinds = [v.dtype for v in (*d.inputs.values(), *(x for x in theirs if x is not None))]
    rounded = max(map(_tolerance, kinds), default=1e-9) if d.rounded else 0.0
    if len(theirs) == len(ours) and all(same_values(x, y, rounded, d.exact_zeros) for x, y in zip(ours, theirs)):
        return None
    other = (*ours, *[None] * len(theirs)), (*theirs, *[None] * len(ours))
    return f"{list(map(_shown, theirs, other[0]))} and {list(map(_shown, ours, other[1]))}"


def _shown(x: np.ndarray | None, other: np.ndarray | None) -> Any:
    """Type, shape and some elements: those that differ from the other result's, or else the first."""
    if x is None:
        return None
    first = x.ravel()
    if other is not None and (x.dtype, x.shape) == (other.dtype, other.shape):
        differ = (x != other) & ~((x != x) & (other != other))
        first = x[differ] if differ.any() else first
    return str(x.dtype), x.shape, first[:6].tolist()


def crashes_numpy(d: Draw) -> bool:
    """Calls for which NumPy itself crashes, or reads memory that it does not own."""
    name = d.text.partition("(")[0]
    compares = name in {f"xp.{n}" for n in ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")}
    return (compares and "where=" in d.text) or (".accumulate(" in d.text and "out=" in d.text)


def run(xp: Any, seed: int, count: int | None = None, seconds: float | None = None) -> list[str]:
    """The differences among so many calls, or among those of so many seconds."""
    found, number, end = [], 0, time.monotonic() + (seconds or 1e9)
    while (count is None or number < count) and time.monotonic() < end:
        try:
            d = Draw(seed, number)
        except (ValueError, IndexError):  # inputs without a common shape
            number += 1
            continue
        what = None if crashes_numpy(d) else difference(xp, d)
        if what is not None and not allowed(d, what):
            inputs = ", ".join(f"{k}={v.dtype.str}{v.shape}" for k, v in d.inputs.items())
            found.append(f"{seed} {number}: {d.text}   [{inputs}]   {what[:500]}")
        number += 1
    return found


if __name__ == "__main__":
    import bascule

    bascule.config.fallback = "silent"
    differs = run(
        bascule, int(sys.argv[1]) if len(sys.argv) > 1 else 1, seconds=float(sys.argv[2]) if len(sys.argv) > 2 else 60
    )
    print(*differs, sep="\n")
    print(f"{len(differs)} calls differ")
    sys.exit(bool(differs))
