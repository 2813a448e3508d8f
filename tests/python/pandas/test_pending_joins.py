"""Inner joins of long frames wait: conditions that follow are evaluated before them, and nothing but time and memory changes."""

from __future__ import annotations

import gc

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule.pandas._pending import objects
from bascule.pandas._pending.plan import Plan
from frames import assert_same, both
from programs_of_joins import Program, tables


@pytest.fixture(autouse=True)
def short_frames_wait(monkeypatch):
    monkeypatch.setattr(objects, "FEWEST_JOINED", 0)


def joined(region, customer, item, offer):
    made = customer.merge(item, on="c").merge(region, on="r", suffixes=("", "_of_region"))
    return made.merge(offer, left_on="n", right_on="n", suffixes=("_l", "_r"))


def waits(x):
    return "_plan" in x.__dict__


def masked(make):
    """A function of four tables as one of a joined frame's."""
    return lambda *given: make(joined(*given))


STEPS = {
    "a comparison on the last frame": lambda j: j[j["rate"] > 0.7],
    "on the first": lambda j: j[j["cname"] == "bob"],
    "on two": lambda j: j[(j["rname"] == "region 2") & (j["price"] > 3) & (j["kind"] != "x")],
    "either of two frames": lambda j: j[((j["rname"] == "region 2") & (j["kind"] == "x")) | ((j["rname"] == "region 1") & (j["kind"] == "yy"))],
    "across frames": lambda j: j[j["limit_x"] < j["limit_y"]],
    "missing values": lambda j: j[j["limit_x"].isna() | j["cname"].notna()],
    "no row": lambda j: j[j["rate"] > 7],
    "no row of some": lambda j: (lambda k: k[k["rate"] > 7])(j[j["rate"] > 0.3]),
    "a run of some rows": lambda j: (lambda k: k[k["i"] == k["i"].max()])(j[j["rate"] > 0.3]),
    "every row": lambda j: j[j["rate"] >= 0],
    "twice": lambda j: (lambda k: k[k["n"] < 40])(j[j["rate"] > 0.3]),
    "not": lambda j: j[~(j["rate"] > 0.5)],
    "a collection": lambda j: j[j["n"].isin([3, 4, 5, 60]) & j["cname"].isin(["ann", "none"])],
    "text": lambda j: j[j["rname"].str.endswith("3") | j["kind"].str.startswith("z") | j["cname"].str.contains("o", regex=False)],
    "a date": lambda j: j[(j["when"] >= "2013-03-01") & (j["when"] < pandas.Timestamp("2013-06-01"))],
    "a field of dates": lambda j: j[j["when"].dt.month == 4],
    "arithmetic": lambda j: j[j["price"] * (1 - j["rate"]) > 2 + j["n"] / 30],
    "a column that is assigned": lambda j: (lambda k: k[k["net"] > 4])(j.assign(net=j["price"] * (1 - j["rate"]))),
    "a choice": lambda j: j.assign(some=j["price"].where(j["kind"] == "x", 0.0))[j["rate"] > 0.9],
    "columns": lambda j: j[["rate", "cname"]][j["rate"] > 0.4],
    "other names": lambda j: j.rename(columns={"rate": "share"})[j["rate"] > 0.4],
    "one column": lambda j: j["price"][j["rate"] > 0.8],
    "a sum": lambda j: j[j["rate"] > 0.8]["price"].max(),
    "groups": lambda j: j[j["rate"] > 0.5].groupby("rname")["n"].sum(),
    "groups of two keys": lambda j: j[j["rate"] > 0.5].groupby(["kind", "rname"]).agg(a=("price", "max"), b=("n", "count")).reset_index(),
    "duplicates": lambda j: j[j["rate"] > 0.5].drop_duplicates("c"),
    "an order": lambda j: j[j["rate"] > 0.5].sort_values(["rname", "i", "late"]).head(7),
    "labels": lambda j: j[j["rate"] > 0.5].index,
    "labels that are dropped": lambda j: j[j["rate"] > 0.5].reset_index(drop=True),
    "labels as a column": lambda j: j[j["rate"] > 0.5].reset_index(),
    "a label": lambda j: j[j["rate"] > 0.5].loc[lambda k: k.index[3]],
    "rows": lambda j: j[j["rate"] > 0.5].iloc[5:90:4],
    "shape": lambda j: j[j["rate"] > 0.5].shape,
    "types": lambda j: list(map(str, j[j["rate"] > 0.5].dtypes)),
    "loc": lambda j: j.loc[(j["rate"] > 0.5) & (j["kind"] == "x")],
    "loc and columns": lambda j: j.loc[j["rate"] > 0.5, ["cname", "price"]],
    "loc and one column": lambda j: j.loc[j["rate"] > 0.5, "cname"],
    "loc and all columns": lambda j: j.loc[j["rate"] > 0.5, :],
    "loc and a slice of columns": lambda j: j.loc[j["rate"] > 0.5, "cname":"price"],
    "loc and a column twice": lambda j: j.loc[j["rate"] > 0.5, ["n", "n"]],
    "loc of functions": lambda j: j.loc[lambda k: k["rate"] > 0.5, lambda k: ["n", "rate"]],
    "loc of a function": lambda j: j.loc[lambda k: k["rate"] > 0.5],
    "loc twice": lambda j: j.loc[j["rate"] > 0.5].loc[lambda k: k["n"] < 20, "price"],
    "loc of a column": lambda j: j["price"].loc[j["rate"] > 0.5],
    "loc of labels": lambda j: j.loc[[5, 3], "price"],
    "a column twice chosen": lambda j: j["price"][j["rate"] > 0.5][j["rate"][j["rate"] > 0.5] < 0.8],
    "a sum of loc": lambda j: j.loc[j["rate"] > 0.8, "price"].max(),
    "queries": lambda j: j.query("rate > 0.2").query("kind == 'x' and not (n > 30 or n in [3, 4])"),
    "a query of a variable": lambda j: (lambda least: j.query("rate > @least"))(0.4),
    "a query of minus": lambda j: j.query("-rate < -0.5 and price * 2 > n"),
    "an evaluation": lambda j: j.eval("net = price * (1 - rate)").query("net > 4"),
    "a pattern": lambda j: j[j["cname"].str.contains("^a|y$")],
    "a pattern with options": lambda j: j[j["cname"].str.contains("B.b", case=False) | j["kind"].str.contains("y", na=True, flags=2)],
    "a match": lambda j: j[~j["rname"].str.match("r.* [12]") & j["kind"].str.fullmatch("x|y+")],
    "starts of several": lambda j: j[j["cname"].str.startswith(("a", "b")) | j["kind"].str.endswith("z", na=False)],
    "between": lambda j: j[j["rate"].between(0.2, 0.7, inclusive="left") & j["when"].between("2013-02-01", "2013-05-01")],
    "members of arrays": lambda j: j[j["n"].isin(np.array([3, 4, 5])) | j["n"].isin(range(20, 30)) | j["rate"].isin([0.5, float("nan")])],
    "more fields of dates": lambda j: j[j["when"].dt.is_month_start | (j["when"].dt.quarter == 2) | (j["when"].dt.hour > 20)],
    "no missing value": lambda j: j[j["limit_x"].notna() & ~j["cname"].isna()],
    "a mask of more rows": lambda j: j[j["rate"] > 0.5]["price"].sub(j["price"]).count(),
}  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
def test_a_step_after_joins_is_pandas_own(step):
    both(masked(STEPS[step]), *tables())


