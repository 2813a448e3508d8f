#include "python_numbers.hpp"

#include <cmath>

#include "bascule/ops/table.hpp"

namespace bascule::python_numbers {

void report_overflow(argument const& a, type_id to) {
    bool const narrow = to == type_id::float16 || to == type_id::float32 || to == type_id::complex64;
    if (a.a || a.weak == weak_kind::strong || !narrow || !(errstate::current.check & ops::fp::over)) return;
    plan_constant const given = cast_constant(a.value, a.type, type_id::complex128),
                        kept = cast_constant(cast_constant(a.value, a.type, to), to, type_id::complex128);
    for (int part = 0; part < (is_complex(to) ? 2 : 1); ++part) {
        if (!std::isfinite(given.f64[part]) || std::isfinite(kept.f64[part])) continue;
        auto f = errstate::here(errstate::kind::cast, ops::number<ops::cast>);
        f.fp_errors = ops::fp::over;
        return errstate::report(f);
    }
}

}  // namespace bascule::python_numbers
