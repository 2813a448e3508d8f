"""Types of the parameters of `bascule.pandas`, by their names: the first line that has a name, or Class.method.name, holds."""

from __future__ import annotations

_BY_TYPE = {
    "Sequence[Any] | Index | None": "DataFrame.reindex.index DataFrame.reindex.columns Series.reindex.index",
    "Label": "DataFrame.insert.column DataFrame.pop.item Series.pop.item name var_name value_name margins_name",
    "bool | Sequence[bool] | Literal['index', 'columns', 'values', 0, 1, 'all']": "functions.crosstab.normalize",
    "Callable[..., Any] | str | list[Any] | dict[Any, Any]": "Resampler.transform.arg func aggfunc",
    "Callable[..., Any] | dict[Any, Any] | Series": "Series.map.func Index.map.mapper",
    "Callable[..., Any] | str": """
        DataFrame.apply.func DataFrame.pipe.func DataFrame.map.func DataFrame.combine.func Series.combine.func
        Series.pipe.func DataFrameGroupBy.pipe.func SeriesGroupBy.pipe.func
        DataFrameGroupBy.filter.func SeriesGroupBy.filter.func DataFrameGroupBy.apply.func
        SeriesGroupBy.apply.func Rolling.apply.func Expanding.apply.func Rolling.pipe.func Expanding.pipe.func
        ExponentialMovingWindow.pipe.func Resampler.pipe.func DataFrameGroupBy.transform.func
        SeriesGroupBy.transform.func
    """,
    "Literal['left', 'right', 'outer', 'inner', 'cross', 'left_anti', 'right_anti']": """
        DataFrame.merge.how DataFrame.join.how functions.merge.how functions.merge_ordered.how
    """,
    "Literal['left', 'right', 'outer', 'inner']": """
        Index.join.how DataFrame.align.join Series.align.join DataFrame.update.join
    """,
    "Literal['inner', 'outer']": "functions.concat.join",
    "Literal['any', 'all']": "DataFrame.dropna.how Series.dropna.how Index.dropna.how",
    "Literal['first', 'last', False]": """
        DataFrame.drop_duplicates.keep DataFrame.duplicated.keep Series.drop_duplicates.keep
        Series.duplicated.keep Index.drop_duplicates.keep Index.duplicated.keep
    """,
    "Literal['first', 'last', 'all']": """
        DataFrame.nlargest.keep DataFrame.nsmallest.keep Series.nlargest.keep Series.nsmallest.keep
        SeriesGroupBy.nlargest.keep SeriesGroupBy.nsmallest.keep
    """,
    "Literal['average', 'min', 'max', 'first', 'dense']": """
        DataFrame.rank.method Series.rank.method DataFrameGroupBy.rank.method SeriesGroupBy.rank.method
        Rolling.rank.method Expanding.rank.method
    """,
    "Literal['pearson', 'kendall', 'spearman'] | Callable[[Any, Any], float]": """
        DataFrame.corr.method DataFrame.corrwith.method Series.corr.method DataFrameGroupBy.corr.method
        DataFrameGroupBy.corrwith.method SeriesGroupBy.corr.method
    """,
    "Literal['single', 'table']": """
        DataFrame.quantile.method DataFrame.rolling.method DataFrame.expanding.method DataFrame.ewm.method
        Series.rolling.method Series.expanding.method Series.ewm.method DataFrameGroupBy.rolling.method
        SeriesGroupBy.rolling.method DataFrameGroupBy.expanding.method SeriesGroupBy.expanding.method
    """,
    "Literal['linear', 'lower', 'higher', 'midpoint', 'nearest']": """
        DataFrame.quantile.interpolation Series.quantile.interpolation DataFrameGroupBy.quantile.interpolation
        SeriesGroupBy.quantile.interpolation Rolling.quantile.interpolation Expanding.quantile.interpolation
    """,
    "Literal['pad', 'ffill', 'backfill', 'bfill', 'nearest']": """
        DataFrame.reindex.method Series.reindex.method DataFrame.asfreq.method Series.asfreq.method
        Index.get_indexer.method Index.reindex.method DataFrame.reindex_like.method Series.reindex_like.method
    """,
    "str": """
        DataFrame.to_hdf.key Series.to_hdf.key
        DataFrame.interpolate.method Series.interpolate.method Resampler.interpolate.method DataFrame.to_sql.name
        Series.to_sql.name DataFrame.query.expr DataFrame.eval.expr DataFrame.itertuples.name functions.eval.expr
        functions.col.col_name StringMethods.encode.errors StringMethods.decode.errors StringMethods.match.pat
        StringMethods.fullmatch.pat
        sep delimiter decimal quotechar escapechar comment encoding encoding_errors na_rep lsuffix rsuffix
        prefix_sep fillchar sheet_name like mode parser nan_rep inf_rep root_name row_name table_name xpath
        data_label byteorder weekmask suffix prefix lineterminator convention initial_indent subsequent_indent
        placeholder table_id record_prefix meta_prefix thousands win_type locale
    """,
    "Literal['dict', 'list', 'series', 'split', 'tight', 'records', 'index']": "DataFrame.to_dict.orient",
    "Literal['columns', 'index', 'tight']": "DataFrame.from_dict.orient",
    "Literal['split', 'records', 'index', 'columns', 'values', 'table']": """
        DataFrame.to_json.orient Series.to_json.orient functions.read_json.orient
    """,
    "int | Literal['infer'] | Sequence[int]": "functions.read_csv.header functions.read_table.header",
    "int | Sequence[int]": "functions.read_excel.header functions.read_html.header width repeats",
    "bool | Sequence[str]": """
        DataFrame.to_csv.header Series.to_csv.header DataFrame.to_excel.header Series.to_excel.header
        DataFrame.to_string.header Series.to_string.header DataFrame.to_latex.header DataFrame.to_html.header
    """,
    "bool | Label | Sequence[Label] | dict[Any, Any]": """
        functions.read_csv.parse_dates functions.read_table.parse_dates functions.read_excel.parse_dates
        functions.read_sql.parse_dates functions.read_sql_query.parse_dates functions.read_sql_table.parse_dates
        functions.read_html.parse_dates functions.read_xml.parse_dates
    """,
    "Label | Sequence[Label] | Literal[False]": "functions.read_csv.index_col functions.read_table.index_col",
    "Sequence[Label]": "functions.read_csv.names functions.read_table.names functions.read_excel.names",
    "Sequence[Label] | Callable[[Any], bool] | str": """
        functions.read_csv.usecols functions.read_table.usecols functions.read_excel.usecols
    """,
    "int | Sequence[int] | Callable[[int], bool]": """
        functions.read_csv.skiprows functions.read_table.skiprows functions.read_excel.skiprows
        functions.read_html.skiprows
    """,
    "Dtypes | dict[Any, Any]": """
        functions.read_csv.dtype functions.read_table.dtype functions.read_excel.dtype functions.read_json.dtype
        DataFrame.astype.dtype Series.astype.dtype DataFrame.to_sql.dtype Series.to_sql.dtype
        functions.read_sql.dtype functions.read_sql_query.dtype
    """,
    "Literal['c', 'python', 'pyarrow', 'python-fwf']": "functions.read_csv.engine functions.read_table.engine",
    "Literal['error', 'warn', 'skip'] | Callable[[list[str]], list[str] | None]": """
        functions.read_csv.on_bad_lines functions.read_table.on_bad_lines
    """,
    "Literal['high', 'legacy', 'round_trip']": """
        functions.read_csv.float_precision functions.read_table.float_precision
    """,
    "Iterable[Series | DataFrame | None] | Mapping[Any, Series | DataFrame | None]": "functions.concat.objs",
    "DataFrame | Series": """
        functions.merge.left functions.merge.right functions.merge_asof.left functions.merge_asof.right
        functions.merge_ordered.left functions.merge_ordered.right DataFrame.merge.right
    """,
    "DataFrame | Series | Iterable[DataFrame | Series]": "DataFrame.join.other",
    "DataFrame": """
        functions.melt.frame functions.pivot.data functions.pivot_table.data functions.wide_to_long.df
        functions.lreshape.data functions.from_dummies.data
    """,
    "Literal['raise', 'coerce']": """
        functions.to_datetime.errors functions.to_numeric.errors functions.to_timedelta.errors
    """,
    "Literal['strict', 'raise', 'ignore', 'replace'] | str": """
        DataFrame.to_csv.errors Series.to_csv.errors DataFrame.to_hdf.errors Series.to_hdf.errors
        functions.read_hdf.errors
    """,
    "Literal['raise', 'ignore']": "errors",
    "Literal['integer', 'signed', 'unsigned', 'float']": "functions.to_numeric.downcast",
    "Literal['left', 'right']": "Series.searchsorted.side Index.searchsorted.side Index.get_slice_bound.side",
    "Literal['left', 'right', 'both']": "StringMethods.pad.side",
    "Literal['left', 'right', 'both', 'neither']": "closed",
    "Literal['both', 'neither', 'left', 'right']": "inclusive",
    "Literal['backward', 'forward', 'nearest']": "functions.merge_asof.direction",
    "Literal['NFC', 'NFKC', 'NFD', 'NFKD']": "StringMethods.normalize.form",
    "Literal['expand', 'reduce', 'broadcast']": "result_type",
    "Literal['quicksort', 'mergesort', 'heapsort', 'stable']": """
        DataFrame.sort_values.kind Series.sort_values.kind DataFrame.sort_index.kind Series.sort_index.kind
        Series.argsort.kind
    """,
    "Literal['keep', 'top', 'bottom']": "na_option",
    "Literal['first', 'last']": "na_position",
    "Literal['forward', 'backward', 'both']": "limit_direction",
    "Literal['inside', 'outside']": "limit_area",
    "Literal['ignore']": "na_action",
    "Literal['fail', 'replace', 'append', 'delete_rows']": "if_exists",
    "Literal['cython', 'numba']": """
        DataFrameGroupBy.engine SeriesGroupBy.engine Rolling.engine Expanding.engine
        ExponentialMovingWindow.engine
    """,
    "Literal['python', 'numexpr', 'numba', 'pyarrow', 'fastparquet', 'auto', 'openpyxl', 'calamine', 'xlsxwriter', 'odf', 'xlrd', 'pyxlsb', 'ujson', 'c', 'python-fwf', 'cython'] | Any": """
        engine
    """,
    "Literal['numpy_nullable', 'pyarrow']": "dtype_backend",
    "Literal['one_to_one', '1:1', 'one_to_many', '1:m', 'many_to_one', 'm:1', 'many_to_many', 'm:m'] | str": """
        validate
    """,
    "Literal['s', 'ms', 'us', 'ns']": "date_unit functions.date_range.unit functions.timedelta_range.unit",
    "Literal['epoch', 'iso']": "DataFrame.to_json.date_format Series.to_json.date_format",
    "Axis": "axis align_axis",
    "bool": """
        Series.to_string.dtype
        skipna numeric_only inplace sort dropna observed group_keys ignore_index copy deep append
        verify_integrity drop keep_shape keep_equal infer_objects convert_string convert_integer convert_boolean
        convert_floating center adjust ignore_na sort_remaining left_index right_index margins include_lowest
        pct bool_only future_stack allows_duplicate_labels drop_level allow_duplicates use_na_sentinel dummy_na
        sparse drop_first normalize dayfirst yearfirst utc exact cache as_index doublequote skipinitialspace
        skip_blank_lines keep_default_na na_filter cache_dates low_memory memory_map coerce_float
        allow_exact_matches expand force_ascii lines bold_rows escape index_names merge_cells excel notebook
        render_links show_dimensions verbose overwrite union_categories keep_default_dates precise_float
        include_groups preserve_dtypes convert_missing order_categoricals convert_categoricals write_index
        xml_declaration pretty_print elems_only attrs_only expand_tabs replace_whitespace drop_whitespace
        fix_sentence_endings break_long_words break_on_hyphens return_indexer return_indexers allow_fill
        displayed_only case_sensitive multicolumn multirow longtable as_json use_eng_prefix run_doctests
        convert_strl use_threads convert_axes retbins iterator autofilter ordered functions.cut.right grid legend sharex
        sharey subplots stable pairwise bias raw
    """,
    "bool | Sequence[bool]": "ascending",
    "bool | str | Any": "indicator regex case",
    "bool | Literal['deep']": "DataFrame.info.memory_usage Series.info.memory_usage",
    "bool | Label": """
        DataFrame.to_csv.index DataFrame.to_parquet.index DataFrame.to_json.index DataFrame.to_excel.index
        DataFrame.itertuples.index DataFrame.memory_usage.index Series.memory_usage.index
        DataFrame.to_records.index DataFrame.to_sql.index Series.to_sql.index Series.to_csv.index
        Series.to_excel.index DataFrame.to_orc.index DataFrame.to_string.index Series.to_string.index
        DataFrame.to_html.index DataFrame.to_latex.index Series.to_latex.index DataFrame.to_markdown.index
        Series.to_markdown.index DataFrame.to_xml.index Series.to_json.index DataFrame.to_dict.index
    """,
    "Label | Sequence[Label]": """
        subset id_vars value_vars DataFrame.pivot.columns DataFrame.pivot.index DataFrame.pivot.values
        functions.pivot.columns functions.pivot.index functions.pivot.values level DataFrame.nlargest.columns
        DataFrame.nsmallest.columns left_by right_by DataFrame.explode.column functions.merge_asof.by stubnames
        functions.read_parquet.columns functions.read_feather.columns index_label partition_cols
    """,
    "Label | Sequence[Label] | Any": """
        on left_on right_on by keys labels DataFrame.drop.index DataFrame.drop.columns Series.drop.index
        Series.drop.columns columns index values names
    """,
    "tuple[str | None, str | None]": "suffixes",
    "int": """
        ddof min_count n periods min_periods precision step double_precision max_level col_level startrow
        startcol nrows chunksize skipfooter infer_nrows max_lines tabsize max_cols max_rows min_rows lag indent
        border line_width max_colwidth protocol complevel version limit flags quoting
    """,
    "float": "frac com span alpha thresh",
    "float | str | timedelta": "halflife",
    "float | Sequence[float] | Any": "q percentiles",
    "int | Sequence[Any] | Any": "bins",
    "str | Any": "to_strip sub pat repl",
    "Frequency": "freq rule",
    "int | Frequency | Any": "window",
    "File": "path_or_buf filepath_or_buffer path path_or_buffer buf io excel_writer",
    "dict[str, Any]": "storage_options engine_kwargs local_dict global_dict to_pandas_kwargs",
    "str | dict[str, Any]": "compression",
    "str | Callable[..., str]": "float_format",
    "str | dict[Any, str]": "date_format",
    "Callable[[Any], Any] | dict[Any, Any] | Any": "mapper",
    "Any": "DataFrame.get.key DataFrame.xs.key Series.get.key Series.xs.key functions.read_hdf.key MultiIndex.get_loc_level.key Index.get_loc.key",
    "Callable[[Any], Any]": "key filter_func default_handler",
    "Dtypes": "dtype",
    "tzinfo | str | None": "tz",
    "int | np.random.Generator | np.random.RandomState | Any": "random_state",
    "Sequence[Any]": "true_values false_values",
    "dict[Any, Callable[[Any], Any]]": "converters",
    "Literal['raise', 'drop']": "duplicates",
    "bool | Literal['compat']": "by_row",
}


def _entries() -> dict[str, str]:
    found: dict[str, str] = {}
    for kind, names in _BY_TYPE.items():
        for name in names.split():
            found.setdefault(name, kind)
    return found


TYPES = _entries()
used: set[str] = set()  # names that a signature has asked for


def of(owner: str, member: str, parameter: str) -> str:
    """The type of a parameter of a member of a class, or of a function of the namespace."""
    owner = (
        owner.removeprefix("Index") if owner.endswith("Methods") else owner
    )  # strings of labels as those of elements
    general = "Index" if owner.endswith("Index") else owner
    owners = [f"{o}.{member}.{parameter}" for o in (owner, general)]
    for name in (*owners, f"{owner}.{parameter}", parameter):
        if name in TYPES:
            used.add(name)
            return TYPES[name]
    return "Any"
