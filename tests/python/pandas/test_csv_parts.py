"""Files that pandas reads in parts of which one is numbers and another text, and what is no file."""

from __future__ import annotations

import io
import warnings

import bascule as bc
import bascule.pandas as pd
import pandas
import pandas.testing
import pytest


def written(tmp_path, columns, n, text_at, word="x"):
    path = tmp_path / "parts.csv"
    lines = [",".join("abcdefgh"[:columns])]
    lines += [",".join([word if i in text_at else str(i), *(str(i % 7) for _ in range(columns - 1))]) for i in range(n)]
    path.write_text("\n".join(lines) + "\n")
    return path


def read(p, path, **options):
    with bc.config.set(fallback="silent"), warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        frame = p.read_csv(path, **options)
    return frame, [(w.category, str(w.message)) for w in said]


@pytest.mark.parametrize("word", ["x", "", "True", "1.5", "2020-01-01"])
@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("where", ["first", "last", "both", "none"])
def test_a_column_of_several_types(tmp_path, columns, where, word):
    n = 540_000 if columns == 1 else 270_000 if columns == 2 else 265_000
    at = {"first": {0}, "last": {n - 1}, "both": {0, n - 1}, "none": set()}[where]
    path = written(tmp_path, columns, n, at, word)
    expected, warned = read(pandas, path)
    found, said = read(pd, path)
    pandas.testing.assert_frame_equal(found.to_pandas(), expected)
    assert said == warned
    if columns == 2 and where == "last":
        for options in ({"low_memory": False}, {"usecols": ["a"]}):
            expected, warned = read(pandas, path, **options)
            found, said = read(pd, path, **options)
            pandas.testing.assert_frame_equal(found.to_pandas(), expected)
            assert said == warned


def test_low_memory_is_read_here(tmp_path):
    path = written(tmp_path, 2, 270_000, {269_999})
    with bc.config.set(fallback="error"):
        assert len(pd.read_csv(path, low_memory=False)) == 270_000


@pytest.mark.parametrize("path", ["", "nope.csv", "nope/nope.csv"])
def test_what_is_no_file(tmp_path, path):
    for p in (tmp_path / path, str(tmp_path / path)):
        with pytest.raises(OSError) as theirs:
            pandas.read_csv(p)
        with pytest.raises(type(theirs.value)) as ours:
            pd.read_csv(p)
        assert str(ours.value) == str(theirs.value)
        assert type(ours.value) is type(theirs.value)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["S2", {"t": "S5", "x": "i2"}, {"x": "S1"}], ids=str)
def test_bytes_stay_bytes_on_the_way_out(dtype):
    theirs = pandas.read_csv(io.StringIO("x,t\n1,ab\n-999,cde\n"), dtype=dtype)
    found = pd.read_csv(io.StringIO("x,t\n1,ab\n-999,cde\n"), dtype=dtype)
    pandas.testing.assert_frame_equal(found.to_pandas(), theirs)
