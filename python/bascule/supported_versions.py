"""Supported versions of other packages, and the newest tested ones; other modules read them here."""

from __future__ import annotations


class Range:
    """Supported versions of a package; it is not known whether versions newer than ``newest`` work."""

    __slots__ = ("below", "newest", "oldest")  # a dataclass or named tuple takes a millisecond to make

    def __init__(self, oldest: tuple[int, ...], newest: tuple[int, ...], below: str = "") -> None:
        self.oldest = oldest
        self.newest = newest  # the newest tested: (2, 5) stands for every 2.5.x, (3,) for every 3.x
        self.below = below  # upper bound of the requirement for pip, if any

    def requirement(self, package: str) -> str:
        """The requirement for pip."""
        return f"{package}>={named(self.oldest)}" + (f",<{self.below}" if self.below else "")

    def has(self, version: tuple[int, ...]) -> bool:
        """Whether a version is supported and not newer than the tested ones."""
        return self.oldest <= version and not self.is_exceeded_by(version)

    def is_exceeded_by(self, version: tuple[int, ...]) -> bool:
        """Whether a version is newer than all tested ones."""
        return version[: len(self.newest)] > self.newest


# Requirements for pip, here and in pyproject.toml.
SUPPORTED = {
    "numpy": Range((2, 1), (2, 5), below="3"),
    "pandas": Range((3, 0), (3, 1), below="4"),
    "dask": Range((2026, 7), (2026, 8), below="2027"),
    "distributed": Range((2026, 7), (2026, 8), below="2027"),
    "scikit-learn": Range((1, 8), (1, 9)),
}
# Libraries of which the accelerated mode replaces some functions if the version is in the range.
REPLACED = {
    "h5py": Range((3, 12), (3,)),
    "jax": Range((0, 7), (0, 10)),
    "joblib": Range((1, 4), (1,)),
    "networkx": Range((3, 4), (3, 6)),
    "opencv": Range((4, 10), (5, 0)),
    "pandera": Range((0, 30), (0, 35)),
    "polars": Range((2, 1), (2, 1)),
    "pyarrow": Range((20,), (26,)),
    "scipy": Range((1, 16), (1, 17)),
    "torch": Range((2, 8), (2, 15)),
    "xarray": Range((2025,), (2026,)),
}


def numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version string, by which versions are compared here."""
    return tuple(int(part) for part in version.split("+")[0].split(".")[:2] if part.isdigit())


def named(version: tuple[int, ...]) -> str:
    """The string of a version."""
    return ".".join(map(str, version))


def newer_than_tested() -> list[str]:
    """A sentence for each installed package newer than the tested versions; `bascule info` and `doctor` show them."""
    import importlib.metadata  # imported here because it takes milliseconds

    said = []
    for package, supported in SUPPORTED.items():
        try:
            installed = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
        if supported.is_exceeded_by(numbers(installed)):
            said.append(
                f"{package} {installed} is newer than {named(supported.newest)}, the newest that this bascule was tested "
                "with: where it changed its rules, results may differ from it"
            )
    return said
