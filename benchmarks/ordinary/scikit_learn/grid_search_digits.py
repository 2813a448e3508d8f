"""Look for the best settings of a support vector machine by grid search, and read cv_results_ as a table."""

import sys

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, learning_curve
from sklearn.svm import SVC

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 160 if SIZE == "small" else 700

digits = load_digits(n_class=6)
X, y = digits.data[:n] / 16, digits.target[:n]
grid = {"C": [0.01, 0.1, 1], "gamma": [0.01, 0.1]}
search = GridSearchCV(SVC(), grid, cv=3)
search.fit(X, y)
results = pd.DataFrame(search.cv_results_)
columns = ["param_C", "param_gamma", "mean_test_score", "std_test_score"]
print(results[columns].round(4).to_string(index=False))
print(results.pivot(index="param_C", columns="param_gamma", values="mean_test_score").round(3))
print("best:", search.best_params_, round(search.best_score_, 4))

sizes, train, test = learning_curve(search.best_estimator_, X, y, train_sizes=[0.2, 0.5, 1.0], cv=3)
for s, a, b in zip(sizes, train, test, strict=True):
    print(f"{s:4d} rows: train {a.mean():.4f}, test {b.mean():.4f} +- {b.std():.3f}")

rest, truth = digits.data[n : n + 300] / 16, digits.target[n : n + 300]
guess = search.predict(rest)
wrong = [(int(k), int(truth[k]), int(guess[k])) for k in np.where(guess != truth)[0]]
print("wrong:", len(wrong), "of", len(truth), wrong[:6])
print("support vectors per digit:", search.best_estimator_.n_support_)
