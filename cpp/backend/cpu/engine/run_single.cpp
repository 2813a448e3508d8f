// Fast paths for the most frequent plans of eager code: a few ops one after the other, or one reduction to one result,
// over few elements. Nothing is compiled; kernels run on operands in place, or on a packed copy of strided ones.
#include <cstring>

#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/program/op_traits.hpp"
#include "backend/cpu/reduce/reduce.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu {
namespace {

// Up to so many elements, of ops that are cheap, one thread is done before a second one is awake.
constexpr std::int64_t most_elements = 8192, most_cheap_elements = 44 * 1024;
constexpr float cheap = 2;

struct input {
    void const* p = nullptr;
    bool single = false;
};

// A single element counts as flat, with any strides.
layout layout_in(geometry const& g, std::int64_t const* strides, int itemsize) noexcept {
    if (g.total == 1 || (g.ndim == 1 && strides[0] == itemsize)) return layout::flat;
    return layout_of(g, strides, itemsize);
}

// As inspection_of, for the floating-point operations that are most of the calls.
inspection fast_inspection(op_traits const& t, plan_value const& v, type_id from, kernel_table const& k) noexcept {
    if (!v.check) return inspection::none;
    if (v.dtype != from || !is_float(from) || t.is_cast) return inspection_of(v, from, k);
    return !t.raises ? inspection::none : contains(t.exact_status, from) ? inspection::hardware : inspection::values;
}

bool locate(plan const& p, geometry const& g, plan_value const& v, input& to) noexcept {
    if (v.kind == value_kind::constant) {
        to = {p.constants[v.operand].bytes, true};
        return true;
    }
    if (v.kind != value_kind::load) return false;
    plan_operand const& o = p.operands[v.operand];
    layout const shape = layout_in(g, o.strides, itemsize(v.dtype));
    to = {o.base, shape == layout::scalar};
    return shape == layout::scalar || shape == layout::flat;
}

kernel choose(kernel_table const& k, op_traits const& t, plan const& p, plan_value const& v, input const* in) noexcept {
    int const last = static_cast<int>(t.is_distribution ? v.dtype : p.values[v.args[v.nargs - 1]].dtype);
    if (t.is_counter) return nullptr;
    if (v.nargs == 1)
        return in[0].single ? nullptr : t.is_cast ? k.cast[last][static_cast<int>(v.dtype)] : k.op[v.op][last][vv];
    if (v.nargs == 2)
        return in[0].single && in[1].single ? nullptr : k.op[v.op][last][in[1].single ? vs : in[0].single ? sv : vv];
    return in[0].single ? nullptr : k.op[v.op][last][(in[1].single ? 1 : 0) | (in[2].single ? 2 : 0)];
}

// The errors are found in the values, which must still be there.
bool overwrites(void const* out, input const* in, int nargs) noexcept {
    for (int k = 0; k < nargs; ++k)
        if (in[k].p == out) return true;
    return false;
}

// Whether an input may share bytes with the output; near ones count too.
bool may_overlap(void const* out, input const* in, int nargs, std::size_t n) noexcept {
    constexpr std::size_t largest_element = 16;
    std::size_t const reach = n * largest_element;
    for (int k = 0; k < nargs; ++k) {
        auto const apart = reinterpret_cast<std::uintptr_t>(in[k].p) - reinterpret_cast<std::uintptr_t>(out);
        if (apart + reach < 2 * reach) return true;
    }
    return false;
}

// The errors that the kernel raises, from the processor's status. Clearing the register waits for all pending
// computation: if the kernel can run again, it is not cleared first, and only if an error is set the kernel runs again
// to find whether it raised it.
std::uint8_t run_noting(kernel run, void* out, input const* in, int nargs, std::size_t n, std::uint8_t asked) noexcept {
    bool const once = may_overlap(out, in, nargs, n);
    if (once) fp_status::clear();
    run(out, in[0].p, in[1].p, in[2].p, n);
    std::uint8_t const raised = fp_status::raised() & asked;
    if (once || !raised) return raised;
    fp_status::clear();
    run(out, in[0].p, in[1].p, in[2].p, n);
    return fp_status::raised() & asked;
}

// So many elements are packed rather than compiled for.
constexpr std::int64_t most_packed_elements = 1024;
constexpr int most_packed_values = 10, packed_bytes = 8 * 1024;

void copy_elements(geometry const& g, char* to, std::int64_t const* to_strides, char const* from,
                   std::int64_t const* from_strides, copy_kernel copy) noexcept {
    each_patch(g, to_strides, 0, g.total,
               [&](std::int64_t offset, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                   std::int64_t column_stride, std::int64_t done) {
                   copy({to + offset, from + offset_at(g, from_strides, done), rows, columns, row_stride, column_stride,
                         g.ndim > 1 ? from_strides[g.ndim - 2] : 0, g.ndim ? from_strides[g.ndim - 1] : 0});
               });
}

// Values of a plan that are computed one by one for all elements.
class packed_values {
public:
    packed_values(plan const& p, geometry const& g, kernel_table const& k) noexcept : plan_(p), space_(g), kernels_(k) {
        std::int64_t step = 1;
        for (int d = g.ndim - 1; d >= 0; --d) dense_[d] = step, step *= g.shape[d];
    }

