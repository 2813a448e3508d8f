"""A snake that finds its food by breadth-first search on a NumPy grid, until it bites itself."""

import sys
from collections import deque

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

size, seeds = (8, range(2)) if SIZE == "small" else (11, range(8))
MOVES = np.array([[0, 1], [1, 0], [0, -1], [-1, 0]])


def find_path(grid, start, goal):
    previous = np.full(grid.shape + (2,), -1)
    seen = np.zeros(grid.shape, dtype=bool)
    seen[tuple(start)] = True
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if np.array_equal(here, goal):
            path = [here]
            while not np.array_equal(path[-1], start):
                path.append(previous[tuple(path[-1])])
            return path[::-1][1:]
        for move in MOVES:
            there = here + move
            if (there < 0).any() or (there >= len(grid)).any():
                continue
            t = tuple(there)
            if not seen[t] and grid[t] == 0:
                seen[t] = True
                previous[t] = here
                queue.append(there)
    return None


for seed in seeds:
    rng = np.random.default_rng(seed)
    grid = np.zeros((size, size), dtype=int)
    snake = deque([np.array([size // 2, size // 2])])
    grid[tuple(snake[0])] = 1
    eaten, walked = 0, 0
    while eaten < 2 * size:
        free = np.argwhere(grid == 0)
        food = free[rng.integers(len(free))]
        path = find_path(grid, snake[0], food)
        if path is None:
            break
        for cell in path:
            walked += 1
            if grid[tuple(cell)]:
                break
            snake.appendleft(cell)
            grid[tuple(cell)] = 1
            if not np.array_equal(cell, food):
                grid[tuple(snake.pop())] = 0
        eaten += 1
    head = snake[0].tolist()
    print(f"seed {seed}: ate {eaten}, length {len(snake)}, walked {walked}, head at {head}, cells {grid.sum()}")
    if seed == 0:
        print("\n".join("".join("s" if c else "." for c in row) for row in grid))
