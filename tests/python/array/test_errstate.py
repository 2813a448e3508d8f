"""Floating-point errors: which ones NumPy reports for an operation, and when and where; NumPy is run each time."""

import contextlib
import contextvars
import itertools
import warnings

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pytest
from bascule._array import ufuncs

pytestmark = pytest.mark.usefixtures("native")

BITS = {"divide by zero": 1, "overflow": 2, "underflow": 4, "invalid value": 8}
NAN, INF = np.nan, np.inf
VALUES = {
    "e": [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 6e4, -6e4, INF, -INF, NAN, 12.0, -20.0, 1e-3],
    "f": [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 3e38, -3e38, 1e-38, INF, -INF, NAN, 89.0, -110.0, 1e-6],
    "d": [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e300, -1e300, 1e-300, 5e-324, INF, -INF, NAN, 710.0, -750.0, 1e-10],
    "D": [complex(a, b) for a in (0.0, 1.0, -2.0, 1e300, 0.5) for b in (0.0, -1.0, 3.0, 1e300)],
    "b": [0, 1, -1, 2, -128, 127],
    "l": [0, 1, -1, 2, -(2**63), 2**63 - 1],
    "B": [0, 1, 2, 255],
}
# Errors that NumPy reports in addition, depending on how its kernels compute on a machine.
HUGE = 1e300 + 1e300j
BY_ITS_KERNELS = {
    ("multiply", "D"): {(HUGE, HUGE)},
    ("square", "D"): {(HUGE,)},
    ("power", "d"): {(0.0, -INF), (-0.0, -INF), (1e300, INF), (-1e300, INF)},
    ("power", "f"): {(0.0, -INF), (-0.0, -INF), (np.float32(3e38), INF), (np.float32(-3e38), INF)},
    ("float_power", "d"): {(0.0, -INF), (-0.0, -INF), (1e300, INF), (-1e300, INF)},
    ("logaddexp", "f"): {(np.float32(3e38), np.float32(-3e38)), (np.float32(-3e38), np.float32(3e38))},
    ("logaddexp2", "f"): {(np.float32(3e38), np.float32(-3e38)), (np.float32(-3e38), np.float32(3e38))},
}
UFUNCS = [
    row["name"] for row in ufuncs.table if row["has_ufunc"] and isinstance(getattr(np, row["name"], None), np.ufunc)
]


@pytest.fixture(autouse=True)
def _as_in_a_program():
    with bc.config.set(fp_warnings="auto"):
        yield


def conditions(f, *args):
    """The bits that a call passes to the function of np.seterrcall."""
    found = [0]

    def note(text, bits):
        found[0] |= BITS[text]

    with np.errstate(divide="call", over="call", invalid="call", call=note):
        f(*args)
    return found[0]


@contextlib.contextmanager
def recorded(late):
    """Messages of warnings; with `late` as in a program that does not record them, otherwise recorded at the call."""
    messages = []
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings._showwarnmsg_impl = (lambda m: messages.append(m)) if late else messages.append
        yield messages


def reported(f, xp, late=False):
    """The warnings of `f`: messages, classes, files and lines, in order."""
    with recorded(late) as messages:
        f(xp)
    return [(str(m.message), m.category, m.filename, m.lineno) for m in messages]


def expect_same(f, late=False):
    expected, got = reported(f, np), reported(f, bc, late)
    assert [m[:2] for m in got] == [m[:2] for m in expected]
    for ours, theirs in zip(got, expected):  # some of NumPy's methods are Python code, and warnings name its lines
        assert ours[2] == __file__ and (theirs[2] != __file__ or ours[3] == theirs[3])
    return expected


