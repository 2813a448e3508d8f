"""A new element-wise op touches one file: an op added to a copied tree appears everywhere that uses the op table."""

import ast
import re
import shutil
import sys
from pathlib import Path

import pytest
from bascule._array import ufuncs
from copied_tree import compiled, copied_tree, module_of, run
from ufunc_cases import cases

FAMILY = Path("cpp/include/bascule/ops/special.hpp")
OP = """
struct throw_away {
    static constexpr spec meta{.name = "throw_away", .aliases = "thrown_away", .nin = 2, .types = types::floats, .doc = "Return 3 * x1 - x2."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return T(3) * a - b; }
};

"""
# The library's own sources around the table, as a module: rows for Python, the family's kernels, two devices' code for
# the op.
MODULE = r"""
#include <pybind11/stl.h>

#include "backend/cpu/kernels/parts.hpp"
#include "backend/cuda/codegen/op_catalog.hpp"
#include "bascule/core/backend.hpp"
#include "support/op_catalogue.hpp"

namespace py = pybind11;
using namespace bascule;
using numbers = std::vector<double>;

namespace bascule::python { py::list op_table_rows(); }

namespace {

int const number = ops::find("throw_away");

numbers on_cpu(numbers const& a, numbers const& b) {
    static cpu::kernel_table kernels;
    cpu::isa_baseline::fill_special(kernels);
    numbers out(a.size());
    kernels.op[number][static_cast<int>(type_id::float64)][cpu::vv](out.data(), a.data(), b.data(), nullptr, a.size());
    return out;
}

numbers on_reference(numbers a, numbers b) {
    numbers out(a.size());
    std::int64_t const shape[] = {static_cast<std::int64_t>(a.size())}, strides[] = {8};
    plan_operand const operands[] = {{a.data(), strides, type_id::float64}, {b.data(), strides, type_id::float64}};
    plan_value values[3] = {{.kind = value_kind::load, .operand = 0}, {.kind = value_kind::load, .operand = 1}, {.nargs = 2, .args = {0, 1}}};
    values[2].op = static_cast<std::uint16_t>(number);
    plan_store const store{2, {out.data(), strides, type_id::float64}};
    plan p;
    p.ndim = 1, p.shape = shape, p.operands = operands, p.noperands = 2, p.values = values, p.nvalues = 3, p.stores = &store, p.nstores = 1;
    if (reference_backend()->run(0, &p, nullptr) != status::ok) throw std::runtime_error(reference_backend()->last_error());
    return out;
}

std::string cuda_text() {
    std::string const args[] = {"a", "b"};
    return cuda::call_text(*cuda::find_op(number), type_id::float64, args, 2);
}

// Element types with which random plans draw the op.
std::vector<int> drawn_types() {
    std::vector<int> types;
    for (auto const& op : testing::catalogue().ops)
        if (op.number == number)
            for (auto const& loop : op.loops) types.push_back(static_cast<int>(loop.type));
    return types;
}

}  // namespace

PYBIND11_MODULE(parts, m) {
    m.def("op_table", &python::op_table_rows);
    m.def("on_cpu", &on_cpu);
    m.def("on_reference", &on_reference);
    m.def("cuda_text", &cuda_text);
    m.def("drawn_types", &drawn_types);
}
"""


