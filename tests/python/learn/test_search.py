"""Searches give scikit-learn's scores, choices and keys, however much their fits share."""

import warnings

import bascule as bc
import joblib
import numpy as np
import pytest
from bascule.learn import model_selection as ours
from bascule.learn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge, RidgeClassifier
from bascule.learn.neighbors import KNeighborsClassifier as OurNeighbors
from bascule.learn.preprocessing import MinMaxScaler, StandardScaler
from learn_data import data, shown, weights
from sklearn import datasets, metrics
from sklearn import model_selection as theirs
from sklearn.decomposition import PCA
from sklearn.exceptions import FitFailedWarning
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.tree import DecisionTreeRegressor

pytestmark = pytest.mark.usefixtures("native")

ALPHAS = {"alpha": np.logspace(-3, 3, 9)}
SPLITTERS = {
    "5": 5,
    "shuffled": theirs.KFold(4, shuffle=True, random_state=1),
    "repeated": theirs.RepeatedKFold(n_splits=3, n_repeats=2, random_state=0),
    "random": theirs.ShuffleSplit(3, random_state=0),
    "growing": theirs.TimeSeriesSplit(4),
    "list": [(np.arange(50, 442), np.arange(50)), (np.arange(0, 100), np.arange(300, 400))],
    "few tested": theirs.KFold(40),
}


def results(search):
    return {k: v for k, v in search.cv_results_.items() if "time" not in k}


def compare(mine, other, close=1e-10):
    got, wanted = results(mine), results(other)
    assert got.keys() == wanted.keys()
    assert list(mine.cv_results_) == list(other.cv_results_)
    for key, value in wanted.items():
        if key == "params":
            assert [list(p) for p in got[key]] == [list(p) for p in value]
        elif key.startswith("param_"):
            assert got[key].dtype == value.dtype
        elif not key.startswith("rank"):
            assert got[key].dtype == value.dtype
            np.testing.assert_allclose(got[key], value, rtol=close, atol=close, err_msg=key)
    for name in ("best_index_", "n_splits_", "multimetric_"):
        assert getattr(mine, name, None) == getattr(other, name, None), name


def both(estimator, *args, name="GridSearchCV", X=None, y=None, fit=None, **options):
    if X is None:
        X, y = data("diabetes")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [getattr(m, name)(estimator, *args, **options).fit(X, y, **(fit or {})) for m in (ours, theirs)]
    compare(*found)
    return found


@pytest.fixture
def shared(monkeypatch):
    """Candidates that are fitted alone."""
    from bascule.learn.model_selection._evaluation import Evaluation

    alone = []
    one = Evaluation._one
    monkeypatch.setattr(Evaluation, "_one", lambda self, c, *args: alone.append(c) or one(self, c, *args))
    return alone


@pytest.mark.parametrize("cv", SPLITTERS)
def test_splitters(cv):
    both(Ridge(), ALPHAS, cv=SPLITTERS[cv], return_train_score=True)


def test_penalties_share_states_of_folds(shared):
    both(Ridge(), ALPHAS, return_train_score=True)
    both(Ridge(), {**ALPHAS, "fit_intercept": [True, False]}, cv=theirs.KFold(3, shuffle=True, random_state=0))
    both(Ridge(), ALPHAS, fit={"sample_weight": weights(442)}, cv=[*theirs.KFold(4).split(np.zeros(442))])
    both(
        Ridge(), ALPHAS, fit={"sample_weight": weights(442)}, scoring=SCORINGS[:4], refit="r2", return_train_score=True
    )
    both(LinearRegression(), {"fit_intercept": [True, False]})
    both(Ridge(), ALPHAS, X=data("many targets")[0], y=data("many targets")[1])
    both(Ridge(), ALPHAS, X=data("many rows")[0], y=data("many rows")[1])
    assert not shared


