"""Of the element-wise functions that are made of ufuncs."""

from .parts import ARRAY, OUT, entry

_X = ARRAY.replace("a :", "x :")
_ARRAYS = """
a, b : array_like
    Shapes that broadcast against one another.
"""
_TOLERANCES = """
rtol : array_like, optional
    Allowed distance as a part of the magnitude of `b`.
atol : array_like, optional
    Allowed distance beyond that.
equal_nan : bool, optional
    Whether NaN equals NaN.
"""
_TEST = "ndarray of bool, shape x.shape, or a scalar"
_TWO_OUTS = """
out : pair of ndarray, optional
    Where the results go; None for one that is to be made.
"""

ENTRIES = {
    "round": entry(
        ARRAY
        + """
decimals : int, optional
    How many; negative ones round to tens, hundreds and so on.
"""
        + OUT,
        "ndarray, shape a.shape, of the type of `a`",
        """
>>> bc.round([0.5, 1.5, 2.45]).tolist()
[0.0, 2.0, 2.0]
>>> bc.round([1234, 5678], -2).tolist()
[1200, 5700]
""",
        notes="An element is multiplied by the power of ten, rounded and divided, as NumPy does it: three roundings.",
    ),
    "fix": entry(
        _X + OUT,
        "ndarray, shape x.shape",
        """
>>> bc.fix([1.7, -1.7]).tolist()
[1.0, -1.0]
""",
    ),
    "real": entry(
        ARRAY.replace("a :", "val :"),
        "ndarray\n    A view of an array's memory; the array itself where it is real.",
        """
>>> bc.real([1 + 2j, 3]).tolist()
[1.0, 3.0]
""",
    ),
    "imag": entry(
        ARRAY.replace("a :", "val :"),
        "ndarray\n    A view of an array's memory; zeros, which cannot be written to, where it is real.",
        """
>>> bc.imag([1 + 2j, 3]).tolist()
[2.0, 0.0]
""",
    ),
    "angle": entry(
        ARRAY.replace("a :", "z :")
        + """
deg : bool, optional
    In degrees instead of radians.
""",
        "ndarray, shape z.shape, in (-pi, pi]",
        """
>>> bc.angle([1, 1j, -1], deg=True).tolist()
[0.0, 90.0, 180.0]
""",
        notes="That of `arctan2`, with its accuracy.",
    ),
    "divmod": entry(
        """
x1, x2 : array_like, shapes that broadcast against one another
    Dividend and divisor.
"""
        + _TWO_OUTS
        + """
signature : str or tuple of dtype, optional
    The loop, with the types of both results.
**kwargs
    What `floor_divide` and `remainder` take.
""",
        "tuple of two ndarrays\n    ``floor_divide(x1, x2)`` and ``remainder(x1, x2)``.",
        """
>>> quotient, rest = bc.divmod([7, -7], 3)
>>> quotient.tolist(), rest.tolist()
([2, -3], [1, 2])
""",
        """
TypeError
    The types have no loop, as complex ones.
ValueError
    The shapes do not broadcast.
""",
    ),
    "modf": entry(
        _X
        + _TWO_OUTS
        + """
where : array_like of bool, optional
    Elements to compute.
casting, order, dtype, subok, signature
    As in NumPy.
""",
        "tuple of two ndarrays\n    Fractions and whole parts, both with the sign of `x` and of its floating type.",
        """
>>> rest, whole = bc.modf([1.5, -2.25])
>>> rest.tolist(), whole.tolist()
([0.5, -0.25], [1.0, -2.0])
""",
        """
TypeError
    The type has no loop, as complex ones.
""",
        "Exact.",
    ),
    "isposinf": entry(
        _X + OUT,
        _TEST,
        """
>>> bc.isposinf([1.0, bc.inf, -bc.inf]).tolist()
[False, True, False]
""",
    ),
    "isneginf": entry(
        _X + OUT,
        _TEST,
        """
>>> bc.isneginf([1.0, bc.inf, -bc.inf]).tolist()
[False, False, True]
""",
    ),
    "isreal": entry(
        _X,
        _TEST,
        """
>>> bc.isreal([1 + 2j, 3]).tolist()
[False, True]
""",
    ),
    "iscomplex": entry(
        _X,
        _TEST,
        """
>>> bc.iscomplex([1 + 2j, 3]).tolist()
[True, False]
""",
    ),
    "isrealobj": entry(
        _X,
        "bool\n    By the type alone.",
        """
>>> bc.isrealobj(bc.zeros(3)), bc.isrealobj(bc.zeros(3, complex))
(True, False)
""",
    ),
    "iscomplexobj": entry(
        _X,
        "bool\n    By the type alone.",
        """
>>> bc.iscomplexobj(bc.zeros(3)), bc.iscomplexobj(bc.zeros(3, complex))
(False, True)
""",
    ),
    "real_if_close": entry(
        ARRAY
        + """
tol : float, optional
    The tolerance, in steps of the type above 1.0 (``finfo(a.dtype).eps``) where it is larger than one.
""",
        "ndarray, shape a.shape",
        """
>>> bc.real_if_close([1 + 1e-15j, 2]).tolist()
[1.0, 2.0]
""",
    ),
    "nan_to_num": entry(
        _X
        + """
copy : bool, optional
    Whether to leave the array as it is, and return another.
nan : scalar, optional
    What replaces NaN.
posinf, neginf : scalar, optional
    What replaces the infinities; the largest and the smallest number of the type when absent.
""",
        "ndarray, shape x.shape\n    Of complex numbers both parts are treated so.",
        """
>>> bc.nan_to_num([1.0, bc.nan, bc.inf], posinf=9.0).tolist()
[1.0, 0.0, 9.0]
""",
    ),
    "isclose": entry(
        _ARRAYS + _TOLERANCES,
        "ndarray of bool, or a scalar\n    ``abs(a - b) <= atol + rtol * abs(b)``, and of infinities whether they are equal.",
        """
>>> bc.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1]).tolist()
[True, False]
""",
        notes="A tolerance that is not finite warns, or does what `errstate` says of invalid values.",
    ),
    "allclose": entry(
        _ARRAYS + _TOLERANCES,
        "bool",
        """
>>> bc.allclose([1.0, 2.0], [1.0, 2.0 + 1e-9])
True
""",
    ),
    "array_equal": entry(
        """
a1, a2 : array_like
equal_nan : bool, optional
    Whether NaN equals NaN.
""",
        "bool",
        """
>>> bc.array_equal([1, 2], [1, 2]), bc.array_equal([1, 2], [[1, 2]])
(True, False)
""",
    ),
    "array_equiv": entry(
        "a1, a2 : array_like",
        "bool\n    False for shapes that do not broadcast.",
        """
>>> bc.array_equiv([1, 2], [[1, 2], [1, 2]])
True
""",
    ),
    "sinc": entry(
        _X,
        "ndarray, shape x.shape, floating",
        """
>>> bc.sinc([0.0, 0.5]).round(4).tolist()
[1.0, 0.6366]
""",
        notes="With the accuracy of `sin`.",
    ),
}
