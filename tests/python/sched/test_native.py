"""Recorded block programs give the function's results, bit for bit, or the function is refused."""

import warnings

import bascule as bc
import numpy as np
import pytest

FUNCTIONS = {
    "arithmetic": lambda x, y: (x + 1) * 2 - y / (abs(x) + 3),
    "every other": lambda x, y: (x * y + 1)[::2, 1:-1:3].sum(),
    "sums of axes": lambda x, y: np.sum(x, axis=0, keepdims=True) + np.sum(y, axis=(1,)).max(),
    "casts": lambda x, y: (x.astype("f4") + y.astype("i2")).sum(dtype="f8"),
    "comparisons": lambda x, y: np.where(x > y, x, -y).min(axis=1),
    "any and all": lambda x, y: (x > 0).any(axis=0) & (y < 4).all(axis=0),
    "views": lambda x, y: np.transpose(x)[None].reshape(-1) * np.ravel(np.transpose(y)),
    "newaxis": lambda x, y: x[:, None, 0] * y[None, :, 0],
    "two results": lambda x, y: {"n": np.full_like(x, 2).sum(), "total": (x + y).sum(axis=0)},
    "parts": lambda x, y: np.concatenate([x, y * 2], axis=1).sum(axis=1),
    "transcendental": lambda x, y: np.exp(-(x**2)) + np.sin(y) ** 3,
    "products": lambda x, y: np.transpose(x) @ (y + 1),
    "shapes": lambda x, y: x.sum() / x.shape[0] + len(y) * x.ndim,
}


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_native_gives_what_the_function_gives(name, dtype):
    f, rng = FUNCTIONS[name], np.random.default_rng(len(name))
    native = bc.sched.native(f)
    for shape in ((8, 8), (300, 300), (8, 8), (300, 300), (5, 5)):
        x, y = (bc.array(rng.integers(-5, 6, shape).astype(dtype)) for _ in range(2))
        wanted, got = f(x, y), native(x, y)
        assert type(got) is type(wanted)
        for w, g in zip(wanted.values(), got.values()) if isinstance(wanted, dict) else [(wanted, got)]:
            assert g.dtype == w.dtype and g.shape == w.shape and type(g) is type(w)
            np.testing.assert_array_equal(np.asarray(g), np.asarray(w))
    assert len(native.recordings) == 3


def test_numbers_and_lists_belong_to_the_kind_of_block():
    f = bc.sched.native(lambda xs, k: sum(x.sum() for x in xs) * k)
    a, b = bc.arange(5.0), bc.ones(3)
    assert [float(f([a], 2)), float(f([a, b], 2)), float(f([b, a], 3)), float(f([b], 2))] == [20, 26, 39, 6]


IN_OTHER_MODULES = bc.arange(4.0)
REFUSED = {
    "values": lambda x: x if x.any() else -x,
    "numbers": lambda x: x + float(x[0]),
    "sorting": lambda x: np.sort(x),
    "masks": lambda x: x[x > 0],
    "loops": lambda x: sum(v for v in x),
    "hosts": lambda x: np.asarray(x) + 1,
    "host operands": lambda x: x + np.ones(4),
    "writes": lambda x: x.__setitem__(0, 1) or x,
    "no array": lambda x: 3,
    "arrays of elsewhere": lambda x: x + IN_OTHER_MODULES,
}


def test_blocks_of_rows_are_stacked():
    rng = np.random.default_rng(1)
    x, m = bc.array(rng.normal(size=(50, 3))), bc.array(rng.normal(size=3))
    native = bc.sched.native(
        lambda x, m: {"gram": np.transpose(x - m) @ (x - m), "sums": (x * m).sum(axis=0), "all": x.sum()}
    )
    recording = native.recorded(x[:8], m)
    found = recording.rows([x], [m], 8, 1, 4)
    for k in range(4):
        for name, value in native(x[8 + 8 * k : 16 + 8 * k], m).items():
            np.testing.assert_array_equal(np.asarray(found[name][k]), np.asarray(value))
    for wrong in ((8, 3, 4), (8, -1, 2), (0, 0, 1), (8, 0, 0)):
        with pytest.raises(ValueError, match="block_program"):
            recording.rows([x], [m], *wrong)


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_noted_is_refused(name):
    with pytest.raises(TypeError, match="is no native expression"):
        bc.sched.native(REFUSED[name])(bc.arange(4.0))


def test_results_do_not_share_what_was_recorded():
    f = bc.sched.native(lambda x: np.full_like(x, 3) + 0)
    a = f(bc.ones(4))
    b = f(bc.ones(4))
    a[0] = 9
    assert b[0] == 3 and f(bc.ones(4))[0] == 3


def test_floating_point_errors_are_reported_each_time():
    f = bc.sched.native(lambda x: (1 / x).sum())
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            assert f(bc.zeros(10_000)) == np.inf
        with warnings.catch_warnings(), np.errstate(divide="ignore"):
            warnings.simplefilter("error")
            f(bc.zeros(10_000))
        with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
            f(bc.zeros(10_000))


def test_native_tasks_in_a_graph():
    step = bc.sched.native(lambda x: (x * 2 + 1).sum())
    g = bc.sched.Graph()
    parts = [g.add(step, g.add(bc.full, 50_000, float(i))) for i in range(20)]
    assert float(g.run(g.add(sum, parts), threads=3)) == sum(50_000 * (2 * i + 1) for i in range(20))
