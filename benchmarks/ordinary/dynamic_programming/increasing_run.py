"""The longest increasing subsequence, by the quadratic table and by searchsorted on the piles.

Idea: patience sorting, as explained with a game of cards
"""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, trials = (300, 4) if SIZE == "small" else (1400, 22)


def by_table(x):
    best = np.ones(len(x), dtype=int)
    previous = np.full(len(x), -1)
    for i in range(1, len(x)):
        smaller = np.where(x[:i] < x[i])[0]
        if smaller.size:
            j = smaller[np.argmax(best[smaller])]
            best[i] = best[j] + 1
            previous[i] = j
    k = int(np.argmax(best))
    chain = []
    while k != -1:
        chain.append(x[k])
        k = previous[k]
    return np.array(chain[::-1])


def by_piles(x):
    tops = np.empty(len(x), dtype=x.dtype)
    used = 0
    for value in x:
        k = np.searchsorted(tops[:used], value)
        tops[k] = value
        used = max(used, int(k) + 1)
    return used


rng = np.random.default_rng(7)
lengths = []
for trial in range(trials):
    x = rng.integers(0, 10 * n, n)
    chain = by_table(x)
    assert (np.diff(chain) > 0).all()
    assert len(chain) == by_piles(x)
    lengths.append(len(chain))
    if trial < 3:
        print(f"trial {trial}: {len(chain)} of {n}, begins {chain[:8].tolist()}, ends {chain[-3:].tolist()}")
lengths = np.array(lengths)
print("lengths:", lengths)
print(f"mean {lengths.mean():.3f}, 2 sqrt(n) = {2 * np.sqrt(n):.3f}, ratio {lengths.mean() / np.sqrt(n):.4f}")
print("of a permutation of nine:", by_table(np.array([3, 1, 4, 1, 5, 9, 2, 6, 5])))
