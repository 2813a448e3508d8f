"""numpy.exceptions itself: programs that import it by this package's name catch the classes that are raised."""

import sys

import numpy.exceptions

sys.modules[__name__] = numpy.exceptions
