"""Adds the built pages to a site as one of its versions: each in a folder, a list of them for the switch, and a first page.

    python docs/_ext/versions.py build/docs/html build/docs/site 0.1.0

The pages show the switch where BASCULE_DOCS_SITE, the address of the site, is set while they are built. A version that is there
already is replaced; "dev" is for pages between releases.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

FIRST = '<!doctype html><meta charset="utf-8"><title>bascule</title><meta http-equiv="refresh" content="0; url={0}/index.html">\n'


def numbers(version: str) -> tuple[int, ...]:
    """What versions are ordered by; pages between releases come last."""
    return tuple(int(part) if part.isdigit() else -1 for part in version.split("."))


def add(html: Path, site: Path, version: str) -> list[str]:
    """Copy the pages of a version, and list all versions, the newest first."""
    target = site / version
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(html, target)
    versions = sorted((p.parent.name for p in site.glob("*/index.html")), key=numbers, reverse=True)
    stable = versions[0]
    entries = [
        {"name": f"{v} (stable)" if v == stable else v, "version": v, "url": f"../{v}/", "preferred": v == stable}
        for v in versions
    ]
    (site / "switcher.json").write_text(json.dumps(entries, indent=2) + "\n")
    (site / "index.html").write_text(FIRST.format(stable))
    return versions


if __name__ == "__main__":
    print(*add(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
