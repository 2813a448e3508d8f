"""Unused arrays in a device's memory are moved to the host's and to disk when it is short, and back; emulated."""

import emulated_cuda
import pytest

PRELUDE = """
import gc, threading
UNIT = 1 << 20
pool = bc.get_default_memory_pool()
bc.synchronize()
def limit(units):
    pool.free_all_blocks()
    pool.set_limit(pool.used_bytes() + int(units * UNIT))
def column(k):
    return np.random.default_rng(k).normal(size=UNIT // 8)
def state():
    return pool.spilled()
def idle(n):
    "n arrays of a unit each, evaluated, and what they are to hold"
    host = [column(k) for k in range(n)]
    return [bc.asarray(h) for h in host], host
"""


def run(program, lazy="1", **more):
    environment = {"BASCULE_DEVICE": "cuda", "BASCULE_FAKE_CUDA_LAZY": lazy, "BASCULE_SPILL": "host", **more}
    return emulated_cuda.run(PRELUDE + program, **environment)


@pytest.mark.parametrize("mode", ["cached", "exact"])
def test_a_chain_of_three_times_the_memory_ends_with_equal_results(mode):
    said = run(
        """
limit(8)
kept, expected = [], []
x, h = bc.asarray(column(0)), column(0)
for k in range(24):
    x, h = bc.evaluate(x * 0.5 + k), h * 0.5 + k
    kept.append(x)
    expected.append(h)
assert state()["moved_out"] >= 16 and state()["host_bytes"] >= 15 * UNIT
total = sum(float((a - b).sum()) for a, b in zip(kept[1:], kept))   # two at a time come back
for a, e in zip(kept, expected):
    assert (a.get() == e).all()
assert pool.used_bytes() <= pool.get_limit()
del kept, x, a; gc.collect()
assert state()["host_bytes"] == 0, state()
print("equal", state()["moved_in"] > 24)
""",
        BASCULE_CUDA_POOL=mode,
    )
    assert said == "equal True"


def test_what_was_used_longest_ago_goes_first():
    run(
        """
a, host = idle(4)
limit(1)
bc.evaluate(a[0] + 1)  # a temporary, gone at once; a[0] is the one used last
gone, moved = [], []
while sum(moved) < 3:
    gone.append(bc.asarray(column(9)))
    moved = [bc._core.is_moved_out(x) for x in a]
    assert moved[1:] == sorted(moved[1:], reverse=True), moved
assert not bc._core.is_moved_out(a[0])
for x, h in zip(a, host):
    assert (x.get() == h).all()
"""
    )


@pytest.mark.parametrize("how", ["export", "dlpack", "interface", "use"])
def test_memory_whose_address_is_known_stays(how):
    said = run(
        """
a, host = idle(3)
how = %r
if how == "export": holder = bc._core.begin_export(a[0])
if how == "dlpack": holder = a[0].__dlpack__()
if how == "interface": holder = a[0].__cuda_array_interface__
limit(2)
more = [bc.asarray(column(10 + k)) for k in range(6)]
print(bc._core.is_moved_out(a[0]), bc._core.is_moved_out(a[1]))
for k, x in enumerate(more):
    assert (x.get() == column(10 + k)).all()
"""
        % how
    )
    assert said == ("True True" if how == "use" else "False True")


def test_full_everywhere_is_an_error_that_names_both(tmp_path):
    said = run(
        """
bc.config.set(spill="disk", spill_host_limit=2 * UNIT, spill_disk_limit=2 * UNIT)
limit(3)
kept = []
try:
    for k in range(12):
        kept.append(bc.asarray(column(k)))
except MemoryError as error:
    print(len(kept), error)
for k, x in enumerate(kept):
    assert (x.get() == column(k)).all()
# What is given up makes room again.
del x, kept[:4]
gc.collect()
more = bc.asarray(column(20)) + 1
assert (more.get() == column(20) + 1).all()
""",
        BASCULE_SPILL_DIRECTORY=str(tmp_path),
    )
    assert said.startswith("7 ") and "host's share is full" in said and "disk's share is full" in said, said
    assert list(tmp_path.iterdir()) == []


