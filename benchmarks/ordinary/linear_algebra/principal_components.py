"""Measurements of flowers in fewer dimensions: covariance, eigenvectors, singular values, variance explained, and a way back.
Idea: the PCA tutorial."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, width = (150, 4) if SIZE == "small" else (20_000, 30)

rng = np.random.default_rng(1901)
base = rng.normal(size=(3, width))
kinds = rng.choice(["alba", "bella", "crocus"], n)
which = np.array([["alba", "bella", "crocus"].index(k) for k in kinds])
data = 3 * base[which] + rng.normal(size=(n, 2)) @ rng.normal(size=(2, width)) + rng.normal(0, 0.3, (n, width))
df = pd.DataFrame(data, columns=[f"m{k}" for k in range(width)])
df["kind"] = kinds
print(df.groupby("kind").mean().iloc[:, :4].round(3))

features = df.drop(columns="kind")
z = (features - features.mean()) / features.std()
cov = np.cov(z.T)
values, vectors = np.linalg.eigh(cov)
order = values.argsort()[::-1]
values, vectors = values[order], vectors[:, order]
share = values / values.sum()
print("shares:", share[:4].round(4), "together:", share[:2].sum().round(4))

_, s, vt = np.linalg.svd(z.to_numpy(), full_matrices=False)
print("singular values give the same:", np.allclose(s**2 / (n - 1), values))
same = [abs(vectors[:, k] @ vt[k]) for k in range(2)]
print("and the same directions:", np.allclose(same, 1))

for k in range(2):
    if vectors[np.abs(vectors[:, k]).argmax(), k] < 0:
        vectors[:, k] *= -1
scores = pd.DataFrame(z.to_numpy() @ vectors[:, :2], columns=["pc1", "pc2"])
scores["kind"] = kinds
print(scores.groupby("kind").agg(["mean", "std"]).round(3))
print("correlation of the scores:", abs(round(float(scores["pc1"].corr(scores["pc2"])), 4)))
for k in (1, 2, 3):
    back = z.to_numpy() @ vectors[:, :k] @ vectors[:, :k].T
    print(f"{k} components: error {np.sqrt(((back - z.to_numpy()) ** 2).mean()):.4f}")

centres = scores.groupby("kind")[["pc1", "pc2"]].mean()
points = scores[["pc1", "pc2"]].to_numpy()
distance = np.sqrt(((points[:, None, :] - centres.to_numpy()[None]) ** 2).sum(axis=2))
guess = centres.index.to_numpy()[distance.argmin(axis=1)]
print("nearest centre is right:", round(float((guess == kinds).mean()), 3))
print(pd.crosstab(scores["kind"], pd.Series(guess, name="guess")).sum().sum(), "points")
loadings = pd.Series(np.abs(vectors[:, 0]), index=features.columns).sort_values(ascending=False)
print(loadings.head(3).round(4))
