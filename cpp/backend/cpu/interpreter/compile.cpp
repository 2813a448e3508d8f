#include "backend/cpu/interpreter/compile.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>

#include "backend/cpu/common/last_error.hpp"
#include "backend/cpu/copy/interleave.hpp"
#include "backend/cpu/interpreter/block_length.hpp"
#include "backend/cpu/interpreter/streaming.hpp"
#include "backend/cpu/jit/jit.hpp"
#include "backend/cpu/program/op_traits.hpp"
#include "backend/cpu/program/pairwise_sums.hpp"
#include "bascule/sched/thread_pool.hpp"

namespace bascule::cpu {
namespace {

using ops::primitive;

// Rough costs in nanoseconds, of a float64 addition and of moving a byte through memory: for choices, not for results.
constexpr float addition_ns = 0.12f, byte_ns = 0.05f;
// Machine code computes in registers, in this part of the time that one operation after the other takes.
constexpr float fused_share = 0.25f;

class compiler {
public:
    compiler(program& p, plan const& source, bool careful) noexcept : p_(p), plan_(source), careful_(careful) {}

    bool run() noexcept {
        count_uses();
        if (!careful_ && plan_.nvalues >= 3) find_pairs();
        p_.nslots = plan_.nvalues;
        for (int v = 0; v < plan_.nvalues; ++v)
            if (!place_value(static_cast<std::uint16_t>(v))) return false;
        p_.cost += computing_;
        if (!careful_) {
            find_interleaved_loads(p_);
            if (passes_caches(p_, widest_) && jit::fuses_all(p_, high_water_))
                computing_ *= fused_share;  // nothing smaller needs this
            describe_outputs();
            p_.interleaves = order_interleaved(p_);
            fused_last_ = jit::fuse(p_, high_water_);
            order_outputs();
        }
        if (high_water_ > 250)
            return fail(plan_.nvalues - 1, "more than 250 values of a fused expression are alive at once");
        p_.block = length_of_blocks(p_, high_water_, widest_, careful_);
        p_.nregisters = high_water_;
        p_.register_bytes = (static_cast<std::int64_t>(p_.block) * widest_ + 127) / 64 * 64;  // whole lines, and one
        return true;
    }

private:
    plan_value const& value(int v) const noexcept { return plan_.values[v]; }
    slot& at(int v) noexcept { return p_.slots[v]; }
    bool is_op(int v, primitive r) const noexcept {
        return value(v).kind == value_kind::op && traits_of(value(v).op).computes == r;
    }
    bool is_real(int v) const noexcept {
        return value(v).dtype == type_id::float64 || value(v).dtype == type_id::float32;
    }

    bool fail(int v, char const* why) noexcept {
        p_.fault = why;
        p_.faulty_value = static_cast<std::uint16_t>(v);
        return false;
    }

    void count_uses() noexcept {
        int const n = plan_.nvalues;
        std::memset(uses_, 0, static_cast<std::size_t>(n) * sizeof uses_[0]);
        std::memset(fused_, 0, static_cast<std::size_t>(n));
        std::memset(has_partner_, 0, static_cast<std::size_t>(n));
        std::memset(holds_another_, 0, static_cast<std::size_t>(n));
        for (int s = 0; s < plan_.nstores; ++s) uses_[plan_.stores[s].value] += kept;
        for (int r = 0; r < plan_.nreductions; ++r) uses_[plan_.reductions[r].value] += kept;
        for (int v = n - 1; v >= 0; --v) {
            if (!uses_[v] || value(v).kind != value_kind::op) continue;
            for (int k = 0; k < value(v).nargs; ++k) ++uses_[value(v).args[k]];
        }
    }

    // A product used once, by an addition or subtraction of the same real type, is computed inside that instruction,
    // and a division that is a product as well; so is a sum used once, by an addition. The sine and the cosine of one
    // value come from one instruction.
    void find_pairs() noexcept {
        for (int v = 0; v < plan_.nvalues; ++v) {
            if (!uses_[v] || !is_real(v) || value(v).kind != value_kind::op) continue;
            primitive const r = traits_of(value(v).op).computes;
            if ((r == primitive::add || r == primitive::subtract) && !find_product(v) && r == primitive::add)
                find_sum(v);
            else if (r == primitive::cos || r == primitive::sin) find_partner(v, r);
        }
    }

