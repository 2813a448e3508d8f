"""Labels in several levels, rows one by one and chosen: against pandas."""

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from frames import both, ours

MASKED = pandas.array([1, None, 3, 4], "Int64")
FRAMES = {
    "floats": pandas.DataFrame({"a": [1.5, np.nan, 3.0, -0.0], "b": [1.0, 2.0, np.inf, 4.0]}, index=list("wxyz")),
    "numbers": pandas.DataFrame({"a": [1, 2, 3, 4], "b": [1.0, 2.0, np.nan, 4.0]}),
    "integers": pandas.DataFrame({"a": [1, 2, 3, 4], 5: [1, 2, 3, 4]}, index=[3, 3, 1, 2]),
    "texts": pandas.DataFrame({"a": ["x", None, "z", ""], "b": list("abcd")}),
    "masked": pandas.DataFrame({"a": MASKED, "b": MASKED}),
    "dates": pandas.DataFrame({"a": pandas.to_datetime(["2020-01-01", None, "2020-01-03", "2020-01-04"])}),
    "mixed": pandas.DataFrame({"a": [1, 2, 3, 4], "s": ["x", None, "z", ""], "b": [True, False, True, True]}),
    "dates beside": pandas.DataFrame({"a": [1, 2, 3, 4], "d": pandas.date_range("2020-01-01", periods=4)}),
    "no rows": pandas.DataFrame({"a": [1.0], "b": [2.0]}).iloc[:0],
    "repeated labels": pandas.DataFrame([[1, 2], [3, 4]], index=["x", "x"], columns=["a", "a"]),
    "named": pandas.DataFrame([[1, 2], [3, 4]], pandas.Index(["x", "y"], name="r"), pandas.Index(["a", "b"], name="c")),
}
MULTI = pandas.DataFrame(
    {"v": [1, 2, 3, 4, 5, 6], "w": np.arange(6.0)},
    pandas.MultiIndex.from_arrays([list("aabbcc"), [1, 2, 1, 2, 1, 1], list("xyxyxx")], names=["p", "q", None]),
)
each = pytest.mark.parametrize("kind", FRAMES)


@each
def test_transpose(kind):
    native = kind in (
        "floats",
        "numbers",
        "integers",
        "texts",
        "masked",
        "dates",
        "no rows",
        "named",
        "repeated labels",
    )
    both(lambda x: x.T, FRAMES[kind], fallback="error" if native else "silent")
    both(lambda x: x.transpose(), FRAMES[kind], fallback="error" if native else "silent")


def test_transpose_of_series_and_wrong_arguments():
    s = pandas.Series([1, 2], name="x")
    both(lambda x: x.T, s)
    both(lambda x: x.transpose(), s)
    both(lambda x: x.T.T, FRAMES["named"])
    both(lambda x: x.T, MULTI)
    both(lambda x: x.T.T, MULTI.astype(float))


@each
def test_rows_one_by_one(kind):
    frame = FRAMES[kind]
    silent = "silent" if kind == "dates beside" else "error"
    both(lambda x: [k for k, _ in x.iterrows()], frame, fallback=silent)
    both(lambda x: [r for _, r in x.iterrows()], frame, fallback=silent)
    for options in ({}, {"index": False}, {"name": None}, {"name": "Row"}):
        with bc.config.set(fallback="error"):
            found, expected = list(ours(frame).itertuples(**options)), list(frame.itertuples(**options))
        assert repr(found) == repr(expected)
        assert [type(r).__name__ for r in found] == [type(r).__name__ for r in expected]


@each
@pytest.mark.parametrize("orient", ["dict", "list", "split", "tight", "records", "index", "none", "RECORDS"])
@pytest.mark.filterwarnings("ignore:DataFrame columns are not unique")
def test_to_dict(kind, orient):
    for frame in (FRAMES[kind], MULTI):
        try:
            expected = frame.to_dict(orient)
        except ValueError as e:
            with pytest.raises(ValueError, match=str(e)):
                ours(frame).to_dict(orient)
            continue
        with bc.config.set(fallback="error"):
            found = ours(frame).to_dict(orient)
        assert repr(found) == repr(expected)


