"""Regular expressions of Python, translated to RE2 as far as both have the same meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from re import _constants as op
from re import _parser as parser
from typing import Any

from .._fallback.native import NotNative
from .._theirs import pc

_REPEATS = {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}
_OWN = {op.ASSERT, op.ASSERT_NOT, op.GROUPREF, op.GROUPREF_EXISTS, op.ATOMIC_GROUP, op.POSSESSIVE_REPEAT}
_CLASSES = {"s": r"\t-\r\x1c-\x20"}
_UNICODE_CLASSES = {
    "s": r"\t-\r\x1c-\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}",
    "d": r"\p{Nd}",
    "w": r"\p{L}\p{N}_",
}


def _nodes(tokens: Any) -> Iterator[tuple[Any, Any]]:
    for code, argument in tokens:
        yield code, argument
        if code == op.SUBPATTERN:
            yield from _nodes(argument[3])
        elif code == op.BRANCH:
            for branch in argument[1]:
                yield from _nodes(branch)
        elif code in _REPEATS:
            yield from _nodes(argument[2])
        elif code in (op.ATOMIC_GROUP, op.IN):
            yield from _nodes(argument)


def has_groups(pat: Any) -> bool:
    """Whether a pattern has groups, whose matches it keeps."""
    try:
        return re.compile(pat).groups > 0
    except re.error:
        return False


def compiled(pat: str) -> re.Pattern:
    """The pattern compiled by Python; NotNative where it is invalid."""
    try:
        return re.compile(pat)
    except re.error:
        raise NotNative("a pattern that is none of Python's") from None


def anchored(pat: str) -> bool:
    """Whether a pattern depends on the position in the string."""
    return any(code == op.AT for code, _ in _nodes(parser.parse(pat)))


def groups_of(pat: str, flags: int = 0) -> list[tuple[int, bool, bool]]:
    """The groups of a pattern: number, whether a match may leave it out, and whether it may match the empty string.

    For a group that was left out, RE2 gives an empty string, Python a missing value.
    """

    def within(tokens: Any, optional: bool) -> Iterator[tuple[int, bool, bool]]:
        for code, argument in tokens:
            if code == op.SUBPATTERN:
                if argument[0] is not None:
                    yield argument[0], optional, argument[3].getwidth()[0] == 0
                yield from within(argument[3], optional)
            elif code == op.BRANCH:
                for branch in argument[1]:
                    yield from within(branch, True)
            elif code in _REPEATS:
                yield from within(argument[2], optional or argument[0] == 0)

    return list(within(parser.parse(pat, flags), False))


def in_words_of_re2(repl: str, pattern: re.Pattern) -> str:
    """A replacement string with its references to groups in RE2's syntax.

    Raises
    ------
    NotNative
        RE2 has no such syntax.
    """

    def number(found: re.Match) -> str:
        name = found[1]
        at = int(name) if name.isdigit() else pattern.groupindex.get(name, 0)
        if not 1 <= at <= min(pattern.groups, 9):
            raise NotNative("a replacement with escapes")
        return f"\\{at}"

    made = re.sub(r"\\g<(\w+)>", number, repl)
    if re.search(r"\\(?![1-9](?!\d))", made):
        raise NotNative("a replacement with escapes")
    return made


def in_re2(pat: Any, strings: Any, case: bool, flags: int, named: bool = False) -> tuple[str, bool]:
    """The pattern in RE2's syntax, and whether it ignores case.

    The strings to match, ``texts``, are an argument since some classes of Python and RE2 differ for non-ASCII characters
    only. ``named`` gives every group a name, which Arrow requires.

    Raises
    ------
    NotNative
        RE2 lacks a part of the pattern, or gives it another meaning.
    """
    if isinstance(pat, re.Pattern):
        flags, pat = flags | (pat.flags & ~re.UNICODE), pat.pattern
    if not isinstance(pat, str) or flags & ~re.IGNORECASE:
        raise NotNative("flags=")
    if re.search(r"(?<!\\)(?:\\\\)*\\(?:[uUN])", pat) or "(?" in pat.replace("(?:", "").replace("(?P<", ""):
        raise NotNative("a pattern that Arrow's expressions do not know")
    try:
        found = list(_nodes(parser.parse(pat)))
    except re.error:
        raise NotNative("a pattern that is Arrow's alone") from None
    codes = {code for code, _ in found}
    positions = {argument for code, argument in found if code == op.AT}
    ignore = not case or bool(flags & re.IGNORECASE)
    if codes & _OWN:
        raise NotNative("a pattern that looks around or back")
    ascii = pc.all(pc.string_is_ascii(strings), min_count=0).as_py()
    if positions & {op.AT_BOUNDARY, op.AT_NON_BOUNDARY} and not ascii:
        raise NotNative("word boundaries of non-ASCII characters")
    if positions & {op.AT_END} and pc.any(pc.match_substring(strings, "\n"), min_count=0).as_py():
        raise NotNative("$ before a newline")
    return _respelt(pat, ascii, named), ignore


def _respelt(pat: str, ascii: bool, named: bool) -> str:
    r"""`\Z` in RE2's syntax, and the classes of white space, digits and letters with all characters that Python counts.

    Raises
    ------
    NotNative
        RE2 reads some parts differently: `{,2}` as plain characters, `[:alpha:]` as the name of a class.
    """
    classes = _CLASSES if ascii else _CLASSES | _UNICODE_CLASSES
    out, i, inside, opened, groups = [], 0, False, -1, 0
    while i < len(pat):
        c = pat[i]
        if c == "\\":
            kind = pat[i + 1 : i + 2]
            members = classes.get(kind.lower()) if kind.isalpha() else None
            if kind == "Z":
                out.append(r"\z")
            elif members is None:
                out.append(pat[i : i + 2])
            elif kind.islower():
                out.append(members if inside else f"[{members}]")
            elif inside:
                raise NotNative("a negated character class within a class")
            else:
                out.append(f"[^{members}]")
            i += 2
            continue
        alone = None if inside else re.match(r"\[(\^?)\\([SDW])\]", pat[i:])
        if alone is not None and alone[2].lower() in classes:  # all characters that are, or are not, in another class
            out.append(f"[{'' if alone[1] else '^'}{classes[alone[2].lower()]}]")
            i += alone.end()
            continue
        if c == "[" and not inside:
            inside, opened = True, i + (pat[i + 1 : i + 2] == "^")
        elif pat.startswith("[:" if inside else "{,", i):
            raise NotNative("regular expressions that Arrow reads differently")
        elif c == "(" and named and not inside and not pat.startswith("(?:", i):
            out.append(f"(?P<g{groups}>")
            groups += 1
            i = pat.index(">", i) + 1 if pat.startswith("(?P<", i) else i + 1
            continue
        elif c == "]" and inside and i > opened + 1:
            inside = False
        out.append(c)
        i += 1
    return "".join(out)