@pytest.mark.parametrize("name", UFUNCS)
def test_every_ufunc_raises_what_numpy_raises(name):
    ours, theirs = getattr(bc, name), getattr(np, name)
    rows = {np.dtype(a).char for a, _ in ufuncs.rows[name]["types"]}
    wrong = []
    for t in rows & set(VALUES):
        sig = t * theirs.nin
        if not any(s.startswith(sig + "->") for s in theirs.types) or (t == "D" and name not in EXACT_COMPLEX):
            continue
        for values in itertools.product(np.array(VALUES[t], t), repeat=theirs.nin):
            if name == "power" and t in "bl" and values[1] < 0:
                continue  # refused
            if any(tuple(values) == x for x in BY_ITS_KERNELS.get((name, t), ())):
                continue
            expected = conditions(theirs, *(np.array([v]) for v in values))
            got = conditions(ours, *(bc.array([v], dtype=t) for v in values))
            if got != expected:
                wrong.append((t, values, got, expected))
    assert not wrong, f"{len(wrong)}: {wrong[:5]}"


EXACT_COMPLEX = {"add", "subtract", "multiply", "square", "divide", "reciprocal", "absolute", "negative", "log", "sqrt"}


@pytest.mark.parametrize("source", "efdD")
@pytest.mark.parametrize("target", "bBhHiIlLefdF")
def test_every_cast_raises_what_numpy_raises(source, target):
    values = [
        *VALUES["d"],
        127.5,
        128,
        255.9,
        256,
        32768,
        65519,
        65520,
        2.0**31,
        -(2.0**31) - 1,
        2.0**32,
        9.3e18,
        1.9e19,
    ]
    with np.errstate(all="ignore"):
        data = np.array(values).astype(source)
    if source == "D" and target not in "F":
        pytest.skip("NumPy warns of the lost imaginary part instead")
    for v in data:
        expected = conditions(lambda: np.array([v]).astype(target))
        assert conditions(lambda: bc.array([v], dtype=source).astype(target)) == expected, v


@pytest.mark.parametrize("t", "fdD")
@pytest.mark.parametrize("name", ["add", "multiply"])
@pytest.mark.parametrize("method", ["reduce", "accumulate"])
def test_reductions_raise_what_numpy_raises(t, name, method):
    values = [0.0, 1.0, -2.0, 1e38 if t == "f" else 1e308, -1e38 if t == "f" else -1e308, INF, -INF, NAN]
    values = [3.3 * v for v in values] if t == "f" else values
    for n in (2, 3):
        for v in itertools.product(values[:: 1 if t != "D" else 2], repeat=n):
            with np.errstate(all="ignore"):
                data = np.array(v).astype(t)
            expected = conditions(getattr(getattr(np, name), method), data)
            assert conditions(getattr(getattr(bc, name), method), bc.array(data)) == expected, v


# Each line gives another warning, or none.
def one_by_one(xp):
    x, zero, big = xp.array([1.0, -1.0, 0.0]), xp.zeros(3), xp.array([1e300, 1.0, 2.0])
    x / zero
    xp.log(x)
    big * big
    xp.sqrt(x)
    xp.exp(big)
    x + 1
    xp.array([1, 2]) // xp.array([0, 1])
    xp.array([7, 2]) % 0
    xp.array([-128, 1], dtype="int8") // xp.array([-1, 1], dtype="int8")
    xp.reciprocal(xp.array([0, 1]))
    xp.array([1e300, xp.nan]).astype("float32")
    xp.array([1e300, xp.nan]).astype("int32")
    xp.array([6e4, 1], dtype="float16") * xp.array([6e4, 1], dtype="float16")
    xp.array([xp.inf, 1.0]) - xp.inf
    xp.add(big, big, out=xp.zeros(3, dtype="float32"), casting="same_kind")
    xp.divmod(x, zero) if False else None
    xp.array([1 + 1j]) / 0
    xp.maximum(xp.nan, x) < xp.nan


def reduced(xp):
    big, odd = xp.full(8, 1e308), xp.array([xp.inf, -xp.inf, 1.0])
    big.sum()
    odd.sum()
    odd.mean()
    big.prod()
    xp.cumsum(big)
    xp.add.accumulate(odd)
    xp.add.reduceat(big, [0, 3])
    xp.divide.reduce(odd)
    xp.multiply.outer(big[:1], big[:1])
    xp.multiply.at(big, [0, 0, 1], 1e308)
    xp.sqrt.at(-big, [0, 1])
    xp.array([[1e308, 1.0], [1e308, 2.0]]).sum(axis=0)
    xp.array([xp.inf, 1.0]).var()
    odd.max(), odd.argmin(), odd.any()


