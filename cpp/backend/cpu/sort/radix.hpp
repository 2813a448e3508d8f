// The first of the two steps of every sort here: rows are split by the leading bits of their keys into pieces of even
// size that keep their order; then each piece is sorted inside the cache.
#pragma once
#include <vector>

#include "backend/cpu/common/scratch.hpp"
#include "backend/cpu/sort/limits.hpp"
#include "backend/cpu/sort/part_writer.hpp"
#include "backend/cpu/sort/sort_piece.hpp"

namespace bascule::cpu::sorting {

inline constexpr int fine_bits = 16;

struct pieces {
    std::vector<std::int64_t> start;  // count + 1 entries
    std::int64_t count() const noexcept { return static_cast<std::int64_t>(start.size()) - 1; }
    std::int64_t size(std::int64_t p) const noexcept {
        return start[static_cast<std::size_t>(p) + 1] - start[static_cast<std::size_t>(p)];
    }
    std::int64_t begin(std::int64_t p) const noexcept { return start[static_cast<std::size_t>(p)]; }
};

// Which piece a key belongs to: bins of equal width, neighbours of which are joined until a piece is full. Bins rather
// than leading bits of the key, because half of all floats of [0, 1) share their exponent.
class piece_map {
public:
    // key(i) for i in [0, n), all within [low, high].
    template <class Key> piece_map(Key const& key, std::int64_t n, std::uint64_t low, std::uint64_t high) : low_(low) {
        int const bits = bits_for(high - low);
        shift_ = std::max(0, bits - fine_bits);
        auto const bins = static_cast<std::size_t>((high - low) >> shift_) + 1;
        std::vector<std::uint32_t> seen = sample(key, n, bins);
        join_bins(seen, n);
    }
    std::uint32_t operator()(std::uint64_t key) const noexcept { return piece_of_bin_[(key - low_) >> shift_]; }
    std::int64_t count() const noexcept { return count_; }

private:
    // Runs of 64 rows of every 512 are enough to estimate the sizes, which need not be exact.
    template <class Key> std::vector<std::uint32_t> sample(Key const& key, std::int64_t n, std::size_t bins) {
        row_blocks const work(n, sched::thread_count(), std::int64_t{1} << 17);
        std::vector<std::vector<std::uint32_t>> each(static_cast<std::size_t>(work.count),
                                                     std::vector<std::uint32_t>(bins));
        std::int64_t const skip = n >= (std::int64_t{1} << 18) ? 512 : 64;
        sampled_ = 64.0 / static_cast<double>(skip);
        work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
            auto* const h = each[static_cast<std::size_t>(t)].data();
            for (std::int64_t i = begin; i < end; i += skip)
                for (std::int64_t j = i; j < std::min(i + 64, end); ++j) ++h[(key(j) - low_) >> shift_];
        });
        for (std::size_t t = 1; t < each.size(); ++t)
            for (std::size_t b = 0; b < bins; ++b) each[0][b] += each[t][b];
        return std::move(each[0]);
    }
    void join_bins(std::vector<std::uint32_t> const& seen, std::int64_t n) {
        // A bin that is more than full by itself gets a piece of its own, so that splitting again always makes
        // progress.
        double const full = static_cast<double>(std::max(limits().piece_rows, n / 2000)) * sampled_;
        piece_of_bin_.resize(seen.size());
        std::uint32_t piece = 0;
        double rows = 0;
        bool after_full = false;
        for (std::size_t b = 0; b < seen.size(); ++b) {
            bool const is_full = seen[b] > full;
            if (b > 0 && (after_full || is_full || rows + seen[b] > full)) {
                ++piece;
                rows = 0;
            }
            piece_of_bin_[b] = static_cast<std::uint16_t>(piece);
            rows += seen[b];
            after_full = is_full;
        }
        count_ = piece + 1;
    }

    std::uint64_t low_;
    int shift_ = 0;
    double sampled_ = 1;
    std::int64_t count_ = 0;
    std::vector<std::uint16_t> piece_of_bin_;
};

// Where the rows of each (block, part) go so that parts are contiguous and rows keep their order: the prefix over
// parts, then blocks, of how often part(i) occurs. Throws std::bad_alloc.
template <class Part>
std::vector<std::vector<std::uint32_t>> positions(row_blocks const& work, std::int64_t parts, Part const& part,
                                                  std::vector<std::int64_t>& start) {
    std::vector<std::vector<std::uint32_t>> at(static_cast<std::size_t>(work.count),
                                               std::vector<std::uint32_t>(static_cast<std::size_t>(parts)));
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        auto* const h = at[static_cast<std::size_t>(t)].data();
        for (std::int64_t i = begin; i < end; ++i) ++h[part(i)];
    });
    start.assign(static_cast<std::size_t>(parts) + 1, work.rows);
    std::uint32_t sum = 0;
    for (std::size_t p = 0; p < static_cast<std::size_t>(parts); ++p) {
        start[p] = sum;
        for (auto& h : at) {
            std::uint32_t const n = h[p];
            h[p] = sum;
            sum += n;
        }
    }
    return at;
}

// Moves record(i), whose key is key(i), for all i in [0, n) into pieces that are in order of their keys.
template <class R, class Key, class Record>
pieces split(Key const& key, Record const& record, std::int64_t n, std::uint64_t low, std::uint64_t high, R* out) {
    piece_map const map(key, n, low, high);
    row_blocks const work(n);
    pieces result;
    if (n * static_cast<std::int64_t>(sizeof(R)) < limits().past_caches) {
        auto at = positions(
            work, map.count(), [&](std::int64_t i) { return map(key(i)); }, result.start);
        work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
            auto* const next = at[static_cast<std::size_t>(t)].data();
            for (std::int64_t i = begin; i < end; ++i) {
                R const r = record(i);
                out[next[map(r.key)]++] = r;
            }
        });
        return result;
    }
    scratch<std::uint16_t> piece_of(n);  // the table of the map and the blocks do not fit into a cache together
    if (!piece_of.ready()) throw std::bad_alloc();
    auto at = positions(
        work, map.count(),
        [&](std::int64_t i) {
            std::uint32_t const p = map(key(i));
            piece_of[i] = static_cast<std::uint16_t>(p);
            return p;
        },
        result.start);
    part_blocks<R> const blocks(work.count, map.count());
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        typename part_blocks<R>::writer to(blocks, t, out, at[static_cast<std::size_t>(t)].data());
        for (std::int64_t i = begin; i < end; ++i) to.put(piece_of[i], record(i));
        to.finish();
    });
    return result;
}

struct key_bounds {
    std::uint64_t low = ~std::uint64_t{0}, high = 0;
};
template <class Key> key_bounds bounds(Key const& key, std::int64_t n) {
    row_blocks const work(n);
    std::vector<key_bounds> each(static_cast<std::size_t>(work.count));
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        key_bounds b;
        for (std::int64_t i = begin; i < end; ++i) {
            std::uint64_t const k = key(i);
            b.low = std::min(b.low, k);
            b.high = std::max(b.high, k);
        }
        each[static_cast<std::size_t>(t)] = b;
    });
    key_bounds all;
    for (auto const& b : each) {
        all.low = std::min(all.low, b.low);
        all.high = std::max(all.high, b.high);
    }
    return all;
}

}  // namespace bascule::cpu::sorting
