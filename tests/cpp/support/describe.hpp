// Programs and their differences as text, for the message of a failed test.
#pragma once
#include <cmath>
#include <iomanip>
#include <sstream>

#include "support/op_catalogue.hpp"
#include "support/program.hpp"

namespace bascule::testing {

inline char const* name_of(type_id t) {
    constexpr char const* names[] = {"bool",      "int8",       "uint8",      "int16",      "uint16",  "int32",
                                     "uint32",    "int64",      "uint64",     "float16",    "float32", "float64",
                                     "complex64", "complex128", "datetime64", "timedelta64"};
    return names[static_cast<int>(t)];
}

template <class C> std::string list_of(C const& c) {
    std::ostringstream s;
    for (auto const& x : c) s << (s.tellp() > 0 ? ", " : "") << +x;
    return "(" + s.str() + ")";
}

// The bytes of one element, followed by its number where it has one.
inline std::string text_of(type_id t, unsigned char const* p) {
    std::ostringstream s;
    s << std::hexfloat;
    if (t == type_id::float32 || t == type_id::complex64) {
        for (int i = 0; i < itemsize(t); i += 4) {
            float x;
            std::memcpy(&x, p + i, sizeof x);
            s << x << ' ';
        }
    } else if (t == type_id::float64 || t == type_id::complex128) {
        for (int i = 0; i < itemsize(t); i += 8) {
            double x;
            std::memcpy(&x, p + i, sizeof x);
            s << x << ' ';
        }
    }
    s << "0x" << std::hex << std::setfill('0');
    for (int i = itemsize(t); i-- > 0;) s << std::setw(2) << static_cast<int>(p[i]);
    return s.str();
}

inline std::string text_of(layout const& l) {
    return "strides " + list_of(l.strides) + " from " + std::to_string(l.first) + " of " + std::to_string(l.size) +
           " bytes";
}

// NaNs are one value: which payload and sign an operation propagates depends on the processor. Everything else is bits.
template <class Real> bool same_real(unsigned char const* a, unsigned char const* b) {
    Real x, y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    return std::memcmp(a, b, sizeof x) == 0 || (std::isnan(x) && std::isnan(y));
}

inline bool same_element(type_id t, unsigned char const* a, unsigned char const* b) {
    auto const is_half_nan = [](unsigned char const* p) { return ((p[1] & 0x7f) << 8 | p[0]) > 0x7c00; };
    switch (t) {
        case type_id::float16: return std::memcmp(a, b, 2) == 0 || (is_half_nan(a) && is_half_nan(b));
        case type_id::float32: return same_real<float>(a, b);
        case type_id::float64: return same_real<double>(a, b);
        case type_id::complex64: return same_real<float>(a, b) && same_real<float>(a + 4, b + 4);
        case type_id::complex128: return same_real<double>(a, b) && same_real<double>(a + 8, b + 8);
        default: return std::memcmp(a, b, static_cast<std::size_t>(itemsize(t))) == 0;
    }
}

// Where two buffers of elements of one dtype differ first; empty: nowhere.
inline std::string first_difference(type_id t, bytes const& expected, bytes const& got) {
    if (expected == got) return "";
    if (expected.size() != got.size()) return "sizes differ";
    for (std::size_t at = 0; at < got.size(); at += static_cast<std::size_t>(itemsize(t)))
        if (!same_element(t, &expected[at], &got[at]))
            return "byte " + std::to_string(at) + ": expected " + text_of(t, &expected[at]) + ", got " +
                   text_of(t, &got[at]);
    return "";
}

inline std::string describe(program const& p) {
    std::ostringstream s;
    s << "shape " << list_of(p.shape) << " reduced " << list_of(p.reduced) << " run_dims " << p.run_dims << "\n";
    for (std::size_t i = 0; i < p.values.size(); ++i) {
        auto const& v = p.values[i];
        s << "  v" << i << " " << name_of(v.dtype) << " = ";
        if (v.kind == value_kind::load) s << "load " << text_of(p.operand_layout(v.operand));
        if (v.kind == value_kind::constant) s << "constant " << text_of(v.dtype, p.constant_bytes(v.operand));
        if (v.kind == value_kind::iota) s << "iota";
        if (v.kind == value_kind::op) {
            s << ops::table[v.op].name;
            for (int k = 0; k < v.nargs; ++k) s << " v" << v.args[k];
            if (v.check != 0) s << " check " << int{v.check};
        }
        s << "\n";
    }
    for (auto const& o : p.outputs())
        s << (o.reduces ? "  aggregate " + std::to_string(o.aggregate) + " of v" : std::string("  store v")) << o.value
          << " as " << name_of(o.dtype) << " " << text_of(o.where) << "\n";
    return s.str();
}

}  // namespace bascule::testing
