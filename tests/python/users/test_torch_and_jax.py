"""torch and JAX exchange memory with bascule by DLPack, both ways. `make users` installs these large packages."""

import gc

import bascule as bc
import numpy as np
import pytest

pytestmark = [pytest.mark.users, pytest.mark.usefixtures("accelerated")]
DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is not installed: make users", exc_type=ImportError)


@pytest.fixture
def jnp():
    jax = pytest.importorskip("jax", reason="jax is not installed: make users", exc_type=ImportError)
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_platforms", "cpu")
    return jax.numpy


def sample(dtype):
    return (np.arange(12).reshape(3, 4) % 5).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_torch_takes_and_gives_every_type(torch, dtype):
    x = sample(dtype)
    there = torch.from_dlpack(bc.asarray(x))
    assert there.dtype == torch.from_numpy(x).dtype and torch.equal(there, torch.from_numpy(x))
    np.testing.assert_array_equal(np.asarray(bc.from_dlpack(there)), x, strict=True)
    assert torch.equal(torch.as_tensor(bc.asarray(x)), there)


@pytest.mark.parametrize("dtype", DTYPES)
def test_jax_takes_and_gives_every_type(jnp, dtype):
    x = sample(dtype)
    there = jnp.from_dlpack(bc.asarray(x))
    np.testing.assert_array_equal(np.asarray(there), x, strict=True)
    back = bc.from_dlpack(there)
    np.testing.assert_array_equal(np.asarray(back), x, strict=True)
    assert not back.flags.writeable  # JAX's arrays are immutable
    np.testing.assert_array_equal(np.asarray(jnp.asarray(bc.asarray(x))), x, strict=True)


def test_torch_writes_are_seen_and_the_memory_is_free_afterwards(torch):
    a = bc.asarray(sample("f8"))
    before = a * 2
    there = torch.from_dlpack(a)
    there += 1
    np.testing.assert_array_equal(np.asarray(a), sample("f8") + 1)
    np.testing.assert_array_equal(np.asarray(before), sample("f8") * 2)
    a[0] = -1  # computed at once, since torch reads the memory
    assert there[0].tolist() == [-1] * 4 and bc._core.export_count(a) == 1
    del there
    gc.collect()
    assert bc._core.export_count(a) == 0
    mine = torch.arange(5.0)
    shared = bc.from_dlpack(mine)
    mine[0] = 9
    shared[1] = 8
    assert mine.tolist() == shared.tolist() == [9, 8, 2, 3, 4]


def test_layouts_reach_torch(torch):
    a, x = bc.asarray(sample("f8")), torch.from_numpy(sample("f8"))
    for at in ((slice(None), slice(None, None, 2)), (slice(1, None),), (0,)):
        there = torch.from_dlpack(a[at])
        assert torch.equal(there, x[at]) and there.stride() == x[at].stride()
    assert torch.equal(torch.from_dlpack(a.T), x.T)
    assert torch.equal(torch.from_dlpack(bc.ones(100_000) * 2 + 1), torch.full((100_000,), 3.0, dtype=torch.float64))


def test_layouts_reach_jax(jnp):
    a = bc.asarray(sample("f8"))
    for b in (a, a.T, a[1:], bc.ones(100_000) * 2 + 1):
        np.testing.assert_array_equal(np.asarray(jnp.from_dlpack(b)), np.asarray(b))


def test_a_model_learns_from_bascule_data(torch):
    datasets = pytest.importorskip("sklearn.datasets", reason="scikit-learn, of the extra `test`, is not installed")
    x, y = datasets.load_diabetes(return_X_y=True)

    def learn(m, tensor):
        inputs = tensor((m.asarray(x) - m.asarray(x).mean(axis=0)) / m.asarray(x).std(axis=0))
        wanted = tensor(m.asarray(y) - m.asarray(y).mean())
        w = torch.zeros(10, dtype=torch.float64, requires_grad=True)
        for _ in range(20):
            ((inputs @ w - wanted) ** 2).mean().backward()
            with torch.no_grad():
                w -= 0.1 * w.grad
                w.grad = None
        return w.detach()

    ours, theirs = learn(bc, torch.from_dlpack), learn(np, torch.from_numpy)
    np.testing.assert_allclose(bc.from_dlpack(ours).get(), theirs.numpy(), rtol=1e-12)


