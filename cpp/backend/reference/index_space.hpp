// Walks an iteration space in C order: the last dimension runs fastest. A space without dimensions has one index.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace bascule::reference {

using extents = std::span<std::int64_t const>;

inline std::int64_t element_count(extents shape) {
    std::int64_t n = 1;
    for (auto const extent : shape) n *= extent;
    return n;
}

inline std::int64_t dot(extents index, std::int64_t const* strides) {
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < index.size(); ++d) sum += index[d] * strides[d];
    return sum;
}

template <class Visit> void for_each_index(extents shape, Visit&& visit) {
    std::vector<std::int64_t> index(shape.size(), 0);
    for (std::int64_t left = element_count(shape); left > 0; --left) {
        visit(extents(index));
        for (auto d = shape.size(); d-- > 0;) {
            if (++index[d] < shape[d]) break;
            index[d] = 0;
        }
    }
}

// The element of a strided operand at an index.
inline unsigned char* element_at(void* base, std::int64_t const* strides, extents index) {
    return static_cast<unsigned char*>(base) + dot(index, strides);
}

}  // namespace bascule::reference
