"""The demo computes with both libraries, compares results, writes its page, and fails if a result differs."""

import io
import json
import re
import subprocess
import sys
from html.parser import HTMLParser

import bascule as bc
import numpy as np
import pandas
import pytest
from bascule import cli, demo
from bascule.demo import arrays, chunks, compare, flights, peers, plots, report, steps, tables
from bascule.demo.program import program
from bascule.fallback import wrapper


def run(tmp_path, *arguments, rows=1500):
    return cli.main(["demo", "--out", str(tmp_path), "--rows", str(rows), *arguments])


def use(monkeypatch, *program):
    monkeypatch.setattr(demo, "program", lambda: list(program))


def test_findings_have_no_negative_zero():
    quantiles = next(s for s in arrays.STEPS if s.title == "quantiles of the delay")
    assert quantiles.finding({"quantiles": np.zeros(5)}).endswith("arrive 0 minutes early or better")
    averages = next(s for s in arrays.STEPS if s.title == "moving average")
    assert averages.finding({"best": -0.01, "worst": 0.0}).endswith("0.0 to 0.0 minutes")
    moments = next(s for s in chunks.ARRAYS if s.title == "Dask: arrays in chunks")
    assert moments.finding({"moments": (-1e-9, 1.0)}).startswith("mean 0.000, ")


