#include "backend/cpu/tables/group_chains.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "backend/cpu/tables/group_keys.hpp"
#include "bascule/core/element_dispatch.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

using u16 = std::uint16_t;

constexpr i64 block = 2048;
constexpr int lane_count = 8;  // an addition takes about as long as the others of eight lanes
constexpr int counters = 4;    // neighbours of one group would wait for one counter

using pair = double __attribute__((vector_size(16)));

// The rows of each block, group by group.
class listed_rows {
public:
    listed_rows(u32 const* codes, i64 rows, i64 groups)
        : groups_(groups), row_(rows), begin_((rows + block - 1) / block * (groups + 2)) {
        for_each_chunk({rows, chunk_rows}, [&](i64, i64 first, i64 last) {
            static_assert(chunk_rows % block == 0);
            for (i64 at = first; at < last; at += block) list(codes + at, at, std::min(block, last - at));
        });
    }
    // Of a group, within the block that begins at a row: positions from there on.
    std::span<u16 const> of(i64 block_begin, i64 group) const noexcept {
        u16 const* const begin = begins(block_begin) + group;
        return {row_.data() + block_begin + begin[0], static_cast<std::size_t>(begin[1] - begin[0])};
    }
    // Where they are among the rows of the block.
    i64 place(i64 block_begin, i64 group) const noexcept { return begins(block_begin)[group]; }

private:
    u16* begins(i64 block_begin) const noexcept { return begin_.data() + block_begin / block * (groups_ + 2); }

    void list(u32 const* codes, i64 at_row, i64 n) const noexcept {
        auto const most = static_cast<u32>(groups_);  // of the rows of no group
        u16 at[counters][most_chained_groups + 1];
        for (auto& one : at) std::fill_n(one, groups_ + 1, u16{0});
        i64 const quarter = n / counters;
        each(n, quarter, [&](int k, i64 i) { ++at[k][std::min(codes[i], most)]; });
        u16* const begin = begins(at_row);
        u16 total = 0;
        for (i64 g = 0; g <= groups_; ++g) {
            begin[g] = total;
            for (auto& one : at) total = static_cast<u16>(total + std::exchange(one[g], total));
        }
        begin[groups_ + 1] = total;
        u16* const row = row_.data() + at_row;
        each(n, quarter, [&](int k, i64 i) { row[at[k][std::min(codes[i], most)]++] = static_cast<u16>(i); });
    }
    // Rows of the four quarters in turns, and the rest as rows of the last.
    template <class F> static void each(i64 n, i64 quarter, F const& f) noexcept {
        static_assert(counters == 4);
        for (i64 i = 0; i < quarter; ++i) f(0, i), f(1, quarter + i), f(2, 2 * quarter + i), f(3, 3 * quarter + i);
        for (i64 i = counters * quarter; i < n; ++i) f(3, i);
    }

    i64 groups_;
    scratch<u16> row_, begin_;
};

// Some rows that one chain adds.
struct piece {
    double const* values;
    u16 const* rows;
    i64 n;
    ops::compensated<double>* sum;
};

