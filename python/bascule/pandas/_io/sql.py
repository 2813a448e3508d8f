"""Tables of databases, which ADBC's drivers read and write as Arrow's; other connections are pandas'."""

from __future__ import annotations

import sys
from typing import Any

from .._fallback.native import NotNative, native_function
from .._theirs import UNSET, pandas
from .arrow import from_table_in, is_of_arrow, to_table


def _database(con: Any, options: dict[str, Any]) -> Any:
    """pandas' database of a connection by ADBC; NotNative for others, and for options, which pandas refuses there."""
    adbc = sys.modules.get("adbc_driver_manager.dbapi")  # a program that has a connection has imported it
    if adbc is None or not isinstance(con, adbc.Connection):
        raise NotNative("a connection that is not ADBC's")
    given = [name for name, value in options.items() if value not in (None, False)]
    if given:
        raise NotNative(f"{given[0]}= of a connection by ADBC")
    return pandas.io.sql.ADBCDatabase(con)


def _fetched(database: Any, statement: Any, index_col: Any, dtype_backend: Any) -> Any:
    with database.execute(statement) as cursor:
        made = from_table_in(cursor.fetch_arrow_table(), dtype_backend)
    return made if index_col is None else made.set_index(index_col)


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
        Through a connection of ADBC's, rows arrive as Arrow's columns, without Python's objects; pandas reads from others.
    index_col, coerce_float, params, parse_dates, columns, chunksize, dtype_backend, dtype
        As pandas'.
    """
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
