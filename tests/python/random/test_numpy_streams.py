"""NumPy's streams bit for bit, and the interface of bascule.random: names, signatures, examples."""

from __future__ import annotations

import copy
import doctest
import importlib
import inspect
import pickle
import pkgutil
import subprocess
import sys

import bascule
import numpy as np
import pytest
from bascule import _core, random
from bascule._array.numpy_versions import signature_of, since

pytestmark = pytest.mark.usefixtures("native")

KINDS = ("PCG64", "MT19937", "SFC64", "Philox", "PCG64DXSM")
GENERATOR = [n for n in dir(np.random.Generator) if not n.startswith("_")]
STATE = [n for n in dir(np.random.RandomState) if not n.startswith("_")]
ARGUMENTS = {
    "beta": (2, 3, 9), "binomial": (9, 0.4, 9), "bytes": (9,), "chisquare": (3, 9), "choice": (9, 4),
    "dirichlet": ([1, 2, 3], 4), "exponential": (2, 9), "f": (2, 3, 9), "gamma": (2, 3, 9), "geometric": (0.3, 9),
    "gumbel": (0, 1, 9), "hypergeometric": (5, 6, 7, 9), "integers": (0, 99, 9), "laplace": (0, 1, 9),
    "logistic": (0, 1, 9), "lognormal": (0, 1, 9), "logseries": (0.4, 9), "multinomial": (9, [0.2, 0.8], 4),
    "multivariate_hypergeometric": ([3, 4, 5], 6, 4), "multivariate_normal": ([0, 1], [[2, 0], [0, 1]], 4),
    "negative_binomial": (4, 0.3, 9), "noncentral_chisquare": (2, 3, 9), "noncentral_f": (2, 3, 1, 9),
    "normal": (0, 1, 9), "pareto": (2, 9), "permutation": (9,), "permuted": ([[1, 2, 3], [4, 5, 6]],), "poisson": (4, 9),
    "power": (2, 9), "random": (9,), "rayleigh": (2, 9), "standard_cauchy": (9,), "standard_exponential": (9,),
    "standard_gamma": (2, 9), "standard_normal": (9,), "standard_t": (3, 9), "triangular": (0, 1, 2, 9),
    "uniform": (0, 1, 9), "vonmises": (0, 1, 9), "wald": (1, 2, 9), "weibull": (2, 9), "zipf": (2, 9),
    "rand": (3, 3), "randn": (3, 3), "randint": (0, 99, 9), "random_sample": (9,), "tomaxint": (9,),
    "ranf": (9,), "sample": (9,),
}  # fmt: skip


def equal(ours, theirs):
    if isinstance(theirs, np.ndarray):
        assert type(ours) is bascule.ndarray and ours.dtype == theirs.dtype
        np.testing.assert_array_equal(_core.to_numpy(ours), theirs)
    else:
        assert type(ours) is type(theirs) and ours == theirs


def parameters_agree(ours, theirs):
    if (expected := signature_of(theirs)) is None:
        assert not since("C functions and ufuncs have signatures")
        return
    found = inspect.signature(ours).parameters.values()
    assert [(p.name, p.kind, p.default) for p in found] == [
        (p.name, p.kind, p.default) for p in expected.parameters.values()
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [n for n in GENERATOR if n in ARGUMENTS])
def test_generators_over_numpys_bits_draw_numpys_numbers(kind, name):
    ours, theirs = random.Generator(getattr(random, kind)(5)), np.random.Generator(getattr(np.random, kind)(5))
    for _ in range(2):
        equal(getattr(ours, name)(*ARGUMENTS[name]), getattr(theirs, name)(*ARGUMENTS[name]))


@pytest.mark.parametrize("name", [n for n in STATE if n in ARGUMENTS])
def test_random_state_draws_numpys_numbers(name):
    ours, theirs = random.RandomState(6), np.random.RandomState(6)
    for _ in range(2):
        equal(getattr(ours, name)(*ARGUMENTS[name]), getattr(theirs, name)(*ARGUMENTS[name]))


