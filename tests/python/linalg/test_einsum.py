"""Einstein summation against NumPy: forms of the call, types, diagonals, broadcasting, orders, errors."""

import bascule as bc
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linalg_calls import agree, close, matrix, ours, outcome

pytestmark = pytest.mark.usefixtures("native")

S = {"i": 2, "j": 3, "k": 4, "l": 5, "m": 3}
CALLS = [
    "ij,jk->ik", "ij,jk", "ji,jk->ki", "ij,kj->ik", "i,i", "i,i->i", "i,j->ij", "ij->ji", "ij->i", "ij->", "ij,ij", "ij,ij->i",
    "ij,ij->j", "ijk,ikl->ijl", "ijk,jil->kl", "ij,jk,kl->il", "ij,jk,kl", "ij,ij,ij->ij", "ij,jk,ik", "i,j,k->ijk", "ij,,->ij",
    "jm->", "jj->j", "jj", "jmj->m", "jj,jk->k", "jj,mm->jm", "ij,k->ijk", "ijk->kji", "ijkl,lk->ij", "ijk,ijk->", "jm,mk,kl,li->ji",
    "i j , j k -> i k", "ba", "ij,jk->", "ik,jk->k", "ijk,jk->ji", "ii->", "ijm,jmk->ik",
]  # fmt: skip


def operands(text, dtype, seed=0):
    left = text.replace(" ", "").partition("->")[0]
    return [matrix(dtype, tuple(S.get(c, 4) for c in part), seed + k) for k, part in enumerate(left.split(","))]


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("text", CALLS)
def test_calls(text, dtype):
    agree("einsum", text, *operands(text, dtype), module="numpy", ulp=300)


# Calls that are one product of two matrices or vectors take a fast path; similar ones must not take it.
@pytest.mark.parametrize(
    "text", ["ij,j->i", "ij,i->j", "j,ij", "i,ij", "ij,ik->kj", "ji,kj->ki", "ij,ji", "ij,j->ij", "ij,jk->j", "i,i"]
)
@pytest.mark.parametrize("sizes", [(2, 3, 4), (3, 3, 3), (1, 1, 1), (0, 2, 3), (2, 0, 3)])
def test_products_of_two(text, sizes):
    lengths = dict(zip("ijk", sizes))
    a, b = (
        matrix("f8", tuple(lengths[c] for c in part), n) for n, part in enumerate(text.partition("->")[0].split(","))
    )
    for x, y in ((a, b), (a, b[..., :1]), (a[:1], b), (a, b[:2]), (a.astype("f4"), b)):
        agree("einsum", text, x, y, module="numpy")
        expected, error = outcome(lambda: np.einsum(text, x, y))
        found, mine = outcome(lambda: bc.einsum(text, bc.array(x), bc.array(y), optimize=True))
        assert (type(mine), str(mine)) == (type(error), str(error))
        if error is None:
            close(found, expected)


@pytest.mark.parametrize("text", CALLS)
def test_views(text):
    arrays = [x[tuple(slice(None, None, -1) for _ in x.shape)].T.copy().T for x in operands(text, "f8")]
    agree("einsum", text, *arrays, module="numpy", ulp=300)


@pytest.mark.parametrize(
    "optimize", [True, False, "greedy", "optimal", ["einsum_path", (0, 1), (0, 1)], ["einsum_path", (0, 1, 2)]]
)
def test_orders(optimize):
    for text in ("ij,jk,kl->il", "ijk,jk,kl->l", "ij,kl,jm->ikm"):
        arrays = operands(text, "f8")
        expected = np.einsum(text, *arrays, optimize=optimize)
        close(bc.einsum(text, *map(ours, arrays), optimize=optimize), expected, ulp=300)


def test_path_is_numpys():
    arrays = operands("ij,jk,kl->il", "f8")
    assert bc.einsum_path("ij,jk,kl->il", *map(ours, arrays)) == np.einsum_path("ij,jk,kl->il", *arrays)
    assert bc.einsum_path(ours(arrays[0]), [0, 1], ours(arrays[1]), [1, 2]) == np.einsum_path(
        arrays[0], [0, 1], arrays[1], [1, 2]
    )


DOTS = [
    "...ij,...jk->...ik",
    "...ij,...jk",
    "...",
    "...i->...",
    "i...->i...",
    "...i,i->...",
    "i...,i...->...",
    "...ij->...ji",
    "...ii->...i",
]


