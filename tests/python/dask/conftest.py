"""Settings of the tests with Dask."""

import pytest


@pytest.fixture(autouse=True)
def _quiet():
    """Programs may use functions that exist only in NumPy; which these are is the affair of other tests."""
    import bascule as bc

    with bc.config.set(fallback="silent"):
        yield
