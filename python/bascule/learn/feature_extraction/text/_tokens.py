"""Documents as a column of strings, and their tokens counted by one call."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.feature_extraction import text as theirs

from .... import _core
from ....fallback import count
from ..._estimator import Derived
from ..._kinds import shared

_PATTERN = r"(?u)\b\w\w+\b"
# scikit-learn's functions give a sparse array or, by its configuration and before 1.9, a matrix.
_aligned = getattr(theirs, "_align_api_if_sparse", sparse.csr_matrix)
# Parameters that the call has no form for, unless they have this value.
_ONLY = {"input": "content", "analyzer": "word", "token_pattern": _PATTERN, "tokenizer": None, "preprocessor": None, "strip_accents": None}  # fmt: skip
_METHODS = ("build_analyzer", "build_preprocessor", "build_tokenizer", "decode", "_word_ngrams", "get_stop_words")
_FEW = 4000  # characters of documents; fewer are cut sooner than a call is prepared


class Tokens(Derived):
    """A mix-in of vectorizers: their documents' tokens."""

    def _not_native(self) -> str | None:
        """The reason for which scikit-learn's method cuts the documents, or None."""
        for name, only in _ONLY.items():
            if getattr(self, name) != only:
                return f"{name}={getattr(self, name)!r}"
        for name in _METHODS:
            if getattr(type(self), name) is not getattr(theirs.CountVectorizer, name):
                return f"{name} is a method of a subclass"
        return None

    def _counts_reason(self, name: str) -> bool:
        """Whether a method is computed here; where it is not the reason is counted."""
        reason = self._not_native()
        if reason is not None:
            count(f"learn.{type(self).__name__}.{name}", reason, "scikit-learn")
        return reason is None

    def _rule(self) -> dict[str, Any]:
        """The arguments of the core's functions that all vectorizers have."""
        words = [w for w in self.get_stop_words() or () if isinstance(w, str) and w.isascii()]  # type: ignore[attr-defined]
        return {
            "lower_case": bool(self.lowercase),  # type: ignore[attr-defined]
            "ngrams": tuple(map(int, self.ngram_range)),  # type: ignore[attr-defined]
            "stop_words": column_of(sorted(words)) if words else None,
        }

    def _documents(self, documents: list[Any]) -> Any:
        """A column of the documents. Those with other letters than ASCII's are cut by scikit-learn's analyzer."""
        analyze = self.build_analyzer()  # type: ignore[attr-defined]
        if not all(type(d) is str and d.isascii() for d in documents) or any(d[:1] == "\0" for d in documents):
            documents = [self._cut(d, analyze) for d in documents]
        return column_of(documents)

    def _cut(self, document: Any, analyze: Any) -> str:
        text = document if type(document) is str else self.decode(document)  # type: ignore[attr-defined]
        if type(text) is str and text.isascii() and text[:1] != "\0":
            return text
        return "".join(["\0" + term for term in analyze(document)])


def listed(documents: Iterable[Any]) -> list[Any]:
    return documents if type(documents) is list else list(documents)


def are_few(documents: Sequence[Any], more: int = 0) -> bool:
    """Whether documents are so short that scikit-learn's loop over them takes less time than a call: up to `more`
    characters, too."""
    left = _FEW + more
    for d in documents:
        left -= len(d) if isinstance(d, (str, bytes)) else 0
        if left < 0:
            return False
    return True


def column_of(strings: Sequence[str]) -> Any:
    """A column of the core with the bytes of strings one after another."""
    joined = "".join(strings)
    if joined.isascii():
        lengths: Iterable[int] = map(len, strings)
        data = joined.encode()
    else:
        encoded = [s.encode() for s in strings]
        lengths, data = map(len, encoded), b"".join(encoded)
    offsets = np.fromiter(accumulate(lengths, initial=0), np.int64, len(strings) + 1)
    held = map(shared, (np.frombuffer(data, np.uint8), offsets))
    return _core.Column.text(*held, None)


def strings_of(column: Any) -> list[str]:
    """The strings of a column of the core."""
    data, offsets = np.asarray(column.values).tobytes(), np.asarray(column.offsets).tolist()
    if data.isascii():
        text = data.decode()
        return [text[i:j] for i, j in zip(offsets, offsets[1:])]
    return [data[i:j].decode() for i, j in zip(offsets, offsets[1:])]


def matrix(found: Sequence[Any], columns: int, dtype: Any) -> Any:
    """The sparse matrix of counts that the core found."""
    starts, indices, counts = (np.asarray(x) for x in found[:3])
    if starts[-1] <= np.iinfo(np.int32).max:
        starts = starts.astype(np.int32)
    made = sparse.csr_array((counts.astype(dtype), indices, starts), shape=(len(starts) - 1, columns))
    made.has_sorted_indices = made.has_canonical_format = True
    return made


def aligned(made: Any) -> Any:
    return _aligned(made)
