"""Idioms that users of pandas write every day, on our namespace."""

from __future__ import annotations

import importlib
import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both, ours

LEVELS = pandas.Series(
    [1, 2, 3], index=pandas.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["i", "j"]), name="s"
)


@pytest.mark.parametrize(
    "key",
    [
        slice(2),
        slice(1, None),
        slice(None, None, 2),
        slice(None),
        slice("a", "a"),
        slice("a", "b"),
        slice(("a", 2), ("b", 1)),
        "a",
        ("a", 1),
        slice(-1, None),
        slice(None, None, -1),
    ],
)
def test_parts_of_a_series_of_several_levels(key):
    both(lambda s: s[key], LEVELS, fallback="silent")
    both(lambda s: s.loc[key], LEVELS, fallback="silent")
    both(lambda s: s.to_frame().loc[key], LEVELS, fallback="silent")
    both(lambda s: s.to_frame()[key], LEVELS, fallback="silent")


def test_slices_of_levels_are_taken_here():
    with bc.config.set(fallback="error"):
        assert ours(LEVELS)[:2].tolist() == [1, 2]


@pytest.mark.parametrize("levels", [[["a", "b"], [1, 2]], [["a", "a"], [1, 2]]])
@pytest.mark.parametrize("codes", [[[0, 1], [0, 1]], [[0, 5], [0, 1]], [[0, 1], [0]], [[0, -1], [1, 1]]])
@pytest.mark.parametrize("verify", [True, False])
@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")
def test_making_an_index_of_levels(levels, codes, verify):
    def made(p):
        return p.MultiIndex(levels=levels, codes=codes, names=["x", "y"], verify_integrity=verify)

    try:
        expected = made(pandas)
    except Exception as e:
        with pytest.raises(type(e)):
            made(pd)
        return
    if verify:
        pandas.testing.assert_index_equal(made(pd).to_pandas(), expected)
    else:  # what is not verified may be no index at all
        try:
            made(pd)
        except (IndexError, ValueError):
            pass


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")
def test_making_an_index_of_levels_with_all_arguments():
    index = pd.MultiIndex(
        [["a"], [1]], [[0], [0]], sortorder=0, names=["x", "y"], copy=True, name=None, verify_integrity=True
    )
    assert index.tolist() == [("a", 1)]
    with pytest.raises(TypeError):
        pd.MultiIndex([["a"], [1]], [[0], [0]], nonsense=1)
    assert pd.MultiIndex.from_frame(ours(LEVELS.reset_index()[["i", "j"]])).tolist() == LEVELS.index.tolist()


def test_columns_whose_names_begin_with_an_underscore():
    with bc.config.set(fallback="silent"):
        _check_underscores()


def _check_underscores():
    frame = pd.DataFrame({"_merge": [1, 2], "_": [3, 4], "__x": [5, 6]})
    assert frame._merge.tolist() == [1, 2] and frame._.tolist() == [3, 4] and getattr(frame, "__x").tolist() == [5, 6]
    frame._merge = 9
    assert frame["_merge"].tolist() == [9, 9]
    made = frame.merge(frame, on="_", how="outer", indicator="_origin")
    assert made[made._origin == "both"].shape == (2, 6)
    frame._other = 7
    assert frame._other == 7 and "_other" not in frame.columns
    assert "_merge" in dir(frame)
    assert pd.Series([1, 2], index=["x", "_y"])._y == 2 and pd.Series([1, 2], index=["x", "_y"]).x == 1
    with pytest.raises(AttributeError):
        frame._nonsense


MODULES = [
    "api",
    "api.types",
    "api.extensions",
    "api.indexers",
    "api.interchange",
    "api.typing",
    "testing",
    "errors",
    "plotting",
    "tseries.offsets",
    "tseries.frequencies",
]


@pytest.mark.parametrize("name", MODULES)
def test_modules(name):
    mine = importlib.import_module(f"bascule.pandas.{name}")
    theirs = importlib.import_module(f"pandas.{name}")
    public = getattr(theirs, "__all__", [n for n in dir(theirs) if not n.startswith("_")])
    for member in public:
        assert hasattr(mine, member), member
    found = pd
    for part in name.split("."):
        found = getattr(found, part)
    assert found is mine


def test_errors_are_pandas_own():
    from bascule.pandas.errors import MergeError, ParserError

    assert MergeError is pandas.errors.MergeError and ParserError is pandas.errors.ParserError
    assert pd.errors.OutOfBoundsDatetime is pandas.errors.OutOfBoundsDatetime


@pytest.mark.parametrize("name", [n for n in dir(pandas.api.types) if n.startswith("is_")])
def test_questions_of_types(name):
    samples = [
        pandas.Series([1, 2]), pandas.Series([1.5]), pandas.Series(["a", None]), pandas.Series(["a", 1], dtype=object), pandas.Series(["a", "b"], dtype=object), pandas.Series([True]), pandas.Series(pandas.to_datetime(["2020"])),
        pandas.Series(pandas.to_timedelta([1])), pandas.Series(pandas.Categorical(["a"])), pandas.Series(pandas.array([1, None])), pandas.Series(pandas.to_datetime(["2020"]).tz_localize("UTC")), pandas.Index([1]), pandas.RangeIndex(2),
        pandas.DataFrame({"a": [1]}), LEVELS.index, 1, "a", [1], np.array([1.0]), np.dtype("i4"),
    ]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for x in samples:
            try:
                expected = getattr(pandas.api.types, name)(x)
            except Exception as e:
                with pytest.raises(type(e)):
                    getattr(pd.api.types, name)(ours(x))
                continue
            assert getattr(pd.api.types, name)(ours(x)) == expected, x


def test_other_questions():
    assert pd.api.types.infer_dtype(pd.Series(["a", "b"])) == "string"
    both(lambda a, b: pandas.api.types.union_categoricals([a, b]).tolist() if isinstance(a, pandas.Series) and type(a) is pandas.Series else pd.api.types.union_categoricals([a, b]).tolist(),
         pandas.Series(["a"], dtype="category"), pandas.Series(["b"], dtype="category"), fallback="silent")  # fmt: skip


def test_testing():
    frame = pd.DataFrame({"a": [1, 2], "s": ["x", None]}, index=pd.Index([5, 6], name="i"))
    pd.testing.assert_frame_equal(frame, frame.copy())
    pd.testing.assert_frame_equal(frame, frame.to_pandas())
    pd.testing.assert_series_equal(frame.a, frame.a)
    pd.testing.assert_index_equal(frame.index, frame.index)
    pd.testing.assert_index_equal(frame.set_index("s", append=True).index, frame.set_index("s", append=True).index)
    for wrong in (frame.rename_axis("z"), frame.astype({"a": float}), frame[::-1], frame.rename(columns={"a": "b"})):
        with pytest.raises(AssertionError):
            pd.testing.assert_frame_equal(frame, wrong)
    with pytest.raises(AssertionError):
        pd.testing.assert_series_equal(frame.a, frame.a.rename("z"))
    with pytest.raises(AssertionError):
        pd.testing.assert_index_equal(frame.index, frame.index.rename("z"))
    pd.testing.assert_frame_equal(frame, frame.astype({"a": float}), check_dtype=False)
