"""Which room may include which (cpp/README.md), read from the #include lines."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [
    p
    for d in ("cpp", "python/bindings")
    for p in sorted((ROOT / d).rglob("*"))
    if p.suffix in {".hpp", ".cpp", ".cuh", ".cu"}
]

CORE_FOR_OPS = {"core/dtype.hpp", "core/host_device.hpp"}
MAY_INCLUDE = {
    "core": {"core"},
    "ops": {"ops"},  # and CORE_FOR_OPS: an op must compile for the device
    "sched": {"core", "sched"},
    "array": {"core", "ops", "sched", "array"},
    "table": {"core", "ops", "sched", "array", "table"},
    "io": {"core", "ops", "sched", "array", "table", "io"},
    "backend/cpu": {"core", "ops", "sched"},
    "backend/cuda": {"core", "ops"},
    "backend/emulation": {"core"},
    "backend/reference": {"core", "ops"},
    "bindings": {"core", "ops", "sched", "array", "table", "io"},
}

# The rooms of the CPU device, from the lowest to the highest; files outside of them ("") are the device itself.
CPU = "backend/cpu/"
CPU_MAY_INCLUDE = {
    "common": set(),
    "dispatch": {"common"},
    "kernels": {"common", "dispatch"},
    "program": {"common", "dispatch"},
    "jit": {"common", "dispatch", "program"},
    "copy": {"common", "dispatch", "program"},
    "interpreter": {"common", "dispatch", "program", "copy", "jit"},
    "reduce": {"common", "dispatch", "program", "interpreter"},
    "rewrites": {"common", "dispatch", "program"},
    "engine": {"common", "dispatch", "program", "copy", "interpreter", "reduce", "rewrites"},
    "sort": {"common", "dispatch"},
    "algorithms": {"common", "dispatch", "program"},
    "linalg": {"common", "dispatch"},
    "strings": {"common"},
    "csv": {"common", "dispatch"},
    "tables": {"common", "sort"},
    "windows": {"common"},
}
CPU_MAY_INCLUDE[""] = set(CPU_MAY_INCLUDE)
# The rooms of the CUDA device, each of which may include those before it; kernels/ is text that is compiled at run time.
CUDA = "backend/cuda/"
CUDA_ROOMS = ("driver", "compiler", "device", "codegen", "launch", "libraries", "engine", "algorithms", "entry")
CUDA_MAY_INCLUDE = {room: set(CUDA_ROOMS[:i]) for i, room in enumerate(CUDA_ROOMS)} | {"kernels": set()}
# The rooms of the array's sources, in the same order.
ARRAY = "cpp/src/array/"
ARRAY_MAY_INCLUDE = {
    "semantics": set(),
    "graph": {"semantics"},
    "eager": {"semantics", "graph"},
    "plan": {"semantics", "graph", "eager"},
    "functions": {"semantics", "graph", "eager", "plan"},
}
# The sources that nvcc builds, and their only header that the device's own library includes.
ALGORITHMS = CUDA + "algorithms/thrust/"
ALGORITHMS_INTERFACE = ALGORITHMS + "library.hpp"
JIT_INTERFACE = CPU + "jit/jit.hpp"  # all that is seen of jit/ from outside
MOST_FILES = 40
MOST_FILES_OF_CUDA = 20


def room_of(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    if parts[0] == "python":
        return "bindings"
    if parts[1] == "backend":
        return "/".join(parts[1:3])
    return parts[3] if parts[1] == "include" else parts[2]


def includes(path: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', path.read_text(), re.MULTILINE)


def cpu_room(file: str) -> str:
    room, _, rest = file.removeprefix(CPU).partition("/")
    return room if rest else ""


def is_legal_inside_cpu(path: Path, name: str) -> bool:
    here, there = cpu_room(str(path.relative_to(ROOT / "cpp"))), cpu_room(name)
    return there == here or (there in CPU_MAY_INCLUDE.get(here, ()) and (there != "jit" or name == JIT_INTERFACE))


def is_legal_inside_cuda(path: Path, name: str) -> bool:
    here, there = (str(p).removeprefix(CUDA).partition("/")[0] for p in (path.relative_to(ROOT / "cpp"), name))
    return there == here or there in CUDA_MAY_INCLUDE.get(here, ())


def is_legal_inside(room: str, path: Path, name: str) -> bool:
    inside = {"backend/cpu": is_legal_inside_cpu, "backend/cuda": is_legal_inside_cuda}.get(room)
    return name.startswith(room + "/") and (inside is None or inside(path, name))


def violations(path: Path) -> list[str]:
    room, wrong = room_of(path), []
    by_nvcc = str(path.relative_to(ROOT)).startswith("cpp/" + ALGORITHMS)
    for name in includes(path):
        if name.startswith("backend/"):
            legal = is_legal_inside(room, path, name)
            if not by_nvcc and name.startswith(ALGORITHMS):
                legal = legal and name == ALGORITHMS_INTERFACE
        elif name.startswith("bascule/"):
            inner = name.removeprefix("bascule/")
            legal = inner.split("/")[0] in MAY_INCLUDE[room] or (room == "ops" and inner in CORE_FOR_OPS)
        else:
            foreign = name.startswith(("Python.h", "pybind11/", "numpy/"))
            nvidia = name.startswith(("cuda", "nvrtc.h", "thrust/", "cub/"))
            legal = room == "bindings" if foreign else by_nvcc or not nvidia
        if not legal:
            wrong.append(f"{path.relative_to(ROOT)} ({room}) includes {name}")
    return wrong


def array_violations(path: Path) -> list[str]:
    here, wrong = path.parent.name, []
    for name in includes(path):
        if not name.startswith("../"):
            continue
        there = name.removeprefix("../").partition("/")[0]
        if there not in ARRAY_MAY_INCLUDE[here]:
            wrong.append(f"{path.relative_to(ROOT)} includes {name}")
    return wrong


# The rooms of the array's public headers: those of the sources of the same name, and of headers without a source.
HEADER_ROOMS = {"array": "graph", "eager": "eager", "graph": "graph", "numpy_rules": "semantics", "wait": "graph"}
# Sources of a lower room that include a public header of a higher one. The list may only become shorter.
THROUGH_PUBLIC_HEADERS = {
    "cpp/src/array/eager/apply.cpp includes bascule/array/reduce.hpp",
    "cpp/src/array/plan/evaluate.cpp includes bascule/array/elementwise.hpp",
    "cpp/src/array/plan/selection.cpp includes bascule/array/elementwise.hpp",
    "cpp/src/array/semantics/promote.cpp includes bascule/array/errstate.hpp",
}


def header_rooms() -> dict[str, str]:
    sources = {p.stem: p.parent.name for p in (ROOT / ARRAY).rglob("*.cpp")}
    headers = {p.stem for p in (ROOT / "cpp/include/bascule/array").glob("*.hpp")}
    return {h: HEADER_ROOMS.get(h) or sources[h] for h in headers}


def public_header_violations(path: Path, rooms: dict[str, str]) -> list[str]:
    """Public headers of higher rooms that a source includes; what holds arrays, array.hpp and storage.hpp, is everybody's."""
    here = list(ARRAY_MAY_INCLUDE).index(path.parent.name)
    public = [name for name in includes(path) if name.startswith("bascule/array/") and path.suffix == ".cpp"]
    higher = [n for n in public if (h := Path(n).stem) not in ("array", "storage", path.stem) and h in rooms]
    order = list(ARRAY_MAY_INCLUDE)
    return [f"{path.relative_to(ROOT)} includes {n}" for n in higher if order.index(rooms[Path(n).stem]) > here]


