"""Preprocessing: `sklearn.preprocessing`, with scalers from one pass over the rows."""

from .._names import handing_on

_OURS = {
    "KBinsDiscretizer": "_bins",
    "LabelEncoder": "_label",
    "MaxAbsScaler": "_max_abs",
    "MinMaxScaler": "_min_max",
    "Normalizer": "_normalizer",
    "OneHotEncoder": "_one_hot",
    "OrdinalEncoder": "_ordinal",
    "PolynomialFeatures": "_polynomial",
    "RobustScaler": "_robust",
    "StandardScaler": "_standard",
    "TargetEncoder": "_target",
}

__getattr__, __dir__, __all__ = handing_on(__name__, _OURS)