    bool load(int v) noexcept {
        plan_value const& value = plan_.values[v];
        if (value.kind == value_kind::constant) {
            at_[v] = {plan_.constants[value.operand].bytes, space_.total > 1};
            return true;
        }
        if (value.kind != value_kind::load) return false;
        plan_operand const& o = plan_.operands[value.operand];
        int const size = itemsize(value.dtype);
        layout const shape = layout_in(space_, o.strides, size);
        at_[v] = {o.base, shape == layout::scalar};
        if (shape == layout::scalar || shape == layout::flat) return true;
        char* const to = next();
        if (!to || size * space_.total > packed_bytes) return false;
        std::int64_t strides[max_dims];
        copy_elements(space_, to, packed_strides(size, strides), static_cast<char const*>(o.base), o.strides,
                      kernels_.copy[size_class(size)]);
        at_[v] = {to, false};
        return true;
    }

    // `out`: where it may go, else null.
    bool compute(int v, void* out) noexcept {
        plan_value const& value = plan_.values[v];
        op_traits const& t = traits_of(value.op);
        input in[3];
        for (int k = 0; k < value.nargs; ++k) in[k] = at_[value.args[k]];
        kernel const run = value.nargs > 3 ? nullptr : choose(kernels_, t, plan_, value, in);
        type_id const from = plan_.values[value.args[0]].dtype;
        inspection const how = plan_.fp_flags ? fast_inspection(t, value, from, kernels_) : inspection::none;
        if (out && reads_values(how) && overwrites(out, in, value.nargs)) out = nullptr;
        if (!out) out = itemsize(value.dtype) * space_.total > packed_bytes ? nullptr : next();
        if (!run || !out) return false;
        at_[v] = {out, false};
        auto const n = static_cast<std::size_t>(space_.total);
        if (how == inspection::hardware) {
            plan_.fp_flags[v] |= run_noting(run, out, in, value.nargs, n, value.check);
            return true;
        }
        run(out, in[0].p, in[1].p, in[2].p, n);
        if (how == inspection::none) return true;
        fp_error_args const args{out,          in[0].p,      in[1].p,     in[2].p, in[0].single,
                                 in[1].single, in[2].single, value.check, n};
        plan_.fp_flags[v] |= fp_errors_of(value, from, args, kernels_);
        return true;
    }

