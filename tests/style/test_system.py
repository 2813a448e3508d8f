"""One file of C++ makes the calls that only Linux and its C library have: src/core/system.cpp."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = ROOT / "cpp/src/core/system.cpp"
LINUX = re.compile(
    r"#include <(?:linux/|(?:malloc|link|features|sys/(?:syscall|prctl|epoll|eventfd|sysinfo|auxv|sendfile|random))\.h)"
    r"|\b(?:syscall|madvise|prctl|memfd_create|mremap|malloc_(?:trim|usable_size|info)|mallopt|mallinfo2?|posix_f\w+|fallocate|pipe2"
    r"|dladdr1|dlinfo|dlmopen|dl_iterate_phdr|getauxval|gettid|getrandom|secure_getenv|sched_[gs]et\w+|sched_getcpu|pthread_\w+_np)\("
    r"|__linux__|__GLIBC__|\bMAP_(?:POPULATE|HUGETLB|STACK)\b"
)
EMULATION = ROOT / "cpp/backend/emulation"  # a GPU's stand-in, for the tests alone
FILES = [
    p
    for folder in ("cpp", "python/bindings")
    for p in sorted((ROOT / folder).rglob("*"))
    if p.suffix in {".cpp", ".hpp"} and EMULATION not in p.parents
]


def test_one_file_asks_linux():
    assert LINUX.search(SYSTEM.read_text())
    found = [f"{p.relative_to(ROOT)}: {m[0]}" for p in FILES if p != SYSTEM for m in LINUX.finditer(p.read_text())]
    assert found == []


@pytest.mark.parametrize(
    "line", ["#include <linux/futex.h>", "    syscall(SYS_gettid);", "#if defined(__linux__)", "malloc_trim(0);"]
)
def test_a_call_in_another_file_is_seen(line):
    assert LINUX.search(line)


@pytest.mark.parametrize("options", [[], ["-U__linux__", "-U__GLIBC__"]], ids=["here", "on other systems"])
def test_it_has_an_answer_without_linux(options):
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        pytest.skip("a C++ compiler is not installed")
    command = [
        compiler,
        "-std=c++20",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-fsyntax-only",
        f"-I{ROOT}/cpp/include",
        *options,
        SYSTEM,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
