"""TPC-H's eight tables, by the schema and the distributions of its specification: `python benchmarks/tpch/generate.py SCALE FOLDER`.

The same scale gives the same tables on any machine. They differ from those of TPC's own program, which uses other
random numbers; strings are taken from a smaller pool of sentences. Decimals are float64, whole cents; dates are days.
"""

from __future__ import annotations

import functools
import sys
import zlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute
import words
from pyarrow import feather

DAY_ZERO = np.datetime64("1992-01-01")
LAST_ORDER = np.datetime64("1998-12-31") - np.timedelta64(151, "D")
TODAY = np.datetime64("1995-06-17")
LETTERS = np.frombuffer(b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ,", np.uint8)
BLOCK = 1 << 18
Columns = dict[str, np.ndarray | pa.Array]


def stream(column: str) -> np.random.Generator:
    """Random numbers of a column, independent of other columns."""
    return np.random.default_rng([19920101, zlib.crc32(column.encode())])


# ---- strings


@functools.cache
def pool() -> np.ndarray:
    """A megabyte of sentences of the specification's grammar."""
    rng = stream("pool")
    drawn = {}
    for kind in "NJDVXPT":
        choices, weights = words.weighted(kind)
        drawn[kind] = iter(
            np.array(choices)[rng.choice(len(choices), 100_000, p=np.array(weights) / sum(weights))].tolist()
        )
    forms = list(words.SENTENCES)
    chances = np.array(list(words.SENTENCES.values())) / sum(words.SENTENCES.values())
    phrases = {
        kind: iter(np.array([f for _, f in of])[rng.choice(len(of), 100_000, p=np.array([w for w, _ in of]) / sum(w for w, _ in of))].tolist())
        for kind, of in words.PHRASES.items()
    }  # fmt: skip

    def spoken(form: str) -> str:
        said = []
        for part in form.split():
            mark = "," if part.endswith(",") else ""
            part = part.removesuffix(",")
            said.append(
                spoken(next(phrases[part]))
                if part in phrases
                else (next(drawn[part]) if part in drawn else part) + mark
            )
        return " ".join(said)

    text, size = [], 0
    for k in rng.choice(len(forms), 100_000, p=chances):
        sentence = spoken(forms[k])
        head, _, end = sentence.rpartition(" ")
        text.append(head + end)
        size += len(text[-1]) + 1
        if size >= 1 << 20:
            break
    return np.frombuffer(" ".join(text).encode(), np.uint8)


def strings(data: np.ndarray, lengths: np.ndarray) -> pa.Array:
    """Strings from concatenated bytes."""
    ends = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=ends[1:])
    return pa.LargeStringArray.from_buffers(len(lengths), pa.py_buffer(ends), pa.py_buffer(data))


def comments(column: str, n: int, least: int, most: int) -> pa.Array:
    """Parts of the pool with random lengths."""
    rng, source = stream(column), pool()
    lengths = rng.integers(least, most + 1, n)
    begins = rng.integers(0, len(source) - most, n)
    data = np.empty(int(lengths.sum()), np.uint8)
    at = 0
    for k in range(0, n, BLOCK):
        long, first = lengths[k : k + BLOCK], begins[k : k + BLOCK]
        size = int(long.sum())
        steps = np.arange(size) - np.repeat(np.cumsum(long) - long, long)
        data[at : at + size] = source[np.repeat(first, long) + steps]
        at += size
    return strings(data, lengths)


def addresses(column: str, n: int) -> pa.Array:
    rng = stream(column)
    lengths = rng.integers(10, 41, n)
    return strings(LETTERS[rng.integers(0, len(LETTERS), int(lengths.sum()))], lengths)


def patterned(pattern: str, *numbers: np.ndarray) -> pa.Array:
    """Strings of one width: `#` stands for the digits of the numbers, one run of them for each."""
    n = len(numbers[0])
    table = np.tile(np.frombuffer(pattern.encode(), np.uint8), (n, 1))
    runs, k = [], 0
    for k, letter in enumerate(pattern):
        if letter == "#":
            if not runs or runs[-1][-1] != k - 1:
                runs.append([])
            runs[-1].append(k)
    for places, number in zip(runs, numbers):
        left = number.astype(np.int64)
        for k in reversed(places):
            left, digit = np.divmod(left, 10)
            table[:, k] = digit + ord("0")
    return strings(table.reshape(-1), np.full(n, len(pattern)))


def numbered(name: str, keys: np.ndarray) -> pa.Array:
    """`Name#000000001`, with a literal hash mark."""
    made = patterned(f"{name}@#########", keys)
    buffer = np.frombuffer(made.buffers()[2], np.uint8).copy()
    buffer[buffer == ord("@")] = ord("#")
    return strings(buffer, np.full(len(keys), len(name) + 10))


def chosen(column: str, n: int, choices: list[str]) -> pa.Array:
    return of_words(choices, stream(column).integers(0, len(choices), n))


