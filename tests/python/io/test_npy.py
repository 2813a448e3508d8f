"""Files in NumPy's formats: the same bytes as NumPy writes, readable by either library."""

import io

import bascule as bc
import numpy as np
import pytest
from bascule import _core

host = _core.to_numpy
DTYPES = ["?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8", "c16", "M8[ns]", "m8[3h]"]
LAYOUTS = {
    "C": lambda n: n, "Fortran": lambda n: n.T, "strided": lambda n: n[:, ::2], "reversed": lambda n: n[::-1], "empty": lambda n: n[2:1],
    "0-d": lambda n: n[0, 0, ...], "row": lambda n: n[1], "column": lambda n: n[:, :1],
}  # fmt: skip


def written(save, *args, **kwargs):
    f = io.BytesIO()
    save(f, *args, **kwargs)
    return f.getvalue()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_files_are_numpys_byte_for_byte(layout, dtype, tmp_path):
    n = np.arange(12).reshape(3, 4).astype(dtype)
    a, expected = LAYOUTS[layout](bc.asarray(n)), LAYOUTS[layout](n)
    data = written(bc.save, a)
    assert data == written(np.save, expected)
    (tmp_path / "a.npy").write_bytes(data)
    for source in (tmp_path / "a.npy", str(tmp_path / "a.npy"), io.BytesIO(data)):
        back = bc.load(source)
        assert type(back) is bc.ndarray and back.dtype == n.dtype and back.shape == expected.shape
        np.testing.assert_array_equal(host(back), expected)
        assert back.flags.f_contiguous == np.load(io.BytesIO(data)).flags.f_contiguous


def test_names_get_an_ending_and_several_arrays_follow_each_other(tmp_path):
    bc.save(tmp_path / "x", bc.arange(3))
    assert np.load(tmp_path / "x.npy").tolist() == [0, 1, 2]
    f = io.BytesIO()
    bc.save(f, bc.arange(3))
    bc.save(f, [1.5])
    f.seek(0)
    assert host(bc.load(f)).tolist() == [0, 1, 2] and host(bc.load(f)).tolist() == [1.5]


def test_other_byte_orders_are_read_into_native_order(tmp_path):
    np.save(tmp_path / "x.npy", np.arange(3, dtype=">i4"))
    a = bc.load(tmp_path / "x.npy")
    assert a.dtype == np.int32 and a.dtype.isnative and host(a).tolist() == [0, 1, 2]


@pytest.mark.parametrize("cut", [20, 150])
def test_cut_files_raise_as_in_numpy(tmp_path, cut):
    (tmp_path / "x.npy").write_bytes(written(np.save, np.arange(10))[:cut])
    with pytest.raises(ValueError) as expected:
        np.load(tmp_path / "x.npy")
    with pytest.raises(ValueError) as raised:
        bc.load(tmp_path / "x.npy")
    assert str(raised.value) == str(expected.value)


@pytest.mark.parametrize("ours, theirs", [(bc.savez, np.savez), (bc.savez_compressed, np.savez_compressed)])
def test_archives_hold_what_numpys_hold(tmp_path, ours, theirs):
    a, b = np.arange(3), np.ones((2, 2), order="F")
    ours(tmp_path / "ours.npz", bc.asarray(a), last=bc.asarray(b))
    theirs(tmp_path / "theirs.npz", a, last=b)
    with np.load(tmp_path / "ours.npz") as x, np.load(tmp_path / "theirs.npz") as y:
        assert x.files == y.files
        assert all(x.zip.read(f"{k}.npy") == y.zip.read(f"{k}.npy") for k in y.files)
    with bc.load(tmp_path / "theirs.npz") as archive:
        assert (
            list(archive) == archive.files == np.load(tmp_path / "theirs.npz").files
            and "last" in archive
            and len(archive) == 2
        )
        assert type(archive["last"]) is bc.ndarray
        np.testing.assert_array_equal(host(archive["last"]), b)
        with pytest.raises(KeyError):
            archive["nothing"]


def test_objects_are_refused_with_numpys_errors(tmp_path):
    objects = np.array([object()])
    np.save(tmp_path / "o.npy", np.array([{}]), allow_pickle=True)
    for call in (
        lambda m: m.save(tmp_path / "x.npy", objects, allow_pickle=False),
        lambda m: m.load(tmp_path / "o.npy"),
    ):
        with pytest.raises(ValueError) as expected:
            call(np)
        with pytest.raises(ValueError) as raised:
            call(bc)
        assert str(raised.value) == str(expected.value)


