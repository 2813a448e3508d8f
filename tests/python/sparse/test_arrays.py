"""Sparse arrays against SciPy's, over types, forms, empty rows, and repeated and unsorted positions."""

import copy
import pickle
import warnings

import bascule as bc
import numpy as np
import pytest
from bascule import sparse as ours
from scipy import sparse as theirs

TYPES = ["float64", "float32", "int64", "int8", "bool", "complex128"]
FORMS = ["csr", "csc"]
FLOATS = ["float64", "float32"]


@pytest.fixture(autouse=True)
def native():
    with bc.config.set(fallback="error"):
        yield


def canonical(dtype, form, shape=(40, 25)):
    rng = np.random.default_rng(0)
    made = rng.integers(-4, 5, shape) * (rng.random(shape) < 0.3)
    made[::7] = 0
    return theirs.csr_array(made.astype(dtype)).asformat(form)


def long_indices(dtype, form):
    made = canonical(dtype, form)
    made.indices, made.indptr = made.indices.astype(np.int64), made.indptr.astype(np.int64)
    return made


def unsorted_and_repeated(dtype, form):
    rng = np.random.default_rng(1)
    shape, lengths = (40, 25), rng.integers(0, 9, 40 if form == "csr" else 25)
    indptr = np.concatenate([[0], lengths.cumsum()]).astype(np.int32)
    indices = rng.integers(0, shape[form == "csr"], indptr[-1]).astype(np.int32)
    data = rng.integers(1, 5, indptr[-1]).astype(dtype)
    return getattr(theirs, f"{form}_array")((data, indices, indptr), shape=shape)


KINDS = {
    "canonical": canonical,
    "long indices": long_indices,
    "unsorted and repeated": unsorted_and_repeated,
    "no element": lambda dtype, form: canonical(dtype, form) * np.dtype(dtype).type(0),
    "no row": lambda dtype, form: canonical(dtype, form)[:0],
    "no column": lambda dtype, form: canonical(dtype, form)[:, :0],
    "one column": lambda dtype, form: canonical(dtype, form, (40, 1)),
}


def same(got, wanted, rtol=0.0):
    """The same type of values, shape, and elements; dense results of ours are of bascule."""
    if theirs.issparse(wanted):
        assert type(got).__module__.startswith("bascule"), type(got)
        got, wanted = got.toarray(), wanted.toarray()
    if np.ndim(wanted):
        assert type(got) is bc.ndarray
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    np.testing.assert_allclose(np.asarray(got), wanted, rtol=rtol, atol=rtol)


def pair(kind, dtype, form):
    wanted = KINDS[kind](dtype, form)
    return getattr(ours, f"{form}_array")(wanted), wanted


every_form = pytest.mark.parametrize("form", FORMS)
every_type = pytest.mark.parametrize("dtype", TYPES)
every_kind = pytest.mark.parametrize("kind", KINDS)


@every_form
@every_type
@every_kind
def test_memory_is_shared_with_scipy_there_and_back(kind, dtype, form):
    mine, other = pair(kind, dtype, form)
    back = mine.to_scipy()
    for name in ("data", "indices", "indptr"):
        assert type(getattr(mine, name)) is bc.ndarray
        if getattr(other, name).size and kind not in ("long indices", "unsorted and repeated"):
            assert np.shares_memory(np.asarray(getattr(mine, name)), getattr(other, name)), name
            assert np.shares_memory(getattr(back, name), getattr(other, name)), name
    assert (back.shape, back.dtype, back.format, back.nnz) == (other.shape, other.dtype, form, other.nnz)
    assert repr(mine) == repr(other) and mine.ndim == 2 and mine.size == mine.nnz == other.nnz
    same(mine.toarray(), other.toarray())
    same(mine.copy(), other.copy())
    assert not mine.nnz or not np.shares_memory(np.asarray(mine.copy().data), other.data)


@every_form
@every_type
@every_kind
def test_other_forms(kind, dtype, form):
    mine, other = pair(kind, dtype, form)
    for to in FORMS:
        same(mine.asformat(to), other.asformat(to))
        assert mine.asformat(to).format == to
    same(mine.tocsr(), other.tocsr()), same(mine.tocsc(), other.tocsc())
    same(mine.T, other.T), same(mine.transpose(), other.transpose())
    assert mine.T.format == other.T.format
    assert mine.toarray("F").flags.f_contiguous
    for to in ("float64", "float32", "complex128") if dtype != "complex128" else ("complex64",):
        same(mine.astype(to), other.astype(to))
    for protocol in (2, 5):
        same(pickle.loads(pickle.dumps(mine, protocol)), other)
    same(copy.deepcopy(mine), other), same(copy.copy(mine), other)


