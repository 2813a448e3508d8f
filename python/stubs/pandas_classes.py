"""Declarations of the classes of `bascule.pandas` besides their public methods: constructors and operators."""

from __future__ import annotations

_BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow"]
_LOGIC = ["and", "or", "xor"]
_COMPARED = ["lt", "le", "gt", "ge"]
_EQUAL = ["eq", "ne"]


def operators(result: str, compared: str, logic: str | None = None, frames: str | None = None) -> list[str]:
    """The operators of a class; `frames` is the result with a frame, where that differs."""
    lines = []
    for names, kind in ((_BINARY, result), (_LOGIC, logic or result)):
        for name in [*names, *("r" + n for n in names)]:
            forms = [f"(self, other: Any, /) -> {kind}"]
            if frames:
                forms.insert(0, f"(self, other: {frames}, /) -> {frames}")
            lines += defined(f"__{name}__", forms)
    for name in [*_COMPARED, *_EQUAL]:
        kind = "object" if name in _EQUAL else "Any"
        wider = "  # type: ignore[override]" if name in _EQUAL else ""
        forms = [f"(self, other: {kind}, /) -> {compared}"]
        if frames and name not in _EQUAL:
            forms = [f"(self, other: {frames}, /) -> {frames}", f"(self, other: Any, /) -> {compared}"]
        lines += [line + (wider if line.startswith("def") else "") for line in defined(f"__{name}__", forms)]
    return lines


def defined(name: str, forms: list[str], overlap: int = 0) -> list[str]:
    """The lines of a method with one or several forms, of which the first `overlap` take some of the arguments of the last."""
    over = ["@overload"] if len(forms) > 1 else []
    lines = [line for form in forms for line in (*over, f"def {name}{form}: ...")]
    for k in range(overlap):
        lines[2 * k + 1] += "  # type: ignore[overload-overlap]"
    return lines


_DATA = "index: Any = None, dtype: Dtypes | None = None, name: Label = None, copy: bool | None = None"
_KINDS = ("bool", "int", "float", "str")
_SERIES = [
    *(f"(self: Series[{kind}], data: list[{kind}], {_DATA.replace('dtype: Dtypes | None', 'dtype: None')}) -> None" for kind in _KINDS),
    f"(self: Series[Any], data: Any = None, {_DATA}) -> None",
]  # fmt: skip
_COLLECTION = [
    "__hash__: ClassVar[None]  # type: ignore[assignment]",
    "def __len__(self) -> int: ...",
    "def __contains__(self, key: object, /) -> bool: ...",
    "def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray[Any, Any]: ...",
    "def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any: ...",
]
_UNARY = [f"def __{name}__(self) -> Self: ..." for name in ("neg", "pos", "abs", "invert")]
_ROWS = [
    "def __setitem__(self, key: Any, value: Any, /) -> None: ...",
    "def __delitem__(self, key: Label, /) -> None: ...",
    "def __copy__(self, deep: bool = True) -> Self: ...",
    "def __deepcopy__(self, memo: Any = None) -> Self: ...",
    "def __round__(self, decimals: int = 0) -> Self: ...",
    "def __setattr__(self, name: str, value: Any) -> None: ...  # a column or element by its name",
]
_INDEX = "data: Any = None, dtype: Dtypes | None = None, copy: bool | None = None, name: Label = None"

