"""The largest eigenvalues by repeated multiplication with deflation, by shifted inverses, and of a web of pages.
Idea: the PageRank tutorial."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, pages = (12, 40) if SIZE == "small" else (120, 700)

rng = np.random.default_rng(1929)
q, _ = np.linalg.qr(rng.normal(size=(n, n)))
values = np.linspace(1, 3, n)
values[-3:] = [6.0, 8.0, 11.0]
a = q @ np.diag(values) @ q.T
a = (a + a.T) / 2


def power(matrix, steps=500, tolerance=1e-12):
    v = np.ones(len(matrix)) / np.sqrt(len(matrix))
    old = 0.0
    for step in range(steps):
        w = matrix @ v
        v = w / np.linalg.norm(w)
        new = v @ matrix @ v
        if abs(new - old) < tolerance:
            break
        old = new
    return new, v


work = a.copy()
for _ in range(3):
    value, vector = power(work)
    print(f"{value:.6f} residual below 1e-4: {np.linalg.norm(a @ vector - value * vector) < 1e-4}")
    work = work - value * np.outer(vector, vector)
expected = np.linalg.eigvalsh(a)
print("eigvalsh:", expected[-3:].round(6), "trace:", round(float(np.trace(a)), 6))

shift = 7.5
inverse = np.linalg.inv(a - shift * np.eye(n))
value, vector = power(inverse)
print("nearest to 7.5:", round(float(shift + 1 / value), 5))

links = {k: [] for k in range(pages)}
for k in range(pages):
    for target in rng.zipf(1.8, 6) % pages:
        if target != k and target not in links[k]:
            links[k].append(int(target))
for k in range(0, pages, 17):
    links[k] = []
m = np.zeros((pages, pages))
for k, targets in links.items():
    if targets:
        for t in targets:
            m[t, k] = 1 / len(targets)
    else:
        m[:, k] = 1 / pages
rank = np.full(pages, 1 / pages)
for step in range(100):
    new = 0.85 * m @ rank + 0.15 / pages
    change = np.abs(new - rank).sum()
    rank = new
    if change < 1e-10:
        break
best = np.argsort(-rank, kind="stable")[:5]
print("pages:", [int(k) for k in best], rank[best].round(5), "sum", round(float(rank.sum()), 6))

ranks = {k: 1 / pages for k in links}
for _ in range(30):
    lost = sum(ranks[k] for k in links if not links[k]) / pages
    following = {k: 0.15 / pages + 0.85 * lost for k in links}
    for k, targets in links.items():
        for t in targets:
            following[t] += 0.85 * ranks[k] / len(targets)
    ranks = following
print("dictionaries agree:", max(abs(ranks[k] - rank[k]) for k in links) < 1e-4)
