// Machine code that was written once, by the loop it was written for. Code is never freed: there is only a small amount
// for each form of an expression, and when the room is full, new forms are interpreted.
#pragma once
#include <cstdint>

#include "backend/cpu/dispatch/kernels.hpp"

namespace bascule::cpu::jit {

// The properties that distinguish one form from another: bytes without gaps.
struct code_key {
    static constexpr int capacity = 2048;
    std::uint8_t bytes[capacity];
    int size = 0;
    bool overflow = false;

    void put(std::uint16_t x) noexcept {
        if (size + 2 > capacity) {
            overflow = true;
            return;
        }
        bytes[size++] = static_cast<std::uint8_t>(x & 0xff);
        bytes[size++] = static_cast<std::uint8_t>(x >> 8);
    }
};

// Null: none was written yet, or the form was refused; `refused` says which.
kernel find_code(code_key const&, bool& refused) noexcept;

// Keeps a copy of the code where it can run; null: there is no room, or the system allows no such memory. Code of no
// size says that this form cannot be written.
kernel keep_code(code_key const&, std::uint8_t const* code, int size) noexcept;

}  // namespace bascule::cpu::jit