@every_form
@pytest.mark.parametrize("dtype", FLOATS)
@every_kind
def test_products_with_dense_arrays_on_both_sides(kind, dtype, form):
    mine, other = pair(kind, dtype, form)
    rng = np.random.default_rng(2)
    n, d = other.shape
    for of in ("float64", "float32", "int8", "bool"):
        for shape in ((d,), (d, 1), (d, 3), (d, 18), (d, 0)):
            B = rng.integers(-3, 4, shape).astype(of)
            for factor in (B, bc.asarray(B), np.asfortranarray(B)):
                same(mine @ factor, other @ B), same(mine.dot(factor), other.dot(B))
        for shape in ((n,), (1, n), (3, n), (18, n)):
            B = rng.integers(-3, 4, shape).astype(of)
            for factor in (B, bc.asarray(B), np.asfortranarray(B)):
                same(factor @ mine, B @ other)


@every_form
@pytest.mark.parametrize("dtype", FLOATS)
@every_kind
def test_arrays_of_another_device(kind, dtype, form):
    near, other = pair(kind, dtype, form)
    mine = getattr(ours, f"{form}_array")(other, device="reference")
    B = np.random.default_rng(2).integers(-3, 4, (other.shape[1], 3)).astype(dtype)
    for of in (
        lambda A: A,
        lambda A: A @ B,
        lambda A: B.T @ A.T,
        lambda A: A.T,
        lambda A: A.tocsr(),
        lambda A: A.tocsc(),
        lambda A: A[1:9],
        lambda A: A[::-2],
        lambda A: A[np.arange(A.shape[0]) % 2 == 0],
        lambda A: A[:, np.arange(A.shape[1]) % 2 == 0],
        lambda A: A.sum(axis=0),
        lambda A: A.sum(axis=1),
        lambda A: A * 2,
        lambda A: A * np.arange(A.shape[1]),
        lambda A: A * np.arange(A.shape[0])[:, None],
        lambda A: ours.vstack([A, A]),
        lambda A: ours.hstack([A, A]),
    ):
        got, wanted = of(mine), of(near)
        assert got.device == "reference" and got.shape == wanted.shape and got.dtype == wanted.dtype
        if ours.issparse(got):
            assert got.format == wanted.format
            got, wanted = got.toarray(), wanted.toarray()
        np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), rtol=1e-6)
    with pytest.raises(ValueError, match=r"the array is on reference, the factor is on cpu"):
        mine @ bc.asarray(B)
    assert mine.to_device("cpu").device == "cpu"


@pytest.mark.parametrize("form", FORMS)
def test_products_of_many_elements_have_scipys_sums(form):
    other = theirs.random_array((30_000, 50), density=0.2, rng=0, format=form)
    mine, B = getattr(ours, f"{form}_array")(other), np.random.default_rng(1).normal(size=(50, 5))
    same(mine @ B, other @ B, 1e-13), same(mine.T @ (other @ B), other.T @ (other @ B), 1e-12)
    found = []
    before = bc.get_num_threads()
    try:
        for threads in (1, 3):
            bc.set_num_threads(threads)
            found.append([np.asarray(mine @ B), np.asarray(mine.T @ (other @ B))])
    finally:
        bc.set_num_threads(before)
    for once, again in zip(*found):
        np.testing.assert_array_equal(once, again)


ROWS = {
    "slice": slice(3, 20),
    "step": slice(30, 2, -3),
    "all": slice(None),
    "none": slice(5, 5),
    "list": [3, 3, -1, 0],
    "indices": np.array([7, 2, 39]),
    "unsigned": np.array([7, 2], np.uint8),
    "no index": np.array([], int),
    "mask": np.arange(40) % 3 == 0,
}


@every_form
@every_type
@pytest.mark.parametrize("kind", ["canonical", "long indices", "unsorted and repeated"])
@pytest.mark.parametrize("rows", ROWS)
def test_rows(rows, kind, dtype, form):
    mine, other = pair(kind, dtype, form)
    key = ROWS[rows]
    same(mine[key], other[key])
    assert mine[key].format == form
    same(mine[key, :], other[key, :]), same(mine[key, 2:9], other[key, 2:9])
    if not isinstance(key, slice):
        same(mine[bc.asarray(np.asarray(key))], other[key])
    columns = key if isinstance(key, slice) else np.asarray(key)[:25] if rows == "mask" else np.asarray(key) % 25
    same(mine[:, columns], other[:, columns])


def test_positions_that_scipy_may_sort_are_not_shared():
    mine, other = pair("unsorted and repeated", "float64", "csr")
    wanted, total = other.copy(), other.data.sum()
    other.sum_duplicates()
    wanted.sum_duplicates()
    assert mine.nnz > wanted.nnz and mine.sum() == total
    same(mine.toarray(), wanted.toarray())
    them = mine.to_scipy()
    them.sum_duplicates()
    assert mine.nnz > wanted.nnz and mine.sum() == total
    same(mine.toarray(), wanted.toarray())


