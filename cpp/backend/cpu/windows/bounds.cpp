// Windows by their rows: at a fixed distance within segments, or by ticks, which two marks follow through a segment.
#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/common/row_chunks.hpp"
#include "backend/cpu/windows/windows.hpp"

namespace bascule::cpu::windows {
namespace {

using chunked::i64;
using wide = __int128;

void bound_rows(window_bounds_args const& a, i64 first, i64 past) {
    for (i64 i = first; i < past; ++i) {
        a.start[i] = std::min(std::max(i + a.low, first), past);
        a.end[i] = std::max(a.start[i], std::min(std::max(i + a.high, first), past));
    }
}

void bound_ticks(window_bounds_args const& a, i64 first, i64 past) {
    int const sign = past > first && a.ticks[past - 1] < a.ticks[first] ? -1 : 1;
    auto const tick = [&](i64 row) { return wide{a.ticks[row]} * (2 * sign); };  // so that half a size is a whole
                                                                                 // number
    wide const before = wide{a.size} * (a.centered ? 1 : 2), after = a.centered ? wide{a.size} : 0;
    i64 start = first, end = first;
    for (i64 i = first; i < past; ++i) {
        wide const from = tick(i) - before, to = tick(i) + after;
        while (start < i && (a.left_closed ? tick(start) < from : tick(start) <= from)) ++start;
        if (a.right_closed && !a.centered) end = i + 1;
        else
            while (end < past && (a.right_closed ? tick(end) <= to : tick(end) < to)) ++end;
        a.start[i] = start;
        a.end[i] = std::max(start, end);
    }
}

}  // namespace

status window_bounds(window_bounds_args const& a) noexcept {
    return guarded("[windows] no memory for the windows", [&] {
        i64 const many = 4 * sched::thread_count() * 4;  // small segments go together
        chunked::row_chunks const chunks(a.nsegments, std::max<i64>(1, (a.nsegments + many - 1) / many));
        chunked::for_each_chunk(chunks, [&](i64, i64 begin, i64 end) {
            for (i64 g = begin; g < end; ++g) {
                if (a.ticks != nullptr) bound_ticks(a, a.segments[g], a.segments[g + 1]);
                else bound_rows(a, a.segments[g], a.segments[g + 1]);
            }
        });
        return status::ok;
    });
}

}  // namespace bascule::cpu::windows
