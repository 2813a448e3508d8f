#include "backend/cpu/jit/jit.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "backend/cpu/common/cpu_tuning.hpp"
#include "backend/cpu/jit/avx2_codegen.hpp"
#include "backend/cpu/jit/avx512_codegen.hpp"
#include "backend/cpu/jit/code_cache.hpp"
#include "backend/cpu/jit/float16.hpp"
#include "backend/cpu/jit/tuning.hpp"
#include "bascule/ops/aggregate.hpp"

namespace bascule::cpu::jit {
namespace {

// Fewer elements are not worth a look; so many repay the writing of code at its first use.
constexpr std::int64_t least_elements = 2048, repaying_elements = 8192;
constexpr int most_registers = 200;

policy asked_for() noexcept {
    char const* const wanted = std::getenv("BASCULE_JIT");
    if (!wanted || !*wanted) return policy::automatic;
    if (std::strcmp(wanted, "off") == 0) return policy::off;
    return std::strcmp(wanted, "always") == 0 ? policy::always : policy::automatic;
}
policy& setting() noexcept {
    static policy now = asked_for();
    return now;
}

bool& pairing() noexcept {
    static bool now = cpu::pairs_vectors;
    return now;
}
constexpr int least_paired = 24;  // steps

bool& narrowing() noexcept {
    static bool now = cpu::splits_vectors;
    return now;
}
constexpr int most_narrow = 8, most_narrow_read = 3;  // steps; their operands that are read element by element

// Not inlined into the look-up of code, since its frame holds all that is written.
template <class Writer> __attribute__((noinline)) kernel written(loop_text const& text, code_key const& key) noexcept {
    assembler code(Writer::code);
    Writer writer(text);
    bool const fits = writer.write(code);
    return keep_code(key, code.data(), fits ? code.size() : 0);
}

// The stride in elements of operands so many bytes apart; 0: no code is written for it.
int elements_apart(std::int64_t bytes, int itemsize) noexcept {
    if ((itemsize != 4 && itemsize != 8) || bytes % itemsize != 0) return 0;
    std::int64_t const elements = bytes / itemsize;
    return elements == backwards || (elements > 1 && elements <= most_apart) ? static_cast<int>(elements) : 0;
}

std::array<std::uint16_t, 3> inputs_of(instruction const& i) noexcept { return {i.a, i.b, i.c}; }

class fuser {
public:
    fuser(program& p, instruction_set set, policy how, int& registers) noexcept
        : p_(p), set_(set), policy_(how), registers_(registers),
          may_write_(how == policy::always || p.space.total >= repaying_elements) {}

    slot_set run(bool narrows = false) noexcept {
        may_join_ = may_join();
        bring_forward();
        if (narrows) nrest_ = narrow(p_, nfront_, rest_, nrest_, registers_);
        for (int k = 0; k < nrest_; ++k) steps_[k] = fusible(rest_[k]);
        find_last_uses();
        find_strided();
        int kept = nfront_;
        for (int k = 0, length; k < nrest_; k += length ? length : 1) {
            length = fused_from(k);
            p_.code[kept++] = length > 0 ? fused_ : rest_[k];
            if (length > 0) continue;
            for (std::uint16_t const in : inputs_of(rest_[k])) called_.set(in);
            lacks_kernel_ |= rest_[k].run == nullptr;
        }
        p_.ninstructions = kept;
        drop_unused_fills();
        read_where_they_lie();
        return last_;
    }
    // An instruction without a kernel was left as it is.
    bool failed() const noexcept { return lacks_kernel_; }

private:
    // Values computed once a block come first, in registers that hold nothing else.
    void bring_forward() noexcept {
        for (int s = 0; s < p_.nslots; ++s) alias_[s] = static_cast<std::uint16_t>(s);
        for (int k = 0; k < p_.ninstructions; ++k) {
            instruction const& i = p_.code[k];
            if (i.op == op_fill) alias_[i.d] = i.a;
            else if (i.single) p_.slots[i.d].reg = static_cast<std::uint8_t>(registers_++);
            if (i.single || i.op == op_fill) p_.code[nfront_++] = i;
            else rest_[nrest_++] = i;
        }
    }

    step fusible(instruction const& i) const noexcept {
        step s = step_of(p_, i, set_);
        for (int n = 0; n < s.ninputs; ++n) s.inputs[n] = alias_[s.inputs[n]];
        if (shifts_bytes(s) && !p_.slots[s.inputs[1]].single) s.is = primitive::none;
        return s;
    }

