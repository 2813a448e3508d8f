"""Tables of databases, which ADBC's drivers read and write as Arrow's, and queries of sqlite3; other connections are pandas'."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any

from .. import _classes, _fallback
from .._columns.dtypes import is_of_booleans
from .._datetimes.to_datetime import to_datetime
from .._fallback.native import NotNative, native_function
from .._theirs import UNSET, pandas, unset
from .arrow import from_table_in, is_of_arrow, to_table

_ROWS = 1000  # that are fetched at once: few tuples are there together, which Python's collector of garbage looks at
_UNITS = frozenset(("D", "d", "h", "m", "s", "ms", "us", "ns"))


def _database(con: Any, options: dict[str, Any]) -> Any:
    """pandas' database of a connection by ADBC; NotNative for others, and for options, which pandas refuses there."""
    adbc = sys.modules.get("adbc_driver_manager.dbapi")  # a program that has a connection has imported it
    others = adbc is None or not isinstance(con, adbc.Connection)
    given = [name for name, value in options.items() if value not in (None, False)]
    if others or given:
        why = "a connection that is neither ADBC's nor sqlite3's, or dtype_backend= of sqlite3's"
        raise NotNative(why if others else f"{given[0]}= of a connection by ADBC")
    return pandas.io.sql.ADBCDatabase(con)


def _fetched(database: Any, statement: Any, index_col: Any, dtype_backend: Any) -> Any:
    with database.execute(statement) as cursor:
        made = from_table_in(cursor.fetch_arrow_table(), dtype_backend)
    return made if index_col is None else made.set_index(index_col)


class _Query:
    """A query by a connection of sqlite3, and how its rows become a frame; the parameters are those of `read_sql`."""

    def __init__(self, index_col: Any, coerce_float: Any, parse_dates: Any, dtype: Any):
        self.index_col, self.coerce_float, self.parse_dates, self.dtype = index_col, coerce_float, parse_dates, dtype

    def run(self, con: Any, sql: Any, params: Any, chunksize: Any) -> Any:
        """The frame of all rows, or an iterator of those of chunks."""
        cursor = _executed(con, sql, params)
        labels = [described[0] for described in cursor.description]
        if chunksize is not None:
            return self._in_chunks(cursor, labels, chunksize)
        made = self._frame(iter(lambda: cursor.fetchmany(_ROWS), []), labels)
        cursor.close()
        return made

    def _in_chunks(self, cursor: Any, labels: list[str], size: int) -> Iterator[Any]:
        rows = cursor.fetchmany(size)
        if not rows:
            made = _classes.DataFrame(columns=labels)
            yield made.astype(self.dtype) if self.dtype else made
        while rows:
            yield self._frame(iter([rows]), labels)
            rows = cursor.fetchmany(size)
        cursor.close()

    def _frame(self, parts: Iterator[list], labels: list[str]) -> Any:
        """The frame of rows that come in parts."""
        values: list[list] = [[] for _ in labels]
        for rows in parts:
            others = set(map(type, rows)) - {tuple, sys.modules["sqlite3"].Row}
            if others or set(map(len, rows)) != {len(labels)}:
                return self._by_pandas([*zip(*values), *rows, *chain.from_iterable(parts)], labels, others or {tuple})
            for column, more in zip(values, zip(*rows)):
                column.extend(more)
        others = set().union(*(map(type, column) for column in values)) - {int, float, str, type(None)}
        if others - {bytes} or (bytes in others and self.coerce_float):  # which may read bytes as numbers
            return self._by_pandas(list(zip(*values)), labels, others)
        return self._finished(values, labels)

    def _by_pandas(self, rows: list, labels: list[str], others: set[type]) -> Any:
        """The frame of rows that pandas makes: the query is not repeated, which may have changed the database."""
        options = dict(index_col=self.index_col, coerce_float=self.coerce_float, parse_dates=self.parse_dates, dtype=self.dtype)  # fmt: skip
        reason = f"values of type {min(k.__name__ for k in others)}"
        return _fallback.run("pandas.read_sql", reason, pandas.io.sql._wrap_result, rows, labels, **options)

    def _finished(self, values: list[list], labels: list[str]) -> Any:
        if values and values[0]:
            made = _classes.DataFrame(dict(enumerate(values)))
            made.columns = labels
        else:
            made = _classes.DataFrame(columns=labels)
        if self.dtype:
            made = made.astype(self.dtype)
        for at, label in enumerate(labels):
            if label in self._dates() or made._columns[at].zone is not None:
                made.isetitem(at, self._as_dates(made.iloc[:, at], label))
        return made if self.index_col is None else made.set_index(self.index_col)

    def _dates(self) -> Any:
        """The labels of the columns of dates, as pandas reads the argument."""
        if self.parse_dates is None or isinstance(self.parse_dates, bool):
            return ()
        return self.parse_dates if hasattr(self.parse_dates, "__iter__") else [self.parse_dates]

    def _as_dates(self, column: Any, label: str) -> Any:
        """A column as dates: of a number of seconds, or in the unit or format that is given for it."""
        given = self._dates()[label] if isinstance(self._dates(), dict) and label in self._dates() else None
        is_number = column._column.is_numeric and not is_of_booleans(column.dtype)
        if isinstance(given, dict):
            if given.get("format") is not None and is_number:
                column = column.astype(str)
            return to_datetime(column, **given)
        if column._column.zone is not None:
            return to_datetime(column, utc=True)
        given = "s" if given is None and is_number else given
        if given in _UNITS:
            return to_datetime(column, errors="coerce", unit=given, utc=False)
        return to_datetime(column, errors="coerce", format=given, utc=False)


