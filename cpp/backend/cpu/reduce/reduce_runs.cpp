// Reductions along the innermost dimensions. A run is reduced along a tree that depends on its length alone; the pieces
// of the tree that are computed apart are chosen among its nodes, so block size and threads never show in the result.
#include <algorithm>
#include <cstring>
#include <vector>

#include "backend/cpu/reduce/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/pairwise.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

constexpr float parallel_from_ns = 20000;
constexpr std::int64_t longest_task = std::int64_t{1} << 20;   // elements
constexpr std::int64_t window_states = std::int64_t{1} << 20;  // partial states kept at a time

struct node {
    std::int64_t start, length;
};

// Elements that a program computes, a block at a time.
class computed_elements {
public:
    explicit computed_elements(reduction_set const& s) noexcept : evaluator_(*s.source), set_(s) {}
    bool ready() const noexcept { return evaluator_.ready(); }
    void take(std::int64_t i, std::int64_t n) noexcept { values_ = &evaluator_.block(i, n); }
    char const* of(int k, std::int64_t n) const noexcept { return as_block(set_, *values_, k, n); }
    void store(std::int64_t i, std::int64_t n) noexcept { values_->store(i, n); }
    checked_evaluator& evaluator() noexcept { return evaluator_; }

private:
    checked_evaluator evaluator_;
    reduction_set const& set_;
    cpu::evaluator* values_ = nullptr;
};

// Elements of memory, reduced in place: the state of an evaluator would have to be loaded again in every task, into a
// cache that is full of elements.
class elements_in_place {
public:
    explicit elements_in_place(reduction_set const& s) noexcept : program_(*s.source), set_(s) {}
    void take(std::int64_t i, std::int64_t) noexcept { i_ = i; }
    char const* of(int k, std::int64_t) const noexcept {
        slot const& s = program_.slots[set_.of[k].value];
        return s.base + (s.where == place::flat ? i_ * s.itemsize : offset_at(program_.space, s.strides, i_));
    }
    void store(std::int64_t, std::int64_t) noexcept {}

private:
    program const& program_;
    reduction_set const& set_;
    std::int64_t i_ = 0;
};

class run_reducer {
public:
    explicit run_reducer(reduction_set const& s) noexcept : set_(s), program_(*s.source), source_(*program_.source) {
        int const run_dims = source_.ndim ? (source_.run_dims > 0 ? source_.run_dims : 1) : 0;
        lead_ = source_.ndim - run_dims;
        for (int d = lead_; d < source_.ndim; ++d) run_ *= source_.shape[d];
        runs_ = program_.space.total / run_;
        for (int d = 0; d < lead_; ++d) {
            merges_ |= source_.reduced[d] && source_.shape[d] > 1;
            if (!source_.reduced[d]) results_ *= source_.shape[d];
        }
        in_place_ = uses_memory_directly();
        // Memory beyond the caches is read fastest in long pieces. Several reductions find elements read by the first
        // one in the cache.
        if ((in_place_ || program_.leaf_ends) && set_.count == 1 && !set_.stops_early)
            task_ = std::clamp(program_.space.total / (8 * sched::thread_count()), task_elements, longest_task);
        block_ = in_place_ ? task_ : program_.block;
        parallel_ = !program_.alone && static_cast<float>(program_.space.total) * set_.cost > parallel_from_ns &&
                    sched::thread_count() > 1;
        std::fill(known_by_, known_by_ + max_plan_outputs, -1);
        if (set_.of[0].flags) wanted_ = ops::fp::over | ops::fp::invalid;
        for (int k = 0; k < program_.ninstructions; ++k)
            if (program_.code[k].inspect != inspection::none) wanted_ |= program_.code[k].wanted;
    }

    status reduce() {
        if (run_ > task_) cut(0, run_);
        else nodes_.push_back({0, run_});
        if (!merges_ && nodes_.size() == 1 && batches_runs()) find_known_means();
        return merges_ ? merge_runs() : separate_runs();
    }

    // ---- one row after the other (row_reducer)

