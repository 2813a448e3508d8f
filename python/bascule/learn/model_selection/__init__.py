"""Model selection: `sklearn.model_selection`, with searches that share the work of their folds and candidates."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(
    __name__,
    {
        "GridSearchCV": "_search",
        "RandomizedSearchCV": "_search",
        "HalvingGridSearchCV": "_halving",
        "HalvingRandomSearchCV": "_halving",
        "cross_validate": "_validation",
        "cross_val_score": "_validation",
        "cross_val_predict": "_validation",
    },
)
