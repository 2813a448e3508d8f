"""Random numbers: the counter-based generator against a separate Philox, its distributions, NumPy's streams."""

import pickle

import bascule
import numpy as np
import pytest
import scipy.stats
from bascule import _core, random
from bascule.random import _permutations as random_orders

host = _core.to_numpy
N = 200_000


def philox4x32(counter, key):
    """Philox4x32-10 as published, on arrays of 32-bit words in 64-bit integers."""
    c, k, mask = [np.uint64(w) for w in counter], [np.uint64(w) for w in key], np.uint64(0xFFFFFFFF)
    for _ in range(10):
        p, q = np.uint64(0xD2511F53) * c[0], np.uint64(0xCD9E8D57) * c[2]
        c = [(q >> np.uint64(32)) ^ c[1] ^ k[0], q & mask, (p >> np.uint64(32)) ^ c[3] ^ k[1], p & mask]
        k = [(k[0] + np.uint64(0x9E3779B9)) & mask, (k[1] + np.uint64(0xBB67AE85)) & mask]
    return c


def words(seed, first, count):
    """The 64-bit words at positions first, first + 1, … of a seed's stream."""
    key = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
    blocks = np.arange(first // 2, (first + count) // 2 + 1, dtype=np.uint64)
    zero = np.zeros_like(blocks)
    c = philox4x32([blocks & np.uint64(0xFFFFFFFF), blocks >> np.uint64(32), zero, zero], [key & 0xFFFFFFFF, key >> 32])
    both = np.stack([c[1] | c[0] << np.uint64(32), c[3] | c[2] << np.uint64(32)], axis=1).reshape(-1)
    return both[first % 2 :][:count]


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [
        ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
            [0xA4093822, 0x299F31D0],
            [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
        ),
    ],
)
def test_the_independent_philox_gives_the_published_answers(counter, key, expected):
    assert [int(w) for w in philox4x32(counter, key)] == expected


@pytest.mark.parametrize("seed", [0, 1, 2**70, [1, 2, 3]])
def test_raw_bits_are_philox_of_the_seed_sequence(seed):
    rng = random.default_rng(seed)
    np.testing.assert_array_equal(host(rng.bit_generator.random_raw(10_001)), words(seed, 0, 10_001))
    np.testing.assert_array_equal(host(rng.bit_generator.random_raw((3, 5))).ravel(), words(seed, 10_002, 15))


def test_uniform_and_normal_values_are_functions_of_the_words():
    w = words(7, 0, 9000)
    np.testing.assert_array_equal(host(random.default_rng(7).random(9000)), (w >> np.uint64(11)) * 2.0**-53)
    np.testing.assert_array_equal(
        host(random.default_rng(7).random(9000, np.float32)),
        (w >> np.uint64(40)).astype(np.float32) * np.float32(2.0**-24),
    )
    part = (w & np.uint64(2**52 - 1)) * 2.0**-52
    sign = np.where(w[1::2] >> np.uint64(63), -1, 1)
    radius, angle = sign * np.sqrt(-2 * np.log1p(-part[::2])), np.pi * (part[1::2] - 0.5)
    expected = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()
    np.testing.assert_allclose(host(random.default_rng(7).standard_normal(9000)), expected, rtol=1e-14, atol=1e-15)
    floats = host(random.default_rng(7).standard_normal(9000, np.float32))
    np.testing.assert_allclose(floats, expected, rtol=2.0**-23, atol=1e-15)


@pytest.mark.parametrize("first", [2**33 - 3000, 2**33 - 2, 2**33, 2**40 + 7])
def test_words_where_the_upper_half_of_a_counter_grows(first):
    first += first & 1
    rng = random.default_rng(11)
    rng.bit_generator.advance(first)
    np.testing.assert_array_equal(host(rng.bit_generator.random_raw(9000)), words(11, first, 9000))


