"""The most likely states of a hidden Markov model by the Viterbi algorithm, in logarithms.

Idea: the example of the healthy and the feverish patient in the encyclopedia
"""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 800 if SIZE == "small" else 12_000

states = ["Healthy", "Fever"]
symptoms = ["normal", "cold", "dizzy"]
start = pd.Series([0.6, 0.4], index=states)
change = pd.DataFrame([[0.7, 0.3], [0.4, 0.6]], index=states, columns=states)
emit = pd.DataFrame([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6]], index=states, columns=symptoms)


def viterbi(observed):
    log_change, log_emit = np.log(change.values), np.log(emit.values)
    score = np.zeros((len(observed), 2))
    back = np.zeros((len(observed), 2), dtype=int)
    score[0] = np.log(start.values) + log_emit[:, observed[0]]
    for t in range(1, len(observed)):
        for s in range(2):
            ways = score[t - 1] + log_change[:, s]
            back[t, s] = ways.argmax()
            score[t, s] = ways.max() + log_emit[s, observed[t]]
    path = [int(score[-1].argmax())]
    for t in range(len(observed) - 1, 0, -1):
        path.append(int(back[t, path[-1]]))
    return np.array(path[::-1]), score[-1].max()


path, score = viterbi([0, 1, 2])
print("three days:", [states[k] for k in path], f"probability {np.exp(score):.5f}")

rng = np.random.default_rng(99)
state, truth, observed = 0, [], []
for u, v in rng.random((n, 2)):
    state = 1 if u > change.iloc[state, 0] else 0
    truth.append(state)
    observed.append(int(np.searchsorted(emit.iloc[state].cumsum(), v)))
truth = np.array(truth)
path, score = viterbi(observed)
print(f"log likelihood {score:.3f}, {100 * (path == truth).mean():.3f} % of the days right")
print(pd.crosstab(pd.Series(truth, name="truth").map(dict(enumerate(states))), pd.Series(path, name="guess")))
print(pd.Series([symptoms[k] for k in observed]).value_counts(normalize=True).round(4))
