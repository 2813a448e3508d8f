"""`bascule.profile` and its traces: calls, bytes moved, and their threads or streams."""

import json
import threading

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pytest
from bascule import _core, profiling
from bascule.commands import profile as command

N = 1_000_000


def test_a_fused_pass_is_one_call_with_its_bytes():
    x = bc.evaluate(bc.ones(N))
    with bc.profile() as p:
        y = bc.evaluate(bc.sin(x) * 2 + x)
    assert [(r.name, r.kind, r.device, r.calls, r.bytes) for r in p.rows] == [
        ("sin, multiply, add", "plan", "cpu", 1, 16 * N)
    ]
    assert p.calls[-1].elements == N and 0 < p.rows[0].seconds <= p.seconds
    assert float(y[0]) == np.sin(1.0) * 2 + 1


def test_reductions_stand_behind_an_arrow():
    x = bc.evaluate(bc.ones((1000, 1000)))
    with bc.profile() as p:
        bc.evaluate((x * 2).sum(axis=0))
    (row,) = p.rows
    assert (row.name, row.bytes) == ("multiply -> sum", 8 * (N + 1000))


def test_broadcast_operands_are_read_once():
    x, row = bc.evaluate(bc.ones((1000, 1000))), bc.evaluate(bc.ones(1000))
    with bc.profile() as p:
        bc.evaluate(x + row)
    assert p.rows[0].bytes == 8 * (2 * N + 1000)


@pytest.fixture(scope="module")
def algorithms():
    g = np.random.default_rng(0)
    x, i = bc.array(g.random(N)), bc.array(g.integers(0, 100, N))
    m = bc.array(g.random((300, 300)))
    df = pd.DataFrame({"k": i, "x": x})
    other = pd.DataFrame({"k": bc.arange(100), "z": bc.arange(100.0)})
    return {
        "sort": (lambda: bc.sort(x), "sort", 16 * N),
        "gather": (lambda: x[i], "indexing by arrays", 24 * N),
        "nonzero": (lambda: bc.nonzero(x > 2)[0], "nonzero and argwhere", N),
        "bincount": (lambda: bc.bincount(i), "bincount", 8 * N + 800),
        "histogram": (lambda: bc.histogram(x, 10, (0, 1)), "histogram", 8 * N + 8 * 21),
        "product": (lambda: m @ m, "products of matrices", 3 * 8 * 300 * 300),
        "svd": (lambda: bc.linalg.svd(m), "svd", 2 * 8 * 300 * 300),
        "cumsum": (lambda: bc.cumsum(x), "running sums, products and extrema", 16 * N),
        "join": (lambda: df.merge(other, on="k"), "merge and join", None),
        "rolling": (lambda: df.x.rolling(5).mean(), "aggregation of moving windows", 16 * N),
    }


NAMES = ("sort", "gather", "nonzero", "bincount", "histogram", "product", "svd", "cumsum", "join", "rolling")


@pytest.mark.parametrize("name", NAMES)
def test_whole_algorithms_have_names_and_bytes(name, algorithms):
    run, reported, least = algorithms[name]
    with bc.profile() as p:
        bc.evaluate(run())
    found = {r.name: r for r in p.rows}
    assert reported in found, found
    assert found[reported].bytes >= (least or 1) and found[reported].kind == "algorithm"


def test_what_waits_is_not_seen_and_nothing_is_recorded_outside():
    x = bc.evaluate(bc.ones(N))
    before = _core.recorded()
    bc.evaluate(x + 1)
    assert _core.recorded() == before
    with bc.profile() as p:
        y = x * 2
    assert p.rows == []
    bc.evaluate(y)
    assert p.rows == []


def test_recordings_overlap():
    x = bc.evaluate(bc.ones(N))
    outer, inner = bc.profile(), bc.profile()
    with outer:
        bc.evaluate(x + 1)
        with inner:
            bc.evaluate(x * 2)
        bc.evaluate(x - 3)
    assert [r.name for r in inner.rows] == ["multiply"]
    assert sorted(r.name for r in outer.rows) == ["add", "multiply", "subtract"]
    with pytest.raises(RuntimeError, match="records already"), outer:
        outer.__enter__()


def test_threads_of_the_pool_and_of_the_program_are_seen():
    x, threads = bc.evaluate(bc.ones(20 * N)), bc.get_num_threads()
    bc.set_num_threads(4)
    try:
        with bc.profile() as p:
            bc.evaluate(bc.exp(x))
            other = threading.Thread(target=lambda: bc.evaluate(x + 1))
            other.start()
            other.join()
    finally:
        bc.set_num_threads(threads)
    calls = {c.call: c for c in p.calls if c.kind != "part"}
    parts = [c for c in p.calls if c.kind == "part"]
    assert len({c.thread for c in calls.values()}) == 2
    # Which threads helped is random; their work lies within the call that they helped.
    assert all(calls[c.call].begin <= c.begin <= c.end <= calls[c.call].end for c in parts)
    assert all(c.thread != calls[c.call].thread for c in parts)


