"""Random numbers depend only on the seed and the position: not on threads, devices, blocks or neighbours."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import textwrap

import bascule
import numpy as np
import pytest
from bascule import _core, random
from random_cases import CONTINUOUS, DISCRETE

pytestmark = pytest.mark.usefixtures("native")

host = _core.to_numpy
CASES = {name: draw for name, (draw, _) in {**CONTINUOUS, **DISCRETE}.items()}
OTHERS = {
    "dirichlet": lambda r, n: r.dirichlet([0.5, 2, 3], n),
    "multinomial": lambda r, n: r.multinomial(30, [0.1, 0.2, 0.3, 0.4], n),
    "multivariate_hypergeometric": lambda r, n: r.multivariate_hypergeometric([10, 20, 30], 25, n),
    "permuted": lambda r, n: r.permuted(np.arange(n * 3).reshape(3, n), axis=1),
    "permutation": lambda r, n: r.permutation(n),
    "choice": lambda r, n: r.choice(n, n // 2, replace=False),
    "choice p": lambda r, n: r.choice(3, n, p=[0.2, 0.3, 0.5]),
    "integers": lambda r, n: r.integers(-5, 3 * 2**61, n),
    "poisson array": lambda r, n: r.poisson(np.linspace(0, 30, n)),
    "gamma array": lambda r, n: r.standard_gamma(np.linspace(0, 3, n)),
    "binomial array": lambda r, n: r.binomial(np.arange(n) % 90, np.linspace(0, 1, n)),
}
# Their number of positions, or their elements, depend on the size.
WHOLE_SIZE = {"dirichlet", "multinomial", "multivariate_hypergeometric", "permuted", "permutation", "choice",
              "poisson array", "gamma array", "binomial array"}  # fmt: skip
# Several streams, one after another.
SEVERAL = ("beta", "noncentral", "f ", "standard_t", "negative_binomial", "wald", "laplace")

SCRIPT = """
import hashlib, sys
sys.path.insert(0, {support!r})
sys.path.insert(0, {here!r})
from test_determinism import digest
print(digest())
"""


def digest():
    """One hash of draws of every kind."""
    h = hashlib.sha256()
    for draw in {**CASES, **OTHERS}.values():
        h.update(host(draw(random.default_rng(21), 70_000 if draw in CASES.values() else 9_000)).tobytes())
    return h.hexdigest()


def test_any_number_of_threads_and_both_vector_lengths_draw_the_same():
    here = os.path.dirname(__file__)
    code = textwrap.dedent(SCRIPT).format(here=here, support=os.path.join(os.path.dirname(here), "support"))
    results = set()
    settings = [{"BASCULE_NUM_THREADS": n} for n in "123"]
    if "avx512" in _core.describe("cpu"):
        settings.append({"BASCULE_ISA": "avx2"})
    for changed in settings:
        environment = {**os.environ, **changed}
        run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
        results.add(run.stdout)
    assert len(results) == 1 and results.pop().strip() == digest()


@pytest.mark.parametrize("name", [*CASES, *OTHERS])
def test_the_reference_device_draws_the_same(name):
    draw = {**CASES, **OTHERS}[name]
    ours = draw(random.default_rng(22), 9000)
    with bascule.device("reference"):
        theirs = draw(random.default_rng(22), 9000)
        assert theirs.device == "reference"
    if "permut" in name or "choice" in name or "baseline" not in _core.describe("cpu"):
        np.testing.assert_array_equal(host(theirs), host(ours))
    else:  # without fused multiply-add the last bits differ, and sometimes a rejection
        assert (host(theirs) == host(ours)).mean() > 0.2


@pytest.mark.parametrize("name", [n for n in CASES if not n.startswith(SEVERAL)])
def test_the_first_of_many_are_the_few(name):
    draw = CASES[name]
    many = host(draw(random.default_rng(23), 9001))
    for few in (1, 255, 257, 9000):
        np.testing.assert_array_equal(host(draw(random.default_rng(23), few)), many[:few])
    assert draw(random.default_rng(23), None) == many[0]


@pytest.mark.parametrize("name", CASES)
def test_blocks_and_views_do_not_matter(name):
    draw = CASES[name]
    whole = host(draw(random.default_rng(24), 20_000))
    np.testing.assert_array_equal(host(draw(random.default_rng(24), (100, 200))).ravel(), whole)
    np.testing.assert_array_equal(host(draw(random.default_rng(24), 20_000)[::-7]), whole[::-7])


def full(value):
    return np.full(9000, value)


@pytest.mark.parametrize(
    ("scalar", "array"),
    [
        *[
            (lambda r, a=a: r.standard_gamma(a, 9000), lambda r, a=a: r.standard_gamma(full(a)))
            for a in (0.0, 0.3, 1.0, 7.5)
        ],
        *[(lambda r, m=m: r.poisson(m, 9000), lambda r, m=m: r.poisson(full(m))) for m in (0.0, 2.5, 9.9, 10.0, 400.0)],
        *[
            (lambda r, n=n, p=p: r.binomial(n, p, 9000), lambda r, n=n, p=p: r.binomial(full(n), full(p)))
            for n, p in ((5, 0.3), (100, 0.2), (100, 0.9), (10**6, 0.5), (200, 0.01))
        ],
        (lambda r: r.binomial(100, 0.3, 9000), lambda r: r.binomial(full(100), 0.3)),
        (lambda r: r.binomial(100, 0.3, 9000), lambda r: r.binomial(100, full(0.3))),
        *[(lambda r, k=k: r.vonmises(0, k, 9000), lambda r, k=k: r.vonmises(0, full(k))) for k in (0.0, 2.0, 3e6)],
        (lambda r: r.zipf(1.7, 9000), lambda r: r.zipf(full(1.7))),
        (lambda r: r.geometric(0.2, 9000), lambda r: r.geometric(full(0.2))),
        (lambda r: r.logseries(0.7, 9000), lambda r: r.logseries(full(0.7))),
        (lambda r: r.weibull(1.5, 9000), lambda r: r.weibull(full(1.5))),
        (lambda r: r.hypergeometric(50, 60, 40, 9000), lambda r: r.hypergeometric(full(50), 60, full(40))),
        (lambda r: r.hypergeometric(50, 60, 4, 9000), lambda r: r.hypergeometric(50, full(60), 4)),
        (lambda r: r.integers(0, 3 * 2**61, 9000), lambda r: r.integers(full(0), 3 * 2**61)),
        (lambda r: r.normal(1, 2, 9000), lambda r: r.normal(full(1.0), full(2.0))),
    ],
)
def test_a_parameter_for_all_is_as_good_as_one_for_each(scalar, array):
    np.testing.assert_array_equal(host(array(random.default_rng(25))), host(scalar(random.default_rng(25))))


def test_spawned_pickled_and_restored_generators():
    import copy
    import pickle

    rng = random.default_rng(26)
    rng.gamma(2.0, size=7)
    twin, other, clone = pickle.loads(pickle.dumps(rng)), copy.deepcopy(rng), random.default_rng(0)
    clone.bit_generator.state = rng.bit_generator.state
    expected = host(rng.poisson(3, 50))
    for r in (twin, other, clone):
        np.testing.assert_array_equal(host(r.poisson(3, 50)), expected)
    children = random.default_rng(26).spawn(3)
    draws = [tuple(host(c.integers(0, 2**60, 20))) for c in children]
    assert len(set(draws)) == 3
    again = random.default_rng(np.random.SeedSequence(26).spawn(3)[1])
    assert tuple(host(again.integers(0, 2**60, 20))) == draws[1]
    with pytest.raises(ValueError, match="state must be for a CounterBits PRNG"):
        rng.bit_generator.state = np.random.PCG64(0).state


@pytest.mark.parametrize("seed", [0, 2**70, [1, 2, 3], np.array([4, 5]), np.random.SeedSequence(9)])
def test_seeds_of_all_kinds(seed):
    a, b = random.default_rng(seed), random.default_rng(seed)
    np.testing.assert_array_equal(host(a.beta(2, 3, 40)), host(b.beta(2, 3, 40)))


def test_advanced_and_jumped_bits():
    bits = random.default_rng(27).bit_generator
    whole = host(random.Generator(type(bits)(27)).random(100))
    bits.advance(40)
    np.testing.assert_array_equal(host(random.Generator(bits).random(60)), whole[40:])
    far = random.CounterBits(27).jumped(3)
    assert far.state["state"]["position"] == 3 * 2**60 and far.state["state"]["key"] == bits.state["state"]["key"]
    assert random.Generator(far).random() != whole[0]
