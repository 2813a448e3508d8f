"""The workflows of .github: each step is a make target that exists, an installation of packages, or a pinned action."""

import base64
import email
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
TARGETS = set(re.findall(r"(?m)^([a-z][\w-]*):(?!=)", (ROOT / "Makefile").read_text()))
APT = r"sudo apt-get update && sudo apt-get install -y [a-z0-9+ -]+"


def steps(path):
    return [s for job in yaml.safe_load(path.read_text())["jobs"].values() for s in job["steps"]]


def test_there_is_one_for_each_purpose():
    assert {p.stem for p in WORKFLOWS} == {"docs", "test", "wheels"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.stem)
def test_every_step_is_a_make_target(path):
    assert steps(path)[0]["uses"].startswith("actions/checkout@")
    for step in steps(path):
        if "uses" in step:
            assert re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"])
        elif not re.fullmatch(APT, step["run"]):
            said, *targets = step["run"].split()
            assert said == "make" and targets and set(targets) <= TARGETS, step["run"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.stem)
def test_a_workflow_may_only_read_unless_it_says_so(path):
    made = yaml.safe_load(path.read_text())
    assert made["permissions"] == {"contents": "read"}
    assert True in made or "on" in made  # YAML reads `on` as a boolean


def test_pythons_are_those_that_are_supported():
    supported = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    for name, job in (("test", "test"), ("wheels", "wheel")):
        made = yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text())
        assert made["jobs"][job]["strategy"]["matrix"]["python"] == supported


def module(path):
    loader = importlib.machinery.SourceFileLoader(path.stem, str(path))
    made = importlib.util.module_from_spec(importlib.util.spec_from_loader(path.stem, loader))
    loader.exec_module(made)
    return made


METADATA = """Metadata-Version: 2.2
Name: bascule
Version: 1

![picture](docs/speed.svg)
[a page](docs/tour.md#frames), [elsewhere](https://example.org/), [below](#limits)
"""


@pytest.fixture
def dist(tmp_path):
    """Stands for dist/ after make wheel-check and make sdist."""
    (tmp_path / "repaired").mkdir()
    for tag in ("cp311", "cp312"):
        with zipfile.ZipFile(tmp_path / f"repaired/bascule-1-{tag}.whl", "w") as wheel:
            wheel.writestr("bascule-1.dist-info/sboms/bascule.cdx.json", json.dumps({"bomFormat": "CycloneDX"}))
            wheel.writestr("bascule-1.dist-info/METADATA", METADATA)
            wheel.writestr("bascule-1.dist-info/RECORD", "bascule-1.dist-info/METADATA,sha256=old,1\n")
    (tmp_path / "PKG-INFO").write_text(METADATA)
    with tarfile.open(tmp_path / "bascule-1.tar.gz", "w:gz") as sources:
        sources.add(tmp_path / "PKG-INFO", "bascule-1/PKG-INFO")
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks/01.ipynb").write_text("{}")
    return tmp_path


def release(dist, **known):
    command = [sys.executable, ROOT / ".ci/release", "--dist", dist, "--notebooks", dist / "notebooks"]
    names = ("BASCULE_REPOSITORY", "BASCULE_DOCS_SITE", "GITHUB_REPOSITORY", "GITHUB_SERVER_URL")
    env = {k: v for k, v in os.environ.items() if k not in names}
    return subprocess.run(command, capture_output=True, text=True, env=env | known)


def test_a_release_has_wheels_bills_and_checksums(dist):
    done = release(dist)
    assert done.returncode == 0, done.stderr
    names = {p.name for p in (dist / "release").iterdir()}
    assert names == {
        "bascule-1-cp311.whl",
        "bascule-1-cp312.whl",
        "bascule-1.tar.gz",
        "01.ipynb",
        "bascule.cdx.json",
        "SHA256SUMS",
    }
    for line in (dist / "release/SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((dist / "release" / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize(
    "known",
    [
        {"BASCULE_REPOSITORY": "https://example.org/a/b/"},
        {"GITHUB_REPOSITORY": "a/b", "GITHUB_SERVER_URL": "https://example.org"},
    ],
    ids=["said", "in a workflow"],
)
def test_packages_name_the_repository_where_it_is_known(dist, known):
    assert "missing: BASCULE_REPOSITORY" in release(dist).stderr
    done = release(dist, BASCULE_DOCS_SITE="https://example.org/pages", **known)
    assert done.returncode == 0 and not done.stderr
    with zipfile.ZipFile(dist / "release/bascule-1-cp311.whl") as wheel:
        metadata, record = (wheel.read(f"bascule-1.dist-info/{name}") for name in ("METADATA", "RECORD"))
        assert len(wheel.namelist()) == len(set(wheel.namelist())) == 3
    with tarfile.open(dist / "release/bascule-1.tar.gz") as sources:
        assert sources.extractfile("bascule-1/PKG-INFO").read() == metadata
    digest = base64.urlsafe_b64encode(hashlib.sha256(metadata).digest()).decode().rstrip("=")
    assert record.decode() == f"bascule-1.dist-info/METADATA,sha256={digest},{len(metadata)}\n"
    head = email.message_from_bytes(metadata)
    assert head.get_all("Project-URL") == [
        "Source, https://example.org/a/b",
        "Issues, https://example.org/a/b/issues",
        "Changelog, https://example.org/a/b/blob/v1/CHANGELOG.md",
        "Documentation, https://example.org/pages",
    ]
    assert head.get_payload().splitlines() == [
        "![picture](https://example.org/a/b/raw/v1/docs/speed.svg)",
        "[a page](https://example.org/a/b/blob/v1/docs/tour.md#frames), [elsewhere](https://example.org/), [below](#limits)",
    ]


def test_a_release_without_its_parts_is_refused(dist):
    with zipfile.ZipFile(dist / "repaired/bascule-1-cp313.whl", "w") as wheel:
        wheel.writestr("bascule/__init__.py", "")
    assert "missing: the bill of materials of bascule-1-cp313.whl" in release(dist).stderr
    (dist / "bascule-1.tar.gz").unlink()
    assert "missing: repaired wheels and a source distribution" in release(dist).stderr


def test_versions_of_the_pages_stand_in_one_site(tmp_path):
    versions = module(ROOT / "docs/_ext/versions.py")
    html, site = tmp_path / "html", tmp_path / "site"
    html.mkdir()
    (html / "index.html").write_text("pages")
    for version in ("0.9.0", "0.10.0", "dev"):
        found = versions.add(html, site, version)
    assert found == ["0.10.0", "0.9.0", "dev"]
    listed = json.loads((site / "switcher.json").read_text())
    assert [e["version"] for e in listed if e["preferred"]] == ["0.10.0"] and listed[0]["name"] == "0.10.0 (stable)"
    assert "0.10.0/index.html" in (site / "index.html").read_text()
    assert versions.add(html, site, "dev") == found
