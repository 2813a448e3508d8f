#include "buffers.hpp"

#include "bascule/ops/table.hpp"

namespace bascule::table {

array pack_validity(array const& valid) {
    array const bytes = contiguous(valid);
    array const bits = empty(valid.where(), make_dtype(type_id::uint8), {(valid.size() + 7) / 8});
    storage* const read[] = {bytes.memory()};
    graph::memory_in_use const used(read);
    validity_bits_args a;
    a.bits = pointer<std::uint8_t>(bits), a.bytes = pointer<std::uint8_t>(bytes), a.length = valid.size();
    a.count_nulls = false;
    run(valid.where(), algorithm_kind::validity_bits, &a);
    return bits;
}

buffers::buffers(column const& c, bool want_bits)
    : values(contiguous(c.values())), offsets(c.offsets().memory() ? contiguous(c.offsets()) : array{}),
      length(c.length()) {
    if (!want_bits) return;
    if (c.has_valid()) bits = pack_validity(c.valid());
    else if (c.kind() == column::form::coded && c.has_missing())
        bits = pack_validity(apply(ops::number<ops::logical_not>, missing(c)));
}

void inputs::begin() {
    std::vector<storage*> read;
    auto note = [&](array const& a) {
        if (a.memory()) read.push_back(a.memory());
    };
    for (auto const& b : list_) note(b.values), note(b.offsets), note(b.bits);
    for (auto const& a : arrays_) note(a);
    used_ = std::make_unique<graph::memory_in_use>(read);
}

void* results::allocate(void* self, std::int64_t bytes) noexcept {
    auto& r = *static_cast<results*>(self);
    try {
        r.arrays.push_back(empty(r.where, make_dtype(type_id::uint8), {bytes}));
        return pointer(r.arrays.back());
    } catch (...) { return nullptr; }
}

array results::at(void const* p) const {
    for (array const& a : arrays)
        if (pointer(a) == p) return a;
    throw device_error("[table] an algorithm returned memory that it did not ask for");
}

array reinterpret(array const& bytes, type_id t) {
    array v = contiguous(bytes);
    v.type = make_dtype(t);
    v.shape = {bytes.size() * bytes.itemsize() / itemsize(t)};
    v.strides = {itemsize(t)};
    return v;
}

}  // namespace bascule::table