@pytest.mark.parametrize("name", [n for n in np.random.__all__ if n in ARGUMENTS])
def test_the_modules_functions_draw_from_numpys_global_stream(name):
    random.seed(7)
    ours = getattr(random, name)(*ARGUMENTS[name])
    np.random.seed(7)
    equal(ours, getattr(np.random, name)(*ARGUMENTS[name]))


def test_nothing_of_numpys_is_left_out_here():
    other = {"bit_generator", "shuffle", "spawn", "get_state", "set_state", "seed", "random_integers"}
    assert set(GENERATOR) | set(STATE) <= set(ARGUMENTS) | other
    assert (len(GENERATOR), len(STATE)) == (45, 49)
    assert set(np.random.__all__) <= set(dir(random))


@pytest.mark.parametrize("name", [n for n in GENERATOR if n != "bit_generator"])
def test_signatures_of_generators_are_numpys(name):
    for ours in (random.Generator, type(random.Generator(random.PCG64(0)))):
        parameters_agree(getattr(ours, name), getattr(np.random.Generator, name))


@pytest.mark.parametrize("name", STATE)
def test_signatures_of_random_state_are_numpys(name):
    parameters_agree(getattr(random.RandomState, name), getattr(np.random.RandomState, name))


@pytest.mark.parametrize("name", [n for n in np.random.__all__ if n not in ("Generator", "RandomState")])
def test_signatures_of_functions_are_numpys(name):
    parameters_agree(getattr(random, name), getattr(np.random, name))


def test_signatures_of_the_classes():
    parameters_agree(random.Generator, np.random.Generator)
    parameters_agree(random.RandomState, np.random.RandomState)


@pytest.mark.parametrize("name", [n for n in GENERATOR if n != "bit_generator"])
def test_every_method_of_the_counter_based_generator_runs_here(name):
    rng = random.default_rng(1)
    arguments = {"shuffle": ([3, 1, 2],), "spawn": (2,)}.get(name) or ARGUMENTS[name]
    getattr(rng, name)(*arguments)  # fallbacks are errors in this folder


@pytest.mark.parametrize("kind", KINDS)
def test_pickles_states_jumps_and_children(kind):
    bits = getattr(random, kind)
    ours, theirs = random.Generator(bits(8)), np.random.Generator(bits(8))
    for copied in (pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours)):
        assert type(copied) is type(ours)
        assert copied.random() == np.random.Generator(bits(8)).random()
    assert ours.random() == theirs.random()
    saved = ours.bit_generator.state
    value = ours.standard_normal()
    ours.bit_generator.state = saved
    assert ours.standard_normal() == value
    if hasattr(bits, "jumped"):
        equal(random.Generator(bits(8).jumped(2)).random(5), np.random.Generator(bits(8).jumped(2)).random(5))
    children = random.Generator(bits(np.random.SeedSequence(3))).spawn(2)
    for ours_child, child in zip(children, np.random.Generator(bits(np.random.SeedSequence(3))).spawn(2), strict=True):
        equal(ours_child.random(4), child.random(4))


def test_the_global_bit_generator_is_numpys():
    before = random.get_bit_generator()
    try:
        random.set_bit_generator(random.PCG64(9))
        assert np.random.get_bit_generator() is random.get_bit_generator()
        equal(random.standard_normal(4), np.random.RandomState(random.PCG64(9)).standard_normal(4))
    finally:
        random.set_bit_generator(before)


def test_states_are_set_and_read_as_numpys():
    ours, theirs = random.RandomState(), np.random.RandomState(10)
    ours.set_state(theirs.get_state())
    equal(ours.rand(3), theirs.rand(3))
    assert ours.get_state(legacy=False)["bit_generator"] == "MT19937"
    ours.seed(11), theirs.seed(11)
    equal(ours.randn(3), theirs.randn(3))
    for copied in (pickle.loads(pickle.dumps(ours)), copy.copy(ours)):
        equal(copied.rand(3), pickle.loads(pickle.dumps(theirs)).rand(3))
    over_pcg = pickle.loads(pickle.dumps(random.RandomState(random.PCG64(1))))
    equal(over_pcg.rand(3), np.random.RandomState(np.random.PCG64(1)).rand(3))
    with pytest.raises(AttributeError):
        ours.no_such_distribution
    assert str(ours) == "RandomState(MT19937)" and repr(ours).startswith("RandomState(MT19937) at 0x")