def test_a_trace_is_what_perfetto_opens(tmp_path):
    x = bc.evaluate(bc.ones(N))
    with bc.profile(tmp_path / "trace.json") as p:
        bc.evaluate(bc.sin(x))
        bc.sort(x)
    trace = json.loads((tmp_path / "trace.json").read_text())
    events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    assert {"sin", "sort"} <= {e["name"] for e in events}
    for e in events:
        assert e["ts"] >= 0 and e["dur"] >= 0 and isinstance(e["pid"], int) and isinstance(e["tid"], int)
    assert events == sorted(events, key=lambda e: (e["ts"], -e["dur"]))
    named = {(e["pid"], e["tid"]) for e in trace["traceEvents"] if e["ph"] == "M" and e["name"] == "thread_name"}
    assert {(e["pid"], e["tid"]) for e in events} <= named
    assert next(e for e in events if e["name"] == "sin")["args"]["bytes"] == 16 * N
    assert p.trace() == trace


def test_a_device_has_a_process_and_a_stream():
    p = profiling.Profile()
    p._since, p._until = 1000, 9000
    p.calls = [
        profiling.Call("plan", "add", "cuda:1", 1, 77, 2000, 5000, 24, 1),
        profiling.Call("plan", "sin", "cpu", 2, 77, 5000, 6000, 16, 1),
    ]
    named = {e["args"]["name"]: e for e in p.trace()["traceEvents"] if e["ph"] == "M"}
    add, sin = (e for e in p.trace()["traceEvents"] if e["ph"] == "X")
    assert (add["pid"], add["tid"]) == (named["stream"]["pid"], named["stream"]["tid"]) != (sin["pid"], sin["tid"])
    assert named["cuda:1"]["pid"] == add["pid"] and (add["ts"], add["dur"]) == (1.0, 3.0)
    assert add["args"]["GB/s"] == round(24 / 3000, 2)


def test_it_shows_itself():
    x = bc.evaluate(bc.ones(N))
    with bc.profile() as p:
        assert "records" in repr(p)
        bc.evaluate(x + 1)
    assert str(p).splitlines()[0].split() == ["what", "ran", "kind", "device", "calls", "ms", "MB", "GB/s"]
    assert "add" in repr(p) and "<td>add</td>" in p._repr_html_()


def test_a_failing_call_is_recorded_and_the_recording_ends():
    x = bc.evaluate(bc.ones(N))
    with pytest.raises(IndexError), bc.profile() as p:
        bc.evaluate(x[bc.array([1, N] * 20_000)])
    assert any(r.name == "indexing by arrays" for r in p.rows)
    before = _core.recorded()
    bc.evaluate(x + 1)
    assert _core.recorded() == before


PROGRAM = "x = bc.evaluate(bc.ones(2_000_000))\ny = x * 2\nz = float(y.sum())\n"


class Shell:
    """The part of IPython's shell that the magic uses."""

    def __init__(self):
        self.user_ns, self.magics = {"bc": bc}, {}

    def transform_cell(self, text):
        return text

    def register_magic_function(self, function, kind, name):
        self.magics[kind, name] = function


def test_cells_have_a_profile(tmp_path, capsys):
    shell = Shell()
    try:
        bc.load_ipython_extension(shell)
        shell.magics["cell", "bascule_profile"](f"--trace {tmp_path / 'cell.json'} --top 2", PROGRAM)
    finally:
        bc.unload_ipython_extension(shell)
    said = capsys.readouterr().out
    assert said.split("\n")[0].split() == ["line", "ms", "runs", "passes", "moved", "MB", "fallbacks", "code"]
    assert "z = float(y.sum())" in said and shell.user_ns["z"] == 4_000_000
    lines = [
        e["name"] for e in json.loads((tmp_path / "cell.json").read_text())["traceEvents"] if e.get("cat") == "line"
    ]
    assert "line 3: z = float(y.sum())" in lines


def test_lines_have_the_bytes_that_they_move(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    watch = command.LineTimes(str(path))
    watch.run(compile(PROGRAM, str(path), "exec"), {"bc": bc})
    moved = {row["line"]: row["moved"] for row in watch.rows()}
    assert moved == {1: 16_000_000, 2: 0, 3: 16_000_008}
