"""The rows as users of JAX write them: no writes in place, random keys, traced loops."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import jax.scipy.special
from libraries import Namespace
from rows import PERCENTS, mean_of_nine

NAMESPACE = Namespace(jnp, erf=jax.scipy.special.erf)
KEY = jax.random.key(1)


@jax.jit
def decompress(x: Any) -> Any:
    parts = [x & 3, (x & 12) >> 2, (x & 48) >> 4, x >> 6]
    return jnp.stack(parts, -1).reshape(x.shape[0], -1)


@jax.jit
def framed_mean_of_nine(x: Any) -> Any:
    return jnp.pad(mean_of_nine(jnp, x), 1)


def escape_times(re: Any, im: Any, c_re: Any, c_im: Any) -> Any:
    def step(_: int, state: tuple) -> tuple:
        re, im, times = state
        rr, ii = re * re, im * im
        inside = rr + ii <= 4
        return jnp.where(inside, rr - ii + c_re, re), jnp.where(inside, 2 * re * im + c_im, im), times + inside

    return jax.lax.fori_loop(0, 50, step, (re, im, jnp.zeros(re.shape, jnp.int64)))[2]


@partial(jax.jit, donate_argnums=0, static_argnums=1)
def _written(x: Any, at: tuple, value: Any) -> Any:
    return x.at[at].set(value)


def write(x: Any, at: tuple, value: Any) -> Any:
    return jax.block_until_ready(_written(x, at, value))


@partial(jax.jit, static_argnums=0)
def normal(n: int) -> Any:
    return jax.random.normal(KEY, (n,), jnp.float64)


@partial(jax.jit, static_argnums=0)
def uniform(n: int) -> Any:
    return jax.random.uniform(KEY, (n,), jnp.float64)


@partial(jax.jit, static_argnums=0)
def integers(n: int) -> Any:
    return jax.random.randint(KEY, (n,), 0, 3, jnp.uint8)


FORMS = {
    "rng_normal": lambda n: normal(int(n)),
    "rng_uniform": lambda n: uniform(int(n)),
    "rng_integers_u8": lambda n: integers(int(n)),
    "decompress_2bit": decompress,
    "stencil_kernel": framed_mean_of_nine,
    "put": jax.jit(lambda x, places, values: x.at[places].set(values)),
    "percentile": jax.jit(lambda x: jnp.percentile(x, jnp.array(PERCENTS))),
    "mask_sum": jax.jit(lambda x: jnp.where(x > 0, x, 0).sum()),
    "mandelbrot": jax.jit(lambda x, y: escape_times(x * 0, y * 0, x, y)),
    "julia": jax.jit(lambda x, y: escape_times(x, y, -0.8, 0.156)),
}
