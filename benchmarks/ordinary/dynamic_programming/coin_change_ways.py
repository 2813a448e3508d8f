"""In how many ways coins make a sum, the fewest coins, and which; a kata in every language.

Idea: the coin change kata
"""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
most = 3_000 if SIZE == "small" else 48_000
coins = [1, 2, 5, 10, 20, 50, 100, 200]


def ways(amount, coins):
    table = np.zeros(amount + 1, dtype=np.int64)
    table[0] = 1
    for c in coins:
        for k in range(c, amount + 1):
            table[k] += table[k - c]
    return table


def fewest(amount, coins):
    best = np.full(amount + 1, np.inf)
    best[0] = 0
    last = np.zeros(amount + 1, dtype=int)
    for k in range(1, amount + 1):
        for c in coins:
            if c <= k and best[k - c] + 1 < best[k]:
                best[k] = best[k - c] + 1
                last[k] = c
    return best, last


def change(amount, last):
    parts = []
    while amount > 0:
        parts.append(int(last[amount]))
        amount -= last[amount]
    return parts


table = ways(most, coins)
print("ways to make 200:", table[200])
print("ways of the first twenty:", table[:20].tolist())
best, last = fewest(most, coins)
print("fewest coins: most", best.max(), "first at", best.argmax(), "mean", round(best.mean(), 4))
for amount in (7, 99, 188, 1999):
    print(f"{amount} = {' + '.join(map(str, change(amount, last)))}")

odd = [4, 9, 25]
best, last = fewest(most, odd)
print("impossible with 4, 9 and 25:", np.flatnonzero(np.isinf(best)).tolist())
print("how often each coin comes last:", {c: int((last == c).sum()) for c in odd})
