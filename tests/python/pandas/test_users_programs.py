"""Scripts of users of pandas on real data: `python -m bascule.pandas` prints what pandas prints."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[3] / "benchmarks/programs/users"
SCRIPTS = sorted(p.stem for p in FOLDER.glob("*.py") if p.stem != "run")

# The calls of each script that run in pandas; calls that are no longer listed run natively, and stay so.
IN_PANDAS = {
    "airports": "CategoricalIndex.is_monotonic_increasing Series.sort_index Series.value_counts where",
    "cars": "DataFrame.query Series.replace Series.str.title Series.value_counts pandas.read_json",
    "diabetes": "DataFrame.clip DataFrame.corr DataFrame.pivot_table",
    "employment": "DataFrame.loc Series.idxmax Series.loc",
    "flights": "",
    "irises": "DataFrame.idxmin DataFrameGroupBy.transform Series.astype Series.unstack Series.value_counts pandas.crosstab",
    "riots": "Index.is_monotonic_increasing Series.dt.date Series.sort_index Series.value_counts pandas.to_datetime",
    "stocks": "DataFrame.idxmax pandas.to_datetime",
    "temperatures": "DataFrame.ffill DataFrame.iloc DataFrame.loc",
    "weather": "CategoricalIndex.is_monotonic_increasing DataFrame.describe DataFrameGroupBy.apply Series.__ne__ Series.loc Series.map Series.sort_index Series.value_counts pandas.read_csv",
    "wines": "Series Series.skew select",
    "words": "Series.explode Series.str.findall",
}


def start(script, *options):
    command = [sys.executable, *options, str(FOLDER / f"{script}.py")]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_prints_the_same(script):
    both = [start(script), start(script, "-m", "bascule.pandas")]
    (wanted, said), (found, warned) = (process.communicate() for process in both)
    assert both[0].returncode == 0, said
    assert both[1].returncode == 0, warned
    assert found == wanted
    assert len(wanted.splitlines()) > 60
    ran = set(re.findall(r"FallbackWarning: ([\w.]+) r[ua]ns? in ", warned))
    assert ran <= set(IN_PANDAS[script].split())


def test_there_are_twelve():
    assert len(SCRIPTS) == 12 and set(SCRIPTS) == set(IN_PANDAS)