def test_the_oldest_go_on_to_disk(tmp_path):
    said = run(
        """
limit(3)
kept = [bc.asarray(column(k)) for k in range(16)]
now = state()
assert now["host_bytes"] <= 4 * UNIT and now["disk_bytes"] >= 8 * UNIT, now
for k in (15, 0, 7, 3, 12):
    assert (kept[k].get() == column(k)).all()
    kept[k] += 1
assert [(x.get() - column(k)).round(9).sum() for k, x in enumerate(kept)][7] == UNIT // 8
print(state()["written_bytes"] > 0, state()["read_bytes"] > 0)
""",
        BASCULE_SPILL="disk",
        BASCULE_SPILL_HOST_LIMIT=str(4 << 20),
        BASCULE_SPILL_DIRECTORY=str(tmp_path),
    )
    assert said == "True True"


def test_what_has_changed_on_disk_is_reported_and_never_read_as_data(tmp_path):
    said = run(
        """
import os
limit(3)
kept = [bc.asarray(column(k)) for k in range(16)]
open_files = [n for n in os.listdir("/proc/self/fd") if os.path.islink(f"/proc/self/fd/{n}")]  # not the one of the listing
(number,) = [n for n in open_files if "bascule-spill" in os.readlink(f"/proc/self/fd/{n}")]
file = os.open(f"/proc/self/fd/{number}", os.O_RDWR)
for at in range(0, os.fstat(file).st_size, UNIT // 2):
    os.pwrite(file, bytes([os.pread(file, 1, at)[0] ^ 1]), at)
told = set()
for k, x in enumerate(kept):
    try:
        assert (x.get() == column(k)).all()
    except (OSError, RuntimeError, MemoryError) as error:
        told.add("a checksum differs" in str(error))
print(told)
""",
        BASCULE_SPILL="disk",
        BASCULE_SPILL_HOST_LIMIT=str(4 << 20),
        BASCULE_SPILL_DIRECTORY=str(tmp_path),
    )
    assert said == "{True}"


def test_off_it_is_an_error_as_ever():
    said = run(
        """
limit(3)
kept = []
try:
    for k in range(6):
        kept.append(bc.asarray(column(k)))
except MemoryError as error:
    print(len(kept), "moved" in str(error), state()["moved_out"])
""",
        BASCULE_SPILL="off",
    )
    assert said == "3 False 0"


def test_writes_views_and_reductions_of_what_was_moved():
    run(
        """
a, host = idle(6)
views = [x[::2] for x in a]
limit(-4)
filler = [bc.asarray(column(30 + k)) for k in range(8)]
assert all(bc._core.is_moved_out(x) for x in a)
for x, v, h in zip(a, views, host):
    x[1:] = x[:-1] * 2
    h[1:] = h[:-1] * 2
    x += 1
    h += 1
    assert (v.get() == h[::2]).all()
    k = bc.asarray(np.array([3, 0, 5]))
    assert (x[k].get() == h[[3, 0, 5]]).all()
    x[k] = 7
    h[[3, 0, 5]] = 7
    assert float(x.max()) == h.max() and float(x.sum()) == h.sum()
    assert (bc.sort(x).get() == np.sort(h)).all()
    assert (x[x > 0].get() == h[h > 0]).all()
for x, h in zip(a, host):
    assert (x.get() == h).all()
"""
    )


def test_memory_that_an_algorithm_needs_for_itself_is_made_room_for():
    run(
        """
limit(8)
a, host = idle(7)
order = bc.argsort(a[6])     # wants more than the unit that is left
assert (order.get() == np.argsort(host[6], kind="stable")).all()
assert state()["moved_out"] > 0
m = bc.asarray(np.arange(64.0 * 64).reshape(64, 64)) + np.eye(64)[0, 0] * bc.eye(64) * 1e4
assert np.allclose(bc.linalg.inv(m).get() @ m.get(), np.eye(64))
for x, h in zip(a, host):
    assert (x.get() == h).all()
"""
    )


