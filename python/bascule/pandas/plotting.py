"""pandas' plotting: nothing in it is about frames, so it is pandas' own module."""

import sys

import pandas.plotting

sys.modules[__name__] = pandas.plotting
