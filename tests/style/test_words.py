"""Pages, comments and docstrings use the standard terms: words that a NumPy or CUDA user would stop at fail here."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from built import BUILT

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", ROOT / "cpp/README.md"]
PAGES += [p for pattern in ("docs/*.md", "docs/from/*.md", "notebooks/*.md") for p in sorted(ROOT.glob(pattern))]
# Words to avoid, and the terms to use instead.
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
# Comments and docstrings avoid these too. START is the beginning of a comment or docstring.
START = "\x02"
COMMENT_WORDS = WORDS | {
    r"tells?|told": "reports, passes, distinguishes; known",
    r"people": "users",
    r"lends?": "shares",
    r"gives? way|giving way": "is replaced, falls back",
    r"elsewhere": "the name of the other location",
}
# "What fills it" is "The source of its elements": a sentence does not begin with What unless it asks.
# Words of two senses: the terms for the wrong sense, and the files that use the right one.
TWO_SENSES = {
    # Mean, variance and skewness have this name; times do not.
    r"moments?": (
        "timestamps, now",
        {
            "cpp/backend/cpu/dispatch/kernels.hpp",
            "cpp/backend/cpu/dispatch/row_moments.hpp",
            "cpp/backend/cpu/kernels/reduce/column_strips.hpp",
            "cpp/backend/cpu/reduce/reduce_runs.cpp",
            "cpp/backend/cpu/windows/exponential.cpp",
            "cpp/backend/cuda/kernels/reduce_fp_errors.cuh",
            "cpp/include/bascule/core/table_algorithms_window.hpp",
            "cpp/include/bascule/ops/windows/exponential.hpp",
            "cpp/include/bascule/ops/windows/moments.hpp",
            "cpp/src/array/functions/reduce.cpp",
            "python/bascule/lib/reductions/nan.py",
            "python/bascule/pandas/_groupby/agg.py",
            "python/bascule/pandas/_window/ewm.py",
            "python/bascule/sched/_graph.py",
            "tests/cpp/ops/counter_test.cpp",
            "tests/python/array/test_extreme_values.py",
            "tests/python/random/test_distributions.py",
            "tests/python/support/conformance_numerics.py",
        },
    ),
    # The two parts of a range, a word of memory or a vector; numbers of two bytes are float16.
    r"halves": (
        "float16",
        {
            "cpp/backend/cpu/jit/avx2_codegen.cpp",
            "cpp/backend/cpu/jit/codegen_division.cpp",
            "cpp/backend/cpu/jit/encodings.hpp",
            "cpp/backend/cpu/kernels/algorithms/gather.cpp",
            "cpp/backend/cpu/kernels/algorithms/sort.cpp",
            "cpp/backend/cpu/kernels/copy/interleave.cpp",
            "cpp/backend/cpu/kernels/random/counter_loop.hpp",
            "cpp/backend/cpu/kernels/random/sample_loop.hpp",
            "cpp/backend/cpu/kernels/word_lanes.hpp",
            "cpp/backend/reference/reduce.cpp",
            "cpp/include/bascule/core/plan.hpp",
            "cpp/include/bascule/ops/counter.hpp",
            "cpp/include/bascule/ops/pairwise.hpp",
            "tests/cpp/cpu/kernels/counter_test.cpp",
        },
    ),
    # The decimal ones of a number.
    r"(?<!decimal\s)places": ("positions, indices, locations", set()),
    r"holes?": ("missing values", set()),
}


def expression(words: Iterable[str], flags: int = 0) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b(?:{word})\b".replace(" ", r"\s+") for word in words), flags)


SAYS = expression(WORDS, re.IGNORECASE)
COMMENT_SAYS = expression(COMMENT_WORDS)  # in lower case
SENSES = {word: expression([word]) for word in TWO_SENSES}
WHAT = re.compile(rf"(?:{START}|[.:;])\s+(?:-+ )?What\b(?![^.{START}]*\?)")
CODE = re.compile(r"^```(?!\{(?:note|tip|dropdown)).*?^```$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
QUOTED = re.compile(r"``[^`\n]*``|`[^`\n]*`|^\s*(?:>>>|\.\.\.) .*$", re.MULTILINE)
CPP_TOKENS = re.compile(
    r"""[^"'/]+|(?<=R)"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'"""
    r"""|//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/|.""",
    re.DOTALL,
)
PYTHON_TOKENS = re.compile(
    r"""[^"'#]+|(?P<text>(?P<quotes>\"{3}|'{3})(?:\\.|.)*?(?P=quotes))|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"""|\#(?P<line>[^\n]*)|.""",
    re.DOTALL,
)
BLOCK_BEGINS = re.compile(r"(?:\A|:[ ]*(?:#[^\n]*)?\n)\s*[rR]?\Z")


