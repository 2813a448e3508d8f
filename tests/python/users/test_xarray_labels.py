"""xarray's objects with labels of text and of times over bascule arrays, in the accelerated mode: as over NumPy's, as printed."""

import bascule as bc
import numpy as np
import pandas
import pytest

xr = pytest.importorskip("xarray", reason="xarray, of the extra `test`, is not installed")
pytestmark = [
    pytest.mark.usefixtures("accelerated"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::bascule.FallbackWarning"),
]
VALUES = np.random.default_rng(1).normal(size=(4, 5)).round(3)


def made(m):
    coordinates = {
        "s": ["a", "b", "c", "d"],
        "t": pandas.date_range("2020", periods=5),
        "h": ("s", m.asarray(np.array([1, 2, 2, 1]))),
        "lab": ("t", np.array(["u", "v", "u", "v", "w"])),
    }
    return xr.DataArray(m.asarray(VALUES), dims=("s", "t"), coords=coordinates, name="q")


def numbers(m):
    return xr.DataArray(m.asarray(np.arange(12).reshape(3, 4)), dims=("r", "c"), coords={"r": [1, 2, 3]})


def dataset(m):
    more = {"y": ("s", m.asarray(np.arange(4.0))), "n": ("s", np.array(["p", "q", "p", "r"]))}
    return xr.Dataset({"x": made(m), **more}, coords={"z": ("t", m.asarray(np.arange(5) * 0.5))})


CALLS = {
    "label of the greatest": lambda m: made(m).idxmax("s"),
    "time of the least": lambda m: made(m).idxmin("t"),
    "label of the greatest of all": lambda m: made(m).max("t").idxmax("s").item(),
    "at the greatest": lambda m: made(m).isel(s=made(m).argmax("s")),
    "at the greatest of all": lambda m: made(m).isel(made(m).argmax(["s", "t"])),
    "by an array without axes": lambda m: made(m).isel(s=m.asarray(np.array(2))),
    "by a text": lambda m: made(m).sel(s="b"),
    "by a range of texts": lambda m: made(m).loc["b":"c", "2020-01-02"],
    "by a mask": lambda m: made(m).sel(s=made(m).s[made(m).h == 2]),
    "by a condition": lambda m: dataset(m).where(dataset(m).y > 1, drop=True),
    "by labels of another array": lambda m: made(m).where(made(m).s != "b"),
    "groups by number": lambda m: made(m).groupby("h").mean(),
    "groups by text": lambda m: made(m).groupby("lab").sum(),
    "resampled": lambda m: made(m).resample(t="2D").max(),
    "between numbers": lambda m: numbers(m).interp(r=m.asarray(np.array([1.5, 2.5]))),
    "at one number": lambda m: numbers(m).interp(r=m.asarray(np.array(1.5))),
    "between times": lambda m: made(m).interp(t=m.asarray(np.array(["2020-01-02T12"], "M8[us]"))),
    "at points": lambda m: numbers(m).interp(r=xr.DataArray(m.asarray(np.array([1.5])), dims="p"), c=xr.DataArray(m.asarray(np.array([0.5])), dims="p")),
    "put together": lambda m: xr.concat([made(m), made(m)], pandas.Index(["m", "n"], name="new")),
    "sorted": lambda m: made(m).sortby("s", ascending=False),
    "stacked": lambda m: made(m).stack(k=("s", "t")),
    "relabelled": lambda m: made(m).assign_coords(s=("s", np.array(["k", "l", "m", "n"]))),
    "a dataset": dataset,
    "one label of a dataset": lambda m: dataset(m).sel(s="c"),
    "a frame": lambda m: dataset(m).to_dataframe(),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    assert str(CALLS[name](bc)) == str(CALLS[name](np))
