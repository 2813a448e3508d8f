"""The distributions of the counter-based generator against scipy.stats, with fixed seeds."""

from __future__ import annotations

import bascule
import numpy as np
import pytest
import scipy.stats as st
from bascule import _core, random
from random_cases import CONTINUOUS, DISCRETE, FAR_OUT, discrete_pvalue

pytestmark = pytest.mark.usefixtures("native")

host = _core.to_numpy
N = 100_000


@pytest.mark.parametrize("case", CONTINUOUS)
def test_a_continuous_draw_passes_kolmogorov_smirnov(case):
    draw, law = CONTINUOUS[case]
    values = host(draw(random.default_rng(1), N)).astype(np.float64)
    assert values.shape == (N,)
    assert st.kstest(values, law.cdf).pvalue > FAR_OUT


@pytest.mark.parametrize("case", DISCRETE)
def test_a_discrete_draw_passes_pearsons_test(case):
    draw, law = DISCRETE[case]
    values = host(draw(random.default_rng(2), N))
    assert values.dtype == np.int64 and values.shape == (N,)
    assert discrete_pvalue(values, law) > FAR_OUT


# Moments on a circle are numerical integrals, and drawing all objects of an urn has none.
MEASURED = [c for c in [*CONTINUOUS, *DISCRETE] if not c.startswith(("vonmises", "hypergeometric 7 3 10"))]


@pytest.mark.parametrize("case", MEASURED)
def test_moments(case):
    draw, law = {**CONTINUOUS, **DISCRETE}[case]
    mean, variance, _, kurtosis = (float(m) for m in law.stats("mvsk"))
    if not np.isfinite(kurtosis):
        return  # the tests above cover this case
    x = host(draw(random.default_rng(3), N)).astype(np.float64)
    assert abs(x.mean() - mean) < 6 * np.sqrt(variance / N)
    assert abs(x.var() - variance) < 6 * variance * np.sqrt((kurtosis + 2) / N)


def test_neighbours_of_a_rejecting_draw_are_independent():
    for draw in (lambda r: r.gamma(0.4, size=N), lambda r: r.poisson(15.0, N), lambda r: r.binomial(50, 0.4, N)):
        x = host(draw(random.default_rng(4))).astype(np.float64)
        x = (x - x.mean()) / x.std()
        for lag in (1, 2, 255, 256):
            assert abs(np.mean(x[lag:] * x[:-lag])) < 6 / np.sqrt(N)


