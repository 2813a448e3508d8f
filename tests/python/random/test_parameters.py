"""Parameters at the ends of their ranges, and the type and shape of draws, as in NumPy."""

from __future__ import annotations

import math
import subprocess
import sys

import bascule
import numpy as np
import pytest
from bascule import _core, random

pytestmark = pytest.mark.usefixtures("native")

host = _core.to_numpy
INF, NAN = math.inf, math.nan

# call, the only value that it can return
CERTAIN = [
    ("standard_gamma(0.0)", 0.0),
    ("standard_gamma(1e-300)", 0.0),
    ("standard_gamma(INF)", INF),
    ("standard_gamma(1e300)", 1e300),
    ("standard_gamma(NAN)", NAN),
    ("gamma(2.0, 0.0)", 0.0),
    ("gamma(2.0, NAN)", NAN),
    ("chisquare(NAN)", NAN),
    ("chisquare(INF)", INF),
    ("noncentral_chisquare(2, NAN)", NAN),
    ("noncentral_chisquare(0.5, NAN)", NAN),
    ("beta(1e300, 1e300)", 0.5),
    ("weibull(0.0)", 0.0),
    ("weibull(INF)", 1.0),
    ("weibull(NAN)", NAN),
    ("power(INF)", 1.0),
    ("rayleigh(0.0)", 0.0),
    ("rayleigh(INF)", INF),
    ("vonmises(NAN, 1.0)", NAN),
    ("vonmises(0.0, NAN)", NAN),
    ("vonmises(INF, 1.0)", NAN),
    ("vonmises(0.5, INF)", 0.5),
    ("wald(1.0, INF)", 1.0),
    ("wald(1e300, 1e-300)", 0.0),
    ("triangular(0, NAN, 1)", NAN),
    ("normal(3.0, 0.0)", 3.0),
    ("normal(INF, 1.0)", INF),
    ("normal(0.0, NAN)", NAN),
    ("lognormal(0.0, 0.0)", 1.0),
    ("laplace(2.0, 0.0)", 2.0),
    ("logistic(2.0, 0.0)", 2.0),
    ("gumbel(2.0, 0.0)", 2.0),
    ("uniform(3.0, 3.0)", 3.0),
    ("exponential(0.0)", 0.0),
    ("exponential(INF)", INF),
    ("f(1e-300, 1.0)", 0.0),
    ("standard_t(INF)", NAN),
    ("poisson(0.0)", 0),
    ("binomial(0, 0.5)", 0),
    ("binomial(7, 0.0)", 0),
    ("binomial(7, 1.0)", 7),
    ("binomial(2.9, 1.0)", 2),
    ("negative_binomial(3, 1.0)", 0),
    ("negative_binomial(1e-300, 0.5)", 0),
    ("geometric(1.0)", 1),
    ("geometric(1e-300)", 2**63 - 1),
    ("zipf(2000.0)", 1),
    ("logseries(0.0)", 1),
    ("hypergeometric(5, 0, 3)", 3),
    ("hypergeometric(0, 5, 3)", 0),
    ("hypergeometric(5, 5, 10)", 5),
    ("hypergeometric(5, 5, 0)", 0),
    ("hypergeometric(0, 0, 0)", 0),
    ("hypergeometric(500, 600, 1100)", 500),
    ("integers(4, 5)", 4),
    ("integers(2**63 - 1, 2**63)", 2**63 - 1),
    ("integers(-2**63, -2**63, endpoint=True)", -(2**63)),
]


@pytest.mark.parametrize(("call", "value"), CERTAIN)
def test_what_is_certain_is_drawn(call, value):
    names = {"INF": INF, "NAN": NAN, "r": random.default_rng(1), "n": np.random.default_rng(1)}
    ours, theirs = eval(f"r.{call}", names), eval(f"n.{call}", names)
    np.testing.assert_equal([ours, theirs], [value, value])
    assert isinstance(ours, type(theirs))
    many = host(eval(f"r.{call[:-1]}, size=300)", names))
    np.testing.assert_array_equal(many, np.full(300, value, many.dtype))


