"""Penalized losses of linear predictors, minimized by Newton's method over passes that give the Hessian too, or by L-BFGS."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import linalg, optimize
from scipy.linalg import lapack
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.optimize import _check_optimize_result

from .._blas import one_thread
from .._kinds import is_on_device, to_host
from .._rows import State
from ._losses import Loss

LARGEST_HESSIAN = 512  # classes times features
_ACCURATE = 1e-9  # share of the objective by which the last pass may be above the minimum; its step follows
_NOUGHT = 1e-9  # mean loss of separable rows at which the parameters need not grow further
# A pass with the Hessian costs so many passes without: at least, and for each parameter.
_COST, _COST_OF_ONE = 2.5, 1 / 8
# Below this share the next pass keeps the factor of the Hessian, for few parameters and for more.
_KEEP, _MANY = (1e-3, 1e-2), 64
_NEAR = 0.1  # share below which the Hessian of a sample serves
_DECREASE = 1e-4  # share of the decrease by a linear model that a step must give
_WORST = 1e13  # condition of a scaled Hessian beyond which it has directions without curvature
_FEW = 20_000  # rows, beyond which a sample gives the start
_SAMPLE = 40  # its rows for each parameter, at least
_MEMORY = 40  # steps that L-BFGS remembers


class Point:
    """The objective at some parameters theta, shape (k, m), with its gradient `slopes` and, or not, its Hessian."""

    __slots__ = ("theta", "value", "slopes", "hessian")

    def __init__(self, theta: np.ndarray, value: float, slopes: np.ndarray, hessian: np.ndarray | None):
        self.theta, self.value, self.slopes, self.hessian = theta, value, slopes, hessian


class Objective:
    """A sum of weighted losses over rows, and half of `penalty` times the squared parameters.

    Parameters
    ----------
    loss : Loss
    parts : sequence of list of array
        The rows: X, targets and weights of each part.
    penalty : array, shape (m,)
        Of each parameter of a class; the last one is of the intercept, if there is one.
    intercept : bool
    classes : int, optional
    shift : array, shape (d,), optional
        Subtracted from X in every pass, for accuracy; by default about the means of columns, where the intercept has no
        penalty.
    """

    def __init__(self, loss: Loss, parts: Sequence[list[Any]], penalty: np.ndarray, intercept: bool, classes: int = 1, shift: Any = None):  # fmt: skip
        self.loss, self.parts, self.penalty, self.intercept, self.classes = loss, parts, penalty, intercept, classes
        d = parts[0][0].shape[1]
        if shift is None:
            shift = about_means(parts) if intercept and penalty[-1] == 0 else np.zeros(d)
        self.shift = shift
        self.rows = sum(p[0].shape[0] for p in parts)
        self.weight = float(sum(np.sum(p[2], dtype=np.float64) for p in parts))

    def at(self, theta: np.ndarray, hessian: bool) -> Point:
        d = len(self.shift)
        coef = np.ascontiguousarray(theta[:, :d].T)
        level = theta[:, d] if self.intercept else np.zeros(len(theta))
        fixed = [coef, np.ascontiguousarray(level), self.shift, *self.loss.fixed(len(theta))]
        aggregation = self.loss.hessian if hessian else self.loss.gradient
        state: State = {}
        with np.errstate(all="ignore"):  # a step that is too long is shortened
            for part in self.parts:
                found = aggregation(part, fixed)
                state = aggregation.merge(state, found) if state else found
        gradient = np.concatenate([state["slopes"], state["level"][:, None]], axis=1)[:, : theta.shape[1]]
        value = float(state["loss"][0]) + 0.5 * float((self.penalty * theta * theta).sum())
        return Point(theta, value, gradient + self.penalty * theta, self._penalized(state) if hessian else None)

    def _penalized(self, state: State) -> np.ndarray:
        m, k = len(self.penalty), self.classes
        found = self.loss.assembled(state)[:, :m, :, :m]
        if k > 1:  # the sum over classes of a parameter without penalty changes nothing: its derivative is nought
            for j in np.flatnonzero(self.penalty == 0):
                found[:, j, :, j] += np.trace(found[:, j, :, j]) / k + (found[:, j, :, j] == 0).all()
        found = np.ascontiguousarray(found).reshape(k * m, k * m)
        found.flat[:: k * m + 1] += np.tile(self.penalty, k)
        return found

    def sampled(self, count: int) -> Objective:
        """The same of every so many rows, with their weights raised."""
        step = self.rows // count
        parts = [[x[::step] if is_on_device(x) else np.ascontiguousarray(x[::step]) for x in p] for p in self.parts]
        made = Objective(self.loss, parts, self.penalty, self.intercept, self.classes, self.shift)
        raised = self.weight / made.weight if made.weight > 0 else 1.0
        for p in parts:
            p[2] = p[2] * raised
        made.weight = self.weight
        return made

    def moved(self, theta: np.ndarray, sign: int = 1) -> np.ndarray:
        """Parameters for shifted rows from those for rows as they are, or back."""
        if not self.intercept:
            return theta
        d = len(self.shift)
        return np.column_stack([theta[:, :d], theta[:, d] + sign * (theta[:, :d] @ self.shift)])

    def minimize(self, start: np.ndarray, tol: float, max_iter: int, level: float | None = None) -> Minimum:
        """The minimum from a start.

        Parameters
        ----------
        start : array, shape (k, m)
        tol : float
            Of the largest component of the gradient, divided by the sum of weights.
        max_iter : int
        level : float, optional
            The objective at the start, where that is not a guess: a sample of the rows may give a better start.

        Returns
        -------
        Minimum
        """
        theta = self.moved(np.asarray(start, np.float64))
        with one_thread:
            if theta.size > LARGEST_HESSIAN:
                found = quasi_newton(self, theta, tol, max_iter)
            else:
                found = self._from_a_sample(theta, tol, max_iter, level) or _newton(self, self.at(theta, hessian=True), tol, max_iter)  # fmt: skip
        found.theta = self.moved(found.theta, -1)
        return found

    def _from_a_sample(self, theta: np.ndarray, tol: float, max_iter: int, level: float | None) -> Minimum | None:
        """From the minimum of a sample, and with its Hessian; None where rows are few or the sample is another sort."""
        count = max(_SAMPLE * theta.size, self.rows // 20)
        if level is None or self.rows <= max(_FEW, 8 * count) or max_iter == 0:
            return None
        sample = self.sampled(count)
        known = _newton(sample, sample.at(theta, hessian=True), tol, 10, accurate=1e-4)
        guess = self.at(known.theta, hessian=False)
        return _newton(self, guess, tol, max_iter, inverse=known.inverse) if guess.value < level else None


class Minimum:
    """Parameters, the number of iterations, whether the gradient is small, and the last inverse of the Hessian."""

    __slots__ = ("theta", "iterations", "converged", "inverse")

    def __init__(self, theta: np.ndarray, iterations: int, converged: bool, inverse: Inverse | None = None):
        self.theta, self.iterations, self.converged, self.inverse = theta, iterations, converged, inverse


def warn_of_limit(solver: str, iterations: int, max_iter: int, advice: str | None = None) -> None:
    """Warn that the iterations did not suffice, as scikit-learn does for its solver of this name."""
    if solver == "lbfgs":
        result = optimize.OptimizeResult(
            nit=iterations, status=1, message="STOP: TOTAL NO. OF ITERATIONS REACHED LIMIT"
        )
        _check_optimize_result("lbfgs", result, max_iter, advice)
    else:
        text = f"Newton solver did not converge after {iterations} iterations."
        warnings.warn(text, ConvergenceWarning, stacklevel=2)


def about_means(parts: Sequence[list[Any]]) -> np.ndarray:
    """The means of columns in a sample."""
    X = parts[0][0]
    return np.asarray(to_host(X[:: max(1, len(X) // 1024)].astype(np.float64).mean(axis=0)))


class Inverse:
    """Steps from gradients by a factor of the Hessian; where it is singular, by its eigenvalues that are not nought."""

    def __init__(self, hessian: np.ndarray):
        units = np.sqrt(np.abs(hessian.diagonal()))
        self.units = 1 / np.where(units > 0, units, 1)
        scaled = hessian * self.units * self.units[:, None]
        self.factor, failed = lapack.dpotrf(scaled, lower=False, clean=False)
        self.vectors = None
        if not failed:
            reciprocal, _ = lapack.dpocon(self.factor, np.abs(scaled).sum(axis=0).max(), uplo="U")
            failed = not reciprocal * _WORST > 1
        if failed:
            values, vectors = linalg.eigh(scaled, check_finite=False)
            keep = values > values[-1] / _WORST
            self.vectors, self.values = vectors[:, keep], values[keep]

    def __call__(self, gradient: np.ndarray) -> np.ndarray:
        scaled = gradient.ravel() * self.units
        if self.vectors is None:
            found = lapack.dpotrs(self.factor, scaled, lower=False)[0].ravel()
        else:
            found = self.vectors @ ((self.vectors.T @ scaled) / self.values)
        return (found * self.units).reshape(gradient.shape)


def _newton(of: Objective, here: Point, tol: float, max_iter: int, accurate: float = _ACCURATE, inverse: Inverse | None = None) -> Minimum:  # fmt: skip
    """Newton's method. Near the minimum passes are without the Hessian as long as the last one, or a given inverse,
    serves."""
    before, iteration = np.inf, 0
    keep = _KEEP[here.theta.size > _MANY]
    cost = 1 + max(_COST, here.theta.size * _COST_OF_ONE)
    while True:
        if here.hessian is not None:
            if not np.isfinite(here.hessian).all():
                return Minimum(here.theta, iteration, False, inverse)
            inverse = Inverse(here.hessian)
        assert inverse is not None
        step = inverse(here.slopes)
        gain = float((here.slopes * step).sum())
        if here.hessian is None and _passes_left(before, gain, accurate * abs(here.value)) > cost:
            here, before = of.at(here.theta, hessian=True), np.inf
            continue
        flat = np.abs(here.slopes).max() <= tol * of.weight
        if flat and (gain <= accurate * abs(here.value) or abs(here.value) <= _NOUGHT * of.weight):
            return Minimum(here.theta - step if iteration else here.theta, iteration, True, inverse)
        if iteration == max_iter:
            return Minimum(here.theta, iteration, bool(flat), inverse)
        serves = gain <= keep * abs(here.value) or (here.hessian is None and gain <= _NEAR * abs(here.value))
        there = _searched(of, here, step, gain, hessian=not serves)
        if there is None:  # rounding decides
            return Minimum(here.theta, iteration, bool(flat or gain <= 1e-9 * abs(here.value)), inverse)
        here, before = there, gain
        iteration += 1


def _passes_left(before: float, gain: float, wanted: float) -> float:
    """Passes until the estimate is as wanted, if it goes on to fall as in the last one."""
    if gain <= wanted or before == np.inf:
        return 0.0
    return np.log(gain / max(wanted, 1e-300)) / np.log(before / gain) if gain < before else np.inf


def _searched(of: Objective, here: Point, step: np.ndarray, gain: float, hessian: bool) -> Point | None:
    """A point along the step that is lower by enough, or as low with a smaller gradient."""
    length = 1.0
    for _ in range(40):
        there = of.at(here.theta - length * step, hessian)
        change = there.value - here.value
        if change <= -_DECREASE * length * gain:
            return there
        small = abs(change) <= 1e-14 * abs(here.value)
        if small and np.abs(there.slopes).sum() < np.abs(here.slopes).sum():
            return there
        shorter = length * gain * length / (2 * (change + length * gain)) if np.isfinite(change) else 0.0
        length = float(np.clip(shorter, 0.1 * length, 0.5 * length))
    return None


def quasi_newton(of: Objective, theta: np.ndarray, tol: float, max_iter: int) -> Minimum:
    """SciPy's L-BFGS with a longer memory, to a tenth of the tolerance."""
    shape = theta.shape

    def both(x: np.ndarray) -> tuple[float, np.ndarray]:
        at = of.at(x.reshape(shape), hessian=False)
        return at.value / of.weight, at.slopes.ravel() / of.weight

    options = {"maxiter": max_iter, "maxls": 50, "maxcor": _MEMORY, "gtol": tol / 10, "ftol": 64 * np.finfo(float).eps}
    found = optimize.minimize(both, theta.ravel(), method="L-BFGS-B", jac=True, options=options)
    flat = np.abs(found.jac).max() <= tol
    return Minimum(found.x.reshape(shape), min(found.nit, max_iter), bool(flat or found.status == 0))
