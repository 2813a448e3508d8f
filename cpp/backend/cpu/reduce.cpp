#include "backend/cpu/run.hpp"

namespace bascule::cpu {

status run_reductions(program const&) noexcept { return status::not_supported; }

}  // namespace bascule::cpu
