"""A cleaning script that writes what it does to a log, and ends with a summary of the log.

Idea: the logging how-to, with a handler of one's own
"""

import logging
import sys

import numpy as np
import pandas as pd

SIZE = sys.argv[1] if len(sys.argv) > 1 else "middle"
n = 600 if SIZE == "small" else 40_000


class Collector(logging.Handler):
    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        self.records.append((record.levelname, record.funcName, record.getMessage()))


log = logging.getLogger("cleaner")
log.setLevel(logging.DEBUG)
console = logging.StreamHandler(sys.stdout)
console.setFormatter(logging.Formatter("%(levelname)-7s %(message)s"))
console.setLevel(logging.INFO)
collector = Collector()
log.addHandler(console)
log.addHandler(collector)


def load():
    rng = np.random.default_rng(63)
    df = pd.DataFrame(
        {
            "name": rng.choice(["Ada ", " bob", "Cyd", "DAN", ""], n),
            "height": rng.choice(["170", "1.82", "165 cm", "n/a", "190"], n),
            "joined": rng.choice(["2020-01-05", "05.02.2021", "2022/03/07", "soon"], n),
        }
    )
    log.info("loaded %d rows, columns %s", len(df), ", ".join(df.columns))
    return df


def clean_names(df):
    df["name"] = df["name"].str.strip().str.title()
    empty = df["name"] == ""
    if empty.any():
        log.warning("%d rows without a name", empty.sum())
    df.loc[empty, "name"] = "unknown"
    return df


def to_centimetres(text):
    try:
        value = float(text.replace("cm", ""))
    except ValueError:
        log.debug("not a height: %r", text)
        return np.nan
    return value * 100 if value < 3 else value


def clean_heights(df):
    df["height"] = df["height"].apply(to_centimetres)
    log.info("heights: %.2f on average, %d missing", df["height"].mean(), df["height"].isna().sum())
    df["height"] = df["height"].fillna(df.groupby("name")["height"].transform("mean"))
    return df


def clean_dates(df):
    iso = pd.to_datetime(df["joined"], format="%Y-%m-%d", errors="coerce")
    german = pd.to_datetime(df["joined"], format="%d.%m.%Y", errors="coerce")
    slashes = pd.to_datetime(df["joined"], format="%Y/%m/%d", errors="coerce")
    df["joined"] = iso.fillna(german).fillna(slashes)
    if df["joined"].isna().any():
        log.error("%d dates not understood", df["joined"].isna().sum())
    return df


df = load().pipe(clean_names).pipe(clean_heights).pipe(clean_dates)
print(df.head())
print(df.groupby("name")["height"].describe().round(2).to_string())
print(df["joined"].dt.year.value_counts(dropna=False).sort_index())
records = pd.DataFrame(collector.records, columns=["level", "function", "message"])
print(records["level"].value_counts().sort_index())
print(records.groupby("function").size())
