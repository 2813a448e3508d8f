"""Arguments for which a slip in the code would show in nothing but the values."""

import bascule.pandas as bpd
import pandas as pd
import pytest


def pandas_of(x):
    return x.to_pandas()


@pytest.mark.parametrize("name", ["nlargest", "nsmallest"])
def test_the_second_key_decides(name):
    data = {"a": [3, 1, 3, 2, 3, 1, 3], "b": [1.0, 9, 7, 5, 7, 4, 2], "c": list("uvwxyzq")}
    for n in (1, 2, 3, 5):
        for keys in (["a", "b"], ["b", "a"]):
            theirs = getattr(pd.DataFrame(data), name)(n, keys)
            pd.testing.assert_frame_equal(pandas_of(getattr(bpd.DataFrame(data), name)(n, keys)), theirs)


@pytest.mark.parametrize("validate", ["1:1", "1:m", "m:1", "m:m"])
@pytest.mark.parametrize("left", [[1, 2, 3], [1, 1, 2]])
@pytest.mark.parametrize("right", [[1, 2, 4], [2, 2, 1]])
def test_keys_that_have_to_be_unique(validate, left, right):
    def merged(xp):
        frames = xp.DataFrame({"k": left, "x": [1, 2, 3]}), xp.DataFrame({"k": right, "y": [4, 5, 6]})
        return frames[0].merge(frames[1], on="k", validate=validate)

    try:
        theirs = merged(pd)
    except pd.errors.MergeError:
        with pytest.raises(pd.errors.MergeError):
            merged(bpd)
    else:
        pd.testing.assert_frame_equal(pandas_of(merged(bpd)), theirs)


@pytest.mark.parametrize("starts", [(0, 0), (0, 1), (0, 1, 2), (0, 2, 4), (3, 1), (5, 5, 5), (0, 1, 3)])
def test_ranges_of_one_row_one_after_another(starts):
    def joined(xp):
        index = lambda k: xp.RangeIndex(k, k + 1)
        return xp.concat([xp.DataFrame({"x": [float(k)]}, index=index(k)) for k in starts])

    theirs = joined(pd)
    ours = pandas_of(joined(bpd))
    pd.testing.assert_frame_equal(ours, theirs, check_index_type="equiv")
    assert ours.index.tolist() == theirs.index.tolist()
