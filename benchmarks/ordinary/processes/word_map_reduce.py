"""Counting words with a pool: map to counters, reduce to one, and a table of the commonest.

Idea: the word count of map and reduce
"""

import multiprocessing
import random
import sys
from collections import Counter

import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

SYLLABLES = "ka to mi ra ne lo su ti ba go".split()


def make_document(k, length):
    rng = random.Random(k)
    words = ["".join(rng.choices(SYLLABLES, k=rng.choice([1, 2, 2, 3]))) for _ in range(length)]
    return ". ".join(" ".join(words[i : i + 9]).capitalize() for i in range(0, length, 9))


def count_words(text):
    return Counter(word.strip(".,").lower() for word in text.split())


def sentence_lengths(text):
    return [len(s.split()) for s in text.split(".") if s.strip()]


if __name__ == "__main__":
    documents, length = (6, 300) if SIZE == "small" else (40, 9_000)
    texts = [make_document(k, length) for k in range(documents)]
    print(texts[0][:60])
    with multiprocessing.get_context("fork").Pool(2) as pool:
        counters = pool.map(count_words, texts)
        lengths = pool.map(sentence_lengths, texts)
    total = Counter()
    for counter in counters:
        total.update(counter)
    series = pd.Series(total, name="n").rename_axis("word").reset_index()
    series = series.sort_values(["n", "word"], ascending=[False, True]).reset_index(drop=True)
    series["share"] = series["n"] / series["n"].sum()
    series["covered"] = series["share"].cumsum()
    print(series.head(8).round(4))
    print("words:", int(series["n"].sum()), "different:", len(series), "once:", int((series["n"] == 1).sum()))
    print("half covered by", int((series["covered"] < 0.5).sum()) + 1)
    print(series.groupby(series["word"].str.len())["n"].agg(["count", "sum"]))
    table = pd.DataFrame(counters).fillna(0).astype(int)
    print(table[["ka", "to", "mira"]].describe().loc[["mean", "min", "max"]].round(3))
    print("sentences:", sum(map(len, lengths)), "longest", max(map(max, lengths)))
