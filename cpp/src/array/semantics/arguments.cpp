#include "bascule/array/arguments.hpp"

#include <cstdio>

#include "bascule/array/promote.hpp"

namespace bascule::arguments {
namespace {

constexpr std::int64_t address_space = std::int64_t{1} << 47;  // bytes that a process on a usual machine can address

std::string python_tuple(dims const& shape) {
    std::string s = "(";
    for (int i = 0; i < shape.size(); ++i) s += (i ? ", " : "") + std::to_string(shape[i]);
    return s + (shape.size() == 1 ? ",)" : ")");
}

std::string name_of(dtype t) {
    static constexpr char const* units[] = {"", "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"};
    std::string const name = type_name(t.id);
    if (!is_time(t.id) || t.unit == time_unit::generic) return name;
    return name + "[" + (t.multiplier == 1 ? "" : std::to_string(t.multiplier)) + units[static_cast<int>(t.unit)] + "]";
}

// Three digits and a unit, as NumPy says it: 728. TiB, 3.55 PiB.
std::string amount(double bytes) {
    static constexpr char const* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 6; ++unit) bytes /= 1024;
    char text[32];
    int const digits = unit == 0 || bytes >= 100 ? 0 : bytes >= 10 ? 1 : 2;
    std::snprintf(text, sizeof text, "%.*f", digits, bytes);
    return std::string(text) + (unit > 0 && digits == 0 ? ". " : " ") + units[unit];
}

// How many bytes the elements take; false: there are none.
bool count_bytes(dims const& shape, std::int64_t itemsize, std::int64_t& bytes) {
    if (shape.size() > max_dims)
        throw value_error("maximum supported dimension for an ndarray is currently 64, found " +
                          std::to_string(shape.size()));
    bytes = itemsize;
    bool some = true;
    for (auto n : shape) {
        if (n < 0) throw value_error("negative dimensions are not allowed");
        some = some && n > 0;
        if (n > 0 && __builtin_mul_overflow(bytes, n, &bytes))
            throw value_error(
                "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.");
    }
    return some;
}

}  // namespace

std::string no_memory_for(dims const& shape, dtype t) {
    double bytes = t.itemsize;
    for (auto n : shape) bytes *= static_cast<double>(n);
    return "Unable to allocate " + amount(bytes) + " for an array with shape " + python_tuple(shape) +
           " and data type " + name_of(t);
}

std::int64_t bytes_of(dims const& shape, dtype t) {
    std::int64_t n = 0;
    if (!count_bytes(shape, t.itemsize, n)) return 0;
    if (n >= address_space) throw memory_error(no_memory_for(shape, t));
    return n;
}

int axis(std::int64_t given, int ndim) {
    if (given < -ndim || given >= ndim) throw axis_error(given, ndim);
    return static_cast<int>(given < 0 ? given + ndim : given);
}

void permutation(std::span<int const> axes, int ndim) {
    if (static_cast<int>(axes.size()) != ndim) throw value_error("axes don't match array");
    std::uint64_t seen = 0;
    for (int const given : axes) {
        if (given < 0 || given >= ndim) throw axis_error(given, ndim);
        auto const bit = std::uint64_t{1} << given;
        if (seen & bit) throw value_error("repeated axis in transpose");
        seen |= bit;
    }
}

namespace {
// First and one-past-last byte; false: they are beyond counting.
bool reach_of(dims const& shape, dims const& strides, std::int64_t offset, std::int64_t itemsize, std::int64_t& low,
              std::int64_t& high) {
    low = high = offset;
    for (int i = 0; i < shape.size(); ++i) {
        std::int64_t reach;
        if (__builtin_mul_overflow(shape[i] - 1, strides[i], &reach)) return false;
        auto& end = reach < 0 ? low : high;
        if (__builtin_add_overflow(end, reach, &end)) return false;
    }
    return !__builtin_add_overflow(high, itemsize, &high);
}
}  // namespace

void layout(dims const& shape, dims const& strides, std::int64_t offset, std::int64_t itemsize, storage const& memory) {
    if (shape.size() != strides.size())
        throw value_error("[view] " + std::to_string(shape.size()) + " extents need as many strides, got " +
                          std::to_string(strides.size()));
    std::int64_t bytes = 0;
    if (!count_bytes(shape, itemsize, bytes)) return;
    std::int64_t low = 0, high = 0;
    if (!reach_of(shape, strides, offset, itemsize, low, high) || low < 0 || high > memory.bytes())
        throw value_error("[view] a view of shape " + to_string(shape) + " and strides " + to_string(strides) +
                          " reaches beyond the array that it is made of");
}

bool lies_in_storage(array const& a) {
    if (!a.memory()) return false;
    try {
        layout(a.shape, a.strides, a.offset, a.itemsize(), *a.memory());
    } catch (value_error const&) { return false; }
    return true;
}

void rank(array const& a, int ndim, char const* who) {
    if (a.ndim() != ndim)
        throw value_error(std::string("[") + who + "] expected " + std::to_string(ndim) +
                          (ndim == 1 ? " dimension" : " dimensions") + ", got " + std::to_string(a.ndim()));
}

void type(array const& a, type_set allowed, char const* who) {
    if (!contains(allowed, a.type.id))
        throw type_error(std::string("[") + who + "] does not take elements of type " + type_name(a.type.id));
}

void same_device(array const& a, array const& b, char const* who) {
    if (!(a.where() == b.where()))
        throw type_error(std::string("[") + who + "] expected arrays of one device, got " + a.where().name() + " and " +
                         b.where().name());
}

}  // namespace bascule::arguments
