"""64-bit hashes of values, equal bit for bit to pandas' hashes, so that equal rows match wherever each was hashed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _core
from .._array.ufuncs import rows as _ufuncs
from ..lib import creation, manipulation
from . import _fallback, _indexes
from ._base import Rows
from ._columns.column import (
    AnyColumn,
    Column,
    from_pandas_object,
    has_own_form,
    plain,
)
from ._pickle import text_parts
from ._theirs import pandas

ndarray = _core.ndarray
_where = _ufuncs["where"]["ufunc"]
_u64 = np.dtype(np.uint64)
_i64 = np.dtype(np.int64)
KEY = "0123456789123456"
_NO_CATEGORY = np.uint64(2**64 - 1)
_WORDS = 32  # words of eight bytes; longer strings are few, and hashed one by one
_BREATH = 8  # words between evaluations
_START = (0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573)  # SipHash's constants


def _mixed(h: ndarray) -> ndarray:
    """Every bit of the result depends on every bit of h."""
    h = (h ^ (h >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    h = (h ^ (h >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return h ^ (h >> np.uint64(31))


def _bits(values: ndarray) -> ndarray:
    """Numbers, booleans and times as 64-bit words; one word for both zeros, and one for every NaN."""
    kind, size = values.dtype.kind, values.dtype.itemsize
    if kind in "mM":
        return values.view(_i64).view(_u64)
    if kind == "b":
        return _core.astype(values, _u64, True, "K")
    words = _core.astype(values.view(np.dtype(f"u{size}")), _u64, True, "K")
    if kind != "f":
        return words
    nan, zero = (int(np.array(x, values.dtype).view(f"u{size}")) for x in (np.nan, -0.0))
    words = _where(values != values, np.uint64(nan), words)
    return _where(words == np.uint64(zero), np.uint64(0), words)


# ---- strings: SipHash-2-4 of their bytes in UTF-8, of all strings of as many words at a time


def _rotated(x: ndarray, by: int) -> ndarray:
    return (x << np.uint64(by)) | (x >> np.uint64(64 - by))


def _round(a: Any, b: Any, c: Any, d: Any) -> tuple:
    a, c = a + b, c + d
    b, d = _rotated(b, 13) ^ a, _rotated(d, 16) ^ c
    a, c = _rotated(a, 32) + d, c + b
    b, d = _rotated(b, 17) ^ c, _rotated(d, 21) ^ a
    return a, b, _rotated(c, 32), d


def _key(key: str) -> tuple[int, int]:
    there = key.encode()
    if len(there) != 16:
        raise ValueError(f"key should be a 16-byte string encoded, got {there!r} (len {len(there)})")
    return int.from_bytes(there[:8], "little"), int.from_bytes(there[8:], "little")


def _hashed(memory: ndarray, starts: ndarray, lengths: ndarray, words: int, key: tuple[int, int]) -> ndarray:
    """Hashes of strings that fill `words` words of eight bytes and a part of one more."""
    zeros = creation.zeros((len(starts),), _u64, device=memory.device)
    state = tuple(zeros + np.uint64(s ^ key[i % 2]) for i, s in enumerate(_START))
    whole, shift = starts >> 3, _core.astype((starts & 7) << 3, _u64, True, "K")
    rest = _core.astype((lengths & 7) << 3, _u64, True, "K")
    length = _core.astype(lengths, _u64, True, "K") << np.uint64(56)
    for k in range(words + 1):
        low, high = _core.take(memory, whole + k, 0), _core.take(memory, whole + (k + 1), 0)
        word = (low >> shift) | ((high << (np.uint64(63) - shift)) << np.uint64(1))
        if k == words:
            word = (word & ((np.uint64(1) << rest) - np.uint64(1))) | length
        state = _round(*_round(*state[:3], state[3] ^ word))
        state = (state[0] ^ word, *state[1:])
        if k % _BREATH == _BREATH - 1:
            _core.evaluate(*state)
    state = (*state[:2], state[2] ^ np.uint64(0xFF), state[3])
    for _ in range(4):
        state = _round(*state)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def _one_by_one(memory: ndarray, starts: ndarray, lengths: ndarray, key: str) -> ndarray:
    there, first, n = (_core.to_numpy(x) for x in (memory.view(np.dtype(np.uint8)), starts, lengths))
    found = np.empty(len(first), object)
    found[:] = [there[a : a + m].tobytes() for a, m in zip(first.tolist(), n.tolist())]
    with _fallback.in_pandas("pandas.util.hash_array", "strings of more than 256 bytes are hashed one by one"):
        return _unmixed(_core.from_numpy(pandas.util.hash_array(found, "utf8", key, False)))


def _inverse(multiplier: int) -> np.uint64:
    return np.uint64(pow(multiplier, -1, 2**64))


def _unmixed(h: ndarray) -> ndarray:
    """Invert `_mixed`."""
    h = h ^ (h >> np.uint64(31)) ^ (h >> np.uint64(62))
    h = h * _inverse(0x94D049BB133111EB)
    h = h ^ (h >> np.uint64(27)) ^ (h >> np.uint64(54))
    h = h * _inverse(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(30)) ^ (h >> np.uint64(60))


def _strings(core: Any, key: str) -> ndarray:
    """SipHash of the rows of a column of text."""
    bytes_, offsets, _ = text_parts(core)
    parts = _key(key)
    room = creation.zeros((16 + -len(bytes_) % 8,), bytes_.dtype, device=core.device)
    memory = manipulation.concatenate([bytes_, room]).view(_u64)
    starts, lengths = offsets[:-1], offsets[1:] - offsets[:-1]
    words = _core.to_numpy(lengths >> 3)
    kinds = np.flatnonzero(np.bincount(words)) if len(words) else np.zeros(0, int)
    if len(kinds) == 1 and kinds[0] <= _WORDS:
        return _hashed(memory, starts, lengths, int(kinds[0]), parts)
    rows = np.argsort(words.astype(np.min_scalar_type(int(kinds[-1]) if len(kinds) else 0)), kind="stable")
    ends = np.searchsorted(words[rows], kinds, "right").tolist()
    order = _core.from_numpy(rows, core.device)
    starts, lengths = _core.take(starts, order, 0), _core.take(lengths, order, 0)
    found = [creation.zeros((0,), _u64, device=core.device)]
    for w, a, b in zip(kinds.tolist(), [0, *ends], ends):
        if w > _WORDS and not core.device.startswith("cuda"):
            found.append(_one_by_one(memory, starts[a:], lengths[a:], key))
            break
        found.append(_hashed(memory, starts[a:b], lengths[a:b], w, parts))
    positions = np.empty(len(rows), np.int64)
    positions[rows] = np.arange(len(rows))
    return _core.take(manipulation.concatenate(found), _core.from_numpy(positions, core.device), 0)


# ---- columns


def _by_number(codes: ndarray, kinds: ndarray) -> ndarray:
    """Hashes of rows from those of the distinct values; missing rows have pandas' hash of a missing value."""
    if not len(kinds):
        return _core.full((len(codes),), _NO_CATEGORY, _u64, codes.device)
    codes = _core.astype(codes, _i64, True, "K")
    return _where(codes < 0, _NO_CATEGORY, _core.take(kinds, _where(codes < 0, 0, codes), 0))


