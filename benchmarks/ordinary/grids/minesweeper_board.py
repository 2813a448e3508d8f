"""Minesweeper: lay mines, number the fields, and open fields as a careless player does."""

import sys
from collections import deque

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

n, mines, games = (16, 40, 4) if SIZE == "small" else (24, 90, 75)
rng = np.random.default_rng(11)


def make_board(n, mines):
    board = np.zeros((n, n), dtype=np.int8)
    places = rng.choice(n * n, size=mines, replace=False)
    board.flat[places] = -1
    for i in range(n):
        for j in range(n):
            if board[i, j] == -1:
                continue
            window = board[max(i - 1, 0) : i + 2, max(j - 1, 0) : j + 2]
            board[i, j] = np.sum(window == -1)
    return board


def open_field(board, shown, start):
    todo = deque([start])
    while todo:
        i, j = todo.popleft()
        if shown[i, j]:
            continue
        shown[i, j] = True
        if board[i, j] == 0:
            for y in range(max(i - 1, 0), min(i + 2, len(board))):
                for x in range(max(j - 1, 0), min(j + 2, len(board))):
                    if not shown[y, x]:
                        todo.append((y, x))


def play(board):
    shown = np.zeros(board.shape, dtype=bool)
    moves = 0
    for place in rng.permutation(board.size):
        i, j = divmod(int(place), len(board))
        if shown[i, j]:
            continue
        moves += 1
        if board[i, j] == -1:
            return moves, shown
        open_field(board, shown, (i, j))
    return moves, shown


results = []
for game in range(games):
    board = make_board(n, mines)
    moves, shown = play(board)
    results.append((moves, int(shown.sum())))
    if game == 0:
        for i in range(n):
            print("".join(str(board[i, j]) if shown[i, j] else "." for j in range(n)))
        print("numbers:", dict(zip(*[a.tolist() for a in np.unique(board, return_counts=True)], strict=True)))
moves, opened = np.array(results).T
print("moves:", moves[:25].tolist())
print("opened:", opened[:25].tolist())
print(f"mean {moves.mean():.3f} moves, {100 * opened.mean() / (n * n - mines):.2f} % of the safe fields")