@pytest.mark.parametrize("text", ["index > 50 and rate > 0.5", "kind.str.startswith('z') and rate > 0.5"])
def test_a_query_that_pandas_answers(text):
    both(lambda *given: joined(*given).query(text), *tables(), fallback="silent")


CHOICES = {
    "a mask": lambda j: j[(j["rate"] > 0.5) & (j["rname"] == "region 1")],
    "loc": lambda j: j.loc[(j["rate"] > 0.5) & (j["rname"] == "region 1")],
    "loc of a function": lambda j: j.loc[lambda k: (k["rate"] > 0.5) & (k["rname"] == "region 1")],
    "loc and columns": lambda j: j.loc[(j["rate"] > 0.5) & (j["rname"] == "region 1"), ["c", "price"]],
    "loc and a column": lambda j: j.loc[(j["rate"] > 0.5) & (j["rname"] == "region 1"), "price"],
    "a column": lambda j: j["price"][(j["rate"] > 0.5) & (j["rname"] == "region 1")],
    "loc of a column": lambda j: j["price"].loc[(j["rate"] > 0.5) & (j["rname"] == "region 1")],
    "a query": lambda j: j.query("rate > 0.5 and rname == 'region 1'"),
    "two queries": lambda j: j.query("rate > 0.5").query("rname == 'region 1'"),
}  # fmt: skip