def _text(c: Column, key: str) -> ndarray:
    coded = c.core.encoded()
    if coded is not None:
        h = _by_number(coded.values, _mixed(_strings(coded.dictionary, key)))
    else:
        h = _mixed(_strings(c.core, key))
    return _where(c.missing(), _NO_CATEGORY, h) if c.has_missing() else h


def hash_column(c: AnyColumn, encoding: str = "utf8", key: str = KEY, categorize: bool = True) -> ndarray:
    """``pandas.util.hash_array`` of the values of a column."""
    if c.has_core:
        if c.is_text and encoding in ("utf8", "utf-8") and (categorize or not c.has_missing()):
            return _text(c, key)
        if not c.is_text:
            h = _mixed(_bits(c.values))
            return _where(c.missing(), np.uint64(hash(pandas.NA)), h) if c.is_masked and c.has_missing() else h
    elif c.zone is not None:
        return _mixed(_bits(c.utc().values))
    elif c.has_categories:
        kinds, codes = from_pandas_object(c.categories), c.codes
        if kinds.is_text or kinds.is_plain():
            return _by_number(codes, hash_column(_on(kinds, codes.device), encoding, key, False))
    with _fallback.in_pandas("pandas.util.hash_array", f"values of type {c.dtype}", c.device):
        return _core.from_numpy(pandas.util.hash_array(c.to_pandas_array(), encoding, key, categorize))


