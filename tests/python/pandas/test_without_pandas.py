"""Ordinary calls, by kinds, run natively and print as pandas does without importing it; scalars come without the rest of it."""

import contextlib
import io
import subprocess
import sys

import pytest

MADE = """
import numpy as np
import pandas as pd
rng = np.random.default_rng(0)
n = 100
df = pd.DataFrame({
    "key": [["a", "b", "c"][i % 3] for i in range(n)], "day": [i % 7 for i in range(n)], "x": np.arange(n) * 0.37 - 5,
    "flag": [i % 4 == 0 for i in range(n)], "y": np.where(np.arange(n) % 5 == 0, np.nan, np.arange(n) / 3),
})
other = pd.DataFrame({"key": ["a", "b", "d"], "rate": [1.5, 2.25, 3.0]})
"""

NATIVE = {
    "cells by position": "print([df.iloc[i, j] for i in (0, 2, -1) for j in (0, 1, -1)], [type(df.iloc[0, j]).__name__ for j in range(df.shape[1])])",
    "constructor of a dict": "print(pd.DataFrame({'a': [1, 2], 'b': ['x', 'y'], 'c': [0.5, np.nan]}))",
    "constructor of rows": "print(pd.DataFrame([[1, 'x'], [2, 'y']], columns=['n', 't']))",
    "constructor of records": "print(pd.DataFrame([{'a': 1, 'b': 2.5}, {'a': 3, 'b': 4.0}]))",
    "constructor of an array": "print(pd.DataFrame(np.arange(6).reshape(3, 2), columns=list('ab'), index=['p', 'q', 'r']))",
    "series": "print(pd.Series([1, 2, 3], index=['a', 'b', 'c'], name='n'), pd.Series({'x': 1.5, 'y': 2.0}))",
    "long frame": "print(df)",
    "long series": "print(df.x); print(df.key)",
    "wide frame": "print(pd.DataFrame(np.arange(60.0).reshape(2, 30) * 1000, columns=[f'column{i}' for i in range(30)]))",
    "large and small numbers": "print(df.x * 1e9); print(df.x.head() * 1e-9); print(pd.DataFrame({'a': [1e10, 0.001]}))",
    "options of columns": "pd.set_option('display.max_columns', None, 'display.width', 60); print(df.assign(a=1, b=2, c=3, d=df.key).head(2)); pd.reset_option('display.max_columns'); pd.reset_option('display.width')",
    "options of rows": "pd.options.display.max_rows = 6; print(df.x); pd.reset_option('display.max_rows'); print(pd.get_option('display.max_rows'))",
    "options of numbers": "pd.set_option('display.float_format', '{:,.2f}'.format); print(df.describe()); print(df.x.head(2)); pd.reset_option('display.float_format')",
    "options in a block": "with pd.option_context('display.precision', 2, 'display.max_rows', 4): print(df); print(df.y)",
    "long strings of NumPy": "print(pd.DataFrame({'k': rng.choice(['u', 'v'], 20_000)}).k.value_counts())",
    "empty": "print(df[df.x > 1e6]); print(df.x[df.x > 1e6])",
    "head and tail": "print(df.head()); print(df.tail(3)); print(len(df), df.shape, df.size, df.ndim, df.empty)",
    "csv": "import io; print(pd.read_csv(io.StringIO('a,b,c\\n1,x,0.5\\n2,y,\\n')))",
    "csv with an index": "import io; print(pd.read_csv(io.StringIO('a,b\\nk,1\\nl,2\\n'), index_col='a'))",
    "to_csv": "print(df.head(3).to_csv(index=False))",
    "filter": "print(df[(df.x > 0) & (df.key == 'a')].head(4)); print(df[df.key.isin(['a', 'b'])].x.sum())",
    "query by loc": "print(df.loc[df.day == 3, ['key', 'x']].head(3)); print(df.loc[5, 'key'], df.iloc[2, 2], df.iloc[-1].x)",
    "assign": "df['z'] = df.x * 2 + df.day; print(df.assign(w=lambda d: d.z - 1)[['z', 'w']].tail(2))",
    "columns": "print(list(df.columns), len(df.columns), 'x' in df.columns, df.columns[0], df.columns.tolist())",
    "columns changed": "df.columns = [c.upper() for c in df.columns]; print(df.head(2)); print(df.rename(columns={'X': 'u'}).columns[2])",
    "columns chosen": "print(df[[c for c in df.columns if c != 'y']].head(2)); print(df[df.columns[:2]].head(2))",
    "columns dropped": "print(df.drop(columns=['x', 'y']).head(2)); df.pop('flag'); print(df.shape)",
    "columns of text": "print(df.columns.str.upper().tolist()); print([c.strip() for c in df.columns])",
    "an index": "print(df.columns); print(df.index); print(df.set_index('key').index[:3])",
    "types": "print(df.dtypes); print(df.x.dtype, df.key.dtype, df.x.dtype == float, df.dtypes['x'])",
    "sort": "print(df.sort_values('x', ascending=False).head(3)); print(df.sort_values(['key', 'day']).head(3))",
    "sort of the index": "print(df.set_index('day').sort_index().head(3)); print(df.nlargest(2, 'x'))",
    "group and sum": "print(df.groupby('key').x.sum()); print(df.groupby('key')[['x', 'y']].mean())",
    "group by two": "print(df.groupby(['key', 'day']).x.sum()); print(df.groupby(['key', 'day'], as_index=False).x.max().head(2))",
    "group and agg": "print(df.groupby('key').agg({'x': 'sum', 'y': 'mean'})); print(df.groupby('key').x.agg(['min', 'max']))",
    "group and named agg": "print(df.groupby('key').agg(total=('x', 'sum'), n=('y', 'count')).reset_index())",
    "group and transform": "df['m'] = df.groupby('key').x.transform('mean'); print(df.head(2)); print(df.groupby('key').size())",
    "group and loop": "for k, g in df.groupby('key'): print(k, len(g), round(g.x.mean(), 3))",
    "merge": "print(df.merge(other, on='key', how='left').head(4)); print(pd.merge(df, other, on='key').shape)",
    "concat": "print(pd.concat([other, other], ignore_index=True)); print(pd.concat([df.x, df.y], axis=1).head(2))",
    "value counts": "print(df.key.value_counts()); print(df.day.value_counts(normalize=True).head(2))",
    "unique": "print(df.key.nunique(), df.drop_duplicates('key').key.tolist(), df.duplicated('key').sum())",
    "missing": "print(df.isna().sum()); print(df.fillna({'y': 0}).head(2)); print(df.dropna().shape, df.y.notna().sum())",
    "missing by median": "df['y'] = df.y.fillna(df.y.median()); print(df.y.head()); print(df.y.ffill().sum(), df.y.interpolate().sum())",
    "describe": "print(df.x.describe()); print(df.describe())",
    "quantiles": "print(df.x.quantile([0.25, 0.5])); print(df.x.quantile(0.9), df.x.std(), df.x.var(), df.x.median())",
    "correlation": "print(df[['x', 'y']].corr())",
    "sums": "print(df[['x', 'y']].sum()); print(df.x.cumsum().tail(2)); print(df.x.diff().head(2)); print(df.x.shift(1).head(2))",
    "windows": "print(df.x.rolling(3).mean().head(4)); print(df.x.ewm(span=3).mean().head(2)); print(df.x.expanding().max().tail(2))",
    "text": "print(df.key.str.upper().head(2)); print(df.key.str.contains('a').sum(), df.key.str.len().sum())",
    "text replaced": "s = pd.Series(['a-1', 'b-2']); print(s.str.replace('-', '/'), s.str[0], s.str.strip(), s.str.startswith('a'))",
    "map": "print(df.key.map({'a': 1, 'b': 2, 'c': 3}).head(2)); print(df.x.map(lambda v: v * 2).head(2)); print(df.x.apply(round).head(2))",
    "apply of rows": "print(df.apply(lambda r: r.x + r.day, axis=1).head(2))",
    "where": "print(df.x.where(df.x > 0, 0).head(2)); print(df.x.clip(0, 1).head(2)); print(df.x.between(0, 1).sum())",
    "numpy": "print(np.where(df.x > 0, 1, 0).sum(), np.log1p(df.x.abs()).head(2)); print(df.x.to_numpy()[:2], df.x.values[:2])",
    "astype": "print(df.x.astype(int).head(2)); print(df.day.astype(str).head(2)); print(df.flag.astype(int).sum())",
    "cut": "print(np.digitize(df.x, [0, 10])[:5]); print(df.x.rank().head(2)); print(df.x.idxmax(), df.x.argmax())",
    "rows": "for r in df.head(2).itertuples(): print(r.Index, r.key, r.x)\nfor i, r in other.iterrows(): print(i, r['rate'])",
    "items": "for c, s in other.items(): print(c, s.tolist())\nfor k, v in other.rate.items(): print(k, v)",
    "dicts": "print(other.to_dict('records'), other.to_dict('list'), other.set_index('key').rate.to_dict())",
    "melt": "print(other.melt(id_vars='key', value_vars=['rate']).head(2))",
    "reset": "print(df.groupby('key').x.sum().reset_index()); print(df.set_index('key').x.head(2)); print(df[['x']].head(3).T.shape)",
    "named columns": "print(df.groupby(['key', 'day']).y.count().unstack())",
    "sample": "print(len(df.sample(5, random_state=0)), df.x.sample(frac=0.1, random_state=1).shape)",
    "checks": "print(isinstance(df, pd.DataFrame), isinstance(df.x, pd.Series), isinstance(df.index, pd.Index), isinstance(1, pd.Timestamp))",
    "missing scalars": "print(pd.isna(np.nan), pd.notna(1), pd.isnull(None), df.y.isna().any())",
    "numbers from text": "print(pd.to_numeric(pd.Series(['1', '2.5'])), pd.to_numeric(pd.Series(['1', 'x']), errors='coerce'))",
    "errors": "try:\n    df['missing']\nexcept KeyError as e: print('KeyError', e)\ntry:\n    df.x.astype('nothing')\nexcept TypeError as e: print('TypeError')",
    "memory": "print(df.memory_usage().sum(), df.x.nbytes)",
    "dates of text": "s = pd.to_datetime(pd.Series(['2020-01-05', '2020-03-02'])); print(s); print(s.dt.month, s.dt.year.sum(), s.dt.day_of_week)",
    "dates compared": "s = pd.to_datetime(pd.Series(['2020-01-05', '2020-03-02'])); print((s > '2020-02-01').sum(), s[s >= '2020-02-01'])",
    "dates in csv": "import io; d = pd.read_csv(io.StringIO('t,v\\n2020-01-05,1\\n2020-01-06,2\\n'), parse_dates=['t']); print(d); print(d.t.dtype)",
    "differences of dates": "s = pd.to_datetime(pd.Series(['2020-01-05 10:00', '2020-03-02 11:30'])); print(s.diff()); print(s.diff().dt.total_seconds())",
    "groups of dates": "s = pd.to_datetime(pd.Series(['2020-01-05', '2020-03-02', '2020-03-05'])); print(s.groupby(s.dt.month).size())",
    "pivot tables": "print(df.pivot_table(index='key', columns='day', values='x', aggfunc='sum', fill_value=0)); print(df.pivot_table(index='key', values='x', aggfunc=['mean', 'sum']))",
    "pivot table of two keys": "t = df.pivot_table(index='key', columns=['flag', 'day'], values='x').iloc[:, :3]; print(t); print(t[True] if True in t.columns else 0)",
    "cross tables": "t = pd.crosstab(df.key, df.flag); print(t, t[True], t.loc['a', False]); print(pd.crosstab(df.key, df.day, normalize='index').round(2))",
    "aggregations by column": "print(df.groupby('key').agg({'x': ['mean', 'sum'], 'y': ['max']})); print(df.groupby('key')[['x', 'y']].agg(['mean', 'sum']))",
    "columns of two levels": "g = df.groupby('key').agg({'x': ['mean', 'sum'], 'y': 'max'}); print(g.x, g[('x', 'mean')], g.columns.tolist(), g.columns.nlevels, g.T, g.round(1))",
    "columns of two levels reset": "print(df.groupby('key').agg({'x': ['mean', 'sum']}).reset_index()); print(df.groupby(['key', 'day']).agg({'x': ['min']}).reset_index().head(2))",
    "columns of two levels extended": "g = df.groupby('key').agg({'x': ['mean', 'sum']}); g[('x', 'n')] = 1; print(g); print(g.sort_values(('x', 'sum')).index.tolist())",
    "columns of two levels joined": "g = df.groupby('key').agg({'x': ['mean', 'sum']}); g.columns = ['_'.join(c) for c in g.columns]; print(g)",
    "text joined": "s = df.key + '_' + df.day.astype(str); print(s.head(2), ('x' + df.key).head(1)); print(df.key.str.cat(sep=',')[:7], s.str.extract(r'(\\w)_(\\d)').head(2))",
    "text in parts": "s = pd.Series(['a b c', None, '', '  ', 'd e']); print(s.str.split().str[0], s.str.split(expand=True), s.str.rfind('b'), s.str.partition(' '), s.str.split().str.len())",
    "text missing": "s = pd.Series(['a b', None]); print(s.str.cat(sep='|', na_rep='?'), s.str.split(' ').str.join('-'), s.str.findall('[a-c]').str.len())",
    "words that are true": "import io; print(pd.read_csv(io.StringIO('a,b\\nyes,1\\nno,2\\n'), true_values=['yes'], false_values=['no']))",
    "to_csv of a file": "import pathlib, tempfile; p = pathlib.Path(tempfile.mkdtemp()) / 'a.csv'; df.to_csv(p, index=False); print(p.read_text(), pd.read_csv(p).shape)",
    "to_csv of a stream": "import sys, io; df.head(2).to_csv(sys.stdout); b = io.StringIO(); df.head(2).to_csv(b, index=False); print(b.getvalue())",
    "described": "print(df.describe(include='all')); print(df.key.describe(), df.describe(percentiles=[0.1, 0.9])); print(df.groupby('key')[['x', 'y']].describe())",
    "columns of types": "print(df.select_dtypes('number').head(2), df.select_dtypes(exclude=['str', 'bool']).columns.tolist(), df.select_dtypes([np.number, bool]).shape)",
    "transposed": "print(other.T); print(df.head(2).T); print(df[['x', 'y']].T.sum().head(2))",
    "aggregations by a dict": "print(df.agg({'x': 'sum', 'y': 'mean'})); print(df.agg({'x': ['sum', 'min'], 'y': ['min', 'max']}))",
    "arrays of frames": "print(df[['x', 'y']].to_numpy()[:2], df.head(2).to_numpy(), df.head(2).values, np.asarray(df.key)[:3])",
    "frames less their means": "f = df[['x', 'y']]; print((f - f.mean()) / f.std()); print(f[['x']] - f.mean())",
    "rows dropped": "print(df.drop(df.sample(frac=0.5, random_state=1).index).shape, df.drop([0, 1, 2]).shape, df.drop(list(range(40))).shape)",
    "columns at other labels": "print(df.reindex(columns=['x', 'nothing', 'key']).head(2), df[['x']].reindex(columns=df.columns[:2]).head(1))",
    "empty frames": "d = pd.DataFrame(); print(d, d.shape); d['a'] = [1, 2]; print(d); e = pd.DataFrame(index=[1, 2]); e['b'] = 'x'; print(e)",
    "distinct strings": "u = df.key.unique(); print(sorted(u), len(u), u[0], 'a' in u, u.tolist(), np.asarray(u), pd.Series(u), [k for k in u])",
    "categories of text": "df['c'] = df.key.astype('category'); print(df.c, df.head(2), df.dtypes, df.c.cat.codes.head(2), (df.c == 'a').sum())",
    "categories in groups": "df['c'] = df.key.astype('category'); print(df.groupby('c', observed=True).x.sum(), df.c.value_counts(), df.c.nunique())",
    "bins with names": "c = pd.cut(df.day, [-1, 2, 4, 9], labels=['low', 'middle', 'high']); print(c, (c > 'low').sum(), df.groupby(c, observed=False).x.mean())",
    "bins with missing rows": "c = pd.cut(df.y, [-1, 9, 20, 99], labels=['a', 'b', 'c']); print(c.isna().sum(), c.head(), c.fillna('a').head(2), c.to_numpy()[:2])",
    "bins with numbers": "c = pd.cut(df.day, [-1, 2, 4, 9], labels=[3, 2, 1]); print(c.astype(int).head(), c.max(), c.tolist()[:3], c.iloc[0])",
    "quantiles with names": "q = pd.qcut(df.x, 2, labels=['lower', 'upper']); print(q.value_counts(), q.isin(['lower']).sum(), pd.crosstab(q, df.key))",
    "labels of text": "i = df.set_index('key').index; print(i.to_numpy()[:2], np.asarray(i)[:2], i.map(pd.Series([1, 2, 3], index=list('abc')))[:4])",
    "lists to rows": "d = pd.DataFrame({'t': ['a b', 'c'], 'n': [1, 2]}).assign(w=lambda d: d.t.str.split()); print(d.explode('w'))",
    "columns at even numbers": "d = pd.DataFrame({5: [1], 10: [2]}); print(d, d.columns, d[[10, 5]].columns); print(pd.DataFrame({0: [1]}).columns, pd.DataFrame({3: [1], 2: [1], 1: [0]}).columns)",
    "columns chosen of many": "d = pd.DataFrame(np.zeros((2, 6))); print(d[[0, 2, 4]].columns, d[[0, 1, 5]].columns, d.drop(columns=[5]).columns, d.iloc[:, [1]].columns, d.iloc[:, 2:4].columns)",
    "many columns without names": "print(pd.DataFrame(np.zeros((2, 12))), pd.DataFrame(np.zeros((2, 12), int)), pd.RangeIndex(2, 9, 3), pd.RangeIndex(3, name='n'))",
    "columns of tuples": "d = pd.DataFrame({('a', 1): [1, 2], ('a', 2): [3, 4]}); print(d); print(d.T, d.T.groupby(level=0).sum())",
    "columns of several types": "d = pd.DataFrame({'a': [1], 2: [2]}); print(d, d[2], list(d.columns)); print(pd.DataFrame({1.5: [1], 2.5: [2]}))",
    "lists in cells": "print(pd.DataFrame({'t': [['a', 'b'], ('x', 1.5), [None, True], [[1], ()]], 'n': range(4)})); print(pd.Series([[1, [2, 3]], ('q',)]))",
    "expressions": "print(df.eval('-x / (2 * y)').head(3), df.eval('z = x + day').z.sum(), df.query('x > 3 and key == \"a\"').shape, df.eval('x > 0').sum())",
    "values up to labels": "s = pd.Series([1.0, np.nan, 3.0, 4.0], index=[10, 20, 30, 40], name='v'); print(s.asof(25), s.asof(5), s.asof(99)); print(s.asof([5, 25, 45]), s.asof([10, 20]))",
    "categories": "k = pd.Categorical(['b', 'a', 'b', None], categories=['b', 'a'], ordered=True); print(k.codes, list(k), len(k), pd.Series(k), pd.Series(k).min()); df['k'] = pd.Categorical(df.key); print(df.groupby('k', observed=True).x.sum(), isinstance(k, pd.Categorical))",
    "categories of many kinds": "s = pd.Series([f'k{i}' for i in range(12)]).astype('category'); print(s, s.head(2).cat.codes.tolist()); print(pd.Series(pd.Categorical(['a long name', 'another long name', 'the third of the long names', 'and one more of them'])))",
    "categories with missing rows in groups": "c = pd.cut(df.y, [-1, 9, 20], labels=['a', 'b']); print(df.groupby(c, observed=True).x.sum(), df.groupby(c, observed=False).size(), df[['x']].assign(c=c).groupby('c', observed=True).x.mean())",
    "categories to csv": "print(df.key.astype('category').head(3).to_csv(), pd.DataFrame({'k': pd.Categorical(['a', None])}).to_csv())",
    "arrays of labels": "i = pd.Index([3, 1, 2]); print(i.to_numpy(), np.asarray(i), i.to_numpy().flags.writeable, pd.Index([1.5]).to_numpy(), pd.RangeIndex(3).to_numpy(), df.columns.to_numpy())",
    "tables of categories": "c = pd.cut(df.day, [-1, 2, 9], labels=['l', 'h']); print(pd.crosstab(c, df.key), pd.crosstab(df.key, c), df.assign(c=c).pivot_table(index='key', columns='c', values='x', observed=True))",
    "columns of other rows": "a = pd.Series([1.0, 2, 3], index=[1, 3, 5], name='a'); b = pd.Series([4.0, 5], index=[3, 4], name='b'); print(pd.concat({'x': a, 'y': b}, axis=1), pd.concat([a, b], axis=1), pd.concat([a, b, a], axis=1, keys=[1, 2, 3]), pd.concat([a.to_frame(), b.to_frame()], axis=1), pd.concat({'x': a, 'y': a}, axis=1, names=['n']))",
    "rows of a first level": "d = df.assign(o=[str(i % 3) if i % 2 else i % 3 for i in range(n)]); g = d.groupby(['key', 'o'], sort=False).x.sum(); print(g.head(2), g.loc['a'].shape)",
    "frames between forked processes": "import copy, multiprocessing\nwith multiprocessing.get_context('fork').Pool(2) as pool: print(pd.concat(pool.map(copy.copy, [part for _, part in df.groupby('key')])).groupby('key').x.sum())",
    "quantiles of groups": "print(df.groupby('key').x.quantile([0.25, 0.5]), df.groupby(['key', 'flag'])[['x', 'y']].quantile([0.9, 0.1]), df.groupby('key', sort=False).x.quantile([0.5]))",
    "strings among objects": "s = pd.Series(['a', '.', None, ['x'], 1], dtype=object); print(s.replace('.', 'x'), s.replace({'.': 'a', 'a': 2}).tolist()); print(pd.Series(['a/b', '.']).str.split('/').str[0].replace('.', 'none'))",
    "floats in a format": "print(df.head(3).to_string(float_format='%.2f')); print(df[['x', 'day']].head(2).to_string(float_format='%8.1f', index=False))",
    "dates in several formats": "s = pd.Series(['20240105', 'x', '2024-01-05', '05/01/2024', 'Jan 05, 2024', None])\nfor f in ('%Y%m%d', '%Y-%m-%d', '%d/%m/%Y', '%b %d, %Y'): print(pd.to_datetime(s, format=f, errors='coerce'))",
    "columns that are no names": "print(df.groupby(['key', 'flag']).size().unstack(fill_value=0)); print(df.groupby('key').flag.value_counts(normalize=True).unstack())",
}  # fmt: skip

