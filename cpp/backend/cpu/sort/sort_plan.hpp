// How several key columns become u64 keys that order rows level by level: columns are packed into a level while their
// bits fit; rows equal in one level are ordered by the next.
#pragma once
#include <vector>

#include "backend/cpu/sort/radix.hpp"
#include "bascule/core/table_algorithms_sort_join.hpp"

namespace bascule::cpu::sorting {

// Strings give seven bytes a level and, in the eighth, how many of them there were plus one (9: there are more): the
// order of bytes with the shorter string first, even if it holds zero bytes.
inline constexpr std::int64_t text_step = 7;

enum class part_kind : std::uint8_t { value, null_flag, text, text_rest };

// One column's contribution to a level: ((normalised ^ flip) - base) << shift, null_code for null.
struct key_part {
    sort_key column;
    part_kind kind = part_kind::value;
    int bits = 0, shift = 0, drop = 0;  // drop: low bits that never differ, cut off
    std::uint64_t flip = 0, base = 0, null_code = 0;
    std::int64_t from = 0;  // text: first byte
};

// The codes of a part of fixed width without a bitmap, and back.
template <class T> class value_codes {
public:
    explicit value_codes(key_part const& p) noexcept
        : data_(static_cast<T const*>(p.column.data)), flip_(p.flip), base_(p.base), null_code_(p.null_code),
          zero_code_(code_of(T{})) {}
    std::uint64_t operator()(std::int64_t row) const noexcept {
        return normal<T>::is_null(data_[row]) ? null_code_ : code_of(data_[row]);
    }
    // The value of a row with this code. Nulls have one code, and both zeros have.
    T value(std::uint64_t code, std::int64_t row) const noexcept {
        bool const checks_all = is_whole || (code != null_code_ && code != zero_code_);
        return checks_all ? normal<T>::from_key((code + base_) ^ flip_) : data_[row];
    }

private:
    static constexpr bool is_whole = std::is_integral_v<T>;
    std::uint64_t code_of(T v) const noexcept { return (normal<T>::key(v) ^ flip_) - base_; }
    T const* data_;
    std::uint64_t flip_, base_, null_code_, zero_code_;
};

// The position in the comparison of rows; `deep` counts the levels of a text_rest.
struct level_cursor {
    std::size_t level = 0;
    std::int64_t deep = 0;
};

class sort_plan {
public:
    sort_plan(argsort_args const&);  // throws std::bad_alloc

    std::size_t levels() const noexcept { return levels_.size(); }
    bool ends_at(level_cursor c) const noexcept { return c.level >= levels_.size(); }
    bool is_last(level_cursor c) const noexcept {
        return c.level + 1 == levels_.size() && levels_[c.level].front().kind != part_kind::text_rest;
    }
    std::uint64_t high(level_cursor c) const noexcept;  // no key of the level is greater
    // The only values to compare, where there is one column of fixed width without a bitmap.
    key_part const* only_values() const noexcept;
    // The next comparison of rows that are all equal to `key` in this one.
    level_cursor after(level_cursor, std::uint64_t key) const noexcept;

    void load_first(std::int64_t begin, std::int64_t end,
                    std::uint64_t* keys) const noexcept;  // level 0 of rows in order
    template <class R> void load(level_cursor, R* rows, std::int64_t n) const noexcept;

private:
    void add_fixed(sort_key const&, argsort_args const&);
    void add_text(sort_key const&, argsort_args const&);
    void add(key_part);
    std::vector<std::vector<key_part>> levels_;
};

}  // namespace bascule::cpu::sorting
