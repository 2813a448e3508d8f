"""The program waits for the device only where it asks for values; errors that kernels found are reported then."""

import ast

import emulated_cuda
import sweeps

# Every name of a line is called; if shapes or Python numbers depend on values, waiting is unavoidable.
PROGRAM = """
import warnings
def counts():
    return [calls(n) for n in ("cuStreamSynchronize", "cuEventSynchronize", "cuMemcpyDtoHAsync_v2")]
rng = np.random.default_rng(0)
host = rng.uniform(0.1, 0.9, (6, 8))
ONE = '''abs absolute acos arccos arcsin arcsinh arctan arctanh asin atan cbrt ceil conj cos cosh deg2rad degrees exp exp2
    expm1 fabs floor isfinite isinf isnan log log10 log1p log2 logical_not negative positive rad2deg radians reciprocal
    rint sign signbit sin sinh spacing sqrt square tan tanh trunc modf frexp sum prod max min any all mean std var argmax argmin
    cumsum cumprod count_nonzero nansum nanmax nanmin nanmean nanstd nanvar ptp average diff sinc nan_to_num fix round real
    imag angle isreal zeros_like ones_like empty_like copy ravel transpose flip fliplr flipud rot90 squeeze tril triu diag
    diagonal trace nancumsum atleast_3d ascontiguousarray asfortranarray gradient ediff1d
    nanprod nancumprod isneginf isposinf'''.split()
TWO = '''add subtract multiply divide true_divide floor_divide remainder mod fmod power float_power arctan2 hypot logaddexp
    logaddexp2 maximum minimum fmax fmin copysign nextafter heaviside equal not_equal less less_equal greater greater_equal
    logical_and logical_or logical_xor divmod isclose concatenate stack hstack vstack dstack column_stack append
    outer'''.split()
AXIS = "sum prod max min mean std var any all argmax argmin cumsum cumprod nansum nanmax count_nonzero flip".split()
CALLS = {
    **{f"{f}(a)": (lambda f=f: getattr(bc, f)(a)) for f in ONE},
    **{f"{f}(a, b)": (lambda f=f: getattr(bc, f)(*(((a, b),) if "stack" in f or f == "concatenate" else (a, b)))) for f in TWO},
    **{f"{f}(a, axis=0)": (lambda f=f: getattr(bc, f)(a, axis=0)) for f in AXIS},
    "a[1]": lambda: a[1], "a[::2]": lambda: a[::2, 1:3], "a[k]": lambda: a[k], "a.take": lambda: bc.take(a, k, axis=1),
    "a[k, k]": lambda: a[k, k], "where": lambda: bc.where(m, a, b), "clip": lambda: bc.clip(a, 0.2, 0.4),
    "reshape": lambda: a.reshape(8, 6), "astype": lambda: a.astype("f4"), "a * 2 + b": lambda: a * 2 + b,
    "broadcast_to": lambda: bc.broadcast_to(a, (2, 6, 8)), "repeat": lambda: bc.repeat(a, 3), "tile": lambda: bc.tile(a, 2),
    "roll": lambda: bc.roll(a, 2), "pad": lambda: bc.pad(a, 1), "moveaxis": lambda: bc.moveaxis(a, 0, 1),
    "zeros": lambda: bc.zeros(5), "arange": lambda: bc.arange(5.0), "linspace": lambda: bc.linspace(0, 1, 7),
    "eye": lambda: bc.eye(4), "full": lambda: bc.full(3, 2.5), "asarray": lambda: bc.asarray(host),
    "random": lambda: bc.random.default_rng(1).random(9), "normal": lambda: bc.random.default_rng(1).normal(0, 1, 9),
    "x[1] = ": lambda: c.__setitem__(1, 5), "x[k] = ": lambda: c.__setitem__(k, 1.0), "x[m] = ": lambda: c.__setitem__(m, 0),
    "x += ": lambda: c.__iadd__(a), "x[...] = ": lambda: c.__setitem__(..., a),
    "choose": lambda: bc.choose(m.astype("i8"), (a, b)), "select": lambda: bc.select([m], [a], 3.0),
    "take_along_axis": lambda: bc.take_along_axis(a, k[:, None], axis=1),
    **{f"{f}(a, where=m)": (lambda f=f: getattr(bc, f)(a, axis=0, where=m)) for f in "mean std var nanmean nanvar".split()},
    **{f"{f}(a, axis=1)": (lambda f=f: getattr(bc, f)(a, axis=1)) for f in "nanmin nanmean nanstd nanvar".split()},
    "var(a, out=f4)": lambda: bc.var(a, axis=0, where=m, out=bc.zeros(8, "f4")),
    **{f"{f}(s, t)": (lambda f=f: getattr(bc, f)(s, t)) for f in "divide floor_divide remainder divmod".split()},
    "s // 2": lambda: s // 2, "s / k": lambda: s / k, "s / 2.5": lambda: s / 2.5, "s * 2.5": lambda: s * 2.5,
    "s // t[0]": lambda: s // t[0], "s -> [h]": lambda: s.astype("m8[h]"), "nanmax(s)": lambda: bc.nanmax(s),
    "float16 // float16": lambda: h[0] // h[1], "float16 % float16": lambda: h[0] % h[1],
    "add(where=m)": lambda: bc.add(a, b, where=m, out=bc.zeros((6, 8))), "log(where=m)": lambda: bc.log(a, where=m, out=bc.ones((6, 8))),
    "divide(1, where=m)": lambda: bc.divide(1, a, where=m, out=bc.zeros((6, 8))),
    "divide(0, where=m)": lambda: bc.divide(a, 0, where=m, out=bc.zeros((6, 8))),
    "power(where=k)": lambda: bc.power(a, b[0], where=m[0], out=bc.zeros((6, 8))), "f4[...] = f8": lambda: f4.__setitem__(..., a),
    "add(out=f4)": lambda: bc.add(a, b, out=f4, casting="unsafe"), "sum(out=f4)": lambda: bc.sum(a, axis=0, out=f4[0]),
    "linspace(a, b)": lambda: bc.linspace(a, b, 5),
    "histogram(range)": lambda: bc.histogram(a, 5, (0.0, 1.0)), "histogram(edges)": lambda: bc.histogram(a, [0.1, 0.2, 0.9]),
    "histogram(int, range)": lambda: bc.histogram(k, 5, (0, 9)), "histogram": lambda: bc.histogram(a),
    "max(float16)": lambda: bc.max(h),
    "histogram(auto)": lambda: bc.histogram(a, "auto"), "nanargmax": lambda: bc.nanargmax(a),
}
a, b, c = bc.asarray(host), bc.asarray(host[::-1].copy()), bc.asarray(host.copy())
m, k = bc.asarray(host > 0.5), bc.asarray(np.array([2, 0, 1, 3, 5, 4]))
s, t, h = bc.asarray(np.arange(6).astype("m8[s]")), bc.asarray(np.arange(6).astype("m8[ms]")), bc.asarray(np.arange(3, dtype="f2"))
f4 = bc.zeros((6, 8), "f4")
bc.synchronize()
first, step = map(int, os.environ["BASCULE_TEST_PART"].split("/"))
called, waited = list(CALLS)[first::step], []
for name in called:
    call = CALLS[name]
    before = counts()
    bc.evaluate(call())
    if counts() != before:
        waited.append(name)
bc.synchronize()
print(called)
print(waited)
"""


