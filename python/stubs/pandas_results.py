"""Results of the members of `bascule.pandas`, by class: a type and the names of the methods, properties or functions that have it.

`FORMS` has the members with several forms, whose result depends on an argument: each form is what it changes of the
signature's parameters, and its result. A parameter that is changed without a default is required in that form.
"""

from __future__ import annotations

_ARITHMETIC = (
    "add sub mul div truediv floordiv mod pow radd rsub rmul rdiv rtruediv rfloordiv rmod rpow subtract multiply divide"
)
_COMPARISONS = "eq ne lt le gt ge"
_REDUCTIONS = "sum prod product mean median std var sem skew kurt kurtosis min max all any"
_PARTS = "year month day hour minute second microsecond nanosecond day_of_week day_of_year dayofweek dayofyear days_in_month daysinmonth quarter week weekofyear weekday qyear"
_ASKED = "is_leap_year is_month_end is_month_start is_quarter_end is_quarter_start is_year_end is_year_start"
_WINDOWED = (
    "apply count first last kurt max mean median min nunique quantile rank sem skew std sum var aggregate agg corr cov"
)
_WINDOW = """
Any: pipe on
bool: center
str | None: closed
int | None: step
int: ndim
frozenset[Label]: exclusions
"""

# Arithmetic and statistics, whose many forms have files of their own.
NUMBERS = frozenset(
    f"{_ARITHMETIC} {_COMPARISONS} {_REDUCTIONS} divmod rdivmod dot quantile count nunique autocorr".split()
)

# Members that frames and series share; "Self" is an object of the same class, and of the same type of elements.
_ROWS = f"""
Self: abs add_prefix add_suffix asfreq at_time between_time bfill clip copy cummax cummin cumprod cumsum drop drop_duplicates
Self: dropna droplevel ffill fillna filter head infer_objects interpolate mask mode nlargest nsmallest pct_change reindex
Self: reindex_like rename rename_axis reorder_levels replace round sample set_axis set_flags shift sort_index sort_values
Self: swaplevel tail take to_period to_timestamp truncate tz_convert tz_localize where convert_dtypes rank explode diff
Self: combine_first from_arrow astype {_ARITHMETIC}
Any: to_pandas
None: update to_clipboard to_excel to_hdf to_pickle info
int | None: to_sql
bool: empty equals
int: size ndim
Index: keys
list[Index]: axes
dict[Label, Any]: attrs
Any: first_valid_index last_valid_index get pipe apply xs squeeze to_xarray hist agg aggregate flags dot transform sparse
"""

