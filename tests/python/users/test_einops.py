"""einops with bascule arrays: its functions, and those of einops.array_api."""

import subprocess
import sys

import bascule as bc
import numpy as np
import pytest
from users import same

einops = pytest.importorskip("einops", reason="einops, of the extra `test`, is not installed")
datasets = pytest.importorskip("sklearn.datasets", reason="scikit-learn, of the extra `test`, is not installed")
from einops import array_api

DIGITS = datasets.load_digits().images[:20]
CALLS = {
    "rearrange": lambda a: einops.rearrange(a, "n y x -> n (y x)"),
    "split": lambda a: einops.rearrange(a, "n (y a) (x b) -> n a b y x", a=2, b=4),
    "new axes": lambda a: einops.rearrange(a, "n y x -> 1 n 1 y x"),
    "list": lambda a: einops.rearrange([a[0], a[1], a[2]], "b y x -> y (b x)"),
    "mean": lambda a: einops.reduce(a, "n y x -> n", "mean"),
    "sum": lambda a: einops.reduce(a, "n y x -> y x", "sum"),
    "max": lambda a: einops.reduce(a, "n (y a) (x b) -> n y x", "max", a=2, b=2),
    "min": lambda a: einops.reduce(a, "n y x -> y x", "min"),
    "prod": lambda a: einops.reduce(a[:2], "n y x -> y x", "prod"),
    "any": lambda a: einops.reduce(a > 5, "n y x -> y x", "any"),
    "all": lambda a: einops.reduce(a >= 0, "n y x -> y x", "all"),
    "repeat": lambda a: einops.repeat(a, "n y x -> n y (r x)", r=3),
    "einsum": lambda a: einops.einsum(a, a, "n y x, m y x -> n m"),
    "pack": lambda a: einops.pack([a, a[:, :, 0]], "n *")[0],
    "unpack": lambda a: einops.unpack(einops.rearrange(a, "n y x -> n (y x)"), [[8, 4], [8, 4]], "n *"),
    "array_api.rearrange": lambda a: array_api.rearrange(a, "n y x -> x n y"),
    "array_api.reduce": lambda a: array_api.reduce(a, "n y x -> x", "mean"),
    "array_api.repeat": lambda a: array_api.repeat(a, "n y x -> n y x r", r=2),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    with bc.config.set(fallback="error"):
        same(CALLS[name], DIGITS, rtol=1e-13)


def test_to_numpy_and_errors():
    assert type(einops.asnumpy(bc.asarray(DIGITS))) is np.ndarray
    with pytest.raises(einops.EinopsError, match="Shape mismatch"):
        einops.rearrange(bc.asarray(DIGITS), "n (y k) x -> n y x k", k=3)


@pytest.mark.parametrize("order", ["bascule, einops", "einops, bascule", "einops, numpy, bascule, einops.layers"])
def test_the_order_of_imports_does_not_matter(order):
    code = "print(type(einops.rearrange(bascule.ones((2, 3)), 'a b -> b a')).__module__)"
    out = subprocess.run([sys.executable, "-c", f"import {order}\n{code}"], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["bascule"]