def test_a_gradient_of_bascule_data(jnp):
    import jax

    loss = jax.jit(jax.grad(lambda w, x: ((x @ w) ** 2).sum()))
    x = sample("f8")
    ours = loss(jnp.ones(4), jnp.from_dlpack(bc.asarray(x)))
    np.testing.assert_allclose(
        np.asarray(bc.from_dlpack(ours)), np.asarray(loss(jnp.ones(4), jnp.asarray(x))), rtol=1e-15
    )


def same(call):
    """Check that a call has the same outcome with bascule's module as with NumPy's: tensors, or an error's class."""

    def reported(m):
        try:
            r = call(m)
        except Exception as e:
            return type(e)
        return [(str(getattr(x, "dtype", None)), np.asarray(x).tolist()) for x in (r if type(r) is list else [r])]

    got, want = reported(bc), reported(np)
    assert got == want


@pytest.mark.parametrize("dtype", [*DTYPES, "M8[D]"])
def test_torch_by_name(torch, dtype):
    same(lambda m: torch.from_numpy(m.asarray(sample("i8").astype(dtype))))
    same(lambda m: torch.asarray(m.asarray(sample("i8").astype(dtype))))
    if dtype in DTYPES:
        same(lambda m: torch.tensor(m.asarray(sample("i8").astype(dtype))))


def test_torch_shares_what_it_is_given_by_name(torch):
    for take in (torch.from_numpy, torch.asarray, torch.as_tensor):
        a = bc.zeros((2, 3)) + 1
        before = a * 2
        take(a[:, ::2])[:] = 7
        assert a.tolist() == [[7, 1, 7]] * 2 and before.tolist() == [[2] * 3] * 2
    same(lambda m: torch.from_numpy(m.arange(3.0)[::-1]))  # torch has no negative strides
    same(lambda m: torch.asarray(m.arange(6).reshape(2, 3)[1, 2]))


def test_torch_compiles_what_takes_arrays_by_name(torch):
    twice = torch.compile(lambda x: torch.from_numpy(x) * 2, backend="eager", fullgraph=True)
    assert twice(np.ones(3)).tolist() == [2.0] * 3


def test_torchs_loaders_collate_arrays(torch):
    from torch.utils import data

    same(lambda m: data.default_collate([m.ones(2), m.zeros(2)]))
    same(lambda m: data.default_collate([(m.ones((2, 2), "f4"), m.arange(3)[1]), (m.zeros((2, 2), "f4"), 1)]))
    same(lambda m: list(data.DataLoader(m.arange(8.0).reshape(4, 2), batch_size=3)))


def test_jax_takes_arrays_as_numpys(jnp):
    import jax
    from jax import lax

    x = sample("f8")
    for call in (
        lambda a: jnp.sin(a),
        lambda a: jnp.ones(4) + a,
        lambda a: a - jnp.ones(4),
        lambda a: a @ jnp.ones(4),
        lambda a: jax.jit(lambda v: v * 2)(a),
        lambda a: jax.jit(lambda v: v["a"][0] * 2)({"a": [a[:, ::2]]}),
        lambda a: jax.grad(lambda v: (v**2).sum())(a),
        lambda a: jax.vmap(lambda v: v.sum())(a.T),
        lambda a: jax.device_put(a),
        lambda a: lax.add(a, a),
        lambda a: lax.scan(lambda c, v: (c + v, c), jnp.zeros(4), a)[0],
        lambda a: jax.jit(lambda v: v * a)(2.0),
        lambda a: jnp.where(a > 2, a, 0),
        lambda a: jnp.stack([a, a + 1]),
        lambda a: jnp.linalg.norm(a),
        lambda a: jnp.asarray(a.sum()) + a.max() * jnp.ones(2),
    ):
        same(lambda m: call(m.asarray(x)))
    same(lambda m: jax.jit(lambda v: v + 1)(m.asarray(sample("i2"))))
    same(lambda m: jax.jit(lambda v: v + 1)(m.zeros(2, "M8[D]")))
    with jax.enable_x64(False):
        same(lambda m: jax.jit(lambda v: v + 1)(m.asarray(x)))


def test_jax_keeps_what_it_was_given(jnp):
    for take in (jnp.array, lambda a: jnp.sin(a) * 0 + jnp.array(a)):
        a = bc.ones(100_000) + 1
        there = take(a)
        a[0] = 9
        assert there[0] == 2