def _on(c: AnyColumn, device: str) -> AnyColumn:
    from ._io.between_devices import moved

    return c if c.device == device else moved(c, device)


def combined(hashes: Iterable[ndarray], n: int, like: Any) -> ndarray:
    """Hashes of tuples from those of their n values, as in Python."""
    device, rows = like
    factor, made = 1000003, _core.full((rows,), np.uint64(0x345678), _u64, device)
    for i, h in enumerate(hashes):
        made = (made ^ h) * np.uint64(factor)
        factor = (factor + 82520 + 2 * (n - i)) % 2**64
    return made + np.uint64(97531)


def _levels(x: Any, encoding: str, key: str) -> ndarray | None:
    """Hashes of the tuples of labels, whose missing values are in no level; None where pandas has to compute them."""
    found = []
    for c in x._columns:
        if not (c.is_text or c.is_plain() or c.has_categories):
            return None
        h = hash_column(c, encoding, key)
        found.append(_where(c.missing(), _NO_CATEGORY, h) if c.has_missing() else h)
    return combined(found, len(found), (x._device(), len(x)))


def hash_index(x: Any, encoding: str = "utf8", key: str = KEY, categorize: bool = True) -> ndarray:
    """Hashes of the labels of an index."""
    if x.nlevels == 1:
        return hash_column(x._columns[0], encoding, key, categorize)
    h = _levels(x, encoding, key)
    if h is not None:
        return h
    with _fallback.in_pandas("pandas.util.hash_pandas_object", "levels of a type that is pandas'", x._device()):
        found = pandas.util.hash_pandas_object(x.to_pandas(), True, encoding, key, categorize)
        return _core.from_numpy(found.to_numpy())


def hash_rows(
    x: Any, index: bool = True, encoding: str = "utf8", key: str | None = KEY, categorize: bool = True
) -> ndarray:
    """One hash for each row of a frame, series or index."""
    key = KEY if key is None else key
    if isinstance(x, _indexes.Index):
        return hash_index(x, encoding, key, categorize)
    columns = x._all_columns()
    h = [hash_column(c, encoding, key, categorize) for c in columns]
    if index:
        h.append(hash_index(x._index, encoding, key, categorize))
    elif len(h) == 1 and x.ndim == 1:
        return h[0]
    return combined(h, len(h), (x._device(), len(x)))


def hash_pandas_object(
    obj: Any, index: bool = True, encoding: str = "utf8", hash_key: str | None = KEY, categorize: bool = True
) -> Any:
    """Hashes of the rows of a frame, series or index, equal to pandas'.

    Parameters
    ----------
    obj : DataFrame, Series or Index
    index : bool, optional
        Whether the row labels are included.
    encoding : str, optional
        Encoding of strings; pandas hashes strings in other encodings than UTF-8.
    hash_key : str, optional
        Key of sixteen characters for strings.
    categorize : bool, optional
        As pandas': False only makes a difference to missing strings, which pandas hashes then.

    Returns
    -------
    Series of uint64

    Examples
    --------
    >>> import bascule.pandas as pd
    >>> pd.util.hash_pandas_object(pd.Index([1, 2])).tolist()
    [6238072747940578789, 15839785061582574730]
    """
    from ._frames.series import Series

    obj = _fallback.from_pandas(obj)
    if not isinstance(obj, (Rows, _indexes.Index)):
        raise TypeError(f"Unexpected type for hashing {type(obj)}")
    labels = obj if isinstance(obj, _indexes.Index) else obj._index
    if labels is obj and labels.nlevels > 1:
        labels = _indexes.RangeIndex(len(labels))
    return Series._new(plain(hash_rows(obj, index, encoding, hash_key, categorize)), labels)


def hash_array(vals: Any, encoding: str = "utf8", hash_key: str = KEY, categorize: bool = True) -> Any:
    """Hashes of the elements of a one-dimensional array, equal to pandas'.

    Parameters
    ----------
    vals : ndarray or ExtensionArray
    encoding, hash_key, categorize
        As `hash_pandas_object` takes them.

    Returns
    -------
    ndarray of uint64
    """
    if type(vals) is ndarray and has_own_form(vals.dtype):
        return _mixed(_bits(vals))
    arguments = (vals, encoding, hash_key, categorize)
    return _fallback.run(
        "pandas.util.hash_array", "values of a type that is pandas'", pandas.util.hash_array, *arguments
    )
