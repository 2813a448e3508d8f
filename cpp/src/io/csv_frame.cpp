#include "bascule/io/csv_frame.hpp"

#include "bascule/array/device_calls.hpp"
#include "bascule/core/device.hpp"

namespace bascule::io {
namespace {

// An array over a block of the table; no other owner writes there, so operations on it may stay pending.
array over(csv_table const& t, void* data, dtype type, std::int64_t n) {
    device const host{cpu_backend(), 0};
    static std::int64_t nothing = 0;
    auto* const owner = new std::shared_ptr<void>(t.owner());
    array a = wrap(
        host, data ? data : &nothing, type, {n}, {itemsize(type.id)},
        [](void* p) { delete static_cast<std::shared_ptr<void>*>(p); }, owner, false, 0, n * itemsize(type.id));
    a.memory()->exports.fetch_sub(1);
    return a;
}

array unpacked(std::uint8_t* bits, std::int64_t n) {
    if (!bits) return {};
    device const host{cpu_backend(), 0};
    array const out = empty(host, make_dtype(type_id::bool_), {n});
    validity_bits_args a;
    a.pack = false, a.bits = bits, a.bytes = reinterpret_cast<std::uint8_t*>(out.memory()->data()), a.length = n;
    throw_if(device_calls::algorithm(host, algorithm_kind::validity_bits, &a), host);
    return out;
}

table::column values_of(csv_table const& t, csv_column const& c) {
    std::int64_t const n = t.rows();
    auto plain = [&](type_id id) { return over(t, c.data, make_dtype(id), n); };
    switch (c.kind) {
        case csv_kind::int64: return table::column(plain(type_id::int64));
        case csv_kind::uint64: return table::column(plain(type_id::uint64));
        case csv_kind::float64: return table::column(plain(type_id::float64));
        case csv_kind::boolean: return table::column(plain(type_id::bool_), unpacked(c.validity, n));
        case csv_kind::date: {
            dtype type = make_dtype(type_id::datetime64);
            type.unit = c.unit;
            return table::column(over(t, c.data, type, n));
        }
        default: break;
    }
    array const offsets = over(t, c.offsets, make_dtype(type_id::int64), n + 1);
    std::int64_t const bytes = c.offsets ? c.offsets[n] : 0;
    return table::column::text(over(t, c.data, make_dtype(type_id::uint8), bytes), offsets, unpacked(c.validity, n));
}

}  // namespace

csv_frame to_frame(csv_table const& t) {
    csv_frame f;
    f.implicit_index = t.implicit_index(), f.rows = t.rows();
    for (std::int64_t i = 0; i < t.size(); ++i) {
        auto const& c = t.column(i);
        f.columns.push_back({t.is_named(i) ? std::string(t.name(i)) : std::string(), t.is_named(i), c.kind, c.remark,
                             std::make_shared<table::column const>(values_of(t, c))});
    }
    return f;
}

}  // namespace bascule::io
