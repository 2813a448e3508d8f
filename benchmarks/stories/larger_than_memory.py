"""(x + 1)[::2, ::2].sum() over normal(10, 1), far larger than memory, with a few chunks at a time."""

from __future__ import annotations

import resource
from typing import Any

import dask.array as da
from story import Story


def total(n: int, chunk: int) -> float:
    """The sum of every other element of every other row, with chunks of rows."""
    x = da.random.default_rng(2).normal(10, 1, (n, n), chunks=chunk)
    return float((x + 1)[::2, ::2].sum().compute())


def main(arguments: list[str] | None = None) -> None:
    """Run the example."""
    story = Story("larger_than_memory", __doc__, arguments=arguments)
    n = story.side(50_000, 400) // 20 * 20
    wanted = 11 * (n / 2) ** 2
    sums = []
    for part in (5, 2, 1):  # growing arrays, for the plot
        side = n // part // 2 * 2
        found, peer = story.run(lambda side=side: total(side, max(side // 10, 20)))
        count = (side / 2) ** 2
        for x in (found, peer) if peer is not None else (found,):
            story.check(abs(x - 11 * count) < 6 * count**0.5, f"the sum is {x}, not about {11 * count}")
        sums.append((side * side * 8 / 1e9, story.seconds["bascule"]))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6

    def draw(axes: Any) -> None:
        axes.loglog(*zip(*sums), "o-")
        axes.set(title="(x + 1)[::2, ::2].sum() of normal(10, 1)", xlabel="size of the array, GB", ylabel="seconds")

    story.plot(draw)
    story.end(side=n, array_gb=round(n * n * 8 / 1e9, 4), peak_gb=round(peak, 3), sum=found, about=wanted)


if __name__ == "__main__":
    main()
