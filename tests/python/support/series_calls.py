"""Calls on series and indexes, as users write them; see frame_calls."""

SERIES = """
s.name
s.dtype
s.iloc[0]
s.iloc[1:]
s.loc[i[0]]
s[i[0]]
s.loc[i[:2]]
s.loc[list(i[:2])]
s.loc[i[1]:i[3]]
s.at[i[0]]
s.get(i[0])
s.get("zz")
s[s.notna()]
s[s == s.iloc[0]]
s[1:3]
s.head(2)
s.tail(2)
s.unique()
s.nunique()
s.nunique(dropna=False)
s.is_unique
s.hasnans
s.value_counts()
s.value_counts(dropna=False)
s.value_counts(normalize=True)
s.value_counts(sort=False)
s.mode()
s.count()
s.min()
s.max()
s.sum()
s.mean()
s.median()
s.std()
s.var()
s.prod()
s.sem()
s.skew()
s.any()
s.all()
s.quantile(0.3)
s.quantile([0.1, 0.9])
s.idxmax()
s.idxmin()
s.argmax()
s.argmin()
s.argsort(kind="stable")
s.describe()
s.sort_values(kind="stable")
s.sort_values(ascending=False, ignore_index=True, kind="stable")
s.sort_index(kind="stable")
s.sort_index(ascending=False, kind="stable")
s.rank()
s.rank(method="dense", ascending=False)
s.rank(pct=True)
s.nlargest(2)
s.nsmallest(2, keep="all")
s.cumsum()
s.cummax()
s.cummin()
s.cumprod()
s.diff()
s.pct_change()
s.shift()
s.shift(-2)
s.shift(1, freq="D")
s.isna()
s.notna()
s.dropna()
s.dropna(ignore_index=True)
s.fillna(s.iloc[0])
s.fillna(t)
s.ffill()
s.bfill()
s.interpolate()
s.replace(s.iloc[0], s.iloc[1])
s.replace([s.iloc[0]], [s.iloc[1]])
s.where(s.notna())
s.where(d.k > 0, s.iloc[0])
s.mask(d.k > 0)
s.mask(d.k > 0, t)
s.isin([s.iloc[0]])
s.isin(t)
s.between(s.iloc[0], s.iloc[1])
s.clip(s.iloc[0], s.iloc[1])
s.drop_duplicates()
s.drop_duplicates(keep=False, ignore_index=True)
s.duplicated()
s.factorize()
s.map({s.iloc[0]: 1})
s.map(lambda x: x)
s.map(str)
s.apply(lambda x: str(x))
s.apply(lambda x: (x, x))
s.agg("count")
s.agg(["count", "nunique"])
s.transform(lambda x: x)
s.astype(str)
s.astype(object)
s.astype("category")
s.astype("string")
s.convert_dtypes()
s.infer_objects()
s.rename("z")
s.rename(lambda x: x)
s.rename({i[0]: i[1]})
s.rename_axis("q")
s.reset_index()
s.reset_index(drop=True)
s.reset_index(name="v")
s.to_frame()
s.to_frame("q")
s.reindex(i[::-1])
s.reindex(list(i[:2]))
s.reindex(range(4))
s.reindex(e.index)
s.reindex_like(e.a)
s.drop(i[0])
s.drop(list(i[:2]))
s.align(e.a)
s.align(e.b, join="inner")
s.add_prefix("x")
s.set_axis(range(len(s)))
s.to_list()
s.to_dict()
s.to_numpy()
s.array
s.values
list(s)
list(s.items())
s.keys()
s.index
s.axes
s.item()
s.squeeze()
s.copy()
s.equals(s.copy())
s.repeat(2)
s.take([1, 0])
s.explode()
s.searchsorted(s.iloc[0])
s.combine_first(e.a)
s.combine_first(t)
s.combine(t, lambda x, y: x)
s.compare(t)
s.update(e.a)
s.truncate(i[1], i[2])
s.first_valid_index()
s.sample(2, random_state=3)
s.groupby(d.k).count()
s.groupby(d.g).first()
s.groupby(level=0).last()
s.groupby(d.k).agg(["min", "count"])
s.groupby(d.k).nunique()
s.groupby(d.k).value_counts()
s.groupby(d.g).unique()
s.groupby(d.k).apply(list)
s.groupby(d.k).shift()
s.groupby(d.k).rank()
s.groupby(d.k).cumcount()
s.groupby(d.k).head(1)
s.groupby(d.k).nth(0)
s.groupby(d.k).transform("count")
s.groupby(d.k).idxmax()
s.groupby(d.k).describe()
s.groupby(s).size()
s.groupby(s.values).count()
s.unstack()
s + s
s - s
s * 2
s / 2
s // 2
s % 2
s ** 2
s + e.a
s == s
s == t
s != s.iloc[0]
s < s
s >= s.iloc[0]
s & s
s | (d.k > 0)
~s
-s
abs(s)
s.add(e.a, fill_value=s.iloc[0])
s.eq(e.a)
s.round(1)
s.dot(s)
s.corr(d.k)
s.cov(d.k)
s.autocorr()
s.str.upper()
s.str.len()
s.str.contains("a")
s.str.replace("a", "z")
s.str[0]
s.str.split("a")
s.str.split("a", expand=True)
s.str.cat(sep=",")
s.str.startswith("a")
s.str.strip()
s.str.zfill(3)
s.str.extract("(a)")
s.str.get_dummies()
s.str.find("a")
s.dt.year
s.dt.date
s.dt.dayofweek
s.dt.floor("D")
s.dt.strftime("%Y")
s.dt.days
s.dt.total_seconds()
s.dt.tz_localize("UTC")
s.dt.tz_convert("UTC")
s.dt.to_period("M")
s.dt.is_month_end
s.dt.isocalendar()
s.dt.month_name()
s.dt.components
s.dt.to_timestamp()
s.dt.normalize()
s.cat.codes
s.cat.categories
s.cat.ordered
s.cat.rename_categories({"x": "X"})
s.cat.add_categories(["w"])
s.cat.remove_unused_categories()
s.cat.set_categories(["y", "x"])
s.cat.as_ordered()
s.rolling(2).sum()
s.rolling(2, min_periods=1).mean()
s.rolling("2D").count()
s.expanding().max()
s.ewm(2).mean()
s.resample("D").first()
s.resample("2h").count()
s.resample("2D").ffill()
s.asfreq("12h")
s.to_csv()
s.to_string()
repr(s)
bool(s)
s.iloc.__setitem__(0, s.iloc[1])
s.loc.__setitem__(i[0], None)
s.__setitem__(s.notna(), s.iloc[0])
s.iloc.__setitem__(slice(0, 2), t.iloc[:2].values)
p.cut(s, 2)
p.qcut(s, 2)
p.to_datetime(s)
p.to_numeric(s)
p.to_timedelta(s)
p.isna(s)
p.unique(s)
p.factorize(s)
p.Series(s, dtype=object)
p.Series(list(s))
p.Series(s.to_dict())
p.Index(s)
p.DataFrame({"x": s})
"""

