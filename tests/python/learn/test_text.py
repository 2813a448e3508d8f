"""Vectorizers of text, against scikit-learn's: equal to the type of each array."""

import pickle
import random
import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn.feature_extraction import text as ours
from learn_data import shown
from sklearn.base import clone
from sklearn.feature_extraction import text as theirs

WORDS = "the of and a in to is was it for on as with his he be by at are this had not but from or have an they which one 7 x2 under_score".split()
ODD = ["naïve", "straße", "日本語", "e\u0301t", "İstanbul", "a\0b", "\0", "ΑΒΓ", "don't", "x", "__", "\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")]  # fmt: skip


def documents(n, seed=0, odd=0.0):
    r = random.Random(seed)
    made = []
    for _ in range(n):
        words = [r.choice(WORDS) if r.random() >= odd else r.choice(ODD) for _ in range(r.randrange(40))]
        made.append("".join(r.choice([w, w.title(), w.upper()]) + r.choice([" ", ", ", ".\n", " - "]) for w in words))
    return made


def same(got, want):
    assert type(got) is type(want) and got.shape == want.shape and got.dtype == want.dtype
    got, want = got.copy(), want.copy()
    got.sort_indices(), want.sort_indices()
    for name in ("indptr", "indices", "data"):
        mine, other = getattr(got, name), getattr(want, name)
        assert mine.dtype == other.dtype, name
        np.testing.assert_array_equal(mine, other, err_msg=name)


@pytest.fixture(autouse=True)
def native(monkeypatch):
    """Calls are computed here: none by scikit-learn for their length, and none falls back."""
    from bascule.learn.feature_extraction.text import _tokens

    monkeypatch.setattr(_tokens, "_FEW", -(10**9))
    with bc.config.set(fallback="error"):
        yield


HASHED = [
    {}, {"norm": None}, {"norm": "l1", "n_features": 16}, {"alternate_sign": False}, {"n_features": 1, "norm": None}, {"n_features": 2**31 - 2},
    {"binary": True, "n_features": 50}, {"ngram_range": (1, 3)}, {"ngram_range": (2, 2), "stop_words": "english"}, {"lowercase": False},
    {"stop_words": ["the", "naïve", "x2"]}, {"dtype": np.float32},
]  # fmt: skip


@pytest.mark.parametrize("odd", [0.0, 0.1])
@pytest.mark.parametrize("options", HASHED, ids=shown)
def test_hashing(options, odd):
    X = documents(300, 1, odd)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(ours.HashingVectorizer(**options).transform(X), theirs.HashingVectorizer(**options).transform(X))
        same(ours.HashingVectorizer(**options).fit_transform(X), theirs.HashingVectorizer(**options).fit_transform(X))


COUNTED = [
    {}, {"binary": True}, {"ngram_range": (1, 2)}, {"ngram_range": (2, 3), "stop_words": "english"}, {"lowercase": False}, {"min_df": 5},
    {"max_df": 0.6}, {"max_features": 7}, {"vocabulary": ["the", "under_score", "straße", "missing"]}, {"vocabulary": {"of": 1, "in": 0}},
    {"stop_words": ["was", "naïve"]}, {"dtype": np.float32}, {"max_features": 9, "min_df": 3, "ngram_range": (1, 2)},
]  # fmt: skip


@pytest.mark.parametrize("odd", [0.0, 0.1])
@pytest.mark.parametrize("options", COUNTED, ids=shown)
@pytest.mark.parametrize("name", ["CountVectorizer", "TfidfVectorizer"])
def test_counts(name, options, odd):
    X, more = documents(300, 2, odd), documents(60, 3, odd)
    mine, other = getattr(ours, name)(**options), getattr(theirs, name)(**options)
    same(mine.fit_transform(X), other.fit_transform(X))
    assert mine.vocabulary_ == other.vocabulary_ and all(type(v) is int for v in mine.vocabulary_.values()) == all(
        type(v) is int for v in other.vocabulary_.values()
    )
    assert mine.get_feature_names_out().tolist() == other.get_feature_names_out().tolist()
    same(mine.transform(more), other.transform(more))
    same(clone(mine).fit(X).transform(more), other.transform(more))
    same(pickle.loads(pickle.dumps(mine)).transform(more), other.transform(more))
    same(mine.to_sklearn().transform(more), other.transform(more))
    assert type(mine.to_sklearn()) is type(other)


