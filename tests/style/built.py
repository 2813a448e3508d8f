"""Files among the sources that a build writes, and git ignores: the style of sources does not concern them."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "python/bascule"
BUILT = frozenset((PACKAGE / "_array/ufuncs.pyi", PACKAGE / "special_ufuncs.pyi"))
