"""Frames and series written as CSV give pandas' text, byte for byte, or its error."""

import bz2
import csv
import gzip
import io
import random
import re
import struct
import zipfile

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
import random_frames


def sample(rows=50):
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(
        {
            "i": rng.integers(-5, 5, rows),
            "f": rng.normal(size=rows) * 10.0 ** rng.integers(-20, 20, rows),
            "price": np.round(rng.normal(size=rows), 2),
            "s": rng.choice(["a", 'b"c', "d,e", "", "é\n", "x\\y", "-1"], rows),
            "b": rng.random(rows) < 0.5,
            "d": pandas.to_datetime("2020-01-01") + pandas.to_timedelta(rng.integers(0, 10**7, rows), unit="s"),
            "single": np.float32(rng.normal(size=rows)),
            "masked": pandas.array([1, None] * (rows // 2), dtype="Int64"),
            "kind": pandas.Categorical(rng.choice(["p", "q,", "ü"], rows)),
        }
    )
    frame.loc[::7, ["f", "s", "d", "kind"]] = None
    return frame


def outcome(frame, options):
    try:
        return frame.to_csv(**options)
    except Exception as e:
        return type(e), str(e)


def check(theirs, **options):
    """Natively what pandas gives; where only pandas has a text for some values, by it."""
    assert outcome(pd.from_pandas(theirs), options) == outcome(theirs, options), options


OPTIONS = [
    {}, {"index": False}, {"quoting": 1}, {"quoting": 2}, {"quoting": 3, "escapechar": "\\"}, {"quoting": 3}, {"sep": ";", "decimal": ","}, {"na_rep": "NA"},
    {"na_rep": "N,A"}, {"na_rep": "so long a text that NumPy cuts it where numbers are"}, {"float_format": "%.3f"}, {"float_format": "%.3e"},
    {"float_format": "%g"}, {"float_format": "{:.1f}".format}, {"float_format": "%10.2f"}, {"float_format": "%.0f"}, {"header": False},
    {"header": list("abcdefghj")}, {"header": ["a"]}, {"columns": ["i", "s"]}, {"columns": ["s"], "index": False}, {"columns": []}, {"columns": ["absent"]},
    {"index_label": "q"}, {"index_label": ["q"]}, {"index_label": False}, {"lineterminator": "\r\n"}, {"lineterminator": "END"}, {"lineterminator": ";"},
    {"doublequote": False, "escapechar": "\\"}, {"doublequote": False}, {"escapechar": "\\"}, {"quotechar": "'"}, {"quotechar": "1"}, {"chunksize": 3}, {"chunksize": 2**63 - 1}, {"sep": "."},
    {"sep": "1"}, {"sep": "ab"}, {"sep": "-"}, {"sep": "e"}, {"quoting": 2, "float_format": "%.2f"}, {"quoting": 2, "decimal": ","}, {"sep": "\t", "quoting": 1, "na_rep": "-"},
]  # fmt: skip


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: re.sub(" at 0x[0-9a-f]+", "", str(options)))
def test_options(options):
    with bc.config.set(fallback="error"):
        check(sample(), **options)


@pytest.mark.parametrize("options", [{"date_format": "%Y/%m/%d"}, {"sep": "·"}, {"quoting": 2, "date_format": "%d"}, {"chunksize": 0}, {"quoting": 7}], ids=str)  # fmt: skip
def test_options_that_pandas_may_be_asked_for(options):
    with bc.config.set(fallback="silent"):
        check(sample(), **options)


@pytest.mark.parametrize("seed", range(60))
def test_random_frames(seed):
    source = random_frames.Source(random.Random(seed))
    frame = random_frames.frame(source)
    with bc.config.set(fallback="silent"):
        for options in ({}, source.one(OPTIONS), {**source.one(OPTIONS), **source.one(OPTIONS)}):
            check(frame, **options)
            if len(frame.columns):
                check(frame.iloc[:, 0], **options)


def test_floats_have_as_few_digits_as_pythons():
    rng = random.Random(5)
    bits = [rng.getrandbits(64) for _ in range(20_000)]
    x = [struct.unpack("d", struct.pack("Q", b))[0] for b in bits]
    x += [rng.uniform(-1, 1) * 10.0 ** rng.randrange(-8, 20) for _ in range(20_000)]
    x += [round(rng.uniform(-1e9, 1e9), k) for k in range(10) for _ in range(1000)]
    x += [10.0**k for k in range(-330, 309)] + [2.0**k for k in range(-1074, 1024)]
    x += [
        0.0,
        -0.0,
        5e-324,
        1.7976931348623157e308,
        float("inf"),
        float("-inf"),
        9.999999999999999e-05,
        123456789012345.6,
    ]
    x += [np.nextafter(v, w) for v in (1e-4, 1e16, 1e15, 0.1, 1e-6, 1e9) for w in (0, np.inf)]
    x = [v for v in x if v == v]
    found = pd.DataFrame({"x": x}).to_csv(index=False).split()[1:]
    assert found == [repr(float(v)) for v in x]


def test_single_floats_have_as_few_digits_as_theirs():
    rng = np.random.default_rng(5)
    x = rng.integers(0, 2**32, 20_000, dtype=np.uint32).view(np.float32)
    x = np.concatenate([x[np.isfinite(x)], np.float32([1e-4, 0.0001234, 1e16, 9.9999e15, 16777216, 0, -0.0, np.inf])])
    check(pandas.DataFrame({"x": x}))
    check(pandas.DataFrame({"x": x}), quoting=1)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_are_said_as_finely_as_the_finest_of_their_group(unit):
    strings = ["2020-01-01", "NaT", "2020-01-02 03:04:05", "1969-12-31 23:59:59", "2020-01-01 00:00:00.5", "2020-01-01 00:00:00.000001", "1900-02-28 00:00:00.000000001"]  # fmt: skip
    for k in range(1, len(strings) + 1):
        d = np.array(strings[:k], "M8[ns]").astype(f"M8[{unit}]")
        frame = pandas.DataFrame({"d": d, "x": range(k)})
        with bc.config.set(fallback="error"):
            for options in ({}, {"chunksize": 2}, {"chunksize": 1, "na_rep": "-"}):
                check(frame, **options)
                check(frame.set_index("d"), **options)
                check(frame.set_index(["d", "x"]), **options)
                check(frame.astype({"d": "category"}), **options)


def test_years_of_all_lengths():
    years = np.array(["-0044-03-15", "0001-01-01", "0999-12-31", "1600-02-29", "9999-12-31", "12000-01-01"], "M8[s]")
    with bc.config.set(fallback="error"):
        check(pandas.DataFrame({"d": years}))
        check(pandas.DataFrame({"d": years + np.timedelta64(1, "s")}))


LABELS = {
    "named": pandas.Index([3, 1, 2], name="q"),
    "text": pandas.Index(["a", None, 'b"'], name="q"),
    "floats": pandas.Index([1.5, None, 2]),
    "objects": pandas.Index([1, "x", None], dtype=object),
    "range": pandas.RangeIndex(4, 10, 2, name=0),
    "dates": pandas.DatetimeIndex(["2020-01-01", "2020-01-02", None], name="d"),
    "categories": pandas.CategoricalIndex(["x", "y", "x"]),
    "intervals": pandas.IntervalIndex.from_breaks([0, 1, 2, 3]),
    "zone": pandas.date_range("2020-01-01", periods=3, tz="Europe/Paris"),
    "periods": pandas.period_range("2020-01", periods=3, freq="M"),
    "levels": pandas.MultiIndex.from_arrays([["a", "b", None], [1, 2, 3], [0.5, None, 1.5]], names=["p", None, "r"]),
    "levels without names": pandas.MultiIndex.from_arrays([["a", "b", "c"], [True, False, True]]),
}


@pytest.mark.parametrize("name", LABELS)
@pytest.mark.parametrize("options", [{}, {"index": False}, {"quoting": 1}, {"quoting": 2}, {"na_rep": "-"}, {"date_format": "%d.%m.%y"}, {"index_label": "z"}, {"index_label": ["y", "z"]}, {"float_format": "%.1f"}, {"header": False}], ids=str)  # fmt: skip
def test_labels(name, options):
    with bc.config.set(fallback="silent"):
        check(pandas.DataFrame({"x": [1, 2, 3], "y": [0.5, None, 2]}, index=LABELS[name]), **options)
        check(pandas.Series([1, 2, 3], index=LABELS[name]), **options)
        check(pandas.DataFrame([[1, 2.5, "x"]], columns=LABELS[name]), **options)


def test_no_rows_and_no_columns():
    for frame in (
        pandas.DataFrame(),
        pandas.DataFrame({"x": []}),
        pandas.DataFrame(index=[1, 2]),
        pandas.Series([], dtype=float),
    ):
        for options in ({}, {"index": False}, {"header": False}, {"index": False, "header": False}):
            check(frame, **options)


def test_one_column_whose_rows_are_empty():
    frame = pandas.DataFrame({"x": ["", None, "a"]})
    for options in ({}, {"quoting": 3}, {"quoting": 1}, {"quotechar": "'"}, {"header": False}):
        check(frame, index=False, **options)


def test_objects():
    class Said:
        def __str__(self):
            return "a,b"

    frame = pandas.DataFrame({"x": [1, 2.5, None, "é", Said(), (1, 2), np.float64(0.1), True]}, dtype=object)
    with bc.config.set(fallback="error"):
        for options in ({}, {"quoting": 1}, {"na_rep": "-"}, {"decimal": ","}):
            check(frame, **options)
    with bc.config.set(fallback="silent"):
        check(frame, quoting=2)
        check(pandas.DataFrame({"x": ["\ud800"]}, dtype=object))


def both_files(tmp_path, name, **options):
    """The files that the two libraries write under one name."""
    found = []
    for kind, frame in (("ours", pd.from_pandas(sample())), ("theirs", sample())):
        folder = tmp_path / kind
        folder.mkdir(exist_ok=True)
        try:
            assert frame.to_csv(folder / name, **options) is None
        except Exception as e:
            found.append((type(e), "" if isinstance(e, UnicodeError) else str(e).replace(str(folder), "")))
            continue
        found.append((folder / name).read_bytes())
    return found


@pytest.mark.parametrize("options", [{}, {"encoding": "utf-8"}, {"encoding": "utf-16"}, {"encoding": "latin-1"}, {"encoding": "utf-8-sig"}, {"encoding": "ascii"}, {"encoding": "ascii", "errors": "replace"}, {"mode": "wb"}, {"mode": "x"}, {"mode": "a"}, {"lineterminator": "\r\n"}, {"encoding": "klingon"}], ids=str)  # fmt: skip
def test_files(tmp_path, options):
    with bc.config.set(fallback="error"):
        ours, theirs = both_files(tmp_path, "a.csv", **options)
        assert ours == theirs
        if options.get("mode") in ("x", "a"):  # once more to a file that is there
            ours, theirs = both_files(tmp_path, "a.csv", **options)
            assert ours == theirs


@pytest.mark.parametrize("name, opened", [("a.csv.gz", gzip.decompress), ("a.csv.bz2", bz2.decompress)])
def test_compressed_files(tmp_path, name, opened):
    ours, theirs = both_files(tmp_path, name)
    assert opened(ours) == opened(theirs)


def test_archives_and_other_ways_to_compress(tmp_path):
    ours, theirs = both_files(tmp_path, "a.zip")
    strings = []
    for found in (ours, theirs):
        with zipfile.ZipFile(io.BytesIO(found)) as archive:
            strings.append((archive.namelist(), archive.read(archive.namelist()[0])))
    assert strings[0] == strings[1]
    ours, theirs = both_files(tmp_path, "b.csv", compression={"method": "gzip", "mtime": 1})
    assert gzip.decompress(ours) == gzip.decompress(theirs)


def test_file_objects(tmp_path):
    text, data = io.StringIO(), io.BytesIO()
    frame = pd.from_pandas(sample())
    frame.to_csv(text)
    frame.to_csv(data, encoding="utf-16")
    assert text.getvalue() == sample().to_csv()
    assert data.getvalue().decode("utf-16") == sample().to_csv()
    with open(tmp_path / "o.csv", "w", newline="", encoding="utf-8") as f:
        frame.to_csv(f, header=False)
        frame.to_csv(f, header=False)
    assert (tmp_path / "o.csv").read_bytes().decode() == 2 * sample().to_csv(header=False)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(OSError, match="Cannot save file into a non-existent directory"):
        pd.DataFrame({"x": [1]}).to_csv(tmp_path / "no" / "a.csv")


def test_parts_of_a_large_frame_are_those_of_pandas(tmp_path):
    rows = 120_000  # dates take one form in so many rows, and several tasks write
    rng = np.random.default_rng(1)
    whole = pandas.DataFrame(
        {
            "d": pandas.Timestamp("2020-01-01") + pandas.to_timedelta(np.arange(rows) // 1000, unit="D"),
            "x": rng.normal(size=rows),
            "s": rng.choice(["a", "b,c", "é"], rows),
        }
    )
    whole.loc[70_000, "d"] += pandas.Timedelta("1.5s")
    with bc.config.set(fallback="error"):
        assert pd.from_pandas(whole).to_csv() == whole.to_csv()
        pd.from_pandas(whole).to_csv(tmp_path / "a.csv", index=False)
    assert (tmp_path / "a.csv").read_bytes().decode() == whole.to_csv(index=False)


def test_what_is_read_back_is_what_was_written():
    frame = sample().drop(columns=["masked", "kind", "single"])
    again = pd.read_csv(io.StringIO(pd.from_pandas(frame).to_csv(index=False)), parse_dates=["d"], keep_default_na=True)
    pandas.testing.assert_frame_equal(
        again.to_pandas(), pandas.read_csv(io.StringIO(frame.to_csv(index=False)), parse_dates=["d"])
    )


def test_what_csv_cannot_say_raises_its_error():
    with pytest.raises(csv.Error, match="need to escape"):
        pd.DataFrame({"x": ["a,b"]}).to_csv(quoting=csv.QUOTE_NONE)