RESULTS = {
    "DataFrame": f"""
{_ROWS}
Self: assign corr cov query set_index reset_index {_COMPARISONS} isin isna isnull notna notnull map
DataFrame: T transpose combine compare describe join melt merge pivot pivot_table select select_dtypes from_dict from_records
Series: dtypes corrwith duplicated memory_usage pop nunique count idxmax idxmin value_counts {_REDUCTIONS} quantile
DataFrame | Series: asof eval unstack stack
tuple[Self, Any]: align
tuple[int, int]: shape
ndarray[tuple[int, int], np.dtype[Any]]: values
np.ndarray[tuple[int, int], np.dtype[Any]]: to_numpy
Index: columns index
np.recarray[Any, Any]: to_records
Any: to_arrow
None: insert isetitem to_feather to_iceberg to_stata
Iterator[tuple[Label, Series]]: iterrows
Iterable[tuple[Label, Series]]: items
ByLabel[DataFrame, Series]: loc
Positions[DataFrame, Series]: iloc
OneByLabel: at
OneByPosition: iat
PlotAccessor: plot
Any: boxplot style
DataFrameGroupBy: groupby
Resampler[DataFrame]: resample
Rolling[DataFrame]: rolling
Expanding[DataFrame]: expanding
ExponentialMovingWindow[DataFrame]: ewm
""",
    "Series": f"""
{_ROWS}
Series: astype {_ARITHMETIC} diff explode replace combine combine_first convert_dtypes where mask map mode case_when fillna
Series: from_arrow
Series[bool]: {_COMPARISONS} isin isna isnull notna notnull duplicated between
Series[float]: pct_change rank
Series[int]: argsort value_counts
tuple[Series, Series]: divmod rdivmod
tuple[Self, Any]: align
T: min max item pop
Series: describe
DataFrame: to_frame compare unstack
Scalar: mean median std var sem skew kurt kurtosis
float: autocorr corr cov
T: sum prod product
Any: idxmax idxmin array asof
int: argmax argmin count nunique nbytes memory_usage
bool: is_monotonic_decreasing is_monotonic_increasing is_unique hasnans all any
Label: name
Dtype: dtype dtypes
tuple[int]: shape
ndarray[tuple[int], np.dtype[Any]]: values unique
np.ndarray[tuple[int], np.dtype[Any]]: to_numpy
list[T]: to_list tolist
Index: index
Self: repeat transpose T
tuple[ndarray[tuple[int], np.dtype[np.intp]], Index]: factorize
Iterable[tuple[Label, T]]: items
Any: searchsorted
ByLabel[Self, T]: loc
Positions[Self, T]: iloc
OneByLabel: at
OneByPosition: iat
StringMethods: str
TimeProperties: dt
CategoricalAccessor: cat
ListAccessor: list
StructAccessor: struct
PlotAccessor: plot
SeriesGroupBy: groupby
Resampler[Series]: resample
Rolling[Series]: rolling
Expanding[Series]: expanding
ExponentialMovingWindow[Series]: ewm
""",
    "Index": """
Self: ravel T copy delete drop drop_duplicates dropna infer_objects repeat round take transpose view sort_values
Index: append astype difference diff fillna insert intersection join map putmask rename set_names shift symmetric_difference union unique get_level_values droplevel to_flat_index where replace
bool: empty equals identical has_duplicates hasnans is_ is_monotonic_decreasing is_monotonic_increasing is_unique
int: ndim nlevels size nbytes nunique memory_usage get_slice_bound argmax argmin
tuple[int]: shape
str: inferred_type
Label: name
bool: all any
Any: array item min max asof groupby to_pandas
int | slice | ndarray: get_loc
Dtype: dtype
list[Label]: names
list[Any]: to_list tolist
ndarray[tuple[int], np.dtype[Any]]: values
np.ndarray[tuple[int], np.dtype[Any]]: to_numpy asof_locs
ndarray[tuple[int], np.dtype[np.bool]]: duplicated isin isna isnull notna notnull
ndarray[tuple[int], np.dtype[np.intp]]: argsort get_indexer get_indexer_for
tuple[ndarray, ndarray]: get_indexer_non_unique
tuple[ndarray[tuple[int], np.dtype[np.intp]], Index]: factorize
tuple[Self, ndarray]: sortlevel
tuple[Index, np.ndarray[Any, Any] | None]: reindex
slice: slice_indexer
tuple[int, int]: slice_locs
DataFrame: to_frame
Series: to_series
Series[int]: value_counts
IndexStringMethods: str
""",
    "RangeIndex": "int: start stop step\nRangeIndex: from_range",
    "DatetimeIndex": f"""
Index: {_PARTS}
ndarray[tuple[int], np.dtype[np.bool]]: {_ASKED}
Self: as_unit ceil floor round normalize snap tz_convert tz_localize
Index: day_name month_name strftime to_julian_date
np.ndarray[tuple[int], np.dtype[Any]]: date time timetz to_pydatetime asi8
ndarray[tuple[int], np.dtype[np.intp]]: indexer_at_time indexer_between_time
PeriodIndex: to_period
DataFrame: isocalendar
bool: is_normalized
str: unit resolution
str | None: freqstr inferred_freq
tzinfo | None: tz tzinfo
Any: freq
Timestamp: mean
Timedelta: std
""",
    "TimedeltaIndex": """
Index: days seconds microseconds nanoseconds total_seconds
Self: as_unit ceil floor round
np.ndarray[tuple[int], np.dtype[Any]]: to_pytimedelta asi8
DataFrame: components
str: unit resolution
str | None: freqstr inferred_freq
Any: freq
Timedelta: mean median std sum
""",
    "PeriodIndex": f"""
Index: {_PARTS} strftime
np.ndarray[tuple[int], np.dtype[np.bool]]: is_leap_year
np.ndarray[tuple[int], np.dtype[Any]]: asi8
PeriodIndex: asfreq from_fields from_ordinals
DatetimeIndex: start_time end_time to_timestamp
bool: is_full
str: freqstr resolution
Any: freq mean
""",
    "CategoricalIndex": """
CategoricalIndex: add_categories as_ordered as_unordered remove_categories remove_unused_categories rename_categories reorder_categories set_categories
Index: categories
np.ndarray[tuple[int], np.dtype[Any]]: codes
bool: ordered
""",
    "IntervalIndex": """
IntervalIndex: from_arrays from_breaks from_tuples set_closed
Index: left right mid length to_tuples
bool: closed_left closed_right open_left open_right is_non_overlapping_monotonic is_overlapping
np.ndarray[tuple[int], np.dtype[np.bool]]: contains overlaps
np.ndarray[tuple[int], np.dtype[np.bool]]: is_empty
Literal['left', 'right', 'both', 'neither']: closed
""",
    "MultiIndex": """
MultiIndex: from_arrays from_frame from_product from_tuples remove_unused_levels reorder_levels set_codes set_levels swaplevel truncate
list[Any]: codes levels
tuple[int, ...]: levshape
Series: dtypes
bool: equal_levels
ndarray[tuple[int], np.dtype[np.intp]]: get_locs
tuple[Any, Any]: get_loc_level
""",
    "DataFrameGroupBy": """
DataFrame: agg aggregate all any bfill corr count cov cummax cummin cumprod cumsum describe diff ffill filter first get_group head
DataFrame: idxmax idxmin kurt last max mean median min nunique ohlc pct_change prod quantile rank sample sem shift skew std
DataFrame: sum tail take transform var corrwith
R: size value_counts
Nth[DataFrame]: nth
Series[int]: cumcount ngroup
DataFrame | Series: apply
dict[Any, Index]: groups
dict[Any, np.ndarray[Any, np.dtype[np.intp]]]: indices
int: ndim ngroups
Any: keys level hist boxplot pipe plot
DataFrame: obj
bool: as_index
Rolling[DataFrame]: rolling
Expanding[DataFrame]: expanding
ExponentialMovingWindow[DataFrame]: ewm
Resampler[DataFrame]: resample
""",
    "SeriesGroupBy": """
R: all any corr count cov first idxmax idxmin kurt last max mean median min nunique prod quantile sem size skew std sum var unique
R: is_monotonic_decreasing is_monotonic_increasing
Series: bfill cummax cummin cumprod cumsum diff ffill filter get_group head nlargest nsmallest pct_change rank sample shift
Series: tail take transform
R: value_counts
DataFrame: describe ohlc
Series[int]: cumcount ngroup
Any: agg aggregate apply dtype keys level hist pipe plot
Nth[Series]: nth
Any: obj
bool: as_index
dict[Any, Index]: groups
dict[Any, np.ndarray[Any, np.dtype[np.intp]]]: indices
int: ndim ngroups
Rolling[Series]: rolling
Expanding[Series]: expanding
ExponentialMovingWindow[Series]: ewm
Resampler[Series]: resample
""",
    "Rolling": f"W: {_WINDOWED}\n{_WINDOW}",
    "Expanding": f"W: {_WINDOWED}\n{_WINDOW}",
    "ExponentialMovingWindow": f"W: mean std sum var corr cov aggregate agg\nAny: online\n{_WINDOW}",
    "Resampler": """
W: asfreq bfill count ffill first interpolate last max mean median min nearest nunique prod quantile sem std sum var transform
W: get_group
DataFrame: ohlc
Series: size
Any: agg aggregate apply pipe
dict[Any, Any]: groups indices
int: ndim ngroups
Any: keys level
frozenset[Label]: exclusions
""",
    "StringMethods": """
Series[str]: capitalize casefold center join ljust lower lstrip normalize pad removeprefix removesuffix repeat replace rjust rstrip slice
Series[str]: slice_replace strip swapcase title translate upper wrap zfill
Series[bool]: contains endswith fullmatch isalnum isalpha isascii isdecimal isdigit islower isnumeric isspace istitle isupper match startswith
Series[int]: count find index len rfind rindex
Series: decode encode findall get split rsplit
DataFrame: extractall get_dummies
""",
    "IndexStringMethods": """
Index: capitalize casefold center join ljust lower lstrip normalize pad removeprefix removesuffix repeat replace rjust rstrip slice
Index: slice_replace strip swapcase title translate upper wrap zfill count find index len rfind rindex decode encode findall get
ndarray[tuple[int], np.dtype[np.bool]]: contains endswith fullmatch isalnum isalpha isascii isdecimal isdigit islower isnumeric isspace istitle isupper match startswith
Index: split rsplit
DataFrame: extractall
MultiIndex: get_dummies
""",
    "TimeProperties": f"""
Series[int]: {_PARTS} days seconds microseconds nanoseconds
Series[bool]: {_ASKED}
Series[str]: day_name month_name strftime
Series[float]: total_seconds
Series: as_unit asfreq ceil floor round date time timetz end_time start_time normalize to_period to_pydatetime to_timestamp tz_convert tz_localize
np.ndarray[tuple[int], np.dtype[Any]]: to_pytimedelta
DataFrame: components isocalendar
str: unit
tzinfo | None: tz
Any: freq
""",
    "CategoricalAccessor": """
Series: add_categories as_ordered as_unordered remove_categories remove_unused_categories rename_categories reorder_categories set_categories
Series[int]: codes
Index: categories
bool: ordered
""",
    "ListAccessor": "Series: flatten\nSeries[int]: len",
    "StructAccessor": "Series: dtypes field\nDataFrame: explode",
    "PlotAccessor": "Any: area bar barh box density hexbin hist kde line pie scatter",
    "functions": """
DataFrame: crosstab from_dummies get_dummies json_normalize lreshape melt merge merge_asof merge_ordered pivot pivot_table wide_to_long
DataFrame: read_clipboard read_feather read_iceberg read_orc read_parquet read_spss read_xml
list[DataFrame]: read_html
DatetimeIndex: bdate_range date_range
TimedeltaIndex: timedelta_range
PeriodIndex: period_range
IntervalIndex: interval_range
Any: array col eval get_option read_pickle read_hdf option_context read_sas cut qcut from_pandas
tuple[ndarray[tuple[int], np.dtype[np.intp]], Any]: factorize
str | None: infer_freq
ndarray[tuple[int], np.dtype[Any]]: unique
None: describe_option reset_option set_option set_eng_float_format show_versions test to_pickle
""",
}

