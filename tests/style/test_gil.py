"""While the GIL is given up no object of Python's is made or counted."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GIVEN_UP = re.compile(r"^\s*(?:python::)?without_gil const \w+\(")
COUNTS = re.compile(
    r"py::(?:none|cast|int_|float_|str|list|dict|tuple|make_tuple|reinterpret_borrow|object)\b|Py_(?:New|X)?(?:REF|Ref)|Py_\w*(?:INC|DEC)REF"
)


def counted_without_gil(text: str) -> list[str]:
    """Lines that count references within the block in which the GIL is given up."""
    found, depth, ends = [], 0, None
    for line in text.splitlines():
        code = line.split("//")[0]
        if ends is not None and COUNTS.search(code):
            found.append(line.strip())
        depth += code.count("{") - code.count("}")
        if ends is not None and depth < ends:
            ends = None
        if ends is None and GIVEN_UP.match(code):
            ends = depth
    return found


def test_blocks_without_the_gil():
    found = {p.name: counted_without_gil(p.read_text()) for p in sorted((ROOT / "python/bindings").glob("*.cpp"))}
    assert not {name: lines for name, lines in found.items() if lines}


def test_the_rule_sees_what_is_counted():
    block = "{\n    without_gil const released(true);\n    work();\n    return py::none();\n}\nreturn py::none();\n"
    assert counted_without_gil(block) == ["return py::none();"]