def _executed(con: Any, sql: Any, params: Any) -> Any:
    """The cursor of a query; the errors of sqlite3 are pandas' DatabaseError, after a rollback."""
    if not isinstance(sql, str):
        raise TypeError("Query must be a string unless using sqlalchemy.")
    cursor, error = con.cursor(), sys.modules["sqlite3"].Error
    try:
        return cursor.execute(sql, *([] if params is None else [params]))
    except error as why:
        said = f"Execution failed on sql '{sql}': {why}"
        try:
            con.rollback()
        except error as inner:
            said = f"Execution failed on sql: {sql}\n{why}\nunable to rollback"
            raise pandas.errors.DatabaseError(said) from inner
        if re.fullmatch(r"[A-Za-z_]\w*", sql.strip()) and _hints_at_names():
            said += (
                "\n\nReading a table by name is only supported when using a SQLAlchemy connection. With a DBAPI connection, "
                f"pass a SQL query instead, e.g. 'SELECT * FROM {sql.strip()}'."
            )
        raise pandas.errors.DatabaseError(said) from why


@functools.cache
def _hints_at_names() -> bool:
    """Whether this pandas says how to read a table whose name is given as the query; older ones do not."""
    return "Reading a table by name" in inspect.getsource(pandas.io.sql.SQLiteDatabase.execute)


def _is_sqlite(con: Any, dtype_backend: Any) -> bool:
    sqlite = sys.modules.get("sqlite3")
    return sqlite is not None and isinstance(con, sqlite.Connection) and unset(dtype_backend)


def _selection(table: str, schema: str | None, index_col: Any, columns: Any) -> str:
    """The statement that selects columns of a table."""
    quoted = pandas.io.sql._quote_identifier
    labels = [] if index_col is None else [index_col] if isinstance(index_col, str) else list(index_col)
    chosen = ", ".join(quoted(c) for c in [*labels, *columns]) if columns else "*"
    return f"SELECT {chosen} FROM " + ".".join(quoted(name) for name in (schema, table) if name)


