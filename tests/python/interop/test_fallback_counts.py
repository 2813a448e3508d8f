"""Native functions pass no elements to NumPy; calls that do are in bascule.fallbacks()."""

import bascule as bc
import conformance
import conformance_elements  # noqa: F401  (importing these fills the table of calls)
import conformance_linalg  # noqa: F401
import conformance_numerics  # noqa: F401
import conformance_products  # noqa: F401
import conformance_reductions  # noqa: F401
import conformance_shapes  # noqa: F401
import conformance_times  # noqa: F401
import numpy as np
import pytest
from numpy_trap import handed_to_numpy

pytestmark = pytest.mark.usefixtures("native")

SHAPES = {"0": (64,), "1": (64,), "2": (12, 8), "3": (4, 5, 6), "s": (8, 8)}
# Descriptions of an array, or its text, by function or by call: NumPy computes no result from the elements.
OPEN_ORDERS = {"argpartition", "argsort", "partition"}  # NumPy leaves them open, and is asked for its own
NO_ELEMENTS = {
    "array2string": "text, whose format is NumPy's",
    "array_repr": "text, whose format is NumPy's",
    "array_str": "text, whose format is NumPy's",
    "einsum_path": "shapes",
    "einsum('ij,jk,kl->il', a, b, a, optimize=True)": "shapes, where the order is to be found",
    "shares_memory": "addresses",
    "min_scalar_type": "one element",
    "show_config": "NumPy's own build",
    "histogram(a, 'stone')": "edges of bins",
    "histogram_bin_edges(a, bins='stone')": "edges of bins",
    "nanquantile(a, [0.3, 0.3], axis=0)": "ranks, of which each line has its own",
    "nanpercentile(a, [30, 30], axis=0)": "ranks, of which each line has its own",
}
MORE = [
    "linspace(a, b)", "linspace(a, b, 5, axis=-1)", "linspace(0, a, 3, endpoint=False)", "linspace(a, b, 1)",
    "linspace(a, b, 4, retstep=True)", "linspace(a, b, 9, dtype=int)", "logspace(a, b, 5)", "geomspace(abs(a) + 1, abs(b) + 2, 5)",
    "polydiv(a, b[:3])", "polydiv(a, b[:50])", "roots(a)", "repeat(a, arange(64) % 3)", "repeat(a.reshape(8, 8), arange(8), axis=1)",
    "insert(a, arange(64), b)", "insert(a, [3, -2, 5], 9)", "insert(a, slice(None, None, 2), 1.5)", "insert(a, a > 0, 1)",
    "delete(a, arange(50))", "delete(a, a > 0)", "delete(a, slice(None, None, 3))",
    "random.default_rng(0).permutation(5000)", "random.default_rng(0).permutation(tile(a, 100))",
    "random.default_rng(0).shuffle(tile(a, 100))", "random.default_rng(0).choice(tile(a, 100), 500)",
    "random.default_rng(0).choice(tile(a, 100), 500, replace=False)", "random.default_rng(0).choice(10**6, 500, replace=False)",
    "random.default_rng(0).choice(64, 500, p=abs(a) / abs(a).sum())",
    "random.default_rng(0).choice(64, 20, replace=False, p=abs(a) / abs(a).sum())", "random.default_rng(0).permuted(tile(a, 90))",
    "mean(a[:0])", "var(a, ddof=64)", "std(stack((a, b)), axis=0, ddof=2)", "mean(a, where=a > 99)", "var(a, where=a > 0, ddof=1)",
    "var(a, dtype=int)", "nanmean(a * np.nan)", "polyfit(a, b, 2)", "cov(a, b)", "interp(a, sort(b), a)", "ix_(arange(64), arange(50))",
    "linalg.matrix_rank(a.reshape(8, 8))", "linalg.matrix_power(a.reshape(8, 8), 5)", "linalg.pinv(a.reshape(16, 4))",
    "linalg.svd(a.reshape(16, 4))", "convolve(tile(a, 300), tile(b, 20))", "histogram(a, 'stone')", "lexsort((a, b))",
    "take_along_axis(a.reshape(8, 8), argsort(a.reshape(8, 8)), 1)", "ufunc_at(a)", "a[array(3)]", "a.repeat(arange(64))",
]  # fmt: skip


def uncounted(call, names, found):
    """The functions of NumPy that a call uses without an entry in fallbacks(), and whether it returned a result.

    `found` is the list of `handed_to_numpy`, in whose block the call is made.
    """
    bc.fallbacks(reset=True)
    found.clear()
    with bc.config.set(fallback="silent"), np.errstate(all="ignore"):
        try:
            eval(conformance.code(call), names)
        except Exception:
            return set(), False
    return set() if bc.fallbacks() else set(found), True


def names_of(call, row, shape):
    kind = "f8" if "f8" in row.types else row.types[0]
    return conformance.environment(call, bc, shape, "dense", kind, row)


@pytest.mark.filterwarnings("ignore")
def test_of_every_function(capsys):
    count, wrong = 0, {}
    with handed_to_numpy() as found:
        for row in conformance.ROWS:
            shape = SHAPES[row.ranks.split()[-1]]
            for call in row.calls:
                handed, useful = uncounted(call, names_of(call, row, shape), found)
                count += useful
                if handed:
                    wrong[row.name, call] = sorted(handed)
    assert count >= 2000
    assert {n: w for n, w in wrong.items() if (NO_ELEMENTS.keys() | OPEN_ORDERS).isdisjoint(n)} == {}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", MORE)
def test_of_more_calls(call):
    row = conformance.Row("", "1", (call,))
    names = names_of(call, row, (64,))
    names["ufunc_at"] = lambda a: bc.add.at(a, bc.arange(64), a)
    with handed_to_numpy() as found:
        handed, useful = uncounted(call, names, found)
    assert useful, call
    assert not {f for f in handed if "stone" not in call or "linspace" not in f and "any" not in f}


def test_the_trap_sees():
    a = bc.arange(100.0)
    with handed_to_numpy() as found:
        bc.array2string(a)
    assert "numpy.array2string" in found and "host_view" in found
    with handed_to_numpy() as found:
        (a + 1).sum()
    assert found == []


def test_files_of_text_are_counted(tmp_path):
    name = tmp_path / "x.txt"
    with bc.config.set(fallback="silent"):
        for made, call in (
            ("savetxt", lambda: bc.savetxt(name, bc.ones((9, 9)))),
            ("loadtxt", lambda: bc.loadtxt(name)),
            ("genfromtxt", lambda: bc.genfromtxt(name)),
            ("fromfile", lambda: bc.fromfile(name, sep=" ")),
        ):
            bc.fallbacks(reset=True)
            call()
            assert [f["name"] for f in bc.fallbacks()] == [made]