def test_to_dict_of_series_and_options():
    for s in (pandas.Series([1, 2], ["a", "b"]), pandas.Series(["x", None]), pandas.Series(MASKED), MULTI.v):
        assert repr(ours(s).to_dict()) == repr(s.to_dict())
    both(lambda x: repr(x.to_dict("split", index=False)), FRAMES["numbers"])
    both(lambda x: x.to_dict("records", index=False), FRAMES["numbers"])
    found = ours(FRAMES["numbers"]).to_dict("series")
    assert list(found) == ["a", "b"] and isinstance(found["a"], pd.Series)


@each
def test_to_records(kind):
    for frame in (FRAMES[kind], MULTI):
        for options in ({}, {"index": False}):
            try:
                expected = frame.to_records(**options)
            except ValueError:
                with pytest.raises(ValueError):
                    ours(frame).to_records(**options)
                continue
            with bc.config.set(fallback="error"):
                found = ours(frame).to_records(**options)
            assert found.dtype == expected.dtype and type(found) is type(expected)
            assert repr(found.tolist()) == repr(expected.tolist())


@pytest.mark.parametrize("options", [
    {"n": 3}, {"frac": 0.5}, {}, {"n": 0}, {"n": 9, "replace": True}, {"n": 9}, {"n": -1}, {"n": 1.5}, {"n": 1, "frac": 0.5},
    {"frac": 2.0}, {"frac": -1.0}, {"n": 2, "ignore_index": True}, {"n": 1, "axis": 1}, {"n": 2, "weights": "w"}, {"n": 1, "weights": "no"},
    {"n": 2, "weights": [1, 0, 2, 3, 0, 1]}, {"n": 2, "weights": [1, 2]}, {"n": 2, "weights": [0] * 6}, {"n": 2, "weights": [-1] * 6},
    {"n": 2, "weights": [np.inf] * 6}, {"n": 3, "weights": [np.nan, 1, 1, 1, 1, 1]}, {"frac": 1.0}, {"n": 4, "weights": [100, 1, 1, 1, 1, 1]},
])  # fmt: skip
def test_sample(options):
    for state in (0, 7, np.array([1, 2])):
        both(lambda x: x.sample(**options, random_state=state), MULTI)
        if options.get("axis") != 1:
            both(lambda x: x.sample(**options, random_state=state), MULTI.w)
    both(
        lambda x: x.sample(**options, random_state=np.random.default_rng(3)),
        MULTI.head(0) if options == {"n": 0} else MULTI,
    )


def test_sample_of_numpys_own_state():
    def drawn(x):
        np.random.seed(5)
        return x.sample(3)

    both(drawn, MULTI)
    both(lambda x: x.sample(3, weights=x.w, random_state=np.random.RandomState(2)), MULTI.reset_index(drop=True))


@each
def test_first_and_last_valid(kind):
    for name in ("first_valid_index", "last_valid_index"):
        both(lambda x: getattr(x, name)(), FRAMES[kind])
        both(lambda x: getattr(x, name)(), FRAMES[kind].iloc[:, 0])
        both(lambda x: getattr(x, name)(), FRAMES[kind].iloc[:, :0])
    both(lambda x: x.first_valid_index(), pandas.Series([np.nan, np.nan]))
    both(lambda x: x.last_valid_index(), pandas.Series([np.nan, 1.0, np.nan], list("abc")))


@pytest.mark.parametrize("level", [0, 1, -1, "p", "q", ["p", "q"], [0, 2], 3, "no", ["p", "q", 2]])
def test_droplevel(level):
    both(lambda x: x.droplevel(level), MULTI)
    both(lambda x: x.droplevel(level), MULTI.v)
    both(lambda x: x.droplevel(level, axis=1), MULTI.T)
    both(lambda x: x.droplevel(0), FRAMES["numbers"])


@pytest.mark.parametrize("args", [(), (0, 1), ("p", -1), (0, "no"), (0, 7)])
def test_swaplevel(args):
    both(lambda x: x.swaplevel(*args), MULTI)
    both(lambda x: x.swaplevel(*args), MULTI.v)
    both(lambda x: x.swaplevel(*args, axis=1), MULTI.T)
    both(lambda x: x.swaplevel(*args), FRAMES["numbers"])


