"""Classes of other libraries are called with the arguments that NumPy would pass (NEP 13, __array__), and outputs are
refused where NumPy refuses them."""

import bascule as bc
import numpy as np
import pytest


class Answers:
    """Returns the arguments it was called with, with the name of the ufunc."""

    def __array_ufunc__(self, function, method, *inputs, **keywords):
        where = ["self" if x is self else x for x in inputs]
        reported = {k: tuple("self" if o is self else o for o in v) if k == "out" else v for k, v in keywords.items()}
        return function.__name__, method, where, reported


ASKED = {
    "reduce": lambda m, x: m.multiply.reduce(x),
    "reduce with options": lambda m, x: m.multiply.reduce(x, 1, keepdims=True, initial=2),
    "reduce into it": lambda m, x: m.add.reduce([1, 2], out=x),
    "accumulate": lambda m, x: m.multiply.accumulate(x, 1),
    "reduceat": lambda m, x: m.multiply.reduceat(x, [1, 2]),
    "outer": lambda m, x: m.multiply.outer(3, x),
    "at": lambda m, x: m.negative.at(x, [1]),
    "at with values": lambda m, x: m.add.at(x, [1], 2),
    "modf": lambda m, x: m.modf(x),
    "modf into it": lambda m, x: m.modf(1.5, out=(x, None)),
    "frexp": lambda m, x: m.frexp(x),
    "frexp into it": lambda m, x: m.frexp(1.5, out=(None, x)),
    "divmod": lambda m, x: m.divmod(7, x),
    "matmul": lambda m, x: m.matmul([[1]], x),
    "vecdot along an axis": lambda m, x: m.vecdot(x, [1], axis=0),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_class_with_a_say_is_asked_as_numpy_asks_it(name):
    assert ASKED[name](bc, Answers()) == ASKED[name](np, Answers())


def refusal(call, m):
    with pytest.raises((TypeError, ValueError)) as error:
        call(m)
    return error.type, str(error.value)


REFUSED = {
    f"{function} {how}": lambda m, function=function, out=out: getattr(m, function)(
        *([m.ones(2)] * (2 if function == "divmod" else 1)), out=out(m)
    )
    for function in ("modf", "frexp", "divmod")
    for how, out in {
        "one array": lambda m: m.ones(2),
        "a tuple of one": lambda m: (m.ones(2),),
        "a tuple of three": lambda m: (None, None, None),
        "a list": lambda m: ([], None),
    }.items()
}
REFUSED |= {
    "fromstring without a separator": lambda m: m.fromstring("1 2"),
    "an array in a shape": lambda m: m.reshape(m.ones(4), (m.ones((1, 1), int), -1)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_in_numpys_words(name):
    assert refusal(REFUSED[name], bc) == refusal(REFUSED[name], np)


class Copies:
    """An array by __array__, which records the argument `copy`."""

    def __init__(self, m):
        self.array, self.reported = m.arange(3), []

    def __array__(self, dtype=None, copy=None):
        self.reported.append(copy)
        return self.array.copy() if copy else self.array


@pytest.mark.parametrize("copy", [True, None, False])
def test_array_asks_a_class_to_copy_and_trusts_it(copy):
    for m in (np, bc):
        x = Copies(m)
        made = m.array(x, copy=copy)
        assert (made is x.array) is (copy is not True) and x.reported[-1] is copy
        assert made.tolist() == [0, 1, 2]


def test_array_of_a_list_of_such_classes():
    for m in (np, bc):
        assert m.array([Copies(m), Copies(m)]).tolist() == [[0, 1, 2], [0, 1, 2]]


class Older:
    """An array by an __array__ without the argument `copy`."""

    def __init__(self, m):
        self.array = m.arange(3)

    def __array__(self, dtype=None):
        return self.array


def test_an_older_class_is_warned_of():
    for m in (np, bc):
        x = Older(m)
        assert m.array(x, copy=None) is x.array
        with pytest.warns(DeprecationWarning, match="must implement 'dtype' and 'copy'"):
            assert m.array(x, copy=True) is not x.array
        with pytest.warns(DeprecationWarning), pytest.raises(ValueError, match="Unable to avoid copy"):
            m.array(x, copy=False)


def test_memory_is_shared_through_such_classes():
    for m in (np, bc):
        x, y = Older(m), Older(m)
        assert m.shares_memory(x, x.array[1:]) and not m.shares_memory(x, y.array)
        assert m.may_share_memory(x.array[::2], x)


def test_views_that_begin_between_elements_are_not_aligned():
    for m in (np, bc):
        x = m.zeros(33, dtype="i1")
        assert x.flags.aligned and x[1:].flags.aligned and x[:32].view("i8").flags.aligned
        assert not x[1:].view("i8").flags.aligned and not x[1:].view("i8").flags.behaved


def test_bytes_of_any_value_are_true():
    for m in (np, bc):
        assert int(m.frombuffer(b"\x00\xff\x02", dtype=bool).sum()) == 2


class Labelled(np.ndarray):
    """A subclass of NumPy's array, as programs define it."""


@pytest.mark.parametrize("kind", [Labelled, np.matrix, np.ndarray, np.recarray], ids=lambda k: k.__name__)
@pytest.mark.parametrize("dtype", [None, "i8"])
def test_arrays_are_seen_as_numpys_classes(kind, dtype):
    x, n = bc.arange(6.0), np.arange(6.0)
    first = () if dtype is None else (dtype,)
    for ours, theirs in ((x.view(*first, type=kind), n.view(*first, type=kind)), (x.view(kind), n.view(kind))):
        assert type(ours) is type(theirs) is kind
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape and ours.tobytes() == theirs.tobytes()
    seen = x.view(kind)
    seen[..., 1] = 7
    assert x[1] == 7  # over the same memory
    x[2] = 9
    assert np.asarray(seen).ravel()[2] == 9


def test_views_as_a_class_of_what_is_pending():
    x = bc.arange(100_000.0) + 1
    seen = x.view(Labelled)
    x += 1
    assert seen[0] == 2.0


@pytest.mark.parametrize("options", [{"type": int}, {"type": 3}, {"dtype": "both", "type": "both"}], ids=str)
def test_views_that_no_class_has(options):
    messages = []
    for m in (bc, np):
        with pytest.raises(ValueError) as reported:
            m.arange(3.0).view(**{k: m.ndarray if v == "both" else v for k, v in options.items()})
        messages.append(str(reported.value))
    assert messages[0] == messages[1]


def test_views_as_the_own_class():
    x = bc.arange(3)
    assert type(x.view(bc.ndarray)) is bc.ndarray and bc.shares_memory(x.view(type=bc.ndarray), x)


class KnowsOnlyNumPys:
    """Returns NotImplemented for classes other than NumPy's, as pandas' series do."""

    def __array_ufunc__(self, function, method, *inputs, **keywords):
        others = [x for x in inputs if type(x) is not type(self)]
        if any(
            type(x).__array_ufunc__ is not np.ndarray.__array_ufunc__ for x in others if hasattr(x, "__array_ufunc__")
        ):
            return NotImplemented
        return function.__name__, method, [x.tolist() for x in others]


def test_a_class_that_knows_only_numpys_arrays_is_asked_with_them():
    x, other = bc.arange(3), KnowsOnlyNumPys()
    assert bc.add(x, other) == bc.add(other, x) == ("add", "__call__", [[0, 1, 2]])
    assert np.add(x, other) == ("add", "__call__", [[0, 1, 2]])
    assert bc.multiply.outer(x, other) == ("multiply", "outer", [[0, 1, 2]])


class Declines:
    def __array_ufunc__(self, function, method, *inputs, **keywords):
        return NotImplemented


def test_a_class_that_declines_in_any_case_is_refused():
    with pytest.raises(TypeError, match="all returned NotImplemented"):
        bc.add(bc.arange(3), Declines())


class HasMethods:
    """Returns the arguments its methods get when NumPy's functions call them."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *args, **keywords: (name, args, keywords)


BY_METHOD = {
    **{name: lambda m, x, name=name: getattr(m, name)(x) for name in (
        "sum", "prod", "max", "min", "any", "all", "mean", "std", "var", "cumsum", "cumprod", "argmax", "argmin",
        "round", "squeeze", "transpose", "argsort", "amax", "around",
    )},
    "sum with options": lambda m, x: m.sum(x, 0, float, keepdims=True),
    "clip": lambda m, x: m.clip(x, 1, 2),
    "take": lambda m, x: m.take(x, [1], axis=0),
    "choose": lambda m, x: m.choose(x, [1, 2]),
    "repeat": lambda m, x: m.repeat(x, 2),
    "reshape": lambda m, x: m.reshape(x, (1, 2)),
    "swapaxes": lambda m, x: m.swapaxes(x, 0, 1),
    "argpartition": lambda m, x: m.argpartition(x, 1),
    "searchsorted": lambda m, x: m.searchsorted(x, 1),
    "by keyword": lambda m, x: m.max(a=x, axis=1),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_METHOD)
def test_the_method_of_another_class_goes_first_as_numpy_calls_it(name):
    assert BY_METHOD[name](bc, HasMethods()) == BY_METHOD[name](np, HasMethods())


class OtherArguments:
    """Has a method of that name with other arguments."""

    def clip(self, one):
        raise AssertionError("called")

    def __array__(self, dtype=None, copy=None):
        return np.arange(3.0)


def test_a_method_that_takes_something_else_leaves_it_to_the_elements():
    r = bc.clip(OtherArguments(), 0, 1)
    assert type(r) is bc.ndarray and r.tolist() == [0, 1, 1]


def test_where_asks_no_class():
    class Both(Declines, OtherArguments):
        pass

    r = bc.where([True, False, True], Both(), 7)
    assert r.tolist() == [0, 7, 2]


class Three:
    """An object that is equal to three only."""

    def __eq__(self, other):
        return other == 3

    __hash__ = None


OBJECTS = {"an object": object(), "equal to one": Three(), "a class": int, "a dict": {}, "a set": {1}}


@pytest.mark.parametrize("name", OBJECTS)
def test_each_element_is_compared_with_what_arrays_do_not_hold(name):
    other = OBJECTS[name]
    for call in (lambda x: x == other, lambda x: x != other, lambda x: x.reshape(5, 1) == other):
        ours, theirs = call(bc.arange(5.0)), call(np.arange(5.0))
        if isinstance(theirs, np.ndarray):
            assert type(ours) is bc.ndarray and ours.dtype == theirs.dtype and ours.tolist() == theirs.tolist()
        else:
            assert ours is theirs


def test_classes_with_a_say_compare_themselves():
    class Answer:
        __array_priority__ = 5

        def __eq__(self, other):
            return "mine"

    class Refuses(Answer):
        __array_ufunc__ = None

    assert (bc.ones(2) == Answer()) == (np.ones(2) == Answer()) == (bc.ones(2) == Refuses()) == "mine"
