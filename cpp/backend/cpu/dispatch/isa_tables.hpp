// Kernels that the large table does not hold: one small table an instruction set, by the names of BASCULE_ISA.
#pragma once
#include <cstring>

#include "backend/cpu/dispatch/kernels.hpp"

namespace bascule::cpu {

template <class Table> struct isa_tables {
    using table = Table const& (*)() noexcept;
    table baseline, avx2 = nullptr, avx512 = nullptr;  // null: not built

    Table const& of(char const* isa) const noexcept {
        if (avx512 && std::strcmp(isa, "avx512") == 0) return avx512();
        if (avx2 && std::strcmp(isa, "avx2") == 0) return avx2();
        return baseline();
    }
};

}  // namespace bascule::cpu