@pytest.mark.parametrize("order", [[2, 0, 1], ["q", "p", 2], [0, 1], ["no", 1, 2]])
def test_reorder_levels(order):
    both(lambda x: x.reorder_levels(order), MULTI)
    both(lambda x: x.reorder_levels(order), MULTI.v)
    both(lambda x: x.reorder_levels(order, axis=1), MULTI.T)
    both(lambda x: x.reorder_levels(order), FRAMES["numbers"])


@pytest.mark.parametrize("call", [
    {"key": "a"}, {"key": ("a", 2)}, {"key": 1, "level": "q"}, {"key": ("b", "x"), "level": ["p", 2]}, {"key": 1, "level": 1, "drop_level": False},
    {"key": "zz"}, {"key": 9, "level": "q"}, {"key": "a", "level": "no"}, {"key": ["a"]}, {"key": "v", "axis": 1}, {"key": "no", "axis": 1},
    {"key": "a", "drop_level": False},
])  # fmt: skip
def test_xs(call):
    both(lambda x: x.xs(**call), MULTI)
    both(lambda x: x.v.xs(**{k: v for k, v in call.items() if k != "axis"}), MULTI)


def test_xs_of_one_level():
    both(lambda x: x.xs("x"), FRAMES["floats"])
    both(lambda x: x.xs(3), FRAMES["integers"])
    both(lambda x: x.xs("nope"), FRAMES["floats"])
    both(lambda x: x.xs("x", level=0), FRAMES["floats"])
    both(lambda x: x.xs(("a", 1, "x")), MULTI, fallback="silent")


@pytest.mark.parametrize("options", [
    {"items": ["b", "a"]}, {"items": ["b", "no"]}, {"items": ["no"]}, {"like": "a"}, {"like": "no"}, {"regex": "^[ab]$"}, {"regex": "5"}, {},
    {"items": ["a"], "like": "a"}, {"like": "x", "axis": 0}, {"regex": "[wz]", "axis": 0}, {"like": "x", "axis": 3},
])  # fmt: skip
def test_filter(options):
    for kind in ("floats", "named"):
        both(lambda x: x.filter(**options), FRAMES[kind])
        both(lambda x: x["a"].filter(**options), FRAMES[kind], fallback="silent")
    both(lambda x: x.filter(like="5"), FRAMES["integers"])
    both(lambda x: x.filter(["b", "a"]), FRAMES["floats"])
    both(lambda x: x.filter(["b"], like="b"), FRAMES["floats"])
    both(lambda x: x.filter(lambda d: d["a"] > 1), FRAMES["floats"])
    both(lambda x: x.filter(cond=x["a"] > 1), FRAMES["floats"])
    both(lambda x: x["a"].filter(lambda s: s > 1), FRAMES["floats"])
    both(lambda x: x.filter(cond=[True, False, True, False]), FRAMES["floats"], fallback="silent")
    both(lambda x: x.filter(items=["w", "no"], axis=0), FRAMES["floats"], fallback="silent")


@pytest.mark.parametrize("bounds", [(1, 2), (None, 2), (2, None), (None, None), (3, 1), (9, 10), (1.5, 2.5)])
def test_truncate(bounds):
    fallback = "silent" if bounds == (1.5, 2.5) else "error"
    both(lambda x: x.truncate(*bounds), FRAMES["numbers"], fallback=fallback)
    both(lambda x: x["a"].truncate(*bounds), FRAMES["numbers"], fallback=fallback)
    both(lambda x: x.truncate(*bounds), FRAMES["integers"])
    both(lambda x: x.truncate("a", "b", axis=1), FRAMES["numbers"], fallback="silent")


def test_labels_of_series():
    for index in (["a", "b"], [1, 2], None):
        s = pandas.Series([1.0, 2.0], pandas.Index(index, name="i") if index else None, name="v")
        both(lambda x: x.add_prefix("p_"), s)
        both(lambda x: x.add_suffix("_s", axis=0), s)
        both(lambda x: x.add_prefix("p_", axis=1), s)
    both(lambda x: x.add_prefix("p_"), pandas.Series([1], [1.5]), fallback="silent")
    both(lambda x: x.set_axis(["x", "y"]), pandas.Series([1, 2]))
    both(lambda x: x.set_axis(["x"]), pandas.Series([1, 2]))
    s = pandas.Series([1, 2, 3], list("aab"))
    for key in ("a", "b", "no", 0):
        both(lambda x: x.get(key), s)
        both(lambda x: x.get(key, 7), s)

    def popped(x):
        x = x.copy()
        return x.pop("b"), x

    both(popped, s)
    both(lambda x: x.pop("no"), s)


