"""Errors of bascule.random: class and message are NumPy's, for every invalid argument."""

from __future__ import annotations

import numpy as np
import pytest
from bascule import _core, random

pytestmark = pytest.mark.usefixtures("native")

CASES = """
standard_gamma(-1) | standard_gamma([1, -1]) | standard_gamma(-0.0) | standard_gamma([-0.0])
standard_gamma(1, dtype=int) | standard_gamma(1, dtype='f2') | standard_gamma(-1, dtype='f2')
gamma(-1) | gamma(1, -1) | gamma(-1, -1) | gamma('x') | gamma(['x']) | gamma(1j) | gamma([1, 2], size=(3,))
beta(0, 1) | beta(1, 0) | beta([0], 1) | beta(0, 0) | chisquare(0) | chisquare([0]) | noncentral_chisquare(0, 1)
noncentral_chisquare(1, -1) | f(0, 1) | f(1, 0) | f([1, 2], [1, 2, 3]) | noncentral_f(0, 1, 1) | noncentral_f(1, 0, 1)
noncentral_f(1, 1, -1) | noncentral_f(1, 1, [-1.]) | noncentral_f([1], 0, [-1.]) | standard_t(0) | standard_t(-1, size=3)
vonmises(0, -1) | vonmises(None, 1) | vonmises([1, 2], [1, 2, 3]) | pareto(0) | weibull(-1) | weibull([0, -1]) | power(0)
laplace(0, -1) | logistic(0, -1) | gumbel(0, -1) | rayleigh(-1) | lognormal(0, -1) | exponential(-1) | exponential(-0.0)
wald(0, 1) | wald(1, 0) | wald(1, [0]) | wald(0, 0) | triangular(1, 0, 2) | triangular(0, 3, 2) | triangular(1, 1, 1)
triangular([1], 0, 2) | triangular(0, [3], 2) | triangular([1], 1, 1) | triangular(3, 2, 1) | triangular([3], 2, 1)
normal(0, -1) | normal('a') | normal(None) | normal(1, None) | normal([1, 2, 3], 1, (2,)) | uniform(2, 1) | uniform([1], 0)
uniform(0, np.nan) | uniform([0], [np.nan]) | random(-1) | random(2.0) | random(True) | random((2, 'a'))
binomial(-1, .5) | binomial(10, -.1) | binomial(10, 1.1) | binomial(10, np.nan) | binomial([10], [1.1]) | binomial([-1], .5)
binomial(2**63, .5) | binomial([5], 1.5) | binomial(5, [1.5]) | binomial([5], np.nan) | binomial(-1, 1.5)
binomial([-1], 1.5) | negative_binomial(0, .5) | negative_binomial(1, 0) | negative_binomial(1, 1.5)
negative_binomial(1, np.nan) | negative_binomial(1e18, 1e-5) | negative_binomial([1e18], 1e-5)
negative_binomial([0.], .5) | negative_binomial(np.nan, .5) | negative_binomial([np.nan], .5) | negative_binomial([0.], 2.)
poisson(-1) | poisson(np.nan) | poisson([-1]) | poisson(1e20) | poisson([1e20]) | poisson([np.nan]) | poisson([1e20, -1])
poisson('a') | zipf(1) | zipf(np.nan) | zipf([1]) | zipf(0.5) | geometric(0) | geometric(1.1) | geometric(np.nan)
geometric([0]) | logseries(1) | logseries(-.1) | logseries([1]) | logseries(np.nan) | logseries([np.nan])
hypergeometric(-1, 1, 1) | hypergeometric(1, -1, 1) | hypergeometric(1, 1, -1) | hypergeometric(1, 1, 3)
hypergeometric(10**9, 1, 1) | hypergeometric(1, 10**9, 1) | hypergeometric([1], 1, 3) | hypergeometric([10**9], 1, 1)
hypergeometric([-1], 1, 1) | hypergeometric(-1, 5, 1) | hypergeometric([-1], 5, 1) | hypergeometric(5, -1, 1)
hypergeometric(2**63, 1, 1) | hypergeometric([1, 2], [1, 2, 3], 1) | dirichlet([-1, 1]) | dirichlet(1) | dirichlet([[1, 2]])
dirichlet([1, 2], size=-1) | multinomial(-1, [.5, .5]) | multinomial(5, [-.1, 1.1]) | multinomial(5, [np.nan, 1])
multinomial(5, []) | multinomial(5, .5) | multinomial([5, 6], [.5, .5], size=(3,)) | multinomial([5, -6], [.5, .5])
multinomial([5, 6], [[.5, .5]] * 3) | multinomial([5, 6], [.5, .5], size=(2, 1)) | multinomial(5, [.9, .9, .1])
multinomial(5, [[.9, .9, .1]]) | multinomial([5], [.9, .9, .1]) | multinomial([-5], [.9, .9, .1])
multinomial([-5], [-.9, .9, .1]) | multinomial(5, np.array([.70001, .3, 0], 'f4')) | multivariate_hypergeometric([1, 2], 4)
multivariate_hypergeometric([1, 2], -1) | multivariate_hypergeometric([1, -2], 1) | multivariate_hypergeometric([1.5, 2], 1)
multivariate_hypergeometric([[1, 2]], 1) | multivariate_hypergeometric([1, 2], 1, method='x')
multivariate_hypergeometric([10**9, 10**9], 1) | multivariate_hypergeometric([2**62, 2**62], 1, method='count')
multivariate_hypergeometric([1, 2], 1.5) | multivariate_hypergeometric([1, 2], [1]) | multivariate_hypergeometric(3, 0)
multivariate_hypergeometric([True, False], 1) | multivariate_hypergeometric(['a'], 1)
multivariate_normal([0], [[1, 2]]) | multivariate_normal([0, 1], [[1]]) | multivariate_normal([[0]], [[1]])
multivariate_normal([0, 0], [[1, 2], [2, 1]], check_valid='raise') | multivariate_normal([0], [[1]], method='x')
multivariate_normal([0, 0], [[1, 2], [2, 1]], check_valid='x') | multivariate_normal([0j, 0], np.eye(2))
multivariate_normal([0, 0], [[1, 2], [2, 1]], method='cholesky') | multivariate_normal([0, 0], [[1j, 2], [2, 1]])
multivariate_normal(0, 1) | multivariate_normal([0, 0], [[np.nan, 0], [0, 1]])
permuted(3) | permuted([1, 2], axis=1) | permuted([1, 2], out=[1, 2]) | permuted(np.arange(3), axis=-2)
permuted(np.arange(3), axis=0.5) | permuted(np.arange(3), axis=(0,)) | permuted(np.arange(3), axis=True)
shuffle(np.array(3)) | shuffle(3) | shuffle([1, 2], axis=1) | shuffle((1, 2)) | shuffle('ab') | shuffle(np.arange(3), axis=3)
permutation(np.array(3)) | permutation(3.5) | permutation('abc') | permutation([1, 2], axis=1.5)
permutation(np.arange(3), axis=3) | bytes('a')
choice(-3) | choice(5, -1) | choice(5, 2, p=[1], axis=3) | choice([[1, 2]], axis=5) | choice(3, (2, 2), replace=False)
choice({1}) | choice('abc') | choice(3.0) | choice(3, 2, p=[1, 0, 0], replace=False) | choice(5, p=[.2] * 5, replace=False, size=6)
choice(np.arange(6).reshape(2, 3), 2, axis=1, p=[.5, .5]) | choice([1, 2], p=[1, 'a'])
integers(3, 2) | integers(np.nan) | integers('a') | integers(0, 2**63, endpoint=True) | integers([0], 2**63, endpoint=True)
integers(0, [2**64]) | integers(None) | integers(3, dtype=bool) | integers(5, size=3.0) | integers(0, 5, dtype='M8[s]')
integers([0, 5], [5, 5]) | integers([-3, 5], [500, 5], dtype='u1') | integers(0, [2**64 + 1], dtype='u8')
"""
CALLS = [call.strip() for line in CASES.strip().splitlines() for call in line.split(" | ")]


