"""numpy.exceptions itself: programs that import it by this package's name catch the classes that are raised."""

import sys
from typing import TYPE_CHECKING

import numpy.exceptions

if TYPE_CHECKING:
    from numpy.exceptions import *

sys.modules[__name__] = numpy.exceptions