def step(function, *, keeps=(), drops=()):
    return steps.Step(function, function.__name__, lambda r: "", keeps, drops)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The exit code, the printed text, the folder and the settings after one complete run."""
    import contextlib
    import io

    folder, printed = tmp_path_factory.mktemp("demo"), io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = run(folder, rows=5000)
    return code, printed.getvalue(), folder


def test_all_steps_agree(whole):
    code, text, folder = whole
    assert code == 0, text
    for one in program():
        assert re.search(rf"^{re.escape(one.title)} .* equal", text, re.MULTILINE), one.title
    assert re.search(r"^geometric mean +\d+\.\d×$", text, re.MULTILINE)
    assert f"report: {folder / 'report.html'}" in text
    assert bc.config.fallback == "warn" and bc.config.device == "cpu"


def test_the_page_stands_alone(whole):
    page = (whole[2] / "report.html").read_text()
    tags = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            tags.append(tag)
            assert not any(name in ("src", "href") for name, _ in attrs)

    Reader().feed(page)
    assert "script" not in tags
    assert tags.count("svg") == 1 + sum(s.plot is not None for s in program())
    for one in program():
        assert f"def {one.run.__name__}(" in page


def test_the_files_hold_the_rows(tmp_path):
    files = flights.write(tmp_path, 3000)
    csv = pandas.read_csv(tmp_path / "flights.csv", parse_dates=["time_hour"])
    pandas.testing.assert_frame_equal(csv, pandas.read_parquet(tmp_path / "flights.parquet"))
    assert len(csv) == files.rows == 3000
    assert files.bytes == sum(f.stat().st_size for f in tmp_path.iterdir())


def test_rows_are_repeated_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr(flights, "MADE_UP", 2000)
    monkeypatch.setattr(flights, "_package", lambda: None)
    files = flights.write(tmp_path, 4500)
    assert "made-up flights" in files.source
    for name, read in (("flights.csv", pandas.read_csv), ("flights.parquet", pandas.read_parquet)):
        table = read(tmp_path / name).drop(columns="time_hour")
        assert len(table) == 4500
        pandas.testing.assert_frame_equal(table[:2000], table[2000:4000].reset_index(drop=True))
        pandas.testing.assert_frame_equal(table[:500], table[4000:].reset_index(drop=True))


def test_fewer_rows_are_spread_over_all(tmp_path, monkeypatch):
    monkeypatch.setattr(flights, "_package", lambda: tmp_path)
    lines = [b"%d,2013-01-01T05:00:00" % k for k in range(10_000)]
    text = b"k,time_hour\n" + b"\n".join(lines) + b"\n"
    others = {name: pandas.DataFrame({"a": [1]}) for name in flights.TABLES}
    monkeypatch.setattr(flights, "_real", lambda folder: (text, others))
    flights.write(tmp_path / "data", 1000)
    found = pandas.read_csv(tmp_path / "data" / "flights.csv")["k"]
    np.testing.assert_array_equal(found, np.linspace(0, 9999, 1000).astype(int))


def test_a_different_array_fails(tmp_path, monkeypatch, capsys):
    def wrong(np):
        return {"x": np.zeros(3) + (np is bc) * 1e-9}

    use(monkeypatch, step(wrong))
    assert run(tmp_path) == 1
    assert re.search(r"^wrong .* DIFFERS", capsys.readouterr().out, re.MULTILINE)
    assert "DIFFERS" in (tmp_path / "report.html").read_text()


def test_a_different_frame_fails(tmp_path, monkeypatch, capsys):
    def wrong(pd):
        return {"x": pd.DataFrame({"a": [1.0, 2.0 + (pd is not pandas) * 1e-9]})}

    use(monkeypatch, step(wrong))
    assert run(tmp_path) == 1
    assert "wrong: x: " in capsys.readouterr().out


def test_the_outcome_as_json(tmp_path, monkeypatch, capsys):
    def right(np):
        return {"x": np.ones(3)}

    def wrong(np):
        return {"x": np.zeros(3) + (np is bc)}

    use(monkeypatch, step(right), step(wrong))
    assert run(tmp_path, "--json") == 1
    reported = json.loads(capsys.readouterr().out)
    assert [(s["step"], s["equal"]) for s in reported["steps"]] == [("right", True), ("wrong", False)]
    assert reported["steps"][1]["problem"].startswith("x: ") and reported["steps"][0]["ratio"] > 0
    assert reported["rows"] == 1500 and reported["report"] == str(tmp_path / "report.html")


def test_a_step_that_raises_fails_and_the_others_run(tmp_path, monkeypatch, capsys):
    def broken(np):
        if np is bc:
            raise ValueError("no such thing")
        return {"x": np.ones(3)}

    def after(d):
        return {"y": d["x"] + 1}

    def apart(np):
        return {"z": np.ones(3)}

    use(monkeypatch, step(broken, keeps=("x",)), step(after), step(apart))
    assert run(tmp_path) == 1
    text = capsys.readouterr().out
    assert re.search(r"^broken .* FAILED", text, re.MULTILINE)
    assert re.search(r"^apart .* equal", text, re.MULTILINE)
    assert "broken: ValueError: no such thing" in text
    assert "after: needs 'x' of a step that did not run" in text


def test_what_a_device_lacks_is_reported(tmp_path, monkeypatch, capsys):
    def lacking(np):
        if np is bc:
            raise NotImplementedError("[matmul] does not run here yet")
        return {"x": np.zeros(3)}

    use(monkeypatch, step(lacking))
    assert run(tmp_path, "--device", "reference") == 0
    assert re.search(r"^lacking .* did not run", text := capsys.readouterr().out, re.MULTILINE)
    assert "lacking: [matmul] does not run here yet" in text
    assert run(tmp_path) == 1


def test_fallbacks_are_named_and_counted(tmp_path, monkeypatch, capsys):
    def median(np):
        return {"x": np.lacking(np.ones(3)), "y": np.lacking(np.ones(2))}

    monkeypatch.setattr(np, "lacking", np.cumsum, raising=False)
    monkeypatch.setattr(bc, "lacking", wrapper(np.cumsum, "lacking"), raising=False)
    use(monkeypatch, step(median))
    assert run(tmp_path) == 0
    assert re.search(r"^median .*equal +lacking \(2\)$", capsys.readouterr().out, re.MULTILINE)


def test_every_round_starts_afresh(monkeypatch, tmp_path):
    seen = []

    def once(np, d):
        seen.append((np is bc, sorted(d)))
        return {"kept": np.ones(2)}

    use(monkeypatch, step(once, keeps=("kept",)))
    assert demo.main(tmp_path, 1000, "cpu", rounds=2) == 0
    assert seen == [(False, ["folder"]), (True, ["folder"])] * 2


def test_arrays_start_from_the_same_columns(monkeypatch, tmp_path):
    found = []

    def columns(np, d):
        found.append({name: np.asarray(d[name]) for name in ("dep_delay", "month", "latitude")})
        return {}

    use(monkeypatch, tables.STEPS[0], step(columns))
    assert demo.main(tmp_path, 1000, "cpu", rounds=1) == 0
    for name, x in found[0].items():
        np.testing.assert_array_equal(np.asarray(found[1][name]), x)


LABELLED = pandas.DataFrame({"a": [1.0, np.nan, 1e6], "b": ["x", None, "y"], "c": [1, 2, 3]}, index=[3, 1, 1])


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda x: x, ""),
        (lambda x: x.assign(a=x.a * (1 + 1e-13)), ""),
        (lambda x: x.assign(a=x.a * (1 + 1e-11)), '"a") are different'),
        (lambda x: x.assign(b=x.b.fillna("")), "are different"),
        (lambda x: x.assign(c=x.c.astype("int32")), "dtype"),
        (lambda x: x.assign(c=x.c + 1), "are different"),
        (lambda x: x[::-1], "Index are different"),
        (lambda x: x.rename_axis("k"), "names"),
        (lambda x: x.set_axis(x.index.astype("float64")), "Index are different"),
        (lambda x: x[["b", "a", "c"]], "are different"),
        (lambda x: x.head(2), "are different"),
        (lambda x: x.a, "Series instead of DataFrame"),
    ],
)
def test_difference_of_frames(change, text):
    found = compare.difference(change(LABELLED), LABELLED)
    assert text in found and bool(found) == bool(text)


def test_difference_of_series_and_labels():
    s = pandas.Series([1, 2], name="n")
    assert compare.difference(s.copy(), s) == ""
    assert '"name" are different' in compare.difference(s.rename("m"), s)
    assert compare.difference(s.index, pandas.RangeIndex(2)) == ""
    assert "instead of RangeIndex" in compare.difference(pandas.Index([0, 1]), pandas.RangeIndex(2))
    assert len(compare.difference(pandas.Series(range(10**4)), pandas.Series(range(1, 10**4 + 1)))) < 310


@pytest.mark.parametrize(
    ("ours", "theirs", "text"),
    [
        (np.zeros(3), np.zeros(3), ""),
        (np.array([1.0, np.nan, np.inf]), np.array([1.0, np.nan, np.inf]), ""),
        (np.array([1.0, 1e-13]), np.array([1.0, 0.0]), ""),
        (np.array([1.0, 1e-11]), np.array([1.0, 0.0]), "relative difference"),
        (np.array([np.nan]), np.array([1.0]), "relative difference"),
        (np.array([-np.inf]), np.array([np.inf]), "relative difference"),
        (np.array([1, 2]), np.array([1, 3]), "1 of 2 values differ"),
        (np.zeros(3, np.float32), np.zeros(3), "float32(3,) instead of float64(3,)"),
        (np.zeros((3, 1)), np.zeros(3), "float64(3, 1) instead of float64(3,)"),
    ],
)
def test_difference_of_arrays(ours, theirs, text):
    found = compare.difference(ours, theirs)
    assert text in found and bool(found) == bool(text)


def test_the_geometric_mean_is_of_the_gains():
    one = step(lambda: {})
    outcomes = [demo.Outcome(one, 8.0, 1.0), demo.Outcome(one, 2.0, 1.0), demo.Outcome(one, 1.0, None, failed="x")]
    (_, theirs, ours, gain, _, _, verdict, _), (_, _, _, mean, *_) = report._totals(outcomes)
    assert (theirs, ours, gain, mean, verdict) == ("10,000.0 ms", "2,000.0 ms", "5.0×", "4.0×", "FAILED")


def test_titles_are_unique():
    titles = [s.title for s in program()]
    assert len(set(titles)) == len(titles) and len(arrays.STEPS) > 5


@pytest.mark.parametrize(
    ("arguments", "text"), [(("--device", "nonsense"), "nonsense"), (("--rows", "10"), "at least 1000")]
)
def test_wrong_arguments_are_named(tmp_path, arguments, text):
    with pytest.raises(SystemExit) as error:
        run(tmp_path, *arguments)
    assert text in str(error.value)


def test_what_is_not_installed_is_named(tmp_path, monkeypatch):
    found = demo.importlib.util.find_spec
    monkeypatch.setattr(demo.importlib.util, "find_spec", lambda name: None if name == "pyarrow" else found(name))
    with pytest.raises(SystemExit, match="needs pyarrow: pip install 'bascule\\[demo\\]'"):
        run(tmp_path)


def test_without_dask_its_steps_do_not_run(tmp_path, monkeypatch, capsys):
    def chunks(da):
        return {"x": da.ones(3).compute()}

    use(monkeypatch, step(chunks))
    found = demo.importlib.util.find_spec
    monkeypatch.setattr(demo.importlib.util, "find_spec", lambda name: None if name == "dask" else found(name))
    assert run(tmp_path) == 0
    assert "chunks: needs Dask" in capsys.readouterr().out


def test_too_many_rows_for_the_memory_are_refused(tmp_path):
    with pytest.raises(SystemExit, match="are free: try --rows"):
        run(tmp_path, "--rows", str(10**14))


class Screen(io.StringIO):
    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "expected"),
    [
        (True, f"\r\033[K[{'.' * 30}]   0 % a\r\033[K[{'#' * 15}{'.' * 15}]  50 % b\r\033[K"),
        (False, "  0 % a\n 50 % b\n"),
    ],
)
def test_progress_is_a_bar_on_a_terminal_and_else_lines(terminal, expected, monkeypatch):
    screen = Screen(terminal)
    monkeypatch.setattr("sys.stderr", screen)
    for done, text in ((0.0, "a"), (0.5, "b"), (1.0, "")):
        demo._progress(done, text)
    assert screen.getvalue() == expected


def test_progress_counts_once_for_both_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(demo.steps, "SECOND_RUN", 1000)

    def zeros(np):
        return {"x": np.zeros(3)}

    use(monkeypatch, step(zeros))
    demo.main(tmp_path, 10_000, "cpu")
    shares = [int(line.split("%")[0]) for line in capsys.readouterr().err.splitlines() if "%" in line]
    assert len(shares) >= 6 and shares == sorted(shares) and shares[-1] > 80


def test_colours_go_through_white_and_no_number_is_minus_nothing():
    assert plots.diverging(0.0) == plots.diverging(-0.0) == "rgb(255,255,255)"
    for value in (-1e-9, 1e-9):
        assert plots.diverging(value) == "rgb(255,255,255)"
    assert plots.diverging(1.0) != plots.diverging(-1.0)
    drawn = plots.grid(["a", "b"], [[1.0, -0.001], [-0.001, 1.0]], "Correlation")
    assert "-0.00" not in drawn and drawn.count(">0.00<") == 2


def test_the_chart_of_gains_puts_slower_steps_on_the_other_side():
    drawn = plots.gains(["quick", "slow"], [8.0, 0.5], "How many times faster")
    assert drawn.count(plots.SLOWER) == 1 and ">8.0×<" in drawn and ">0.5×<" in drawn
    assert "<figcaption>How many times faster</figcaption>" in drawn


def test_the_headline_names_what_is_slower():
    one = step(lambda: {})
    said = report.headline([demo.Outcome(one, 8.0, 1.0), demo.Outcome(one, 1.0, 2.0)])
    assert said.startswith(
        "3.0× as fast as pandas and NumPy with the same code; 2 of 2 steps equal, no fallbacks; 1 slower: "
    )
    assert report.headline([demo.Outcome(one, 1.0, None, failed="x")]) == "No step ran with both."


# ---- memory, other libraries, few rows


ONE_STEP = """
import numpy as np
from bascule.demo.memory import Growth