INDEXES = """
i.name
i.names
i.dtype
i.nlevels
i.is_unique
i.is_monotonic_increasing
i.is_monotonic_decreasing
i.has_duplicates
i.hasnans
i.inferred_type
i.shape
i.empty
i.values
i.array
i[0]
i[-1:]
i[::2]
i[[0, 1]]
i[d.k.to_numpy() > 0]
i[...]
i.tolist()
i.to_list()
i.to_numpy()
i.to_series()
i.to_series(name="q")
i.to_frame()
i.to_frame(index=False)
i.to_flat_index()
i.rename(["w", "v"] if i.nlevels > 1 else "w")
i.set_names("w", level=0)
i.copy()
i.view()
i.T
i.unique()
i.nunique()
i.drop_duplicates()
i.duplicated()
i.value_counts()
i.factorize()
i.argsort()
i.sort_values()
i.sort_values(ascending=False)
i.sort_values(return_indexer=True)
i.min()
i.max()
i.argmin()
i.argmax()
i.isin(i[:2])
i.isna()
i.notna()
i.dropna()
i.fillna(i[0])
i.where(d.k.to_numpy() > 0)
i.putmask(d.k.to_numpy() > 0, i[0])
i.map(lambda x: x)
i.map(str)
i.map({i[0]: 1})
i.astype(object)
i.astype(str)
i.astype("category")
i.infer_objects()
i.append(i)
i.append([i, i[:1]])
i.insert(0, i[1])
i.delete(0)
i.drop(i[:1])
i.drop(i[0])
i.take([1, 0])
i.repeat(2)
i.diff()
i.round(1)
i.union(e.index)
i.union(i[:2])
i.intersection(e.index)
i.difference(e.index)
i.symmetric_difference(e.index)
i.join(e.index, how="outer")
i.join(e.index, how="inner", return_indexers=True)
i.equals(i.copy())
i.identical(i.rename("w") if i.nlevels == 1 else i)
i.is_(i.view())
i.get_loc(i[0])
i.get_indexer(i[::-1])
i.get_indexer_for(i[:1])
i.get_indexer_non_unique(i[:2])
i.get_level_values(0)
i.get_slice_bound(i[1], "left")
i.slice_locs(i[0], i[1])
i.slice_indexer(i[0], i[1])
i.sort_values().searchsorted(i[1])
i.asof(i[1])
i.reindex(i[::-1])
i.droplevel(0)
i.sortlevel()
i.groupby(d.k)
i.item()
i.ravel()
i.transpose()
i.any()
i.all()
i == i
i == i[0]
i < i[1]
i + i
i - i
i - i[0]
i + 1
i * 2
i // 2
-i
len(i)
i[0] in i
list(i)
repr(i)
bool(i)
hash(i)
i.str.upper()
i.str.len()
i.freq
i.freqstr
i.inferred_freq
i.tz
i.unit
i.year
i.month
i.day
i.hour
i.dayofweek
i.normalize()
i.floor("D")
i.ceil("h")
i.strftime("%Y")
i.day_name()
i.tz_localize("UTC")
i.tz_convert("UTC")
i.to_period("M")
i.to_timestamp()
i.to_pydatetime()
i.as_unit("s")
i.snap("D")
i.mean()
i.std()
i.indexer_at_time("00:00")
i.isocalendar()
i.components
i.days
i.total_seconds()
i.to_pytimedelta()
i.asfreq("D")
i.start_time
i.levels
i.codes
i.levshape
i.swaplevel()
i.reorder_levels([1, 0])
i.remove_unused_levels()
i.set_levels([["p", "q", "r"]], level=[0])
i.get_locs([i[0]])
i.truncate(i[0], i[1])
i.dtypes
i.start
i.stop
i.step
i.from_arrays([[1], [2]])
i.to_julian_date()
i.sort()
i.summary
"""
