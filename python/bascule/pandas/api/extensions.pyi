# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
# isort: off
from pandas.api.extensions import (  # type: ignore[import-untyped, attr-defined, unused-ignore]
    ExtensionArray as ExtensionArray, ExtensionDtype as ExtensionDtype,
    ExtensionScalarOpsMixin as ExtensionScalarOpsMixin, no_default as no_default,
    register_extension_dtype as register_extension_dtype, take as take,
)  # fmt: skip

# isort: on
from collections.abc import Callable
from typing import Any

def register_dataframe_accessor(name: str) -> Callable[[Any], Any]: ...
def register_series_accessor(name: str) -> Callable[[Any], Any]: ...
def register_index_accessor(name: str) -> Callable[[Any], Any]: ...
