"""read_csv on the emulated CUDA device: the same frames and errors as on the CPU device, from text that is copied once."""

import ast

import sweeps
from emulated_frames import check

RANDOM = """
import io, random
from collections import Counter
from random_csv import table

def outcome(text, options):
    try:
        return pd.read_csv(io.BytesIO(text), **options)
    except Exception as error:
        return type(error).__name__, str(error)

def same(a, b):
    pandas.testing.assert_frame_equal(a, b, check_exact=True, check_column_type=True)
    for k in range(a.shape[1]):
        x, y = a.iloc[:, k], b.iloc[:, k]
        if x.dtype == "float64":
            bits = [np.where(np.isnan(v), 0.5, v).view("i8") for v in (x.to_numpy(), y.to_numpy())]
            assert (bits[0] == bits[1]).all(), (x[bits[0] != bits[1]], y[bits[0] != bits[1]])

bc.config.set(fallback="silent")
first, step, count = FIRST, STEP, COUNT
left, read, failed = Counter(), 0, 0
for seed in range(first, first + step * count, step):
    r = random.Random(seed)
    text, options = table(r)
    bytes_ = text.encode("utf-8" if r.random() < 0.97 else "latin-1", "replace")
    with bc.device("cpu"):
        expected = outcome(bytes_, options)
    bc.fallbacks(reset=True)
    found = outcome(bytes_, options)
    new = [(f["name"], f["reason"].split(":")[0]) for f in bc.fallbacks()]
    try:
        if isinstance(expected, tuple) or isinstance(found, tuple):
            assert found == expected, (found, expected)
            failed += 1
            continue
        assert all(c.device == "cuda" for c in found._columns if c.has_core)
        same(found.to_pandas(), expected.to_pandas())
    except AssertionError as error:
        raise AssertionError((seed, bytes_, options, str(error))) from error
    left.update(reason for name, reason in new if name == "read_csv")
    read += not new
print(read, failed, dict(left))
"""


# Reasons why the CPU device reads a file, or converts a number; docs/gpu.md documents them.
LEFT = {
    "no rows", "an open quote", "rows of too many fields", "text that is not UTF-8", "text that does not have the requested type",
    "numbers around quotes", "na_values= that are numbers, and numbers of more than 19 digits",
    "numbers of more than 19 digits converted by the host",
}  # fmt: skip
COUNT = 250


def test_random_files_are_read_as_by_the_cpu_device():
    """Another part of the files each day."""
    k, n = sweeps.part()
    said = check(RANDOM.replace("FIRST, STEP, COUNT", f"{k}, {n}, {COUNT}"))
    read, failed, left = said.split(" ", 2)
    reasons = ast.literal_eval(left)
    assert int(read) > COUNT // 3 and 0 < int(failed) < COUNT // 3, said
    assert LEFT.issuperset(reasons), said


WAITS = """
import io
rows = 300
def counts():
    return np.array([calls(n) for n in ("cuStreamSynchronize", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2")])
for width in (1, 30):
    table = {}
    for k in range(width):
        table |= {f"i{k}": rng.integers(-9, 9, rows), f"f{k}": numbers("f8", rows), f"s{k}": texts(rows), f"b{k}": rng.random(rows) < 0.5}
    text = pandas.DataFrame(table).to_csv(index=False).encode()
    pd.read_csv(io.BytesIO(text))
    bc.synchronize()
    bc.fallbacks(reset=True)
    before = counts()
    frame = pd.read_csv(io.BytesIO(text))
    print(*(counts() - before), len(bc.fallbacks()))
    pandas.testing.assert_frame_equal(frame.to_pandas(), pandas.read_csv(io.BytesIO(text)), check_exact=True)
"""


def test_waits_and_copies_are_as_many_for_any_number_of_columns():
    one, many = (list(map(int, line.split())) for line in check(WAITS).splitlines())
    assert one == many
    waits, to_device, to_host, fallbacks = one
    assert waits <= 3 and to_device <= 4 and to_host <= 3 and fallbacks == 0