    bool goes_by_rows(std::int64_t rows) {
        if (source_.ndim != 2 || lead_ != 1 || merges_ || runs_ != rows || !uses_flat_memory() || run_ > task_)
            return false;
        nodes_.push_back({0, run_});
        find_known_means();
        bool const fits = run_ >= shortest_row_of_moments && run_ <= longest_row_of_moments;
        for (int k = 0; k < set_.count && fits; ++k) moments_[k] = moments_of(set_.of[k]);
        return true;
    }
    void begin_rows(row_reducer::turn& t, std::int64_t r) const noexcept {
        for (int k = 0; k < set_.count; ++k)
            if (moments_[k]) moments_[k]->begin(t.next[k], row(k, r), run_);
    }
    void reduce_row(row_reducer::turn& t, std::int64_t r, bool more) const noexcept {
        for (int k = 0; k < set_.count; ++k) {
            if (known_by_[k] >= 0) continue;
            if (moments_[k]) moments_[k]->reduce(t.states.at(k, 0), t.next[k], row(k, r), run_, more ? run_ : 0);
            else set_.of[k].kernels->reduce_rows(t.states.at(k, 0), row(k, r), 1, run_, 0);
        }
        // Moments need not be joined to the identity, which would not change them.
        for (int k = 0; k < set_.count; ++k) {
            plan_operand const& out = set_.of[k].plan->out;
            char* const to = static_cast<char*>(out.base) + r * out.strides[0];
            if (int const j = known_by_[k]; j >= 0) take_means(k, to, t.states.at(j, 0), row(k, r), 1, false);
            else if (moments_[k]) write_results(set_, k, t.states.at(k, 0), 1, to, 0);
            else write(k, t.states.at(k, 0), set_.of[k].kernels->state_size, r, 1);
        }
    }

private:
    char const* row(int k, std::int64_t r) const noexcept {
        slot const& s = program_.slots[set_.of[k].value];
        return s.base + r * run_ * s.itemsize;
    }
    row_moments const* moments_of(one_reduction const& r) const noexcept {
        if (!varies(r)) return nullptr;
        type_id const type = source_.values[r.value].dtype;
        row_moments_kernels const& k = active_row_moments();
        row_moments const* const m = type == type_id::float64   ? &k.of_double
                                     : type == type_id::float32 ? &k.of_float
                                                                : nullptr;
        return m && m->reduce ? m : nullptr;
    }
    static bool varies(one_reduction const& r) noexcept {
        return r.plan->aggregate == ops::aggregate_number<ops::aggregate::var> ||
               r.plan->aggregate == ops::aggregate_number<ops::aggregate::std_dev>;
    }

    // Loads with the layout of the runs are reduced in place, without cutting them into blocks.
    bool uses_memory_directly() const noexcept {
        if (program_.ninstructions || program_.noutputs) return false;
        for (int k = 0; k < set_.count; ++k) {
            place const where = program_.slots[set_.of[k].value].where;
            if (where != place::flat && !(where == place::rows && program_.space.by_rows)) return false;
        }
        return true;
    }

    // The nodes of a run's tree that are tasks, in order.
    void cut(std::int64_t start, std::int64_t n) {
        if (n <= task_) return nodes_.push_back({start, n});
        std::int64_t const left = ops::first_half(n, set_.granule);
        cut(start, left);
        cut(start + left, n - left);
    }

    // Reduces elements [start, start + n) of run r, a node of its tree, into the states at `into`.
    template <class Elements>
    void reduce_node(Elements& e, std::int64_t r, std::int64_t start, std::int64_t n,
                     char* const* into) const noexcept {
        if (n <= block_) {
            std::int64_t const i = r * run_ + start;
            e.take(i, n);
            for (int k = 0; k < set_.count; ++k)
                watched(set_.of[k],
                        [&] { set_.of[k].kernels->reduce(into[k], e.of(k, n), n, position_of(r) + start); });
            e.store(i, n);
            return;
        }
        std::int64_t const left = ops::first_half(n, set_.granule);
        reduce_node(e, r, start, left, into);
        if (set_.stops_early && set_.of[0].kernels->decided(into[0])) return;
        alignas(16) char later[max_plan_outputs * 64];
        char* at[max_plan_outputs];
        for (int k = 0; k < set_.count; ++k) at[k] = later + set_.offset[k];
        reduce_node(e, r, start + left, n - left, at);
        for (int k = 0; k < set_.count; ++k) watched(set_.of[k], [&] { set_.of[k].kernels->merge(into[k], at[k], 1); });
    }

