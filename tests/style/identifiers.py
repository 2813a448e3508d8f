"""Identifiers, and file names, with words that are not the terms of the field: `python tests/style/identifiers.py [-v]`.

Test functions and C++ tests are sentences, and are read, too. A file may use a word in its right
sense, if it is listed.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from built import BUILT
from test_words import CPP_TOKENS, PYTHON_TOKENS, ROOT, TWO_SENSES

# A word that no identifier has, and the term for it.
TERMS = {
    "texts": "strings",
    "truth": "boolean",
    "truths": "booleans",
    "places": "positions, indices",
    "halves": "float16",
    "holes": "missing values",
    "hole": "missing value",
    "told": "reported, known",
    "tell": "report",
    "tells": "reports",
    "moment": "timestamp",
    "moments": "timestamps",
    "lent": "converted, shared",
    "lend": "share",
    "loans": "converted, shared",
    "elsewhere": "the name of the other location",
    "beside": "with, next to",
    "anew": "again",
    "mend": "fix",
    "mends": "fixes",
    "people": "users",
    "quick": "fast",
}
# Members of other libraries: Matplotlib's legends, Python's files.
THEIRS = {"get_texts", "tell"}
# The files whose names have a word in its right sense; test_words.py lists those whose comments have it, too: parameters of
# distributions, and parts of a range or of a word in memory.
RIGHT_SENSES = {
    "moments?": {
        "cpp/backend/cpu/dispatch/isa_tables.cpp",
        "cpp/backend/cpu/kernels/reduce/aggregates.hpp",
        "cpp/backend/cpu/kernels/reduce/contiguous_moments.hpp",
        "cpp/backend/cpu/kernels/reduce/contiguous_reduce.hpp",
        "cpp/backend/cpu/kernels/reduce/eight_leaves.hpp",
        "cpp/backend/cpu/kernels/reduce/row_moments.cpp",
        "cpp/backend/cpu/reduce/reduce.hpp",
        "cpp/backend/cpu/reduce/reduce_columns.cpp",
        "cpp/backend/cuda/codegen/aggregate_catalog.cpp",
        "cpp/backend/cuda/kernels/reduce.cuh",
        "cpp/include/bascule/ops/aggregates/variance.hpp",
        "cpp/src/array/functions/masked_moments.cpp",
        "cpp/src/array/functions/masked_moments.hpp",
        "python/bascule/__init__.pyi",
        "python/bascule/demo/chunks.py",
        "python/bascule/lib/covariance.py",
        "python/bascule/lib/reductions/__init__.py",
        "python/bascule/lib/reductions/moments.py",
        "python/bascule/pandas/_columns/reduce.py",
        "python/bascule/pandas/_frames/statistics/frame.py",
        "python/bascule/pandas/_frames/statistics/moments.py",
        "python/bascule/pandas/_frames/statistics/series.py",
        "python/bascule/pandas/_groupby/groupby.py",
        "python/bascule/pandas/_groupby/moments.py",
        "python/bindings/reduction_methods.cpp",
        "tests/cpp/cpu/reduce/reduction_test.cpp",
        "tests/python/array/test_fp_errors_of_reductions.py",
        "tests/python/array/test_reductions.py",
        "tests/python/array/test_reductions_out.py",
        "tests/python/array/test_warning_lines.py",
        "tests/python/pandas/test_group_keys.py",
        "tests/python/pandas/test_group_moments.py",
        "tests/python/pandas/test_moments.py",
        "tests/python/random/test_generator.py",
        "tests/python/support/dask_workloads.py",
        "tests/python/support/random_cases.py",
        "tests/python/test_demo.py",
        "tests/python/users/programs/scipy_functions.py",
    },
    "halves": {
        "cpp/backend/cpu/jit/codegen_float16.cpp",
        "cpp/backend/cpu/kernels/algorithms/sort_lanes.hpp",
        "cpp/backend/cpu/kernels/copy/strides.hpp",
        "cpp/backend/cpu/kernels/reduce/eight_leaves.hpp",
        "cpp/backend/cpu/strings/times.cpp",
        "cpp/backend/cpu/windows/exponential.cpp",
        "cpp/backend/cuda/algorithms/thrust/windows/windows.cu",
        "cpp/backend/cuda/codegen/aggregate_catalog.cpp",
        "cpp/backend/cuda/codegen/plan_text.cpp",
        "tests/cpp/ops/floating_test.cpp",
        "tests/cuda/ptx/tests/instruction_test.cpp",
        "tests/python/pandas/test_other_libraries.py",
        "tests/python/project/test_ordinary_programs.py",
    },
}
FOLDERS = ("cpp", "python", "tests")
CPP, PYTHON = {".hpp", ".cpp", ".cu", ".cuh"}, {".py", ".pyi"}
CANDIDATE = re.compile(rf"\b\w*(?:{'|'.join(TERMS)})\w*", re.IGNORECASE)
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
    return {part.lower() for part in PART.findall(name)} & TERMS.keys()


def allowed(word: str, path: str) -> bool:
    """Whether the file uses the word in its right sense."""
    listed = [*RIGHT_SENSES.items(), *((pattern, files) for pattern, (_, files) in TWO_SENSES.items())]
    return any(re.fullmatch(pattern, word) and path in files for pattern, files in listed)


def identifiers(root: Path = ROOT, folders: tuple[str, ...] = FOLDERS) -> dict[str, set[str]]:
    """The names that have each word, without the names that files of the right sense have."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in (
        p
        for folder in folders
        for p in sorted((root / folder).rglob("*"))
        if p.suffix in CPP | PYTHON and p not in BUILT
    ):
        where = path.relative_to(root).as_posix()
        if where == "tests/style/identifiers.py":
            continue
        names = (set(CANDIDATE.findall(code(path.read_text(), path.suffix))) - THEIRS) | {path.stem}
        for name in names:
            for word in words_of(name):
                if not allowed(word, where):
                    found[word].add(name)
    return found


if __name__ == "__main__":
    for word, names in sorted(identifiers().items(), key=lambda entry: -len(entry[1])):
        print(f"{word:10} {len(names):4}", *(sorted(names) if "-v" in sys.argv else ()))
