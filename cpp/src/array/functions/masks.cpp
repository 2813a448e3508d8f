#include <optional>

#include "../eager/immediate.hpp"
#include "bascule/array/device_calls.hpp"
#include "bascule/array/elementwise.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/indexing.hpp"
#include "bascule/core/algorithms.hpp"

namespace bascule {
namespace {

// Memory for the offsets of chunks; none on the host.
std::optional<array> offsets_for(array const& mask) {
    if (mask.where().api->host_memory) return std::nullopt;
    return empty(mask.where(), make_dtype(type_id::int64), {count_of_chunk_offsets(mask.size())});
}

}  // namespace

array compress(array const& a, array const& mask) {
    std::optional<array> const offsets = offsets_for(mask);
    storage* const read[] = {a.memory(), mask.memory(), offsets ? offsets->memory() : mask.memory()};
    graph::memory_in_use const used(read);
    compress_args c;
    if (offsets) c.chunk_offsets = reinterpret_cast<std::int64_t*>(offsets->memory()->data());
    c.ndim = a.ndim(), c.shape = a.shape.data();
    c.mask = {mask.memory()->data() + mask.offset, mask.strides.data(), type_id::bool_};
    c.data = {a.memory()->data() + a.offset, a.strides.data(), a.type.id};
    c.itemsize = static_cast<std::int32_t>(a.itemsize());
    auto const where = a.where();
    throw_if(device_calls::algorithm(where, algorithm_kind::compress, &c), where);
    array out = empty(where, a.type, {c.count});
    c.out = out.memory()->data();
    if (c.count > 0) throw_if(device_calls::algorithm(where, algorithm_kind::compress, &c), where);
    return out;
}

std::vector<array> nonzero(array const& mask) {
    array const m = mask.type.id == type_id::bool_ ? mask : astype(mask, make_dtype(type_id::bool_));
    std::optional<array> const offsets = offsets_for(m);
    storage* const read[] = {m.memory(), offsets ? offsets->memory() : m.memory()};
    std::optional<graph_lock> lock;  // held while few elements are read
    std::optional<graph::memory_in_use> used;
    if (eager::is_small(m)) lock.emplace();
    if (!lock || !eager::is_readable(m) || !m.memory()->unsettled.empty()) lock.reset(), used.emplace(read);
    nonzero_args n;
    if (offsets) n.chunk_offsets = reinterpret_cast<std::int64_t*>(offsets->memory()->data());
    n.ndim = m.ndim(), n.shape = m.shape.data();
    n.mask = {m.memory()->data() + m.offset, m.strides.data(), type_id::bool_};
    auto const where = m.where();
    throw_if(device_calls::algorithm(where, algorithm_kind::nonzero, &n), where);
    std::vector<array> out;
    array const all = empty(where, make_dtype(type_id::int64), {m.ndim(), n.count});
    n.out = reinterpret_cast<std::int64_t*>(all.memory()->data());
    n.out_stride = n.count;
    if (n.count > 0) throw_if(device_calls::algorithm(where, algorithm_kind::nonzero, &n), where);
    for (int d = 0; d < m.ndim(); ++d) out.push_back(view(all, {n.count}, {8}, d * n.count * 8));
    return out;
}

}  // namespace bascule