    // The same for a program whose code sums its own results. Checking for errors waits for all pending computation: it
    // is done once a node, and if an error was raised, its source is searched block by block.
    void reduce_in_code(checked_evaluator& e, std::int64_t r, node const& n, char* const* into) const noexcept {
        std::int64_t const i = r * run_ + n.start;
        if (wanted_) fp_status::clear();
        double const sum = sum_of(e, i, n.length);
        if (wanted_ && (fp_status::raised() & wanted_)) find_fp_errors(e, i, n.length);
        std::memcpy(into[0], &sum, sizeof sum);
    }
    double sum_of(checked_evaluator& e, std::int64_t i, std::int64_t n) const noexcept {
        if (n <= block_) return e.sum(i, n, set_.of[0].value);
        std::int64_t const left = ops::first_half(n, set_.granule);
        double const earlier = sum_of(e, i, left);
        return earlier + sum_of(e, i + left, n - left);
    }
    double find_fp_errors(checked_evaluator& e, std::int64_t i, std::int64_t n) const noexcept {
        double sum = 0;
        if (n > block_) {
            std::int64_t const left = ops::first_half(n, set_.granule);
            double const earlier = find_fp_errors(e, i, left), later = find_fp_errors(e, i + left, n - left);
            watched(set_.of[0], [&] { sum = earlier + later; });
            return sum;
        }
        struct reduced {
            run_reducer const* by;
            std::int64_t n;
            double* sum;
        } const f{this, n, &sum};
        e.find_fp_errors(
            i, n,
            [](void const* with, evaluator const& slow) noexcept {
                auto const& [by, count, to] = *static_cast<reduced const*>(with);
                watched(by->set_.of[0],
                        [&] { by->set_.of[0].kernels->reduce(to, as_block(by->set_, slow, 0, count), count, 0); });
            },
            &f);
        return sum;
    }

    // The position of a run's first element among all that are reduced into its result.
    std::int64_t position_of(std::int64_t r) const noexcept {
        if (!merges_) return 0;
        std::int64_t ordinal = 0, step = 1;
        for (int d = lead_ - 1; d >= 0; --d) {
            if (source_.reduced[d]) {
                ordinal += r % source_.shape[d] * step;
                step *= source_.shape[d];
            }
            r /= source_.shape[d];
        }
        return ordinal * run_;
    }

    // Runs of one leaf of a variance: its state holds the quotient that is their mean.
    void find_known_means() noexcept {
        if (run_ > ops::aggregate::variance_algebra<double>::leaf_size) return;
        for (int k = 0; k < set_.count; ++k) {
            one_reduction const& mean = set_.of[k];
            if (mean.plan->aggregate != ops::aggregate_number<ops::aggregate::mean> || !is_averaged(mean)) continue;
            for (int j = 0; j < set_.count; ++j) {
                if (varies(set_.of[j]) && set_.of[j].value == mean.value) known_by_[k] = j;
            }
        }
    }
    bool is_averaged(one_reduction const& r) const noexcept {
        type_id const type = source_.values[r.value].dtype;
        return (type == type_id::float64 || type == type_id::float32) && r.plan->out.dtype == type;
    }

    // Means instead of states. The sign of a zero, and the errors of the sum where the variance raised any, are known
    // only after the sum.
    void take_means(int k, char* means, char const* moments, char const* block, std::int64_t rows,
                    bool raised) const noexcept {
        if (set_.of[k].itemsize == sizeof(double)) take_means_of<double>(k, means, moments, block, rows, raised);
        else take_means_of<float>(k, means, moments, block, rows, raised);
    }
    template <class T>
    void take_means_of(int k, char* means, char const* moments, char const* block, std::int64_t rows,
                       bool raised) const noexcept {
        one_reduction const& r = set_.of[k];
        auto const* const from = reinterpret_cast<ops::aggregate::moments<T> const*>(moments);
        for (std::int64_t i = 0; i < rows; ++i) {
            T mean = from[i].mean;
            if (raised || mean == 0)
                watched(r, [&] {
                    alignas(16) char sum[largest_state], total[largest_state];
                    r.kernels->reduce(sum, block + i * run_ * r.itemsize, run_, 0);
                    r.kernels->init(total, 1);
                    r.kernels->merge(total, sum, 1);
                    r.kernels->finish({&mean, 0, total, 1, set_.reduced, r.plan->ddof});
                });
            std::memcpy(means + i * r.kernels->state_size, &mean, sizeof mean);
        }
    }

