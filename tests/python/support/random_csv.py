"""Random CSV files: fields of every kind, quotes, blanks, missing values, ends of lines and rows of other lengths."""

from __future__ import annotations

import random
import struct
from typing import Any

WORDS = [
    "a",
    "bc",
    "longer than a block of sixty-four bytes " * 3,
    "é",
    "x y",
    "1x",
    "-",
    "+",
    ".",
    "e5",
    "1e",
    "1_0",
    "0x1",
    "--1",
    "nan1",
    "T",
]
MISSING = ["", "NA", "nan", "NULL", "None", "#N/A", "-NaN", "N/A", "<NA>", "null"]
BOOLEANS = ["True", "False", "true", "FALSE", "tRuE"]


def integer(r: random.Random) -> str:
    return r.choice(
        [
            str(r.randint(-99, 99)),
            str(r.randint(-(2**63), 2**63 - 1)),
            "+7",
            "007",
            " 5",
            "6 ",
            "-0",
            str(2**63 - 1),
            str(-(2**63)),
        ]
    )


def large(r: random.Random) -> str:
    return r.choice(
        [
            str(r.randint(2**63, 2**64 - 1)),
            str(2**63),
            str(2**64 - 1),
            "18446744073709551616",
            "-9223372036854775809",
            "9" * 30,
        ]
    )


def decimal(r: random.Random) -> str:
    digits = "".join(r.choice("0123456789") for _ in range(r.choice([1, 5, 15, 16, 17, 18, 19, 20, 25, 40])))
    point = r.randint(0, len(digits))
    text = r.choice(["", "-", "+"]) + digits[:point] + "." + digits[point:]
    return text + (
        r.choice("eE")
        + r.choice(["", "+", "-"])
        + str(r.choice([0, 1, 5, 22, 23, 100, 290, 308, 309, 324, 342, 400, 99999]))
        if r.random() < 0.4
        else ""
    )


def double(r: random.Random) -> str:
    return repr(
        r.choice(
            [
                r.random(),
                r.gauss(0, 1e9),
                struct.unpack("d", r.randbytes(8))[0],
                0.0,
                -0.0,
                5e-324,
                2.2250738585072014e-308,
                1.7976931348623157e308,
            ]
        )
    )


FLAVOURS = {
    "integers": [integer],
    "large": [integer, large],
    "floats": [decimal, double],
    "numbers": [integer, decimal, double, large],
    "booleans": [lambda r: r.choice(BOOLEANS)],
    "words": [lambda r: r.choice(WORDS)],
    "missing": [lambda r: r.choice(MISSING)],
    "unsigned": [lambda r: str(r.randint(0, 2**64 - 1))],
    "infinite": [double, lambda r: r.choice(["inf", "-Infinity", "+INF", "infinit"])],
    "all": [integer, large, decimal, lambda r: r.choice(BOOLEANS), lambda r: r.choice(WORDS)],
}


def written(r: random.Random, text: str, sep: str) -> str:
    """Return a field as it may be written: quoted, with quotes, separators and ends of lines in it, or text around the quotes."""
    chance = r.random()
    if chance < 0.75:
        return text
    if chance < 0.9:
        return '"' + text + '"'
    inner = r.choice(['""', sep, "\n", "\r\n", "\r", '"",""', "\n\n"])
    if chance < 0.97:
        return '"' + text + inner + '"'
    return r.choice(
        ['"' + text + '"tail', text + '"', '"' + text + '"""', "\t", "  ", '""', '"" ', '"a"' + text, text + "\xe9"]
    )


def table(r: random.Random) -> tuple[str, dict[str, Any]]:
    """Return a file's text, and arguments of `read_csv`."""
    sep, end = r.choice([",", ";", "\t"]), r.choice(["\n", "\r\n", "\r"])
    width, rows = r.randint(1, 5), r.choice([0, 1, 2, 9, 40])
    flavours = [r.choice(list(FLAVOURS)) for _ in range(width)]
    missing_shares = [r.choice([0, 0, 0.2]) for _ in range(width)]
    quotes, ragged, blank = r.choice([0, 1, 1]), r.choice([0, 0, 0, 0.05]), r.choice([0, 0, 0.1])
    lines = (
        [sep.join(r.choice(["a", "b", "ü", '"q,r"', "a", "Unnamed: 1", ""]) for _ in range(width))]
        if r.random() < 0.9
        else []
    )
    for _ in range(rows):
        count = width + (r.choice([-1, 1, -2]) if r.random() < ragged else 0)
        fields = []
        for k in range(max(count, 1)):
            k %= width
            text = (
                r.choice(FLAVOURS["missing"])(r)
                if r.random() < missing_shares[k]
                else r.choice(FLAVOURS[flavours[k]])(r)
            )
            fields.append(written(r, text, sep) if quotes else text)
        lines.append(sep.join(fields))
        if r.random() < blank:
            lines.append(r.choice(["", " ", "\t"]))
    ends = [end if r.random() < 0.98 else r.choice(["\n", "\r\n", "\r", "\n\r"]) for _ in lines]
    if ends and r.random() < 0.3:
        ends[-1] = ""
    if r.random() < 0.03:
        ends.append('"open')
    text = "".join(line + e for line, e in zip(lines, ends)) + "".join(ends[len(lines) :])
    options = {"sep": sep}
    if r.random() < 0.3:
        options.update(
            r.choice(
                [
                    {"nrows": r.choice([0, 1, 5, 20, 100])},
                    {"header": None},
                    {"names": [f"n{k}" for k in range(width)]},
                    {"skiprows": 1},
                    {"usecols": sorted(r.sample(range(width), r.randint(1, width)))},
                    {"dtype": r.choice(["float64", "str", "int64", object])},
                    {"na_values": r.choice([["a"], [-1, "7"], [0]])},
                    {"keep_default_na": False},
                    {"na_filter": False},
                    {"skip_blank_lines": False},
                    {"quotechar": "'"},
                    {"index_col": 0},
                    {"low_memory": False},
                    {"dtype": {"a": "float64", "b": "str"}},
                    {"usecols": ["a"]},
                ]
            )
        )
    return text, options
