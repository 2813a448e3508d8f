"""Names and word games: anagrams, palindromes, vowels, longest chains where each word begins as the last one ends.
Idea: katas about words."""

import random
import sys
from collections import defaultdict

import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 2_000 if SIZE == "small" else 60_000

r = random.Random(8)
words = sorted({"".join(r.choice("aeilnorst") for _ in range(r.randint(3, 6))) for _ in range(n)})
s = pd.Series(words, name="word")
print(len(s), s.head(3).tolist())

groups = defaultdict(list)
for word in words:
    groups["".join(sorted(word))].append(word)
largest = sorted((g for g in groups.values() if len(g) > 1), key=lambda g: (-len(g), g[0]))
print("anagrams:", len(largest))
for g in largest[:3]:
    print(len(g), g[:6])

palindromes = s[s == s.str[::-1]]
print("palindromes:", len(palindromes), palindromes.str.len().value_counts().sort_index().to_dict())
df = pd.DataFrame({"word": s, "length": s.str.len(), "first": s.str[0], "last": s.str[-1]})
df["vowels"] = df["word"].str.count("[aeio]")
df["pattern"] = df["word"].str.replace("[aeio]", "v", regex=True).str.replace("[^v]", "c", regex=True)
print(df.groupby("length")["vowels"].agg(["size", "mean"]).round(4))
print(
    df["pattern"]
    .value_counts()
    .rename_axis("pattern")
    .reset_index()
    .sort_values(["count", "pattern"], ascending=[False, True])
    .head(5)
    .to_string(index=False)
)
print(pd.crosstab(df["first"], df["last"]).iloc[:4, :6])

by_first = defaultdict(list)
for word in words:
    by_first[word[0]].append(word)
used, chain = set(), [words[0]]
used.add(words[0])
while True:
    options = [w for w in by_first[chain[-1][-1]][:400] if w not in used]
    if not options or len(chain) >= 500:
        break
    following = max(options, key=lambda w: (len(w), w))
    chain.append(following)
    used.add(following)
print("chain:", len(chain), " ".join(chain[:6]))
double = df[df["word"].str.contains(r"(?:aa|ee|ll|tt)")]
print("doubled:", len(double), double["word"].str.upper().head(4).tolist())
print(s.str.slice(0, 2).value_counts().sort_index().head(5).to_dict(), s.str.cat(sep="")[:20])