def add_op(header: Path) -> None:
    text = header.read_text()
    family = re.search(r"using \w+_ops = op_list<[^;]*?>;", text)
    assert family, f"{header.name}: expected a family list, using <family>_ops = op_list<...>;"
    listed = family.group(0).replace(">;", ", throw_away>;")
    header.write_text(text[: family.start()] + OP.lstrip() + listed + text[family.end() :])


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the sources with one more op in one file."""
    add_op(copied_tree(tmp_path) / FAMILY)
    return tmp_path


def parts_of(tree: Path):
    """The module of MODULE, built from the tree."""
    sources = [
        "python/bindings/op_table.cpp",
        "cpp/src/array/semantics/promote.cpp",
        "cpp/backend/cuda/codegen/op_catalog.cpp",
    ]
    return module_of(tree, MODULE, sources, ["cpp/backend/cpu/kernels/elementwise/special.cpp"])


def names_in_stub(text: str) -> dict[str, str]:
    """Annotated names of a stub, with the docstrings below them."""
    body = ast.parse(text).body
    return {
        a.target.id: b.value.value
        for a, b in zip(body, body[1:])
        if isinstance(a, ast.AnnAssign) and isinstance(b, ast.Expr)
    }


def test_a_new_op_touches_one_file(tree):
    parts = parts_of(tree)
    table = parts.op_table()
    row = next(r for r in table if r["name"] == "throw_away")
    assert row["has_ufunc"] and row["nin"] == 2
    assert ("float16", "float16") in row["types"] and ("float64", "float64") in row["types"]

    doc = ufuncs._docstring(row)
    assert doc.startswith("throw_away(x1, x2, /, out=None") and "Return 3 * x1 - x2." in doc
    assert "bc.throw_away(bc.ones(3, dtype=bc.float64), bc.ones(3, dtype=bc.float64))" in doc

    drawn = [case.id for case in cases(table)]
    assert [i for i in drawn if "throw_away" in i] == ["throw_away-float16", "throw_away-float32", "throw_away-float64"]
    assert len(parts.drawn_types()) == 2  # float16 computes in float32

    a, b = [1.0, 2.0, 3.0], [0.5, 0.25, 8.0]
    assert parts.on_cpu(a, b) == parts.on_reference(a, b) == [2.5, 5.75, 1.0]
    assert parts.cuda_text() == "bascule::ops::throw_away{}(a, b)"


def test_cuda_text_and_stub_have_the_new_op(tree):
    headers = ["core/host_device.hpp", "core/dtype.hpp", FAMILY.relative_to("cpp/include/bascule")]
    files = ";".join(str(tree / "cpp/include/bascule" / h) for h in headers)
    run(
        "cmake",
        f"-DOUT={tree}/embedded.inc",
        f"-DROOT={tree}/cpp",
        f"-DFILES={files}",
        "-P",
        tree / "cmake/embed.cmake",
    )
    embedded = (tree / "embedded.inc").read_text()
    assert "struct throw_away" in embedded
    assert re.search(r"op_list<[^;]*throw_away>", embedded)

    run("g++", compiled(tree, Path("python/stubs/write_ufuncs.cpp")), "-o", tree / "write_ufuncs")
    run(tree / "write_ufuncs", tree / "ufuncs.pyi")
    stub = names_in_stub((tree / "ufuncs.pyi").read_text())
    assert stub.pop("throw_away") == stub.pop("thrown_away") == "Return 3 * x1 - x2."
    assert stub == {name: next(r["doc"] for r in ufuncs.table if r["ufunc"] is u) for name, u in ufuncs.by_name.items()}


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_library_built_with_a_new_op_has_its_ufunc_and_passes_its_cases(tree):
    """Builds the whole extension, with all instruction sets: minutes, as nearly every kernel includes the table."""
    found = run(sys.executable, "-m", "pybind11", "--cmakedir").strip()
    place = {"CCACHE_BASEDIR": str(tree), "CCACHE_NOHASHDIR": "1"}
    defined = ["-DBASCULE_PYTHON=ON", f"-Dpybind11_DIR={found}", f"-DPython_EXECUTABLE={sys.executable}"]
    build = tree / "build" / "full"  # as deep as other builds: ccache identifies sources by their relative paths
    run("cmake", "-S", tree, "-B", build, "-G", "Ninja", *defined, **place)
    run("cmake", "--build", build, "--target", "_core", "bascule_stubs", **place)
    shutil.copy(next((build / "python").glob("_core*.so")), tree / "python/bascule")
    program = "import bascule as bc; print(float(bc.throw_away(2.0, 5.0)), bc.thrown_away is bc.throw_away, 'throw_away' in dir(bc))"
    assert run(sys.executable, "-c", program, PYTHONPATH=str(tree / "python")).split() == ["1.0", "True", "True"]
    tests = tree / "tests/python/array/test_ufuncs.py"
    said = run(
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        "throw_away",
        tests,
        PYTHONPATH=str(tree / "python"),
    )
    assert re.search(r"^3 passed", said, re.MULTILINE), said
