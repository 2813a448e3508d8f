"""Functions that sort, search, count and group, on the emulated CUDA device, against NumPy."""

import pytest
from emulated_arrays import MODES, check

every_mode = pytest.mark.parametrize("mode", MODES)


@every_mode
def test_sort_and_argsort_of_every_type_and_axis(mode):
    said = check(
        """
count = 0
for dtype in [*TYPES, "F", "D"]:
    for shape in SHAPES:
        for few in (False, True):
            a = values(dtype, shape, few)
            x = on_device(a)
            for axis in axes(a):
                case = dtype, shape, few, axis
                same(bc.sort(x, axis=axis), np.sort(a, axis=axis), case)
                same(bc.argsort(x, axis=axis), np.argsort(a, axis=axis, kind="stable"), case)
                same(bc.sort(x, axis=axis, kind="stable"), np.sort(a, axis=axis, kind="stable"), case)
                count += 1
print(count)
""",
        mode,
    )
    assert int(said) == 16 * 2 * (5 * 2 + 2 * 3 + 2 * 4)


@every_mode
def test_views_and_fortran_order_are_sorted_where_they_lie(mode):
    check(
        """
for dtype in "bfd":
    a = values(dtype, (12, 10))
    for take in (lambda v: v.T, lambda v: v[::-2, 1::3], lambda v: v[:, ::-1], lambda v: v[3]):
        for axis in axes(take(a)):
            same(bc.sort(take(on_device(a)), axis=axis), np.sort(take(a), axis=axis), (dtype, axis))
            same(bc.argsort(take(on_device(a)), axis=axis), np.argsort(take(a), axis=axis, kind="stable"), (dtype, axis))
    x, y = on_device(a), a.copy()
    x.sort(axis=0), y.sort(axis=0)
    same(x, y, dtype)
    x[2:5].sort(), y[2:5].sort()
    same(x, y, dtype)
""",
        mode,
    )


@every_mode
def test_zeros_of_both_signs_keep_their_order_in_a_stable_sort(mode):
    check(
        """
a = np.array([0.0, -0.0, 1.0, 0.0, -0.0, -1.0])
same(np.signbit(bc.sort(on_device(a), kind="stable").get()), np.signbit(np.sort(a, kind="stable")), "signs")
""",
        mode,
    )


@every_mode
def test_lexsort_partition_and_argpartition(mode):
    check(
        """
for dtype in TYPES:
    for shape in ((40,), (6, 11)):
        keys = [values(dtype, shape, True), values("d", shape, True), values("b", shape, True)]
        for axis in range(len(shape)):
            same(bc.lexsort([on_device(k) for k in keys], axis=axis), np.lexsort(keys, axis=axis), (dtype, axis))
        a = values(dtype, shape)
        for axis in range(len(shape)):
            for kth in (0, 3, [1, 4], -1):
                p, q = bc.partition(on_device(a), kth, axis=axis).get(), bc.argpartition(on_device(a), kth, axis=axis).get()
                expected = np.take(np.sort(a, axis=axis), kth, axis=axis)
                np.testing.assert_array_equal(np.take(p, kth, axis=axis), expected)
                np.testing.assert_array_equal(np.take(np.take_along_axis(a, q, axis), kth, axis=axis), expected)
                np.testing.assert_array_equal(np.sort(p, axis=axis), np.sort(a, axis=axis))
                np.testing.assert_array_equal(np.sort(q, axis=axis), np.sort(np.argsort(a, axis=axis), axis=axis))
""",
        mode,
    )


@every_mode
def test_unique_and_sets(mode):
    check(
        """
for dtype in [*TYPES, "F", "D"]:
    for shape in ((0,), (1,), (50,), (6, 7)):
        a, b = values(dtype, shape, True), values(dtype, (30,), True)
        x, y = on_device(a), on_device(b)
        same(bc.unique(x), np.unique(a), dtype)
        for ours, theirs in zip(bc.unique(x, True, True, True), np.unique(a, True, True, True)):
            same(ours, theirs, dtype)
        if dtype not in (*"bQdD", "M8[s]"):
            continue
        for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d"):
            same(getattr(bc, name)(x, y), getattr(np, name)(a, b), (name, dtype, shape))
        same(bc.isin(x, y), np.isin(a, b), ("isin", dtype, shape))
    if dtype not in "FD":
        a = values(dtype, (20, 3), True)
        if np.dtype(dtype).kind not in "fmM":
            for ours, theirs in zip(bc.unique(on_device(a), True, True, True, axis=0), np.unique(a, True, True, True, axis=0)):
                same(ours, theirs, ("axis", dtype))
""",
        mode,
    )


