"""Columns and their operations; nothing here depends on labels, series or frames."""

from .kinds import masked as masked
from .kinds import numpys as numpys
from .kinds import of_arrow as of_arrow
from .kinds import pandas_types as pandas_types
from .kinds import periods as periods
