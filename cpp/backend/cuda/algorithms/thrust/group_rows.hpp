// Rows of groups, and states that are reduced group by group: 64 rows at a time in their order, then 64 states at a
// time, a tree that depends on the groups' sizes alone. A group that fits into one piece has the bits of one row after
// the other.
#pragma once
#include "backend/cuda/algorithms/thrust/cells.hpp"
#include "backend/cuda/algorithms/thrust/group_by_number.hpp"

namespace bascule::cuda::algorithms {

struct group_or_last {
    std::uint32_t const* codes;
    std::int64_t groups;
    BASCULE_HD std::uint32_t operator()(std::int64_t row) const {
        return codes[row] == null_group ? static_cast<std::uint32_t>(groups) : codes[row];
    }
};

// The rows of each group one after another, in `order`; rows of none behind them.
class group_rows {
public:
    group_rows(context const& c, std::uint32_t const* codes, std::int64_t length, std::int64_t groups)
        : order_(c, length), starts_(c, groups + 1) {
        auto* const o = order_.get();
        fill_by_index(c, o, length, row_number{});
        sort_by_group(c, group_or_last{codes, groups}, length, groups, o, starts_.get());
    }
    // A stable sort of the rows by group(row).
    template <class Group>
    static void sort_by_group(context const& c, Group group, std::int64_t length, std::int64_t groups,
                              std::uint32_t* order, std::int64_t* starts) {
        with_number(groups, [&](auto zero) {
            using K = decltype(zero);
            buffer<K> const keys(c, length);
            auto* const k = keys.get();
            fill_by_index(c, k, length, of_rows<Group>{order, group});
            sort_pairs(c, k, order, length);
            for_each_index(c, groups + 1, write_starts<K>{k, length, starts});
        });
    }
    std::uint32_t const* order() const { return order_.get(); }
    std::int64_t const* starts() const { return starts_.get(); }

private:
    buffer<std::uint32_t> order_;
    buffer<std::int64_t> starts_;
};

// Pieces of segments: elements [starts[b], starts[b + 1]) are cut into runs of 64.
struct cut_segments {
    std::int64_t const *starts, *pieces;
    std::int64_t segments;
    struct part {
        std::int64_t segment, begin, end;
    };
    BASCULE_HD bool has(std::int64_t p) const { return p < pieces[segments]; }
    BASCULE_HD part operator()(std::int64_t p) const {
        std::int64_t const b = count_below(pieces, segments + 1, p + 1) - 1;
        std::int64_t const begin = starts[b] + piece * (p - pieces[b]), end = begin + piece;
        return {b, begin, end < starts[b + 1] ? end : starts[b + 1]};
    }
};
inline std::int64_t most_pieces(std::int64_t items, std::int64_t segments) {
    return std::min(items, items / piece + segments);
}
inline std::int64_t pieces_in(std::int64_t longest) { return (longest + piece - 1) / piece; }

class segment_pieces {
public:
    segment_pieces(context const& c, std::int64_t const* starts, std::int64_t segments, std::int64_t items)
        : pieces_(c, segments + 1), cut_{starts, pieces_.get(), segments}, most_(most_pieces(items, segments)) {
        sums_before(c, pieces_.get(), segments, pieces_of{starts});
    }
    cut_segments const& cut() const { return cut_; }
    std::int64_t const* starts() const { return pieces_.get(); }
    std::int64_t most() const { return most_; }  // of pieces

private:
    buffer<std::int64_t> pieces_;
    cut_segments cut_;
    std::int64_t most_;
};

template <class S> struct merge_states {
    S const* from;
    cut_segments cut;
    S* to;
    BASCULE_HD void operator()(std::int64_t p) const {
        if (!cut.has(p)) return;
        auto const part = cut(p);
        S state = from[part.begin];
        for (std::int64_t i = part.begin + 1; i < part.end; ++i) state.merge(from[i]);
        to[p] = state;
    }
};

// f(states, starts): one state a segment at most, that of segment b at starts[b] where starts[b + 1] is greater.
template <class S, class F>
void merge_segments(context const& c, S const* states, std::int64_t const* starts, std::int64_t segments,
                    std::int64_t items, std::int64_t longest, F const& f) {
    if (longest <= 1) return f(states, starts);
    segment_pieces const pieces(c, starts, segments, items);
    buffer<S> const merged(c, pieces.most());
    for_each_index(c, pieces.most(), merge_states<S>{states, pieces.cut(), merged.get()});
    merge_segments(c, merged.get(), pieces.starts(), segments, pieces.most(), pieces_in(longest), f);
}

// Each state becomes that of all before it in its segment.
template <class S> struct states_before {
    S* states;
    cut_segments cut;
    S const* before;  // of the piece; null: nothing
    BASCULE_HD void operator()(std::int64_t p) const {
        if (!cut.has(p)) return;
        auto const part = cut(p);
        S state = before ? before[p] : S{};
        for (std::int64_t i = part.begin; i < part.end; ++i) {
            S const own = states[i];
            states[i] = state;
            state.merge(own);
        }
    }
};
template <class S>
void exclusive_states(context const& c, S* states, std::int64_t const* starts, std::int64_t segments,
                      std::int64_t items, std::int64_t longest) {
    segment_pieces const pieces(c, starts, segments, items);
    if (longest <= piece) return for_each_index(c, pieces.most(), states_before<S>{states, pieces.cut(), nullptr});
    buffer<S> const totals(c, pieces.most());
    for_each_index(c, pieces.most(), merge_states<S>{states, pieces.cut(), totals.get()});
    exclusive_states(c, totals.get(), pieces.starts(), segments, pieces.most(), pieces_in(longest));
    for_each_index(c, pieces.most(), states_before<S>{states, pieces.cut(), totals.get()});
}

}  // namespace bascule::cuda::algorithms