@pytest.mark.parametrize("name", ["breast cancer", "collinear", "wide", "constant", "far from zero", "float32", "int8"])
def test_data(name):
    X, y = data(name)
    options = {"scoring": "neg_mean_squared_error"} if name == "breast cancer" else {}
    mine, other = (m.GridSearchCV(Ridge(), ALPHAS, cv=3, **options).fit(X, y) for m in (ours, theirs))
    close = {"breast cancer": 1e-6, "far from zero": 1e-6, "float32": 2e-6}.get(name, 1e-9)
    compare(mine, other, close)


SCORINGS = [
    "r2", "neg_mean_squared_error", "neg_mean_absolute_error", "neg_root_mean_squared_error", "neg_max_error", "explained_variance",
    lambda e, X, y: {"a": -abs(e.predict(X) - y).max(), "b": e.coef_[0]},
]  # fmt: skip


@pytest.mark.parametrize("scoring", SCORINGS, ids=lambda s: s if isinstance(s, str) else "several")
def test_scorings(scoring):
    both(Ridge(), ALPHAS, scoring=scoring, return_train_score=True, refit="a" if callable(scoring) else True)


def test_several_metrics():
    scoring = {"r2": "r2", "mse": "neg_mean_squared_error"}
    both(Ridge(), ALPHAS, scoring=scoring, refit="mse", return_train_score=True)
    both(Ridge(), ALPHAS, scoring=list(scoring)[:1], refit=False)
    both(Ridge(), ALPHAS, scoring=scoring, refit=lambda results: int(results["mean_test_mse"].argmax()))
    with pytest.raises(ValueError, match="refit must be set to a scorer key"):
        ours.GridSearchCV(Ridge(), ALPHAS, scoring=scoring).fit(*data("diabetes"))


def test_a_candidate_that_fails_keeps_the_others():
    grid = {"alpha": [1.0, -1.0, 0.1]}
    found = []
    for m in (ours, theirs):
        with pytest.warns((FitFailedWarning, UserWarning)) as said:
            found.append(m.GridSearchCV(Ridge(), grid, error_score=-5.0).fit(*data("diabetes")))
        assert any("5 fits failed out of a total of 15" in str(w.message) for w in said)
    compare(*found)
    for m in (ours, theirs):
        with pytest.raises(ValueError, match="'alpha' parameter of Ridge"):
            m.GridSearchCV(Ridge(), grid, error_score="raise").fit(*data("diabetes"))
    with pytest.raises(ValueError, match="All the 5 fits failed"):
        ours.GridSearchCV(Ridge(), {"alpha": [-1.0]}).fit(*data("diabetes"))
    with pytest.raises(ValueError, match="Invalid parameter 'beta' for estimator Ridge"):
        ours.GridSearchCV(Ridge(), {"beta": [1.0]}).fit(*data("diabetes"))


def test_nan_in_one_fold_fails_as_in_scikit_learn():
    X, y = (x.copy() for x in data("diabetes"))
    X[0, 0] = np.nan
    found = []
    for m in (ours, theirs):
        with pytest.warns((FitFailedWarning, UserWarning)):
            found.append(m.GridSearchCV(Ridge(), ALPHAS, refit=False).fit(X, y))
    compare(*found)


