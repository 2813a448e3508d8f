// Elements are moved by their size, not by their type.
#pragma once
#include <cstdint>

namespace bascule {

// f(T{}) with an unsigned integer of so many bytes; false where there is none.
template <class F> bool with_word(std::int64_t bytes, F&& f) {
    switch (bytes) {
        case 1: f(std::uint8_t{}); return true;
        case 2: f(std::uint16_t{}); return true;
        case 4: f(std::uint32_t{}); return true;
        case 8: f(std::uint64_t{}); return true;
        default: return false;
    }
}

}  // namespace bascule