def test_consecutive_rows_share_memory():
    mine, other = pair("canonical", "float64", "csr")
    assert np.shares_memory(np.asarray(mine[3:30].data), other.data)
    assert mine[:] is not mine


@every_form
def test_bad_indices(form):
    mine, other = pair("canonical", "float64", form)
    for key in ([40], [-41], np.ones(39, bool), (slice(None), [25])):
        with pytest.raises(IndexError):
            other[key]
        with pytest.raises(IndexError):
            mine[key]


@every_form
@pytest.mark.parametrize("dtype", FLOATS)
@every_kind
def test_reductions(kind, dtype, form):
    mine, other = pair(kind, dtype, form)
    close = 1e-6 if dtype == "float32" else 1e-13
    dense = other.toarray()
    for axis in (None, 0, 1, -1, -2):
        same(mine.sum(axis=axis), other.sum(axis=axis), close)
        if 0 in other.shape:
            continue
        same(mine.mean(axis=axis), other.mean(axis=axis), close)
        for ddof in (0, 1):
            if dense.size > 1 and (axis is None or dense.shape[axis] > ddof):
                same(mine.var(axis=axis, ddof=ddof), dense.var(axis=axis, ddof=ddof), 20 * close)
    same(mine.sum(axis=0, dtype=np.float64), other.sum(axis=0, dtype=np.float64), close)


@every_form
@every_type
@every_kind
def test_arithmetic_with_numbers(kind, dtype, form):
    mine, other = pair(kind, dtype, form)
    for number in (2, 2.5, np.float32(3), True):
        same(mine * number, other * number), same(number * mine, number * other), same(mine.multiply(number), other.multiply(number))  # fmt: skip
    same(mine / 2, other / 2), same(mine / np.float32(2), other / np.float32(2))
    if dtype != "bool":
        same(-mine, -other), same(abs(mine), abs(other))
    if dtype in FLOATS:
        same(mine**2, other**2), same(mine.power(3), other.power(3))
        made, wanted = mine.copy(), other.copy()
        made *= 2
        wanted *= 2
        same(made, wanted)
        made /= 4
        wanted /= 4
        same(made, wanted)


@every_form
@pytest.mark.parametrize("dtype", FLOATS)
@every_kind
def test_scaling_of_rows_columns_and_elements(kind, dtype, form):
    mine, other = pair(kind, dtype, form)
    rng = np.random.default_rng(5)
    n, d = other.shape
    for shape in ((n, 1), (1, d), (d,), (n, d), (1, 1)):
        for of in ("float64", "float32"):
            B = rng.integers(1, 5, shape).astype(of)
            for factor in (B, bc.asarray(B)):
                same(mine * factor, (other * B).tocsr()), same(factor * mine, (B * other).tocsr())
                assert (mine * factor).format == form


@every_form
@pytest.mark.parametrize("dtype", FLOATS)
@every_kind
@pytest.mark.parametrize("name", ["sqrt", "log1p", "expm1", "sin", "tanh", "sign", "floor", "rint"])
def test_functions_of_elements(name, kind, dtype, form):
    mine, other = pair(kind, dtype, form)
    mine, other = abs(mine), abs(other)
    same(getattr(mine, name)(), getattr(other, name)(), 1e-6 if dtype == "float32" else 1e-15)


@every_type
@every_kind
@every_form
def test_stacks(form, kind, dtype):
    mine, other = pair(kind, dtype, form)
    for stack in ("hstack", "vstack"):
        for to in (None, "csr", "csc"):
            made = getattr(ours, stack)([mine, other, mine.asformat("csr")], format=to)
            same(made, getattr(theirs, stack)([other, other, other], format=to or form))
            assert made.format == (to or form)
    with pytest.raises(ValueError, match=r"[Mm]ismatching|incompatible"):
        ours.vstack([mine, canonical(dtype, "csr", (3, 30))])
    with pytest.raises(ValueError, match="blocks must not be empty|blocks"):
        ours.vstack([])


