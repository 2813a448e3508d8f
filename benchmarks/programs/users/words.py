"""Words of scikit-learn's descriptions of its data: counts, lengths, words characteristic of each text."""

import os

import numpy as np
import pandas as pd
import sklearn.datasets

folder = os.path.join(os.path.dirname(sklearn.datasets.__file__), "descr")
names = sorted(n for n in os.listdir(folder) if n.endswith(".rst"))
texts = pd.Series(
    [open(os.path.join(folder, n), encoding="utf-8").read() for n in names], index=[n[:-4] for n in names], name="text"
)
print(texts.str.len())
print(texts.str.count("\n") + 1)

lines = texts.str.split("\n").explode()
lines = lines[lines.str.strip() != ""]
print(lines.groupby(level=0).size().sort_values(ascending=False))
print(lines.str.startswith("..").groupby(level=0).sum())

words = texts.str.lower().str.findall(r"[a-z]{3,}").explode().rename("word").rename_axis("document").reset_index()
print(len(words), words["word"].nunique())
print(words["word"].value_counts().head(15))
words["length"] = words["word"].str.len()
print(words.groupby("document")["length"].mean().round(3))
print(words["length"].value_counts().sort_index())
print(words.loc[words["length"].idxmax()])

counts = words.groupby(["document", "word"]).size().rename("n").reset_index()
counts["share"] = counts["n"] / counts.groupby("document")["n"].transform("sum")
documents = counts.groupby("word")["document"].nunique()
counts["weight"] = counts["share"] * np.log(len(names) / counts["word"].map(documents))
special = counts.sort_values(["document", "weight", "word"], ascending=[True, False, True]).groupby("document").head(3)
print(special[["document", "word", "n"]].reset_index(drop=True))

matrix = counts.pivot(index="document", columns="word", values="n").fillna(0)
print(matrix.shape, int(matrix.to_numpy().sum()))
print(matrix[["data", "features", "samples"]].astype(int))
ends = words["word"].str[-3:].value_counts()
print(ends.head(10))
print(words[words["word"].str.contains("class")]["word"].value_counts())
print(words["word"].str.replace(r"(ing|ed|s)$", "", regex=True).nunique())
first = words.drop_duplicates("word").groupby("document").size()
print(first)