def test_array_seeds():
    seed = [1, 2, 3]
    equal(random.RandomState(seed).rand(3), np.random.RandomState(seed).rand(3))
    equal(random.RandomState(_core.from_numpy(np.array(seed))).rand(3), np.random.RandomState(seed).rand(3))
    for ours in (seed, np.array(seed), _core.from_numpy(np.array(seed))):
        equal(random.Generator(random.PCG64(ours)).random(3), np.random.Generator(np.random.PCG64(seed)).random(3))
        assert random.default_rng(ours).random() == random.default_rng(seed).random()
        assert random.SeedSequence(ours).generate_state(1) == np.random.SeedSequence(seed).generate_state(1)
    assert isinstance(np.random.PCG64(1), random.PCG64) and not isinstance(np.random.SFC64(1), random.PCG64)
    assert random.default_rng(_core.from_numpy(np.array(5))).random() == random.default_rng(5).random()
    assert isinstance(random.PCG64(1), np.random.PCG64) and random.PCG64(1).state == np.random.PCG64(1).state


def test_bounds_beyond_a_word():
    for low in (0, np.array([0, 2**63], np.uint64)):
        x = random.default_rng(0).integers(low, [2**64], dtype=np.uint64)
        assert x.dtype == np.uint64 and (_core.to_numpy(x) >= np.array(low, np.uint64)).all()


def test_what_is_no_sequence_is_shuffled_with_a_warning_at_the_callers_line():
    for shuffle in (random.shuffle, random.RandomState(1).shuffle, random.Generator(random.PCG64(1)).shuffle,
                    random.default_rng(1).shuffle):  # fmt: skip
        with pytest.warns(UserWarning, match="you are shuffling a 'dict' object") as said:
            shuffle({0: 0, 1: 1})
        assert said[0].filename == __file__


@pytest.mark.parametrize("make", [
    lambda lib: lib.random.Generator(lib.random.PCG64(12)),
    lambda lib: lib.random.RandomState(12),
])  # fmt: skip
def test_numpys_generators_shuffle_in_place(make):
    ours, theirs = bascule.arange(20).copy(), np.arange(20)
    make(bascule).shuffle(ours), make(np).shuffle(theirs)
    np.testing.assert_array_equal(_core.to_numpy(ours), theirs)
    ours, theirs = list(range(9)), list(range(9))
    make(bascule).shuffle(ours), make(np).shuffle(theirs)
    assert ours == theirs
    there, theirs = bascule.arange(20).to_device("reference"), np.arange(20)
    make(bascule).shuffle(there), make(np).shuffle(theirs)
    np.testing.assert_array_equal(_core.to_numpy(there), theirs)


def test_the_global_shuffle():
    ours, theirs = bascule.arange(20).copy(), np.arange(20)
    random.seed(13), random.shuffle(ours)
    np.random.seed(13), np.random.shuffle(theirs)
    np.testing.assert_array_equal(_core.to_numpy(ours), theirs)


def test_outputs_of_numpys_generators_are_filled():
    out = bascule.zeros(5)
    assert random.Generator(random.PCG64(14)).random(out=out) is out
    np.testing.assert_array_equal(_core.to_numpy(out), np.random.default_rng(14).random(5))


def test_the_configuration_asks_for_numpys_numbers():
    with bascule.config.set(random="numpy"):
        equal(random.default_rng(15).gamma(2, size=5), np.random.default_rng(15).gamma(2, size=5))
    assert random.default_rng(15).gamma(2) != np.random.default_rng(15).gamma(2)


