"""NVIDIA's libraries behind the emulated CUDA device: found, missing, too new; failing calls; threads; memory."""

from pathlib import Path

import emulated_cuda
import pytest
from bascule.device_libraries import libraries
from emulated_arrays import check

INFO = "from bascule import installation; print(installation.text())"
NAMES = {name: f"BASCULE_{name.upper()}" for name in ("cuBLAS", "cuSOLVER", "cuFFT", "cuSPARSE")}
WORK = """
from bascule.sparse import csr_array
a = rng.normal(size=(2, 4, 4))
h = a @ a.swapaxes(1, 2) + np.eye(4)
STACKED = {
    "inv": bc.linalg.inv, "cholesky": bc.linalg.cholesky, "eigvalsh": bc.linalg.eigvalsh, "svdvals": bc.linalg.svdvals
}
WORK = {
    "matmul": lambda x: x @ x, **{f"{name} of one": lambda x, f=f: f(x[0]) for name, f in STACKED.items()}, **STACKED,
    "qr": lambda x: bc.linalg.qr(x)[1], "eigvals": lambda x: bc.linalg.eigvals(x).real,
    "fft": lambda x: bc.fft.fft(x).real, "irfft": bc.fft.irfft, "sparse": lambda x: csr_array(x[0]) @ x[1],
}
def right(name, device="cuda"):
    x = bc.asarray(h).to_device(device)
    got = WORK[name](x).get()
    with bc.device("cpu"):
        np.testing.assert_allclose(abs(got), abs(WORK[name](bc.asarray(h)).get()), rtol=1e-9, atol=1e-9, err_msg=name)
"""


def test_info_names_the_libraries():
    said = emulated_cuda.run(INFO)
    assert (
        "products by cuBLAS 13.0, factors by cuSOLVER 12.0, transforms by cuFFT 12.0, sparse products by cuSPARSE 12.6"
        in said
    )


def packages(line, cuda):
    """Whether each library is reported missing, with the package that provides it."""
    for name, own in (("cuBLAS", cuda), ("cuSOLVER", cuda - 1), ("cuFFT", cuda - 1), ("cuSPARSE", 12)):
        package = f"nvidia-{name.lower()}{'-cu12' if cuda == 12 else ''}"
        wanted = f"'{package}>={own},<{own + 1}'"
        assert f"NO {name}: NVIDIA's {name} was not found" in line and f"pip install {wanted}" in line, line
        assert f"'bascule[cuda{cuda}]'" in line


@pytest.mark.parametrize(
    ("why", "environment"),
    [
        ("/nowhere/lib.so", dict.fromkeys(NAMES.values(), "/nowhere/lib.so")),
        ("newer than the driver", {"BASCULE_FAKE_CUDA_LIBRARIES_AHEAD": "1"}),
        ("too old", {"BASCULE_FAKE_CUDA_LIBRARIES_AHEAD": "-2"}),
        ("lacks cu", dict.fromkeys(NAMES.values(), "libc.so.6")),
    ],
    ids=["missing", "newer", "older", "another"],
)
def test_what_is_missing_is_named_with_what_fixes_it(why, environment):
    """Products run with our own kernel; factors and transforms name the package to install."""
    said = check(
        INFO
        + """
a = rng.normal(size=(5, 5))
x = on_device(a)
np.testing.assert_allclose((x @ x).get(), a @ a)
assert calls("cublasCreate_v2") == 0
for call in (bc.linalg.inv, bc.fft.fft):
    try:
        print(call(x))
    except NotImplementedError as error:
        print("raised", error)
x.to_device("cpu") @ x.to_device("cpu")
""",
        **environment,
    ).splitlines()
    line = next(line for line in said if line.startswith("  cuda:0"))
    assert why in line
    packages(line, 13)
    raised = [line for line in said if line.startswith("raised")]
    assert len(raised) == 2 and "cuSOLVER" in raised[0] and "cuFFT" in raised[1]
    assert all(why in line and "'bascule[cuda13]'" in line and '.to_device("cpu")' in line for line in raised)


