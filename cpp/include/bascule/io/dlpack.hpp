// DLPack: arrays shared with other libraries without a copy. The structures are declared from the specification,
// version 1.1; their members keep its order, sizes and meaning.
#pragma once
#include <cstdint>

#include "bascule/array/array.hpp"

namespace bascule::dlpack {

enum class device_kind : std::int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };
enum class type_code : std::uint8_t { integer = 0, unsigned_integer = 1, floating = 2, complex = 5, boolean = 6 };

struct place {
    device_kind kind;
    std::int32_t index;
};
struct element_type {
    type_code code;
    std::uint8_t bits;
    std::uint16_t lanes;
};
struct tensor {
    void* data;
    place where;
    std::int32_t ndim;
    element_type type;
    std::int64_t* shape;
    std::int64_t* strides;  // in elements; null for C order
    std::uint64_t byte_offset;
};
struct managed_tensor {
    tensor content;
    void* owner;
    void (*deleter)(managed_tensor*);
};
struct version {
    std::uint32_t major, minor;
};
struct managed_tensor_versioned {
    dlpack::version version;
    void* owner;
    void (*deleter)(managed_tensor_versioned*);
    std::uint64_t flags;
    tensor content;
};
inline constexpr std::uint64_t read_only_flag = 1, copied_flag = 2;
inline constexpr version spoken{1, 1};

place place_of(device d);

// Why `a` has no form in DLPack; null when it has one.
char const* why_not(array const& a);

// a's memory, shared (rule 15) until the deleter has run, on any thread. The device's own stream then waits for the
// consumer's (null: it named none) and for the legacy one before the memory is used again.
managed_tensor* share(array const& a, void* consumer = nullptr);
managed_tensor_versioned* share_versioned(array const& a, bool copied, void* consumer = nullptr);

// An array over a tensor's memory. `release(owner)` runs when nothing uses it any more; on an exception it does not.
array wrap_tensor(tensor const& t, bool writeable, void (*release)(void*), void* owner);

}  // namespace bascule::dlpack