@pytest.mark.parametrize("text", DOTS)
@pytest.mark.parametrize("stacks", [((), ()), ((2,), (2,)), ((2,), ()), ((4, 1), (3,)), ((1, 3), (2, 3))])
def test_dots(text, stacks):
    left = text.partition("->")[0].split(",")
    sizes = {"i": 3, "j": 3, "k": 4}
    arrays = []
    for k, (part, stack) in enumerate(zip(left, stacks)):
        shape = []
        for piece in part.replace("...", ".") if "." in part else part:
            shape += list(stack) if piece == "." else [sizes[piece]]
        arrays.append(matrix("f8", tuple(shape), k))
    agree("einsum", text, *arrays, module="numpy", ulp=300)


def test_lists_of_axes():
    a, b = matrix("f8", (2, 3)), matrix("f8", (3, 4), 1)
    for args in (
        (a, [0, 1], b, [1, 2]),
        (a, [0, 1], b, [1, 2], [2, 0]),
        (a, [Ellipsis, 0], [0, Ellipsis]),
        (a, [3, 40], b, [40, 5], []),
    ):
        expected, error = outcome(lambda: np.einsum(*args))
        found, mine = outcome(lambda: bc.einsum(*(ours(x) if isinstance(x, np.ndarray) else x for x in args)))
        assert error is None and mine is None
        close(found, expected)


def test_axes_of_one_are_lengthened():
    agree("einsum", "ij,jk->ik", matrix("f8", (2, 1)), matrix("f8", (3, 4), 1), module="numpy")
    agree("einsum", "ij,ij->ij", matrix("f8", (1, 3)), matrix("f8", (2, 1), 1), module="numpy")


def test_nothing_computed_is_a_view():
    a = bc.asarray(matrix("f8", (3, 3)))
    for text in ("ii->i", "ij->ji", "ij"):
        assert bc.may_share_memory(bc.einsum(text, a), a)
    bc.einsum("ii->i", a)[:] = 7
    assert (bc.linalg.diagonal(a) == 7).all()


def test_keywords():
    a, b = matrix("f4", (2, 3)), matrix("f4", (3, 4), 1)
    for keywords in (
        {"dtype": "f8"},
        {"dtype": "f8", "casting": "same_kind"},
        {"order": "F"},
        {"order": "C"},
        {"dtype": "i4"},
        {"dtype": "i4", "casting": "unsafe"},
    ):
        expected, error = outcome(lambda: np.einsum("ij,jk", a, b, **keywords))
        found, mine = outcome(lambda: bc.einsum("ij,jk", ours(a), ours(b), **keywords))
        assert type(mine) is type(error)
        if error is None:
            close(found, expected)
            assert found.flags.f_contiguous == expected.flags.f_contiguous
    out = bc.zeros((2, 4), dtype="f8")
    assert bc.einsum("ij,jk", ours(a), ours(b), out=out) is out
    np.testing.assert_allclose(out.get(), a @ b, rtol=1e-5)
    with pytest.raises(TypeError, match="Did not understand"):
        bc.einsum("i", ours(a[0]), other=1)


def test_ways_that_do_not_exist():
    a = bc.ones((2, 2))
    for keywords in ({"out": "x"}, {"order": "W"}, {"casting": "same_value"}):
        with pytest.raises((TypeError, ValueError)) as theirs:
            np.einsum("ij", np.ones((2, 2)), **keywords)
        with pytest.raises(type(theirs.value)):
            bc.einsum("ij", a, **keywords)
    for labels in ([0, 52], [-1, 5]):
        with pytest.raises(ValueError):
            bc.einsum(a, labels)
    for order, fortran in (("a", True), ("f", True), ("c", False)):
        r = bc.einsum(
            "ij,jk",
            ours(np.asfortranarray(matrix("f8", (3, 4)))),
            ours(np.asfortranarray(matrix("f8", (4, 5)))),
            order=order,
        )
        assert r.flags.f_contiguous == fortran and r.flags.c_contiguous != fortran
    out = bc.asarray(np.array(0))
    bc.einsum("i,i->", bc.ones(7), bc.ones(7), out=out, optimize="optimal")
    assert out == 7
    with pytest.raises(TypeError):
        bc.einsum("i,i->", bc.ones(7), bc.ones(7), out=out)


WRONG = [
    ("ij,jk", (2, 3)), ("ij", (2, 3), (2, 3)), ("ij,jk", (2, 3), (4, 5)), ("i", (2, 3)), ("ijk", (2, 3)), ("ij->k", (2, 3)), ("ij->ii", (2, 3)),
    ("i%", (2, 3)), ("ii", (2, 3)), ("i...j...", (2, 3)), ("ij-k", (2, 3)), ("i...->i", (2, 3)), ("i->i->i", (2,)), ("..", (2,)),
]  # fmt: skip


