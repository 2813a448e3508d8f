"""Copies and pickles of groups, windows, bins and accessors: what is asked of them afterwards is the same."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import bascule
import pandas
import pytest
from frame_samples import native_or_same
from pandas import DataFrame

ROWS = DataFrame({"k": [1, 1, 2], "x": [1.5, 2, 3], "s": ["a", "b", None]})
ROWS["t"] = pandas.to_datetime(["2020-01-01", "2020-01-02", "2020-02-01"])
ROWS["c"] = ROWS.s.astype("category")
ROWS["z"] = ROWS.t.dt.tz_localize("Asia/Tokyo")

MADE: dict[str, tuple[Any, Any]] = {
    "groups": (lambda f: f.groupby("k"), lambda g: g.x.sum()),
    "groups of several keys": (lambda f: f.groupby(["k", "s"], dropna=False), lambda g: g.x.sum()),
    "groups of categories": (lambda f: f.groupby("c", observed=True), lambda g: g.x.sum()),
    "groups of a zone": (lambda f: f.groupby("z"), lambda g: g.x.sum()),
    "groups by values": (lambda f: f.groupby([1, 1, 2]), lambda g: g.x.sum()),
    "chosen columns": (lambda f: f.groupby("k")[["x"]], lambda g: g.sum()),
    "grouped series": (lambda f: f.groupby("k").x, lambda g: g.agg(["sum", "max"])),
    "groups of bins": (lambda f: f.groupby(pandas.Grouper(key="t", freq="MS")), lambda g: g.x.sum()),
    "used groups": (lambda f: [g := f.groupby("k"), g.x.sum(), g.x.cumsum()][0], lambda g: g.x.max()),
    "rolling": (lambda f: f.x.rolling(2), lambda r: r.sum()),
    "rolling of frames": (lambda f: f[["x"]].rolling(2, min_periods=1), lambda r: r.mean()),
    "rolling in groups": (lambda f: f.groupby("k").x.rolling(2), lambda r: r.sum()),
    "expanding": (lambda f: f.x.expanding(), lambda r: r.sum()),
    "ewm": (lambda f: f.x.ewm(com=1), lambda r: r.mean()),
    "resampler": (lambda f: f.set_index("t").resample("D"), lambda r: r.x.sum()),
    "resampled series": (lambda f: f.set_index("t").x.resample("D"), lambda r: r.sum()),
    "resampler of groups": (lambda f: f.set_index("t").groupby("k").resample("D"), lambda r: r.x.sum()),
    ".str": (lambda f: f.s.str, lambda s: s.upper()),
    ".dt": (lambda f: f.t.dt, lambda s: s.year),
    ".dt of a zone": (lambda f: f.z.dt, lambda s: s.hour),
    ".cat": (lambda f: f.c.cat, lambda s: s.codes),
    ".str of labels": (lambda f: f.set_index("s").index.str, lambda s: s.upper()),
}
WAYS = {
    "pickle": lambda x: pickle.loads(pickle.dumps(x)),
    "pickle by protocol 2": lambda x: pickle.loads(pickle.dumps(x, protocol=2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", MADE)
def test_copies(kind, way):
    make, use = MADE[kind]
    native_or_same(lambda f: use(WAYS[way](make(f))), ROWS)


@pytest.mark.parametrize("kind", MADE)
def test_in_the_accelerated_mode_pickles_hold_pandas_own_and_copies_ours(kind):
    make, use = MADE[kind]
    rows, plain = native(ROWS), make(ROWS)
    bascule.accelerate(imports=False)
    try:
        with bascule.config.set(fallback="silent"):
            made = make(rows)
            sent = pickle.dumps(made)
            there, copied = pickle.loads(sent), copy.deepcopy(made)
    finally:
        bascule.accelerate.undo()
    assert type(copied) is type(made)
    if kind != "resampler of groups":  # pandas' own in any case, which says so
        assert type(there) is type(plain) and b"bascule" not in sent
    with bascule.config.set(fallback="silent"):
        assert use(there).equals(use(plain))
        for other in (copied, copy.copy(made)):
            assert use(other).equals(use(made))


@pytest.mark.parametrize("accelerated", [False, True])
def test_copies_of_labels_are_ours(accelerated):
    if accelerated:
        bascule.accelerate(imports=False)
    try:
        for labels in (native(ROWS).set_index("s").index, native(ROWS).set_index(["k", "t"]).index, native(ROWS).index):
            for made in (copy.copy(labels), copy.deepcopy(labels), copy.deepcopy([labels])[0]):
                assert type(made) is type(labels) and made is not labels and made.identical(labels)
    finally:
        if accelerated:
            bascule.accelerate.undo()


def test_another_process_reads_them():
    rows = native(ROWS[["k", "x"]])
    sent = pickle.dumps([rows.groupby("k"), rows.x.rolling(2), rows.x.expanding()])
    program = "import pickle, sys; g, *w = pickle.loads(sys.stdin.buffer.read()); print(g.x.sum().tolist(), w[1].sum().tolist())"
    done = subprocess.run([sys.executable, "-c", program], input=sent, capture_output=True, check=True)
    assert done.stdout.decode().split("\n")[0] == "[3.5, 3.0] [1.5, 3.5, 6.5]"


def test_a_deep_copy_does_not_follow_its_model():
    rows = native(ROWS)
    grouped = rows.groupby("k")
    copied = copy.deepcopy(grouped)
    assert copied.obj is not rows
    assert copied.x.sum().tolist() == grouped.x.sum().tolist()


def native(f: DataFrame) -> Any:
    import bascule.pandas as pd

    return pd.from_pandas(f)
