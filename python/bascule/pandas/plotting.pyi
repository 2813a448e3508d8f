# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
from typing import Any

def __getattr__(name: str) -> Any: ...
