#include "backend/cpu/interpreter/checked_evaluator.hpp"

#include <algorithm>

#include "backend/cpu/interpreter/compile.hpp"

namespace bascule::cpu {

bool checked_evaluator::find_fp_errors(std::int64_t i, std::int64_t n, viewer show, void const* with) noexcept {
    program careful;
    if (!compile(careful, *program_.source, *program_.kernels, true)) return false;
    if (show && careful.block > 0 && n > careful.block) careful.register_bytes = n * 16 + 64;
    evaluator e(careful, 1);
    if (!e.ready()) return false;
    if (show) {
        e.block(i, n, flags_);
        show(with, e);
        return true;
    }
    std::int64_t const most = careful.block > 0 ? careful.block : n;
    for (std::int64_t k = 0; k < n; k += most) e.block(i + k, std::min(most, n - k), flags_);
    return true;
}

void checked_evaluator::report() const noexcept {
    plan const& source = *program_.source;
    if (!program_.inspects || !source.fp_flags) return;
    for (int v = 0; v < source.nvalues; ++v)
        if (auto const found = static_cast<std::uint8_t>(flags_[v] & source.values[v].check))
            __atomic_fetch_or(source.fp_flags + v, found, __ATOMIC_RELAXED);
}

}  // namespace bascule::cpu