    bool find_product(int v) noexcept {
        for (int k = 1; k >= 0; --k) {
            int const product = value(v).args[k];
            if (uses_[product] != 1 || !is_product(product)) continue;
            fused_[product] = holds_another_[v] = true;
            reciprocals_wanted_ += is_op(product, primitive::divide);
            return true;
        }
        return false;
    }

    void find_sum(int v) noexcept {
        for (int k = 1; k >= 0; --k) {
            int const sum = value(v).args[k];
            if (uses_[sum] != 1 || !is_op(sum, primitive::add) || holds_another_[sum]) continue;
            if (!varies(value(sum).args[0]) || !varies(value(sum).args[1]) || !varies(value(v).args[1 - k])) continue;
            fused_[sum] = holds_another_[v] = true;
            return;
        }
    }

    // Not plainly one value for a whole block.
    bool varies(int v) const noexcept {
        if (value(v).kind != value_kind::load) return value(v).kind != value_kind::constant;
        plan_operand const& o = plan_.operands[value(v).operand];
        layout const lies = layout_of(p_.space, o.strides, itemsize(o.dtype));
        return lies != layout::scalar && lies != layout::row_scalar;
    }

    bool is_product(int v) const noexcept {
        return is_op(v, primitive::multiply) ||
               (is_op(v, primitive::divide) && reciprocals_wanted_ < max_reciprocals && multiplies(v));
    }

    void find_partner(int v, primitive r) noexcept {
        primitive const other = r == primitive::sin ? primitive::cos : primitive::sin;
        for (int w = v + 1; w < plan_.nvalues; ++w)
            if (uses_[w] && is_op(w, other) && value(w).args[0] == value(v).args[0] && !fused_[w]) {
                partner_[v] = static_cast<std::uint8_t>(w);
                fused_[w] = has_partner_[v] = true;
                return;
            }
    }

    bool place_value(std::uint16_t v) noexcept {
        if (fused_[v]) return true;
        slot& s = at(v);
        s = {nullptr, nullptr, place::unused, static_cast<std::uint8_t>(itemsize(value(v).dtype)), false, 0, false};
        if (!uses_[v]) return true;
        if (s.itemsize > widest_) widest_ = s.itemsize;
        switch (value(v).kind) {
            case value_kind::load: place_load(v, s, plan_.operands[value(v).operand]); return true;
            case value_kind::constant: fix(s, plan_.constants[value(v).operand].bytes); return true;
            case value_kind::iota:
                s.where = place::counted;
                s.strides = plan_.iotas[value(v).operand].strides;
                s.single = first_is_enough(v, s);
                s.reg = own_register();
                p_.moving[p_.nmoving++] = v;
                p_.cost += addition_ns;
                return true;
            default: return place_op(v, s);
        }
    }

    // Whether only the first of consecutive positions is needed, because all readers are kernels that count on from it.
    bool first_is_enough(int v, slot const& s) const noexcept {
        if (uses_[v] >= kept || layout_of(p_.space, s.strides, 1) != layout::flat) return false;
        for (int w = v + 1; w < plan_.nvalues; ++w) {
            if (!uses_[w] || value(w).kind != value_kind::op) continue;
            for (int k = 0; k < value(w).nargs; ++k)
                if (value(w).args[k] == v && !traits_of(value(w).op).is_counter) return false;
        }
        return true;
    }

    // Whether the value is the first of consecutive positions, not one position for all.
    bool counts_on(int v) noexcept { return at(v).where == place::counted && at(v).single; }

    static void fix(slot& s, void const* constant) noexcept {
        s.where = place::fixed;
        s.single = true;
        s.base = static_cast<char*>(const_cast<void*>(constant));
    }

