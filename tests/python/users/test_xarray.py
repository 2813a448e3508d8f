"""xarray with bascule arrays: NumPy's results, in bascule arrays, and no fallback."""

import bascule as bc
import numpy as np
import pytest
from users import check

xr = pytest.importorskip("xarray", reason="xarray, of the extra `test`, is not installed")
datasets = pytest.importorskip("sklearn.datasets", reason="scikit-learn, of the extra `test`, is not installed")

DIGITS = datasets.load_digits().images[:20]
LABELS = datasets.load_digits().target[:20]
DIGITS[3, 2, 1] = np.nan
DAYS = np.datetime64("2020-01-25", "ns") + np.arange(20) * np.timedelta64(1, "D")


@pytest.fixture(autouse=True)
def no_fallback():
    with bc.config.set(fallback="error"):
        yield


def images(m):
    coordinates = {"n": np.arange(20), "x": np.linspace(0, 1, 8), "label": ("n", LABELS), "day": ("n", DAYS)}
    return xr.DataArray(m.asarray(DIGITS.copy()), dims=("n", "y", "x"), coords=coordinates, name="ink")


def series(m):
    return xr.DataArray(m.asarray(DIGITS[:, 2, 3]), dims="day", coords={"day": DAYS})


def data(x):
    """The arrays in xarray's objects."""
    if isinstance(x, xr.Dataset):
        return [v.data for v in x.data_vars.values()]
    return [data(v) for v in x] if isinstance(x, (tuple, list)) else getattr(x, "data", x)


def points(**positions):
    return {k: xr.DataArray(v, dims="point") for k, v in positions.items()}