# Each line is one of the class; those with "-> None" after a name are set, too.
MEMBERS: dict[str, list[str]] = {
    "Rows": [*_COLLECTION, *_UNARY, *_ROWS],
    "DataFrame": [
        "def __init__(self, data: Any = None, index: Any = None, columns: Any = None, dtype: Dtypes | None = None, copy: bool | None = None) -> None: ...",
        *defined(
            "__getitem__",
            [
                "(self, key: Many | DataFrame, /) -> Self",
                "(self, key: Callable[[Any], Any], /) -> DataFrame",
                "(self, key: Label, /) -> Series",
            ],
            overlap=2,
        ),
        "def __getattr__(self, name: str) -> Series: ...",
        "def __iter__(self) -> Iterator[Any]: ...",
        *defined("__matmul__", ["(self, other: Series, /) -> Series", "(self, other: Any, /) -> DataFrame"]),
        "def __rmatmul__(self, other: Any, /) -> DataFrame: ...",
        *operators("DataFrame", "DataFrame"),
        "def __divmod__(self, other: Any, /) -> tuple[DataFrame, DataFrame]: ...",
    ],
    "Series": [
        *defined("__init__", _SERIES),
        *defined("__getitem__", ["(self, key: Many | Callable[[Any], Any], /) -> Self", "(self, key: Label, /) -> T"]),
        "def __getattr__(self, name: str) -> T: ...",
        "def __iter__(self) -> Iterator[T]: ...",
        *defined(
            "__matmul__",
            ["(self, other: Series, /) -> Any", "(self, other: DataFrame, /) -> Series", "(self, other: Any, /) -> Any"],
        ),
        "def __rmatmul__(self, other: Any, /) -> Any: ...",
        *operators("Series", "Series[bool]", frames="DataFrame"),
        "def __divmod__(self, other: Any, /) -> tuple[Series, Series]: ...",
        "def __float__(self) -> float: ...",
        "def __int__(self) -> int: ...",
    ],
    "Index": [
        f"def __new__(cls, {_INDEX}, tupleize_cols: bool = True) -> Self: ...",
        *_COLLECTION,
        *_UNARY,
        *defined("__getitem__", ["(self, key: Many, /) -> Self", "(self, key: int | np.integer[Any], /) -> Any"]),
        "def __iter__(self) -> Iterator[Any]: ...",
        *operators("Index", "ndarray[tuple[int], np.dtype[np.bool]]"),
    ],
    "RangeIndex": ["def __new__(cls, start: Any = None, stop: int | None = None, step: int | None = None, dtype: Dtypes | None = None, copy: bool | None = None, name: Label = None) -> Self: ..."],
    "MultiIndex": [
        "def __new__(cls, levels: Any = None, codes: Any = None, sortorder: Any = None, names: Any = None, dtype: Any = None, copy: bool | None = None, name: Any = None, verify_integrity: bool = True) -> Self: ..."
    ],
    "DatetimeIndex": ["def __new__(cls, data: Any = None, freq: Any = ..., tz: Any = ..., ambiguous: Any = 'raise', dayfirst: bool = False, yearfirst: bool = False, dtype: Dtypes | None = None, copy: bool | None = None, name: Label = None) -> Self: ..."],
    "TimedeltaIndex": ["def __new__(cls, data: Any = None, freq: Any = ..., dtype: Dtypes | None = None, copy: bool | None = None, name: Label = None) -> Self: ..."],
    "PeriodIndex": ["def __new__(cls, data: Any = None, freq: Any = None, dtype: Dtypes | None = None, copy: bool | None = None, name: Label = None) -> Self: ..."],
    "CategoricalIndex": ["def __new__(cls, data: Any = None, categories: Any = None, ordered: bool | None = None, dtype: Dtypes | None = None, copy: bool | None = None, name: Label = None) -> Self: ..."],
    "IntervalIndex": ["def __new__(cls, data: Any = None, closed: Any = None, dtype: Dtypes | None = None, copy: bool | None = None, name: Label = None, verify_integrity: bool = True) -> Self: ..."],
    "DataFrameGroupBy": [
        *defined(
            "__getitem__",
            ["(self, key: list[Any], /) -> DataFrameGroupBy[R]", "(self, key: Label, /) -> SeriesGroupBy[R]"],
        ),
        "def __getattr__(self, name: str) -> SeriesGroupBy[R]: ...",
        "def __iter__(self) -> Iterator[tuple[Any, DataFrame]]: ...",
        "def __len__(self) -> int: ...",
    ],
    "SeriesGroupBy": [
        "def __iter__(self) -> Iterator[tuple[Any, Series]]: ...",
        "def __len__(self) -> int: ...",
    ],
    "Resampler": [
        "def __getitem__(self, key: Any, /) -> Resampler[Any]: ...",
        "def __getattr__(self, name: str) -> Resampler[Series]: ...",
        "def __iter__(self) -> Iterator[tuple[Any, W]]: ...",
        "def __len__(self) -> int: ...",
    ],
    **{
        name: [
            f"def __getitem__(self, key: list[Any], /) -> {name}[DataFrame]: ...".replace("def", "@overload\ndef", 1),
            f"@overload\ndef __getitem__(self, key: Label, /) -> {name}[Series]: ...",
            f"def __getattr__(self, name: str) -> {name}[Series]: ...",
            "def __iter__(self) -> Iterator[W]: ...",
        ]
        for name in ("Rolling", "Expanding", "ExponentialMovingWindow")
    },
    "StringMethods": ["def __getitem__(self, key: Any, /) -> Series: ...", "def __iter__(self) -> Iterator[Any]: ..."],
    "IndexStringMethods": ["def __getitem__(self, key: Any, /) -> Index: ..."],
    "ListAccessor": ["def __getitem__(self, key: Any, /) -> Series: ..."],
    "PlotAccessor": ["def __call__(self, *args: Any, **kwargs: Any) -> Any: ..."],
}  # fmt: skip
