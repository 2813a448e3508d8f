"""A ufunc is NumPy's only if it is that object: those of programs and other libraries run as they are."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest

pytestmark = [
    pytest.mark.usefixtures("native"),
    pytest.mark.skipif(bc.config.device != "cpu", reason="functions of other libraries do not run on a device"),
]

numba = pytest.importorskip("numba")


def compiled(name, types="float64(float64)", count=1):
    arguments = ", ".join("abc"[:count])
    scope = {}
    exec(f"def {name}({arguments}): return a * 1000.0", scope)
    return numba.vectorize([types])(scope[name])


def in_pandas(f, x):
    """The result of pandas, which recognizes some ufuncs by name; frames must be equal to it."""
    try:
        return f(x, 1.0).tolist()
    except Exception as error:
        return type(error)


UNARY = ["square", "exp", "sin", "negative", "absolute", "sqrt", "isnan", "erf", "logit", "modf", "invert"]
BINARY = ["add", "multiply", "divide", "power", "equal", "maximum", "divmod", "matmul", "remainder", "hypot"]


@pytest.mark.parametrize("name", UNARY)
def test_own_functions_of_one_operand(name):
    f, x = compiled(name), np.array([2.0, 3.0])
    assert f(bc.array(x)).tolist() == [2000, 3000]
    with pytest.raises(TypeError, match="no Python function"):
        bc.vectorize(["float64(float64)"])(f)
    with bc.config.set(fallback="silent"):
        assert f(pd.Series(x)).tolist() == f(pandas.Series(x)).tolist()
        assert f(pd.DataFrame({"a": x})).a.tolist() == f(pandas.DataFrame({"a": x})).a.tolist()
        assert f(pd.Index(x)).tolist() == f(pandas.Index(x)).tolist()
        assert pd.Series(x).apply(f).tolist() == pandas.Series(x).apply(f).tolist()
        assert bc.vectorize(lambda v: f(v))(bc.array(x)).tolist() == [2000, 3000]


@pytest.mark.parametrize("name", BINARY)
def test_own_functions_of_two_operands(name):
    f, x = compiled(name, "float64(float64, float64)", 2), np.array([2.0, 3.0])
    assert f(bc.array(x), bc.array(x)).tolist() == [2000, 3000]
    assert f(bc.array(x), 1.0).tolist() == [2000, 3000]
    assert f(x, bc.array(x)).tolist() == [2000, 3000]
    out = bc.zeros(2)
    assert f(bc.array(x), x, out=out) is out and out.tolist() == [2000, 3000]
    with bc.config.set(fallback="silent"):
        assert in_pandas(f, pd.Series(x)) == in_pandas(f, pandas.Series(x))
    assert f.reduce(bc.array(x)) == f.reduce(x)
    assert f.accumulate(bc.array(x)).tolist() == f.accumulate(x).tolist()
    assert f.outer(bc.array(x), bc.array(x)).tolist() == f.outer(x, x).tolist()


def test_numpys_and_scipys_are_found():
    special = pytest.importorskip("scipy.special")
    x = bc.array([0.25, 0.5])
    with bc.config.set(fallback="error"):
        for f in (np.square, np.exp, np.true_divide, np.mod, np.abs, np.conj, np.divmod, np.modf, np.matmul):
            operands = (x,) * f.nin
            theirs = f(*(np.asarray(o) for o in operands))
            ours = f(*operands)
            for a, b in zip(ours if f.nout > 1 else (ours,), theirs if f.nout > 1 else (theirs,)):
                np.testing.assert_allclose(np.asarray(a), b, rtol=1e-15)
        for f in (special.erf, special.logit, special.expit, special.gammaln, special.xlogy, special.log1p):
            operands = (x,) * f.nin
            np.testing.assert_allclose(np.asarray(f(*operands)), f(*map(np.asarray, operands)), rtol=1e-13)


def test_python_functions_as_ufuncs():
    def square(v):
        return v * 1000

    f = np.frompyfunc(square, 1, 1)
    assert list(f(bc.array([2, 3]))) == list(f(np.array([2, 3])))
