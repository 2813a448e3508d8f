"""Docstrings of functions that draw from NumPy's own streams: of `bascule.random`, and methods of `RandomState`."""

from __future__ import annotations

_IMPORTS = (("bc.", "import bascule as bc"), ("np.", "import numpy as np"))


def _section(title: str, text: str) -> str:
    lines = [title, "-" * len(title), *text.split("\n")]
    return "".join(f"    {line}\n" for line in lines if line) + "\n" if text else ""


def _entry(parameters: str, returns: str, example: str, raises: str = "", notes: str = "") -> str:
    """The sections of a docstring, in numpydoc's order; the example imports its names."""
    imports = "".join(f">>> {line}\n" for name, line in _IMPORTS if name in example)
    return (
        _section("Parameters", parameters)
        + _section("Returns", returns)
        + _section("Raises", raises)
        + _section("Notes", notes)
        + _section("Examples", imports + example)
    ).rstrip() + "\n    "


_ANY, _POSITIVE, _NOT_NEGATIVE = "Any number.", "Positive.", "Not negative."
_MEAN, _CENTRE, _WIDTH = "Mean.", "Centre.", "Scale, not negative."
_CHANCE = "Probability of a success."
# Name: the distribution; descriptions of its parameters; the arguments of an example.
_DISTRIBUTIONS = {
    "beta": ("beta distributions on [0, 1]", {"a, b": _POSITIVE}, "2, 3"),
    "binomial": ("binomial distributions", {"n": "Trials, not negative.", "p": _CHANCE}, "10, 0.5"),
    "chisquare": ("chi-square distributions", {"df": "Degrees of freedom, positive."}, "3"),
    "exponential": ("exponential distributions", {"scale": "Mean, not negative."}, "2.0"),
    "f": ("F distributions", {"dfnum, dfden": "Degrees of freedom, positive."}, "3, 5"),
    "gamma": ("gamma distributions", {"shape": _NOT_NEGATIVE, "scale": _WIDTH}, "2.0"),
    "geometric": ("geometric distributions: trials up to the first success", {"p": _CHANCE}, "0.5"),
    "gumbel": ("Gumbel distributions", {"loc": "Mode.", "scale": _WIDTH}, "0.0, 2.0"),
    "hypergeometric": (
        "hypergeometric distributions",
        {"ngood, nbad": "Numbers of good and bad objects.", "nsample": "Number of draws without replacement."},
        "5, 5, 3",
    ),
    "laplace": ("Laplace distributions", {"loc": _CENTRE, "scale": _WIDTH}, "0.0, 2.0"),
    "logistic": ("logistic distributions", {"loc": _CENTRE, "scale": _WIDTH}, "0.0, 2.0"),
    "lognormal": (
        "log-normal distributions",
        {"mean": "Mean of the logarithm.", "sigma": "Standard deviation of the logarithm, not negative."},
        "0.0, 0.5",
    ),
    "logseries": ("logarithmic series distributions", {"p": "In (0, 1)."}, "0.5"),
    "negative_binomial": (
        "negative binomial distributions: failures before the n-th success",
        {"n": _POSITIVE, "p": _CHANCE},
        "3, 0.5",
    ),
    "noncentral_chisquare": (
        "noncentral chi-square distributions",
        {"df": "Degrees of freedom, positive.", "nonc": _NOT_NEGATIVE},
        "3, 1.0",
    ),
    "noncentral_f": (
        "noncentral F distributions",
        {"dfnum, dfden": "Degrees of freedom, positive.", "nonc": _NOT_NEGATIVE},
        "3, 5, 1.0",
    ),
    "normal": ("normal distributions", {"loc": _MEAN, "scale": "Standard deviation, not negative."}, "10, 2"),
    "pareto": ("Pareto distributions of the second kind", {"a": "Shape, positive."}, "3.0"),
    "poisson": ("Poisson distributions", {"lam": "Mean, not negative."}, "4.0"),
    "power": ("power distributions on [0, 1], of density a x**(a - 1)", {"a": _POSITIVE}, "3.0"),
    "rayleigh": ("Rayleigh distributions", {"scale": "Mode, not negative."}, "2.0"),
    "standard_gamma": ("gamma distributions of scale one", {"shape": _NOT_NEGATIVE}, "2.0"),
    "standard_t": ("Student's t distributions", {"df": "Degrees of freedom, positive."}, "3"),
    "triangular": ("triangular distributions", {"left, mode, right": "Ends and peak, ascending."}, "0, 1, 2"),
    "uniform": ("uniform distributions", {"low": "Lower end.", "high": "Upper end."}, "-1, 1"),
    "vonmises": (
        "von Mises distributions on [-pi, pi]",
        {"mu": "Mode.", "kappa": "Concentration, not negative."},
        "0, 4",
    ),
    "wald": ("Wald distributions", {"mean": _POSITIVE, "scale": _POSITIVE}, "1.0, 2.0"),
    "weibull": ("Weibull distributions of scale one", {"a": "Shape, not negative."}, "2.0"),
    "zipf": ("Zipf distributions", {"a": "Above one."}, "2.0"),
    "standard_cauchy": ("the Cauchy distribution about zero", {}, ""),
    "standard_exponential": ("the exponential distribution of mean one", {}, ""),
    "standard_normal": ("the normal distribution of mean zero and variance one", {}, ""),
    "random": ("the uniform distribution on [0, 1)", {}, ""),
    "random_sample": ("the uniform distribution on [0, 1)", {}, ""),
    "ranf": ("the uniform distribution on [0, 1); an alias of `random_sample`", {}, ""),
    "sample": ("the uniform distribution on [0, 1); an alias of `random_sample`", {}, ""),
}
_SIZE = """
size : int or tuple of int, optional
    Shape of the result; by default {}.
"""
_ONE = _SIZE.format("one number is sampled")
_OUT_OF_RANGE = """
ValueError
    A parameter is out of range, or the shapes do not broadcast.
"""
_DIMENSIONS = """
*args : int
    Shape of the result; without it one number is sampled.
"""
# Name: summary; parameters; result; an example, where {} is the module or the object.
_OTHERS = {
    "bytes": (
        "Draw bytes.",
        "length : int",
        "bytes, of length `length`",
        ">>> len({}.bytes(8))\n8",
    ),
    "choice": (
        "Draw from the elements of a sequence.",
        """
a : int or array_like, shape (n,)
    The elements; an integer stands for those of ``arange(a)``.
"""
        + _ONE
        + """
replace : bool, optional
    Whether an element can be sampled twice.
p : array_like, shape (n,), optional
    Probabilities of the elements; equal ones when absent.
""",
        "scalar or ndarray",
        ">>> sorted({}.choice(3, 3, replace=False).tolist())\n[0, 1, 2]",
    ),
    "dirichlet": (
        "Draw from a Dirichlet distribution.",
        """
alpha : sequence of floats, length k
    Positive.
"""
        + _SIZE.format("one vector is sampled"),
        "ndarray, shape (*size, k)",
        ">>> {}.dirichlet([1, 2, 3]).sum().round(9).item()\n1.0",
    ),
    "multinomial": (
        "Draw from a multinomial distribution.",
        """
n : int
    Trials.
pvals : sequence of floats, length k
    Probabilities, which sum to one; the last is the remainder of the others.
"""
        + _SIZE.format("one vector is sampled"),
        "ndarray of int64, shape (*size, k)",
        ">>> {}.multinomial(10, [0.2, 0.8]).sum().item()\n10",
    ),
    "multivariate_normal": (
        "Draw from a normal distribution of several dimensions.",
        """
mean : array_like, shape (k,)
cov : array_like, shape (k, k)
    Covariances, symmetric and positive semidefinite.
"""
        + _SIZE.format("one vector is sampled")
        + """
check_valid : {"warn", "raise", "ignore"}, optional
    How to report a `cov` that is not positive semidefinite.
tol : float, optional
    Tolerance of that check.
""",
        "ndarray, shape (*size, k)",
        ">>> {}.multivariate_normal([0, 0], [[1, 0], [0, 1]], 3).shape\n(3, 2)",
    ),
    "permutation": (
        "Draw an order of the rows of an array.",
        """
x : int or array_like
    An integer stands for ``arange(x)``.
""",
        "ndarray, shape x.shape\n    A copy.",
        ">>> sorted({}.permutation(4).tolist())\n[0, 1, 2, 3]",
    ),
    "shuffle": (
        "Reorder the rows of an array or a mutable sequence in place.",
        "x : ndarray or sequence",
        "None",
        ">>> x = bc.arange(4)\n>>> {}.shuffle(x)\n>>> sorted(x.tolist())\n[0, 1, 2, 3]",
    ),
    "rand": (
        "Draw from the uniform distribution on [0, 1).",
        _DIMENSIONS,
        "float or ndarray",
        ">>> {}.rand(2, 3).shape\n(2, 3)",
    ),
    "randn": (
        "Draw from the normal distribution of mean zero and variance one.",
        _DIMENSIONS,
        "float or ndarray",
        ">>> {}.randn(2, 3).shape\n(2, 3)",
    ),
    "randint": (
        "Draw integers, all equally likely.",
        """
low : int or array_like of int
    The least integer; without `high` the upper end of a range from zero.
high : int or array_like of int, optional
    The upper end, which is not included.
"""
        + _ONE
        + """
dtype : dtype, optional
    Type of the result.
""",
        "int or ndarray",
        ">>> all(1 <= n < 7 for n in {}.randint(1, 7, 10).tolist())\nTrue",
    ),
    "random_integers": (
        "Draw integers, all equally likely, the highest included.",
        """
low : int
    The least integer; without `high` the highest of a range from one.
high : int, optional
    The highest integer.
"""
        + _ONE,
        "int or ndarray\n    It issues NumPy's DeprecationWarning.",
        '>>> import warnings\n>>> with warnings.catch_warnings(action="ignore"):\n'
        "...     sampled = {}.random_integers(6, size=10)\n>>> all(1 <= n <= 6 for n in sampled.tolist())\nTrue",
    ),
    "tomaxint": (
        "Draw integers from zero to the largest of the machine's word.",
        _ONE,
        "int or ndarray",
        ">>> {}.tomaxint(3).shape\n(3,)",
    ),
    "seed": (
        "Set the beginning",
        """
seed : None, int or array_like of int, optional
    None takes a seed from the operating system.
""",
        "None",
        ">>> {0}.seed(5)\n>>> first = {0}.rand()\n>>> {0}.seed(5)\n>>> {0}.rand() == first\nTrue",
    ),
    "get_state": (
        "Return the state",
        """
legacy : bool, optional
    Return a tuple instead of a dictionary.
""",
        "tuple or dict",
        ">>> {}.get_state(legacy=False)[\"bit_generator\"]\n'MT19937'",
    ),
    "set_state": (
        "Set the state returned by `get_state` as that",
        "state : tuple or dict",
        "None",
        ">>> kept = {0}.get_state()\n>>> first = {0}.rand()\n>>> {0}.set_state(kept)\n>>> {0}.rand() == first\nTrue",
    ),
    "get_bit_generator": (
        "Return the bit generator",
        "",
        "numpy.random.BitGenerator",
        ">>> type({}.get_bit_generator()).__name__\n'MT19937'",
    ),
    "set_bit_generator": (
        "Replace the bit generator",
        "bitgen : numpy.random.BitGenerator",
        "None",
        ">>> {0}.set_bit_generator({0}.get_bit_generator())",
    ),
}


