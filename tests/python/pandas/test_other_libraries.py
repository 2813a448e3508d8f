"""Our frames as arguments of other libraries: pandas itself, Polars, scikit-learn, seaborn, Plotly, Altair, narwhals.

They are not pandas' frames there (`isinstance`), and are known by protocols and registries; in the accelerated mode they are.
"""

from __future__ import annotations

import collections.abc
import copy
import functools
import itertools
import pickle
import warnings

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pandas.testing
import pytest
from bascule.interop import mode

FRAME = pandas.DataFrame(
    {
        "a": [1, 2, 3, 4], "s": ["x", None, "y", "x"], "c": pandas.Categorical(["u", "v", "u", "u"], ordered=True), "v": [0.5, 1.5, np.nan, 3.0],
        "t": pandas.to_datetime(["2020", "2021", "2022", None]), "z": pandas.to_datetime(["2020", "2021", "2022", "2023"]).tz_localize("UTC"),
        "n": pandas.array([1, None, 3, 4], "Int64"), "d": pandas.to_timedelta([1, 2, 3, 4], "s"), "_m": [1.5, 2, 3, 4],
    },
    index=pandas.Index([5, 6, 8, 9], name="i"),
)  # fmt: skip
FRAME.columns.name = "C"
NUMBERS = pandas.DataFrame(
    {"x": [1.0, 2.0, 3.0, 4.0], "y": [2.0, 1.0, 4.0, 3.0], "g": ["a", "b", "a", "b"]},
    index=pandas.Index(list("pqrs"), name="row"),
)


