"""Frames on the default CUDA device, against pandas: what needs sorting, grouping, joining and strings.

python tests/cuda/card_frames.py [ROWS]
"""

import sys

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas

rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
rng = np.random.default_rng(7)
LEFT = pandas.DataFrame(
    {
        "k": rng.integers(0, rows // 50, rows),
        "s": rng.choice(["ab", "c", "xyz", "d\u00e9f"], rows),
        "v": rng.random(rows),
        "w": rng.integers(0, 9, rows),
    }
)
LEFT.loc[::11, "v"] = np.nan
RIGHT = pandas.DataFrame({"k": rng.integers(0, rows // 40, rows // 10), "u": rng.random(rows // 10)})
CALLS = {
    **{how: (lambda f, g, how=how: getattr(f.groupby("k")[["v", "w"]], how)())
       for how in ("sum", "mean", "min", "max", "count", "std", "first", "last", "nunique", "median")},
    **{f"merge {how}": (lambda f, g, how=how: f.merge(g, on="k", how=how)) for how in ("inner", "left", "right", "outer")},
    "groups of two keys": lambda f, g: f.groupby(["s", "k"]).agg({"v": "sum"}),
    "sort_values": lambda f, g: f.sort_values(["s", "v"], ascending=[False, True]),
    "mask": lambda f, g: f[f.v > 0.5],
    "drop_duplicates": lambda f, g: f.drop_duplicates(["k", "s"]),
    "value_counts": lambda f, g: f.s.value_counts(),
    "contains": lambda f, g: f.s.str.contains("b", regex=False),
    "replace": lambda f, g: f.s.str.replace("x", "yy", regex=False),
    "rolling": lambda f, g: f.v.rolling(7).mean(),
    "ewm": lambda f, g: f.v.ewm(span=5).mean(),
    "rank": lambda f, g: f.groupby("k")["v"].rank(),
}  # fmt: skip


def main() -> int:
    bc.config.device = "cuda"
    ours, other, wrong = pd.from_pandas(LEFT), pd.from_pandas(RIGHT), 0
    for name, call in CALLS.items():
        expected = call(LEFT, RIGHT)
        test = (
            pandas.testing.assert_frame_equal
            if isinstance(expected, pandas.DataFrame)
            else pandas.testing.assert_series_equal
        )
        try:
            test(call(ours, other).to_pandas(), expected, check_dtype=False, rtol=1e-11)
            print(f"{name}: equal", flush=True)
        except Exception as error:  # each call is reported, also after one that fails
            wrong += 1
            print(f"{name}: {type(error).__name__}: {str(error)[:400]}", flush=True)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
