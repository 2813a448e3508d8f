// The values of a piece of windows, numbered in their order once; those inside a window are bits, so that the next
// greater or smaller one is found by looking at words.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>

#include "backend/cpu/windows/span.hpp"
#include "bascule/ops/windows/sums.hpp"

namespace bascule::cpu::windows {

using chunked::scratch;
using chunked::u64;
using ops::window::is_value;
using ops::window::not_a_number;

struct keyed_row {
    u64 key;
    i64 row;
};

// A number in the order of the values; both zeros have the same.
inline u64 order_key(double value) {
    u64 const bits = std::bit_cast<u64>(value == 0 ? 0.0 : value);
    return (bits >> 63) != 0 ? ~bits : bits | u64{1} << 63;
}

// Rows in the order of their keys, stably: by the four highest bytes in which keys differ, then by exchanging
// neighbours.
inline void order_rows(scratch<keyed_row>& list, i64 count, u64 differ) {
    auto const by_key = [](keyed_row const& a, keyed_row const& b) { return a.key < b.key; };
    if (count < 64) return std::stable_sort(list.data(), list.data() + count, by_key);
    scratch<keyed_row> other(count);
    int const top = (63 - std::countl_zero(differ | 1)) / 8 * 8;
    for (int shift = std::max(top - 24, 0); shift <= top; shift += 8) {
        if ((differ >> shift & 255) == 0) continue;
        i64 begins[257] = {};
        for (i64 k = 0; k < count; ++k) ++begins[(list[k].key >> shift & 255) + 1];
        for (int d = 0; d < 255; ++d) begins[d + 1] += begins[d];
        for (i64 k = 0; k < count; ++k) other[begins[list[k].key >> shift & 255]++] = list[k];
        std::swap(list, other);
    }
    i64 moves = 8 * count;
    for (i64 k = 1; k < count; ++k) {
        keyed_row const one = list[k];
        i64 at = k;
        for (; at > 0 && list[at - 1].key > one.key; --at) list[at] = list[at - 1];
        list[at] = one;
        if ((moves -= k - at) < 0) return std::stable_sort(list.data(), list.data() + count, by_key);
    }
}

// Values of rows [first, last) that are there, in order. Equal ones have different numbers.
class ordered_values {
public:
    ordered_values(double const* values, rows of)
        : first_(of.start), place_(of.end - of.start), sorted_(of.end - of.start) {
        scratch<keyed_row> list(of.end - of.start);
        u64 differ = 0;
        for (i64 r = of.start; r < of.end; ++r) {
            place_[r - first_] = -1;
            if (!is_value(values[r])) continue;
            list[count_] = {order_key(values[r]), r - first_};
            differ |= list[count_++].key ^ list[0].key;
        }
        order_rows(list, count_, differ);
        for (i64 k = 0; k < count_; ++k) {
            sorted_[k] = values[first_ + list[k].row];
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
    i64 first_, count_ = 0;
    scratch<i64> place_;
    scratch<double> sorted_;
};

// The positions inside the window, with a cursor: one of them whose rank among them is known, because the next request
// is near it.
class positions_inside {
public:
    explicit positions_inside(i64 n) : words_((n + 63) / 64 + 1), bits_((n + 63) / 64 + 1) { bits_.fill_bytes(0); }
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

// How many positions below a given one are inside the window: words of bits, and a Fenwick tree of their counts.
class counted_positions {
public:
    explicit counted_positions(i64 n) : words_((n + 63) / 64), bits_(words_ + 1), sums_(words_ + 1) {
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
inline double quantile_of(positions_inside& inside, ordered_values const& v, double share, window_interpolation how) {
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
