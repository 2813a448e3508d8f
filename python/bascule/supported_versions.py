"""Which versions of other packages are supported, and up to which they were tested; other places ask here."""

from __future__ import annotations

from typing import NamedTuple


class Range(NamedTuple):
    """Supported versions of a package; of a newer one than ``newest`` it is not known whether all works as before."""

    oldest: tuple[int, ...]
    newest: tuple[int, ...]  # that was tested: with (2, 5) every 2.5.x, with (3,) every 3.x
    below: str = ""  # what pip is asked to stay below, if anything

    def requirement(self, package: str) -> str:
        """What pip is asked for."""
        return f"{package}>={named(self.oldest)}" + (f",<{self.below}" if self.below else "")

    def has(self, version: tuple[int, ...]) -> bool:
        """Whether a version is supported and not newer than what was tested."""
        return self.oldest <= version and not self.is_exceeded_by(version)

    def is_exceeded_by(self, version: tuple[int, ...]) -> bool:
        """Whether a version is newer than all that were tested."""
        return version[: len(self.newest)] > self.newest


# What pip is asked for, here and in pyproject.toml.
SUPPORTED = {
    "numpy": Range((2, 1), (2, 5), below="3"),
    "pandas": Range((3, 0), (3, 1), below="4"),
    "dask": Range((2026, 8), (2026, 8), below="2027"),
    "distributed": Range((2026, 8), (2026, 8), below="2027"),
    "scikit-learn": Range((1, 8), (1, 9)),
}
# Libraries some of whose functions the accelerated mode replaces where the version is in the range.
REPLACED = {
    "h5py": Range((3, 12), (3,)),
    "jax": Range((0, 7), (0, 10)),
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
    """The first two numbers of a version's text, by which versions are compared here."""
    return tuple(int(part) for part in version.split("+")[0].split(".")[:2] if part.isdigit())


def named(version: tuple[int, ...]) -> str:
    """A version's text."""
    return ".".join(map(str, version))


def newer_than_tested() -> list[str]:
    """A sentence for each installed package that is newer than what was tested; `bascule info` and `doctor` show them."""
    import importlib.metadata  # late: it takes milliseconds

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
