"""Frequencies of words in a long text, and of pairs of neighbours."""

import numpy as np
import pandas as pd

rng = np.random.default_rng(2)
syllables = np.array(["ba", "do", "ki", "lu", "me", "no", "pa", "ri", "so", "ta", "ve", "zu"])
words = pd.Series([a + b + c for a in syllables for b in syllables for c in ("", *syllables[:4])])
rank = rng.zipf(1.4, 600_000) - 1
text = words.iloc[np.minimum(rank, len(words) - 1)].reset_index(drop=True)

counts = text.value_counts()
print(counts.head(8))
print("different words:", text.nunique(), "once only:", int((counts == 1).sum()))
length = text.str.len()
print(length.value_counts().sort_index())
print("longest by first letter:", length.groupby(text.str[0]).max().to_dict())
print("end in -ta:", round(float(text.str.endswith("ta").mean()), 6))
pairs = pd.DataFrame({"first": text[:-1].to_numpy(), "second": text[1:].to_numpy()})
common = pairs.groupby(["first", "second"]).size().sort_values(ascending=False, kind="stable")
print(common.head(5))
shares = counts / counts.sum()
print("entropy:", round(float(-(shares * np.log2(shares)).sum()), 6), "bits")