def written(xp):
    a, b = xp.zeros(3, dtype="int32"), xp.zeros(3, dtype="float32")
    a[:] = xp.array([xp.nan, 1.0, 2.0])
    b[1:] = xp.array([1e300, 1.0])
    b[...] = 1.0
    b /= xp.zeros(3, dtype="float32")
    b *= 2


def of_scalars(xp):
    one = xp.ones(3).sum()
    one / 0
    one / xp.zeros(3).sum()
    xp.divide(one, 0)
    one / xp.zeros(2)
    (one - one) / 0
    (-one) ** 0.5
    (one * 1e300) * 1e300
    one // 0
    one % 0
    xp.log(-one)


@pytest.mark.parametrize("f", [one_by_one, reduced, written, of_scalars])
def test_small_operations_warn_as_numpys(f):
    assert len(expect_same(f)) > 2
    expect_same(f, late=True)


def lines_of_large(xp, read):
    n = 10_000
    x = xp.ones(n) * 1.0
    x[5], x[6] = 0.0, -1.0
    quotient = 1 / x
    logarithm = xp.log(x)
    product = quotient * 1e300 * 1e300
    rounded = xp.sqrt(x).astype("int64")
    fine = xp.abs(x) + 2
    total = (xp.exp(x * 1e3) + 1).sum()
    for value in (quotient, logarithm, product, rounded, fine, total):
        read(value)


@pytest.mark.parametrize("late", [False, True])
def test_large_operations_name_the_line_of_the_call(late):
    expected = reported(lambda xp: lines_of_large(xp, np.asarray), np)
    got = reported(lambda xp: lines_of_large(xp, bc.evaluate), bc, late)
    assert sorted(got, key=lambda m: m[3]) == sorted(expected, key=lambda m: m[3])
    if not late:
        assert got == expected


def test_each_of_many_lines_is_named_again_and_again():
    lines = 200
    text = "def run(xp, read, x):\n" + "    read(1 / x)\n" * lines
    name = __file__.replace(".py", "_lines.py")
    modules = [{"__name__": "one"}, {"__name__": "another"}]
    code = compile(text, name, "exec")
    for module in modules:
        exec(code, module)
    x = bc.zeros(10_000) + 0.0
    for module in modules * 2:
        got = reported(lambda xp, run=module["run"]: run(xp, bc.evaluate, x), bc, late=True)
        assert [m[2:] for m in got] == [(name, 2 + k) for k in range(lines)]


def test_a_late_warning_comes_when_the_value_is_computed():
    x = bc.zeros(10_000) + 0.0
    with recorded(late=True) as messages:
        y = 1 / x
        z = bc.log(x) + y
        assert messages == []
        bc.evaluate(z)
        assert [str(m.message) for m in messages] == [
            "divide by zero encountered in divide",
            "divide by zero encountered in log",
            "invalid value encountered in add",
        ]
        bc.evaluate(y)
        (z + y).sum().item()
    assert len(messages) == 3


def test_a_node_computed_twice_warns_once():
    x = bc.arange(10_000) * 1.0
    with recorded(late=True) as messages:
        y = 1 / x
        (y + 1).sum().item()
        (y + 2).sum().item()
        bc.evaluate(y)
    assert [str(m.message) for m in messages] == ["divide by zero encountered in divide"]


def test_settings_are_those_of_the_call():
    x = bc.zeros(10_000) + 0.0
    with recorded(late=True) as messages:
        with bc.errstate(divide="ignore"):
            quiet = 1 / x
        loud = 2 / x
        with bc.errstate(all="ignore"):
            bc.evaluate(quiet, loud)
    assert [str(m.message) for m in messages] == ["divide by zero encountered in divide"]


