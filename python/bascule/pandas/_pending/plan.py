"""Plans of inner joins that wait: conditions on the rows of one frame are evaluated there, before the joins.

A plan is a chain of steps, each of which knows the one before: a frame, its joins with others, the conditions that
their rows have to satisfy. Inner joins keep the order of the left rows, so that the rows of a result are ordered by
their rows in the first frame, in the second, and so on; to leave some out before or after the joins is the same.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from ... import _core, progress
from .. import _classes, _indexes
from .._columns.column import AnyColumn, ndarray
from .._columns.lazy_take import FEWEST, Picked, pick

_INT64 = np.dtype(np.int64)
_SMALL = 16  # a frame of so many times fewer rows than the largest is shortened whenever that is possible
_SELECTIVE = 0.8  # a frame of which more is left shortens no other


class Leaf(NamedTuple):
    """A column of one of the frames of a plan."""

    source: int
    column: int


class Op:
    """A function of values of the same row, and of constants."""

    __slots__ = ("arguments", "function", "key", "size")

    def __init__(self, function: Callable[..., Any], *arguments: Any):
        self.function, self.arguments = function, arguments
        self.key = function, *map(_key, arguments)  # equal for expressions that are written alike
        self.size: int = 1 + sum(x.size for x in arguments if type(x) is Op)

    def leaves(self) -> Iterator[Leaf]:
        for x in self.arguments:
            yield from leaves(x)


def _key(x: Any) -> Any:
    """A value that is equal for two expressions, or constants, only if they are the same."""
    if type(x) is Leaf:
        return x
    if type(x) is Op:
        return x.key
    if type(x) is list:
        return tuple(map(_key, x))
    return (type(x), x) if type(x) in (str, int, bool) else (type(x), repr(x)) if type(x) is float else _Same(x)


class _Same:
    """A constant that is like no other."""

    __slots__ = ("of",)

    def __init__(self, of: Any):
        self.of = of

    def __eq__(self, other: Any) -> bool:
        return type(other) is _Same and self.of is other.of

    def __hash__(self) -> int:
        return id(self.of)


Expression = Leaf | Op


def leaves(x: Any) -> Iterator[Leaf]:
    """The columns that an expression reads."""
    if type(x) is Leaf:
        yield x
    elif type(x) is Op:
        yield from x.leaves()


def _conditions(x: Expression) -> Iterator[Expression]:
    """The conditions that have to be true together for one to be true."""
    if type(x) is Op and x.function is operator.and_:
        for side in x.arguments:
            yield from _conditions(side)
    else:
        yield x


def _implied(x: Expression, within: Callable[[Leaf], bool]) -> Expression | None:
    """A condition on some columns alone that is true wherever another is; None where there is none."""
    if all(map(within, leaves(x))):
        return x
    if type(x) is not Op or x.function not in (operator.and_, operator.or_):
        return None
    sides = [_implied(side, within) for side in x.arguments]
    if x.function is operator.or_:
        return None if None in sides else Op(operator.or_, *sides)
    there = [s for s in sides if s is not None]
    return None if not there else there[0] if len(there) == 1 else Op(operator.and_, *there)


class Source(NamedTuple):
    """The columns of a frame that is joined; None in place of those that no one reads."""

    columns: list[Any]
    rows: int


class Join(NamedTuple):
    """The next frame, and pairs of columns whose values have to be equal."""

    source: Source
    keys: list[tuple[Leaf, Leaf]]


def join_rows(left: list, right: list, rows: int, how: str, sort: bool) -> tuple[ndarray, ndarray]:
    """Pairs of rows of equal keys; a progress bar may show them."""
    with progress.of_tasks("merge", 8 * len(left) * rows):
        return _core.join_columns(left, right, how, sort)


def is_each(rows: ndarray, n: int) -> bool:
    """Whether the rows are all of n, each once and in order, as where each key has one match: then none need be gathered."""
    if len(rows) != n or n < FEWEST or rows.device.startswith("cuda") or int(rows[0]) != 0 or int(rows[-1]) != n - 1:
        return False
    return bool((rows == _core.arange(0, 1, n, _INT64, "cpu")).all())


class Part:
    """Some rows of one frame, or of several that are joined."""

    def __init__(self, sources: dict[int, Source], paths: dict[int, tuple[Picked, ...]], rows: int):
        self.sources, self._paths, self.rows = sources, paths, rows
        self.whole = rows  # before any were left out
        self._columns: dict[Leaf, AnyColumn] = {}
        self._values: dict[Any, AnyColumn] = {}  # by the keys of expressions

    @classmethod
    def of(cls, number: int, source: Source) -> Part:
        return cls({number: source}, {number: ()}, source.rows)

    def _picked(self, number: int) -> Picked | None:
        """Which rows of a frame these are; the steps that chose them are joined once."""
        path = self._paths[number]
        if len(path) > 1:
            rows = path[0]
            for more in path[1:]:
                rows = rows.then(more)
            path = self._paths[number] = (rows,)
        return path[0] if path else None

    def column(self, leaf: Leaf) -> AnyColumn:
        made = self._columns.get(leaf)
        if made is None:
            rows, there = self._picked(leaf.source), self.sources[leaf.source].columns[leaf.column]
            made = self._columns[leaf] = there if rows is None else pick(there, rows)
        return made

    def value(self, x: Expression) -> AnyColumn:
        """The column of an expression."""
        if type(x) is Leaf:
            return self.column(x)
        made = self._values.get(x.key)  # type: ignore[union-attr]
        if made is None:
            given = [self._series(a) if type(a) in (Leaf, Op) else a for a in x.arguments]  # type: ignore[union-attr]
            made = self._values[x.key] = x.function(*given)._column  # type: ignore[union-attr]
        return made

    def _series(self, x: Expression) -> Any:
        return _classes.Series._new(self.value(x), self._labels, None)

    @property
    def _labels(self) -> Any:
        made = self.__dict__.get("_index")
        if made is None:
            made = self.__dict__["_index"] = _indexes.default(self.rows)
        return made

    def mask(self, conditions: list[Expression]) -> ndarray:
        """Which rows satisfy all of some conditions."""
        masks = [self.value(c).values for c in conditions]  # type: ignore[union-attr]
        found = masks[0]
        for more in masks[1:]:
            found = found & more
        return found

    def where(self, conditions: list[Expression]) -> Part:
        """The rows that satisfy all of some conditions."""
        return self._of_mask(self.mask(conditions)) if conditions else self

    def _of_mask(self, mask: ndarray) -> Part:
        _core.evaluate(mask)
        made = self._with(Picked.where(mask))
        made.whole = self.whole
        return made

    def _with(self, rows: Picked) -> Part:
        return Part(self.sources, {k: (*p, rows) for k, p in self._paths.items()}, len(rows))

    def joined(self, other: Part, keys: list[tuple[Leaf, Leaf]]) -> Part:
        """The pairs of rows of these and another's with equal keys, in the order of these."""
        mine, theirs = ([p.column(k[i]).core for k in keys] for i, p in enumerate((self, other)))  # type: ignore[union-attr]
        lrows, rrows = join_rows(mine, theirs, self.rows + other.rows, "inner", False)
        left = self if is_each(lrows, self.rows) else self._with(Picked(lrows))
        right = other if is_each(rrows, other.rows) else other._with(Picked(rrows))
        return Part(left.sources | right.sources, left._paths | right._paths, len(lrows))

    def among(self, key: Leaf, other: Part, others: Leaf) -> Part:
        """The rows whose key is one of another's."""
        return self._of_mask(self.column(key).among(other._series(others)).values)


