"""Long operations show their progress, and can be interrupted: reading CSV."""

import io
import signal
import sys
import threading

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pytest
from bascule import _core, progress

TEXT = b"x,y,z\n" + b"1.5,27,some text\n" * 100_000


@pytest.fixture
def bars(monkeypatch):
    """Bars appear at once for any operation; records their lines."""
    shown, seen = [], threading.Event()

    class Bar:
        def __init__(self, name):
            self.name = name

        def show(self, done, total):
            shown.append((self.name, done, total))
            seen.set()

        def close(self):
            shown.append("closed")

    monkeypatch.setattr(progress, "AFTER", 0)
    monkeypatch.setattr(progress, "_SMALLEST", 0)
    monkeypatch.setattr(progress, "_bar", Bar)
    with bc.config.set(progress="on"):
        yield shown, seen


def test_a_bar_appears_and_goes(bars):
    shown, seen = bars
    with progress.Shown("read_csv", 1) as reported:
        assert seen.wait(120)
    assert reported.done == reported.total == 0
    assert shown[0] == ("read_csv", 0, 0) and shown[-1] == "closed"


def test_a_bar_goes_where_the_operation_fails(bars):
    shown, seen = bars
    with pytest.raises(ValueError, match="over"):
        with progress.Shown("read_csv", 1):
            assert seen.wait(120)
            raise ValueError("over")
    assert shown[-1] == "closed"


def test_short_operations_and_those_that_nobody_looks_at_have_none(monkeypatch):
    before = threading.active_count()
    with bc.config.set(progress="off"), progress.Shown("read_csv", 10**12) as reported:
        assert reported is None and threading.active_count() == before
    with bc.config.set(progress="on"), progress.Shown("read_csv", 1000) as reported:
        assert reported is None and threading.active_count() == before


@pytest.mark.parametrize("terminal", [False, True])
def test_by_default_terminals_have_bars(monkeypatch, terminal):
    stderr = io.StringIO()
    stderr.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    with bc.config.set(progress="auto"):
        assert progress.wanted() == terminal


def test_reading_reports_all_of_it():
    reported = _core.Progress()
    rows = _core.read_csv(TEXT, {"separator": ","}, reported)[0]
    assert rows == 100_000 and reported.done == reported.total > len(TEXT)


def test_read_csv_has_a_bar(monkeypatch, tmp_path):
    asked = []

    class Shown(progress.Shown):
        def __init__(self, name, size):
            super().__init__(name, size)
            asked.append((name, size))

    monkeypatch.setattr(progress, "Shown", Shown)
    (tmp_path / "a.csv").write_bytes(TEXT)
    assert len(pd.read_csv(tmp_path / "a.csv")) == len(pd.read_csv(io.BytesIO(TEXT))) == 100_000
    assert asked == [("read_csv", len(TEXT))] * 2


def test_the_line_says_how_far_it_is(monkeypatch):
    stderr = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    line = progress._Line("read_csv")
    line.show(430_000_000, 1_000_000_000)
    assert "read_csv  43 %, 430 MB of 1.0 GB (" in stderr.getvalue()
    line.close()
    assert stderr.getvalue().endswith(" \r")


def test_bars_are_tqdms_where_it_is_installed(monkeypatch):
    made = []

    class Tqdm:
        def __init__(self, **options):
            made.append(self)
            self.options, self.closed = options, False

        def refresh(self):
            pass

        def close(self):
            self.closed = True

    module = type(sys)("tqdm")
    module.tqdm = Tqdm
    monkeypatch.setitem(sys.modules, "tqdm", module)
    bar = progress._bar("read_csv")
    bar.show(3, 10)
    bar.close()
    assert [(b.options["desc"], b.n, b.total, b.closed) for b in made] == [("read_csv", 3, 10, True)]
    monkeypatch.setitem(sys.modules, "tqdm", None)
    assert isinstance(progress._bar("read_csv"), progress._Line)


