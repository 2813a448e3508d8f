"""Memory of devices from the driver's pool in the order of streams, and from functions of another library. All emulated."""

import subprocess

import emulated_cuda
import pytest

PROGRAM = """
host = np.random.default_rng(0).random(5000)
def work():
    x = bc.asarray(host)
    stream = bc.cuda.Stream(non_blocking=True)
    with stream:
        y = bc.evaluate(bc.sort(x * 2) + 1)
        total = y.sum()
    np.testing.assert_array_equal(y.get(), np.sort(host * 2) + 1)
    np.testing.assert_allclose(float(total), (host * 2 + 1).sum())
    np.testing.assert_array_equal(x[bc.asarray(host > 0.5)].get(), host[host > 0.5])
    np.testing.assert_allclose(bc.cumsum(x[::3]).get(), np.cumsum(host[::3]))
    return y
"""


@pytest.mark.parametrize("late", ["0", "1"])
@pytest.mark.parametrize("pool", ["cached", "exact"])
def test_memory_of_the_drivers_pool_is_used_and_freed_in_the_order_of_streams(pool, late):
    """The order is checked where each array has an allocation of its own."""
    said = emulated_cuda.run(
        PROGRAM
        + """
kept = work()                       # of bascule's own pool
bc.cuda.set_allocator("driver")
own = calls("cuMemAlloc_v2")
pool = bc.get_default_memory_pool()
used = pool.used_bytes()
y = work()
taken, asked = pool.used_bytes() - used, calls("cuMemAllocFromPoolAsync")
bc.cuda.set_allocator()
before = calls("cuMemFreeAsync")
del y, kept                         # each goes back to where it came from
z = work()
bc.synchronize()
print(bc.cuda.get_allocator(), asked > 5, calls("cuMemAllocFromPoolAsync") - asked, taken, calls("cuMemFreeAsync") > before,
      calls("cuMemFreeAsync") - calls("cuMemAllocFromPoolAsync"))
""",
        BASCULE_DEVICE="cuda",
        BASCULE_CUDA_POOL=pool,
        BASCULE_FAKE_CUDA_LAZY=late,
    )
    assert said == "None True 0 40000 True 0"


def test_a_full_drivers_pool_is_a_memory_error_and_idle_arrays_are_moved():
    said = emulated_cuda.run(
        """
bc.cuda.set_allocator("driver")
try:
    bc.evaluate(bc.ones(1 << 20) + 1)
except MemoryError as error:
    print("Unable to allocate 8.00 MiB" in str(error))
bc.config.spill = "host"
many = [bc.evaluate(bc.full(1 << 17, float(k))) for k in range(9)]
assert all((a.get() == k).all() for k, a in enumerate(many))
print(bc.get_default_memory_pool().spilled()["moved_out"] > 0)
""",
        BASCULE_DEVICE="cuda",
        BASCULE_FAKE_CUDA_MEMORY=str(5 << 20),
    )
    assert said.split() == ["True", "True"]


LIBRARY = """
#include <stddef.h>
int cuMemAlloc_v2(unsigned long long*, size_t);
int cuMemFree_v2(unsigned long long);
static int given, taken;
static size_t bytes_out;
void* allocate(size_t bytes, int device, void* stream) {
    unsigned long long p = 0;
    if (device != 0 || !stream || cuMemAlloc_v2(&p, bytes)) return 0;
    ++given, bytes_out += bytes;
    return (void*)p;
}
void deallocate(void* p, size_t bytes, int device, void* stream) {
    if (device == 0 && stream && !cuMemFree_v2((unsigned long long)p)) ++taken, bytes_out -= bytes;
}
int numbers(int which) { return which == 0 ? given : which == 1 ? taken : (int)bytes_out; }
"""


@pytest.mark.parametrize("name", ["rmm", "functions"])
def test_memory_may_come_from_another_library(name, tmp_path):
    folder = tmp_path / "rmm" / "librmm"
    folder.mkdir(parents=True)
    for package in (folder, folder.parent):
        (package / "__init__.py").touch()
    (tmp_path / "source.c").write_text(LIBRARY)
    library, driver = folder / "_torch_allocator.so", emulated_cuda.library()
    subprocess.run(["cc", "-shared", "-fPIC", str(tmp_path / "source.c"), driver, f"-Wl,-rpath,{driver.rpartition('/')[0]}", "-o", str(library)], check=True)  # fmt: skip
    allocator = "rmm" if name == "rmm" else (str(library), "allocate", "deallocate")
    said = emulated_cuda.run(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        + PROGRAM
        + f"""
work()  # what is kept for the process is there
bc.cuda.set_allocator({allocator!r})
y = work()
bc.synchronize()
library = ctypes.CDLL({str(library)!r})
print(library.numbers(0) > 5, library.numbers(0) - library.numbers(1), library.numbers(2))
bc.cuda.set_allocator()
del y
bc.evaluate(bc.ones(9) + 1)
print(library.numbers(0) - library.numbers(1), library.numbers(2))
""",
        BASCULE_DEVICE="cuda",
        BASCULE_CUDA_POOL="exact",
    )
    assert said.splitlines() == ["True 1 40000", "0 0"]


def test_what_is_no_allocator_is_named():
    said = emulated_cuda.run(
        """
for wrong in ("own", ("/nowhere.so", "a", "b"), 3):
    try:
        bc.cuda.set_allocator(wrong)
    except (ValueError, OSError) as error:
        print(type(error).__name__, repr(wrong) in str(error) or "nowhere" in str(error))
bc.config.device = "cpu"
try:
    bc.cuda.set_allocator("driver")
except NotImplementedError as error:
    print("cpu" in str(error))
""",
        BASCULE_DEVICE="cuda",
    )
    assert said.splitlines() == ["ValueError True", "OSError True", "ValueError True", "True"]
