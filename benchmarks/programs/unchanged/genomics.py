"""Genotypes of two populations: frequencies, kinship, principal components."""

import numpy as np

rng = np.random.default_rng(4)
people, variants = 600, 20_000
ancestral = rng.uniform(0.1, 0.9, variants)
freq = np.clip(ancestral + rng.normal(0, 0.08, (2, variants)), 0.02, 0.98)
group = (np.arange(people) >= people // 2).astype(int)
genotypes = (rng.random((people, variants)) < freq[group]).astype(np.int8)
genotypes += (rng.random((people, variants)) < freq[group]).astype(np.int8)

p = genotypes.mean(axis=0) / 2
common = (p > 0.05) & (p < 0.95)
print("common variants:", int(common.sum()))
g, p = genotypes[:, common].astype(np.float64), p[common]
z = (g - 2 * p) / np.sqrt(2 * p * (1 - p))
kinship = z @ z.T / z.shape[1]
values, vectors = np.linalg.eigh(kinship)
first = vectors[:, -1]
print("variance of the first component:", round(float(values[-1] / values.sum()), 6))
split = (first > 0).astype(int)
agree = max((split == group).mean(), (split != group).mean())
print("groups found:", round(float(agree), 4))
het = (g == 1).mean(axis=0)
print("inbreeding:", round(float(1 - het.mean() / (2 * p * (1 - p)).mean()), 6))
dist = np.abs(g[group == 0].mean(axis=0) - g[group == 1].mean(axis=0)) / 2
print("most different:", np.round(np.sort(dist)[-3:], 6).tolist())
