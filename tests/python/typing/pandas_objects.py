"""Objects whose members pandas_members.tsv has."""

# ruff: noqa: F401 - its rows use them
import io
import sqlite3
from typing import Any

import bascule.pandas as pd
import numpy as np
import pyarrow as pa

connection = sqlite3.connect(":memory:")
days = pd.date_range("2024-01-01", periods=4)
df = pd.DataFrame({"a": [1, 2, 2, 3], "b": [1.5, 2.5, 3.5, 4.5]}, index=days)
s = df["b"]
t = pd.Series(["u", "v", "u"])
times = pd.to_datetime(pd.Series(["2024-01-01", "2024-02-03"]))
spans = pd.timedelta_range("1D", periods=3)
months = pd.period_range("2024-01", periods=3, freq="M")
spans_of, months_of = spans.to_series(), months.to_series()
c = t.astype("category")
kinds = pd.CategoricalIndex(["u", "v", "u"])
intervals = pd.interval_range(0, 3)
pairs = pd.MultiIndex.from_tuples([(1, "u"), (1, "v"), (2, "u")])
ranged = pd.RangeIndex(3)
ix = pd.Index([1.5, 2.5])
strings = pd.Index(["u", "v"])
lists = pd.Series([[1], [2, 3]], dtype=pd.ArrowDtype(pa.list_(pa.int64())))
structs = pd.Series([{"a": 1}], dtype=pd.ArrowDtype(pa.struct([("a", pa.int64())])))
table: Any = pa.table({"a": [1, 2]})
arrow: Any = pa.chunked_array([[1, 2]])
wide = pd.DataFrame({"x1": [1], "x2": [2], "k": [0]})
plain = df.reset_index(drop=True)
nested = pd.DataFrame({"a": [1, 2, 3], "b": [1.5, 2.5, 3.5]}, index=pairs)
monthly = pd.DataFrame({"a": [1, 2, 3]}, index=months)
sparse = pd.DataFrame({"a": [1.0, 0.0]}).astype("Sparse[float]")
