"""The names of `bascule.learn` are scikit-learn's, and the coverage lists those that are computed here."""

import importlib
from inspect import signature

import bascule.learn
import pytest
import sklearn
from bascule.learn._names import their_name


def defaults(function):
    return {name: p.default for name, p in signature(function).parameters.items()}


@pytest.mark.parametrize(
    "name",
    [
        "cluster",
        "ensemble",
        "pipeline",
        "linear_model",
        "metrics",
        "model_selection",
        "preprocessing",
        "feature_extraction.text",
    ],
)
def test_packages_have_the_names_of_scikit_learn(name):
    ours, theirs = (importlib.import_module(f"{top}.{name}") for top in ("bascule.learn", "sklearn"))
    assert their_name(ours.__name__) == theirs.__name__
    assert set(theirs.__all__) <= set(dir(ours))
    for x in theirs.__all__:
        found = getattr(ours, x)
        own = getattr(theirs, x)
        if found is not own:
            assert found.__module__.startswith("bascule.learn."), x
            assert issubclass(found, own) if isinstance(own, type) else defaults(found) == defaults(own)


def test_names_at_the_top():
    assert bascule.learn.clone is sklearn.clone
    assert bascule.learn.pipeline.Pipeline is sklearn.pipeline.Pipeline
    with pytest.raises(AttributeError):
        bascule.learn.nothing
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("bascule.learn.nothing")
    with pytest.raises(ImportError):
        from bascule.learn.linear_model import Nothing  # noqa: F401


def test_coverage():
    table = bascule.learn.coverage()
    assert table["linear_model.Ridge"].parameters["alpha"] == "native"
    assert "True" in table["linear_model.Ridge"].parameters["positive"]
    for name in table:
        module, _, of = name.rpartition(".")
        cls = getattr(importlib.import_module(f"bascule.learn.{module}"), of)
        assert cls.__module__.startswith("bascule.learn")
        assert issubclass(cls, getattr(importlib.import_module(f"sklearn.{module}"), of))
        assert table[name].parameters.keys() == set(cls._get_param_names())
    assert repr(table).count("\n") == len(table) - 1
