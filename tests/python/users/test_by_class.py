"""Libraries that require NumPy's arrays by class, in Python or in C, take bascule's over the same memory."""

import bascule as bc
import numpy as np
import pytest

pytestmark = [pytest.mark.users, pytest.mark.usefixtures("accelerated")]


def library(name):
    return pytest.importorskip(name, reason=f"{name} is not installed: make users")


def same(call):
    """Check that a call has the same result, or error, with bascule's module as with NumPy's."""
    got, want = call(bc), call(np)
    for g, w in zip(*((r if isinstance(r, (tuple, list)) else [r]) for r in (got, want)), strict=True):
        np.testing.assert_array_equal(np.asarray(g), np.asarray(w), strict=True)


CALLS = {
    "sum": lambda n: n.sum,
    "sines": lambda n: lambda x: n.sum(n.sin(x) ** 2),
    "product": lambda n: lambda x: n.dot(x, x),
    "part": lambda n: lambda x: n.mean(x[1:] * 2),
}


@pytest.mark.parametrize("name", CALLS)
def test_autograd_differentiates(name):
    library("autograd")
    import autograd.numpy as there
    from autograd import elementwise_grad, grad, jacobian, value_and_grad

    function = CALLS[name](there)
    same(lambda m: grad(function)(m.arange(3.0)))
    same(lambda m: value_and_grad(function)(m.arange(3.0)))
    same(lambda m: grad(lambda x: function(m.ones((3, 3)) @ x))(m.arange(3.0)))
    same(lambda m: jacobian(lambda x: x**2)(m.arange(3.0)))
    same(lambda m: elementwise_grad(there.tanh)(m.arange(3.0)))
    same(lambda m: list(grad(lambda p: there.sum(p["a"] * p["b"]))({"a": m.arange(3.0), "b": m.ones(3)}).values()))


def test_autograd_of_complex_arrays():
    library("autograd")
    import autograd.numpy as there
    from autograd import grad

    same(lambda m: grad(lambda z: there.real(there.sum(z * there.conj(z))))(m.arange(3) + 1j))


def test_h5py_reads_and_writes_without_a_copy(tmp_path):
    h5py = library("h5py")

    def run(m):
        with h5py.File(tmp_path / f"{m.__name__}.h5", "w") as f:
            a = f.create_dataset("a", data=m.arange(6.0).reshape(2, 3).T)
            a.write_direct(m.arange(6.0).reshape(3, 2) + 1)
            a.write_direct(m.full(2, 9.0), dest_sel=np.s_[1])
            read, row = m.zeros((3, 2)), m.zeros(4)
            a.read_direct(read)
            a.read_direct(row, np.s_[:, 0], np.s_[:3])
            a[m.array([0, 2])] = m.ones((2, 2))
            masks = a[m.asarray(a[()] > 1)], a[m.array([True, False, True])]
            big = f.create_dataset("big", data=m.ones(100_000) + 1, compression="gzip")
            f.attrs["x"] = m.arange(3)
            return [read, row, a[()], *masks, a[m.arange(3)[1]], big[::1000], f.attrs["x"]]

    same(run)


def test_opencv_takes_and_fills_arrays():
    cv2 = library("cv2")

    def image(m):
        return m.asarray((np.arange(192) * 5 % 256).astype("u1").reshape(8, 8, 3))

    def drawn(m):
        a = m.zeros((8, 8), "u1")
        cv2.line(a, (0, 0), (7, 7), 255)
        cv2.fillPoly(a, [m.array([[0, 0], [7, 0], [7, 3]], dtype="i4")], 128)
        return a

    def into(m):
        a = m.zeros((8, 8), "f4")
        cv2.add(m.ones((8, 8), "f4"), m.ones((8, 8), "f4"), dst=a)
        return a

    same(drawn)
    same(into)
    same(lambda m: cv2.cvtColor(image(m), cv2.COLOR_RGB2GRAY))
    same(lambda m: cv2.resize(image(m)[:, ::-1], (4, 4)))
    same(lambda m: cv2.filter2D(image(m), -1, kernel=m.ones((3, 3), "f4")))
    same(lambda m: cv2.warpAffine(image(m), m.array([[1.0, 0, 1], [0, 1, 0]]), (8, 8)))
    same(lambda m: cv2.merge([image(m)[..., 0], image(m)[..., 1]]))
    same(lambda m: cv2.solve(m.eye(2), m.ones((2, 1)))[1])
    with pytest.raises(cv2.error):
        cv2.cvtColor(bc.ones(3, "c16"), cv2.COLOR_RGB2GRAY)


def test_networkx_sees_a_matrix_and_no_edges():
    networkx = library("networkx")
    matrix = np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
    same(lambda m: sorted(networkx.Graph(m.asarray(matrix)).edges(data="weight")))
    same(lambda m: sorted(networkx.DiGraph(m.asarray(matrix > 1)).edges))
    same(lambda m: sorted(networkx.from_numpy_array(m.asarray(matrix.T)).edges(data="weight")))


def test_functions_in_c_of_declared_pointers():
    import ctypes

    from numpy.ctypeslib import ndpointer

    fill = ctypes.CDLL(None).memset
    fill.argtypes = [ndpointer("u1", 1, flags="C_CONTIGUOUS,WRITEABLE"), ctypes.c_int, ctypes.c_size_t]

    def run(m):
        a = m.zeros(6, "u1")
        fill(a[2:], 3, 3)
        return a

    same(run)
    for wrong in (lambda m: m.zeros(6), lambda m: m.zeros((2, 2), "u1"), lambda m: m.zeros(6, "u1")[::2]):
        messages = []
        for m in (np, bc):
            with pytest.raises(ctypes.ArgumentError) as error:
                fill(wrong(m), 0, 1)
            messages.append(str(error.value))
        assert messages[0] == messages[1]