def test_the_rooms_of_the_array_include_no_higher_public_header():
    paths = [p for p in SOURCES if str(p.relative_to(ROOT)).startswith(ARRAY)]
    rooms = header_rooms()
    assert {v for p in paths for v in public_header_violations(p, rooms)} == THROUGH_PUBLIC_HEADERS


def test_the_check_finds_a_higher_public_header(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    file = tmp_path / ARRAY / "graph/x.cpp"
    file.parent.mkdir(parents=True)
    file.write_text('#include "bascule/array/reduce.hpp"\n')
    assert len(public_header_violations(file, {"reduce": "functions"})) == 1


def test_the_rooms_of_the_array_include_only_what_they_may():
    paths = [p for p in SOURCES if str(p.relative_to(ROOT)).startswith(ARRAY)]
    assert {p.parent.name for p in paths} == set(ARRAY_MAY_INCLUDE)
    assert [v for p in paths for v in array_violations(p)] == []


def test_the_check_finds_a_wrong_include_among_the_array_rooms(tmp_path, monkeypatch):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    file = tmp_path / ARRAY / "graph/x.cpp"
    file.parent.mkdir(parents=True)
    file.write_text('#include "../plan/chain.hpp"\n')
    assert len(array_violations(file)) == 1


def test_rooms_include_only_what_they_may():
    assert [v for path in SOURCES for v in violations(path)] == []


def test_every_source_lies_in_a_known_room():
    assert [str(p) for p in SOURCES if room_of(p) not in MAY_INCLUDE] == []


@pytest.mark.parametrize(
    ("device", "rooms", "most"),
    [(CPU, set(CPU_MAY_INCLUDE) - {""}, MOST_FILES), (CUDA, set(CUDA_MAY_INCLUDE), MOST_FILES_OF_CUDA)],
)
def test_the_rooms_of_a_device_are_known_and_small(device, rooms, most):
    files: dict[str, int] = {}
    for path in (ROOT / "cpp" / device).rglob("*"):
        if path.suffix in {".hpp", ".cpp", ".cu", ".cuh"}:
            folder = str(path.parent.relative_to(ROOT / "cpp" / device))
            files[folder] = files.get(folder, 0) + 1
    assert {f.split("/")[0] for f in files} - {"."} == rooms
    assert {f: n for f, n in files.items() if n > most} == {}


def test_the_map_has_a_line_for_each_room_of_the_array_and_of_the_devices():
    lines = (ROOT / "cpp/README.md").read_text()
    rooms = (*CPU_MAY_INCLUDE, *CUDA_MAY_INCLUDE, *ARRAY_MAY_INCLUDE)
    assert [room for room in rooms if room and f"| `{room}/` |" not in lines] == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("cpp/include/bascule/core/x.hpp", '#include "bascule/array/array.hpp"'),
        ("cpp/include/bascule/ops/x.hpp", '#include "bascule/core/plan.hpp"'),
        ("cpp/src/array/x.cpp", '#include "backend/cpu/dispatch/kernels.hpp"'),
        ("cpp/backend/cpu/device.cpp", '#include "backend/reference/parts.hpp"'),
        ("cpp/backend/cpu/common/x.cpp", '#include "backend/cpu/dispatch/kernels.hpp"'),
        ("cpp/backend/cpu/reduce/x.cpp", '#include "backend/cpu/engine/run.hpp"'),
        ("cpp/backend/cpu/interpreter/x.cpp", '#include "backend/cpu/jit/codegen.hpp"'),
        ("cpp/backend/cpu/jit/x.cpp", '#include "backend/cpu/interpreter/compile.hpp"'),
        ("cpp/backend/cpu/kernels/random/x.cpp", '#include "backend/cpu/program/program.hpp"'),
        ("cpp/backend/cuda/device/device.cpp", "#include <thrust/sort.h>"),
        ("cpp/backend/cuda/compiler/x.cpp", '#include "backend/cuda/device/device.hpp"'),
        ("cpp/backend/cuda/x.cpp", '#include "backend/cuda/driver/failure.hpp"'),
        ("cpp/backend/cuda/entry/entry.cpp", '#include "backend/cuda/algorithms/thrust/execution.hpp"'),
        ("cpp/src/table/x.cpp", "#include <pybind11/pybind11.h>"),
    ],
)
def test_the_check_finds_a_wrong_include(tmp_path, monkeypatch, path, line):
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(line + "\n")
    assert len(violations(file)) == 1


def drawn(graph: str) -> set[tuple[str, str]]:
    """The arrows of a drawing."""
    arrow = re.compile(r"^ *(\w+?)_?(?:\[.*?\])? --> (\w+?)_?(?:\[.*)?$", re.MULTILINE)
    return set(arrow.findall(graph))


def test_the_architecture_draws_every_room_and_only_arrows_that_exist():
    graphs = re.findall(r"```mermaid\n(.*?)```", (ROOT / "docs/architecture.md").read_text(), re.DOTALL)
    rooms = {Path(room).name: {Path(r).name for r in may} for room, may in MAY_INCLUDE.items()}
    rooms |= {"ops": {"core"}, "python": {"bindings"}}  # of the core two headers, see CORE_FOR_OPS
    for graph, may_include in zip(graphs, (rooms, ARRAY_MAY_INCLUDE, CPU_MAY_INCLUDE), strict=True):
        arrows = drawn(graph)
        assert {room for arrow in arrows for room in arrow} == set(may_include) - {""}
        assert [(a, b) for a, b in arrows if b not in may_include[a]] == []