def test_a_part_of_a_draw_has_the_numbers_of_the_whole():
    whole = host(random.default_rng(12).random((70, 130)))
    for part in (np.s_[3::2, 5:], np.s_[:, ::-3], np.s_[7], np.s_[..., 1]):
        np.testing.assert_array_equal(host(random.default_rng(12).random((70, 130))[part]), whole[part])
    np.testing.assert_array_equal(host(random.default_rng(12).random((70, 130)).T), whole.T)


def test_calls_do_not_overlap_and_even_calls_continue_each_other():
    a, b = random.default_rng(3), random.default_rng(3)
    parts = np.concatenate(
        [
            host(a.random(10)),
            host(a.random(6)),
            host(a.random((2, 3000)))[0],
        ]
    )
    np.testing.assert_array_equal(parts, host(b.random(3016)))
    c = random.default_rng(3)
    seen = [c.random() for _ in range(50)] + [*host(c.random(51)), *host(c.random(1))]
    assert len(set(seen)) == len(seen)
    assert random.default_rng(3).random() == host(random.default_rng(3).random(1))[0]


@pytest.mark.parametrize(
    "draw",
    [
        lambda r: r.normal(2, 3, 100_000),
        lambda r: r.integers(5, 10**12, 100_000),
        lambda r: r.permutation(9000),
        lambda r: r.exponential(2, 50_000),
    ],
)
def test_values_do_not_depend_on_the_number_of_threads(draw):
    before = _core.get_num_threads()
    results = []
    try:
        for threads in (1, 2, 3):
            _core.set_num_threads(threads)
            results.append(host(draw(random.default_rng(11))))
    finally:
        _core.set_num_threads(before)
    assert all((r == results[0]).all() for r in results)


@pytest.mark.parametrize("name", ["lognormal", "laplace", "logistic", "gumbel", "rayleigh", "standard_cauchy"])
def test_transformed_draws_are_scalars_or_lazy_arrays(name):
    one = getattr(random.default_rng(1), name)()
    assert isinstance(one, float) and one == host(getattr(random.default_rng(1), name)(size=1))[0]
    assert _core.is_pending(getattr(random.default_rng(1), name)(size=50_000))


def test_large_draws_are_lazy_and_fuse():
    rng = random.default_rng(0)
    before = _core.memory("cpu")["peak"]
    x = rng.normal(10, 1, size=(3000, 3000))
    assert _core.is_pending(x)
    s = (x + 1)[::2, ::2].sum()
    value = float(s)
    assert _core.is_pending(x)
    assert _core.memory("cpu")["peak"] - before < 8 * 3000 * 3000 / 4
    assert value == pytest.approx(float((host(x) + 1)[::2, ::2].sum()), rel=1e-12)
    assert value / 1500**2 == pytest.approx(11, abs=0.01)


