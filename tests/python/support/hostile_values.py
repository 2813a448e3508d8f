"""Values that no function expects, each as the text of an expression.

They are evaluated where `xp` is the namespace under test, `arr` makes its arrays, `np` is NumPy and `evil` is this
module. Sizes of 2**33 elements and more need more memory than any machine has, so that allocating them must fail.
"""

from __future__ import annotations

NUMBERS = [
    *("-1", "-2", "-3", "0", "1", "2", "7", "64", "65", "10**30", "-10**30"),
    *("2**31 - 1", "2**31", "-2**31", "2**32", "2**62", "2**63 - 1", "2**63", "-2**63", "-2**63 - 1", "2**64"),
    *("float('nan')", "float('inf')", "-float('inf')", "1e300", "1.5", "-0.5", "1j", "True", "False"),
    *("np.int8(-1)", "np.uint64(2**63)", "np.float32('nan')", "np.datetime64('NaT', 's')", "np.timedelta64(3, 's')"),
]
OTHERS = [
    *("None", "...", "''", "'x'", "'C'", "'f8'", "'O'", "'S3'", "'>f8'", "'M8[D]'", "b'x'", "object()", "{}", "{1}"),
    *("[]", "()", "[[]]", "[1, [2]]", "[None]", "['a']", "(None, None)", "range(3)", "iter([1, 2])", "[1j, 'x']"),
    *("slice(None)", "slice(2**63, -2**63, -1)", "slice(0, 3, 0)", "int", "float", "object", "len", "xp.add"),
    *("evil.Index(2**63)", "evil.Index(-1)", "evil.Index('x')", "evil.Raises()", "evil.Length(-1)"),
    *("evil.Length(2**62)", "evil.shrinking()", "evil.Gives(None)", "evil.Gives([1, 2])", "evil.Text('x')"),
]
SHAPES = [
    *("(-1,)", "(-1, -1)", "(2, -3)", "(0, -1)", "(2**62, 2**62)", "(2**31, 2**31, 2**31)", "(2**62,)", "(2**63,)"),
    *("(-2**63,)", "(2**63 - 1, 0)", "(0, 2**62)", "(0, 2**62, 2**62)", "(0, 2**63)", "(1,) * 65", "(2,) * 64"),
    *("(2,) * 65", "(1.5,)", "(0, 0)", "(0, 1, 0)", "(5, -5)", "(64,)", "(3, 4)", "[(-1, 2**40)]", "[2**63] * 3"),
]
ARRAYS = [
    *("arr(0)", "arr(-1)", "arr(2**63 - 1)", "arr(True)", "arr(1.5)", "arr([])", "arr([], 'i8')", "arr([[]])"),
    *("arr([-1, 2**31])", "arr([2**62, 2])", "arr([-2**63, 2**63 - 1])", "arr([2**64 - 1], 'u8')", "arr([1j])"),
    *("arr([float('nan'), 1])", "arr([float('inf')] * 3)", "arr([True, False])", "arr([2**40] * 3)", "arr([3, -9, 2])"),
    *("xp.ones((1,) * 10)", "xp.ones((1,) * 64)", "xp.zeros((0, 3))", "xp.zeros((3, 0, 2), 'i4')", "xp.ones(3, 'f2')"),
    *("xp.broadcast_to(arr(1.0), (3, 4))", "arr(['2001', 'NaT'], 'M8[D]')", "arr([1, 2], 'm8[s]')", "arr([0, 0, 0])"),
    *("np.array(['a'])", "np.array([None])", "np.zeros(3, 'i4,f8')", "np.ones(3)", "np.ones(3, '>f8')"),
    *("np.ma.ones(3)", "xp.ones((2, 3), 'i1')", "xp.ones((4, 4), '?')", "xp.ones((2, 3, 4), 'c8')"),
]
ALIASES = ["a", "a[::-1]", "a[..., ::-1]", "a.T", "a[..., 1:]", "a[None]", "a[..., 0]", "a.view('u1')", "a.view('?')"]
KINDS = (NUMBERS, OTHERS, SHAPES, ARRAYS, ALIASES)


def any_of(rng):
    """One of the values, each kind with the same probability."""
    return rng.choice(rng.choice(KINDS))


class Index:
    """An object with __index__, which counts as an integer."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Raises:
    """An object for which every operation raises."""

    def _fail(self, *_):
        raise ZeroDivisionError("as it always does")

    __index__ = __len__ = __iter__ = __float__ = __bool__ = __getitem__ = __array__ = _fail


class Length:
    """A sequence whose reported length is wrong."""

    def __init__(self, value):
        self.value = value

    def __len__(self):
        return self.value

    def __getitem__(self, k):
        if k in (0, 1):
            return k
        raise IndexError(k)


class Gives:
    """An object whose __array__ returns no array."""

    def __init__(self, value):
        self.value = value

    def __array__(self, dtype=None, copy=None):
        return self.value


class Text(str):
    """A string of a derived class."""


class _Clears:
    def __init__(self, of):
        self.of = of

    def __index__(self):
        self.of.clear()
        return 1


def shrinking():
    """A list that becomes empty when its first element is read."""
    made = []
    made += [_Clears(made), _Clears(made), 1, 2]
    return made