    // Short runs are evaluated several to a block where blocks may cross rows.
    template <class Elements>
    void reduce_short_runs(Elements& e, std::int64_t first, std::int64_t count, state_array const& states,
                           std::int64_t at) const noexcept {
        std::int64_t const batch = block_ / run_;
        for (std::int64_t done = 0; done < count; done += batch) {
            std::int64_t const rows = count - done < batch ? count - done : batch, n = rows * run_,
                               i = (first + done) * run_;
            e.take(i, n);
            std::uint8_t raised[max_plan_outputs];
            for (int k = 0; k < set_.count; ++k) {
                if (known_by_[k] >= 0) continue;
                char const* const block = e.of(k, n);
                raised[k] = watched(set_.of[k], [&] {
                    set_.of[k].kernels->reduce_rows(states.at(k, at + done), block, rows, run_, 0);
                });
            }
            for (int k = 0; k < set_.count; ++k)
                if (int const j = known_by_[k]; j >= 0)
                    take_means(k, states.at(k, at + done), states.at(j, at + done), e.of(k, n), rows, raised[j] != 0);
            e.store(i, n);
        }
    }

    bool batches_runs() const noexcept {
        bool const within_rows = !program_.space.by_rows || source_.ndim == 1 || uses_flat_memory();
        return within_rows && !merges_positions() && !program_.leaf_ends && run_ * 2 <= block_;
    }
    bool uses_flat_memory() const noexcept {
        if (!in_place_) return false;
        for (int k = 0; k < set_.count; ++k)
            if (program_.slots[set_.of[k].value].where != place::flat) return false;
        return true;
    }
    // reduce_rows counts each run's positions from 0, which is wrong where several runs make up one result.
    bool merges_positions() const noexcept { return merges_ && set_.counts_positions; }

    void reduce_unit(computed_elements& e, std::int64_t r, node const& n, char* const* into) const noexcept {
        if (program_.leaf_ends) reduce_in_code(e.evaluator(), r, n, into);
        else reduce_node(e, r, n.start, n.length, into);
    }
    void reduce_unit(elements_in_place& e, std::int64_t r, node const& n, char* const* into) const noexcept {
        reduce_node(e, r, n.start, n.length, into);
    }

    // If the first elements decide, no other thread is woken.
    bool first_block_decides(std::int64_t first, state_array const& states) const noexcept {
        if (in_place_) {
            elements_in_place elements(set_);
            return block_decides(elements, first, states);
        }
        computed_elements elements(set_);
        bool const decided = elements.ready() && block_decides(elements, first, states);
        if (decided) elements.evaluator().report();
        return decided;
    }
    template <class Elements>
    bool block_decides(Elements& e, std::int64_t first, state_array const& states) const noexcept {
        char* const into[] = {states.at(0, 0)};
        reduce_node(e, first, 0, std::min<std::int64_t>(nodes_[0].length, program_.block), into);
        return set_.of[0].kernels->decided(states.at(0, 0));
    }

    // Partial states of runs [first, first + count), `nodes` a run, in order. Of runs that are wholes of one node, each
    // task writes the results.
    bool reduce_runs(std::int64_t first, std::int64_t count, state_array const& states) const noexcept {
        auto const nodes = static_cast<std::int64_t>(nodes_.size());
        std::int64_t const per_task = nodes > 1 || run_ >= task_ ? 1 : task_ / run_;
        std::int64_t const units = nodes > 1 ? count * nodes : (count + per_task - 1) / per_task;
        bool failed = false, decided = false;
        bool const batches = nodes == 1 && batches_runs();
        auto const reduce = [&](auto& elements, std::int64_t begin, std::int64_t end) {
            if (batches) return reduce_short_runs(elements, first + begin, end - begin, states, begin);
            char* into[max_plan_outputs];
            for (std::int64_t unit = begin; unit < end; ++unit) {
                for (int k = 0; k < set_.count; ++k) into[k] = states.at(k, unit);
                reduce_unit(elements, first + unit / nodes, nodes_[static_cast<std::size_t>(unit % nodes)], into);
            }
        };
        auto const task = [&](std::int64_t t) {
            if (program_.early->wanted() || (set_.stops_early && __atomic_load_n(&decided, __ATOMIC_RELAXED))) return;
            std::int64_t const begin = nodes > 1 ? t : t * per_task;
            std::int64_t const end = nodes > 1 ? t + 1 : begin + per_task < count ? begin + per_task : count;
            if (in_place_) {
                elements_in_place elements(set_);
                reduce(elements, begin, end);
            } else {
                computed_elements elements(set_);
                if (!elements.ready()) return __atomic_store_n(&failed, true, __ATOMIC_RELAXED);
                reduce(elements, begin, end);
                elements.evaluator().report();
            }
            if (nodes == 1 && !merges_) write_all(states, first, begin, end);
            for (std::int64_t unit = begin; set_.stops_early && unit < end; ++unit)
                if (set_.of[0].kernels->decided(states.at(0, unit))) __atomic_store_n(&decided, true, __ATOMIC_RELAXED);
        };
        if (set_.stops_early && parallel_ && units > 1 && first_block_decides(first, states)) return true;
        sched::parallel_for(units, parallel_, task,
                            set_.stops_early ? sched::task_order::ascending : sched::task_order::any);
        return !failed;
    }