MODULES = [
    m.name for m in pkgutil.iter_modules(bascule.__path__) if m.name.startswith("random") or m.name == "counter_bits"
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    module = importlib.import_module(f"bascule.{name}")
    tests = doctest.DocTestFinder(exclude_empty=True).find(module, globs={})
    runner = doctest.DocTestRunner()
    for test in tests:
        assert runner.run(test).failed == 0, test.name


def test_every_distribution_has_an_example():
    for name in GENERATOR:
        if name != "bit_generator":
            text = inspect.getdoc(getattr(random.Generator, name))
            assert ">>>" in text and "Returns" in text or name == "shuffle", name


def test_modules_of_random():
    legacy = importlib.import_module("bascule.random.mtrand")
    assert legacy is random.mtrand and legacy.RandomState is random.RandomState and legacy.rand is random.rand
    bits = importlib.import_module("bascule.random.bit_generator")
    assert bits is random.bit_generator and bits.SeedSequence is random.SeedSequence
    for name in ("mtrand", "bit_generator"):
        names = [n for n in dir(getattr(np.random, name)) if not n.startswith("_")]
        assert [n for n in names if not hasattr(getattr(random, name), n)] == []


def test_the_global_state_is_the_modules():
    random.seed(7)
    ours = [random.mtrand._rand.randn(3), random.randn(3), random.mtrand._rand.rand(2)]
    np.random.seed(7)
    for a, b in zip(ours, [np.random.randn(3), np.random.randn(3), np.random.rand(2)], strict=True):
        equal(a, b)


def test_states_are_taken_by_other_libraries():
    from scipy import stats
    from sklearn.utils import check_random_state

    ours, theirs = random.RandomState(3), np.random.RandomState(3)
    assert isinstance(ours, np.random.RandomState) and check_random_state(ours) is ours
    kernel = stats.gaussian_kde(np.arange(9.0))
    np.testing.assert_array_equal(np.asarray(kernel.resample(5, ours)), kernel.resample(5, theirs))
    np.testing.assert_array_equal(
        np.asarray(stats.norm.rvs(size=4, random_state=ours)), stats.norm.rvs(size=4, random_state=theirs)
    )
    other = copy.deepcopy(ours)
    assert (
        type(other) is random.RandomState and other.rand() == pickle.loads(pickle.dumps(ours)).rand() == theirs.rand()
    )


def test_no_method_of_a_state_is_inherited():
    # The base class has a separate state, from which no method may draw.
    inherited = [n for n in STATE if getattr(random.RandomState, n) is getattr(np.random.RandomState, n)]
    assert inherited == []


CALLS = {
    "nothing": lambda g: g.random(),
    "a length": lambda g: g.random(3),
    "by name": lambda g: g.normal(loc=1.0, scale=2.0, size=(2, 2)),
    "a list": lambda g: g.normal(0, [0.5, 1.0]),
    "a narrow type": lambda g: g.random(4, dtype=np.float32),
    "strings": lambda g: g.choice(["a", "b"], 3),
    "one string": lambda g: g.choice(["a", "b"]),
    "booleans": lambda g: g.integers(0, 2, 5, dtype=bool),
    "bytes": lambda g: g.bytes(3),
    "objects": lambda g: g.permutation(np.array([None, "a"], dtype=object)),
}


@pytest.mark.parametrize("call", CALLS)
def test_draws_of_every_kind_of_result(call):
    ours, theirs = random.Generator(np.random.PCG64(8)), np.random.default_rng(8)
    for _ in range(2):
        found, wanted = CALLS[call](ours), CALLS[call](theirs)
        held = isinstance(wanted, np.ndarray) and wanted.dtype.kind in "biufc"
        assert type(found) is (bascule.ndarray if held else type(wanted))
        np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))
        assert np.asarray(found).dtype == np.asarray(wanted).dtype


