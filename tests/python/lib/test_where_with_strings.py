"""where and select with strings, which arrays do not hold: the results are NumPy's arrays, and counted."""

import bascule as bc
import numpy as np
import pytest

pytestmark = pytest.mark.usefixtures("native")

X = np.arange(4)
CALLS = {
    "two texts": lambda np, x: np.where(x > 1, "up", "down"),
    "one inside another": lambda np, x: np.where(x > 1, "up", np.where(x > 0, "same", "down")),
    "lists": lambda np, x: np.where(x > 1, list("abcd"), "z"),
    "select": lambda np, x: np.select([x > 2, x > 1], ["b", "c"], "other"),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_text_is_chosen_by_numpy(call):
    wanted = call(np, X)
    bc.fallbacks(reset=True)
    with bc.config.set(fallback="silent"):
        found = call(bc, bc.asarray(X))
    assert type(found) is np.ndarray and found.dtype == wanted.dtype and found.tolist() == wanted.tolist()
    assert {f["reason"] for f in bc.fallbacks(reset=True)} == {"arrays hold no text"}


def test_numbers_and_text_have_no_common_type():
    for module in (np, bc):
        with pytest.raises(TypeError, match="common dtype"), bc.config.set(fallback="silent"):
            module.select([[True]], [["a"]], 2)


def test_it_can_be_forbidden():
    with bc.config.set(fallback="error"), pytest.raises(NotImplementedError, match="where"):
        bc.where(bc.asarray(X) > 1, "up", "down")
