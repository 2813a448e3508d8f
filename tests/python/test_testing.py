"""numpy.testing under bascule's name: assertions pass and fail as NumPy's do, with the same messages."""

import bascule as bc
import numpy as np
import pytest

COMPARISONS = {
    "assert_equal": {},
    "assert_almost_equal": {"decimal": 3},
    "assert_array_equal": {},
    "assert_array_almost_equal": {"decimal": 3},
    "assert_allclose": {"rtol": 1e-3},
    "assert_array_almost_equal_nulp": {},
    "assert_array_max_ulp": {},
}
FORMS = {
    "an array": lambda x: x,
    "a list": lambda x: [x, x],
    "a tuple in a dict": lambda x: {"x": (1, x), "y": 2},
}
CASES = [(name, form) for name in COMPARISONS for form in FORMS if form == "an array" or name == "assert_equal"]


def verdict(module, name, *args, **kwargs):
    try:
        getattr(module.testing, name)(*args, **kwargs)
    except AssertionError as e:
        return str(e)
    return "passes"


@pytest.mark.parametrize("off", [0.0, 0.25])
@pytest.mark.parametrize("name, form", CASES)
def test_comparisons_of_arrays(name, off, form):
    held = FORMS[form]
    x = np.linspace(0, 1, 5)
    want = verdict(np, name, held(x), held(x + off), **COMPARISONS[name])
    assert (want == "passes") == (off == 0)
    a, b = bc.asarray(x), bc.asarray(x + off)
    for ours in (verdict(bc, name, held(p), held(q), **COMPARISONS[name]) for p in (a, x) for q in (b, x + off)):
        assert ours == want


def test_keywords_and_other_comparisons():
    bc.testing.assert_equal(desired=bc.arange(3), actual=[0, 1, 2])
    bc.testing.assert_array_less(bc.arange(3), bc.arange(3) + 1)
    bc.testing.assert_array_compare(bc.less, bc.arange(3), bc.arange(3) + 1)
    with pytest.raises(AssertionError):
        bc.testing.assert_array_less(bc.arange(3), bc.arange(3))
    with pytest.raises(AssertionError, match="shapes"):
        bc.testing.assert_equal(bc.arange(3), bc.arange(4))


def test_names_are_numpys():
    missing = [n for n in np.testing.__all__ if not hasattr(bc.testing, n)]
    assert missing == [] and bc.testing.__all__ == np.testing.__all__
    assert bc.testing.assert_warns is np.testing.assert_warns  # functions that compare no values are NumPy's own
    with pytest.raises(AttributeError):
        bc.testing.no_such_name
