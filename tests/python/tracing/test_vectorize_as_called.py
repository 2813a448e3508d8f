"""vectorize returns NumPy's results, whether a function uses its argument's type, string, identity or integers."""

import functools
import math
import operator
import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

K, COEFFICIENTS, TABLE = 3, (1.0, -2.0, 0.5), {1: 2.0}
HALF = np.float64(0.5)


def helper(v, k=2):
    return v * k + 1


def asks_inside(v):
    return 1 if isinstance(v, int) else 2


def calls_one_that_asks(v):
    return asks_inside(v) + 1


def horner(v):
    r = 0.0
    for c in COEFFICIENTS:
        r = r * v + c
    return r


def catches(v):
    try:
        return math.sqrt(v)
    except Exception:
        return -1.0


def catches_refusals(v):
    try:
        if v > 1:
            return 1
        return 0
    except TypeError:
        return 7


def in_place(v):
    a = v * 2
    a += 1
    a **= 2
    return a


class Callable:
    def __call__(self, v):
        return 2 * v if isinstance(v, float) else v


class Number:
    def __rmul__(self, other):
        return 5.0 if isinstance(other, float) else 6.0


NUMBER = Number()
UFUNC = np.frompyfunc(lambda v: v * 1000, 1, 1)

ASKING = {
    "isinstance int": lambda v: 1 if isinstance(v, int) else 2,
    "isinstance numbers": lambda v: isinstance(v, (int, np.integer)) * 1,
    "str": lambda v: len(str(v)),
    "repr": lambda v: len(repr(v)),
    "type name": lambda v: len(type(v).__name__),
    "type is": lambda v: type(v) is float,
    "class": lambda v: v.__class__ is int,
    "format": lambda v: len(f"{v}"),
    "format method": lambda v: len("{}".format(v)),  # noqa: UP032
    "percent": lambda v: len("%s" % v),
    "in text": lambda v: "1" in str(v),
    "nan by isinstance": lambda v: 0.0 if isinstance(v, float) and v != v else v,
    "hasattr": lambda v: hasattr(v, "is_integer"),
    "getattr": lambda v: getattr(v, "real", 99),
    "callable": lambda v: callable(getattr(v, "bit_length", None)),
    "hash": lambda v: hash(v if v == v else 0) % 7,
    "identity": lambda v: v is v,
    "is none": lambda v: 0 if v is None else 1,
    "dir": lambda v: "op" in dir(v),
    "vars": lambda v: operator.add(v, 1),
    "helper that asks": calls_one_that_asks,
    "lambda inside": lambda v: (lambda w: isinstance(w, float))(v),
    "comprehension": lambda v: sum([v, v]),
    "map": lambda v: next(map(type, [v])) is int,
    "catches": catches,
    "catches refusals": catches_refusals,
    "object": Callable(),
    "number of a class": lambda v: v * NUMBER,
    "partial that asks": functools.partial(lambda k, v: k if isinstance(v, int) else v, 5),
    "as integer ratio": lambda v: v.as_integer_ratio()[1] if isinstance(v, float) else 0,
    "membership": lambda v: v in (1, 2.5),
    "dict": lambda v: TABLE.get(v, -1.0),
    "own ufunc": lambda v: UFUNC(v),
    "if": lambda v: v if v > 1 else -v,
    "and": lambda v: v > 0 and v < 2,
    "not": lambda v: not v,
    "min": lambda v: min(v, 1),
    "round": lambda v: round(v),
    "int": lambda v: int(v) if v == v and abs(v) != math.inf else 0,
    "math": lambda v: math.cos(v) if abs(v) != math.inf else 0.0,
    "divmod": lambda v: divmod(v, 3)[1],
    "bool": lambda v: bool(v),
    "copysign": lambda v: math.copysign(1, v),
    "isnan": lambda v: math.isnan(v),
    "none": lambda v: None,
    "text": lambda v: "a",
    "equal none": lambda v: v == None,  # noqa: E711
    "equal text": lambda v: v == "a",
    "slice": lambda v: [1, 2, 3][:2][0] + v,
}
COMPUTING = {
    "polynomial": lambda v: 3 * v * v - 2 * v + 1,
    "square": lambda v: v * v,
    "seventieth": lambda v: v**70,
    "cube": lambda v: v**3,
    "negative": lambda v: -v,
    "positive": lambda v: +v,
    "absolute": lambda v: abs(v),
    "invert": lambda v: ~v,
    "quotient": lambda v: v / 3,
    "of quotient": lambda v: 1 / v,
    "whole quotient": lambda v: v // 2,
    "negative whole": lambda v: v // -2,
    "remainder": lambda v: v % 3,
    "remainder of": lambda v: 7 % v,
    "float remainder": lambda v: v % 0.3,
    "root": lambda v: v**0.5,
    "inverse power": lambda v: v**-1,
    "power of two": lambda v: 2 ** (v % 9),
    "power of itself": lambda v: (v % 5) ** (v % 3),
    "less": lambda v: v < 1,
    "differs": lambda v: v != v,
    "equal": lambda v: v == 2,
    "both": lambda v: (v > 0) & (v < 2),
    "either": lambda v: (v > 2) | (v < 1),
    "exclusive": lambda v: (v > 2) ^ (v < 1),
    "sum of comparisons": lambda v: (v > 0) + (v > 1),
    "product of comparisons": lambda v: (v > 0) * (v > 1),
    "comparison times": lambda v: (v > 1) * v,
    "negated comparison": lambda v: -(v > 1),
    "half": lambda v: v * 0.5,
    "float steps": lambda v: (v + 1e-4) - v,
    "large product": lambda v: v * 1e300 * 1e10,
    "bits": lambda v: v & 6,
    "or bits": lambda v: v | 8,
    "xor bits": lambda v: v ^ 5,
    "shift": lambda v: v << 3,
    "far shift": lambda v: v << 62,
    "shift right": lambda v: v >> 1,
    "shift back": lambda v: 1 << (v % 70),
    "constant": lambda v: 5,
    "float constant": lambda v: 0.1,
    "itself": lambda v: v,
    "several": lambda v: (v, v + 1),
    "one in a tuple": lambda v: (v + 1,),
    "global": lambda v: v * K,
    "numpy's constant": lambda v: v * HALF,
    "pi": lambda v: v * math.pi,
    "numpy's pi": lambda v: v * np.pi,
    "helper": lambda v: helper(v),
    "helper with keyword": lambda v: helper(v, k=4),
    "partial": functools.partial(helper, k=5),
    "horner": horner,
    "in place": in_place,
    "default": lambda v, k=4: v + k,
    "default none": lambda v, k=None: v,
    "sine": lambda v: np.sin(v),
    "sine and one": lambda v: np.sin(v) ** 2 + np.cos(v) ** 2,
    "root of": lambda v: np.sqrt(v),
    "exponential": lambda v: np.exp(-v),
    "logarithm": lambda v: np.log(v),
    "over sine": lambda v: 1 / np.sin(v),
    "maximum": lambda v: np.maximum(v, 1),
    "float maximum": lambda v: np.maximum(v, 1.5),
    "sign": lambda v: np.sign(v),
    "isfinite": lambda v: np.isfinite(v),
    "square of numpy's": lambda v: np.square(v),
    "numpy's add": lambda v: np.add(v, 100),
    "numpy's power": lambda v: np.power(v, 3),
    "numpy's logical": lambda v: np.logical_and(v > 0, v < 2),
    "numpy's not": lambda v: ~np.greater(v, 1),
    "numpy's sum of comparisons": lambda v: np.greater(v, 0) + np.greater(v, 1),
    "where": lambda v: np.where(v > 1, v, -v),
    "where of constants": lambda v: np.where(v > 1, 1, 0),
    "where of kinds": lambda v: np.where(v > 1, v, 0.5),
    "where of comparisons": lambda v: np.where(v > 1, v > 2, True),
    "where by number": lambda v: np.where(v, 1, 2),
    "where in place": lambda v: operator.iadd(np.where(v > 1, v, 0), 1),
    "ours": lambda v: bc.sin(v) + bc.where(v > 1, v, 0.0),
    "numpy's sine itself": np.sin,
    "our sine itself": bc.sin,
    "abs itself": abs,
    "int32 constant": lambda v: v * np.int32(2),
    "float32 constant": lambda v: v * np.float32(0.1),
    "complex": lambda v: v * 1j,
    "huge constant": lambda v: v + 2**64,
}
INPUTS = {
    "i8": np.array([3, 0, 1, 2, -5, 2**40, 7, 60]),
    "small i8": np.array([3, 1, 2, 4]),
    "u1": np.array([200, 1, 2, 255, 3], "u1"),
    "u2": np.array([2, 65535, 7], "u2"),
    "i2": np.array([300, -32768, 5, 1], "i2"),
    "u8": np.array([2, 2**63 + 5, 1], "u8"),
    "edge i8": np.array([1, 2**62, -(2**63), 2**53 + 1]),
    "f8": np.array([2.5, 0.0, -1.5, np.nan, np.inf, -0.0, 1.0, 1e200]),
    "finite f8": np.array([2.5, 1.25, 3.0, 0.1]),
    "f4": np.array([2.5, 0.1, -1.5, 3e38], "f4"),
    "f2": np.array([2.5, 0.1, 300.0, 1.0], "f2"),
    "?": np.array([True, False, True]),
}