@pytest.mark.parametrize(
    ("call", "mean", "deviation"),
    [
        ("poisson(1e18", 1e18, 1e9),
        ("poisson(9.2e18", 9.2e18, 3.1e9),
        ("binomial(10**18, 0.3", 3e17, 4.6e8),
        ("binomial(10**18, 0.7", 7e17, 4.6e8),
        ("binomial(2**62, 0.5", 2.0**61, 1.1e9),
        ("binomial(2**63 - 1, 1e-18", 9.22, 3.1),
        ("hypergeometric(999_999_999, 999_999_999, 999_999_999", 5e8, 1.118e4),
        ("negative_binomial(1e12, 0.5", 1e12, 1.5e6),
        ("standard_gamma(1e15", 1e15, 3.2e7),
        ("noncentral_chisquare(0.5, 1e19", 1e19, 6.32e9),
    ],
)
def test_huge_parameters(call, mean, deviation):
    x = host(eval(f"r.{call}, size=4000)", {"r": random.default_rng(2)})).astype(np.float64)
    assert abs((x - mean).mean()) < 6 * deviation / math.sqrt(4000)
    assert 0.85 < x.std() / deviation < 1.15


def test_heavy_tails_reach_the_end_of_the_type_and_no_further():
    x = host(random.default_rng(3).zipf(1.02, 20_000))
    assert x.min() >= 1 and x.max() > 2**55
    x = host(random.default_rng(3).logseries(1 - 1e-16, 20_000))
    assert x.min() >= 1 and x.max() > 2**40
    x = host(random.default_rng(3).beta(1e-300, 1e-300, 2000))
    assert set(x) == {0.0, 1.0} and 800 < x.sum() < 1200
    x = host(random.default_rng(3).vonmises(np.linspace(-20, 20, 5000), 2.0))
    assert np.abs(x).max() <= np.pi and x.min() < -3 and x.max() > 3
    assert set(host(random.default_rng(3).standard_t(1e-300, 2000))) == {-INF, INF}


@pytest.mark.parametrize(
    "call",
    """standard_gamma(2.0{}) gamma(2,3{}) beta(1,2{}) chisquare(3{}) noncentral_chisquare(3,1{}) f(2,3{}) poisson(3{})
    noncentral_f(2,3,1{}) standard_t(4{}) vonmises(0,1{}) pareto(2{}) weibull(2{}) power(2{}) laplace(0,1{}) gumbel(0,1{})
    logistic(0,1{}) lognormal(0,1{}) rayleigh(2{}) wald(1,2{}) triangular(0,1,2{}) binomial(4,.5{}) zipf(3{}) geometric(.3{})
    negative_binomial(4,.5{}) hypergeometric(5,6,7{}) logseries(.5{}) normal(0,1{}) uniform(0,1{}) exponential(2{})
    integers(0,9{}) choice(9{})""".split(),
)
def test_types_and_shapes_are_numpys(call):
    both = {"ours": random.default_rng(4), "theirs": np.random.default_rng(4)}
    assert type(eval(f"ours.{call.format('')}", both)) is type(eval(f"theirs.{call.format('')}", both))
    for size in ((), 3, (2, 0), (2, 3), [4], np.int8(2)):
        a, b = (eval(f"{who}.{call.format(',size=size')}", {**both, "size": size}) for who in ("ours", "theirs"))
        assert type(a) is bascule.ndarray and (a.shape, a.dtype) == (b.shape, b.dtype)


