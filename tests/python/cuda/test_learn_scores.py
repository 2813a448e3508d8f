"""Scores of predictions that are on the emulated CUDA device: the numbers are those of scikit-learn's functions on the host."""

import emulated_cuda

MADE = """
import warnings
from bascule.learn._device_scores import scorer_there
from bascule.learn.linear_model import LinearRegression, LogisticRegression, PoissonRegressor, RidgeClassifier
from bascule.learn.model_selection import GridSearchCV, cross_validate
from bascule.learn.naive_bayes import GaussianNB
from bascule.learn.pipeline import make_pipeline
from bascule.learn.preprocessing import StandardScaler
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import fbeta_score, get_scorer, make_scorer
from sklearn.model_selection import KFold

warnings.filterwarnings("error", category=UserWarning)
rng = np.random.default_rng(5)
X = np.rint(rng.normal(size=(240, 4)) * 4) / 4  # equal decisions occur
level = X @ [1.0, -0.5, 0.25, 0.0] + rng.normal(size=240)
two, three = (level > 0).astype(int), np.digitize(level, [-0.7, 0.7])
counts = rng.poisson(np.exp(level / 3)).astype(float)
w = rng.integers(1, 4, 240).astype(float)
bc.config.set(fallback="error")

def there(x):
    return bc.asarray(x).to_device("cuda")

def same(got, wanted, what):
    np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-12, err_msg=str(what))
"""

EACH = """
def compare(name, model, y):
    scorer = get_scorer(name) if isinstance(name, str) else name
    fitted, moved = model.fit(X[:160], y[:160]), type(model)(**model.get_params()).fit(there(X[:160]), there(y[:160]))
    on_device = scorer_there(scorer, "cuda:0")
    for weights in (None, w[160:]) if "max_error" not in str(name) else (None,):
        more = {} if weights is None else {"sample_weight": weights}
        wanted = scorer(fitted, X[160:], y[160:], **more)
        if weights is not None and name == "neg_median_absolute_error":
            continue
        got = on_device(moved, there(X[160:]), there(y[160:]), **{k: there(v) for k, v in more.items()})
        assert type(got) is float
        same(got, wanted, (name, model, weights is None))

numbers = ["r2", "explained_variance", "neg_max_error", "neg_mean_absolute_error", "neg_mean_squared_error",
    "neg_root_mean_squared_error", "neg_mean_absolute_percentage_error", "neg_median_absolute_error"]
for name in numbers:
    compare(name, LinearRegression(), level)
for name in (*numbers, "neg_mean_squared_log_error", "neg_root_mean_squared_log_error", "neg_mean_poisson_deviance"):
    compare(name, PoissonRegressor(tol=1e-10), counts)
compare("neg_mean_gamma_deviance", PoissonRegressor(tol=1e-10), counts + 1)
labels = ["accuracy", "balanced_accuracy", "matthews_corrcoef"]
averages = [f"{m}_{a}" for m in ("f1", "precision", "recall", "jaccard") for a in ("macro", "micro", "weighted")]
beta = make_scorer(fbeta_score, beta=2.0, average="macro")
for name in (*labels, *averages, beta, "neg_log_loss"):
    compare(name, GaussianNB(), three)
for name in (*labels, *averages, beta, "f1", "precision", "recall", "jaccard", "neg_log_loss", "roc_auc"):
    compare(name, GaussianNB(), two)
for name in ("accuracy", "f1", "roc_auc"):  # whose decisions are not probabilities
    compare(name, RidgeClassifier(), two)
"""


def test_each_score_of_scikit_learn():
    emulated_cuda.run(MADE + EACH)


ODD = """
def outcome(scorer, model, X, y):
    with warnings.catch_warnings(record=True, action="always") as said:
        try:
            found = scorer(model, X, y)
        except Exception as error:
            found = type(error), str(error)
    return found, [(s.category, str(s.message)) for s in said]

host, device = GaussianNB().fit(X, three), GaussianNB().fit(there(X), there(three))
positive = np.flatnonzero(two)
both, moved = GaussianNB().fit(X, two), GaussianNB().fit(there(X), there(two))
for name, mine, other, y, rows in [
    ("f1", device, host, three, slice(None)),  # an error: labels are more than two
    ("roc_auc", device, host, three, slice(None)),
    ("roc_auc", moved, both, two, positive),  # a warning: one label
    ("neg_log_loss", device, host, three, np.flatnonzero(three != 1)),  # an error: a label does not occur
    ("precision", moved, both, two * 0, slice(0, 40)),
    ("neg_mean_squared_log_error", LinearRegression().fit(there(X), there(level)), LinearRegression().fit(X, level), level, slice(None)),
    ("neg_mean_gamma_deviance", LinearRegression().fit(there(X), there(level)), LinearRegression().fit(X, level), level, slice(None)),
]:
    wanted = outcome(get_scorer(name), other, X[rows], y[rows])
    got = outcome(scorer_there(get_scorer(name), "cuda:0"), mine, there(X[rows]), there(y[rows]))
    assert str(got) == str(wanted), (name, got, wanted)
for name in ("average_precision", "roc_auc_ovr", "d2_absolute_error_score"):
    try:
        scorer_there(get_scorer(name), "cuda:0")
    except NotImplementedError as error:
        assert "learn.metrics." in str(error), error
    else:
        raise AssertionError(name)
"""


def test_errors_and_warnings_are_those_of_the_host():
    emulated_cuda.run(MADE + ODD)


SEARCHES = """
scores = ["accuracy", "f1", "precision", "recall", "balanced_accuracy", "neg_log_loss", "roc_auc"]
cv = KFold(3)
exact = LogisticRegression(solver="newton-cholesky", tol=1e-9)
for model in (exact, make_pipeline(StandardScaler(), exact)):
    name = "C" if model is exact else "logisticregression__C"
    for scoring in (["accuracy", "f1", "neg_log_loss", "roc_auc"], scores):
        found = [GridSearchCV(model, {name: [0.1, 1.0]}, scoring=scoring, refit=False, cv=cv).fit(*rows).cv_results_
            for rows in ((X, two), (there(X), there(two)))]
        for key in [f"split{k}_test_{one}" for k in range(3) for one in scoring]:
            same(found[1][key], found[0][key], (key, scoring))
for model, y, scoring in ((GaussianNB(), two, scores), (LinearRegression(), level, ["r2", "neg_max_error"])):
    wanted, got = (cross_validate(model, *rows, scoring=scoring, cv=cv) for rows in ((X, y), (there(X), there(y))))
    for one in scoring:
        same(got[f"test_{one}"], wanted[f"test_{one}"], one)
"""


def test_searches_score_on_the_device():
    """Linear models all at once, others each by itself."""
    emulated_cuda.run(MADE + SEARCHES)
