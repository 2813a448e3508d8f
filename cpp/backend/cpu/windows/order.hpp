// The values of a piece of windows, numbered in their order once; those inside a window are bits, so that the next
// greater or smaller one is found by looking at words.
#pragma once
#include <bit>
#include <cmath>

#include "backend/cpu/windows/span.hpp"
#include "bascule/ops/window_sums.hpp"

namespace bascule::cpu::windows {

using chunked::scratch;
using chunked::u64;
using ops::window::is_value;
using ops::window::not_a_number;

// Values of rows [first, last) that are there, in order. Equal ones have different numbers.
class ordered_values {
public:
    ordered_values(double const* values, rows of)
        : first_(of.start), place_(of.end - of.start), sorted_(of.end - of.start) {
        scratch<entry> list(of.end - of.start);
        for (i64 r = of.start; r < of.end; ++r) {
            place_[r - first_] = -1;
            if (is_value(values[r])) list[count_++] = {values[r], r - first_};
        }
        std::sort(list.data(), list.data() + count_, [](entry const& a, entry const& b) {
            return a.value < b.value || (a.value == b.value && a.row < b.row);
        });
        for (i64 k = 0; k < count_; ++k) {
            sorted_[k] = list[k].value;
            place_[list[k].row] = k;
        }
    }
    i64 count() const { return count_; }
    i64 place(i64 row) const { return place_[row - first_]; }  // -1: missing
    double value(i64 place) const { return sorted_[place]; }
    // Where the run of equal values around a place begins, and where it has ended.
    i64 run_begin(i64 place) const {
        return std::lower_bound(sorted_.data(), sorted_.data() + count_, sorted_[place]) - sorted_.data();
    }
    i64 run_end(i64 place) const {
        return std::upper_bound(sorted_.data(), sorted_.data() + count_, sorted_[place]) - sorted_.data();
    }

private:
    struct entry {
        double value;
        i64 row;
    };
    i64 first_, count_ = 0;
    scratch<i64> place_;
    scratch<double> sorted_;
};

// Places inside the window, and one of them whose number among them is known: what is asked for next is near.
class places_inside {
public:
    explicit places_inside(i64 n) : words_((n + 63) / 64 + 1), bits_((n + 63) / 64 + 1) { bits_.fill_bytes(0); }
    i64 count() const { return count_; }
    void enter(i64 p) {
        bits_[p >> 6] |= u64{1} << (p & 63);
        if (count_++ == 0) here_ = p, number_ = 0;
        else if (p < here_) ++number_;
    }
    void leave(i64 p) {
        bits_[p >> 6] &= ~(u64{1} << (p & 63));
        if (--count_ == 0) return;
        if (p < here_) --number_;
        else if (p == here_) {
            if (number_ < count_) here_ = next(p);  // it takes the number of the one that left
            else here_ = previous(p), --number_;
        }
    }
    // The place of the k-th, 0 <= k < count.
    i64 at(i64 k) {
        for (; number_ < k; ++number_) here_ = next(here_);
        for (; number_ > k; --number_) here_ = previous(here_);
        return here_;
    }
    i64 after(i64 p) const { return next(p); }

private:
    i64 next(i64 p) const {
        i64 w = ++p >> 6;
        u64 bits = bits_[w] & (~u64{0} << (p & 63));
        while (bits == 0) bits = bits_[++w];
        return w * 64 + std::countr_zero(bits);
    }
    i64 previous(i64 p) const {
        i64 w = p >> 6;
        u64 bits = bits_[w] & ((u64{1} << (p & 63)) - 1);
        while (bits == 0) bits = bits_[--w];
        return w * 64 + 63 - std::countl_zero(bits);
    }
    i64 words_, count_ = 0, here_ = 0, number_ = 0;
    scratch<u64> bits_;
};

// How many places below a given one are inside the window: words of bits, and a Fenwick tree of their numbers.
class counted_places {
public:
    explicit counted_places(i64 n) : words_((n + 63) / 64), bits_(words_ + 1), sums_(words_ + 1) {
        bits_.fill_bytes(0);
        sums_.fill_bytes(0);
    }
    void enter(i64 p) { change(p, 1); }
    void leave(i64 p) { change(p, -1); }
    i64 below(i64 p) const {
        i64 const w = p >> 6;
        i64 found = std::popcount(bits_[w] & ((u64{1} << (p & 63)) - 1));
        for (i64 i = w; i > 0; i &= i - 1) found += sums_[i];
        return found;
    }
    i64 count() const { return count_; }

private:
    void change(i64 p, i64 by) {
        bits_[p >> 6] ^= u64{1} << (p & 63);
        for (i64 i = (p >> 6) + 1; i <= words_; i += i & -i) sums_[i] += by;
        count_ += by;
    }
    i64 words_, count_ = 0;
    scratch<u64> bits_;
    scratch<i64> sums_;
};

// The value at a share of the way through the window.
inline double quantile_of(places_inside& inside, ordered_values const& v, double share, window_interpolation how) {
    double const at = share * static_cast<double>(inside.count() - 1);
    auto k = static_cast<i64>(at);
    double const part = at - static_cast<double>(k);
    if (inside.count() == 1 || part == 0) return v.value(inside.at(k));
    i64 const here = inside.at(k);
    double const low = v.value(here), high = v.value(inside.after(here));
    switch (how) {
        case window_interpolation::lower: return low;
        case window_interpolation::higher: return high;
        case window_interpolation::midpoint: return (low + high) / 2;
        case window_interpolation::nearest: return part < 0.5 || (part == 0.5 && k % 2 == 0) ? low : high;
        default: return low + (high - low) * part;
    }
}

}  // namespace bascule::cpu::windows
