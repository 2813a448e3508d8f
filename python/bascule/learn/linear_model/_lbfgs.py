"""scikit-learn's minimization by L-BFGS: its start, its steps and its end, with less around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy
from scipy import optimize
from sklearn._loss import HalfBinomialLoss, HalfMultinomialLoss

from ._sparse import UsedColumns

Both = Callable[[np.ndarray], tuple[float, np.ndarray]]  # an objective and its gradient

_MEMORY, _SEARCHES = 10, 50  # pairs that are kept, and points that are tried along a step
_FLAT = 64 * np.finfo(float).eps  # share of the objective by which the last step may lower it
_MOST_CALLS = 15_000
_ASKS, _STEPPED, _STOPPED, _CONVERGED = 3, 1, 5, 4  # what SciPy's routine says
_LIMIT, _LIMIT_OF_CALLS = 504, 502
_IN_C = (1, 15) <= tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 18)  # its arguments are known


def minimized(both: Both, start: np.ndarray, tol: float, max_iter: int) -> optimize.OptimizeResult:
    """The result of `scipy.optimize.minimize` with scikit-learn's options, to the bit.

    SciPy's routine asks for a point after the other. `minimize` spends more time between two points than a pass over a few
    hundred rows takes.
    """
    if not _IN_C:
        options = {"maxiter": max_iter, "maxls": _SEARCHES, "gtol": tol, "ftol": _FLAT}
        return optimize.minimize(both, start, method="L-BFGS-B", jac=True, options=options)
    from scipy.optimize import _lbfgsb, _lbfgsb_py

    x, m = np.array(start, np.float64), _MEMORY
    n = len(x)
    bounds, unbound = np.zeros(n), np.zeros(n, np.int32)
    value: Any = np.array(0.0)
    gradient = np.zeros(n)
    work, numbers = np.zeros(2 * m * n + 5 * n + 11 * m * m + 8 * m), np.zeros(3 * n, np.int32)
    task, line_task, logic = np.zeros(2, np.int32), np.zeros(2, np.int32), np.zeros(4, np.int32)
    kept, kept_numbers = np.zeros(29), np.zeros(44, np.int32)
    iterations = calls = 0
    factor = _FLAT / np.finfo(float).eps
    while True:
        _lbfgsb.setulb(m, x, bounds, bounds, unbound, value, gradient, factor, tol, work, numbers, task, logic,
                       kept_numbers, kept, _SEARCHES, line_task)  # fmt: skip
        if task[0] == _ASKS:
            value, gradient = both(x)
            calls += 1
        elif task[0] == _STEPPED:
            iterations += 1
            if iterations >= max_iter:
                task[:] = _STOPPED, _LIMIT
            elif calls > _MOST_CALLS:
                task[:] = _STOPPED, _LIMIT_OF_CALLS
        else:
            break
    status = 0 if task[0] == _CONVERGED else 1 if calls > _MOST_CALLS or iterations >= max_iter else 2
    words = f"{_lbfgsb_py.status_messages[task[0]]}: {_lbfgsb_py.task_messages[task[1]]}"
    return optimize.OptimizeResult(x=x, fun=value, jac=gradient, nit=iterations, nfev=calls, status=status, message=words)  # fmt: skip


class Rows:
    """scikit-learn's mean loss over rows with its penalty, and the gradient; of dense rows by the same sums.

    Parameters
    ----------
    X : array or UsedColumns, shape (n, d)
    t : array, shape (n,)
        Numbers of classes, of the type of X.
    w : array, shape (n,), or None
    penalty : float
        Of the squared coefficients, halved.
    intercept : bool
    classes : int
        At least two; parameters are of each of them where there are more.
    """

    def __init__(
        self,
        X: np.ndarray | UsedColumns,
        t: np.ndarray,
        w: np.ndarray | None,
        penalty: float,
        intercept: bool,
        classes: int,
    ):
        n, self.d = X.shape
        self.X, self.t, self.w, self.penalty, self.intercept, self.classes = X, t, w, penalty, intercept, classes
        self.total = n if w is None else w.sum()
        self.loss = HalfBinomialLoss() if classes == 2 else HalfMultinomialLoss(n_classes=classes)
        self.losses, self.slopes = np.empty(n, X.dtype), np.empty(n if classes == 2 else (n, classes), X.dtype)

    def __call__(self, x: np.ndarray) -> tuple[float, np.ndarray]:
        X, slopes = self.X, self.slopes
        x = x.astype(X.dtype, copy=False)
        theta = x if self.classes == 2 else x.reshape((self.classes, -1), order="F")
        coef = theta[..., : self.d]
        Z = X @ coef.T
        if self.intercept:
            Z += theta[..., self.d]
        self.loss.loss_gradient(self.t, Z, self.w, self.losses, slopes)
        flat = np.ravel(coef, order="K")
        value = float(self.losses.sum() / self.total) + float(0.5 * self.penalty * (flat @ flat))
        np.divide(slopes, self.total, out=slopes)
        gradient = np.empty(theta.shape, X.dtype, order="F")
        if isinstance(X, UsedColumns):
            products = X.transposed(slopes).T
        else:
            products = X.T @ slopes if self.classes == 2 else slopes.T @ X
        np.add(products, self.penalty * coef, out=gradient[..., : self.d])
        if self.intercept:
            gradient[..., self.d] = slopes.sum(axis=0)
        return value, gradient.ravel(order="F").astype(np.float64, copy=False)