@pytest.mark.parametrize(
    ("draw", "cdf"),
    [
        (lambda r: r.random(N), "uniform"),
        (lambda r: r.random(N, np.float32), "uniform"),
        (lambda r: r.standard_normal(N), "norm"),
        (lambda r: r.standard_normal(N, np.float32), "norm"),
        (lambda r: (r.normal(-3, 0.5, N) + 3) / 0.5, "norm"),
        (lambda r: (r.uniform(-3, 5, N) + 3) / 8, "uniform"),
        (lambda r: r.standard_exponential(N), "expon"),
        (lambda r: r.exponential(4, N) / 4, "expon"),
        (lambda r: (bascule.log(r.lognormal(1, 2, N)) - 1) / 2, "norm"),
        (lambda r: (r.laplace(5, 2, N) - 5) / 2, "laplace"),
        (lambda r: (r.logistic(5, 2, N) - 5) / 2, "logistic"),
        (lambda r: (r.gumbel(5, 2, N) - 5) / 2, "gumbel_r"),
        (lambda r: r.rayleigh(3, N) / 3, "rayleigh"),
        (lambda r: bascule.log1p(r.pareto(2.5, N)) * 2.5, "expon"),
        (lambda r: r.power(3, N) ** 3, "uniform"),
        (lambda r: r.standard_cauchy(N), "cauchy"),
    ],
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_distributions_pass_kolmogorov_smirnov(draw, cdf, seed):
    values = host(draw(random.default_rng(seed))).astype(np.float64)
    assert scipy.stats.kstest(values, cdf).pvalue > 1e-4


def test_moments_of_the_normal_distribution():
    x = host(random.default_rng(5).standard_normal(1_000_000))
    for power, expected in ((1, 0), (2, 1), (3, 0), (4, 3), (6, 15)):
        spread = np.std(x**power) / 1000
        assert abs(np.mean(x**power) - expected) < 5 * spread


@pytest.mark.parametrize("lag", [1, 2, 3, 64])
def test_neighbours_are_independent(lag):
    x = host(random.default_rng(6).random(500_000)) - 0.5
    assert abs(np.mean(x[lag:] * x[:-lag])) * 12 < 5 / np.sqrt(500_000)
    z = host(random.default_rng(6).standard_normal(500_000))
    assert abs(np.mean(z[lag:] * z[:-lag])) < 5 / np.sqrt(500_000)
    assert abs(np.mean((z[lag:] ** 2 - 1) * (z[:-lag] ** 2 - 1))) < 5 * 2 / np.sqrt(500_000)


@pytest.mark.parametrize(("low", "high"), [(0, 10), (-5, 2), (0, 7919)])
@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64])
def test_bounded_integers_are_uniform_over_the_exact_range(low, high, dtype):
    x = random.default_rng(8).integers(low, high, N, dtype=dtype)
    assert x.dtype == dtype
    counts = np.bincount(host(x).astype(np.int64) - low, minlength=high - low)
    assert len(counts) == high - low
    assert scipy.stats.chisquare(counts).pvalue > 1e-4


@pytest.mark.parametrize(
    "dtype", [np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
)
def test_integers_over_the_whole_range_of_a_type(dtype):
    least, most = (0, 1) if dtype is np.bool_ else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    rng = random.default_rng(9)
    x = host(rng.integers(least, most, 50_000, dtype=dtype, endpoint=True)).astype(np.float64)
    span = float(most) - float(least)
    assert abs(x.mean() - (float(least) + float(most)) / 2) < 5 * max(span, 1) / np.sqrt(12 * 50_000) + 1e-9 * span
    assert set(host(rng.integers(most, most, 20, dtype=dtype, endpoint=True))) == {most}


def test_wide_ranges_use_more_bits():
    width = 3 * 2**62
    x = host(random.default_rng(10).integers(0, width, 300_000, dtype=np.uint64))
    assert x.max() < width
    assert scipy.stats.chisquare(np.bincount((x % np.uint64(3)).astype(int))).pvalue > 1e-4
    single = random.default_rng(10)
    assert single.integers(0, width, dtype=np.uint64) < width


@pytest.mark.parametrize("high", [6, 2**33 + 1, 2**63])
def test_a_scalar_integer_equals_an_array_of_one_where_it_takes_the_same_words(high):
    expected = host(random.default_rng(4).integers(0, high, 1))[0]
    assert random.default_rng(4).integers(0, high) == expected


def test_integers_with_array_bounds():
    low, high = np.array([0, -10, 5]), np.array([[1], [2**40]])
    x = host(random.default_rng(1).integers(low, high + 10, size=(1000, 2, 3)))
    assert (x >= low).all() and (x < high + 10).all()
    full = host(random.default_rng(1).integers([0, -(2**63)], [1, 2**63 - 1], size=(1000, 2), endpoint=True))
    assert set(full[:, 0]) == {0, 1} and np.unique(full[:, 1]).size == 1000


def test_parameters_broadcast():
    loc = np.array([0.0, 100.0, 1000.0])
    x = host(random.default_rng(2).normal(_core.from_numpy(loc), [[1.0], [10.0]], size=(4000, 2, 3)))
    np.testing.assert_allclose(x.mean(axis=0), np.broadcast_to(loc, (2, 3)), atol=1)
    np.testing.assert_allclose(x.std(axis=0), [[1] * 3, [10] * 3], rtol=0.06)
    assert random.default_rng(2).uniform([0, 1], 2).shape == (2,)


def test_permutation_shuffle_and_choice_without_replacement():
    rng = random.default_rng(0)
    order = host(rng.permutation(1000))
    assert order.dtype == np.int64 and (np.sort(order) == np.arange(1000)).all() and (order != np.arange(1000)).any()
    rows = _core.from_numpy(np.arange(12).reshape(4, 3))
    assert sorted(map(tuple, host(rng.permutation(rows)))) == [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11)]
    rng.shuffle(rows, axis=1)
    assert (np.sort(host(rows), axis=1) == np.arange(12).reshape(4, 3)).all()
    things = list("abcdef")
    rng.shuffle(things)
    assert sorted(things) == list("abcdef")
    numpy_rows = np.arange(10)
    rng.shuffle(numpy_rows)
    assert sorted(numpy_rows) == list(range(10))
    assert np.unique(host(rng.choice(50, 50, replace=False))).size == 50