    void find_last_uses() noexcept {
        plan const& source = *p_.source;
        std::fill_n(last_use_, p_.nslots, -1);
        for (int k = 0; k < nrest_; ++k) {
            for (std::uint16_t const in : inputs_of(rest_[k])) last_use_[in] = k;
            for (int n = 0; n < steps_[k].ninputs; ++n) last_use_[steps_[k].inputs[n]] = k;
        }
        for (int s = 0; s < source.nstores; ++s) last_use_[source.stores[s].value] = nrest_;
        for (int r = 0; r < source.nreductions; ++r) last_use_[source.reductions[r].value] = nrest_;
    }

    // Packed loads that only fused code reads, and that it could read in place: each gets a slot of its own, which is
    // used once all readers read that.
    void find_strided() noexcept {
        for (int k = 0; k < p_.nmoving; ++k) {
            std::uint16_t const v = p_.moving[k];
            slot const& s = p_.slots[v];
            if (s.where != place::packed || s.repeats || !p_.space.by_rows || p_.nslots >= max_slots - 1 ||
                p_.nmoving + nreplaced_ == max_plan_values || last_use_[v] >= nrest_ || stride_of(s) == 0 ||
                !is_read_by_fused(v))
                continue;
            auto const there = static_cast<std::uint16_t>(p_.nslots++);
            p_.slots[there] = s;
            p_.slots[there].where = place::strided;
            for (int n = 0; n < nrest_; ++n) std::replace(steps_[n].inputs, steps_[n].inputs + 3, v, there);
            replaced_[nreplaced_++] = {static_cast<std::uint16_t>(k), there};
        }
    }

    bool is_read_by_fused(std::uint16_t v) const noexcept {
        bool read = false;
        for (int k = 0; k < nrest_; ++k)
            for (std::uint16_t const in : inputs_of(rest_[k])) {
                read |= in == v;
                if (in == v && steps_[k].is == primitive::none) return false;
            }
        return read;
    }

    int stride_of(slot const& s) const noexcept { return elements_apart(s.strides[p_.space.ndim - 1], s.itemsize); }

    void read_where_they_lie() noexcept {
        for (int k = 0; k < nreplaced_; ++k)
            if (std::uint16_t& v = p_.moving[replaced_[k].moving]; !called_[v]) v = replaced_[k].there;
            else p_.moving[p_.nmoving++] = replaced_[k].there;
    }

    // How many instructions from k on are one now, `fused_`; 0: none is.
    int fused_from(int k) noexcept {
        int end = k;
        while (end < nrest_ && steps_[end].is != primitive::none && end - k < loop_text::max_steps) ++end;
        for (int length = end - k; length > 1 || (length == 1 && pays_alone(k)); length = length * 2 / 3) {
            describe(k, length);
            if (kernel const code = find_or_write()) {
                join(k, length, code);
                return length;
            }
        }
        return 0;
    }

    // One operation of AVX2 is its kernel's too, which takes more vectors at a time; it pays where a copy is spared.
    bool pays_alone(int k) const noexcept {
        if (set_ == instruction_set::avx512 || policy_ == policy::always) return true;
        for (int n = 0; n < steps_[k].ninputs; ++n)
            if (p_.slots[steps_[k].inputs[n]].where == place::strided) return true;
        return k + 1 == nrest_ && streams(steps_[k].result);
    }

