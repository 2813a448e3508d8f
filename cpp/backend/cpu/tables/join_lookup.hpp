// The row of each key of a side, where no key repeats: most joins have such a side, and then the rows of the other side
// have one match at most, which is a number instead of a list.
#pragma once
#include <optional>

#include "backend/cpu/common/row_chunks.hpp"
#include "backend/cpu/tables/join_build.hpp"

namespace bascule::cpu::tables::joining {

inline constexpr std::uint32_t no_row = 0xffffffff;

class row_of_key {
public:
    // Nothing if a key repeats. `probes`: how many look-ups pay for the table. `by_hash`: takes the index by hashes
    // that was made, if the keys are too far apart for a table, and repeat. Throws std::bad_alloc.
    static std::optional<row_of_key> of(join_keys const&, std::int64_t probes, std::unique_ptr<rows_by_key>& by_hash);
    // As above, where the keys may repeat and are not too far apart for a table: one of the rows of each key, which is
    // no function of the keys alone. Nothing for others, whose index by hashes is made.
    static std::optional<row_of_key> any_of(join_keys const&, std::int64_t probes,
                                            std::unique_ptr<rows_by_key>& by_hash, bool& repeats);
    // A number in place of the row, below the number of rows, where keys repeat.
    static row_of_key number_of_key(std::unique_ptr<rows_by_key> lists);
    // f(i, row with the key of row i of the other side, or no_row) for the rows [begin, end).
    template <class F> void each(join_keys const& probe, std::int64_t begin, std::int64_t end, F const& f) const {
        std::uint32_t found[at_once];
        for (; begin < end; begin += at_once) {
            std::int64_t const n = std::min(at_once, end - begin);
            find(probe, begin, begin + n, found);
            for (std::int64_t j = 0; j < n; ++j) f(begin + j, found[j]);
        }
    }
    // Those of the rows [begin, end) of the other side whose key is there, and the row that has it; how many there are.
    // There is room for all.
    std::int64_t match(join_keys const& probe, std::int64_t begin, std::int64_t end, std::uint32_t* own,
                       std::uint32_t* other) const noexcept;

private:
    static constexpr std::int64_t at_once = 256;
    row_of_key() = default;
    static std::optional<row_of_key> made_of(join_keys const&, std::int64_t probes,
                                             std::unique_ptr<rows_by_key>& by_hash, bool whole, bool& repeats);
    bool fill(join_keys const&, bool whole);  // false: a key repeats, and the table is not `whole` unless asked
    void find(join_keys const& probe, std::int64_t begin, std::int64_t end, std::uint32_t* out) const noexcept;

    key_range range_;
    chunked::scratch<std::uint32_t> rows_;  // by key - range_.low, null behind them
    std::unique_ptr<rows_by_key> by_hash_;  // instead, where the range is too wide
};

}  // namespace bascule::cpu::tables::joining
