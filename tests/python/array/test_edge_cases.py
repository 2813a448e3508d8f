"""Results, errors and warnings of edge cases are NumPy's: outputs that do not match, numbers out of a type's range,
huge, negative and empty arguments, and names that NumPy has removed."""

import subprocess
import sys
import warnings

import bascule as bc
import edge_expressions
import numpy as np
import pytest
from bascule._array.numpy_versions import since

EXPRESSIONS = [
    line for name, text in vars(edge_expressions).items() if name.isupper() for line in text.strip().splitlines()
]
pytestmark = [
    pytest.mark.usefixtures("native"),
    pytest.mark.skipif(bc.config.device != "cpu", reason="NumPy's numbers stand beside arrays of ours"),
]


def _written(write):
    """A function that writes to its first argument and returns it."""

    def call(a, *rest):
        write(a, *rest)
        return a

    return call


def _read_only(a):
    a.flags.writeable = False
    return a


def _set(a, key, value):
    a[key] = value


def _scope(xp):
    return {
        "xp": xp,
        "np": np,
        "A": xp.array,
        "ro": _read_only,
        "copyto": _written(lambda a, b, casting, where: xp.copyto(a, b, casting=casting, where=where)),
        "fill": _written(xp.fill_diagonal),
        "put": _written(xp.put),
        "putmask": _written(xp.putmask),
        "place": _written(xp.place),
        "setitem": _written(_set),
    }


def _shown(r):
    if isinstance(r, (tuple, list)):
        return [type(r).__name__, *map(_shown, r)]
    if hasattr(r, "dtype") and hasattr(r, "shape"):
        n = np.asarray(r)
        return str(n.dtype), n.shape, str(n.tolist())
    return str(r) if not callable(r) else "a function"


def outcome(xp, expression):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            found = _shown(eval(expression, _scope(xp)))
        except Exception as error:
            found = type(error).__name__, str(error).replace("bascule", "numpy")
    return found, [(w.category.__name__, str(w.message)) for w in said if w.category is not bc.FallbackWarning]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_answers_are_numpys(expression):
    with bc.config.set(fallback="silent"):
        assert outcome(bc, expression) == outcome(np, expression)


@pytest.mark.parametrize("action", ["default", "ignore", "always", "error"])
@pytest.mark.parametrize("n", [1000, 20_001, 200_000])
@pytest.mark.parametrize("first", [0, 1])
def test_products_are_numpys_whoever_listens_for_warnings(n, first, action):
    x = np.full(n, 200)
    x[first * n // 2] = 0
    with warnings.catch_warnings():
        for made in (x, x.astype("f8"), x.astype("f4")):
            for method in ("prod", "nanprod"):
                for dtype in ("f8", "f4"):
                    warnings.simplefilter("ignore")
                    expected = getattr(np, method)(made, dtype=dtype)
                    warnings.simplefilter(action)
                    try:
                        found = getattr(bc, method)(bc.array(made), dtype=dtype)
                    except RuntimeWarning:
                        continue
                    assert np.array_equal(found, expected, equal_nan=True)


# Where NumPy itself crashes, hangs or takes all memory, an error is raised at once.
DEADLY = {
    "xp.add.accumulate(A([1.0, 2.0]), out=xp.zeros(()))": ValueError,
    "xp.cumprod(A([1.0, 2.0]), out=xp.zeros(()))": ValueError,
    "xp.nancumsum(A([1.0, 2.0]), out=xp.zeros(()))": ValueError,
    "xp.maximum.accumulate(A([1.0, 2.0]), out=xp.zeros(()))": ValueError,
    "A([1.0, 2.0]).cumprod(out=xp.zeros(()))": ValueError,
    "xp.tensordot(A([1.0, 2.0]), A([1.0, 2.0]), axes=10**9)": IndexError,
    "xp.linalg.tensordot(A([1.0, 2.0]), A([1.0, 2.0]), axes=10**9)": IndexError,
    "A([1, 2]).repeat(2**62)": ValueError,
    "xp.random.default_rng(1).standard_gamma(-100, out=xp.zeros(3))": ValueError,
    "setitem(xp.ones((3,) * 5), xp.ix_(*[xp.zeros(7132, int)] * 5), 0)": ValueError,
    "xp.ones((3,) * 5)[xp.ix_(*[xp.zeros(7132, int)] * 5)]": ValueError,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("expression", DEADLY)
def test_what_ends_numpys_process_raises(expression):
    with pytest.raises(DEADLY[expression]):
        eval(expression, _scope(bc))


def test_numpys_crash_is_still_there():
    """Once no supported NumPy crashes, its own error can be used."""
    call = "import numpy as np; np.add.accumulate(np.ones(2), out=np.zeros(()))"
    crashed = subprocess.run([sys.executable, "-c", call], capture_output=True, check=False).returncode < 0
    assert crashed == (not since("accumulate refuses an output without axes"))


def test_a_mask_is_not_repeated_along_what_is_reduced():
    for shape, mask in (((1, 3), (3, 3)), ((3,), (1, 3)), ((1,), (0,)), ((2, 1), (2, 4))):
        for method in ("sum", "prod", "any", "all", "max", "mean"):
            options = {"initial": 0} if method == "max" else {}
            for xp in (np, bc):
                with pytest.raises(ValueError, match="operand"):
                    getattr(xp.ones(shape), method)(where=xp.ones(mask, bool), **options)
