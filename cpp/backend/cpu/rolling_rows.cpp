#include "backend/cpu/rolling_rows.hpp"

#include <algorithm>
#include <bitset>

namespace bascule::cpu {
namespace {

// A few rows, in and out, are to stay in the second cache; and so many loads must be spared to repay a detour by
// memory.
constexpr std::int64_t longest_row = 4 * block_elements, least_rows = 4;
constexpr int most_instructions = 32, least_spared = 4;

struct series {
    int code[most_rolling];
    int length = 0, spared = 0;
};

class finder {
public:
    explicit finder(program const& p) noexcept : p_(p) {}

    series longest() const noexcept {
        series best;
        for (int k = 0; k < p_.ninstructions; ++k) {
            series const s = from(k);
            if (s.spared > best.spared) best = s;
        }
        return best;
    }

private:
    series from(int first) const noexcept {
        series s;
        int const loads = loads_of(p_.code[first]);
        if (loads == 0) return s;
        for (int k = first; k >= 0 && s.length < most_rolling; k = below(k)) s.code[s.length++] = k;
        s.spared = loads * (s.length - 1);
        return s;
    }

    int below(int k) const noexcept {
        for (int j = 0; j < p_.ninstructions; ++j)
            if (is_below(p_.code[k], p_.code[j])) return j;
        return -1;
    }

    bool is_row(std::uint16_t s) const noexcept { return p_.slots[s].where == place::rows; }

    // 0: it reads something else too, or tells of conditions by what it reads.
    int loads_of(instruction const& i) const noexcept {
        if (i.single || reads_values(i.inspect) || i.op == op_fill || is_stored(i.d)) return 0;
        int loads = 0;
        std::uint16_t const inputs[] = {i.a, i.b, i.c};
        for (int k = 0; k < 3; ++k) {
            if (!is_row(inputs[k]) && p_.slots[inputs[k]].where != place::fixed) return 0;
            loads += is_row(inputs[k]) && std::find(inputs, inputs + k, inputs[k]) == inputs + k;
        }
        return loads;
    }

    bool is_stored(std::uint16_t v) const noexcept {
        return std::any_of(p_.outputs, p_.outputs + p_.noutputs, [&](output const& o) { return o.value == v; });
    }

    bool is_below(instruction const& a, instruction const& b) const noexcept {
        return a.run == b.run && a.op == b.op && a.type == b.type && a.inspect == b.inspect && a.wanted == b.wanted &&
               p_.slots[a.d].itemsize == p_.slots[b.d].itemsize && loads_of(b) > 0 && lies_below(a.a, b.a) &&
               lies_below(a.b, b.b) && lies_below(a.c, b.c);
    }

    bool lies_below(std::uint16_t a, std::uint16_t b) const noexcept {
        if (!is_row(a)) return a == b;
        slot const &x = p_.slots[a], &y = p_.slots[b];
        return is_row(b) && x.itemsize == y.itemsize && std::equal(x.strides, x.strides + 2, y.strides) &&
               x.strides[0] != 0 && y.base - x.base == x.strides[0];
    }

    program const& p_;
};

// Those that roll before all others, and what only they read before what others read.
void put_in_front(program& p, series const& s) noexcept {
    for (int k = 0; k + 1 < s.length; ++k) p.code[s.code[k]].rolls = true;
    std::stable_partition(p.code, p.code + p.ninstructions, [](instruction const& i) { return i.rolls; });
    std::bitset<max_slots> read;
    for (int k = s.length - 1; k < p.ninstructions; ++k)
        for (std::uint16_t const in : {p.code[k].a, p.code[k].b, p.code[k].c}) read.set(in);
    for (int k = 0; k < p.noutputs; ++k) read.set(p.outputs[k].value);
    auto const others =
        std::stable_partition(p.moving, p.moving + p.nmoving, [&](std::uint16_t v) { return !read[v]; });
    p.nrolling_inputs = static_cast<int>(others - p.moving);
}

}  // namespace

void find_rolling(program& p, int& registers) noexcept {
    geometry const& g = p.space;
    if (!g.by_rows || g.ndim != 2 || g.inner > longest_row || g.total < least_rows * g.inner || p.source->nreductions ||
        p.from || p.nmoving < least_spared || p.ninstructions > most_instructions)
        return;
    series const s = finder(p).longest();
    if (s.spared < least_spared) return;
    for (int k = 0; k < s.length; ++k) {
        p.rolling[k] = p.code[s.code[k]].d;
        p.slots[p.rolling[k]].reg = static_cast<std::uint8_t>(registers++);
    }
    p.nrolling = s.length;
    put_in_front(p, s);
}

}  // namespace bascule::cpu