    void store(plan_store const& s) noexcept {
        plan_value const& value = plan_.values[s.value];
        int const size = itemsize(value.dtype);
        static constexpr std::int64_t still[max_dims] = {};
        std::int64_t strides[max_dims];
        bool const loaded = value.kind == value_kind::load;
        std::int64_t const* const from = at_[s.value].single                    ? still
                                         : loaded && !is_packed(at_[s.value].p) ? plan_.operands[value.operand].strides
                                                                                : packed_strides(size, strides);
        copy_elements(space_, static_cast<char*>(s.out.base), s.out.strides, static_cast<char const*>(at_[s.value].p),
                      from, kernels_.copy[size_class(size)]);
    }
    void const* at(int v) const noexcept { return at_[v].p; }

private:
    std::int64_t const* packed_strides(int size, std::int64_t* strides) const noexcept {
        for (int d = 0; d < space_.ndim; ++d) strides[d] = dense_[d] * size;
        return strides;
    }
    char* next() noexcept { return used_ < most_rooms ? rooms_[used_++] : nullptr; }
    bool is_packed(void const* p) const noexcept {
        auto const* const c = static_cast<char const*>(p);
        return c >= rooms_[0] && c < rooms_[0] + sizeof rooms_;
    }

    static constexpr int most_rooms = 6;
    plan const& plan_;
    geometry const& space_;
    kernel_table const& kernels_;
    int used_ = 0;
    input at_[most_packed_values];
    std::int64_t dense_[max_dims];
    alignas(64) char rooms_[most_rooms][packed_bytes];
};

// One op at most, with casts before and behind it: longer programs are worth compiling.
bool is_one_op(plan const& p) noexcept {
    int ops = 0;
    for (int v = 0; v < p.nvalues; ++v) ops += p.values[v].kind == value_kind::op && !traits_of(p.values[v].op).is_cast;
    return ops <= 1;
}

// A copy or a fill of few elements goes straight to its target.
bool copy_single(plan const& p, geometry const& g, kernel_table const& kernels) noexcept {
    plan_value const& v = p.values[0];
    if (g.total == 0 || g.total > most_elements || v.kind == value_kind::iota || v.kind == value_kind::op) return false;
    static constexpr std::int64_t still[max_dims] = {};
    bool const loaded = v.kind == value_kind::load;
    int const size = itemsize(v.dtype);
    auto* const to = static_cast<char*>(p.stores[0].out.base);
    auto const* const from = loaded ? static_cast<char const*>(p.operands[v.operand].base)
                                    : reinterpret_cast<char const*>(p.constants[v.operand].bytes);
    std::int64_t const *const to_strides = p.stores[0].out.strides, *const from_strides =
                                                                        loaded ? p.operands[v.operand].strides : still;
    copy_kernel const copy = kernels.copy[size_class(size)];
    if (g.ndim != 1) {
        if (g.total > most_packed_elements) return false;  // large ones are copied in tiles
        copy_elements(g, to, to_strides, from, from_strides, copy);
    } else if (to_strides[0] == size && from_strides[0] == size) {
        std::memcpy(to, from, static_cast<std::size_t>(g.total * size));
    } else {
        copy({to, from, 1, g.total, 0, to_strides[0], 0, from_strides[0]});
    }
    return true;
}

// One store of few elements, in any layout.
[[gnu::noinline]] bool run_packed(plan const& p, geometry const& g, kernel_table const& kernels) noexcept {
    if (p.nvalues > most_packed_values || g.total == 0 || g.total > most_packed_elements || !is_one_op(p)) return false;
    packed_values values(p, g, kernels);
    plan_store const& store = p.stores[0];
    plan_value const& last = p.values[store.value];
    bool const flat = layout_in(g, store.out.strides, itemsize(last.dtype)) == layout::flat;
    for (int v = 0; v < p.nvalues; ++v) {
        bool const in_place = flat && v == store.value && v == p.nvalues - 1;
        if (p.values[v].kind != value_kind::op ? !values.load(v)
                                               : !values.compute(v, in_place ? store.out.base : nullptr))
            return false;
    }
    if (values.at(store.value) != store.out.base) values.store(store);
    return true;
}

bool run_flat(plan const& p, geometry const& g, kernel_table const& kernels) noexcept {
    if (p.nvalues > 4 || p.nvalues < 2) return false;
    plan_value const& v = p.values[p.nvalues - 1];
    plan_store const& store = p.stores[0];
    if (v.kind != value_kind::op || store.value != p.nvalues - 1 || v.nargs > 3) return false;
    op_traits const& t = traits_of(v.op);
    if (g.total == 0 || g.total > (t.cost > cheap ? most_elements : most_cheap_elements)) return false;
    input in[3];
    for (int k = 0; k < v.nargs; ++k)
        if (!locate(p, g, p.values[v.args[k]], in[k])) return false;
    kernel const run = choose(kernels, t, p, v, in);
    void* const out = store.out.base;
    if (!run || layout_in(g, store.out.strides, itemsize(v.dtype)) != layout::flat) return false;
    type_id const from = p.values[v.args[0]].dtype;
    inspection const how = p.fp_flags ? fast_inspection(t, v, from, kernels) : inspection::none;
    auto const n = static_cast<std::size_t>(g.total);
    if (how == inspection::hardware) {
        p.fp_flags[p.nvalues - 1] |= run_noting(run, out, in, v.nargs, n, v.check);
        return true;
    }
    if (how == inspection::values && overwrites(out, in, v.nargs)) return false;
    run(out, in[0].p, in[1].p, in[2].p, n);
    if (how == inspection::none) return true;
    fp_error_args const args{out, in[0].p, in[1].p, in[2].p, in[0].single, in[1].single, in[2].single, v.check, n};
    p.fp_flags[p.nvalues - 1] |= fp_errors_of(v, from, args, kernels);
    return true;
}

}  // namespace

