"""var and std of float16, which NumPy rounds at every step: overflow on the way, to the bit, and reported errors."""

import bascule as bc
import numpy as np
import pytest
from reported_outcomes import outcome, same

NUMBERS = {
    "spread": np.array([300, -300, 1], "f2"),
    "large": np.array([6e4, -6e4, 0], "f2"),
    "a sum too large": np.full(20, 6e4, "f2"),
    "squares too many": np.tile(np.array([12, -12], "f2"), 600),
    "infinite": np.array([np.inf, 1, 2], "f2"),
    "unknown": np.array([np.nan, 1, 2], "f2"),
    "small": np.array([1e-4, 2e-4, -1e-4, 3e-5], "f2"),
    "usual": np.random.default_rng(0).normal(1, 2, 700).astype("f2"),
    "many": np.random.default_rng(1).normal(0, 1, 20_000).astype("f2"),
    "one": np.array([3.5], "f2"),
}
OPTIONS = [{}, {"axis": -1}, {"ddof": 1}, {"ddof": 0.5}, {"keepdims": True}]


def alike(program):
    """Compare, except for rounding where NumPy's sums over other axes than the last round float16 at every step."""
    (got, reported), (want, theirs) = outcome(program, bc), outcome(program, np)
    assert reported == theirs
    for (t, shape, a), (u, other, b) in zip(got, want, strict=True):
        assert (t, shape) == (u, other)
        np.testing.assert_allclose(np.frombuffer(a, t), np.frombuffer(b, u), rtol=2e-2)


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("numbers", NUMBERS)
def test_steps_are_numpys(numbers, options, name):
    x = NUMBERS[numbers]
    if x.size == 1 and "ddof" in options:
        return  # no element is left; other tests check the warnings
    same(lambda xp: getattr(xp, name)(xp.asarray(x), **options))
    same(lambda xp: getattr(xp.asarray(x)[::-1], name)(**options))
    same(lambda xp: getattr(xp, name)(xp.asarray(np.tile(x, (3, 1))), **options))


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("numbers", NUMBERS)
def test_over_the_first_axis(numbers, name):
    x = np.tile(NUMBERS[numbers][:900, None], (1, 40))
    alike(lambda xp: getattr(xp, name)(xp.asarray(x), axis=0))
    alike(lambda xp: getattr(xp, name)(xp.asarray(x), axis=0, dtype="f4"))


@pytest.mark.parametrize("name", ["var", "std", "mean"])
def test_of_what_a_mask_selects(name):
    x = NUMBERS["usual"][:60].reshape(6, 10)
    for scale in (1, 200):
        for mask in (np.arange(60).reshape(6, 10) % 3 > 0, np.arange(10) > 4):
            for axis in (1, 0):
                alike(
                    lambda xp, s=scale, m=mask, k=axis: getattr(xp, name)(
                        xp.asarray(x * np.float16(s)), axis=k, where=xp.asarray(m)
                    )
                )


def test_of_what_waits():
    x = NUMBERS["many"]
    same(lambda xp: (xp.asarray(x) * 2).var())
    same(lambda xp: (xp.asarray(x).reshape(100, 200) + 1).std(axis=1))
    same(lambda xp: xp.asarray(x).reshape(100, 200).var(1, out=xp.zeros(100, "f2")))


@pytest.mark.parametrize("name", ["var", "std"])
@pytest.mark.parametrize("n", [5, 129, 5000])
def test_complex_numbers_in_a_real_type(n, name):
    rng = np.random.default_rng(n)
    x, mask = rng.normal(size=(2, n)) + 1j * rng.normal(1, 1, (2, n)), np.arange(n) % 3 > 0
    for dtype in ("f4", "f8"):
        for options in ({}, {"axis": 0}, {"axis": 1, "keepdims": True}, {"axis": 1, "where": mask, "ddof": 1}):
            call = lambda xp, o=options, t=dtype: getattr(xp, name)(
                xp.asarray(x), dtype=t, **{k: xp.asarray(v) if k == "where" else v for k, v in o.items()}
            )
            with pytest.warns(np.exceptions.ComplexWarning):
                got = call(bc)
            with pytest.warns(np.exceptions.ComplexWarning):
                want = call(np)
            assert got.dtype == want.dtype
            np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5 if dtype == "f4" else 1e-13)
