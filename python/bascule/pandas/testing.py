"""pandas' assertions, for our objects, pandas' and any two of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pandas.testing as _theirs

from . import _fallback


def _of_both(function: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(function)
    def check(left: Any, right: Any, *args: Any, **kwargs: Any) -> None:
        with _fallback.presented():  # what is asked for is pandas' word
            function(_fallback.to_pandas(left), _fallback.to_pandas(right), *args, **kwargs)

    return check


assert_frame_equal = _of_both(_theirs.assert_frame_equal)
assert_series_equal = _of_both(_theirs.assert_series_equal)
assert_index_equal = _of_both(_theirs.assert_index_equal)
assert_extension_array_equal = _theirs.assert_extension_array_equal

__all__ = ["assert_extension_array_equal", "assert_frame_equal", "assert_index_equal", "assert_series_equal"]