    void place_load(std::uint16_t v, slot& s, plan_operand const& o) noexcept {
        layout const shape = layout_of(p_.space, o.strides, s.itemsize);
        if (shape == layout::scalar) return fix(s, o.base);
        s.base = static_cast<char*>(o.base);
        s.strides = o.strides;
        s.single = shape == layout::row_scalar;
        s.where = shape == layout::flat   ? place::flat
                  : s.single              ? place::per_row
                  : shape == layout::rows ? place::rows
                                          : place::packed;
        if (s.where == place::packed || (s.where == place::rows && !p_.space.by_rows)) {
            s.reg = own_register();
            s.repeats = repeats(o.strides);
        }
        p_.moving[p_.nmoving++] = v;
        p_.cost += s.where == place::packed ? 0.5f : byte_ns * static_cast<float>(s.itemsize);
    }

    bool repeats(std::int64_t const* strides) const noexcept {
        for (int d = 0; d < p_.space.ndim - 1; ++d)
            if (strides[d] != 0 && p_.space.shape[d] != 1) return false;
        return p_.space.ndim > 1;
    }

    // Registers of loads keep their content from block to block and are never shared.
    std::uint8_t own_register() noexcept { return static_cast<std::uint8_t>(high_water_++); }
    std::uint8_t new_register() noexcept { return nfree_ ? free_[--nfree_] : own_register(); }

    void release(int v) noexcept {
        if (v < plan_.nvalues && --uses_[v] == 0 && at(v).where == place::reg) free_[nfree_++] = at(v).reg;
    }

    bool place_op(std::uint16_t v, slot& s) noexcept {
        op_traits const& t = traits_of(value(v).op);
        s.where = place::reg;
        instruction i{};
        i.value = i.second = i.d = v;
        int inputs[4], ninputs = value(v).nargs;
        for (int k = 0; k < ninputs; ++k) inputs[k] = value(v).args[k];
        if (int const k = fused_argument(v, t); k >= 0) {
            ninputs = 3;
            if (!form_pair(v, k, i, inputs)) return false;
        } else if (!choose_kernel(v, t, i, inputs, ninputs)) {
            return false;
        }
        bool single = !(t.is_counter && counts_on(inputs[0]));
        for (int k = 0; k < ninputs; ++k) single &= at(inputs[k]).single;
        i.single = s.single = single;
        i.a = static_cast<std::uint16_t>(inputs[0]);
        i.b = static_cast<std::uint16_t>(inputs[ninputs > 1 ? 1 : 0]);
        i.c = static_cast<std::uint16_t>(inputs[ninputs > 2 ? 2 : 0]);
        inspect(v, i);
        take_register(s, reads_values(i.inspect), inputs, ninputs);
        if (has_partner_[v]) place_partner(v, s, i);
        computing_ += traits_of(i.op < max_ops ? i.op : value(v).op).cost * addition_ns *
                      static_cast<float>(s.itemsize) / 8;
        p_.code[p_.ninstructions++] = i;
        return true;
    }

    // An input that dies here gives its register to the result, unless it is still needed, or its items are narrower:
    // the loop would then overwrite some before it has read them.
    void take_register(slot& s, bool apart, int const* inputs, int ninputs) noexcept {
        for (int k = 0; k < ninputs; ++k)
            if (!apart && at(inputs[k]).itemsize >= s.itemsize) release(inputs[k]);
        s.reg = new_register();
        for (int k = 0; k < ninputs; ++k)
            if (apart || at(inputs[k]).itemsize < s.itemsize) release(inputs[k]);
    }

    void place_partner(int v, slot const& s, instruction& i) noexcept {
        int const w = partner_[v];
        bool const apart = reads_values(i.inspect);
        if (!apart) release(i.a);
        at(w) = s;
        at(w).reg = new_register();
        if (apart) release(i.a);
        bool const sine_first = is_op(v, primitive::sin);
        i.run = p_.kernels->sincos[value(v).dtype == type_id::float64];
        i.op = op_other;
        i.d = static_cast<std::uint16_t>(sine_first ? v : w);
        i.b = static_cast<std::uint16_t>(sine_first ? w : v);
        i.second = static_cast<std::uint16_t>(w);
    }

    // The errors that the second value of a pair is checked for are looked for too.
    void inspect(int v, instruction& i) noexcept {
        plan_value const& x = value(v);
        i.wanted = x.check;
        if (i.pair) i.wanted |= value(i.second).check;
        if (has_partner_[v]) i.wanted |= value(partner_[v]).check;
        if (!i.wanted) return;
        plan_value asked = x;
        asked.check = i.wanted;
        i.inspect = inspection_of(asked, value(x.args[0]).dtype, *p_.kernels);
        p_.inspects |= i.inspect != inspection::none;
        p_.rereads |= reads_values(i.inspect) || (i.pair && i.inspect != inspection::none);
    }