    void describe(int first, int length) noexcept {
        text_.nsteps = length;
        text_.narrow = narrows(first, length);
        key_.size = 0, key_.overflow = false;
        key_.put(static_cast<std::uint16_t>(static_cast<int>(set_) | text_.narrow << 9));
        slot_set computed;
        nleaders_ = 0, follows_any_ = false;
        for (int k = 0; k < length; ++k) {
            step const& s = text_.steps[k] = steps_[first + k];
            key_.put(static_cast<std::uint16_t>(static_cast<int>(s.is) | s.ninputs << 8));
            key_.put(static_cast<std::uint16_t>(static_cast<int>(s.from) | static_cast<int>(s.to) << 8));
            for (int n = 0; n < s.ninputs; ++n) {
                std::uint16_t const in = s.inputs[n];
                text_.type[in] = s.input_type(n);
                if (!computed[in]) describe_input(in);
                key_.put(static_cast<std::uint16_t>(
                    in | (text_.single[in] ? single_bit : 0) | (text_.number[in] ? number_bit : 0) |
                    (text_.fetched[in] ? fetched_bit : 0) | (text_.stride[in] - backwards) << stride_shift |
                    (follows(in) ? follows_bit : 0)));
                if (follows(in))
                    key_.put(static_cast<std::uint16_t>(text_.leader[in] | (text_.behind[in] & 0xff) << stride_shift));
            }
            computed.set(s.result);
            text_.type[s.result] = s.to;
            text_.computed[s.result] = true;
            text_.single[s.result] = text_.number[s.result] = text_.fetched[s.result] = false;
            text_.stride[s.result] = 1;
            text_.stored[s.result] = last_use_[s.result] >= first + length;
            text_.streamed[s.result] = first + length == nrest_ && streams(s.result);
            key_.put(static_cast<std::uint16_t>(s.result | (text_.stored[s.result] ? single_bit : 0) |
                                                (text_.streamed[s.result] ? streamed_bit : 0)));
        }
        text_.paired = set_ == instruction_set::avx512 && pairs_vectors() && !text_.narrow &&
                       (length >= least_paired || reads_much() || follows_any_ || policy_ == policy::always);
        find_join(first, length, computed);
        key_.put(static_cast<std::uint16_t>(text_.paired));
        text_.reduced = 0;
        if (first > 0 || length < nrest_ || !reduces(computed)) return;
        text_.reduced = p_.source->reductions[0].value;
        text_.leaf_ends = p_.nslots + 1, text_.pairwise_sums = p_.nslots + 2;  // behind the table
        key_.put(static_cast<std::uint16_t>(text_.reduced | reduced_bit));
        key_.put(static_cast<std::uint16_t>(p_.nslots));
    }

    // The outputs, where the code computes all of them, in vectors of no wider elements.
    void find_join(int first, int length, slot_set const& computed) noexcept {
        text_.njoined = 0;
        if (first + length < nrest_ || !may_join_ ||
            !std::all_of(p_.outputs, p_.outputs + p_.noutputs, [&](output const& o) { return computed[o.value]; }))
            return;
        int const size = p_.slots[p_.outputs[0].value].itemsize;
        if (!std::all_of(steps_ + first, steps_ + first + length,
                         [&](step const& s) { return itemsize(s.from) <= size && itemsize(s.to) <= size; }))
            return;
        text_.njoined = p_.noutputs, text_.paired = false;
        for (int k = 0; k < p_.noutputs; ++k) {
            text_.joined[k] = p_.outputs[k].value;
            text_.stored[text_.joined[k]] = k == 0;  // all are stored from the first one's address on
            key_.put(static_cast<std::uint16_t>(text_.joined[k] | joined_bit));
        }
    }

    // Whether the outputs are interleaved item by item, as code can put them together, evenly for as long as a block
    // lasts, and apart from all that is read.
    bool may_join() const noexcept {
        if (set_ != instruction_set::avx512 || !p_.interleaves || p_.streams ||
            !(p_.space.ndim == 1 || p_.space.by_rows) || (p_.noutputs != 2 && p_.noutputs != 4) ||
            p_.noutputs * p_.slots[p_.outputs[0].value].itemsize > 8)
            return false;
        return std::none_of(p_.outputs, p_.outputs + p_.noutputs, [&](output const& o) {
            type_id const t = p_.source->values[o.value].dtype;
            return t == type_id::bool_ || t == type_id::float16 || overwrites_input(*p_.source, *o.out);
        });
    }

    // Whether the code is short, all there is to do, and reads little: then it is bound by its stores, unless these are
    // of a byte an element.
    bool narrows(int first, int length) const noexcept {
        if (makes_booleans(first, length) && policy_ != policy::always) return false;
        bool const alone = first == 0 && length == nrest_ && length <= most_narrow && p_.nmoving <= most_narrow_read;
        return set_ == instruction_set::avx512 && narrows_vectors() && p_.source->nreductions == 0 &&
               (alone || policy_ == policy::always) &&
               std::all_of(steps_ + first, steps_ + first + length, [&](step const& s) { return is_fast(s); });
    }

