#include "fake_libraries.hpp"

#include <dlfcn.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

namespace bascule::fake {
namespace {

double from_half(std::uint16_t h) {
    int const exponent = h >> 10 & 31, fraction = h & 1023;
    double const sign = h & 0x8000 ? -1 : 1;
    if (exponent == 31) return fraction ? std::nan("") : sign * INFINITY;
    return sign * (exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24));
}
std::uint16_t to_half(double v) {
    std::uint16_t const sign = std::signbit(v) ? 0x8000 : 0;
    if (std::isnan(v)) return sign | 0x7e00;
    double const size = std::abs(v);
    if (size >= 65520) return sign | 0x7c00;
    int exponent = 0;
    if (size > 0) std::frexp(size, &exponent);
    exponent = std::max(exponent - 1, -14);
    auto const units = static_cast<int>(std::nearbyint(std::ldexp(size, 10 - exponent)));  // below 2048, or just that
    return static_cast<std::uint16_t>(sign | (units < 1024 ? units : ((exponent + 14) << 10) + units));
}

template <class T> T element(void const* p, std::int64_t k) {
    T v;
    std::memcpy(&v, static_cast<char const*>(p) + k * static_cast<std::int64_t>(sizeof v), sizeof v);
    return v;
}
template <class T> void put(void* p, std::int64_t k, T v) {
    std::memcpy(static_cast<char*>(p) + k * static_cast<std::int64_t>(sizeof v), &v, sizeof v);
}

}  // namespace

int versions_ahead() {
    char const* const text = std::getenv("BASCULE_FAKE_CUDA_LIBRARIES_AHEAD");
    return text ? std::atoi(text) : 0;
}

std::size_t size_of_type(int type) {
    switch (type) {
        case real_16: return 2;
        case real_32: return 4;
        case real_64: return 8;
        case complex_32: return 8;
        case complex_64: return 16;
        default: return 0;
    }
}

number load(int type, void const* p, std::int64_t k) {
    switch (type) {
        case real_16: return from_half(element<std::uint16_t>(p, k));
        case real_32: return element<float>(p, k);
        case real_64: return element<double>(p, k);
        case complex_32: return {element<float>(p, 2 * k), element<float>(p, 2 * k + 1)};
        default: return {element<double>(p, 2 * k), element<double>(p, 2 * k + 1)};
    }
}
void store(int type, void* p, std::int64_t k, number v) {
    switch (type) {
        case real_16: return put(p, k, to_half(v.real()));
        case real_32: return put(p, k, static_cast<float>(v.real()));
        case real_64: return put(p, k, v.real());
        case complex_32:
            put(p, 2 * k, static_cast<float>(v.real()));
            return put(p, 2 * k + 1, static_cast<float>(v.imag()));
        default: put(p, 2 * k, v.real()); return put(p, 2 * k + 1, v.imag());
    }
}

std::vector<number> gather(int type, void const* p, std::int64_t rows, std::int64_t columns, std::int64_t leading) {
    std::vector<number> all;
    all.reserve(static_cast<std::size_t>(rows * columns));
    for (std::int64_t j = 0; j < columns; ++j)
        for (std::int64_t i = 0; i < rows; ++i) all.push_back(load(type, p, i + j * leading));
    return all;
}
void scatter(int type, void* p, std::int64_t rows, std::int64_t columns, std::int64_t leading,
             std::vector<number> const& v) {
    for (std::int64_t j = 0; j < columns; ++j)
        for (std::int64_t i = 0; i < rows; ++i)
            store(type, p, i + j * leading, v[static_cast<std::size_t>(i + j * rows)]);
}

checked& checked::bytes(char const* name, void const* p, std::size_t n, std::size_t alignment) {
    std::string const who = name;
    that(n == 0 || lies_in_context(p, n), who + " does not lie in the device's memory with all of its bytes");
    return that(n == 0 || reinterpret_cast<std::uintptr_t>(p) % alignment == 0, who + " is not aligned");
}

checked& checked::matrix(char const* name, int type, void const* p, std::int64_t rows, std::int64_t columns,
                         std::int64_t leading, std::int64_t stride, std::int64_t count) {
    std::string const who = name;
    auto const size = static_cast<std::int64_t>(size_of_type(type));
    that(size > 0, who + " has a type that is not known");
    that(rows >= 0 && columns >= 0, who + " has a negative extent");
    that(leading >= std::max<std::int64_t>(rows, 1), who + " has a leading dimension below its rows");
    that(count <= 1 || stride >= 0, who + " has a negative stride");
    if (!good_ || rows == 0 || columns == 0 || count == 0) return *this;
    std::int64_t const last = (count - 1) * stride + (columns - 1) * leading + rows;
    return bytes(name, p, static_cast<std::size_t>(last * size), static_cast<std::size_t>(size));
}

void use(void* p, std::size_t bytes) {
    std::size_t const some = std::min<std::size_t>(bytes, 64);
    if (some == 0) return;
    std::memset(p, 0x5a, some);
    std::memset(static_cast<char*>(p) + bytes - some, 0x5a, some);
}

void* lapack_symbol(char const* name) {
    static void* const library = [] {
        char const* const file = std::getenv("BASCULE_FAKE_CUDA_LAPACK");
        return dlopen(file ? file : "libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    }();
    void* found = library ? dlsym(library, (std::string("scipy_") + name).c_str()) : nullptr;
    if (!found && library) found = dlsym(library, name);
    if (!found) {
        std::fprintf(stderr, "the stand-in for cuSOLVER needs %s of the file in BASCULE_FAKE_CUDA_LAPACK\n", name);
        std::abort();
    }
    return found;
}

}  // namespace bascule::fake