@pytest.mark.parametrize("choice", CHOICES)
def test_each_way_to_choose_rows_waits_and_shows_its_conditions(choice):
    made = CHOICES[choice](joined(*map(pd.from_pandas, tables())))
    text = str(bc.explain(made))
    assert "a condition on frame 4, before the joins" in text and "a condition on frame 3, before the joins" in text
    assert text.count("condition") == 2 and waits(made)
    assert_same(made, CHOICES[choice](joined(*tables())))


@pytest.mark.parametrize(
    "condition",
    [
        lambda j: j["cname"].str.contains("^a|y$"),
        lambda j: j["cname"].str.contains("A", case=False, na=False),
        lambda j: j["cname"].str.match("a") & j["cname"].str.fullmatch("a.*"),
        lambda j: j["cname"].str.startswith(("a", "b")),
        lambda j: j["when"].between("2013-02-01", "2013-05-01") & j["rate"].between(0.2, 0.4),
        lambda j: j["n"].isin(np.array([3, 4])) & j["n"].isin(range(3)) & j["n"].isin(type(j["n"])([3])),
        lambda j: j["when"].dt.is_month_end & (j["when"].dt.days_in_month == 30),
        lambda j: j["limit_x"].notna() & (j["when"] > "2013-03") & j["n"].gt(3),
    ],
)
def test_conditions_of_text_times_and_members_wait(condition):
    made = joined(*map(pd.from_pandas, tables()))
    chosen = made[condition(made)]
    text = str(bc.explain(chosen))
    assert waits(chosen) and "before the joins" in text and "after" not in text
    theirs = joined(*tables())
    assert_same(chosen, theirs[condition(theirs)])


def test_warnings_of_patterns_come_once_and_at_the_call():
    made = joined(*map(pd.from_pandas, tables()))
    with pytest.warns(UserWarning, match="match groups") as seen:
        chosen = made[made["kind"].str.contains("(x)")]
    assert len(seen) == 1 and len(chosen)


def test_an_array_of_members_is_that_of_the_call():
    def collected(_, customer, item, __):
        frame, wanted = customer.merge(item, on="c"), np.array([3, 4])
        mask = frame["n"].isin(wanted)
        wanted[0] = 5
        return frame[mask]

    both(collected, *tables())


def test_types_are_known_without_rows():
    ours, theirs = joined(*map(pd.from_pandas, tables())), joined(*tables())
    assert list(map(str, ours.dtypes)) == list(map(str, theirs.dtypes)) and str(ours["n"].dtype) == "int64"
    assert waits(ours)


def test_columns_that_are_chosen_by_one_condition_are_looked_for_once():
    frame = joined(*map(pd.from_pandas, tables()))
    mask = frame["rate"] > 0.5
    a, b = frame.loc[mask, "price"], frame[mask]
    assert a.__dict__["_plan"] is b.__dict__["_plan"] and len(a) and not waits(b["price"]) and waits(frame)


def test_a_function_given_to_loc_is_called_once():
    frame, called = joined(*map(pd.from_pandas, tables())), []
    assert len(frame.loc[lambda k: called.append(k) or [1, 2]]) == 2 and len(called) == 1
    assert len(frame.loc[lambda k: called.append(k) or k["rate"] > 0.5]) and len(called) == 2


def test_attributes_of_frames_are_those_of_their_choices():
    def noted(*given):
        frame = joined(*given)
        frame.attrs["source"] = "a shop"
        return [
            x.attrs
            for x in (frame.loc[frame["rate"] > 0.5], frame.query("rate > 0.5"), frame.loc[frame["rate"] > 0.5, "n"])
        ]

    assert noted(*map(pd.from_pandas, tables())) == noted(*tables())


