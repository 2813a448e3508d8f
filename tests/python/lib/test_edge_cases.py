"""Edge cases of single functions whose results were once silently wrong, against NumPy's."""

import warnings

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

CALLS = {
    "arange(0,1,inf)": lambda xp: xp.arange(0, 1, np.inf),
    "arange(0,-1,inf)": lambda xp: xp.arange(0, -1, np.inf),
    "arange(0,inf,1)": lambda xp: xp.arange(0, np.inf, 1),
    "arange(nan)": lambda xp: xp.arange(np.nan),
    "arange(0,1,nan)": lambda xp: xp.arange(0, 1, np.nan),
    "arange(0,inf,inf)": lambda xp: xp.arange(0, np.inf, np.inf),
    "arange(5,1,inf)": lambda xp: xp.arange(5.0, 1, np.inf),
    "arange(0,10,-inf)": lambda xp: xp.arange(0, 10, -np.inf),
    "arange(0,0,inf)": lambda xp: xp.arange(0.0, 0, np.inf),
    "interp inf": lambda xp: xp.interp(
        [0.5, 1, 1.5, 0, 3], [0, 1, 2], xp.asarray([1 + 1j, complex(np.inf, 0), complex(0, np.inf)])
    ),
    "interp inf2": lambda xp: xp.interp(
        xp.asarray([0.5, 1, 1.5]),
        xp.asarray([0, 1, 2.0]),
        xp.asarray([complex(1, np.inf), complex(np.inf, 0), complex(0, np.inf)]),
    ),
    "interp infr": lambda xp: xp.interp([0.5, 1, 1.5, 2], [0, 1, 2], xp.asarray([1, np.inf, np.inf])),
    "interp inff": lambda xp: xp.interp(
        xp.asarray([0.5, 1, 1.5, 2, np.inf, -np.inf, np.nan]), [0, 1, 2], xp.asarray([1 + 1j, 2, np.inf])
    ),
    "percentile out": lambda xp: into(lambda o: xp.percentile(xp.asarray([1.0, 2, 3]), 50, out=o), xp.zeros(())),
    "percentile out1": lambda xp: into(lambda o: xp.percentile(xp.asarray([1.0, 2, 3]), [50], out=o), xp.zeros(1)),
    "percentile out one": lambda xp: into(lambda o: xp.percentile(xp.asarray([1.0]), 50, out=o), xp.zeros(())),
    "percentile scalar": lambda xp: into(lambda o: xp.percentile(3.0, 50, out=o), xp.zeros(())),
    "percentile i8": lambda xp: into(lambda o: xp.percentile(xp.asarray([1.0, 2]), 50, out=o), xp.zeros((), "i8")),
    "percentile f4": lambda xp: into(lambda o: xp.percentile(xp.asarray([1.0, 2]), 50, out=o), xp.zeros((), "f4")),
    "percentile out=1d for 0d": lambda xp: into(
        lambda o: xp.percentile(xp.asarray([1.0, 2, 3]), 50, out=o), xp.zeros(1)
    ),
    "percentile d": lambda xp: into(lambda o: xp.percentile(xp.asarray([1.0, 2, 3]), 0, out=o), xp.zeros(())),
    "percentile ax": lambda xp: into(
        lambda o: xp.percentile(xp.asarray([[1.0, 2, 3]]), 50, axis=0, out=o), xp.zeros(3)
    ),
    "nanpercentile ": lambda xp: into(
        lambda o: xp.nanpercentile(xp.asarray([[1.0, 2, np.nan]]), 50, axis=0, out=o), xp.zeros(3)
    ),
    "nanpercentile 0": lambda xp: into(
        lambda o: xp.nanpercentile(xp.asarray([[1.0, 2, np.nan]]), 50, out=o), xp.zeros(())
    ),
    "median out": lambda xp: into(lambda o: xp.median(xp.asarray([1.0, 2]), out=o), xp.zeros((), "f4")),
    "median out i": lambda xp: into(lambda o: xp.median(xp.asarray([1.0, 2]), out=o), xp.zeros((), "i8")),
    "nanmedian out i": lambda xp: into(lambda o: xp.nanmedian(xp.asarray([1.0, 2]), out=o), xp.zeros((), "f4")),
    "compress out": lambda xp: into(
        lambda o: xp.compress([True, False, True], xp.asarray([1.5, 2, 3]), out=o), xp.zeros(2, "i8")
    ),
    "compress out f4": lambda xp: into(
        lambda o: xp.compress([True, False, True], xp.asarray([1.5, 2, 3]), out=o), xp.zeros(2, "f4")
    ),
    "compress out i->f": lambda xp: into(
        lambda o: xp.compress([True, False, True], xp.asarray([1, 2, 3]), out=o), xp.zeros(2, "f8")
    ),
    "compress out shape": lambda xp: into(
        lambda o: xp.compress([True, False, True], xp.asarray([1, 2, 3]), out=o), xp.zeros(3, "i8")
    ),
    "compress method": lambda xp: into(
        lambda o: xp.asarray([1.5, 2, 3]).compress([True, False, True], out=o), xp.zeros(2, "i8")
    ),
    "take out": lambda xp: into(lambda o: xp.take(xp.asarray([1.5, 2, 3]), [0, 1], out=o), xp.zeros(2, "i8")),
    "take out f4": lambda xp: into(lambda o: xp.take(xp.asarray([1.5, 2, 3]), [0, 1], out=o), xp.zeros(2, "f4")),
    "take out wrap": lambda xp: into(
        lambda o: xp.take(xp.asarray([1.5, 2, 3]), [0, 1], out=o, mode="wrap"), xp.zeros(2, "i8")
    ),
    "choose out": lambda xp: into(
        lambda o: xp.choose([0, 1], xp.asarray([[1.5, 2], [3, 4]]), out=o), xp.zeros(2, "i8")
    ),
    "pad0": lambda xp: xp.pad(xp.asarray([1.0, 2, 3]), 1, "mean", stat_length=0),
    "pad0max": lambda xp: xp.pad(xp.asarray([1.0, 2, 3]), 1, "maximum", stat_length=0),
    "pad0med": lambda xp: xp.pad(xp.asarray([1.0, 2, 3]), 1, "median", stat_length=0),
    "pad0medi": lambda xp: xp.pad(xp.asarray([1, 2, 3]), 1, "mean", stat_length=0),
    "pad01": lambda xp: xp.pad(xp.asarray([1.0, 2, 3]), 1, "mean", stat_length=(1, 0)),
    "pad01m": lambda xp: xp.pad(xp.asarray([1.0, 2, 3]), 1, "minimum", stat_length=(1, 0)),
    "pad0w0": lambda xp: xp.pad(xp.asarray([1.0, 2, 3]), 0, "minimum", stat_length=0),
    "pad0w01": lambda xp: xp.pad(xp.asarray([1.0, 2, 3]), (0, 1), "minimum", stat_length=(0, 1)),
    "lexsort0": lambda xp: xp.lexsort((xp.asarray(1), xp.asarray(2)), axis=1),
    "lexsort01": lambda xp: xp.lexsort((xp.asarray(1), xp.asarray(2)), axis=0),
    "lexsort02": lambda xp: xp.lexsort((xp.asarray(1), xp.asarray(2)), axis=-2),
    "lexsort1": lambda xp: xp.lexsort((xp.asarray([1, 2]),), axis=1),
    "lexsort1d": lambda xp: xp.lexsort((1, 2), axis=1),
    "einsumK": lambda xp: xp.einsum("ij->ji", xp.asarray(np.arange(6.0).reshape(2, 3)), order="K"),
    "einsumK2": lambda xp: xp.einsum(
        "ij,jk->ik", xp.asarray(np.arange(6.0).reshape(2, 3)), xp.asarray(np.arange(6.0).reshape(3, 2)), order="K"
    ),
    "einsumA": lambda xp: xp.einsum(
        "ij,jk->ik", xp.asarray(np.arange(6.0).reshape(2, 3)), xp.asarray(np.arange(6.0).reshape(3, 2)), order="A"
    ),
    "einsumC": lambda xp: (
        xp.einsum(
            "ij,jk->ki", xp.asarray(np.arange(6.0).reshape(2, 3)), xp.asarray(np.arange(6.0).reshape(3, 2)), order="C"
        ).strides
    ),
    "einsumF": lambda xp: (
        xp.einsum(
            "ij,jk->ki", xp.asarray(np.arange(6.0).reshape(2, 3)), xp.asarray(np.arange(6.0).reshape(3, 2)), order="F"
        ).strides
    ),
    "einsumbad": lambda xp: xp.einsum(
        "ij,jk->ki", xp.asarray(np.arange(6.0).reshape(2, 3)), xp.asarray(np.arange(6.0).reshape(3, 2)), order="Q"
    ),
    "einsumT": lambda xp: xp.einsum("ij->ij", xp.asarray(np.arange(6.0).reshape(2, 3)).T, order="K").strides,
    "einsumTT": lambda xp: (
        xp.einsum(
            "ij,ij->ij",
            xp.asarray(np.arange(6.0).reshape(2, 3)).T,
            xp.asarray(np.arange(6.0).reshape(2, 3)).T,
            order="K",
        ).strides
    ),
    "einsumTTC": lambda xp: (
        xp.einsum(
            "ij,ij->ij",
            xp.asarray(np.arange(6.0).reshape(2, 3)).T,
            xp.asarray(np.arange(6.0).reshape(2, 3)).T,
            order="C",
        ).strides
    ),
    "einsumTTA": lambda xp: (
        xp.einsum(
            "ij,ij->ij",
            xp.asarray(np.arange(6.0).reshape(2, 3)).T,
            xp.asarray(np.arange(6.0).reshape(2, 3)).T,
            order="A",
        ).strides
    ),
}