@pytest.mark.parametrize("width", [3, 2**31 + 1, 3 * 2**61, 2**63 + 1])
def test_bounded_integers_have_no_bias(width):
    x = host(random.default_rng(5).integers(0, width, N, dtype=np.uint64))
    assert x.max() < width
    assert st.kstest(x / width + (0.5 / width), "uniform").pvalue > FAR_OUT if width > 3 else True
    thirds = np.bincount((x % np.uint64(3)).astype(int), minlength=3)
    assert st.chisquare(thirds, [N * -(-(width - k) // 3) / width for k in range(3)]).pvalue > FAR_OUT


def test_dirichlet():
    alpha = np.array([0.5, 2.0, 7.5])
    x = host(random.default_rng(6).dirichlet(alpha, N))
    np.testing.assert_allclose(x.sum(axis=1), 1, rtol=1e-12)
    for k in range(3):
        assert st.kstest(x[:, k], st.beta(alpha[k], 10 - alpha[k]).cdf).pvalue > FAR_OUT
    tiny = host(random.default_rng(6).dirichlet([0.001, 0.003], N))
    np.testing.assert_allclose(tiny.sum(axis=1), 1, rtol=1e-12)
    assert abs(tiny[:, 0].mean() - 0.25) < 6 * 0.44 / np.sqrt(N)
    assert host(random.default_rng(0).dirichlet([1e-300, 1e-300], 100)).sum() == 100


@pytest.mark.parametrize("pvals", [[0.2, 0.1, 0.4, 0.05, 0.25], [1.0], [0.5, 0.5], [0.0, 0.3, 0.0, 0.7], [1 / 3] * 3])
def test_multinomial(pvals):
    x = host(random.default_rng(7).multinomial(50, pvals, N))
    assert x.shape == (N, len(pvals)) and (x.sum(axis=1) == 50).all() and (x >= 0).all()
    for k, p in enumerate(pvals):
        if 0 < p < 1:
            assert discrete_pvalue(x[:, k], st.binom(50, p)) > FAR_OUT
        else:
            assert (x[:, k] == 50 * p).all()
    if len(pvals) == 5:
        cov = 50 * (np.diag(pvals) - np.outer(pvals, pvals))
        np.testing.assert_allclose(np.cov(x.T), cov, atol=0.25)


def test_multinomial_broadcasts():
    n, p = np.array([[3], [40]]), np.array([[0.5, 0.5], [0.1, 0.9], [1.0, 0.0]])
    x = host(random.default_rng(8).multinomial(n, p, size=(5000, 2, 3)))
    assert x.shape == (5000, 2, 3, 2) and (x.sum(-1) == n).all()
    np.testing.assert_allclose(x[..., 0].mean(axis=0), n * p[:, 0], atol=0.3)


@pytest.mark.parametrize("method", ["marginals", "count"])
def test_multivariate_hypergeometric(method):
    colors = [12, 5, 0, 30, 3]
    x = host(random.default_rng(9).multivariate_hypergeometric(colors, 20, N, method=method))
    assert x.shape == (N, 5) and (x.sum(axis=1) == 20).all() and (x <= colors).all() and (x >= 0).all()
    for k, c in enumerate(colors):
        if c:
            assert discrete_pvalue(x[:, k], st.hypergeom(50, c, 20)) > FAR_OUT


@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_multivariate_normal(method):
    mean, cov = [1.0, -2.0, 0.5], np.array([[2.0, 0.3, -0.5], [0.3, 1.0, 0.2], [-0.5, 0.2, 3.0]])
    x = host(random.default_rng(10).multivariate_normal(mean, cov, N, method=method))
    assert x.shape == (N, 3)
    np.testing.assert_allclose(x.mean(axis=0), mean, atol=6 * 1.8 / np.sqrt(N))
    np.testing.assert_allclose(np.cov(x.T), cov, atol=0.08)
    whitened = np.linalg.solve(np.linalg.cholesky(cov), (x - mean).T)
    assert all(st.kstest(row, "norm").pvalue > FAR_OUT for row in whitened)


def test_permuted_lines_have_orders_of_their_own():
    x = np.arange(12).reshape(3, 4)
    for axis in (0, 1, -1, None):
        y = host(random.default_rng(11).permuted(x, axis=axis))
        assert y.shape == x.shape and (np.sort(y, axis=axis) == np.sort(x, axis=axis)).all()
    wide = host(random.default_rng(12).permuted(np.broadcast_to(np.arange(3), (6000, 3)).copy(), axis=1))
    orders = np.unique(wide, axis=0, return_counts=True)
    assert len(orders[0]) == 6 and st.chisquare(orders[1]).pvalue > FAR_OUT
    tall = host(random.default_rng(12).permuted(np.broadcast_to(np.arange(3)[:, None], (3, 6000)).copy(), axis=0))
    assert st.chisquare(np.unique(tall, axis=1, return_counts=True)[1]).pvalue > FAR_OUT
    out = bascule.zeros((3, 4), dtype=np.int64)
    assert random.default_rng(11).permuted(x, axis=1, out=out) is out
    np.testing.assert_array_equal(host(out), host(random.default_rng(11).permuted(x, axis=1)))
    same = _core.from_numpy(x)
    random.default_rng(11).permuted(same, axis=1, out=same)
    np.testing.assert_array_equal(host(same), host(out))


def test_choice_follows_its_probabilities():
    p = np.array([0.1, 0.0, 0.6, 0.3])
    x = host(random.default_rng(13).choice(4, N, p=p))
    counts = np.bincount(x, minlength=4)
    assert counts[1] == 0 and st.chisquare(counts[[0, 2, 3]], p[[0, 2, 3]] * N).pvalue > FAR_OUT
