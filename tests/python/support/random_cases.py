"""Draws with their distributions, and helpers that compare them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special as sc
import scipy.stats as st

FAR_OUT = 1e-6  # seeds are fixed, so that a correct draw always passes


class ZipfLaw:
    """The distribution scipy.stats.zipf without summing over every integer."""

    _grid = np.unique(np.round(np.logspace(0, 18.9, 4000)))

    def __init__(self, a: float):
        self.a = a

    def cdf(self, k: Any) -> Any:
        return 1 - sc.zeta(self.a, np.floor(k) + 1) / sc.zeta(self.a)

    def ppf(self, q: Any) -> Any:
        return self._grid[np.minimum(np.searchsorted(self.cdf(self._grid), q), self._grid.size - 1)]

    def stats(self, moments: str) -> list[float]:
        return [np.nan] * len(moments)


# name: (draw(generator, size), distribution of scipy.stats)
CONTINUOUS: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {
    **{
        f"standard_gamma {a}": (lambda r, n, a=a: r.standard_gamma(a, n), st.gamma(a))
        for a in (0.05, 0.5, 0.999, 1.0, 1.001, 2.5, 30.0, 1e4, 1e9)
    },
    "gamma": (lambda r, n: r.gamma(3.5, 2.0, n), st.gamma(3.5, scale=2)),
    "standard_gamma float32": (lambda r, n: r.standard_gamma(2.5, n, np.float32), st.gamma(2.5)),
    **{
        f"beta {a} {b}": (lambda r, n, a=a, b=b: r.beta(a, b, n), st.beta(a, b))
        for a, b in ((2, 3), (0.5, 0.5), (0.2, 4), (4, 0.2), (1, 1), (500, 700))
    },
    **{f"chisquare {k}": (lambda r, n, k=k: r.chisquare(k, n), st.chi2(k)) for k in (0.3, 1, 2, 7.5, 400)},
    **{
        f"noncentral_chisquare {k} {c}": (lambda r, n, k=k, c=c: r.noncentral_chisquare(k, c, n), st.ncx2(k, c))
        for k, c in ((3, 20), (0.7, 2), (1, 5), (0.5, 40), (1.001, 0.3))
    },
    "noncentral_chisquare without centre": (lambda r, n: r.noncentral_chisquare(2, 0, n), st.chi2(2)),
    **{f"f {a} {b}": (lambda r, n, a=a, b=b: r.f(a, b, n), st.f(a, b)) for a, b in ((1, 48), (10, 3), (0.7, 0.9))},
    "noncentral_f": (lambda r, n: r.noncentral_f(3, 20, 3, n), st.ncf(3, 20, 3)),
    **{f"standard_t {k}": (lambda r, n, k=k: r.standard_t(k, n), st.t(k)) for k in (0.8, 1, 3, 50)},
    **{
        f"vonmises {k}": (lambda r, n, k=k: r.vonmises(0, k, n), st.vonmises(k)) for k in (1e-6, 0.01, 0.5, 4, 300, 9e5)
    },
    "vonmises uniform": (lambda r, n: r.vonmises(0.0, 0.0, n), st.uniform(-np.pi, 2 * np.pi)),
    "vonmises narrow": (lambda r, n: r.vonmises(0.0, 4e6, n), st.norm(0, 1 / np.sqrt(4e6))),
    "pareto": (lambda r, n: r.pareto(2.5, n), st.lomax(2.5)),
    **{f"weibull {a}": (lambda r, n, a=a: r.weibull(a, n), st.weibull_min(a)) for a in (0.3, 1, 5)},
    "power": (lambda r, n: r.power(3.5, n), st.powerlaw(3.5)),
    "laplace": (lambda r, n: r.laplace(1, 2, n), st.laplace(1, 2)),
    "gumbel": (lambda r, n: r.gumbel(1, 2, n), st.gumbel_r(1, 2)),
    "logistic": (lambda r, n: r.logistic(1, 2, n), st.logistic(1, 2)),
    "lognormal": (lambda r, n: r.lognormal(1, 0.5, n), st.lognorm(0.5, scale=np.e)),
    "rayleigh": (lambda r, n: r.rayleigh(3, n), st.rayleigh(scale=3)),
    "standard_cauchy": (lambda r, n: r.standard_cauchy(n), st.cauchy()),
    **{
        f"wald {m} {s}": (lambda r, n, m=m, s=s: r.wald(m, s, n), st.invgauss(m / s, scale=s))
        for m, s in ((3, 2), (1, 100), (5, 0.3))
    },
    **{
        f"triangular {a} {b} {c}": (
            lambda r, n, a=a, b=b, c=c: r.triangular(a, b, c, n),
            st.triang((b - a) / (c - a), loc=a, scale=c - a),
        )
        for a, b, c in ((-3, 0, 8), (0, 0, 1), (0, 1, 1))
    },
    "normal": (lambda r, n: r.normal(-2, 3, n), st.norm(-2, 3)),
    "uniform": (lambda r, n: r.uniform(-2, 3, n), st.uniform(-2, 5)),
    "exponential": (lambda r, n: r.exponential(4, n), st.expon(scale=4)),
}

DISCRETE: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {
    **{f"poisson {m}": (lambda r, n, m=m: r.poisson(m, n), st.poisson(m)) for m in (0.01, 1, 4.5, 9.999, 10, 37.5, 3e4)},
    **{
        f"binomial {k} {p}": (lambda r, n, k=k, p=p: r.binomial(k, p, n), st.binom(k, p))
        for k, p in ((1, 0.3), (10, 0.5), (10, 0.9), (40, 0.25), (100, 0.6), (3000, 0.999), (10**6, 0.31), (10**9, 1e-9))
    },
    **{
        f"negative_binomial {k} {p}": (lambda r, n, k=k, p=p: r.negative_binomial(k, p, n), st.nbinom(k, p))
        for k, p in ((1, 0.1), (0.5, 0.3), (40, 0.7), (5, 0.02))
    },
    **{f"geometric {p}": (lambda r, n, p=p: r.geometric(p, n), st.geom(p)) for p in (0.001, 0.3, 0.5, 0.95)},
    **{f"zipf {a}": (lambda r, n, a=a: r.zipf(a, n), ZipfLaw(a)) for a in (1.3, 2, 4.5, 30)},
    **{f"logseries {p}": (lambda r, n, p=p: r.logseries(p, n), st.logser(p)) for p in (0.05, 0.6, 0.99)},
    **{
        f"hypergeometric {g} {b} {s}": (
            lambda r, n, g=g, b=b, s=s: r.hypergeometric(g, b, s, n),
            st.hypergeom(g + b, g, s),
        )
        for g, b, s in ((5, 9, 6), (40, 25, 30), (25, 40, 60), (300, 5000, 400), (5000, 300, 5200), (900, 3, 100), (7, 3, 10))
    },
}  # fmt: skip


def discrete_pvalue(values: np.ndarray, law: Any) -> float:
    """Pearson's test; the tails with fewer than ten expected values are merged, on either side."""
    n = values.size
    low, high = (int(law.ppf(q)) for q in (20 / n, 1 - 20 / n))
    if high - low > 400:  # intervals of equal probability
        edges = np.unique(law.ppf(np.linspace(0, 1, 201)[1:-1]))
    else:
        edges = np.arange(low, high + 1)
    below = np.concatenate([[0.0], law.cdf(edges), [1.0]])
    expected = np.diff(below) * n
    counts = np.bincount(np.searchsorted(edges, values, side="left"), minlength=edges.size + 1)
    kept = expected > 5
    if not kept.all():
        expected = np.append(expected[kept], expected[~kept].sum())
        counts = np.append(counts[kept], counts[~kept].sum())
    if expected[-1] < 1e-6 * n:
        assert counts[-1] <= 10 * expected[-1] + 5
        expected, counts = expected[:-1], counts[:-1]
    if expected.size < 2:
        return 1.0
    return float(st.chi2.sf(((counts - expected) ** 2 / expected).sum(), expected.size - 1))