    int fused_argument(int v, op_traits const& t) const noexcept {
        if (t.computes != primitive::add && t.computes != primitive::subtract) return -1;
        for (int k = 0; k < 2; ++k)
            if (int const x = value(v).args[k];
                fused_[x] && (is_op(x, primitive::multiply) || is_op(x, primitive::divide) || is_op(x, primitive::add)))
                return k;
        return -1;
    }

    bool form_pair(int v, int k, instruction& i, int* inputs) noexcept {
        int const product = value(v).args[k];
        i.pair = true, i.second = static_cast<std::uint16_t>(product);
        if (is_op(product, primitive::add)) return form_sum(v, k, i, inputs);
        bool const minus = is_op(v, primitive::subtract), product_last = minus && k == 1;
        int const other = value(v).args[1 - k];
        int x = value(product).args[0],
            y = is_op(product, primitive::divide) ? reciprocal_of(product) : value(product).args[1];
        if (at(x).single) {
            int const swapped = x;
            x = y;
            y = swapped;
        }
        inputs[0] = product_last ? other : x;
        inputs[1] = product_last ? x : y;
        inputs[2] = product_last ? y : other;
        if (at(inputs[0]).single && !(at(inputs[1]).single && at(inputs[2]).single)) inputs[0] = broadcast(inputs[0]);
        std::uint16_t const op = op_that_computes(!minus         ? primitive::multiply_add
                                                  : product_last ? primitive::subtract_multiply
                                                                 : primitive::multiply_subtract);
        i.op = op, i.type = value(v).dtype;
        i.run = p_.kernels->op[op][static_cast<int>(value(v).dtype)][scalar_bits(inputs[1], inputs[2])];
        computing_ += addition_ns;
        return i.run || fail(v, "no kernel for a product inside a sum");
    }

    bool form_sum(int v, int k, instruction& i, int* inputs) noexcept {
        plan_value const& first = value(value(v).args[k]);
        inputs[0] = first.args[0], inputs[1] = first.args[1], inputs[2] = value(v).args[1 - k];
        bool const all_single = at(inputs[0]).single && at(inputs[1]).single && at(inputs[2]).single;
        for (int n = 0; n < 3 && !all_single; ++n)
            if (at(inputs[n]).single) inputs[n] = broadcast(inputs[n]);
        i.op = op_add_add, i.type = value(v).dtype;
        i.run = p_.kernels->add_add[value(v).dtype == type_id::float64];
        computing_ += addition_ns;
        return true;
    }

    int scalar_bits(int b, int c) noexcept { return (at(b).single ? 1 : 0) | (at(c).single ? 2 : 0); }

    int new_slot(slot const& s) noexcept {
        at(p_.nslots) = s;
        return p_.nslots++;
    }

    // A register filled with a single value, for the rare kernels that have no variant with a scalar there.
    int broadcast(int v) noexcept {
        int const size = at(v).itemsize;
        int const filled =
            new_slot({nullptr, nullptr, place::reg, static_cast<std::uint8_t>(size), false, own_register(), false});
        instruction i{};
        i.op = op_fill;
        i.run = p_.kernels->fill[size_class(size)];
        i.d = static_cast<std::uint16_t>(filled);
        i.a = i.b = i.c = i.value = static_cast<std::uint16_t>(v);
        p_.code[p_.ninstructions++] = i;
        release(v);
        return filled;
    }

