// The plan rewrites, in the order in which they are tried. None changes a bit of a result or a floating-point error;
// each is in rewrites/ with its purpose.
#include "backend/cpu/engine/rewrites.hpp"

#include <iterator>
#include <string_view>

#include "backend/cpu/engine/elementwise.hpp"
#include "backend/cpu/interpreter/compile.hpp"
#include "backend/cpu/reduce/reduce.hpp"
#include "backend/cpu/rewrites/cross_row_cse.hpp"
#include "backend/cpu/rewrites/pack_operands.hpp"
#include "backend/cpu/rewrites/short_axis_reduce.hpp"
#include "backend/cpu/rewrites/unrolled_reduction.hpp"

namespace bascule::cpu {

struct rewrite {
    char const* name;
    bool (*applies)(plan const&) noexcept;
    status (*run)(plan const&, run_options const&) noexcept;  // the plan in its other form
};

static status run_unrolled(plan const&, run_options const&) noexcept;
static status run_shared_rows(plan const&, run_options const&) noexcept;
static status run_across(plan const&, run_options const&) noexcept;
static status run_packed(plan const&, run_options const&) noexcept;

static constexpr rewrite rewrites[] = {
    // sums of up to seven computed elements each become values of one element-wise plan
    {"unrolled_reduction", unrolled_reduction::applies, run_unrolled},
    // stencils by slices: values computed for one row serve the rows that follow
    {"cross_row_cse", cross_row_cse::applies, run_shared_rows},
    // other reductions along a short last axis: whole rows of results side by side
    {"short_axis_reduction", short_axis_reduction::applies, run_across},
    // small operands that are read over and over are copied into the order in which they are read; after any of these
    {"pack_operands", packed_operands::applies, run_packed},
};
static constexpr int packing = 3;
static_assert(std::string_view(rewrites[packing].name) == "pack_operands");

// Each of these holds a whole plan or program on its frame.
static __attribute__((noinline)) status run_program(plan const& source, run_options const& o) noexcept {
    program p;
    if (!compile(p, source, o.kernels, false)) return refuse(p);
    p.alone = o.alone;
    sched::early_end early;
    p.early = &early;
    status s = status::ok;
    if (source.nreductions) s = run_reductions(p);
    else if (p.space.total > 0) s = run_elements(p);
    return early.was_wanted() ? status::interrupted : s;
}

// Tries the rewrites from `first` on.
static status run_from(int first, plan const& source, run_options const& o) noexcept {
    for (int k = first; k < static_cast<int>(std::size(rewrites)); ++k)
        if (rewrites[k].applies(source)) return rewrites[k].run(source, o);
    return run_program(source, o);
}

static __attribute__((noinline)) status run_unrolled(plan const& source, run_options const& o) noexcept {
    unrolled_reduction const unrolled(source);
    status const s = run_from(packing, unrolled.get(), o);
    unrolled.report();
    return s;
}

static __attribute__((noinline)) status run_shared_rows(plan const& source, run_options const& o) noexcept {
    cross_row_cse shared(source);
    if (!shared.pays() || packed_operands::applies(shared.get())) return run_from(packing, source, o);
    program p;
    if (!compile(p, shared.get(), o.kernels, false)) return refuse(p);
    p.alone = o.alone;
    sched::early_end early;
    p.early = &early;
    status s = run_elements(p);
    if (s == status::ok && shared.move_to_last()) {
        shared.move_to_last(p);
        s = run_elements(p);
    }
    shared.report();
    return early.was_wanted() ? status::interrupted : s;
}

static __attribute__((noinline)) status run_across(plan const& source, run_options const& o) noexcept {
    return run_from(packing, short_axis_reduction(source).get(), o);
}

static __attribute__((noinline)) status run_packed(plan const& source, run_options const& o) noexcept {
    packed_operands const packed(source, o.kernels);
    return run_program(packed.ready() ? packed.get() : source, o);
}

status run_rewritten(plan const& source, run_options const& o) noexcept { return run_from(0, source, o); }

}  // namespace bascule::cpu
