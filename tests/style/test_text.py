"""Rules for every file of the project: its length, its macros, its words, its last line."""

import re
import subprocess
from pathlib import Path

from built import BUILT

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("cpp", "python", "tests", "benchmarks", "docs", "notebooks", "cmake", "conda-recipe", ".ci")
CODE = {".hpp", ".cpp", ".cuh", ".cu", ".inl", ".py", ".pyi"}
TEXT = CODE | {".md", ".txt", ".cmake", ".toml", ".json", ".yaml", ".in", ""}
MAX_LINES = 600
MACROS = {"BASCULE_ALGORITHMS", "BASCULE_API", "BASCULE_HD", "PY_SSIZE_T_CLEAN", "Py_LIMITED_API"}

# Each is written in two pieces, so that this file passes its own test.
BANNED = re.compile(
    "|".join(
        a + b
        for a, b in [
            (r"(?<![\w.}])/wo", "rk/"),
            (r"(?<![\w.}])/ro", "ot/"),
            (r"(?<![\w.}])/ho", r"me/\w"),
            (r"(?<![\w.}])/fa", "rm/"),
            (r"(?<![\w.}])/t", r"mp/\w"),
            ("files\\.python", "hosted"),
            (r"pypi\.", "org"),
            (r"deb\.", "debian"),
            (r"\bsub", r"agent"),
            (r"\bwork", " session"),
            (r"\bhelper", " session"),
            (r"\bllm-", "generated"),
            (r"(?:generated|written|assisted) by (?:an? )?", r"(?:ai\b|llm|language model)"),
        ]
    ),
    re.IGNORECASE,
)


def files() -> list[Path]:
    found = [p for p in ROOT.iterdir() if p.is_file() and p.name not in {"LICENSE", ".git"}]
    for folder in FOLDERS:
        found += [p for p in (ROOT / folder).rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    return sorted(p for p in found if p.suffix in TEXT and p not in BUILT)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_files_stay_within_the_line_budget():
    lengths = {name(p): len(p.read_text().splitlines()) for p in files() if p.suffix in CODE}
    assert {n: k for n, k in lengths.items() if k > MAX_LINES} == {}


def test_demo_plots_and_profiler_stay_small():
    parts = ("demo/*.py", "plot.py", "pandas/_plot.py", "pandas/plotting.py", "commands/profile.py")
    lengths = {name(p): len(p.read_text().splitlines()) for part in parts for p in (ROOT / "python/bascule").glob(part)}
    assert len(lengths) > len(parts)
    assert sum(lengths.values()) < 2_500


def test_every_file_ends_with_one_newline():
    strings = {name(p): p.read_text() for p in files()}
    assert [n for n, t in strings.items() if t and (not t.endswith("\n") or t.endswith("\n\n"))] == []


def test_no_trailing_blanks_or_tabs_in_code():
    bad = re.compile(r"[ \t]+$|\t", re.MULTILINE)
    assert [name(p) for p in files() if p.suffix in CODE and bad.search(p.read_text())] == []


def test_the_project_speaks_only_of_itself():
    hits = [(name(p), m.group()) for p in files() if (m := BANNED.search(p.read_text()))]
    assert hits == []


def test_neither_links_nor_machine_code_are_kept():
    kept = subprocess.run(["git", "ls-files", "--stage"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    rows = [line.split(maxsplit=3) for line in kept.splitlines()]
    assert [path for mode, _, _, path in rows if mode == "120000" or path.endswith((".so", ".o", ".a", ".pyd"))] == []


def test_only_known_macros_outlive_a_file():
    """A macro that its own file undefines again does not affect others."""
    found = []
    for path in files():
        if path.suffix in {".hpp", ".cpp", ".cuh"} and path.relative_to(ROOT).parts[0] in {"cpp", "python"}:
            text = path.read_text()
            if path.parent.name == "emulation":  # CUDA's language for a host's compiler, which nothing else includes
                continue
            defined = set(re.findall(r"^\s*#\s*define\s+(\w+)", text, re.MULTILINE))
            gone = set(re.findall(r"^\s*#\s*undef\s+(\w+)", text, re.MULTILINE))
            found += [(name(path), macro) for macro in sorted(defined - gone - MACROS)]
    assert found == []


# A device gets bare addresses in the structs of its algorithms; whoever casts one otherwise, or copies from or to it,
# moves elements itself.
TOUCHES = re.compile(
    r"(?:static|reinterpret)_cast<\s*(?:const\s+)?(?!void|char|PyCFunction|PyObject|PyTypeObject)[\w:]+(?:\s+const)?\s*\*"
    r"(?:\s*const)?\s*>\(\s*(?:address\(|begin\b|begin_of|\w+(?:->|\.)data\(\)|[\w.>-]*memory\(\)->data\(\))"
    r"|(?:begin_of<(?!std::byte)|mem(?:cpy|move|set)\([^;]*memory\(\)->data\(\))"
)
# Files older than the rule; the list may only become shorter.
TOUCHING = {
    "cpp/src/array/functions/creation.cpp": 1,
    "cpp/src/array/functions/float16_extrema.cpp": 1,
    "cpp/src/table/buffers.hpp": 1,
}


def touching(text: str) -> list[str]:
    handed_over = re.compile(r"\w\.\w+ = $")  # to a field of such a struct
    return [m.group() for m in TOUCHES.finditer(text) if not handed_over.search(text[: m.start()].rpartition("\n")[2])]


def test_only_devices_touch_elements():
    """array/, table/ and the bindings decide; a loop over elements outside backend/ stands in the wrong place."""
    sources = [
        p for p in files() if re.match(r"(cpp/(src|include/bascule)/(array|table|io)|python/bindings)/", name(p))
    ]
    found = {name(p): len(hits) for p in sources if (hits := touching(p.read_text()))}
    assert found == TOUCHING


def test_the_rule_on_elements_sees_a_breach():
    for line in (
        "auto* p = reinterpret_cast<double*>(a.memory()->data() + a.offset);",
        "to[i] = *static_cast<std::int64_t const*>(address(a));",
        "for (std::int64_t i = 0; i < n; ++i) begin_of<T>(r)[i] = 0;",
        "std::memcpy(r.memory()->data(), from, bytes);",
        "std::fill_n(reinterpret_cast<T*>(begin) + k, n, value);",
    ):
        assert touching(line), line
    for line in ("s.out = reinterpret_cast<std::int64_t*>(address(r));", "return to_host(a, bytes);"):
        assert not touching(line), line


def test_headers_are_guarded_and_leave_namespaces_alone():
    for path in files():
        if path.suffix == ".hpp" and path.relative_to(ROOT).parts[0] == "cpp":
            text = path.read_text()
            assert "#pragma once" in text, name(path)
            assert not re.search(r"^\s*using namespace", text, re.MULTILINE), name(path)
