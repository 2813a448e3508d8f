"""Scale the irises, fit a logistic regression, and look at its cross-validated errors.

Idea: the first steps of the scikit-learn guide
"""

import sys

import numpy as np
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import classification_report, confusion_matrix
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
folds = 3 if SIZE == "small" else 10

iris = load_iris(as_frame=True)
df = iris.frame
df["species"] = df["target"].map(dict(enumerate(iris.target_names)))
print(df.groupby("species").mean().round(3).T)
print(df.describe().loc[["mean", "std", "min", "max"]].round(3).iloc[:, :4])

X, y = df[iris.feature_names], df["target"]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=0, stratify=y)
model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=300))
model.fit(X_train, y_train)
predicted = model.predict(X_test)
print("accuracy:", round(model.score(X_test, y_test), 4))
print(confusion_matrix(y_test, predicted))
print(classification_report(y_test, predicted, target_names=iris.target_names, digits=3))
scores = cross_val_score(model, X, y, cv=folds)
print(f"{folds} folds: {scores.mean():.4f}, worst {scores.min():.3f}")
table = X_test.assign(truth=y_test, guess=predicted)
print(table[table["truth"] != table["guess"]])
print("coefficients:\n", np.round(model[-1].coef_, 2))
