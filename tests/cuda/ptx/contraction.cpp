#include "contraction.hpp"

#include "lanes.hpp"

#include <algorithm>
#include <cmath>

namespace bascule::ptx {
namespace {

struct fused_sum {
    template <class T> T operator()(T a, T b, T c) const { return std::fma(a, b, c); }
};
struct fused_difference {
    template <class T> T operator()(T a, T b, T c) const { return std::fma(a, b, -c); }
};
struct fused_rest {
    template <class T> T operator()(T a, T b, T c) const { return std::fma(-a, b, c); }
};
template <class F> handler of_type(type t) {
    return t == type::f64 ? ternary<double, double, F> : ternary<float, float, F>;
}

bool names_no_rounding(statement const& s) {
    return !s.has("rn") && !s.has("rz") && !s.has("rm") && !s.has("rp") && !s.has("ftz") && !s.has("sat");
}

}  // namespace

handler find_fused(type t, bool subtracts, bool product_is_second) {
    if (!subtracts) return of_type<fused_sum>(t);
    return product_is_second ? of_type<fused_rest>(t) : of_type<fused_difference>(t);
}

void contraction::forget_uses_of(std::uint32_t slot) {
    std::erase_if(products_,
                  [slot](auto const& p) { return p.first == slot || p.second.a == slot || p.second.b == slot; });
}

void contraction::look_at(statement const& s, instruction& i, std::vector<std::uint32_t> const& lists) {
    bool const real = i.type == type::f32 || i.type == type::f64, free = real && names_no_rounding(s);
    bool const adds = s.op[0] == "add", subtracts = s.op[0] == "sub";
    if (free && (adds || subtracts)) {
        auto found = products_.find(i.a);
        bool const second = found == products_.end() || found->second.type != i.type;
        if (second) found = products_.find(i.b);
        if (found != products_.end() && found->second.type == i.type) {
            i.run = find_fused(i.type, subtracts, second);
            i.c = second ? i.a : i.b;
            i.a = found->second.a, i.b = found->second.b;
        }
    }
    if (s.op[0] == "st" || s.op[0] == "red") return;
    forget_uses_of(i.out);
    for (std::size_t k = 0; i.count > 1 && k < i.count; ++k) forget_uses_of(lists[i.list + k]);
    if (free && s.op[0] == "mul" && i.guard < 0 && i.out != i.a && i.out != i.b) products_[i.out] = {i.a, i.b, i.type};
}

}  // namespace bascule::ptx
