"""Frames over files three times `config.memory_limit`: results are pandas', memory is kept, and no file is left."""

import os
import shutil
import signal
import time

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from limited_memory import run, started

N = 150_000  # rows; of equal values among as many, pandas keeps the order only with a stable sort
LIMIT = 4 << 20


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    rng = np.random.default_rng(39)
    words = np.array(["a", "bb", "ccc", "", "dddd"])[rng.integers(0, 5, N)].astype(object)
    words[rng.random(N) < 0.05] = None
    made = pandas.DataFrame({
        "k": rng.integers(0, 300, N),
        "t": pandas.array(words, dtype="str"),
        "f": np.where(rng.random(N) < 0.05, np.nan, rng.integers(-3, 3, N) * 0.5),
        "x": rng.random(N),
        "y": np.where(rng.random(N) < 0.1, np.nan, rng.normal(size=N)),
        "i": rng.integers(-5, 5, N).astype("int32"),
        "b": rng.random(N) < 0.5,
        "d": pandas.to_datetime("2024-01-01") + pandas.to_timedelta(rng.integers(0, 10**6, N), unit="s"),
        "u": pandas.array(np.char.add("key ", rng.integers(0, N // 3, N).astype(str)), dtype="str"),
        "m": pandas.array(rng.integers(0, 9, N), dtype="Int64"),
    })  # fmt: skip
    made.loc[rng.random(N) < 0.1, "m"] = pandas.NA
    found = tmp_path_factory.mktemp("parts") / "rows.parquet"
    made.to_parquet(found, row_group_size=40_000)
    return str(found)


@pytest.fixture
def limited(tmp_path):
    with bc.config.set(memory_limit=LIMIT, fallback="error", spill_directory=str(tmp_path)):
        yield
    assert os.listdir(tmp_path) == []


GROUPED = {
    "sums": lambda df: df.groupby(["k", "t"])[["x", "y", "i"]].sum(),
    "means": lambda df: df.groupby("k")[["x", "y", "i", "m"]].mean(),
    "count": lambda df: df.groupby("t").count(),
    "size": lambda df: df.groupby(["t", "k"]).size(),
    "one pass": lambda df: df.groupby(["k", "t"]).agg(
        a=("x", "mean"), b=("y", "std"), c=("y", "count"), d=("i", "max"), e=("d", "min"), f=("u", "first"),
        g=("x", "size"), h=("y", "var"), j=("y", "sem"), k=("b", "any"), l=("b", "all"), m=("u", "last"), n=("i", "prod"),
    ),
    "least and greatest": lambda df: df.groupby("t")[["x", "d", "u", "m", "b"]].agg(["min", "max"]),
    "in order of appearance": lambda df: df.groupby(["t", "k"], sort=False).x.mean(),
    "missing keys": lambda df: df.groupby(["t", "f"], dropna=False).agg({"x": "sum", "y": "mean"}),
    "keys as columns": lambda df: df.groupby(["f", "t"], as_index=False)[["x", "i"]].sum(),
    "many groups": lambda df: df.groupby("u").agg(a=("x", "sum"), b=("y", "mean"), c=("i", "var")),
    "many groups in order of appearance": lambda df: df.groupby("u", sort=False).agg(a=("x", "sum"), b=("y", "std")),
    "medians": lambda df: df.groupby("k")[["x", "y"]].median(),
    "quantiles": lambda df: df.groupby("k").x.quantile(0.3),
    "distinct": lambda df: df.groupby("k").u.nunique(),
    "labels of extremes": lambda df: df.groupby("k").y.idxmax(),
    "at least two": lambda df: df.groupby("u").y.sum(min_count=2),
    "with missing values": lambda df: df.groupby("k")[["x", "y"]].sum(skipna=False),
    "skewness": lambda df: df.groupby("k").x.skew(),
    "of a selection": lambda df: df[df.x > 0.5].groupby("k")[["x", "y"]].sum(),
    "of a slice": lambda df: df.iloc[1000::3].groupby("k")[["x", "y"]].sum(),
}  # fmt: skip


def assert_alike(found, expected):
    with bc.config.set(memory_limit=None):
        found = found.to_pandas()
    assert type(found) is type(expected)
    of = pandas.testing.assert_frame_equal if found.ndim == 2 else pandas.testing.assert_series_equal
    of(found, expected, rtol=1e-12, check_freq=True)


@pytest.mark.parametrize("name", GROUPED)
def test_groups_are_those_of_pandas(path, limited, name):
    assert_alike(GROUPED[name](pd.read_parquet(path)), GROUPED[name](pandas.read_parquet(path)))


def on_disk(found):
    """How many columns wait for rows on disk."""
    return str(bc.explain(found)).count("of rows on disk")


SORTED = {
    "floats": lambda df: df.sort_values("x", kind="stable"),
    "few values": lambda df: df.sort_values("k", kind="stable"),
    "two keys, missing first": lambda df: df.sort_values(["t", "k"], ascending=[False, True], na_position="first"),
    "without labels": lambda df: df.sort_values(["u", "x"], ignore_index=True),
}


@pytest.mark.parametrize("name", SORTED)
def test_sorted_rows_are_those_of_pandas_and_stay_on_disk(path, limited, name):
    found = SORTED[name](pd.read_parquet(path))
    assert on_disk(found) == found.shape[1]
    expected = SORTED[name](pandas.read_parquet(path))
    assert_alike(found.head(7), expected.head(7))
    assert_alike(found.iloc[-5000::7], expected.iloc[-5000::7])
    assert_alike(found.groupby("t", sort=False)[["x", "i"]].sum(), expected.groupby("t", sort=False)[["x", "i"]].sum())
    assert_alike(found, expected)


DISTINCT = {
    "some columns": lambda df: df.drop_duplicates(["t", "f", "k"]),
    "the last": lambda df: df.drop_duplicates(["u"], keep="last"),
    "none of them": lambda df: df.drop_duplicates(["u", "i"], keep=False, ignore_index=True),
    "all columns": lambda df: df.drop_duplicates(),
}


@pytest.mark.parametrize("name", DISTINCT)
def test_distinct_rows_are_those_of_pandas(path, limited, name):
    assert_alike(DISTINCT[name](pd.read_parquet(path)), DISTINCT[name](pandas.read_parquet(path)))


@pytest.fixture(scope="module")
def other(path):
    made = pandas.read_parquet(path).sample(frac=0.5, random_state=1)[["u", "k", "x", "i", "t"]]
    found = os.path.join(os.path.dirname(path), "others.parquet")
    made.reset_index(drop=True).to_parquet(found, row_group_size=30_000)
    return found


MERGED = {
    "strings": lambda a, b: a.merge(b, on="u"),
    "all of the left": lambda a, b: a.merge(b, on=["u", "i"], how="left", suffixes=("_l", "_r")),
    "all of the right": lambda a, b: a[["u", "y", "t"]].merge(b, on=["u", "t"], how="right", indicator=True),
    "keys of two names": lambda a, b: a[["i", "u", "x"]].merge(b[["k", "u"]], left_on=["i", "u"], right_on=["k", "u"]),
    "with few rows": lambda a, b: a.merge(b[["k", "x"]].iloc[:50].drop_duplicates("k"), on="k", how="left"),
    "no match": lambda a, b: a.merge(b.iloc[:0], on="u"),
}  # fmt: skip


@pytest.mark.parametrize("name", MERGED)
def test_joined_rows_are_those_of_pandas(path, other, limited, name):
    found = MERGED[name](pd.read_parquet(path), pd.read_parquet(other))
    assert on_disk(found) or not len(found)
    assert_alike(found, MERGED[name](pandas.read_parquet(path), pandas.read_parquet(other)))


@pytest.mark.parametrize(
    "work",
    [
        lambda a, b: a.merge(b, on="u", how="outer"),
        lambda a, b: a.merge(b, on="u", sort=True),
        lambda a, b: a.merge(b, on="u", validate="1:1"),
        lambda a, b: a.set_index("i").sort_values("x"),
    ],
)
def test_what_is_not_done_in_parts_says_so(path, other, limited, work):
    with pytest.raises(NotImplementedError, match="memory_limit"):
        work(pd.read_parquet(path), pd.read_parquet(other))


def test_a_csv_file_is_read_in_parts(path, limited):
    text = os.path.join(os.path.dirname(path), "rows.csv")
    pandas.read_parquet(path).drop(columns=["t", "b"]).to_csv(text, index=False)
    found, expected = pd.read_csv(text, parse_dates=["d"]), pandas.read_csv(text, parse_dates=["d"])
    assert on_disk(found) == found.shape[1]
    of = {"x": "sum", "y": "mean", "u": "nunique"}
    assert_alike(found.groupby("k").agg(of), expected.groupby("k").agg(of))
    assert_alike(found, expected)


def test_a_csv_column_of_several_types_is_an_error(limited, path):
    text = os.path.join(os.path.dirname(path), "mixed.csv")
    with open(text, "w") as f:
        f.write("a,b\n" + "1,2\n" * 700_000 + "x,2\n")
    with pytest.raises(NotImplementedError, match="column 'a' has other types in some parts"):
        pd.read_csv(text)
    assert pd.read_csv(text, dtype={"a": str}).groupby("a").b.count().tolist() == [700_000, 1]


def test_a_column_that_is_read_as_a_whole_says_that_it_does_not_fit(path):
    with bc.config.set(memory_limit=1 << 20):
        df = pd.read_parquet(path)
        with pytest.raises(MemoryError, match=r"memory_limit.*rows.parquet"):
            df.x.sum()
    assert df.x.sum() == pandas.read_parquet(path).x.sum()


def test_rows_of_one_group_that_do_not_fit_are_an_error(path, limited):
    df = pd.read_parquet(path)
    df["one"] = 1
    with pytest.raises(MemoryError, match=r"\[groupby\] rows of equal keys"):
        df.groupby("one")[["x", "y", "u"]].agg(["nunique"])
    assert df.groupby("one").x.mean().tolist() == pytest.approx([pandas.read_parquet(path).x.mean()], rel=1e-12)


def test_a_full_disk_is_an_error_and_leaves_nothing(path, tmp_path):
    df = pd.read_parquet(path)
    with bc.config.set(memory_limit=LIMIT, spill_directory=str(tmp_path), spill_disk_limit=1 << 20):
        with pytest.raises(OSError, match="the disk's share is full"):
            df.groupby("k").y.median()
    assert os.listdir(tmp_path) == []
    with bc.config.set(memory_limit=LIMIT):
        assert_alike(df.groupby("k").y.median(), pandas.read_parquet(path).groupby("k").y.median())


def test_a_change_of_the_disk_is_an_error(path, tmp_path):
    from bascule.pandas._parts.partition import Partitions

    damaged = []

    def damage(read):
        def call(self, p, caller):
            (name,) = [f for f in os.listdir("/proc/self/fd") if "bascule-spill" in _target(f)]
            with open(f"/proc/self/fd/{name}", "r+b") as f:
                f.write(b"x" * 4096)
            damaged.append(p)
            return read(self, p, caller)

        return call

    with pytest.MonkeyPatch.context() as patch, bc.config.set(memory_limit=LIMIT, spill_directory=str(tmp_path)):
        patch.setattr(Partitions, "read", damage(Partitions.read))
        with pytest.raises(OSError, match="a checksum differs"):
            pd.read_parquet(path).groupby("k").y.median()
    assert damaged


def _target(name):
    try:
        return os.readlink(f"/proc/self/fd/{name}")
    except OSError:  # that of the listing
        return ""


def test_a_file_that_changes_is_an_error(path, limited, tmp_path):
    other = os.path.join(os.path.dirname(path), "other.parquet")
    shutil.copyfile(path, other)
    df = pd.read_parquet(other)
    os.utime(other, (1, 1))
    with pytest.raises(OSError, match="was changed after read_parquet opened it"):
        df.groupby("k").x.sum()


def test_an_interruption_leaves_the_frame_as_it_was(path, limited):
    df, expected = pd.read_parquet(path), pandas.read_parquet(path).groupby("u").y.sum(min_count=2)
    before = signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    try:
        for seconds in (0.01, 0.1):
            signal.setitimer(signal.ITIMER_REAL, seconds)
            with pytest.raises(KeyboardInterrupt):
                while True:
                    df.groupby("u").y.sum(min_count=2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert_alike(df.groupby("u").y.sum(min_count=2), expected)


# ---- memory, in processes of their own

ROWS = 6_000_000
ROOM = 80 << 20  # a third of what the columns take


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    rng = np.random.default_rng(1)
    made = pandas.DataFrame({
        "k": rng.integers(0, 1000, ROWS), "j": rng.integers(0, ROWS // 20, ROWS), "x": rng.random(ROWS),
        "y": rng.normal(size=ROWS), "t": pandas.array(np.array(["a", "bb", "ccc"])[rng.integers(0, 3, ROWS)], dtype="str"),
    })  # fmt: skip
    assert made.memory_usage(deep=True).sum() > 3 * ROOM
    found = tmp_path_factory.mktemp("parts") / "large.parquet"
    made.to_parquet(found, row_group_size=1 << 19)
    return str(found)


MEDIANS = 'df.groupby(["k", "t"])[["x", "y", "j"]].median()'
WORK = {  # the program, and how much of the limit it may take: rows that are put together twice take more
    "sums": ('df.groupby(["k", "t"]).agg(a=("x", "sum"), b=("y", "mean"), c=("j", "count"))', 1),
    "many groups": ('df.groupby("j").agg(a=("x", "sum"), b=("y", "mean"), c=("k", "sum"))', 1.2),
    "medians": (MEDIANS, 1.2),
    "sort": ('df.sort_values("x", kind="stable", ignore_index=True).head(1000)', 1.3),
    "join": ('df.merge(df[["j", "k"]].iloc[::40], on="j").groupby("t").x.sum()', 2),
}


@pytest.mark.parametrize("name", WORK)
def test_the_peak_is_about_the_limit(large, tmp_path, name):
    program, share = WORK[name]
    said = run(
        f"""
df = pd.read_parquet({large!r})
taken, made = peak(lambda: {program})
print(int(taken), len(made))
""",
        BASCULE_MEMORY_LIMIT=ROOM,
        BASCULE_SPILL_DIRECTORY=tmp_path,
    )
    taken, _ = map(int, said.split())
    assert taken < share * ROOM, f"{taken >> 20} MiB of {ROOM >> 20}"
    assert os.listdir(tmp_path) == []


def test_nothing_is_left_of_a_process_that_is_killed(large, tmp_path):
    process = started(
        f"""
print("ready", flush=True)
df = pd.read_parquet({large!r})
while True:
    {MEDIANS}
""",
        BASCULE_MEMORY_LIMIT=ROOM,
        BASCULE_SPILL_DIRECTORY=tmp_path,
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.5)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert os.listdir(tmp_path) == []
