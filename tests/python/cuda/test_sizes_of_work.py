"""Memory and work of a call grow with what it was asked for. All emulated; the lengths of threads by NVIDIA's compiler."""

import json

import emulated_cuda
import pytest

VIEWS = {
    "sum": "A[:, :6].sum()",
    "sum of every other": "A[::2, ::2].sum()",
    "mean": "A[::2, ::2].mean()",
    "max": "A[:, :6].max()",
    "std": "A[:, :6].std()",
    "argmax": "A[:, :6].argmax()",
    "any": "(A[:, :6] > 2).any()",
    "few results": "A[:, :6].reshape(3, -1, 6).sum(axis=(1, 2))",
}


@pytest.mark.skipif(emulated_cuda.nvrtc() is None, reason="NVRTC is missing: nvidia-cuda-nvrtc>=13,<14")
@pytest.mark.parametrize("view", VIEWS)
def test_no_thread_merges_all_rows(view, tmp_path):
    """Rows of a view that do not lie together: in every kernel the work is spread over its warps, or is little."""
    file = tmp_path / "counts"
    emulated_cuda.run(
        f"""
    A = np.random.default_rng(1).random((36000, 8))
    expected = {VIEWS[view]}
    A = bc.asarray(A, device="cuda")
    np.testing.assert_allclose(({VIEWS[view]}).get(), expected, rtol=1e-14)
    """,
        **{"BASCULE_CUDA_POOL": "exact", **emulated_cuda.ptx_environment(), "BASCULE_FAKE_CUDA_PTX_COUNTS": str(file)},
    )
    kernels = [json.loads(line) for line in file.read_text().splitlines()]
    alone = [
        (k["kernel"], k["longest_warp"])
        for k in kernels
        if k["longest_warp"] > 20_000 and k["longest_warp"] * k["warps"] > 3 * k["warp_instructions"]
    ]
    assert kernels and not alone


def test_assignment_by_few_indices_claims_little_memory():
    said = emulated_cuda.run(
        """
    host = np.zeros(1 << 21)
    x = bc.asarray(host.copy())
    k = np.array([5, -1, 77, 5, 1 << 20, 3, 3, 2, 1, 0])
    pool = bc.get_default_memory_pool()
    for value in (7.0, np.arange(10.0)):
        x[bc.asarray(k)] = bc.asarray(value)
        host[k] = value
    np.testing.assert_array_equal(x.get(), host)
    print(pool.total_bytes() - x.nbytes < 1 << 20)
    """,
        BASCULE_DEVICE="cuda",
        BASCULE_CUDA_POOL="exact",
        BASCULE_FAKE_CUDA_MEMORY=str((8 << 21) + (1 << 20)),
    )
    assert said == "True"


@pytest.mark.parametrize("dtype", ["u1", "f4", "c16"])
def test_the_last_of_several_assignments_stays(dtype):
    emulated_cuda.run(
        f"""
    rng = np.random.default_rng(2)
    for size, items in ((10_000, 300), (40, 300), (5_000, 2_000), (1, 3)):
        host = np.zeros((size, 3), {dtype!r})
        x = bc.asarray(host.copy())
        k, j = rng.integers(-size, size, items), rng.integers(0, 3, items)
        value = rng.integers(0, 200, items).astype({dtype!r})
        host[k, j] = value
        x[bc.asarray(k), bc.asarray(j)] = bc.asarray(value)
        np.testing.assert_array_equal(x.get(), host)
        host[k[::-1], 1] = 3
        x[bc.asarray(k)[::-1], 1] = 3
        np.testing.assert_array_equal(x.get(), host)
    """,
        BASCULE_DEVICE="cuda",
    )


def test_a_mask_is_counted_once():
    said = emulated_cuda.run(
        """
    rng = np.random.default_rng(3)
    for shape in ((7000,), (90, 100), (9, 10, 100)):
        host, keep = rng.random(shape), rng.random(shape) < 0.4
        for view in (lambda a: a, lambda a: a[::2], lambda a: a[..., ::-1], lambda a: a.T):
            x, m = view(bc.asarray(host)), view(bc.asarray(keep))
            bc.synchronize()
            before = calls("cuLaunchKernel"), calls("cuStreamSynchronize")
            y = x[m]
            print(calls("cuLaunchKernel") - before[0], calls("cuStreamSynchronize") - before[1])
            np.testing.assert_array_equal(y.get(), view(host)[view(keep)])
            bc.synchronize()
            before = calls("cuLaunchKernel")
            found = bc.nonzero(m)
            print(calls("cuLaunchKernel") - before, 1)
            for ours, theirs in zip(found, np.nonzero(view(keep))):
                np.testing.assert_array_equal(ours.get(), theirs)
    none = bc.zeros(5000, "?")
    assert bc.ones(5000)[none].shape == (0,) and bc.nonzero(none)[0].shape == (0,)
    big = rng.random(2_200_000) < 0.3  # more chunks than the block that places them adds up at once
    np.testing.assert_array_equal(bc.nonzero(bc.asarray(big))[0].get(), np.nonzero(big)[0])
    """,
        BASCULE_DEVICE="cuda",
    )
    assert set(said.splitlines()) == {"3 1"}