@pytest.fixture(autouse=True)
def silent():
    with bc.config.set(fallback="silent"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


# Calls that no protocol and no registry makes work, since the library checks for pandas' class: right in the accelerated mode.
ONLY_AS_PANDAS = {
    "polars.from_pandas": "it refuses other classes; polars.DataFrame and polars.Series take ours, labels as a column and names none",
    "seaborn heatmap": "it takes what is not pandas' as an array, without labels",
    "seaborn pairplot": "it refuses other classes",
    "plotly line of columns": "it looks for labels of rows in pandas' frames alone",
    "plotly line of labels": "it looks for labels of rows in pandas' frames alone",
    "statsmodels OLS": "it takes what is not pandas' as an array, without labels",
    "plotly imshow": "it looks for labels in pandas' frames alone",
}


@pytest.fixture(params=["plain", "accelerated"])
def reported(request):
    """Whether a library takes our frames for pandas'."""
    if request.param == "plain":
        yield lambda name: name not in ONLY_AS_PANDAS
        return
    bc.accelerate(imports=False)
    yield lambda name: True
    bc.accelerate.undo()


def same(found, expected):
    there = found.to_pandas() if hasattr(found, "to_pandas") else found
    if isinstance(expected, pandas.DataFrame):
        assert type(there) is pandas.DataFrame
        pandas.testing.assert_frame_equal(there, expected)
        assert type(there.index) in (type(expected.index), pandas.Index) and type(there.columns) is type(
            expected.columns
        )
        there.iloc[:1].sort_index().copy()  # what it is made of is pandas' own
    elif isinstance(expected, pandas.Series):
        assert type(there) is pandas.Series
        pandas.testing.assert_series_equal(there, expected)
    elif isinstance(expected, pandas.Index):
        pandas.testing.assert_index_equal(there, expected, exact="equiv")
    elif isinstance(expected, np.ndarray):
        np.testing.assert_array_equal(np.asarray(there), expected)
    else:
        assert there == expected


P = FRAME
FUNCTIONS = {
    "DataFrame": lambda d: pandas.DataFrame(d), "copy": lambda d: pandas.DataFrame(d, copy=True), "columns=": lambda d: pandas.DataFrame(d, columns=["s", "a"]), "index=": lambda d: pandas.DataFrame(d, index=[6, 5]),
    "dtype=": lambda d: pandas.DataFrame(d[["a", "v"]], dtype=float), "of series": lambda d: pandas.DataFrame(d["s"]), "of a dict": lambda d: pandas.DataFrame({"x": d["a"], "y": d["s"]}),
    "of a list": lambda d: pandas.DataFrame([d["a"], d["v"]]), "Series": lambda d: pandas.Series(d["a"]), "Series name=": lambda d: pandas.Series(d["t"], name="q"), "Series of zones": lambda d: pandas.Series(d["z"]),
    "Series of categories": lambda d: pandas.Series(d["c"]), "Series index=": lambda d: pandas.Series(d["a"], index=[6, 5]), "labels": lambda d: pandas.Series([1, 2, 3, 4], index=d.index),
    "Index of text": lambda d: pandas.Index(d["s"]), "Index of dates": lambda d: pandas.Index(d["t"]), "Index": lambda d: pandas.Index(d.index), "Index of zones": lambda d: pandas.Index(d.set_index("z").index),
    "Index of categories": lambda d: pandas.Index(d.set_index("c").index), "Index of NA": lambda d: pandas.Index(d.set_index("n").index), "range": lambda d: pandas.Index(d.reset_index(drop=True).index),
    "concat": lambda d: pandas.concat([d, d]), "concat one": lambda d: pandas.concat([d]), "concat beside": lambda d: pandas.concat([P, d]), "concat columns": lambda d: pandas.concat([d["a"], d["s"]], axis=1),
    "concat series": lambda d: pandas.concat([d["s"], d["s"]]), "concat dict": lambda d: pandas.concat({"x": d, "y": P}), "concat axis=1": lambda d: pandas.concat([d, P], axis=1), "keys": lambda d: pandas.concat([P, P], keys=d.index[:2]),
    "merge": lambda d: pandas.merge(d, P, on="a"), "their merge": lambda d: P.merge(d, on="a"), "their join": lambda d: P.join(d, rsuffix="r"), "assign": lambda d: P.assign(q=d["a"]), "reindex": lambda d: P.reindex(d.index[::-1]),
    "loc": lambda d: P.loc[d.index[:1]], "mask": lambda d: P[d["a"] > 1], "mask and column": lambda d: P.loc[d.a > 1, "s"], "isin": lambda d: P["a"].isin(d["a"]), "crosstab": lambda d: pandas.crosstab(d["a"], d["s"]),
    "get_dummies": lambda d: pandas.get_dummies(d[["a", "s"]]), "melt": lambda d: pandas.melt(d[["a", "s"]]), "cut": lambda d: pandas.cut(d["a"], 2), "qcut": lambda d: pandas.qcut(d["a"], 2),
    "to_datetime": lambda d: pandas.to_datetime(d["a"]), "to_numeric": lambda d: pandas.to_numeric(d["a"]), "isna": lambda d: pandas.isna(d), "isna of series": lambda d: pandas.isna(d["s"]), "unique": lambda d: pandas.unique(d["a"]),
    "factorize": lambda d: pandas.factorize(d["s"])[1], "Categorical": lambda d: pandas.Series(pandas.Categorical(d["c"])), "array": lambda d: pandas.Series(pandas.array(d["n"])), "set_index": lambda d: P.set_index(d["a"]),
    "groupby": lambda d: P[["a", "_m"]].groupby(d["s"]).sum(), "equals": lambda d: P.equals(d), "map": lambda d: P["a"].map(d["a"]), "fillna": lambda d: P[["v"]].fillna(d[["v"]]), "where": lambda d: P[["a"]].where(d[["a"]] > 1),
    "np.where": lambda d: np.where(d["a"] > 1, d["a"], 0), "union": lambda d: P.index.union(d.index), "align": lambda d: P.align(d)[1], "+": lambda d: P[["a"]] + d[["a"]], "s+s": lambda d: P["a"] + d["a"], "==": lambda d: P["a"] == d["a"],
    "setitem": lambda d: (lambda q: (q.__setitem__("q", d["s"]), q)[1])(P.copy()), "update": lambda d: (lambda q: (q.update(d[["a"]] + 1), q)[1])(P.copy()), "from_dict": lambda d: pandas.DataFrame.from_dict({"x": d["a"]}),
    "attribute of _": lambda d: d._m, "is_string": lambda d: pandas.api.types.is_string_dtype(d["s"]), "is_numeric": lambda d: pandas.api.types.is_numeric_dtype(d["a"]), "merge_asof": lambda d: pandas.merge_asof(d[["a"]], P[["a", "v"]], on="a"),
    "merge_ordered": lambda d: pandas.merge_ordered(d[["a", "v"]], P[["a", "s"]], on="a"), "merge_ordered by": lambda d: pandas.merge_ordered(d[["a", "v", "s"]], P[["a", "_m"]], on="a", left_by="s", fill_method="ffill"),
    "merge_ordered by both": lambda d: pandas.merge_ordered(P[["a", "v", "s"]], d[["a", "_m", "s"]], on="a", right_by=["s"]), "merge_ordered by two": lambda d: pandas.merge_ordered(d[["a", "v", "s"]], d[["v", "_m"]], on="v", left_by=["a", "s"]),
    "attrs": lambda d: (d.attrs.update(k=1), pandas.DataFrame(d).attrs)[1],
}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_pandas(name):
    expected = FUNCTIONS[name](FRAME.copy())
    same(FUNCTIONS[name](pd.from_pandas(FRAME.copy())), expected)


def test_who_is_whose():
    mine = pd.from_pandas(FRAME)
    assert not isinstance(mine, pandas.DataFrame) and mine.__class__ is type(mine) is pd.DataFrame
    assert not isinstance(mine.a, pandas.Series) and not isinstance(mine.index, pandas.Index)
    assert isinstance(mine, pd.DataFrame) and isinstance(mine.a, pd.Series) and isinstance(mine.index, pd.Index)
    assert not isinstance(FRAME, pd.DataFrame)
    assert pandas.DataFrame.__module__ == "pandas" and all(
        c is not pd.DataFrame for c in pandas.DataFrame.__subclasses__()
    )
    assert pd.__version__ == pandas.__version__ != bc.__version__
    with pytest.raises(AttributeError):
        mine._update_inplace
    with pytest.raises(AttributeError):
        mine._nonsense


INDEXES = [
    pandas.Index(["a", "b"]), pandas.RangeIndex(2), pandas.date_range("2020", periods=2), pandas.to_timedelta([1, 2]), pandas.period_range("2020", periods=2, freq="D"),
    pandas.CategoricalIndex(["a", "b"]), pandas.IntervalIndex.from_breaks([0, 1, 2]), pandas.MultiIndex.from_tuples([(1, 2), (3, 4)]),
]  # fmt: skip


@pytest.mark.parametrize("theirs", [FRAME, FRAME.a, *INDEXES], ids=lambda x: type(x).__name__)
def test_who_is_whose_in_the_accelerated_mode(theirs):
    mine, kind = pd.from_pandas(theirs), type(theirs)

    def dispatched():
        of_pandas, of_ours = (functools.singledispatch(lambda x: type(x)) for _ in range(2))
        of_pandas.register(kind, lambda x: "pandas'")
        of_ours.register(type(mine), lambda x: "ours")
        return of_pandas(mine), of_ours(mine), of_ours(theirs) if mode.on else "ours"

    assert not isinstance(mine, kind) and dispatched() == (type(mine), "ours", "ours")
    bc.accelerate(imports=False)
    try:
        assert isinstance(mine, kind) and isinstance(mine, type(mine)) and type(mine) is getattr(pd, kind.__name__)
        assert dispatched() == ("pandas'", "ours", "ours") and mine.__class__.__name__ == kind.__name__
        assert isinstance(theirs, type(mine)) and issubclass(kind, type(mine)) and not isinstance(FRAME, pd.Series)
        assert isinstance(mine, pandas.Index) == isinstance(theirs, pandas.Index) and not isinstance(mine, str)
        assert not isinstance(mine, (np.ndarray, dict, list))
        for made in (copy.copy(mine), pickle.loads(pickle.dumps(mine))):
            same(made, theirs)
        if kind not in (pandas.MultiIndex, pandas.RangeIndex):  # which are made of parts
            assert {type(mine): 1}[mine.__class__] == 1
            assert issubclass(type(mine), mine.__class__) and isinstance(mine, mine.__class__)
            assert pickle.loads(pickle.dumps(mine.__class__)) is pickle.loads(pickle.dumps(type(mine))) is type(theirs)
            assert type(mine.__class__(mine)) is type(mine)
            same(mine.__class__(mine), theirs)
            same(kind(mine), theirs)
    finally:
        bc.accelerate.undo()
    collections.abc.Sized.register(type("New", (), {}))  # abstract classes then forget which classes are none of theirs
    assert not isinstance(mine, kind) and dispatched() == (type(mine), "ours", "ours")


def test_a_derived_class_is_what_it_is_derived_from():
    reported = []

    class Table(pd.DataFrame):
        def __init_subclass__(cls):
            reported.append(cls)

    table = Table({"a": [1]})
    bc.accelerate(imports=False)
    try:
        assert isinstance(table, pandas.DataFrame) and isinstance(table, Table) and table.__class__.__name__ == "Table"
        assert issubclass(table.__class__, Table) and not reported
    finally:
        bc.accelerate.undo()
    assert table.__class__ is Table and not isinstance(table, pandas.DataFrame)


@pytest.mark.parametrize(
    "make",
    [
        pandas.Index,
        lambda i: pandas.Series([1, 2, 3, 4], index=i),
        lambda i: pandas.DataFrame({"x": [1, 2, 3, 4]}, index=i),
    ],
)
def test_several_levels_are_refused_rather_than_lost(make):
    levels = pd.from_pandas(FRAME).set_index(["a", "s"]).index
    with pytest.raises(TypeError, match="to_pandas"):
        make(levels)
    assert make(levels.to_pandas()) is not None


NUMBERS_ONLY = pandas.DataFrame({"a": [1.0, 2.0, 3.0], "b": [3.0, 4.0, 5.0]})
ARRAYS = {
    "floats": NUMBERS_ONLY, "integers": NUMBERS_ONLY.astype(int), "mixed": NUMBERS_ONLY.assign(b=[1, 2, 3]), "text": pandas.DataFrame({"a": ["x", "y"]}), "objects": pandas.DataFrame({"a": [1, "y"]}),
    "one": NUMBERS_ONLY[["a"]], "missing": pandas.DataFrame({"n": pandas.array([1, None], "Int64")}), "dates": FRAME[["t"]], "zones": FRAME[["z"]], "nothing": FRAME[["a"]][:0], "no columns": FRAME[[]],
    "categories": FRAME[["c"]], "bools": NUMBERS_ONLY > 2, "long": pandas.DataFrame({"a": np.arange(20000.0), "b": np.arange(20000.0)}),
}  # fmt: skip


@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_rows_are_copies_that_can_be_written(name):
    frame = ARRAYS[name]
    objects = [frame, *(f(frame.iloc[:, 0]) for f in (pandas.Series, pandas.Index) if frame.shape[1])]
    for x, dtype, copied in itertools.product(objects, (None, "f8", object), (True, False)):
        if copied is False and isinstance(x, pandas.Index):
            continue  # labels, which never change, are shown for reading only
        outcomes = []
        for given in (x, pd.from_pandas(x)):
            try:
                made = np.array(given, dtype=dtype, copy=copied)
            except (TypeError, ValueError) as e:
                outcomes.append(type(e))
                continue
            outcomes.append((made.dtype, made.shape, made.flags.writeable, made.tolist()))
            if copied and made.size and made.flags.writeable:
                made[...] = made[::-1].copy()
                same(given, x)
        assert str(outcomes[0]) == str(outcomes[1]), (type(x), dtype, copied)


def test_interchange():
    mine = pd.from_pandas(FRAME[["a", "s", "v"]])
    there = pandas.api.interchange.from_dataframe(mine.__dataframe__())
    assert list(there.columns) == ["a", "s", "v"] and there["a"].tolist() == [1, 2, 3, 4]


def test_polars(reported):
    polars = pytest.importorskip("polars")
    frame = FRAME.drop(columns="d")
    mine = pd.from_pandas(frame)
    numbered = frame.reset_index(drop=True)
    pairs = [
        (polars.DataFrame, numbered, pd.from_pandas(numbered)),
        *((polars.Series, frame[c], mine[c]) for c in frame),
    ]
    if reported("polars.from_pandas"):
        pairs += [
            (polars.DataFrame, frame, mine),
            (polars.from_pandas, frame, mine),
            (polars.from_pandas, frame["s"], mine["s"]),
        ]
        assert polars.from_pandas(pd.from_pandas(NUMBERS), include_index=True).columns == ["row", "x", "y", "g"]
    else:
        with pytest.raises(TypeError):
            polars.from_pandas(mine)
        assert polars.DataFrame(mine).columns == [*frame, "i"]
    for make, x, own in pairs:
        expected, found = make(x), make(own)
        assert found.equals(expected)
        if isinstance(found, polars.DataFrame):
            assert found.schema == expected.schema
        else:
            assert found.dtype == expected.dtype and found.name == (
                expected.name if reported("polars.from_pandas") else ""
            )
    numbers = np.array([1.5, np.nan, 3.0])
    assert polars.Series("x", bc.array(numbers)).equals(polars.Series("x", numbers))
    assert polars.from_numpy(bc.array(numbers)).equals(polars.from_numpy(numbers))


def test_scikit_learn(reported):
    pytest.importorskip("sklearn")
    from sklearn.compose import ColumnTransformer, make_column_selector
    from sklearn.linear_model import LinearRegression
    from sklearn.model_selection import cross_val_score, train_test_split
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    mine = pd.from_pandas(NUMBERS)
    model = LinearRegression().fit(mine[["x"]], mine["y"])
    assert list(model.feature_names_in_) == ["x"]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(mine[["y"]])
    for x in (NUMBERS, mine):
        scaled = StandardScaler().set_output(transform="pandas").fit_transform(x[["x", "y"]])
        assert list(scaled.columns) == ["x", "y"] and list(scaled.index) == list("pqrs") and scaled.index.name == "row"
    parts = [
        ("one", OneHotEncoder(sparse_output=False), ["g"]),
        ("rest", StandardScaler(), make_column_selector(dtype_include=float)),
    ]
    results = [ColumnTransformer(parts).set_output(transform="pandas").fit_transform(x) for x in (NUMBERS, mine)]
    same(results[1], results[0])
    halves = [train_test_split(x, random_state=0) for x in (NUMBERS, mine)]
    for a, b in zip(*halves):
        assert type(b) is pd.DataFrame
        same(b, a)
    pipe = make_pipeline(ColumnTransformer(parts), LinearRegression())
    scores = [cross_val_score(pipe, x, x["y"], cv=2) for x in (NUMBERS, mine)]
    np.testing.assert_array_equal(*scores)


def test_scikit_learn_writes_into_its_own_copy(reported):
    pytest.importorskip("sklearn")
    from sklearn.decomposition import FastICA
    from sklearn.preprocessing import KBinsDiscretizer

    rng = np.random.default_rng(0)
    frame = pandas.DataFrame(rng.normal(size=(60, 2)), columns=["x", "y"])
    for make in (
        lambda: KBinsDiscretizer(n_bins=2, encode="ordinal", quantile_method="averaged_inverted_cdf"),
        lambda: FastICA(random_state=0, whiten="unit-variance"),
    ):
        mine = pd.from_pandas(frame)
        np.testing.assert_array_equal(make().fit_transform(mine), make().fit_transform(frame))
        same(mine, frame)


def test_seaborn(reported):
    matplotlib = pytest.importorskip("matplotlib")
    seaborn = pytest.importorskip("seaborn")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    def drawn(call, data):
        pyplot.close("all")
        figure = pyplot.figure()
        out = call(data, figure.add_subplot())
        axes = pyplot.gcf().axes if out is None else np.ravel(getattr(out, "axes", out)).tolist()
        strings = []
        for a in axes:
            legend = a.get_legend()
            strings.append((a.get_xlabel(), a.get_ylabel(), [t.get_text() for t in a.get_xticklabels()], [t.get_text() for t in a.get_yticklabels()],
                          [] if legend is None else [t.get_text() for t in legend.get_texts()], len(a.collections), len(a.patches), len(a.lines)))  # fmt: skip
        return strings

    calls = {
        "heatmap": lambda d, ax: seaborn.heatmap(d[["x", "y"]].corr(), ax=ax), "histplot of a series": lambda d, ax: seaborn.histplot(d.x, ax=ax), "histplot": lambda d, ax: seaborn.histplot(d, x="x", hue="g", ax=ax),
        "scatterplot": lambda d, ax: seaborn.scatterplot(data=d, x="x", y="y", hue="g", ax=ax), "scatterplot of columns": lambda d, ax: seaborn.scatterplot(data=d[["x", "y"]], ax=ax), "lineplot": lambda d, ax: seaborn.lineplot(data=d, x="x", y="y", ax=ax),
        "boxplot": lambda d, ax: seaborn.boxplot(data=d, x="g", y="y", ax=ax), "barplot": lambda d, ax: seaborn.barplot(data=d, x="g", y="x", ax=ax), "countplot": lambda d, ax: seaborn.countplot(x=d.g, ax=ax),
        "scatterplot of series": lambda d, ax: seaborn.scatterplot(x=d.x, y=d.y, ax=ax), "boxplot of columns": lambda d, ax: seaborn.boxplot(data=d[["x", "y"]], ax=ax), "pairplot": lambda d, ax: seaborn.pairplot(d, hue="g"),
    }  # fmt: skip
    for name, call in calls.items():
        if reported(f"seaborn {name}"):
            assert drawn(call, pd.from_pandas(NUMBERS)) == drawn(call, NUMBERS), name
    pyplot.close("all")


def test_plotly(reported):
    express = pytest.importorskip("plotly.express")
    calls = {
        "scatter": lambda d: express.scatter(d, x="x", y="y", color="g"), "bar": lambda d: express.bar(d, x="g", y="x"), "line of columns": lambda d: express.line(d, y=["x", "y"]),
        "line of labels": lambda d: express.line(d[["x", "y"]]),
        "imshow": lambda d: express.imshow(d[["x", "y"]]), "histogram": lambda d: express.histogram(d.x), "box": lambda d: express.box(d, y="x"),
    }  # fmt: skip
    for name, call in calls.items():
        if reported(f"plotly {name}"):
            assert call(pd.from_pandas(NUMBERS)).to_json() == call(NUMBERS).to_json(), name
        else:  # the values are those of the rows all the same
            drawn = call(pd.from_pandas(NUMBERS)).data
            assert [t.y.tolist() for t in drawn if t.type == "scatter"] == [
                t.y.tolist() for t in call(NUMBERS).data if t.type == "scatter"
            ]
            assert all(not np.isnan(t.x).any() for t in drawn if t.type == "scatter"), name


def test_altair(reported):
    altair = pytest.importorskip("altair")

    def chart(d):
        return altair.Chart(d).mark_point().encode(x="x", y="y", color="g").to_dict()

    assert chart(pd.from_pandas(NUMBERS)) == chart(NUMBERS)


def test_statsmodels(reported):
    models = pytest.importorskip("statsmodels.api")

    def fitted(d):
        return models.OLS(d.y, models.add_constant(d[["x"]])).fit()

    ours, theirs = fitted(pd.from_pandas(NUMBERS)), fitted(NUMBERS)
    np.testing.assert_allclose(np.asarray(ours.params), np.asarray(theirs.params))
    if reported("statsmodels OLS"):
        assert list(ours.params.index) == ["const", "x"] and list(ours.resid.index) == list("pqrs")
    formula = pytest.importorskip("statsmodels.formula.api").ols("y ~ x + C(g)", pd.from_pandas(NUMBERS)).fit()
    assert list(formula.params.index) == ["Intercept", "C(g)[T.b]", "x"]


def test_narwhals(reported):
    narwhals = pytest.importorskip("narwhals")
    made = narwhals.from_native(pd.from_pandas(NUMBERS))
    total = made.group_by("g").agg(narwhals.col("x").sum()).sort("g")
    assert total["x"].to_list() == [4.0, 6.0]
    assert made.columns == ["x", "y", "g"]
    alongside = narwhals.new_series("q", [5, 6, 7, 8], backend=narwhals.get_native_namespace(made))
    for columns in (
        {"x": made["x"], "q": alongside},
        {"q": alongside, "x": made["x"]},
    ):  # by rows, whatever their labels are
        joined = narwhals.from_dict(columns)
        assert joined["x"].to_list() == [1.0, 2.0, 3.0, 4.0] and joined["q"].to_list() == [5, 6, 7, 8]
    selected = made.with_columns((narwhals.col("x") * 2).alias("w")).filter(narwhals.col("w") > 3).to_native()
    assert selected["w"].tolist() == [4.0, 6.0, 8.0] and list(selected.index) == list("qrs")