    // Caches deliver consecutive lines sooner: float32's a*b + c*d - e/2 takes a tenth less. From memory they are
    // rather slower.
    bool reads_much() const noexcept {
        std::int64_t bytes = 0;
        for (int k = 0; k < p_.nmoving; ++k) bytes += p_.space.total * p_.slots[p_.moving[k]].itemsize;
        return p_.nmoving > most_narrow_read && bytes < streamed_bytes;
    }

    // Whether the last step, whose result is stored, makes booleans of wider elements.
    bool makes_booleans(int first, int length) const noexcept {
        step const& last = steps_[first + length - 1];
        return first + length == nrest_ && last.to == type_id::bool_;
    }

    // And nothing in it is written for whole vectors of AVX-512 alone.
    bool is_fast(step const& s) const noexcept {
        bool is_fast = s.is != primitive::divide && s.is != primitive::reciprocal && s.is != primitive::sqrt &&
                       s.from != type_id::float16 && s.to != type_id::float16;
        for (int n = 0; n < s.ninputs; ++n) is_fast &= p_.slots[s.inputs[n]].where != place::strided;
        return is_fast;
    }

    // Whether the code only computes the elements of a sum, in blocks that are nodes of the tree.
    bool reduces(slot_set const& computed) const noexcept {
        plan const& source = *p_.source;
        if (set_ != instruction_set::avx512 || source.nreductions != 1 || source.nstores > 0 || source.selection ||
            source.ndim == 0 || !source.reduced || !source.reduced[source.ndim - 1] || p_.nslots + 3 > max_slots)
            return false;
        plan_reduction const& r = source.reductions[0];
        bool const sum = r.aggregate == ops::aggregate_number<ops::aggregate::sum> ||
                         r.aggregate == ops::aggregate_number<ops::aggregate::mean>;
        if (!sum || !r.out.base ||  // kept for another reader (selection.cpp)
            r.value == 0 || source.values[r.value].dtype != type_id::float64 || !computed[r.value])
            return false;
        std::int64_t run = 1;
        for (int d = source.ndim - std::max(source.run_dims, 1); d < source.ndim; ++d) run *= source.shape[d];
        bool const apart = (p_.space.by_rows && source.ndim > 1) || run * 2 > block_elements;
        return apart &&
               std::none_of(p_.code, p_.code + nfront_, [](instruction const& i) { return reads_values(i.inspect); });
    }

    // Only where blocks begin where a vector of the output does: those of a reduction begin where its tree says.
    bool streams(std::uint16_t result) const noexcept {
        return p_.source->nreductions == 0 && p_.noutputs == 1 && p_.outputs[0].value == result &&
               p_.outputs[0].streamed && is_aligned(p_.outputs[0]);
    }

    // Of the run that was described last.
    int bytes_stored_at_once(std::uint16_t result) const noexcept {
        int widest = 1;
        for (int k = 0; k < text_.nsteps; ++k)
            widest = std::max({widest, itemsize(text_.steps[k].from), itemsize(text_.steps[k].to)});
        int const vector = set_ == instruction_set::avx512 ? avx512_codegen::bytes_for(text_) : avx2_codegen::bytes;
        return vector / widest * itemsize(text_.type[result]);
    }

    bool is_aligned(output const& o) const noexcept {
        auto positions = reinterpret_cast<std::intptr_t>(o.out->base);
        for (int d = 0; d < p_.space.ndim; ++d) positions |= o.out->strides[d];
        return positions % p_.slots[o.value].itemsize == 0;
    }

    void describe_input(std::uint16_t in) noexcept {
        text_.computed[in] = text_.stored[in] = false;
        text_.number[in] = is_number(text_.type[in], p_.slots[in]);
        text_.single[in] = p_.slots[in].single;
        text_.stride[in] = static_cast<std::int8_t>(p_.slots[in].where == place::strided ? stride_of(p_.slots[in]) : 1);
        text_.fetched[in] = is_fetched(p_.slots[in]);
        find_leader(in);
    }

    // An input that this code reads and whose address is at most a vector away, in every block.
    void find_leader(std::uint16_t in) noexcept {
        slot const& s = p_.slots[in];
        text_.leader[in] = in, text_.behind[in] = 0;
        if (s.single || text_.type[in] == type_id::bool_ ||
            !(s.where == place::flat || (s.where == place::rows && p_.space.by_rows)))
            return;
        for (int k = 0; k < nleaders_; ++k) {
            slot const& other = p_.slots[leaders_[k]];
            std::ptrdiff_t const bytes = s.base - other.base;
            if (leaders_[k] == in) return;
            if (std::abs(bytes) >= avx512_codegen::bytes || bytes % s.itemsize != 0 || other.where != s.where ||
                other.itemsize != s.itemsize || !has_strides_of(s, other))
                continue;
            follows_any_ = true;
            text_.leader[in] = leaders_[k], text_.behind[in] = static_cast<std::int8_t>(bytes / s.itemsize);
            return;
        }
        leaders_[nleaders_++] = in;
    }

