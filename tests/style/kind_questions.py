"""Counts the expressions of `bascule.pandas` that ask for the kind of a column: `python tests/style/kind_questions.py [-v]`."""

import ast
import sys
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "python" / "bascule" / "pandas"
COLUMNS = {
    "AnyColumn", "Categories", "Codes", "Column", "ForeignColumn", "HostColumn", "Numbered", "OnDevice", "Timestamps", "Written",
}  # fmt: skip
DTYPES = {
    "BaseMaskedDtype", "Categorical", "CategoricalDtype", "DatetimeTZDtype", "IntervalDtype", "PeriodDtype", "SparseDtype",
    "StringDtype", "_MASKED", "MASKED",
}  # fmt: skip
FUNCTIONS = {
    "is_categories",
    "is_numeric",
    "is_plain",
    "is_zoned",
    "is_bool_dtype",
    "is_numeric_dtype",
    "is_string_dtype",
}
ATTRIBUTES = {"is_masked", "is_text", "kind", "letter"}


def _names(node: ast.AST) -> set[str]:
    """The last names of a class or a tuple of classes."""
    if isinstance(node, (ast.Tuple, ast.BinOp)):
        parts = node.elts if isinstance(node, ast.Tuple) else (node.left, node.right)
        return set().union(*(_names(e) for e in parts))
    if isinstance(node, ast.Starred):
        return _names(node.value)
    if isinstance(node, ast.Attribute):
        return {"np.dtype"} if ast.unparse(node) in ("np.dtype", "numpy.dtype") else {node.attr}
    return {node.id} if isinstance(node, ast.Name) else set()


def is_question(node: ast.AST) -> bool:
    """Whether an expression asks for the kind of a column or of its dtype."""
    if isinstance(node, ast.Attribute):
        of_a_parameter = node.attr == "kind" and ast.unparse(node.value) == "p"  # of inspect's signatures
        return node.attr in ATTRIBUTES and not of_a_parameter
    if not isinstance(node, ast.Call):
        return False
    called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if called in FUNCTIONS:
        return True
    return called == "isinstance" and bool(_names(node.args[1]) & (COLUMNS | DTYPES | {"np.dtype"}))


def kind_questions() -> Counter[str]:
    """How many such questions each module asks."""
    asked: Counter[str] = Counter()
    for path in sorted(PACKAGE.rglob("*.py")):
        found = sum(map(is_question, ast.walk(ast.parse(path.read_text()))))
        if found:
            asked[path.relative_to(PACKAGE).as_posix()] = found
    return asked


def _print_positions() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text()
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if is_question(node):
                print(f"{path.relative_to(PACKAGE)}:{node.lineno}: {lines[node.lineno - 1].strip()}")


if __name__ == "__main__":
    if "-v" in sys.argv:
        _print_positions()
    else:
        for module, count in kind_questions().most_common():
            print(f"{count:5} {module}")
        print(f"{kind_questions().total():5} in {len(kind_questions())} modules")
