"""Sudoku by backtracking, with np.unique and slices for rows, columns and boxes.

Idea: the sudoku solver kata
"""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

PUZZLES = {
    "easy": "530070000600195000098000060800060003400803001700020006060000280000419005000080079",
    "wiki": "003020600900305001001806400008102900700000008006708200002609500800203009005010300",
    "rows": "000260701680070090190004500820100040004602900050003028009300074040050036703018000",
    "more": "200080300060070084030500209000105408000000000402706000301007040720040060004010003",
    "late": "000000907000420180000705026100904000050000040000507009920108000034059000507000000",
}


def candidates(board, row, column):
    y, x = 3 * (row // 3), 3 * (column // 3)
    used = np.unique(np.concatenate([board[row], board[:, column], board[y : y + 3, x : x + 3].ravel()]))
    return [d for d in range(1, 10) if d not in used]


def solve(board, count):
    empty = np.argwhere(board == 0)
    if len(empty) == 0:
        return True
    best, choices = None, None
    for row, column in empty[:12]:
        found = candidates(board, row, column)
        if choices is None or len(found) < len(choices):
            best, choices = (row, column), found
        if len(found) < 2:
            break
    for digit in choices:
        count["tries"] += 1
        board[best] = digit
        if solve(board, count):
            return True
        board[best] = 0
    return False


names = ["easy", "rows"] if SIZE == "small" else list(PUZZLES)
for name in names:
    board = np.array([int(c) for c in PUZZLES[name]]).reshape(9, 9)
    print(name, "given:", np.count_nonzero(board))
    count = {"tries": 0}
    assert solve(board, count)
    print(
        f"{count['tries']} tries; sums of rows {set(board.sum(axis=1).tolist())}, columns {set(board.sum(0).tolist())}"
    )
    print(board)
