"""Identifiers, and file names, with words that are not the terms of the field: `python tests/style/identifiers.py [-v]`.

Test functions and C++ tests are sentences, and are read, too. Words that also have a plain sense have their own limits.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from test_words import CPP_TOKENS, PYTHON_TOKENS, ROOT, TWO_SENSES

# A word of identifiers, the term for it, and how many names still have it: the limits only fall.
LIMITS = {
    "texts": ("strings", 48),
    "truth": ("boolean", 27),
    "truths": ("booleans", 12),
    "places": ("positions, indices", 32),
    "halves": ("float16", 17),
    "holes": ("missing values", 14),
    "hole": ("missing value", 2),
    "told": ("reported, known", 31),
    "tell": ("report", 37),
    "tells": ("reports", 16),
    "moment": ("timestamp", 7),
    "moments": ("timestamps", 43),
    "lent": ("converted, shared", 4),
    "lend": ("share", 1),
    "loans": ("converted, shared", 1),
    "elsewhere": ("the name of the other location", 10),
    "beside": ("with, next to", 61),
    "anew": ("again", 5),
    "mend": ("fix", 2),
    "mends": ("fixes", 2),
    "people": ("users", 0),
    "quick": ("fast", 18),
}
FOLDERS = ("cpp", "python", "tests")
CPP, PYTHON = {".hpp", ".cpp", ".cu", ".cuh"}, {".py", ".pyi"}
CANDIDATE = re.compile(rf"\b\w*(?:{'|'.join(LIMITS)})\w*", re.IGNORECASE)
PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def code(source: str, suffix: str) -> str:
    """The source without comments and strings."""
    tokens = CPP_TOKENS if suffix in CPP else PYTHON_TOKENS
    parts = []
    for m in tokens.finditer(source):
        text = m.group()
        is_text = text[:1] in "\"'" and len(text) > 1
        parts.append(" " if is_text or m["line"] is not None or m.groupdict().get("block") is not None else text)
    return "".join(parts)


def words_of(name: str) -> set[str]:
    return {part.lower() for part in PART.findall(name)} & LIMITS.keys()


def allowed(word: str, path: str) -> bool:
    """Whether the file uses the word in its right sense, as test_words.py lists."""
    return any(re.fullmatch(pattern, word) and path in files for pattern, (_, files) in TWO_SENSES.items())


def identifiers(root: Path = ROOT, folders: tuple[str, ...] = FOLDERS) -> dict[str, set[str]]:
    """The names that have each word, without the names that files of the right sense have."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in (p for folder in folders for p in sorted((root / folder).rglob("*")) if p.suffix in CPP | PYTHON):
        where = path.relative_to(root).as_posix()
        if where == "tests/style/identifiers.py":
            continue
        names = set(CANDIDATE.findall(code(path.read_text(), path.suffix))) | {path.stem}
        for name in names:
            for word in words_of(name):
                if not allowed(word, where):
                    found[word].add(name)
    return found


if __name__ == "__main__":
    for word, names in sorted(identifiers().items(), key=lambda entry: -len(entry[1])):
        print(f"{word:10} {len(names):4}", *(sorted(names) if "-v" in sys.argv else ()))
