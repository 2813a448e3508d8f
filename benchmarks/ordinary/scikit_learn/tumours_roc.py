"""Logistic regression on the breast cancer data: the ROC curve by hand and by the library."""

import sys

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.model_selection import train_test_split

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
splits = 1 if SIZE == "small" else 9

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X.loc[:, [c for c in X.columns if c.startswith("mean")]]
X.columns = X.columns.str.replace("mean ", "").str.title()
print(X.iloc[:3, :5])
print(y.value_counts(normalize=True).round(4).to_dict())


def roc_by_hand(truth, score):
    order = np.argsort(-score, kind="stable")
    hits = np.cumsum(truth[order])
    false = np.cumsum(1 - truth[order])
    tpr = np.concatenate([[0], hits / hits[-1]])
    fpr = np.concatenate([[0], false / false[-1]])
    return fpr, tpr


areas = []
for seed in range(splits):
    A, B, a, b = train_test_split(X, y, test_size=0.4, random_state=seed)
    mean, sd = A.mean(), A.std()
    model = LogisticRegression(max_iter=200).fit((A - mean) / sd, a)
    score = model.predict_proba((B - mean) / sd)[:, 1]
    fpr, tpr = roc_by_hand(b.to_numpy(), score)
    area = np.sum(np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2)
    areas.append((area, roc_auc_score(b, score), model.score((B - mean) / sd, b)))
areas = pd.DataFrame(areas, columns=["by hand", "library", "accuracy"])
print(areas.describe().loc[["count", "mean", "min", "max"]].round(4))
print("same area:", np.allclose(areas["by hand"], areas["library"]))
fpr, tpr, _ = roc_curve(b, score)
for rate in (0.01, 0.05, 0.1, 0.2):
    print(f"false alarms {rate:.2f}: found {np.interp(rate, fpr, tpr):.3f}")
odds = pd.Series(model.coef_[0], index=X.columns).sort_values(key=abs, ascending=False)
print(odds.head(5).round(3))
