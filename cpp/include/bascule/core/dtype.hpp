// Element types: their numbers, sizes and kinds, and the C++ type that a kernel sees for each.
// Device-clean: this text is also given to NVRTC.
#pragma once
#include "bascule/core/host_device.hpp"

namespace bascule {

// In NumPy's order of safe casts, so that "the first loop both inputs fit" is the lowest set bit that qualifies.
enum class type_id : std::uint8_t {
    bool_,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float16,
    float32,
    float64,
    complex64,
    complex128,
    datetime64,
    timedelta64,
    bfloat16,  // reserved: no operation accepts it yet
};
inline constexpr int type_count = 16;  // numbers in use, bfloat16 not among them

enum class time_unit : std::uint8_t { generic, year, month, week, day, hour, minute, second, ms, us, ns, ps, fs, as };

// A dtype is eight bytes: the type, and for datetime64 and timedelta64 the unit and its multiple.
struct dtype {
    type_id id = type_id::float64;
    std::uint8_t itemsize = 8;
    time_unit unit = time_unit::generic;
    std::uint8_t reserved = 0;
    std::int32_t multiplier = 1;

    friend constexpr bool operator==(dtype const& a, dtype const& b) {
        return a.id == b.id && a.unit == b.unit && a.multiplier == b.multiplier;
    }
};

BASCULE_HD constexpr int itemsize(type_id t) {
    constexpr std::uint8_t size[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 8, 16, 8, 8, 2};
    return size[static_cast<int>(t)];
}
constexpr dtype make_dtype(type_id t) { return dtype{t, static_cast<std::uint8_t>(itemsize(t))}; }

// ---- sets of types, one bit each
using type_set = std::uint32_t;
BASCULE_HD constexpr type_set bit(type_id t) { return type_set{1} << static_cast<int>(t); }
template <class... T> constexpr type_set set_of(T... t) { return (bit(t) | ...); }
namespace types {
inline constexpr type_set boolean = bit(type_id::bool_);
inline constexpr type_set signed_integers = set_of(type_id::int8, type_id::int16, type_id::int32, type_id::int64);
inline constexpr type_set unsigned_integers = set_of(type_id::uint8, type_id::uint16, type_id::uint32, type_id::uint64);
inline constexpr type_set integers = signed_integers | unsigned_integers;
inline constexpr type_set floats = set_of(type_id::float16, type_id::float32, type_id::float64);
inline constexpr type_set complexes = set_of(type_id::complex64, type_id::complex128);
inline constexpr type_set times = set_of(type_id::datetime64, type_id::timedelta64);
inline constexpr type_set numbers = integers | floats | complexes;
inline constexpr type_set inexact = floats | complexes;
}  // namespace types
BASCULE_HD constexpr bool contains(type_set s, type_id t) { return (s & bit(t)) != 0; }
BASCULE_HD constexpr bool is_boolean(type_id t) { return t == type_id::bool_; }
BASCULE_HD constexpr bool is_signed_integer(type_id t) { return contains(types::signed_integers, t); }
BASCULE_HD constexpr bool is_unsigned_integer(type_id t) { return contains(types::unsigned_integers, t); }
BASCULE_HD constexpr bool is_integer(type_id t) { return contains(types::integers, t); }
BASCULE_HD constexpr bool is_float(type_id t) { return contains(types::floats, t); }
BASCULE_HD constexpr bool is_complex(type_id t) { return contains(types::complexes, t); }
BASCULE_HD constexpr bool is_time(type_id t) { return contains(types::times, t); }

// ---- the types that kernels compute with
struct float16 {
    std::uint16_t bits;
};  // storage only: loads and stores convert, operations run in float32
struct datetime64 {
    std::int64_t count;
};  // counts of the unit since 1970; the least value is NaT
struct timedelta64 {
    std::int64_t count;
};
inline constexpr std::int64_t nat = -0x7fffffffffffffffLL - 1;
template <class T> struct complex { T re, im; };

template <type_id> struct element_of;
template <> struct element_of<type_id::bool_> { using type = bool; };
template <> struct element_of<type_id::int8> { using type = std::int8_t; };
template <> struct element_of<type_id::uint8> { using type = std::uint8_t; };
template <> struct element_of<type_id::int16> { using type = std::int16_t; };
template <> struct element_of<type_id::uint16> { using type = std::uint16_t; };
template <> struct element_of<type_id::int32> { using type = std::int32_t; };
template <> struct element_of<type_id::uint32> { using type = std::uint32_t; };
template <> struct element_of<type_id::int64> { using type = std::int64_t; };
template <> struct element_of<type_id::uint64> { using type = std::uint64_t; };
template <> struct element_of<type_id::float16> { using type = float16; };
template <> struct element_of<type_id::float32> { using type = float; };
template <> struct element_of<type_id::float64> { using type = double; };
template <> struct element_of<type_id::complex64> { using type = complex<float>; };
template <> struct element_of<type_id::complex128> { using type = complex<double>; };
template <> struct element_of<type_id::datetime64> { using type = datetime64; };
template <> struct element_of<type_id::timedelta64> { using type = timedelta64; };
template <type_id Id> using element = typename element_of<Id>::type;

template <class T> struct id_of;
template <> struct id_of<bool> { static constexpr type_id value = type_id::bool_; };
template <> struct id_of<std::int8_t> { static constexpr type_id value = type_id::int8; };
template <> struct id_of<std::uint8_t> { static constexpr type_id value = type_id::uint8; };
template <> struct id_of<std::int16_t> { static constexpr type_id value = type_id::int16; };
template <> struct id_of<std::uint16_t> { static constexpr type_id value = type_id::uint16; };
template <> struct id_of<std::int32_t> { static constexpr type_id value = type_id::int32; };
template <> struct id_of<std::uint32_t> { static constexpr type_id value = type_id::uint32; };
template <> struct id_of<std::int64_t> { static constexpr type_id value = type_id::int64; };
template <> struct id_of<std::uint64_t> { static constexpr type_id value = type_id::uint64; };
template <> struct id_of<float16> { static constexpr type_id value = type_id::float16; };
template <> struct id_of<float> { static constexpr type_id value = type_id::float32; };
template <> struct id_of<double> { static constexpr type_id value = type_id::float64; };
template <> struct id_of<complex<float>> { static constexpr type_id value = type_id::complex64; };
template <> struct id_of<complex<double>> { static constexpr type_id value = type_id::complex128; };
template <> struct id_of<datetime64> { static constexpr type_id value = type_id::datetime64; };
template <> struct id_of<timedelta64> { static constexpr type_id value = type_id::timedelta64; };

}  // namespace bascule