def cpp_comments(source: str) -> str:
    """The comments of C++ on their lines, with START before each: lines of comment that follow each other are one."""
    out, between = [], "\n\n"
    for m in CPP_TOKENS.finditer(source):
        line, block = m["line"], m["block"]
        if line is None and block is None:
            between += m.group()
            out.append("\n" * m.group().count("\n"))
            continue
        out.append(" " if line is not None and between.count("\n") == 1 and not between.strip() else f"{START} ")
        out.append(block if line is None else line)
        between = "\n\n" if line is None else ""
    return "".join(out)


def python_comments(source: str) -> str:
    """The same of Python: its comments, and its docstrings, which begin the file or a block."""
    out, between = [], "\n\n"
    for m in PYTHON_TOKENS.finditer(source):
        line, text = m["line"], m["text"]
        if text is not None and not BLOCK_BEGINS.search(source[max(0, m.start() - 300) : m.start()]):
            text = None
        if line is None and text is None:
            between += m.group()
            out.append("\n" * m.group().count("\n"))
            continue
        out.append(" " if line is not None and between.count("\n") == 1 and not between.strip() else f"{START} ")
        out.append(text.strip("\"'") if line is None else line)
        between = "\n\n" if line is None else ""
    return "".join(out)


# The folders whose comments are read, by the kind of source.
CPP = ("cpp", "python/bindings", "tests/cpp", "tests/cuda")
PYTHON = ("benchmarks", "python/bascule", "python/stubs", "tests/cuda", "tests/python", "tests/style")
READ: dict[str, Callable[[str], str]] = dict.fromkeys((".hpp", ".cpp", ".cu", ".cuh"), cpp_comments)
READ[".py"] = python_comments
# Folders, and files, of Python that still have such words. The list only becomes shorter.
UNFINISHED: set[str] = {
    "benchmarks/peers/rows.py",  # frozen: published results carry its SHA-256
}


def prose(page: Path) -> str:
    """The page with its code blanked, so that lines keep their numbers."""
    return CODE.sub(lambda m: "\n" * m.group().count("\n"), page.read_text())


def found(text: str) -> list[str]:
    return [f"line {text.count(chr(10), 0, m.start()) + 1}: {m.group()!r}" for m in SAYS.finditer(text)]


def found_in_comments(comments: str, path: str = "") -> list[str]:
    comments = QUOTED.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), comments)
    senses = [says for word, says in SENSES.items() if path not in TWO_SENSES[word][1]]
    hits = [m for says in (COMMENT_SAYS, *senses) for m in says.finditer(comments.lower())]
    hits += WHAT.finditer(comments)
    return [f"{path}:{comments.count(chr(10), 0, m.end()) + 1}: {m.group().split()[-1]!r}" for m in hits]


def files_of(folder: str, suffixes: Iterable[str]) -> Iterator[Path]:
    yield from (path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in suffixes and path not in BUILT)


def files_at(part: str) -> Iterator[Path]:
    return iter([ROOT / part]) if part.endswith(".py") else files_of(part, {".py"})


