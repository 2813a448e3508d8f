"""Left joins of long frames wait: conditions run before them where rows, labels and types stay pandas'."""

from __future__ import annotations

import bascule as bc
import bascule.pandas as pd
import numpy as np
import pandas
import pytest
from bascule.pandas._pending import objects
from bascule.pandas._pending.plan import Part
from frames import assert_same, both
from programs_of_joins import Program, tables


@pytest.fixture(autouse=True)
def short_frames_wait(monkeypatch):
    monkeypatch.setattr(objects, "FEWEST_JOINED", 0)


def offers(seed=3):
    """Items, customers of most of them, and offers for some, of whole numbers and booleans as well."""
    _, customer, item, offer = tables(seed)
    rng = np.random.default_rng(seed)
    return item, customer, offer.assign(level=rng.integers(0, 9, len(offer)), sale=rng.random(len(offer)) < 0.5)


def complete(seed=3):
    """The same where each item has a customer."""
    item, customer, offer = offers(seed)
    return item[item["c"] < len(customer)].reset_index(drop=True), customer, offer


def joined(item, customer, offer):
    made = item.merge(customer, on="c", how="left", suffixes=("", "_of_customer"))
    return made.merge(offer.rename(columns={"n": "number"}), left_on="n", right_on="number", how="left")


def waits(x):
    return "_plan" in x.__dict__


STEPS = {
    "nothing": lambda j: j,
    "the left frame": lambda j: j[(j["price"] > 3) & (j["kind"] == "x")],
    "the right one": lambda j: j[j["limit_of_customer"] > 20],
    "whole numbers of it": lambda j: j[j["r"] > 3],
    "equal to a whole number": lambda j: j[j["r"] == 3],
    "not equal": lambda j: j[j["r"] != 3],
    "the last frame": lambda j: j[j["rate"] > 0.5],
    "both": lambda j: j[(j["rate"] > 0.5) & (j["r"] < 7) & (j["price"] > 1)],
    "either": lambda j: j[(j["rate"] > 0.5) | (j["price"] > 8)],
    "either of one": lambda j: j[(j["rate"] > 0.8) | (j["level"] == 2)],
    "either or missing": lambda j: j[(j["rate"] > 0.8) | j["level"].isna()],
    "missing": lambda j: j[j["cname"].isna()],
    "missing numbers": lambda j: j[j["r"].isna()],
    "not missing": lambda j: j[j["r"].notna()],
    "not missing by not": lambda j: j[~j["level"].isna()],
    "not a comparison": lambda j: j[~(j["level"] > 3)],
    "not unequal": lambda j: j[~(j["level"] != 3)],
    "a collection": lambda j: j[j["r"].isin([1, 2, 3])],
    "a collection with a missing value": lambda j: j[j["cname"].isin(["bob", None])],
    "no member": lambda j: j[~j["cname"].isin(["bob", "ann"])],
    "text": lambda j: j[j["cname"].str.startswith("b")],
    "not text": lambda j: j[~j["cname"].str.contains("o", regex=False)],
    "a date": lambda j: j[j["late"] >= "2013-02-01"],
    "a field of dates": lambda j: j[j["late"].dt.month == 2],
    "arithmetic": lambda j: j[j["rate"] * 2 + j["level"] > 4],
    "arithmetic of two frames": lambda j: j[j["price"] * j["r"] > 4],
    "booleans": lambda j: j[j["sale"] == True],  # noqa: E712
    "a choice of values": lambda j: j[j["rate"].where(j["kind"] == "x", 0.9) > 0.5],
    "of no row": lambda j: j[j["rate"] > 7],
    "of every match": lambda j: j[j["rate"] >= 0],
    "two frames compared": lambda j: j[j["limit"] > j["limit_of_customer"]],
    "twice": lambda j: (lambda k: k[k["level"] > 2])(j[j["r"] < 5]),
    "assigned": lambda j: (lambda k: k[k["twice"] > 3])(j.assign(twice=j["level"] * 2)),
    "columns": lambda j: j.loc[j["level"] > 2, ["level", "c", "number"]],
    "a column": lambda j: j.loc[j["rate"] > 0.5, "level"],
    "a sum": lambda j: j.loc[j["rate"] > 0.5, "level"].sum(),
    "groups": lambda j: j[j["rate"] > 0.5].groupby("cname")["r"].count(),
    "the next join": lambda j: j[j["price"] > 3].merge(j[["c", "r"]].drop_duplicates("c"), on="c", how="left", suffixes=("", "_n")),
    "a join by a column that may be missing": lambda j: j.merge(j[["r", "i"]].dropna().drop_duplicates("r"), on="r", suffixes=("", "_n")),
    "types": lambda j: list(map(str, j[j["level"] > 3].dtypes)),
    "type of a column": lambda j: str(j[j["level"] > 3]["r"].dtype),
    "labels": lambda j: j[j["level"] > 3].index,
}  # fmt: skip


