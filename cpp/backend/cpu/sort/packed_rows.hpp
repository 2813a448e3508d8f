// Rows in the order of their keys, where a row and the leading bits of its key fit into one word: words are sorted as
// bare values, and the few rows whose keys differ only behind these bits are put right. Equal keys keep the order of
// rows, because these are the low bits of words.
#pragma once
#include "backend/cpu/sort/limits.hpp"
#include "backend/cpu/sort/simd_sort.hpp"
#include "backend/cpu/sort/sort_piece.hpp"

namespace bascule::cpu::sorting {

// key(i) is the key of row i, none above `high`.
template <class Key> class packed_rows {
public:
    packed_rows(Key const& key, std::uint64_t high, std::int64_t n) noexcept
        : key_(key), n_(n), row_bits_(bits_for(static_cast<std::uint64_t>(n - 1))),
          dropped_(std::max(0, bits_for(high) + row_bits_ - word_bits)),
          kernels_(std::get<sort_kernels<std::int64_t>>(active_kernels()->sort)) {}

    // Whether vectors are wide enough, and words distinguish most rows.
    bool suits() const {
        if (kernels_.sort == nullptr || row_bits_ > most_row_bits) return false;
        return dropped_ == 0 || n_ <= looked_at || distinguishes();
    }
    // put(position, row), by all threads if there are many; at_end() in each of them behind its last.
    template <class Put, class End> void run(Put const& put, End const& at_end) const {
        scratch<std::int64_t> words(n_), spare(n_);
        if (!words.ready() || !spare.ready()) throw std::bad_alloc();
        auto* const w = words.data();
        row_blocks(n_).run([&](std::int64_t, std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i)
                w[i] = static_cast<std::int64_t>(key_(i) >> dropped_ << row_bits_ | static_cast<std::uint64_t>(i));
        });
        if (n_ <= limits().small_sort) kernels_.sort(w, spare.data(), n_, false);
        else simd_sorter(kernels_).run(w, w, spare.data(), n_);
        row_blocks const work(n_);
        std::vector<std::int64_t> const start = run_starts(w, work);
        work.run([&](std::int64_t t, std::int64_t, std::int64_t) {
            auto const begin = start[static_cast<std::size_t>(t)], end = start[static_cast<std::size_t>(t) + 1];
            if (dropped_ > 0) order_runs(w, begin, end);
            for (std::int64_t i = begin; i < end; ++i) put(i, row_of(w[i]));
            at_end();
        });
    }

private:
    static constexpr int word_bits = 63, most_row_bits = 24;
    static constexpr std::int64_t looked_at = 2048;

    std::int64_t row_of(std::int64_t word) const noexcept { return word & ((std::int64_t{1} << row_bits_) - 1); }
    std::int64_t kept(std::int64_t word) const noexcept { return word >> row_bits_; }
    // Of a few thousand rows no two share the bits that are kept, unless their keys are equal; and few keys are,
    // because all rows of equal keys are compared again.
    bool distinguishes() const noexcept {
        constexpr std::int64_t most_equal = looked_at / 8;
        std::int64_t some[looked_at], spare[looked_at];
        auto const row = [this](std::int64_t k) { return (n_ - 1) * k / (looked_at - 1); };
        for (std::int64_t k = 0; k < looked_at; ++k)
            some[k] = static_cast<std::int64_t>(key_(row(k)) >> dropped_ << row_bits_ | static_cast<std::uint64_t>(k));
        kernels_.sort(some, spare, looked_at, false);
        std::int64_t equal = 0;
        for (std::int64_t k = 1; k < looked_at; ++k) {
            if (kept(some[k]) != kept(some[k - 1])) continue;
            if (key_(row(row_of(some[k]))) != key_(row(row_of(some[k - 1])))) return false;
            ++equal;
        }
        return equal <= most_equal;
    }
    // The blocks, moved on so that each begins with another key than its predecessor ends with.
    std::vector<std::int64_t> run_starts(std::int64_t const* w, row_blocks const& work) const {
        std::vector<std::int64_t> start;
        for (std::int64_t t = 0; t <= work.count; ++t) {
            std::int64_t i = work.begin(t);
            if (dropped_ > 0 && i > 0)
                while (i < n_ && kept(w[i]) == kept(w[i - 1])) ++i;
            start.push_back(i);
        }
        return start;
    }
    void order_runs(std::int64_t* w, std::int64_t begin, std::int64_t end) const noexcept {
        for (std::int64_t i = begin + 1; i < end; ++i) {
            if (kept(w[i]) != kept(w[i - 1])) continue;
            std::int64_t const first = i - 1;
            while (i < end && kept(w[i]) == kept(w[first])) ++i;
            order_run(w + first, i - first);
        }
    }
    // Words are in the order of their rows, which is right where keys are equal.
    void order_run(std::int64_t* w, std::int64_t n) const noexcept {
        std::uint64_t const first = key_(row_of(w[0]));
        bool differ = false;
        for (std::int64_t i = 1; i < n; ++i) differ |= key_(row_of(w[i])) != first;
        if (differ) std::stable_sort(w, w + n, [this](auto a, auto b) { return key_(row_of(a)) < key_(row_of(b)); });
    }

    Key const& key_;
    std::int64_t n_;
    int row_bits_, dropped_;
    sort_kernels<std::int64_t> const& kernels_;
};

}  // namespace bascule::cpu::sorting
