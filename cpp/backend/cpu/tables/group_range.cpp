// Integers that are close together: one pass finds each value's first row in a table over their range, and a second
// writes the numbers. No row's key is written down.
#include <algorithm>
#include <type_traits>
#include <vector>

#include "backend/cpu/tables/group_keys.hpp"
#include "backend/cpu/tables/group_range.hpp"
#include "bascule/core/element_dispatch.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

template <class T> class small_range {
public:
    small_range(group_column const& column, factorize_plan const& plan, u32* codes)
        : data_(static_cast<T const*>(column.data)), validity_(column.validity), n_(column.length), codes_(codes),
          low_(plan.low), positions_(plan.values) {}

    bool run(bool sorted, bool keep_nulls, key_groups& groups) {
        if (!find_first()) return false;
        number(sorted, keep_nulls, groups);
        return true;
    }

private:
    static u64 ordered(T v) {
        if constexpr (std::is_signed_v<T>) return static_cast<u64>(static_cast<i64>(v)) ^ (u64{1} << 63);
        else return v;
    }
    u64 place(i64 row) const { return ordered(data_[row]) - low_; }

    // False: a value is outside the range.
    bool find_first() {
        auto const chunks = table_chunks(n_, positions_ * 4);
        scratch<u32> tables(chunks.count * positions_);
        std::vector<i64> null_rows(static_cast<std::size_t>(chunks.count), -1);
        std::atomic<bool> outside{false};
        for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
            u32* const first = tables.data() + c * positions_;
            std::fill(first, first + positions_, null_group);
            auto& null_row = null_rows[static_cast<std::size_t>(c)];
            for (i64 i = begin; i < end; ++i) {
                if (!is_valid(validity_, i)) {
                    if (null_row < 0) null_row = i;
                    continue;
                }
                u64 const k = place(i);
                if (k >= static_cast<u64>(positions_)) return outside.store(true, std::memory_order_relaxed);
                if (first[k] == null_group) first[k] = static_cast<u32>(i);
            }
        });
        if (outside.load()) return false;
        first_ = scratch<u32>(positions_);
        for_each_chunk({positions_, chunk_rows}, [&](i64, i64 begin, i64 end) {
            for (i64 k = begin; k < end; ++k) {
                u32 row = null_group;
                for (i64 c = 0; c < chunks.count; ++c) row = std::min(row, tables[c * positions_ + k]);
                first_[k] = row;
            }
        });
        for (i64 const row : null_rows)
            if (null_row_ < 0) null_row_ = row;
        return true;
    }

    void number(bool sorted, bool keep_nulls, key_groups& groups) {
        bool const null_group_too = keep_nulls && null_row_ >= 0;
        scratch<u32> to(positions_);
        u32 null_to = null_group;
        if (sorted) {
            u32 count = 0;
            for (i64 k = 0; k < positions_; ++k) to[k] = first_[k] == null_group ? null_group : count++;
            if (null_group_too) null_to = count++;
            groups.count = count;
        } else {
            rank_bitmap rows(n_);
            for (i64 k = 0; k < positions_; ++k)
                if (first_[k] != null_group) rows.mark(first_[k]);
            if (null_group_too) rows.mark(static_cast<u64>(null_row_));
            groups.count = rows.count();
            for (i64 k = 0; k < positions_; ++k) to[k] = first_[k] == null_group ? null_group : rows.rank(first_[k]);
            if (null_group_too) null_to = rows.rank(static_cast<u64>(null_row_));
        }
        groups.first = scratch<u32>(groups.count);
        for (i64 k = 0; k < positions_; ++k)
            if (first_[k] != null_group) groups.first[to[k]] = first_[k];
        if (null_group_too) groups.first[null_to] = static_cast<u32>(null_row_);
        for_each_chunk({n_, chunk_rows}, [&](i64, i64 begin, i64 end) {
            if (validity_ == nullptr)
                for (i64 i = begin; i < end; ++i) codes_[i] = to[static_cast<i64>(place(i))];
            else
                for (i64 i = begin; i < end; ++i)
                    codes_[i] = is_valid(validity_, i) ? to[static_cast<i64>(place(i))] : null_to;
        });
    }

    T const* data_;
    u8 const* validity_;
    i64 n_;
    u32* codes_;
    u64 low_;
    i64 positions_, null_row_ = -1;
    scratch<u32> first_;
};

}  // namespace

bool number_small_range(factorize_args const& a, u32* codes, key_groups& groups) {
    bool numbered = false;
    with_element<types::integers>(a.keys[0].dtype, [&]<class T>(T) {
        small_range<T> rows(a.keys[0], a.plan, codes);
        numbered = rows.run(a.order == group_order::sorted, a.keep_nulls, groups);
    });
    return numbered;
}

}  // namespace bascule::cpu::tables::grouping
