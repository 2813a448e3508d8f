"""Every function of NumPy's namespace with types that arrays do not hold: NumPy's result, or its class of error."""

import types
import warnings

import bascule as bc
import numpy
import pytest
import types_of_numpys as table

pytestmark = [
    pytest.mark.usefixtures("native"),
    pytest.mark.skipif(bc.config.device != "cpu", reason="on a device what arrays do not hold is refused"),
]

KINDS = {
    "text": ["b", "a", "c"],
    "bytes": [b"b", b"a", b"c"],
    "objects": numpy.array([3, 1, 2], object),
    "mixed objects": numpy.array(["x", None, 1.5], object),
    "records": numpy.array([(1, 2.0), (3, 4.0)], [("n", "i4"), ("x", "f8")]),
    "long doubles": numpy.array([0.25, 0.5, 0.75], numpy.longdouble),
    "long complex": numpy.array([0.25, 0.5j], numpy.clongdouble),
    "strings": numpy.array(["b", "a"], numpy.dtypes.StringDType()),
    "foreign order": numpy.array([1, 2, 3], ">i4"),
}
NOT_CALLED = {
    # They exit, wait, print or change the process; or their results cannot be compared by value.
    "test", "show_config", "show_runtime", "info", "save", "savez", "savez_compressed", "fromfile", "load", "memmap",
    "seterr", "seterrcall", "set_printoptions", "setbufsize", "get_include", "printoptions", "errstate", "nditer",
    "nested_iters", "flatiter", "broadcast", "empty", "empty_like", "fromregex", "getbufsize", "savetxt", "frompyfunc",
}  # fmt: skip


def _functions():
    for home, names in (("", numpy.__all__), ("linalg.", numpy.linalg.__all__), ("fft.", numpy.fft.__all__)):
        for name in names:
            module = getattr(numpy, home[:-1]) if home else numpy
            found = vars(module).get(name, getattr(module, name, None))
            if callable(found) and not isinstance(found, (type, types.ModuleType)) and name not in NOT_CALLED:
                yield home + name


def _called(module, name, args):
    owner = module
    for part in name.split("."):
        owner = getattr(owner, part)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            r = owner(*args)
        except Exception as error:
            return [c for c in type(error).__mro__ if c.__module__ == "builtins"][0], None
    return table._values(r, bc.ndarray), r


def _is_error(seen):
    return isinstance(seen, type) and issubclass(seen, Exception)


def _agree(found, wanted, exactly):
    """Results are equal, or errors of the same class; if the other arguments make no sense, both only have to fail."""
    if _is_error(found) and _is_error(wanted) and not exactly:
        return True
    return found == wanted


@pytest.mark.parametrize("name", sorted(_functions()))
def test_a_function_gives_what_numpy_gives(name):
    for kind, given in KINDS.items():
        if kind == "foreign order" and name.startswith("fft."):
            continue  # converted here to this machine's byte order
        if kind in ("long doubles", "long complex") and name in ("array_split", "split", "hsplit", "roll"):
            continue  # not valid as indices
        for args in ((given,), (given, given), (given, 1), (2, given), (numpy.arange(len(given)), given)):
            copies = lambda: [a.copy() if isinstance(a, numpy.ndarray) else a for a in args]
            wanted, _ = _called(numpy, name, copies())
            with bc.config.set(fallback="silent"):
                found, result = _called(bc, name, copies())
            # Arrays are no shapes, for which NumPy raises different classes of errors.
            assert _agree(found, wanted, len(args) == 1 and kind not in ("long doubles", "foreign order")), (kind, args)
            assert not table.breaks_rule(result, bc), (kind, args)


# They write files or change the array; or do not take this output and order, which other tests cover.
NOT_ASKED = ("tofile", "dump", "dumps", "resize", "setflags", "conj", "conjugate", "flatten", "round")
METHODS = [n for n in dir(numpy.ndarray) if not n.startswith("_") and callable(getattr(numpy.ndarray, n))]


@pytest.mark.parametrize("name", [n for n in METHODS if n not in NOT_ASKED])
def test_a_method_gives_what_numpy_gives(name):
    for kind in KINDS:
        given = numpy.asarray(KINDS[kind])

        def call(module, *args):
            a = module.arange(len(given))
            seen = _called(types.SimpleNamespace(f=getattr(a, name)), "f", args)[0]
            return seen, table._values(a, bc.ndarray)

        for args in ((given.copy(),), (given.dtype,), (1, given.copy()), ([0], given[:1].copy())):
            with bc.config.set(fallback="silent"):
                found, wanted = call(bc, *args), call(numpy, *args)
            assert _agree(found[0], wanted[0], False) and found[1] == wanted[1], (kind, args, found, wanted)


DERIVED = {
    "masked": numpy.ma.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]], mask=numpy.eye(3)[::-1]),
    "masked integers": numpy.ma.array([3, 1, 2], mask=[0, 1, 0]),
    "matrix": numpy.arange(1.0, 5.0).reshape(2, 2).view(numpy.matrix),
}
# Functions that make plain arrays of any input, products and functions built from them, and functions that exit:
# NumPy's dstack of a matrix reads freed memory.
_NOT_BY_CLASS = (
    "array asarray ascontiguousarray asfortranarray asarray_chkfinite require copy dot inner vdot kron i0 unstack dstack "
    "unique_values polyder tanh fix isposinf isneginf logspace linspace percentile nanpercentile roll"
).split()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", DERIVED)
def test_arrays_of_derived_classes_are_computed_by_their_own_rules(kind):
    given = DERIVED[kind]
    names = [n for n in _functions() if "." not in n and n not in _NOT_BY_CLASS]
    wrong = []
    for name in names:
        for args in ((given,), (given, 1)):
            copies = lambda: [a.copy() if isinstance(a, numpy.ndarray) else a for a in args]
            try:
                wanted, _ = _called(numpy, name, copies())
            except IndexError:  # a mask of another shape than its array, for which there is no list of values
                continue
            with bc.config.set(fallback="silent"):
                found, _ = _called(bc, name, copies())
            if not _agree(found, wanted, False):
                wrong.append((name, args, found, wanted))
    assert not wrong
