"""SciPy with SCIPY_ARRAY_API=1: statistics, special functions, clusters, images, signals, optimisation and more.

Functions for which SciPy supports only NumPy arrays return NumPy arrays here, too.
"""

import bascule as bc
import numpy as np
import pytest
import scipy.optimize.elementwise as elementwise
from scipy import (
    cluster,
    constants,
    differentiate,
    fft,
    integrate,
    interpolate,
    ndimage,
    optimize,
    signal,
    special,
    stats,
)
from scipy.cluster import hierarchy, vq
from scipy.linalg import block_diag, eigh, solve, svd
from scipy.spatial import KDTree, distance, transform
from sklearn.datasets import load_diabetes, load_digits, load_iris
from users import same

IRIS = load_iris().data
LENGTHS, WIDTHS, PETALS = (IRIS[:, i].copy() for i in range(3))
DIGIT = load_digits().images[0]
# The responses in a fixed order as a series, with trends and noise.
SERIES = load_diabetes().target - 150
RTOL = 1e-12


@pytest.fixture(autouse=True)
def silent():
    with bc.config.set(fallback="silent"):
        yield


# ---- statistics

ONE_SAMPLE = """skew kurtosis gmean hmean variation sem zscore gzscore entropy circmean circvar circstd iqr tmean tvar tmin tmax
tstd tsem median_abs_deviation differential_entropy rankdata sigmaclip mode"""
OWN_RESULTS = "skewtest kurtosistest normaltest jarque_bera"
TWO_SAMPLES = """ttest_ind ttest_rel pearsonr spearmanr mannwhitneyu wilcoxon f_oneway bartlett levene fligner kruskal ansari mood
cramervonmises_2samp alexandergovern brunnermunzel epps_singleton_2samp chatterjeexi bws_test"""
ON_NUMPY = "kendalltau ks_2samp ranksums linregress theilslopes energy_distance wasserstein_distance"


def numbers(result):
    """The statistic and p-value of a test, or another result."""
    return (result.statistic, result.pvalue) if hasattr(result, "statistic") else result


@pytest.mark.parametrize("name", ONE_SAMPLE.split())
def test_statistics_of_a_sample(name):
    same(getattr(stats, name), LENGTHS, rtol=RTOL)


@pytest.mark.parametrize("name", "skew kurtosis sem zscore tmean iqr gmean rankdata".split())
def test_statistics_along_an_axis(name):
    same(lambda x: getattr(stats, name)(x, axis=0), IRIS, rtol=RTOL)


@pytest.mark.parametrize("name", OWN_RESULTS.split())
def test_tests_of_a_sample(name):
    same(lambda x: numbers(getattr(stats, name)(x)), LENGTHS, rtol=RTOL)


@pytest.mark.parametrize("name", TWO_SAMPLES.split())
def test_tests_of_two_samples(name):
    same(lambda x, y: numbers(getattr(stats, name)(x, y)), LENGTHS, WIDTHS, rtol=1e-11)


@pytest.mark.parametrize("name", ON_NUMPY.split())
def test_statistics_that_scipy_computes_with_numpy(name):
    same(lambda x, y: numbers(getattr(stats, name)(x, y)), LENGTHS, WIDTHS, rtol=RTOL, stays=False)


STATISTICS = {
    "describe": lambda x: tuple(stats.describe(x)),
    "moment": lambda x: stats.moment(x, 3),
    "pmean": lambda x: stats.pmean(x, 2),
    "trim_mean": lambda x: stats.trim_mean(x, 0.1),
    "lmoment": lambda x: stats.lmoment(x),
    "boxcox_llf": lambda x: stats.boxcox_llf(0.5, x),
    "ttest_1samp": lambda x: numbers(stats.ttest_1samp(x, 5.0)),
    "friedmanchisquare": lambda x: numbers(stats.friedmanchisquare(x, x + 1, x * x)),
    "chisquare": lambda x: numbers(stats.chisquare(x, x[::-1])),
    "combine_pvalues": lambda x: numbers(stats.combine_pvalues(x / 10)),
    "false_discovery_control": lambda x: stats.false_discovery_control(x / 10),
    "quantile": lambda x: stats.quantile(x, x[:3] / 10),
    "normal": lambda x: stats.Normal(mu=5.0, sigma=1.0).cdf(x),
    "bootstrap": lambda x: tuple(stats.bootstrap((x,), np.mean, n_resamples=99, rng=3).confidence_interval),
    "permutation_test": lambda x: numbers(
        stats.permutation_test(
            (x[:50], x[50:100]), lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis), n_resamples=99, rng=3
        )  # fmt: skip
    ),
}