def test_every_order_is_equally_likely():
    rng = random.default_rng(12)
    counts = {}
    for _ in range(6000):
        order = tuple(host(rng.permutation(3)))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6 and scipy.stats.chisquare(list(counts.values())).pvalue > 1e-4


@pytest.mark.parametrize("packed", [2**24, 100])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 1000, 70_001])
def test_permutations_of_any_length_hold_everything_once(count, packed, monkeypatch):
    monkeypatch.setattr(random_orders, "_PACKED", packed)
    order = host(random.default_rng(1).permutation(count))
    assert (np.bincount(order, minlength=count) == 1).all() and order.size == count
    if count > 100:
        assert abs(np.corrcoef(order, np.arange(count))[0, 1]) < 5 / np.sqrt(count)


def test_small_samples_of_large_populations_are_distinct_and_uniform():
    sample = host(random.default_rng(2).choice(10**15, 9000, replace=False))
    assert np.unique(sample).size == 9000 and scipy.stats.kstest(sample / 1e15, "uniform").pvalue > 1e-4
    pairs = [tuple(host(random.default_rng(s).choice(150, 2, replace=False))) for s in range(4000)]
    assert all(a != b for a, b in pairs)
    for column in zip(*pairs, strict=True):
        assert scipy.stats.chisquare(np.bincount(column, minlength=150)).pvalue > 1e-4


def test_choice_with_probabilities():
    rng = random.default_rng(13)
    p = [0.1, 0.0, 0.6, 0.3]
    counts = np.bincount(host(rng.choice(4, 50_000, p=p)), minlength=4)
    assert counts[1] == 0 and scipy.stats.chisquare(counts[[0, 2, 3]], np.array([0.1, 0.6, 0.3]) * 50_000).pvalue > 1e-4
    first = [int(host(rng.choice(4, 2, replace=False, p=p))[0]) for _ in range(3000)]
    assert (
        scipy.stats.chisquare(np.bincount(first, minlength=4)[[0, 2, 3]], np.array([0.1, 0.6, 0.3]) * 3000).pvalue
        > 1e-4
    )
    assert float(rng.choice([2.5, 2.5])) == 2.5 and isinstance(rng.choice(5), int)
    assert host(rng.choice(np.arange(6).reshape(2, 3), 4, axis=1)).shape == (2, 4)


def test_bytes_spawn_and_state():
    rng = random.default_rng(14)
    assert rng.bytes(13) == words(14, 0, 2).astype("<u8").tobytes()[:13]
    children = rng.spawn(2)
    expected = np.random.SeedSequence(14).spawn(2)
    for child, sequence in zip(children, expected, strict=True):
        np.testing.assert_array_equal(host(child.random(9)), host(random.default_rng(sequence).random(9)))
    twin = pickle.loads(pickle.dumps(rng))
    assert rng.random() == twin.random()
    saved = rng.bit_generator.state
    value = rng.random()
    rng.bit_generator.state = saved
    assert rng.random() == value
    with pytest.raises(ValueError, match="state must be for a CounterBits PRNG"):
        rng.bit_generator.state = np.random.PCG64(0).state