def test_nothing_is_joined_before_it_is_read():
    region, customer, item, offer = map(pd.from_pandas, tables())
    frame = joined(region, customer, item, offer)
    mask = (frame["rate"] > 0.5) & (frame["rname"] == "region 1")
    chosen = frame[mask]
    frame["net"] = frame["price"] * 2
    assert all(
        map(waits, (frame, mask, chosen, chosen.copy(), chosen[["c", "rate"]], chosen.rename(columns={"c": "d"})))
    )
    text = str(bc.explain(chosen))
    assert "3 joins of frames of 700, 6,000, 9 and 90 rows" in text.replace(", 9, ", ", 9 and ")
    assert text.count("before the joins") == 2 and waits(chosen)
    assert len(chosen) and not waits(chosen) and waits(frame)
    assert list(frame.columns)[-1] == "net" and "net" not in chosen


def test_a_condition_on_two_frames_leaves_rows_of_both_out_before():
    region, customer, item, offer = map(pd.from_pandas, tables())
    frame = joined(region, customer, item, offer)
    either = ((frame["rname"] == "region 2") & (frame["kind"] == "x")) | (
        (frame["rname"] == "region 1") & (frame["kind"] == "yy")
    )
    assert "after they are joined" in str(bc.explain(frame[either]))


def test_a_plan_is_run_once_for_all_that_are_made_of_it():
    region, customer, item, offer = map(pd.from_pandas, tables())
    frame = joined(region, customer, item, offer)
    price, rate = frame["price"], frame["rate"]
    assert price._index is rate._index is frame._index
    assert not any(map(waits, (price, rate, frame)))


def test_a_second_choice_of_rows_joins_them_all():
    region, customer, item, offer = map(pd.from_pandas, tables())
    frame = joined(region, customer, item, offer)
    plan = frame.__dict__["_plan"]
    len(frame[frame["rate"] > 0.5])
    assert plan.found is None
    len(frame[frame["rate"] < 0.2])
    assert plan.found is not None


@pytest.mark.parametrize(
    "step",
    [
        lambda j: j.groupby("rname")["n"].sum(),
        lambda j: j.groupby(["rname", "kind"], as_index=False).agg(a=("price", "max")),
        lambda j: j.sort_values(["rname", "i"])[["i", "rname"]].head(9).reset_index(drop=True),
        lambda j: j.sort_values("price", ignore_index=True),
        lambda j: j.drop_duplicates("c")["price"].max(),
        lambda j: j.merge(j[["c", "i"]].drop_duplicates("c"), on="c", how="left"),
        lambda j: j["price"].where(j["kind"] == "x", 0.0).sum(),
        lambda j: len(j),
    ],
)
def test_steps_that_read_no_labels_do_not_make_them(step, monkeypatch):
    def chosen(*given):
        frame = joined(*given)
        return step(frame[(frame["rate"] > 0.5) & (frame["limit_x"] > 10)])

    def unwanted(*_):
        raise AssertionError("labels were made")

    monkeypatch.setattr(Plan, "labels_where", unwanted)
    both(chosen, *tables(), exact=False)


def test_an_expression_that_repeats_itself_stays_small():
    def doubled(_, customer, item, __):
        frame = customer.merge(item, on="c")
        x, m = frame["price"], frame["price"] > 4
        for _ in range(60):
            x, m = x + x, m & m
        return frame.assign(x=x)[m]

    both(doubled, *tables())


def test_conditions_that_are_written_alike_are_evaluated_once(monkeypatch):
    region, customer, item, offer = map(pd.from_pandas, tables())
    frame = joined(region, customer, item, offer)
    seen = []
    one, like = frame["kind"], type(region["rname"]).__eq__
    mask = (
        ((one == "x") & (frame["rate"] > 0.5))
        | ((one == "x") & (frame["rate"] < 0.1))
        | ((one == "x") & (frame["n"] == 3))
    )
    monkeypatch.setattr(pd.Series, "__eq__", lambda a, b: seen.append(b) or like(a, b))
    assert len(frame[mask]) and seen.count("x") == 2  # of the frame of kinds, and of the joined rows


def test_what_is_written_to_a_frame_does_not_reach_another():
    def written(_, customer, item, __):
        customer, item = customer.copy(), item.copy()
        frame = customer.merge(item, on="c")
        few = frame[frame["price"] > 4]
        customer.loc[:, "limit"] = -1.0
        item["price"] = 0.0
        frame.loc[frame.index[0], "n"] = 77
        few.loc[few.index[0], "n"] = 78
        return frame, few, customer, item

    for i in range(4):
        both(lambda *given, i=i: written(*given)[i], *tables())


