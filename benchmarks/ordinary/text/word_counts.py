"""The commonest words of a made-up book, without stop words, by chapter, with the share that occurs once.
Idea: the word count tutorial."""

import random
import re
import sys
from collections import Counter

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
words = 8_000 if SIZE == "small" else 250_000

r = random.Random(1851)
syllables = ["ka", "lo", "mi", "ren", "sha", "tu", "ver", "na", "del", "or", "pi", "qua"]
lexicon = ["".join(r.choice(syllables) for _ in range(r.randint(1, 4))) for _ in range(3000)]
STOP = {"the", "and", "of", "to", "a", "in"}
weights = [1 / (k + 2) for k in range(len(lexicon))]
stream = r.choices(lexicon, weights, k=words)
pieces = []
for k, word in enumerate(stream):
    if k % 7 == 0:
        pieces.append(r.choice(sorted(STOP)))
    pieces.append(word.capitalize() if k % 12 == 0 else word)
    if k % 12 == 11:
        pieces[-1] += r.choice([".", "!", "?"])
    if k % (words // 8) == 0:
        pieces.append(f"\n\nCHAPTER {k // (words // 8) + 1}\n\n")
text = " ".join(pieces)
print(len(text.splitlines()), " ".join(text.split()[:8]))

chapters = re.split(r"CHAPTER \d+", text)[1:]
rows = []
for number, chapter in enumerate(chapters, 1):
    tokens = re.findall(r"[a-z]+", chapter.lower())
    for word, count in Counter(tokens).items():
        rows.append({"chapter": number, "word": word, "count": count})
df = pd.DataFrame(rows)
df = df[~df["word"].isin(STOP)]
totals = df.groupby("word")["count"].sum().sort_values(ascending=False, kind="stable")
print(totals.head(10))
print("distinct:", len(totals), "once:", round((totals == 1).mean(), 4))

by_chapter = df.pivot_table(index="word", columns="chapter", values="count", fill_value=0)
print(by_chapter.loc[totals.index[:5]].astype(int))
spread = (by_chapter > 0).sum(axis=1)
print("in every chapter:", int((spread == len(chapters)).sum()))
rank = np.arange(1, 301)
slope = np.polyfit(np.log(rank), np.log(totals.to_numpy()[:300]), 1)[0]
print("Zipf exponent:", round(float(slope), 3))
df["length"] = df["word"].str.len()
mean = df.groupby("chapter")[["length", "count"]].apply(lambda g: np.average(g["length"], weights=g["count"]))
print(mean.round(3).to_string())