class Plan:
    """Rows of joined frames that satisfy conditions, which are looked for when they are needed."""

    def __init__(self, before: Plan | None, step: Source | Join | Expression):
        self.before, self.step = before, step
        self.joins: int = 0 if before is None else before.joins + (type(step) is Join)  # joins up to here
        self.found: Part | None = None  # once the rows were looked for
        self.was_passed = False  # whether the rows of a later step were looked for without those of this one
        self._index: Any = None
        self._lock: Any = threading.RLock() if before is None else before._lock

    def steps(self) -> list[Plan]:
        """The steps up to this one."""
        made, at = [], self  # type: ignore[var-annotated]
        while at is not None:
            made.append(at)
            at = at.before  # type: ignore[assignment]
        return made[::-1]

    def sources(self) -> list[Source]:
        """The frames that are joined."""
        return [s for s in (_source(p.step) for p in self.steps()) if s is not None]

    def conditions(self) -> list[Expression]:
        """All conditions that rows have to satisfy."""
        return [c for p in self.steps() if type(p.step) in (Leaf, Op) for c in _conditions(p.step)]  # type: ignore[arg-type]

    def run(self) -> Part:
        """The rows. Those of a step that were skipped once are looked for the next time, so that no step is repeated often."""
        with self._lock:
            if self.found is None:
                steps = self.steps()
                first = max(
                    i for i, p in enumerate(steps) if i == 0 or p.found is not None or (p.was_passed and p is not self)
                )
                start = Part.of(0, steps[0].step) if first == 0 else steps[first].run()  # type: ignore[arg-type]
                found = _run(start, steps[first].joins + 1, [p.step for p in steps[first + 1 :]])
                for p in steps[first + 1 : -1]:
                    p.was_passed = True
                self.found = found
            return self.found

    def index(self) -> Any:
        """The labels of the rows: numbers of the joined rows before conditions left some out."""
        with self._lock:
            if self._index is None:
                n, at = self.run().rows, self
                conditions: list[Any] = []
                while type(at.step) in (Leaf, Op):
                    conditions.append(at.step)
                    at = at.before  # type: ignore[assignment]
                if not conditions:
                    self._index = _indexes.default(n)
                else:
                    whole = at if at.found is not None else at.without_unread(conditions)
                    self._index = _indexes.Later.of(n, lambda: whole.labels_where(conditions))  # type: ignore[arg-type]
            return self._index

    def labels_where(self, conditions: list[Expression]) -> Any:
        part = self.run()
        labels = _indexes.default(part.rows)
        for c in reversed(conditions):  # one after the other: labels that are no range once are none later
            rows = Picked.where(part.mask([c]))
            labels, part = labels._take(rows.positions), part._with(rows)
        return labels

    def without_unread(self, conditions: list[Expression]) -> Plan:
        """The same plan, which keeps only the columns that are read for its rows and for some conditions."""
        read = set(used([*conditions, *self.conditions()]))
        steps = self.steps()
        read |= {leaf for p in steps if type(p.step) is Join for pair in p.step.keys for leaf in pair}
        made: Plan | None = None
        for p in steps:
            step: Any = p.step
            source = _source(step)
            if source is not None:
                kept = [c if Leaf(p.joins, i) in read else None for i, c in enumerate(source.columns)]
                step = (
                    source._replace(columns=kept)
                    if type(step) is Source
                    else step._replace(source=source._replace(columns=kept))
                )  # type: ignore[union-attr]
            made = Plan(made, step)
        return made  # type: ignore[return-value]


