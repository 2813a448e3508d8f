"""Counts the typical frame calls that run on the emulated CUDA device, and lists those that raise, with the reason.

    python tests/cuda/frame_calls.py [--only TEXT] [--every N] [--write FILE]

Each call is made on frames of ten rows with fallbacks forbidden, and its result compared with pandas'. Calls that are
not native on the CPU device are not counted. For each call the bytes moved from and to the host before its result was
read are listed; a call that moves a column counts as failed. Nothing here runs on a GPU.
"""

from __future__ import annotations

import argparse
import collections
import ctypes
import io
import os
import re
import sys
import tempfile
import warnings
from pathlib import Path

SUPPORT = Path(__file__).resolve().parents[1] / "python/support"
sys.path.insert(0, str(SUPPORT))
import emulated_cuda

ROWS = 4000
# Bytes that a call may read back: counts, labels, single values. A column has 32,000.
FEW = 4096

CALLS = {
    "making": """
pd.DataFrame({'a': [1, 2], 'b': [1.5, None]}) ; pd.Series([3, 1, 2]) ; df.copy() ; df.astype({'i': 'float64'})
df.i.astype('float32') ; df.f.to_frame() ; df.assign(z=df.i * 2) ; df.rename(columns={'i': 'j'}) ; df[['i', 'f']] ; df.f
df.drop(columns=['i']) ; df.set_index('k') ; df.reset_index() ; df.shape ; df.dtypes ; df.columns ; df.index ; len(df)
""",
    "arithmetic": """
df.f + 1 ; df.f + df.i ; df.f - df.f ; df.i * 2 ; df.f / df.i ; df.i // 3 ; df.i % 3 ; df.f ** 2 ; -df.f ; abs(df.f)
df[['i', 'f']] + 1 ; df[['i', 'f']] * df[['i', 'f']] ; df.f.add(df.i, fill_value=0) ; df.f.round(1) ; df.f.clip(-1, 1)
np.sqrt(df.f.abs()) ; np.log1p(df.f.abs()) ; df.n + df.n ; df.n * 2 ; df.f.diff() ; df.f.shift(1) ; df.f.pct_change()
""",
    "comparing": """
df.f > 0 ; df.i == 3 ; df.f < df.i ; (df.f > 0) & (df.i < 5) ; ~(df.f > 0) ; df.f.between(-1, 1) ; df.i.isin([1, 3, 5])
df.f.isna() ; df.f.notna() ; df.n > 2 ; df[['i', 'f']] > 0 ; df.f.eq(df.f) ; df.i.ne(2) ; df.isna()
""",
    "selecting": """
df[df.f > 0] ; df[df.n > 2] ; df.f[df.i == 1] ; df.head() ; df.tail(3) ; df.iloc[2:5] ; df.iloc[[1, 3]] ; df.iloc[3:9:2]
df.loc[2:5] ; df.loc[df.i > 2, 'f'] ; df.loc[df.i > 2, ['i', 'f']] ; df.iloc[3:4] ; df.f.iloc[4]
df.f.loc[2:4] ; df.f.iloc[-3:] ; df.loc[[1, 5]] ; df.f.take([2, 0]) ; df.take([1, 2]) ; df[df.i.isin([1])]
df.f.where(df.f > 0) ; df.f.mask(df.f > 0, 0.0) ; df.iloc[::-1] ; df.nlargest(3, 'f') ; df.f.nsmallest(3)
""",
    "assigning": """
put(df, 'z', df.f + 1) ; put(df, 'z', 5) ; put(df, 'f', df.i) ; put_where(df.f, df.f > 0, 0.0) ; put_loc(df, df.i > 2, 'f', 1.0)
put_loc(df, slice(2, 4), 'i', 7) ; put_iloc(df, 3, 1, 2.5)
""",
    "reducing": """
df.f.sum() ; df.f.mean() ; df.f.min() ; df.f.max() ; df.f.std() ; df.f.var() ; df.f.count() ; df.i.sum() ; df.i.prod()
df.f.median() ; df.f.quantile(0.3) ; df.n.sum() ; df.n.mean() ; df.n.min() ; df[['i', 'f']].sum() ; df[['i', 'f']].mean()
df[['i', 'f']].std() ; df[['i', 'f']].max() ; (df.f > 0).any() ; (df.f > 0).all() ; df.i.nunique() ; df.f.idxmax() ; df.f.skew()
df[['i', 'f']].describe() ; df.f.agg(['sum', 'mean']) ; df[['i', 'f']].corr() ; df.f.cov(df.i) ; df.t.min() ; df.t.max()
""",
    "cumulating": """
df.f.cumsum() ; df.i.cumprod() ; df.f.cummax() ; df.f.cummin() ; df.i.cumsum()
""",
    "missing": """
df.f.fillna(0) ; df.f.dropna() ; df[['i', 'f']].dropna() ; df.n.fillna(0) ; df.f.ffill() ; df.f.bfill() ; df.f.interpolate()
""",
    "ordering": """
df.sort_values('f') ; df.sort_values(['i', 'f']) ; df.sort_values('f', ascending=False) ; df.f.sort_values() ; df.sort_index()
df.i.value_counts() ; df.i.unique() ; df.i.drop_duplicates() ; df[['i']].drop_duplicates() ; df.f.rank() ; df.sort_values('s')
df.f.argsort() ; df.i.duplicated() ; pd.factorize(df.i) ; pd.factorize(df.s) ; df.i.mode()
pd.cut(df.f, [-9, 0, 9], labels=False) ; df.s.unique() ; df.s.value_counts() ; df.s.nunique()
""",
    "grouping": """
df.groupby('k').f.sum() ; df.groupby('k').f.mean() ; df.groupby('k').f.count() ; df.groupby('k').size() ; df.groupby('k').f.min()
df.groupby('k').f.max() ; df.groupby('k').f.first() ; df.groupby('k').f.last() ; df.groupby('k').i.prod() ; df.groupby('k').f.var()
df.groupby('k').f.std() ; df.groupby('k').b.any() ; df.groupby('k').b.all() ; df.groupby('k').i.nunique() ; df.groupby('k').f.median()
df.groupby(['k', 'i']).f.sum() ; df.groupby('s').f.sum() ; df.groupby('s').f.agg(['sum', 'mean']) ; df.groupby('k').agg({'f': 'sum', 'i': 'max'})
df.groupby('k')[['f', 'i']].mean() ; df.groupby('k').n.sum() ; df.groupby('k').f.transform('mean') ; df.groupby('k').f.cumsum()
df.groupby('k').cumcount() ; df.groupby('k').f.rank() ; df.groupby('k').f.shift() ; df.groupby('k').head(2) ; df.groupby('k').ngroup()
df.groupby('k', sort=False).f.sum() ; df.groupby('k').f.quantile(0.25) ; df.groupby('k').s.first() ; df.groupby('k').s.nunique()
df.groupby('k').t.max() ; df.groupby('k').f.describe() ; df.groupby(df.f > 0).i.sum() ; df.groupby('k').f.diff()
""",
    "joining": """
df.merge(other, on='k') ; df.merge(other, on='k', how='left') ; df.merge(other, on='k', how='right') ; df.merge(other, on='k', how='outer')
df.merge(other, on=['k', 'i']) ; df.merge(texts, on='s') ; df.merge(texts, on='s', how='left') ; pd.concat([df, df]) ; pd.concat([df.f, df.i], axis=1)
df[['k', 'f']].join(other.w) ; pd.concat([df.s, df.s])
df.merge(other, left_on='i', right_on='k', suffixes=('', '_r')) ; pd.merge_asof(df.sort_values('i', kind='stable'), other.sort_values('i', kind='stable'), on='i')
""",
    "reshaping": """
df.pivot_table(index='k', columns='i', values='f', aggfunc='sum') ; df[['i', 'f']].melt() ; df[['k', 'i', 'f']].groupby(['k', 'i']).f.sum().unstack()
pd.get_dummies(df.k) ; pd.crosstab(df.k, df.i)
""",
    "text": """
df.s == 'b' ; df.s != 'b' ; df.s < 'b' ; df.s.isin(['a', 'c']) ; df.s[df.i > 2] ; df.s.iloc[[1, 4]] ; df.s.isna() ; df.s.fillna('?')
df.s.str.len() ; df.s.str.upper() ; df.s.str.lower() ; df.s.str.contains('a', regex=False) ; df.s.str.startswith('a') ; df.s.str.endswith('a')
df.s.str.strip() ; df.s.str.replace('a', 'x', regex=False) ; df.s.str.slice(0, 2) ; df.s + '!' ; df.s.str.cat(df.s) ; df.s == df.s
df.s.min() ; df.s.max() ; df.s.count() ; df.s.drop_duplicates() ; df.s.map({'a': 1.0, 'bb': 2.0}) ; df.s.astype('category') ; df.s.head()
""",
    "categories": """
cats.c.cat.codes ; cats.c.value_counts() ; cats.c == 'x' ; cats.c.head(3) ; cats.head() ; cats[cats.f > 0] ; cats.groupby('c', observed=True).f.sum()
cats.sort_values('f') ; cats.c.isna() ; cats[cats.c == 'x'].f.sum() ; cats.sort_values('c', kind='stable') ; cats.c.unique() ; cats.c.nunique()
cats.merge(cats[['c', 'f']].head(9), on='c') ; cats.groupby(['c', 'k'], observed=True).f.mean() ; cats.c.isin(['x', 'y']) ; cats.c.fillna('x')
cats.c.cat.categories ; cats.c.cat.add_categories('w') ; cats.c.cat.rename_categories({'x': 'q'}) ; cats.c.cat.remove_unused_categories()
cats.c.cat.set_categories(['y', 'x']) ; cats.c.cat.as_ordered() ; cats.c.cat.as_ordered().max() ; cats.c.shift(1) ; cats.c.where(cats.f > 0)
cats.c.drop_duplicates() ; cats.drop_duplicates(['c', 'k']) ; pd.concat([cats, cats]) ; cats.iloc[::-1] ; cats.c.astype('str') ; cats.c.ffill()
put_loc(cats, cats.f > 0, 'c', 'y') ; pd.cut(df.f, [-9, 0, 9]) ; pd.cut(df.f, [-9, 0, 9], labels=['low', 'high']) ; pd.get_dummies(cats.c)
cats.set_index('c').reset_index() ; cats.pivot_table(index='c', values='f', observed=True) ; pd.factorize(cats.c) ; cats.dropna() ; cats.c.mode()
""",
    "objects": """
objs.head(3) ; objs[objs.f > 0] ; objs.iloc[[1, 5]] ; objs.sort_values('f') ; objs.o.isna() ; objs[objs.o.notna()] ; objs.dropna()
objs.merge(other, on='k') ; df.b.shift(1) ; df.b.reindex([0, 9999]) ; objs.o.count() ; objs.groupby('k').f.sum()
""",
    "zones": """
zoned.z.dt.hour ; zoned.z.dt.year ; zoned.z.dt.day_of_week ; zoned.z.dt.normalize() ; zoned.z.dt.floor('D') ; zoned.z.dt.tz_localize(None)
zoned.z.dt.tz_convert('Asia/Tokyo') ; zoned.z.dt.tz_convert('America/New_York').dt.hour ; df.t.dt.tz_localize('UTC') ; df.t.dt.tz_localize('Asia/Kolkata')
zoned.z - zoned.z.min() ; zoned.z + pd.Timedelta(hours=1) ; zoned.z > pandas.Timestamp('2020-01-02', tz='UTC') ; zoned.z.max() ; zoned.sort_values('z')
zoned[zoned.f > 0] ; zoned.iloc[2:9] ; zoned.groupby('z').f.sum() ; zoned.z.isna() ; zoned.z.shift(1) ; zoned.z.diff() ; zoned.z.nunique()
zoned.merge(zoned[['z', 'k']].head(5), on='z') ; pd.concat([zoned, zoned]) ; zoned.set_index('z').f.resample('D').sum() ; zoned.z.dt.is_month_end
zoned.set_index('z').f.rolling('2D').sum() ; zoned.drop_duplicates('z') ; zoned.z.value_counts() ; zoned.z.ffill()
""",
    "many texts": """
many.m.str.len() ; many.m.str.upper() ; many.m.str.lower() ; many.m.str.contains('7', regex=False) ; many.m.str.contains('7') ; many.m.str.startswith('id')
many.m.str.endswith('7') ; many.m.str.find('_') ; many.m.str.rfind('_') ; many.m.str.count('1') ; many.m.str[:3] ; many.m.str[-2:] ; many.m.str.slice(1, 4)
many.m.str.get(2) ; many.m.str.strip('id') ; many.m.str.strip() ; many.m.str.replace('_', '-', regex=False) ; many.m.str.split('_', expand=True)
many.m.str.partition('_') ; many.m.str.zfill(12) ; many.m.str.pad(12) ; many.m.str.center(12) ; many.m.str.ljust(12, '.') ; many.m.str.removeprefix('id')
many.m.str.repeat(2) ; many.m + '!' ; many.m + many.m ; many.m.str.cat(many.m, sep='/') ; many.m == 'id_1' ; many.sort_values('m') ; many[many.m.str.contains('7')]
many.groupby('m').f.sum() ; many.merge(many[['m', 'f']], on='m') ; many.m.nunique() ; many.m.str.slice_replace(0, 2, '<>') ; many.m.str.swapcase()
many.m.str.title() ; many.m.str.extract('(7)') ; many.m.str.isdigit() ; many.m.max()
""",
    "files": """
pd.read_csv(io.StringIO(csv)) ; pd.read_csv(io.StringIO(csv), usecols=['i', 'f']) ; pd.read_csv(io.StringIO(csv), parse_dates=['t']) ; pd.read_csv(io.StringIO(csv)).f.sum()
pd.read_csv(io.StringIO(csv), index_col='k') ; pd.read_csv(io.StringIO(csv), dtype={'i': 'float64'}) ; pd.read_parquet(parquet)
""",
    "times": """
df.t.dt.year ; df.t.dt.month ; df.t.dt.day ; df.t.dt.hour ; df.t.dt.dayofweek ; df.t.dt.normalize() ; df.t.dt.floor('D')
df.t - df.t.min() ; df.t + pd.Timedelta(days=1) ; df.t.diff() ; (df.t - df.t.min()).dt.days ; df.t > '2020-01-03' ; df.t.dt.is_month_end ; df.t.dt.quarter
df.set_index('t').f.resample('D').sum() ; df.t.dt.dayofyear ; df.sort_values('t')
""",
    "windows": """
df.f.rolling(3).sum() ; df.f.rolling(3).mean() ; df.f.rolling(3, min_periods=1).mean() ; df.f.rolling(5).std() ; df.f.rolling(5).var()
df.f.rolling(4).min() ; df.f.rolling(4).max() ; df.f.rolling(4).median() ; df.f.rolling(4).quantile(0.3) ; df.f.rolling(4).count()
df.f.rolling(5).skew() ; df.f.rolling(5).kurt() ; df.f.rolling(5).corr(df.i) ; df.f.rolling(5).cov(df.i) ; df.f.rolling(4).rank() ; df.f.rolling(3, center=True).sum()
df.f.expanding().sum() ; df.f.expanding().max() ; df.f.ewm(com=2).mean() ; df.f.ewm(span=5).std() ; df.groupby('k').f.rolling(3).sum()
df.set_index('t').f.rolling('2D').sum()
""",
    "leaving": """
df.f.to_numpy() ; df.f.tolist() ; df[['i', 'f']].to_numpy() ; df.i.to_list() ; df.to_csv() ; df[['i', 's']].to_csv(index=False) ; df.f.to_csv()
cats.c.tolist() ; cats.to_csv() ; many.m.str.split('_')
""",
}
# The results of these are on the host by definition.
LEAVING = {"leaving"}


