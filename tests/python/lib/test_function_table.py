"""The function table: its signatures are those of the Python functions, and it parses arguments as Python does."""

import inspect
import re
import types

import bascule as bc
import numpy as np
import pytest
from bascule import _core, linalg

pytestmark = pytest.mark.usefixtures("native")

TABLE = _core.function_table()
IN_OTHER_MODULES = {"norm": linalg, "fftfreq": bc.fft}


def python_function(name):
    return getattr(IN_OTHER_MODULES.get(name, bc), name)


def listed(signature):
    """(name, kind, default) of each parameter."""
    return [(p.name, p.kind, repr(p.default)) for p in signature.parameters.values()]


@pytest.mark.parametrize("name", sorted(TABLE))
def test_signatures_are_those_of_the_functions(name):
    function = python_function(name)
    scope = {"np": np}
    exec(f"def found({TABLE[name]}): ...", scope)
    assert type(_core.function(function.__wrapped__)).__name__ == "function"
    rows, public = listed(inspect.signature(scope["found"])), listed(inspect.signature(function))
    if name == "where":  # its row has None as the default, which the Python function resolves
        rows, public = ([p[:-1] for p in x] for x in (rows, public))
    assert rows == public


def test_arguments_by_position_and_name():
    a, at = bc.array([1.0, 2.0, 3.0]), bc.array([0, 2])
    for r in (bc.take(a, at), bc.take(a, indices=at), bc.take(indices=at, a=a), bc.take(a, at, mode="raise", axis=0)):
        assert r.tolist() == [1.0, 3.0]
    built = "".join(["ind", "ices"])  # a string that the interpreter does not share
    assert bc.take(a, **{built: at}).tolist() == [1.0, 3.0]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda a: bc.take(a), "missing 1 required positional argument: 'indices'"),
        (lambda a: bc.take(a, a, a=a), "multiple values for argument 'a'"),
        (lambda a: bc.take(a, [0], where=a), "unexpected keyword argument 'where'"),
        (lambda a: bc.searchsorted(a, 0, "left", None, 1), "takes from 2 to 4 positional arguments but 5 were given"),
        (lambda a: bc.bincount(x=a), "positional-only argument"),
    ],
)
def test_what_does_not_fit_is_pythons_error(call, said):
    with pytest.raises(TypeError, match=re.escape(said)):
        call(bc.arange(3))


def test_functions_of_the_core_say_what_they_take():
    with pytest.raises(TypeError, match=re.escape("the arguments of argsort are (a, axis)")):
        _core.argsort(bc.arange(3))
    assert str(inspect.signature(_core.sort)) == "(a, axis)"
    with pytest.raises(TypeError, match=r"expected a bascule\.ndarray, got list"):
        _core.argsort([1], 0)


def test_functions_of_the_core_have_a_sentence_in_their_rows():
    rows = [f for f in vars(_core).values() if isinstance(f, types.BuiltinFunctionType) and f.__text_signature__]
    assert len(rows) > 30 and [f.__name__ for f in rows if not re.fullmatch(r"[A-Z].*\.", f.__doc__)] == []


def test_a_function_without_a_row_is_refused():
    with pytest.raises(ValueError, match="'pad' has no row in the function table"):
        _core.function(bc.pad)