# Exceptions: some raise ValueError at the call for some values (choices, infinite limits, a line of NaN only). The
# number of bins that a rule computes, and with it a shape, depends on values. Of float16 zeros the first is returned,
# so that an extremum of zero is computed again in NumPy's order. Nothing is divided if a mask selects nothing.
LOOK_AT_VALUES = ["choose", "divide(0, where=m)", "histogram", "max(float16)", "histogram(auto)", "nanargmax"]


def test_no_function_waits_by_itself():
    """A third of the calls, another one each day: each is a kernel of its own to compile."""
    k, n = sweeps.part()
    said = emulated_cuda.run(PROGRAM, BASCULE_DEVICE="cuda", BASCULE_FAKE_CUDA_LAZY="1", BASCULE_TEST_PART=f"{k}/{n}")
    called, waited = map(ast.literal_eval, said.splitlines())
    assert len(called) * n >= 150 and waited == [name for name in called if name in LOOK_AT_VALUES], said


def test_floating_point_errors_are_reported_at_the_next_wait_with_their_line():
    said = emulated_cuda.run(
        """
    import warnings
    warnings.simplefilter("always")
    seen = []
    warnings.showwarning = lambda message, category, file, line, *rest: seen.append((str(message), line))
    x = bc.asarray(np.array([1.0, 0.0, 1e300]))
    bc.synchronize()
    before = calls("cuStreamSynchronize")
    here = __import__("sys")._getframe().f_lineno
    y = 1 / x
    z = x * x
    bc.evaluate(y, z)
    assert calls("cuStreamSynchronize") == before and seen == [], seen
    bc.synchronize()
    print(sorted((m, line - here) for m, line in seen))
    seen.clear()
    print(z.get()[0], seen)
    w = bc.log(x)
    w.get()
    print([m for m, _ in seen])
    """,
        BASCULE_DEVICE="cuda",
        BASCULE_FAKE_CUDA_LAZY="1",
        BASCULE_FP_WARNINGS="lazy",
    )
    expected = [("divide by zero encountered in divide", 1), ("overflow encountered in multiply", 2)]
    assert said.splitlines() == [repr(expected), "1.0 []", "['divide by zero encountered in log']"]


