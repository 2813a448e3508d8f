"""Random games of Connect Four; winners are collected in a DataFrame and counted with groupby."""

import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

games = 12 if SIZE == "small" else 110


def wins(board, player):
    mine = board == player
    for i in range(6):
        for j in range(4):
            if mine[i, j : j + 4].all():
                return "row"
    for i in range(3):
        for j in range(7):
            if mine[i : i + 4, j].all():
                return "column"
    for i in range(3):
        for j in range(4):
            block = mine[i : i + 4, j : j + 4]
            if block.diagonal().all() or np.fliplr(block).diagonal().all():
                return "diagonal"
    return None


def play(rng):
    board = np.zeros((6, 7), dtype=int)
    for turn in range(42):
        player = turn % 2 + 1
        column = rng.choice(np.flatnonzero(board[0] == 0))
        row = np.flatnonzero(board[:, column] == 0)[-1]
        board[row, column] = player
        if turn >= 6:
            how = wins(board, player)
            if how:
                return {"winner": f"player {player}", "how": how, "turns": turn + 1, "last": int(column)}
    return {"winner": "nobody", "how": "draw", "turns": 42, "last": -1}


rng = np.random.default_rng(42)
rows = []
for _ in range(games):
    rows.append(play(rng))
df = pd.DataFrame(rows)
print(df.head())
print(df["winner"].value_counts().sort_index())
print(df.groupby(["winner", "how"])["turns"].agg(["count", "min", "max"]))
print(df.pivot_table(index="how", columns="winner", values="turns", aggfunc="mean").round(2))
print("shortest:", df.loc[df["turns"].idxmin()].to_dict())
