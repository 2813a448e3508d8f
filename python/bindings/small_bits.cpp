// Bits of small arrays of bytes.
#include <array>
#include <cstring>

#include "bascule/array/graph.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// Eight bytes as one word: one in each, all but the highest bit of each, and of each another bit.
constexpr std::uint64_t ones = 0x0101010101010101, below = 0x7f7f7f7f7f7f7f7f, first_byte_first = 0x8040201008040201,
                        last_byte_first = 0x0102040810204080;

// The eight bits of each byte, a byte each; of which the first is the highest, or the lowest.
constexpr auto bits = [] {
    std::array<std::array<std::uint64_t, 256>, 2> of{};
    for (std::uint64_t byte = 0; byte < 256; ++byte) {
        of[0][byte] = (((byte * ones & last_byte_first) + below) >> 7) & ones;
        of[1][byte] = (((byte * ones & first_byte_first) + below) >> 7) & ones;
    }
    return of;
}();

// Whether the first bit is the lowest; empty: neither order, or one to complain about.
std::optional<bool> order_of(PyObject* o) {
    if (!PyUnicode_Check(o)) return {};
    if (PyUnicode_CompareWithASCIIString(o, "big") == 0) return false;
    if (PyUnicode_CompareWithASCIIString(o, "little") == 0) return true;
    return {};
}

// (a, bit order): of the flattened array of bytes or truths.
PyObject* small_pack(arguments args) {
    auto const little = order_of(args[1]);
    if (!is_array(args[0]) || !little) return nullptr;
    graph_lock lock;
    array const& a = value_of(args[0]);
    bool const whole = is_boolean(a.type.id) || is_integer(a.type.id);
    std::int64_t const n = a.size(), count = (n + 7) / 8;
    if (!whole || a.itemsize() != 1 || !is_plain_small(a, count / 2 + 1)) return nullptr;
    array r = empty(a.where(), make_dtype(type_id::uint8), dims{count});
    auto const* from = begin_of<std::uint8_t const>(a);
    auto* const to = begin_of<std::uint8_t>(r);
    std::uint64_t const gathering = *little ? last_byte_first : first_byte_first;
    auto const pack = [&](auto truths_of) {
        std::uint64_t word = 0;
        for (std::int64_t i = 0; i < n / 8; ++i, from += 8) {
            std::memcpy(&word, from, sizeof word);
            to[i] = static_cast<std::uint8_t>((truths_of(word) * gathering) >> 56);
        }
        if (n % 8 == 0) return;
        word = 0;
        std::memcpy(&word, from, static_cast<std::size_t>(n % 8));
        to[n / 8] = static_cast<std::uint8_t>((truths_of(word) * gathering) >> 56);
    };
    if (is_boolean(a.type.id)) pack([](std::uint64_t word) { return word; });
    else pack([](std::uint64_t word) { return ((((word & below) + below) | word) >> 7) & ones; });
    return to_python(std::move(r));
}

// (a, bit order): of the flattened array of uint8.
PyObject* small_unpack(arguments args) {
    auto const little = order_of(args[1]);
    if (!is_array(args[0]) || !little) return nullptr;
    graph_lock lock;
    array const& a = value_of(args[0]);
    if (a.type.id != type_id::uint8 || !is_plain_small(a, a.size() / 2 + 1)) return nullptr;
    array r = empty(a.where(), a.type, dims{a.size() * 8});
    auto const* const from = begin_of<std::uint8_t const>(a);
    auto* to = begin_of<std::uint8_t>(r);
    auto const& bits_of = bits[*little];
    std::int64_t const n = a.size();
    for (std::int64_t i = 0; i < n; ++i, to += 8) std::memcpy(to, &bits_of[from[i]], sizeof bits_of[0]);
    return to_python(std::move(r));
}

}  // namespace

bool add_small_bits(PyObject* module) {
    static PyMethodDef functions[] = {
        small_definition<small_pack, 2>("small_pack"), small_definition<small_unpack, 2>("small_unpack"), {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
