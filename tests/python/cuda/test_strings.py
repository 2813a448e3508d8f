"""`.str` of columns with mostly different strings, on the emulated CUDA device, against pandas."""

import pytest
from emulated_frames import check

PROGRAM = """
words = ["", "a", " b ", "ab,c", "Az,Bz,,", "-12", "+7", "007", "xxabxxab", "ends in ab", "\\t tabs \\n", "aaa", "ABba", "x" * 200 + "ab"]
others = ["é", "éa,é", "a é b", "日本,語", "ab日", "ß,"]
def column(ascii, n=600, holes=True):
    own = words if ascii else words + others
    a = np.array([f"{own[i % len(own)]}{i:x}" if i % 3 else own[i % len(own)] for i in rng.integers(0, 10**6, n)], object)
    if holes:
        a[rng.random(n) < 0.1] = None
    return pandas.DataFrame({"s": pandas.Series(a, dtype=DTYPE), "z": pandas.Series(a[::-1], dtype=DTYPE)})

from bascule.pandas._strings import methods
methods._MOST_BYTES = 0  # no texts are read by the host
ANY = (
    lambda s: s.str.len(), lambda s: s.str.contains("ab", regex=False), lambda s: s.str.contains("ab"), lambda s: s.str.contains(",", na=True),
    lambda s: s.str.startswith("a"), lambda s: s.str.startswith(("a", "x")), lambda s: s.str.endswith("b"), lambda s: s.str.endswith(""),
    lambda s: s.str.find("a"), lambda s: s.str.find(","), lambda s: s.str.rfind("a"), lambda s: s.str.count("a"), lambda s: s.str.count(","),
    lambda s: s.str[:2], lambda s: s.str[1:3], lambda s: s.str[-2:], lambda s: s.str[:-1], lambda s: s.str[3:1], lambda s: s.str.slice(2),
    lambda s: s.str.get(0), lambda s: s.str[-1], lambda s: s.str.get(2), lambda s: s.str.slice_replace(1, 2, "<>"), lambda s: s.str.slice_replace(stop=2),
    lambda s: s.str.strip("ab"), lambda s: s.str.lstrip("xa"), lambda s: s.str.rstrip("b,"),
    lambda s: s.str.replace("ab", "<>", regex=False), lambda s: s.str.replace("a", "", regex=False), lambda s: s.str.replace(",", "é;", n=1, regex=False),
    lambda s: s.str.pad(6), lambda s: s.str.pad(6, "both", "*"), lambda s: s.str.center(7, "é"), lambda s: s.str.ljust(5), lambda s: s.str.rjust(4, "0"),
    lambda s: s.str.zfill(5), lambda s: s.str.removeprefix("a"), lambda s: s.str.removesuffix("ab"), lambda s: s.str.repeat(2),
    lambda s: s.str.split(",", expand=True), lambda s: s.str.split(",", n=1, expand=True), lambda s: s.str.partition(","),
    lambda s: s.str.isascii(), lambda s: s + "!", lambda s: "<" + s, lambda s: s + s,
)
ASCII = (lambda s: s.str.upper(), lambda s: s.str.lower(), lambda s: s.str.swapcase(), lambda s: s.str.strip(), lambda s: s.str.lstrip(), lambda s: s.str.casefold(),
    lambda s: s.str.title(), lambda s: s.str.capitalize(), lambda s: s.str.isdigit(), lambda s: s.str.isalpha(), lambda s: s.str.isalnum(),
    lambda s: s.str.isspace(), lambda s: s.str.isnumeric())
ENDS = (lambda s: s.min(), lambda s: s.max()) if DTYPE == "str" else ()  # the CPU device has none of the others
count = 0
for ascii in (True, False):
    for n in (600, 1) if SAMPLE == 1 else (70,):
        frame = column(ascii, n)
        for f in (*ANY, *ENDS, *(ASCII if ascii else ())):
            try:
                both(lambda x: f(x.s), frame)
            except AssertionError as error:
                raise AssertionError(f"{count} {ascii} {n}: {error}") from error
            count += 1
        both(lambda x: x.s.str.cat(x.z), frame)
        both(lambda x: x.s.str.cat(x.z, sep="-"), frame)
        both(lambda x: x.s.iloc[3:40].str.upper() if ascii else x.s.iloc[3:40].str.len(), frame)
print(count)
"""


