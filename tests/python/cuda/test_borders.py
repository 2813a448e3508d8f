"""Interaction of the CUDA device with files, forks, other devices, and other threads' streams."""

import emulated_cuda
import pytest


def test_read_csv_never_gives_a_frame_of_the_host(tmp_path):
    file = tmp_path / "table.csv"
    file.write_text("a,b\n1,2.5\n3,4.5\n")
    said = emulated_cuda.run(f"""
    import bascule.pandas as pd
    with bc.device("cuda"):
        frame = pd.read_csv({str(file)!r})
        print({{frame[c].values.device for c in frame.columns}})
    frame = pd.read_csv({str(file)!r})
    assert frame["b"].sum() == 7.0
    """)
    assert said == "{'cuda'}"


def test_memory_of_the_host_is_never_taken_for_the_devices():
    said = emulated_cuda.run("""
    with bc.device("cuda"):
        for given in (np.arange(3.0), np.arange(3, dtype=">i4")):
            try:
                print(bc.asarray(given, copy=False))
            except ValueError as error:
                print(error)
    """)
    assert [("cannot share" in line, "copy=False" in line) for line in said.splitlines()] == [(True, True)] * 2


def test_a_forked_child_is_reported():
    said = emulated_cuda.run("""
    import sys, traceback
    x = bc.arange(10.0).to_device("cuda")
    waiting = x + 1
    def said(call):
        try:
            return repr(call())
        except RuntimeError as error:
            return str(error)
    before = calls("cuLaunchKernel"), calls("cuMemcpyDtoHAsync_v2"), calls("cuMemFree_v2")
    sys.stdout.flush()
    pid = os.fork()
    if not pid:
        for call in (lambda: x.get(), lambda: waiting.get(), lambda: bc.zeros(3, device="cuda"), lambda: float(x[0]), lambda: bc.synchronize("cuda")):
            print(said(call))
        del x, waiting
        print(float((bc.arange(4.0) + 1).sum()))
        assert before == (calls("cuLaunchKernel"), calls("cuMemcpyDtoHAsync_v2"), calls("cuMemFree_v2"))
        sys.stdout.flush()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    print(waiting.get().sum())
    """)
    *lines, computed, parent = said.splitlines()
    assert len(lines) == 5 and computed == "10.0" and parent == "55.0"
    for line in lines:
        assert "fork" in line and "spawn" in line


def test_copies_between_devices_do_not_pass_the_host():
    said = emulated_cuda.run(
        """
    x = bc.arange(1000.0).to_device("cuda")
    y = (x * 2).to_device("cuda")
    bc.evaluate(y)
    bc.synchronize("cuda")
    host = calls("cuMemcpyDtoHAsync_v2"), calls("cuMemcpyHtoDAsync_v2"), calls("cuStreamSynchronize")
    z = y.to_device("cuda:1")
    part = y[::-3].to_device("cuda:1")
    assert host == (calls("cuMemcpyDtoHAsync_v2"), calls("cuMemcpyHtoDAsync_v2"), calls("cuStreamSynchronize"))
    assert z.device == "cuda:1" and part.device == "cuda:1"
    del x, y
    bc.zeros(1000, device="cuda").get()
    expected = np.arange(1000.0) * 2
    assert (z.get() == expected).all() and (part.get() == expected[::-3]).all()
    print(calls("cuMemcpyPeerAsync"))
    """,
        BASCULE_FAKE_CUDA_DEVICES="2",
        BASCULE_FAKE_CUDA_LAZY="1",
    )
    assert said == "2"


@pytest.mark.parametrize("cannot", ["0", "1"])
def test_cards_that_can_reach_one_another_are_reported_so_once(cannot):
    """If peer access is impossible, the driver copies in another way, with the same elements."""
    said = emulated_cuda.run(
        """
    x = bc.arange(1000.0).to_device("cuda")
    for k in range(3):
        y = (x + k).to_device("cuda:1")
        assert (y.get() == np.arange(1000.0) + k).all()
        assert (y.to_device("cuda:0").get() == np.arange(1000.0) + k).all()
    print(calls("cuMemcpyPeerAsync"), calls("cuDeviceCanAccessPeer"), calls("cuCtxEnablePeerAccess"))
    """,
        BASCULE_FAKE_CUDA_DEVICES="2",
        BASCULE_FAKE_CUDA_LAZY="1",
        BASCULE_FAKE_CUDA_NO_PEERS=cannot,
    )
    assert said == ("6 2 2" if cannot == "0" else "6 2 0")


def test_files_of_numpys_are_read_to_the_device(tmp_path):
    """Through the host's memory, counted as native; on the CPU they are read into the array's own memory."""
    said = emulated_cuda.run(
        f"""
    import io
    folder = {str(tmp_path)!r}
    cases = [np.arange(12.0).reshape(3, 4), np.asfortranarray(np.arange(6, dtype="f4").reshape(2, 3)), np.zeros((0, 3)),
             np.arange(5, dtype=">i4"), np.array(2.5), np.array(["2020-01-01", "NaT"], "M8[D]"), np.arange(3) > 1]
    with bc.config.set(fallback="error"):
        for k, a in enumerate(cases):
            np.save(f"{{folder}}/{{k}}.npy", a)
            x = bc.load(f"{{folder}}/{{k}}.npy")
            assert x.device == "cuda" and x.dtype == a.dtype.newbyteorder("="), (k, x.dtype)
            np.testing.assert_array_equal(x.get(), a)
            assert x.flags.f_contiguous == a.flags.f_contiguous, k
            f = io.BytesIO()
            bc.savez(f, x, y=x)
            f.seek(0)
            z = bc.load(f)
            assert z["y"].device == "cuda"
            np.testing.assert_array_equal(z["arr_0"].get(), a)
        np.arange(9, dtype="i2").tofile(f"{{folder}}/bytes")
        x = bc.fromfile(f"{{folder}}/bytes", "i2", 4, offset=2)
        assert x.device == "cuda" and x.tolist() == [1, 2, 3, 4]
    print("read")
    """,
        BASCULE_DEVICE="cuda",
    )
    assert said == "read"
