"""Products against NumPy: types, stacks, views, keywords, errors."""

import inspect
import os
import warnings

import bascule as bc
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from linalg_calls import LAYOUTS, agree, close, matrix, ours, outcome

pytestmark = pytest.mark.usefixtures("native")

TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
SHAPES = [
    ((3,), (3,)), ((4, 3), (3,)), ((3,), (3, 5)), ((4, 3), (3, 5)), ((2, 4, 3), (3, 5)), ((2, 4, 3), (3,)), ((3,), (2, 3, 5)),
    ((2, 4, 3), (2, 3, 5)), ((6, 1, 4, 3), (2, 3, 5)), ((1, 3), (3, 1)), ((4, 1), (1, 5)), ((4, 0), (0, 5)), ((0, 3), (3, 5)),
    ((4, 3), (3, 0)), ((0, 4, 3), (3, 5)), ((0,), (0,)), ((70, 3), (3, 70)), ((5, 1, 3), (3,)), ((4, 3), (7, 3, 1)), ((4, 3), (2, 3, 5)),
]  # fmt: skip
WRONG_SHAPES = [
    ((4, 3), (4, 3)),
    ((3,), (4,)),
    ((2, 4, 3), (3, 3, 5)),
    ((), (3,)),
    ((3,), ()),
    ((2, 2, 4, 3), (3, 3, 5)),
    ((4, 3), (4,)),
]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("x", "y"), SHAPES)
def test_matmul(x, y, dtype):
    agree("matmul", matrix(dtype, x), matrix(dtype, y, 1), module="numpy")


@pytest.mark.parametrize(("x", "y"), WRONG_SHAPES)
@pytest.mark.parametrize("name", ["matmul", "dot", "inner", "vdot", "matvec", "vecmat", "vecdot"])
def test_shapes_that_do_not_fit(name, x, y):
    agree(name, matrix("f8", x), matrix("f8", y), module="numpy")