def test_draws_with_arrays_of_ours():
    ours, theirs = random.Generator(np.random.PCG64(8)), np.random.default_rng(8)
    scale, out = bascule.asarray([0.5, 2.0]), bascule.empty(3)
    np.testing.assert_array_equal(np.asarray(ours.normal(0, scale)), theirs.normal(0, [0.5, 2.0]))
    np.testing.assert_array_equal(np.asarray(ours.normal(0, scale=scale)), theirs.normal(0, [0.5, 2.0]))
    assert ours.random(out=out) is out
    np.testing.assert_array_equal(np.asarray(out), theirs.random(3))
    np.random.seed(3)
    first = np.random.normal(0, [0.5, 2.0])
    random.seed(3)
    np.testing.assert_array_equal(np.asarray(random.normal(0, scale)), first)


@pytest.mark.parametrize("wrong", [lambda g: g.normal(0, -1), lambda g: g.random("a"), lambda g: g.integers(3, 2)])
def test_errors_of_draws_are_numpys(wrong):
    def said(g):
        with pytest.raises((TypeError, ValueError)) as error:
            wrong(g)
        return type(error.value), str(error.value)

    assert said(random.Generator(np.random.PCG64(8))) == said(np.random.default_rng(8))
    with pytest.raises(TypeError):
        type(random.Generator(np.random.PCG64(8))).random()


@pytest.mark.parametrize("kind", ["contiguous", "strided", "pending", "dates", "rows", "viewed"])
def test_shuffles_of_arrays_of_ours(kind):
    host = {
        "contiguous": np.arange(20), "strided": np.arange(40)[::2], "pending": np.arange(20.0) * 2,
        "dates": np.arange(20).astype("M8[D]"), "rows": np.arange(20).reshape(5, 4), "viewed": np.arange(20)[5:],
    }[kind]  # fmt: skip
    own = bascule.asarray(np.arange(40))[::2] if kind == "strided" else bascule.asarray(host)
    base = own
    if kind == "pending":
        own = bascule.arange(20.0) * 2
    if kind == "viewed":
        base = bascule.arange(20)
        own = base[5:]
    random.Generator(np.random.PCG64(4)).shuffle(own)
    there = host.copy()
    np.random.default_rng(4).shuffle(there)
    np.testing.assert_array_equal(np.asarray(own), there)
    assert kind != "viewed" or np.asarray(base)[5:].tolist() == there.tolist()
    random.seed(4)
    random.shuffle(own)
    np.random.seed(4)
    np.random.shuffle(there)
    np.testing.assert_array_equal(np.asarray(own), there)


@pytest.mark.parametrize("size", [100, 8191, 8192, (300, 200), 0])
def test_large_draws_are_arrays_of_our_own(size):
    """They keep NumPy's memory, which no other object has, and wait and are written to as all others."""
    ours, theirs = random.Generator(np.random.PCG64(8)), np.random.default_rng(8)
    a, wanted = ours.random(size), theirs.random(size)
    assert a.flags.writeable and _core.export_count(a) == 0
    later = a * 2 + 1
    a += 1
    a[..., :1] = 5
    np.testing.assert_array_equal(np.asarray(later), wanted * 2 + 1)
    wanted += 1
    wanted[..., :1] = 5
    np.testing.assert_array_equal(np.asarray(a), wanted)
    b = ours.integers(0, 100, size)
    a[b > 50] = a[b > 50] * 3
    n = theirs.integers(0, 100, size)
    wanted[n > 50] = wanted[n > 50] * 3
    np.testing.assert_array_equal(np.asarray(a), wanted)
    assert pickle.loads(pickle.dumps(a)).tolist() == wanted.tolist()


@pytest.mark.parametrize(
    "call", ["bc.random.randint(5, 'a')", "bc.random.default_rng(0).normal(0, -1)", "bc.random.seed(0).x"]
)
def test_the_error_of_a_first_call_is_numpys(call):
    program = f"import bascule as bc\ntry: {call}\nexcept Exception as e: print(type(e).__name__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.strip() in ("ValueError", "AttributeError"), done.stderr


def test_a_list_may_change_while_it_is_read():
    class Clears:
        def __index__(self):
            sizes.clear()
            return 1

    sizes = [Clears(), Clears(), 2]
    assert random.normal(size=sizes).shape == (1, 1, 2)
