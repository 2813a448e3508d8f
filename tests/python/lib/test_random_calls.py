"""Random calls return NumPy's results: every dtype, layout and option with every function (`make fuzz` draws more)."""

import bascule as bc
import pytest
import random_arrays

pytestmark = pytest.mark.usefixtures("native")


@pytest.mark.parametrize("seed", range(4))
def test_calls_are_numpys(seed):
    with bc.config.set(fallback="silent"):
        found = random_arrays.run(bc, seed, 250)
    assert not found, "\n".join(found)


def test_what_differs_is_found():
    class Wrong:
        def __getattr__(self, name):
            return getattr(bc, name) if name != "sum" else lambda *a, **k: bc.sum(*a, **k) + 1

    with bc.config.set(fallback="silent"):
        assert random_arrays.run(Wrong(), 0, 300)