# Of pandas, these import scalars, types and errors.
SCALARS = {
    "timestamps": "t = pd.Timestamp('2020-01-05 10:00'); print(t, t.year, t + pd.Timedelta(days=1), repr(t), t < pd.Timestamp('2021'))",
    "the last date": "s = pd.to_datetime(pd.Series(['2020-01-05', '2020-03-02'])); print(s.max(), s.iloc[0], (s.max() - s.min()).days)",
    "a range of dates": "print(pd.Series(np.arange(3), index=pd.date_range('2020-01-01', periods=3, freq='D')))",
    "dates compared with one": "s = pd.to_datetime(pd.Series(['2020-01-05', '2020-03-02'])); print(s[s > pd.Timestamp('2020-02-01')])",
    "dates as text": "s = pd.to_datetime(pd.Series(['2020-01-05', None])); print(s.dt.strftime('%d.%m.%Y')); print(pd.DataFrame({'t': s}).to_csv(date_format='%b %Y'))",
    "times of day as text": "s = pd.Series(pd.date_range('2024-01-01 10:00:07', periods=90, freq='7h')); s.iloc[3] = None; print(*[s.dt.strftime(f).tolist() for f in ('%H:%M', '%I %p', '%H:%M:%S', '%M', '%d %H')])",
    "periods as text": "s = pd.Series(pd.date_range('2024-01-01', periods=40, freq='7D')); s.iloc[3] = None; print(*[s.dt.to_period(f).astype(str).tolist() for f in 'YQMWD'])",
    "one date": "print(pd.to_datetime('2020-01-05'), pd.to_datetime('2020-01-05 10:30') - pd.to_datetime('2020-01-05'))",
    "text beside scalars": "t = pd.Timestamp('2020-01-05'); print((df.key + df.day.astype(str)).head(2)); print(df.groupby('key').agg({'x': ['mean']}).x)",
    "rows with dates": "t = pd.DataFrame({'t': pd.to_datetime(pd.Series(['2020-01-05', None])), 'k': ['a', 'b'], 'v': [1.5, 2]})\nfor i, r in t.iterrows(): print(i, r['t'], r.k, r['v'], r.dtype)",
    "ranges of months and weeks": "for f in ('MS', 'ME', 'W', 'QE', 'B', '15min'): print(pd.date_range('2024-01-01', periods=3, freq=f))",
    "bins of days": "s = pd.Series(np.arange(50.0), index=pd.date_range('2024-01-01', periods=50, freq='h')); print(s.resample('D').sum(), s.resample('12h').agg(['min', 'max']), s.resample('D').ohlc())",
    "bins of months": "d = pd.DataFrame({'t': pd.date_range('2024-01-01', periods=9, freq='W'), 'v': range(9), 'k': list('abcabcabc')}); print(d.resample('ME', on='t').v.sum(), d.set_index('t').resample('MS').agg({'v': ['mean', 'max'], 'k': 'count'}))",
    "bins filled": "s = pd.Series([1.0, 2.0], index=pd.date_range('2024-01-01', periods=2, freq='h')); print(s.resample('30min').ffill(), s.resample('30min').asfreq())",
    "totals of tables": "print(df.pivot_table(index='key', columns='day', values='x', aggfunc='sum', margins=True)); print(pd.crosstab(df.key, df.flag, margins=True))",
    "nothing but missing times": "print(pd.Series(pd.NaT, index=[1, 2], dtype='datetime64[ns]'))",
    "times with a distance": "s = pd.to_datetime(pd.Series(['10/Feb/2024:10:00:01 +0200', '11/Feb/2024:09:00:00 +0200']), format='%d/%b/%Y:%H:%M:%S %z'); print(s, s.dt.hour, s.max(), s.iloc[0], s.diff(), s.tolist(), (s > s.iloc[0]).sum())",
    "frames of labels alone": "d = pd.DataFrame(index=pd.date_range('2024-01-01', periods=3)); d['a'] = 1; d['m'] = d.index.month.map(pd.Series({1: 'J'})); print(d)",
    "groups of days": "d = pd.DataFrame({'t': pd.date_range('2024-01-01', periods=5, freq='9h'), 'v': range(5)}); print(d.groupby(d.t.dt.date).v.sum())",
    "one time in UTC": "print(pd.to_datetime('2023-03-20', utc=True), pd.to_datetime('2023-03-20 10:30', utc=True).hour)",
    "bins": "c = pd.cut(df.day, [-1, 2, 4, 9]); print(c, c.iloc[0], c[3], c.tolist()[:2], list(c)[:2], c.to_numpy()[:2], c.cat.codes.tolist()[:3]); print(c.value_counts(sort=False), df.assign(c=c).head(3), df.assign(c=c).head(2).to_csv())",
    "bins that miss rows": "c = pd.cut(df.day, [2, 4, 9]); print(c.head(), c.tolist()[:4], c.iloc[5], c.isna().sum(), c.value_counts())",
    "bins of one width": "c = pd.cut(df.x, 3, right=False); print(c, c.head(2).to_string(), pd.cut(df.x, [-np.inf, 2, np.inf]).value_counts(), pd.qcut(df.x, 4), pd.cut(df.x, range(-10, 60, 5)))",
    "bins in groups": "c = pd.cut(df.day, [-1, 2, 4, 9]); g = df.groupby(c, observed=True).x.agg(['count', 'mean']); print(g, g.index.tolist(), g.reset_index(), df.groupby(c, observed=False).size(), pd.crosstab(c, df.key), df.groupby([c, 'key'], observed=True).x.sum())",
    "bins of arrays": "b = pd.cut([1, 5, 3], [0, 2, 9]); print(b.codes, list(b), df.x.head(3).groupby(b, observed=True).sum())",
    "bins of zones": "s = pd.to_datetime(pd.Series(['10/Feb/2024:10:00:01 +0230', '11/Feb/2024:09:00:00 +0230']), format='%d/%b/%Y:%H:%M:%S %z'); d = pd.DataFrame({'t': s, 'v': [1, 2]}).set_index('t'); print(d, d.v.resample('6h').agg(['count', 'sum']), d.v.resample('D', label='right').sum(), d.v.resample('W').max(), d.v.resample('6h', origin='start').sum(), d.describe())",
    "times of a zone at midnight": "i = pd.date_range('2024-01-01', periods=2, tz='UTC'); print(pd.DataFrame({'a': [1, 2], 't': i}, index=i), pd.Series(i))",
    "dates as an array": "i = pd.date_range('2024-01-01', periods=3); print(i.to_numpy(), np.asarray(i), i.values)",
    "offsets": "print(pd.Timestamp('2024-01-05') + pd.offsets.MonthEnd(1), pd.offsets.BDay(3))",
    "hosts and minutes": "t = pd.Series(pd.date_range('2024-01-01', periods=100, freq='20s')).dt.floor('min'); s = df.groupby(['key', t]).size(); print(s.head(), s.idxmax())",
    "months of dates": "d = pd.DataFrame({'t': pd.date_range('2024-01-01', periods=100, freq='5D'), 'v': range(100)}); d['m'] = d.t.dt.to_period('M'); print(d.head(2), d.dtypes, d.m, d.groupby('m').v.sum(), d.m.astype(str).head(2), d.m.iloc[0], d.m.nunique(), d.m.value_counts().head(2), d.groupby('m').v.max().head(2).to_string(), d.drop_duplicates('m').shape)",
    "quarters that miss rows": "s = pd.Series(pd.to_datetime(['2024-01-05', None])).dt.to_period('Q'); print(s, s.tolist(), s.isna().sum(), s.groupby(s).size(), s.sort_values(ascending=False))",
    "bins of times in groups": "d = df.assign(t=pd.date_range('2024-01-01', periods=n, freq='7h')).set_index('t'); print(d.groupby('key').x.resample('W').mean(), d.groupby('key')[['x', 'y']].resample('2W').max(), d.groupby('key').resample('ME').y.sum().unstack('key'), d.groupby('key').x.resample('W').agg(['min', 'max']), d.reset_index().groupby('key').resample('W', on='t').x.count())",
    "lengths of time described": "s = pd.to_timedelta(pd.Series(range(50)) * 1.5, unit='min'); print(s.describe(), s.describe().astype(str).to_dict(), pd.DataFrame({'t': s, 'v': range(50)}).describe())",
    "missing values": "print(pd.NaT, pd.NA, pd.isna(pd.NaT), pd.isna(pd.NA), pd.Series([1.0, None]).isna().sum())",
}  # fmt: skip

