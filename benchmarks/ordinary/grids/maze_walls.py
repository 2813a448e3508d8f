"""A maze cut by depth-first search and solved by breadth-first search.

Idea: the maze generator that many tutorials write
"""

import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"

n = 24 if SIZE == "small" else 140
rng = np.random.default_rng(5)


def carve(n):
    maze = np.ones((2 * n + 1, 2 * n + 1), dtype=np.uint8)
    maze[1, 1] = 0
    stack = [(1, 1)]
    steps = [(0, 2), (2, 0), (0, -2), (-2, 0)]
    while stack:
        y, x = stack[-1]
        open_ways = []
        for dy, dx in steps:
            v, u = y + dy, x + dx
            if 0 < v < 2 * n and 0 < u < 2 * n and maze[v, u] == 1:
                open_ways.append((dy, dx))
        if not open_ways:
            stack.pop()
            continue
        dy, dx = open_ways[rng.integers(len(open_ways))]
        maze[y + dy // 2, x + dx // 2] = 0
        maze[y + dy, x + dx] = 0
        stack.append((y + dy, x + dx))
    return maze


def distances(maze, start):
    far = np.full(maze.shape, -1)
    far[start] = 0
    edge = [start]
    while edge:
        following = []
        for y, x in edge:
            for v, u in ((y, x + 1), (y + 1, x), (y, x - 1), (y - 1, x)):
                if maze[v, u] == 0 and far[v, u] < 0:
                    far[v, u] = far[y, x] + 1
                    following.append((v, u))
        edge = following
    return far


maze = carve(n)
far = distances(maze, (1, 1))
goal = (2 * n - 1, 2 * n - 1)
print("cells", maze.size, "open", int((maze == 0).sum()), "all reached:", bool(((far >= 0) == (maze == 0)).all()))
print(
    "way to the goal",
    far[goal],
    "longest way",
    far.max(),
    "to",
    [int(k) for k in np.unravel_index(far.argmax(), far.shape)],
)

path = [goal]
while path[-1] != (1, 1):
    y, x = path[-1]
    for v, u in ((y, x + 1), (y + 1, x), (y, x - 1), (y - 1, x)):
        if far[v, u] == far[y, x] - 1 and maze[v, u] == 0:
            path.append((v, u))
            break
signs = np.where(maze == 1, "#", " ")
for y, x in path:
    signs[y, x] = "*"
for line in signs[:25]:
    print("".join(line[:70]).rstrip())
ways = (maze[:-2, 1:-1] == 0).astype(int) + (maze[2:, 1:-1] == 0) + (maze[1:-1, :-2] == 0) + (maze[1:-1, 2:] == 0)
inner = maze[1:-1, 1:-1] == 0
print("dead ends", int(((ways == 1) & inner).sum()), "crossings", int(((ways > 2) & inner).sum()))
