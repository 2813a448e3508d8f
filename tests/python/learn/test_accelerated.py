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
