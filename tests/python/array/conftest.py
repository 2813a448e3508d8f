import bascule as bc
import pytest


@pytest.fixture(autouse=True)
def _without_numpy():
    """No call in these tests may run in NumPy."""
    with bc.config.set(fallback="error"):
        yield
