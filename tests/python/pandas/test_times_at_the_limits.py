"""Times that a unit cannot say: pandas' error, or pandas' result, and never another time."""

from __future__ import annotations

import itertools

import numpy as np
import pandas
import pytest
from frames import both

UNITS = ("s", "ms", "us", "ns")
FAR = {
    "s": ["1700-01-01", "2200-01-01", None, "200000-01-01"], "ms": ["1700-01-01", "2200-01-01", None, "9999-01-01"],
    "us": ["1700-01-01", "2200-01-01", None, "9999-01-01"], "ns": ["1700-01-01", "2200-01-01", None, "2262-01-01"],
}  # fmt: skip


def dates(unit, n=4):
    return pandas.Series(
        np.array([np.datetime64("NaT", unit) if v is None else v for v in FAR[unit]][:n], f"M8[{unit}]")
    )


def spans(unit, days):
    return pandas.Series(
        np.array([np.timedelta64("NaT", "D") if d is None else np.timedelta64(d, "D") for d in days]).astype(
            f"m8[{unit}]"
        )
    )


LONG = {
    "ns": [100_000, -100_000, None, 106_000],
    "us": [100_000, -100_000, None, 50_000_000],
    "ms": [100_000, -9, None, 10**9],
    "s": [100_000, -9, None, 10**11],
}
FRAMES = {(kind, unit): dates(unit) if kind == "M" else spans(unit, LONG[unit]) for kind in "Mm" for unit in UNITS}
OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "r+": lambda a, b: b + a, "r-": lambda a, b: b - a, "==": lambda a, b: a == b, "<": lambda a, b: a < b, ">=": lambda a, b: a >= b,
    "/": lambda a, b: a / b, "//": lambda a, b: a // b, "%": lambda a, b: a % b, "add": lambda a, b: a.add(b), "frame": lambda a, b: a.to_frame("x") + b.to_frame("x"),
}  # fmt: skip


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("kinds", ["MM", "Mm", "mM", "mm"])
def test_operators_of_columns(op, kinds):
    for u, v in itertools.product(UNITS, UNITS):
        a, b = FRAMES[kinds[0], u], FRAMES[kinds[1], v]
        for x, y in ((a, b), (a, b[::-1].reset_index(drop=True)), (a[:1], b[1:2].reset_index(drop=True))):
            try:
                both(OPERATORS[op], x, y, fallback="silent")
            except AssertionError as e:
                raise AssertionError(f"{kinds[0]}{u} {op} {kinds[1]}{v}: {e}") from e


SCALARS = [
    pandas.Timestamp("2200-01-01"), pandas.Timestamp("9999-01-01").as_unit("us"), np.datetime64("1500-01-01"), np.datetime64("20000-01-01", "s"), pandas.Timedelta(days=100_000),
    pandas.Timedelta(days=-100_000), np.timedelta64(10**7, "D"), np.timedelta64(1, "ns"), pandas.Timestamp("2262-04-11"), pandas.Timedelta(1, "s"), pandas.Timestamp("1677-10-01").as_unit("ns"),
]  # fmt: skip


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("scalar", range(len(SCALARS)))
def test_operators_with_a_scalar(op, scalar):
    if op == "frame":
        return
    for (kind, u), a in FRAMES.items():
        try:
            both(lambda x: OPERATORS[op](x, SCALARS[scalar]), a, fallback="silent")
        except AssertionError as e:
            raise AssertionError(f"{kind}{u} {op} {SCALARS[scalar]!r}: {e}") from e


@pytest.mark.parametrize("factor", [2, -3, 100_000, 1.5, 1e6, 10**12])
@pytest.mark.parametrize("unit", UNITS)
def test_multiples_of_spans(unit, factor):
    for op in (
        lambda x: x * factor,
        lambda x: factor * x,
        lambda x: x / factor,
        lambda x: x // factor,
        lambda x: x * pandas.Series([factor] * 4),
    ):
        both(op, FRAMES["m", unit], fallback="silent")