@pytest.mark.parametrize("n", [3, 10_000])
def test_raise_stops_at_the_call(n):
    x = bc.zeros(n) + 0.0
    with bc.errstate(divide="raise"):
        with pytest.raises(FloatingPointError, match="^divide by zero encountered in divide$"):
            1 / x
        with pytest.raises(FloatingPointError, match="^divide by zero encountered in log$"):
            bc.log(x)
        assert not bc.evaluate(x + 1 > 2).any()
    with bc.errstate(over="raise"), pytest.raises(FloatingPointError, match="^overflow encountered in reduce$"):
        bc.full(n, 1e308).sum()
    with bc.errstate(invalid="raise"), pytest.raises(FloatingPointError, match="^invalid value encountered in cast$"):
        (x + bc.inf).astype("int32")
    with bc.errstate(under="raise"), pytest.raises(FloatingPointError, match="^underflow encountered in multiply$"):
        (x + 1e-200) * 1e-200


@pytest.mark.parametrize("n", [3, 10_000])
def test_call_print_and_log(n, capfd):
    class Log:
        lines = []

        def write(self, line):
            self.lines.append(line)

    def run(xp):
        x, seen, log = xp.zeros(n) + 0.0, [], Log()
        with xp.errstate(all="call", call=lambda *a: seen.append(a)):
            x / x
            1 / x
        with xp.errstate(all="log", call=log):
            xp.log(x - 1)
        with xp.errstate(all="print"):
            xp.log(x)
        return seen, log.lines, capfd.readouterr().err

    assert run(bc) == run(np)
    with bc.errstate(all="call", call=None), pytest.raises(NameError, match="no function found"):
        1 / bc.zeros(n)
    with bc.errstate(all="log", call=None), pytest.raises(NameError, match="no object with write method found"):
        1 / bc.zeros(n)


def test_numpys_switches_are_ours():
    assert bc.errstate is np.errstate and bc.geterr() == np.geterr()
    old = np.seterr(divide="raise")
    try:
        with pytest.raises(FloatingPointError):
            bc.ones(2) / 0
    finally:
        bc.seterr(**old)
    assert bc.geterr()["divide"] == "warn"

    def inner():
        np.seterr(divide="ignore")
        return reported(lambda xp: xp.ones(2) / 0, bc)

    assert contextvars.copy_context().run(inner) == []
    assert len(reported(lambda xp: xp.ones(2) / 0, bc)) == 1


def test_warnings_that_are_errors_stop_the_call():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="divide by zero encountered in divide"):
            bc.ones(3) / 0
        with pytest.raises(RuntimeWarning, match="overflow encountered in reduce"):
            bc.full(3, 1e308).sum()


def test_once_a_place_by_default():
    def f(xp):
        for _ in range(3):
            1 / xp.zeros(3)
            bc.evaluate(1 / bc.zeros(10_000)) if xp is bc else 1 / np.zeros(10_000)

    for xp in (np, bc):
        globals().pop("__warningregistry__", None)
        messages = []
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings._showwarnmsg_impl = lambda m, messages=messages: messages.append(m.lineno)
            f(xp)
        assert len(messages) == 2, xp
    globals().pop("__warningregistry__", None)


def test_eager_warnings():
    x = bc.zeros(10_000) + 0.0
    with bc.config.set(fp_warnings="eager"), recorded(late=True) as messages:
        1 / x
        assert len(messages) == 1
    with bc.config.set(fp_warnings="lazy"), recorded(late=False) as messages:
        y = 1 / x
        assert messages == []
        bc.evaluate(y)
        assert len(messages) == 1
    assert bc.config.fp_warnings == "auto"


