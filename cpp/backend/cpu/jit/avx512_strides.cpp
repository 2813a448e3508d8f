// Elements a few apart, or backwards: whole vectors are loaded, the last one only up to the last element that is
// needed, and permuted.
#include "backend/cpu/jit/avx512_codegen.hpp"
#include "backend/cpu/jit/encodings.hpp"

namespace bascule::cpu::jit {

using namespace encodings;

namespace {

// The source lane of each result, a byte each: of the current vector, or, counted on from `lanes`, of the next one.
// Before the first exchange the current vector is the first one loaded; after it, it holds the results found so far.
void lanes_taken(int vector, int stride, int lanes, std::uint8_t* from) noexcept {
    for (int k = 0; k < lanes; ++k) {
        int const element = k * stride;
        if (stride < 0) from[k] = static_cast<std::uint8_t>(lanes - 1 - k);
        else if (element < vector * lanes) from[k] = static_cast<std::uint8_t>(vector == 1 ? element : k);
        else from[k] = static_cast<std::uint8_t>(lanes + element % lanes);
    }
}

}  // namespace

// The bytes as a constant.
operand avx512_codegen::bytes_of_lanes(assembler& to, std::uint8_t const* from, int lanes) noexcept {
    std::uint64_t half[2] = {};
    for (int k = 0; k < lanes; ++k) half[k / 8] |= std::uint64_t{from[k]} << 8 * (k % 8);
    return operand::constant(lanes > 8 ? to.constants(half[0], half[1]) : to.constant(half[0]));
}

void avx512_codegen::prepare_strides() noexcept {
    for (int k = 0; k < nstrides_; ++k) {
        if (strides_[k].by < 0) continue;
        to_->set(scratch, (1 << (lanes_ - strides_[k].by + 1)) - 1);
        to_->mask_from(strides_[k].last = new_mask(taken), scratch);
    }
    for (int s = 0; s < nslots_; ++s) {
        int const stride = stride_of(s);
        if (stride == 1) continue;  // nor has a slot that nothing names a type
        int const size = itemsize(text_.type[s]);
        for (int v = 1; v < (stride < 0 ? 2 : stride); ++v) {
            if (order_of(stride, size, v) >= 0) continue;
            if (norders_ == max_orders) {
                failed_ = true;
                return;
            }
            std::uint8_t from[16];
            lanes_taken(v, stride, lanes_, from);
            int const reg = new_vector(taken);
            to_->vector(widen_bytes[wide(text_.type[s])], width(size), reg, bytes_of_lanes(*to_, from, lanes_));
            orders_[norders_++] = {stride, size, v, reg};
        }
    }
}

// The register with the order in which that vector joins; below 0: there is none.
int avx512_codegen::order_of(int stride, int size, int vector) const noexcept {
    for (int k = 0; k < norders_; ++k)
        if (orders_[k].stride == stride && orders_[k].size == size && orders_[k].vector == vector)
            return orders_[k].reg;
    return -1;
}

void avx512_codegen::load_strided(int slot, int reg, gpr address) noexcept {
    if (tail_) return load_strided_rest(slot, reg, address);
    int const stride = stride_of(slot), size = itemsize(text_.type[slot]), w = wide(text_.type[slot]), n = width(size);
    strided const& x = strided_by(stride);
    auto const at = [&](int elements) { return operand::at(address, x.position, size_class(size), elements * size); };
    if (stride < 0) return to_->vector(permute[w], n, reg, order_of(stride, size, 1), at((lanes_ - 1) * stride));
    to_->vector(encodings::load, n, reg, at(0));
    for (int v = 1; v + 1 < stride; ++v) to_->vector(permute_two[w], n, reg, order_of(stride, size, v), at(v * lanes_));
    int const last = new_vector(taken);
    to_->vector(masked_load[size_class(size)], n, last, at((stride - 1) * lanes_),
                {static_cast<std::uint8_t>(x.last), true});
    to_->vector(permute_two[w], n, reg, order_of(stride, size, stride - 1), operand::of(last));
    free_vector(last);
}

// One by one, over the first of them in all lanes.
void avx512_codegen::load_strided_rest(int slot, int reg, gpr address) noexcept {
    int const stride = stride_of(slot), size = itemsize(text_.type[slot]), w = wide(text_.type[slot]), n = width(size);
    std::uint8_t from[16];
    for (int k = 0; k < lanes_; ++k) from[k] = static_cast<std::uint8_t>(k * stride);
    int const positions = new_vector(taken), left = new_mask(taken);
    to_->address(scratch, address, strided_by(stride).position, size_class(size));
    to_->vector(repeat[size_class(size)], n, reg, operand::at(scratch));
    to_->vector(widen_signed_bytes, lanes_ * 4, positions, bytes_of_lanes(*to_, from, lanes_));
    to_->mask(mask_move, left, 0, tail_mask);
    to_->vector(gather[w], n, reg, operand::at_each(scratch, positions, size_class(size)),
                {static_cast<std::uint8_t>(left), false});
    free_vector(positions), free_mask(left);
}

}  // namespace bascule::cpu::jit
