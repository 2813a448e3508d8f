// Rows of one side listed by key, and the position of the list for each row of the other side.
#pragma once
#include <atomic>
#include <memory>
#include <optional>

#include "backend/cpu/sort/normal_key.hpp"
#include "backend/cpu/sort/radix.hpp"
#include "bascule/core/table_algorithms_sort_join.hpp"

namespace bascule::cpu::tables::joining {

using sorting::is_valid;
using sorting::keyed_row;
using sorting::normal;
using sorting::visit_key_type;

// Keys of one side as numbers, with a range. Null is a key of its own.
struct key_range {
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
    bool nulls = false;
    bool empty() const noexcept { return low > high; }
    void merge(key_range const& other) noexcept {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
        nulls |= other.nulls;
    }
};

// Whether a table may have an entry for each number of the range, by how many rows there are.
bool fits_table(key_range const&, std::int64_t rows) noexcept;
inline std::int64_t slot_count(key_range const& r) noexcept {
    return (r.empty() ? 0 : static_cast<std::int64_t>(r.high - r.low) + 1) + (r.nulls ? 1 : 0);
}

class join_keys {
public:
    join_keys(join_pairs_args const& a, join_side const& side) noexcept
        : side_(side), dtype_(a.dtype), negative_is_null_(a.negative_is_null) {}
    std::int64_t length() const noexcept { return side_.length; }
    bool nulls_first() const noexcept { return is_time(dtype_); }  // where the keys give the order
    key_range const& range() const;                                // found at the first call

    // Calls put(i, key) or put_null(i) for the rows [begin, end).
    template <class Put, class Null>
    void for_each(std::int64_t begin, std::int64_t end, Put const& put, Null const& put_null) const noexcept {
        visit_key_type(dtype_, [&](auto tag) {
            using T = typename decltype(tag)::type;
            auto const* const data = static_cast<T const*>(side_.data);
            auto const visit = [&](auto const& is_null) {
                for (std::int64_t i = begin; i < end; ++i) {
                    if (is_null(i)) put_null(i);
                    else put(i, normal<T>::key(data[i]));
                }
            };
            if (side_.validity == nullptr && !negative_is_null_)
                visit([&](std::int64_t i) { return normal<T>::is_null(data[i]); });
            else
                visit([&](std::int64_t i) {
                    return normal<T>::is_null(data[i]) || !is_valid(side_.validity, i) ||
                           (negative_is_null_ && is_negative(data[i]));
                });
        });
    }

private:
    key_range find_range() const;
    template <class T> static bool is_negative(T v) noexcept {
        if constexpr (std::is_arithmetic_v<T>) return v < T{0};
        else return false;
    }
    join_side side_;
    type_id dtype_;
    bool negative_is_null_;
    mutable std::optional<key_range> range_;
};

// Slots: keys as small numbers in order, null behind or before them. no_slot: a key that the other side does not have.
inline constexpr std::uint32_t no_slot = 0xffffffff;
void slots_by_range(join_keys const&, key_range const&, std::uint32_t* out);
// Of both sides at once, for ranges too wide for a table: by sorting the keys of both. Returns how many there are.
std::int64_t slots_by_sorting(join_keys const& left, join_keys const& right, std::uint32_t* left_slots,
                              std::uint32_t* right_slots);

struct slot_row {
    std::uint32_t slot, row;
};

// The rows of each slot, ascending: row[first[s]] ... row[first[s + 1] - 1]. Constructors throw std::bad_alloc.
struct rows_by_slot {
    scratch<std::uint32_t> first, row;
    rows_by_slot(std::uint32_t const* slots, std::int64_t rows, std::int64_t slot_count);
    // Of some rows, in their order; all have a slot.
    rows_by_slot(slot_row const* some, std::int64_t rows, std::int64_t slot_count);

private:
    template <class Rows> void build(Rows const& from, std::int64_t rows, std::int64_t slot_count);
    template <class Rows> void build_small(Rows const& from, std::int64_t rows, std::int64_t slot_count);
    template <class Rows> void build_parts(Rows const& from, std::int64_t rows, std::int64_t slot_count);
};

// Where the matches of a row are.
struct match_list {
    std::uint32_t first, count;
};

// The same for keys of any range: an open-addressing table for each part of the rows, parted by hash.
class rows_by_key {
public:
    // `probes`: how many rows will be looked up. Throws std::bad_alloc.
    rows_by_key(join_keys const&, std::int64_t probes);
    // Where keys repeat: the list of each row's key.
    void find(join_keys const& probe, std::int64_t begin, std::int64_t end, match_list* out) const noexcept;
    std::uint32_t const* rows() const noexcept { return row_.data(); }
    bool unique() const noexcept { return !repeats_.load(); }
    // A number of each row's key, or no_slot: its row where no key repeats, else where its list begins.
    void find_numbers(join_keys const& probe, std::int64_t begin, std::int64_t end, std::uint32_t* out) const noexcept;

private:
    struct entry {
        std::uint64_t key;
        match_list rows;
    };
    struct table {
        std::int64_t begin;
        std::uint64_t mask;
    };
    static std::uint64_t hash(std::uint64_t k) noexcept {
        k = (k ^ (k >> 32)) * 0x9e3779b97f4a7c15u;
        return (k ^ (k >> 29)) * 0xd6e8feb86659fd93u;
    }
    std::uint64_t part_of(std::uint64_t h) const noexcept { return part_bits_ == 0 ? 0 : h >> (64 - part_bits_); }
    entry* start_of(std::uint64_t h) const noexcept {
        table const& t = tables_[part_of(h)];
        return entries_->data() + t.begin + static_cast<std::int64_t>((h >> 16) & t.mask);
    }
    // A bit for each hash: most rows of a side that is much longer have none, and are left out before the tables.
    std::uint64_t filter_bit(std::uint64_t h) const noexcept { return h & filter_mask_; }
    bool may_have(std::uint64_t h) const noexcept {
        return ((*filter_)[static_cast<std::int64_t>(filter_bit(h) >> 6)] >> (h & 63) & 1) != 0;
    }
    void size_tables(std::vector<std::int64_t> const& start);
    void fill_part(keyed_row const* rows, std::int64_t begin, std::int64_t end, std::size_t part) noexcept;
    void list_part(keyed_row const* rows, std::int64_t begin, std::int64_t end, std::size_t part) noexcept;
    template <class F>
    void each_found(join_keys const& probe, std::int64_t begin, std::int64_t end, F const& f) const noexcept;
    entry* seek(std::uint64_t key, std::uint64_t h) const noexcept;

    int part_bits_ = 0;
    std::vector<table> tables_;
    std::unique_ptr<scratch<entry>> entries_;
    std::unique_ptr<scratch<std::uint64_t>> filter_;  // null: none
    std::uint64_t filter_mask_ = 0;
    scratch<std::uint32_t> row_;
    match_list nulls_{0, 0};
    std::atomic<bool> repeats_{false};
};

}  // namespace bascule::cpu::tables::joining