_TAKES_ANYTHING = ("get_state", "get_bit_generator", "permutation", "set_bit_generator", "shuffle")


def words(name: str, owner: str = "") -> str:
    """The docstring of a function of the module, or of a method of the class `owner`."""
    who, begin = ("state", ">>> state = bc.random.RandomState(0)\n") if owner else ("bc.random", "")
    stream = "the object's stream" if owner else "NumPy's global stream"
    same = f"The numbers are those of ``numpy.random.{owner + '.' if owner else ''}{name}`` from the same state, bit for bit."
    raises = "" if name in _TAKES_ANYTHING else _OUT_OF_RANGE
    if name in _OTHERS:
        summary, parameters, result, example = _OTHERS[name]
        link = ", by " if summary.endswith(".") else " of "
        return f"{summary.rstrip('.')}{link}{stream}.\n\n{_entry(parameters, result, begin + example.format(who), raises, same)}"
    source, meaning, arguments = _DISTRIBUTIONS[name]
    parameters = "".join(f"{p} : float or array_like of floats\n    {text}\n" for p, text in meaning.items())
    size = _SIZE.format("that of the parameters together" if meaning else "one number is sampled")
    call = f"{who}.{name}({arguments + ', ' if arguments else ''}size=3)"
    sections = _entry(parameters + size, "number or ndarray", f"{begin}>>> {call}.shape\n(3,)", raises, same)
    return f"Draw from {source}, by {stream}.\n\n{sections}"
