#include "backend/cpu/kernels/elementwise/table_loop.hpp"
#include "backend/cpu/kernels/elementwise/usual_fp_errors.hpp"
#include "backend/cpu/kernels/family.hpp"
#include "backend/cpu/kernels/parts.hpp"

namespace bascule::cpu::BASCULE_ISA_NAMESPACE {

namespace {

// Neither is NaN, and their difference does not overflow.
struct close {
    template <class T> bool operator()(T a, T b) const { return ops::without_sign(a - b) < T(1e30); }
};

}  // namespace

void fill_exponential(kernel_table& t) {
    add_family(t, ops::exponential_ops{});
    look_at_unusual<ops::logaddexp, type_id::float64, close>(t);
    look_at_unusual<ops::logaddexp, type_id::float32, close>(t);
    look_at_unusual<ops::logaddexp2, type_id::float64, close>(t);
    look_at_unusual<ops::logaddexp2, type_id::float32, close>(t);
#if defined(__AVX512F__)
    constexpr int wide = static_cast<int>(type_id::float64);
    t.op[ops::number<ops::exp>][wide][vv] = table_loop<ops::math::exp_by_table, 0>::run;
    t.op[ops::number<ops::log>][wide][vv] = table_loop<ops::math::log_by_table, 2048>::run;
    t.op[ops::number<ops::log2>][wide][vv] = table_loop<ops::math::log2_by_table, 2048>::run;
    t.op[ops::number<ops::log10>][wide][vv] = table_loop<ops::math::log10_by_table, 2048>::run;
    t.op[ops::number<ops::log1p>][wide][vv] = table_loop<ops::math::log1p_by_table, 2048>::run;
#endif
}

}  // namespace bascule::cpu::BASCULE_ISA_NAMESPACE