def breaches(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        yield from found_in_comments(READ[path.suffix](path.read_text()), str(path.relative_to(ROOT)))


def is_unfinished(path: Path) -> bool:
    return any(path.is_relative_to(ROOT / part) for part in UNFINISHED)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_page_uses_the_standard_terms(page):
    assert found(prose(page)) == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "cpp/README.md"])
def test_a_map_uses_the_words_of_comments(page):
    assert found_in_comments(prose(ROOT / page), page) == []


def test_the_words_are_seen():
    for text in (
        "a mask of truths",
        "The report tells of an overflow.",
        "Times beside NumPy's.",
        "It waits until somebody asks.",
    ):
        assert found(text), text
    assert found("The truth value of an array is ambiguous.") == []


@pytest.mark.parametrize("folder", CPP)
def test_comments_of_cpp_use_the_standard_terms(folder):
    assert list(breaches(files_of(folder, {".hpp", ".cpp", ".cu", ".cuh"}))) == []


@pytest.mark.parametrize("folder", PYTHON)
def test_comments_and_docstrings_of_python_use_the_standard_terms(folder):
    assert list(breaches(path for path in files_of(folder, {".py"}) if not is_unfinished(path))) == []


def test_the_list_of_unfinished_folders_only_becomes_shorter():
    done = [part for part in sorted(UNFINISHED) if not any(breaches(files_at(part)))]
    assert done == [], "take them from UNFINISHED"


def test_a_file_is_allowed_a_word_only_while_it_uses_it():
    stale = []
    for word, (_, allowed) in TWO_SENSES.items():
        for name in sorted(allowed):
            comments = READ[Path(name).suffix]((ROOT / name).read_text())
            if not SENSES[word].search(comments.lower()):
                stale.append(f"{word}: {name}")
    assert stale == []


CPP_BREACHES = [
    "// What fills it.\nint a;",
    "int a;  // where the truths go",
    "// Kept. What else it reads.",
    "// It waits until\n// somebody asks.",
    "/* a list of\n texts */",
    "// ---- What follows",
    'char const* a = "//"; // beside it',
    'auto a = R"(// )"; // told of it',
    "int a = 1'000'000;  // the places",
    "// The halves of float16.",
    "// Where a column has holes.",
    "// At the moment.",
]
CPP_STANDARD = [
    'char const* a = "// What"; // a string',
    'auto a = R"(// texts)";',
    "char a = '\"'; // the truth value of it",
    "// Two decimal places.",
    "// With `holes`, the values are missing.",
    "// Is it so? What is it?",
    "// from what is left",
    "int What = 1;",
]
PYTHON_BREACHES = [
    '"""What it does."""',
    "x = 1  # beside it",
    'def f():\n    """A list of texts."""',
    'def f():  # no check\n    r"""It\n\n    tells of it."""',
    "# It waits until\n# somebody asks.",
]
PYTHON_STANDARD = [
    'x = "What"',
    'x = """What"""',
    "x = '# What'",
    'def f():\n    """Adds.\n\n    >>> texts = 1\n    """',
    "# ``texts`` is an argument.",
]


def test_words_of_comments_are_seen():
    for read, sources in ((cpp_comments, CPP_BREACHES), (python_comments, PYTHON_BREACHES)):
        for source in sources:
            assert found_in_comments(read(source)), source
    for read, sources in ((cpp_comments, CPP_STANDARD), (python_comments, PYTHON_STANDARD)):
        for source in sources:
            assert found_in_comments(read(source)) == [], source


def test_a_word_is_found_on_its_line():
    assert found_in_comments(cpp_comments("int a;\n\n// A\n// list of\n// texts.\n"), "a.cpp") == ["a.cpp:5: 'texts'"]
    assert found_in_comments(python_comments("x = 1\n# A\n# list of texts.\n"), "a.py") == ["a.py:3: 'texts'"]
