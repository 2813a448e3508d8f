"""Spam or not: word counts, naive Bayes by the library and by hand with a dictionary."""

import sys
from collections import Counter

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import MultinomialNB

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 200 if SIZE == "small" else 5000

common = "the you we is at and to for see call today time".split()
ham = "meeting lunch project mother home train dinner thanks sorry tomorrow".split()
spam = "win prize free cash offer click urgent claim winner credit".split()
rng = np.random.default_rng(3)
texts, labels = [], []
for k in range(n):
    label = "spam" if rng.random() < 0.3 else "ham"
    own = spam if label == "spam" else ham
    other = ham if label == "spam" else spam
    words = [*rng.choice(common, 5), *rng.choice(own, rng.integers(1, 4)), *rng.choice(other, rng.integers(0, 3))]
    rng.shuffle(words)
    texts.append(" ".join(words))
    labels.append(label)
df = pd.DataFrame({"text": texts, "label": labels})
df["length"] = df["text"].str.len()
df["words"] = df["text"].str.split().apply(len)
print(df.head())
print(df.groupby("label")[["length", "words"]].mean().round(3))

train, test = df[: n // 2], df[n // 2 :]
counter = CountVectorizer()
model = MultinomialNB().fit(counter.fit_transform(train["text"]), train["label"])
guess = model.predict(counter.transform(test["text"]))
print("library:", round((guess == test["label"]).mean(), 4), "words", len(counter.vocabulary_))

counts = {label: Counter(" ".join(part["text"]).split()) for label, part in train.groupby("label")}
prior = train["label"].value_counts(normalize=True)
vocabulary = sorted(set(counts["ham"]) | set(counts["spam"]))


def score(text, label):
    total = sum(counts[label].values()) + len(vocabulary)
    return np.log(prior[label]) + sum(np.log((counts[label][w] + 1) / total) for w in text.split() if w in vocabulary)


mine = test["text"].apply(lambda t: "spam" if score(t, "spam") > score(t, "ham") else "ham")
print("by hand:", round((mine == test["label"]).mean(), 4), "same", round((mine == guess).mean(), 4))
print("free in spam:", counts["spam"]["free"], "in ham:", counts["ham"]["free"])
tfidf = TfidfVectorizer(min_df=2)
sgd = SGDClassifier(random_state=0, max_iter=20, tol=None).fit(tfidf.fit_transform(train["text"]), train["label"])
weights = pd.Series(sgd.coef_[0], index=tfidf.get_feature_names_out()).sort_values()
print("linear:", round(sgd.score(tfidf.transform(test["text"]), test["label"]), 3))
print("most spam:", sorted(weights.tail(6).index), "most ham:", sorted(weights.head(6).index))
