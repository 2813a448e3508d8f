"""The check of commit messages sees what it is there for."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / ".ci/commits"


def run(message):
    return subprocess.run([sys.executable, SCRIPT, "--stdin"], input=message, capture_output=True, text=True)


@pytest.mark.parametrize(
    "message",
    [
        "table: Compare masked labels by mask and value\n\nThe value under NA took part.\n",
        "array, cuda: Pass strides as 64-bit integers",
        "Merge branch 'rules'",
    ],
)
def test_a_good_message_passes(message):
    assert run(message).returncode == 0


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("table: Compare masked labels by mask and value, wherever such a label may lie", "at most 72"),
        ("table: Compares masked labels", "imperative"),
        ("table: Compared masked labels", "imperative"),
        ("table: masked labels are compared", "expected `room:"),
        ("Compare masked labels", "expected `room:"),
        ("table: Compare masked labels.", "full stop"),
        ("table: Compare masked labels; sort NaT last", "several subjects"),
        ("table: Compare masked labels\nbecause", "empty line"),
    ],
)
def test_a_breach_is_named(message, words):
    done = run(message)
    assert done.returncode == 1
    assert words in done.stdout
