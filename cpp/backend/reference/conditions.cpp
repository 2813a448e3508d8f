// Floating-point conditions, told from arguments and result alone, as a device that tests result blocks tells them.
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
        case type_id::float32: return {{number<float>(c.bytes), 0}};
        case type_id::float64: return {{number<double>(c.bytes), 0}};
        case type_id::complex64: return {{number<float>(c.bytes), number<float>(c.bytes + 4)}};
        case type_id::complex128: return {{number<double>(c.bytes), number<double>(c.bytes + 8)}};
        default: return {};
    }
}

std::uint32_t conditions_of_floats(ops::spec const& op, std::vector<parts_of_value> const& args,
                                   parts_of_value const& result) {
    bool infinite = false, zero = false;
    for (auto const& a : args) {
        if (a.nan()) return ops::fp::none;
        infinite |= a.infinite();
        zero |= a.zero();
    }
    if (result.nan()) return ops::fp::invalid;
    if (!result.infinite() || infinite) return ops::fp::none;
    bool const pole = (op.raises & ops::fp::divide) != 0 && (zero || (op.raises & ops::fp::over) == 0);
    return pole ? ops::fp::divide : ops::fp::over;
}

// x86 has one condition for a number that the integer type does not hold, NaN among them.
std::uint32_t conditions_of_truncation(double x, type_id to) {
    double const values = std::ldexp(1.0, 8 * itemsize(to));
    double const low = is_signed_integer(to) ? -values / 2 : 0;
    double const whole = std::trunc(x);
    return whole >= low && whole < low + values ? ops::fp::none : ops::fp::invalid;
}

}  // namespace

std::uint32_t conditions(plan const& p, std::size_t value, std::vector<cell> const& values) {
    auto const& v = p.values[value];
    if (v.kind != value_kind::op) return ops::fp::none;
    auto const loop = p.values[v.args[v.nargs - 1]].dtype;
    auto const& op = ops::table[v.op];
    if (is_integer(loop)) {
        std::int64_t divisor = 0;
        std::memcpy(&divisor, values[v.args[v.nargs - 1]].bytes, static_cast<std::size_t>(itemsize(loop)));
        return divisor == 0 ? v.check & ops::fp::divide : ops::fp::none;
    }
    std::vector<parts_of_value> args;
    for (int k = 0; k < v.nargs; ++k) args.push_back(read(values[v.args[k]], p.values[v.args[k]].dtype));
    if (op.call == ops::form::cast && is_float(loop) && is_integer(v.dtype))
        return v.check & conditions_of_truncation(args[0].part[0], v.dtype);
    return v.check & conditions_of_floats(op, args, read(values[value], v.dtype));
}

}  // namespace bascule::reference
