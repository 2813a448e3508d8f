"""The demo on the emulated CUDA device: every step's results are pandas' or NumPy's."""

import json

import emulated_cuda


def test_all_steps_agree(tmp_path):
    said = emulated_cuda.run(
        f"""
import contextlib, io
from pathlib import Path
from bascule.demo import main
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    code = main(Path({str(tmp_path)!r}), 1500, "cuda", rounds=1, as_json=True)
print(code)
print(printed.getvalue())
"""
    )
    code, _, reported = said.partition("\n")
    found = json.loads(reported)
    assert {s["step"]: s["problem"] for s in found["steps"] if not s["equal"]} == {}
    assert code == "0"
    assert len(found["steps"]) >= 25