def outcome(vectorized, *given):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            r = vectorized(*given)
        except Exception as error:
            return type(error), None
    return tuple, r if isinstance(r, tuple) else (r,)


def compare(f, *given, **options):
    kind, theirs = outcome(np.vectorize(f, **options), *given)
    given = (bc.array(x) if isinstance(x, np.ndarray) else x for x in given)
    ours_kind, ours = outcome(bc.vectorize(f, **options), *given)
    assert ours_kind is kind
    if theirs is None:
        return
    assert len(ours) == len(theirs)
    for x, y in zip(ours, theirs):
        assert x.shape == y.shape and x.dtype == y.dtype
        x = x if isinstance(x, np.ndarray) else x.get()
        if y.dtype == object:
            assert str(x) == str(y)
        elif y.dtype.kind in "fc":
            np.testing.assert_allclose(x, y, rtol=4 * np.finfo(y.dtype).eps, atol=0)
        else:
            np.testing.assert_array_equal(x, y)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*ASKING, *COMPUTING])
def test_numbers(name):
    with bc.config.set(fallback="silent"):
        for x in INPUTS.values():
            compare({**ASKING, **COMPUTING}[name], x)


BINARY = [
    lambda x, y: x + y,
    lambda x, y: x * y,
    lambda x, y: x - y,
    lambda x, y: x / y,
    lambda x, y: x // y,
    lambda x, y: x % y,
    lambda x, y: (x % 7) ** (y % 5),
    lambda x, y: x < y,
    lambda x, y: x == y,
    lambda x, y: np.where(x > y, x, y),
    lambda x, y: np.maximum(x, y),
    lambda x, y: np.hypot(x, y),
    lambda x, y: (x > y) | (x == 1),
    lambda x, y: x & y,
    lambda x, y: x << (y % 64),
    lambda x, y: (x, y) if isinstance(x, float) else (y, x),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("f", BINARY)
def test_pairs_of_numbers(f):
    kinds = "i8 x f8, small i8 x small i8, u1 x f4, ? x i8, edge i8 x f8, f2 x f2, finite f8 x small i8, edge i8 x edge i8, ? x ?"
    with bc.config.set(fallback="silent"):
        for pair in kinds.split(", "):
            x, y = (INPUTS[k] for k in pair.split(" x "))
            compare(f, x[:, None], y)
            compare(f, x, y[:1])
            compare(f, x, y[0])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("otypes", ["d", "f", "e", "l", "B", "?", "b", "D", "O", "dd"])
@pytest.mark.parametrize("name", ["polynomial", "less", "half", "itself", "constant", "root of", "several", "negative"])
def test_types_of_results(name, otypes):
    with bc.config.set(fallback="silent"):
        for kind in ("small i8", "u1", "finite f8", "f8", "f4", "?"):
            compare(COMPUTING[name], INPUTS[kind], otypes=otypes)
            compare(COMPUTING[name], INPUTS[kind][:0], otypes=otypes)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["polynomial", "asks", "half", "sine"])
