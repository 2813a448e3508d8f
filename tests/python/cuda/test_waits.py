"""The device is waited for where the program asks, and nowhere else; what its kernels found is reported then."""

import emulated_cuda

# Every name of a line is called; where a shape or a Python number depends on values there is no way around waiting.
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
}
a, b, c = bc.asarray(host), bc.asarray(host[::-1].copy()), bc.asarray(host.copy())
m, k = bc.asarray(host > 0.5), bc.asarray(np.array([2, 0, 1, 3, 5, 4]))
bc.synchronize()
waited = []
for name, call in CALLS.items():
    before = counts()
    bc.evaluate(call())
    if counts() != before:
        waited.append(name)
bc.synchronize()
print(len(CALLS), waited)
"""


# They warn of slices without a number, or raise ValueError, at the call, and so look at values there.
LOOK_AT_VALUES = ["nanmax(a)", "nanmin(a)", "nanmean(a)", "nanstd(a)", "nanvar(a)", "nanmax(a, axis=0)", "choose"]


def test_no_function_waits_by_itself():
    said = emulated_cuda.run(PROGRAM, BASCULE_DEVICE="cuda", BASCULE_FAKE_CUDA_LAZY="1")
    count, _, waited = said.partition(" ")
    assert int(count) >= 150 and waited == repr(LOOK_AT_VALUES), said


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