@pytest.mark.parametrize(
    "call",
    """standard_gamma(x) gamma(x,y) gamma(x,2) gamma(2,y) beta(x,y) beta(x,2) chisquare(x) noncentral_chisquare(x,y) f(x,y)
    noncentral_f(x,y,2) standard_t(x) vonmises(x,y) pareto(x) weibull(x) power(x) laplace(x,y) gumbel(x,y) logistic(x,y)
    lognormal(x,y) rayleigh(x) wald(x,y) triangular(0,x,9+y) binomial(n,p) binomial(n,.3) binomial(5,p)
    negative_binomial(x,p) poisson(x) zipf(1+x) geometric(p) hypergeometric(n,n,n) hypergeometric(n,7,2) logseries(p)
    normal(x,y) uniform(x,9+y) exponential(x) integers(n,20) multinomial(n,[.2,.8])""".split(),
)
def test_array_parameters_broadcast_as_in_numpy(call):
    names = {
        "x": np.array([0.5, 1.0, 3.0]),
        "y": np.array([[2.0], [4.0]]),
        "n": np.array([3, 5, 12]),
        "p": np.array([[0.25], [0.5]]),
    }
    ours = eval(f"r.{call}", {**names, "r": random.default_rng(5)})
    theirs = eval(f"r.{call}", {**names, "r": np.random.default_rng(5)})
    assert (ours.shape, ours.dtype) == (theirs.shape, theirs.dtype)
    brought = {k: _core.from_numpy(v) for k, v in names.items()}
    again = eval(f"r.{call}", {**brought, "r": random.default_rng(5)})
    np.testing.assert_array_equal(host(again), host(ours))
    size = (4, *theirs.shape) if "multinomial" not in call else (4, *theirs.shape[:-1])
    assert eval(f"r.{call[:-1]},size=size)", {**names, "r": random.default_rng(5), "size": size}).shape[0] == 4


def test_float32_gammas_are_the_rounded_float64_ones():
    a = host(random.default_rng(6).standard_gamma(2.5, 1000))
    b = random.default_rng(6).standard_gamma(2.5, 1000, dtype=np.float32)
    assert b.dtype == np.float32
    np.testing.assert_array_equal(host(b), a.astype(np.float32))
    assert isinstance(random.default_rng(6).standard_gamma(2.5, dtype="f4"), float)
    out = bascule.zeros(1000)
    assert random.default_rng(6).standard_gamma(2.5, out=out) is out
    np.testing.assert_array_equal(host(out), a)


def test_dirichlet_and_multinomial_shapes():
    for size in (None, (), 3, (2, 3)):
        for call in (
            "dirichlet([1, 2, 3], size)",
            "multinomial(9, [.2, .3, .5], size)",
            "multivariate_hypergeometric([4, 5, 6], 7, size)",
            "multivariate_normal([0, 1], np.eye(2), size)",
        ):
            a = eval(f"r.{call}", {"r": random.default_rng(7), "size": size, "np": np})
            b = eval(f"r.{call}", {"r": np.random.default_rng(7), "size": size, "np": np})
            assert (a.shape, a.dtype) == (b.shape, b.dtype), call
    assert random.default_rng(7).dirichlet([]).shape == (0,)
    np.testing.assert_array_equal(host(random.default_rng(7).dirichlet([0.0, 0.0])), [0, 0])
    np.testing.assert_array_equal(host(random.default_rng(7).dirichlet([0.0, 1.0])), [0, 1])
    assert np.isnan(host(random.default_rng(7).dirichlet([np.nan, 1.0]))).all()
    assert random.default_rng(7).multivariate_hypergeometric([], 0).shape == (0,)


def test_draws_are_lazy_and_fuse():
    rng = random.default_rng(8)
    assert _core.is_pending(rng.gamma(2.0, 3.0, size=(1500, 1500)))
    assert float(rng.poisson(4.0, size=(1500, 1500)).sum()) / 1500**2 == pytest.approx(4, abs=0.02)


# In a separate process, so that its peak memory is that of the expression and not of an earlier test.
PEAK = """
import numpy
import bascule as bc
rng, a = bc.random.default_rng(8), bc.array(numpy.full((1500, 1500), 0.5))
before = bc._core.memory("cpu")["peak"]
{}
print(bc._core.memory("cpu")["peak"] - before)
"""
SPENT = [
    "float(rng.poisson(4.0, size=(1500, 1500)).sum())",
    "float(rng.gamma(2.0, 3.0, size=(1500, 1500)).mean())",
    "bc.sum(bc.log(bc.exp(a) + 1))",
    "bc.log(bc.exp(a)).max()",
    "(bc.log(bc.exp(a)) - 1)[::2].std()",
]


@pytest.mark.parametrize("expression", SPENT)
def test_what_only_a_reduction_asks_for_is_not_stored(expression):
    done = subprocess.run([sys.executable, "-c", PEAK.format(expression)], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 8 * 1500 * 1500 / 4
