"""Fourier transforms on the emulated CUDA device, against NumPy."""

import pytest
from emulated_arrays import MODES, check

every_mode = pytest.mark.parametrize("mode", MODES)
HELP = """
def numbers(dtype, shape):
    part = lambda: rng.normal(0, 10, shape)
    return (part() + 1j * part() if np.dtype(dtype).kind == "c" else abs(part())).astype(dtype)

def near(ours, theirs, case, of=""):
    assert type(ours) is bc.ndarray and ours.device == "cuda", case
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, (case, ours.dtype, theirs.dtype, ours.shape, theirs.shape)
    tolerance = 4e-3 if of == "e" or theirs.dtype.char == "e" else 2e-5 if theirs.dtype.char in "fF" else 1e-11
    np.testing.assert_allclose(ours.get(), theirs, rtol=tolerance, atol=tolerance * abs(theirs).max(initial=0), err_msg=str(case))
"""


@every_mode
def test_transforms_of_every_type_axis_and_norm(mode):
    check(
        HELP
        + """
CALLS = '''fft(x);fft(x, 6);fft(x, n=20);fft(x, axis=0);fft(x, norm='ortho');fft(x, norm='forward');ifft(x);ifft(x, axis=-2)
ifft(x, norm='forward');ifft(x, norm='ortho');rfft(x.real);rfft(x.real, 5, 0);rfft(x.real, norm='forward');irfft(x);irfft(x, 9)
irfft(x, axis=0, norm='ortho');irfft(x, norm='forward');hfft(x);hfft(x, 7);hfft(x, norm='forward');ihfft(x.real)
ihfft(x.real, norm='ortho');fft2(x);fft2(x, (3, 4));fft2(x, axes=(1, 0));ifft2(x);rfft2(x.real);irfft2(x);irfft2(x, (4, 6));fftn(x)
fftn(x, axes=(0,));fftn(x, s=(3, -1), axes=(0, 1));fftn(x, axes=(0, 0));ifftn(x, (-1, 5), (0, 1));rfftn(x.real)
rfftn(x.real, axes=(1, 0));irfftn(x);irfftn(x, (4, 5), (1, 0))'''.replace(chr(10), ";").split(";")
for dtype in "?biefdFD":
    a = numbers(dtype, (5, 8))
    x = on_device(a)
    for call in CALLS if dtype in "dF" else CALLS[::4]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            near(eval("bc.fft." + call), eval("np.fft." + call, {"np": np, "x": a}), (dtype, call), dtype)
    same(x, a, "the operand stays")
""",
        mode,
    )


def test_lengths_stacks_and_views():
    check(
        HELP
        + """
for n in [1, 2, 3, 4, 7, 8, 12, 30, 31, 37, 64, 97, 100, 128, 211, 256, 1009]:
    for dtype in "DF" if n < 60 else "D":
        a = numbers(dtype, (n,))
        x = on_device(a)
        near(bc.fft.fft(x), np.fft.fft(a), n), near(bc.fft.ifft(x), np.fft.ifft(a), n)
        near(bc.fft.rfft(x.real), np.fft.rfft(a.real), n), near(bc.fft.irfft(x, n), np.fft.irfft(a, n), n)
a = numbers("D", (2, 3, 4, 5))
x = on_device(a)
for axes in [None, (0, 1), (1, 2, 3), (3, 0), (2,), (0, 1, 2, 3), (-1, -2, 1)]:
    for name in ("fftn", "ifftn", "irfftn"):
        near(getattr(bc.fft, name)(x, axes=axes), getattr(np.fft, name)(a, axes=axes), (name, axes))
    near(bc.fft.rfftn(x.real, axes=axes), np.fft.rfftn(a.real, axes=axes), axes)
for view in (lambda a: a[::-1, :, ::2], lambda a: a.T, lambda a: a[0, 0], lambda a: a[:, :0], lambda a: a[:, 1:2, ::-3]):
    near(bc.fft.fft(view(x)), np.fft.fft(view(a)), "view"), near(bc.fft.irfft(view(x), axis=0, n=6), np.fft.irfft(view(a), axis=0, n=6), "view")
out = bc.zeros((2, 3, 4, 5), dtype="D", device="cuda")
assert bc.fft.fft(x, out=out) is out
near(out, np.fft.fft(a), "out")
r = bc.fft.fft(x)
r[...] = 0
near(bc.fft.fft(x), np.fft.fft(a), "results are arrays of their own")
back = bc.fft.ifft(bc.fft.fft(x * 2 + 1))
near(back, a * 2 + 1, "pending")
for call in ("fft(x, 0)", "fft(x, axis=7)", "fft(x, norm='x')", "irfft(x[..., :1])", "rfft(x)", "fftn(x, (2, 3), (0, 1, 2))", "fft(x, 2.5)"):
    said = []
    for module, operand in ((np, a), (bc, x)):
        try:
            said.append(eval("f." + call, {"f": module.fft, "x": operand}))
        except Exception as error:
            said.append((type(error), str(error)))
    assert said[0] == said[1], said
"""
    )


def test_transforms_wait_for_nothing_and_plans_are_kept():
    said = check("""
x = on_device(rng.normal(size=(4, 64)))
bc.synchronize("cuda")
before = calls("cuStreamSynchronize"), calls("cuMemcpyDtoHAsync_v2")
for _ in range(3):
    y = bc.fft.irfft(bc.fft.rfft(x))
print(calls("cuStreamSynchronize") - before[0], calls("cuMemcpyDtoHAsync_v2") - before[1], calls("cufftXtMakePlanMany"))
for n in range(2, 80):
    bc.fft.fft(x[0], n)
bc.synchronize("cuda")
print(_fake.bascule_fake_plans())
""")
    assert said.splitlines() == ["0 0 2", "32"]