def test_out_is_filled():
    out = _core.from_numpy(np.zeros((3, 4)))
    rng = random.default_rng(15)
    assert rng.random(out=out) is out
    np.testing.assert_array_equal(host(out).ravel(), host(random.default_rng(15).random(12)))


ERRORS = {
    "float size": lambda r: r.random(3.5),
    "negative size": lambda r: r.random((2, -1)),
    "text size": lambda r: r.random("a"),
    "integer dtype": lambda r: r.random(dtype=int),
    "half": lambda r: r.standard_normal(dtype="f2"),
    "exponential dtype": lambda r: r.standard_exponential(dtype="i4"),
    "scale": lambda r: r.normal(0, -1),
    "scales": lambda r: r.normal(0, [1, -1]),
    "broadcast": lambda r: r.normal([1, 2], [1, 2, 3]),
    "size and parameters": lambda r: r.normal([1, 2, 3], 1, (2,)),
    "complex": lambda r: r.normal(1j),
    "uniform order": lambda r: r.uniform(2, 1, 3),
    "uniform infinite": lambda r: r.uniform(0, np.inf),
    "uniform array": lambda r: r.uniform([0], np.inf),
    "uniform too wide": lambda r: r.uniform(-1e308, 1e308),
    "no integers": lambda r: r.integers(0),
    "equal bounds": lambda r: r.integers(5, 5),
    "closed": lambda r: r.integers(5, 4, endpoint=True),
    "high": lambda r: r.integers(300, dtype="u1"),
    "low": lambda r: r.integers(-1, 3, dtype="u1"),
    "float integers": lambda r: r.integers(0, 3, dtype=float),
    "arrays": lambda r: r.integers([0, 5], [5, 5]),
    "array bounds": lambda r: r.integers([-3, 5], [500, 5], dtype="u1"),
    "byte order": lambda r: r.integers(0, 3, dtype=">i4"),
    "beyond": lambda r: r.integers(2**64 + 1, dtype="u8"),
    "exponential": lambda r: r.exponential(-1),
    "nothing": lambda r: r.choice(0),
    "empty": lambda r: r.choice([]),
    "float population": lambda r: r.choice(2.5),
    "too many": lambda r: r.choice(3, 5, replace=False),
    "p length": lambda r: r.choice(3, p=[0.5, 0.5]),
    "p sum": lambda r: r.choice(3, p=[0.5, 0.5, 0.5]),
    "p sign": lambda r: r.choice(3, p=[-0.5, 0.5, 1]),
    "p nan": lambda r: r.choice(3, p=[np.nan, 0.5, 1]),
    "p shape": lambda r: r.choice(3, p=[[1, 0, 0]]),
    "few": lambda r: r.choice(3, 2, replace=False, p=[1, 0, 0]),
    "axis": lambda r: r.permutation([1, 2], axis=1),
    "tuple": lambda r: r.shuffle((1, 2)),
    "sigma": lambda r: r.lognormal(0, -1),
    "pareto": lambda r: r.pareto(0),
    "powers": lambda r: r.power([1, -1], 2),
    "gumbel": lambda r: r.gumbel(0, -1),
    "list axis": lambda r: r.shuffle([[1], [2]], axis=1),
    "number": lambda r: r.shuffle(5),
    "no axis": lambda r: r.permutation(3.5),
}


@pytest.mark.parametrize("case", ERRORS)
def test_errors_are_numpys(case):
    with pytest.raises(Exception) as expected:
        ERRORS[case](np.random.default_rng(0))
    with pytest.raises(expected.type) as raised:
        ERRORS[case](random.default_rng(0))
    assert str(raised.value) == str(expected.value)


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "MT19937", "SFC64", "Philox"])
def test_numpys_bit_generators_give_numpys_streams(kind):
    ours = random.Generator(getattr(random, kind)(5))
    theirs = np.random.Generator(getattr(np.random, kind)(5))
    assert isinstance(ours, random.Generator) and ours.random() == theirs.random()
    np.testing.assert_array_equal(host(ours.normal(1, 2, 50)), theirs.normal(1, 2, 50))
    np.testing.assert_array_equal(host(ours.integers(0, 9, (3, 4))), theirs.integers(0, 9, (3, 4)))
    np.testing.assert_array_equal(host(ours.permutation(20)), theirs.permutation(20))
    np.testing.assert_array_equal(host(ours.gamma(2.0, size=7)), theirs.gamma(2.0, size=7))
    np.testing.assert_array_equal(host(ours.spawn(1)[0].random(5)), theirs.spawn(1)[0].random(5))


