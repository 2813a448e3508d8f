"""Plans of joins that wait: conditions on the rows of one frame are evaluated there, before the joins.

A plan is a chain of steps, each of which knows the one before: a frame, its joins with others, the conditions that
their rows have to satisfy. The joins keep the order of the left rows, so that the rows of a result are ordered by
their rows in the first frame, in the second, and so on; to leave some out before or after the joins is the same.

A left join keeps rows without a partner, whose right columns are missing. A condition on these columns that is false
where they are missing makes it an inner join. The type that missing values give a column is kept, though none is left.
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
from .._columns.lazy_take import FEWEST, Picked, of_a_miss, pick

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


_COMPARED = frozenset((operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne))
_COMPUTED = frozenset((operator.add, operator.sub, operator.mul, operator.truediv))
of_missing: dict[Callable[..., Any], bool] = {operator.ne: True}  # what functions are where an argument is missing


def _is_missing(x: Any) -> bool:
    """Whether an expression is missing where all of its columns are."""
    return type(x) is Leaf or (type(x) is Op and x.function in _COMPUTED and any(map(_is_missing, x.arguments)))


def _where_missing(x: Any) -> bool | None:
    """Whether a condition holds where all of its columns are missing; None where that is not known."""
    if type(x) is not Op:
        return None
    if x.function in (operator.and_, operator.or_):
        sides, decides = [_where_missing(side) for side in x.arguments], x.function is operator.or_
        return decides if decides in sides else None if None in sides else not decides
    if x.function is operator.invert:
        found = _where_missing(x.arguments[0])
        return None if found is None else not found
    if x.function in _COMPARED or x.function in of_missing:
        return of_missing.get(x.function, False) if any(map(_is_missing, x.arguments)) else None
    return None


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


class Misses:
    """Whether a left join has rows without a partner, once that is known."""

    __slots__ = ("there",)

    def __init__(self) -> None:
        self.there: bool | None = None


class Join(NamedTuple):
    """The next frame, and pairs of columns whose values have to be equal; left joins have misses."""

    source: Source
    keys: list[tuple[Leaf, Leaf]]
    misses: Misses | None = None


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

    def __init__(
        self, sources: dict[int, Source], paths: dict[int, tuple[Picked, ...]], rows: int, outer: dict[int, Plan]
    ):
        self.sources, self._paths, self.rows = sources, paths, rows
        self.outer = outer  # the left joins whose right frames are among these
        self.whole = rows  # before any were left out
        self._columns: dict[Leaf, AnyColumn] = {}
        self._values: dict[Any, AnyColumn] = {}  # by the keys of expressions

    @classmethod
    def of(cls, number: int, source: Source, join: Plan | None = None) -> Part:
        left = join is not None and join.step.misses is not None  # type: ignore[union-attr]
        return cls({number: source}, {number: ()}, source.rows, {number: join} if left else {})  # type: ignore[dict-item]

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
            if self._lost_misses(leaf.source, rows) and of_a_miss(there).dtype != there.dtype:
                if self.outer[leaf.source].has_misses():
                    at = _core.arange(0, 1, self.rows, _INT64, "cpu") if rows is None else rows.positions
                    rows = Picked(at, lacking=True)
            made = self._columns[leaf] = there if rows is None else pick(there, rows)
        return made

    def key(self, leaf: Leaf) -> AnyColumn:
        """A column in the type that it has before the joins."""
        if leaf.source not in self.outer:
            return self.column(leaf)
        rows, there = self._picked(leaf.source), self.sources[leaf.source].columns[leaf.column]
        return there if rows is None else pick(there, rows)

    def _lost_misses(self, number: int, rows: Picked | None) -> bool:
        """Whether rows without a partner may have been left out, so that the types do not show whether there were any."""
        return number in self.outer and (rows is None or not rows.lacking)

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
        return Part(self.sources, {k: (*p, rows) for k, p in self._paths.items()}, len(rows), self.outer)

    def joined(self, other: Part, keys: list[tuple[Leaf, Leaf]], how: str = "inner") -> tuple[Part, bool]:
        """The pairs of rows of these and another's with equal keys, in the order of these; and whether some have none."""
        mine, theirs = ([p.key(k[i]).core for k in keys] for i, p in enumerate((self, other)))  # type: ignore[union-attr]
        lrows, rrows = join_rows(mine, theirs, self.rows + other.rows, how, False)
        lacks = how == "left" and len(rrows) > 0 and int(rrows.min()) < 0
        each = len(lrows) == self.rows if how == "left" else is_each(lrows, self.rows)
        left = self if each else self._with(Picked(lrows))
        right = other if not lacks and is_each(rrows, other.rows) else other._with(Picked(rrows, lacking=lacks))
        outer = left.outer | right.outer
        return Part(left.sources | right.sources, left._paths | right._paths, len(lrows), outer), lacks

    def has_without(self, other: Part, keys: list[tuple[Leaf, Leaf]]) -> bool:
        """Whether some rows have no partner among another's."""
        (mine, theirs), *more = keys
        if more or self.column(mine).plain not in "iu":  # type: ignore[union-attr]
            return self.joined(other, keys, "left")[1]
        return not bool(self._are_among(mine, other, theirs).all())

    def _are_among(self, key: Leaf, other: Part, others: Leaf) -> ndarray:
        return self.key(key).among(_classes.Series._new(other.key(others), other._labels)).values  # type: ignore[union-attr]

    def among(self, key: Leaf, other: Part, others: Leaf) -> Part:
        """The rows whose key is one of another's."""
        return self._of_mask(self._are_among(key, other, others))


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

    def outer(self) -> set[int]:
        """The frames on the right of left joins."""
        return {p.joins for p in self.steps() if type(p.step) is Join and p.step.misses is not None}

    def has_misses(self) -> bool:
        """Whether this left join has rows without a partner: where that is not known, its rows are counted without it."""
        with self._lock:
            source, keys, misses = self.step  # type: ignore[misc]
            if misses.there is None:
                misses.there = self.before.run().has_without(Part.of(self.joins, source), keys)  # type: ignore[union-attr]
            return misses.there

    def run(self) -> Part:
        """The rows. Those of a step that were skipped once are looked for the next time, so that no step is repeated often."""
        with self._lock:
            if self.found is None:
                steps = self.steps()
                first = max(
                    i for i, p in enumerate(steps) if i == 0 or p.found is not None or (p.was_passed and p is not self)
                )
                start = Part.of(0, steps[0].step) if first == 0 else steps[first].run()  # type: ignore[arg-type]
                found = _run(start, steps[first].joins + 1, steps[first + 1 :])
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