def test_pipelines_share_their_fitted_beginnings():
    made = []

    class Counted(StandardScaler):
        def fit(self, X, y=None, sample_weight=None):
            made.append(len(X))
            return super().fit(X, y, sample_weight)

    X, y = datasets.load_digits(return_X_y=True)
    X, y = X[:120], y[:120]
    pipeline = Pipeline([("scale", Counted()), ("pca", PCA(random_state=0)), ("knn", KNeighborsClassifier())])
    grid = {"pca__n_components": [4, 8], "knn__n_neighbors": [1, 3], "knn__weights": ["uniform", "distance"]}
    mine = ours.GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    assert len(made) == 3 + 1
    compare(mine, theirs.GridSearchCV(pipeline, grid, cv=3).fit(X, y))
    both(make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": ALPHAS["alpha"], "standardscaler": [StandardScaler(), "passthrough"]})  # fmt: skip
    both(make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": [1.0, -1.0]}, error_score=0.0)
    both(make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": [1.0]}, scoring=lambda e, X, y: e.predict(X).mean())


@pytest.mark.parametrize("scoring", [None, "neg_mean_absolute_error", ["r2", "neg_mean_squared_error"]], ids=shown)
def test_last_steps_of_pipelines_share_states(scoring, shared):
    """All penalties of a fold after the same fitted beginning, with the scores of separate fits."""
    options = {"scoring": scoring, "refit": "r2" if isinstance(scoring, list) else True, "return_train_score": True}
    scaled = make_pipeline(StandardScaler(), Ridge())
    both(scaled, {"ridge__alpha": ALPHAS["alpha"]}, **options)
    both(scaled, {"ridge__alpha": [0.1, 1.0], "standardscaler__with_std": [True, False], "ridge__fit_intercept": [True, False]}, **options)  # fmt: skip
    both(
        make_pipeline(StandardScaler(), PCA(), Lasso()),
        {"pca__n_components": [3, 5], "lasso__alpha": [0.1, 1.0]},
        **options,
    )
    both(
        scaled,
        {"standardscaler": [MinMaxScaler(), "passthrough"], "ridge__alpha": [0.1, 1.0]},
        **options,
    )
    assert not shared
    both(scaled, [{"ridge__alpha": [1.0]}, {"ridge": [Lasso(), LinearRegression()]}], **options)
    assert len(shared) == 2 * 5


def test_last_steps_of_classifiers_share_rows_and_starts(shared):
    X, y = datasets.load_breast_cancer(return_X_y=True)
    exact = LogisticRegression(tol=1e-8, max_iter=10_000)
    pipeline = make_pipeline(StandardScaler(), exact)
    mine, other = (m.GridSearchCV(pipeline if m is ours else make_pipeline(StandardScaler(), exact.to_sklearn()), {"logisticregression__C": [0.01, 0.1]}, scoring="neg_log_loss", cv=3).fit(X, y) for m in (ours, theirs))  # fmt: skip
    assert not shared
    compare(mine, other, 1e-6)


def test_candidates_of_neighbours_share_the_search(monkeypatch):
    from bascule.learn.neighbors import KNeighborsClassifier, KNeighborsRegressor
    from bascule.learn.neighbors._neighbors import Neighbors

    searched = []
    one = Neighbors._searched
    monkeypatch.setattr(Neighbors, "_searched", lambda self, X, *args: searched.append(len(X)) or one(self, X, *args))
    grid = {"n_neighbors": [1, 5, 3], "weights": ["uniform", "distance"]}
    X, y = datasets.load_digits(return_X_y=True)
    X, y = X[:200] + np.random.default_rng(0).random((200, X.shape[1])), y[:200]
    for make in (KNeighborsClassifier, KNeighborsRegressor):
        searched.clear()
        mine = ours.GridSearchCV(make(algorithm="brute"), grid, cv=4, refit=False).fit(X, y)
        assert searched == [50] * 4
        compare(mine, theirs.GridSearchCV(make(algorithm="brute").to_sklearn(), grid, cv=4, refit=False).fit(X, y))
    pipeline = make_pipeline(StandardScaler(), KNeighborsClassifier(algorithm="brute"))
    grid = {"standardscaler__with_std": [True, False], **{f"kneighborsclassifier__{k}": v for k, v in grid.items()}}
    searched.clear()
    found = ours.GridSearchCV(pipeline, grid, cv=4).fit(X, y)
    assert searched == [50] * 8 and "_known" not in vars(found.best_estimator_[-1])
    compare(found, theirs.GridSearchCV(pipeline, grid, cv=4).fit(X, y))


@pytest.mark.parametrize(
    "options",
    [{"metric": "manhattan"}, {"p": 1, "algorithm": "brute"}, {"algorithm": "kd_tree"}, {"algorithm": "ball_tree"}],
    ids=shown,
)
def test_candidates_share_the_searches_of_scikit_learn(options, monkeypatch):
    """Also where that searches; but not where neighbours at the same distance are any."""
    from bascule.learn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    X, y = datasets.load_digits(return_X_y=True)
    X, y = X[:200], y[:200]
    grid = {"n_neighbors": [1, 5, 3], "weights": ["uniform", "distance"]}
    for make in (KNeighborsClassifier, KNeighborsRegressor):
        searched = []
        parent = make._theirs.kneighbors
        monkeypatch.setattr(
            make._theirs, "kneighbors", lambda self, X, *a, **k: searched.append(len(X)) or parent(self, X, *a, **k)
        )
        for rows, times in ((X + np.random.default_rng(0).random(X.shape), 4), (np.rint(X / 8), None)):
            searched.clear()
            with bc.config.set(fallback="silent"):
                mine = ours.GridSearchCV(make(**options), grid, cv=4, refit=False).fit(rows, y)
            assert searched == [50] * 4 if times else len(searched) > 4
            found = theirs.GridSearchCV(make(**options).to_sklearn(), grid, cv=4, refit=False).fit(rows, y)
            compare(mine, found)
        monkeypatch.undo()


def test_a_search_of_neighbours_that_fails_is_that_of_each_candidate():
    from bascule.learn.neighbors import KNeighborsClassifier

    X, y = datasets.load_iris(return_X_y=True)
    with bc.config.set(fallback="error"), pytest.warns(UserWarning):
        search = ours.GridSearchCV(KNeighborsClassifier(metric="cosine"), {"n_neighbors": [1, 3]}, refit=False).fit(
            X, y
        )
    assert np.isnan(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("cv", ["repeated", "random", "growing", "list"])
def test_folds_that_are_no_partition_share_states_of_their_own(cv, shared):
    both(Ridge(), ALPHAS, cv=SPLITTERS[cv])
    both(make_pipeline(StandardScaler(), Ridge()), {"ridge__alpha": ALPHAS["alpha"]}, cv=SPLITTERS[cv])
    assert not shared


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_estimators_that_share_nothing(n_jobs):
    X, y = datasets.load_iris(return_X_y=True)
    with joblib.parallel_config("threading"):
        both(DecisionTreeRegressor(random_state=0), {"max_depth": [2, 3, 5]}, n_jobs=n_jobs, return_train_score=True)
        both(RidgeClassifier(), {"alpha": [0.1, 1.0]}, X=X, y=y, scoring=["accuracy", "f1_macro"], refit="accuracy", n_jobs=n_jobs)  # fmt: skip


@pytest.mark.parametrize("name", ["iris", "breast_cancer"])
def test_classifiers_share_states_of_folds(name, shared):
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    both(RidgeClassifier(), ALPHAS, X=X, y=y, return_train_score=True)
    both(RidgeClassifier(), ALPHAS, X=X, y=np.array(["a", "b", "c"])[y], scoring="accuracy", fit={"sample_weight": weights(len(y))})  # fmt: skip
    assert not shared
    both(RidgeClassifier(), ALPHAS, X=X, y=y, cv=theirs.KFold(3))  # without the labels that are tested
    both(RidgeClassifier(class_weight="balanced"), {"alpha": [0.1, 1.0]}, X=X, y=y)


OF_LABELS = ["f1", "f1_macro", "f1_micro", "f1_weighted", "roc_auc", "neg_log_loss", "accuracy"]


@pytest.mark.parametrize("scoring", OF_LABELS)
@pytest.mark.parametrize("name", ["iris", "breast_cancer"])
def test_scores_of_labels_are_those_of_stacks(name, scoring, shared):
    """Logistic regression goes to its minimum alone and together, so that the scores of both are comparable."""
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    several = name == "iris" and scoring in ("f1", "roc_auc")
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    models = [LogisticRegression(solver="newton-cholesky", tol=1e-9)]
    models += [RidgeClassifier()] if scoring != "neg_log_loss" else []
    for model in models:
        shared.clear()
        grid = {"C": [0.01, 0.1, 1.0]} if hasattr(model, "C") else {"alpha": [0.1, 10.0]}
        both(model, grid, X=X, y=y, scoring=scoring, return_train_score=True)
        assert not shared or several
        w = weights(len(y))
        for fold in (None, theirs.KFold(3, shuffle=True, random_state=0)):
            both(model, grid, X=X, y=y, scoring=scoring, cv=fold, fit={"sample_weight": w})
    both(models[0], {"C": [0.1, 1.0]}, X=X, y=y, scoring={"a": scoring, "b": "accuracy"}, refit=False)
    both(models[0], {"C": [0.1, 1.0]}, X=X, y=y + 1, scoring=scoring)  # no label is 1 and the second
    both(models[0], {"C": [0.1, 1.0]}, X=X, y=y, scoring=scoring, cv=theirs.KFold(3))  # folds without a label


OPTIONS = {
    "the other class": metrics.make_scorer(metrics.f1_score, pos_label=0),
    "loss of labels": metrics.make_scorer(metrics.log_loss, greater_is_better=False),
    "loss of shares": metrics.make_scorer(metrics.log_loss, greater_is_better=False, response_method="predict_proba"),
    "all classes": metrics.make_scorer(metrics.f1_score, average="macro"),
    "an option that changes nothing": metrics.make_scorer(metrics.f1_score, average="macro", pos_label=0),
}


@pytest.mark.parametrize("scoring", OPTIONS.values(), ids=OPTIONS)
def test_options_of_scorers_count(scoring):
    X, y = datasets.load_breast_cancer(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    both(LogisticRegression(solver="newton-cholesky", tol=1e-9), {"C": [0.01, 1.0]}, X=X, y=y, scoring=scoring, cv=3)


def test_a_scorer_may_ask_for_more_neighbours():
    asked = []

    def spread(estimator, X, y):
        asked.append(estimator.kneighbors(X, 12)[0].shape[1])
        return float(estimator.kneighbors(X, 12)[0].mean())

    X, y = datasets.load_iris(return_X_y=True)
    both(OurNeighbors(algorithm="brute"), {"n_neighbors": [3, 5]}, X=X, y=y, scoring=spread, cv=3)
    assert set(asked) == {12}


def test_other_searches():
    both(Ridge(), {"alpha": ALPHAS["alpha"]}, name="RandomizedSearchCV", n_iter=4, random_state=0)
    import sklearn.experimental.enable_halving_search_cv  # noqa: F401

    mine, other = both(Ridge(), ALPHAS, name="HalvingGridSearchCV", random_state=0, cv=3, factor=2)
    assert mine.n_resources_ == other.n_resources_ and mine.best_score_ == pytest.approx(other.best_score_, abs=1e-10)


SEARCHES = {
    "GridSearchCV": {},
    "RandomizedSearchCV": {"n_iter": 4, "random_state": 0},
    "HalvingGridSearchCV": {"random_state": 0, "cv": 3, "factor": 2},
    "HalvingRandomSearchCV": {"random_state": 0, "cv": 3, "n_candidates": 4, "min_resources": 50},
}


@pytest.mark.parametrize("verbose", [0, 1])
@pytest.mark.parametrize("name", SEARCHES)
def test_lists_of_candidates_may_be_arrays_of_bascule(name, verbose, capsys):
    import sklearn.experimental.enable_halving_search_cv  # noqa: F401

    given = {"alpha": bc.asarray(ALPHAS["alpha"]), "fit_intercept": [True, False]}
    options = {**SEARCHES[name], "verbose": verbose}
    with bc.config.set(fallback="silent"):
        mine = getattr(ours, name)(Ridge(), given, **options).fit(*data("diabetes"))
    said = capsys.readouterr().out
    other = getattr(theirs, name)(Ridge(), {**given, **ALPHAS}, **options).fit(*data("diabetes"))
    assert said == capsys.readouterr().out
    compare(mine, other)
    (kept,) = (v for k, v in mine.get_params(deep=False).items() if k in ("param_grid", "param_distributions"))
    assert kept is given


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_that_fails_keeps_its_candidates(name):
    grid = [{"alpha": bc.array([0.1, 1.0])}]
    search = getattr(ours, name)(Ridge(), grid, **{**SEARCHES[name], "cv": "no splitter"})
    with pytest.raises(ValueError):
        search.fit(*data("diabetes"))
    assert grid[0]["alpha"] is next(v for k, v in vars(search).items() if k.startswith("param_"))[0]["alpha"]


def test_the_best_estimator_and_its_methods():
    mine, other = both(Ridge(), ALPHAS)
    X, y = data("diabetes")
    assert mine.best_params_ == other.best_params_
    np.testing.assert_allclose(mine.predict(X), other.predict(X), rtol=1e-10)
    assert mine.score(X, y) == pytest.approx(other.score(X, y), abs=1e-12)
    assert type(mine.best_score_) is type(other.best_score_)


def test_scikit_learn_searches_over_our_estimators_and_ours_over_theirs():
    import sklearn.linear_model

    compare(theirs.GridSearchCV(Ridge(), ALPHAS).fit(*data("diabetes")), theirs.GridSearchCV(sklearn.linear_model.Ridge(), ALPHAS).fit(*data("diabetes")))  # fmt: skip
    both(sklearn.linear_model.Ridge(), ALPHAS)


def test_frames():
    import pandas as pd

    X, y = data("diabetes")
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(10)])
    mine, _ = both(Ridge(), ALPHAS, X=frame, y=pd.Series(y))
    assert mine.feature_names_in_.tolist() == list(frame.columns)


@pytest.mark.parametrize("estimator", [Ridge(), LinearRegression(), DecisionTreeRegressor(random_state=0)], ids=shown)
def test_cross_validation(estimator):
    X, y = data("diabetes")
    options = {"cv": 4, "scoring": ["r2", "neg_mean_absolute_error"], "return_train_score": True}
    got, wanted = (m.cross_validate(estimator, X, y, **options) for m in (ours, theirs))
    assert list(got) == list(wanted)
    for key in got:
        if "time" not in key:
            np.testing.assert_allclose(got[key], wanted[key], rtol=1e-10)
    got, wanted = (
        m.cross_validate(estimator, X, y, return_estimator=True, return_indices=True) for m in (ours, theirs)
    )
    assert list(got) == list(wanted)
    assert type(got["estimator"][0]) is type(estimator)
    np.testing.assert_array_equal(got["indices"]["test"][1], wanted["indices"]["test"][1])
    for name in ("cross_val_score", "cross_val_predict"):
        got, wanted = (getattr(m, name)(estimator, X, y) for m in (ours, theirs))
        np.testing.assert_allclose(got, wanted, rtol=1e-10)


def test_the_search_of_dask_ml_over_our_estimators():
    searches = pytest.importorskip("dask_ml.model_selection")
    X, y = data("diabetes")
    grid, pipeline = {"ridge__alpha": [0.1, 1.0, 10.0]}, make_pipeline(StandardScaler(), Ridge())
    theirs_too = make_pipeline(*(step.to_sklearn() for _, step in pipeline.steps))
    mine, other = (searches.GridSearchCV(p, grid, cv=3, scheduler="sync").fit(X, y) for p in (pipeline, theirs_too))
    np.testing.assert_allclose(mine.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"], rtol=1e-10)
    assert mine.best_params_ == other.best_params_
    assert type(mine.best_estimator_[1]) is Ridge
