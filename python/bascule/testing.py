"""numpy.testing itself: its assertions take the arrays of any library."""

import sys

import numpy.testing

sys.modules[__name__] = numpy.testing
