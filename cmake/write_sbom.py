"""Writes the bill of materials of a wheel: CycloneDX JSON of its contents, and of the packages that pip installs with
it.

    python cmake/write_sbom.py pyproject.toml bascule.cdx.json --inside "libstdc++" 12.2.0 "GPL-3.0-only WITH GCC-exception-3.1" ...

CMake runs it when the wheel is built, and passes the compiled libraries. The file has no date, so that builds are
reproducible.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from pathlib import Path
from typing import Any

REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)\s*(?:\[([^\]]*)\])?\s*([^;]*)")


def inside(name: str, version: str, licence: str) -> dict[str, Any]:
    """A component that is compiled or linked into the files of the wheel."""
    found: dict[str, Any] = {"type": "library", "bom-ref": f"inside:{name}", "name": name, "scope": "required"}
    if version:
        found["version"] = version
    found["licenses"] = [{"expression": licence}]
    found["properties"] = [{"name": "bascule:where", "value": "inside the wheel"}]
    return found


def alongside(requirement: str, extra: str | None) -> dict[str, Any]:
    """A package that pip installs, always or with an extra, with a range as its version."""
    name, _, wanted = REQUIREMENT.match(requirement).groups()  # type: ignore[union-attr]
    found: dict[str, Any] = {
        "type": "library",
        "bom-ref": f"pypi:{name}" + (f":{extra}" if extra else ""),
        "name": name,
        "purl": f"pkg:pypi/{name.lower().replace('_', '-')}",
        "scope": "optional" if extra else "required",
        "properties": [{"name": "bascule:where", "value": f"extra {extra}" if extra else "installed with it"}],
    }
    if wanted.strip():
        found["properties"].append({"name": "bascule:requirement", "value": wanted.strip()})
    return found


def document(project: dict[str, Any], compiled: list[tuple[str, str, str]]) -> dict[str, Any]:
    """The complete bill."""
    own = project["name"]
    extras = {k: v for k, v in project["optional-dependencies"].items() if k not in ("test", "docs", "users", "all")}
    parts = [inside(*c) for c in compiled] + [alongside(r, None) for r in project["dependencies"]]
    parts += [alongside(r, extra) for extra, all_ in extras.items() for r in all_ if not r.startswith(f"{own}[")]
    needed = [p["bom-ref"] for p in parts if p["scope"] == "required"]
    main = {
        "type": "library", "bom-ref": own, "name": own, "version": project["version"], "purl": f"pkg:pypi/{own}@{project['version']}",
        "licenses": [{"expression": project["license"]}],
    }  # fmt: skip
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": main},
        "components": parts,
        "dependencies": [{"ref": own, "dependsOn": needed}, *({"ref": p["bom-ref"], "dependsOn": []} for p in parts)],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("project", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--inside", nargs=3, action="append", default=[], metavar=("NAME", "VERSION", "LICENCE"))
    chosen = parser.parse_args()
    project = tomllib.loads(chosen.project.read_text())["project"]
    bill = document(project, [tuple(c) for c in chosen.inside])
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    chosen.out.write_text(json.dumps(bill, indent=1) + "\n")


if __name__ == "__main__":
    main()
