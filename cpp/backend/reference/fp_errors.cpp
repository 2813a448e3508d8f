// Floating-point errors, found from arguments and result alone, as a device that tests result blocks finds them.
#include <array>
#include <cmath>
#include <cstring>

#include "backend/reference/parts.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::reference {
namespace {

struct parts_of_value {
    double part[2] = {0, 0};
    bool nan() const { return std::isnan(part[0]) || std::isnan(part[1]); }
    bool infinite() const { return std::isinf(part[0]) || std::isinf(part[1]); }
    bool zero() const { return part[0] == 0 && part[1] == 0; }
};

template <class T> double number(unsigned char const* p) {
    T x;
    std::memcpy(&x, p, sizeof x);
    return static_cast<double>(x);
}

parts_of_value read(cell const& c, type_id t) {
    switch (t) {
        case type_id::float16: {
            float16 h;
            std::memcpy(&h, c.bytes, sizeof h);
            return {{static_cast<double>(ops::to_float32(h)), 0}};
        }
        case type_id::float32: return {{number<float>(c.bytes), 0}};
        case type_id::float64: return {{number<double>(c.bytes), 0}};
        case type_id::complex64: return {{number<float>(c.bytes), number<float>(c.bytes + 4)}};
        case type_id::complex128: return {{number<double>(c.bytes), number<double>(c.bytes + 8)}};
        default: return {};
    }
}

std::uint32_t float_fp_errors(ops::spec const& op, std::vector<parts_of_value> const& args,
                              parts_of_value const& result) {
    bool infinite = false, zero = false, nan = false;
    for (auto const& a : args) {
        nan |= a.nan();
        infinite |= a.infinite();
        zero |= a.zero();
    }
    if (nan) return ops::fp::none;
    if (result.nan()) return ops::fp::invalid;
    if (!result.infinite() || infinite) return ops::fp::none;
    bool const pole = (op.raises & ops::fp::divide) != 0 && (zero || (op.raises & ops::fp::over) == 0);
    return pole ? ops::fp::divide : ops::fp::over;
}

// ---- ops that have a rule of their own
using own_rule = std::uint8_t (*)(cell const* args, cell const& result);

template <class Op, class T> std::uint8_t raised_by_op(cell const* args, cell const& result) {
    T r, a[2] = {};
    std::memcpy(&r, result.bytes, sizeof r);
    for (int k = 0; k < Op::meta.nin && k < 2; ++k) std::memcpy(&a[k], args[k].bytes, sizeof r);
    if constexpr (Op::meta.nin == 1) return Op::raised(r, a[0]);
    else return Op::raised(r, a[0], a[1]);
}
template <class Op, class T>
concept raises_by_itself = contains(Op::meta.types, id_of<T>::value) &&(
    requires(T x) { Op::raised(x, x); } || requires(T x) { Op::raised(x, x, x); });
template <class Op, class T> constexpr own_rule rule_of() {
    if constexpr (raises_by_itself<Op, T>) return raised_by_op<Op, T>;
    else return nullptr;
}
struct rules {
    own_rule single, real, complex_single, complex_real;
};
template <class... Op> constexpr auto rules_of(ops::op_list<Op...>) {
    return std::array<rules, sizeof...(Op)>{rules{rule_of<Op, float>(), rule_of<Op, double>(),
                                                  rule_of<Op, complex<float>>(), rule_of<Op, complex<double>>()}...};
}
constexpr auto own_rules = rules_of(ops::all_ops{});

own_rule own_rule_of(std::uint16_t op, type_id t) {
    rules const& r = own_rules[op];
    switch (t) {
        case type_id::float32: return r.single;
        case type_id::float64: return r.real;
        case type_id::complex64: return r.complex_single;
        case type_id::complex128: return r.complex_real;
        default: return nullptr;
    }
}

// On x86 every number that the integer type cannot represent, NaN among them, is invalid; types narrower than 32 bits
// are converted through int32, and uint32 through int64.
std::uint32_t truncation_fp_errors(double x, type_id to) {
    bool const largest = to == type_id::uint64, narrow = itemsize(to) < 4 || to == type_id::int32;
    double const high = std::ldexp(1.0, largest ? 64 : narrow ? 31 : 63), low = largest ? -std::ldexp(1.0, 63) : -high;
    double const whole = std::trunc(x);
    return whole >= low && whole < high ? ops::fp::none : ops::fp::invalid;
}

std::uint32_t integer_fp_errors(ops::spec const& op, cell const* args, int nargs, type_id t) {
    std::int64_t dividend = 0, divisor = 0;
    auto const bytes = static_cast<std::size_t>(itemsize(t));
    std::memcpy(&dividend, args[0].bytes, bytes);
    std::memcpy(&divisor, args[nargs - 1].bytes, bytes);
    if (divisor == 0) return op.integers_raise & (ops::fp::divide | ops::fp::invalid);
    if (nargs < 2 || !is_signed_integer(t)) return ops::fp::none;
    auto const ones = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
    bool const least = static_cast<std::uint64_t>(dividend) == ones / 2 + 1;
    bool const minus_one = static_cast<std::uint64_t>(divisor) == ones;
    return least && minus_one ? op.integers_raise & ops::fp::over : ops::fp::none;
}

}  // namespace

std::uint32_t fp_errors(plan const& p, std::size_t value, std::vector<cell> const& values) {
    auto const& v = p.values[value];
    if (v.kind != value_kind::op) return ops::fp::none;
    auto const loop = p.values[v.args[v.nargs - 1]].dtype;
    auto const& op = ops::table[v.op];
    cell args[4];
    for (int k = 0; k < v.nargs; ++k) args[k] = values[v.args[k]];
    if (is_integer(loop) && op.call != ops::form::cast) return v.check & integer_fp_errors(op, args, v.nargs, loop);
    std::vector<parts_of_value> parts;
    for (int k = 0; k < v.nargs; ++k) parts.push_back(read(args[k], p.values[v.args[k]].dtype));
    if (op.call == ops::form::cast && is_integer(v.dtype))
        return v.check & (is_integer(loop) || is_boolean(loop) ? std::uint32_t{ops::fp::none}
                                                               : truncation_fp_errors(parts[0].part[0], v.dtype));
    if (op.call == ops::form::cast && !is_complex(v.dtype)) parts[0].part[1] = 0;
    std::uint32_t const possible = v.check & ops::raised_by(op, is_complex(loop));
    if (own_rule const own = v.dtype == loop ? own_rule_of(v.op, loop) : nullptr)
        return possible & own(args, values[value]);
    return possible & float_fp_errors(op, parts, read(values[value], v.dtype));
}

}  // namespace bascule::reference