def test_first_results_that_are_kept_and_arguments_that_are_passed(name):
    f = {**COMPUTING, "asks": ASKING["isinstance int"]}[name]
    with bc.config.set(fallback="silent"):
        for x in INPUTS.values():
            compare(f, x, cache=True)
            compare(lambda v, p: v * p[1] + p[0], x, [1.5, 2.0], excluded={1})
            compare(lambda v, p: v * p if isinstance(p, float) else v, x, 2.0, excluded={1})


NATIVE = """polynomial; square; negative; absolute; quotient; whole quotient; remainder; less; both; half; float steps; constant;
itself; several; global; numpy's constant; pi; helper; helper with keyword; partial; horner; in place; default; sine; root of;
exponential; maximum; where; where of constants; ours; numpy's sine itself; abs itself; cube; comparison times"""


@pytest.mark.parametrize("name", NATIVE.replace("\n", " ").split("; "))
@pytest.mark.parametrize("kind", ["small i8", "finite f8"])
def test_what_only_computes_is_traced(name, kind):
    with bc.config.set(fallback="error"):
        bc.vectorize(COMPUTING[name])(bc.array(INPUTS[kind]))


@pytest.mark.parametrize("name", [n for n in ASKING if n not in ("identity", "is none", "vars", "slice")])
def test_what_asks_is_not_traced(name):
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match="vectorize"):
        bc.vectorize(ASKING[name])(bc.array([1.5, 2.5]))


def test_numbas_form_refuses_what_asks():
    for name in ("isinstance int", "str", "type is", "catches", "helper that asks"):
        with pytest.raises(TypeError, match="the function"):
            bc.vectorize("float64(float64)")(ASKING[name])


def test_lists_and_scalars_of_numpys_keep_their_rules():
    with bc.config.set(fallback="silent"):
        for given in ([np.uint8(200), np.uint8(3)], np.float32(0.1), np.int64(2**62), np.float64(0.0), [1, 2.5], 3):
            compare(lambda v: v * v * 4, given)
            compare(lambda v, w: v / w, 1.0, given)
