"""The conda recipe renders for each Python, and has the requirements of pyproject.toml."""

import re
import tomllib
from pathlib import Path

import bascule as bc
import pytest
import rattler_build

ROOT = Path(__file__).resolve().parents[3]
RECIPE, VARIANTS = ROOT / "conda-recipe/recipe.yaml", ROOT / "conda-recipe/variants.yaml"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def rendered(recipe=RECIPE):
    variants = rattler_build.VariantConfig.from_file(str(VARIANTS))
    return [
        (dict(r.variant), r.recipe.to_dict())
        for r in rattler_build.Stage0Recipe.from_file(str(recipe)).render(variants)
    ]


@pytest.fixture(scope="module")
def packages():
    return rendered()


def conda_form(requirement):
    """A requirement of pip in conda's syntax."""
    name, _, wanted = re.match(r"([\w-]+)(\[[\w,]+\])?(.*)", requirement).groups()
    return f"{name} {wanted}".strip()


def test_one_package_for_each_supported_python(packages):
    supported = [c.rpartition(" ")[2] for c in PROJECT["project"]["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert [variant["python"] for variant, _ in packages] == supported
    strings = [package["build"]["string"] for _, package in packages]
    assert len(set(strings)) == len(strings)


def test_it_asks_for_what_pip_asks_for(packages):
    project = PROJECT["project"]
    run = ["python", *map(conda_form, project["dependencies"])]
    extras = project["optional-dependencies"]
    optional = {conda_form(r) for extra in ("pandas", "dask") for r in extras[extra] if " " in conda_form(r)}
    for _, package in packages:
        wanted = package["requirements"]
        assert wanted["run"] == run
        assert optional <= set(wanted["run_constraints"])
        assert "__cuda >=12.4" in wanted["run_constraints"]
        assert set(map(conda_form, PROJECT["build-system"]["requires"])) <= set(wanted["host"])


def test_name_version_licence_and_command(packages):
    project = PROJECT["project"]
    for _, package in packages:
        assert package["package"] == {"name": project["name"], "version": bc.__version__}
        assert package["about"]["license"] == project["license"]
        commands = [f"{name} = {target}" for name, target in project["scripts"].items()]
        assert str(commands[0].partition(" = ")[2]) in str(package["build"])


def test_a_misspelt_key_is_seen(tmp_path):
    wrong = tmp_path / "recipe.yaml"
    wrong.write_text(RECIPE.read_text().replace("requirements:", "requirments:"))
    with pytest.raises(Exception, match="requirments"):
        rendered(wrong)
