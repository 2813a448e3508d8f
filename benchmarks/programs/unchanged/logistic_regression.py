"""Who clicks: logistic regression by Newton's method, with a test set."""

import numpy as np

rng = np.random.default_rng(5)
n, k = 300_000, 12
x = rng.normal(size=(n, k))
truth = rng.normal(size=k)
clicks = rng.random(n) < 1 / (1 + np.exp(-(x @ truth - 0.5)))
x = np.column_stack([np.ones(n), x])
train, test = np.arange(n) % 5 != 0, np.arange(n) % 5 == 0
w = np.zeros(k + 1)
for step in range(8):
    p = 1 / (1 + np.exp(-(x[train] @ w)))
    gradient = x[train].T @ (clicks[train] - p)
    hessian = (x[train] * (p * (1 - p))[:, None]).T @ x[train]
    change = np.linalg.solve(hessian, gradient)
    w += change
print("converged:", bool(np.abs(change).max() < 1e-8))
print("weights:", np.round(w, 5).tolist())
p = 1 / (1 + np.exp(-(x[test] @ w)))
print("right:", round(float(((p > 0.5) == clicks[test]).mean()), 6))
order = np.argsort(p)
ranks = np.empty(len(p))
ranks[order] = np.arange(1, len(p) + 1)
hits = clicks[test]
auc = (ranks[hits].sum() - hits.sum() * (hits.sum() + 1) / 2) / (hits.sum() * (~hits).sum())
print("area under the curve:", round(float(auc), 6))
