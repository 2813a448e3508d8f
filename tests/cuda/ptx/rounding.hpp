// Rounding other than to nearest, by the host's own modes.
#pragma once
#include "half.hpp"
#include "text.hpp"

#include <cfenv>

namespace bascule::ptx {

// Bits of instruction::order of arithmetic: the rounding, and what is done to small and large numbers.
enum float_order : std::uint8_t { rounding_bits = 3, flushes = 4, saturates = 8 };

inline rounding rounding_of(statement const& s) {
    if (s.has("rz") || s.has("rzi")) return rounding::zero;
    if (s.has("rm") || s.has("rmi")) return rounding::minus;
    return s.has("rp") || s.has("rpi") ? rounding::plus : rounding::nearest;
}
inline std::uint8_t float_order_of(statement const& s) {
    return static_cast<std::uint8_t>(static_cast<unsigned>(rounding_of(s)) | (s.has("ftz") ? flushes : 0) |
                                     (s.has("sat") ? saturates : 0));
}

class rounds {
public:
    explicit rounds(rounding how) {
        constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
        if (how != rounding::nearest) std::fesetround(modes[static_cast<int>(how)]);
        changed_ = how != rounding::nearest;
    }
    ~rounds() {
        if (changed_) std::fesetround(FE_TONEAREST);
    }
    rounds(rounds const&) = delete;
    rounds& operator=(rounds const&) = delete;

private:
    bool changed_;
};

}  // namespace bascule::ptx