@pytest.mark.parametrize("irregular", [False, True])
def test_reading_ends_where_it_is_interrupted(irregular):
    text = TEXT * 30  # some tenths of a second on any machine
    if irregular:
        text = text.replace(b"some", b'so"me', 1)
    reported, threads = _core.Progress(), bc.get_num_threads()

    def handler(*_):
        raise TimeoutError("time is over")

    earlier = signal.signal(signal.SIGALRM, handler)
    bc.set_num_threads(1)
    try:
        with pytest.raises(TimeoutError, match="time is over"):
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            _core.read_csv(text, {"separator": ","}, reported)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, earlier)
        bc.set_num_threads(threads)
    assert reported.done < max(reported.total, 1)
    assert _core.read_csv(TEXT, {"separator": ","})[0] == 100_000  # works as before


# ---- sorts, joins and factors count the tasks of their kernels


@pytest.fixture
def steps(monkeypatch):
    """Bars appear at once for any operation; records the operations with a bar, and the last state of the last one."""
    shown = []

    class Counted(progress._Counted):
        def __exit__(self, *error):
            super().__exit__(*error)
            shown.append((self._name, self.progress.done, self.progress.total, self.progress.steps))

    monkeypatch.setattr(progress, "_SMALLEST", 0)
    monkeypatch.setattr(progress, "_Counted", Counted)
    with bc.config.set(progress="on"):
        yield shown


@pytest.fixture(scope="module")
def long_operations():
    g = np.random.default_rng(0)
    x, m = g.random(300_000), g.random((200, 200))
    df = pd.DataFrame({"k": g.integers(0, 1000, 300_000), "x": x})
    return {
        "sort": lambda: bc.sort(bc.array(x)),
        "argsort": lambda: bc.argsort(bc.array(x.reshape(3, -1)), axis=0),
        "sort_values": lambda: df.sort_values("x"),
        "merge": lambda: len(df.merge(df.head(1000), on="k")),  # whose rows are looked for when something reads them
        "svd": lambda: bc.linalg.svd(bc.array(m)),
    }


@pytest.mark.parametrize("name", ["sort", "argsort", "sort_values", "merge", "svd"])
def test_long_operations_report_how_far_they_are(steps, name, long_operations):
    expected = long_operations[name]
    with bc.config.set(progress="off"):
        without = expected()
    found = expected()
    assert name in [s[0] for s in steps], steps
    assert all(done == total for _, done, total, _ in steps)
    if name != "svd":
        assert next(s for s in steps if s[0] == name)[3] > 0
    assert not _core.reports_progress()
    if name in ("sort", "argsort"):
        assert bool((found == without).all())


def test_what_runs_within_has_no_bar_of_its_own(steps):
    with progress.of_tasks("outer", 1):
        bc.sort(bc.arange(100_000)[::-1])
    assert [s[0] for s in steps] == ["outer"]


def test_a_step_says_its_number(monkeypatch):
    stderr = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)
    line = progress._StepLine("sort")
    line.show_step(3, 4, 2)
    assert "sort step 2,  75 % (" in stderr.getvalue()
    line.show_step(0, 0, 0)
    assert stderr.getvalue().rstrip().endswith(" s)")


def test_a_bar_of_steps_appears_and_goes(monkeypatch):
    shown, seen = [], threading.Event()

    class Bar:
        def __init__(self, name):
            self.name = name

        def show_step(self, done, total, step):
            shown.append(self.name)
            seen.set()

        def close(self):
            shown.append("closed")

    monkeypatch.setattr(progress, "AFTER", 0)
    monkeypatch.setattr(progress, "_SMALLEST", 0)
    monkeypatch.setattr(progress, "_step_bar", Bar)
    with bc.config.set(progress="on"), progress.of_tasks("svd", 1):
        assert seen.wait(120)
    assert shown[0] == "svd" and shown[-1] == "closed"
