"""Each value of a parameter that is said to be native runs without falling back, and each that is not falls back."""

import warnings

import bascule as bc
import bascule.learn
import pytest
from bascule.learn._coverage import THEIRS
from learn_parameters import LEFT, NATIVE, WITH, made, sample
from sklearn.exceptions import ConvergenceWarning


def cases(table):
    return [
        (n, p, k) for n, parameters in table.items() for p, values in parameters.items() for k in range(len(values))
    ]


def fitted(estimator, X, y):
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "Bins whose width are too small|The parameter 'token_pattern' will not be used"
        )
        warnings.filterwarnings("ignore", category=ConvergenceWarning)
        return estimator.fit(X, y) if y is not None else estimator.fit(X)


def calls(estimator):
    """The methods that read rows."""
    without = {"transform"} if getattr(estimator, "solver", None) == "lsqr" else set()  # of discriminant analysis
    names = ("transform", "predict", "predict_proba", "kneighbors")
    return [getattr(estimator, name) for name in names if name not in without and hasattr(estimator, name)]


@pytest.mark.parametrize(("name", "parameter", "k"), cases(NATIVE))
def test_native_values(name, parameter, k):
    value, more = NATIVE[name][parameter][k], WITH.get((name, parameter), {})
    if more and value in LEFT.get(name, {}).get(parameter, []):
        more = {}
    with bc.config.set(fallback="error"):
        X, y = sample(name)
        for call in calls(fitted(made(name, **more | {parameter: value}), X, y)):
            call(X)


@pytest.mark.parametrize(("name", "parameter", "k"), cases(LEFT))
def test_values_that_are_left_to_scikit_learn(name, parameter, k):
    """Where a fit is not, every call is."""
    X, y = sample(name)
    estimator = made(name, **WITH.get((name, parameter), {}) | {parameter: LEFT[name][parameter][k]})
    with bc.config.set(fallback="error"):
        try:
            fitted(estimator, X, y)
        except NotImplementedError as error:
            assert "runs in scikit-learn" in str(error)
            return
        assert calls(estimator)
        for call in calls(estimator):
            with pytest.raises(NotImplementedError, match="runs in scikit-learn"):
                call(X)


@pytest.mark.parametrize("name", THEIRS)
def test_the_coverage_says_so(name):
    entry = bascule.learn.coverage()[name]
    assert entry.parameters.keys() == NATIVE[name].keys()
    said = {parameter for parameter, state in entry.parameters.items() if state != "native"}
    assert said == LEFT.get(name, {}).keys()
