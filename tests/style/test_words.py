"""Pages for users say things with the standard terms: what a NumPy or pandas user would stop at fails here."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md"]
PAGES += [p for pattern in ("docs/*.md", "docs/from/*.md", "notebooks/*.md") for p in sorted(ROOT.glob(pattern))]
# What not to say, and what to say instead.
WORDS = {
    r"truths?(?! value)": "boolean",
    r"texts": "strings",
    r"beside": "compared with, next to, with",
    r"(?:tells?|told) of": "reports, reported",
    r"(?:is|are|be) told": "is reported",
    r"mend(?:s|ed|ing)?": "fix",
    r"(?:is|are) had": "is available",
    r"folded": "reduced",
    r"(?:some|no)body": "a user, none, unused",
    r"anew": "again",
    r"lent": "converted, shared",
    r"quick(?:er|est)": "faster",
    r"people meet": "see",
    r"what waits|arrays? waits?": "pending operations, lazy",
    r"lies? on (?:the )?(?:cpu|gpu|device)": "is on",
}
SAYS = re.compile("|".join(rf"\b(?:{word})\b" for word in WORDS), re.IGNORECASE)
CODE = re.compile(r"^```(?!\{(?:note|tip|dropdown)).*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)


def prose(page: Path) -> str:
    """The page with its code blanked, so that lines keep their numbers."""
    return CODE.sub(lambda m: "\n" * m.group().count("\n"), page.read_text())


def found(text: str) -> list[str]:
    return [f"line {text.count(chr(10), 0, m.start()) + 1}: {m.group()!r}" for m in SAYS.finditer(text)]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_page_uses_the_standard_terms(page):
    assert found(prose(page)) == []


def test_the_words_are_seen():
    for text in (
        "a mask of truths",
        "The report tells of an overflow.",
        "Times beside NumPy's.",
        "It waits until somebody asks.",
    ):
        assert found(text), text
    assert found("The truth value of an array is ambiguous.") == []