def test_isetitem():
    def put(x, loc, value):
        x = x.copy()
        x.isetitem(loc, value)
        return x

    both(lambda x: put(x, 0, [9, 8, 7, 6]), FRAMES["numbers"])
    both(lambda x: put(x, 1, 3), FRAMES["numbers"])
    both(lambda x: put(x, [0, 1], x), FRAMES["numbers"])
    both(lambda x: put(x, [0], x), FRAMES["numbers"])


MATRIX_PUTS = {
    "item": lambda d, v: d.__setitem__("x", v), "new": lambda d, v: d.__setitem__("new", v), "insert": lambda d, v: d.insert(0, "new", v),
    "isetitem": lambda d, v: d.isetitem(0, v), "isetitem of one": lambda d, v: d.isetitem([0], v),
    "isetitem of two": lambda d, v: d.isetitem([1, 0], v), "items": lambda d, v: d.__setitem__(["x", "y"], v),
    "loc": lambda d, v: d.loc.__setitem__((slice(None), "x"), v), "assign": lambda d, v: d.assign(x=v),
}  # fmt: skip


@pytest.mark.parametrize("how", MATRIX_PUTS)
@pytest.mark.parametrize("width", [1, 2, 3])
@pytest.mark.parametrize("made", [np.array, bc.array])
def test_a_matrix_as_columns(how, width, made):
    values = np.arange(2.0 * width).reshape(2, width)
    frames = pd.DataFrame({"x": [1, 2], "y": [3.0, 4.0]}), pandas.DataFrame({"x": [1, 2], "y": [3.0, 4.0]})
    found = []
    for frame, given in zip(frames, (made(values), np.asarray(values))):
        try:
            with bc.config.set(fallback="silent"):
                result = MATRIX_PUTS[how](frame, given)
            result = frame if result is None else result
            for k in range(result.shape[1]):  # pandas may set too few columns, and fails when they are read
                result.iloc[:, k]
            found.append(result)
        except (ValueError, IndexError) as error:
            found.append(type(error))
    ours, theirs = found
    if isinstance(theirs, type):
        assert ours is theirs
    else:
        pandas.testing.assert_frame_equal(ours.to_pandas(), theirs)


@pytest.mark.parametrize("repeats", [0, 2, [1, 0, 2, 3], [1, 2], -1])
def test_repeat(repeats):
    for kind in ("floats", "texts", "masked", "dates"):
        both(lambda x: x.iloc[:, 0].repeat(repeats), FRAMES[kind])


def test_repeat_with_an_axis():
    both(lambda x: x.repeat(2, axis=0), pandas.Series([1]))


@pytest.mark.parametrize("values", [
    [1, 2, 3], [3, 2, 2], [1.0, np.nan], [np.nan, np.nan], [], list("abc"), ["a", None, "b"], [True, False], MASKED, pandas.to_datetime(["2020", "2021"]),
    pandas.Categorical(list("aab")),
])  # fmt: skip
@pytest.mark.parametrize("name", ["is_unique", "is_monotonic_increasing", "is_monotonic_decreasing"])
def test_order_and_uniqueness(values, name):
    s = pandas.Series(values)
    both(lambda x: getattr(x, name), s, fallback="silent" if s.dtype in ("category", object) else "error")


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_times_of_day(unit):
    index = pandas.date_range("2020-01-01", periods=50, freq="97min", unit=unit)
    s = pandas.Series(range(50), index)
    for x in (s, s.to_frame("v")):
        both(lambda x: x.between_time("8:00", "17:30"), x)
        both(lambda x: x.between_time("22:00", "3:00", inclusive="left"), x)
        both(lambda x: x.between_time("8:00", "17:30", inclusive="none"), x)
        both(lambda x: x.at_time("0:00"), x)
        both(lambda x: x.at_time(index[3].time()), x)
        both(lambda x: x.at_time("0:00"), x.reset_index(drop=True))
    both(lambda x: x.asfreq("1h"), s.iloc[:5])
    both(lambda x: x.asfreq("97min"), s.iloc[:5:2])
