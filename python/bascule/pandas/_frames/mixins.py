"""The remaining methods of frames and series, collected from the modules that define them."""

from __future__ import annotations

from .apply import FrameApplying, SeriesApplying
from .combine import Converting, FrameCombining, SeriesCombining
from .compare import Comparing
from .iteration import FrameIteration, SeriesIteration
from .levels import FrameRelabelled, SeriesRelabelled
from .sampling import FrameChoosing, SeriesChoosing


class FrameVerbs(FrameRelabelled, FrameIteration, FrameApplying, FrameCombining, Converting, Comparing, FrameChoosing):
    """Of frames."""


class SeriesVerbs(
    SeriesRelabelled, SeriesIteration, SeriesApplying, SeriesCombining, Converting, Comparing, SeriesChoosing
):
    """Of series."""
