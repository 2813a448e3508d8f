// Pieces of a span of windows that are computed apart from each other.
#pragma once
#include <vector>

#include "backend/cpu/common/row_chunks.hpp"
#include "bascule/core/window_rows.hpp"

namespace bascule::cpu::windows {

using bascule::windows::is_worn;
using bascule::windows::piece_rule;
using bascule::windows::rows;
using bascule::windows::slide;
using bascule::windows::with_span;
using chunked::i64;

struct piece {
    i64 request, begin, end;
};

template <class Span>
void cut(Span const& span, i64 request, i64 windows, piece_rule rule, std::vector<piece>& pieces) {
    bascule::windows::cut_windows(span, windows, rule, [&](i64 begin, i64 end) {
        pieces.push_back({request, begin, end});
    });
}

}  // namespace bascule::cpu::windows
