// Results that are interleaved item by item, stored as the dense memory that they are together: of 16 bytes of
// it, each gives a 16th times their number. Those parts of all results are put into the same quarters of vectors, where
// items are unpacked among each other.
#include "backend/cpu/jit/avx512_codegen.hpp"
#include "backend/cpu/jit/encodings.hpp"

namespace bascule::cpu::jit {

using namespace encodings;

int avx512_codegen::joined_size() const noexcept { return itemsize(text_.type[text_.joined[0]]); }

// A permutation of all lanes does not change operations lane by lane: where fewer vectors are loaded than stored, the
// loaded ones are permuted.
bool avx512_codegen::orders_loads() const noexcept {
    int loads = 0;
    for (int s = 0; s < nslots_; ++s) {
        if (!named_[s] || text_.computed[s] || text_.single[s]) continue;
        ++loads;
        if (itemsize(text_.type[s]) != joined_size() || text_.stride[s] != 1) return false;
    }
    return loads < text_.njoined;
}

// Stored vector r has in its quarter q the part r * quarters + q of each result.
void avx512_codegen::prepare_join() noexcept {
    int const quarters = bytes_ / 16, count = text_.njoined, part = 4 / count;
    std::uint8_t from[16];
    for (int q = 0; q < quarters; ++q)
        for (int r = 0; r < count; ++r)
            for (int k = 0; k < part; ++k)
                from[4 * q + r * part + k] = static_cast<std::uint8_t>((r * quarters + q) * part + k);
    joined_order_ = new_vector(taken);
    to_->vector(widen_bytes[0], bytes_, joined_order_, bytes_of_lanes(*to_, from, bytes_ / 4));
    orders_loads_ = orders_loads();
}

void avx512_codegen::put_in_order(int reg, int from) noexcept {
    to_->vector(permute[0], bytes_, reg, joined_order_, operand::of(from));
}

void avx512_codegen::join() noexcept {
    int const count = text_.njoined, size = size_class(joined_size());
    int parts[4], unpacked[4];
    for (int k = 0; k < count; ++k) {
        int const reg = in_vector(text_.joined[k]);
        parts[k] = orders_loads_ ? reg : new_vector(taken);
        if (!orders_loads_) put_in_order(parts[k], reg);
    }
    for (int step = 0; 1 << step < count; ++step) {
        for (int k = 0; k < count; ++k) unpacked[k] = new_vector(taken);
        unpack(step, size + step, parts, unpacked);
        if (step > 0 || !orders_loads_)
            for (int k = 0; k < count; ++k) free_vector(parts[k]);
        for (int k = 0; k < count; ++k) parts[k] = unpacked[k];
    }
    gpr const address = address_of(text_.joined[0]);
    operand const to = operand::at(address, position, size + size_class(count));
    if (tail_) store_joined_rest(parts, to);
    for (int k = 0; k < count; ++k) {
        operand part = to;
        part.displacement = k * bytes_;
        if (!tail_) to_->vector(encodings::store, bytes_, parts[k], part);
        free_vector(parts[k]);
    }
}

// Of two: the items of both. Of four: first those of the first two and those of the others, then these by pairs.
void avx512_codegen::unpack(int step, int size, int const* from, int* to) noexcept {
    auto const both = [&](int a, int b, int low, int high) {
        to_->vector(unpack_low[size], bytes_, to[low], from[a], operand::of(from[b]));
        to_->vector(unpack_high[size], bytes_, to[high], from[a], operand::of(from[b]));
    };
    if (text_.njoined == 2) return both(0, 1, 0, 1);
    if (step == 0) return both(0, 1, 0, 1), both(2, 3, 2, 3);
    both(0, 2, 0, 1), both(1, 3, 2, 3);
}

// `left` counts bytes from here on.
void avx512_codegen::store_joined_rest(int const* parts, operand to) noexcept {
    for (int k = joined_size() * text_.njoined; k > 1; k /= 2) to_->add(left, left);
    int const some = new_mask(taken);
    for (int k = 0; k < text_.njoined; ++k) {
        to_->set(scratch, -1);
        to_->keep_low_bits(scratch, scratch, left);
        to_->mask_from(some, scratch);
        operand part = to;
        part.displacement = k * bytes_;
        to_->vector(masked_store[0], bytes_, parts[k], part, {static_cast<std::uint8_t>(some), false});
        if (k + 1 == text_.njoined) break;
        to_->subtract(left, bytes_);
        to_->jump(assembler::condition::below_or_equal, end_);
    }
    free_mask(some);
}

}  // namespace bascule::cpu::jit
