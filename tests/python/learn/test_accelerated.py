"""In the accelerated mode `import sklearn` means `bascule.learn` in the program's own modules."""

import pickle
import subprocess
import sys

PROGRAM = """
import pickle, sys
import numpy as np
import sklearn
from sklearn.datasets import load_diabetes
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
import sklearn.tree

assert sklearn.__version__ and Ridge.__module__.startswith("bascule.learn"), Ridge.__module__
X, y = load_diabetes(return_X_y=True)
X, X_test, y, y_test = train_test_split(np.asarray(X), np.asarray(y), random_state=0)
search = GridSearchCV(Ridge(), {"alpha": np.logspace(-3, 3, 7)}).fit(X, y)
pipeline = make_pipeline(StandardScaler(), Ridge()).fit(X, y)
tree = sklearn.tree.DecisionTreeRegressor(random_state=0).fit(X, y)
print(search.best_params_["alpha"], round(search.score(X_test, y_test), 6), round(pipeline.score(X_test, y_test), 6), tree.get_depth())
pickle.dump((search, pipeline), open(sys.argv[1], "wb"))
"""


def run(*arguments):
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout


def test_a_program_of_scikit_learn(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    plain = tmp_path / "plain.py"
    plain.write_text(PROGRAM.replace("assert", "0 and"))
    assert run("-m", "bascule", program, tmp_path / "ours") == run(plain, tmp_path / "theirs")
    search, pipeline = pickle.loads((tmp_path / "ours").read_bytes())
    for made in (search, search.best_estimator_, pipeline[0], pipeline[1]):
        assert type(made).__module__.startswith("sklearn.")
    load = "import pickle, sys; pickle.load(open(sys.argv[1], 'rb')); assert 'bascule' not in sys.modules"
    run("-c", load, tmp_path / "ours")


# The program of cuML's documentation for a search without a change of code, over rows that are drawn.
OF_CUML = """
import numpy as np
from scipy.stats import randint
from sklearn.decomposition import PCA
from sklearn.model_selection import RandomizedSearchCV, train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

rng = np.random.default_rng(0)
y = rng.integers(0, 7, 700)
heights = rng.normal(size=(700, 10)) * 10.0 ** np.arange(10) + y[:, None]
soils = np.eye(44)[np.minimum(rng.poisson(3 * y), 43)]
X = np.hstack([heights, soils + rng.random(soils.shape) / 100])
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=42, stratify=y)
steps = [("scaler", StandardScaler()), ("pca", PCA()), ("knn", KNeighborsClassifier())]
space = {
    "pca__n_components": [10, 20, 30, 40],
    "knn__n_neighbors": randint(3, 30),
    "knn__weights": ["uniform", "distance"],
    "knn__metric": ["euclidean", "manhattan"],
}
search = RandomizedSearchCV(Pipeline(steps), space, n_iter=20, cv=5, scoring="accuracy", random_state=42, n_jobs=1)
search.fit(X_train, y_train)
for name, column in search.cv_results_.items():
    if "time" not in name:
        print(name, column.tolist() if hasattr(column, "tolist") else column)
print(search.best_params_, search.score(X_test, y_test))
"""


def test_a_search_of_cuml(tmp_path):
    """It prints the same; what scikit-learn searches is counted."""
    program = tmp_path / "program.py"
    program.write_text(OF_CUML)
    wanted = run(program)
    assert run("-m", "bascule", program) == wanted and wanted.count("split") == 5
    counted = "import bascule\nfor x in bascule.fallbacks(): print(x['name'], x['calls'])"
    program.write_text(OF_CUML + counted)
    assert "learn.KNeighborsClassifier.kneighbors" in run("-m", "bascule", program)


IMPORTED_BEFORE = """
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV as Search, train_test_split
from sklearn import preprocessing
import bascule
bascule.accelerate()
assert Ridge.__module__.startswith("bascule.learn") and Search.__module__.startswith("bascule.learn")
assert preprocessing.StandardScaler.__module__.startswith("bascule.learn")
assert train_test_split.__module__.startswith("sklearn")
bascule.accelerate.undo()
assert Ridge.__module__.startswith("sklearn")
"""


def test_names_that_a_program_imported_before(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(IMPORTED_BEFORE)
    run(program)


def test_a_version_that_is_not_known_stays(monkeypatch):
    from bascule.interop import stand_in

    stand_in.is_meant.cache_clear()
    try:
        with monkeypatch.context() as m:
            m.setattr("importlib.metadata.version", lambda name: "1.5.2")
            assert not stand_in.is_meant("sklearn")
            assert stand_in.is_meant("numpy") and not stand_in.is_meant("scipy")
    finally:
        stand_in.is_meant.cache_clear()
