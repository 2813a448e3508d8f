import bascule as bc
import pytest


@pytest.fixture
def accelerated():
    """Other libraries' functions take bascule's arrays, as in the accelerated mode; undone after the test."""
    bc.accelerate(imports=False)
    yield
    bc.accelerate.undo()
