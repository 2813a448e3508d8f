"""Correct misspelt words by their edit distance to a dictionary."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
count = 3 if SIZE == "small" else 110

WORDS = """apple banana cherry orange lemon window kitchen garden language program computer science history
mountain river weather summer winter morning evening station bicycle library picture question answer""".split()


def distance(a, b):
    d = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    d[:, 0] = np.arange(len(a) + 1)
    d[0, :] = np.arange(len(b) + 1)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[-1, -1]


def misspell(word, rng):
    letters = list(word)
    for _ in range(2):
        k = rng.integers(len(letters))
        what = rng.integers(3)
        if what == 0:
            letters[k] = "abcdefghij"[rng.integers(10)]
        elif what == 1:
            del letters[k]
        else:
            letters.insert(k, letters[k])
    return "".join(letters)


rng = np.random.default_rng(12)
rows = []
for word in rng.choice(WORDS, count):
    typed = misspell(word, rng)
    found = pd.Series({w: distance(typed, w) for w in WORDS})
    best = found.idxmin()
    rows.append(
        {"meant": word, "typed": typed, "guess": best, "distance": found[best], "next": found.sort_values().iloc[1]}
    )
result = pd.DataFrame(rows)
result["right"] = result["meant"] == result["guess"]
print(result.head(10).to_string(index=False))
print(f"right: {result['right'].sum()} of {len(result)}")
print(result.groupby("distance").size())
print("kitten -> sitting:", distance("kitten", "sitting"), "| flaw -> lawn:", distance("flaw", "lawn"))