def test_missing_values_are_no_errors():
    data = np.array([1.0, NAN, 2.0] * 4000)
    assert reported(lambda xp: xp.sqrt(xp.array(data) * 2 + 1).sum(), bc) == []
    frame = bpd.DataFrame({"x": [1.0, NAN, 0.0, -1.0], "y": [0.0, 1.0, 0.0, INF]})
    assert reported(lambda xp: [frame.x / frame.y, frame.x // 0, frame.sum(), frame.y - frame.y], bc) == []


@pytest.mark.parametrize("n", [5, 1000, 1024, 9000, 70_000])
@pytest.mark.parametrize("where", [0, -1])
def test_one_element_among_many_is_found(n, where):
    x = np.ones(n)
    x[where] = 0
    with bc.errstate(all="ignore"):
        ours = bc.array(x) * 1.0
    for f in (
        lambda a, xp: 1 / a,
        lambda a, xp: xp.log(a) * 2 + a,
        lambda a, xp: (a + 1) * 3 / a + 5,
        lambda a, xp: xp.sqrt(a - 0.5),
        lambda a, xp: (1 / a)[::2] + 1,
        lambda a, xp: xp.sin(1 / a) + xp.cos(1 / a),
    ):
        expected = [m[0] for m in reported(lambda xp: f(x, np), np)]
        assert [m[0] for m in reported(lambda xp: bc.evaluate(f(ours, bc)), bc)] == expected
        late = [m[0] for m in reported(lambda xp: bc.evaluate(f(ours, bc)), bc, late=True)]
        assert set(late) <= set(expected) and (late == expected or n >= 4096)


@pytest.mark.parametrize("n", [9, 9000])
@pytest.mark.parametrize(
    "case",
    [
        lambda xp, x, out: xp.divide(1, x, out=out, where=x != 0),
        lambda xp, x, out: xp.divide(x, 0, out=out, where=x < -9),
        lambda xp, x, out: xp.divide(1, x, out=out, where=x >= 0),
        lambda xp, x, out: xp.sqrt(x, out=out, where=x >= 0),
        lambda xp, x, out: xp.log(x, out=out, where=x >= 0),
        lambda xp, x, out: xp.log(x, out=out, where=x > 0),
        lambda xp, x, out: xp.divide(
            xp.ones((2, 1)), x, out=xp.zeros((2, x.size)), where=xp.asarray([[False], [True]])
        ),
        lambda xp, x, out: xp.floor_divide(3, x.astype(int), out=out.astype(int), where=xp.trunc(x) != 0),
        lambda xp, x, out: xp.power(x, 0.5, out=out, where=xp.broadcast_to(x[None] > 0, (1, x.size))[0]),
    ],
)
def test_what_a_mask_leaves_out_raises_nothing(n, case):
    reported = []
    for xp in (np, bc):
        x = xp.linspace(-2, 2, n)
        with warnings.catch_warnings(record=True) as seen, np.errstate(all="warn"):
            warnings.simplefilter("always")
            result = np.asarray(case(xp, x * 1, xp.zeros(n)))
        reported.append((sorted(str(w.message) for w in seen), result))
    assert reported[0][0] == reported[1][0]
    np.testing.assert_allclose(reported[1][1], reported[0][1], rtol=1e-15)


FAILING = {
    "reduceat": lambda xp, x: xp.multiply.reduceat(x, [0, 2, 1], axis=1, out=xp.empty((3, 1000))),
    "accumulate": lambda xp, x: xp.multiply.accumulate(x, axis=1, out=xp.empty(3)),
    "reduce": lambda xp, x: xp.multiply.reduce(x, axis=1, out=xp.empty(4)),
    "cumprod": lambda xp, x: xp.cumprod(x, axis=1, out=xp.empty(3)),
    "dot": lambda xp, x: xp.dot(x * 1e200, x.T * 1e200, out=xp.empty(3)),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_call_that_fails_leaves_no_conditions_to_the_next(name):
    x = bc.full((3, 1000), 10.0)
    with np.errstate(all="raise"):
        with pytest.raises(ValueError, match="out|broadcast|op_axes"):
            FAILING[name](bc, x)
        assert bc.add(1.0, 2.0) == 3
        assert (bc.arange(3) + 1).tolist() == [1, 2, 3]