with Growth() as held:
    x = np.ones(8_000_000)
print(held.bytes)
"""


def test_memory_is_what_a_step_adds():
    # In a process of its own: threads that other tests left behind give memory back meanwhile.
    printed = subprocess.run([sys.executable, "-c", ONE_STEP], capture_output=True, text=True, check=True).stdout
    if printed.strip() != "None":  # skipped if the system does not report it
        assert 50e6 < int(printed) < 500e6


@pytest.mark.parametrize(
    ("few", "many", "rows"),
    [(1.0, 3.0, None), (0.5, 2.0, 100_000), (0.25, 2.0, 215_443), (0.5, 0.9, float("inf"))],
    ids=["always", "halfway", "later", "never"],
)
def test_from_where_a_step_pays(few, many, rows):
    found = report.pays_from(few, many, 10_000, 1_000_000)
    assert found == rows if rows is None or rows == float("inf") else found == pytest.approx(rows, rel=1e-3)


def outcome(title, gain):
    o = demo.Outcome(steps.Step(lambda: {}, title, lambda r: ""))
    o.peer_seconds, o.bascule_seconds = gain, 1.0
    return o


def test_few_rows_are_reported():
    many, few = (
        [outcome("a", 4.0), outcome("b", 2.0), outcome("c", 0.9)],
        [outcome("a", 2.0), outcome("b", 0.5), outcome("c", 0.8)],
    )
    assert report.small_sizes(many, few, 1_000_000, 10_000) == [
        "On 10,000 rows: 0.9× (geometric mean), 2 of 3 steps slower.",
        "b: 0.5× there, pays from about 100,000 rows",
        "c: 0.8× there, slower at both sizes",
    ]
    assert report.small_sizes(many, None, 1_000_000, 10_000) == []


def test_a_second_run_has_few_rows(tmp_path, monkeypatch, capsys):
    def right(np):
        return {"x": np.ones(3)}

    use(monkeypatch, step(right))
    monkeypatch.setattr(steps, "SECOND_RUN", 1000)
    assert run(tmp_path, "--json", rows=10_000) == 0
    assert json.loads(capsys.readouterr().out)["steps"][0]["ratio_of_few_rows"] > 0
    assert "From where it pays" in (tmp_path / "report.html").read_text()
    assert run(tmp_path, "--json", rows=9_000) == 0
    assert json.loads(capsys.readouterr().out)["steps"][0]["ratio_of_few_rows"] is None


def test_other_libraries_are_compared(tmp_path, monkeypatch, capsys):
    def clean(pd):
        return {"flown": pd.DataFrame({"speed": [1.0, 2.0]})}

    def equal(library, d):
        return {"kept": 1}, {"rows": 2, "speed": 3.0}

    def different(library, d):
        return {}, {"rows": 2, "speed": 3.1}

    def broken(library, d):
        raise ValueError("no such column")

    use(monkeypatch, step(clean))
    named = {"One": equal, "Other": different, "Third": broken}
    monkeypatch.setattr(peers, "LIBRARIES", {k: ("math", {"clean": v}) for k, v in named.items()})
    assert run(tmp_path, "--json") == 0
    assert list(json.loads(capsys.readouterr().out)["steps"][0]["other_seconds"]) == ["One"]
    assert run(tmp_path) == 0
    text = capsys.readouterr().out
    assert re.search(r"^step .* One$", text, re.MULTILINE)
    assert "clean: Other: speed is 3.1 instead of 3.0" in text and "clean: Third: ValueError: no such column" in text


def test_every_step_of_a_peer_is_one_of_the_program():
    names = {s.run.__name__ for s in tables.STEPS}
    assert {n for _, forms in peers.LIBRARIES.values() for n in forms} <= names & set(peers.FIGURES)