@pytest.mark.parametrize("made", [offers, complete])
@pytest.mark.parametrize("step", STEPS)
def test_a_step_after_left_joins_is_pandas_own(step, made):
    both(lambda *given: STEPS[step](joined(*given)), *made(), fallback="silent")


@pytest.mark.parametrize("step", STEPS)
def test_where_no_row_has_a_partner(step):
    item, customer, offer = offers()
    both(
        lambda *given: STEPS[step](joined(*given)),
        item, customer.assign(c=customer["c"] + 10**6), offer.assign(n=offer["n"] + 10**6), fallback="silent",
    )  # fmt: skip


BEFORE = {
    "the left frame": lambda j: j[j["price"] > 3],
    "floats of the right one": lambda j: j[j["limit_of_customer"] > 20],
    "whole numbers of it": lambda j: j[j["r"] > 3],
    "text": lambda j: j[j["cname"].isin(["bob", "ann"])],
    "not missing": lambda j: j[~j["cname"].isna()],
}
AFTER = {
    "missing": lambda j: j[j["cname"].isna()],
    "unequal": lambda j: j[j["cname"] != "bob"],
    "not a comparison": lambda j: j[~(j["rate"] > 0.5)],
    "a collection with a missing value": lambda j: j[j["cname"].isin(["bob", None])],
    "two frames": lambda j: j[j["limit"] > j["limit_of_customer"]],
}


@pytest.mark.parametrize("step", [*BEFORE.items(), *AFTER.items()], ids=lambda s: s[0])
def test_where_a_condition_runs_is_shown(step):
    made = step[1](joined(*map(pd.from_pandas, offers())))
    place = "before the joins" if step[0] in BEFORE else "after they are joined"
    assert place in str(bc.explain(made)) and waits(made)


def test_a_condition_that_leaves_missing_rows_out_joins_only_its_rows(monkeypatch):
    seen, join = [], Part.joined
    monkeypatch.setattr(Part, "joined", lambda *given: seen.append((given[1].rows, given[3])) or join(*given))
    made = joined(*map(pd.from_pandas, offers()))
    some = made[(made["cname"] == "bob") & (made["price"] > 3)]["rate"]
    assert len(some) and seen[0][1] == "inner" and seen[0][0] < 300 and seen[1] == (90, "left")


def test_types_that_misses_decide_are_looked_for_only_where_they_are_used(monkeypatch):
    seen, misses = [], Part.has_without
    monkeypatch.setattr(Part, "has_without", lambda *given: seen.append(1) or misses(*given))
    made = joined(*map(pd.from_pandas, offers()))
    some = made[(made["rate"] > 0.5) & made["cname"].notna()]
    assert some["cname"].count() and not seen
    assert str(some["level"].dtype) == "float64" and seen


def test_types_of_joins_that_were_made_as_they_are_need_no_more_work(monkeypatch):
    made = joined(*map(pd.from_pandas, complete()))
    monkeypatch.setattr(Part, "has_without", None)
    assert_same(made["r"], joined(*complete())["r"])
    assert_same(made, joined(*complete()))


def test_large_whole_numbers_are_compared_in_the_type_that_misses_give_them():
    left = pandas.DataFrame({"k": [1, 2, 3] * 900})
    right = pandas.DataFrame({"k": [1, 2], "v": [2**53 + 1, 5]})
    for frame in (left, left[left["k"] < 3]):
        both(lambda a, b: (lambda j: j[j["v"] == 2**53])(a.merge(b, on="k", how="left")), frame, right)


@pytest.mark.parametrize("lazy", [True, False])
@pytest.mark.parametrize("seed", range(1000, 1030))
def test_random_programs_of_left_joins(seed, lazy):
    """With joins that wait, and with each made at the call: both give pandas' frames."""
    with bc.config.set(fallback="silent", lazy_frames=lazy):
        Program(seed, ("inner", "left", "left")).run()