@pytest.mark.parametrize("dtype", ("str", "string"))
def test_results_are_those_of_pandas(dtype):
    assert int(check(f"DTYPE = {dtype!r}\n" + PROGRAM)) >= 150


def test_results_are_those_of_pandas_on_late_streams_over_memory_whose_ends_are_watched():
    check('DTYPE = "str"\n' + PROGRAM, "late")


BY_THE_HOST = """
from bascule.pandas._strings import threads
threads._PIECE_BYTES = 9000  # several pieces
words = ["é", "aba", "x-12", "ÀB c", " ", "ß", "ab\\nab", "Straße 7", "日本 12"]
a = np.array([f"{words[k % len(words)]}{k}" for k in rng.permutation(5000)], object)
a[::13] = None
frame = pandas.DataFrame({"s": pandas.Series(a, dtype=DTYPE)})
CALLS = {
    "upper": lambda s: s.str.upper(), "lower": lambda s: s.str.lower(), "title": lambda s: s.str.title(), "capitalize": lambda s: s.str.capitalize(),
    "swapcase": lambda s: s.str.swapcase(), "strip": lambda s: s.str.strip(), "istitle": lambda s: s.str.istitle(), "isalpha": lambda s: s.str.isalpha(),
    "contains": lambda s: s.str.contains("a.b|[0-9]{4}"), "match": lambda s: s.str.match("[a-z]+1"), "fullmatch": lambda s: s.str.fullmatch("x-12[0-9]+"),
    "replace": lambda s: s.str.replace("[0-9]+", "#", regex=True), "count": lambda s: s.str.count("[13]"), "extract": lambda s: s.str.extract("([a-z]+)([0-9]+)"),
    "split": lambda s: s.str.split("1"), "rsplit": lambda s: s.str.rsplit("1", n=1, expand=True), "findall": lambda s: s.str.findall("[0-9]"),
    "slice": lambda s: s.str[::2], "translate": lambda s: s.str.translate({49: "one"}), "normalize": lambda s: s.str.normalize("NFD"),
}
bc.fallbacks(reset=True)
for name, f in CALLS.items():
    try:
        both(lambda x: f(x.s), frame)
    except AssertionError as error:
        raise AssertionError(f"{name}: {error}") from error
    assert [e["calls"] for e in bc.fallbacks(reset=True) if "in pieces" in e["reason"]] == [1], name
found = pd.from_pandas(frame).s.str.upper()
assert found._column.device.startswith("cuda"), found._column.device
"""


@pytest.mark.parametrize("dtype", ("str", "string"))
def test_case_and_regular_expressions_of_any_number_of_strings(dtype):
    check(f"DTYPE = {dtype!r}\n" + BY_THE_HOST)


def test_strings_of_a_card_that_is_not_the_default_stay_there():
    check(
        """
with bc.device("cuda:1"):
    s = pd.Series([f"é{k}" for k in range(9000)])
few = pandas.Series(["é", "a"] * 900)
with bc.device("cuda:1"):
    t = pd.Series(few)
for x in (s, t):
    upper, matches = x.str.upper(), x.str.contains("é1|a")
    assert upper._column.device == "cuda:1" and matches._column.device == "cuda:1", (upper._column.device, matches._column.device)
    pandas.testing.assert_series_equal(upper.to_pandas(), x.to_pandas().str.upper())
    pandas.testing.assert_series_equal(matches.to_pandas(), x.to_pandas().str.contains("é1|a"))
""",
        BASCULE_FAKE_CUDA_DEVICES="2",
    )


def test_what_is_missing_says_its_name():
    check(
        """
s = pd.Series([f"é{v}" for v in range(9000)])
for name, call in {"str.contains": lambda: s.str.contains("(?<=a)b"), "str.extractall": lambda: s.str.extractall("(a)")}.items():
    try:
        call()
    except NotImplementedError as error:
        assert name in str(error) and "cuda" in str(error), (name, error)
    else:
        raise AssertionError(name)
"""
    )
