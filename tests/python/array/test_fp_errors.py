"""All four floating-point errors of every function of floating and complex numbers, and the name they are reported
under.

NumPy is run each time, over special, tiny and huge values. If the errors that it reports depend on the kernels of its
build for the machine, the expected result is the documented one: that of IEEE 754, or of C's Annex F and G, stated here
with its reason.
"""

import itertools
import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

ONE = (
    "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log2 log10 log1p sqrt "
    "cbrt square reciprocal absolute fabs negative positive sign rint floor ceil trunc degrees radians deg2rad rad2deg "
    "isnan isinf isfinite signbit spacing modf frexp"
).split()
TWO = (
    "add subtract multiply divide floor_divide remainder fmod divmod power float_power arctan2 hypot logaddexp "
    "logaddexp2 copysign nextafter maximum minimum fmax fmin heaviside equal less"
).split()
COMPLEX_ONE = (
    "sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh exp exp2 expm1 log log2 log10 log1p sqrt "
    "square reciprocal absolute negative positive sign rint isnan isfinite conjugate"
).split()
COMPLEX_TWO = ["add", "subtract", "multiply", "divide", "power", "float_power", "equal"]
EXPONENTS = [0, 1, -1, 10, -10, 24, -24, 100, -100, 150, -150, 1000, -1000, 1074, -1074, 2000, -2000, 2**31 - 1]

# IEEE 754: underflow is a tiny result that was rounded. The C library finds all of these; NumPy's vector kernels miss
# some, and report some for intermediate steps (x² of a float32 cosine) or exact results.
UNDER_BY_KERNEL = set(
    "sin cos tan arcsin arctan sinh tanh arcsinh arctanh exp exp2 expm1 log1p arctan2 power float_power".split()
)
# C leaves it to the library whether e^(a + bi) and similar functions are invalid for NaN parts, and whether tiny
# intermediate results are reported; a complex power may raise any error that exp(b log a) raises on the way.
C_LEAVES_OPEN = set(COMPLEX_ONE) - set("square reciprocal absolute negative positive sign rint".split())

# Magnitudes are then one unit off, and with them whether a quotient is exact.
WITHOUT_FMA = "baseline" in bc._core.describe("cpu")


def specials(dtype):
    f = np.finfo(dtype)
    with np.errstate(all="ignore"):
        sizes = [0.5, 1.0, 1.5, 2.0, 10.0, 90.0, 1000.0, f.max, f.max / 2, f.tiny, f.tiny / 4, f.smallest_subnormal]
        sizes += [f.tiny * 3, np.sqrt(f.tiny) / 3, np.sqrt(f.max) * 2, np.pi / 2, 128.0, 1024.0, np.inf]
        return np.array([0.0, -0.0, np.nan, *sizes, *(-s for s in sizes)], dtype)


def complexes(dtype, parts):
    f = np.finfo(dtype)
    with np.errstate(all="ignore"):
        named = {"max": f.max, "tiny": f.tiny, "least": f.smallest_subnormal * 5, "root": np.sqrt(f.max) * 2}
    values = [named.get(p, p) for p in parts]
    z = np.empty(len(values) ** 2, dtype)
    z.real, z.imag = np.repeat(values, len(values)), np.tile(values, len(values))
    return z


MANY_PARTS = [0.0, -0.0, 1.0, -2.5, 0.5, 80.0, "max", "tiny", "least", "root", np.inf, -np.inf, np.nan]
FEW_PARTS = [0.0, 1.0, -2.5, "max", "tiny", "least", "root", np.inf, np.nan]


def reported(f, *args):
    """Messages of warnings, sorted, and the results."""
    with warnings.catch_warnings(record=True) as seen, np.errstate(all="warn"):
        warnings.simplefilter("always")
        r = f(*args)
        r = [np.asarray(x) for x in r] if isinstance(r, tuple) else np.asarray(r)
    return sorted(str(w.message) for w in seen), r


def set_condition(messages, condition, name, holds):
    others = [m for m in messages if not m.startswith(condition)]
    return sorted([*others, f"{condition} encountered in {name}"] if holds else others)


def is_tiny(r):
    return 0 < abs(r) < np.finfo(r.dtype).tiny


