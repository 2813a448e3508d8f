"""Reviews are scored with a small dictionary, negations turn the sign, and the scores are compared with the stars.
Idea: the tutorial on sentiment by word lists."""

import random
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 500 if SIZE == "small" else 20_000

r = random.Random(5)
SCORES = {"great": 3, "good": 2, "nice": 1, "fine": 1, "slow": -1, "bad": -2, "broken": -3, "awful": -3}
good, bad = ["great", "good", "nice", "fine"], ["slow", "bad", "broken", "awful"]
filler = "the product arrived in box and it was really a thing for my kitchen".split()
rows = []
for k in range(n):
    stars = r.choices([1, 2, 3, 4, 5], [2, 1, 2, 4, 6])[0]
    words = [r.choice(filler) for _ in range(r.randint(4, 14))]
    for _ in range(r.randint(1, 3)):
        mood = good if r.random() < stars / 6 else bad
        word = r.choice(mood)
        if r.random() < 0.1:
            word = "not " + r.choice(bad if mood is good else good)
        words.insert(r.randrange(len(words)), word)
    text = " ".join(words)
    rows.append((k, stars, text.upper() if r.random() < 0.05 else text.capitalize() + "."))
reviews = pd.DataFrame(rows, columns=["id", "stars", "text"])


def score(text):
    total, sign = 0, 1
    for word in text.lower().strip(".").split():
        if word == "not":
            sign = -1
            continue
        if word in SCORES:
            total += sign * SCORES[word]
        sign = 1
    return total


reviews["score"] = reviews["text"].apply(score)
reviews["length"] = reviews["text"].str.split().apply(len)
reviews["shouted"] = reviews["text"].str.isupper()
reviews["predicted"] = np.where(reviews["score"] > 0, "positive", np.where(reviews["score"] < 0, "negative", "neutral"))
print(reviews[["stars", "score", "length", "predicted"]].head(8))
print(reviews.groupby("stars")["score"].agg(["count", "mean", "min", "max"]).round(3))
print(pd.crosstab(reviews["stars"], reviews["predicted"]))
print("correlation:", round(reviews["stars"].corr(reviews["score"]), 4), "shouted:", int(reviews["shouted"].sum()))

words = reviews.assign(word=reviews["text"].str.lower().str.strip(".").str.split()).explode("word")
stats = words.groupby("word")["stars"].agg(["count", "mean"])
print(stats.loc[good + bad].round(3))
odd = reviews[(reviews["stars"] >= 4) & (reviews["score"] <= -3)]
print(len(odd), "odd ones")
for row in odd.head(3).itertuples():
    print(row.id, row.stars, row.score, row.text[:70])
