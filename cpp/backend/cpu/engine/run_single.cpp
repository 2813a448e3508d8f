// The short ways for what eager code asks for most: one op, or one reduction to one result, over arrays that lie flat,
// few enough for one thread. Nothing is compiled; the kernel runs on the operands where they are.
#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/program/op_traits.hpp"
#include "backend/cpu/reduce/reduce.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu {
namespace {

// Of what costs little an element, so many are done sooner than a second thread is awake.
constexpr std::int64_t most_elements = 8192, most_cheap_elements = 44 * 1024;
constexpr float cheap = 2;

struct input {
    void const* p = nullptr;
    bool single = false;
};

// A single element lies flat whatever its strides are.
layout layout_in(geometry const& g, std::int64_t const* strides, int itemsize) noexcept {
    if (g.total == 1 || (g.ndim == 1 && strides[0] == itemsize)) return layout::flat;
    return layout_of(g, strides, itemsize);
}

// As inspection_of, for the floating-point operations that are most of the calls.
inspection quick_inspection(op_traits const& t, plan_value const& v, type_id from, kernel_table const& k) noexcept {
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
    int const last = static_cast<int>(t.is_draw ? v.dtype : p.values[v.args[v.nargs - 1]].dtype);
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

// Some input may share bytes with what is written; near ones count too.
bool may_overlap(void const* out, input const* in, int nargs, std::size_t n) noexcept {
    constexpr std::size_t largest_element = 16;
    std::size_t const reach = n * largest_element;
    for (int k = 0; k < nargs; ++k) {
        auto const apart = reinterpret_cast<std::uintptr_t>(in[k].p) - reinterpret_cast<std::uintptr_t>(out);
        if (apart + reach < 2 * reach) return true;
    }
    return false;
}

// What the kernel raises, as the processor notes it. Reading the register waits for all that is computed: where the
// kernel can run again it is not read before, and only if something has risen it is seen who raised it.
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

}  // namespace

// Of a plan without reductions. (Were both counts looked at, it would be by one load of what was just written in two
// parts, which waits for both.)
bool run_single(plan const& p, kernel_table const& kernels) noexcept {
    if (p.nstores != 1 || p.nvalues > 4 || p.nvalues < 2) return false;
    plan_value const& v = p.values[p.nvalues - 1];
    plan_store const& store = p.stores[0];
    if (v.kind != value_kind::op || store.value != p.nvalues - 1 || v.nargs > 3) return false;
    geometry const g = p.ndim == 1 ? geometry{1, p.shape, p.shape[0], p.shape[0], true} : geometry_of(p);
    op_traits const& t = traits_of(v.op);
    if (g.total == 0 || g.total > (t.cost > cheap ? most_elements : most_cheap_elements)) return false;
    input in[3];
    for (int k = 0; k < v.nargs; ++k)
        if (!locate(p, g, p.values[v.args[k]], in[k])) return false;
    kernel const run = choose(kernels, t, p, v, in);
    void* const out = store.out.base;
    if (!run || layout_in(g, store.out.strides, itemsize(v.dtype)) != layout::flat) return false;
    type_id const from = p.values[v.args[0]].dtype;
    inspection const how = p.fp_flags ? quick_inspection(t, v, from, kernels) : inspection::none;
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

bool reduce_single(plan const& p, kernel_table const& kernels) noexcept {
    if (p.nreductions != 1 || p.nstores || p.nvalues != 1 || p.ndim != 1 || !p.reduced || !p.reduced[0]) return false;
    plan_value const& v = p.values[0];
    plan_reduction const& r = p.reductions[0];
    std::int64_t const n = p.shape[0];
    if (v.kind != value_kind::load || n == 0 || n > task_elements || r.aggregate >= ops::aggregate_count) return false;
    plan_operand const& in = p.operands[v.operand];
    if (n > 1 && in.strides[0] != itemsize(v.dtype)) return false;
    reduction_kernels const& k = kernels.reduction[r.aggregate][static_cast<int>(v.dtype)];
    if (!k.reduce || ops::aggregate_result_type(r.aggregate, v.dtype) != r.out.dtype) return false;
    alignas(16) char run[largest_state], total[largest_state];
    bool const asks = p.fp_flags && does_arithmetic(r.aggregate, v.dtype);
    if (asks) fp_status::clear();
    k.reduce(run, in.base, n, 0);
    if (asks) p.fp_flags[1] |= fp_status::raised();
    k.init(total, 1);  // as the longer way does, where a sum of -0 becomes 0
    k.merge(total, run, 1);
    k.finish({r.out.base, 0, total, 1, n, r.ddof});
    return true;
}

}  // namespace bascule::cpu
