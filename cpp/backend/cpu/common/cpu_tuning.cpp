#include "backend/cpu/common/cpu_tuning.hpp"

namespace bascule::cpu {
namespace {

enum class maker { amd, intel, other };

maker find_maker() noexcept {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_is("amd")) return maker::amd;
    if (__builtin_cpu_is("intel")) return maker::intel;
#endif
    return maker::other;
}

// Of which none older knows AVX-512.
bool is_zen_4() noexcept {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_is("amdfam19h") != 0;
#else
    return false;
#endif
}

}  // namespace

bool const prefetches_streams = find_maker() != maker::amd;
bool const prefetches_into_l2 = find_maker() == maker::amd;
bool const pairs_vectors = find_maker() == maker::amd;
bool const splits_vectors = is_zen_4();
bool const streams_alongside_reads = find_maker() == maker::amd;
bool const approximates_as_tested = find_maker() == maker::intel;

}  // namespace bascule::cpu