def test_the_values_of_a_collection_are_those_at_the_call():
    def collected(_, customer, item, __):
        frame, wanted = customer.merge(item, on="c"), [3, 4]
        mask = frame["n"].isin(wanted)
        wanted.append(5)
        return frame[mask]

    both(collected, *tables())


@pytest.mark.parametrize(
    "wrong",
    [
        lambda j: j[j["no such"] > 1],
        lambda j: j[j["cname"] > 1],
        lambda j: j["price"].isin(3),
        lambda j: j["price"].str.startswith("a"),
        lambda j: j["price"].dt.year,
        lambda j: j[["rate", "no such"]],
        lambda j: j.merge(j, on="no such"),
        lambda j: j.merge(j[["c", "price"]], on="c", suffixes=("", "")),
        lambda j: j["when"] < 3,
        lambda j: ~j["price"],
        lambda j: j["kind"] & j["price"],
        lambda j: j["kind"].str.contains("("),
        lambda j: j["kind"].str.contains(3),
        lambda j: j["kind"].str.contains("x", what=3),
        lambda j: j["kind"].str.startswith(["x"]),
        lambda j: j["when"] > "no date",
        lambda j: j["when"].between("2013", "no date"),
        lambda j: j["rate"].between(0, 1, inclusive="most"),
        lambda j: j["rate"].dt.quarter,
        lambda j: j.loc[j["rate"] > 0.5, "no such"],
        lambda j: j.loc[j["rate"] > 0.5, ["rate", "no such"]],
        lambda j: j.loc[j["rate"]],
        lambda j: j.loc[j["rate"] > 0.5, "rate", 3],
        lambda j: j.loc[(j["rate"] > 0.5).head(9)],
        lambda j: j["rate"].loc[j["rate"] > 0.5, "rate"],
        lambda j: j.query("nothing > 3"),
        lambda j: j.query("rate >"),
        lambda j: j.query("kind > 3"),
    ],
)
def test_errors_come_at_the_call(wrong):
    theirs, ours = joined(*tables()), joined(*map(pd.from_pandas, tables()))
    assert waits(ours)
    with pytest.raises(Exception) as expected:
        wrong(theirs)
    with bc.config.set(fallback="silent"), pytest.raises(expected.type):
        wrong(ours)


def test_a_type_that_depends_on_the_rows_is_that_of_all():
    _, customer, item, _ = tables()
    item.loc[5, "when"] = pandas.NaT
    both(lambda a, b: (lambda j: j[j["n"] < 20]["when"].dt.year)(a.merge(b, on="c")), customer, item)
    both(lambda a, b: (lambda j: j.assign(y=j["when"].dt.year)[j["n"] < 20]["y"])(a.merge(b, on="c")), customer, item)


def test_missing_keys_are_joined_with_each_other():
    _, customer, item, _ = tables()
    item.loc[::7, "kind"] = None
    item, customer = item.head(300), customer.rename(columns={"cname": "kind"}).head(200)
    both(lambda a, b: (lambda j: j[j["price"] > 4])(a.merge(b, on="kind")), item, customer)


def test_labels_that_wait_keep_no_column_but_those_they_are_made_of():
    region, customer, item, offer = map(pd.from_pandas, tables())
    frame = joined(region, customer, item, offer)
    chosen = frame[frame["rate"] > 0.5]
    theirs = joined(*tables())
    theirs = theirs[theirs["rate"] > 0.5]
    index = chosen._index
    assert type(index) is not pd.Index and index._waits
    kept = index.__dict__["_make_labels"].__closure__
    plan = next(c.cell_contents for c in kept if hasattr(c.cell_contents, "sources"))
    assert sum(c is not None for s in plan.sources() for c in s.columns) == 7
    del frame
    gc.collect()
    assert_same(chosen["price"], theirs["price"])


@pytest.mark.parametrize("lazy", [True, False])
@pytest.mark.parametrize("seed", range(60))
def test_random_programs_of_joins(seed, lazy):
    """With joins that wait, and with each made at the call: both give pandas' frames."""
    with bc.config.set(fallback="silent", lazy_frames=lazy):
        Program(seed).run()