def documented(name, messages, r, args):
    """The errors that NumPy reported for real numbers, corrected where its kernels differ."""
    if name in ("power", "float_power") and np.isinf(args[1]):
        return []  # C: exact, whatever the base
    if name not in UNDER_BY_KERNEL or r.dtype == np.float16:
        return messages
    vanished = r == 0 and all(np.isfinite(a) and a != 0 for a in args)
    exact = name == "exp2" and args[0] == np.rint(args[0]) and r != 0
    return set_condition(messages, "underflow", name, (is_tiny(r) or vanished) and not exact)


def is_exact_power(x, r):
    """Powers of powers of two, which are not rounded: NumPy's kernels differ in the errors they report."""
    return bool(is_tiny(r)) and (abs(np.frexp(x)[0]) == 0.5 or x == r)


def differences(name, cases):
    theirs, ours = getattr(np, name), getattr(bc, name)
    wrong = []
    for case in cases:
        expected, r = reported(theirs, *(np.array([v]) for v in case))
        got, _ = reported(ours, *(bc.array([v], dtype=v.dtype) for v in case))
        if not isinstance(r, list):
            if name in ("power", "float_power") and is_exact_power(case[0], r[0]):
                continue
            expected = documented(name, expected, r[0], case)
        if name in ("expm1", "log1p") and is_edge_of_float16(r):
            got, expected = ([t for t in reported if not t.startswith("underflow")] for reported in (got, expected))
        if got != expected:
            wrong.append((case, got, expected))
    return wrong


def is_edge_of_float16(r):
    """A float16 around the smallest normal number or below. Whether converting it from float32 underflows is reported
    differently by the processor's conversion and by NumPy's own, which is used on processors without it."""
    return not isinstance(r, list) and r.dtype == np.float16 and bool(abs(r[0]) <= np.float16(6.11e-05))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("name", ONE)
def test_functions_of_one_number(name, dtype):
    wrong = differences(name, [(v,) for v in specials(dtype)])
    assert not wrong, f"{len(wrong)}: {wrong[:4]}"


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("name", TWO)
def test_functions_of_two_numbers(name, dtype):
    wrong = differences(name, itertools.product(specials(dtype), repeat=2))
    assert not wrong, f"{len(wrong)}: {wrong[:4]}"


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_ldexp(dtype):
    wrong = differences("ldexp", itertools.product(specials(dtype), np.array(EXPONENTS, "i4")))
    assert not wrong, f"{len(wrong)}: {wrong[:4]}"


# ---- complex numbers


def parts_of(name, a, b):
    """The errors of the steps of a product, which NumPy's vector kernels fuse."""
    found = set()
    with np.errstate(all="call", call=lambda text, bits: found.add(text)):
        re, im = a.real[None] * b.real[None], a.imag[None] * b.imag[None]
        across, back = a.real[None] * b.imag[None], a.imag[None] * b.real[None]
        re - im, across + back
    return sorted(f"{text} encountered in {name}" for text in found)


def overflow_of_size(z):
    """IEEE 754: the absolute value of a finite number that is infinite. NumPy's vector loop does not report it."""
    with np.errstate(all="ignore"):
        over = np.isfinite(z) and np.isinf(np.hypot(z.real, z.imag))
    return ["overflow encountered in absolute"] if over else []


def documented_complex(name, messages, case):
    if name == "multiply":
        return parts_of(name, *case)
    if name == "square":
        return parts_of(name, case[0], case[0])
    if name == "absolute":
        return overflow_of_size(case[0])
    return messages


def is_left_open(name, case):
    """Cases not in C_LEAVES_OPEN in which NumPy's results differ, too: it computes e^x and |z|² of huge numbers."""
    if name in ("power", "float_power"):
        return case[0] != 0 and case[1] != 0
    if name not in C_LEAVES_OPEN:
        return False
    size = abs(case[0].real) if name == "expm1" else max(abs(case[0].real), abs(case[0].imag))
    huge = name in ("expm1", "log1p") and size > np.sqrt(np.finfo(case[0].dtype).max) / 2
    return bool(np.isnan(case[0])) or huge or (name == "expm1" and 80 <= size < np.inf)


