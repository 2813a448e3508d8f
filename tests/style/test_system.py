"""One file of C++ makes the calls that Linux alone has: src/core/system.cpp."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = ROOT / "cpp/src/core/system.cpp"
LINUX = re.compile(
    r"#include <(?:linux/|sys/(?:syscall|prctl|epoll|eventfd|sysinfo)\.h)|\b(?:syscall|sched_getaffinity|madvise|prctl|memfd_create)\(|__linux__"
)
FILES = [
    p
    for folder in ("cpp", "python/bindings")
    for p in sorted((ROOT / folder).rglob("*"))
    if p.suffix in {".cpp", ".hpp"}
]


def test_one_file_asks_linux():
    assert LINUX.search(SYSTEM.read_text())
    found = [f"{p.relative_to(ROOT)}: {m[0]}" for p in FILES if p != SYSTEM for m in LINUX.finditer(p.read_text())]
    assert found == []


@pytest.mark.parametrize("line", ["#include <linux/futex.h>", "    syscall(SYS_gettid);", "#if defined(__linux__)"])
def test_a_planted_call_is_found(line):
    assert LINUX.search(line)
