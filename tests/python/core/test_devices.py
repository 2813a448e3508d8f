"""Missing devices: a clear error, and everything else works as before."""

import os
import subprocess
import sys

import bascule as bc
import numpy as np
import pytest
from bascule import _core

ASK = {
    "device": bc.device,
    "config.set": lambda name: bc.config.set(device=name),
    "config.device": lambda name: setattr(bc.config, "device", name),
    "zeros": lambda name: bc.zeros(2, device=name),
    "asarray": lambda name: bc.asarray([1.0], device=name),
    "to_device": lambda name: bc.ones(2).to_device(name),
    "synchronize": bc.synchronize,
}
no_gpu = pytest.mark.skipif(not _core.why_no_cuda(), reason="there is a GPU")


def works():
    assert bc.config.device == "cpu"
    x = bc.arange(10_000.0)
    assert x.device == "cpu" and float((x * 2).sum()) == (np.arange(10_000.0) * 2).sum()


@pytest.mark.parametrize("name", ["nonsense", "tpu", "", "cuda:x", "cpu:-1", "CPU"])
@pytest.mark.parametrize("ask", ASK)
def test_unknown_devices_are_named(ask, name):
    if name == "" and ask == "synchronize":
        name = "none"  # an empty name is the default device there
    said = "expected a number behind the colon, got " if ":" in name else "unknown device "
    with pytest.raises(ValueError, match=rf'\[device\] {said}"{name}"'):
        ASK[ask](name)
    works()


@no_gpu
@pytest.mark.parametrize("name", ["cuda", "cuda:1"])
@pytest.mark.parametrize("ask", ASK)
def test_without_a_driver_the_reason_is_said(ask, name):
    with pytest.raises(RuntimeError, match=f"{name} is not available: .*driver"):
        ASK[ask](name)
    works()


PROGRAM = """
import os
try:
    import bascule
except Exception as error:
    print(type(error).__name__, error)
del os.environ["BASCULE_DEVICE"]
import bascule
print(bascule.config.device, float((bascule.arange(10_000.0) + 1).sum()))
"""


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("nonsense", 'ValueError [device] unknown device "nonsense"'),
        pytest.param("cuda", "RuntimeError [device] cuda is not available: ", marks=no_gpu),
    ],
)
def test_a_device_of_the_environment_that_is_not_there(name, error):
    environment = {**os.environ, "BASCULE_DEVICE": name}
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, env=environment)
    said, worked = done.stdout.splitlines()
    assert said.startswith(error)
    assert worked == "cpu 50005000.0"
