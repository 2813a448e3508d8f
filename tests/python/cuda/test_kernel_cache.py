"""The folder of compiled kernels, shared by several processes."""

from concurrent.futures import ThreadPoolExecutor

import emulated_cuda

PROGRAM = """
x = bc.arange(1000.0)
for k in range(2):
    assert float((x + k).sum()) == 499500 + 1000 * k
    assert bc.sqrt(x * x).tolist() == list(range(1000))
"""


def test_processes_share_a_folder(tmp_path):
    run = lambda _: emulated_cuda.run(PROGRAM, BASCULE_DEVICE="cuda", BASCULE_CACHE_DIR=str(tmp_path))
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(run, range(3)))
    files = list((tmp_path / "cuda").iterdir())
    assert files
    assert all(f.suffix == ".cubin" for f in files), "nothing half written is left"
    before = {f: f.stat().st_mtime_ns for f in files}
    said = emulated_cuda.run(
        PROGRAM + "print(_fake.bascule_fake_compilations())", BASCULE_DEVICE="cuda", BASCULE_CACHE_DIR=str(tmp_path)
    )
    assert said == "0"
    assert {f: f.stat().st_mtime_ns for f in (tmp_path / "cuda").iterdir()} == before