# Each call once on the device and once in NumPy: NumPy warns at the call, the device when the program waits for it.
WARNINGS_OF_VALUES = """
import os, warnings
warnings.simplefilter("always")
seen = []
warnings.showwarning = lambda message, category, file, line, *rest: seen.append(str(message))
nan = np.nan
ARRAYS = {
    "holes": np.array([[1.0, nan, 4.0], [nan, nan, nan], [2.0, 3.0, nan]]), "numbers": np.arange(9.0).reshape(3, 3),
    "m": np.array([[True, False, True], [False, False, False], [True, True, True]]), "times": np.array([["NaT"] * 2, [3, 1]], "m8[s]"),
    "spans": np.array([7, -7, 0], "m8[s]"), "nats": np.array([7, "NaT", 1], "m8[s]"), "zeros": np.array([2, 0, 3], "m8[ms]"),
    "halves": np.array([3.0, 0.0, -0.0, np.inf, -2.0], "f2"), "most": np.array([65504, 1], "f2"),
    "parts": np.array([complex(np.inf, nan), complex(-1e308, np.inf), complex(nan, -np.inf), complex(1, 1e308)]),
}
CASES = []
for x in ("holes", "holes[0]", "holes[1]", "holes.astype('f2')", "holes.astype('c8')", "numbers"):
    for f in ("nanmean", "nanvar", "nanstd", *(["nanmax", "nanmin"] if "f2" not in x else [])):
        CASES += [f"X.{f}({x})", f"X.{f}({x}, axis=-1)", f"X.{f}({x}, axis=0, keepdims=True)"]
for f in ("nanvar", "nanstd"):
    CASES += [f"X.{f}(holes, axis=1, ddof=1)", f"X.{f}(holes, axis=0, ddof=2)", f"X.{f}(holes, axis=1, where=m)"]
for f in ("mean", "var", "std"):
    for t in ("f8", "f4", "f2", "i4", "c16"):
        CASES += [f"X.{f}(numbers.astype('{t}'), axis={k}, where=m{more})" for k in (0, 1, None) for more in ("", ", keepdims=True")]
    CASES += [f"X.{f}(numbers, axis=1, where=m, out=X.zeros(3, 'f4'))", f"X.{f}(numbers, axis=0, where=m, out=X.zeros(3, 'f4'))"]
CASES += ["X.var(numbers, axis=0, where=m, ddof=1)", "X.std(numbers, axis=1, where=m, ddof=2)", "X.nanmax(times, axis=1)"]
for y in ("nats", "zeros", "zeros[0]", "zeros[1]", "nats[1]", "spans"):
    for x in ("spans", "spans[0]", *(["nats"] if "[" not in y else [])):
        CASES += [f"X.{f}({x}, {y})" for f in ("divide", "floor_divide", "remainder", "divmod")] + [f"divmod({x}, {y})"]
for y in ("0", "2", "-1", "0.0", "2.5", "nan", "1e-300", "m[0].astype('i8')", "m[0].astype('f8')", "m[1, 0].astype('f8')"):
    CASES += [f"spans / {y}", f"nats // {y}", f"spans * {y}"]
CASES += [f"halves[{i}] {op} halves[{j}]" for op in ("//", "%") for i in range(5) for j in range(5)]
CASES += [f"parts {op} parts{order}" for op in "+-" for order in ("", "[::-1]", "[1]")]  # one part hides nothing of the other
CASES += [f"halves[{i}] {op} {y}" for op in ("//", "%") for i in range(5) for y in ("0.0", "-0.0", "2.0")]
for f in ("divide", "remainder", "power", "add", "floor_divide", "hypot", "arctan2"):
    for where in ("m", "numbers > 0", "numbers < 0", "numbers[1:2] > 3", "m[:, :1]"):
        CASES += [f"X.{f}({x}, {y}, where={where}, out=X.ones((3, 3)))" for x, y in (("1.0", "numbers"), ("numbers * 1e308", "numbers[0]"))]
for f in ("log", "sqrt", "arctanh", "arccosh", "reciprocal", "spacing", "exp", "tan"):
    for where in ("m", "numbers > 2", "numbers < 0"):
        CASES += [f"X.{f}({x}, where={where}, out=X.ones((3, 3)))" for x in ("numbers", "-numbers", "numbers.astype('f2')", "(numbers - 1) * 800")]
for x in ("numbers", "numbers * 0", "numbers * 5e-324", "holes"):
    CASES += [f"X.linspace({x}, {y}, 5)" for y in ("m.astype('f8')", "numbers", "numbers + 3", "X.full((3, 3), X.inf)")]
CASES += [f"X.spacing({x})" for x in ("halves", "holes.astype('f2')")] + ["X.nextafter(most, halves[3])"]
for x in ("numbers * 1e300", "numbers", "holes", "numbers * 1e300 - numbers * 1j"):
    CASES += [f"X.add({x}, 1.0, out=X.zeros((3, 3), '{t}'), casting='unsafe')" for t in (("f4", "f2", "i4") if "j" not in x else ("c8",))]

first, step = map(int, os.environ["BASCULE_TEST_PART"].split("/"))
CASES = CASES[first::step]
on_device = {k: bc.asarray(v) for k, v in ARRAYS.items()}
waits, wrong, told = [], [], 0
for case in CASES:
    before = calls("cuStreamSynchronize")
    ours = eval(case, {**on_device, "X": bc, "nan": nan})
    bc.evaluate(*(ours if isinstance(ours, tuple) else (ours,)))
    if calls("cuStreamSynchronize") != before or seen:
        waits.append(case)
    bc.synchronize()
    found = sorted(set(seen))
    seen.clear()
    theirs = eval(case, {**ARRAYS, "X": np, "nan": nan})
    expected = sorted(set(seen))
    seen.clear()
    told += bool(expected)
    if found != expected:
        wrong.append((case, found, expected))
    for a, b in zip(*(r if isinstance(r, tuple) else (r,) for r in (ours, theirs))):
        np.testing.assert_allclose(*(v.astype("i8") if v.dtype.kind == "m" else v for v in (a.get(), b)), rtol=1e-3, err_msg=case)
print(len(CASES), told * step > 100, waits, *wrong[:9])
"""


