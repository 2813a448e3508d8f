// Exponentially weighted moments: a segment is one chain of steps, segments run in parallel.
#include <cmath>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/common/row_chunks.hpp"
#include "backend/cpu/windows/windows.hpp"
#include "bascule/ops/windows/exponential.hpp"

namespace bascule::cpu::windows {
namespace {

using chunked::i64;
namespace w = ops::window;

void run_mean(window_exponential_args const& a, w::exponential_rule const& rule, i64 first, i64 past) {
    w::exponential_mean state;
    bool const halves = a.com == 1;  // pandas: a new value gets all of the weight that earlier ones have lost
    for (i64 i = first; i < past; ++i) {
        double const kept = a.deltas == nullptr || i == first ? rule.keep : std::pow(rule.keep, a.deltas[i - 1]);
        state.enter(a.values[i], rule, kept, halves);
        a.out[i] = state.values >= a.min_periods ? state.mean : w::not_a_number();
    }
}

void run_segment(window_exponential_args const& a, w::exponential_rule const& rule, i64 first, i64 past) {
    if (a.op == exponential_op::mean) return run_mean(a, rule, first, past);
    if (a.op == exponential_op::sum) {
        w::exponential_sum state;
        for (i64 i = first; i < past; ++i) {
            state.enter(a.values[i], rule);
            a.out[i] = state.values >= a.min_periods ? state.sum : w::not_a_number();
        }
        return;
    }
    w::exponential_comoment state;
    for (i64 i = first; i < past; ++i) {
        state.enter(a.values[i], a.others[i], rule);
        a.out[i] = state.result(a.min_periods, a.bias);
    }
}

}  // namespace

status window_exponential(window_exponential_args const& a) noexcept {
    return guarded("[windows] no memory for the windows", [&] {
        w::exponential_rule const rule(a.com, a.adjust, a.ignore_missing);
        i64 const many = 4 * sched::thread_count() * 4;  // small segments go together
        chunked::row_chunks const chunks(a.nsegments, std::max<i64>(1, (a.nsegments + many - 1) / many));
        chunked::for_each_chunk(chunks, [&](i64, i64 begin, i64 end) {
            for (i64 g = begin; g < end; ++g) run_segment(a, rule, a.segments[g], a.segments[g + 1]);
        });
        return status::ok;
    });
}

}  // namespace bascule::cpu::windows