@pytest.mark.parametrize("arguments", [{}, {"encoding": "latin1"}, {"fix_imports": False}])
def test_pickles_are_read_where_they_are_allowed(tmp_path, arguments):
    objects = np.array([{}, "text", None])
    with bc.config.set(fallback="silent"):
        bc.save(tmp_path / "o.npy", objects, allow_pickle=True)
        bc.savez(tmp_path / "o.npz", numbers=bc.arange(3), objects=objects, allow_pickle=True)
        found = bc.load(tmp_path / "o.npy", allow_pickle=True, **arguments)
        several = bc.load(tmp_path / "o.npz", allow_pickle=True, **arguments)
        assert type(found) is np.ndarray and found.tolist() == objects.tolist() == several["objects"].tolist()
        assert type(several["numbers"]) is bc.ndarray


@pytest.mark.skipif(bc.config.device != "cpu", reason="on a device what arrays do not hold is refused")
@pytest.mark.parametrize("x", [
    np.array([None, 1, "a"], object), np.array([], object), [[1], [2, 3]], {"a": 1}, None, "text", np.longdouble(1) / 3,
    np.arange(3, dtype=np.longdouble), np.array([(1, "a")], [("n", "i4"), ("s", "O")]), np.array(["a", "bc"]), [1.5],
], ids=str)  # fmt: skip
def test_what_is_written_by_default_comes_back(x):
    """As NumPy's, with the same class of error where one is raised."""

    def outcome(xp, call):
        file = io.BytesIO()
        try:
            return repr(call(xp, file))
        except ValueError as error:
            return str(error)

    def alone(xp, file):
        xp.save(file, x)
        file.seek(0)
        return xp.load(file, allow_pickle=True)

    def refused(xp, file):
        xp.save(file, x)
        file.seek(0)
        return xp.load(file)

    def several(xp, file):
        xp.savez(file, x, named=x)
        file.seek(0)
        found = xp.load(file, allow_pickle=True)
        return found["arr_0"], found.f.named, found.files, found.fid, type(found.zip), dir(found.f)

    with bc.config.set(fallback="silent"):
        for call in (alone, refused, several):
            assert outcome(bc, call) == outcome(np, call)


@pytest.mark.skipif(bc.config.device != "cpu", reason="on a device what arrays do not hold is refused")
def test_long_headers_of_trusted_files(tmp_path):
    long = np.zeros(2, [("n" * 90 + str(k), "i1") for k in range(300)])
    np.save(tmp_path / "x.npy", long)
    with pytest.raises(ValueError, match="Header info length"):
        bc.load(tmp_path / "x.npy")
    with bc.config.set(fallback="silent"):
        assert bc.load(tmp_path / "x.npy", allow_pickle=True).dtype == long.dtype


def test_archives_close_and_name_themselves(tmp_path):
    bc.savez(tmp_path / "x.npz", a=1, b=[1, 2])
    archives = [m.load(tmp_path / "x.npz") for m in (np, bc)]
    assert repr(archives[1]) == repr(archives[0])
    for archive in archives:
        assert archive.fid is not None and archive.zip is not None and archive.f.b.tolist() == [1, 2]
        archive.close()
        assert archive.fid is None and archive.zip is None


@pytest.mark.parametrize("mode", ["r", "r+", "c"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_mapped_files_are_read_and_written_where_they_lie(tmp_path, mode, order):
    n = np.arange(60000.0).reshape(200, 300, order=order)
    np.save(tmp_path / "x.npy", n)
    a = bc.load(tmp_path / "x.npy", mode)
    assert (a.shape, a.dtype, a.flags.fnc, a.flags.writeable) == (n.shape, n.dtype, order == "F", mode != "r")
    assert np.array_equal(np.asarray((a + 1)[::2]), (n + 1)[::2])
    if mode == "r":
        with pytest.raises(ValueError, match="read-only"):
            a[0] = 0
    else:
        a[1] *= 3
        assert np.array_equal(np.asarray(a[1]), n[1] * 3)
    if mode == "r+":
        n[1] *= 3
    del a
    assert np.array_equal(np.load(tmp_path / "x.npy"), n)


def test_archives_are_read_whatever_the_mode_and_unknown_modes_are_refused(tmp_path):
    np.savez(tmp_path / "x.npz", a=np.arange(3))
    np.save(tmp_path / "x.npy", np.arange(3))
    assert bc.load(tmp_path / "x.npz", "r")["a"].tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="mode must be one of"):
        bc.load(tmp_path / "x.npy", "q")


def test_missing_files_and_foreign_files_raise_as_in_numpy(tmp_path):
    with pytest.raises(FileNotFoundError):
        bc.load(tmp_path / "nothing.npy")
    (tmp_path / "x").write_bytes(b"no array")
    with pytest.raises(ValueError):
        bc.load(tmp_path / "x")
