"""The bill of materials of a wheel lists its contents and the packages that pip installs with it."""

import importlib.util
import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "cmake/write_sbom.py"


def test_it_is_cyclonedx_with_every_dependency(tmp_path):
    out = tmp_path / "sboms/bascule.cdx.json"
    inside = ["--inside", "libstdc++", "12.2.0", "GPL-3.0-only WITH GCC-exception-3.1"]
    subprocess.run([sys.executable, SCRIPT, ROOT / "pyproject.toml", out, *inside], check=True)
    bill, project = json.loads(out.read_text()), tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (bill["bomFormat"], bill["metadata"]["component"]["version"]) == ("CycloneDX", project["version"])
    parts = {c["bom-ref"]: c for c in bill["components"]}
    assert parts["inside:libstdc++"]["version"] == "12.2.0"
    asked = {p["value"] for c in bill["components"] for p in c["properties"] if p["name"] == "bascule:requirement"}
    assert {"numpy", "scipy-openblas32"} <= {c["name"] for c in parts.values() if c["scope"] == "required"}
    assert ">=2.1,<3" in asked and ">=3.0,<4" in asked
    assert all(c["scope"] == "optional" for ref, c in parts.items() if ref.endswith(":pandas"))
    assert not {"pytest", "ruff", "sphinx"} & {c["name"] for c in parts.values()}  # needed to build, not to use
    refs = {"bascule", *parts}
    assert all(d["ref"] in refs and set(d["dependsOn"]) <= refs for d in bill["dependencies"])
    assert len(parts) == len(bill["components"])


def test_requirements_are_taken_apart():
    spec = importlib.util.spec_from_file_location("write_sbom", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.alongside("dask[array,dataframe]>=2026.7,<2027", "dask")
    assert found["name"] == "dask" and found["purl"] == "pkg:pypi/dask"
    assert {"name": "bascule:requirement", "value": ">=2026.7,<2027"} in found["properties"]
