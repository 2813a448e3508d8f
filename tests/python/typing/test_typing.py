"""The annotations: checkers accept typical programs, and every form of a function has its parameters."""

import ast
import importlib
import importlib.util
import inspect
import itertools
import subprocess
import sys
from pathlib import Path

import bascule as bc
import numpy as np
import pytest
from stub_signatures import BUILT, compared, decorators, definitions, signature_of

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "python/bascule"
FRAMES = sorted((PACKAGE / "pandas").rglob("*.pyi"))  # test_pandas_types.py has their members
STUBS = sorted(set(PACKAGE.rglob("*.pyi")) - set(FRAMES) - {PACKAGE / name for name, _ in BUILT})
SOURCES = sorted(p for p in PACKAGE.rglob("*.py") if "@overload" in p.read_text())
_OTHER_FORM = {
    ("ndarray", "__ipow__"): "mypy wants __pow__'s parameters",
    **{
        ("bascule.lib.manipulation.joining", f"atleast_{k}d"): "one array gives an array, several a tuple"
        for k in (1, 2, 3)
    },
    ("bascule.lib.creation.ranges", "arange"): "NumPy's C code reads its arguments by their number",
}


def module_of(file: Path) -> str:
    parts = ("bascule", *file.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(p for p in parts if p != "__init__")


def test_only_what_has_no_plain_source_has_a_stub():
    """The core is C++, the namespace imports most of its modules lazily, and frames get many of their members late."""
    assert [s.relative_to(PACKAGE).as_posix() for s in STUBS] == ["__init__.pyi", "_core.pyi"]
    assert {s.parent.relative_to(PACKAGE).as_posix() for s in FRAMES} == {"pandas", "pandas/api", "pandas/_types"}


@pytest.mark.parametrize(("file", "text"), [("_core.pyi", "stub"), ("lazy_names.py", "lazy")])
def test_generated_files_are_what_would_be_written(file, text):
    """After adding a function or a method the script has to be run."""
    found = importlib.util.spec_from_file_location("write_generated", ROOT / "python/stubs/write_generated.py")
    script = importlib.util.module_from_spec(found)
    found.loader.exec_module(script)
    assert ast.dump(ast.parse((PACKAGE / file).read_text())) == ast.dump(ast.parse(getattr(script, text)()))


def test_typical_uses(mypy):
    code, said = mypy(Path(__file__).with_name("uses.py"))
    assert code == 0 and "Success" in said, said


def test_typical_uses_as_pyright_sees_them(pyright):
    code, said = pyright(Path(__file__).with_name("uses.py"))
    assert code == 0, said


def test_the_checker_sees_types_and_not_any(mypy, tmp_path):
    """If mypy cannot find a stub, everything becomes Any, and every use passes."""
    file = tmp_path / "mistakes.py"
    file.write_text(
        "import bascule as bc\nx: str = bc.sin(bc.ones(3)) + 1\ny: str = bc.special.ndtri([0.5])\n"
        "z: str = bc.ravel([1]) + bc.where([True], 1, 2)\nbc.zeross\nbc.linalg.svdd\nbc.lib.nothing\n"
        "bc.random.nrmal\n"
    )
    code, said = mypy(file)
    assert code == 1 and [line.rpartition("[")[2] for line in said.splitlines()[:7]] == [
        *["assignment]"] * 3, *["attr-defined]"] * 4,
    ]  # fmt: skip


@pytest.mark.parametrize("checker", ["mypy", "basedpyright"])
def test_the_environment_that_runs_has_the_types_of_ufuncs(checker, tmp_path):
    """As a user starts it, with no path to the package: they are there after an editable installation, too."""
    pytest.importorskip(checker, reason=f"{checker} is not installed")
    file = tmp_path / "mistakes.py"
    file.write_text("import bascule as bc\nx: str = bc.sin(bc.ones(3))\ny: str = bc.special.ndtri([0.5])\n")
    python = [sys.executable, "-m", checker]
    options = ["--config-file=", f"--cache-dir={tmp_path}"] if checker == "mypy" else ["--pythonpath", sys.executable]
    done = subprocess.run([*python, *options, file], capture_output=True, text=True, timeout=280, cwd=tmp_path)
    errors = [line for line in done.stdout.splitlines() if "error:" in line or " - error" in line]
    assert len(errors) == 2 and all("ndarray" in e and "str" in e for e in errors), done.stdout + done.stderr


def test_the_stubs_are_without_errors(mypy):
    names = [module_of(s) for s in (*STUBS, *FRAMES)] + [
        "bascule." + name.removesuffix(".pyi").replace("/", ".") for name, _ in BUILT
    ]
    code, said = mypy(*itertools.chain.from_iterable(("-m", n) for n in names))
    assert code == 0, said


def test_every_public_name_has_a_type(mypy, tmp_path):
    modules = ("", "linalg.", "fft.", "random.", "special.", "lib.", "lib.stride_tricks.", "emath.")
    named = [
        f"bc.{m}{n}"
        for m in modules
        for n in importlib.import_module(f"bascule.{m.replace('emath', 'lib.scimath')}".strip(".")).__all__
        if n != "row_stack"  # NumPy 2.5 has removed it, and so have the stubs
    ]
    numpys = [f"bc.{n}" for n in np.__all__ if hasattr(bc, n) and n not in bc.__all__]
    beyond = set(bc.__all__) - set(np.__all__) - {"__array_api_version__", "FallbackWarning"}
    assert beyond == set(
        "accelerate config coverage device erf erfc evaluate explain fallbacks fastmath get_num_threads profile set_num_threads stencil "
        "synchronize trim".split()
    )
    assert len(named) > 550 and len(numpys) > 50
    file = tmp_path / "names.py"
    file.write_text("import bascule as bc\n" + "".join(f"{n}\n" for n in [*named, *numpys]))
    code, said = mypy(file)
    assert code == 0, said


# ---- names and parameters


def forms_of(file, owned):
    """{name: forms that a checker sees} of functions: all of them in a stub, and overloads in a source."""
    if file.suffix == ".pyi":
        return owned
    overloads = {name: [f for f in forms if "overload" in decorators(f)] for name, forms in owned.items()}
    return {name: forms for name, forms in overloads.items() if forms}


@pytest.mark.parametrize("file", [*STUBS, *SOURCES], ids=module_of)
def test_the_forms_of_a_function_are_what_is_there(file):
    name = module_of(file)
    module = importlib.import_module(name)
    functions, classes = definitions(ast.parse(file.read_text()).body)
    wrong, seen = {}, 0
    for owner, owned, there in [
        (name, functions, module),
        *((c.name, definitions(c.body)[0], None) for c in classes.values()),
    ]:
        there = getattr(module, owner, None) if there is None else there
        if there is None:
            assert owner.startswith("_"), f"{name} has no {owner}"  # a parameter that only the stub names
            continue
        for function, forms in forms_of(file, owned).items():
            seen += 1
            if function == "__getattr__" or (owner, function) in _OTHER_FORM:
                continue
            if not hasattr(there, function):
                wrong[owner, function] = "is not there"
            elif "property" not in decorators(forms[0]):
                signature = signature_of(getattr(there, function))
                bound = decorators(forms[0]) == ["classmethod"]
                found = [] if signature is None or bound else compared(forms, signature)
                wrong |= {(owner, function): found} if found else {}
    assert wrong == {} and (seen or name in ("bascule", "bascule._array.types"))


@pytest.mark.parametrize(
    ("file", "cls"),
    [("_core.pyi", bc.ndarray), ("_core.pyi", bc.ufunc), ("random/_random_state.py", bc.random.RandomState)],
    ids=["ndarray", "ufunc", "RandomState"],
)
def test_classes_made_by_functions_have_all_their_members_declared(file, cls):
    node = definitions(ast.parse((PACKAGE / file).read_text()).body)[1][cls.__name__]
    named = set(definitions(node.body)[0])
    named |= {n.target.id for n in node.body if isinstance(n, ast.AnnAssign)}
    missing = {n for n in dir(cls) if not n.startswith("_")} - named
    dunders = {n for n in dir(cls) if n.startswith("__") and n.endswith("__") and cls is bc.ndarray} & set(
        dir(np.ndarray)
    )
    assert missing == set()
    assert dunders - named - set(dir(object)) == ({"__delitem__"} if cls is bc.ndarray else set())


def test_every_other_form_is_one():
    parsed = {}
    for file in [*STUBS, *SOURCES]:
        functions, classes = definitions(ast.parse(file.read_text()).body)
        parsed[module_of(file)] = forms_of(file, functions)
        parsed |= {c.name: forms_of(file, definitions(c.body)[0]) for c in classes.values()}
    for owner, function in _OTHER_FORM:
        thing = getattr(importlib.import_module(owner) if owner in sys.modules else getattr(bc, owner), function)
        assert compared(parsed[owner][function], inspect.signature(thing)), (owner, function)
