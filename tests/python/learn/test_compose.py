"""ColumnTransformer, Pipeline and FeatureUnion over our frames: equal to scikit-learn's over pandas', which is not used."""

from functools import partialmethod

import bascule as bc
import bascule.pandas as bpd
import numpy as np
import pandas as pd
import pytest
from bascule.learn.compose import ColumnTransformer, make_column_selector
from bascule.learn.impute import SimpleImputer
from bascule.learn.linear_model import Ridge
from bascule.learn.model_selection import GridSearchCV
from bascule.learn.pipeline import make_pipeline, make_union
from bascule.learn.preprocessing import (
    KBinsDiscretizer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
)
from scipy import sparse

pytestmark = pytest.mark.usefixtures("native")

RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "a": np.where(RNG.random(500) < 0.1, np.nan, RNG.normal(size=500)),
        "b": RNG.normal(size=500),
        "i": RNG.integers(0, 9, 500),
        "s": np.where(RNG.random(500) < 0.1, np.nan, RNG.choice(["x", "y", "z"], 500).astype(object)),
        "t": RNG.choice(["p", "q"], 500),
    }
)
TARGET = RNG.normal(size=500)


@pytest.fixture
def no_pandas(monkeypatch):
    """Our frames are not copied to pandas'."""

    def of_no_rows(self, to_pandas):
        assert not len(self), "a frame was copied to pandas"
        return to_pandas(self)

    for cls in (bpd.DataFrame, bpd.Series):
        monkeypatch.setattr(cls, "to_pandas", partialmethod(of_no_rows, cls.to_pandas))


def labels():
    return make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(sparse_output=False))


MADE = {
    "numbers and labels": lambda: ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b"]),
            ("labels", OneHotEncoder(sparse_output=False), ["s", "t"]),
        ]
    ),
    "missing labels": lambda: ColumnTransformer([("labels", labels(), ["s", "t"])]),
    "the rest": lambda: ColumnTransformer([("labels", OrdinalEncoder(), ["t"])], remainder="passthrough"),
    "selectors": lambda: ColumnTransformer(
        [
            ("numbers", RobustScaler(), make_column_selector(dtype_include=np.number)),
            ("labels", OrdinalEncoder(), make_column_selector(pattern="s|t")),
        ]
    ),
    "slices": lambda: ColumnTransformer(
        [("numbers", MinMaxScaler(), slice("a", "i")), ("one", OrdinalEncoder(), [-1])]
    ),
    "union": lambda: make_pipeline(
        ColumnTransformer([("numbers", SimpleImputer(strategy="median"), ["a", "b"])]),
        make_union(PolynomialFeatures(), KBinsDiscretizer(encode="ordinal", quantile_method="linear")),
    ),
}


def columns_of(name, frame):
    return frame[["a", "b", "i", "t"]] if name in ("the rest", "slices") else frame


@pytest.mark.parametrize("name", MADE)
def test_results(name, no_pandas):
    wanted = MADE[name]().fit_transform(columns_of(name, FRAME), TARGET)
    made = MADE[name]().fit(columns_of(name, bpd.from_pandas(FRAME)), TARGET)
    got = made.transform(columns_of(name, bpd.from_pandas(FRAME)))
    assert type(got) is (
        np.ndarray if name == "missing labels" else bc.ndarray
    )  # strings are objects between two steps
    np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("name", MADE)
def test_frames_as_results(name):
    wanted = MADE[name]().set_output(transform="pandas").fit_transform(columns_of(name, FRAME), TARGET)
    made = MADE[name]().set_output(transform="bascule")
    got = made.fit_transform(columns_of(name, bpd.from_pandas(FRAME)), TARGET)
    assert type(got) is bpd.DataFrame
    pd.testing.assert_frame_equal(got.to_pandas(), wanted, rtol=1e-12, atol=1e-14, check_dtype=False)


def test_sparse_parts():
    def make():
        return ColumnTransformer(
            [("n", SimpleImputer(), ["a"]), ("l", OneHotEncoder(), ["s", "t"])], sparse_threshold=1.0
        )

    got, wanted = make().fit_transform(bpd.from_pandas(FRAME)), make().fit_transform(FRAME)
    assert sparse.issparse(got) and abs(got - wanted).max() < 1e-12


def test_a_search_over_a_pipeline_of_a_frame(no_pandas):
    def search():
        pipeline = make_pipeline(MADE["numbers and labels"](), Ridge())
        grid = {"ridge__alpha": [0.1, 1.0], "columntransformer__numbers__simpleimputer__strategy": ["mean", "median"]}
        return GridSearchCV(pipeline, grid, cv=3)

    got, wanted = search().fit(bpd.from_pandas(FRAME), TARGET), search().fit(FRAME, TARGET)
    for key in ("mean_test_score", "std_test_score"):
        np.testing.assert_allclose(got.cv_results_[key], wanted.cv_results_[key], rtol=1e-10)
    assert type(got.predict(bpd.from_pandas(FRAME))) is bc.ndarray
