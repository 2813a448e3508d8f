"""Ratings of films with many gaps: mean of neighbours by cosine, and factors by alternating least squares.
Idea: the tutorial on matrix factorisation for recommendations."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
users, films, rounds = (40, 25, 5) if SIZE == "small" else (500, 180, 8)

rng = np.random.default_rng(2006)
taste = rng.normal(size=(users, 3))
style = rng.normal(size=(films, 3))
full = np.clip(np.round(3.2 + taste @ style.T * 0.7 + rng.normal(0, 0.3, (users, films))), 1, 5)
known = rng.random((users, films)) < 0.3
test = known & (rng.random((users, films)) < 0.2)
train = known & ~test
ratings = pd.DataFrame(
    [(u, f, int(full[u, f])) for u in range(users) for f in range(films) if train[u, f]],
    columns=["user", "film", "stars"],
)
print(ratings.head(4))
print(ratings["stars"].value_counts().sort_index().to_dict())
best = ratings.groupby("film")["stars"].agg(["count", "mean"]).query("count >= 5")
print(best.sort_values(["mean", "count"], ascending=False).head(4).round(3))

table = ratings.pivot(index="user", columns="film", values="stars").reindex(index=range(users), columns=range(films))
user_mean = table.mean(axis=1).fillna(3)
centred = table.sub(user_mean, axis=0).fillna(0).to_numpy()
norms = np.linalg.norm(centred, axis=1, keepdims=True)
norms[norms == 0] = 1
similar = (centred / norms) @ (centred / norms).T
np.fill_diagonal(similar, 0)


def by_neighbours(u, f, k=10):
    raters = np.where(train[:, f])[0]
    if len(raters) == 0:
        return user_mean[u]
    nearest = raters[np.argsort(-similar[u, raters], kind="stable")[:k]]
    weight = similar[u, nearest]
    if np.abs(weight).sum() < 1e-12:
        return user_mean[u]
    return user_mean[u] + (weight * centred[nearest, f]).sum() / np.abs(weight).sum()


pairs = np.argwhere(test)[:600]
truth = np.array([full[u, f] for u, f in pairs])
guess = np.array([by_neighbours(u, f) for u, f in pairs])
print("mean of the user:", round(float(np.sqrt(((user_mean.to_numpy()[pairs[:, 0]] - truth) ** 2).mean())), 3))
print("neighbours:", round(float(np.sqrt(((guess - truth) ** 2).mean())), 3), "of", len(pairs))

p, q = rng.normal(0, 0.1, (users, 3)), rng.normal(0, 0.1, (films, 3))
for step in range(rounds):
    for u in range(users):
        seen = train[u]
        if seen.any():
            p[u] = np.linalg.solve(q[seen].T @ q[seen] + 0.5 * np.eye(3), q[seen].T @ centred[u, seen])
    for f in range(films):
        seen = train[:, f]
        if seen.any():
            q[f] = np.linalg.solve(p[seen].T @ p[seen] + 0.5 * np.eye(3), p[seen].T @ centred[seen, f])
    predicted = p @ q.T + user_mean.to_numpy()[:, None]
    print(
        f"round {step}: {np.sqrt(((predicted - full)[train] ** 2).mean()):.2f} {np.sqrt(((predicted - full)[test] ** 2).mean()):.2f}"
    )
u = 3
order = np.argsort(np.where(train[u], -9, predicted[u]))[::-1][:3]
print("recommended:", [(int(f), round(float(predicted[u, f]), 1)) for f in order])