def test_a_driver_for_cuda_12_is_reported_its_packages():
    said = check(INFO, BASCULE_FAKE_CUDA_DRIVER_VERSION="12040").splitlines()
    packages(next(line for line in said if line.startswith("  cuda:0")), 12)


def test_sorting_refuses_a_driver_for_cuda_12():
    """The library of the wheels is built with CUDA 13's runtime; kernels of arrays run."""
    said = emulated_cuda.run(
        """
    x = bc.asarray([3.0, 1.0, 2.0], device="cuda")
    print((x + 1).get().tolist())
    try:
        print(bc.sort(x).get())
    except NotImplementedError as error:
        print(error)
    """,
        BASCULE_FAKE_CUDA_DRIVER_VERSION="12080",
        BASCULE_FAKE_CUDA_NVRTC_MAJOR="12",
    ).splitlines()
    assert said[0] == "[4.0, 2.0, 3.0]"
    assert "built for CUDA 13, which the driver is too old for" in said[1]
    assert '.to_device("cpu")' in said[1]


FUNCTIONS = """cublasCreate_v2 cublasSetStream_v2 cublasSetWorkspace_v2 cublasGemmStridedBatchedEx_64 cusolverDnCreate
cusolverDnCreateParams cusolverDnSetStream cusolverDnXgetrf_bufferSize cusolverDnXgetrf cusolverDnXgetrs cusolverDnXpotrf_bufferSize
cusolverDnXpotrf cusolverDnXgeqrf_bufferSize cusolverDnXgeqrf cusolverDnXsyevd_bufferSize cusolverDnXsyevd
cusolverDnXgesvd_bufferSize cusolverDnXgesvd cusolverDnXgeev_bufferSize cusolverDnXgeev cufftCreate cufftSetStream cufftSetWorkArea
cufftSetAutoAllocation cufftXtMakePlanMany cufftXtExec cusolverDnCreateSyevjInfo cusolverDnCreateGesvdjInfo cublasDgetrfBatched
cublasDgetrsBatched cusolverDnDpotrfBatched cusolverDnDsyevjBatched_bufferSize cusolverDnDsyevjBatched
cusolverDnDgesvdjBatched_bufferSize cusolverDnDgesvdjBatched cusparseCreate cusparseSetStream cusparseCreateCsr cusparseCreateDnMat
cusparseSpMM_bufferSize cusparseSpMM""".split()


def test_every_call_that_fails_is_reported_once_and_nothing_is_lost():
    """On a new device each function's first call fails; the error names it, and repeated calls succeed."""
    said = check(
        WORK
        + f"FUNCTIONS = {FUNCTIONS}\n"
        + """
import gc
def try_all(device):
    told = []
    for name in WORK:
        try:
            right(name, device)
        except RuntimeError as error:
            told.append(str(error))
    return told

def in_use():
    gc.collect()
    for k in range(len(FUNCTIONS)):
        bc.synchronize(f"cuda:{k}")
        bc.trim(f"cuda:{k}")
    return _fake.bascule_fake_bytes_in_use()

for k in range(len(FUNCTIONS)):  # words for floating-point errors are kept
    (bc.asarray(h).to_device(f"cuda:{k}") / 3).get()
before = in_use()
for k, function in enumerate(FUNCTIONS):
    _fake.bascule_fake_reset()
    os.environ["BASCULE_FAKE_CUDA_FAIL"] = f"{function}:1"
    told = try_all(f"cuda:{k}")
    del os.environ["BASCULE_FAKE_CUDA_FAIL"]
    assert try_all(f"cuda:{k}") == [], function
    plain = function.replace("_v2", "").replace("_64", "").replace("_bufferSize", "")
    if len(told) != 1 or plain not in told[0]:
        print(function, told)
print(before, in_use())
""",
        BASCULE_CUDA_POOL="exact",
        BASCULE_FAKE_CUDA_DEVICES=str(len(FUNCTIONS)),
    )
    before, after = said.split()
    assert before == after


