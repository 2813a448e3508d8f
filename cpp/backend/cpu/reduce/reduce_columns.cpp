// Reductions that keep the innermost dimension: rows are reduced one after another into a row of states. Work is shared
// out by columns and by the outer kept dimensions; by rows only where the order of merges does not show.
#include <algorithm>

#include "backend/cpu/common/cpu_tuning.hpp"
#include "backend/cpu/reduce/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

constexpr float parallel_from_ns = 20000;
constexpr std::int64_t most_direct_rows = 256;
constexpr std::int64_t narrowest_share = 128;  // columns: less would leave a thread with parts of cache lines

class column_reducer {
public:
    explicit column_reducer(reduction_set const& s) noexcept : set_(s), program_(*s.source), source_(*program_.source) {
        lead_ = source_.ndim - 1;
        width_ = source_.shape[lead_];
        // Narrow rows are joined with the kept dimensions around them.
        while (!program_.space.by_rows && lead_ > 0 && !source_.reduced[lead_ - 1]) width_ *= source_.shape[--lead_];
        for (int d = 0; d < lead_; ++d) (source_.reduced[d] ? rows_ : outer_) *= source_.shape[d];
        for (int d = lead_ - 1; d >= 0 && source_.reduced[d]; --d) adjacent_ *= source_.shape[d];
        parallel_ = !program_.alone && static_cast<float>(program_.space.total) * set_.cost > parallel_from_ns &&
                    sched::thread_count() > 1;
        find_direct();
        find_sums_alongside();
        share_out();
    }

    status reduce() noexcept {
        bool failed = false;
        auto const chunks = (width_ + chunk_ - 1) / chunk_;
        if (slices_ > 1) return reduce_slices(chunks);
        auto const reduce = [&](state_array const& states, std::int64_t t) {
            std::int64_t const outer = t / chunks, column = t % chunks * chunk_,
                               n = width_ - column < chunk_ ? width_ - column : chunk_;
            if (!states.ready() || !reduce_rows(states, outer, column, n, 0, rows_))
                return __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
            write(states, outer, column, n);
        };
        if (parallel_) {
            auto const task = [&](std::int64_t t) { reduce(state_array(set_, chunk_), t); };
            sched::parallel_for(outer_ * chunks, true, task, sched::task_order::any);
        } else {
            state_array states(set_, chunk_);
            for (std::int64_t t = 0; t < outer_ * chunks && !failed; ++t) {
                if (t > 0) states.clear();
                reduce(states, t);
            }
        }
        return failed ? status::out_of_memory : status::ok;
    }

private:
    void share_out() noexcept {
        chunk_ = std::min<std::int64_t>({width_, program_.block, block_elements});
        if (!parallel_) return;
        // Where rows are added in order, and the processor follows them by itself, few long pieces are read fastest.
        bool const in_long_pieces = set_.ordered && !prefetches_streams;
        std::int64_t const wanted = (in_long_pieces ? 1 : 4) * sched::thread_count();
        if (!set_.ordered && outer_ * ((width_ + chunk_ - 1) / chunk_) < wanted) {
            slices_ = rows_ < 2 * wanted ? std::min(rows_, wanted) : 2 * wanted;
            return;
        }
        while (outer_ * ((width_ + chunk_ - 1) / chunk_) < wanted && chunk_ >= 2 * narrowest_share)
            chunk_ = (chunk_ / 2 + 7) / 8 * 8;
    }

    // Whole groups of the rows that kernels take together, but for the last ones.
    std::int64_t begin_of(std::int64_t slice) const noexcept {
        std::int64_t const row = rows_ * slice / slices_, together = rows_ >= 16 * slices_ && slice < slices_ ? 8 : 1;
        return row / together * together;
    }

