// Square roots of usual sizes by multiplication, several times as fast as the machine's instruction: from an
// approximation of the reciprocal root, g = sqrt(x) and h = 1 / (2 sqrt(x)) are improved together and g is corrected by
// its exact remainder.
//
// The last sum is so close to the root, within 8 units of 2^-104 for 1 <= x < 4, that it can be rounded to another
// number than the root only if the root is equally close to the middle of two numbers. There are some hundred such x,
// apart from factors of 4, and the tests go through them (and through all of float32). The approximation's bits are
// Intel's.
#include "backend/cpu/common/cpu_tuning.hpp"
#include "backend/cpu/jit/avx512_codegen.hpp"
#include "backend/cpu/jit/encodings.hpp"

namespace bascule::cpu::jit {
namespace {

using namespace encodings;

// Positive normal numbers whose remainders are normal too, as bits [low, low + span).
struct usual_bits {
    std::uint64_t low, span;
};
usual_bits usual_for(type_id t) noexcept {
    constexpr std::uint64_t both = 0x0000000100000001u;
    if (wide(t)) return {0x0800000000000000u, 0x7ff0000000000000u - 0x0800000000000000u};
    return {0x1a000000u * both, (0x7f800000u - 0x1a000000u) * both};
}

}  // namespace

void avx512_codegen::root(type_id t, int d, int a) noexcept {
    int const n = bytes_of(t), w = wide(t);
    if (t == type_id::float16 || !approximates_as_tested || !has_room_for_detour())
        return to_->vector(float_root[kind_of(t)], n, d, operand::of(a));
    int const h = new_vector(taken), r = new_vector(taken), usual = new_mask(taken);
    int const slow = to_->new_label(), end = to_->new_label(), half = constant_of(t, 0.5);
    usual_bits const b = usual_for(t);
    to_->vector_repeated(whole_subtract[w], n, r, a, operand::constant(to_->constant(b.low)));
    to_->vector_repeated(unsigned_compare[w], n, usual, r, operand::constant(to_->constant(b.span)));
    to_->immediate(integer_less);
    to_->test_all(usual, lanes_);
    to_->jump(assembler::condition::not_below, slow);
    to_->vector(approximate_reciprocal_root[w], n, r, operand::of(a));
    to_->vector_repeated(float_multiply[w], n, h, r, operand::constant(half));
    to_->vector(float_multiply[w], n, d, a, operand::of(r));
    for (int k = 0; k <= w; ++k) {
        to_->vector(repeat[w + 2], n, r, operand::constant(half));
        to_->vector(less_product[w], n, r, d, operand::of(h));
        to_->vector(times_plus[w], n, d, r, operand::of(d));
        to_->vector(times_plus[w], n, h, r, operand::of(h));
    }
    to_->vector(w ? move_wide : move, n, r, operand::of(a));
    to_->vector(less_product[w], n, r, d, operand::of(d));
    to_->vector(plus_product[w], n, d, r, operand::of(h));
    to_->bind(end);
    add_detour({slow, end, primitive::sqrt, t, d, a, 0, usual, usual, usual, h, r});
    free_vector(h), free_vector(r), free_mask(usual);
}

void avx512_codegen::write_root(detour const& x) noexcept {
    to_->vector(float_root[kind_of(x.type)], bytes_of(x.type), x.d, operand::of(x.a));
}

}  // namespace bascule::cpu::jit