def test_documents_of_other_kinds():
    import bascule.pandas as pd

    X = documents(50, 4, 0.1)
    want = theirs.CountVectorizer().fit_transform(X)
    for given in (iter(X), tuple(X), np.array(X, object), np.array(X), pd.Series(X), [x.encode() for x in X]):
        same(ours.CountVectorizer().fit_transform(given), want)
    latin = [x.encode("latin-1", "ignore") for x in X]
    options = {"encoding": "latin-1"}
    same(ours.CountVectorizer(**options).fit_transform(latin), theirs.CountVectorizer(**options).fit_transform(latin))


@pytest.mark.parametrize(
    "given",
    ["a string", [], [1, 2], ["a", np.nan], [None], ["", "?"], [["nested"]], [b"\xff"]],
    ids=shown,
)
@pytest.mark.parametrize("name", ["CountVectorizer", "HashingVectorizer", "TfidfVectorizer"])
def test_errors(name, given):
    def result(made):
        try:
            return made.fit_transform(given)
        except Exception as error:
            return error

    mine, other = result(getattr(ours, name)()), result(getattr(theirs, name)())
    if isinstance(other, Exception):
        assert type(mine) is type(other) and str(mine) == str(other)
    else:
        same(mine, other)


@pytest.mark.parametrize(
    "options",
    [
        {"analyzer": "char"}, {"analyzer": "char_wb", "ngram_range": (2, 3)}, {"analyzer": str.split}, {"tokenizer": str.split, "token_pattern": None},
        {"preprocessor": str.upper}, {"strip_accents": "unicode"}, {"token_pattern": r"\w+"}, {"input": "file"},
    ],
    ids=shown,
)  # fmt: skip
def test_other_ways_to_cut_are_scikit_learns_and_counted(options):
    import io

    X = documents(20, 5, 0.1)
    given = (lambda: map(io.StringIO, X)) if options.get("input") else lambda: X
    with bc.config.set(fallback="silent"):
        before = len(bc.fallbacks())
        same(
            ours.CountVectorizer(**options).fit_transform(given()),
            theirs.CountVectorizer(**options).fit_transform(given()),
        )
        same(
            ours.HashingVectorizer(**options).transform(given()), theirs.HashingVectorizer(**options).transform(given())
        )
        assert len(bc.fallbacks()) > before


def test_a_method_of_a_subclass_is_used():
    class Own(ours.CountVectorizer):
        def build_tokenizer(self):
            return lambda text: text.split("e")

    class Other(theirs.CountVectorizer):
        def build_tokenizer(self):
            return lambda text: text.split("e")

    X = documents(20, 6)
    with bc.config.set(fallback="silent"):
        same(Own().fit_transform(X), Other().fit_transform(X))


def test_few_documents_are_cut_by_scikit_learns_loop(monkeypatch):
    monkeypatch.undo()
    X = documents(3, 7, 0.1)
    same(ours.HashingVectorizer().transform(X), theirs.HashingVectorizer().transform(X))
    same(ours.CountVectorizer().fit_transform(X), theirs.CountVectorizer().fit_transform(X))


def test_a_search_over_a_pipeline_of_text():
    from bascule.learn.linear_model import RidgeClassifier
    from bascule.learn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    X = documents(120, 8)
    y = np.arange(120) % 3
    found = []
    for text in (ours, theirs):
        pipe = make_pipeline(text.HashingVectorizer(n_features=64), text.TfidfTransformer(), RidgeClassifier())
        with bc.config.set(fallback="silent"):
            found.append(GridSearchCV(pipe, {"ridgeclassifier__alpha": [0.1, 1.0]}, cv=3).fit(X, y))
    np.testing.assert_allclose(found[0].cv_results_["mean_test_score"], found[1].cv_results_["mean_test_score"])
