"""A table joined with a table of keys, 5 million of them at full size, by a shuffle within a memory limit.

The values follow from the key, so the sums of the joined table are known.
"""

from __future__ import annotations

from typing import Any

import dask
import dask.dataframe as dd
import numpy as np
from story import Story


def facts(part: int, rows: int, keys: int, module: Any) -> Any:
    """Rows of the large table."""
    at = np.arange(part * rows, (part + 1) * rows)
    return module.DataFrame({"key": at * 7_368_787 % keys, "value": at % 1000})


def names(part: int, parts: int, keys: int, module: Any) -> Any:
    """Keys of the small table, each once."""
    key = np.arange(part, keys, parts)
    return module.DataFrame({"key": key, "group": key % 10, "weight": key % 97})


def joined(rows: int, keys: int, parts: int, module: Any) -> tuple[Any, ...]:
    """The number of joined rows, the sum of value × weight, and the sums of values by group."""
    left = dd.from_map(facts, range(parts), rows=rows, keys=keys, module=module)
    right = dd.from_map(names, range(parts // 2), parts=parts // 2, keys=keys, module=module)
    both = left.merge(right, on="key", shuffle_method="tasks", broadcast=False)
    found = dask.compute(both.key.count(), (both.value * both.weight).sum(), both.groupby("group").value.sum())
    by_group = found[2].to_pandas() if hasattr(found[2], "to_pandas") else found[2]
    return int(found[0]), int(found[1]), by_group.sort_index()


def main(arguments: list[str] | None = None) -> None:
    """Run the example."""
    import bascule.pandas
    import pandas

    story = Story("large_join", __doc__, "500 MB", arguments)
    keys, parts = story.n(5_000_000, 500), 20
    rows = max(story.n(50_000_000, 4000) // parts, 200)
    modules = iter((bascule.pandas, pandas))
    (count, total, by_group), peer = story.run(lambda: joined(rows, keys, parts, next(modules)))
    wanted_total, wanted_groups = 0, np.zeros(10, np.int64)
    for part in range(parts):
        d = facts(part, rows, keys, pandas)
        wanted_total += int((d.value * (d.key % 97)).sum())
        wanted_groups += np.bincount(d.key % 10, weights=d.value, minlength=10).astype(np.int64)
    story.check(count == rows * parts, f"{count} rows, not {rows * parts}")
    story.check(total == wanted_total, f"value × weight is {total}, not {wanted_total}")
    story.check((by_group.to_numpy() == wanted_groups).all(), "values by group")
    if peer is not None:
        story.check(peer[:2] == (count, total), "the peer's")

    def draw(axes: Any) -> None:
        axes.bar(by_group.index, by_group.to_numpy())
        axes.set(title=f"{count} rows joined on {keys} keys", xlabel="group", ylabel="sum of values")

    story.plot(draw)
    story.end(rows=count, keys=keys)


if __name__ == "__main__":
    main()