@every_mode
def test_searchsorted_and_digitize(mode):
    check(
        """
for dtype in [*TYPES, "F", "D"]:
    for n in (0, 1, 40):
        a, v = np.sort(values(dtype, (n,), True)), values(dtype, (5, 9), True)
        for side in ("left", "right"):
            same(bc.searchsorted(on_device(a), on_device(v), side), np.searchsorted(a, v, side), (dtype, n, side))
x, edges = values("d", (50,), True), np.array([-2.0, 0.0, 0.5, 3.0])
for e in (edges, edges[::-1]):
    for right in (False, True):
        same(bc.digitize(on_device(x), on_device(e.copy()), right), np.digitize(x, e, right), right)
""",
        mode,
    )


@every_mode
def test_counts_and_histograms(mode):
    check(
        """
for n in (0, 1, 63, 64, 65, 1000, 9000):
    index = rng.integers(0, 7, n)
    same(bc.bincount(on_device(index), minlength=9), np.bincount(index, minlength=9), n)
    wide = rng.integers(0, 70000, n)
    same(bc.bincount(on_device(wide)), np.bincount(wide), n)
    weights = rng.normal(0, 1, n)
    np.testing.assert_allclose(bc.bincount(on_device(index), on_device(weights), 9).get(), np.bincount(index, weights, 9), rtol=1e-12, atol=1e-12)
    for dtype in "fdiB":
        a = values(dtype, (n,)) if dtype in "iB" else rng.normal(0, 2, n).astype(dtype)
        for bins in (1, 10, 300, [-1.0, 0.0, 0.5, 4.0]):
            for ours, theirs in zip(bc.histogram(on_device(a), bins, range=(-3, 3) if isinstance(bins, int) else None),
                                    np.histogram(a, bins, range=(-3, 3) if isinstance(bins, int) else None)):
                same(ours, theirs, (dtype, n, bins))
        ours, theirs = bc.histogram(on_device(a), 10, (-3, 3), weights=on_device(weights)), np.histogram(a, 10, (-3, 3), weights=weights)
        np.testing.assert_allclose(ours[0].get(), theirs[0], rtol=1e-12, atol=1e-12)
a, b = rng.normal(0, 1, 200), rng.normal(0, 2, 200)
for ours, theirs in zip(bc.histogram2d(on_device(a), on_device(b), [4, 3]), np.histogram2d(a, b, [4, 3])):
    same(ours, theirs, "histogram2d")
# As many bins as elements, and many more.
for n, bins in ((300, 300), (65, 9000), (5000, 4999)):
    index, weights = rng.permutation(bins)[:n].repeat(2)[-n:], rng.normal(0, 1, n)
    same(bc.bincount(on_device(index), on_device(weights), bins), np.bincount(index, weights, bins), (n, bins))
# Sums of up to 64 elements a bin are NumPy's bits.
index, weights = np.repeat(np.arange(5), 60), rng.normal(0, 1, 300)
same(bc.bincount(on_device(index), on_device(weights)), np.bincount(index, weights), "bits")
""",
        mode,
    )


@every_mode
def test_median_quantile_and_percentile(mode):
    check(
        """
def near(ours, theirs, case):
    np.testing.assert_allclose(np.asarray(ours.get()), theirs, rtol=1e-6 if "f" in case else 1e-13, err_msg=str(case))

for dtype in "fdibQ":
    for shape in ((1,), (31,), (5, 8)):
        a = values(dtype, shape, True)
        if a.dtype.kind == "f":
            a[~np.isfinite(a)] = 1
        for axis in axes(a):
            near(bc.median(on_device(a), axis=axis), np.median(a, axis=axis), (dtype, shape, axis))
            for q in (0.3, [0.0, 0.25, 1.0]):
                for method in ("linear", "lower", "nearest", "median_unbiased"):
                    near(bc.quantile(on_device(a), q, axis=axis, method=method), np.quantile(a, q, axis=axis, method=method), (dtype, shape, axis, q))
            near(bc.percentile(on_device(a), 30, axis=axis), np.percentile(a, 30, axis=axis), (dtype, shape, axis))
        if a.dtype.kind == "f" and a.size > 1:
            a[..., 0] = np.nan
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for name in ("median", "nanmedian"):
                    for axis in axes(a):
                        near(getattr(bc, name)(on_device(a), axis=axis), getattr(np, name)(a, axis=axis), (name, dtype, axis))
""",
        mode,
    )