    // One piece of the rows after another, each on its own states, merged in order.
    status reduce_slices(std::int64_t chunks) noexcept {
        for (std::int64_t t = 0; t < outer_ * chunks; ++t) {
            std::int64_t const outer = t / chunks, column = t % chunks * chunk_,
                               n = width_ - column < chunk_ ? width_ - column : chunk_;
            state_array states(set_, chunk_ * slices_);
            if (!states.ready()) return status::out_of_memory;
            bool failed = false;
            auto const task = [&](std::int64_t slice) {
                state_array own(set_, chunk_);
                std::int64_t const begin = begin_of(slice), end = begin_of(slice + 1);
                if (!own.ready() || !reduce_rows(own, outer, column, n, begin, end))
                    return __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
                for (int k = 0; k < set_.count; ++k)
                    watched(set_.of[k],
                            [&] { set_.of[k].kernels->merge(states.at(k, slice * chunk_), own.at(k, 0), n); });
            };
            sched::parallel_for(slices_, true, task, sched::task_order::any);
            if (failed) return status::out_of_memory;
            for (int k = 0; k < set_.count; ++k)
                watched(set_.of[k], [&] {
                    for (std::int64_t slice = 1; slice < slices_; ++slice)
                        set_.of[k].kernels->merge(states.at(k, 0), states.at(k, slice * chunk_), n);
                });
            write(states, outer, column, n);
        }
        return status::ok;
    }

    // Loads with contiguous columns are reduced in place, many rows at once.
    void find_direct() noexcept {
        direct_ = program_.ninstructions == 0 && program_.noutputs == 0 && lead_ > 0 && source_.reduced[lead_ - 1];
        for (int k = 0; k < set_.count && direct_; ++k) {
            place const where = program_.slots[set_.of[k].value].where;
            direct_ = where == place::flat || (where == place::rows && program_.space.by_rows);
        }
        if (direct_) even_rows_ = source_.shape[lead_ - 1];
    }
    // Finds sums and means of the same values as a variance: they are added up from the same registers.
    void find_sums_alongside() noexcept {
        using namespace ops::aggregate;
        auto const is = [&](int k, auto... numbers) { return ((set_.of[k].plan->aggregate == numbers) || ...); };
        for (int k = 0; k < set_.count && moments_ < 0; ++k) {
            if (!is(k, ops::aggregate_number<var>, ops::aggregate_number<std_dev>)) continue;
            for (int j = 0; j < set_.count; ++j) {
                one_reduction const& s = set_.of[j];
                type_id const type = source_.values[s.value].dtype;
                if (is(j, ops::aggregate_number<sum>, ops::aggregate_number<mean>) && s.value == set_.of[k].value &&
                    (type == type_id::float64 || type == type_id::float32) && s.kernels->state_size == s.itemsize)
                    moments_ = k, alongside_ = j;
            }
        }
    }
    // Several reductions find memory read by the first one in a core's second cache.
    std::int64_t direct_rows(std::int64_t columns) const noexcept {
        if (set_.count == 1) return most_direct_rows;
        return std::clamp<std::int64_t>(task_elements / columns / 8 * 8, 8, most_direct_rows);
    }
    std::int64_t row_stride(int k) const noexcept { return program_.slots[set_.of[k].value].strides[lead_ - 1]; }

    // Number of the row (in C order of all leading dimensions) that is the reduced-th of those reduced for `outer`.
    std::int64_t row_number(std::int64_t outer, std::int64_t reduced) const noexcept {
        std::int64_t number = 0, step = 1;
        for (int d = lead_ - 1; d >= 0; --d) {
            std::int64_t& from = source_.reduced[d] ? reduced : outer;
            number += from % source_.shape[d] * step;
            from /= source_.shape[d];
            step *= source_.shape[d];
        }
        return number;
    }