// A plan without reductions. (Checking both counts would be one load of two values that were just stored separately,
// which has to wait for both stores.)
bool run_single(plan const& p, kernel_table const& kernels) noexcept {
    if (p.nstores != 1) return false;
    geometry const g = p.ndim == 1 ? geometry{1, p.shape, p.shape[0], p.shape[0], true} : geometry_of(p);
    if (p.nvalues == 1) return copy_single(p, g, kernels);
    return run_flat(p, g, kernels) || run_packed(p, g, kernels);
}

bool reduce_single(plan const& p, kernel_table const& kernels) noexcept {
    if (p.nreductions != 1 || p.nstores || p.nvalues != 1 || p.ndim != 1 || !p.reduced || !p.reduced[0]) return false;
    plan_value const& v = p.values[0];
    plan_reduction const& r = p.reductions[0];
    std::int64_t const n = p.shape[0];
    if (v.kind != value_kind::load || n == 0 || n > task_elements || r.aggregate >= ops::aggregate_count) return false;
    plan_operand const& in = p.operands[v.operand];
    int const size = itemsize(v.dtype);
    void const* data = in.base;
    alignas(64) char packed[packed_bytes];
    if (n > 1 && in.strides[0] != size) {
        if (n * size > packed_bytes) return false;
        kernels.copy[size_class(size)]({packed, static_cast<char const*>(in.base), 1, n, 0, size, 0, in.strides[0]});
        data = packed;
    }
    reduction_kernels const& k = kernels.reduction[r.aggregate][static_cast<int>(v.dtype)];
    if (!k.reduce || ops::aggregate_result_type(r.aggregate, v.dtype) != r.out.dtype) return false;
    alignas(16) char run[largest_state], total[largest_state];
    bool const asks = p.fp_flags && does_arithmetic(r.aggregate, v.dtype);
    if (asks) fp_status::clear();
    k.reduce(run, data, n, 0);
    if (asks) p.fp_flags[1] |= fp_status::raised();
    k.init(total, 1);  // as the longer way does, where a sum of -0 becomes 0
    k.merge(total, run, 1);
    k.finish({r.out.base, 0, total, 1, n, r.ddof});
    return true;
}

}  // namespace bascule::cpu
