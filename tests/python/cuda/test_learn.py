"""Learning on rows on the emulated CUDA device: results are those on the host, and no copy grows with the rows."""

import sys
from pathlib import Path

import emulated_cuda
import pytest
from bascule.learn._coverage import THEIRS
from learn_on_device import MORE_ROWS, ON_DEVICE, REFUSED, ROWS

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/cuda"))
import learn_report

TABLE = ROOT / "benchmarks/results/cuda-learn.md"
SEARCHES = {name for name in THEIRS if name.startswith("model_selection.")}
OF_TEXT = {name for name in THEIRS if name.endswith("Vectorizer")}


@pytest.mark.parametrize("name", ON_DEVICE)
def test_a_fit_of_rows_on_the_device(name):
    """Fallback is forbidden; results, and those with weights, are compared with the host's in the same process."""
    emulated_cuda.library()
    (found,) = learn_report.measured([name])
    few, many = found["to_device"] + found["to_host"], sum(found["of_more_rows"][2:])
    assert many - few < MORE_ROWS - ROWS, "a copy grows with the rows"
    assert max(few, many) < 1 << 20
    _, launches, waits, to_device, to_host, _ = learn_report.read(TABLE)[name]
    assert found["launches"] <= launches and found["waits"] <= waits
    assert found["to_device"] <= to_device and found["to_host"] <= to_host


def test_every_estimator_is_listed():
    assert ON_DEVICE.keys() | REFUSED.keys() == THEIRS.keys() - SEARCHES - OF_TEXT
    assert learn_report.read(TABLE).keys() == ON_DEVICE.keys()
    text = TABLE.read_text()
    assert all(f"| `{name}` | {reason} |" in text for name, reason in REFUSED.items())


REFUSING = """
import sys
sys.path.insert(0, {support!r})
from learn_on_device import REFUSED, ROWS, made, on_device, samples
bc.config.set(fallback="error")
for name, reason in REFUSED.items():
    X, y = samples(ROWS, name)
    try:
        made(name).fit(on_device(y if name.endswith("LabelEncoder") else X), *([] if name.endswith("LabelEncoder") else [y]))
    except NotImplementedError as error:
        assert name.rpartition(".")[2] in str(error) and reason in str(error), (name, error)
    else:
        raise AssertionError(name + " did not raise")
"""


def test_what_is_refused():
    emulated_cuda.run(REFUSING.format(support=str(ROOT / "tests/python/support")))


LITTLE_MEMORY = """
from bascule.learn.linear_model import Ridge
X = np.random.default_rng(0).normal(size=(20_000, 10))
y = X @ np.arange(10.0)
rows, targets = (bc.asarray(a).to_device("cuda") for a in (X, y))
model = Ridge().fit(rows, targets)
bc.synchronize("cuda")
bc.trim("cuda")
os.environ["BASCULE_FAKE_CUDA_MEMORY"] = str(_fake.bascule_fake_bytes_in_use() + X.nbytes // 3)
np.testing.assert_allclose(Ridge().fit(rows, targets).coef_.get(), model.coef_.get(), rtol=1e-12, atol=1e-12)
before = dict(vars(model))
os.environ["BASCULE_FAKE_CUDA_MEMORY"] = str(_fake.bascule_fake_bytes_in_use())
try:
    model.fit(rows, targets)
except MemoryError:
    assert vars(model).keys() == before.keys() and all(vars(model)[k] is v for k, v in before.items())
else:
    raise AssertionError("it did not raise")
"""


def test_a_pass_that_does_not_fit_into_memory_has_smaller_blocks():
    """And without any memory it is an error, which leaves the model as it was."""
    emulated_cuda.run(LITTLE_MEMORY, BASCULE_CUDA_POOL="exact")