def outcome(generator, call):
    try:
        return eval(f"r.{call}", {"r": generator, "np": np})
    except Exception as error:
        return error


@pytest.mark.filterwarnings("ignore:covariance is not symmetric")
@pytest.mark.parametrize("call", CALLS)
def test_errors_are_numpys(call):
    expected, raised = outcome(np.random.default_rng(0), call), outcome(random.default_rng(0), call)
    assert isinstance(expected, Exception), "the case is no error"
    assert isinstance(raised, type(expected)), f"{raised!r} instead of {expected!r}"
    assert str(raised) == str(expected)


@pytest.mark.parametrize(
    ("call", "numpy_out", "error"),
    [
        ("standard_gamma([1, 2], out=out)", np.zeros(3), None),
        ("standard_gamma(1, out=out, size=2)", np.zeros(3), None),
        ("standard_gamma(1, out=out)", np.zeros(3, np.float32), None),
        ("standard_gamma(1, out=out)", np.zeros((3, 4)).T, None),
        ("random(out=out)", np.zeros((3, 6))[:, ::2], None),
        ("random(3, out=out)", np.zeros((3, 1)), None),
        ("standard_normal(dtype='f4', out=out)", np.zeros(3), None),
        ("permuted([1, 2], out=out)", np.zeros(3, int), None),
        ("permuted(np.arange(3), out=out)", np.zeros(3, np.int8), None),
        ("permuted(np.arange(6).reshape(2, 3), axis=1, out=out)", np.zeros((3, 2), int), None),
    ],
)
def test_outputs_that_do_not_fit(call, numpy_out, error):
    with pytest.raises(Exception) as expected:
        eval(f"r.{call}", {"r": np.random.default_rng(0), "np": np, "out": numpy_out})
    ours = _core.from_numpy(numpy_out, "cpu", True)
    with pytest.raises(expected.type) as raised:
        eval(f"r.{call}", {"r": random.default_rng(0), "np": np, "out": ours})
    assert str(raised.value) == str(expected.value)


def test_a_covariance_that_is_none_warns():
    for method in ("svd", "eigh"):
        with pytest.warns(RuntimeWarning, match="covariance is not symmetric positive-semidefinite"):
            random.default_rng(0).multivariate_normal([0, 0], [[1, 2], [2, 1]], method=method)
    random.default_rng(0).multivariate_normal([0, 0], [[1, 2], [2, 1]], check_valid="ignore")


def test_an_urn_larger_than_the_sampler_is_refused_by_name():
    with pytest.raises(NotImplementedError, match="multivariate_hypergeometric"):
        random.default_rng(0).multivariate_hypergeometric([2**33, 1], 1, method="count")


def test_sequences_that_are_none_are_shuffled_with_a_warning():
    things = {0: "a", 1: "b", 2: "c"}
    with pytest.warns(UserWarning, match="not a subclass of 'Sequence'"):
        random.default_rng(1).shuffle(things)
    assert sorted(things.values()) == ["a", "b", "c"]
