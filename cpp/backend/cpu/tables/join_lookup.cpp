#include "backend/cpu/tables/join_lookup.hpp"

#include <atomic>
#include <cstring>

#include "backend/cpu/sort/limits.hpp"

namespace bascule::cpu::tables::joining {
namespace {

using namespace sorting;

// Rows that are looked at for repeated keys before threads fill the table together.
constexpr std::int64_t first_rows = 65536;

}  // namespace

std::optional<row_of_key> row_of_key::of(join_keys const& keys, std::int64_t probes,
                                         std::unique_ptr<rows_by_key>& by_hash) {
    bool repeats = false;
    auto made = made_of(keys, probes, by_hash, false, repeats);
    if (repeats) made.reset();
    return made;
}

std::optional<row_of_key> row_of_key::any_of(join_keys const& keys, std::int64_t probes,
                                             std::unique_ptr<rows_by_key>& by_hash, bool& repeats) {
    return made_of(keys, probes, by_hash, true, repeats);
}

std::optional<row_of_key> row_of_key::made_of(join_keys const& keys, std::int64_t probes,
                                              std::unique_ptr<rows_by_key>& by_hash, bool whole, bool& repeats) {
    row_of_key made;
    made.range_ = keys.range();
    if (fits_table(made.range_, std::max(keys.length(), probes))) {
        repeats = !made.fill(keys, whole);
        return made;
    }
    by_hash = std::make_unique<rows_by_key>(keys, probes);
    repeats = !by_hash->unique();
    if (repeats) return {};
    made.by_hash_ = std::move(by_hash);
    return made;
}

row_of_key row_of_key::number_of_key(std::unique_ptr<rows_by_key> lists) {
    row_of_key made;
    made.by_hash_ = std::move(lists);
    return made;
}

bool row_of_key::fill(join_keys const& keys, bool whole) {
    std::int64_t const slots = slot_count(range_), n = keys.length();
    if (n > slots && !whole) return false;
    rows_ = chunked::scratch<std::uint32_t>(slots + (range_.nulls ? 0 : 1));
    row_blocks(rows_.size()).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        std::fill(rows_.data() + begin, rows_.data() + end, no_row);
    });
    std::uint32_t* const table = rows_.data();
    std::uint64_t const low = range_.low;
    std::uint32_t* const null = table + rows_.size() - 1;
    auto const visit = [&](std::int64_t begin, std::int64_t end, auto const& f) {
        keys.for_each(
            begin, end, [&](std::int64_t i, std::uint64_t k) { f(table + (k - low), static_cast<std::uint32_t>(i)); },
            [&](std::int64_t i) { f(null, static_cast<std::uint32_t>(i)); });
    };
    std::int64_t const first = n <= limits().small_build ? n : std::min(first_rows, n);
    bool repeats = false;
    visit(0, first, [&](std::uint32_t* at, std::uint32_t i) { repeats |= *at != no_row, *at = i; });
    if (first == n || (repeats && !whole)) return !repeats;
    // Threads may write one entry; only one of the rows is there in the end.
    row_blocks const work(n - first);
    work.run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        visit(first + begin, first + end,
              [](std::uint32_t* at, std::uint32_t i) { std::atomic_ref(*at).store(i, std::memory_order_relaxed); });
    });
    if (repeats) return false;
    std::atomic<bool> lost{false};
    row_blocks(n).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
        if (lost.load(std::memory_order_relaxed)) return;
        bool other = false;
        visit(begin, end, [&](std::uint32_t const* at, std::uint32_t i) { other |= *at != i; });
        if (other) lost.store(true, std::memory_order_relaxed);
    });
    return !lost.load();
}

void row_of_key::find(join_keys const& probe, std::int64_t begin, std::int64_t end, std::uint32_t* out) const noexcept {
    if (by_hash_) return by_hash_->find_numbers(probe, begin, end, out);
    std::uint32_t const* const table = rows_.data();
    std::uint64_t const low = range_.low, width = range_.empty() ? 0 : range_.high - low;
    std::uint32_t const of_null = range_.nulls ? table[rows_.size() - 1] : no_row;
    if (range_.empty())
        probe.for_each(
            begin, end, [&](std::int64_t i, std::uint64_t) { out[i - begin] = no_row; },
            [&](std::int64_t i) { out[i - begin] = of_null; });
    else
        probe.for_each(
            begin, end,
            [&](std::int64_t i, std::uint64_t k) {
                std::uint64_t const slot = k - low;
                std::uint32_t const row = table[std::min(slot, width)];
                out[i - begin] = slot > width ? no_row : row;
            },
            [&](std::int64_t i) { out[i - begin] = of_null; });
}

std::int64_t row_of_key::match(join_keys const& probe, std::int64_t begin, std::int64_t end, std::uint32_t* own,
                               std::uint32_t* other) const noexcept {
    constexpr std::int64_t few = 8;
    std::uint32_t found[at_once];
    std::int64_t count = 0;
    for (; begin < end; begin += at_once) {
        std::int64_t const n = std::min(at_once, end - begin);
        std::fill(found + n, found + (n + few - 1) / few * few, no_row);
        find(probe, begin, begin + n, found);
        for (std::int64_t j = 0; j < n; j += few) {
            std::uint64_t words[few / 2];
            std::memcpy(words, found + j, sizeof words);
            if ((words[0] & words[1] & words[2] & words[3]) == ~std::uint64_t{0}) continue;
            std::int64_t const last = std::min(j + few, n);
            for (std::int64_t k = j; k < last; ++k) {
                own[count] = static_cast<std::uint32_t>(begin + k), other[count] = found[k];
                count += found[k] != no_row;
            }
        }
    }
    return count;
}

}  // namespace bascule::cpu::tables::joining