def used(expressions: Iterable[Expression]) -> Iterator[Leaf]:
    """The columns that expressions read."""
    for x in expressions:
        yield from leaves(x)


def _source(step: Any) -> Source | None:
    return step if type(step) is Source else step.source if type(step) is Join else None


def _run(start: Part, number: int, steps: list[Any]) -> Part:
    """The rows of a part after more steps, the first of whose frames has a number."""
    joins = [s for s in steps if type(s) is Join]
    parts = [start, *(Part.of(number + i, j.source) for i, j in enumerate(joins))]
    home = {source: i for i, p in enumerate(parts) for source in p.sources}
    own, across = _placed([c for s in steps if type(s) in (Leaf, Op) for c in _conditions(s)], home, len(parts))
    parts = [p.where(conditions) for p, conditions in zip(parts, own)]
    _shorten(parts, joins, home)
    made = parts[0]
    for i, join in enumerate(joins):
        made = made.joined(parts[i + 1], join.keys)
        made = made.where([c for last, c in across if last == i + 1])
    return made


def _placed(
    conditions: list[Expression], home: dict[int, int], parts: int
) -> tuple[list[list[Expression]], list[tuple[int, Expression]]]:
    """The conditions on each part, and those on several with the last of these."""
    own: list[list[Expression]] = [[] for _ in range(parts)]
    across = []
    for c in conditions:
        read = sorted({home[leaf.source] for leaf in leaves(c)})
        if len(read) == 1:
            own[read[0]].append(c)
            continue
        across.append((read[-1], c))
        for part in read:
            implied = _implied(c, lambda leaf, part=part: home[leaf.source] == part)  # type: ignore[misc]
            if implied is not None:
                own[part].append(implied)
    return own, across


def _shorten(parts: list[Part], joins: list[Join], home: dict[int, int]) -> None:
    """Leave out rows of parts that have no partner in one that is joined later, where that is less work than the joins."""
    largest = max(p.rows for p in parts)
    for right in range(len(parts) - 1, 0, -1):
        for mine, theirs in joins[right - 1].keys:
            left = home[mine.source]
            share = parts[right].rows / max(parts[right].whole, 1)
            if share > _SELECTIVE or parts[left].column(mine).plain not in "iu":  # type: ignore[union-attr]
                continue
            before = float(np.prod([p.rows / max(p.whole, 1) for p in parts[:left]]))  # which the joins before leave
            spared = parts[left].rows * before * (1 - share) * (right - left - 1)
            work = parts[left].rows + parts[right].rows
            if work * _SMALL <= largest or spared > work:
                parts[left] = parts[left].among(mine, parts[right], theirs)
