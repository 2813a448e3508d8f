// Looking labels up: a hash table over the rows of an index, built at the first look-up. Its memory is the host's
// whatever the device of the labels; those of another device are copied once.
#pragma once
#include <atomic>
#include <cstring>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "bascule/table/column.hpp"

namespace bascule::table {

// The key of a look-up in one level: a number or a time as `label_level` writes it, text, or a missing label.
struct label_key {
    enum class what : std::uint8_t { missing, word, text } kind = what::missing;
    std::uint64_t word = 0;
    std::string_view text;
};

// One level of labels as a host reads it. Equal labels have equal words: 64 bits of an integer or a time, the bits of a
// float as a double, with one zero and one NaN.
class label_level {
public:
    explicit label_level(column const& c);
    label_level(label_level&&) noexcept = default;  // copies would look into the memory of what they were made of
    label_level(label_level const&) = delete;

    [[nodiscard]] bool is_text() const noexcept { return offsets_ != nullptr; }
    [[nodiscard]] dtype type() const noexcept { return type_; }
    [[nodiscard]] std::int64_t length() const noexcept { return length_; }

    [[nodiscard]] label_key key(std::int64_t row) const;
    [[nodiscard]] std::uint64_t hash(std::int64_t row) const;
    [[nodiscard]] static std::uint64_t hash(label_key const& k);
    [[nodiscard]] bool equals(std::int64_t row, label_key const& k) const;
    [[nodiscard]] bool same(std::int64_t row, std::int64_t other) const;
    // Whether a row that is not missing comes before a key that is not.
    [[nodiscard]] bool is_before(std::int64_t row, label_key const& k) const;
    // The first row of sorted labels that does not come before a key, or equal it. Missing rows are the last.
    [[nodiscard]] std::int64_t bound(label_key const& k, bool after_equal) const;
    [[nodiscard]] bool is_missing(std::int64_t row) const {
        return (valid_ && !valid_[row]) || (codes_ && codes_[row] < 0);
    }

private:
    [[nodiscard]] std::string_view text(std::int64_t row) const {
        std::int64_t const i = codes_ ? codes_[row] : row;
        return {bytes_ + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])};
    }
    array held(array const& a);
    void read_text(column const& c);
    void read_words(array const& values);

    dtype type_;
    std::int64_t length_ = 0;
    std::vector<array> held_;            // whose memory is read
    std::vector<std::uint64_t> own_;     // words of elements that are not words themselves
    std::vector<std::uint64_t> hashes_;  // of the entries of a dictionary
    std::uint64_t const* words_ = nullptr;
    char const* bytes_ = nullptr;
    std::int64_t const* offsets_ = nullptr;
    std::int32_t const* codes_ = nullptr;
    bool const* valid_ = nullptr;
};

// The word of a value among labels of a type; false: the type holds no such value.
bool label_word(type_id t, std::int64_t v, std::uint64_t& to);
bool label_word(type_id t, std::uint64_t v, std::uint64_t& to);
bool label_word(type_id t, double v, std::uint64_t& to);

class label_table {
public:
    // `increasing`: the labels are sorted and none is missing, so that few look-ups need no table.
    label_table(std::span<column_ref const> levels, bool increasing);

    [[nodiscard]] std::span<label_level const> levels() const noexcept { return levels_; }

    // Rows with one label: row `first` and those that `next` names after it; of sorted labels the `count` from `first`
    // on.
    struct rows {
        std::int64_t first = -1, count = 0;
        bool run = false;
    };
    // Whether the next look-up takes no long work; `prepare` does that.
    [[nodiscard]] bool is_ready() const noexcept;
    void prepare();
    [[nodiscard]] rows find(std::span<label_key const> label) const;
    void write(rows const& r, std::int64_t* to) const;  // r.count rows, ascending
    // The first row of each label of another index, whose levels have the same words; -1 where there is none.
    void find_all(std::span<label_level const> wanted, std::int64_t* to);
    [[nodiscard]] bool is_hashed() const noexcept { return hashed_.load(std::memory_order_acquire); }
    [[nodiscard]] bool is_unique() const noexcept { return next_.empty(); }  // once hashed

private:
    [[nodiscard]] bool sorted() const noexcept { return increasing_ && levels_.size() == 1; }
    [[nodiscard]] std::uint64_t hash_of(std::span<label_key const> label) const;
    [[nodiscard]] bool is_at(std::int64_t row, std::span<label_key const> label) const;
    [[nodiscard]] std::int64_t chained(std::uint64_t hash, std::span<label_key const> label) const;
    [[nodiscard]] rows searched(label_key const& k) const;
    [[nodiscard]] rows scanned(std::span<label_key const> label) const;
    void build();

    std::vector<label_level> levels_;
    std::int64_t length_ = 0;
    bool increasing_ = false;
    std::mutex building_;
    std::atomic<bool> hashed_{false};
    mutable std::atomic<std::int64_t> searches_{0};
    // A slot is 0, or the upper half of a row's hash above the row's number plus one. Of rows with one label the first
    // has the slot, and each names the next, 0: none.
    std::vector<std::uint64_t> slots_;
    std::vector<std::uint32_t> next_;  // empty where labels do not repeat
    int shift_ = 0;
};

}  // namespace bascule::table