_BY_AXIS = [("axis: None", "Scalar"), ("axis: Axis = 0", "Series")]
_ANY_BY_AXIS = [("axis: None", "Any"), ("axis: Axis = 0", "Series")]
_BOOL_BY_AXIS = [("axis: None", "np.bool"), ("axis: Axis = 0", "Series[bool]")]
_BY_FILE = [("path_or_buf: None = None", "str"), ("path_or_buf: File", "None")]
_BY_BUFFER = [("buf: None = None", "str"), ("buf: File", "None")]
_READERS = [
    ("iterator: Literal[True]", "TextFileReader"),
    ("chunksize: int", "TextFileReader"),
    ("iterator: Literal[False] = False; chunksize: None = None", "DataFrame"),
]
_BY_CHUNKS = [("chunksize: int", "Iterator[DataFrame]"), ("chunksize: None = None", "DataFrame")]
_ISNA = [
    ("obj: DataFrame", "DataFrame"),
    ("obj: Series", "Series[bool]"),
    ("obj: Index | ndarray", "ndarray[tuple[int], np.dtype[np.bool]]"),
    ("obj: np.ndarray[Any, Any] | list[Any]", "np.ndarray[Any, np.dtype[np.bool]]"),
    ("obj: Label", "bool"),
]
_VALUES = "Sequence[Any] | Index | np.ndarray[Any, Any] | ndarray"
_SEARCHED = [
    (f"value: {_VALUES} | Series", "ndarray[tuple[int], np.dtype[np.intp]]"),
    ("value: Label", "np.intp"),
]
_GROUPED_OR_WINDOWED = (
    "DataFrameGroupBy",
    "SeriesGroupBy",
    "Rolling",
    "Expanding",
    "ExponentialMovingWindow",
    "Resampler",
)
_SEVERAL = (
    "list[Any] | tuple[Any, ...] | dict[Any, Any] | set[Any] | np.ndarray[Any, Any] | ndarray | Index | DataFrame"
)
_TIMES = [
    ("arg: Series | DataFrame | Mapping[Any, Any]", "Series"),
    ("arg: str | float | date", "Timestamp"),
    (f"arg: {_VALUES}", "DatetimeIndex"),
]
_SPLIT = [("expand: Literal[True]", "DataFrame"), ("expand: Literal[False] = False", "Series")]
_PARTED = [("expand: Literal[True] = True", "DataFrame"), ("expand: Literal[False]", "Series")]
_GROUPED = [("as_index: Literal[True] = True", "{0}"), ("as_index: Literal[False]", "{1}")]
_NUMBERS_OR_MORE = [("q: float = 0.5", "{}"), ("q: Sequence[float] | np.ndarray[Any, Any] | Index | Series", "{}")]