    // Rows [begin, end) of those that belong to `outer`, columns [column, column + n). If two reductions that are
    // computed together raise an error, it is not known which did: then each runs by itself.
    bool reduce_rows(state_array const& states, std::int64_t outer, std::int64_t column, std::int64_t n,
                     std::int64_t begin, std::int64_t end) const noexcept {
        if (moments_ >= 0) {
            bool raised = false;
            if (!reduce_rows(states, outer, column, n, begin, end, &raised)) return false;
            if (!raised) return true;
            states.clear();
        }
        return reduce_rows(states, outer, column, n, begin, end, nullptr);
    }
    // Whole rows that follow each other are evaluated together as far as a block reaches.
    bool reduce_rows(state_array const& states, std::int64_t outer, std::int64_t column, std::int64_t n,
                     std::int64_t begin, std::int64_t end, bool* raised) const noexcept {
        checked_evaluator e(program_);
        if (!e.ready()) return false;
        std::int64_t const whole_rows = n == width_ && !program_.space.by_rows ? program_.block / width_ : 0;
        std::int64_t const batch = direct_ ? direct_rows(n) : whole_rows > 1 ? whole_rows : 1;
        std::int64_t const a_task = task_elements / n + 1;
        for (std::int64_t r = begin, asks = begin; r < end;) {
            if (r >= asks) {
                if (program_.early->wanted()) break;
                asks = r + a_task;
            }
            std::int64_t const together = direct_ ? even_rows_ : adjacent_;
            std::int64_t rows = together - r % together;
            if (rows > end - r) rows = end - r;
            if (rows > batch) rows = batch;
            std::int64_t const i = row_number(outer, r) * width_ + column, evaluated = direct_ ? n : rows * n;
            evaluator& values = e.block(i, evaluated);
            for (int k = 0; k < set_.count; ++k) {
                char const* const block = direct_ ? values.at[set_.of[k].value] : as_block(set_, values, k, evaluated);
                columns_args args{
                    states.at(k, 0), block, direct_ ? row_stride(k) : n * set_.of[k].itemsize, rows, n, r};
                auto const reduce = [&] { set_.of[k].kernels->columns(args); };
                if (!raised || (k != moments_ && k != alongside_)) watched(set_.of[k], reduce);
                else if (k == moments_) {
                    args.sums = states.at(alongside_, 0);
                    if (is_raised_by(reduce)) return *raised = true;
                }
            }
            values.store(i, evaluated);
            r += rows;
        }
        e.report();
        return true;
    }

    // Whether the variance or the sum that runs with it raises an error, if one of them is checked.
    template <class F> bool is_raised_by(F const& reduce) const noexcept {
        bool const asked = set_.of[moments_].flags || set_.of[alongside_].flags;
        if (asked) fp_status::clear();
        reduce();
        return asked && fp_status::raised();
    }

    void write(state_array const& states, std::int64_t outer, std::int64_t column, std::int64_t n) const noexcept {
        std::int64_t const i = row_number(outer, 0) * width_ + column;
        for (int k = 0; k < set_.count; ++k) {
            plan_operand const& out = set_.of[k].plan->out;
            each_patch(program_.space, out.strides, i, n,
                       [&](std::int64_t offset, std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                           std::int64_t column_stride, std::int64_t done) {
                           for (std::int64_t r = 0; r < rows; ++r)
                               write_results(set_, k, states.at(k, done + r * columns), columns,
                                             static_cast<char*>(out.base) + offset + r * row_stride, column_stride);
                       });
        }
    }

    reduction_set const& set_;
    program const& program_;
    plan const& source_;
    int lead_ = 0;
    std::int64_t width_ = 1, outer_ = 1, rows_ = 1, adjacent_ = 1, even_rows_ = 1, chunk_ = 1, slices_ = 1;
    bool parallel_ = false, direct_ = false;
    int moments_ = -1, alongside_ = -1;  // the variance that runs together with a sum, and that sum
};

}  // namespace

status reduce_columns(reduction_set const& s) noexcept { return column_reducer(s).reduce(); }

}  // namespace bascule::cpu