    bool choose_kernel(int v, op_traits const& t, instruction& i, int* inputs, int& ninputs) noexcept {
        kernel_table const& k = *p_.kernels;
        int const to = static_cast<int>(value(v).dtype);
        int const last = t.is_distribution ? to : static_cast<int>(value(inputs[ninputs - 1]).dtype);
        auto const& kernels = k.op[value(v).op];
        i.op = value(v).op, i.type = value(inputs[ninputs - 1]).dtype;
        if (t.is_cast) {
            i.run = k.cast[last][to];
        } else if (t.is_counter) {
            i.run = kernels[to][counts_on(inputs[0]) ? ss : vs];
        } else if (ninputs == 1) {
            i.run = kernels[last][vv];
        } else if (ninputs == 2) {
            bool const a = at(inputs[0]).single, b = at(inputs[1]).single;
            i.run = kernels[last][a == b ? vv : b ? vs : sv];
            if (b && !a && !careful_) simplify(v, t, i, inputs, ninputs);
        } else {
            bool const singles = at(inputs[1]).single && at(inputs[2]).single;
            if (at(inputs[0]).single && !singles) inputs[0] = broadcast(inputs[0]);
            i.run = kernels[last][scalar_bits(inputs[1], inputs[2])];
        }
        return i.run || fail(v, "no kernel for this operation and element type");
    }

    // x / 2^k is x * 2^-k and x ** 2 is x * x, bit for bit.
    void simplify(int v, op_traits const& t, instruction& i, int* inputs, int& ninputs) noexcept {
        if (t.computes == primitive::divide && reciprocals_wanted_ < max_reciprocals && multiplies(v)) {
            ++reciprocals_wanted_;
            inputs[1] = reciprocal_of(v);
            i.op = op_that_computes(primitive::multiply);
            i.run = p_.kernels->op[i.op][static_cast<int>(value(v).dtype)][vs];
        } else if (t.computes == primitive::power && divisor_or_exponent(v) == 2) {
            release(inputs[1]);
            ninputs = 1;
            i.op = op_that_computes(primitive::square);
            i.run = p_.kernels->op[i.op][static_cast<int>(value(v).dtype)][vv];
        }
    }

    // The constant that a real value is divided by or raised to; NaN where it is none.
    double divisor_or_exponent(int v) const noexcept {
        int const x = value(v).args[1];
        if (value(x).kind != value_kind::constant || !is_real(v) || !is_real(value(v).args[0]))
            return std::numeric_limits<double>::quiet_NaN();
        plan_constant const& c = plan_.constants[value(x).operand];
        return value(v).dtype == type_id::float64 ? c.f64[0] : static_cast<double>(c.f32[0]);
    }
    bool multiplies(int v) const noexcept { return exact_reciprocal(divisor_or_exponent(v)); }

    // A slot that holds the reciprocal of a division's constant.
    int reciprocal_of(int v) noexcept {
        int const divisor = value(v).args[1];
        plan_constant& reciprocal = p_.reciprocals[p_.nreciprocals++];
        double const exact = 1 / divisor_or_exponent(v);
        if (value(v).dtype == type_id::float64) reciprocal.f64[0] = exact;
        else reciprocal.f32[0] = static_cast<float>(exact);
        release(divisor);
        slot s = at(divisor);
        fix(s, reciprocal.bytes);
        return new_slot(s);
    }

    // Powers of two whose reciprocal is a normal number in both types.
    static bool exact_reciprocal(double x) noexcept {
        std::uint64_t bits;
        std::memcpy(&bits, &x, sizeof bits);
        int const exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
        return (bits & 0xfffffffffffffull) == 0 && exponent > -120 && exponent < 120;
    }

    void describe_outputs() noexcept {
        p_.noutputs = plan_.nstores;
        for (int s = 0; s < plan_.nstores; ++s) {
            plan_store const& store = plan_.stores[s];
            p_.outputs[s] = {store.value, layout_of(p_.space, store.out.strides, at(store.value).itemsize), false,
                             false, &store.out};
            p_.cost += byte_ns * static_cast<float>(at(store.value).itemsize);
        }
        for (int s = 0; s < p_.noutputs; ++s) p_.streams |= p_.outputs[s].streamed = is_streamed(p_.outputs[s]);
    }

    void order_outputs() noexcept {
        if (p_.joins) {
            for (int k = 0; k < p_.noutputs; ++k) p_.outputs[k].direct = true;
            p_.interleaves = false;
        }
        if (p_.joins || p_.interleaves) return;
        std::partition(p_.outputs, p_.outputs + p_.noutputs,
                       [&](output const& o) { return !overwrites_input(*o.out); });
        if (p_.ninstructions) find_direct_output(p_.code[p_.ninstructions - 1]);
    }

