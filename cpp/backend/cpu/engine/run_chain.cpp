// Plans that run together, some rows at a time: the next one finds the results of the one before in the caches of the
// same core.
#include <algorithm>
#include <optional>

#include "backend/cpu/common/cpu_tuning.hpp"
#include "backend/cpu/engine/row_pipeline.hpp"
#include "backend/cpu/engine/run.hpp"
#include "backend/cpu/program/plan_copy.hpp"
#include "bascule/sched/interrupt.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

// Elements of a plan's iteration space that one thread evaluates before the next plan's turn: a few operands of so many
// float64 stay in a core's second cache, and the time to set a plan up does not show. Longer rows are not worth it.
constexpr std::int64_t part_elements = 32 * 1024, longest_row = 128 * 1024;
// Where every plan is set up once for all parts, shorter ones let the threads end together.
constexpr std::int64_t part_of_row_pipeline = 16 * 1024;

std::int64_t elements_of(plan const& p) noexcept {
    std::int64_t total = 1;
    for (int d = 0; d < p.ndim; ++d) total *= p.shape[d];
    return total;
}

// Rows [begin, end) of a plan, as a plan of its own.
class rows_of {
public:
    rows_of(plan const& whole, std::int64_t rows, std::int64_t begin, std::int64_t end) noexcept
        : first_(begin * (whole.shape[0] / rows)),
          part_(
              whole, [this](plan_operand& o) { o.base = static_cast<char*>(o.base) + first_ * o.strides[0]; },
              [this](plan_iota& i) { i.start += first_ * i.strides[0]; }) {
        std::copy_n(whole.shape, whole.ndim, shape_);
        shape_[0] = (end - begin) * (whole.shape[0] / rows);
        part_.set_shape(shape_);
    }
    plan const& get() const noexcept { return part_.get(); }

private:
    std::int64_t const first_;
    plan_copy part_;
    std::int64_t shape_[max_dims];
};

}  // namespace

status run_row_blocked(plan const* const* plans, int count, std::int64_t rows, kernel_table const& kernels) noexcept {
    std::int64_t longest = 1;
    for (int k = 0; k < count; ++k) longest = std::max(longest, elements_of(*plans[k]) / rows);
    std::optional<row_pipeline> in_turn;
    // On processors that need prefetching, only whole parts were measured.
    if (count == 2 && longest <= longest_row && !prefetches_streams)
        in_turn.emplace(*plans[0], *plans[1], rows, kernels);
    bool const by_single_rows = in_turn && in_turn->possible();
    // As many parts for each thread, of as many rows but one.
    std::int64_t const rows_a_part =
                           std::max<std::int64_t>(1, (by_single_rows ? part_of_row_pipeline : part_elements) / longest),
                       threads = sched::thread_count(),
                       parts =
                           std::min(rows, ((rows + rows_a_part - 1) / rows_a_part + threads - 1) / threads * threads);
    if (longest > longest_row || parts < 2) {
        status s = status::ok;
        for (int k = 0; k < count && s == status::ok; ++k) s = run_plan(*plans[k], kernels);
        return s;
    }
    sched::early_end early;
    status failed = status::ok;
    auto const part_of_all = [&](std::int64_t t) {
        if (early.wanted()) return;
        std::int64_t const begin = rows * t / parts, end = rows * (t + 1) / parts;
        if (by_single_rows && in_turn->run(begin, end)) return;
        for (int k = 0; k < count; ++k) {
            rows_of const part(*plans[k], rows, begin, end);
            status const s = run_plan_on_this_thread(part.get(), kernels);
            if (s == status::ok) continue;
            return __atomic_store_n(&failed, s, __ATOMIC_RELAXED);
        }
    };
    sched::parallel_for(parts, true, part_of_all, sched::task_order::any);
    return early.was_wanted() ? status::interrupted : failed;
}

}  // namespace bascule::cpu