def test_no_memory_is_an_error_and_the_device_goes_on():
    said = check(
        WORK
        + """
x = on_device(np.eye(150))
os.environ["BASCULE_FAKE_CUDA_MEMORY"] = str(1 << 19)
for call in (bc.linalg.inv, bc.linalg.svd, bc.fft.fft2, lambda x: x @ x):
    try:
        call(x)
        print("none")
    except MemoryError as error:
        print(bool(str(error)))
del os.environ["BASCULE_FAKE_CUDA_MEMORY"]
for name in WORK:
    right(name)
""",
        BASCULE_CUDA_POOL="exact",
    )
    assert said.splitlines() == ["True"] * 4


def test_threads_have_handles_of_their_own():
    """The stand-ins refuse a handle whose stream another thread set."""
    said = check(
        WORK
        + """
from concurrent.futures import ThreadPoolExecutor
for name in WORK:
    right(name)
with ThreadPoolExecutor(4) as pool:
    for _ in pool.map(right, [*WORK] * 4):
        pass
print(1 <= calls("cublasCreate_v2") <= 5, 1 <= calls("cusolverDnCreate") <= 5)
"""
    )
    assert said == "True True"


def test_products_read_views_where_they_are():
    """Operands with contiguous rows or columns are not copied; there is one call for a stack."""
    said = check("""
for dtype in "efdFD":
    a = on_device(rng.normal(size=(6, 8, 10)).astype(dtype))
    b = on_device(rng.normal(size=(6, 10, 4)).astype(dtype))
    bc.synchronize("cuda")
    for x, y in [(a, b), (a[0], b[0]), (a[0].T, a[1]), (a[:, :5, 2:9], b[:, 2:9, 1:3]), (a[::2], b[::2]), (a[0], b), (a, b[0]),
                 (a[1, ::2], b[1]), (a.swapaxes(1, 2), a)]:
        gemms, launches = calls("cublasGemmStridedBatchedEx_64"), calls("cuLaunchKernel")
        with bc.errstate(all="ignore"):
            got = bc.matmul(x, y)
        made = calls("cublasGemmStridedBatchedEx_64") - gemms, calls("cuLaunchKernel") - launches
        want = np.matmul(x.get().astype("D"), y.get().astype("D"))
        tolerance = {"e": 3e-3, "f": 1e-5, "F": 1e-5}.get(dtype, 1e-12)
        np.testing.assert_allclose(got.get().astype("D"), want, rtol=tolerance, atol=30 * tolerance)
        assert made == (1, 0), (dtype, x.shape, x.strides, y.shape, y.strides, made)
    for x, y in [(a[0, ::2, ::3], b[0, ::3]), (a[:, ::-1], b), (a[0], b[:, ::-1, ::-2]), (a[1, :, ::-1], b[0, ::-1])]:
        with bc.errstate(all="ignore"):
            got = bc.matmul(x, y)
            out = bc.zeros((*got.shape[:-1], 2 * got.shape[-1]), dtype=dtype, device="cuda")[..., ::2]
            bc.matmul(x, y, out=out)
        want = np.matmul(x.get().astype("D"), y.get().astype("D"))
        for r in (got, out):
            np.testing.assert_allclose(r.get().astype("D"), want, rtol=tolerance, atol=30 * tolerance)
for dtype in "iq?":
    x = on_device(np.eye(3).astype(dtype))
    gemms = calls("cublasGemmStridedBatchedEx_64")
    x @ x
    assert calls("cublasGemmStridedBatchedEx_64") == gemms
""")
    assert said == ""


FILES = {
    "cuBLAS": "libcublas.so.13",
    "cuSOLVER": "libcusolver.so.12",
    "cuFFT": "libcufft.so.12",
    "cuSPARSE": "libcusparse.so.12",
}


@pytest.mark.parametrize("name", NAMES)
def test_nvidias_own_library_opens_with_every_function(name):
    """Nothing of it runs: that takes a GPU."""
    if not any((Path(folder) / FILES[name]).exists() for folder in libraries()):
        pytest.skip(f"no toolkit and no package here has {FILES[name]}")
    said = emulated_cuda.run('print(bc._core.describe("cuda"))', **{"BASCULE_DEVICE": "cuda", NAMES[name]: ""})
    assert f"by {name} {FILES[name].rpartition('.')[2]}." in said
