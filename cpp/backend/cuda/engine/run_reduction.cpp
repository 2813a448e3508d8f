#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "backend/cuda/codegen/aggregate_catalog.hpp"
#include "backend/cuda/codegen/op_catalog.hpp"
#include "backend/cuda/driver/failure.hpp"
#include "backend/cuda/engine/run_plan.hpp"
#include "backend/cuda/launch/flag_words.hpp"

namespace bascule::cuda {
namespace {

// The words all kernels of a reduction know by their place; those of the plan's values follow.
enum control : std::size_t {
    outputs,
    outer,
    run,
    depth,
    slots,
    ddof,
    level,
    rows,
    stripes,
    joined,
    decided,
    control_count
};

// How many rows of a column a thread reduces: all of them where the columns alone fill any card, else so few that the
// stripes do, but enough to be worth a state in memory. Of the shape alone.
std::int64_t rows_of_stripe(std::int64_t columns, std::int64_t rows) {
    constexpr std::int64_t threads = 1 << 18, least = 32;
    std::int64_t const stripes = std::clamp<std::int64_t>(threads / std::max<std::int64_t>(columns, 1), 1,
                                                          std::max<std::int64_t>(rows / least, 1));
    return (rows + stripes - 1) / stripes;
}

class reduction final : public plan_pass {
public:
    reduction(device& dev, plan const& p, int which, bool checks, stream_handle s)
        : d_(dev), stream_(s), number_(std::to_string(which)), space_(p),
          aggregate_(find_aggregate(p.reductions[which].aggregate, input_of(p, which))),
          outputs_(space_.size_of(axis_role::kept)), outer_(space_.size_of(axis_role::outer)),
          run_(space_.size_of(axis_role::run)) {
        for (std::size_t k = 0; k < control_count; ++k) text.word(0);
        set(outputs, outputs_), set(outer, outer_), set(run, run_);
        set(ddof, std::bit_cast<std::int64_t>(p.reductions[which].ddof));
        if (outputs_ > 0 && outer_ * run_ == 0 && aggregate_.meta->empty_error[0])
            throw failure{status::value_error, std::string("[cuda] ") + aggregate_.meta->empty_error};
        checks_values_ = checks && outputs_ * outer_ * run_ > 0;
        bool const checks_itself = p.fp_flags && p.reductions[which].check && aggregate_.raises;
        if (checks_values_ || (checks_itself && outputs_ * outer_ * run_ > 0)) flags_.emplace(dev, p, s);
        if (flags_ && checks_itself) {
            own_report_ = flags_->report_of_reduction(text, which);
            own_check_ = p.reductions[which].check & ops::fp::under ? "ops::fp::all"
                                                                    : "ops::fp::over | ops::fp::invalid";
        }
        print_program(p, which);
        print_kernels(p, element_text(p.reductions[which].out.dtype));
    }
    void launch(std::string const& unit) override {
        if (by_runs()) reduce_runs(unit);
        else if (by_stripes()) reduce_stripes(unit);
        else launch(unit, "columns_", outputs_);
        if (flags_) flags_->collect();
    }
    bool has_results() const { return outputs_ > 0; }

private:
    static type_id input_of(plan const& p, int which) { return p.values[p.reductions[which].value].dtype; }
    void set(control c, std::int64_t value) { text.parameters()[c] = static_cast<std::uint64_t>(value); }
    bool by_runs() const { return space_.rank() > 0 && space_.roles.back() == axis_role::run; }

    // Whether rows or runs are cut into stripes. Ordered products are not: merging their states does not give the
    // result of one pass in order.
    bool by_stripes() const {
        return run_ > 0 && aggregate_.merges_stripes && rows_of_stripe(outputs_, outer_) < outer_;
    }

    // Errors of elements that are left out would be missed.
    bool stops() const { return aggregate_.decides && !checks_values_; }

