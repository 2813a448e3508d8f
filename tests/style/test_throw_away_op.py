"""A new element-wise op touches one file: a throw-away op added to a copy of the tree is found by name, runs, and is embedded for CUDA."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-ffp-contract=off", "-fno-math-errno"]

OP = """
struct throw_away {
    static constexpr spec meta{.name = "throw_away", .nin = 2, .types = types::floats, .doc = "Return 3 * x1 - x2."};
    template <class T> BASCULE_HD T operator()(T a, T b) const { return T(3) * a - b; }
};

"""

PROGRAM = r"""
#include <cstdio>

#include "bascule/core/backend.hpp"
#include "bascule/ops/table.hpp"

using namespace bascule;

int main() {
    int const number = ops::find("throw_away");
    if (number < 0) return std::puts("not in the table"), 1;
    double a[] = {1, 2, 3}, b[] = {0.5, 0.25, 8}, out[3] = {};
    std::int64_t const shape[] = {3}, strides[] = {8};
    plan_operand const operands[] = {{a, strides, type_id::float64}, {b, strides, type_id::float64}};
    plan_value values[3] = {{.kind = value_kind::load, .operand = 0}, {.kind = value_kind::load, .operand = 1}, {.nargs = 2, .args = {0, 1}}};
    values[2].op = static_cast<std::uint16_t>(number);
    plan_store const store{2, {out, strides, type_id::float64}};
    plan p;
    p.ndim = 1, p.shape = shape, p.operands = operands, p.noperands = 2, p.values = values, p.nvalues = 3, p.stores = &store, p.nstores = 1;
    if (reference_backend()->run(0, &p, nullptr) != status::ok) return std::puts(reference_backend()->last_error()), 1;
    std::printf("%g %g %g\n", out[0], out[1], out[2]);
}
"""


def add_op(header: Path) -> None:
    text = header.read_text()
    family = re.search(r"using \w+_ops = op_list<[^;]*?>;", text)
    assert family, f"{header.name}: expected a family list, using <family>_ops = op_list<...>;"
    listed = family.group(0).replace(">;", ", throw_away>;")
    header.write_text(text[: family.start()] + OP.lstrip() + listed + text[family.end() :])


def run(*command: str | Path) -> str:
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None or shutil.which("cmake") is None, reason="needs g++ and cmake")
def test_a_new_op_touches_one_file(tmp_path: Path) -> None:
    cpp = tmp_path / "cpp"
    shutil.copytree(ROOT / "cpp" / "include", cpp / "include")
    shutil.copytree(ROOT / "cpp" / "backend" / "reference", cpp / "backend" / "reference")
    add_op(cpp / "include" / "bascule" / "ops" / "bitwise.hpp")

    program = tmp_path / "program.cpp"
    program.write_text(PROGRAM)
    sources = sorted((cpp / "backend" / "reference").glob("*.cpp"))
    run("g++", *FLAGS, "-I", cpp / "include", "-I", cpp, program, *sources, "-o", tmp_path / "program")
    assert run(tmp_path / "program").split() == ["2.5", "5.75", "1"]

    headers = [cpp / "include/bascule/core/host_device.hpp", cpp / "include/bascule/core/dtype.hpp"]
    headers += sorted((cpp / "include" / "bascule" / "ops").glob("*.hpp"))
    embedded = tmp_path / "embedded.inc"
    files = ";".join(str(h) for h in headers)
    run("cmake", f"-DOUT={embedded}", f"-DROOT={cpp}", f"-DFILES={files}", "-P", ROOT / "cmake" / "embed.cmake")
    assert "struct throw_away" in embedded.read_text()
    assert re.search(r"op_list<[^;]*throw_away>", embedded.read_text())
