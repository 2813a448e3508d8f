"""The common part of native estimators: when a call is computed here and when by scikit-learn, and the kinds of its arrays."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from .. import _core
from ..fallback import count, refuse_on_gpu
from ..interop import mode
from ._chunks import aligned, computed, is_chunked, mapped
from ._kinds import Kind, is_sparse, to_host

_FITTING = ("fit", "partial_fit", "fit_transform", "fit_predict")


class Derived:
    """A mix-in of classes that derive from scikit-learn's: the way to and from its own class."""

    _theirs: Any = object
    _parameters: list[str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._theirs = next((c for c in cls.__mro__ if c.__module__.partition(".")[0] == "sklearn"), object)
        if cls.__module__.startswith("bascule.learn."):
            for name in _FITTING:
                method = getattr(cls, name, None)
                if method is not None and not hasattr(method, "_keeps_the_model"):
                    setattr(cls, name, _keeping(method))

    @classmethod
    def _get_param_names(cls) -> list[str]:
        """scikit-learn's list, which it reads from the signature in every fit; here once for each class."""
        if "_parameters" not in vars(cls):
            cls._parameters = super()._get_param_names()  # type: ignore[misc]
        return [*cls._parameters]

    def to_sklearn(self) -> Any:
        """The same estimator as scikit-learn's own class, with its fitted attributes as NumPy's arrays.

        Returns
        -------
        estimator
            An instance of the class from which this one derives; it predicts the same.

        Examples
        --------
        >>> from bascule.learn.linear_model import Ridge
        >>> type(Ridge().to_sklearn()).__module__.partition(".")[0]
        'sklearn'
        """
        made = self._theirs.__new__(self._theirs)
        made.__dict__.update(self._on_host())
        return made

    def _on_host(self) -> dict[str, Any]:
        return {k: v.to_sklearn() if isinstance(v, Derived) else to_host(v) for k, v in vars(self).items()}

    def _left(self, name: str, reason: str, *args: Any) -> Any:
        """The result of scikit-learn's method, counted once: it is its own object that calls other methods."""
        count(f"learn.{type(self).__name__}.{name}", reason, "scikit-learn")
        return getattr(self._theirs, name)(self.to_sklearn(), *args)

    def __getstate__(self) -> dict[str, Any]:
        return {k: to_host(v) for k, v in super().__getstate__().items()}  # type: ignore[misc]

    def __reduce_ex__(self, protocol: Any) -> Any:
        """In the accelerated mode pickles are scikit-learn's, which programs without bascule read."""
        if mode.pickles_are_theirs() and type(self).__module__.startswith("bascule.learn"):
            made = self.to_sklearn()
            return object.__new__, (type(made),), made.__getstate__()
        return super().__reduce_ex__(protocol)

    def __copy__(self) -> Any:
        """Of our class, whatever its pickles are, and with arrays where they are."""
        made = type(self).__new__(type(self))
        made.__dict__.update(vars(self))
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        made = memo[id(self)] = type(self).__new__(type(self))
        made.__dict__.update({k: copy.deepcopy(v, memo) for k, v in vars(self).items()})
        return made


def _keeping(method: Callable[..., Any]) -> Any:
    """A method that fits: where it fails or is interrupted, the estimator is as it was before."""

    @wraps(method)
    def fitting(self: Any, *args: Any, **kwargs: Any) -> Any:
        before = dict(vars(self))
        try:
            return method(self, *args, **kwargs)
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    fitting._keeps_the_model = True  # type: ignore[attr-defined]
    return fitting


class OddValues(Exception):
    """Raised in a native method, before it sets an attribute, where the values of the rows leave the call to scikit-learn's;
    with the reason."""


class NativeEstimator(Derived):
    """A mix-in before one of scikit-learn's classes, which is the source of parameters, checks, errors and tags.

    For each method `name` that it runs by ``_call(name, X, ...)`` a class implements ``_name_native(kind, X, ...)``, and it
    says in ``_not_native(X)`` for which reason a call is left to scikit-learn's method.
    """

    _on_device: str | None = None  # the reason for rows on a device, where only the host has the native form
    _takes_dask = True  # else a fit computes the rows first
    _keeps_types = False  # scikit-learn's results are of float16 or longdouble where X is

    def _not_native(self, X: Any) -> str | None:
        """The reason for which scikit-learn's method computes a call, or None."""
        if self._on_device is not None and not Kind.of(X).on_host:
            return self._on_device
        if type(X) is np.ndarray or type(X) is _core.ndarray:
            odd = self._keeps_types and X.dtype.kind == "f" and X.dtype.itemsize not in (4, 8)
            return f"X is of {X.dtype}" if odd else None
        if not self._takes_dask and is_chunked(X):
            return "X is an array of Dask"
        return "X is sparse" if is_sparse(X) else None

    def _call(self, name: str, X: Any, *args: Any, names: Sequence[str] = ("y", "sample_weight")) -> Any:
        """Run the native form of a fitting method, or scikit-learn's; X and the attributes are of one kind.

        `names` are those of the arguments after X, for errors.
        """
        self._result(name, X, *args, names=names)
        return self

    def _result(self, name: str, X: Any, *args: Any, names: Sequence[str] = ("y", "sample_weight")) -> Any:
        """The same, with the result of the method."""
        if not self._takes_dask and is_chunked(X):
            X, *args = computed(X, *args)  # type: ignore[assignment]
        kind = Kind.of(X)
        reason = "it has callbacks" if getattr(self, "_skl_callbacks", None) else self._not_native(X)
        if reason is None:
            taken = [kind.take(x, what) for x, what in zip(args, names)]
            try:
                result = getattr(self, f"_{name}_native")(kind, kind.take(X, "X"), *taken)
            except OddValues as found:
                reason = str(found)
        if reason is not None:
            leave(f"learn.{type(self).__name__}.{name}", reason, kind)
            taken = [kind.take(x, what) for x, what in zip((X, *args), ("X", *names))]
            result = getattr(self._theirs, name)(self, *taken)
        if kind.ours:
            for key, value in list(vars(self).items()):
                if key.endswith("_") and not key.startswith("_") and key not in _LABELS:
                    setattr(self, key, kind.give(value))
        return kind.give(result)

    def _by_parent(self, name: str, X: Any, reason: str | None, **options: Any) -> Any:
        """The result of scikit-learn's method in the kind of X; counted where there is a reason to leave it the call."""
        if is_chunked(X):
            (X,) = computed(X)
        kind = Kind.of(X)
        if reason is not None:
            leave(f"learn.{type(self).__name__}.{name}", reason, kind)
        method = getattr(self._theirs, name)
        method = getattr(method, "__wrapped__", method)  # its result is wrapped once, by our method
        return kind.give(method(self, kind.take(X, "X"), **options))


_LABELS = {"feature_names_in_", "classes_"}  # of the user's own, on the host


def leave(name: str, reason: str, kind: Kind) -> None:
    """Count a call that is left to scikit-learn; refused where the data are on a GPU."""
    refuse_on_gpu(name, reason, kind.device, "scikit-learn")
    count(name, reason, "scikit-learn")


def in_kind(method: Callable[..., Any], there: Callable[..., Any] | None = None, by_rows: bool = True) -> Any:
    """A method of scikit-learn's class, whose inner part is computed here: its result is in the kind of X.

    Parameters
    ----------
    method : callable
    there : callable, optional
        The function that computes it for rows on a device, if that is another one.
    by_rows : bool, optional
        The result has a row for each row of X, so that Dask's rows are taken chunk by chunk.
    """

    @wraps(method)
    def of_kind(self: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        if by_rows and is_chunked(X):
            return by_chunks(self, X, method, there)
        kind = Kind.of(X)
        taken = [kind.take(x, what) for x, what in zip(args, ("y", "sample_weight"))]
        computed = method if kind.on_host or there is None else there
        return kind.give(computed(self, kind.take(X, "X"), *taken, **{k: kind.take(x, k) for k, x in kwargs.items()}))

    return of_kind


def by_chunks(model: Any, X: Any, method: Callable[..., Any], there: Callable[..., Any] | None = None) -> Any:
    """The result of a method that `in_kind` makes for each chunk of Dask's rows, as Dask's array. Its type is that of the
    result for a row of zeros."""
    (X,) = aligned(X)
    known = _of_chunk(np.zeros((1, X.shape[1]), X.dtype), model, method, there)
    return mapped(
        _of_chunk, X, model, method, there, columns=known.shape[1] if known.ndim > 1 else None, dtype=known.dtype
    )


def _of_chunk(X: Any, model: Any, method: Callable[..., Any], there: Callable[..., Any] | None) -> Any:
    return in_kind(method, there)(model, X)


def of_model(method: Callable[..., Any], attribute: str) -> Any:
    """A method of scikit-learn's class that reads fitted attributes: its result is in the kind of one of them."""

    @wraps(method)
    def of_kind(self: Any, *args: Any, **kwargs: Any) -> Any:
        kind = Kind.of(getattr(self, attribute, None))
        taken = [to_host(x) for x in args]
        return kind.give(method(self.to_sklearn(), *taken, **{k: to_host(x) for k, x in kwargs.items()}))

    return of_kind
