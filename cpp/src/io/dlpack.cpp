#include "bascule/io/dlpack.hpp"

#include <memory>
#include <utility>

#include "bascule/array/arguments.hpp"
#include "bascule/array/elementwise.hpp"
#include "bascule/array/graph.hpp"

namespace bascule::dlpack {
namespace {

// The owner of a shared tensor. The managed structure comes first: its address is the handle that consumers hold.
template <class Managed> struct shared_array {
    Managed managed{};
    array source;
    dims shape, strides;
    void* consumer = nullptr;  // its stream
};

template <class Managed> void unshare(Managed* m) {
    auto* const s = static_cast<shared_array<Managed>*>(m->owner);
    device const where = s->source.where();
    if (s->consumer) order_streams(where, nullptr, s->consumer);
    order_streams(where, nullptr, legacy_stream);
    s->source.memory()->exports.fetch_sub(1, std::memory_order_relaxed);
    delete s;
}

type_code code_of(type_id t) {
    if (is_boolean(t)) return type_code::boolean;
    if (is_float(t)) return type_code::floating;
    if (is_complex(t)) return type_code::complex;
    return is_unsigned_integer(t) ? type_code::unsigned_integer : type_code::integer;
}

bool has_type(element_type const& e, type_id& found) {
    for (int i = 0; i < type_count; ++i) {
        found = static_cast<type_id>(i);
        if (!is_time(found) && code_of(found) == e.code && itemsize(found) * 8 == e.bits) return true;
    }
    return false;
}

template <class Managed> std::unique_ptr<shared_array<Managed>> make_shared(array const& a, void* consumer) {
    auto s = std::make_unique<shared_array<Managed>>();
    s->source = a, s->shape = a.shape, s->strides = a.strides;
    for (auto& stride : s->strides) stride /= a.itemsize();
    s->consumer = consumer;
    begin_export(a);
    s->managed.owner = s.get();
    s->managed.deleter = unshare<Managed>;
    s->managed.content = {a.memory()->data() + a.offset,
                          place_of(a.where()),
                          a.ndim(),
                          {code_of(a.type.id), static_cast<std::uint8_t>(a.itemsize() * 8), 1},
                          s->shape.data(),
                          s->strides.data(),
                          0};
    return s;
}

device device_at(place p) {
    switch (p.kind) {
        case device_kind::cpu:
        case device_kind::cuda_host: return find_device("cpu");
        case device_kind::cuda:
        case device_kind::cuda_managed: return find_device("cuda:" + std::to_string(p.index));
    }
    throw device_error("Unsupported device in DLTensor.");
}

}  // namespace

place place_of(device d) {
    if (d.api->host_memory) return {device_kind::cpu, 0};
    return {device_kind::cuda, d.index};
}

char const* why_not(array const& a) {
    if (is_time(a.type.id)) return "DLPack only supports signed/unsigned integers, float and complex dtypes.";
    if (a.size() > 1)
        for (auto s : a.strides)
            if (s % a.itemsize() != 0) return "DLPack only supports strides which are a multiple of itemsize.";
    return nullptr;
}

managed_tensor* share(array const& a, void* consumer) {
    return &make_shared<managed_tensor>(a, consumer).release()->managed;
}

managed_tensor_versioned* share_versioned(array const& a, bool copied, void* consumer) {
    auto s = make_shared<managed_tensor_versioned>(a, consumer);
    s->managed.version = spoken;
    s->managed.flags = (a.writeable && a.memory()->writeable ? 0 : read_only_flag) | (copied ? copied_flag : 0);
    return &s.release()->managed;
}

array wrap_tensor(tensor const& t, bool writeable, void (*release)(void*), void* owner) {
    if (t.ndim > max_dims) throw device_error("maxdims of DLPack tensor is higher than the supported maxdims.");
    if (t.type.lanes != 1) throw device_error("Unsupported lanes in DLTensor dtype.");
    type_id id{};
    if (!has_type(t.type, id)) throw device_error("Unsupported dtype in DLTensor.");
    device const where = device_at(t.where);
    auto const size = itemsize(id);
    if (t.ndim < 0) throw value_error("[from_dlpack] expected a number of dimensions, got " + std::to_string(t.ndim));
    dims const shape(t.shape, t.ndim);
    arguments::bytes_of(shape, make_dtype(id));
    dims strides = contiguous_strides(shape, size);
    for (int i = 0; t.strides && i < t.ndim; ++i) strides[i] = t.strides[i] * size;
    if (product(shape) == 0) {  // such memory has no address to keep
        array a = empty(where, make_dtype(id), shape);
        release(owner);
        return a;
    }
    auto const reach = extent(shape, strides, 0, size);
    return aligned(wrap(where, static_cast<std::byte*>(t.data) + t.byte_offset, make_dtype(id), shape, strides, release,
                        owner, writeable, reach.first, reach.second - reach.first));
}

}  // namespace bascule::dlpack
