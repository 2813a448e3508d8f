"""A chat as plain text: who writes how much, when, how fast the answers come, and which emoticons are used."""

import random
import re
import sys
from datetime import datetime, timedelta

import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 600 if SIZE == "small" else 25_000

r = random.Random(160)
people = ["Ada", "Ben", "Chloe", "Dan"]
phrases = [
    "ok",
    "see you later",
    "what time?",
    "on my way",
    "haha",
    "no idea, ask Ben",
    "meeting at {}",
    "sure :)",
    "oh no :(",
    "great!!! :D",
]
now = datetime(2023, 9, 4, 8, 0)
lines = []
for _ in range(n):
    now += timedelta(minutes=r.choice([0, 1, 1, 2, 5, 30, 240]), seconds=r.randint(0, 59))
    text = r.choice(phrases).format(f"{r.randint(8, 18)}:00")
    lines.append(f"[{now.strftime('%d/%m/%Y, %H:%M:%S')}] {r.choice(people)}: {text}")
    if r.random() < 0.05:
        lines.append("and another line")

messages = []
for line in lines:
    found = re.match(r"\[(.+?)\] (\w+): (.*)", line)
    if found:
        messages.append(list(found.groups()))
    else:
        messages[-1][2] += "\n" + line
df = pd.DataFrame(messages, columns=["time", "who", "text"])
df["time"] = pd.to_datetime(df["time"], format="%d/%m/%Y, %H:%M:%S")
df["words"] = df["text"].apply(lambda t: len(t.split()))
df["question"] = df["text"].str.endswith("?")
df["emoticon"] = df["text"].str.extract(r"(:\S)", expand=False)
print(df.head(5).to_string())

print(df.groupby("who").agg(messages=("text", "size"), words=("words", "sum"), questions=("question", "sum")))
print(df["emoticon"].value_counts())
df["hour"] = df["time"].dt.hour
print(
    df.groupby(
        pd.cut(df["hour"], [-1, 5, 11, 17, 23], labels=["night", "morning", "noon", "evening"]), observed=True
    ).size()
)
df["wait"] = df["time"].diff()
answers = df[(df["who"] != df["who"].shift()) & (df["wait"] < pd.Timedelta(hours=1))]
print(answers.groupby("who")["wait"].median())
follow = pd.crosstab(df["who"].shift(), df["who"], normalize="index").round(3)
print(follow)
times = df[df["text"].str.contains("meeting")]["text"].str.extract(r"at (\d+)", expand=False).astype(int)
print("meetings:", len(times), "mean hour", round(times.mean(), 3))
days = df.set_index("time").resample("D")["words"].sum()
print(days.head(3), days.idxmax().date())
