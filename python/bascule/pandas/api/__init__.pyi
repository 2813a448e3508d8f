# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from . import extensions as extensions
from . import types as types
from . import typing as typing
