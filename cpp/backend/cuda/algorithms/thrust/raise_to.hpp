// A word that many threads may write.
#pragma once
#include <cstdint>
#include <type_traits>

#include "bascule/core/host_device.hpp"

namespace bascule::cuda::algorithms {

// The largest number that a thread gives stays. The word is read first: most threads find it large enough.
template <class T> BASCULE_HD void raise_to(T* word, T number) {
#if defined(__CUDA_ARCH__)
    using atomic = std::conditional_t<sizeof(T) == 8, long long, unsigned>;
    if (*static_cast<T volatile*>(word) < number)
        atomicMax(reinterpret_cast<atomic*>(word), static_cast<atomic>(number));
#else
    if (*word < number) *word = number;
#endif
}

}  // namespace bascule::cuda::algorithms
