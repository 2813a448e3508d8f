"""Methods of frames and series lie in the chapter of pandas' reference that documents them."""

from __future__ import annotations

from collections.abc import Iterator

import bascule.pandas as pd
import pytest

# Chapters of pandas' pages "DataFrame" and "Series", by the names of ours in `bascule.pandas._frames`. Where the two pages differ
# one of them is followed; the axis and the extremes of a sorted order are sorted, and `set_index` chooses labels of rows by columns.
CHAPTERS = {
    # attributes, conversion, metadata, flags, plotting: what an object is
    "frame": "columns dtypes select_dtypes values axes ndim size shape memory_usage astype convert_dtypes infer_objects to_numpy "
    "to_pandas from_dict from_records info",
    "series": "array values axes dtype dtypes shape nbytes ndim size memory_usage hasnans name astype convert_dtypes infer_objects "
    "to_numpy to_pandas to_list tolist to_frame",
    "rows": "index empty to_string copy plot to_pandas attrs flags set_flags ndim",
    "indexing": "head tail at iat loc iloc insert items keys iterrows itertuples pop xs get item isin where mask query eval isetitem "
    "set_index case_when",
    "labels": "add_prefix add_suffix align drop drop_duplicates droplevel duplicated equals filter reindex reindex_like rename "
    "rename_axis reorder_levels reset_index sample set_axis swaplevel take truncate",
    "arithmetic": "add sub mul div truediv floordiv mod pow radd rsub rmul rdiv rtruediv rfloordiv rmod rpow subtract multiply divide "
    "divmod rdivmod lt gt le ge ne eq dot abs round",
    "application": "apply map pipe agg aggregate transform groupby rolling expanding ewm",
    "statistics": "all any argmax argmin autocorr between clip corr corrwith count cov cummax cummin cumprod cumsum describe diff "
    "factorize idxmax idxmin is_monotonic_decreasing is_monotonic_increasing is_unique kurt kurtosis max mean median min mode "
    "nunique pct_change prod product quantile rank sem skew std sum unique value_counts var",
    "missing": "bfill dropna ffill fillna interpolate isna isnull notna notnull replace",
    "sorting": "argsort nlargest nsmallest searchsorted sort_index sort_values",
    "reshaping": "T explode melt pivot pivot_table repeat squeeze stack transpose unstack",
    "combining": "assign combine_first compare join merge update",
    "time_series": "asfreq asof at_time between_time first_valid_index last_valid_index resample shift",
    "io": "from_arrow to_arrow to_csv to_dict to_json to_parquet to_records to_sql",
    "accessors": "cat dt list str struct",
}
# Classes that indexes have too, or that lie below frames.
OTHER_ROOMS = {"_base": "rows", "_fallback": "rows", "_indexes": "statistics", "_columns": "io"}


def chapter_of(cls: type) -> str:
    room, *inner = cls.__module__.removeprefix("bascule.pandas.").split(".")
    return inner[0] if room == "_frames" else OTHER_ROOMS[room]


def homes(own: type) -> Iterator[tuple[str, str]]:
    """The public members of a class and the chapters that define them; fallbacks have none."""
    above = [(c, chapter_of(c)) for c in own.__mro__[1:-1] if c.__module__.startswith("bascule.pandas")]
    for name in sorted({n for c in own.__mro__[:-1] for n in vars(c) if n[0] != "_"}):
        chapters = [chapter for c, chapter in above if name in vars(c)]
        member = vars(own).get(name)
        member = getattr(member, "fget", getattr(member, "__func__", member))
        if chapters:
            yield name, chapters[0]
        elif not getattr(member, "__bascule_fallback__", False):
            yield name, own.__name__.lower().removeprefix("data")


@pytest.mark.parametrize("own", [pd.DataFrame, pd.Series])
def test_each_method_lies_in_its_chapter(own):
    """The class itself holds wrapped methods of its chapters too, so members are looked up in its bases."""
    lost = {name: chapter for name, chapter in homes(own) if name not in CHAPTERS[chapter].split()}
    assert lost == {}


@pytest.mark.parametrize("own", [pd.DataFrame, pd.Series])
def test_no_method_of_the_chapters_is_missing(own):
    """A name in the table that no class has would be of no use."""
    known = {name for cls in (pd.DataFrame, pd.Series) for name, _ in homes(cls)}
    assert {n for names in CHAPTERS.values() for n in names.split()} - known == set()


def test_series_have_no_methods_of_frames_alone():
    """A series derives from the classes of frames in chapters where both have the same methods."""
    import pandas

    mine = {name for name, _ in homes(pd.Series)} - set(dir(pandas.Series))
    assert mine == {"to_pandas"}


@pytest.mark.parametrize(("own", "most"), [(pd.DataFrame, 16), (pd.Series, 24)])
def test_a_tree_has_few_classes(own, most):
    assert len([c for c in own.__mro__ if c.__module__.startswith("bascule.pandas")]) <= most