    bool has_strides_of(slot const& a, slot const& b) const noexcept {
        return a.where == place::flat || std::equal(a.strides, a.strides + p_.space.ndim, b.strides);
    }

    bool follows(std::uint16_t in) const noexcept { return !text_.computed[in] && text_.leader[in] != in; }

    // One value that is known by now, and not NaN.
    static bool is_number(type_id t, slot const& s) noexcept {
        if (s.where != place::fixed || !s.base) return false;
        auto const is_number_of = [&](auto x) {
            std::memcpy(&x, s.base, sizeof x);
            return x == x;
        };
        return t == type_id::float64 ? is_number_of(0.0) : t == type_id::float32 && is_number_of(0.0f);
    }

    // Memory has a rest while blocks are reduced; and rows end before the processor has seen where they lead.
    bool is_fetched(slot const& s) const noexcept {
        return (prefetches_streams && p_.source->nreductions > 0 && s.where == place::flat) ||
               (p_.streams && s.where == place::rows && comes_first(s));
    }

    // Among the rows of one array that are read side by side: the one that is first to need a line from memory.
    bool comes_first(slot const& s) const noexcept {
        constexpr std::ptrdiff_t kept_in_cache = 1 << 20;
        for (int k = 0; k < p_.nmoving; ++k) {
            slot const& other = p_.slots[p_.moving[k]];
            std::ptrdiff_t const ahead = other.where == place::rows ? other.base - s.base : 0;
            if (ahead > 0 && ahead < kept_in_cache) return false;
        }
        return true;
    }

    kernel find_or_write() const noexcept {
        if (key_.overflow) return nullptr;
        bool refused;
        kernel const found = find_code(key_, refused);
        if (found || refused || !may_write_) return found;
        return set_ == instruction_set::avx512 ? written<avx512_codegen>(text_, key_)
                                               : written<avx2_codegen>(text_, key_);
    }

    void join(int first, int length, kernel code) noexcept {
        if (table_ == 0) {
            table_ = p_.nslots++;
            p_.slots[table_] = {nullptr, nullptr, place::table, 8, true, 0, false};
        }
        fused_ = {};
        fused_.run = code;
        fused_.d = fused_.a = fused_.b = fused_.c = static_cast<std::uint16_t>(table_);
        fused_.op = op_other;
        fused_.value = fused_.second = rest_[first].value;
        last_.reset();
        for (int k = first; k < first + length; ++k) {
            instruction const& i = rest_[k];
            if (i.inspect != inspection::none) inspect(i, steps_[k].is, length == 1);
            if (text_.stored[i.d]) {
                keep_apart(i.d, first, length);
                if (text_.streamed[i.d]) p_.streamed_vector = bytes_stored_at_once(i.d);
                if (first + length == nrest_) last_.set(i.d);
            }
        }
        p_.rereads |= fused_.pair || fused_.rounds;
        p_.joins |= text_.njoined > 0;
        if (text_.reduced == 0) return;
        p_.leaf_ends = static_cast<std::uint16_t>(text_.leaf_ends);
        p_.pairwise_sums = static_cast<std::uint16_t>(text_.pairwise_sums);
        p_.slots[p_.leaf_ends] = p_.slots[p_.pairwise_sums] = {nullptr, nullptr, place::fixed, 8, true, 0, false};
        p_.nslots += 2;
    }

    // An error of the code may be that of another step, or of a reciprocal that is not used: a careful program finds
    // it. A single operation on float16 has its errors for itself, and so has a sum, a difference or a product.
    void inspect(instruction const& i, primitive is, bool alone) noexcept {
        fused_.inspect = inspection::hardware, fused_.wanted |= i.wanted;
        fused_.value = i.value, fused_.second = i.second;
        bool const simple = is == primitive::add || is == primitive::subtract || is == primitive::multiply;
        fused_.rounds = alone && i.rounds, fused_.pair = !fused_.rounds && !(alone && simple);
    }