@every_form
def test_ways_to_make_one(form):
    mine, other = getattr(ours, f"{form}_array"), getattr(theirs, f"{form}_array")
    dense = canonical("float64", "csr").toarray()
    for given in (dense, dense.tolist(), theirs.coo_array(dense), theirs.csr_matrix(dense)):
        same(mine(given), other(given))
    same(mine(bc.asarray(dense)), other(dense))
    same(mine((3, 4)), other((3, 4)))
    coordinates = ([1.0, 2.0, 3.0], ([0, 1, 0], [1, 0, 1]))
    same(mine(coordinates, shape=(2, 3)), other(coordinates, shape=(2, 3)))
    same(mine(coordinates, dtype=np.float32), other(coordinates, dtype=np.float32))
    parts = (np.array([1.0, 2.0]), np.array([1, 0]), np.array([0, 1, 2]))
    same(mine(parts), other(parts))
    same(mine(tuple(map(bc.asarray, parts))), other(parts))
    same(mine(mine(dense)), other(dense))
    same(ours.csc_array(mine(dense)), theirs.csc_array(other(dense)))
    assert ours.issparse(mine(dense)) and ours.issparse(other(dense)) and not ours.issparse(dense)


def test_what_does_not_fit_together_is_refused():
    data, indices, indptr = np.ones(2), np.array([0, 5]), np.array([0, 1, 2])
    for bad in (
        (data, indices, indptr),
        (data, np.array([0, -1]), indptr),
        (data, np.array([0, 1]), np.array([0, 2, 1])),
        (data, np.array([0, 1]), np.array([1, 1, 2])),
        (data, np.array([0]), indptr),
        (data, np.array([0, 1]), np.array([0, 1, 3])),
    ):
        with pytest.raises(ValueError):
            ours.csr_array(bad, shape=(2, 3))
        with pytest.raises(ValueError):
            ours.csr_array(tuple(map(bc.asarray, bad)), shape=(2, 3))
    A = ours.csr_array(np.eye(3))
    for factor in (np.ones(4), np.ones((4, 2))):
        with pytest.raises(ValueError, match="mismatch"):
            A @ factor
        with pytest.raises(ValueError, match="mismatch"):
            factor.T @ A
    with pytest.raises(ValueError, match="Scalar operands"):
        A @ 2
    with pytest.raises(ValueError, match="truth value"):
        bool(A)


LEFT = {
    "product of two": lambda A: A @ A.T,
    "sum": lambda A: A + A,
    "difference": lambda A: A - A,
    "comparison": lambda A: A != 0,
    "one row": lambda A: A[3],
    "one element": lambda A: A[3, 4],
    "both": lambda A: A[[1, 2], [3, 4]],
    "largest": lambda A: A.max(axis=0),
    "diagonal": lambda A: A.diagonal(),
    "coordinates": lambda A: A.tocoo(),
    "product of elements": lambda A: A * A,
    "an integer product": lambda A: A.astype(int) @ np.ones(A.shape[1], int),
    "an integer sum": lambda A: A.astype(np.int8).sum(axis=0),
    "zeros": lambda A: A.count_nonzero(),
}


@every_form
@pytest.mark.parametrize("name", LEFT)
def test_all_else_is_scipys_and_is_counted(name, form):
    mine, other = pair("canonical", "float64", form)
    with pytest.raises(NotImplementedError, match="runs in SciPy"):
        LEFT[name](mine)
    with bc.config.set(fallback="silent"):
        bc.fallbacks(reset=True)
        got = LEFT[name](mine)
        counted = bc.fallbacks(reset=True)
    assert [c["name"].rpartition(".")[0] for c in counted] == [f"sparse.{form}_array"] and counted[0]["reason"]
    wanted = LEFT[name](other)
    if theirs.issparse(wanted):
        wanted, got = wanted.toarray(), np.asarray(got.toarray())
    np.testing.assert_array_equal(np.asarray(got), wanted)


@every_form
@pytest.mark.parametrize("change", ["sum_duplicates", "sort_indices", "eliminate_zeros", "setitem"])
def test_changes_in_place_leave_the_shared_memory_alone(change, form):
    mine, other = pair("unsorted and repeated", "float64", form)
    before = [x.copy() for x in (other.data, other.indices, other.indptr)]
    wanted = other.copy()
    with bc.config.set(fallback="silent"), warnings.catch_warnings():
        warnings.simplefilter("ignore", theirs.SparseEfficiencyWarning)
        for of in (mine, wanted):
            if change == "setitem":
                of[0, 0] = 7.0
            else:
                getattr(of, change)()
    same(mine, wanted)
    assert mine.nnz == wanted.nnz
    for x, was in zip((other.data, other.indices, other.indptr), before):
        np.testing.assert_array_equal(x, was)


def test_pickles_of_the_accelerated_mode_are_scipys(monkeypatch):
    from bascule.interop import mode

    mine, other = pair("canonical", "float64", "csr")
    monkeypatch.setattr(mode, "pickles_are_theirs", lambda: True)
    found = pickle.loads(pickle.dumps(mine))
    assert type(found) is theirs.csr_array
    np.testing.assert_array_equal(found.toarray(), other.toarray())