def _run(start: Part, number: int, plans: list[Plan]) -> Part:
    """The rows of a part after more steps, the first of whose frames has a number."""
    joins: list[Any] = [p for p in plans if type(p.step) is Join]
    parts = [start, *(Part.of(number + i, p.step.source, p) for i, p in enumerate(joins))]
    home = {source: i for i, p in enumerate(parts) for source in p.sources}
    conditions = [c for p in plans if type(p.step) in (Leaf, Op) for c in _conditions(p.step)]  # type: ignore[arg-type]
    own, across, outer = _placed(conditions, home, {i + 1 for i, p in enumerate(joins) if p.step.misses is not None})
    parts = [p.where(own.get(i, [])) for i, p in enumerate(parts)]
    _shorten(parts, [p.step for p in joins], home, outer)
    made = parts[0]
    for i, plan in enumerate(joins, 1):
        made, lacks = made.joined(parts[i], plan.step.keys, "left" if i in outer else "inner")
        if i in outer and (lacks or not _leave_rows_out(plans[plans.index(plan) + 1 :])):
            plan.step.misses.there = lacks
        made = made.where([c for last, c in across if last == i])
    return made


def _leave_rows_out(plans: list[Plan]) -> bool:
    return any(type(p.step) is not Join or p.step.misses is None for p in plans)


def _placed(
    conditions: list[Expression], home: dict[int, int], outer: set[int]
) -> tuple[dict[int, list[Expression]], list[tuple[int, Expression]], set[int]]:
    """The conditions on each part, and those after joins with the last of their parts.

    And those of the parts on the right of left joins whose missing rows are not left out by a condition.
    """
    own: dict[int, list[Expression]] = {}
    across, kept = [], set(outer)
    for c in conditions:
        read = sorted({home[leaf.source] for leaf in leaves(c)})
        before = [(part, _implied(c, lambda leaf, part=part: home[leaf.source] == part)) for part in read]  # type: ignore[misc]
        before = [
            (part, x) for part, x in before if x is not None and (part not in outer or _where_missing(x) is False)
        ]
        for part, x in before:
            own.setdefault(part, []).append(x)  # type: ignore[arg-type]
            kept.discard(part)
        if len(read) > 1 or not before:
            across.append((read[-1], c))
    return own, across, kept


def is_before(plan: Plan, condition: Expression) -> bool:
    """Whether a condition of a plan is evaluated before the joins, and none of it after them."""
    return not _placed([condition], {i: i for i in range(plan.joins + 1)}, plan.outer())[1]


def _shorten(parts: list[Part], joins: list[Join], home: dict[int, int], outer: set[int]) -> None:
    """Leave out rows of parts that have no partner in one that is joined later, where that is less work than the joins."""
    largest = max(p.rows for p in parts)
    for right in range(len(parts) - 1, 0, -1):
        if right in outer:
            continue
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
