#include "backend/cuda/algorithms.hpp"

#include "backend/cuda/failure.hpp"

namespace bascule::cuda {

void run_algorithm(device&, algorithm_kind kind, void*, stream_handle) {
    throw failure{status::not_supported, "[cuda] no algorithm " + std::to_string(static_cast<std::uint32_t>(kind))};
}

bool supports_algorithm(algorithm_kind, type_id) { return false; }

}  // namespace bascule::cuda
