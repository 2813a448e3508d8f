"""Frames and arrays of types that arrays of bascule do not hold: text and objects go in, come out and are computed with."""

import bascule as bc
import bascule.pandas as bpd
import numpy
import pandas
import pytest

LINES = """
np.unique(df.s)
np.isin(df.s, ["x"])
np.setdiff1d(df.columns, ["a"])
np.sort(df.columns)
np.append(df.columns, "q")
np.array(df.s)
np.array(df)
np.asarray(df.columns)
np.where(df.s == "x", "yes", "no")
np.where(df.s == "x", df.s, "no")
np.concatenate([df.s, ["z"]])
np.select([df.a > 1], [df.s], "none")
np.char.upper(df.s.to_numpy(dtype=str))
np.vectorize(len)(df.s)
np.unique(df.s, return_counts=True)
np.intersect1d(df.s, ["x"])
np.array(df.s.tolist())
np.argsort(df.s)
np.array_equal(df.s, df.s)
np.isin(["x", "q"], df.s)
np.random.RandomState(0).choice(df.s, 2)
np.random.RandomState(0).permutation(df.s)
np.repeat(df.s, 2)
np.stack([df.s, df.s])
np.insert(df.columns, 0, "n")
np.array([df.s, df.s])
np.searchsorted(df.columns, "b")
np.union1d(df.columns, ["q"])
np.isin(df.columns, ["a"])
df["t"] = np.array(["p", "q", "r"]); r = df.t
df["t"] = np.array([None, 1, "r"], dtype=object); r = df.t
df["t"] = np.array(["p", "q", "r"], dtype=object); r = df.t
df["t"] = np.where(df.a > 1, "hi", "lo"); r = df.t
df.loc[df.a > 1, "s"] = np.array(["u", "v"]); r = df.s
pd.Series(np.array(["a", "b"]))
pd.Series(np.array([1, "b"], dtype=object))
pd.DataFrame({"a": np.array(["x"]), "b": np.array([1])})
pd.DataFrame(np.array([["x", "y"]]))
pd.DataFrame(np.array([(1, "a")], dtype=[("n", int), ("s", "U1")]))
pd.Index(np.array(["a", "b"]))
df.s + np.array(["1", "2", "3"])
df.s == np.array(["x", "y", "q"])
df.a * np.array([1, 2, 3], dtype=object)
df.s.isin(np.array(["x"]))
df[np.array(["a", "s"])]
df.reindex(columns=np.array(["s", "a"]))
df.sort_values(list(np.array(["s"])))
df.groupby(np.array(["u", "v", "u"])).a.sum()
pd.concat([df.s, pd.Series(np.array(["k"]))])
df.set_index(np.array(["i", "j", "k"]))
df.s.map(dict(zip(np.array(["x"]), [1])))
pd.cut(df.a, 2, labels=np.array(["lo", "hi"]))
df.s.replace("x", np.str_("w"))
df.to_numpy()
df.to_records()
df.s.to_numpy()
df.values
np.ma.masked_array(df.a, df.a > 1).sum()
df.a.astype(object)
np.array(df.a.astype(str))
np.longdouble(1) + df.a
df.a + np.longdouble(1)
np.datetime64("2020-01-01") in df.d.values
np.busday_count(df.d.values.astype("M8[D]"), "2020-03-01")
np.unique(df.d)
np.array(df.d)
np.max(df.s)
np.sum(df.s)
""".strip().splitlines()


def _values(x):
    if isinstance(x, (bpd.Series, pandas.Series)):
        return "Series", str(x.dtype), *([repr(v) for v in y.tolist()] for y in (x, x.index))
    if isinstance(x, (bpd.DataFrame, pandas.DataFrame)):
        rows = [[repr(v) for v in row] for row in x.to_numpy().tolist()]
        return "frame", [str(t) for t in x.dtypes.tolist()], repr(x.columns.tolist()), rows, repr(x.index.tolist())
    if isinstance(x, (bpd.Index, pandas.Index)):
        return "index", str(x.dtype), repr(x.tolist())
    if isinstance(x, (bc.ndarray, numpy.ndarray)):
        kind = "masked" if isinstance(x, numpy.ma.MaskedArray) else "array"
        return kind, str(x.dtype), x.shape, repr(numpy.asarray(x).tolist())
    if isinstance(x, (tuple, list)):
        return [_values(v) for v in x]
    return type(x).__name__, repr(x)


def _outcome(line, np, pd):
    dates = pd.to_datetime(["2020-01-01", "2020-02-03", "2020-02-04"])
    names = {"np": np, "pd": pd, "df": pd.DataFrame({"a": [1, 2, 3], "s": ["x", "y", "x"], "d": dates})}
    try:
        if "; r = " in line:
            exec(line, names)
            return _values(names["r"])
        return _values(eval(line, names))
    except Exception as error:
        return type(error).__name__


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", LINES)
def test_a_line_gives_what_pandas_gives(line):
    wanted = _outcome(line, numpy, pandas)
    with bc.config.set(fallback="silent"):
        assert _outcome(line, bc, bpd) == wanted
