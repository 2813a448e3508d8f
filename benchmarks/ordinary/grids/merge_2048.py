"""The game 2048: one row is merged, and moves are rotations of the board.

Idea: the kata that merges a row of 2048
"""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

games = 1 if SIZE == "small" else 20


def merge(row):
    """Tiles slide to the left; equal neighbours merge once."""
    tiles = [int(x) for x in row if x != 0]
    result, k, gained = [], 0, 0
    while k < len(tiles):
        if k + 1 < len(tiles) and tiles[k] == tiles[k + 1]:
            result.append(2 * tiles[k])
            gained += 2 * tiles[k]
            k += 2
        else:
            result.append(tiles[k])
            k += 1
    return np.array(result + [0] * (len(row) - len(result))), gained


def move(board, direction):
    turned = np.rot90(board, direction)
    new = np.zeros_like(turned)
    gained = 0
    for i, row in enumerate(turned):
        new[i], g = merge(row)
        gained += g
    return np.rot90(new, -direction), gained


def add_tile(board, rng):
    free = np.argwhere(board == 0)
    i, j = free[rng.integers(len(free))]
    board[i, j] = 2 if rng.random() < 0.9 else 4


assert merge([2, 0, 2, 2])[0].tolist() == [4, 2, 0, 0]
assert merge([4, 4, 8, 8])[0].tolist() == [8, 16, 0, 0]
for game in range(games):
    rng = np.random.default_rng(game)
    board, score, moves = np.zeros((4, 4), dtype=int), 0, 0
    add_tile(board, rng)
    add_tile(board, rng)
    while True:
        for direction in (0, 1, 2, 3):  # left, up, right, down: the first that changes something
            new, gained = move(board, direction)
            if not np.array_equal(new, board):
                break
        else:
            break
        board, score, moves = new.copy(), score + gained, moves + 1
        add_tile(board, rng)
    print(f"game {game}: score {score}, {moves} moves, highest {board.max()}, sum {board.sum()}")
    if game == 0:
        print(board)
