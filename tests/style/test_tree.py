"""The Python tests mirror the package: a folder or file of tests/python is named after the part of bascule that it tests."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, TESTS = ROOT / "python/bascule", ROOT / "tests/python"
# Helpers, and tests of the repository, of annotations, and of other libraries that take our arrays.
OTHER = {"support", "project", "typing", "users"}


def parts(package: Path) -> set[str]:
    return {path.stem.lstrip("_") for path in package.iterdir() if path.is_dir() or path.suffix == ".py"}


def misplaced(entries: list[str], known: set[str]) -> list[str]:
    return [name for name in entries if Path(name).stem.removeprefix("test_") not in known]


def test_the_tests_mirror_the_package():
    used = [e for e in TESTS.iterdir() if e.suffix == ".py" or any(e.glob("*.py"))]  # not folders of caches
    entries = [e.name for e in used if e.name != "conftest.py"]
    assert misplaced(entries, parts(PACKAGE) | OTHER) == []


def test_the_check_finds_a_misplaced_test():
    assert misplaced(["test_fft.py", "test_small.py", "lib", "bascule"], {"fft", "lib"}) == ["test_small.py", "bascule"]
