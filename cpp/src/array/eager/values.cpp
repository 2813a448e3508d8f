// Single elements, whose bytes are read and written here: the values that loops in Python take out of arrays.
#include <cstring>

#include "bascule/array/eager.hpp"
#include "immediate.hpp"

namespace bascule::eager {
namespace {

// A copy of unknown length would begin with a choice of how.
void copy_element(std::byte* to, std::byte const* from, std::int64_t itemsize) {
    switch (itemsize) {
        case 1: *to = *from; return;
        case 2: std::memcpy(to, from, 2); return;
        case 4: std::memcpy(to, from, 4); return;
        case 8: std::memcpy(to, from, 8); return;
        default: std::memcpy(to, from, 16); return;
    }
}

// The graph's lock is held.
[[gnu::always_inline]] inline bool read_element(array const& a, std::int64_t offset, plan_constant& to) {
    storage const* const s = a.memory();  // is_readable(a), without the call
    if (!s->ready() || s->running || (s->noncanonical_bools && is_boolean(a.type.id))) return false;
    copy_element(reinterpret_cast<std::byte*>(to.bytes), s->data() + offset, a.itemsize());
    return true;
}

}  // namespace

void set_scalar(array& result, device where, dtype t, plan_constant const& v) {
    static_assert(sizeof v.bytes <= storage::inline_bytes);
    std::memcpy(take_memory(result, where, t.itemsize, t), v.bytes, sizeof v.bytes);
    if (result.ndim() > 0) result.shape = dims(), result.strides = dims();
    result.scalar = true;
}

bool read(array const& a, std::int64_t offset, plan_constant& to) {
    if (!a.where().api->host_memory) return false;
    graph_lock const lock;
    return read_element(a, offset, to);
}

bool read_both(array const* a, array const* b, plan_constant (&to)[2]) {
    if ((a && !a->where().api->host_memory) || (b && !b->where().api->host_memory)) return false;
    graph_lock const lock;
    return (!a || read_element(*a, a->offset, to[0])) && (!b || read_element(*b, b->offset, to[1]));
}

bool store(array const& to, std::int64_t offset, plan_constant const& v) {
    if (!to.where().api->host_memory) return false;
    graph_lock lock;
    if (!may_write(lock, to)) return false;
    copy_element(to.memory()->data() + offset, reinterpret_cast<std::byte const*>(v.bytes), to.itemsize());
    return true;
}

}  // namespace bascule::eager
