"""Graphs of tasks on the threads of this machine, without Dask.

g = bc.sched.Graph()                            # tasks with dependencies, priorities and sizes
x = g.add(load, "a.npy"); y = g.add(np.sum, x)
g.run(y, memory_limit=2 << 30)

bc.sched.native(f)                              # f(block) as one native expression a kind of block
bc.sched.reduce_blocks(f, shape, chunks, sum)   # an array that is larger than memory
"""

from __future__ import annotations

from ._graph import Graph, Handle, native, reduce_blocks

__all__ = ["Graph", "Handle", "native", "reduce_blocks"]
