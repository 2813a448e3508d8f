// Indexing: basic (a view), integer arrays and masks (reads and writes), as NumPy defines them.
#pragma once
#include <span>
#include <vector>

#include "bascule/array/elementwise.hpp"

namespace bascule {

// One entry of an index expression. Slices come resolved to start, step and count.
struct index_entry {
    enum class what : std::uint8_t { integer, slice, new_axis, ellipsis, array } kind = what::ellipsis;
    std::int64_t integer = 0;
    struct raw_slice {
        bool has_start = false, has_stop = false;
        std::int64_t start = 0, stop = 0, step = 1;
    } slice;
    bascule::array array;     // integers or bool
    bool temporary = false;   // no other owner holds the array
    bool from_array = false;  // an integer that was an array without axes: its result is not a view
};

// The view of a basic index expression (no array entries); a scalar result stays a 0-d view.
array basic_index(array const& a, std::span<index_entry const> index);
[[nodiscard]] bool is_basic(std::span<index_entry const> index);

array get_item(array const& a, std::span<index_entry const> index);                    // any expression
void set_item(array const& a, std::span<index_entry const> index, argument const& v);  // a[index] = v

// Elements of `a` along one axis at integer positions.
array take(array const& a, array const& positions, int axis);
// a[positions[i]] = values[i] of the flattened array, one value for all positions or one for each. False: its elements
// cannot be addressed with one stride.
bool put(array const& a, array const& positions, array const& values);
// Of each place of `numbers` (int64) the element of that one of `choices`, arrays of one type; all broadcast. Empty: a
// number is out of bounds.
std::optional<array> choose(array const& numbers, std::span<array const> choices);
// Index of each true element, one array an axis (C order).
std::vector<array> nonzero(array const& mask);
// The elements of an array where a mask of its shape is true, in C order.
array compress(array const& a, array const& mask);

}  // namespace bascule
