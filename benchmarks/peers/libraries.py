"""The libraries: creating arrays, waiting for a result, converting it back, and their own forms of rows.

A library is imported when its worker loads it, not by the driver.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from rows import Row

Form = Callable[..., Any]


class Namespace:
    """A module with added functions that are in other modules of it."""

    def __init__(self, module: Any, **added: Any):
        self._module = module
        self.__dict__.update(added)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


def each(result: Any) -> list:
    return list(result) if isinstance(result, tuple | list) else [result]


@dataclass
class Library:
    """The functions of a library that a worker uses."""

    version: str
    namespace: Any  # the rows' own programs run with it
    generic: Callable[[Row], bool]  # whether a row without a form of its own runs the row's program
    forms: dict[str, Form | None]  # rows that users of this library write differently; None if they cannot
    take: Callable[[np.ndarray], Any] = lambda x: x
    wait: Callable[[Any], Any] = lambda result: None
    give: Callable[[Any], np.ndarray] = np.asarray
    prepare: Callable[[Row, Form], Form] = lambda row, form: form  # preparation of a program, such as jax.jit
    write: Callable[[Any, tuple, Any], Any] = field(default=lambda x, at, value: _assign(x, at, value))
    warms: bool = False  # the first call compiles or loads something and is not timed

    def form(self, row: Row) -> Form | None:
        if row.name in self.forms:
            return self.forms[row.name]
        if not self.generic(row):
            return None
        # Another Python function around each call would take longer than some of the rows.
        return self.prepare(row, partial(row.call, self.namespace))


def _assign(x: Any, at: tuple, value: Any) -> Any:
    x[at] = value
    return x


def every(_: Row) -> bool:
    return True


def none(_: Row) -> bool:
    return False


# ---- loaders


def numpy() -> Library:
    """NumPy has no erf; SciPy's is used."""
    from scipy.special import erf

    return Library(np.__version__, Namespace(np, erf=erf), every, {})


def scipy() -> Library:
    import forms_numpy
    import scipy

    return Library(scipy.__version__, np, none, forms_numpy.SCIPY)


def numexpr() -> Library:
    import forms_numpy
    import numexpr

    return Library(numexpr.__version__, np, none, forms_numpy.numexpr_forms())


def numba() -> Library:
    import forms_numba
    import numba

    return Library(numba.__version__, np, none, forms_numba.FORMS, warms=True)


def mkl() -> Library:
    """NumPy with MKL's packages patched in, and MKL's own products, factors and erf."""
    import forms_mkl

    return Library(forms_mkl.VERSION, forms_mkl.NAMESPACE, lambda row: row.name in forms_mkl.GENERIC, forms_mkl.FORMS)


def jax() -> Library:
    import jax

    jax.config.update("jax_enable_x64", True)
    import forms_jax

    return Library(
        jax.__version__,
        forms_jax.NAMESPACE,
        every,
        forms_jax.FORMS,
        take=lambda x: jax.block_until_ready(jax.numpy.array(x)),
        wait=jax.block_until_ready,
        prepare=lambda row, form: jax.jit(form) if row.traced else form,
        write=forms_jax.write,
        warms=True,
    )


def torch() -> Library:
    import forms_torch
    import torch

    torch.set_grad_enabled(False)
    return Library(torch.__version__, torch, every, forms_torch.FORMS, take=lambda x: torch.from_numpy(x.copy()))


def bascule() -> Library:
    """Results are awaited with bascule.evaluate, as documented. SciPy's FFTs and OpenBLAS are loaded at their first
    use."""
    import bascule as bc

    @bc.stencil
    def nine(a):
        upper = a[-1, -1] + a[-1, 0] + a[-1, 1]
        middle = a[0, -1] + a[0, 0] + a[0, 1]
        lower = a[1, -1] + a[1, 0] + a[1, 1]
        return (upper + middle + lower) / 9

    def write(x: Any, at: tuple, value: Any) -> Any:
        x[at] = value
        return bc.evaluate(x)

    return Library(
        bc.__version__,
        bc,
        every,
        {"stencil_kernel": nine},
        take=bc.array,
        wait=lambda result: bc.evaluate(*each(result)),
        write=write,
        warms=True,
    )


@dataclass(frozen=True)
class Entry:
    """A library of the harness: the packages that provide it, and the environment of its worker."""

    load: Callable[[], Library]
    packages: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


LIBRARIES = {
    "numpy": Entry(numpy, ("numpy",)),
    "scipy": Entry(scipy, ("scipy",)),
    "numexpr": Entry(numexpr, ("numexpr",)),
    "numba": Entry(numba, ("numba",)),
    "jax": Entry(jax, ("jax",), {"JAX_PLATFORMS": "cpu"}),
    "torch": Entry(torch, ("torch",)),
    "mkl": Entry(mkl, ("mkl_umath", "mkl_fft", "mkl_random", "mkl")),
    "bascule": Entry(bascule, ()),
}
PEERS = tuple(name for name in LIBRARIES if name != "bascule")


def load(name: str) -> Library:
    return LIBRARIES[name].load()