def test_warnings_about_values_come_at_the_next_wait():
    """A third of the cases, another one each day: each is a kernel of its own to compile."""
    k, n = sweeps.part()
    said = emulated_cuda.run(
        WARNINGS_OF_VALUES, BASCULE_DEVICE="cuda", BASCULE_FAKE_CUDA_LAZY="1", BASCULE_FP_WARNINGS="lazy",
        BASCULE_TEST_PART=f"{k}/{n}",
    )  # fmt: skip
    count, reported, waited = said.split(" ", 2)
    assert int(count) * n > 400 and reported == "True" and waited == "[]", said


def test_warnings_about_values_name_the_line_and_come_once_or_at_the_call():
    said = emulated_cuda.run(
        """
    import warnings
    warnings.simplefilter("always")
    seen = []
    warnings.showwarning = lambda message, category, file, line, *rest: seen.append((str(message), category.__name__, line))
    x = bc.asarray(np.array([[1.0, 2.0], [np.nan, np.nan]]))
    here = __import__("sys")._getframe().f_lineno
    y = bc.nanmean(x, axis=1)
    z = bc.nanvar(x, axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        w = bc.nanmax(x, axis=1)
    bc.evaluate(y, z, w)
    assert seen == [], seen
    bc.synchronize()
    print([(m, c, line - here) for m, c, line in seen])
    seen.clear()
    y.get(), z.get(), bc.synchronize()
    print(seen)
    bc.config.fp_warnings = "eager"
    bc.nanmean(x, axis=1)
    print([m for m, _, _ in seen])
    bc.config.fp_warnings = "auto"
    with warnings.catch_warnings(record=True) as recorded:
        warnings.simplefilter("always")
        bc.nanvar(x, axis=1)
        print([str(w.message) for w in recorded])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            bc.nanmin(x, axis=1)
        except RuntimeWarning as error:
            print(error)
    """,
        BASCULE_DEVICE="cuda",
        BASCULE_FAKE_CUDA_LAZY="1",
        BASCULE_FP_WARNINGS="lazy",
    )
    late = [("Mean of empty slice", "RuntimeWarning", 1), ("Degrees of freedom <= 0 for slice.", "RuntimeWarning", 2)]
    freedom, lines = "['Degrees of freedom <= 0 for slice.']", "All-NaN slice encountered"
    assert said.splitlines() == [repr(late), "[]", "['Mean of empty slice']", freedom, lines]


