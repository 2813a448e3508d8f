"""Sentences, syllables and the Flesch score of many short articles, sorted from easy to hard.
Idea: a kata about the Flesch reading ease."""

import random
import re
import sys

import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 150 if SIZE == "small" else 4_000

r = random.Random(206)
EASY = "the cat sat on a mat and saw dogs run in big green parks with old red cars by warm lakes".split()
HARD = "constitutional interpretation necessitates considerable deliberation regarding administrative responsibilities".split()


def write(hardness):
    sentences = []
    for _ in range(r.randint(3, 9)):
        words = [r.choice(HARD if r.random() < hardness else EASY) for _ in range(r.randint(4, 16))]
        sentences.append(" ".join(words).capitalize() + r.choice([".", ".", "!", "?"]))
    return " ".join(sentences)


def syllables(word):
    groups = re.findall(r"[aeiouy]+", word.lower())
    count = len(groups)
    if word.endswith("e") and count > 1:
        count -= 1
    return max(count, 1)


df = pd.DataFrame({"hardness": [r.choice([0.05, 0.2, 0.5]) for _ in range(n)]})
df["text"] = df["hardness"].map(write)
df["sentences"] = df["text"].str.count(r"[.!?]")
df["words"] = df["text"].str.split().str.len()
df["syllables"] = df["text"].apply(lambda t: sum(syllables(w.strip(".!?")) for w in t.split()))
df["flesch"] = 206.835 - 1.015 * df["words"] / df["sentences"] - 84.6 * df["syllables"] / df["words"]
print(df["text"].iloc[0][:100])
print(df.drop(columns="text").head(6).round(3))
print(df.groupby("hardness")[["sentences", "words", "syllables", "flesch"]].mean().round(3))

df["grade"] = pd.cut(
    df["flesch"], [-1000, 0, 30, 60, 90, 1000], labels=["very hard", "hard", "standard", "easy", "very easy"]
)
print(df["grade"].value_counts().sort_index())
print(df[["hardness", "flesch"]].corr().round(3))
easiest = df.sort_values(["flesch", "words"], ascending=[False, True]).head(3)
for index, row in easiest.iterrows():
    print(index, round(row["flesch"], 2), row["text"][:60])
longest = max((w.strip(".!?") for t in df["text"] for w in t.split()), key=len)
print("longest word:", longest, syllables(longest))
