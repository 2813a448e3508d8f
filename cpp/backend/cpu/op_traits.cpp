// What the compiler knows of ops beside their kernels, by name: the op table itself says nothing of special treatment.
#include <cstring>

#include "backend/cpu/program.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::cpu {
namespace {

struct named_role {
    char const* name;
    role is;
};
constexpr named_role roles[] = {
    {"add", role::add},
    {"subtract", role::subtract},
    {"multiply", role::multiply},
    {"divide", role::divide},
    {"power", role::power},
    {"square", role::square},
    {"sin", role::sine},
    {"cos", role::cosine},
    {"muladd", role::multiply_add},
    {"mulsub", role::multiply_subtract},
    {"submul", role::subtract_multiply},
};

constexpr char const* plain[] = {"add", "subtract", "multiply", "divide", "square", "reciprocal", "sqrt"};
struct named_conditions {
    char const* name;
    std::uint8_t conditions;
};
constexpr named_conditions noting[] = {
    {"exp", ops::fp::all},
    {"exp2", ops::fp::all},
    {"expm1", ops::fp::over | ops::fp::invalid},
    {"log", ops::fp::all},
    {"log2", ops::fp::all},
    {"log10", ops::fp::all},
    {"log1p", ops::fp::divide | ops::fp::invalid},
    {"cos", ops::fp::all},
    {"sin", ops::fp::invalid},
    {"tan", ops::fp::invalid},
};
constexpr char const* plain_complex[] = {"add", "subtract", "multiply", "square", "divide", "reciprocal"};

struct all_traits {
    op_traits of[max_ops];
    std::uint16_t number[static_cast<int>(role::count)];

    all_traits() noexcept : of{}, number{} {
        for (int op = 0; op < ops::op_count; ++op) describe(op, ops::table[op]);
    }

    void describe(int op, ops::spec const& s) noexcept {
        op_traits& t = of[op];
        t.is_cast = s.call == ops::form::cast;
        t.is_counter = s.call == ops::form::counter;
        t.is_draw = s.call == ops::form::draw;
        t.raises = s.raises, t.complex_raises = ops::raised_by(s, true);
        t.integers_raise = s.integers_raise;
        t.cost = s.cost;
        for (auto const& r : roles)
            if (std::strcmp(r.name, s.name) == 0) {
                t.is = r.is;
                number[static_cast<int>(r.is)] = static_cast<std::uint16_t>(op);
            }
        for (char const* name : plain) t.plain |= std::strcmp(name, s.name) == 0;
        for (auto const& n : noting)
            if (std::strcmp(n.name, s.name) == 0) t.notes = n.conditions;
        for (char const* name : plain_complex) t.plain_complex |= std::strcmp(name, s.name) == 0;
    }
};

all_traits const traits;

}  // namespace

op_traits const& traits_of(std::uint16_t op) noexcept { return traits.of[op]; }
std::uint16_t op_with(role r) noexcept { return traits.number[static_cast<int>(r)]; }

}  // namespace bascule::cpu
