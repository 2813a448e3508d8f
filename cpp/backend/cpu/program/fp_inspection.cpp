#include "backend/cpu/program/fp_inspection.hpp"

#include "backend/cpu/program/op_traits.hpp"

namespace bascule::cpu {

static bool is_single(type_id t) noexcept { return t == type_id::float32 || t == type_id::complex64; }

inspection inspection_of(plan_value const& v, type_id from, kernel_table const& k) noexcept {
    op_traits const& t = traits_of(v.op);
    type_id const to = v.dtype;
    if (!v.check) return inspection::none;
    if (t.is_cast) {
        if (k.cast_fp_errors[static_cast<int>(from)][static_cast<int>(to)]) return inspection::values;
        bool const narrows = (is_float(from) || is_complex(from)) &&
                             (to == type_id::float32 || to == type_id::complex64);
        return narrows && from != type_id::float16 && !is_single(from) ? inspection::hardware : inspection::none;
    }
    if (is_integer(to) && from == to) return t.integers_raise ? inspection::values : inspection::none;
    if (!(is_complex(from) ? t.complex_raises : t.raises)) return inspection::none;
    if (is_complex(from) && is_float(to)) return inspection::values;
    if (from != to || !(is_float(to) || is_complex(to))) return inspection::none;
    bool const exact = contains(t.exact_status, to);
    bool const noted = is_float(to) && t.status_covers != 0 && (v.check & ~t.status_covers) == 0;
    return exact ? inspection::hardware : noted ? inspection::values_if_noted : inspection::values;
}

std::uint8_t fp_errors_of(plan_value const& v, type_id from, fp_error_args const& args,
                          kernel_table const& k) noexcept {
    op_traits const& t = traits_of(v.op);
    std::uint8_t const wanted = args.raises;
    int const type = static_cast<int>(v.dtype);
    fp_error_kernel const own = v.op < max_ops && from == v.dtype ? k.own_fp_errors[v.op][type] : nullptr;
    if (own) return own(args);
    auto const any_non_finite = k.non_finite[type];
    bool const gate = any_non_finite && !(wanted & ops::fp::under);
    if (gate && !any_non_finite(args.d, args.n)) return ops::fp::none;
    std::uint8_t const unwanted = ops::fp::under & ~wanted;  // the only one that shows in finite results
    fp_error_args narrowed = args;
    narrowed.raises = is_integer(v.dtype) ? t.integers_raise
                                          : (is_complex(from) ? t.complex_raises : t.raises) & ~unwanted;
    fp_error_kernel const classify = t.is_cast         ? k.cast_fp_errors[static_cast<int>(from)][type]
                                     : from != v.dtype ? k.modulus_fp_errors[static_cast<int>(from)]
                                                       : k.fp_errors[type];
    return classify ? classify(narrowed) & wanted : ops::fp::none;
}

}  // namespace bascule::cpu
