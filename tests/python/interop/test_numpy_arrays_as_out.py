"""NumPy's arrays, which other libraries pass, can be written to like ours: as targets and as outputs."""

import bascule as bc
import numpy as np
import pytest

MASK = np.arange(9).reshape(3, 3) > 3
WRITES = {
    "fill_diagonal": lambda m, a: m.fill_diagonal(a, 7),
    "fill_diagonal that goes on": lambda m, a: m.fill_diagonal(a, m.array([1.0, 2]), wrap=True),
    "put": lambda m, a: m.put(a, m.array([0, 2]), 5),
    "place": lambda m, a: m.place(a, m.array(MASK), [1, 2]),
    "putmask": lambda m, a: m.putmask(a, m.array(MASK), [1, 2]),
    "copyto": lambda m, a: m.copyto(a, m.ones(3)),
    "copyto where": lambda m, a: m.copyto(a, 2.0, where=m.array(MASK)),
    "put_along_axis": lambda m, a: m.put_along_axis(a, m.array([[0], [1], [2]]), 9, 1),
    "add.at": lambda m, a: m.add.at(a, m.array([0, 0]), 1),
    "nan_to_num": lambda m, a: m.nan_to_num(a, copy=False, posinf=3),
    "shuffle": lambda m, a: m.random.RandomState(0).shuffle(a),
}
REDUCTIONS = (
    "sum",
    "prod",
    "max",
    "min",
    "mean",
    "std",
    "var",
    "nansum",
    "nanmax",
    "nanmean",
    "nanstd",
    "ptp",
    "median",
)
OUTPUTS = {
    **{f: lambda m, x, out, f=f: getattr(m, f)(x, axis=0, out=out) for f in REDUCTIONS},
    "sum of a reshaped array": lambda m, x, out: x.T.sum(axis=1, out=out),
    "trace": lambda m, x, out: m.trace(m.stack([x, x, x]), out=out),
    "quantile": lambda m, x, out: m.quantile(x, 0.5, axis=0, out=out),
    "add.reduce": lambda m, x, out: m.add.reduce(x, out=out),
    "clip": lambda m, x, out: m.clip(x[0], 2, 3, out=out),
}


def filled():
    return np.arange(9.0).reshape(3, 3)


@pytest.mark.parametrize("name", WRITES)
def test_a_target_is_written_in_place(name):
    got, expected = filled(), filled()
    WRITES[name](bc, got)
    WRITES[name](np, expected)
    np.testing.assert_array_equal(got, expected)
    assert not np.array_equal(expected, filled()) or name == "nan_to_num"


@pytest.mark.parametrize("rows", [3, 3000])
@pytest.mark.parametrize("name", OUTPUTS)
def test_an_output_is_written_and_given_back(name, rows):
    x = np.random.RandomState(1).standard_normal((rows, 3)) if name != "trace" else filled()
    got, expected = np.full((2, 3), -1.0), np.full((2, 3), -1.0)
    r = OUTPUTS[name](bc, bc.asarray(x), got[1])
    OUTPUTS[name](np, x, expected[1])
    assert type(r) is np.ndarray and np.shares_memory(r, got)
    np.testing.assert_allclose(got, expected, rtol=1e-14)


def test_positions_and_booleans_go_to_outputs_of_their_types():
    at, true = np.zeros(3, np.intp), np.zeros(3, bool)
    bc.argmax(bc.asarray(filled()), axis=0, out=at)
    bc.any(bc.asarray(filled()), axis=0, out=true)
    assert at.tolist() == [2, 2, 2] and true.all()


def test_what_may_not_be_written_is_refused():
    kept = filled()
    kept.flags.writeable = False
    for call in (
        lambda: bc.fill_diagonal(kept, 1),
        lambda: bc.copyto(kept, 1),
        lambda: bc.sum(bc.ones(3), out=kept[0, 0:1][0:0]),
    ):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError, match="output must be an array"):
        bc.sum(bc.ones((2, 2)), axis=0, out=[0.0, 0.0])
    np.testing.assert_array_equal(kept, filled())
