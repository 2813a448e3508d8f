"""Ctrl-C, memory, and models that a fit which fails leaves as they were."""

import copy
import signal
import subprocess
import sys
import threading
import time
import warnings

import bascule as bc
import numpy as np
import pytest
from bascule.learn._coverage import THEIRS
from bascule.learn.cluster import KMeans
from bascule.learn.linear_model import LogisticRegression, Ridge
from bascule.learn.model_selection import GridSearchCV
from bascule.learn.preprocessing import StandardScaler
from learn_parameters import made, of_name, sample

ROWS, COLUMNS = 400_000, 20


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, COLUMNS))
    return X, X @ rng.normal(size=COLUMNS) + rng.normal(size=ROWS)


LONG = {
    "an iteration": lambda X, y: KMeans(50, tol=0.0, max_iter=10_000, n_init=1, random_state=0).fit(X),
    "passes": lambda X, y: [Ridge().fit(X, y) for _ in range(10_000)],
    "a search": lambda X, y: GridSearchCV(LogisticRegression(), {"C": np.logspace(-6, 6, 500)}).fit(X, y > 0),
}


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_stops_between_blocks(name, rows, ctrl_c):
    timer = threading.Timer(1.0, signal.raise_signal, [signal.SIGINT])
    timer.start()
    start = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            LONG[name](*rows)
    finally:
        timer.cancel()
    assert time.perf_counter() - start < 30


class Failing:
    """Raises an error at the n-th call of a function of bascule.learn, and counts calls."""

    def __init__(self, error, at=-1):
        self.error, self.at, self.calls = error, at, 0

    def __call__(self, frame, event, _):
        if event == "call" and "/bascule/learn/" in frame.f_code.co_filename:
            self.calls += 1
            if self.calls == self.at:
                sys.setprofile(None)
                raise self.error

    def __enter__(self):
        sys.setprofile(self)
        return self

    def __exit__(self, *_):
        sys.setprofile(None)


def fitted(model, X, y, method="fit"):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(model, method)(X) if y is None else getattr(model, method)(X, y)


def seen(model):
    """The attributes, which stay the same objects, and copies of arrays, which are not written to."""
    arrays = {k: v for k, v in vars(model).items() if isinstance(v, np.ndarray) and v.dtype != object}
    return dict(vars(model)), {k: v.copy() for k, v in arrays.items()}


def assert_unchanged(model, before):
    attributes, arrays = before
    assert vars(model).keys() == attributes.keys()
    for key, value in attributes.items():
        assert getattr(model, key) is value, key
    for key, value in arrays.items():
        np.testing.assert_array_equal(getattr(model, key), value, err_msg=key)


@pytest.mark.parametrize("method", ["fit", "partial_fit"])
@pytest.mark.parametrize("name", THEIRS)
def test_a_fit_that_fails_keeps_the_model(name, method):
    """Whether it fails in its checks, in its midst, or at its end."""
    if not hasattr(of_name(name), method):
        return
    X, y = sample(name)
    model = fitted(made(name), X, y)
    other = X[::-1] if isinstance(X, np.ndarray) else list(reversed(X))
    with Failing(None) as counted:
        fitted(copy.deepcopy(model), other, y, method)
    raised = 0
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 0.95):
        for error in (MemoryError(), KeyboardInterrupt()):
            tried = copy.copy(model)
            before = seen(tried)
            try:
                with Failing(error, max(1, int(share * counted.calls))):
                    fitted(tried, other, y, method)
            except type(error):
                raised += 1
                assert_unchanged(tried, before)
    assert raised > 0  # a search keeps candidates whose memory does not suffice, and numbers of calls may differ


def test_a_fit_of_wrong_rows_keeps_the_model(rows):
    X, y = (x[:5_000] for x in rows)
    bad = X.copy()
    bad[3, 3] = np.nan
    for model in (Ridge(), LogisticRegression(solver="newton-cholesky"), KMeans(3, random_state=0)):
        target = y > 0 if isinstance(model, LogisticRegression) else y
        model.fit(X, target)
        before = seen(model)
        with pytest.raises(ValueError, match="NaN"):
            model.fit(bad, target)
        assert_unchanged(model, before)


MEMORY = """
import sys
import numpy as np
import bascule as bc
from bascule.learn.linear_model import LinearRegression, LogisticRegression, Ridge, RidgeCV
from bascule.learn.preprocessing import MinMaxScaler, StandardScaler
from bascule.learn.decomposition import PCA, TruncatedSVD
from bascule.learn.covariance import EmpiricalCovariance, LedoitWolf
from bascule.learn.naive_bayes import GaussianNB
from bascule.learn.discriminant_analysis import LinearDiscriminantAnalysis
from bascule.learn.cluster import KMeans
from bascule.learn.model_selection import GridSearchCV

def peak():
    return next(int(x.split()[1]) for x in open("/proc/self/status") if x.startswith("VmHWM")) / 1024

X = np.random.default_rng(0).normal(size=(1_000_000, 20))
y = X[:, 0] + X[:, 1] ** 2
label = (y > 0).astype(int)
fits = {
    "Ridge": lambda X, y, label: Ridge().fit(X, y),
    "LinearRegression": lambda X, y, label: LinearRegression().fit(X, y),
    "StandardScaler": lambda X, y, label: StandardScaler().fit(X),
    "MinMaxScaler": lambda X, y, label: MinMaxScaler().fit(X),
    "RidgeCV": lambda X, y, label: RidgeCV((0.1, 1.0)).fit(X, y),
    "PCA": lambda X, y, label: PCA(3).fit(X),
    "EmpiricalCovariance": lambda X, y, label: EmpiricalCovariance().fit(X),
    "LedoitWolf": lambda X, y, label: LedoitWolf().fit(X),
    "GaussianNB": lambda X, y, label: GaussianNB().fit(X, label),
    "LinearDiscriminantAnalysis": lambda X, y, label: LinearDiscriminantAnalysis().fit(X, label),
    "LogisticRegression": lambda X, y, label: LogisticRegression().fit(X, label),
    "GridSearchCV": lambda X, y, label: GridSearchCV(Ridge(), {"alpha": [0.1, 1.0]}).fit(X, y),
}
fit = fits[sys.argv[1]]
fit(X[:20_000], y[:20_000], label[:20_000])  # libraries are loaded, and threads started
open("/proc/self/clear_refs", "w").write("5")
before = peak()
fit(X, y, label)
print(peak() - before)
"""
OF_AGGREGATIONS = [line.split('"')[1] for line in MEMORY.splitlines() if line.startswith('    "')]


@pytest.mark.parametrize("name", OF_AGGREGATIONS)
def test_an_aggregation_takes_little_memory(name):
    """Of 160 MB of rows, at most 64 MB more."""
    done = subprocess.run([sys.executable, "-c", MEMORY, name], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) <= 64, name


def test_a_scaler_does_not_store_what_a_fused_pass_reads(rows):
    """The mean of scaled rows of bascule is one pass: nothing of them is held."""
    X = bc.asarray(rows[0])
    scaled = StandardScaler().fit(X).transform(X)
    np.testing.assert_allclose(np.asarray(scaled.mean(axis=0)), 0, atol=1e-10)
