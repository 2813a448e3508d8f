# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
# isort: off
from pandas.api.types import (  # type: ignore[import-untyped, attr-defined, unused-ignore]
    CategoricalDtype as CategoricalDtype, DatetimeTZDtype as DatetimeTZDtype, IntervalDtype as IntervalDtype,
    PeriodDtype as PeriodDtype, infer_dtype as infer_dtype,
    is_any_real_numeric_dtype as is_any_real_numeric_dtype, is_array_like as is_array_like, is_bool as is_bool,
    is_bool_dtype as is_bool_dtype, is_categorical_dtype as is_categorical_dtype, is_complex as is_complex,
    is_complex_dtype as is_complex_dtype, is_datetime64_any_dtype as is_datetime64_any_dtype,
    is_datetime64_dtype as is_datetime64_dtype, is_datetime64_ns_dtype as is_datetime64_ns_dtype,
    is_datetime64tz_dtype as is_datetime64tz_dtype, is_dict_like as is_dict_like,
    is_dtype_equal as is_dtype_equal, is_extension_array_dtype as is_extension_array_dtype,
    is_file_like as is_file_like, is_float as is_float, is_float_dtype as is_float_dtype,
    is_hashable as is_hashable, is_int64_dtype as is_int64_dtype, is_integer as is_integer,
    is_integer_dtype as is_integer_dtype, is_interval_dtype as is_interval_dtype, is_iterator as is_iterator,
    is_list_like as is_list_like, is_named_tuple as is_named_tuple, is_number as is_number,
    is_numeric_dtype as is_numeric_dtype, is_object_dtype as is_object_dtype,
    is_period_dtype as is_period_dtype, is_re as is_re, is_re_compilable as is_re_compilable,
    is_scalar as is_scalar, is_signed_integer_dtype as is_signed_integer_dtype, is_sparse as is_sparse,
    is_string_dtype as is_string_dtype, is_timedelta64_dtype as is_timedelta64_dtype,
    is_timedelta64_ns_dtype as is_timedelta64_ns_dtype, is_unsigned_integer_dtype as is_unsigned_integer_dtype,
    pandas_dtype as pandas_dtype, union_categoricals as union_categoricals,
)  # fmt: skip
# isort: on
