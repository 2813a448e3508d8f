# Written by python/stubs/write_pandas.py from the signatures, with pandas 3.1, and the tables beside it.
# isort: off
from pandas.errors import (  # type: ignore[import-untyped, attr-defined, unused-ignore]
    AbstractMethodError as AbstractMethodError, AttributeConflictWarning as AttributeConflictWarning,
    CSSWarning as CSSWarning, CategoricalConversionWarning as CategoricalConversionWarning,
    ChainedAssignmentError as ChainedAssignmentError, ClosedFileError as ClosedFileError,
    DataError as DataError, DatabaseError as DatabaseError, DtypeWarning as DtypeWarning,
    DuplicateLabelError as DuplicateLabelError, EmptyDataError as EmptyDataError,
    IncompatibilityWarning as IncompatibilityWarning, IncompatibleFrequency as IncompatibleFrequency,
    IndexingError as IndexingError, IntCastingNaNError as IntCastingNaNError,
    InvalidColumnName as InvalidColumnName, InvalidComparison as InvalidComparison,
    InvalidIndexError as InvalidIndexError, InvalidVersion as InvalidVersion,
    LossySetitemError as LossySetitemError, MergeError as MergeError, NoBufferPresent as NoBufferPresent,
    NullFrequencyError as NullFrequencyError, NumExprClobberingError as NumExprClobberingError,
    NumbaUtilError as NumbaUtilError, OptionError as OptionError, OutOfBoundsDatetime as OutOfBoundsDatetime,
    OutOfBoundsTimedelta as OutOfBoundsTimedelta, Pandas4Warning as Pandas4Warning,
    Pandas5Warning as Pandas5Warning, PandasChangeWarning as PandasChangeWarning,
    PandasDeprecationWarning as PandasDeprecationWarning, PandasFutureWarning as PandasFutureWarning,
    PandasPendingDeprecationWarning as PandasPendingDeprecationWarning, ParserError as ParserError,
    ParserWarning as ParserWarning, PerformanceWarning as PerformanceWarning,
    PossibleDataLossError as PossibleDataLossError, PossiblePrecisionLoss as PossiblePrecisionLoss,
    PyperclipException as PyperclipException, PyperclipWindowsException as PyperclipWindowsException,
    SpecificationError as SpecificationError, UndefinedVariableError as UndefinedVariableError,
    UnsortedIndexError as UnsortedIndexError, UnsupportedFunctionCall as UnsupportedFunctionCall,
    ValueLabelTypeMismatch as ValueLabelTypeMismatch,
)  # fmt: skip
# isort: on
