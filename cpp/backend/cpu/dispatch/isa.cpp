// Choosing the kernels for this machine.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "backend/cpu/dispatch/kernels.hpp"

namespace bascule::cpu {

namespace isa_baseline {
kernel_table const* table() noexcept;
}
#ifdef BASCULE_X86_DISPATCH
namespace isa_avx2 {
kernel_table const* table() noexcept;
}
namespace isa_avx512 {
kernel_table const* table() noexcept;
}
#endif

namespace {

struct isa {
    char const* name;
    bool (*present)();
    kernel_table const* (*table)() noexcept;
};
// The best first.
constexpr isa isas[] = {
#ifdef BASCULE_X86_DISPATCH
    {"avx512", [] { return __builtin_cpu_supports("x86-64-v4") != 0; }, isa_avx512::table},
    {"avx2", [] { return __builtin_cpu_supports("x86-64-v3") != 0; }, isa_avx2::table},
#endif
    {"baseline", [] { return true; }, isa_baseline::table},
};

isa const* named(char const* name) noexcept {
    for (isa const& i : isas)
        if (std::strcmp(i.name, name) == 0) return &i;
    return nullptr;
}

struct choice {
    isa const* chosen = nullptr;
    char why[160] = "";

    choice() noexcept {
        char const* const wanted = std::getenv("BASCULE_ISA");
        if (wanted && *wanted) {
            isa const* const found = named(wanted);
            if (!found)
                std::snprintf(why, sizeof why, "[cpu] BASCULE_ISA must be baseline, avx2 or avx512, got %s", wanted);
            else if (!found->present())
                std::snprintf(why, sizeof why, "[cpu] BASCULE_ISA=%s, but this machine does not have it", wanted);
            else chosen = found;
            return;
        }
        for (isa const& i : isas)
            if (!chosen && i.present()) chosen = &i;
    }
};

choice const& made() noexcept {
    static choice const c;
    return c;
}

kernel_table const* forced = nullptr;

}  // namespace

kernel_table const* active_kernels(char const** why) noexcept {
    if (forced) return forced;
    static kernel_table const* const table = made().chosen ? made().chosen->table() : nullptr;
    if (why) *why = made().why;
    return table;
}

char const* isa_name() noexcept { return made().chosen ? made().chosen->name : "none"; }

kernel_table const* kernels_of(char const* name) noexcept {
    isa const* const i = named(name);
    return i && i->present() ? i->table() : nullptr;
}

void use_kernels(kernel_table const* t) noexcept { forced = t; }

}  // namespace bascule::cpu