@pytest.mark.parametrize("case", WRONG, ids=str)
def test_errors_are_numpys(case):
    text, *shapes = case
    arrays = [np.ones(s) for s in shapes]
    with pytest.raises(ValueError) as theirs:
        np.einsum(text, *arrays)
    with pytest.raises(ValueError) as mine:
        bc.einsum(text, *map(ours, arrays))
    assert str(mine.value) == str(theirs.value)


def test_no_operands():
    for args in ((), ("ij",)):
        with pytest.raises(ValueError):
            bc.einsum(*args)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_any_subscripts(data):
    letters = "abcde"
    sizes = {c: data.draw(st.integers(0, 3), label=c) for c in letters}
    parts = data.draw(st.lists(st.text(letters, max_size=3), min_size=1, max_size=3))
    used = sorted({c for p in parts for c in p})
    output = data.draw(st.permutations(used)) if used else []
    output = "".join(output[: data.draw(st.integers(0, len(output)))])
    text = ",".join(parts) + "->" + output
    arrays = [matrix("f8", tuple(sizes[c] for c in p), k) for k, p in enumerate(parts)]
    agree("einsum", text, *arrays, module="numpy", ulp=1000)


_FEW = [
    "ij,jk->ik", "i,i->", "ii", "ij->i", "ij,j->i", "i,j->ij", "bij,bjk->bik", "bi,bi->b", "bhid,bhjd->bhij", "ij,ij->",
    "nij,nj,ni->n", "ijk,jil->kl", "ij,jk,kl->il", "ii,i->i", "ij,kj->ki", "ijj->i", "i->", "ij,i->ij", "a,b,c->abc",
    "ij->ji", "ijk->kij", "ij,kl->iljk", "...i,...i->...",
]  # fmt: skip


@pytest.mark.parametrize("text", _FEW)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "c16", "?"])
@pytest.mark.parametrize("lengths", [(2, 3, 4, 5, 6, 7), (3,) * 6, (4, 8, 5, 9, 1, 12), (0, 2, 3, 4, 5, 6)])
def test_few_sums_of_products(text, dtype, lengths):
    rng = np.random.default_rng(5)
    terms = [t.replace("...", "yz") for t in text.split("->")[0].split(",")]
    lengths = dict(zip(sorted(set("".join(terms))), lengths, strict=False))
    theirs = [(rng.normal(size=[lengths[x] for x in t]) * 5).astype(dtype) for t in terms]
    expected = np.einsum(text, *theirs)
    for mine in ([bc.asarray(x) for x in theirs], [bc.asarray(x.T.copy()).T for x in theirs]):
        got = bc.einsum(text, *mine)
        assert got.dtype == expected.dtype
        assert got.shape == expected.shape
        if np.dtype(dtype).kind in "fc":
            scale = np.einsum(text, *(np.abs(x) for x in theirs)) + 1
            wrong = np.abs(np.asarray(got) - expected) / scale
            assert wrong.size == 0 or wrong.max() <= (4e-6 if dtype == "f4" else 1e-14)
        else:
            np.testing.assert_array_equal(np.asarray(got), expected)
        assert np.shares_memory(np.asarray(got), np.asarray(mine[0])) == np.shares_memory(expected, theirs[0])


def test_few_whole_numbers_wrap_around():
    x = np.array([2**62, 3])
    assert int(bc.einsum("i,i,i->", *[bc.asarray(x)] * 3)) == int(np.einsum("i,i,i->", x, x, x))


@pytest.mark.parametrize("optimize", [False, True])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c16"])
@pytest.mark.parametrize(
    "text",
    ["i,i->i", "i,j->ij", ",->", ",i->i", "i,->i", "i,i,i->i", ",,->", "ij,ij->ij", "i,i", "i->", "ij->j", "ij->i", "ij,jk->ik"]
    + ["ij,ij->i", "i->i", "ii->i", "->", "ii", "ij->ji", "ij,kj->ik", "ij,j->i", "ij,ij->"],
)  # fmt: skip
def test_signs_of_zeros(text, dtype, optimize):
    """Sums start at +0, also those of one product; single operands, and pairs that are planned, keep their signs."""
    for n in (1, 5, 200):
        first, *others = (np.ones((n,) * len(part), dtype) for part in text.partition("->")[0].split(","))
        first = np.asarray(-0.0 * first)
        if first.dtype.kind == "c":
            first.imag = -0.0
        expected = np.einsum(text, first, *others, optimize=optimize)
        found = bc.einsum(text, bc.array(first), *map(bc.array, others), optimize=optimize)
        assert (np.signbit(np.asarray(found).real) == np.signbit(expected.real)).all(), n