@pytest.mark.parametrize("name", STATISTICS)
def test_statistics(name):
    same(STATISTICS[name], LENGTHS, rtol=1e-11, stays=False)


# ---- special functions

OF_ONE = """erf erfc gammaln gamma digamma i0 i1 i0e i1e ndtr ndtri log_ndtr entr expit logit logsumexp softmax log_softmax expm1
sinc exp10 cbrt exp2 k0 k1"""
OF_TWO = "xlogy rel_entr betaln chdtr chdtrc stdtr zeta poch jv binom kl_div huber boxcox inv_boxcox gammainc gammaincc"


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name", OF_ONE.split())
def test_special_functions(name, dtype):
    same(getattr(special, name), (LENGTHS / 10).astype(dtype), rtol=1e-14 if dtype == "f8" else 3e-6)


@pytest.mark.parametrize("name", OF_TWO.split())
def test_special_functions_of_two(name):
    same(getattr(special, name), LENGTHS, LENGTHS / 10, rtol=1e-14)


def test_special_functions_of_more():
    same(special.betainc, LENGTHS, WIDTHS, LENGTHS / 10, rtol=1e-14)
    same(lambda x: special.hyp2f1(0.5, 1.0, 1.5, x), LENGTHS / 10, rtol=1e-14)


# ---- clusters

LINKS = hierarchy.linkage(IRIS, "ward")
CLUSTERS = {
    "whiten": lambda x: vq.whiten(x),
    "vq": lambda x: vq.vq(x, x[::60]),
    "kmeans": lambda x: vq.kmeans(x, x[::60]),
    "kmeans2": lambda x: vq.kmeans2(x, x[::60], minit="matrix"),
    "linkage": lambda x: hierarchy.linkage(x, "average"),
    "fclusterdata": lambda x: hierarchy.fclusterdata(x, 1.0),
}
TREES = {
    "fcluster": lambda z: hierarchy.fcluster(z, 3, criterion="maxclust"),
    "cophenet": hierarchy.cophenet,
    "inconsistent": hierarchy.inconsistent,
    "leaves_list": hierarchy.leaves_list,
    "maxdists": hierarchy.maxdists,
    "is_valid_linkage": hierarchy.is_valid_linkage,
    "num_obs_linkage": hierarchy.num_obs_linkage,
}


@pytest.mark.parametrize("name", CLUSTERS)
def test_clusters(name):
    same(CLUSTERS[name], IRIS, rtol=RTOL)


@pytest.mark.parametrize("name", TREES)
def test_trees(name):
    same(TREES[name], LINKS, rtol=RTOL)


# ---- images

