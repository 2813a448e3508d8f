"""Ridge regression on the diabetes data for many penalties, by the library and by the normal equations."""

import sys

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.model_selection import KFold

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
penalties = np.logspace(-3, 1, 3 if SIZE == "small" else 30)

data = load_diabetes(as_frame=True)
X, y = data.data, data.target
print(X.head(3).round(4))
print(y.describe().round(2))
print("correlation with the target:")
print(X.corrwith(y).sort_values(ascending=False).round(3))


def ridge_by_hand(X, y, alpha):
    centre, mean = X.mean(axis=0), y.mean()
    A = X - centre
    w = np.linalg.solve(A.T @ A + alpha * np.eye(A.shape[1]), A.T @ (y - mean))
    return w, mean - centre @ w


rows = []
for alpha in penalties:
    errors = []
    for train, test in KFold(5, shuffle=True, random_state=1).split(X):
        model = Ridge(alpha=alpha).fit(X.iloc[train], y.iloc[train])
        w, b = ridge_by_hand(X.values[train], y.values[train], alpha)
        assert np.allclose(model.coef_, w) and np.isclose(model.intercept_, b)
        errors.append(mean_squared_error(y.iloc[test], model.predict(X.iloc[test])))
    rows.append({"alpha": alpha, "mse": np.mean(errors), "sd": np.std(errors), "size": np.linalg.norm(model.coef_)})
path = pd.DataFrame(rows).set_index("alpha")
print(path.iloc[:: max(len(path) // 6, 1)].round(3))
best = path["mse"].idxmin()
print(f"best penalty {best:.4f}, error {path.loc[best, 'mse']:.3f}")
plain = LinearRegression().fit(X, y)
print("r2 of all data:", round(r2_score(y, plain.predict(X)), 5))
print(pd.Series(plain.coef_, index=X.columns).round(2).to_dict())
