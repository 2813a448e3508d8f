"""Arrays of tests are small: functions of them are traced all the same."""

import pytest
from bascule.tracing import vectorize


@pytest.fixture(autouse=True)
def traces_few(monkeypatch):
    monkeypatch.setattr(vectorize, "FEW", 0)