CALLS = {
    "sum": lambda d: d.sum("n"),
    "mean": lambda d: d.mean(("x", "y")),
    "std": lambda d: d.std("n"),
    "var": lambda d: d.var(),
    "median": lambda d: d.median("n"),
    "max": lambda d: (d.max("x"), d.min()),
    "prod": lambda d: d.prod("x"),
    "count": lambda d: d.count("n"),
    "argmax": lambda d: d.fillna(0).argmax("x"),
    "idxmax": lambda d: d.fillna(0).idxmax("x"),
    "quantile": lambda d: d.quantile([0.1, 0.5], "n"),
    "cumsum": lambda d: (d.cumsum("n"), d.cumprod("x")),
    "diff": lambda d: d.diff("n"),
    "shift": lambda d: (d.shift(n=2), d.roll(n=2)),
    "where": lambda d: (d.where(d > 5), xr.where(d > 5, d, 0)),
    "missing": lambda d: (d.isnull(), d.notnull(), d.fillna(0), d.dropna("n")),
    "isel": lambda d: (d.isel(n=slice(2, 9, 2), x=3), d.isel(n=[1, 3, 2])),
    "sel": lambda d: (d.sel(n=5), d.sel(x=0.3, method="nearest"), d.sel(x=slice(0.2, 0.8))),
    "points": lambda d: d.isel(points(n=[0, 1, 5], x=[2, 3, 7])),
    "mask": lambda d: d[np.arange(20) % 2 == 0],
    "transpose": lambda d: (d.transpose("x", ...), d.T),
    "stack": lambda d: (d.stack(z=("x", "y")), d.stack(z=("n", "y")).unstack("z")),
    "concat": lambda d: xr.concat([d, d], "n"),
    "merge": lambda d: xr.merge([d, (d * 2).rename("double")]),
    "arithmetic": lambda d: (d * 2 + d.mean("n")) / 3,
    "functions": lambda d: np.sin(d) + np.exp(-d),
    "comparison": lambda d: ((d == d.max()), (d >= 0).all("x"), (d > 15).any(), d.isin([1, 2])),
    "groupby": lambda d: (d.groupby("label").mean(), d.groupby("label").sum(), d.groupby("label").std()),
    "groupby anomalies": lambda d: d.groupby("label") - d.groupby("label").mean(),
    "groupby map": lambda d: d.groupby("label").map(lambda g: g - g.mean()),
    "groupby bins": lambda d: d.groupby_bins("x", [0, 0.3, 1]).mean(),
    "rolling": lambda d: (d.rolling(n=3).mean(), d.rolling(n=3, center=True).sum()),
    "rolling windows": lambda d: d.rolling(n=3).construct("w").max("w"),
    "coarsen": lambda d: d.coarsen(x=2, y=2).mean(),
    "cumulative": lambda d: d.cumulative("n").sum(),
    "weighted": lambda d: d.weighted(xr.DataArray(np.arange(20.0), dims="n")).mean("n"),
    "dot": lambda d: (xr.dot(d.fillna(0), d.fillna(0), dim="x"), d.fillna(0)[0] @ d.fillna(0)[1]),
    "apply_ufunc": lambda d: xr.apply_ufunc(lambda a: a.mean(axis=-1), d, input_core_dims=[["x"]]),
    "correlation": lambda d: (xr.corr(d[1], d[2]), xr.cov(d[1], d[2])),
    "calculus": lambda d: (d.differentiate("x"), d.fillna(0).integrate("x")),
    "polyfit": lambda d: d.fillna(0).polyfit("n", 1).polyfit_coefficients,
    "rounding": lambda d: (d.clip(2, 5), (d / 3).round(1), d.fillna(0).astype("i4")),
    "pad": lambda d: (d.pad(x=1, constant_values=0), d.pad(x=1, mode="edge")),
    "order": lambda d: (d.sortby("label"), d.fillna(0)[0, 0].argsort()),
    "shape": lambda d: (d.expand_dims(k=3), d.isel(n=[0]).squeeze(), xr.broadcast(d, d[0])[1]),
    "align": lambda d: (xr.align(d[:10], d[5:], join="outer")[0], d.reindex(n=[1, 30, 2])),
    "dataset": lambda d: d.to_dataset(dim="x").mean(),
    "copy": lambda d: (d.copy(deep=True), d.real),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    check(data(CALLS[name](images(bc))), data(CALLS[name](images(np))), rtol=1e-13)


def test_interpolation_which_scipy_computes_with_numpy():
    call = lambda d: data((d.fillna(0).interp(x=[0.1, 0.33]), d.interpolate_na("n")))
    check(call(images(bc)), call(images(np)), rtol=1e-13, stays=False)


def test_assignment():
    def run(m):
        d = images(m)
        d[dict(n=0)] = 7
        d.loc[dict(n=5)] = 3
        d[points(n=[1, 2], x=[3, 4])] = -1
        d *= 2
        return data(d)

    check(run(bc), run(np), rtol=0)


def test_time():
    check(data(series(bc).resample(day="5D").mean()), data(series(np).resample(day="5D").mean()), rtol=1e-13)
    check(data(series(bc).groupby("day.month").sum()), data(series(np).groupby("day.month").sum()), rtol=1e-13)
    dates = lambda m: xr.DataArray(m.asarray(DAYS), dims="n")
    call = lambda d: data((d + np.timedelta64(1, "h"), d.max() - d.min(), d.diff("n")))
    check(call(dates(bc)), call(dates(np)), rtol=0)
    fields = lambda d: data((d.dt.month, d.dt.dayofyear))
    check(fields(dates(bc)), fields(dates(np)), rtol=0, stays=False)


CHUNKED = (
    "mean",
    "std",
    "diff",
    "where",
    "points",
    "idxmax",
    "groupby anomalies",
    "rolling",
    "coarsen",
    "cumsum",
    "concat",
)


@pytest.mark.parametrize("name", CHUNKED)
def test_chunks_of_dask(name):
    dask = pytest.importorskip("dask.array", reason="Dask, of the extra `dask`, is not installed")

    def run(m, backend):
        with dask.core.config.set({"array.backend": backend}):
            chunks = dask.from_array(m.asarray(DIGITS), chunks=(8, 8, 4), asarray=False)
            found = CALLS[name](images(np).copy(data=chunks))
            return data([f.compute() for f in found] if isinstance(found, tuple) else found.compute())

    check(run(bc, "bascule"), run(np, "numpy"), rtol=1e-13)


def test_it_prints_and_converts():
    ours, theirs = images(bc), images(np)
    assert repr(ours) == repr(theirs) and "xarray" in ours._repr_html_()
    assert type(ours.values) is type(ours.to_numpy()) is np.ndarray and type(ours.as_numpy().data) is np.ndarray
    assert ours.identical(images(bc)) and not ours.identical(ours + 1)
    assert ours[0].to_pandas().equals(theirs[0].to_pandas())


@pytest.mark.parametrize("data_of", [np, bc])
@pytest.mark.parametrize("indexers_of", [np, bc])
def test_indexers_of_either_kind(data_of, indexers_of):
    def at(m, *values):
        return xr.DataArray(m.asarray(np.array(values)), dims="p")

    def written(a, m):
        a = a.copy()
        a[{"t": at(m, 0, 1), "x": at(m, 1, 2)}] = 0
        return a

    calls = [
        lambda a, m: a.isel(t=at(m, 0, 2), x=at(m, 1, 3)),
        lambda a, m: a.sel(t=at(m, 10, 30), x=at(m, 1.0, 4.0)),
        lambda a, m: a.sel(t=at(m, 11, 29), method="nearest"),
        lambda a, m: a.isel(t=m.asarray(np.array([0, 2]))),
        lambda a, m: a.isel(t=m.asarray(np.array([True, False, True]))),
        lambda a, m: a.isel(t=xr.DataArray(m.asarray(np.array([[0, 1], [2, 0]])), dims=("p", "q"))),
        lambda a, m: a[m.asarray(np.array([0, 1])), m.asarray(np.array([0, 1]))],
        written,
    ]
    for call in calls:
        made = []
        for m, of in ((np, np), (data_of, indexers_of)):
            values = m.asarray(np.arange(12.0).reshape(3, 4))
            array = xr.DataArray(values, dims=("t", "x"), coords={"t": [10, 20, 30], "x": [1.0, 2.0, 3.0, 4.0]})
            made.append(call(array, of))
        assert type(made[1].data) is data_of.ndarray
        xr.testing.assert_identical(made[1].as_numpy(), made[0])
