"""`make lint` fails on a file of C++ or CUDA that clang-format would change."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("x.hpp", "x.cpp", "x.cuh", "x.cu")


def lint(folder, name, text):
    """The formatting step of `make lint` for one file, with the project's rules."""
    (folder / ".clang-format").write_bytes((ROOT / ".clang-format").read_bytes())
    (folder / name).write_text(text)
    command = ["clang-format", "--dry-run", "-Werror", folder / name]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("name", NAMES)
def test_another_format_fails(tmp_path, name):
    assert lint(tmp_path, name, "int f() { return 1; }\n").returncode == 0
    done = lint(tmp_path, name, "int f( ) {return 1;}\n")
    assert done.returncode != 0
    assert "[-Wclang-format-violations]" in done.stderr


def test_all_kinds_of_files_are_looked_at():
    (files,) = (line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("CPP_FILES ="))
    assert all(pattern in files for pattern in ("'*.[ch]pp'", "'*.cu'", "'*.cuh'"))
    assert "clang-format --dry-run -Werror $(CPP_FILES)" in (ROOT / "Makefile").read_text()