// Pieces of chains for each lane, one after another, such that all lanes take equally long: a chain that does not fit
// into what is left of a lane has its last rows there, and its first at the beginning of the next lane, which is before
// them, since no chain is longer than a lane.
class schedule {
public:
    void plan(std::span<piece const> chains) {
        i64 total = 0, longest = 0;
        for (auto const& c : chains) total += c.n, longest = std::max(longest, c.n);
        steps_ = std::max(longest, (total + lane_count - 1) / lane_count);
        for (auto& lane : lanes_) lane.clear();
        std::size_t lane = 0;
        i64 used = 0;
        for (auto const& c : chains) {
            if (c.n == 0) continue;
            i64 const here = std::min(c.n, steps_ - used), before = c.n - here;
            if (here > 0) lanes_[lane].push_back({c.values, c.rows + before, here, c.sum});
            used += here;
            if (used == steps_) ++lane, used = 0;
            if (before > 0) lanes_[lane].push_back({c.values, c.rows, before, c.sum}), used = before;
        }
    }
    // Without a look at NaN and infinities: both stay in a sum, or in what it lost.
    void add_all() noexcept {
        static double const nothing = 0;
        static u16 const no_rows[block] = {};
        double const* values[lane_count];
        u16 const* rows[lane_count];
        i64 left[lane_count];
        std::array<std::size_t, lane_count> next{};
        std::array<ops::compensated<double>, lane_count> idle{};
        std::array<ops::compensated<double>*, lane_count> at{};
        pair sum[lane_count / 2] = {}, lost[lane_count / 2] = {};
        for (i64 done = 0, n = 0; done < steps_; done += n) {
            for (std::size_t k = 0; k < lane_count; ++k) {
                if (done > 0 && left[k] > 0) continue;
                if (next[k] < lanes_[k].size()) {
                    auto const& p = lanes_[k][next[k]];
                    values[k] = p.values, rows[k] = p.rows, left[k] = p.n, at[k] = p.sum;
                } else {
                    values[k] = &nothing, rows[k] = no_rows, left[k] = block, at[k] = &idle[k];
                }
                ++next[k];
                sum[k / 2][k % 2] = at[k]->sum, lost[k / 2][k % 2] = at[k]->lost;
            }
            n = *std::min_element(left, left + lane_count);
            n = std::min(n, steps_ - done);
            follow(values, rows, n, sum, lost);
            for (std::size_t k = 0; k < lane_count; ++k) {
                rows[k] += n, left[k] -= n;
                if (left[k] == 0 || done + n == steps_) *at[k] = {sum[k / 2][k % 2], lost[k / 2][k % 2]};
            }
        }
    }

private:
    static void follow(double const* const* values, u16 const* const* rows, i64 n, pair* sums, pair* losses) noexcept {
        static_assert(lane_count == 8);
        auto const *const v0 = values[0], *const v1 = values[1], *const v2 = values[2], *const v3 = values[3],
                          *const v4 = values[4], *const v5 = values[5], *const v6 = values[6], *const v7 = values[7];
        auto const *const r0 = rows[0], *const r1 = rows[1], *const r2 = rows[2], *const r3 = rows[3],
                          *const r4 = rows[4], *const r5 = rows[5], *const r6 = rows[6], *const r7 = rows[7];
        pair s0 = sums[0], s1 = sums[1], s2 = sums[2], s3 = sums[3];
        pair l0 = losses[0], l1 = losses[1], l2 = losses[2], l3 = losses[3];
        for (i64 j = 0; j < n; ++j) {
            add(pair{v0[r0[j]], v1[r1[j]]}, s0, l0);
            add(pair{v2[r2[j]], v3[r3[j]]}, s1, l1);
            add(pair{v4[r4[j]], v5[r5[j]]}, s2, l2);
            add(pair{v6[r6[j]], v7[r7[j]]}, s3, l3);
        }
        sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
        losses[0] = l0, losses[1] = l1, losses[2] = l2, losses[3] = l3;
    }
    [[gnu::always_inline]] static void add(pair x, pair& sum, pair& lost) noexcept {
        pair const y = x - lost, t = sum + y;
        lost = (t - sum) - y;
        sum = t;
    }

    std::array<std::vector<piece>, lane_count + 1> lanes_;
    i64 steps_ = 0;
};

// One column's sum of one group.
struct target {
    std::size_t column;
    i64 group;
    double share;
};

class adder {
public:
    adder(listed_rows const& rows, std::span<summed_column const> columns, std::span<target const> targets)
        : rows_(rows), columns_(columns), targets_(targets), kept_(columns.size()), wide_(columns.size()),
          values_(columns.size()), made_(targets.size()) {
        for (std::size_t c = 0; c < columns.size(); ++c)
            if (columns[c].values.validity != nullptr) kept_[c].resize(block);
        for (auto const& t : targets)
            if (columns[t.column].values.dtype != type_id::float64) wide_[t.column].resize(block);
    }

