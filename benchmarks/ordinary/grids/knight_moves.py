"""How many moves a knight needs from field to field, and a tour by the fewest ways out.

Idea: the knight's distance kata, and Warnsdorff's rule
"""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

n, starts = (8, 6) if SIZE == "small" else (16, 130)
JUMPS = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]


def knight_distances(n, row, column):
    board = -np.ones((n, n), dtype=int)
    board[row, column] = 0
    current = 0
    while (board == -1).any():
        for i, j in np.argwhere(board == current):
            for di, dj in JUMPS:
                y, x = i + di, j + dj
                if 0 <= y < n and 0 <= x < n and board[y, x] == -1:
                    board[y, x] = current + 1
        current += 1
    return board


def free_neighbours(board, i, j):
    found = []
    for di, dj in JUMPS:
        if 0 <= i + di < len(board) and 0 <= j + dj < len(board) and board[i + di, j + dj] == 0:
            found.append((i + di, j + dj))
    return found


def tour(n):
    board = np.zeros((n, n), dtype=int)
    place, move = (0, 0), 1
    board[place] = move
    while True:
        options = free_neighbours(board, *place)
        if not options:
            return board, move
        place = min(options, key=lambda p: len(free_neighbours(board, *p)))
        move += 1
        board[place] = move


print(knight_distances(8, 0, 0))
rng = np.random.default_rng(3)
for k in range(starts):
    row, column = rng.integers(0, n, 2)
    d = knight_distances(n, row, column)
    if k < 24:
        print(f"from ({row:2d}, {column:2d}): most {d.max()}, mean {d.mean():.4f}, counts {np.bincount(d.ravel())}")
board, moves = tour(n)
print(f"tour of {moves} fields, diagonal {board.diagonal().tolist()}")
if n == 8:
    print(board)