    void print_program(plan const& source, int which);
    void print_kernels(plan const&, std::string const& out);
    void print_kernel(char const* name, std::string const& call, std::string const& arguments);
    void print_reading(char const* name, plan const&, std::string const& call, std::string const& arguments);
    void reduce_runs(std::string const& unit);
    void reduce_stripes(std::string const& unit);
    void launch(std::string const& unit, std::string const& kernel, std::int64_t threads) {
        d_.launch(d_.kernel(unit, (kernel + number_).c_str()), d_.grid_for(threads), text.parameters(), stream_);
    }

    device& d_;
    stream_handle stream_;
    std::string number_;
    iteration_space space_;
    aggregate_entry aggregate_;
    std::int64_t outputs_, outer_, run_;
    std::optional<flag_words> flags_;  // where this pass collects the errors of its values, or of the reduction itself
    bool checks_values_ = false;
    std::string own_check_ = "ops::fp::none", own_report_;  // of the reduction itself
    std::vector<int> checked_;
};

void reduction::print_program(plan const& source, int which) {
    plan p = source;
    if (!checks_values_) p.fp_flags = nullptr;  // another pass reports errors of values
    item_printer values(p, space_, text);
    for (char const* header : {"backend/cuda/kernels/reduce.cuh", "bascule/ops/cast.hpp"}) text.needs(header);
    text.needs(aggregate_.header);
    int const value = p.reductions[which].value;
    text.line("struct program {");
    text.line("    static constexpr std::uint32_t check = " + own_check_ + ";");
    text.line(std::string("    static constexpr bool stops = ") + (stops() ? "true;" : "false;"));
    text.line("    parameters const& p;\n    std::uint32_t* flags;\n    std::uint32_t* own;");
    text.line("    __device__ void note(std::uint32_t found) const { *own |= found; }");
    text.line("    using input = ops::computed<type_id(" + std::to_string(static_cast<int>(input_of(p, which))) +
              ")>;");
    text.line("    __device__ input operator()(std::int64_t kept, std::int64_t outer, std::int64_t run) const {");
    values.print({value}, {"kept", "outer", "run"});
    text.line("        return ops::cast{}.template operator()<input>(" + values.name(value) + ");");
    text.line("    }");
    text.line("    __device__ std::uint64_t result(std::int64_t kept) const {");
    std::string const address = values.result_address(space_.results[static_cast<std::size_t>(which)]);
    text.line("        return " + address + ";");
    text.line("    }\n};");
    checked_ = values.checked();
    text.line("using algebra = " + aggregate_.type + "::of<program::input>;");
}

void reduction::print_kernels(plan const& p, std::string const& out) {
    std::string const
        shape = "reduction_shape{(std::int64_t)p[0], (std::int64_t)p[1], (std::int64_t)p[2], (int)p[3], p[10]}",
        ddof = "from_words<double>(p[5], 0)";
    if (by_runs()) {
        print_reading("leaves_", p, "reduce_leaves<algebra>", shape + ", p[4]");
        print_kernel("join_", "join_slots<algebra>", shape + ", p[4], (int)p[6]");
    } else if (!by_stripes()) {
        return print_reading("columns_", p, "reduce_columns<algebra, " + out + ">", shape + ", " + ddof);
    }
    if (!by_stripes()) return print_kernel("finish_", "finish_runs<algebra, " + out + ">", shape + ", p[4], " + ddof);
    if (by_runs()) print_kernel("stripes_", "join_runs<algebra>", shape + ", p[7], p[4], p[9]");
    else print_reading("stripes_", p, "reduce_stripes<algebra>", shape + ", p[7], p[9]");
    print_kernel("fold_", "join_stripes<algebra>", shape + ", p[7], p[8], p[4], p[9]");
    print_kernel("finish_", "finish_stripes<algebra, " + out + ">", shape + ", p[4], " + ddof);
}

void reduction::print_kernel(char const* name, std::string const& call, std::string const& arguments) {
    bool const gathers = !own_report_.empty();
    text.kernel(name + number_, (gathers ? "    std::uint32_t own = 0;\n    " : "    ") + call +
                                    "(program{p, nullptr, " + (gathers ? "&own" : "nullptr") + "}, " + arguments +
                                    ");\n" + own_report_);
}

// The kernel that computes the inputs; each input is computed once if the kernel collects its errors.
void reduction::print_reading(char const* name, plan const& p, std::string const& call, std::string const& arguments) {
    std::string const before = text.take_lines();
    bool const gathers = !own_report_.empty();
    if (checks_values_) text.line(flag_words::declaration(p));
    if (gathers) text.line("    std::uint32_t own = 0;");
    text.line("    " + call + "(program{p, " + (checks_values_ ? "flags" : "nullptr") + ", " +
              (gathers ? "&own" : "nullptr") + "}, " + arguments + ");");
    if (checks_values_) flags_->print_report(text, checked_);
    text.kernel(name + number_, text.take_lines() + own_report_);
    text.line(before);
}

// The kernel "stripes_" makes a state of each stripe; those are merged level after level.
void reduction::reduce_stripes(std::string const& unit) {
    std::int64_t const length = rows_of_stripe(outputs_, outer_);
    auto const cut = [length](std::int64_t n) { return (n + length - 1) / length; };
    std::int64_t count = cut(outer_);
    scratch const first(d_, count * outputs_ * aggregate_.state_bytes, stream_);
    scratch const second(d_, cut(count) * outputs_ * aggregate_.state_bytes, stream_);
    auto from = reinterpret_cast<std::int64_t>(first.get()), to = reinterpret_cast<std::int64_t>(second.get());
    set(rows, length), set(joined, from);
    launch(unit, "stripes_", count * outputs_);
    for (; count > 1; count = cut(count)) {
        set(slots, from), set(stripes, count), set(joined, to);
        launch(unit, "fold_", cut(count) * outputs_);
        std::swap(from, to);
    }
    set(slots, from);
    launch(unit, "finish_", outputs_);
}

void reduction::reduce_runs(std::string const& unit) {
    int const levels = tree_depth(aggregate_, run_);
    std::int64_t const slot_count = outputs_ * outer_ << levels;
    set(depth, levels);
    if (slot_count * run_ == 0) {
        set(outer, 0);  // nothing to reduce: identities
        return launch(unit, "finish_", outputs_);
    }
    scratch const states(d_, slot_count * aggregate_.state_bytes, stream_);
    set(slots, reinterpret_cast<std::int64_t>(states.get()));
    constexpr std::int64_t long_run = 1 << 16;  // from which on it pays to ask whether others are through
    std::optional<scratch> words;
    if (stops() && outer_ * run_ >= long_run) {
        words.emplace(d_, outputs_ * 8, stream_);
        d_.fill(words->get(), 0xff, outputs_ * 8, stream_);
        set(decided, reinterpret_cast<std::int64_t>(words->get()));
    }
    constexpr int parts = 16;  // of a leaf of a variance, each with as many threads as a leaf of other aggregations
    launch(unit, "leaves_", slot_count * aggregate_.granule * (aggregate_.meta->uses_ddof ? parts : 1));
    constexpr int levels_a_launch = 9;
    for (int l = 0; l < levels; l += levels_a_launch) {
        set(level, l);
        launch(unit, "join_", (slot_count >> l) / 2);
    }
    if (by_stripes()) reduce_stripes(unit);
    else launch(unit, "finish_", outputs_);
}

}  // namespace

std::unique_ptr<plan_pass> reduction_pass(device& d, plan const& p, int which, bool checks, stream_handle stream) {
    auto pass = std::make_unique<reduction>(d, p, which, checks, stream);
    if (!pass->has_results()) return nullptr;
    return pass;
}

int reduction_that_checks(plan const& p) {
    if (!checked(p)) return -1;
    for (int r = 0; r < p.nreductions; ++r) {
        int const value = p.reductions[r].value;
        std::vector<bool> const needed = live_values(p, {value});
        bool all = find_aggregate(p.reductions[r].aggregate, p.values[value].dtype).reads_once;
        for (int v = 0; v < p.nvalues; ++v)
            all = all && (needed[static_cast<std::size_t>(v)] || !is_checked(p, p.values[v]));
        if (all) return r;
    }
    return -1;
}

}  // namespace bascule::cuda
