"""What frames and series can do besides: put together of the rooms that hold it."""

from __future__ import annotations

from .choosing import Choosing, SeriesChoosing
from .iteration import FrameIteration, SeriesIteration
from .relabel import FrameRelabelled, SeriesRelabelled


class FrameVerbs(FrameRelabelled, FrameIteration, Choosing):
    """Of frames."""


class SeriesVerbs(SeriesRelabelled, SeriesIteration, SeriesChoosing):
    """Of series."""
