#include "backend/cpu/jit/assembler.hpp"

#include <cstring>

namespace bascule::cpu::jit {

namespace {

int number(gpr r) noexcept { return static_cast<int>(r); }
int high(int register_number) noexcept { return register_number >> 3 & 1; }

constexpr int modrm_register = 3, modrm_sib = 4, modrm_rip = 5;
int modrm(int mod, int reg, int rm) noexcept { return mod << 6 | (reg & 7) << 3 | (rm & 7); }

}  // namespace

void assembler::byte(int b) noexcept {
    if (size_ < capacity) code_[size_++] = static_cast<std::uint8_t>(b);
    else overflow_ = true;
}

void assembler::word32(std::int32_t w) noexcept {
    for (int k = 0; k < 4; ++k) byte(w >> 8 * k & 0xff);
}

void assembler::vector(encoding e, int bytes, int reg, int second, operand rm, masking m) noexcept {
    if (coding_ == coding::vex) vex(e, bytes, reg, second, rm);
    else evex(e, bytes, reg, second, rm, m, false);
}

void assembler::immediate(int value) noexcept {
    if (nfixups_ && fixups_[nfixups_ - 1].at + 4 == size_) fixups_[nfixups_ - 1].behind = 1;
    byte(value);
}

void assembler::vector_repeated(encoding e, int bytes, int reg, int second, operand constant, masking m) noexcept {
    if (coding_ == coding::vex) vex(e, bytes, reg, second, constant);
    else evex(e, bytes, reg, second, constant, m, true);
}

// Register numbers have five bits, of which the prefix holds the upper two, inverted.
void assembler::evex(encoding e, int bytes, int reg, int second, operand const& rm, masking m, bool repeated) noexcept {
    bool const in_register = rm.is == operand::kind::reg, in_memory = rm.is == operand::kind::memory;
    bool const many = rm.index_vector >= 0;
    int const x = in_register ? rm.number >> 4 & 1
                  : many      ? high(rm.index_vector)
                  : in_memory ? high(number(rm.index))
                              : 0;
    if (many) second = rm.index_vector & 16;  // an instruction with so many addresses has no second register
    int const b = in_register ? high(rm.number) : in_memory ? high(number(rm.base)) : 0;
    int const length = bytes == 64 ? 2 : bytes == 32 ? 1 : 0;
    byte(0x62);
    byte((high(reg) ^ 1) << 7 | (x ^ 1) << 6 | (b ^ 1) << 5 | ((reg >> 4 & 1) ^ 1) << 4 | e.map);
    byte(e.w << 7 | (~second & 15) << 3 | 1 << 2 | static_cast<int>(e.pp));
    byte((m.zero ? 1 : 0) << 7 | length << 5 | (repeated ? 1 : 0) << 4 | ((second >> 4 & 1) ^ 1) << 3 | m.by);
    byte(e.opcode);
    address(reg, rm);
}

// The long form, with which all opcode maps and registers can be named; bits of register numbers are inverted.
void assembler::vex(encoding e, int bytes, int reg, int second, operand const& rm) noexcept {
    bool const in_register = rm.is == operand::kind::reg, in_memory = rm.is == operand::kind::memory;
    int const x = in_memory ? high(number(rm.index)) : 0,
              b = in_register ? high(rm.number)
                  : in_memory ? high(number(rm.base))
                              : 0,
              w = e.w_in_evex_alone ? 0 : e.w;
    byte(0xc4);
    byte((high(reg) ^ 1) << 7 | (x ^ 1) << 6 | (b ^ 1) << 5 | e.map);
    byte(w << 7 | (~second & 15) << 3 | (bytes == 32 ? 1 : 0) << 2 | static_cast<int>(e.pp));
    byte(e.opcode);
    address(reg, rm);
}

// Always with an index byte: it spares the exceptions of rsp and r12 as bases. rbp and r13 need a displacement.
void assembler::address(int reg, operand const& rm) noexcept {
    switch (rm.is) {
        case operand::kind::reg: return byte(modrm(modrm_register, reg, rm.number));
        case operand::kind::constant:
            byte(modrm(0, reg, modrm_rip));
            if (nfixups_ == max_fixups) overflow_ = true;
            else fixups_[nfixups_++] = {size_, rm.number, true, 0};
            return word32(0);
        case operand::kind::memory: break;
    }
    int const index = rm.index_vector >= 0 ? rm.index_vector : number(rm.index);
    bool const by_zero = !rm.displacement && (number(rm.base) & 7) == number(gpr::rbp);
    byte(modrm(rm.displacement ? 2 : by_zero ? 1 : 0, reg, modrm_sib));
    byte(modrm(rm.scale, index, number(rm.base)));
    if (rm.displacement) word32(rm.displacement);
    else if (by_zero) byte(0);
}

void assembler::mask(std::uint8_t opcode, int reg, int second, int third) noexcept {
    bool const binary = second != 0;
    byte(0xc4);
    byte(0xe1);
    byte(1 << 7 | (~second & 15) << 3 | (binary ? 1 : 0) << 2);
    byte(opcode);
    byte(modrm(modrm_register, reg, third));
}

void assembler::mask_from(int k, gpr r) noexcept {  // kmovq
    byte(0xc4);
    byte(1 << 7 | 1 << 6 | (high(number(r)) ^ 1) << 5 | 1);
    byte(1 << 7 | 15 << 3 | static_cast<int>(prefix::pf2));
    byte(0x92);
    byte(modrm(modrm_register, k, number(r)));
}

void assembler::test_none(int k) noexcept { test_all(k, 16); }
void assembler::test_all(int k, int lanes) noexcept {  // kortestb, kortestw: carry where all are ones
    byte(0xc5);
    byte(1 << 7 | 15 << 3 | (lanes == 8 ? 1 : 0));
    byte(0x98);
    byte(modrm(modrm_register, k, k));
}

void assembler::integer(int opcode, gpr reg, gpr rm, bool wide) noexcept {
    int const rex = 0x40 | (wide ? 8 : 0) | high(number(reg)) << 2 | high(number(rm));
    if (rex != 0x40) byte(rex);
    byte(opcode);
    byte(modrm(modrm_register, number(reg), number(rm)));
}

void assembler::move(gpr to, gpr from) noexcept { integer(0x89, from, to); }
void assembler::add(gpr to, gpr from) noexcept { integer(0x01, from, to); }
void assembler::subtract(gpr to, gpr from) noexcept { integer(0x29, from, to); }
void assembler::compare(gpr a, gpr b) noexcept { integer(0x39, b, a); }
void assembler::zero(gpr r) noexcept { integer(0x31, r, r, false); }

void assembler::load(gpr to, gpr base, int displacement) noexcept {
    byte(0x48 | high(number(to)) << 2 | high(number(base)));
    byte(0x8b);
    byte(modrm(2, number(to), modrm_sib));
    byte(modrm(0, number(gpr::rsp), number(base)));
    word32(displacement);
}

void assembler::address(gpr to, gpr base, gpr index, int log2_scale) noexcept {
    byte(0x48 | high(number(to)) << 2 | high(number(index)) << 1 | high(number(base)));
    byte(0x8d);
    byte(modrm(1, number(to), modrm_sib));
    byte(modrm(log2_scale, number(index), number(base)));
    byte(0);
}

void assembler::with_number(int which, gpr to, std::int32_t n) noexcept {
    byte(0x48 | high(number(to)));
    byte(0x81);
    byte(modrm(modrm_register, which, number(to)));
    word32(n);
}
void assembler::add(gpr to, std::int32_t n) noexcept { with_number(0, to, n); }
void assembler::subtract(gpr to, std::int32_t n) noexcept { with_number(5, to, n); }

void assembler::multiply(gpr to, std::int32_t n) noexcept {
    integer(0x69, to, to, false);
    word32(n);
}
void assembler::keep_bits(gpr to, std::int32_t bits) noexcept {
    integer(0x81, static_cast<gpr>(4), to, false);
    word32(bits);
}
void assembler::store(operand to, gpr from) noexcept {
    byte(0x40 | high(number(from)) << 2 | high(number(to.index)) << 1 | high(number(to.base)));
    byte(0x89);
    address(number(from), to);
}

void assembler::set(gpr to, std::int32_t n) noexcept {
    byte(0x48 | high(number(to)));
    byte(0xc7);
    byte(modrm(modrm_register, 0, number(to)));
    word32(n);
}

void assembler::keep_low_bits(gpr to, gpr from, gpr count) noexcept {
    byte(0xc4);
    byte((high(number(to)) ^ 1) << 7 | 1 << 6 | (high(number(from)) ^ 1) << 5 | 2);
    byte(1 << 7 | (~number(count) & 15) << 3);
    byte(0xf5);
    byte(modrm(modrm_register, number(to), number(from)));
}

void assembler::prefetch(int cache, gpr base, gpr index, int log2_scale, int displacement) noexcept {
    byte(0x40 | high(number(index)) << 1 | high(number(base)));
    byte(0x0f), byte(0x18);
    byte(modrm(2, cache, modrm_sib));
    byte(modrm(log2_scale, number(index), number(base)));
    word32(displacement);
}

void assembler::boolean_of_byte(gpr to, gpr from) noexcept {
    byte(0x40 | high(number(to)) << 2 | high(number(from)));  // movzx to, byte [from]
    byte(0x0f), byte(0xb6);
    byte(modrm(1, number(to), modrm_sib));
    byte(modrm(0, number(gpr::rsp), number(from)));
    byte(0);
    byte(0x40 | high(number(to)));  // neg to: carry where it is not 0
    byte(0xf7), byte(modrm(modrm_register, 3, number(to)));
    integer(0x19, to, to);  // sbb to, to
}

void assembler::push(gpr r) noexcept {
    if (high(number(r))) byte(0x41);
    byte(0x50 | (number(r) & 7));
}
void assembler::pop(gpr r) noexcept {
    if (high(number(r))) byte(0x41);
    byte(0x58 | (number(r) & 7));
}
void assembler::end_vectors() noexcept { byte(0xc5), byte(0xf8), byte(0x77); }

int assembler::new_label() noexcept {
    overflow_ |= nlabels_ == max_labels;
    return overflow_ ? 0 : nlabels_++;
}

void assembler::label(int number) noexcept {
    if (nfixups_ == max_fixups) overflow_ = true;
    else fixups_[nfixups_++] = {size_, static_cast<std::uint8_t>(number), false, 0};
    word32(0);
}
void assembler::jump(condition c, int to) noexcept {
    byte(0x0f), byte(0x80 | static_cast<int>(c));
    label(to);
}
void assembler::jump(int to) noexcept {
    byte(0xe9);
    label(to);
}

int assembler::constant(std::uint64_t bits) noexcept {
    for (int k = 0; k < nconstants_; ++k)
        if (constants_[k] == bits) return k;
    if (nconstants_ == max_constants) {
        overflow_ = true;
        return 0;
    }
    constants_[nconstants_] = bits;
    return nconstants_++;
}

int assembler::constants(std::uint64_t bits, std::uint64_t behind) noexcept {
    for (int k = 0; k + 1 < nconstants_; ++k)
        if (constants_[k] == bits && constants_[k + 1] == behind) return k;
    if (nconstants_ + 2 > max_constants) {
        overflow_ = true;
        return 0;
    }
    constants_[nconstants_] = bits, constants_[nconstants_ + 1] = behind;
    nconstants_ += 2;
    return nconstants_ - 2;
}

bool assembler::finish() noexcept {
    int const room = coding_ == coding::vex ? 32 : 8;
    while (size_ % room != 0 && !overflow_) byte(0xcc);
    int const pool = size_;
    for (int k = 0; k < nconstants_; ++k)
        for (int b = 0; b < room; ++b) byte(static_cast<int>(constants_[k] >> 8 * (b % 8) & 0xff));
    if (overflow_) return false;
    for (int k = 0; k < nfixups_; ++k) {
        fixup const& f = fixups_[k];
        std::int32_t const target = f.is_constant ? pool + room * f.number : labels_[f.number],
                           distance = target - (f.at + 4 + f.behind);
        std::memcpy(code_ + f.at, &distance, sizeof distance);
    }
    return true;
}

}  // namespace bascule::cpu::jit
