"""The table of what common calls execute: of the report's calls, and with a reason where more than the least bytes move."""

import sys
from pathlib import Path

import emulated_cuda
import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/cuda"))
import executed_report

TABLE = ROOT / "benchmarks/results/cuda-executed.md"


def test_the_table_is_of_these_calls_and_gives_reasons():
    rows = [line.strip("| ").split(" | ") for line in TABLE.read_text().splitlines() if line.startswith("| `")]
    assert [row[0].strip("`") for row in rows] == list(executed_report.CALLS)
    unexplained = [row[0] for row in rows if float(row[3]) > executed_report.MOST and len(row) < 9]
    assert not unexplained


@pytest.mark.skipif(
    emulated_cuda.nvrtc() is None or emulated_cuda.thrust() is None, reason="NVRTC or the algorithms' PTX are missing"
)
def test_element_wise_calls_move_the_least():
    (row,) = executed_report.counted(["x * y + z * w - x / 2"])
    assert executed_report.moved(row) == 1
    assert len(row["kernels"]) == 1