def _with(forms: list[tuple[str, str]], *results: str) -> list[tuple[str, str]]:
    return [(change, result) for (change, _), result in zip(forms, results, strict=True)]


FORMS: dict[str, list[tuple[str, str]]] = {
    **{f"DataFrame.{n}": _BY_AXIS for n in "mean median std var sem skew kurt kurtosis".split()},
    **{f"DataFrame.{n}": _ANY_BY_AXIS for n in "sum prod product min max".split()},
    "DataFrame.all": _BOOL_BY_AXIS,
    "DataFrame.any": _BOOL_BY_AXIS,
    **{f"{c}.{n}": _BY_FILE for c in ("DataFrame", "Series") for n in ("to_csv", "to_json")},
    "DataFrame.to_xml": [("path_or_buffer: None = None", "str"), ("path_or_buffer: File", "None")],
    "DataFrame.to_parquet": [("path: None = None", "bytes"), ("path: File", "None")],
    "DataFrame.to_orc": [("path: None = None", "bytes"), ("path: File", "None")],
    **{
        f"{c}.{n}": _BY_BUFFER
        for c, ns in (
            ("DataFrame", "to_string to_html to_latex to_markdown"),
            ("Series", "to_string to_latex to_markdown"),
        )
        for n in ns.split()
    },
    "DataFrame.to_dict": [
        ("orient: Literal['records']", "list[dict[Label, Any]]"),
        ("orient: Literal['dict', 'list', 'series', 'split', 'tight', 'index'] = 'dict'", "dict[Label, Any]"),
    ],
    "Series.to_dict": [("", "dict[Label, T]")],
    "DataFrame.quantile": _with(_NUMBERS_OR_MORE, "Series", "DataFrame"),
    "Series.quantile": _with(_NUMBERS_OR_MORE, "Scalar", "Series"),
    "DataFrame.groupby": _with(_GROUPED, "DataFrameGroupBy[Series]", "DataFrameGroupBy[DataFrame]"),
    "Series.groupby": [("", "SeriesGroupBy[Series]")],
    "DataFrame.itertuples": [
        ("name: None", "Iterator[tuple[Any, ...]]"),
        ("name: str = 'Pandas'", "Iterator[Row]"),
    ],
    "DataFrame.apply": [
        ("func: Callable[..., str | float | complex | date | timedelta | np.generic | None]; result_type: None = None", "Series"),
        ("func: Callable[..., Series]; result_type: None = None", "DataFrame"),
        ("func: Callable[..., Any]; result_type: Literal['expand', 'broadcast']", "DataFrame"),
        ("func: str; result_type: None = None", "Series"),
        ("func: list[Any] | dict[Any, Any]; result_type: None = None", "DataFrame"),
        (f"func: Callable[..., {_SEVERAL}]; result_type: Literal['reduce'] | None = None", "Any"),
    ],
    "Series.apply": [
        ("func: type[str]", "Series[str]"),
        ("func: type[bool]", "Series[bool]"),
        ("func: type[int]", "Series[int]"),
        ("func: type[float]", "Series[float]"),
        ("func: Callable[..., Any] | str | list[Any] | dict[Any, Any]", "Any"),
    ],
    "Series.astype": [
        ("dtype: type[bool]", "Series[bool]"),
        ("dtype: type[int]", "Series[int]"),
        ("dtype: type[float]", "Series[float]"),
        ("dtype: type[str]", "Series[str]"),
        ("dtype: Any", "Series"),
    ],
    "DataFrame.agg": [
        ("func: str | Callable[..., Any]", "Series"),
        ("func: list[Any]", "DataFrame"),
        ("func: Any = ...", "Any"),
    ],
    "Series.agg": [("func: list[Any] | dict[Any, Any]", "Series"), ("func: Any = ...", "Any")],
    "DataFrame.transform": [("", "DataFrame")],
    "Series.transform": [("func: list[Any] | dict[Any, Any]", "DataFrame"), ("func: Any", "Series")],
    "DataFrame.dot": [("other: Series", "Series"), (f"other: DataFrame | {_VALUES}", "DataFrame")],
    "DataFrame.get": [("default: None = None", "Series | None"), ("default: Any", "Any")],
    "Series.get": [("default: None = None", "T | None"), ("default: Any", "Any")],
    "Series.dot": [("other: DataFrame", "Series"), (f"other: Series | {_VALUES}", "Any")],
    **{
        f"{c}.pipe": [("func: Callable[..., Made]", "Made"), ("func: tuple[Callable[..., Made], str]", "Made")]
        for c in ("DataFrame", "Series", *_GROUPED_OR_WINDOWED)
    },
    "DataFrame.align": [("other: DataFrame", "tuple[Self, DataFrame]"), ("other: Series", "tuple[Self, Series]")],
    "Series.align": [("other: DataFrame", "tuple[Self, DataFrame]"), ("other: Series", "tuple[Self, Series]")],
    "Series.searchsorted": _SEARCHED,
    "Index.searchsorted": _SEARCHED,
    "SeriesGroupBy.apply": [("", "Series | DataFrame")],
    "DataFrame.squeeze": [("", "Any")],
    "Series.squeeze": [("", "Any")],
    "DataFrame.value_counts": [
        ("normalize: Literal[False] = False", "Series[int]"),
        ("normalize: Literal[True]", "Series[float]"),
    ],
    "Series.value_counts": [
        ("normalize: Literal[False] = False", "Series[int]"),
        ("normalize: Literal[True]", "Series[float]"),
    ],
    "Series.reset_index": [
        ("drop: Literal[True]; inplace: Literal[False] = False", "Series[T]"),
        ("drop: Literal[False] = False; inplace: Literal[False] = False", "DataFrame"),
        ("drop: bool = False; inplace: Literal[True]", "None"),
    ],
    "Index.to_frame": [("", "DataFrame")],
    "SeriesGroupBy.agg": [("func: list[Any]", "DataFrame"), ("func: str | Callable[..., Any]", "R"), ("func: Any = ...", "DataFrame")],
    "Resampler.agg": [("func: str", "W"), ("func: Any = ...", "Any")],
    "StringMethods.split": _SPLIT,
    "StringMethods.rsplit": _SPLIT,
    "StringMethods.partition": _PARTED,
    "StringMethods.rpartition": _PARTED,
    "StringMethods.extract": [("expand: Literal[True] = True", "DataFrame"), ("expand: Literal[False]", "Series | DataFrame")],
    "StringMethods.cat": [("others: None = None", "str"), ("others: Any", "Series[str]")],
    "IndexStringMethods.cat": [("others: None = None", "str"), ("others: Any", "Index")],
    "IndexStringMethods.partition": _with(_PARTED, "MultiIndex", "Index"),
    "IndexStringMethods.rpartition": _with(_PARTED, "MultiIndex", "Index"),
    "IndexStringMethods.extract": [("expand: Literal[True] = True", "DataFrame"), ("expand: Literal[False]", "Index")],
    "functions.coverage": [("name: None = None", "Coverage"), ("name: str", "Member")],
    "functions.read_csv": _READERS,
    "functions.read_table": _READERS,
    "functions.read_fwf": _READERS,
    "functions.read_sql": _BY_CHUNKS,
    "functions.read_sql_query": _BY_CHUNKS,
    "functions.read_sql_table": _BY_CHUNKS,
    "functions.read_json": [
        ("typ: Literal['series']", "Series"),
        ("chunksize: int", "Iterator[DataFrame]"),
        ("typ: Literal['frame'] = 'frame'; chunksize: None = None", "DataFrame"),
    ],
    "functions.read_stata": _READERS,
    "functions.read_sas": _READERS,
    "functions.read_excel": [
        ("sheet_name: list[Any] | None", "dict[Any, DataFrame]"),
        ("sheet_name: str | int = 0", "DataFrame"),
    ],
    "functions.concat": [
        ("objs: Iterable[DataFrame] | Mapping[Any, DataFrame]", "DataFrame"),
        ("objs: Iterable[Series | None] | Mapping[Any, Series | None]; axis: Literal[0, 'index', 'rows'] = 0", "Series"),
        ("objs: Iterable[Series | None] | Mapping[Any, Series | None]; axis: Literal[1, 'columns']", "DataFrame"),
        ("objs: list[Rows] | list[DataFrame | Series] | list[DataFrame | Series | None]", "DataFrame"),  # both in a list
    ],
    "functions.isna": _ISNA,
    "functions.isnull": _ISNA,
    "functions.notna": _ISNA,
    "functions.notnull": _ISNA,
    "functions.to_datetime": _TIMES,
    "functions.to_timedelta": [
        ("arg: Series", "Series"),
        ("arg: str | float | timedelta", "Timedelta"),
        (f"arg: {_VALUES}", "TimedeltaIndex"),
    ],
    "functions.to_numeric": [("arg: Series", "Series"), (f"arg: float | str | {_VALUES}", "Any")],
    "functions.cut": [
        ("x: Series; retbins: Literal[False] = False", "Series"),
        ("x: Any; retbins: Literal[True]", "tuple[Any, Any]"),
        (f"x: {_VALUES}; retbins: Literal[False] = False", "Any"),
    ],
    "functions.qcut": [
        ("x: Series; retbins: Literal[False] = False", "Series"),
        ("x: Any; retbins: Literal[True]", "tuple[Any, Any]"),
        (f"x: {_VALUES}; retbins: Literal[False] = False", "Any"),
    ],
    "functions.from_pandas": [
        ("x: Frame", "Frame"),
        ("x: Any", "Any"),
    ],
}  # fmt: skip
for _name in ("agg",):
    for _class in ("DataFrame", "Series", "SeriesGroupBy", "Resampler"):
        FORMS[f"{_class}.aggregate"] = FORMS[f"{_class}.agg"]


def forms(owner: str, name: str) -> list[tuple[str, str]]:
    """The forms of a member with several; those of all indexes for each kind of them."""
    general = "Index" if owner in RESULTS and owner.endswith("Index") else owner
    return list(FORMS.get(f"{owner}.{name}") or FORMS.get(f"{general}.{name}", []))


def result(owner: str, name: str) -> str | None:
    """The result of a member, the last line that has it; None for those that are not in the table."""
    found = result("Index", name) if owner.endswith("Index") and owner != "Index" else None
    for line in filter(None, RESULTS[owner].split("\n")):
        kind, _, names = line.rpartition(": ")
        if name in names.split():
            found = kind
    return found
