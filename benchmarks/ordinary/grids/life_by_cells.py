"""Game of life as a first program writes it: two loops over the cells, and patterns everyone knows."""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

ROWS, COLUMNS, STEPS = (16, 20, 20) if SIZE == "small" else (30, 40, 60)


def count_neighbours(board, i, j):
    total = 0
    for di in [-1, 0, 1]:
        for dj in [-1, 0, 1]:
            if (di, dj) != (0, 0):
                y, x = i + di, j + dj
                if 0 <= y < board.shape[0] and 0 <= x < board.shape[1]:
                    total += board[y, x]
    return total


def next_board(board):
    new = board.copy()
    for i in range(board.shape[0]):
        for j in range(board.shape[1]):
            n = count_neighbours(board, i, j)
            if board[i, j] == 1 and (n < 2 or n > 3):
                new[i, j] = 0
            elif board[i, j] == 0 and n == 3:
                new[i, j] = 1
    return new


def show(board):
    for row in board:
        print(" ".join("o" if x else "." for x in row).rstrip())


board = np.zeros((ROWS, COLUMNS), dtype=int)
board[1, 2] = board[2, 3] = 1
board[3, 1:4] = 1  # a glider
board[10, 10:13] = 1  # a blinker
board[7:9, 15:17] = 1  # a block
for k in range(STEPS):
    board = next_board(board)
show(board[:16, :20])
print("alive:", np.count_nonzero(board))
print("where:", [(int(y), int(x)) for y, x in zip(*np.nonzero(board), strict=True)])