    // Joins the nodes of one run in the order of its tree; the result is left in the first node's states.
    void join(state_array const& states, std::int64_t first, std::int64_t& next, std::int64_t n) const noexcept {
        if (n <= task_) {
            ++next;
            return;
        }
        std::int64_t const here = next, left = ops::first_half(n, set_.granule);
        join(states, first, next, left);
        std::int64_t const there = next;
        join(states, first, next, n - left);
        for (int k = 0; k < set_.count; ++k)
            watched(set_.of[k],
                    [&] { set_.of[k].kernels->merge(states.at(k, first + here), states.at(k, first + there), 1); });
    }

    void join_run(state_array const& states, std::int64_t run) const noexcept {
        if (nodes_.size() == 1) return;
        std::int64_t next = 0;
        join(states, run * static_cast<std::int64_t>(nodes_.size()), next, run_);
    }

    // "Several runs start at the identity": so does one, which turns a sum of -0 into 0 as in NumPy.
    void write(int k, void const* states, std::int64_t step, std::int64_t first, std::int64_t count) const noexcept {
        one_reduction const& r = set_.of[k];
        auto const& out = r.plan->out;
        std::int64_t stride = 0;
        bool const even = one_stride(out, stride);
        auto const place_of = [&](std::int64_t i) {
            return static_cast<char*>(out.base) +
                   (even ? (first + i) * stride : offset_at(program_.space, out.strides, (first + i) * run_));
        };
        if (known_by_[k] >= 0) {
            for (std::int64_t i = 0; i < count; ++i)
                std::memcpy(place_of(i), static_cast<char const*>(states) + i * step, r.itemsize);
            return;
        }
        alignas(16) char batch[64 * 64];
        for (std::int64_t done = 0; done < count; done += 64) {
            std::int64_t const n = count - done < 64 ? count - done : 64;
            r.kernels->init(batch, n);
            if (step == r.kernels->state_size)
                r.kernels->merge(batch, static_cast<char const*>(states) + done * step, n);
            else
                for (std::int64_t i = 0; i < n; ++i)
                    r.kernels->merge(batch + i * r.kernels->state_size,
                                     static_cast<char const*>(states) + (done + i) * step, 1);
            if (even) write_results(set_, k, batch, n, place_of(done), stride);
            else
                for (std::int64_t i = 0; i < n; ++i)
                    write_results(set_, k, batch + i * r.kernels->state_size, 1, place_of(done + i), 0);
        }
    }

    // Of runs [begin, end) behind the first.
    void write_all(state_array const& states, std::int64_t first, std::int64_t begin, std::int64_t end) const noexcept {
        auto const nodes = static_cast<std::int64_t>(nodes_.size());
        for (int k = 0; k < set_.count; ++k)
            write(k, states.at(k, begin * nodes), nodes * set_.of[k].kernels->state_size, first + begin, end - begin);
    }

    // Whether the results of consecutive runs are evenly spaced.
    bool one_stride(plan_operand const& out, std::int64_t& stride) const noexcept {
        stride = lead_ ? out.strides[lead_ - 1] : 0;
        std::int64_t expected = stride;
        for (int d = lead_ - 1; d >= 0; --d) {
            if (source_.shape[d] != 1 && out.strides[d] != expected) return false;
            expected *= source_.shape[d];
        }
        return true;
    }