@pytest.mark.parametrize("dtype", ["i8", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize(("x", "y"), [*SHAPES, *WRONG_SHAPES, ((63, 65), (65, 64)), ((65, 65), (65, 65))])
def test_the_operator(x, y, dtype):
    a, b = matrix(dtype, x), matrix(dtype, y, 1)
    expected, error = outcome(lambda: a @ b)
    found, mine = outcome(lambda: ours(a) @ ours(b))
    assert (type(mine), str(mine)) == (type(error), str(error))
    if error is None:
        close(found, expected, scale=64 if dtype == "f2" else None)
        assert found.strides == bc.empty(found.shape, dtype).strides
        assert bc.array_equal(found, bc.matmul(ours(a), ours(b)))


def test_small_products_leave_nothing_behind():
    """Objects of former matrices, vectors or scalars are reused for others, and for elements of other operations."""
    a, v = matrix("f8", (3, 4)), matrix("f8", (4,), 1)
    x, y = bc.array(a), bc.array(v)
    for _ in range(40):
        close(x @ y, a @ v)
        close(x.T @ x, a.T @ a)
        close(x + 1, a + 1)
        inner = y @ y
        assert hash(inner) == hash(float(inner))
        del inner
        close(y * 2, v * 2)
        close(x.T.copy()[1:] @ x, a.T[1:] @ a)
    held = x @ x.T
    view = held[1:]
    del held
    close(x @ x.T + 1, a @ a.T + 1)
    close(view, (a @ a.T)[1:])


@pytest.mark.parametrize("dtype", ["f4", "f8", "c16"])
def test_small_products_report_what_rose(dtype):
    big = np.full((2, 2), np.finfo(dtype).max, dtype)
    with np.errstate(all="raise"):
        for x, y in ((big, big), (big[0], big[0]), (big, np.array([1, np.inf], dtype))):
            with np.errstate(over="ignore", invalid="ignore"):
                assert not np.isfinite(np.asarray(bc.array(x) @ bc.array(y))).all()
        with pytest.raises(FloatingPointError, match="overflow encountered in matmul"):
            bc.array(big) @ bc.array(big)
        assert (bc.array(big * 0) @ bc.array(big)).tolist() == [[0, 0], [0, 0]]


@pytest.mark.parametrize("dtype", ["i8", "f4", "f8", "c16"])
@pytest.mark.parametrize("shapes", [((3,), (3,)), ((3, 4), (4,)), ((4,), (4, 3)), ((3, 4), (4, 5)), ((4,), (3, 4))])
@pytest.mark.parametrize("name", ["dot", "vdot", "inner"])
def test_small_sums_of_products(name, shapes, dtype):
    x, y = (matrix(dtype, s, k) for k, s in enumerate(shapes))
    for u, v in ((x, y), (y.T, x.T), (x[::-1], y[..., ::-1])):
        expected, error = outcome(lambda: getattr(np, name)(u, v))
        for both in ((bc.array(u), bc.array(v)), (ours(u), v), (u, ours(v))):
            found, mine = outcome(lambda: getattr(bc, name)(*both))
            assert (type(mine), str(mine)) == (type(error), str(error))
            if error is None:
                close(found, expected)
                assert type(found) is (bc.ndarray if isinstance(expected, np.ndarray) else type(expected))
                assert found.ndim > 0 or hash(found) == hash(found.item())
    if name == "dot" and dtype == "f8":
        close(bc.array(x).dot(bc.array(x.T)), x.dot(x.T))


def test_small_dot_products_report_by_their_name():
    big = np.full(3, 1e300)
    a = bc.array(big)
    for call in (bc.dot, bc.inner, lambda x, y: x.dot(y)):
        with np.errstate(all="raise"), pytest.raises(FloatingPointError, match="overflow encountered in dot"):
            call(a, a)
    with np.errstate(all="raise"):
        assert bc.vdot(a, a) == np.inf


# One element of an operand decides: products of one block, of several, of stacks, along a long sum, with the own
# transpose.
@pytest.mark.parametrize("kind", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize(
    "shapes",
    [((70, 70), (70, 70)), ((400, 300), (300, 500)), ((40, 50, 60), (40, 60, 50)), ((3, 300, 200), (200, 300)),
     ((4, 150_000), (150_000, 5)), ((20_000,), (20_000,)), ((300, 20_000), (20_000,)), ((300, 200), None)],
)  # fmt: skip
def test_what_rises_anywhere_is_reported(shapes, kind):
    a = matrix(kind, shapes[0])
    b = None if shapes[1] is None else np.abs(matrix(kind, shapes[1], 1)).astype(kind) + 2
    most = np.finfo(kind).max

    def reported(**put):
        x = a.copy()
        for where, v in put.items():
            x.flat[{"first": 0, "last": -1, "middle": x.size // 2}[where]] = v
        y = bc.array(x)
        other = y.T if b is None else bc.array(b)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            y @ other
        return sorted({str(w.message).split(" encountered")[0] for w in said})

    assert reported() == []
    assert reported(middle=np.nan) == []
    for where in ("first", "middle", "last"):
        assert "overflow" in reported(**{where: most})


def test_the_operator_declines_what_it_does_not_know():
    class Other:
        def __rmatmul__(self, other):
            return "mine"

        def __matmul__(self, other):
            return NotImplemented

    x = bc.eye(2)
    assert x @ Other() == "mine"
    for wrong in (lambda: Other() @ x, lambda: x @ object(), lambda: None @ x):
        with pytest.raises(TypeError, match="unsupported operand"):
            wrong()


@pytest.mark.parametrize("y", ["i1", "f2", "f4", "c8"])
@pytest.mark.parametrize("x", ["?", "u1", "i4", "u8", "f4", "f8"])
@pytest.mark.parametrize("name", ["matmul", "dot", "inner", "vdot", "tensordot", "kron", "outer", "vecdot"])
def test_types_meet(name, x, y):
    a, b = matrix(x, (3, 3)), matrix(y, (3, 3), 1)
    scale = 64 if "f2" in (x, y) else None
    agree(name, a, b, module="numpy", scale=scale)


@pytest.mark.parametrize("second", LAYOUTS)
@pytest.mark.parametrize("first", LAYOUTS)
@pytest.mark.parametrize("dtype", ["i2", "f4", "f8", "c16"])
def test_views_are_read_as_they_lie(dtype, first, second):
    for shape in ((5, 5), (3, 5, 5)):
        agree("matmul", LAYOUTS[first](matrix(dtype, shape)), LAYOUTS[second](matrix(dtype, shape, 1)), module="numpy")


def test_views_meet_no_copies(monkeypatch):
    big = bc.ones((600, 600))
    part = big[::2, 100:500]
    (part @ part.T, part.T @ part)
    bc.evaluate(big)
    before = bc._core.memory("cpu")["peak"]
    limit = bc._core.memory("cpu")["in_use"] + 300 * 300 * 8 + 4096 * 40
    r = part @ big[100:500, :300]
    assert r.shape == (300, 300)
    assert bc._core.memory("cpu")["peak"] in range(before + 1) or bc._core.memory("cpu")["peak"] <= limit


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
def test_products_with_the_own_transpose_are_symmetric(dtype):
    a = matrix(dtype, (40, 70))
    for x, y in ((a, a.T), (a.T, a), (a[::2], a[::2].T), (np.asfortranarray(a), np.asfortranarray(a).T)):
        o = ours(x)
        r = (o @ o.T).get()
        np.testing.assert_array_equal(r, r.T)
        close(o @ o.T, x @ x.T, ulp=200)
        agree("matmul", x, y, module="numpy", ulp=200)


@pytest.mark.parametrize("dtype", ["f8", "c16", "i4"])
@pytest.mark.parametrize("name", ["matvec", "vecmat", "vecdot"])
def test_vectors_in_stacks(name, dtype):
    shapes = {
        "matvec": [((4, 3), (3,)), ((2, 4, 3), (3,)), ((4, 3), (5, 3)), ((2, 4, 3), (2, 3)), ((4, 0), (0,))],
        "vecmat": [((3,), (3, 4)), ((5, 3), (3, 4)), ((3,), (2, 3, 4)), ((2, 3), (2, 3, 4))],
        "vecdot": [((3,), (3,)), ((5, 3), (3,)), ((5, 3), (5, 3)), ((5, 1, 3), (4, 3)), ((5, 0), (5, 0))],
    }
    for x, y in shapes[name]:
        agree(name, matrix(dtype, x), matrix(dtype, y, 1), module="numpy")
    x, y = shapes[name][1]
    agree(name, matrix(dtype, x)[..., ::-1], matrix(dtype, y, 1), module="numpy")


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", ["dot", "inner", "vdot", "outer", "kron"])
def test_older_names(name, dtype):
    for x, y in [((3,), (3,)), ((4, 3), (4, 3)), ((3, 3), (3, 3)), ((2, 3, 3), (3,)), ((), (3,)), ((2, 3), ())]:
        agree(name, matrix(dtype, x), matrix(dtype, y, 1), module="numpy")
    if name in ("dot", "inner"):
        agree(name, matrix(dtype, (2, 4, 3)), matrix(dtype, (2, 3, 3), 1), module="numpy")


@pytest.mark.parametrize(
    "axes",
    [
        0,
        1,
        2,
        3,
        (0, 0),
        (1, 1),
        ([0, 1], [1, 0]),
        ([0, 2], [0, 2]),
        ([1, 2], [2, 1]),
        (-1, -1),
        ((), ()),
        ([0], [0, 1]),
    ],
)
@pytest.mark.parametrize("dtype", ["i4", "f8", "c16"])
def test_tensordot(dtype, axes):
    a, b = matrix(dtype, (3, 3, 3)), matrix(dtype, (3, 3, 3), 1)
    agree("tensordot", a, b, axes, module="numpy")
    agree("tensordot", a.transpose(2, 0, 1), b[:, ::-1], axes, module="numpy")
    if type(axes) is int and axes:
        agree("tensordot", matrix(dtype, (2, 3, 4)), matrix(dtype, (3, 4, 5)), axes, module="numpy")


@pytest.mark.parametrize("sizes", [(3, 3), (2, 3), (3, 2), (2, 2), (4, 3)])
def test_cross(sizes):
    a, b = matrix("f8", (5, sizes[0])), matrix("f8", (5, sizes[1]), 1)
    agree("cross", a, b, module="numpy")
    agree("cross", a, b[0], module="numpy")
    agree("cross", a.T, b, axisa=0, module="numpy")
    agree("cross", a, b, axisc=0, module="numpy")
    agree("cross", a.T, b.T, axis=0, module="numpy")
    if sizes == (3, 3):
        agree("cross", a, b)
        agree("cross", a.T, b.T, axis=0)
        agree("cross", matrix("i4", (2, 1, 3)), matrix("i4", (4, 3)))


CHAINS = [(3, 4, 5), (10, 2, 30, 4), (5, 60, 3, 20, 7), (2, 2, 2, 2, 2, 2)]


@pytest.mark.parametrize("sizes", CHAINS)
@pytest.mark.parametrize("ends", ["", "row", "column", "both"])
def test_chains(sizes, ends):
    chain = [matrix("f8", s, k) for k, s in enumerate(zip(sizes, sizes[1:]))]
    if ends in ("row", "both"):
        chain[0] = chain[0][0]
    if ends in ("column", "both"):
        chain[-1] = chain[-1][:, 0]
    agree("multi_dot", chain, ulp=500)
    want = np.linalg.multi_dot(chain)
    if want.ndim:
        out = bc.empty(want.shape)
        assert bc.linalg.multi_dot(ours(chain), out=out) is out
        close(out, want, ulp=500)


@pytest.mark.parametrize("name", ["diagonal", "trace", "matrix_transpose"])
def test_last_two_axes(name):
    a = matrix("i4", (2, 3, 4))
    agree(name, a)
    if name != "matrix_transpose":
        for offset in (-1, 1, 5):
            agree(name, a, offset=offset)
    if name == "trace":
        agree(name, a, dtype="f4")


def test_array_api_forms():
    a, b = matrix("f8", (4, 3)), matrix("f8", (4, 3), 1)
    agree("vecdot", a, b)
    agree("vecdot", a, b, axis=0)
    agree("tensordot", a, b, axes=((0,), (0,)))
    agree("matmul", a, b.T)
    agree("outer", a[0], b[1])


# ---- keywords
KEYWORDS = [
    {"dtype": "f4"}, {"dtype": "c16"}, {"order": "F"}, {"order": "C"}, {"casting": "safe"}, {"casting": "no", "dtype": "f4"},
    {"axes": [(0, 1), (0, 1), (0, 1)]}, {"axes": [(1, 0), (-2, -1), (1, 0)]}, {"axes": [(0, 1), (0, 1)]}, {"axes": [0, 1, 2]},
    {"keepdims": True}, {"axis": 0}, {"subok": False}, {"spelling": 1},
]  # fmt: skip


@pytest.mark.parametrize("keywords", KEYWORDS, ids=str)
def test_keywords_of_the_ufunc(keywords):
    a, b = matrix("f8", (3, 3)), matrix("f8", (3, 3), 1)
    expected, error = outcome(lambda: np.matmul(a, b, **keywords))
    found, mine = outcome(lambda: bc.matmul(ours(a), ours(b), **keywords))
    assert (error is None) == (mine is None)
    if error is None:
        close(found, expected)
        assert found.flags.f_contiguous == expected.flags.f_contiguous
    else:
        assert isinstance(mine, (TypeError, ValueError)) and isinstance(error, (TypeError, ValueError))


def test_axes_of_vectors():
    a, v = matrix("f8", (3, 4, 5)), matrix("f8", (3,))
    agree("matmul", a, v, axes=[(1, 0), (0), (0)], module="numpy")
    agree("matmul", a, a, axes=[(-2, -1), (-1, -2), (0, 1)], module="numpy")
    agree("matmul", v, a, axes=[0, (0, 1), 1], module="numpy")
    agree("matmul", v, v, axes=[0, 0, ()], module="numpy")


def test_axis_and_keepdims_of_vecdot():
    a, b = matrix("c16", (3, 4)), matrix("c16", (3, 4), 1)
    for keywords in ({"axis": 0}, {"axis": 1}, {"axis": 0, "keepdims": True}, {"keepdims": True}, {"axes": [0, 0, ()]}):
        agree("vecdot", a, b, module="numpy", **keywords)


def test_out():
    a, b = matrix("f8", (3, 4)), matrix("f8", (4, 5), 1)
    want = a @ b
    for out in (bc.zeros((3, 5)), bc.zeros((5, 3)).T, bc.zeros((6, 10))[::2, ::2], bc.zeros((3, 5), dtype="c16")):
        assert bc.matmul(ours(a), ours(b), out=out) is out
        np.testing.assert_allclose(out.get(), want, rtol=1e-13)
    host = np.zeros((3, 5))
    assert bc.matmul(ours(a), ours(b), out=host) is host
    np.testing.assert_allclose(host, want)
    for wrong in (np.zeros((5, 3)), np.zeros((3, 5), int)):
        expected, error = outcome(lambda: np.matmul(a, b, out=wrong))
        _, mine = outcome(lambda: bc.matmul(ours(a), ours(b), out=bc.asarray(wrong)))
        assert str(mine) == str(error)
    square = bc.asarray(matrix("f8", (4, 4)))
    before = square.get()
    square @= square
    np.testing.assert_allclose(square.get(), before @ before)
    overlapping = bc.asarray(before)
    bc.matmul(overlapping, overlapping.T, out=overlapping)
    np.testing.assert_allclose(overlapping.get(), before @ before.T)


def test_out_of_dot_is_what_would_be_made():
    a = matrix("f8", (3, 3))
    out = bc.zeros((3, 3))
    assert bc.dot(ours(a), ours(a), out) is out
    close(out, a @ a)
    for wrong in (np.zeros((2, 2)), np.zeros((3, 3), "f4"), np.zeros((3, 3), order="F"), np.zeros(9)):
        _, error = outcome(lambda: np.dot(a, a, out=wrong))
        _, mine = outcome(lambda: bc.dot(ours(a), ours(a), out=bc.asarray(wrong, copy=False)))
        assert type(mine) is type(error) is ValueError


def test_operands_from_numpy_and_lists():
    a = matrix("f8", (3, 3))
    for left, right in ((ours(a), a), (a, ours(a)), (ours(a), a.tolist()), (a.tolist(), ours(a))):
        r = left @ right
        assert type(r) is bc.ndarray
        close(r, a @ a)
    for call in (np.matmul, np.dot, np.vecdot, np.matvec, np.vecmat, np.inner, np.kron, np.outer, np.vdot, np.cross):
        r, want = call(ours(a), a), call(a, a)
        assert type(r) is (bc.ndarray if isinstance(want, np.ndarray) else type(want)), call
        close(r, want)
    assert type(np.linalg.inv(ours(a))) is bc.ndarray


def test_results_without_axes_are_scalars():
    x = bc.arange(3.0)
    for r in (x @ x, bc.dot(x, x), bc.vdot(x, x), bc.inner(x, x), bc.vecdot(x, x), bc.einsum("i,i", x, x)):
        assert type(r) is np.float64 and r == 5.0
    r = bc.tensordot(x, x, 1)  # which reshapes the existing objects
    assert type(r) is bc.ndarray and r.shape == () and r == 5.0


def test_pending_operands_are_computed_first():
    x = bc.asarray(matrix("f8", (200, 200)))
    y = x * 2 + 1
    np.testing.assert_allclose((y @ y.T).get(), (x.get() * 2 + 1) @ (x.get() * 2 + 1).T)
    x += 1
    np.testing.assert_allclose((x @ x).get(), x.get() @ x.get())


def test_times_are_numpys():
    x = np.arange(3).astype("m8[s]")
    with bc.config.set(fallback="silent"):
        r = bc.dot(bc.asarray(x), bc.asarray([1, 2, 3]))
    want = np.dot(x, [1, 2, 3])
    assert type(r) is type(want) and r.dtype == want.dtype and r == want


def test_integers_wrap_and_large_ones_are_parted():
    for dtype in ("i1", "u2", "i8"):
        a = np.full((90, 130), np.iinfo(dtype).max, dtype)
        agree("matmul", a, a.T, module="numpy")
        agree("matmul", matrix(dtype, (5, 3000)), matrix(dtype, (3000, 2100), 1), module="numpy")


def test_a_forked_child_multiplies():
    a = bc.asarray(matrix("f8", (300, 300)))
    stack = bc.asarray(matrix("f8", (50, 20, 20)))
    want, inverses = (a @ a).get(), bc.linalg.inv(stack).get()
    child = os.fork()
    if child == 0:
        same = np.allclose((a @ a).get(), want) and np.allclose(bc.linalg.inv(stack).get(), inverses)
        os._exit(0 if same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    np.testing.assert_array_equal((a @ a).get(), want)


def test_many_threads_at_once():
    from concurrent.futures import ThreadPoolExecutor

    a, stack = bc.asarray(matrix("f8", (200, 200))), bc.asarray(matrix("f8", (64, 30, 30)))
    want, inverses = (a @ a).get(), bc.linalg.inv(stack).get()

    def work(k):
        return np.array_equal((a @ a).get(), want) if k % 2 else np.allclose(bc.linalg.inv(stack).get(), inverses)

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(60)))


def test_without_openblas_the_call_says_what_to_install():
    import subprocess
    import sys

    code = (
        "import bascule as bc\n"
        "assert (bc.arange(3) @ bc.arange(3)) == 5\n"
        "try: bc.ones(3) @ bc.ones(3)\n"
        "except NotImplementedError as e: print(e)\n"
    )
    env = {**os.environ, "BASCULE_OPENBLAS": "/nowhere/libopenblas.so"}
    r = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert "pip install scipy-openblas32" in r.stdout


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_any_shapes(data):
    k, m, n = (data.draw(st.integers(0, 6)) for _ in range(3))
    stacks = [data.draw(st.lists(st.sampled_from([1, 2]), max_size=2)) for _ in range(2)]
    dtype = data.draw(st.sampled_from(["i4", "f4", "f8", "c16"]))
    a, b = matrix(dtype, (*stacks[0], m, k)), matrix(dtype, (*stacks[1], k, n), 1)
    if a.size and b.size:
        a, b = (LAYOUTS[data.draw(st.sampled_from(sorted(LAYOUTS)))](x) for x in (a, b))
    agree("matmul", a, b, module="numpy")


@pytest.mark.parametrize(
    "name", ["matmul", "matvec", "vecmat", "vecdot", "dot", "inner", "vdot", "outer", "tensordot", "kron", "cross", "einsum", "einsum_path"]
)  # fmt: skip
def test_signatures_are_numpys(name):
    try:
        theirs = inspect.signature(getattr(np, name))
    except ValueError:
        pytest.skip("this NumPy's ufunc has no signature")
    mine = inspect.signature(getattr(bc, name))
    bare = [[(p.name, p.kind, p.default) for p in s.parameters.values()] for s in (mine, theirs)]
    assert bare[0] == bare[1]


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize(
    "sizes", [(2, 1, 2), (2, 2, 2), (3, 3, 3), (4, 4, 4), (2, 8, 4), (2, 16, 2), (5, 4, 4), (3, 0, 3)]
)
def test_stacks_of_tiny_products(sizes, dtype):
    m, k, n = sizes
    for stack in ((2,), (500,), (40, 3), (9000,)):
        a, b = matrix(dtype, (*stack, m, k)), matrix(dtype, (*stack, k, n), 1)
        agree("matmul", a, b, module="numpy")
        agree("matmul", a[::-1], b[..., ::-1], module="numpy")
        agree("matmul", np.swapaxes(b, -1, -2), np.swapaxes(a, -1, -2), module="numpy")
        agree("matmul", a[..., :1, :, :], b, module="numpy")
        out = bc.empty((*stack, n, m), dtype)
        bc.matmul(bc.array(a), bc.array(b), out=out.mT)
        assert bc.array_equal(out.mT, bc.matmul(bc.array(a), bc.array(b)))


@pytest.mark.parametrize("value", [np.inf, np.nan, 1e200])
def test_tiny_products_report_what_rose(value):
    a, b = np.ones((50, 3, 3)), np.ones((50, 3, 3))
    a[7, 1, 2], b[7, 2, 0] = value, 0 if value == np.inf else value
    with np.errstate(all="raise"):
        error, mine = outcome(lambda: a @ b)[1], outcome(lambda: bc.evaluate(ours(a) @ ours(b)))[1]
    assert (type(mine), str(mine)) == (type(error), str(error))
    with np.errstate(all="ignore"):
        close(ours(a) @ ours(b), a @ b)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("n", [65_535, 65_536, 65_537, 100_001, 300_000])
def test_long_dot_products_in_pieces(n, dtype):
    a, b = matrix(dtype, (n,)), matrix(dtype, (n,), 1)
    for x, y in ((a, b), (a[::-1], b), (a[::2], b[1::2][: a[::2].size])):
        x = x[: y.size]
        exact = np.dot(x.astype("c32" if dtype[0] == "c" else "f16"), y)
        size = np.abs(x).astype("f8") @ np.abs(y).astype("f8")
        for name in ("dot", "inner", "matmul"):
            assert (
                abs(complex(getattr(bc, name)(bc.array(x), bc.array(y))) - exact)
                <= 1e-3 * np.finfo(dtype).eps * n * size
            )


AXES = [
    0,
    1,
    2,
    (1, 0),
    ([1], [0]),
    ([0, 1], [1, 0]),
    ((-1, 0), (0, -1)),
    ([], []),
    3,
    -1,
    (0, 5),
    ([0, 0], [0, 0]),
    ([1, 0], [0]),
]


@pytest.mark.parametrize("axes", AXES, ids=str)
@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "c16", "?"])
def test_tensordot_over_any_axes(axes, dtype):
    rng = np.random.default_rng(5)
    for first, second in (
        ((3, 3), (3, 3)),
        ((2, 3), (3, 2)),
        ((3,), (3,)),
        ((2, 3, 4), (4, 3, 2)),
        ((2, 0), (0, 2)),
        ((), ()),
    ):
        x, y = (rng.integers(-4, 5, s).astype(dtype) for s in (first, second))
        for a, b in ((x, y), (x.T, y.T)):
            wanted, error = outcome(lambda a=a, b=b: np.tensordot(a, b, axes))
            found, own_error = outcome(lambda a=a, b=b: bc.tensordot(bc.array(a), bc.array(b), axes))
            assert type(own_error) is type(error)
            if error is None:
                assert found.shape == wanted.shape and found.dtype == wanted.dtype and type(found) is bc.ndarray
                np.testing.assert_array_equal(np.asarray(found), wanted)
