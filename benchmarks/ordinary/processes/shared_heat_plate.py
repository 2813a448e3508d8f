"""A hot plate in shared memory: two spawned processes relax one side each, step by step."""

import multiprocessing
import sys
from multiprocessing import shared_memory

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n, steps = (48, 40) if SIZE == "small" else (500, 500)


def relax(name, shape, top, bottom, steps, barrier):
    memory = shared_memory.SharedMemory(name=name)
    plates = np.ndarray((2, *shape), dtype=np.float64, buffer=memory.buf)
    for k in range(steps):
        old, new = plates[k % 2], plates[1 - k % 2]
        new[top:bottom, 1:-1] = 0.25 * (
            old[top - 1 : bottom - 1, 1:-1]
            + old[top + 1 : bottom + 1, 1:-1]
            + old[top:bottom, :-2]
            + old[top:bottom, 2:]
        )
        barrier.wait()
    del plates, old, new
    memory.close()


def main():
    context = multiprocessing.get_context("spawn")
    memory = shared_memory.SharedMemory(create=True, size=2 * n * n * 8)
    try:
        plates = np.ndarray((2, n, n), dtype=np.float64, buffer=memory.buf)
        plates[:] = 20.0
        plates[:, 0, :] = 100.0
        plates[:, :, 0] = 60.0
        expected = plates[0].copy()
        barrier = context.Barrier(2)
        halves = [(1, n // 2), (n // 2, n - 1)]
        workers = [context.Process(target=relax, args=(memory.name, (n, n), a, b, steps, barrier)) for a, b in halves]
        for w in workers:
            w.start()
        for w in workers:
            w.join()
        result = plates[steps % 2].copy()
        del plates
    finally:
        memory.close()
        memory.unlink()
    for _ in range(steps):
        expected[1:-1, 1:-1] = 0.25 * (
            expected[:-2, 1:-1] + expected[2:, 1:-1] + expected[1:-1, :-2] + expected[1:-1, 2:]
        )
    print("same as alone:", np.allclose(result, expected))
    print("mean:", round(result.mean(), 4), "middle:", round(result[n // 2, n // 2], 4), "corner:", result[0, 0])
    print(result[1:7, 1:7].round(2))
    print("warmer than 50:", int((result > 50).sum()), "unchanged:", int((result == 20).sum()))
    print("profile:", result[:8, n // 3].round(3))


if __name__ == "__main__":
    main()