def test_an_operation_that_needs_more_than_the_memory_says_so_and_can_be_tried_again():
    said = run(
        """
a, host = idle(5)
limit(-2)
try:
    (a[0] + a[1] + a[2] + a[3] * a[4]).get()
except MemoryError as error:
    print("in use now" in str(error))
pool.set_limit(0)
assert ((a[0] + a[1]).get() == host[0] + host[1]).all()
"""
    )
    assert said == "True"


def test_threads_share_what_there_is():
    run(
        """
limit(16)
problems = []
def work(n):
    try:
        rng = np.random.default_rng(n)
        host = [rng.normal(size=UNIT // 16) for _ in range(16)]
        mine = [bc.asarray(h) for h in host]
        for k in range(24):
            i, j = rng.integers(0, 16, 2)
            mine[i], host[i] = bc.evaluate(mine[i] * 0.5 + mine[j]), host[i] * 0.5 + host[j]
            if k % 6 == 0:
                assert (bc.sort(mine[j]).get() == np.sort(host[j])).all()
        for x, h in zip(mine, host):
            assert (x.get() == h).all()
    except BaseException as error:
        problems.append(error)
threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not problems, problems
assert state()["moved_out"] > 0
"""
    )


@pytest.mark.parametrize(
    "call", ["cuMemcpyDtoHAsync_v2", "cuMemcpyHtoDAsync_v2", "cuMemHostAlloc", "cuStreamSynchronize"]
)
def test_a_call_of_the_driver_that_fails_loses_nothing(call):
    run(
        """
a, host = idle(4)
limit(1)
call = %r
for k in range(1, 4):
    _fake.bascule_fake_reset()
    os.environ["BASCULE_FAKE_CUDA_FAIL"] = f"{call}:{k}"
    try:
        filler = bc.asarray(column(40)); filler2 = bc.asarray(column(41)); bc.evaluate(a[k] + 1)
        bc.synchronize()
    except (RuntimeError, MemoryError) as error:
        pass
    del os.environ["BASCULE_FAKE_CUDA_FAIL"]
    _fake.bascule_fake_reset()
    for x, h in zip(a, host):
        assert (x.get() == h).all(), k
"""
        % call,
        lazy="0",
    )


def test_frames_are_moved_as_arrays_are():
    run(
        """
import bascule.pandas as pd
import pandas
limit(14)
host = pandas.DataFrame({f"c{k}": column(k) for k in range(4)} | {"key": np.random.default_rng(5).integers(0, 50, UNIT // 8)})
frames = [pd.DataFrame(host * (k + 1)) for k in range(6)]       # 30 units
for k, f in enumerate(frames):
    got = f.groupby("key")["c1"].sum()
    want = (host * (k + 1)).groupby("key")["c1"].sum()
    np.testing.assert_allclose(got.to_numpy(), want.to_numpy(), rtol=1e-12)
assert state()["moved_out"] > 10
for k, f in enumerate(frames):
    assert (f["c3"].to_numpy() == host["c3"].to_numpy() * (k + 1)).all()
"""
    )


def test_settings_and_what_is_reported():
    said = run(
        """
from bascule import installation
print([line.strip() for line in installation.text().splitlines() if "spilling" in line][0])
bc.config.spill = "disk"
print([line.strip() for line in installation.text().splitlines() if "spilling" in line][0])
for name, value in (("spill", "tape"), ("spill_host_limit", -1), ("spill_host_limit", "much"), ("spill_directory", "/no/such")):
    try:
        setattr(bc.config, name, value)
    except ValueError as error:
        assert name in str(error), error
    else:
        raise AssertionError(name)
with bc.config.set(spill="off"):
    assert bc.config.spill == "off"
assert bc.config.spill == "disk" and bc.config.spill_host_limit > 0 and "spill" in bc.config.names()
"""
    )
    host, disk = said.splitlines()
    assert host.startswith("spilling: host 0.0 MB of ") and "disk" not in host
    assert ", disk 0.0 MB of " in disk
