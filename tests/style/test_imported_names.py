"""Every name that a module imports from another of the package is defined there, also in modules that few programs import."""

import ast
from functools import cache
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[2] / "python"
FILES = sorted((PYTHON / "bascule").rglob("*.py"))


def is_known(package: Path, name: str) -> bool:
    """Whether a name is a module of a package, or defined in its file; a file that defines `__getattr__` may have any name."""
    if (package / f"{name}.py").exists() or (package / name).is_dir() or list(package.glob(f"{name}.pyi")):
        return True
    file = package / "__init__.py" if package.is_dir() else package.with_suffix(".py")
    if not file.exists():
        return file.with_suffix(".pyi").exists()  # of C++
    found = defined(file)
    return name in found or "__getattr__" in found or "*" in found


@cache
def defined(file: Path) -> set[str]:
    """Names that any statement of a module assigns at any depth outside functions and classes."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(ast.parse(file.read_text()).body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            found.update((x.asname or x.name).split(".")[0] for x in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Global):
            found.update(node.names)
        waiting.extend(ast.iter_child_nodes(node))
    return found


def target(file: Path, node: ast.ImportFrom) -> Path | None:
    """The module that a statement imports from, without its suffix; None of other packages."""
    parts = node.module.split(".") if node.module else []
    if node.level:
        return file.parents[node.level - 1].joinpath(*parts)
    return PYTHON.joinpath(*parts) if parts[0] == "bascule" else None


def unknown(file: Path) -> list[str]:
    """The imports of a module that would fail."""
    found = []
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and (module := target(file, node)):
            names = (x.name for x in node.names if x.name != "*")
            found += [
                f"{file.relative_to(PYTHON)}:{node.lineno}: {name}" for name in names if not is_known(module, name)
            ]
    return found


def test_imported_names_are_defined():
    assert len(FILES) > 300
    assert [x for file in FILES for x in unknown(file)] == []


def test_a_name_that_is_gone_is_found(tmp_path):
    (tmp_path / "there.py").write_text("if True:\n    kept = 1\ndef f():\n    inner = 1\n")
    file = tmp_path / "here.py"
    file.write_text("from .there import f, gone, inner, kept\n")
    node = ast.parse(file.read_text()).body[0]
    assert [x.name for x in node.names if not is_known(target(file, node), x.name)] == ["gone", "inner"]
