"""`read_sql` by a connection of sqlite3: read here, with the frames, types and errors of pandas."""

import contextlib
import decimal
import sqlite3

import bascule as bc
import bascule.pandas as pd
import pandas as theirs
import pytest

ROWS = [
    (1, 1.5, "a", None, "2024-01-02", 1704153600, 1, b"1"),
    (2, None, "b", None, "2024-02-03", 1704240000, "x", b"z"),
    (None, 2.5, None, None, None, None, 2.5, None),
    (2**62, -0.0, "é\n", None, "no date", 0, None, b""),
]
NUMBERS = "SELECT i, f, s, n, d, t, m FROM data"


@pytest.fixture
def con():
    with contextlib.closing(sqlite3.connect(":memory:")) as made:
        made.execute("CREATE TABLE data (i INTEGER, f REAL, s TEXT, n TEXT, d TEXT, t INTEGER, m, b BLOB)")
        made.executemany("INSERT INTO data VALUES (?, ?, ?, ?, ?, ?, ?, ?)", ROWS)
        yield made


CALLS = {
    "a query": (NUMBERS, {}),
    "no missing values": ("SELECT i, f FROM data WHERE i < 2 AND f IS NOT NULL", {}),
    "parameters": ("SELECT * FROM (SELECT i, s FROM data) WHERE i > ?", {"params": (1,)}),
    "named parameters": ("SELECT i, s FROM data WHERE s = :which", {"params": {"which": "a"}}),
    "labels": (NUMBERS, {"index_col": "s"}),
    "labels of two levels": (NUMBERS, {"index_col": ["i", "s"]}),
    "dates": (NUMBERS, {"parse_dates": ["d", "t"]}),
    "one column of dates": (NUMBERS, {"parse_dates": "d"}),
    "dates in a format": ("SELECT d, t FROM data", {"parse_dates": {"d": "%Y-%m-%d", "t": "s"}}),
    "dates by options": ("SELECT d FROM data", {"parse_dates": {"d": {"errors": "coerce", "utc": True}}}),
    "no dates": (NUMBERS, {"parse_dates": True}),
    "types": ("SELECT i, f, s FROM data WHERE i < 3", {"dtype": {"i": "float32", "s": "category"}}),
    "one type": ("SELECT i, t FROM data WHERE i < 3", {"dtype": float}),
    "no coercion": ("SELECT i, b FROM data", {"coerce_float": False}),
    "a column twice": ("SELECT i, i, f AS i FROM data", {}),
    "an expression": ("SELECT count(*), max(f) FROM data", {}),
    "no rows": ("SELECT i, s FROM data WHERE i < 0", {}),
    "no rows of a type": ("SELECT i, f FROM data WHERE i < 0", {"dtype": {"i": "int8"}}),
    "no rows with labels": ("SELECT i, s FROM data WHERE i < 0", {"index_col": "i"}),
}


@pytest.mark.parametrize("read", ["read_sql", "read_sql_query"])
@pytest.mark.parametrize("case", CALLS)
def test_frames_are_those_of_pandas_without_a_fallback(con, case, read):
    query, options = CALLS[case]
    with bc.config.set(fallback="error"):
        found = getattr(pd, read)(query, con, **options)
    theirs.testing.assert_frame_equal(found.to_pandas(), getattr(theirs, read)(query, con, **options))


@pytest.mark.parametrize("size", [1, 3, 4, 9])
@pytest.mark.parametrize("query", [NUMBERS, "SELECT i, s FROM data WHERE i < 0"])
def test_chunks_are_those_of_pandas(con, query, size):
    options = {"chunksize": size, "dtype": {"f": "float32"} if "f" in query.split("FROM")[0] else {"i": "float64"}}
    with bc.config.set(fallback="error"):
        found = list(pd.read_sql(query, con, **options))
    expected = list(theirs.read_sql(query, con, **options))
    assert len(found) == len(expected)
    for f, e in zip(found, expected):
        theirs.testing.assert_frame_equal(f.to_pandas(), e)


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("SELECT nothing FROM data", {}),
        ("data", {}),
        ("SELECT i FROM data WHERE i = ?", {}),
        (7, {}),
        ("SELECT i FROM data", {"index_col": "z"}),
        ("SELECT i FROM data", {"dtype": {"i": "int64"}}),
        ("SELECT i FROM data", {"dtype": "int64"}),
        ("SELECT s FROM data", {"dtype": {"s": "float64"}}),
    ],
)
def test_errors_are_those_of_pandas(con, query, options):
    with pytest.raises(Exception) as expected:
        theirs.read_sql(query, con, **options)
    with pytest.raises(type(expected.value)) as found:
        pd.read_sql(query, con, **options)
    assert str(found.value) == str(expected.value)


def test_rows_of_sqlite3_are_tuples(con):
    con.row_factory = sqlite3.Row
    with bc.config.set(fallback="error"):
        found = pd.read_sql(NUMBERS, con)
    theirs.testing.assert_frame_equal(found.to_pandas(), theirs.read_sql(NUMBERS, con))


def test_many_rows_are_fetched_in_parts(con):
    query = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 25000) SELECT i, i * 0.5 AS f, 'k' || (i % 7) AS s FROM n"
    with bc.config.set(fallback="error"):
        found = pd.read_sql(query, con)
    theirs.testing.assert_frame_equal(found.to_pandas(), theirs.read_sql(query, con))


@pytest.mark.parametrize("what", ["dicts", "decimals", "bytes"])
def test_what_pandas_has_to_read_is_counted_and_queried_once(con, what):
    asked, query = [], "SELECT seen(i) AS i, s FROM data"
    con.create_function("seen", 1, lambda x: asked.append(x) or x)
    if what == "dicts":
        con.row_factory = lambda cursor, row: {d[0]: v for d, v in zip(cursor.description, row)}
    elif what == "decimals":
        con.row_factory = lambda cursor, row: (row[0], decimal.Decimal("1.5"))
    else:
        query = "SELECT seen(i) AS i, b FROM data"
    bc.fallbacks(reset=True)
    with bc.config.set(fallback="silent"):
        found = pd.read_sql(query, con)
    (fallback,) = bc.fallbacks(reset=True)
    kind = {"dicts": "dict", "decimals": "Decimal", "bytes": "bytes"}[what]
    assert (fallback["name"], fallback["reason"], len(asked)) == ("pandas.read_sql", f"values of type {kind}", 4)
    theirs.testing.assert_frame_equal(found.to_pandas(), theirs.read_sql(query, con))


def test_a_statement_is_run_once(con):
    with bc.config.set(fallback="error"):
        found = pd.read_sql("INSERT INTO data (i) VALUES (7) RETURNING i", con)
    assert found.i.tolist() == [7] and con.execute("SELECT count(*) FROM data WHERE i = 7").fetchall() == [(1,)]
