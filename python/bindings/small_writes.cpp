// Values written here and there into small arrays, taken in turn where there are fewer of them than places.
#include <cstring>
#include <vector>

#include "bascule/array/eager.hpp"
#include "bascule/array/graph.hpp"
#include "small_calls.hpp"

namespace bascule::python {
namespace {

using arguments = std::span<PyObject* const>;

// Where values go, and which of them goes there.
struct places {
    std::vector<std::int64_t> at, from;
};

bool at_positions(array const& a, array const& positions, std::int64_t values, places& p) {
    if (positions.type.id != type_id::int64) return false;
    auto const* const given = begin_of<std::int64_t>(positions);
    for (std::int64_t i = 0; i < positions.size(); ++i) {
        if (given[i] < -a.size() || given[i] >= a.size()) return false;
        p.at.push_back(given[i] < 0 ? given[i] + a.size() : given[i]), p.from.push_back(i % values);
    }
    return true;
}

// The next value goes to each truth, or the one that lies beside it.
bool at_truths(array const& a, array const& truths, std::int64_t values, bool beside, places& p) {
    if (!is_boolean(truths.type.id) || !(truths.shape == a.shape)) return false;
    auto const* const yes = begin_of<std::uint8_t>(truths);
    for (std::int64_t i = 0; i < a.size(); ++i)
        if (yes[i]) p.from.push_back((beside ? i : static_cast<std::int64_t>(p.at.size())) % values), p.at.push_back(i);
    return true;
}

enum class how { put, place, putmask };

// (a, positions or truths, values of a's type): True, or None where the general form is to answer.
template <how How> PyObject* small_written(arguments args) {
    small_operand keys, given;
    if (!is_array(args[0]) || !keys.take_any(args[1]) || !given.take_any(args[2])) return nullptr;
    array const& a = value_of(args[0]);
    bool const widens = a.type.id == type_id::float64 && given.value().type.id == type_id::int64;
    if (widens && !is_array(args[2]) && !given.cast(a.type)) return nullptr;
    graph_lock lock;
    array const &where = keys.value(), &values = given.value();
    if (!a.writeable || !a.memory()->writeable || a.memory()->foreign() || values.size() == 0) return nullptr;
    if (!(values.type == a.type) || !is_plain_small(a) || !is_plain_small(where) || !is_plain_small(values))
        return nullptr;
    places p;
    bool const known = How == how::put ? at_positions(a, where, values.size(), p)
                                       : at_truths(a, where, values.size(), How == how::putmask, p);
    if (!known) return nullptr;
    auto const bytes = static_cast<std::size_t>(a.itemsize());
    std::vector<std::byte> taken(p.at.size() * bytes);
    for (std::size_t i = 0; i < p.at.size(); ++i)
        std::memcpy(taken.data() + i * bytes, begin_of<std::byte>(values) + static_cast<std::size_t>(p.from[i]) * bytes,
                    bytes);
    return eager::scatter(a, p.at, 1, taken.data(), false) ? Py_NewRef(Py_True) : nullptr;
}

}  // namespace

bool add_small_writes(PyObject* module) {
    static PyMethodDef functions[] = {small_definition<small_written<how::put>, 3>("small_put"),
                                      small_definition<small_written<how::place>, 3>("small_place"),
                                      small_definition<small_written<how::putmask>, 3>("small_putmask"),
                                      {}};
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace bascule::python
