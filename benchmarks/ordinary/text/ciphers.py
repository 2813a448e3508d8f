"""Caesar, Vigenere and run-length coding of a long text, and breaking Caesar by letter frequencies.
Idea: katas about ciphers."""

import itertools
import random
import string
import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 10_000 if SIZE == "small" else 300_000

ENGLISH = [
    8.2,
    1.5,
    2.8,
    4.3,
    12.7,
    2.2,
    2.0,
    6.1,
    7.0,
    0.15,
    0.77,
    4.0,
    2.4,
    6.7,
    7.5,
    1.9,
    0.1,
    6.0,
    6.3,
    9.1,
    2.8,
    0.98,
    2.4,
    0.15,
    2.0,
    0.07,
]
r = random.Random(44)
letters = string.ascii_lowercase
text = "".join(r.choices(letters + " ", ENGLISH + [18], k=n))
print(text[:60])


def caesar(message, key):
    out = []
    for c in message:
        if c.isalpha():
            out.append(chr((ord(c) - 97 + key) % 26 + 97))
        else:
            out.append(c)
    return "".join(out)


def vigenere(message, word, sign=1):
    keys = itertools.cycle([ord(c) - 97 for c in word])
    return "".join(chr((ord(c) - 97 + sign * next(keys)) % 26 + 97) if c != " " else c for c in message)


def frequencies(message):
    codes = np.frombuffer(message.replace(" ", "").encode(), dtype=np.uint8) - 97
    return np.bincount(codes, minlength=26) / len(codes)


expected = np.array(ENGLISH) / sum(ENGLISH)
for key in (3, 13, 20):
    secret = caesar(text, key)
    observed = frequencies(secret)
    chi = [float(((np.roll(observed, -k) - expected) ** 2 / expected).sum()) for k in range(26)]
    guess = int(np.argmin(chi))
    print(key, guess, round(chi[guess], 4), round(sorted(chi)[1], 3), caesar(secret, -guess) == text)

secret = vigenere(text, "lemon")
print(secret[:40], vigenere(secret, "lemon", -1) == text)
packed = secret.replace(" ", "")
codes = np.array([ord(c) for c in packed])
coincidence = {}
for length in range(1, 11):
    shares = []
    for k in range(length):
        f = np.bincount(codes[k::length] - 97, minlength=26)
        total = f.sum()
        shares.append((f * (f - 1)).sum() / (total * (total - 1)))
    coincidence[length] = np.mean(shares)
for length, value in coincidence.items():
    print(length, f"{value:.4f}", "*" if value > 0.058 else "")
runs = [(c, len(list(g))) for c, g in itertools.groupby(sorted(text[:2000]))]
print(runs[:4], "".join(f"{c}{k}" for c, k in runs[-3:]))
print("most often:", letters[int(frequencies(text).argmax())], np.round(frequencies(text)[:5], 3))
