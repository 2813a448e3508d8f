#include "backend/cpu/processor.hpp"

namespace bascule::cpu {
namespace {

bool is_from_amd() noexcept {
#if defined(__x86_64__)
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") != 0;
#else
    return false;
#endif
}

}  // namespace

bool const asks_second_cache = is_from_amd();

}  // namespace bascule::cpu
