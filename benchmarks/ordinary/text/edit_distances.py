"""Words with typos are put right by the edit distance, computed with a table for each pair of words.
Idea: the dynamic programme of the Levenshtein distance."""

import random
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 12 if SIZE == "small" else 400

WORDS = "table window garden kitchen bottle candle mirror ladder button pencil basket carpet pillow hammer".split()


def distance(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    d[:, 0] = np.arange(len(a) + 1)
    d[0, :] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[len(a), len(b)]


r = random.Random(1965)


def misspell(word):
    letters = list(word)
    for _ in range(r.randint(1, 2)):
        k = r.randrange(len(letters))
        action = r.choice(["drop", "double", "swap", "change"])
        if action == "drop" and len(letters) > 3:
            del letters[k]
        elif action == "double":
            letters.insert(k, letters[k])
        elif action == "swap" and k + 1 < len(letters):
            letters[k], letters[k + 1] = letters[k + 1], letters[k]
        else:
            letters[k] = r.choice("abcdefghij")
    return "".join(letters)


meant = [r.choice(WORDS) for _ in range(n)]
typed = [misspell(word) for word in meant]
rows = []
for word, wrong in zip(meant, typed):
    distances = {w: distance(wrong, w) for w in WORDS}
    best = min(sorted(distances), key=distances.get)
    rows.append({"typed": wrong, "meant": word, "guess": best, "distance": distances[best]})
df = pd.DataFrame(rows)
print(df.head(10).to_string())
df["right"] = df["meant"] == df["guess"]
print("right:", df["right"].sum(), "of", len(df))
print(df.groupby("distance")["right"].agg(["size", "mean"]).round(3))

table = pd.DataFrame([[distance(a, b) for b in WORDS] for a in WORDS], index=WORDS, columns=WORDS)
print(table.iloc[:6, :6])
print("symmetric:", bool((table.values == table.values.T).all()), "mean:", round(table.values.mean(), 4))
pairs = table.where(np.triu(np.ones(table.shape, dtype=bool), 1)).stack().dropna().astype(int)
print(pairs.sort_values(kind="stable").head(4))
