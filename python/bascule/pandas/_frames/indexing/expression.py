"""Expressions given as strings to `query` and `eval`: arithmetic and comparisons of columns, combined by and, or and not."""

from __future__ import annotations

import ast
import functools
import io
import operator
import re
import tokenize
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _classes
from ..._fallback.native import NotNative
from ..._pending import objects as pending

_COMPARED = {ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne}  # fmt: skip
_COMPUTED = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_JOINED = {ast.And: operator.and_, ast.Or: operator.or_}
_LOCAL = "__of_caller_"
_ASSIGNED = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)")
_NUMBERS = (int, float, np.integer, np.floating)


def condition(text: str, frame: Any, variables: dict[str, Any]) -> Any:
    """The series of which rows of a frame satisfy a condition.

    Parameters
    ----------
    text : str
    frame : DataFrame
    variables : dict
        The caller's variables, which the string marks by @.

    Raises
    ------
    NotNative
        When only pandas' parser reads the string, or reports its errors.
    """
    return _value(text, frame, variables, _is_mask)


def evaluated(text: str, frame: Any, variables: dict[str, Any]) -> Any:
    """The series of an expression, or the frame with the column that the text assigns it to; NotNative as above."""
    assigned = _ASSIGNED.match(text)
    found = _value(text[assigned.end() :] if assigned else text, frame, variables, _is_series)
    return frame.assign(**{assigned[1]: found}) if assigned else found


def _value(text: str, frame: Any, variables: dict[str, Any], fits: Callable[[Any], bool]) -> Any:
    found = _Reader(frame, variables).read(_tree(text))
    if not fits(found):
        raise NotNative("an expression that is not a condition, or without columns")
    return found


def _is_series(x: Any) -> bool:
    return isinstance(x, _classes.Series)


def _tree(text: str) -> ast.expr:
    """The parsed expression, with & and | read as and and or, as in pandas."""
    if "`" in text:
        raise NotNative("names in backticks")
    words = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(re.sub(r"@\s*(\w+)", rf"{_LOCAL}\1", text.strip())).readline):
            word = {"&": "and", "|": "or"}.get(token.string) if token.type == tokenize.OP else None
            words.append((token.type, token.string) if word is None else (tokenize.NAME, word))
        return ast.parse(tokenize.untokenize(words).strip(), mode="eval").body
    except (SyntaxError, tokenize.TokenError, ValueError):
        raise NotNative("an expression that only pandas supports") from None


def _is_mask(x: Any) -> bool:
    return _is_series(x) and x.dtype == bool


def _kind(x: Any) -> str:
    """The kind of value that decides about comparisons: a number, a string, or empty for values not compared here."""
    if isinstance(x, _classes.Series):
        family = pending.without_rows(x)[0].family
        return family if family in ("number", "text") else ""
    if isinstance(x, str):
        return "text"
    return "number" if isinstance(x, _NUMBERS) and not isinstance(x, bool) else ""


class _Reader:
    """Values of the parts of an expression."""

    def __init__(self, frame: Any, variables: dict[str, Any]):
        self.frame, self.variables = frame, variables
        self.levels = pending.names_only(frame)._index._names

    def read(self, node: ast.expr) -> Any:
        """The value of a part: a series, a scalar or a list."""
        if isinstance(node, ast.BoolOp):
            return functools.reduce(_JOINED[type(node.op)], map(self._mask, node.values))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.Invert)):
            return ~self._mask(node.operand)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self.read(node.operand)
            if not _is_wide(value):
                raise NotNative("unsupported negative values")
            return -value
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            return functools.reduce(operator.and_, map(self._compared, node.ops, sides, sides[1:]))
        if isinstance(node, ast.BinOp) and type(node.op) in _COMPUTED:
            left, right = self.read(node.left), self.read(node.right)
            if not (_is_wide(left) and _is_wide(right)):
                raise NotNative("values that only pandas supports")
            return _COMPUTED[type(node.op)](left, right)
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, int, float)):
            return node.value
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.read(v) for v in node.elts]
        if isinstance(node, ast.Name):
            return self._named(node.id)
        raise NotNative("expressions that only pandas supports")

    def _mask(self, node: ast.expr) -> Any:
        found = self.read(node)
        if not _is_mask(found):
            raise NotNative("logical operators on values that are not booleans")
        return found

    def _named(self, name: str) -> Any:
        if name.startswith(_LOCAL):
            name = name.removeprefix(_LOCAL)
            if name in self.variables and isinstance(self.variables[name], (str, *_NUMBERS, list, tuple, set)):
                return self.variables[name]
            raise NotNative("unsupported variables")
        names = self.frame._names
        if list(names).count(name) != 1 or name in self.levels:
            raise NotNative("names that are not columns, or several")
        return self.frame[name]

    def _compared(self, op: ast.cmpop, left: ast.expr, right: ast.expr) -> Any:
        a, b = self.read(left), self.read(right)
        if isinstance(op, (ast.In, ast.NotIn)):
            if not isinstance(a, _classes.Series) or not isinstance(b, (list, tuple, set)) or not _kind(a):
                raise NotNative("unsupported members")
            if any(_kind(v) != _kind(a) for v in b):
                raise NotNative("members of several types")
            return a.isin(list(b)) if isinstance(op, ast.In) else ~a.isin(list(b))
        kinds = {_kind(a), _kind(b)}
        if len(kinds) > 1 or "" in kinds or not any(isinstance(x, _classes.Series) for x in (a, b)):
            raise NotNative("comparisons of these types")
        return _COMPARED[type(op)](a, b)


def _is_wide(x: Any) -> bool:
    """Whether arithmetic has the same type in every engine: of a number, or of a column of 64 bits."""
    if isinstance(x, _classes.Series):
        return x.dtype in (np.int64, np.float64)
    return isinstance(x, _NUMBERS) and not isinstance(x, bool)
