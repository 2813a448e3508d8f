"""Generators of bascule in libraries that require NumPy's: the same numbers from the same bit generator of NumPy's."""

import copy
import pickle
import threading

import bascule as bc
import numpy as np
import pandas as pd
import pytest

stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed")
from scipy import optimize, sparse
from scipy.stats import qmc, sampling

CALLS = {
    "rvs": lambda g: stats.norm.rvs(2.0, 3.0, size=(2, 3), random_state=g),
    "frozen": lambda g: stats.gamma(2).rvs(size=3, random_state=g),
    "discrete": lambda g: stats.poisson(3).rvs(size=4, random_state=g),
    "rejected": lambda g: stats.nchypergeom_fisher(140, 80, 60, 0.5).rvs(size=3, random_state=g),
    "multivariate": lambda g: stats.multivariate_normal([0, 1]).rvs(size=2, random_state=g),
    "matrices": lambda g: stats.ortho_group.rvs(3, random_state=g),
    "inversion": lambda g: sampling.NumericalInversePolynomial(stats.norm(), random_state=g).rvs(4),
    "sobol": lambda g: qmc.Sobol(2, rng=g).random(4),
    "halton": lambda g: qmc.Halton(2, rng=g).random(4),
    "bootstrap": lambda g: tuple(stats.bootstrap(([1.0, 2, 3, 5],), np.mean, n_resamples=9, rng=g).confidence_interval),
    "permutation": lambda g: (
        stats.permutation_test(([1.0, 2, 3], [2.0, 9]), lambda x, y: x.mean() - y.mean(), n_resamples=9, rng=g).pvalue
    ),
    "evolution": lambda g: optimize.differential_evolution(lambda x: (x**2).sum(), [(-1, 1)] * 2, rng=g, maxiter=2).x,
    "sparse": lambda g: sparse.random(5, 5, density=0.5, rng=g).toarray(),
    "sample": lambda g: pd.DataFrame({"a": range(10)}).sample(4, random_state=g, weights=range(10)).index,
    "graph": lambda g: sorted(
        pytest.importorskip("networkx", reason="networkx is not installed").gnp_random_graph(6, 0.5, seed=g).edges
    ),
    "itself": lambda g: np.random.default_rng(g) is g,
    "beside": lambda g: np.random.Generator(g.bit_generator).normal(size=3),
    "legacy": lambda g: np.random.RandomState(g.bit_generator).normal(size=3),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_generator_over_numpys_bits_gives_numpys_numbers(name):
    call = CALLS[name]
    with bc.config.set(fallback="error"):
        got = np.asarray(call(bc.random.Generator(bc.random.PCG64(7))))
    want = np.asarray(call(np.random.Generator(np.random.PCG64(7))))
    np.testing.assert_allclose(got, want, rtol=1e-14)  # the same draws, but libraries continue with our arithmetic


@pytest.mark.parametrize("name", CALLS)
def test_the_default_generator_is_taken_and_repeats(name):
    call = CALLS[name]
    first, second = (np.asarray(call(bc.random.default_rng(7))) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert first.ndim == np.asarray(call(np.random.default_rng(7))).ndim


def test_draws_of_the_default_generator_come_from_its_stream():
    ours, theirs = bc.random.default_rng(3), bc.random.default_rng(3)
    np.testing.assert_array_equal(
        np.asarray(stats.uniform.rvs(size=5, random_state=ours)), np.asarray(theirs.uniform(0, 1, 5))
    )
    assert ours.bit_generator.state == theirs.bit_generator.state


def test_numpys_generator_draws_the_words_of_counter_bits():
    bits, same = bc.random.CounterBits(5), bc.random.CounterBits(5)
    words = [same.random_raw() for _ in range(9)]
    there = np.random.Generator(bits)
    np.testing.assert_array_equal(there.random(3), [(w >> 11) * 2.0**-53 for w in words[:3]])
    assert there.integers(0, 2**64, size=2, dtype=np.uint64).tolist() == words[3:5]
    assert there.random(1, dtype=np.float32)[0] == np.float32((words[5] >> 32) >> 8) * np.float32(2.0**-24)
    assert bits.random_raw() == words[6]
    assert pickle.loads(pickle.dumps(there)).random() == copy.deepcopy(there).random() == (words[7] >> 11) * 2.0**-53


def test_threads_share_a_stream_in_compiled_code_and_out_of_it():
    mine = bc.random.default_rng(1)
    there = np.random.Generator(mine.bit_generator)
    seen = [[] for _ in range(4)]

    def draw(mine_of):
        for _ in range(25):
            mine_of.extend(there.random(4).tolist())
            mine_of.append(mine.random())

    threads = [threading.Thread(target=draw, args=(s,)) for s in seen]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len({v for s in seen for v in s}) == 500


def test_numpys_generators_are_instances():
    for there, ours in (
        (np.random.default_rng(1), bc.random.Generator),
        (np.random.RandomState(1), bc.random.RandomState),
    ):
        assert isinstance(there, ours) and type(there) is not ours
        assert not isinstance(there, type("Derived", (ours,), {})) and not issubclass(type(there), ours)
        made = bc.random.default_rng(there)
        assert type(made) is not type(there) and type(made.random(2)) is bc.ndarray
    assert not isinstance(bc.random.default_rng(1), bc.random.RandomState)
    assert isinstance(bc.random.default_rng(1), bc.random.Generator)


def test_every_method_of_numpys_generator_is_ours():
    names = [n for n in dir(np.random.Generator) if not n.startswith("_")]
    for kind in (type(bc.random.default_rng(0)), type(bc.random.Generator(bc.random.PCG64(0)))):
        own = [c for c in kind.__mro__ if c.__module__.startswith("bascule")]
        assert [n for n in names if not any(n in vars(c) for c in own)] == []


def test_a_jitted_function_draws_from_the_bits_of_a_generator():
    numba = pytest.importorskip("numba", reason="numba, of the extra `test`, is not installed")

    @numba.njit
    def draw(g):
        return g.random(), g.normal(), g.integers(0, 100)

    assert draw(bc.random.Generator(bc.random.PCG64(2))) == draw(np.random.default_rng(2))
    assert draw(bc.random.default_rng(2)) == draw(np.random.Generator(bc.random.CounterBits(2)))