@every_mode
def test_ufunc_at(mode):
    check(
        """
for dtype in "iqfd":
    for name in ("add", "subtract", "maximum", "minimum"):
        a, v = values(dtype, (9,), True), values(dtype, (200,), True)
        if np.dtype(dtype).kind == "f":
            a[~np.isfinite(a)], v[~np.isfinite(v)] = 1, 2
        index = rng.integers(-9, 9, 200)
        x = on_device(a)
        with np.errstate(all="ignore"), bc.errstate(all="ignore"):
            getattr(bc, name).at(x, on_device(index), on_device(v)), getattr(np, name).at(a, index, v)
        np.testing.assert_allclose(x.get(), a, rtol=1e-5 if dtype == "f" else 1e-13)
""",
        mode,
    )


def test_nothing_waits_but_what_has_a_shape_to_learn():
    said = check("""
a = rng.normal(0, 1, (40, 50))
x, v, i = on_device(a), on_device(a[0]), on_device(np.arange(50))
ordered = bc.sort(v)
bc.synchronize("cuda")
before = calls("cuStreamSynchronize")
results = [bc.sort(x), bc.argsort(x, axis=0), bc.sort(v, kind="stable"), bc.partition(x, 3), bc.argpartition(v, 3), bc.lexsort((v, i)), bc.searchsorted(ordered, x)]
results += [bc.median(x, axis=1), bc.quantile(i, 0.3)]
print(calls("cuStreamSynchronize") - before)
""")
    assert said == "0"


def test_without_the_library_the_functions_say_what_is_missing():
    said = check(
        """
import bascule.installation
with bc.device("cuda"):
    for call in (lambda: bc.sort(bc.arange(3)), lambda: bc.bincount(bc.arange(3))):
        try:
            call()
        except NotImplementedError as error:
            print(error)
    print(float((bc.arange(3.0) + 1).sum()))
    print(bc._core.describe("cuda"))
""",
        BASCULE_CUDA_ALGORITHMS="/nowhere/lib.so",
    )
    first, second, total, described = said.splitlines()
    for line, name in ((first, "sort"), (second, "bincount")):
        assert name in line and "/nowhere/lib.so is missing" in line and "pip install" in line, line
    assert total == "6.0"
    assert "NO SORTING: /nowhere/lib.so is missing" in described


@pytest.mark.parametrize("function", ["cuLaunchKernel", "cuMemAlloc_v2", "cuStreamSynchronize", "cuMemcpyDtoHAsync_v2"])
def test_every_failing_call_is_an_error_and_the_next_is_right(function):
    check(
        f"""
a = values("d", (30,), True)
failed = 0
for call, expected in (
    (lambda: bc.sort(x), np.sort(a)),
    (lambda: bc.unique(x), np.unique(a)),
    (lambda: bc.argsort(x), np.argsort(a, kind="stable")),
    (lambda: bc.searchsorted(bc.sort(x), x), np.searchsorted(np.sort(a), a)),
):
    for k in range(1, 60):
        x = on_device(a)
        bc.synchronize("cuda")
        _fake.bascule_fake_reset()
        os.environ["BASCULE_FAKE_CUDA_FAIL"] = f"{function}:{{k}}"
        try:
            got = call().get()
        except RuntimeError as error:
            assert "[cuda]" in str(error), error
            failed += 1
        else:
            if calls("{function}") < k:
                break
        finally:
            del os.environ["BASCULE_FAKE_CUDA_FAIL"]
            _fake.bascule_fake_reset()
    x = on_device(a)
    np.testing.assert_array_equal(call().get(), expected)
assert failed > 0
""",
        BASCULE_CUDA_POOL="exact",
    )
