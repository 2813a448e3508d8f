#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "../eager/immediate.hpp"
#include "../graph/late_fp_flags.hpp"
#include "bascule/array/arguments.hpp"
#include "bascule/array/device_calls.hpp"
#include "bascule/array/elementwise.hpp"
#include "bascule/array/graph.hpp"
#include "bascule/array/spill.hpp"
#include "bascule/array/wait.hpp"
#include "bascule/ops/cast.hpp"
#include "bascule/ops/table.hpp"

namespace bascule {
namespace {

constexpr auto cast_op = ops::number<ops::cast>;

array lazy(device where, dtype t, dims const& shape, bool fortran, std::unique_ptr<pending_operation> node) {
    arguments::bytes_of(shape, t);
    std::span<operand const> const args(node->args, node->nargs);
    graph_lock lock;
    if (eager::can_run(where, shape, args)) {
        array a = empty(where, t, shape, fortran);
        errstate::scope const unchecked(0, false);
        eager::run(node->op, t.id, args, a, errstate::kind::ufunc);
        return a;
    }
    node->shape = shape, node->result = t.id;
    return graph::add(lock, where, t, shape, contiguous_strides(shape, t.itemsize, fortran), std::move(node));
}

// Copies the part that is already filled, which doubles each time.
void fill_in(std::byte* p, std::int64_t bytes, plan_constant const& value, std::int64_t itemsize) {
    if (bytes == 0) return;
    std::memcpy(p, value.bytes, static_cast<std::size_t>(itemsize));
    for (std::int64_t done = itemsize; done < bytes; done *= 2)
        std::memcpy(p + done, p, static_cast<std::size_t>(std::min(done, bytes - done)));
}

operand iota(dims const& shape) {
    operand o;
    o.from = operand::source::iota;
    o.type = o.as = type_id::int64;
    o.strides = contiguous_strides(shape, 1);
    return o;
}

}  // namespace

array empty_strided(device where, dtype t, dims const& shape, dims const& strides) {
    auto const bytes = arguments::bytes_of(shape, t);
    array a(storage::make(where, bytes), t, shape, strides);
    auto* s = a.memory();
    try {
        s->set_ready(s->allocate());
    } catch (memory_error const&) {
        throw memory_error(arguments::no_memory_for(shape, t) + spill::why_nothing_moves());
    }
    return a;
}

array empty(device where, dtype t, dims const& shape, bool fortran) {
    return empty_strided(where, t, shape, contiguous_strides(shape, t.itemsize, fortran));
}

array full(device where, dtype t, dims const& shape, plan_constant value, bool fortran) {
    if (arguments::bytes_of(shape, t); eager::can_run(where, shape, {})) {
        array a = empty(where, t, shape, fortran);
        fill_in(a.memory()->data(), a.size() * t.itemsize, value, t.itemsize);
        return a;
    }
    auto node = std::make_unique<pending_operation>();
    node->op = cast_op, node->nargs = 1;
    node->args[0] = graph::argument(value, t.id);
    return lazy(where, t, shape, fortran, std::move(node));
}

array arange(device where, dtype t, std::int64_t n, plan_constant start, plan_constant step) {
    dims const shape{n};
    auto node = std::make_unique<pending_operation>();
    node->nargs = 1, node->op = cast_op;
    operand index = iota(shape);
    // NumPy fills start + i * step in the array's own type; for integers that is an iota itself.
    if (is_integer(t.id) || is_time(t.id)) {
        index.offset = start.i64;
        index.strides[0] = step.i64;
        node->args[0] = index;
        return lazy(where, t, shape, false, std::move(node));
    }
    index.as = t.id;
    node->op = ops::number<ops::muladd>, node->nargs = 3;
    node->args[0] = index;
    node->args[1] = graph::argument(step, t.id);
    node->args[2] = graph::argument(start, t.id);
    return lazy(where, t, shape, false, std::move(node));
}

array counter_fill(device where, dtype t, dims const& shape, std::uint16_t op, std::uint64_t key, std::uint64_t first) {
    auto node = std::make_unique<pending_operation>();
    node->op = op, node->nargs = 2;
    node->args[0] = iota(shape);
    node->args[0].offset = static_cast<std::int64_t>(first);
    plan_constant k{};
    k.u64 = key;
    node->args[1] = graph::argument(k, type_id::uint64);
    return lazy(where, t, shape, false, std::move(node));
}

array wrap(device where, void* data, dtype t, dims const& shape, dims const& strides, void (*release)(void*),
           void* owner, bool writeable, std::int64_t lowest_offset, std::int64_t bytes) {
    auto s = storage::wrap(where, static_cast<std::byte*>(data) + lowest_offset, bytes, release, owner);
    s->exports.store(1, std::memory_order_relaxed);  // the caller keeps the address as long as the storage lives
    s->writeable = writeable, s->noncanonical_bools = is_boolean(t.id);
    array a(std::move(s), t, shape, strides, -lowest_offset);
    a.writeable = writeable;
    return a;
}

array from_host(device where, void const* data, dtype t, dims const& shape, dims const& strides) {
    array a = empty_strided(where, t, shape, dense_strides_like(shape, strides, t.itemsize));
    if (a.size() == 0) return a;
    if (a.strides == strides) {
        throw_if(device_calls::copy(where, a.memory()->data(), data, a.memory()->bytes(), copy_kind::host_to_device),
                 where);
        return a;
    }
    device const host{cpu_backend(), 0};
    auto const reach = extent(shape, strides, 0, t.itemsize);
    array const there = wrap(
        host, const_cast<void*>(data), t, shape, strides, [](void*) {}, nullptr, false, reach.first,
        reach.second - reach.first);
    array const dense = copy(there);
    if (where == host) {
        assign(a, dense);
        return a;
    }
    evaluate(dense.memory());
    return from_host(where, dense.memory()->data(), t, shape, dense.strides);
}

void wait_for(device where) {
    late_fp_flags::reading flags(where);
    throw_if(where.api->synchronize(where.index, nullptr), where);
    flags.report();
    index_errors::settle_all(where);
}

array to_device(array const& a, device to) {
    device const from = a.where();
    if (from == to) return copy(a);
    dims const dense = dense_strides_like(a.shape, a.strides, a.itemsize());
    array const source = a.strides == dense ? a : copy(a);
    array r = empty_strided(to, a.type, a.shape, dense);
    storage* const read[] = {source.memory()};
    graph::memory_in_use const used(read);
    std::byte const* const p = source.memory()->data() + source.offset;
    std::int64_t const bytes = r.memory()->bytes();
    void* const out = r.memory()->data();
    if (from.api == to.api && from.api->copy_between) {
        throw_if(device_calls::copy_between(to, out, from, p, bytes), to);
        index_errors::add(r.memory()->unsettled, source.memory()->unsettled);
        return r;
    }
    device const actor = from.api->host_memory ? to : from;
    if (!actor.api->host_memory && !(from.api->host_memory || to.api->host_memory))
        throw not_supported("[to_device] no way from " + from.name() + " to " + to.name() + " but by \"cpu\"");
    auto const kind = from.api->host_memory ? copy_kind::host_to_device : copy_kind::device_to_host;
    throw_if(device_calls::copy(actor, out, p, bytes, kind), actor);
    if (from.api->host_memory) return r;
    wait_for(actor);
    return r;
}

std::byte* array::data() const {
    evaluate(memory());
    return memory()->data() + offset;
}

void to_host(array const& a, void* out, bool wait) {
    if (a.size() == 0) return;
    array const dense = is_c_contiguous(a.shape, a.strides, a.itemsize()) ? a : copy(a, 'C');
    storage* const read[] = {dense.memory()};
    graph::memory_in_use const used(read);
    std::byte const* p = dense.memory()->data() + dense.offset;
    auto const where = a.where();
    throw_if(device_calls::copy(where, out, p, a.size() * a.itemsize(), copy_kind::device_to_host), where);
    if (wait) wait_for(where);
}

plan_constant item(array const& a, std::int64_t flat) {
    if (flat < 0 || flat >= a.size())
        throw index_error("index " + std::to_string(flat) + " is out of bounds for size " + std::to_string(a.size()));
    std::int64_t at = a.offset;
    for (int d = a.ndim() - 1; d >= 0; --d) {
        at += flat % a.shape[d] * a.strides[d];
        flat /= a.shape[d];
    }
    plan_constant v{};
    auto const where = a.where();
    if (where.api->host_memory) {
        graph_lock lock;
        graph::evaluate(lock, a.memory(), flush_reason::read);
        std::memcpy(&v, a.memory()->data() + at, static_cast<std::size_t>(a.itemsize()));
        return v;
    }
    storage* const read[] = {a.memory()};
    graph::memory_in_use const used(read);
    throw_if(device_calls::copy(where, &v, a.memory()->data() + at, a.itemsize(), copy_kind::device_to_host), where);
    wait_for(where);
    return v;
}

array reshape_view_or_copy(array const& a, dims const& shape, bool fortran) {
    if (auto v = reshape_view(a, shape, fortran)) return *v;
    return *reshape_view(copy(a, fortran ? 'F' : 'C'), shape, fortran);
}

namespace {

// As the op's kernels cast it.
template <type_id To, class From> plan_constant cast_to(From x) {
    plan_constant out{};
    element<To> const y = ops::cast{}.operator()<element<To>>(x);
    std::memcpy(out.bytes, &y, sizeof y);
    return out;
}
template <class From> plan_constant cast_number(plan_constant const& v, type_id to) {
    From x;
    std::memcpy(&x, v.bytes, sizeof x);
    return [&]<int... Id>(std::integer_sequence<int, Id...>) {
        static constexpr plan_constant (*cast[])(From) = {cast_to<static_cast<type_id>(Id), From>...};
        return cast[static_cast<int>(to)](x);
    }
    (std::make_integer_sequence<int, type_count>());
}

}  // namespace

plan_constant cast_constant(plan_constant v, type_id from, type_id to) {
    if (from == to) return v;
    switch (from) {  // the types of Python's numbers, for which making a plan would take far longer
        case type_id::int64: return cast_number<std::int64_t>(v, to);
        case type_id::float64: return cast_number<double>(v, to);
        case type_id::float32: return cast_number<float>(v, to);
        case type_id::complex128: return cast_number<complex<double>>(v, to);
        default: break;
    }
    plan_constant out{};
    dims const one{1}, zero{0};
    device const host{cpu_backend(), 0};
    plan_operand const o{&out, zero.data(), to};
    plan_value values[2];
    values[0].kind = value_kind::constant, values[0].dtype = from;
    values[1].op = cast_op, values[1].dtype = to, values[1].nargs = 1;
    plan_store const store{1, o};
    plan p;
    p.ndim = 1, p.shape = one.data();
    p.constants = &v, p.nconstants = 1;
    p.values = values, p.nvalues = 2;
    p.stores = &store, p.nstores = 1;
    throw_if(device_calls::run(host, &p), host);
    return out;
}

}  // namespace bascule
