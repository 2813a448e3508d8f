"""Missing values: `sklearn.impute`, with statistics of columns from one pass over the rows."""

from .._names import handing_on

__getattr__, __dir__, __all__ = handing_on(__name__, {"SimpleImputer": "_simple"})