def into(f, out):
    return f(out), out


def outcome(program, xp):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            r = program(xp)
        except Exception as error:
            return ("TypeError" if isinstance(error, TypeError) else type(error).__name__), str(error)
    parts = r if isinstance(r, tuple) else (r,)
    found = [(np.asarray(v).dtype, np.shape(v), str(np.asarray(v).tolist())) for v in parts]
    return found, sorted(str(w.message) for w in seen)


@pytest.mark.parametrize("name", CALLS)
def test_as_numpy(name):
    assert outcome(CALLS[name], bc) == outcome(CALLS[name], np)


@pytest.mark.parametrize("steps", [(0, 1, np.inf), (0, 5e-324, 10), (0, -1, np.inf), (0, 1, -np.inf), (3, 1, 1e308)])
@pytest.mark.parametrize("dtype", [None, "f2", "f4", "f8"])
def test_ranges_of_one_step(steps, dtype):
    same = [xp.arange(*steps, dtype=dtype) for xp in (bc, np)]
    assert same[0].dtype == same[1].dtype and same[0].tolist() == same[1].tolist()


def test_complex_lines_part_by_part():
    rng = np.random.default_rng(0)
    x, xp = rng.uniform(-1, 9, 300), np.arange(8.0)
    fp = rng.normal(size=8) + 1j * rng.normal(size=8)
    for at in (None, 2, 5):
        some = fp.copy()
        if at is not None:
            some[at] = complex(np.inf, 1) if at == 2 else complex(-1, -np.inf)
        ours = bc.interp(bc.asarray(x), xp, bc.asarray(some)).get()
        theirs = np.interp(x, xp, some)
        np.testing.assert_allclose(ours.real, theirs.real, rtol=1e-13)
        np.testing.assert_allclose(ours.imag, theirs.imag, rtol=1e-13)


def test_medians_into_a_wider_type():
    x = np.array([3e38, 3e38, 1, 3e38], "f4")
    ours, theirs = bc.zeros(()), np.zeros(())
    bc.median(bc.asarray(x), out=ours), np.median(x, out=theirs)
    assert ours == theirs == np.float32(3e38)