@pytest.mark.parametrize("to", UNITS)
@pytest.mark.parametrize("kind", "Mm")
@pytest.mark.parametrize("unit", UNITS)
def test_other_units(unit, kind, to):
    x = FRAMES[kind, unit]
    y = FRAMES[kind, to]
    for part in (x, x[:3], x[1:2]):
        both(lambda s: s.astype(f"{kind}8[{to}]"), part, fallback="silent")
        both(lambda s: s.dt.as_unit(to), part, fallback="silent")
        both(lambda s: s.to_frame("x").astype({"x": f"{kind}8[{to}]"}), part, fallback="silent")
    both(lambda s: s.to_frame("x").set_index("x").index.astype(f"{kind}8[{to}]"), x, fallback="silent")
    both(lambda a, b: a.isin(b), x, y, fallback="silent")
    both(lambda a, b: a.where([True, False, True, False], b), x, y, fallback="silent")
    both(lambda a, b: a.fillna(b), x, y, fallback="silent")
    both(lambda a, b: a.fillna(b.iloc[1]), x, y, fallback="silent")
    both(lambda a, b: a.combine_first(b), x, y, fallback="silent")
    both(lambda a, b: a.to_frame("k").merge(b.to_frame("k"), on="k"), x, y[::-1], fallback="silent")
    both(lambda a, b: a.to_frame("k").merge(b.to_frame("k"), on="k", how="outer"), x[:3], y[1:3], fallback="silent")
    both(
        lambda a, b: a.dropna().to_frame("k").set_index("k").join(b.dropna().to_frame("k").assign(v=1).set_index("k")),
        x,
        y,
        fallback="silent",
    )
    both(lambda a, b: a.searchsorted(b.iloc[0]) if a.is_monotonic_increasing else 0, x[:2], y, fallback="silent")


@pytest.mark.parametrize("unit", UNITS)
def test_put_together(unit):
    import bascule as bc
    import bascule.pandas as pd
    from frames import assert_same, ours

    for kind, to in itertools.product("Mm", UNITS):
        parts = [FRAMES[kind, unit], FRAMES[kind, to]]
        with bc.config.set(fallback="silent"):
            try:
                expected = pandas.concat(parts, ignore_index=True)
            except Exception as e:
                with pytest.raises(type(e)):
                    pd.concat(ours(parts), ignore_index=True)
            else:
                assert_same(pd.concat(ours(parts), ignore_index=True), expected)


@pytest.mark.parametrize("unit", UNITS)
def test_sums_and_running_sums(unit):
    for x in (
        FRAMES["m", unit],
        spans(unit, [100_000, 100_000, 100_000, 100_000] if unit == "ns" else [1, 2, None, 3]),
    ):
        for name in ("sum", "cumsum", "diff", "mean", "median", "abs", "min", "max", "std", "cummax", "shift"):
            both(lambda s, n=name: getattr(s, n)(), x, fallback="silent")
        both(lambda s: s.groupby([0, 0, 1, 1]).sum(), x, fallback="silent")
        both(lambda s: s.groupby([0, 0, 0, 0]).cumsum(), x, fallback="silent")
        both(lambda s: -s, x, fallback="silent")
    for name in ("diff", "mean", "median", "min", "max", "shift"):
        both(lambda s, n=name: getattr(s, n)(), FRAMES["M", unit], fallback="silent")
    far = pandas.Series(np.array(["1700-01-01", "2250-01-01", "2000-01-01"], f"M8[{unit}]"))
    for name in ("diff", "shift", "min", "max", "first", "mean", "median"):
        both(lambda s, n=name: getattr(s.groupby([0, 0, 1]), n)(), far, fallback="silent")
        both(lambda s, n=name: getattr(s.to_frame("x").groupby([0, 0, 1]), n)(), far, fallback="silent")


def test_floor_and_round_at_the_limits():
    for unit, freq in itertools.product(UNITS, ["D", "h", "s"]):
        for name in ("floor", "ceil", "round"):
            both(lambda s, n=name, f=freq: getattr(s.dt, n)(f), FRAMES["M", unit], fallback="silent")
            both(
                lambda s, n=name, f=freq: getattr(s.dt, n)(f),
                pandas.Series([pandas.Timestamp.max, pandas.Timestamp.min]),
                fallback="silent",
            )
        both(lambda s: s.dt.normalize(), FRAMES["M", unit], fallback="silent")
    both(lambda s: s.dt.normalize(), pandas.Series([pandas.Timestamp.max, pandas.Timestamp.min]), fallback="silent")


def test_labels_at_the_limits():
    index = pandas.DatetimeIndex(np.array(["2200-01-01"], "M8[ns]"))
    far, long = pandas.Timestamp("9999-01-01"), pandas.Timedelta(days=100_000)
    other = pandas.Series([1], index=pandas.DatetimeIndex(np.array(["9999-01-01"], "M8[s]")))
    both(lambda i: i + long, index, fallback="silent")
    both(lambda i: i - long, index, fallback="silent")
    both(lambda i: i < far, index, fallback="silent")
    both(lambda i: far in i, index, fallback="silent")
    labelled = pandas.Series([1], index=index)
    for call in (
        lambda s, o: s.loc[far:], lambda s, o: s.reindex(o.index), lambda s, o: s + o, lambda s, o: s.to_frame("a").join(o.to_frame("b"), how="outer"), lambda s, o: s.shift(100_000, freq="D"),
        lambda s, o: s.index.to_series().replace(index[0], far), lambda s, o: s.index.to_series().between(pandas.Timestamp("1000-01-01"), far), lambda s, o: s.index.to_series().clip(upper=far),
    ):  # fmt: skip
        both(call, labelled, other, fallback="silent")