def of_words(choices: list[str], codes: np.ndarray) -> pa.Array:
    return pa.array(choices, pa.large_string()).take(pa.array(codes))


def phones(column: str, nations: np.ndarray) -> pa.Array:
    rng, n = stream(column), len(nations)
    parts = rng.integers(100, 1000, n), rng.integers(100, 1000, n), rng.integers(1000, 10_000, n)
    return patterned("##-###-###-####", nations + 10, *parts)


def money(column: str, n: int, least: int, most: int) -> np.ndarray:
    """Random amounts between two numbers of cents."""
    return stream(column).integers(least, most + 1, n) / 100


# ---- tables


def days(dates: np.ndarray) -> pa.Array:
    return pa.array(dates.astype("datetime64[D]"), pa.date32())


def region() -> Columns:
    return {"r_regionkey": np.arange(5), "r_name": pa.array(words.REGIONS, pa.large_string()), "r_comment": comments("r_comment", 5, 31, 115)}  # fmt: skip


def nation() -> Columns:
    names, regions = zip(*words.NATIONS)
    return {
        "n_nationkey": np.arange(25),
        "n_name": pa.array(names, pa.large_string()),
        "n_regionkey": np.array(regions),
        "n_comment": comments("n_comment", 25, 31, 114),
    }


def supplier(n: int) -> Columns:
    keys = np.arange(1, n + 1)
    nations = stream("s_nationkey").integers(0, 25, n)
    said = comments("s_comment", n, 25, 100).to_pylist()
    some = stream("s_better").permutation(n)[: 2 * max(1, n // 2000)]  # 5 of each kind for 10,000 suppliers
    for k, row in enumerate(some):
        word = ("Complaints", "Recommends")[k % 2]
        said[row] = f"{said[row][:8]}Customer{said[row][8:14]}{word}{said[row][14:]}"[:100]
    return {
        "s_suppkey": keys,
        "s_name": numbered("Supplier", keys),
        "s_address": addresses("s_address", n),
        "s_nationkey": nations,
        "s_phone": phones("s_phone", nations),
        "s_acctbal": money("s_acctbal", n, -99_999, 999_999),
        "s_comment": pa.array(said, pa.large_string()),
    }


def customer(n: int) -> Columns:
    keys = np.arange(1, n + 1)
    nations = stream("c_nationkey").integers(0, 25, n)
    return {
        "c_custkey": keys,
        "c_name": numbered("Customer", keys),
        "c_address": addresses("c_address", n),
        "c_nationkey": nations,
        "c_phone": phones("c_phone", nations),
        "c_acctbal": money("c_acctbal", n, -99_999, 999_999),
        "c_mktsegment": chosen("c_mktsegment", n, words.SEGMENTS),
        "c_comment": comments("c_comment", n, 29, 116),
    }


def retail_prices(keys: np.ndarray) -> np.ndarray:
    return (90_000 + keys // 10 % 20_001 + 100 * (keys % 1000)) / 100


def part(n: int) -> Columns:
    keys = np.arange(1, n + 1)
    rng = stream("p_name")
    five = np.concatenate(
        [rng.random((min(BLOCK, n - k), len(words.COLORS))).argpartition(5)[:, :5] for k in range(0, n, BLOCK)]
    )
    colors = [of_words(words.COLORS, five[:, k]) for k in range(5)]
    maker, brand = (stream(name).integers(1, 6, n) for name in ("p_mfgr", "p_brand"))
    types = [" ".join([a, b, c]) for a in words.TYPES[0] for b in words.TYPES[1] for c in words.TYPES[2]]
    containers = [" ".join([a, b]) for a in words.CONTAINERS[0] for b in words.CONTAINERS[1]]
    return {
        "p_partkey": keys,
        "p_name": pa.compute.binary_join_element_wise(*colors, pa.scalar(" ", pa.large_string())),
        "p_mfgr": of_words([f"Manufacturer#{k}" for k in range(1, 6)], maker - 1),
        "p_brand": of_words([f"Brand#{a}{b}" for a in range(1, 6) for b in range(1, 6)], maker * 5 + brand - 6),
        "p_type": chosen("p_type", n, types),
        "p_size": stream("p_size").integers(1, 51, n),
        "p_container": chosen("p_container", n, containers),
        "p_retailprice": retail_prices(keys),
        "p_comment": comments("p_comment", n, 5, 22),
    }  # fmt: skip


def supplier_of(parts: np.ndarray, which: np.ndarray, suppliers: int) -> np.ndarray:
    """One of the four suppliers of a part."""
    return (parts + which * (suppliers // 4 + (parts - 1) // suppliers)) % suppliers + 1


def partsupp(parts: int, suppliers: int) -> Columns:
    n = 4 * parts
    keys, which = np.repeat(np.arange(1, parts + 1), 4), np.tile(np.arange(4), parts)
    return {
        "ps_partkey": keys,
        "ps_suppkey": supplier_of(keys, which, suppliers),
        "ps_availqty": stream("ps_availqty").integers(1, 10_000, n),
        "ps_supplycost": money("ps_supplycost", n, 100, 100_000),
        "ps_comment": comments("ps_comment", n, 49, 198),
    }


def order_keys(n: int) -> np.ndarray:
    """The first eight of every 32 numbers."""
    k = np.arange(n)
    return k // 8 * 32 + k % 8 + 1


def lineitem(keys: np.ndarray, dates: np.ndarray, parts: int, suppliers: int) -> Columns:
    lines = stream("lines").integers(1, 8, len(keys))
    n = int(lines.sum())
    ordered = np.repeat(dates, lines)
    shipped = ordered + stream("l_shipdate").integers(1, 122, n)
    received = shipped + stream("l_receiptdate").integers(1, 31, n)
    bought = stream("l_partkey").integers(1, parts + 1, n)
    quantity = stream("l_quantity").integers(1, 51, n)
    returned = np.where(received <= TODAY, stream("l_returnflag").integers(0, 2, n), 2)
    return {
        "l_orderkey": np.repeat(keys, lines),
        "l_partkey": bought,
        "l_suppkey": supplier_of(bought, stream("l_suppkey").integers(0, 4, n), suppliers),
        "l_linenumber": np.arange(n) - np.repeat(np.cumsum(lines) - lines, lines) + 1,
        "l_quantity": quantity.astype(float),
        "l_extendedprice": np.round(quantity * retail_prices(bought), 2),
        "l_discount": stream("l_discount").integers(0, 11, n) / 100,
        "l_tax": stream("l_tax").integers(0, 9, n) / 100,
        "l_returnflag": of_words(["R", "A", "N"], returned),
        "l_linestatus": of_words(["F", "O"], (shipped > TODAY).astype(int)),
        "l_shipdate": days(shipped),
        "l_commitdate": days(ordered + stream("l_commitdate").integers(30, 91, n)),
        "l_receiptdate": days(received),
        "l_shipinstruct": chosen("l_shipinstruct", n, words.INSTRUCTIONS),
        "l_shipmode": chosen("l_shipmode", n, words.MODES),
        "l_comment": comments("l_comment", n, 10, 43),
    }


def orders(keys: np.ndarray, dates: np.ndarray, items: Columns, customers: int, clerks: int) -> Columns:
    n = len(keys)
    taken = stream("o_custkey").integers(0, customers // 3 * 2, n)  # each third customer has no orders
    firsts = np.flatnonzero(np.asarray(items["l_linenumber"]) == 1)
    price, discount, tax = (np.asarray(items[f"l_{name}"]) for name in ("extendedprice", "discount", "tax"))
    still_open = np.asarray(pa.compute.equal(items["l_linestatus"], "O")).astype(int)
    share = np.add.reduceat(still_open, firsts) / np.diff(np.append(firsts, len(price)))
    return {
        "o_orderkey": keys,
        "o_custkey": taken // 2 * 3 + taken % 2 + 1,
        "o_orderstatus": of_words(["F", "P", "O"], np.ceil(share).astype(int) + (share == 1)),
        "o_totalprice": np.round(np.add.reduceat(price * (1 + tax) * (1 - discount), firsts), 2),
        "o_orderdate": days(dates),
        "o_orderpriority": chosen("o_orderpriority", n, words.PRIORITIES),
        "o_clerk": numbered("Clerk", stream("o_clerk").integers(1, clerks + 1, n)),
        "o_shippriority": np.zeros(n, np.int64),
        "o_comment": comments("o_comment", n, 19, 78),
    }


def tables(scale: float) -> dict[str, pa.Table]:
    """All tables: 6 million rows of lineitem at scale 1."""
    suppliers, parts, customers = (max(4, round(k * scale)) for k in (10_000, 200_000, 150_000))
    keys = order_keys(10 * customers)
    dates = DAY_ZERO + stream("o_orderdate").integers(0, int((LAST_ORDER - DAY_ZERO).astype(int)) + 1, len(keys))
    items = lineitem(keys, dates, parts, suppliers)
    made = {
        "region": region(),
        "nation": nation(),
        "supplier": supplier(suppliers),
        "customer": customer(customers),
        "part": part(parts),
        "partsupp": partsupp(parts, suppliers),
        "orders": orders(keys, dates, items, customers, max(1, round(1000 * scale))),
        "lineitem": items,
    }
    return {name: pa.table(columns) for name, columns in made.items()}


def write(scale: float, folder: Path) -> None:
    """Write the tables as Arrow files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, table in tables(scale).items():
        feather.write_feather(table, folder / f"{name}.arrow", compression="uncompressed")


if __name__ == "__main__":
    write(float(sys.argv[1]), Path(sys.argv[2]))
