"""The emulated CUDA device through the public interface: found, opened, used, and ignored if it does not work."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import bascule as bc
import emulated_cuda
import pytest
from bascule import _core, device_libraries

COMPUTES = """
assert bc.config.device == "cuda", bc.config.device
x = bc.arange(1000.0)
y = (x * 2 + 1).sum()
assert x.device == "cuda", x.device
print(float(y), calls("cuLaunchKernel") > 0)
"""


def test_the_environment_names_the_device():
    assert emulated_cuda.run(COMPUTES, BASCULE_DEVICE="cuda") == "1000000.0 True"


def test_the_device_can_be_chosen_later():
    said = emulated_cuda.run("""
    assert bc.config.device == "cpu" and calls("cuInit") == 0
    with bc.device("cuda"):
        x = bc.ones(5) + 1
    assert x.device == "cuda" and bc.zeros(2).device == "cpu"
    print(x.to_device("cpu").tolist(), x.get())
    """)
    assert said == "[2.0, 2.0, 2.0, 2.0, 2.0] [2. 2. 2. 2. 2.]"


def test_a_wheel_finds_its_plug_in(tmp_path):
    """Import a wheel's files from another folder, without the editable installation's finder."""
    site = tmp_path / "site"
    package = Path(bc.__file__).parent
    shutil.copytree(package, site / "bascule", ignore=shutil.ignore_patterns("__pycache__"))
    built = Path(_core.__file__)
    for file in (built, built.parent / "libbascule_cuda.so"):
        if not (site / "bascule" / file.name).exists():
            shutil.copy(file, site / "bascule")
    dependencies = {
        str(Path(m.__file__).parents[1])
        for m in (__import__("numpy"), __import__("typing_extensions", fromlist="x"))
        if m
    }
    program = "import sys; assert bc.__file__.startswith(%r), bc.__file__\n" % str(site)
    more = {"PYTHONPATH": os.pathsep.join([str(site), *dependencies]), "BASCULE_DEVICE": "cuda"}
    assert emulated_cuda.run(program + COMPUTES, arguments=("-S",), **more) == "1000000.0 True"


def test_the_positions_are_those_of_the_packages(monkeypatch):
    monkeypatch.setattr(sys, "path", ["/first", "/second"])
    monkeypatch.setenv("CUDA_HOME", "/toolkit")
    monkeypatch.setenv("BASCULE_CUDA_LIBS", "/mine")
    positions = device_libraries.libraries()
    assert positions[0] == "/mine"
    assert (
        positions.index("/first/nvidia/cu13/lib")
        < positions.index("/second/nvidia/cu13/lib")
        < positions.index("/toolkit/lib64")
    )
    assert "/first/nvidia/cuda_nvrtc/lib" in positions
    assert (Path(device_libraries.plugin()) / "libbascule_cuda.so").exists()


def test_nvrtc_of_pip_is_found(tmp_path):
    """In the folder of the package for CUDA 13, without an environment variable that names it."""
    folder = tmp_path / "nvidia/cu13/lib"
    folder.mkdir(parents=True)
    shutil.copy(emulated_cuda.library(), folder / "libnvrtc.so.13")
    more = {"BASCULE_NVRTC": "", "PYTHONPATH": str(tmp_path), "BASCULE_DEVICE": "cuda"}
    assert emulated_cuda.run(COMPUTES, **more) == "1000000.0 True"


def test_kernels_are_kept_on_disk(tmp_path):
    program = """
    compiled = _fake.bascule_fake_compilations
    x = bc.arange(10.0).to_device("cuda")
    (x * 3).get()
    print(compiled())
    """
    assert int(emulated_cuda.run(program, BASCULE_CACHE_DIR=str(tmp_path))) > 0
    assert list((tmp_path / "cuda").glob("*.cubin"))
    assert emulated_cuda.run(program, BASCULE_CACHE_DIR=str(tmp_path)) == "0"


def test_the_cache_lies_where_the_system_says(monkeypatch, tmp_path):
    monkeypatch.delenv("BASCULE_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert device_libraries.kernel_cache() == str(tmp_path / "bascule")
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "/anywhere")
    assert device_libraries.kernel_cache() == "/anywhere/.cache/bascule"
    monkeypatch.setenv("BASCULE_CACHE_DIR", "")
    assert device_libraries.kernel_cache() == ""


INFO = "from bascule import installation; print(installation.text())"


def test_info_names_the_device_and_its_compiler():
    said = emulated_cuda.run(INFO)
    assert "cuda:0  cuda: emulated device, 1024 MiB, sm_90, driver for CUDA 13.0, kernels by NVRTC 13.0" in said


@pytest.mark.parametrize(
    ("missing", "said", "mended"),
    [
        ({"BASCULE_CUDA_DRIVER": "/nowhere/libcuda.so.1"}, "no CUDA driver", "NVIDIA's driver comes with the system"),
        ({"BASCULE_NVRTC": "/nowhere/libnvrtc.so"}, "NO KERNELS", "pip install 'nvidia-cuda-nvrtc>=13,<14'"),
        (
            {"BASCULE_NVRTC": "/nowhere/libnvrtc.so", "BASCULE_FAKE_CUDA_DRIVER_VERSION": "12040"},
            "NO KERNELS",
            "pip install 'nvidia-cuda-nvrtc-cu12>=12.4,<13'",
        ),
        ({"BASCULE_FAKE_CUDA_DRIVER_VERSION": "11080"}, "the driver runs CUDA 11.8", "a driver for CUDA 12.0 or newer"),
        ({"BASCULE_FAKE_CUDA_DEVICES": "0"}, "the driver sees no device", "CUDA_VISIBLE_DEVICES"),
    ],
)
def test_info_names_what_is_missing_and_what_fixes_it(missing, said, mended):
    program = "import bascule as bc\nassert float(bc.ones(3).sum()) == 3.0\n" + INFO
    environment = emulated_cuda.environment(**{"BASCULE_CACHE_DIR": "", **missing})
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith("  cuda"))
    assert said in line and mended in line