FILTERS = {
    **{n: () for n in "sobel laplace prewitt spline_filter center_of_mass variance mean maximum_position extrema".split()},
    **{n: (3,) for n in "median_filter uniform_filter maximum_filter minimum_filter grey_opening morphological_gradient".split()},  # fmt: skip
    **{n: (1.0,) for n in ("gaussian_filter", "gaussian_laplace", "fourier_gaussian", "gaussian_gradient_magnitude")},
    "rotate": (30.0,), "zoom": (2.0,), "shift": (1.5,), "percentile_filter": (50, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", FILTERS)
def test_filters(name):
    same(lambda x: getattr(ndimage, name)(x, *FILTERS[name]), DIGIT, rtol=RTOL)


@pytest.mark.parametrize(
    "name", ["label", "distance_transform_edt", "binary_dilation", "binary_erosion", "binary_fill_holes"]
)
def test_binary_images(name):
    same(getattr(ndimage, name), DIGIT > 5, rtol=RTOL)


def test_images_with_weights_and_positions():
    weights = np.arange(9.0).reshape(3, 3)
    for name in ("convolve", "correlate"):
        same(getattr(ndimage, name), DIGIT, weights, rtol=RTOL)
    same(ndimage.affine_transform, DIGIT, np.eye(2) * 1.1, rtol=RTOL)
    same(ndimage.map_coordinates, DIGIT, np.array([[1.5, 2.5], [3.2, 4.1]]), rtol=RTOL)


# ---- signals

B, A = signal.butter(3, 0.2)
SECTIONS = signal.butter(4, 0.2, output="sos")
SIGNALS = {
    "convolve": lambda x: signal.convolve(x, x[:11]),
    "fftconvolve": lambda x: signal.fftconvolve(x, x[:11]),
    "oaconvolve": lambda x: signal.oaconvolve(x, x[:11]),
    "correlate": lambda x: signal.correlate(x, x[:11]),
    "detrend": signal.detrend,
    "hilbert": signal.hilbert,
    "envelope": signal.envelope,
    "savgol_filter": lambda x: signal.savgol_filter(x, 11, 3),
    "medfilt": lambda x: signal.medfilt(x, 5),
    "wiener": lambda x: signal.wiener(x, 5),
    "resample": lambda x: signal.resample(x, 200),
    "resample_poly": lambda x: signal.resample_poly(x, 3, 2),
    "upfirdn": lambda x: signal.upfirdn(x[:11], x, 2, 3),
    "lombscargle": lambda x: signal.lombscargle(x / 7, x, x[:20] ** 2 + 1),
}
SIGNALS_ON_NUMPY = {
    "welch": signal.welch,
    "periodogram": signal.periodogram,
    "stft": signal.stft,
    "find_peaks": lambda x: signal.find_peaks(x)[0],
    "decimate": lambda x: signal.decimate(x, 4),
}
FILTERED = {
    "lfilter": lambda b, a, s, x: signal.lfilter(b, a, x),
    "filtfilt": lambda b, a, s, x: signal.filtfilt(b, a, x),
    "sosfilt": lambda b, a, s, x: signal.sosfilt(s, x),
    "sosfiltfilt": lambda b, a, s, x: signal.sosfiltfilt(s, x),
    "freqz": lambda b, a, s, x: signal.freqz(b, a),
    "freqz_sos": lambda b, a, s, x: signal.freqz_sos(s),
    "tf2zpk": lambda b, a, s, x: signal.tf2zpk(b, a),
    "tf2sos": lambda b, a, s, x: signal.tf2sos(b, a),
    "lfilter_zi": lambda b, a, s, x: signal.lfilter_zi(b, a),
}


@pytest.mark.parametrize("name", SIGNALS)
def test_signals(name):
    same(SIGNALS[name], SERIES, rtol=1e-11)


@pytest.mark.parametrize("name", SIGNALS_ON_NUMPY)
def test_signals_that_scipy_computes_with_numpy(name):
    same(SIGNALS_ON_NUMPY[name], SERIES, rtol=1e-11, stays=False)


@pytest.mark.parametrize("name", FILTERED)
def test_digital_filters(name):
    same(FILTERED[name], B, A, SECTIONS, SERIES, rtol=1e-11)


# ---- optimisation, integrals, derivatives


def both(solve_with, rtol, stays=True):
    """Check code that creates its arrays with a module, with NumPy and with bascule."""
    from users import check

    check(solve_with(bc), solve_with(np), rtol, stays)


SOLVERS = {
    "rosen": lambda m: (optimize.rosen(m.asarray([1.2, 0.7, 2.0])), optimize.rosen_der(m.asarray([1.2, 0.7, 2.0]))),
    "least_squares": lambda m: (
        optimize.least_squares(lambda p: m.asarray(IRIS) @ m.asarray(p) - m.asarray(LENGTHS), m.ones(4)).x
    ),
    "find_root": lambda m: (
        elementwise.find_root(
            lambda q, c: q**2 - c, (m.zeros(4), m.full((4,), 9.0)), args=(m.asarray([1.0, 2.0, 3.0, 4.0]),)
        ).x
    ),
    "bracket_root": lambda m: (
        elementwise.bracket_root(lambda q, c: q**3 - c, m.asarray([0.1, 0.2]), args=(m.asarray([3.0, 4.0]),)).bracket
    ),
    "derivative": lambda m: differentiate.derivative(m.sin, m.asarray(LENGTHS)).df,
    "jacobian": lambda m: differentiate.jacobian(lambda q: q * q, m.asarray(LENGTHS[:5])).df,
    "tanhsinh": lambda m: (
        integrate.tanhsinh(lambda q: m.exp(-q * q), m.asarray([0.0, 0.1]), m.asarray([1.0, 2.0])).integral
    ),
    "nsum": lambda m: integrate.nsum(lambda q: 1 / q**2, m.asarray(1.0), m.asarray(100.0)).sum,
    "cubature": lambda m: integrate.cubature(lambda q: m.exp(-m.sum(q * q, axis=-1)), m.zeros(2), m.ones(2)).estimate,
}
SOLVERS_ON_NUMPY = {
    "minimize": lambda m: optimize.minimize(optimize.rosen, m.asarray([1.3, 0.7]), method="Nelder-Mead").x,
    "minimize by gradients": lambda m: (
        optimize.minimize(optimize.rosen, m.asarray([1.3, 0.7]), jac=optimize.rosen_der, method="L-BFGS-B").x
    ),
    "curve_fit": lambda m: optimize.curve_fit(
        lambda q, u, v: u * m.exp(-v * m.asarray(q)), m.asarray(LENGTHS), m.asarray(2 * np.exp(-LENGTHS / 3)), p0=(1, 1)
    )[0],
    "root": lambda m: optimize.root(lambda p: p**2 - m.asarray([4.0, 9.0]), m.ones(2)).x,
    "nnls": lambda m: optimize.nnls(m.asarray(IRIS), m.asarray(LENGTHS))[0],
    "linear_sum_assignment": lambda m: optimize.linear_sum_assignment(m.asarray(IRIS[:5])),
    "solve_ivp": lambda m: integrate.solve_ivp(lambda t, y: -m.asarray(y), (0, 1), m.asarray([1.0, 2.0])).y,
    "simpson": lambda m: integrate.simpson(m.asarray(WIDTHS)),
}


@pytest.mark.parametrize("name", SOLVERS)
def test_solvers(name):
    both(SOLVERS[name], rtol=1e-11)


@pytest.mark.parametrize("name", SOLVERS_ON_NUMPY)
def test_solvers_that_scipy_runs_with_numpy(name):
    both(SOLVERS_ON_NUMPY[name], rtol=1e-10, stays=False)


@pytest.mark.parametrize("name", ["trapezoid", "cumulative_trapezoid", "cumulative_simpson"])
def test_integrals_of_samples(name):
    same(lambda y, x: getattr(integrate, name)(y, x=x), WIDTHS, np.linspace(0, 1, WIDTHS.size) ** 2, rtol=1e-12)


# ---- interpolation, geometry, transforms, linear algebra

SPLINES = "CubicSpline PchipInterpolator Akima1DInterpolator make_interp_spline make_smoothing_spline".split()


@pytest.mark.parametrize("name", SPLINES)
def test_splines(name):
    x = np.linspace(0, 1, 40) ** 2
    same(lambda x, y, at: getattr(interpolate, name)(x, y)(at), x, WIDTHS[:40], np.linspace(0.1, 0.9, 50), rtol=1e-11)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of its own 0 * log(0); NumPy's arrays use C++ code
def test_interpolation_of_points():
    at = np.array([[1.5, 2.5], [3.2, 4.0]])
    same(lambda k, v, at: interpolate.RegularGridInterpolator((k, k), v)(at), np.arange(8.0), DIGIT, at, rtol=RTOL)
    same(lambda x, y, at: interpolate.RBFInterpolator(x, y)(at), IRIS[::3, :2] + np.linspace(0, 1, 50)[:, None], LENGTHS[::3], at, rtol=1e-9)  # fmt: skip


def test_rotations_and_distances():
    turn = np.array([0.0, 0.0, 0.6, 0.8])
    same(lambda q: transform.Rotation.from_quat(q).as_matrix(), turn, rtol=RTOL)
    same(lambda q, v: transform.Rotation.from_quat(q).apply(v), turn, IRIS[:5, :3], rtol=RTOL)
    same(lambda m: transform.RigidTransform.from_matrix(m).as_matrix(), np.eye(4), rtol=RTOL)
    same(distance.pdist, IRIS, rtol=RTOL)
    same(lambda x: distance.cdist(x[:20], x), IRIS, rtol=RTOL, stays=False)
    same(lambda x: KDTree(x).query(x[:5], 3), IRIS, rtol=RTOL, stays=False)


@pytest.mark.parametrize("name", "fft ifft rfft dct dst hfft fftshift".split())
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_transforms(name, dtype):
    same(getattr(fft, name), SERIES.astype(dtype), rtol=1e-13 if dtype == "f8" else 1e-5)


def test_transforms_of_images():
    for name in ("fft2", "ifft2", "fftn", "dctn"):
        same(getattr(fft, name), DIGIT, rtol=1e-13)


def test_linear_algebra():
    same(block_diag, DIGIT, DIGIT, rtol=0)
    square = IRIS.T @ IRIS
    same(solve, square, IRIS[0], rtol=1e-10, stays=False)
    same(lambda x: (eigh(x)[0], svd(x)[1]), square, rtol=RTOL, stays=False)


def test_units():
    same(lambda x: constants.convert_temperature(x, "C", "F"), LENGTHS, rtol=RTOL)


def test_every_room_was_asked_for_arrays_of_the_standard():
    assert cluster.vq.whiten(bc.asarray(IRIS)).__array_namespace__() is bc.ones(1).__array_namespace__()
