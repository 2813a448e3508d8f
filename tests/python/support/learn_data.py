"""Data sets for learning: scikit-learn's bundled ones and degenerate ones."""

import functools
import re

import numpy as np
import pytest
from sklearn import datasets


def _made(n, d, targets=None, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.1, 10, d) + rng.normal(size=d)
    w = rng.normal(size=(d,) if targets is None else (d, targets))
    y = X @ w + rng.normal(size=(n,) if targets is None else (n, targets))
    return X, y


def _with(change, **options):
    X, y = _made(60, 5, **options)
    return change(X), y


def _constant(X):
    X[:, 2] = 3.7
    return X


def _duplicate(X):
    X[:, 3] = X[:, 1]
    return X


def _collinear(X):
    X[:, 4] = X[:, 0] - 2 * X[:, 1]
    return X


SETS = {
    "diabetes": lambda: datasets.load_diabetes(return_X_y=True),
    "linnerud": lambda: datasets.load_linnerud(return_X_y=True),
    "breast cancer": lambda: (X := datasets.load_breast_cancer().data, X[:, 0] * 2 + X[:, 3] * 0.01),
    "iris": lambda: (X := datasets.load_iris().data, X.sum(axis=1) ** 2),
    "many rows": lambda: _made(20_000, 7),
    "many targets": lambda: _made(5_000, 6, targets=4),
    "constant": lambda: _with(_constant),
    "duplicate": lambda: _with(_duplicate),
    "collinear": lambda: _with(_collinear),
    "far from zero": lambda: _with(lambda X: X + 1e6),
    "one column": lambda: _made(30, 1),
    "one row": lambda: _made(1, 3),
    "as many columns": lambda: _made(12, 12),
    "wide": lambda: _made(15, 40),
    "F order": lambda: _with(np.asfortranarray),
    "every other": lambda: (np.repeat(_made(40, 4)[0], 2, axis=1)[:, ::2], _made(40, 4)[1]),
    "read only": lambda: _with(lambda X: X.setflags(write=False) or X),
    "float32": lambda: tuple(x.astype(np.float32) for x in _made(200, 5)),
    "int8": lambda: (np.random.default_rng(3).integers(-9, 10, (80, 4), dtype=np.int8), np.arange(80)),
    "bool": lambda: (np.random.default_rng(3).random((80, 4)) > 0.5, np.arange(80.0)),
}


@functools.cache
def data(name):
    return SETS[name]()


def weights(n, seed=5):
    """Positive weights and some of nought."""
    rng = np.random.default_rng(seed)
    w = rng.uniform(0, 3, n)
    w[rng.random(n) < 0.2] = 0
    w[0] = 1.5
    return w


def assert_close(got, wanted, tolerance, scale=None):
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.shape == wanted.shape
    assert got.dtype == wanted.dtype, (got.dtype, wanted.dtype)
    scale = max(np.abs(wanted).max(initial=0), 1e-300) if scale is None else scale
    np.testing.assert_allclose(got, wanted, rtol=0, atol=tolerance * scale)


def assert_same_error(call, ours, theirs, classes=ValueError):
    """Both modules raise an error of one class with the same words; scikit-learn's names a private class in some."""
    said = []
    for module in (ours, theirs):
        with pytest.raises(classes) as error:
            call(module)
        said.append((error.type, str(error.value).replace("_RidgeGCV", "RidgeCV")))
    assert said[0] == said[1]


@functools.cache
def labelled(name, classes=3):
    """The rows of a set, and labels that do not depend on them."""
    X = data(name)[0]
    return X, np.random.default_rng(7).permutation(np.arange(len(X)) % classes)


def assert_same_fit(mine, other, tolerance, scales=None, skip=()):
    """Every fitted attribute of `other`, with its type and shape, within a tolerance of the largest element or the scale
    of its name."""
    for name, wanted in vars(other).items():
        if not name.endswith("_") or name.startswith("_") or name in skip:
            continue
        got = getattr(mine, name)
        if wanted is None or isinstance(wanted, (str, bool)):
            assert got == wanted, name
            continue
        got, wanted = np.asarray(got), np.asarray(wanted)
        assert (got.shape, got.dtype) == (wanted.shape, wanted.dtype), name
        if wanted.dtype.kind not in "fc":
            np.testing.assert_array_equal(got, wanted, err_msg=name)
            continue
        scale = (scales or {}).get(name, max(np.abs(wanted).max(initial=0), 1e-300))
        np.testing.assert_allclose(got, wanted, rtol=0, atol=tolerance * scale, err_msg=name)


def predictable(n, d, classes, seed=0, spread=0.5):
    """Rows with labels that depend on linear predictors."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.2, 5, d)
    return X, (X @ rng.normal(size=(d, classes)) * spread / d + rng.gumbel(size=(n, classes))).argmax(axis=1)


def logistic_objective(model, X, y, w=None, C=1.0):
    """The sum of losses times C, and half of the squared coefficients."""
    w = np.ones(len(X)) if w is None else np.asarray(w, float)
    Z = np.asarray(X, float) @ np.asarray(model.coef_, float).T + np.asarray(model.intercept_, float)
    t = np.searchsorted(model.classes_, y)
    Z = np.column_stack([np.zeros(len(Z)), Z]) if Z.shape[1] == 1 else Z
    top = Z.max(axis=1)
    losses = np.log(np.exp(Z - top[:, None]).sum(axis=1)) + top - Z[np.arange(len(t)), t]
    penalty = 0.0 if np.isinf(C) else 0.5 * (np.asarray(model.coef_, float) ** 2).sum() / C
    return w @ losses + penalty


def shown(options):
    """The name of a case: its options, without the addresses of functions, which differ among processes."""
    return re.sub(" at 0x[0-9a-f]+", "", str(options))
