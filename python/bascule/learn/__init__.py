"""scikit-learn's estimators and searches as aggregations over rows.

The sub-packages and names are scikit-learn's. A class that is computed here derives from scikit-learn's class of the same
name, so parameters, checks, errors and tags are scikit-learn's; any other name gives scikit-learn's own object.

>>> from bascule.learn.linear_model import Ridge
>>> from bascule.learn.model_selection import GridSearchCV
>>> from bascule.learn.datasets import load_diabetes
>>> X, y = load_diabetes(return_X_y=True)
>>> search = GridSearchCV(Ridge(), {"alpha": [0.01, 0.1, 1.0]}).fit(X, y)
>>> search.best_params_
{'alpha': 0.01}
"""

from __future__ import annotations

import importlib as _importlib
from typing import Any as _Any

from . import _names

try:
    import sklearn as _sklearn
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError(
        "[learn] needs scikit-learn >= 1.8: pip install bascule[learn]", name="sklearn"
    ) from _error

_names.install()

__all__ = [*_sklearn.__all__, "coverage"]


def coverage() -> _Any:
    """List the estimators that are computed here, with each of their parameters.

    Returns
    -------
    Coverage
        A mapping of names such as ``"linear_model.Ridge"`` to entries with `parameters`; printed, it is a table.
        Names that are not in it are scikit-learn's own.

    Examples
    --------
    >>> import bascule.learn
    >>> bascule.learn.coverage()["linear_model.Ridge"].parameters["positive"]
    "scikit-learn's if True"
    """
    from ._coverage import coverage as table

    return table()


def __getattr__(name: str) -> _Any:
    if name in __all__:
        try:
            return _importlib.import_module("." + name, __name__)
        except ModuleNotFoundError as error:
            if error.name != f"{__name__}.{name}":
                raise
    elif name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_sklearn, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *dir(_sklearn)})
