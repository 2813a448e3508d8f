#include <bit>

#include "backend/cuda/aggregate_catalog.hpp"
#include "backend/cuda/failure.hpp"
#include "backend/cuda/op_catalog.hpp"
#include "backend/cuda/plan_text.hpp"
#include "backend/cuda/run_plan.hpp"

namespace bascule::cuda {
namespace {

// The words all kernels of a reduction know by their place; those of the plan's values follow.
enum control : std::size_t { outputs, outer, run, depth, slots, ddof, level, control_count };

struct reduction {
    device& d;
    plan const& p;
    plan_reduction const& r;
    stream_handle stream;
    iteration_space space;
    type_id input;
    aggregate_entry aggregate;
    kernel_text text;
    std::int64_t n_outputs, n_outer, n_run;

    reduction(device& dev, plan const& pl, int which, stream_handle s)
        : d(dev), p(pl), r(pl.reductions[which]), stream(s), space(pl), input(pl.values[r.value].dtype),
          aggregate(find_aggregate(r.aggregate, input)), n_outputs(space.size_of(fold::kept)), n_outer(space.size_of(fold::outer)),
          n_run(space.size_of(fold::run)) {
        for (std::size_t k = 0; k < control_count; ++k) text.word(0);
        set(outputs, n_outputs), set(outer, n_outer), set(run, n_run);
        set(ddof, std::bit_cast<std::int64_t>(r.ddof));
    }

    void set(control c, std::int64_t value) { text.parameters()[c] = static_cast<std::uint64_t>(value); }
    bool by_runs() const { return space.rank() > 0 && space.folds.back() == fold::run; }

    void print_program(int which);
    void launch(char const* kernel, std::int64_t threads) {
        d.launch(d.kernel(text.unit(), kernel), d.grid_for(threads), text.parameters(), stream);
    }
    void fold_columns();
    void fold_runs();
};

void reduction::print_program(int which) {
    value_printer values(p, space, text);
    text.line("struct program {");
    text.line("    parameters const& p;");
    text.line("    using input = ops::computed<type_id(" + std::to_string(static_cast<int>(input)) + ")>;");
    text.line("    __device__ input operator()(std::int64_t kept, std::int64_t outer, std::int64_t run) const {");
    values.print({r.value}, {"kept", "outer", "run"});
    text.line("        return ops::cast{}.template operator()<input>(v" + std::to_string(r.value) + ");");
    text.line("    }");
    text.line("    __device__ std::uint64_t result(std::int64_t kept) const {");
    values.print_coordinates({.kept = "kept"});
    text.line("        return " + values.result_address(space.results[static_cast<std::size_t>(which)]) + ";");
    text.line("    }\n};");
    text.line("using algebra = " + aggregate.type + "::of<program::input>;");
}

constexpr char const* shape_text = "reduction_shape{(std::int64_t)p[0], (std::int64_t)p[1], (std::int64_t)p[2], (int)p[3]}";
constexpr char const* ddof_text = "from_words<double>(p[5], 0)";

void reduction::fold_columns() {
    std::string const out = element_text(r.out.dtype);
    text.kernel("columns", std::string("    fold_columns<algebra, ") + out + ">(program{p}, " + shape_text + ", " + ddof_text + ");\n");
    launch("columns", n_outputs);
}

void reduction::fold_runs() {
    std::string const shape = shape_text, out = element_text(r.out.dtype);
    text.kernel("leaves", "    fold_leaves<algebra>(program{p}, " + shape + ", p[4]);\n");
    text.kernel("join", "    join_slots<algebra>(" + shape + ", p[4], (int)p[6]);\n");
    text.kernel("finish", "    finish_runs<algebra, " + out + ">(program{p}, " + shape + ", p[4], " + ddof_text + ");\n");
    int const levels = tree_depth(aggregate, n_run);
    std::int64_t const slot_count = n_outputs * n_outer << levels;
    set(depth, levels);
    if (slot_count * n_run == 0) {
        set(outer, 0);  // nothing to fold: identities
        return launch("finish", n_outputs);
    }
    scratch const states(d, slot_count * aggregate.state_bytes);
    set(slots, reinterpret_cast<std::int64_t>(states.get()));
    launch("leaves", slot_count * aggregate.granule);
    constexpr int levels_a_launch = 9;
    for (int l = 0; l < levels; l += levels_a_launch) {
        set(level, l);
        launch("join", (slot_count >> l) / 2);
    }
    launch("finish", n_outputs);
}

}  // namespace

void run_reduction(device& d, plan const& p, int which, stream_handle stream) {
    reduction job(d, p, which, stream);
    if (job.n_outputs == 0) return;
    if (job.n_outer * job.n_run == 0 && job.aggregate.meta->empty_error[0])
        throw failure{status::value_error, std::string("[cuda] ") + job.aggregate.meta->empty_error};
    job.print_program(which);
    if (job.by_runs()) job.fold_runs();
    else job.fold_columns();
}

}  // namespace bascule::cuda
