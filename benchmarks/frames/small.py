"""Calls on ten rows, alternating pandas and bascule.pandas: `python benchmarks/frames/small.py [--only TEXT] [--profile
CALL]`.

It prints microseconds, the best of many; the result of each call is compared with pandas' first.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import time
from collections.abc import Callable
from typing import Any

import bascule as bc
import bascule.pandas
import pandas
from pandas import testing

DATA = {"k": list("abcabcabca"), "x": [0.5 * i for i in range(10)], "n": list(range(10))}


def inputs(pd: Any) -> dict[str, Any]:
    df = pd.DataFrame(DATA)
    return {"df": df, "s": df["x"], "text": df["k"], "right": pd.DataFrame({"k": list("abc"), "w": [1, 2, 3]}), "labelled": df.set_index("n")}  # fmt: skip


def set_item(pd: Any, v: Any) -> Any:
    v["df"]["x"] = v["s"]
    return v["df"]


CALLS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "DataFrame(dict)": lambda pd, v: pd.DataFrame(DATA),
    "Series(list)": lambda pd, v: pd.Series(DATA["x"]),
    "df['x']": lambda pd, v: v["df"]["x"],
    "df[['x', 'n']]": lambda pd, v: v["df"][["x", "n"]],
    "df[df.n > 3]": lambda pd, v: v["df"][v["df"]["n"] > 3],
    "df['x'] = s": set_item,
    "loc[row, column]": lambda pd, v: v["labelled"].loc[3, "x"],
    "iloc[2:5]": lambda pd, v: v["df"].iloc[2:5],
    "iloc[3]": lambda pd, v: v["df"][["x", "n"]].iloc[3],
    "at[row, column]": lambda pd, v: v["df"].at[3, "x"],
    "iterrows": lambda pd, v: [row["n"] for _, row in v["df"].iterrows()],
    "repr": lambda pd, v: repr(v["df"]),
    "s + 1": lambda pd, v: v["s"] + 1,
    "s.sum()": lambda pd, v: v["s"].sum(),
    "df.mean(numeric_only=True)": lambda pd, v: v["df"].mean(numeric_only=True),
    "merge": lambda pd, v: v["df"].merge(v["right"], on="k"),
    "groupby.sum": lambda pd, v: v["df"].groupby("k")["x"].sum(),
    "str.upper": lambda pd, v: v["text"].str.upper(),
    "rolling(3).mean": lambda pd, v: v["s"].rolling(3).mean(),
    "sort_values": lambda pd, v: v["df"].sort_values("x", ascending=False),
    "concat": lambda pd, v: pd.concat([v["df"], v["df"]]),
    "value_counts": lambda pd, v: v["text"].value_counts(),
    "describe": lambda pd, v: v["s"].describe(),
    "fillna": lambda pd, v: v["df"].fillna(0),
}


def compare(found: Any, wanted: Any) -> None:
    found = found.to_pandas() if hasattr(found, "to_pandas") else found
    if isinstance(wanted, pandas.DataFrame):
        testing.assert_frame_equal(found, wanted)
    elif isinstance(wanted, pandas.Series):
        testing.assert_series_equal(found, wanted)
    else:
        assert found == wanted, f"{found!r} is not {wanted!r}"


def measure(call: Callable[[Any, dict[str, Any]], Any], rounds: int) -> dict[str, float]:
    modules = {"pandas": pandas, "bascule": bascule.pandas}
    held = {name: inputs(module) for name, module in modules.items()}
    compare(call(bascule.pandas, held["bascule"]), call(pandas, held["pandas"]))
    best = dict.fromkeys(modules, float("inf"))
    for _ in range(rounds):
        for name, module in modules.items():
            v = held[name]
            start = time.perf_counter()
            bc.evaluate(call(module, v))
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Time calls on ten rows.")
    parser.add_argument("--only", default="", metavar="TEXT", help="calls whose name holds this text")
    parser.add_argument("--rounds", type=int, default=2000, metavar="N", help="turns of each library")
    parser.add_argument("--profile", default="", metavar="CALL", help="show where a call spends its time instead")
    options = parser.parse_args(argv)
    if options.profile:
        v, call = inputs(bascule.pandas), CALLS[options.profile]
        with cProfile.Profile() as profile:
            for _ in range(options.rounds):
                bc.evaluate(call(bascule.pandas, v))
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        return 0
    print("| call | pandas, µs | bascule, µs | ratio |\n|---|---|---|---|")
    for name, call in CALLS.items():
        if options.only in name:
            best = measure(call, options.rounds)
            a, b = best["pandas"] * 1e6, best["bascule"] * 1e6
            print(f"| `{name}` | {a:.1f} | {b:.1f} | {a / b:.2f}× |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