@native_function("read_sql", dtype_backend=is_of_arrow)
def read_sql(
    sql: Any, con: Any, index_col: Any = None, coerce_float: bool = True, params: Any = None, parse_dates: Any = None,
    columns: Any = None, chunksize: int | None = None, dtype_backend: Any = UNSET, dtype: Any = None,
) -> Any:  # fmt: skip
    """Read the result of a query, or a table, of a database.

    Parameters
    ----------
    sql : str
        A query, or the name of a table.
    con : connection
        Through a connection of ADBC's, rows arrive as Arrow's columns, without Python's objects. From one of sqlite3, rows are
        read here, too. pandas reads from others.
    index_col, coerce_float, params, parse_dates, columns, chunksize, dtype_backend, dtype
        As pandas'.
    """
    if _is_sqlite(con, dtype_backend):
        return _Query(index_col, coerce_float, parse_dates, dtype).run(con, sql, params, chunksize)
    options = {"coerce_float": not coerce_float, "params": params, "parse_dates": parse_dates, "chunksize": chunksize, "dtype": dtype}  # fmt: skip
    database = _database(con, options)
    try:
        is_name = database.has_table(sql)
    except Exception:
        is_name = False
    statement = _selection(sql, None, index_col, columns) if is_name else sql
    return _fetched(database, statement, index_col, dtype_backend)


@native_function("read_sql_query", dtype_backend=is_of_arrow)
def read_sql_query(
    sql: Any, con: Any, index_col: Any = None, coerce_float: bool = True, params: Any = None, parse_dates: Any = None,
    chunksize: int | None = None, dtype: Any = None, dtype_backend: Any = UNSET,
) -> Any:  # fmt: skip
    """Read the result of a query of a database; see `read_sql`.

    Parameters
    ----------
    sql : str
    con : connection
    index_col, coerce_float, params, parse_dates, chunksize, dtype, dtype_backend
        As pandas'.
    """
    if _is_sqlite(con, dtype_backend):
        return _Query(index_col, coerce_float, parse_dates, dtype).run(con, sql, params, chunksize)
    options = {"coerce_float": not coerce_float, "params": params, "parse_dates": parse_dates, "chunksize": chunksize, "dtype": dtype}  # fmt: skip
    return _fetched(_database(con, options), sql, index_col, dtype_backend)


@native_function("read_sql_table", dtype_backend=is_of_arrow)
def read_sql_table(
    table_name: str, con: Any, schema: str | None = None, index_col: Any = None, coerce_float: bool = True,
    parse_dates: Any = None, columns: Any = None, chunksize: int | None = None, dtype_backend: Any = UNSET,
) -> Any:  # fmt: skip
    """Read a table of a database; see `read_sql`.

    Parameters
    ----------
    table_name : str
    con : connection
    schema, index_col, coerce_float, parse_dates, columns, chunksize, dtype_backend
        As pandas'.
    """
    options = {"coerce_float": not coerce_float, "parse_dates": parse_dates, "chunksize": chunksize}
    database = _database(con, options)
    if not database.has_table(table_name, schema):
        raise NotNative("a table that is not there")
    return _fetched(database, _selection(table_name, schema, index_col, columns), index_col, dtype_backend)


def write(frame: Any, name: str, con: Any, schema: Any, if_exists: str, index: bool, options: dict[str, Any]) -> int:
    """Write a frame into a table by ADBC; see DataFrame.to_sql."""
    database = _database(con, options)
    if if_exists not in ("fail", "replace", "append", "delete_rows"):
        raise NotNative("an unknown if_exists=")
    there = database.has_table(name, schema)
    if there and if_exists == "fail":
        raise ValueError(f"Table '{name}' already exists.")
    if there and if_exists == "replace":
        quoted = pandas.io.sql._quote_identifier
        database.execute("DROP TABLE " + ".".join(quoted(n) for n in (schema, name) if n)).close()
    if there and if_exists == "delete_rows":
        database.delete_rows(name, schema)
    mode = "append" if there and if_exists in ("append", "delete_rows") else "create"
    with con.cursor() as cursor:
        try:
            count = cursor.adbc_ingest(table_name=name, data=to_table(frame, index), mode=mode, db_schema_name=schema)
        except sys.modules["adbc_driver_manager"].Error as why:
            raise pandas.errors.DatabaseError(f"Failed to insert records on table={name} with {mode=}") from why
    con.commit()
    return count