def test_every_method_of_numpys_generator_is_there():
    names = {n for n in dir(np.random.Generator) if not n.startswith("_")}
    assert names <= set(dir(random.Generator))
    exact = type(random.Generator(np.random.PCG64(0)))
    assert all(getattr(exact, n) is not getattr(random.Generator, n) for n in names - {"bit_generator", "spawn"})


def test_random_state_and_the_global_stream_are_numpys():
    ours, theirs = random.RandomState(42), np.random.RandomState(42)
    np.testing.assert_array_equal(host(ours.randn(5)), theirs.randn(5))
    np.testing.assert_array_equal(host(pickle.loads(pickle.dumps(ours)).rand(3)), theirs.rand(3))
    random.seed(1)
    values = host(random.rand(4))
    np.random.seed(1)
    np.testing.assert_array_equal(values, np.random.rand(4))


def test_the_configuration_asks_for_numpys_numbers():
    with bascule.config.set(random="numpy"):
        np.testing.assert_array_equal(host(random.default_rng(7).random(5)), np.random.default_rng(7).random(5))
    assert random.default_rng(7).random() != np.random.default_rng(7).random()


def test_default_rng_passes_generators_on():
    rng = random.default_rng(0)
    assert random.default_rng(rng) is rng
    bits = np.random.PCG64(3)
    assert random.default_rng(bits).bit_generator is bits
    assert random.default_rng(np.random.default_rng(1)).random() == np.random.default_rng(1).random()
    assert random.default_rng().random() != random.default_rng().random()


@pytest.mark.gpu
@pytest.mark.parametrize(
    "draw",
    [
        lambda r: r.random(9000),
        lambda r: r.normal(1, 2, 9000),
        lambda r: r.integers(-5, 2**40, 9000),
        lambda r: r.standard_exponential(9000, np.float32),
        lambda r: r.permutation(100),
        lambda r: r.choice(10**9, 5, replace=False),
        lambda r: r.gamma(0.7, 2, 9000),
        lambda r: r.poisson(np.linspace(0, 50, 9000)),
        lambda r: r.binomial(100, 0.3, 9000),
        lambda r: r.hypergeometric(50, 60, 40, 9000),
        lambda r: r.vonmises(0, 2, 9000),
        lambda r: r.multinomial(20, [0.2, 0.3, 0.5], 2000),
        lambda r: r.permuted(np.arange(60).reshape(3, 20), axis=1),
        lambda r: r.choice(3, 9000, p=[0.2, 0.3, 0.5]),
    ],
)
def test_a_gpu_draws_the_numbers_of_the_cpu(draw):
    with bascule.device("cuda"):
        there = draw(random.default_rng(3))
    assert there.device.startswith("cuda")
    np.testing.assert_array_equal(host(there), host(draw(random.default_rng(3))))


def test_one_integer_without_axes_is_an_array():
    for arguments, kinds in (((5, 15), {}), (([5], [15]), {}), ((0, 2), {"dtype": bool})):
        size = () if np.ndim(arguments[0]) == 0 else (1,)
        drawn = random.default_rng(0).integers(*arguments, size=size, **kinds)
        wanted = np.random.default_rng(0).integers(*arguments, size=size, **kinds)
        assert type(drawn) is _core.ndarray and drawn.shape == wanted.shape and drawn.dtype == wanted.dtype
        assert drawn.ndim or arguments[0] <= int(drawn) < arguments[1]
