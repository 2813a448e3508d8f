import bascule as bc
import pytest


@pytest.fixture(autouse=True)
def _without_numpy():
    """Nothing here may run in NumPy."""
    with bc.config.set(fallback="error"):
        yield
