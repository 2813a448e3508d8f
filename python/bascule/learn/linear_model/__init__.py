"""Linear models: `sklearn.linear_model`, with states of one pass over the rows, or of one for each step of Newton's method."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(
    __name__,
    {
        "ElasticNet": "_descent",
        "ElasticNetCV": "_descent_cv",
        "Lasso": "_descent",
        "LassoCV": "_descent_cv",
        "LinearRegression": "_linear",
        "LogisticRegression": "_logistic",
        "LogisticRegressionCV": "_logistic_cv",
        "PoissonRegressor": "_poisson",
        "Ridge": "_ridge",
        "RidgeCV": "_ridge_cv",
        "RidgeClassifier": "_ridge_classifier",
    },
)
