"""Comments, spaces and bad lines among quoted fields are read as pandas reads them."""

import io
import warnings

import bascule
import bascule.pandas as bpd
import numpy as np
import pandas
import pytest

SOURCES = {
    "a comment": 'a,b\n1,"x, y"\n# c\n3,4\n', "a comment in quotes": 'a,b\n1,"x # y"\n3,z # no\n', "a quote in a comment": 'a,b\n1,x # "y\n3,"z"\n',
    "a comment behind a quote": 'a,b\n1,"x" # y\n3,"z"# y\n', "too many fields": 'a,b\n1,"x, y"\n3,4,5\n"6","7"\n', "lines in quotes": 'a,b\n1,"x\ny"\n3,4,5\n6,"7\n\n8",9\n',
    "doubled quotes": 'a,b\n1,"x ""y"", # z"\n3,"""",5\n', "quotes within a field": 'a,b\n1,x"y # z\n3,x"4,5"\n', "text behind a quote": 'a,b\n1,"x"y\n3,"z"w,5\n',
    "spaces in front": 'a, b\n1, "x, y"\n3,  4\n', "spaces in front of rows": 'a,b\n "1",x\n  3, "y"\n', "blank lines": 'a,b\n\n1,"x"\n  \n"",y\n\n""\n',
    "an open quote": 'a,b\n1,"x\n3,4,5\n', "windows": 'a,b\r\n1,"x, y"\r\n# c\r\n3,4,5\r\n', "only quotes": '"a","b"\n"1","2"\n# "c"\n"3","4","5"\n',
    "quoted names": '"a, b",c\n1,"x"\n2,y,z\n', "empty quotes": 'a,b\n"",""\n1,""\n', "columns by spaces": 'a  b\n1  "x y"\n3   4\n"5 6"\t"7"\n',
    "labels in front": 'a,b\nr,1,"x"\ns,2,y\nt,3,4,5\n', "long": 'a,b\n' + '1,"x, # y"\n2,z # w\n# "c"\n3,4,5\n' * 200,
}  # fmt: skip
ASKED = [
    {"comment": "#"}, {"on_bad_lines": "skip"}, {"on_bad_lines": "warn"}, {"comment": "#", "on_bad_lines": "skip"}, {"skipinitialspace": True},
    {"sep": r"\s+"}, {"sep": r"\s+", "comment": "#"}, {"comment": "#", "skipinitialspace": True, "on_bad_lines": "skip"}, {"comment": "#", "header": None},
    {"comment": "#", "names": ["p", "q"]}, {"comment": "#", "quotechar": "'"}, {"comment": "#", "quoting": 3}, {"comment": "#", "doublequote": False},
    {"comment": "#", "dtype": str}, {"comment": "#", "usecols": [0]}, {"comment": "#", "nrows": 1}, {"comment": '"'},
]  # fmt: skip


def _outcome(read, text, asked):
    with warnings.catch_warnings(record=True, action="always") as said:
        try:
            x = read(io.StringIO(text), **asked)
        except Exception as e:
            return type(e), str(e)
    x = x.to_pandas() if hasattr(x, "to_pandas") else x
    values = [(str(c), x[c].dtype, [(type(v), str(v)) for v in x[c]]) for c in x]
    words = [(w.category, str(w.message)) for w in said if w.category is not bascule.FallbackWarning]
    return list(map(str, x.index)), values, words


@pytest.mark.parametrize("asked", ASKED, ids=str)
@pytest.mark.parametrize("text", SOURCES)
def test_quotes_are_read_as_by_pandas(text, asked):
    assert _outcome(bpd.read_csv, SOURCES[text], asked) == _outcome(pandas.read_csv, SOURCES[text], asked)


def test_random_sources_are_read_as_by_pandas():
    random = np.random.default_rng(0)
    parts = ["a", "1", "2.5", '"', '""', ",", ",", "#", " ", "\n", "\n", '"x"', '",', ',"']
    for _ in range(1500):
        text = "p,q\n" + "".join(random.choice(parts, int(random.integers(1, 25))))
        asked = ASKED[int(random.integers(0, 8))]
        assert _outcome(bpd.read_csv, text, asked) == _outcome(pandas.read_csv, text, asked), (text, asked)


def test_the_usual_ways_are_native():
    bascule.fallbacks(reset=True)
    for asked in ({"comment": "#"}, {"on_bad_lines": "skip"}):
        bpd.read_csv(
            io.StringIO('a,b\n1,"x, y"\n# c\n3,4,5\n6,"z"\n' if "on_bad_lines" in asked else SOURCES["a comment"]),
            **asked,
        )
    assert bascule.fallbacks() == []
