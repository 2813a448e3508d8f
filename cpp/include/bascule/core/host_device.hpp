// Fixed-width integers and the function marks that let one text compile for the host, nvcc and NVRTC.
#pragma once

#if defined(__CUDACC_RTC__)
namespace std {
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long long;
using size_t = unsigned long;
}  // namespace std
#else
#include <cstddef>
#include <cstdint>
#endif

// Every function an op calls carries BASCULE_HD. It is forced inline: kernels of several instruction sets are linked
// into one library, and a shared out-of-line copy compiled for the newest of them would fault on an older processor.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define BASCULE_HD __host__ __device__ __forceinline__
#else
#define BASCULE_HD inline __attribute__((always_inline))
#endif