def test_errors_that_raise_are_reported_at_the_call():
    said = emulated_cuda.run(
        """
    x = bc.asarray(np.array([1.0, 0.0]))
    with bc.errstate(divide="raise"):
        try:
            y = 1 / x
        except FloatingPointError as error:
            print(error)
    with bc.errstate(all="ignore"):
        z = 1 / x
        bc.evaluate(z)
    print(z.get())
    """,
        BASCULE_DEVICE="cuda",
    )
    assert said.splitlines() == ["divide by zero encountered in divide", "[ 1. inf]"]


def test_more_flags_than_there_is_room_for_are_read_earlier():
    said = emulated_cuda.run(
        """
    import warnings
    warnings.simplefilter("always")
    seen = []
    warnings.showwarning = lambda message, category, file, line, *rest: seen.append(str(message))
    x = bc.asarray(np.array([1.0, 0.0]))
    for i in range(9000):
        bc.evaluate(1 / x)
    assert 0 < len(seen) < 9000, len(seen)
    bc.synchronize()
    print(len(seen), calls("cuStreamSynchronize") < 20)
    """,
        BASCULE_DEVICE="cuda",
        BASCULE_FP_WARNINGS="lazy",
    )
    assert said == "9000 True"


# A count of rows depends on values, and so does whether labels are a range: each is one wait of a call, not of a column.
FRAMES = """
import pandas
import bascule.pandas as pd
rng = np.random.default_rng(0)
for rows in (1000, 5000):
    f = pandas.DataFrame({f"c{k}": rng.random(rows) for k in range(12)})
    f["k"] = rng.integers(0, 9, rows)
    g = pandas.DataFrame({"k": np.arange(9), "u": rng.random(9)})
    F, G = pd.from_pandas(f), pd.from_pandas(g)
    CALLS = {
        "mask": (lambda F, G: F[F.c0 > 0.5]), "take": (lambda F, G: F.take(np.array([5, 1, 3]))), "iloc": (lambda F, G: F.iloc[[5, 1, 3]]),
        "sort_values": (lambda F, G: F.sort_values("c0")), "merge": (lambda F, G: F.merge(G, on="k")), "groupby": (lambda F, G: F.groupby("k").mean()),
    }
    for name, call in CALLS.items():
        pandas.testing.assert_frame_equal(call(F, G).to_pandas(), call(f, g), check_index_type=False)
        bc.synchronize()
        before = calls("cuStreamSynchronize")
        kept = call(F, G)
        for column in kept.columns:
            kept[column] + 1
        print(rows, name, calls("cuStreamSynchronize") - before)
    bc.synchronize()
    before = calls("cuStreamSynchronize")
    total = F.sum()
    print(rows, "sum", calls("cuStreamSynchronize") - before)
    pandas.testing.assert_series_equal(total.to_pandas(), f.sum())
"""


def test_frames_wait_once_a_call_not_once_a_column():
    said = emulated_cuda.run(FRAMES, BASCULE_DEVICE="cuda")
    waits = {(rows, name): int(n) for rows, name, n in map(str.split, said.splitlines())}
    assert len(waits) == 14
    assert not {call: n for call, n in waits.items() if n > (1 if call[1] == "sum" else 2)}
