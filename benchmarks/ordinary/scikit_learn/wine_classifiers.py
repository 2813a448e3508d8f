"""Several classifiers on the wines, one table of their scores."""

import sys

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, export_text

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
folds, repeats = (3, 1) if SIZE == "small" else (5, 3)

wine = load_wine(as_frame=True)
X, y = wine.data, wine.target
print(X.shape, y.value_counts().to_dict())
print(X.groupby(y).median().T.head(6).round(2))

models = {
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
    "unscaled": KNeighborsClassifier(5),
    "bayes": GaussianNB(),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    "svm": make_pipeline(MinMaxScaler(), SVC(C=3)),
}
rows = []
for name, model in models.items():
    for seed in range(repeats):
        cv = StratifiedKFold(folds, shuffle=True, random_state=seed)
        found = cross_validate(model, X, y, cv=cv, scoring=["accuracy", "f1_macro"])
        for accuracy, f1 in zip(found["test_accuracy"], found["test_f1_macro"], strict=True):
            rows.append((name, seed, accuracy, f1))
df = pd.DataFrame(rows, columns=["model", "seed", "accuracy", "f1"])
table = df.groupby("model")[["accuracy", "f1"]].agg(["mean", "min"]).sort_values(("accuracy", "mean"), ascending=False)
print(table.round(4))
print("best:", table.index[0], "| runs:", len(df), "| perfect:", int((df["accuracy"] == 1).sum()))

tree = models["tree"].fit(X, y)
print(export_text(tree, feature_names=list(X.columns), max_depth=1))
importance = pd.Series(tree.feature_importances_, index=X.columns)
print(importance[importance > 0].sort_values(ascending=False).round(4))
print("hardest wines:", np.flatnonzero(tree.predict(X) != y).tolist())