    status separate_runs() noexcept {
        auto const nodes = static_cast<std::int64_t>(nodes_.size());
        std::int64_t const window = window_states / nodes > 1 ? window_states / nodes : 1;
        for (std::int64_t first = 0; first < runs_; first += window) {
            std::int64_t const count = runs_ - first < window ? runs_ - first : window;
            state_array states(set_, count * nodes);
            if (!states.ready() || !reduce_runs(first, count, states)) return status::out_of_memory;
            if (nodes == 1) continue;
            for (std::int64_t r = 0; r < count; ++r) join_run(states, r);
            write_all(states, first, 0, count);
        }
        return status::ok;
    }

    // Number of the result that run r belongs to.
    std::int64_t result_of(std::int64_t r) const noexcept {
        std::int64_t result = 0, step = 1;
        for (int d = lead_ - 1; d >= 0; --d) {
            if (!source_.reduced[d]) {
                result += r % source_.shape[d] * step;
                step *= source_.shape[d];
            }
            r /= source_.shape[d];
        }
        return result;
    }

    status merge_runs() noexcept {
        auto const nodes = static_cast<std::int64_t>(nodes_.size());
        std::int64_t const window = window_states / nodes > 1 ? window_states / nodes : 1;
        state_array totals(set_, results_);
        if (!totals.ready()) return status::out_of_memory;
        for (std::int64_t first = 0; first < runs_; first += window) {
            std::int64_t const count = runs_ - first < window ? runs_ - first : window;
            state_array states(set_, count * nodes);
            if (!states.ready() || !reduce_runs(first, count, states)) return status::out_of_memory;
            for (std::int64_t r = 0; r < count; ++r) {
                join_run(states, r);
                std::int64_t const result = results_ == 1 ? 0 : result_of(first + r);
                for (int k = 0; k < set_.count; ++k)
                    watched(set_.of[k],
                            [&] { set_.of[k].kernels->merge(totals.at(k, result), states.at(k, r * nodes), 1); });
            }
        }
        write_totals(totals);
        return status::ok;
    }

    // The r-th result's place is that of any of its runs: strides are 0 along the others.
    void write_totals(state_array const& totals) const noexcept {
        std::int64_t index[max_dims] = {};
        for (std::int64_t result = 0; result < results_; ++result) {
            for (int k = 0; k < set_.count; ++k) {
                plan_operand const& out = set_.of[k].plan->out;
                std::int64_t offset = 0;
                for (int d = 0; d < lead_; ++d) offset += index[d] * out.strides[d];
                write_results(set_, k, totals.at(k, result), 1, static_cast<char*>(out.base) + offset, 0);
            }
            for (int d = lead_ - 1; d >= 0; --d) {
                if (source_.reduced[d]) continue;
                if (++index[d] < source_.shape[d]) break;
                index[d] = 0;
            }
        }
    }

    reduction_set const& set_;
    program const& program_;
    plan const& source_;
    int lead_ = 0;
    std::int64_t run_ = 1, runs_ = 1, results_ = 1, block_ = block_elements, task_ = task_elements;
    bool merges_ = false, parallel_ = false, in_place_ = false;
    std::uint8_t wanted_ = 0;         // errors, of a sum and its elements
    int known_by_[max_plan_outputs];  // the variance whose states hold the requested means; -1: none
    row_moments const* moments_[max_plan_outputs] = {};
    std::vector<node> nodes_;
};

}  // namespace

class row_reducer::reducer : public run_reducer {
public:
    using run_reducer::run_reducer;
};

row_reducer::row_reducer(reduction_set const& s) : set_(s), by_(new reducer(s)) {}
row_reducer::~row_reducer() = default;
bool row_reducer::possible(std::int64_t rows) const { return by_->goes_by_rows(rows); }
void row_reducer::begin(turn& t, std::int64_t row) const noexcept { by_->begin_rows(t, row); }
void row_reducer::reduce(turn& t, std::int64_t row, bool more) const noexcept { by_->reduce_row(t, row, more); }

status reduce_runs(reduction_set const& s) noexcept {
    try {
        return run_reducer(s).reduce();
    } catch (std::bad_alloc const&) { return status::out_of_memory; }
}

}  // namespace bascule::cpu