    // A result that is wider than an input may not overwrite it: it would run ahead of it.
    void keep_apart(int result, int first, int length) noexcept {
        slot& r = p_.slots[result];
        for (int k = first; k < first + length; ++k)
            for (int n = 0; n < steps_[k].ninputs; ++n) {
                slot const& in = p_.slots[steps_[k].inputs[n]];
                if (text_.computed[steps_[k].inputs[n]] || in.where != place::reg || in.reg != r.reg) continue;
                if (in.itemsize < r.itemsize || in.single) r.reg = static_cast<std::uint8_t>(registers_++);
            }
    }

    void drop_unused_fills() noexcept {
        int kept = 0;
        for (int k = 0; k < p_.ninstructions; ++k)
            if (k >= nfront_ || p_.code[k].op != op_fill || called_[p_.code[k].d]) p_.code[kept++] = p_.code[k];
        p_.ninstructions = kept;
    }

    static constexpr int single_bit = 0x8000, number_bit = 0x1000, fetched_bit = 0x4000, streamed_bit = 0x4000,
                         reduced_bit = 0x2000, joined_bit = 0x1000, follows_bit = 0x0800, stride_shift = 8;

    program& p_;
    instruction_set const set_;
    policy const policy_;
    int& registers_;
    bool const may_write_;
    bool lacks_kernel_ = false, may_join_ = false, follows_any_ = false;
    struct replaced {
        std::uint16_t moving, there;  // index among the moving slots; the slot
    };
    int nfront_ = 0, nrest_ = 0, table_ = 0, nreplaced_ = 0, nleaders_ = 0;
    std::uint16_t leaders_[max_slots];
    replaced replaced_[max_plan_values];
    slot_set last_, called_;
    instruction fused_, rest_[max_slots];
    step steps_[max_slots];
    int last_use_[max_slots];
    std::uint16_t alias_[max_slots];
    loop_text text_;
    code_key key_;
};

}  // namespace

// Not inlined, because it keeps a copy of the program: operations without a kernel must be fused, and if that fails,
// the compiler starts again.
static __attribute__((noinline)) bool fuse_float16(program& p, policy how, int& registers, slot_set& last) noexcept {
    program const before = p;
    int const registers_before = registers;
    fuser f(p, instruction_set::avx512, how, registers);
    last = f.run(true);
    if (f.failed()) p = before, registers = registers_before;
    return !f.failed();
}

bool is_built() noexcept { return true; }
policy current() noexcept { return setting(); }
void use(policy p) noexcept { setting() = p; }

bool pairs_vectors() noexcept { return pairing(); }
void pair_vectors(bool wanted) noexcept { pairing() = wanted; }

bool narrows_vectors() noexcept { return narrowing(); }
void narrow_vectors(bool wanted) noexcept { narrowing() = wanted; }

// The instruction set of a program's kernels.
static instruction_set set_for(program const& p) noexcept {
    return p.kernels == kernels_of("avx512") ? instruction_set::avx512 : instruction_set::avx2;
}

static bool is_written_for(program const& p, policy how) noexcept {
    return how != policy::off && (p.kernels == kernels_of("avx512") || p.kernels == kernels_of("avx2"));
}

static bool is_looked_at(program const& p, int registers) noexcept {
    policy const how = setting();
    if (p.ninstructions < 1 || p.ninstructions + registers > most_registers || p.nslots == max_slots) return false;
    if (!is_written_for(p, how)) return false;
    return how == policy::always || p.space.total >= least_elements;
}

bool reads_strided(program const& p, std::int64_t bytes, int itemsize) noexcept {
    return is_written_for(p, setting()) && elements_apart(bytes, itemsize) != 0;
}

bool fuses_all(program const& p, int registers) noexcept {
    return is_looked_at(p, registers) && std::all_of(p.code, p.code + p.ninstructions, [&](instruction const& i) {
               return i.single || i.op == op_fill || step_of(p, i, set_for(p)).is != primitive::none;
           });
}

slot_set fuse(program& p, int& registers) noexcept {
    if (!is_looked_at(p, registers)) return {};
    instruction_set const set = set_for(p);
    slot_set last;
    if (set == instruction_set::avx512 && has_float16_arithmetic() && widens_float16(p) &&
        fuse_float16(p, setting(), registers, last))
        return last;
    return fuser(p, set, setting(), registers).run();
}

}  // namespace bascule::cpu::jit
