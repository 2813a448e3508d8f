"""Columns of a frame by position: `take` along the second axis."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest

FRAME = pandas.DataFrame({"a": [1, 2], "b": ["x", None], "c": [0.5, np.nan]}, index=["r", "s"])
TWICE = FRAME.set_axis(["a", "a", "b"], axis=1)


@pytest.mark.parametrize("positions", [[0, 2], [2, 0, 0], [-1, 1], [], np.array([1]), (1, 2)], ids=str)
@pytest.mark.parametrize("axis", [1, "columns"])
@pytest.mark.parametrize("frame", [FRAME, TWICE], ids=["", "labels twice"])
def test_columns_are_taken_here(frame, axis, positions):
    with bc.config.set(fallback="error"):
        got = pd.from_pandas(frame).take(positions, axis=axis)
    pandas.testing.assert_frame_equal(got.to_pandas(), frame.take(positions, axis=axis))


def test_positions_out_of_bounds_are_refused():
    for wrong in ([3], [-4]):
        for frame in (FRAME, pd.from_pandas(FRAME)):
            with pytest.raises(IndexError, match="out-of-bounds"):
                frame.take(wrong, axis=1)
    with pytest.raises(ValueError, match="No axis named 1"):
        pd.from_pandas(FRAME)["a"].take([0], axis=1)
