"""Global alignment of two strands of DNA; the arrows are kept to read the alignment back.

Idea: the Needleman-Wunsch example of courses on bioinformatics
"""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 70 if SIZE == "small" else 420
MATCH, MISMATCH, GAP = 1, -1, -2


def align(a, b):
    score = np.zeros((len(a) + 1, len(b) + 1))
    arrow = np.zeros(score.shape, dtype="U1")
    score[:, 0] = GAP * np.arange(len(a) + 1)
    score[0] = GAP * np.arange(len(b) + 1)
    arrow[1:, 0] = "u"
    arrow[0, 1:] = "l"
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            diagonal = score[i - 1, j - 1] + (MATCH if a[i - 1] == b[j - 1] else MISMATCH)
            up = score[i - 1, j] + GAP
            left = score[i, j - 1] + GAP
            score[i, j] = max(diagonal, up, left)
            if score[i, j] == diagonal:
                arrow[i, j] = "d"
            elif score[i, j] == up:
                arrow[i, j] = "u"
            else:
                arrow[i, j] = "l"
    return score, arrow


def read_back(a, b, arrow):
    i, j = len(a), len(b)
    top, bottom = "", ""
    while i > 0 or j > 0:
        where = arrow[i, j]
        if where == "d":
            i, j = i - 1, j - 1
            top, bottom = a[i] + top, b[j] + bottom
        elif where == "u":
            i -= 1
            top, bottom = a[i] + top, "-" + bottom
        else:
            j -= 1
            top, bottom = "-" + top, b[j] + bottom
    return top, bottom


score, arrow = align("GATTACA", "GCATGCG")
print(score.astype(int))
print(*read_back("GATTACA", "GCATGCG", arrow), sep="\n")

rng = np.random.default_rng(21)
a = "".join(rng.choice(list("ACGT"), n))
letters = []
for c in a:
    u = rng.random()
    if u < 0.06:
        continue
    letters.append(str(rng.choice(list("ACGT"))) if u < 0.15 else c)
    if u > 0.95:
        letters.append("T")
b = "".join(letters)
score, arrow = align(a, b)
top, bottom = read_back(a, b, arrow)
signs = np.where(np.array(list(top)) == np.array(list(bottom)), "|", " ")
for k in range(0, min(len(top), 240), 60):
    print(top[k : k + 60])
    print("".join(signs[k : k + 60]).rstrip())
    print(bottom[k : k + 60])
print("score", int(score[-1, -1]), "same", int((signs == "|").sum()), "gaps", top.count("-") + bottom.count("-"))
print("mean of the table", round(score.mean(), 4))
