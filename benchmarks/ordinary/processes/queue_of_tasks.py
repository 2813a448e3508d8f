"""Two worker processes take matrices from a queue and put their properties into another.

Idea: producer and consumer with a sentinel
"""

import multiprocessing
import sys

import numpy as np

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
tasks, n = (8, 12) if SIZE == "small" else (120, 110)


def worker(todo, done):
    while True:
        item = todo.get()
        if item is None:
            break
        k, seed = item
        rng = np.random.default_rng(seed)
        m = rng.normal(size=(n, n))
        m = m @ m.T / n + np.eye(n)
        values = np.linalg.eigvalsh(m)
        done.put(
            (
                k,
                {
                    "trace": np.trace(m),
                    "low": values[0],
                    "high": values[-1],
                    "logdet": np.log(values).sum(),
                    "row": m[0, :3],
                },
            )
        )


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    todo, done = context.Queue(), context.Queue()
    workers = [context.Process(target=worker, args=(todo, done)) for _ in range(2)]
    for w in workers:
        w.start()
    for k in range(tasks):
        todo.put((k, 1000 + k))
    for _ in workers:
        todo.put(None)
    results = {}
    for _ in range(tasks):
        k, found = done.get()
        results[k] = found
    for w in workers:
        w.join()
    print("exit codes:", [w.exitcode for w in workers])
    for k in sorted(results)[:6]:
        r = results[k]
        print(
            f"task {k}: trace {r['trace']:.3f}, {r['low']:.4f} to {r['high']:.4f}, log det {r['logdet']:.4f}, row {np.round(r['row'], 3)}"
        )
    condition = np.array([results[k]["high"] / results[k]["low"] for k in range(tasks)])
    print(f"condition: mean {condition.mean():.4f}, worst {condition.max():.4f} of task {condition.argmax()}")
