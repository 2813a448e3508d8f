"""A call that raises leaves its objects unchanged: they, and the same call, work afterwards."""

import contextlib
import io

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule import _core

host = _core.to_numpy
ROWS = 100_000
RNG = np.random.default_rng(5)
TABLE = pandas.DataFrame(
    {"k": RNG.integers(0, 75_000, ROWS), "v": RNG.normal(size=ROWS), "s": RNG.choice(["a", "bb", "c"], ROWS)}
).astype({"s": "str"})
KEYS = TABLE[["k", "v"]].iloc[::-1].drop_duplicates("k").rename(columns={"v": "w"}).reset_index(drop=True)
VECTOR = RNG.normal(size=ROWS)
SQUARE = RNG.integers(-9, 9, size=(400, 400)).astype(float)


@contextlib.contextmanager
def room_for(nbytes):
    """Limit memory on the CPU to what is in use now plus so many bytes."""
    _core.trim("cpu")
    _core.set_memory_limit("cpu", _core.memory("cpu")["in_use"] + nbytes)
    try:
        yield
    finally:
        _core.set_memory_limit("cpu", 0)


def same(found, expected, tolerance=0.0):
    if type(found) is bc.ndarray:
        np.testing.assert_allclose(host(found), expected, rtol=0, atol=tolerance)
    elif isinstance(found, pd.DataFrame):
        pandas.testing.assert_frame_equal(found.to_pandas(), expected, rtol=1e-12, atol=1e-12)
    else:
        pandas.testing.assert_series_equal(found.to_pandas(), expected, rtol=1e-12, atol=1e-12)


@pytest.fixture(scope="module")
def objects(tmp_path_factory):
    """The same objects for (bascule, bascule.pandas) and (NumPy, pandas)."""
    path = tmp_path_factory.mktemp("errors") / "t.csv"
    TABLE.to_csv(path, index=False)
    mine = {"t": pd.from_pandas(TABLE), "keys": pd.from_pandas(KEYS), "x": bc.asarray(VECTOR), "m": bc.asarray(SQUARE)}
    theirs = {"t": TABLE, "keys": KEYS, "x": VECTOR, "m": SQUARE}
    return {"np": bc, "pd": pd, "path": path, **mine}, {"np": np, "pd": pandas, "path": path, **theirs}


HUNGRY = {
    "groupby": lambda o: o["t"].groupby("k")["v"].sum(),
    "groupby texts": lambda o: o["t"].groupby(["s", "k"])["v"].mean(),
    "merge": lambda o: o["t"].merge(o["keys"], on="k"),
    "sort_values": lambda o: o["t"].sort_values("v"),
    "filter": lambda o: o["t"][o["t"]["v"] > 0],
    "value_counts": lambda o: o["t"]["k"].value_counts(),
    "drop_duplicates": lambda o: o["t"].drop_duplicates("k"),
    "read_csv": lambda o: o["pd"].read_csv(o["path"], dtype={"s": "str"}),
    "fft": lambda o: o["np"].fft.fft(o["x"]),
    "matmul": lambda o: o["m"] @ o["m"],
    "sort": lambda o: o["np"].sort(o["x"]),
    "argsort": lambda o: o["np"].argsort(o["x"]),
    "cumsum": lambda o: o["np"].cumsum(o["x"]),
}


@pytest.mark.parametrize("room", [50_000, 400_000])
@pytest.mark.parametrize("name", HUNGRY)
def test_without_memory_nothing_changes(name, room, objects):
    mine, theirs = objects
    with bc.config.set(fallback="error"):
        with room_for(room), pytest.raises(MemoryError):
            bc.evaluate(HUNGRY[name](mine))
        same(HUNGRY[name](mine), HUNGRY[name](theirs), tolerance=1e-9 if name == "fft" else 0.0)
    for k in ("t", "keys", "x", "m"):
        same(mine[k], theirs[k])


WRONG = {
    "malformed CSV": lambda o: o["pd"].read_csv(io.StringIO("a,b\n1,2\n1,2,3\n")),
    "unclosed quote": lambda o: o["pd"].read_csv(io.StringIO('a,b\n"1,2\n')),
    "shapes": lambda o: o["x"] + o["m"],
    "shapes in place": lambda o: o["m"].__iadd__(o["x"]),
    "shapes of a product": lambda o: o["m"] @ o["x"],
    "a shape": lambda o: o["x"].reshape(7, 7),
    "an axis": lambda o: o["m"].sum(axis=2),
    "an index": lambda o: o["x"][ROWS],
    "a write": lambda o: o["m"].__setitem__(slice(0, 3), np.ones((3, 7))),
    "casting": lambda o: o["np"].add(o["x"], 1, out=o["np"].zeros(ROWS, "i4")),
    "a dtype": lambda o: o["np"].bitwise_and(o["x"], 1),
    "an unknown dtype": lambda o: o["x"].astype("nonsense"),
    "a column": lambda o: o["t"]["nonsense"],
    "a label": lambda o: o["t"].loc[ROWS],
    "a length": lambda o: o["t"].__setitem__("v", [1.0, 2.0]),
    "a key": lambda o: o["t"].merge(o["keys"], on="v"),
    "types of columns": lambda o: o["t"]["s"].astype("float64"),
    "a mask": lambda o: o["t"][[True, False]],
    "numbers of texts": lambda o: o["t"]["s"] - o["t"]["v"],
}
AFTER = {
    "x": lambda o: o["np"].sqrt(o["np"].abs(o["x"])) + 1,
    "m": lambda o: o["m"] @ o["m"],
    "t": lambda o: o["t"].groupby("s").agg({"v": "sum", "k": "max"}),
    "keys": lambda o: o["keys"].sort_values("w"),
}


@pytest.mark.filterwarnings("ignore::bascule.FallbackWarning")
@pytest.mark.parametrize("name", WRONG)
def test_after_an_error_the_same_objects_work(name, objects):
    mine, theirs = objects
    with pytest.raises(Exception) as expected:
        WRONG[name](theirs)
    # NumPy's private error classes stand for the public ones that they derive from.
    kind = next(c for c in type(expected.value).__mro__ if not c.__module__.startswith("numpy._"))
    with pytest.raises(kind):
        WRONG[name](mine)
    for k, after in AFTER.items():
        same(mine[k], theirs[k])
        same(after(mine), after(theirs))


@pytest.mark.parametrize("name", ["nonsense", "tpu"])
def test_after_an_unknown_device_the_same_objects_work(name, objects):
    mine, theirs = objects
    for ask in (bc.device, mine["x"].to_device, mine["m"].to_device):
        with pytest.raises(ValueError, match="unknown device"):
            ask(name)
    for after in AFTER.values():
        same(after(mine), after(theirs))
