"""A small search engine: term weights by tf-idf in a matrix, cosine similarity, the best documents for a query.
Idea: the tf-idf tutorial."""

import random
import sys
from collections import Counter

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 120 if SIZE == "small" else 2_500

r = random.Random(1972)
topics = {
    "sea": "ship harbour wave sailor storm island anchor tide captain fish".split(),
    "kitchen": "bread oven salt butter spoon recipe sugar dough pan flour".split(),
    "football": "goal referee match striker penalty coach league keeper pitch final".split(),
}
common = "day man house time people year way thing world life hand part place week case point".split()
documents, labels = [], []
for k in range(n):
    topic = r.choice(sorted(topics))
    words = [r.choice(topics[topic]) if r.random() < 0.4 else r.choice(common) for _ in range(r.randint(20, 60))]
    documents.append(" ".join(words))
    labels.append(topic)

vocabulary = sorted({w for d in documents for w in d.split()})
position = {w: k for k, w in enumerate(vocabulary)}
tf = np.zeros((n, len(vocabulary)))
for i, d in enumerate(documents):
    counts = Counter(d.split())
    for word, count in counts.items():
        tf[i, position[word]] = count / len(counts)
df = (tf > 0).sum(axis=0)
idf = np.log((1 + n) / (1 + df)) + 1
weights = tf * idf
weights /= np.linalg.norm(weights, axis=1, keepdims=True)
print(weights.shape, round(float(weights.mean()), 5))
order = np.argsort(idf, kind="stable")
print("rarest:", [vocabulary[k] for k in order[::-1][:4]], "commonest:", [vocabulary[k] for k in order[:4]])

for query in ("captain of a ship", "butter and flour", "penalty goal week"):
    q = np.zeros(len(vocabulary))
    for word in query.split():
        if word in position:
            q[position[word]] += idf[position[word]]
    q /= np.linalg.norm(q)
    scores = weights @ q
    best = np.argsort(-scores, kind="stable")[:5]
    print(query, [labels[k] for k in best], scores[best].round(4))

similar = weights @ weights.T
np.fill_diagonal(similar, 0)
nearest = similar.argmax(axis=1)
right = sum(labels[i] == labels[j] for i, j in enumerate(nearest))
print("nearest neighbour has the same topic:", right, "of", n)
for topic in sorted(topics):
    mask = np.array([label == topic for label in labels])
    centre = weights[mask].mean(axis=0)
    top = np.argsort(-centre, kind="stable")[:4]
    print(f"{topic:9s} {mask.sum():5d}", [vocabulary[k] for k in top], round(float(similar[mask][:, mask].mean()), 4))
