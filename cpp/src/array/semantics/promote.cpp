#include "bascule/array/promote.hpp"

#include <string>

#include "bascule/array/errstate.hpp"
#include "bascule/core/error.hpp"
#include "bascule/ops/table.hpp"

namespace bascule {
namespace {

enum class kind : std::uint8_t { boolean, signed_, unsigned_, floating, complex_, datetime, timedelta };

kind kind_of(type_id t) {
    if (is_boolean(t)) return kind::boolean;
    if (is_signed_integer(t)) return kind::signed_;
    if (is_unsigned_integer(t)) return kind::unsigned_;
    if (is_float(t)) return kind::floating;
    if (is_complex(t)) return kind::complex_;
    return t == type_id::datetime64 ? kind::datetime : kind::timedelta;
}

type_id of_size(kind k, int bytes) {
    switch (k) {
        case kind::signed_:
            return bytes == 1   ? type_id::int8
                   : bytes == 2 ? type_id::int16
                   : bytes == 4 ? type_id::int32
                                : type_id::int64;
        case kind::unsigned_:
            return bytes == 1   ? type_id::uint8
                   : bytes == 2 ? type_id::uint16
                   : bytes == 4 ? type_id::uint32
                                : type_id::uint64;
        case kind::floating: return bytes <= 2 ? type_id::float16 : bytes == 4 ? type_id::float32 : type_id::float64;
        case kind::complex_: return bytes <= 8 ? type_id::complex64 : type_id::complex128;
        default: return type_id::bool_;
    }
}

// Size of the smallest float that holds every value of an integer type, as NumPy rounds it.
int float_bytes_for_integer(int bytes) { return bytes == 1 ? 2 : bytes == 2 ? 4 : 8; }

type_id promote_integers(type_id a, type_id b) {
    int const sa = itemsize(a), sb = itemsize(b);
    if (kind_of(a) == kind_of(b)) return sa >= sb ? a : b;
    int const s = is_signed_integer(a) ? sa : sb, u = is_signed_integer(a) ? sb : sa;
    if (s > u) return of_size(kind::signed_, s);
    return u == 8 ? type_id::float64 : of_size(kind::signed_, 2 * u);
}

[[noreturn]] void refuse_promotion(type_id a, type_id b) {
    throw type_error(std::string("The DTypes of ") + type_name(a) + " and " + type_name(b) +
                     " do not have a common DType.");
}

type_id promote_times(type_id a, type_id b) {
    if (!is_time(b)) std::swap(a, b);
    if (a == b) return a;
    if (is_time(a)) return type_id::datetime64;
    if (b == type_id::timedelta64 && (is_integer(a) || is_boolean(a))) return b;
    refuse_promotion(a, b);
}

int rank_of(casting c) { return static_cast<int>(c); }

}  // namespace

type_id promote(type_id a, type_id b) {
    if (a == b) return a;
    if (is_time(a) || is_time(b)) return promote_times(a, b);
    if (is_boolean(a)) return b;
    if (is_boolean(b)) return a;
    if (is_integer(a) && is_integer(b)) return promote_integers(a, b);
    bool const complex_result = is_complex(a) || is_complex(b);
    auto float_bytes = [](type_id t) {
        return is_integer(t) ? float_bytes_for_integer(itemsize(t)) : is_complex(t) ? itemsize(t) / 2 : itemsize(t);
    };
    int const bytes = std::max(float_bytes(a), float_bytes(b));
    return complex_result ? of_size(kind::complex_, 2 * bytes) : of_size(kind::floating, bytes);
}

bool can_cast(type_id from, type_id to, casting rule) {
    if (from == to || rule == casting::unsafe) return true;
    if (rank_of(rule) <= rank_of(casting::equiv)) return false;
    kind const f = kind_of(from), t = kind_of(to);
    bool const time = is_time(from) || is_time(to);
    if (time) {
        if (t == kind::timedelta && (is_integer(from) || is_boolean(from)))
            return rule == casting::same_kind || from != type_id::uint64;
        return false;
    }
    if (promote(from, to) == to) return true;
    if (rule != casting::same_kind) return false;
    auto order = [](kind k) {
        return k == kind::boolean ? 0 : k == kind::unsigned_ ? 1 : k == kind::signed_ ? 2 : k == kind::floating ? 3 : 4;
    };
    return order(f) <= order(t);
}

char const* type_name(type_id t) {
    static constexpr char const* names[] = {
        "bool",    "int8",    "uint8",   "int16",     "uint16",     "int32",      "uint32",      "int64",   "uint64",
        "float16", "float32", "float64", "complex64", "complex128", "datetime64", "timedelta64", "bfloat16"};
    return names[static_cast<int>(t)];
}

char const* casting_name(casting c) {
    static constexpr char const* names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    return names[rank_of(c)];
}

type_id common_type(std::span<promoted const> in) {
    bool any = false;
    type_id strong = type_id::bool_;
    weak_kind weak = weak_kind::strong;
    for (auto const& p : in) {
        if (p.weak == weak_kind::strong || p.weak == weak_kind::boolean) {
            strong = any ? promote(strong, p.type) : p.type;
            any = true;
        } else {
            weak = std::max(weak, p.weak);
        }
    }
    if (weak == weak_kind::strong) return strong;
    if (any && is_time(strong)) return strong;
    if (weak == weak_kind::integer) return any && !is_boolean(strong) ? strong : type_id::int64;
    if (weak == weak_kind::floating) return any && (is_float(strong) || is_complex(strong)) ? strong : type_id::float64;
    if (any && is_complex(strong)) return strong;
    return any && is_float(strong) && itemsize(strong) <= 4 ? type_id::complex64 : type_id::complex128;
}

namespace {

// NumPy looks these up by the exact types, without casting booleans to int8 first.
constexpr std::uint16_t by_exact_type[] = {
    ops::number<ops::subtract>, ops::number<ops::negative>, ops::number<ops::positive>, ops::number<ops::sign>,
    ops::number<ops::absolute>, ops::number<ops::gcd>,      ops::number<ops::lcm>};

std::string numpy_class(type_id t) {
    static constexpr char const* names[] = {"Bool",      "Int8",       "UInt8",      "Int16",      "UInt16",  "Int32",
                                            "UInt32",    "Int64",      "UInt64",     "Float16",    "Float32", "Float64",
                                            "Complex64", "Complex128", "DateTime64", "TimeDelta64"};
    return std::string("<class 'numpy.dtypes.") + names[static_cast<int>(t)] + "DType'>";
}

[[noreturn]] void refuse(std::uint16_t op, type_id t) {
    auto const& meta = ops::table[op];
    if (op == ops::number<ops::subtract>)
        throw type_error("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
                         "operator, or the logical_xor "
                         "function instead.");
    if (op == ops::number<ops::negative> && is_boolean(t))
        throw type_error("The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the "
                         "logical_not function instead.");
    if (op == ops::number<ops::isnat>)
        throw type_error("ufunc 'isnat' is only defined for np.datetime64 and np.timedelta64.");
    auto const one = numpy_class(t);
    throw type_error(std::string("ufunc '") + meta.name + "' did not contain a loop with signature matching types " +
                     (meta.nin == 1 ? one : "(" + one + ", " + one + ")") + " -> None");
}

void refuse_what_numpy_does_not_cast(std::uint16_t op, type_id common) {
    if (contains(ops::table[op].types, common)) return;
    if (op == ops::number<ops::isnat>) refuse(op, common);
    for (auto o : by_exact_type)
        if (o == op && (is_boolean(common) || op != ops::number<ops::subtract>)) refuse(op, common);
}

// The name of the current call.
char const* name_of_call(ops::spec const& meta) {
    using namespace errstate;
    return current.named && current.op == divmod_call ? "divmod" : meta.name;
}

}  // namespace

type_id loop_type(std::uint16_t op, type_id common) {
    auto const& meta = ops::table[op];
    refuse_what_numpy_does_not_cast(op, common);
    bool const half = common == type_id::float16 && !contains(meta.types, common);
    if (meta.integers_as != type_id::bool_ && (is_integer(common) || is_boolean(common) || half))
        common = meta.integers_as;
    for (int i = static_cast<int>(common); i < type_count; ++i) {
        auto const t = static_cast<type_id>(i);
        if (is_time(t) == is_time(common) && contains(meta.types, t) && can_cast(common, t, casting::safe)) return t;
    }
    // Loops are searched upwards only: a safe cast never goes to an earlier number.
    throw type_error(std::string("ufunc '") + name_of_call(meta) +
                     "' not supported for the input types, and the inputs could not be safely coerced to any supported "
                     "types according to "
                     "the casting rule ''safe''");
}

}  // namespace bascule
