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

N = 300_000
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
    made.to_parquet(found, row_group_size=70_000)
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
    found = found.to_pandas()
    assert type(found) is type(expected)
    of = pandas.testing.assert_frame_equal if found.ndim == 2 else pandas.testing.assert_series_equal
    of(found, expected, rtol=1e-12, check_freq=True)


@pytest.mark.parametrize("name", GROUPED)
def test_groups_are_those_of_pandas(path, limited, name):
    assert_alike(GROUPED[name](pd.read_parquet(path)), GROUPED[name](pandas.read_parquet(path)))


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
        for seconds in (0.01, 0.05, 0.1):
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


WORK = {
    "sums": 'df.groupby(["k", "t"]).agg(a=("x", "sum"), b=("y", "mean"), c=("j", "count"))',
    "many groups": 'df.groupby("j").agg(a=("x", "sum"), b=("y", "mean"), c=("k", "sum"))',
    "medians": 'df.groupby(["k", "t"])[["x", "y", "j"]].median()',
}


@pytest.mark.parametrize("name", WORK)
def test_the_peak_is_below_the_limit(large, tmp_path, name):
    said = run(
        f"""
df = pd.read_parquet({large!r})
taken, made = peak(lambda: {WORK[name]})
print(int(taken), len(made))
""",
        BASCULE_MEMORY_LIMIT=ROOM,
        BASCULE_SPILL_DIRECTORY=tmp_path,
    )
    taken, _ = map(int, said.split())
    assert taken < ROOM, f"{taken >> 20} MiB of {ROOM >> 20}"
    assert os.listdir(tmp_path) == []


def test_nothing_is_left_of_a_process_that_is_killed(large, tmp_path):
    process = started(
        f"""
print("ready", flush=True)
df = pd.read_parquet({large!r})
while True:
    {WORK["medians"]}
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
