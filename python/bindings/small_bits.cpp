// Bits of small arrays of bytes.
#include <algorithm>
#include <cstring>

#include "bascule/array/graph.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// Eight bytes as one word: one in each, all but the highest bit of each, and of each another bit.
constexpr std::uint64_t ones = 0x0101010101010101, below = 0x7f7f7f7f7f7f7f7f, first_byte_first = 0x8040201008040201,
                        last_byte_first = 0x0102040810204080;

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
    if (!whole || a.itemsize() != 1 || !is_plain_small(a)) return nullptr;
    std::int64_t const n = a.size(), count = (n + 7) / 8;
    array r = empty(a.where(), make_dtype(type_id::uint8), dims{count});
    auto const* from = begin_of<std::uint8_t const>(a);
    auto* const to = begin_of<std::uint8_t>(r);
    std::uint64_t const gathering = *little ? last_byte_first : first_byte_first;
    for (std::int64_t i = 0; i < count; ++i, from += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, from, static_cast<std::size_t>(std::min<std::int64_t>(n - i * 8, 8)));
        std::uint64_t const truths = ((((word & below) + below) | word) >> 7) & ones;
        to[i] = static_cast<std::uint8_t>((truths * gathering) >> 56);
    }
    return to_python(std::move(r));
}

// (a, bit order): of the flattened array of uint8.
PyObject* small_unpack(arguments args) {
    auto const little = order_of(args[1]);
    if (!is_array(args[0]) || !little) return nullptr;
    graph_lock lock;
    array const& a = value_of(args[0]);
    if (a.type.id != type_id::uint8 || !is_plain_small(a)) return nullptr;
    array r = empty(a.where(), a.type, dims{a.size() * 8});
    auto const* const from = begin_of<std::uint8_t const>(a);
    auto* to = begin_of<std::uint8_t>(r);
    std::uint64_t const one_each = *little ? first_byte_first : last_byte_first;
    for (std::int64_t i = 0; i < a.size(); ++i, to += 8) {
        std::uint64_t const bits = (((from[i] * ones & one_each) + below) >> 7) & ones;
        std::memcpy(to, &bits, sizeof bits);
    }
    return to_python(std::move(r));
}

}  // namespace

bool add_small_bits(PyObject* module) {
    static PyMethodDef functions[] = {
        small_definition<small_pack, 2>("small_pack"), small_definition<small_unpack, 2>("small_unpack"), {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
