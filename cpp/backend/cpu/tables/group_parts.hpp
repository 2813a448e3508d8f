// Rows parted by ranges of their groups, so that the states of a part fit a cache; rows of a part keep their order.
#pragma once
#include <span>
#include <type_traits>
#include <vector>

#include "backend/cpu/tables/group_kernels.hpp"
#include "backend/cpu/tables/group_keys.hpp"
#include "bascule/core/uint_of_size.hpp"

namespace bascule::cpu::tables::grouping {

class row_parts {
public:
    // part_of(i): the part of row i; rows of parts that are not there go nowhere.
    template <class Part>
    row_parts(i64 rows, i64 parts, Part const& part_of)
        : count_(parts), chunks_(table_chunks(rows, 4096)), at_(chunks_.count * parts), start_(parts + 1) {
        at_.fill_bytes(0);
        for_each_chunk(chunks_, [&](i64 c, i64 begin, i64 end) {
            u32* const own = at_.data() + c * count_;
            for (i64 i = begin; i < end; ++i) {
                if (u32 const p = part_of(i); p < count_) ++own[p];
            }
        });
        u32 total = 0;
        for (i64 p = 0; p < count_; ++p) {
            start_[p] = total;
            for (i64 c = 0; c < chunks_.count; ++c) total += std::exchange(at_[c * count_ + p], total);
        }
        start_[count_] = total;
    }
    i64 count() const { return count_; }
    i64 rows() const { return start_[count_]; }
    i64 begin(i64 part) const { return start_[part]; }
    i64 end(i64 part) const { return start_[part + 1]; }

    // move(to, i) for every row with a part: `to` is its place among the parted rows.
    template <class Part, class Move> void place(Part const& part_of, Move const& move) const {
        for_each_chunk(chunks_, [&](i64 c, i64 begin, i64 end) {
            scratch<u32> next(count_);
            std::copy_n(at_.data() + c * count_, count_, next.data());
            for (i64 i = begin; i < end; ++i) {
                if (u32 const p = part_of(i); p < count_) move(next[p]++, i);
            }
        });
    }

private:
    i64 count_;
    row_chunks chunks_;
    scratch<u32> at_;     // where each chunk's rows of each part go
    scratch<u32> start_;  // of each part, count + 1
};

struct parted_column {
    scratch<u64> values;
    scratch<u8> valid;
};

inline scratch<u64> room_for(i64 rows, int size) { return scratch<u64>((rows * size + 7) / 8); }

template <class Part>
parted_column part_column(row_parts const& parts, Part const& part_of, group_column const& column) {
    parted_column out;
    int const size = itemsize(column.dtype);
    out.values = room_for(parts.rows(), size);
    with_word(size, [&]<class T>(T) {
        auto const* const from = static_cast<T const*>(column.data);
        auto* const to = reinterpret_cast<T*>(out.values.data());
        parts.place(part_of, [&](u32 place, i64 i) { to[place] = from[i]; });
    });
    if (column.validity == nullptr) return out;
    out.valid = scratch<u8>(parts.rows());
    parts.place(part_of, [&](u32 place, i64 i) { out.valid[place] = is_valid(column.validity, i); });
    return out;
}

struct group_span {
    i64 begin, end;
};

// The rows that are in groups, if their numbers ascend; else none.
inline group_span ascending_rows(u32 const* codes, i64 length) {
    i64 begin = 0, end = length;
    while (begin < end && codes[begin] == null_group) ++begin;
    while (end > begin && codes[end - 1] == null_group) --end;
    std::atomic<bool> ascends{end > begin};
    for_each_chunk({end - begin, chunk_rows}, [&](i64, i64 from, i64 to) {
        if (!ascends.load(std::memory_order_relaxed)) return;
        bool falls = false;
        for (i64 i = begin + std::max<i64>(from, 1); i < begin + to; ++i) falls |= codes[i] < codes[i - 1];
        if (falls) ascends.store(false, std::memory_order_relaxed);
    });
    return ascends.load() ? group_span{begin, end} : group_span{0, 0};
}

// Aggregates parted rows. codes: of the parted rows; span(p): the groups of a part; least(span): the code of its first
// group. `ready`, if there, is the column of the first request, parted already.
template <class Part, class Span, class Least>
void aggregate_parted(row_parts const& parts, Part const& part_of, u32 const* codes, Span const& span,
                      Least const& least, std::span<group_request const> requests, std::vector<kernel> const& kernels,
                      parted_column ready = {}) {
    std::vector<bool> done(requests.size());
    for (std::size_t i = 0; i < done.size(); ++i) {
        if (done[i]) continue;
        auto const& lead = requests[i];
        bool const size = counts_rows(lead);
        auto const column = i == 0 && ready.values.size() > 0 ? std::move(ready)
                            : size                            ? parted_column{}
                                                              : part_column(parts, part_of, lead.column);
        for (std::size_t j = i; j < done.size(); ++j) {
            if (j != i && (done[j] || !same_column(lead, requests[j]))) continue;
            done[j] = true;
            auto const& k = kernels[j];
            for_each_task(parts.count(), [&](i64 p) {
                auto const groups = span(p);
                i64 const n = groups.end - groups.begin;
                scratch<char> states(n * k.state_size);
                k.clear(states.data(), n);
                k.add(states.data(),
                      {codes, least(groups), size ? static_cast<void const*>(codes) : column.values.data(), nullptr,
                       column.valid.data(), nullptr, parts.begin(p), parts.end(p)});
                k.finish(states.data(), n, groups.begin, requests[j]);
            });
        }
    }
}

}  // namespace bascule::cpu::tables::grouping
