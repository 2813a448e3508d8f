"""`from_dummies` against pandas."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import assert_same

FRAMES = {
    "one variable": pandas.DataFrame({"a": [1, 0, 0], "b": [0, 1, 0], "c": [0, 0, 1]}),
    "bools": pandas.DataFrame({"a": [True, False], "b": [False, True]}, index=["p", "q"]),
    "two variables": pandas.DataFrame({"x_a": [1, 0], "x_b": [0, 1], "y_a_b": [0.0, 1.0], "y_c": [1.0, 0.0]}),
    "unassigned": pandas.DataFrame({"x_a": [1, 0], "x_b": [0, 0], "y_a": [1, 0]}),
    "twice": pandas.DataFrame({"x_a": [1, 0], "x_b": [1, 1]}),
    "missing": pandas.DataFrame({"x_a": [1, None], "x_b": [0, 1]}),
    "other numbers": pandas.DataFrame({"x_a": [2, 0], "x_b": [0, 1]}),
    "texts": pandas.DataFrame({"x_a": ["a", "b"]}),
    "numbered": pandas.DataFrame({0: [1, 0], 1: [0, 1]}),
    "no rows": pandas.DataFrame({"x_a": [], "x_b": []}),
    "no columns": pandas.DataFrame(index=[1, 2]),
    "repeated": pandas.DataFrame([[1, 0], [0, 1]], columns=["x_a", "x_a"]),
    "masked": pandas.DataFrame({"x_a": pandas.array([True, False]), "x_b": pandas.array([False, True])}),
    "of get_dummies": pandas.get_dummies(pandas.DataFrame({"k": ["u", "v", "w", "u"], "m": list("pqpq")})),
}
OPTIONS = [{}, {"sep": "_"}, {"default_category": "z"}, {"sep": "_", "default_category": "z"}, {"sep": "_", "default_category": {"x": "u", "y": "v"}}, {"sep": 3},
           {"sep": "_", "default_category": {"x": "u"}}, {"default_category": 5}, {"sep": "-"}]  # fmt: skip


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_frames(name, options):
    with bc.config.set(fallback="silent"):
        try:
            expected = pandas.from_dummies(FRAMES[name], **options)
        except Exception as e:
            with pytest.raises(type(e)) as raised:
                pd.from_dummies(pd.from_pandas(FRAMES[name]), **options)
            assert str(raised.value) == str(e)
            return
        assert_same(pd.from_dummies(pd.from_pandas(FRAMES[name]), **options), expected)


def test_dummies_of_strings_are_decoded_natively():
    with bc.config.set(fallback="error"):
        for name in ("two variables", "of get_dummies"):
            assert_same(
                pd.from_dummies(pd.from_pandas(FRAMES[name]), sep="_"), pandas.from_dummies(FRAMES[name], sep="_")
            )
    assert np.array_equal(pd.from_dummies(pd.get_dummies(pd.Series(["a", "b"]))).iloc[:, 0].tolist(), ["a", "b"])
