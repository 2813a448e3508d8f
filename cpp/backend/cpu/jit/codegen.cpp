#include "backend/cpu/jit/codegen.hpp"

#include <algorithm>

#include "backend/cpu/common/cpu_tuning.hpp"
#include "backend/cpu/jit/encodings.hpp"

namespace bascule::cpu::jit {
namespace {

constexpr gpr for_addresses[] = {gpr::rdx, gpr::rsi, gpr::r9,  gpr::r10, gpr::r11, gpr::rbx,
                                 gpr::rbp, gpr::r12, gpr::r13, gpr::r14, gpr::r15};
constexpr int callers_own = 5;  // of these, the ones that need not be saved
constexpr gpr from_table = gpr::rsp;
constexpr int fetched_ahead = 4096;  // bytes

}  // namespace

bool codegen::write(assembler& a) noexcept { return (text_.paired && write_paired(a, true)) || write_paired(a, false); }

bool codegen::write_paired(assembler& a, bool paired) noexcept {
    paired_ = paired;
    for (int hoisted = most_hoisted_; hoisted > 1; hoisted = hoisted * 3 / 8)
        if (write_hoisting(a, hoisted)) return true;
    return write_hoisting(a, 0);
}

// The next vector's instructions between those of this one, in which each waits for the one before.
void codegen::turn_to(int vector) noexcept {
    at_vector_ = vector;
    state_ = states_[vector];
}

bool codegen::write_hoisting(assembler& a, int most_hoisted) noexcept {
    a = assembler(coding_);
    to_ = &a;
    failed_ = tail_ = false;
    turn_to(0);
    survey();
    failed_ |= paired_ && nstrides_ > 0;
    int saved = std::max(0, reserved() - callers_own);
    for (int s = 0, used = reserved(); s < nslots_; ++s)
        if (named_[s] && (text_.computed[s] ? text_.stored[s] : text_.leader[s] == s) &&
            used < static_cast<int>(std::size(for_addresses)))
            saved = std::max(0, ++used - callers_own);
    for (int k = 0; k < saved; ++k) a.push(for_addresses[callers_own + k]);
    hoist_singles(most_hoisted);
    prepare_divisors();
    prepare_byte_shifts();
    prepare_strides();
    if (text_.njoined > 0) prepare_join();
    assign_addresses();
    int const end = a.new_label();
    a.zero(position);
    for (int k = 0; k < nstrides_; ++k) a.zero(strides_[k].position);
    if (text_.reduced) write_leaves();
    else write_vectors();
    write_rest(end);
    a.bind(end);
    a.end_vectors();
    for (int k = saved - 1; k >= 0; --k) a.pop(for_addresses[callers_own + k]);
    a.ret();
    write_detours();
    return !failed_ && a.finish();
}

void codegen::write_vectors() noexcept {
    if (paired_) write_loop(2, true);
    write_loop(1, !paired_);
}

void codegen::write_loop(int vectors, bool first) noexcept {
    int const loop = to_->new_label(), rest = to_->new_label();
    to_->subtract(left, vectors * lanes_);
    to_->jump(assembler::condition::below, rest);
    if (!first) {
        to_->compare(position, left);
        to_->jump(assembler::condition::above, rest);
    }
    to_->bind(loop);
    write_vector(vectors);
    to_->compare(position, left);
    to_->jump(assembler::condition::below_or_equal, loop);
    to_->bind(rest);
    to_->add(left, vectors * lanes_);
}

void codegen::write_vector(int vectors) noexcept {
    body(false, vectors);
    to_->add(position, vectors * lanes_);
    for (int k = 0; k < nstrides_; ++k) to_->add(strides_[k].position, lanes_ * strides_[k].by);
}

// Sums begin at -0, which changes nothing.
void codegen::write_leaves() noexcept {
    gpr const ends = for_addresses[nstrides_], sums = for_addresses[nstrides_ + 1];
    int const leaf = to_->new_label(), loop = to_->new_label(), tail = to_->new_label();
    sum_ = new_vector(taken);
    to_->load(ends, table, 8 * text_.leaf_ends);
    to_->load(sums, table, 8 * text_.pairwise_sums);
    to_->bind(leaf);
    to_->load(left, ends, 0);
    to_->compare(left, position);
    to_->jump(assembler::condition::below_or_equal, tail);
    to_->add(ends, 8);
    to_->vector(encodings::repeat[3], bytes_, sum_,
                operand::constant(to_->constant(encodings::sign_bits(type_id::float64))));
    to_->bind(loop);
    write_vector();
    to_->compare(position, left);
    to_->jump(assembler::condition::below, loop);
    add_lanes();
    to_->vector(encodings::store_some[1], 16, sum_, operand::at(sums));
    to_->add(sums, 8);
    to_->jump(leaf);
    to_->bind(tail);
    to_->load(left, ends, 8);
}

// ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)) in the first lane, while the elements of the next leaf are being loaded.
void codegen::add_lanes() noexcept {
    using namespace encodings;
    int const other = new_vector(taken);
    to_->vector(exchange_neighbours, bytes_, other, operand::of(sum_));
    to_->immediate(odd_to_even);
    to_->vector(float_add[1], bytes_, sum_, sum_, operand::of(other));
    to_->vector(permute_quarters, bytes_, other, operand::of(sum_));
    to_->immediate(third_fourth_first_second);
    to_->vector(float_add[1], bytes_, sum_, sum_, operand::of(other));
    to_->vector(join_quarters, bytes_, other, sum_, operand::of(sum_));
    to_->immediate(third_fourth_first_second);
    to_->vector(float_add[1], bytes_, sum_, sum_, operand::of(other));
    free_vector(other);
}

void codegen::survey() noexcept {
    nslots_ = nbyte_shifts_ = ndivisors_ = ndetours_ = nstrides_ = 0;
    std::fill(std::begin(named_), std::end(named_), false);
    std::fill(std::begin(uses_), std::end(uses_), std::uint16_t{0});
    int widest = 1;
    auto const name = [&](int slot) {
        named_[slot] = true;
        nslots_ = std::max(nslots_, slot + 1);
        widest = std::max(widest, itemsize(text_.type[slot]));
    };
    for (int k = 0; k < text_.nsteps; ++k) {
        step const& s = text_.steps[k];
        name(s.result);
        for (int n = 0; n < s.ninputs; ++n) {
            name(s.inputs[n]);
            ++uses_[s.inputs[n]];
        }
    }
    for (int k = 0; k < text_.njoined; ++k) ++uses_[text_.joined[k]];
    for (int s = 0; s < nslots_; ++s)
        if (follows(s)) ++uses_[text_.leader[s]];
    for (int s = 0; s < nslots_; ++s) find_stride(stride_of(s));
    lanes_ = bytes_ / widest;
    for (int s = 0; s < nslots_; ++s) state_[s] = {place_of::memory, 0, false, 0, from_table};
    std::fill(std::begin(vector_owner_), std::end(vector_owner_), no_slot);
    begin();
}

int codegen::stride_of(int slot) const noexcept {
    return named_[slot] && !text_.computed[slot] && !text_.single[slot] ? text_.stride[slot] : 1;
}

void codegen::find_stride(int stride) noexcept {
    for (int k = 0; k < nstrides_; ++k)
        if (strides_[k].by == stride) return;
    if (stride == 1) return;
    strides_[nstrides_] = {stride, for_addresses[nstrides_], 0};
    ++nstrides_;
}

codegen::strided const& codegen::strided_by(int stride) const noexcept {
    int k = 0;
    while (strides_[k].by != stride) ++k;
    return strides_[k];
}

void codegen::hoist_singles(int most) noexcept {
    for (int s = 0; s < nslots_ && most > 0; ++s) {
        if (!named_[s] || text_.computed[s] || !text_.single[s]) continue;
        --most;
        to_->load(scratch, table, 8 * s);
        state_[s].address = scratch;
        load(s);
        state_[s].hoisted = true;
    }
}

void codegen::assign_addresses() noexcept {
    auto used = static_cast<std::size_t>(reserved());
    for (int s = 0; s < nslots_ && used < std::size(for_addresses); ++s) {
        if (!named_[s] || state_[s].hoisted || follows(s) || (text_.computed[s] && !text_.stored[s])) continue;
        state_[s].address = for_addresses[used++];
        to_->load(state_[s].address, table, 8 * s);
    }
    for (int s = 0; s < nslots_; ++s)
        if (follows(s)) state_[s].address = state_[text_.leader[s]].address;
}

gpr codegen::address_of(int slot) noexcept {
    if (state_[slot].address != from_table) return state_[slot].address;
    to_->load(scratch, table, 8 * (text_.computed[slot] ? slot : text_.leader[slot]));
    return scratch;
}

void codegen::body(bool tail, int vectors) noexcept {
    tail_ = tail;
    vectors_at_once_ = vectors;
    for (int v = 0; v < vectors; ++v) begin_vector(v);
    for (at_step_ = 0; at_step_ < text_.nsteps; ++at_step_)
        for (int v = 0; v < vectors && !failed_; ++v) {
            turn_to(v);
            write_step(text_.steps[at_step_]);
        }
    if (text_.njoined > 0 && !failed_) join();
    for (int v = vectors - 1; v >= 0; --v) end_vector(v);
}

void codegen::begin_vector(int vector) noexcept {
    if (vector > 0) std::copy_n(states_[0], nslots_, states_[vector]);
    turn_to(vector);
    for (int s = 0; s < nslots_; ++s) state_[s].uses = uses_[s];
}

void codegen::end_vector(int vector) noexcept {
    turn_to(vector);
    for (int s = 0; s < nslots_; ++s)
        if (named_[s] && !state_[s].hoisted) free_slot(s);
}

void codegen::write_step(step const& s) noexcept {
    switch (s.is) {
        case primitive::none: failed_ = true; return;
        case primitive::cast: convert(s); break;
        case primitive::where: select(s); break;
        case primitive::equal:
        case primitive::not_equal:
        case primitive::less:
        case primitive::less_equal:
        case primitive::greater:
        case primitive::greater_equal:
        case primitive::isnan:
        case primitive::isinf:
        case primitive::isfinite:
        case primitive::signbit: comparison(s); break;
        default:
            if (s.to == type_id::bool_) logic(s);
            else arithmetic(s);
    }
    release_inputs(s);
    if (text_.reduced == s.result && text_.reduced && !tail_)
        binary(primitive::add, s.to, sum_, sum_, state_[s.result].reg);
    else if (text_.stored[s.result] && text_.njoined == 0 && !failed_) store(s.result);
    if (uses_[s.result] == 0) free_slot(s.result);
}

void codegen::release_inputs(step const& s) noexcept {
    for (int k = 0; k < s.ninputs; ++k) release(s.inputs[k]);
}

void codegen::release(int slot) noexcept {
    value_state& v = state_[slot];
    if (--v.uses == 0 && !v.hoisted) free_slot(slot);
}

void codegen::free_slot(int slot) noexcept {
    value_state& v = state_[slot];
    if (v.lies == place_of::vector) free_vector(v.reg);
    else if (v.lies == place_of::mask) free_mask(v.reg);
    v.lies = place_of::memory;
}

// ---- registers

int codegen::next_use(int slot) const noexcept {
    for (int k = at_step_; k < text_.nsteps; ++k)
        for (int n = 0; n < text_.steps[k].ninputs; ++n)
            if (text_.steps[k].inputs[n] == slot) return k;
    return text_.nsteps;
}

// Frees the register of the input whose next use is the farthest.
bool codegen::evict() noexcept {
    int farthest = at_step_, victim = no_slot;
    for (int r = 0; r < vectors_; ++r) {
        if (vector_owner_[r] < 0) continue;
        int const s = vector_owner_[r] % max_slots;
        if (text_.computed[s] || state_[s].hoisted) continue;
        if (int const use = next_use(s); use > farthest) farthest = use, victim = vector_owner_[r];
    }
    if (victim == no_slot) return false;
    int const here = at_vector_;
    turn_to(victim / max_slots);
    free_slot(victim % max_slots);
    turn_to(here);
    return true;
}

int codegen::new_vector(int owner) noexcept {
    for (int attempt = 0; attempt < 2; ++attempt) {
        for (int r = 0; r < vectors_; ++r)
            if (vector_owner_[r] == no_slot) {
                vector_owner_[r] = owner;
                return r;
            }
        if (!evict()) break;
    }
    failed_ = true;
    return 0;
}

int codegen::vector_for(int slot) noexcept {
    int const reg = new_vector(slot + at_vector_ * max_slots);
    state_[slot].lies = place_of::vector, state_[slot].reg = static_cast<std::uint8_t>(reg);
    return reg;
}

int codegen::mask_for(int slot) noexcept {
    int const reg = new_mask(slot);
    state_[slot].lies = place_of::mask, state_[slot].reg = static_cast<std::uint8_t>(reg);
    return reg;
}

int codegen::in_vector(int slot) noexcept {
    if (state_[slot].lies == place_of::memory) load(slot);
    failed_ |= state_[slot].lies != place_of::vector;
    return state_[slot].reg;
}

int codegen::in_mask(int slot) noexcept {
    if (state_[slot].lies == place_of::memory) load(slot);
    failed_ |= state_[slot].lies != place_of::mask;
    return state_[slot].reg;
}

// ---- memory

void codegen::load(int slot) noexcept {
    if (text_.computed[slot]) {
        failed_ = true;
        return;
    }
    gpr const address = address_of(slot);
    if (text_.type[slot] == type_id::bool_) return load_bool(slot, address);
    int const reg = vector_for(slot);
    if (text_.single[slot]) load_single(slot, reg, address);
    else load_block(slot, reg, address);
}

void codegen::load_single(int slot, int reg, gpr address) noexcept {
    int const size = itemsize(text_.type[slot]);
    to_->vector(encodings::repeat[size_class(size)], width(size), reg, operand::at(address));
}

void codegen::load_block(int slot, int reg, gpr address) noexcept {
    type_id const t = text_.type[slot];
    if (stride_of(slot) != 1) return load_strided(slot, reg, address);
    if (!tail_ && text_.fetched[slot])
        to_->prefetch(prefetches_into_l2 ? 2 : 1, address, position, size_class(itemsize(t)),
                      fetched_ahead + at_vector_ * lanes_ * itemsize(t));
    if (!take_from_leader(slot, reg)) {
        operand from = elements_at(address, itemsize(t));
        from.displacement += text_.behind[slot] * itemsize(t);
        load_bytes(reg, itemsize(t), from, is_float(t));
    }
    if (follows(slot)) release(text_.leader[slot]);
    if (text_.njoined > 0) put_in_order(reg);
}

// Of two vectors that are computed together: the first follows its leader's by as many lanes as it takes from the
// second.
bool codegen::take_from_leader(int slot, int reg) noexcept {
    int const leader = text_.leader[slot], size = itemsize(text_.type[slot]);
    if (text_.behind[slot] <= 0 || text_.behind[slot] >= lanes_ || tail_ || vectors_at_once_ < 2 || at_vector_ > 0 ||
        state_[leader].lies != place_of::vector || states_[1][leader].uses == 0)
        return false;
    turn_to(1);
    int const upper = in_vector(leader);
    turn_to(0);
    return state_[leader].lies == place_of::vector &&
           join_lanes(size, reg, upper, state_[leader].reg, text_.behind[slot]);
}

operand codegen::elements_at(gpr address, int itemsize) const noexcept {
    return operand::at(address, position, size_class(itemsize), at_vector_ * lanes_ * itemsize);
}

void codegen::store(int slot) noexcept {
    int const size = itemsize(text_.type[slot]);
    operand const to = elements_at(address_of(slot), size);
    if (state_[slot].lies != place_of::mask) return store_bytes(in_vector(slot), size, to, text_.streamed[slot]);
    store_boolean(state_[slot].reg, to, text_.streamed[slot]);
}

void codegen::store_boolean(int mask, operand to, bool streamed) noexcept {
    int const t = new_vector(taken);
    write_boolean(t, mask);
    store_bytes(t, 1, to, streamed);
    free_vector(t);
}

}  // namespace bascule::cpu::jit