def test_digits_behind_the_nineteenth_decide_on_the_host_and_are_counted():
    said = check(
        """
import io
middle = 2**53 + 1  # between two doubles, both as far
fields = [f"{middle}.{'0' * 10}{last}" for last in "01"] + [f"{middle}{'0' * 20}e-20", f"-{middle}.{'0' * 30}1", "1.5"]
text = ("a,b\\n" + "".join(f"{f},x\\n" for f in fields)).encode()
bc.fallbacks(reset=True)
found = pd.read_csv(io.BytesIO(text)).a.to_numpy()
assert found.tolist() == [float(f) for f in fields], found
print(bc.fallbacks())
"""
    )
    [counted] = ast.literal_eval(said)
    assert counted["name"] == "read_csv" and "19 digits" in counted["reason"] and counted["calls"] == 1


DATES = r"""
import io
cases = [
    ["2024-02-29", "", "1999-12-31"], ["2024-02-29 01:02", "2024-03-01 23:59"], ["2024-02-29T01:02:03", "NaT"], ["", "NA"],
    ["2024-02-29 01:02:03.5", "0001-01-01 00:00:00.25"], ["2024-02-29 01:02:03.123456789", "NaT"], ['"2024-02-29"', "2000-01-01"],
    ["2024-02-29", "2024-02-29 01:02"], ["2023-02-29", "2024-01-01"], ["1-2-2024", "3-4-2024"], ["0001-01-01 00:00:00.123456789", "NaT"],
]
left = 0
for fields in cases:
    text = ("a,t\n" + "".join(f"1,{f}\n" for f in fields)).encode()
    with bc.device("cpu"):
        expected = pd.read_csv(io.BytesIO(text), parse_dates=["t"]).to_pandas()
    bc.fallbacks(reset=True)
    found = pd.read_csv(io.BytesIO(text), parse_dates=["t"])
    pandas.testing.assert_frame_equal(found.to_pandas(), expected)
    left += bool(bc.fallbacks())
print(left)
"""


def test_dates_of_one_iso_form_are_read_on_the_device():
    assert check("bc.config.set(fallback='silent')\n" + DATES) == "4"


REASONS = r"""
import io
text = b"a,b,t\n1,x,2024-01-01\n2.5,y,2024-01-02\n"
for options, reason in [
    ({"byte_range": (0, 20)}, "byte_range="), ({"thousands": "'"}, "thousands= or decimal="),
    ({"true_values": ["x"], "false_values": ["y"]}, "true_values= or false_values="), ({"parse_dates": ["t"], "date_format": "%Y-%m-%d"}, "date_format= or dayfirst="),
    ({"na_values": ["w" * 65]}, "na_values= with quotes, or of more than 64 bytes"), ({"na_values": ['a"']}, "na_values= with quotes, or of more than 64 bytes"),
    ({"na_values": ["0.1234567890123456789012345"]}, None), ({}, None), ({"usecols": ["b"], "nrows": 1, "dtype": {"b": "str"}}, None),
]:
    bc.fallbacks(reset=True)
    found = pd.read_csv(io.BytesIO(text), **options)
    with bc.device("cpu"):
        pandas.testing.assert_frame_equal(found.to_pandas(), pd.read_csv(io.BytesIO(text), **options).to_pandas())
    assert {c.device for c in found._columns} == {"cuda"}
    said = [f["reason"].split(":")[0] for f in bc.fallbacks()]
    assert said == [reason] * (reason is not None), (options, said)
print("read")
"""


def test_what_only_the_cpu_device_reads_is_counted_with_its_reason():
    assert check(REASONS) == "read"


def test_a_file_is_read_as_text_in_memory(tmp_path):
    file = tmp_path / "table.csv"
    file.write_bytes('\ufeffa,b\r\n1,x\r\n2,"y\r\nz"'.encode())
    said = check(
        f"""
bc.fallbacks(reset=True)
found = pd.read_csv({str(file)!r})
pandas.testing.assert_frame_equal(found.to_pandas(), pandas.read_csv({str(file)!r}))
assert not bc.fallbacks()
import io
for frame in pd.read_csv(io.StringIO("a\\n1\\n2\\n3\\n"), chunksize=2):
    print(len(frame), frame.a._column.device)
"""
    )
    assert said.splitlines() == ["2 cuda", "1 cuda"]
