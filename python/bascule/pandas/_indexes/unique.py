"""Distinct labels, and methods of distinct values that series and indexes share."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .. import _classes
from .._columns.column import AnyColumn, ndarray, to_extension_array
from .._columns.unique import (
    all_own,
    check_keep,
    counted,
    counts_of_categories,
    distinct,
    duplicated_rows,
    factorized,
    keys_of,
)
from .._fallback.native import NotNative, native
from .._stand_ins import STR
from .._text_array import TextArray
from .._theirs import is_loaded


class OneColumn:
    """Methods of distinct values, for series and indexes of one level."""

    _column: Any

    @native
    def unique(self) -> Any:
        """Unique values in order of first appearance.

        Returns
        -------
        ndarray or extension array
            Numbers as an array of bascule, others in pandas' class.
        """
        c = self._column
        if not all_own([c]):
            raise NotNative(f"values of type {c.dtype}")
        found = distinct(c)
        try:
            return found.plain_values("biuf")
        except NotNative:
            return to_extension_array(found) if is_loaded() or found.dtype is not STR else TextArray(found)

    @native
    def value_counts(
        self,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        bins: Any = None,
        dropna: bool = True,
    ) -> Any:
        """Counts of unique values, most frequent first; ties in order of first appearance.

        Parameters
        ----------
        normalize : bool
            Return proportions rather than counts.
        sort, ascending : bool
            Order by the counts, or keep the order of first appearance.
        bins : int, optional
            Counts of intervals run in pandas.
        dropna : bool
            Leave missing values out.
        """

        c = self._column
        if c.has_categories and bins is None:
            kinds, counts = counts_of_categories(c, normalize, sort, ascending, dropna)
            index = _classes.Index._of_columns([kinds], [self.name])  # type: ignore[attr-defined]
            return _classes.Series._new(counts, index, "proportion" if normalize else "count")
        if bins is not None and hasattr(self, "_counted_in_bins") and c.is_plain("iuf") and len(c):
            return self._counted_in_bins(bins, normalize, sort, ascending, dropna)
        if bins is not None or not all_own([c]) or (c.is_text and c.is_masked):
            raise NotNative("bins= or values of a pandas extension dtype")
        keys, counts = counted([c], normalize, sort, ascending, dropna, c.is_masked)
        counts = c.of_masked(counts) if c.is_arrows else counts  # type: ignore[attr-defined]
        index = _classes.Index._of_columns([keys[0]], [self.name])  # type: ignore[attr-defined]
        return _classes.Series._new(counts, index, "proportion" if normalize else "count")

    @native
    def factorize(self, sort: bool = False, use_na_sentinel: bool = True) -> tuple[ndarray, Any]:
        """Encode the values as integers, with the unique values as an index.

        Parameters
        ----------
        sort : bool
            Number in the order of the values rather than of first appearance.
        use_na_sentinel : bool
            Missing values get -1 rather than a code.

        Returns
        -------
        tuple of int64 array and Index
        """

        c = self._column
        if not all_own([c]):
            raise NotNative(f"values of type {c.dtype}")
        codes, values = factorized(c, sort, use_na_sentinel)
        return codes, _classes.Index._of_columns([values], [None])


class IndexDistinct(OneColumn):
    """Distinct labels of indexes."""

    _columns: list[AnyColumn]

    @native
    def unique(self, level: Any = None) -> Any:
        """The distinct labels in order of first appearance."""
        if level is not None:
            return self.get_level_values(level).unique()  # type: ignore[attr-defined]
        if not all_own(self._columns):
            raise NotNative("labels of a type of pandas'")
        _, first, count = _core.factorize_columns([c.core for c in keys_of(self._columns)], False, True)
        return self._view() if count == len(self) else self._take(first)  # type: ignore[arg-type, attr-defined]

    @native
    def duplicated(self, keep: Any = "first") -> ndarray:
        """Boolean array: which labels repeat another."""
        check_keep(keep)
        if not all_own(self._columns):
            raise NotNative("labels of a type of pandas'")
        return duplicated_rows(self._columns, keep, len(self))  # type: ignore[arg-type]

    def drop_duplicates(self, *, keep: Any = "first") -> Any:
        """Drop the labels that repeat another."""
        repeats = self.duplicated(keep)
        repeats = _core.from_numpy(repeats) if isinstance(repeats, np.ndarray) else repeats
        return self._filter(~repeats) if bool(repeats.any()) else self._view()  # type: ignore[attr-defined]

    @native
    def nunique(self, dropna: bool = True) -> int:
        """Number of distinct labels."""
        if not all_own(self._columns) or len(self._columns) > 1:
            raise NotNative("several levels, or labels of pandas'")
        return _core.factorize_columns([keys_of(self._columns)[0].core], True, not dropna)[2]

    @native
    def value_counts(
        self,
        normalize: bool = False,
        sort: bool = True,
        ascending: bool = False,
        bins: Any = None,
        dropna: bool = True,
    ) -> Any:
        """The number of occurrences of each label; see Series.value_counts."""
        if len(self._columns) > 1 or getattr(self._own, "as_range", None) is not None:
            raise NotNative("several levels, or labels that step evenly")
        return super().value_counts(normalize, sort, ascending, bins, dropna)

    @native
    def factorize(self, sort: bool = False, use_na_sentinel: bool = True) -> tuple[ndarray, Any]:
        """Codes of the labels, and the distinct labels; see Series.factorize."""
        if len(self._columns) > 1 or getattr(self._own, "as_range", None) is not None:
            raise NotNative("several levels, or labels that step evenly")
        codes, values = super().factorize(sort, use_na_sentinel)
        freq = getattr(self, "_freq", None)
        if freq is not None:  # every label is unique
            values._at(-freq if sort and freq.n < 0 else freq)
        return codes, values