def split(text: str) -> list[str]:
    return [call.strip() for call in text.replace("\n", ";").split(";") if call.strip()]


def frames():
    import numpy as np
    import pandas

    rng = np.random.default_rng(3)
    n = ROWS
    f = rng.normal(size=n)
    f[rng.integers(0, n, n // 10)] = np.nan
    masked = pandas.array(rng.integers(0, 9, n), dtype="Int64")
    masked[rng.integers(0, n, n // 10)] = pandas.NA
    words = np.array(["a", "bb", "ccc c", "a longer text", "é", " b "], object)
    s = words[rng.integers(0, 6, n)]
    s[rng.integers(0, n, n // 10)] = None
    df = pandas.DataFrame(
        {
            "i": rng.integers(0, 7, n),
            "f": f,
            "k": rng.integers(0, 40, n),
            "n": masked,
            "b": rng.integers(0, 2, n).astype(bool),
            "s": pandas.Series(s, dtype="str"),
            "t": (np.datetime64("2020-01-01", "us") + rng.integers(0, 10**7, n).cumsum() * 10).astype("M8[us]"),
        }
    )
    other = pandas.DataFrame({"k": rng.integers(0, 60, 50), "i": rng.integers(0, 7, 50), "w": rng.normal(size=50)})
    strings = pandas.DataFrame(
        {"s": pandas.Series(["a", "bb", "nothing", "é", "bb"], dtype="str"), "v": np.arange(5.0)}
    )
    cats = df.assign(c=pandas.Categorical.from_codes(rng.integers(0, 3, n), ["x", "y", "z"]))
    objects = np.array([1, "a", None, 2.5], object)[rng.integers(0, 4, n)]
    objs = df[["f", "k"]].assign(o=pandas.Series(objects, dtype=object))
    zoned = df[["f", "k"]].assign(z=df.t.dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin"))
    many = df[["f"]].assign(m=pandas.Series([f"id_{v}" for v in rng.permutation(n)], dtype="str"))
    return {"df": df, "other": other, "texts": strings, "cats": cats, "objs": objs, "zoned": zoned, "many": many}


def put(df, name, value):
    df[name] = value
    return df


def put_where(s, mask, value):
    s[mask] = value
    return s


def put_loc(df, rows, column, value):
    df.loc[rows, column] = value
    return df


def put_iloc(df, row, column, value):
    df.iloc[row, column] = value
    return df


class Device:
    """The counts of the fake driver."""

    def __init__(self) -> None:
        self._fake = ctypes.CDLL(os.environ["BASCULE_CUDA_DRIVER"])
        self._fake.bascule_fake_copied_bytes.restype = ctypes.c_longlong

    def counts(self) -> tuple[int, int]:
        return tuple(self._fake.bascule_fake_copied_bytes(to_host) for to_host in (0, 1))

    def fix(self) -> None:
        self._fake.bascule_fake_reset()


class Calls:
    """The calls by area, and their outcomes: an empty string, or the failure."""

    def __init__(self, only: str = "", every: int = 1) -> None:
        import bascule as bc
        import bascule.pandas as pd
        import numpy as np
        import pandas

        self.bc, self.only, self.every, self.device = bc, only, every, Device()
        self.theirs = frames()
        self.folder = tempfile.TemporaryDirectory()
        parquet = f"{self.folder.name}/frame.parquet"
        self.theirs["df"].drop(columns="n").to_parquet(parquet)
        common = {
            "io": io,
            "csv": self.theirs["df"].drop(columns="n").to_csv(index=False),
            "parquet": parquet,
            "np": np,
            "pandas": pandas,
            "put": put,
            "put_where": put_where,
            "put_loc": put_loc,
            "put_iloc": put_iloc,
        }
        self.their_names = {**common, "pd": pandas}
        self.our_names = {**common, "pd": pd}
        self.to_ours = pd.from_pandas
        self.found: dict[str, list[tuple[str, str, tuple[int, int]]]] = collections.defaultdict(list)

    def ours(self, call: str, device: str):
        with self.bc.device(device):
            names = {**self.our_names, **{k: self.to_ours(v) for k, v in self.theirs.items()}}
            for v in self.theirs:
                self.bc.evaluate(*names[v].__bascule_arrays__())
            before = self.device.counts()
            with self.bc.config.set(fallback="error"):
                result = eval(call, names)
                for a in getattr(result, "__bascule_arrays__", list)():
                    self.bc.evaluate(a)
            moved = tuple(y - x for x, y in zip(before, self.device.counts()))
            return result, moved

    def run(self) -> None:
        calls = [(area, call) for area, text in CALLS.items() for call in split(text) if self.only in call]
        for area, call in calls[:: self.every]:
            self.one(area, call)

    def one(self, area: str, call: str) -> None:
        from frames import assert_same

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = eval(call, {**self.their_names, **{k: v.copy() for k, v in self.theirs.items()}})
            try:
                self.ours(call, "cpu")
            except Exception:
                return  # not native on the CPU
            try:
                result, moved = self.ours(call, "cuda")
            except Exception as error:
                self.device.fix()
                self.found[area].append((call, f"{type(error).__name__}: {error}".split("\n")[0][:200], (0, 0)))
                return
            try:
                same(result, expected, assert_same, 1e-8 if area == "windows" else 1e-11)
                why = "" if moved[1] <= FEW or area in LEAVING else f"MOVES {moved[1]} bytes to the host"
            except Exception as error:
                self.device.fix()
                why = f"{type(error).__name__} when compared: {error}".replace("\n", " ")[:200]
            self.found[area].append((call, why, moved))


def same(found, expected, assert_same, atol=1e-11) -> None:
    import numpy as np
    import pandas

    if type(found).__module__.startswith("pandas") or not hasattr(found, "__bascule_to_pandas__"):
        there = found.get() if hasattr(found, "get") and hasattr(found, "device") else found
        if isinstance(expected, tuple):
            assert len(there) == len(expected)
            for a, b in zip(there, expected):
                same(a, b, assert_same)
        elif isinstance(expected, (pandas.DataFrame, pandas.Series, pandas.Index)):
            assert there is not None and pandas.DataFrame(there).equals(pandas.DataFrame(expected)), "differs"
        elif isinstance(expected, pandas.api.extensions.ExtensionArray):
            pandas.testing.assert_extension_array_equal(there, expected)
        elif isinstance(expected, (float, np.floating)):
            np.testing.assert_allclose(float(there), expected, rtol=1e-11)
        else:
            np.testing.assert_array_equal(np.asarray(there), np.asarray(expected))
        return
    assert_same(found, expected, exact=False, atol=atol)


def report(calls: Calls) -> str:
    lines = ["Typical frame calls on the CUDA device, run by emulation, not on a GPU", ""]
    total = right = 0
    for area, found in calls.found.items():
        good = sum(not why for _, why, _ in found)
        total, right = total + len(found), right + good
        lines.append(f"{area:12} {good:5} of {len(found):5}  {100 * good / max(len(found), 1):5.1f} %")
    lines += [f"{'all':12} {right:5} of {total:5}  {100 * right / max(total, 1):5.1f} %", ""]
    causes = collections.Counter(
        re.sub(r"[0-9]+|'[^']*'", "…", why)[:100] for found in calls.found.values() for _, why, _ in found if why
    )
    lines += ["causes, most frequent first", *(f"{n:5}  {cause}" for cause, n in causes.most_common()), ""]
    lines += [
        "calls that raise, differ or move a column",
        *(f"  {area}: {call}   {why}" for area, found in calls.found.items() for call, why, _ in found if why),
        "",
        "bytes from the host and to it, of the calls that ran",
        *(f"  {a:7} {b:7}  {call}" for found in calls.found.values() for call, why, (a, b) in found if not why),
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="calls with this text in them")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one call in N")
    parser.add_argument("--write", type=Path, metavar="FILE")
    chosen = parser.parse_args()
    os.environ.update(emulated_cuda.environment(BASCULE_CACHE_DIR=""))
    calls = Calls(chosen.only, chosen.every)
    calls.run()
    text = report(calls)
    print(text)
    if chosen.write:
        chosen.write.write_text(text + "\n")


if __name__ == "__main__":
    main()