AFTER = """
import sys
sys.stderr.write("loaded " + " ".join(m for m in ("pandas", "pandas._libs") if m in sys.modules))
"""


def printed_by_pandas(program: str) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(MADE + program, "<program>", "exec"), {"__name__": "__main__"})
    return out.getvalue()


def run(program: str, tmp_path) -> tuple[str, list[str]]:
    script = tmp_path / "script.py"
    script.write_text(MADE + program + AFTER)
    command = [sys.executable, "-W", "ignore", "-m", "bascule", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr.rpartition("loaded")[2].split()


@pytest.mark.parametrize("kind", NATIVE)
def test_native_calls_print_as_pandas_without_it(kind, tmp_path):
    printed, loaded = run(NATIVE[kind], tmp_path)
    assert printed == printed_by_pandas(NATIVE[kind])
    assert "pandas" not in loaded


@pytest.mark.parametrize("kind", SCALARS)
def test_scalars_of_pandas_come_without_its_frames(kind, tmp_path):
    printed, loaded = run(SCALARS[kind], tmp_path)
    assert printed == printed_by_pandas(SCALARS[kind])
    assert loaded == ["pandas._libs"]


def test_the_scalars_are_those_of_pandas_that_is_imported_later():
    program = """
import pickle, sys
import bascule.pandas as pd
t = pd.Timestamp("2020-01-05")
na, nat, error, offset, kind = pd.NA, pd.NaT, pd.errors.ParserError, pd.DateOffset(days=1), pd.CategoricalDtype
assert "pandas" not in sys.modules and "pandas._libs" in sys.modules
import pandas
assert type(t) is pandas.Timestamp and na is pandas.NA and nat is pandas.NaT and error is pandas.errors.ParserError
assert type(offset) is pandas.DateOffset and kind is pandas.CategoricalDtype and isinstance(offset, pandas.offsets.BaseOffset)
assert pickle.loads(pickle.dumps(t)) == t and hash(t) == hash(pandas.Timestamp("2020-01-05"))
assert pandas._libs.tslibs.Timestamp is pandas.Timestamp and pandas.tseries.offsets.Day is pandas.offsets.Day
assert pandas.Series([t]).dt.year[0] == 2020 and pd.Series([t]).dt.year[0] == 2020
assert pandas.util.hash_array is not None and pandas.compat.IS64 is not None
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


STOOD_IN = {
    "categories": ("df.key.astype('category')", "pandas.CategoricalDtype"),
    "ordered categories": ("pd.cut(df.day, [-1, 2, 4, 9], labels=['l', 'm', 'h'])", "pandas.CategoricalDtype"),
    "categories that are numbers": ("pd.cut(df.day, [-1, 2, 4, 9], labels=[3, 1, 2])", "pandas.CategoricalDtype"),
    "strings": ("df.key", "pandas.StringDtype"),
    "times of a zone": (
        "pd.to_datetime(pd.Series(['1/2/2024 +02:00'] * 100), format='%d/%m/%Y %z')",
        "pandas.DatetimeTZDtype",
    ),
}


@pytest.mark.parametrize("kind", STOOD_IN)
def test_columns_made_before_pandas_meet_those_made_after(kind, tmp_path):
    made, dtype = STOOD_IN[kind]
    program = f"""
import sys
a = {made}
assert "pandas" not in sys.modules
assert a.dtype == str(a.dtype)
import pandas
b = {made}
assert type(b.dtype) is {dtype} or {dtype!r} == "pandas.StringDtype"
assert isinstance(a.dtype, {dtype}) and a.dtype == b.dtype and b.dtype == a.dtype and hash(a.dtype) == hash(b.dtype)
assert repr(a.dtype) == repr(b.dtype) and len({{a.dtype, b.dtype}}) == 1
both = pd.concat([a, b], ignore_index=True)
assert both.dtype == b.dtype and both.tolist() == a.tolist() * 2
assert (a == b).all() and a.equals(b) and a.isin(b.unique()).all()
frames = [pd.DataFrame({{"k": x, "v": range(len(x))}}) for x in (a, b)]
assert frames[0].merge(frames[1], on="k").k.dtype == b.dtype
for f in frames:
    pandas.testing.assert_series_equal(f.groupby("k", observed=False).v.sum().to_pandas(), frames[1].to_pandas().groupby("k", observed=False).v.sum())
    pandas.testing.assert_frame_equal(f.to_pandas(), frames[1].to_pandas())
    pandas.testing.assert_frame_equal(f.sort_values("k", kind="stable").to_pandas(), frames[1].to_pandas().sort_values("k", kind="stable"))
def outcome(s, name):
    try:
        return str(getattr(s, name)())
    except Exception as e:
        return type(e), str(e)
for name in ("sum", "mean", "median", "prod", "max", "min", "abs", "rank", "cumsum", "mode", "nunique", "idxmax", "diff"):
    assert outcome(a, name) == outcome(b.to_pandas(), name), name
import pickle
assert pickle.loads(pickle.dumps(a)).equals(b)
u = pickle.loads(pickle.dumps(a.unique()))
assert list(u) == list(b.unique())
"""
    script = tmp_path / "script.py"
    script.write_text(MADE.replace("import pandas as pd", "import bascule.pandas as pd") + program)
    done = subprocess.run([sys.executable, "-W", "ignore", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_distinct_strings_are_an_array_of_pandas_where_they_are_asked():
    program = """
import pickle, sys
import numpy as np
import bascule.pandas as pd
s = pd.Series(["b", "a", None, "b"])
u = s.unique()
assert list(u)[:2] == ["b", "a"] and len(u) == 3 and "pandas" not in sys.modules
assert s.isin(u).all() and pd.Series(u).tolist()[:2] == ["b", "a"] and pd.DataFrame({"x": u}).shape == (3, 1)
import pandas
theirs = s.to_pandas().unique()
pandas.testing.assert_extension_array_equal(pandas.array(pd.Series(u).to_pandas()), theirs)
assert isinstance(u, pandas.api.extensions.ExtensionArray) and repr(u) == repr(theirs) and u.dtype == theirs.dtype
assert (u == "a").tolist()[:2] == [False, True] and (u[:2] + "x").tolist() == ["bx", "ax"] and ("x" + u[:2]).tolist() == ["xb", "xa"]
assert u.shape == (3,) and u.isna().tolist() == [False, False, True] and u[np.array([1])].tolist() == ["a"]
u[0] = "c"
assert u[0] == "c" and list(u)[0] == "c" and np.asarray(u)[0] == "c" and pd.Series(u)[0] == "c" and s[0] == "b"
assert pickle.loads(pickle.dumps(u))[0] == "c"
try:
    hash(u)
except TypeError:
    pass
else:
    raise AssertionError("an array has no hash")
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_threads_that_import_pandas_meanwhile_get_all_of_it():
    program = """
import threading, sys
import bascule.pandas as pd
pd.DataFrame
found = []
def whole():
    import pandas
    found.append(pandas.DataFrame)
threads = [threading.Thread(target=whole) for _ in range(4)]
[t.start() for t in threads]
pd.Timestamp("2020-01-05")
[t.join() for t in threads]
assert len(found) == 4 and len(set(found)) == 1
import pandas
assert pandas.Timestamp is pd.Timestamp
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
