"""The rows as users of SciPy and of numexpr write them: NumPy's arrays with other functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.fft
import scipy.linalg
import scipy.ndimage
import scipy.spatial.distance
import scipy.special

SCIPY = {
    "fft_rows": lambda x: scipy.fft.fft(x, workers=-1),
    "fft2": lambda x: scipy.fft.fft2(x, workers=-1),
    "svd": lambda x: scipy.linalg.svd(x, full_matrices=False, check_finite=False),
    "stencil": lambda x: scipy.ndimage.uniform_filter(x, 3)[1:-1, 1:-1],
    "pairdist": lambda points: scipy.spatial.distance.cdist(points, points),
    "softmax_rows": lambda x: scipy.special.softmax(x, axis=1),
}


def numexpr_forms() -> dict[str, Any]:
    from numexpr import evaluate

    def expression(text: str, *names: str) -> Any:
        return lambda *arrays: evaluate(text, dict(zip(names, arrays)))

    def on_unit_circle(x: np.ndarray) -> Any:
        return evaluate("sin(x)**2 + cos(x)**2 == 1", {"x": x}).all()

    def std(x: np.ndarray) -> Any:
        mean = evaluate("sum(x)", {"x": x}) / x.size
        return np.sqrt(evaluate("sum((x - m)**2)", {"x": x, "m": mean}) / x.size)

    def mean_of_nine(x: np.ndarray) -> Any:
        rows, columns = x.shape
        views = {f"v{i}{j}": x[i : rows - 2 + i, j : columns - 2 + j] for i in range(3) for j in range(3)}
        return evaluate(f"({' + '.join(views)}) / 9", views)

    def normalise_cols(x: np.ndarray) -> Any:
        return evaluate("(x - m) / s", {"x": x, "m": x.mean(0), "s": x.std(0)})

    def distances(points: np.ndarray) -> Any:
        names = {}
        for axis, values in zip("xyz", points.T):
            names |= {axis: values[:, None], f"{axis}_": values[None, :]}
        return evaluate("sqrt((x - x_)**2 + (y - y_)**2 + (z - z_)**2)", names)

    def escape_times(re: Any, im: Any, c_re: Any, c_im: Any) -> Any:
        times = np.zeros(re.shape, np.int64)
        for _ in range(50):
            names = {"re": re, "im": im, "c_re": c_re, "c_im": c_im}
            names["inside"] = evaluate("re*re + im*im <= 4", names)
            times += names["inside"]
            im = evaluate("where(inside, 2*re*im + c_im, im)", names)
            re = evaluate("where(inside, re*re - im*im + c_re, re)", names)
        return times

    forms = {
        "elementwise": expression("sin(x)**2 + cos(x)**2", "x"),
        "sum": expression("sum(x)", "x"),
        "std": std,
        "stencil": mean_of_nine,
        "add_slice_sum": lambda x: evaluate("sum(x + 1)", {"x": x[::2, ::2]}),
        "slice_add": lambda x: evaluate("a + b", {"a": x[:-1:3, :-1:3], "b": x[1::3, 1::3]}),
        "add": expression("a + b", "a", "b"),
        "sqdiff_sum": expression("sum((a - b)**2)", "a", "b"),
        "pow": expression("a**b", "a", "b"),
        "where": expression("where(a > b, a, b*2)", "a", "b"),
        "clip": expression("where(x < 0.2, 0.2, where(x > 0.8, 0.8, x))", "x"),
        "mask_sum": expression("sum(where(x > 0, x, 0))", "x"),
        "complex_mul": expression("a * b", "a", "b"),
        "int32_chain": expression("(a*b + a) & 255", "a", "b"),
        "normalise_cols": normalise_cols,
        "pairdist": distances,
        "mandelbrot": lambda x, y: escape_times(x * 0, y * 0, x, y),
        "julia": lambda x, y: escape_times(x, y, -0.8, 0.156),
    }
    forms |= {name: on_unit_circle for name in ("trig_all_f64", "trig_all_f32", "trig_all_f64_5000")}
    forms |= {name: expression("a*b + c*d - e/2", *"abcde") for name in ("chain5", "chain5_f32")}
    for name in ("exp", "log", "tanh"):
        forms[name] = forms[f"{name}_f32"] = expression(f"{name}(x)", "x")
    for n in (10, 1000):
        forms[f"ovh_add_{n}"] = expression("x + 1", "x")
        forms[f"ovh_sum_{n}"] = expression("sum(x)", "x")
        forms[f"ovh_chain5_{n}"] = expression("a*b + c*a - b/2", *"abc")
    return forms
