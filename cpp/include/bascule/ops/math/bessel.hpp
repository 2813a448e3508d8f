// Modified Bessel functions of the first kind: up to 8 their power series in x^2, cut to a minimax polynomial; above,
// e^x / sqrt(x) times a polynomial in 1/x. Coefficients: Remez, on the interval named at each.
#pragma once
#include "bascule/ops/math/exp_log.hpp"

namespace bascule::ops::math {

inline constexpr double bessel_border = 8.0;

// I0(x) and I1(x) / x with z = x^2 in [0, 64], to 2^-54.
BASCULE_HD double i0_near(double z) {
    return horner(z, 1.0, 0.25000000000000006, 0.015624999999999865, 0.00043402777777787208, 6.7816840277467845e-06,
                  6.7816840283588305e-08, 4.7095027901713181e-10, 2.4028076047198128e-12, 9.3859638923217558e-15,
                  2.8969158769025528e-17, 7.2418931184263852e-20, 1.4971109541102877e-22, 2.5859623807304756e-25,
                  3.9686130946091653e-28, 4.0266821020406581e-31, 8.9470595607234748e-34);
}
BASCULE_HD double i1_near(double z) {
    return horner(z, 0.5, 0.062499999999999896, 0.0026041666666668526, 5.4253472222110553e-05, 6.7816840281053532e-07,
                  5.6514033509483104e-09, 3.3639306283184675e-11, 1.5017542989406552e-13, 5.2144466982864738e-16,
                  1.4483806377894151e-18, 3.2936682649132875e-21, 6.2051359701158673e-24, 1.0336040405223292e-26,
                  1.1146481181893347e-29, 2.7219662575817985e-32);
}
// e^-x sqrt(x) I(x) with t = 1/x in [0, 1/8], to 2^-53.5.
BASCULE_HD double i0_far(double t) {
    return horner(t, 0.39894228040143265, 0.049867785050402534, 0.028050628819781268, 0.029219535431025595,
                  0.044709282826290928, 0.095666494341205804, -0.28573859980476707, 37.013616243691636,
                  -1843.0992863069962, 68689.957892040868, -1880104.2677433926, 37273620.8356084, -503639147.62487358,
                  3596923263.3850727, 16832194771.391218, -849631597643.12292, 12410618708436.623, -112232241084144.52,
                  692566287134036.5, -2938317215375597.5, 8245443705736966.0, -13830855112660516.0,
                  10525073916387182.0);
}
BASCULE_HD double i1_far(double t) {
    return horner(t, 0.3989422804014327, -0.14960335515071344, -0.046751048277789087, -0.040907263254883183,
                  -0.057502424481106443, -0.11414253203237301, 0.05433932439170075, -21.760468158095208,
                  929.48501041475697, -27625.239554483214, 455248.40263313893, 1419534.6268190292, -326453646.83595949,
                  10543868778.157526, -208341531798.92734, 2905632065052.5474, -29776976146746.473, 226107459104733.94,
                  -1259786301922700.8, 5010758022457038.0, -13480288123192394.0, 21996223262603128.0,
                  -16450047396361446.0);
}

// The terms of a = |x| that both ranges need. In the lower one a^2 is kept to twice the digits: its rounding error
// would cost several units of the sum, to which it contributes with a factor of about slope = 1 / 2(m + sqrt(m^2 +
// a^2)), where m is the order plus one.
struct bessel_argument {
    bool far;
    double t, inverse_root, z, correction;
};
BASCULE_HD bessel_argument reduce_bessel(double a, double m) {
    bool const far = a > bessel_border;
    twofold const square = two_product(far ? 0.0 : a, far ? 0.0 : a);
    double const root = sqrt(far ? a : fma(m, m, square.hi)), t = 1.0 / (far ? a : m + root);
    return {far, t, root * t, square.hi, 0.5 * t * square.lo};
}
// e^a times a number. The power of two comes last: the product is finite where e^a no longer is.
BASCULE_HD double times_exp(double a, double factor) {
    exp_argument const e = reduce_exp(a > 720.0 ? 720.0 : a);
    twofold const p = fast_two_sum(1.0, e.r + expm1_rest(e));
    return scale_near_one(fma(p.hi, factor, p.lo * factor), e.n);
}

BASCULE_HD double i0(double x) {
    double const a = abs(x);
    bessel_argument const r = reduce_bessel(a, 1.0);
    double const far = times_exp(a, i0_far(r.t) * r.inverse_root), near = i0_near(r.z);
    double const end = a > 720.0 ? infinity : far;
    return r.far ? end : fma(near, r.correction, near);
}
BASCULE_HD double i1(double x) {
    double const a = abs(x);
    bessel_argument const r = reduce_bessel(a, 2.0);
    double const far = times_exp(a, i1_far(r.t) * r.inverse_root), near = i1_near(r.z);
    double const end = a > 720.0 ? infinity : far;
    return copysign(r.far ? end : a * fma(near, r.correction, near), x);
}
// e^-|x| times I0 and I1.
BASCULE_HD double i0e(double x) {
    double const a = abs(x);
    bessel_argument const r = reduce_bessel(a, 1.0);
    double const sum = i0_near(r.z), near = times_exp(r.far ? 0.0 : -a, fma(sum, r.correction, sum));
    double const far = i0_far(r.t) * r.inverse_root, end = a == infinity ? 0.0 : far;
    return r.far ? end : near;
}
BASCULE_HD double i1e(double x) {
    double const a = abs(x);
    bessel_argument const r = reduce_bessel(a, 2.0);
    double const sum = i1_near(r.z), near = times_exp(r.far ? 0.0 : -a, a * fma(sum, r.correction, sum));
    double const far = i1_far(r.t) * r.inverse_root, end = a == infinity ? 0.0 : far;
    return copysign(r.far ? end : near, x);
}

// Float: in double, rounded once.
BASCULE_HD float i0(float x) { return static_cast<float>(i0(static_cast<double>(x))); }
BASCULE_HD float i1(float x) { return static_cast<float>(i1(static_cast<double>(x))); }
BASCULE_HD float i0e(float x) { return static_cast<float>(i0e(static_cast<double>(x))); }
BASCULE_HD float i1e(float x) { return static_cast<float>(i1e(static_cast<double>(x))); }

}  // namespace bascule::ops::math
