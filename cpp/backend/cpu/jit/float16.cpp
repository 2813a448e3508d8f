#include "backend/cpu/jit/float16.hpp"

#include <algorithm>
#include <bitset>

#include "backend/cpu/jit/jit_ops.hpp"
#include "backend/cpu/program/op_traits.hpp"
#include "bascule/ops/spec.hpp"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace bascule::cpu::jit {
namespace {

bool machine_has_them() noexcept {
#if defined(__x86_64__)
    unsigned a, b, c, d;
    constexpr unsigned features = 7, fp16 = 1u << 23;
    return __get_cpuid_count(features, 0, &a, &b, &c, &d) != 0 && (d & fp16) != 0;
#else
    return false;
#endif
}
bool& setting() noexcept {
    static bool now = machine_has_them();
    return now;
}

class narrower {
public:
    narrower(program& p, instruction* code, int count, int& registers) noexcept
        : p_(p), code_(code), count_(count), registers_(registers) {}

    int run(int nfront) noexcept {
        std::fill_n(half_of_, p_.nslots, none);
        for (int k = 0; k < nfront; ++k) note_widened(p_.code[k]);
        for (int k = 0; k < count_; ++k) note_widened(code_[k]);
        count_readers();
        for (int k = 0; k < count_; ++k) narrow(k);
        count_readers();
        for (int k = 0; k < count_; ++k) dropped_[k] = dropped_[k] || (widens(code_[k]) && readers_[code_[k].d] == 0);
        int kept = 0;
        for (int k = 0; k < count_; ++k)
            if (!dropped_[k]) code_[kept++] = code_[k];
        return kept;
    }

private:
    type_id type_of(instruction const& i) const noexcept { return p_.source->values[i.value].dtype; }
    bool casts(instruction const& i, type_id from, type_id to) const noexcept {
        return i.op < max_ops && traits_of(i.op).is_cast && i.type == from && type_of(i) == to;
    }
    bool widens(instruction const& i) const noexcept { return casts(i, type_id::float16, type_id::float32); }

    void note_widened(instruction const& i) noexcept {
        if (i.op == op_fill) half_of_[i.d] = half_of_[i.a];
        else if (widens(i)) half_of_[i.d] = i.a;
    }

    void count_readers() noexcept {
        std::fill_n(readers_, p_.nslots, 0);
        for (int k = 0; k < count_; ++k) {
            if (dropped_[k]) continue;
            instruction const& i = code_[k];
            ++readers_[i.a];
            if (i.b != i.a) ++readers_[i.b];
            if (i.c != i.a && i.c != i.b) ++readers_[i.c];
        }
        plan const& source = *p_.source;
        for (int s = 0; s < source.nstores; ++s) ++readers_[source.stores[s].value];
        for (int r = 0; r < source.nreductions; ++r) ++readers_[source.reductions[r].value];
    }

    void narrow(int k) noexcept {
        instruction half = code_[k];
        if (half.type != type_id::float32 || half.pair || half.op >= max_ops || traits_of(half.op).is_cast) return;
        half.type = type_id::float16, half.inspect = inspection::none;
        step s = step_of(p_, half, instruction_set::avx512);
        if (s.is == primitive::none) return;
        for (int n = 0; n < s.ninputs; ++n) {
            if (s.input_type(n) != type_id::float16) continue;
            if (half_of_[s.inputs[n]] == none) return;
            s.inputs[n] = half_of_[s.inputs[n]];
        }
        int const at = type_of(half) == type_id::float32 ? rounded_by(k) : k;
        if (at < 0 || (at == k && s.to != type_id::bool_)) return;
        instruction const &computed = code_[k], &rounded = code_[at];
        bool const looked_at = computed.inspect != inspection::none;
        half.d = rounded.d, half.value = rounded.value, half.second = computed.value;
        half.wanted = looked_at ? computed.wanted : ops::fp::none;
        if (rounded.inspect != inspection::none) half.wanted |= rounded.wanted;
        // The result is one of the operands, unchanged, which reports nothing; the machine would report a signalling
        // NaN.
        using enum primitive;
        if (s.is == maximum || s.is == minimum || s.is == fmax || s.is == fmin) half.wanted = ops::fp::none;
        half.inspect = half.wanted ? inspection::hardware : inspection::none;
        half.rounds = true, half.run = nullptr;
        half.a = s.inputs[0], half.b = s.inputs[s.ninputs > 1 ? 1 : 0], half.c = s.inputs[s.ninputs > 2 ? 2 : 0];
        for (int n = 0; n < s.ninputs; ++n) keep_longer(s.inputs[n]);
        dropped_[k] = true;
        code_[at] = half, dropped_[at] = false;
    }

    // The only reader, which rounds to float16; below 0: it is not.
    int rounded_by(int k) const noexcept {
        if (readers_[code_[k].d] != 1) return -1;
        for (int j = k + 1; j < count_; ++j)
            if (code_[j].a == code_[k].d) return casts(code_[j], type_id::float32, type_id::float16) ? j : -1;
        return -1;
    }

    // The instruction that widened this input is removed: its register is kept until the later read.
    void keep_longer(std::uint16_t input) noexcept {
        slot& s = p_.slots[input];
        if (s.where != place::reg || s.single || kept_[input]) return;
        kept_.set(input);
        s.reg = static_cast<std::uint8_t>(registers_++);
    }

    static constexpr std::uint16_t none = max_slots;
    program& p_;
    instruction* const code_;
    int const count_;
    int& registers_;
    std::bitset<max_slots> kept_, dropped_;
    std::uint16_t half_of_[max_slots];  // the float16 slot that was widened to it
    int readers_[max_slots];
};

}  // namespace

bool has_float16_arithmetic() noexcept { return setting(); }
void use_float16_arithmetic(bool wanted) noexcept { setting() = wanted && machine_has_them(); }

bool widens_float16(program const& p) noexcept {
    return std::any_of(p.code, p.code + p.ninstructions,
                       [](instruction const& i) { return i.type == type_id::float16; });
}

int narrow(program& p, int nfront, instruction* code, int count, int& registers) noexcept {
    return narrower(p, code, count, registers).run(nfront);
}

}  // namespace bascule::cpu::jit