    void add(i64 begin, i64 end) {
        for (std::size_t c = 0; c < columns_.size(); ++c) values_[c] = values_of(c, begin, end);
        chains_.clear();
        for (std::size_t k = 0; k < targets_.size(); ++k) {
            auto const& [c, g, _] = targets_[k];
            auto const& column = columns_[c];
            made_[k] = column.sums[g].value;
            auto const rows = rows_.of(begin, g);
            chains_.push_back({values_[c], rows.data(), std::ssize(rows), &made_[k]});
            if (!kept_[c].empty()) leave_out(column, begin, kept_[c].data() + rows_.place(begin, g), chains_.back());
        }
        schedule_.plan(chains_);
        schedule_.add_all();
        for (std::size_t k = 0; k < targets_.size(); ++k) {
            auto& column = columns_[targets_[k].column];
            auto& to = column.sums[targets_[k].group];
            auto const& made = made_[k];
            if (made.lost - made.lost == 0 && !ops::is_nan(made.sum)) {
                to.value = made, to.n += static_cast<u32>(chains_[k].n);
            } else {
                add_careful(column, chains_[k], to);
                broken_.push_back(targets_[k].column);
            }
        }
        for (auto const c : broken_) kept_[c].resize(block);  // where there is one NaN there are more
        broken_.clear();
    }

private:
    // A block of a column as float64.
    double const* values_of(std::size_t c, i64 begin, i64 end) noexcept {
        auto const& column = columns_[c].values;
        auto& wide = wide_[c];
        if (wide.empty()) return static_cast<double const*>(column.data) + begin;
        with_element<types::boolean | types::integers>(column.dtype, [&]<class T>(T) {
            auto const* const from = static_cast<T const*>(column.data) + begin;
            for (i64 i = 0; i < end - begin; ++i) wide[static_cast<std::size_t>(i)] = static_cast<double>(from[i]);
        });
        return wide.data();
    }
    // A chain without the rows that are missing.
    static void leave_out(summed_column const& column, i64 begin, u16* to, piece& chain) noexcept {
        i64 n = 0;
        for (i64 j = 0; j < chain.n; ++j) {
            u16 const i = chain.rows[j];
            to[n] = i;
            n += column.values.validity != nullptr ? is_valid(column.values.validity, begin + i)
                                                   : !ops::is_nan(chain.values[i]);
        }
        chain.rows = to, chain.n = n;
    }
    static void add_careful(summed_column const& column, piece const& chain, chained_sum& to) noexcept {
        auto value = to.value;
        for (i64 j = 0; j < chain.n; ++j) {
            double const x = chain.values[chain.rows[j]];
            if (column.values.validity == nullptr && ops::is_nan(x)) continue;
            ops::compensated_algebra<double>::update(value, x, 0);
            ++to.n;
        }
        to.value = value;
    }

    listed_rows const& rows_;
    std::span<summed_column const> columns_;
    std::span<target const> targets_;
    std::vector<std::vector<u16>> kept_;     // of each column that has missing values: its rows that are not
    std::vector<std::vector<double>> wide_;  // of each column of another type: a block of it
    std::vector<double const*> values_;
    std::vector<ops::compensated<double>> made_;
    std::vector<piece> chains_;
    std::vector<std::size_t> broken_;
    schedule schedule_;
};

// Sums for each task, with about as many rows each.
std::vector<std::vector<target>> even_tasks(std::span<double const> share, std::size_t columns, std::size_t tasks) {
    std::vector<target> all;
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t g = 0; g < share.size(); ++g) all.push_back({c, static_cast<i64>(g), share[g]});
    std::stable_sort(all.begin(), all.end(), [](target const& x, target const& y) { return x.share > y.share; });
    std::vector<std::vector<target>> made(std::min(tasks, all.size()));
    std::vector<double> load(made.size());
    for (auto const& one : all) {
        auto const least = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
        made[least].push_back(one), load[least] += one.share;
    }
    return made;
}

}  // namespace

void sum_in_chains(u32 const* codes, i64 rows, i64 groups, std::span<double const> share,
                   std::span<summed_column const> columns) {
    auto const threads = rows < chunk_rows ? std::size_t{1} : static_cast<std::size_t>(sched::thread_count());
    auto const tasks = even_tasks(share, columns.size(), threads);
    listed_rows const listed(codes, rows, groups);
    for_each_task(std::ssize(tasks), [&](i64 task) {
        adder one(listed, columns, tasks[static_cast<std::size_t>(task)]);
        for (i64 begin = 0; begin < rows; begin += block) one.add(begin, std::min(begin + block, rows));
    });
}

}  // namespace bascule::cpu::tables::grouping
