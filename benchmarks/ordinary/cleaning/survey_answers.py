"""Answers of a survey in words become scores; reversed questions are turned round, careless respondents are dropped."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
people = 200 if SIZE == "small" else 6_000

WORDS = ["strongly disagree", "disagree", "neutral", "agree", "strongly agree"]
SCORES = {word: k + 1 for k, word in enumerate(WORDS)}
REVERSED = ["q3", "q6"]

rng = np.random.default_rng(22)
answers = {}
for q in range(1, 9):
    mood = rng.integers(0, 5, people)
    column = []
    for m in mood:
        word = WORDS[m]
        r = rng.random()
        if r < 0.1:
            word = word.upper()
        elif r < 0.2:
            word = f" {word} "
        elif r < 0.23:
            word = ""
        column.append(word)
    answers[f"q{q}"] = column
df = pd.DataFrame(answers)
df.insert(0, "person", [f"P{k:05d}" for k in range(people)])
df["age"] = rng.integers(18, 80, people)
df.loc[rng.choice(people, people // 50, replace=False), [c for c in df.columns if c.startswith("q")]] = "neutral"

questions = [c for c in df.columns if c.startswith("q")]
for q in questions:
    df[q] = df[q].str.strip().str.lower().map(SCORES)
for q in REVERSED:
    df[q] = 6 - df[q]
print(df.head())

same = df[questions].apply(lambda row: row.dropna().nunique() == 1, axis=1)
print("clicked through:", same.sum())
df = df[~same].copy()
df["answered"] = df[questions].notna().sum(axis=1)
df = df[df["answered"] >= 6]
df["score"] = df[questions].mean(axis=1)

long = df.melt(id_vars=["person", "age"], value_vars=questions, var_name="question", value_name="points")
print(long.groupby("question")["points"].agg(["count", "mean", "std"]).round(3))
df["decade"] = df["age"] // 10 * 10
print(df.groupby("decade")["score"].mean().round(3))
print(df["score"].describe().round(3))
