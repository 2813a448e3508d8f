"""Counts of tokens in columns by a vocabulary."""

from __future__ import annotations

from typing import Any

from sklearn.feature_extraction import text as theirs

from .... import _core
from ._tokens import Tokens, aligned, are_few, column_of, listed, matrix, strings_of


class Counts(Tokens):
    """A mix-in of vectorizers with a vocabulary: the method of scikit-learn's that reads documents."""

    def _count_vocab(self, raw_documents: Any, fixed_vocab: bool) -> Any:
        count_vocab = self._theirs._count_vocab
        if not self._counts_reason("transform" if fixed_vocab else "fit_transform"):
            return count_vocab(self, raw_documents, fixed_vocab)
        documents = listed(raw_documents)
        known = self.vocabulary_ if fixed_vocab else {}  # type: ignore[attr-defined]
        if are_few(documents, more=16 * len(known)) or not all(type(t) is str for t in known):
            return count_vocab(self, documents, fixed_vocab)
        terms = column_of(sorted(known, key=known.__getitem__)) if fixed_vocab else None
        found = _core.count_tokens(self._documents(documents), terms, **self._rule())
        if fixed_vocab:
            return known, aligned(matrix(found, len(known), self.dtype))  # type: ignore[attr-defined]
        vocabulary = {term: k for k, term in enumerate(strings_of(found[3]))}
        if not vocabulary:
            raise ValueError("empty vocabulary; perhaps the documents only contain stop words")
        return vocabulary, aligned(matrix(found, len(vocabulary), self.dtype))  # type: ignore[attr-defined]


class CountVectorizer(Counts, theirs.CountVectorizer):
    __doc__ = theirs.CountVectorizer.__doc__


class TfidfVectorizer(Counts, theirs.TfidfVectorizer):
    __doc__ = theirs.TfidfVectorizer.__doc__
