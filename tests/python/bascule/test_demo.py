"""The demo computes with both libraries, compares, writes its page, and fails when a result differs."""

import re
from html.parser import HTMLParser

import bascule as bc
import numpy as np
import pytest
from bascule import cli, demo
from bascule.demo import flights, steps


def run(tmp_path, *arguments):
    return cli.main(["demo", "--out", str(tmp_path), "--rows", "5000", *arguments])


def test_all_steps_agree_with_numpy(tmp_path, capsys):
    assert run(tmp_path) == 0
    text = capsys.readouterr().out
    for step in steps.STEPS:
        assert re.search(rf"^{re.escape(step.title)} .* equal", text, re.MULTILINE), step.title
    assert f"report: {tmp_path / 'report.html'}" in text


def test_fallbacks_are_named_and_settings_restored(tmp_path, capsys):
    before = bc.config.fallback
    assert run(tmp_path) == 0
    assert re.search(r"^singular values.*linalg\.svd", capsys.readouterr().out, re.MULTILINE)
    assert bc.config.fallback == before


def test_the_page_stands_alone(tmp_path):
    run(tmp_path)
    page = (tmp_path / "report.html").read_text()
    tags = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attrs):
            tags.append(tag)
            assert not any(name in ("src", "href") for name, _ in attrs)

    Reader().feed(page)
    assert "script" not in tags and "svg" in tags
    assert tags.count("rect") == 2 * len(steps.STEPS)
    assert "def standardise(xp: Any, d: Arrays)" in page


def test_a_different_result_fails(tmp_path, monkeypatch, capsys):
    wrong = steps.Step(lambda xp, d: {"x": xp.zeros(3) + (xp is bc) * 1e-9}, "wrong", lambda r: "")
    monkeypatch.setattr(steps, "STEPS", [wrong])
    assert run(tmp_path) == 1
    assert "DIFFERS" in capsys.readouterr().out
    assert "DIFFERS" in (tmp_path / "report.html").read_text()


def test_a_step_that_a_device_lacks_is_reported(tmp_path, monkeypatch, capsys):
    def lacking(xp, d):
        if xp is bc:
            raise NotImplementedError("[matmul] does not run on cuda yet")
        return {"x": np.zeros(3)}

    after = steps.Step(lambda xp, d: {"y": d["x"] + 1}, "after", lambda r: "")
    monkeypatch.setattr(steps, "STEPS", [steps.Step(lacking, "lacking", lambda r: "", keeps=("x",)), after])
    assert run(tmp_path) == 0
    text = capsys.readouterr().out
    assert "lacking: [matmul] does not run on cuda yet" in text
    assert "needs 'x' of a step that did not run" in text


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
def test_difference(ours, theirs, text):
    found = demo.difference(ours, theirs)
    assert text in found and bool(found) == bool(text)


def test_rows_are_repeated_in_order():
    data = flights.load()
    more = data.repeated(data.rows + 5)
    np.testing.assert_array_equal(more.columns["distance"][-5:], data.columns["distance"][:5])


@pytest.mark.parametrize(
    ("arguments", "text"), [(("--device", "nonsense"), "nonsense"), (("--rows", "10"), "at least 1000")]
)
def test_wrong_arguments_are_named(tmp_path, arguments, text):
    with pytest.raises(SystemExit) as error:
        run(tmp_path, *arguments)
    assert text in str(error.value)


def test_too_many_rows_for_the_memory_are_refused(tmp_path):
    with pytest.raises(SystemExit, match="are free: try --rows"):
        run(tmp_path, "--rows", str(10**14))