    // Only where the plan is bound by memory: stores past the caches come in bursts, between which costly ops leave the
    // memory idle.
    bool is_streamed(output const& o) const noexcept {
        slot const& s = p_.slots[o.value];
        bool const computed_rows = o.shape == layout::rows && p_.space.by_rows && p_.ninstructions > 0;
        bool const contiguous = o.shape == layout::flat || computed_rows;
        return contiguous && !s.single && passes_caches(p_, s.itemsize) && computing_ < p_.cost / 3 &&
               !overwrites_input(*o.out);
    }

    void find_direct_output(instruction const& last) noexcept {
        bool const fused = fused_last_.any();
        for (int s = 0; s < p_.noutputs; ++s) {
            output& o = p_.outputs[s];
            bool const fits = o.shape == layout::flat || (o.shape == layout::rows && p_.space.by_rows);
            bool const computed = fused ? fused_last_[o.value] : o.value == last.value && last.d == last.value;
            if ((o.streamed && p_.streamed_vector == 0) || !computed || last.single || !fits ||
                (input_is_read_later() && overwrites_input(*o.out)))
                continue;
            o.direct = true;
            if (!fused) return;
            fused_last_.reset(o.value);
        }
    }

    // Other outputs may be copies of the input, and a block whose result is not finite is computed again from its
    // inputs.
    bool input_is_read_later() const noexcept { return p_.rereads || plan_.nstores > 1 || plan_.nreductions > 0; }

    bool overwrites_input(plan_operand const& out) const noexcept { return cpu::overwrites_input(plan_, out); }

    static constexpr int max_reciprocals = sizeof program{}.reciprocals / sizeof(plan_constant);
    static constexpr std::uint16_t kept = 1024;  // added to a count: the value must last to the end of the block

    program& p_;
    plan const& plan_;
    bool const careful_;
    float computing_ = 0;       // the part of the cost that is not memory's
    jit::slot_set fused_last_;  // results of a fused last instruction that it does not write in place yet
    int high_water_ = 0, nfree_ = 0, widest_ = 1, reciprocals_wanted_ = 0;
    std::uint16_t uses_[max_plan_values];
    bool fused_[max_plan_values], has_partner_[max_plan_values];
    bool holds_another_[max_plan_values];  // its instruction also computes a product or a sum
    std::uint8_t partner_[max_plan_values];
    std::uint8_t free_[max_plan_values];
};

}  // namespace

// Whether an operand is contiguous, or the same, within rows alone, or code reads its rows in place.
static bool looks_at_rows(program const& p) noexcept {
    plan const& source = *p.source;
    geometry const& g = p.space;
    constexpr std::int64_t repaid = 8 * block_elements;
    auto const of_rows = [&](plan_operand const& o, plan_value const& v) {
        layout const shape = layout_of(g, o.strides, itemsize(v.dtype));
        return shape == layout::rows || shape == layout::row_scalar;
    };
    for (int v = 0; v < source.nvalues; ++v) {
        plan_value const& x = source.values[v];
        if (x.kind != value_kind::load) continue;
        plan_operand const& o = source.operands[x.operand];
        bool const apart = g.total >= repaid && jit::reads_strided(p, o.strides[g.ndim - 1], itemsize(x.dtype));
        if (apart || of_rows(o, x)) return true;
    }
    for (int s = 0; s < source.nstores; ++s)
        if (of_rows(source.stores[s].out, source.values[source.stores[s].value])) return true;
    return false;
}

bool compile(program& p, plan const& source, kernel_table const& kernels, bool careful) noexcept {
    p.source = &source;
    p.kernels = &kernels;
    p.space = geometry_of(source);
    if (p.space.by_rows && p.space.ndim > 1 && p.space.inner < block_elements && source.nreductions == 0)
        p.space.by_rows = looks_at_rows(p);
    return compiler(p, source, careful).run();
}

status refuse(program const& p) noexcept {
    plan_value const& v = p.source->values[p.faulty_value];
    char text[256];
    std::snprintf(text, sizeof text, "[cpu] value %d (op %d, type %d): %s", p.faulty_value, v.op,
                  static_cast<int>(v.dtype), p.fault);
    set_last_error(text);
    return status::not_supported;
}

}  // namespace bascule::cpu
