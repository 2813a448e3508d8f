"""Several cards in one machine. All emulated."""

import subprocess

import emulated_cuda
import pytest


def test_only_cards_in_use_get_a_context():
    """A context uses some hundred MB of a card, and cannot be created if another process has exclusive use of it."""
    said = emulated_cuda.run(
        """
    opened = lambda: calls("cuDevicePrimaryCtxRetain")
    seen = [opened()]
    x = bc.evaluate(bc.arange(5.0, device="cuda:2"))
    seen.append(opened())
    y = x.to_device("cuda:5") + 1
    bc.synchronize("cuda:5")
    seen.append(opened())
    try:
        bc.evaluate(bc.zeros(3, device="cuda:8"))
    except (ValueError, RuntimeError) as error:
        print(seen, "8" in str(error), (y.get() == np.arange(5.0) + 1).all())
    """,
        BASCULE_FAKE_CUDA_DEVICES="8",
    )
    assert said == "[0, 1, 2] True True"


def test_a_card_that_cannot_be_opened_leaves_the_others_alone():
    said = emulated_cuda.run(
        """
    import os
    os.environ["BASCULE_FAKE_CUDA_FAIL"] = "cuDevicePrimaryCtxRetain:1"
    try:
        bc.evaluate(bc.zeros(3, device="cuda:0"))
    except RuntimeError as error:
        print("[cuda]" in str(error), (bc.ones(3, device="cuda:1") + 1).get().tolist())
    """,
        BASCULE_FAKE_CUDA_DEVICES="2",
    )
    assert said == "True [2.0, 2.0, 2.0]"


COMPILER = """
int nvrtcVersion(int* a, int* b) { *a = MAJOR; *b = MINOR; return 0; }
int nvrtcGetNumSupportedArchs(int* n) { *n = 2; return 0; }
int nvrtcGetSupportedArchs(int* a) { a[0] = OLDEST; a[1] = 90; return 0; }
#define F(name) int name(void) { return 1; }
F(nvrtcCreateProgram) F(nvrtcCompileProgram) F(nvrtcGetCUBINSize) F(nvrtcGetCUBIN) F(nvrtcGetPTXSize) F(nvrtcGetPTX)
F(nvrtcGetProgramLogSize) F(nvrtcGetProgramLog) F(nvrtcDestroyProgram) F(nvrtcAddNameExpression) F(nvrtcGetLoweredName)
"""


@pytest.mark.parametrize(("capability", "version"), [("70", "12.4"), ("90", "13.0"), ("52", "13.0")])
def test_a_card_that_the_newest_compiler_has_dropped_gets_an_older_one(capability, version, tmp_path):
    (tmp_path / "nvrtc.c").write_text(COMPILER)
    for major, minor, oldest in ((13, 0, 75), (12, 4, 60)):
        options = [f"-DMAJOR={major}", f"-DMINOR={minor}", f"-DOLDEST={oldest}"]
        library = tmp_path / f"libnvrtc.so.{major}"
        subprocess.run(["cc", "-shared", "-fPIC", *options, str(tmp_path / "nvrtc.c"), "-o", str(library)], check=True)
    said = emulated_cuda.run(
        'print(bc._core.describe("cuda"))',
        BASCULE_NVRTC="",
        BASCULE_CUDA_LIBS=str(tmp_path),
        BASCULE_FAKE_CUDA_CAPABILITY=capability,
    )
    assert f"kernels by NVRTC {version}" in said
