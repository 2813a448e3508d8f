"""A search for hyper-parameters: scikit-learn's grid on Dask's workers, through joblib, with data from bascule.

Two classes are concentric rings; the search must find a kernel and a width that separate them.
"""

from __future__ import annotations

from typing import Any

import bascule as bc
import numpy as np
from story import Story


def rings(n: int) -> tuple[Any, Any]:
    """Points of two rings, and the ring of each point."""
    rng = bc.random.default_rng(3)
    which = bc.arange(n) % 2
    angle, radius = rng.uniform(0, 2 * np.pi, n), 1 + which + rng.normal(0, 0.1, n)
    return bc.stack([radius * bc.cos(angle), radius * bc.sin(angle)], axis=1), which


def search(x: np.ndarray, y: np.ndarray) -> Any:
    """The fitted grid."""
    import bascule.dask
    import joblib
    from sklearn.model_selection import GridSearchCV
    from sklearn.svm import SVC

    grid = {"C": [0.1, 1.0, 10.0], "gamma": [0.001, 0.1, 1.0, 100.0], "kernel": ["rbf"]}
    with bascule.dask.Client(n_workers=2, threads_per_worker=1), joblib.parallel_backend("dask"):
        return GridSearchCV(SVC(), grid, cv=3).fit(x, y)


def main(arguments: list[str] | None = None) -> None:
    """Run the example."""
    story = Story("hyper_parameters", __doc__, arguments=arguments)
    x, y = rings(story.n(20_000, 200))
    x, y = x.get(), y.get()
    found, _ = story.run(lambda: search(x, y))
    story.check(found.best_score_ > 0.97, f"the best score is {found.best_score_:.3f}")
    story.check(found.best_params_["gamma"] in (0.1, 1.0), f"the best width is {found.best_params_}")
    scores = found.cv_results_["mean_test_score"].reshape(3, 4)

    def draw(axes: Any) -> None:
        image = axes.imshow(scores, origin="lower")
        axes.set(title="cross-validated score", xlabel="gamma", ylabel="C")
        axes.set_xticks(range(4), ["0.001", "0.1", "1", "100"]), axes.set_yticks(range(3), ["0.1", "1", "10"])
        axes.figure.colorbar(image)

    story.plot(draw)
    story.end(
        points=len(x),
        score=round(float(found.best_score_), 4),
        best={k: v for k, v in found.best_params_.items() if k != "kernel"},
    )


if __name__ == "__main__":
    main()