def complex_differences(name, cases):
    theirs, ours = getattr(np, name), getattr(bc, name)
    wrong = []
    for case in cases:
        if is_left_open(name, case):
            continue
        expected, r = reported(theirs, *(np.array([v]) for v in case))
        expected = documented_complex(name, expected, case)
        got, _ = reported(ours, *(bc.array([v], dtype=v.dtype) for v in case))
        if name in C_LEAVES_OPEN or (name == "sign" and WITHOUT_FMA):
            got, expected = ([m for m in ms if not m.startswith("underflow")] for ms in (got, expected))
        if got != expected:
            wrong.append((case, got, expected))
    return wrong


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("name", COMPLEX_ONE)
def test_functions_of_one_complex_number(name, dtype):
    wrong = complex_differences(name, [(z,) for z in complexes(dtype, MANY_PARTS)])
    assert not wrong, f"{len(wrong)}: {wrong[:4]}"


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("name", COMPLEX_TWO)
def test_functions_of_two_complex_numbers(name, dtype):
    if name == "float_power" and dtype == "c8":
        dtype = "c16"
    step = 7 if name in ("add", "subtract", "equal") else 1
    cases = list(itertools.product(complexes(dtype, FEW_PARTS), repeat=2))[::step]
    wrong = complex_differences(name, cases)
    assert not wrong, f"{len(wrong)}: {wrong[:4]}"


@pytest.mark.parametrize("name", ["sin", "arctan", "tanh", "log1p", "sqrt"])
def test_a_tiny_part_of_a_complex_result_is_an_underflow(name):
    got, r = reported(getattr(bc, name), bc.array([complex(0.25, 5e-324)]))
    assert is_tiny(r.imag[0]) and got == [f"underflow encountered in {name}"]


# ---- one special element among many, where blocks are checked instead of elements

AMONG = [
    ("sin", 5e-324),
    ("tan", -1e-310),
    ("arctan", 5e-324),
    ("tanh", 5e-324),
    ("log1p", 1e-310),
    ("deg2rad", 1e-307),
    ("degrees", 5e-324),
    ("rad2deg", 1e307),
    ("spacing", np.finfo("f8").max),
    ("spacing", 1e-310),
    ("arctan2", (5e-324, 3.0)),
    ("floor_divide", (1e-200, 1e200)),
    ("floor_divide", (1e200, 1e-200)),
    ("logaddexp", (1000.0, -1000.0)),
    ("logaddexp", (1.7e308, -1.7e308)),
    ("logaddexp2", (0.0, -1030.0)),
    ("nextafter", (5e-324, 0.0)),
    ("nextafter", (np.finfo("f8").max, np.inf)),
    ("hypot", (1e308, 1.7e308)),
    ("divide", (1 + 1j, complex(np.nan, 1.0))),
    ("divide", (1 + 1j, complex(np.inf, np.inf))),
    ("divide", (1 + 1j, complex(np.inf, 1.0))),
    ("divide", (1j, complex(1.7e308, 1.7e308))),
    ("divide", (1j, 0j)),
    ("reciprocal", complex(np.nan, 1.0)),
    ("power", (1 + 1j, 0j)),
    ("power", (0j, -1 + 0j)),
    ("sign", complex(1.7e308, 1.7e308)),
]


@pytest.mark.parametrize(("name", "values"), AMONG)
@pytest.mark.parametrize("n", [3, 9000])
def test_one_among_many(name, values, n):
    values = values if isinstance(values, tuple) else (values,)
    operands = [np.full(n, 1.5, np.result_type(v)) for v in values]
    for x, v in zip(operands, values, strict=True):
        x[n // 3] = v
    expected, r = reported(getattr(np, name), *operands)
    if len(values) == 1 and values[0].__class__ is float:
        expected = documented(name, expected, r[n // 3], (np.float64(values[0]),))
    got, _ = reported(getattr(bc, name), *(bc.array(x) for x in operands))
    assert got == expected
    assert expected or values[-1] == complex(np.inf, 1.0) or values[-1] == 0j


def test_operators_on_complex_numbers_name_what_numpys_do():
    values = complexes("c16", FEW_PARTS)
    for a, b in list(itertools.product(values, repeat=2))[::5]:
        expected, _ = reported(lambda p, q: p / q, np.array([a]), np.array([b]))
        assert reported(lambda p, q: p / q, bc.array([a]), bc.array([b]))[0] == expected, (a, b)
