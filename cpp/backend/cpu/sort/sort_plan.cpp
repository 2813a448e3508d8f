#include "backend/cpu/sort/sort_plan.hpp"

#include <bit>

namespace bascule::cpu::sorting {
namespace {

constexpr std::uint64_t all_bits = ~std::uint64_t{0};
constexpr std::uint64_t text_ends = 9;  // eighth byte of a text key from here on: more bytes follow

std::uint64_t text_key(sort_key const& c, std::int64_t row, std::int64_t from) noexcept {
    std::int64_t const begin = c.offsets[row] + from, left = c.offsets[row + 1] - begin;
    if (left < 0) return 0;
    auto const* const p = static_cast<unsigned char const*>(c.data) + begin;
    std::uint64_t bytes = 0;
    if (left >= 8) {
        std::memcpy(&bytes, p, 8);
        bytes = __builtin_bswap64(bytes) & ~std::uint64_t{0xff};
    } else {
        for (std::int64_t i = 0; i < std::min(left, text_step); ++i) bytes |= std::uint64_t{p[i]} << (56 - 8 * i);
    }
    return bytes | static_cast<std::uint64_t>(std::min(left, text_step + 1) + 1);
}

// Null codes are outside the codes of strings: their eighth byte is 1 to 9, or 0xf6 to 0xfe where flipped.
std::uint64_t text_code(key_part const& p, std::int64_t row) noexcept {
    if (!is_valid(p.column.validity, row)) return p.null_code;
    return ((text_key(p.column, row, p.from) ^ p.flip) - p.base) >> p.drop;
}

// Calls put(i, code) for i in [0, n); row(i) is the row.
template <class Row, class Put>
void for_each_code(key_part const& p, std::int64_t n, std::int64_t deep, Row const& row, Put const& put) noexcept {
    auto const* const validity = p.column.validity;
    if (p.kind == part_kind::null_flag) {
        for (std::int64_t i = 0; i < n; ++i) put(i, is_valid(validity, row(i)) ? p.base : p.null_code);
    } else if (p.kind == part_kind::text) {
        for (std::int64_t i = 0; i < n; ++i) put(i, text_code(p, row(i)));
    } else if (p.kind == part_kind::text_rest) {
        std::int64_t const from = p.from + text_step * deep;
        for (std::int64_t i = 0; i < n; ++i)
            put(i, is_valid(validity, row(i)) ? text_key(p.column, row(i), from) ^ p.flip : 0);
    } else {
        visit_key_type(p.column.dtype, [&](auto tag) {
            using T = typename decltype(tag)::type;
            value_codes<T> const code(p);
            if (validity == nullptr)
                for (std::int64_t i = 0; i < n; ++i) put(i, code(row(i)));
            else
                for (std::int64_t i = 0; i < n; ++i) put(i, is_valid(validity, row(i)) ? code(row(i)) : p.null_code);
        });
    }
}

struct statistics {
    std::uint64_t low = all_bits, high = 0, differ = 0;
    std::int64_t longest = 0;
    bool nulls = false;
    void include(std::uint64_t k) noexcept {
        low = std::min(low, k);
        high = std::max(high, k);
    }
    void merge(statistics const& s) noexcept {
        low = std::min(low, s.low);
        high = std::max(high, s.high);
        differ |= s.differ;
        longest = std::max(longest, s.longest);
        nulls |= s.nulls;
    }
};

template <class Scan> statistics gather_statistics(std::int64_t n, Scan const& scan) {
    row_blocks const work(n);
    std::vector<statistics> each(static_cast<std::size_t>(work.count));
    work.run([&](std::int64_t t, std::int64_t begin, std::int64_t end) {
        each[static_cast<std::size_t>(t)] = scan(begin, end);
    });
    statistics all;
    for (auto const& s : each) all.merge(s);
    return all;
}

statistics fixed_statistics(sort_key const& c, std::int64_t n) {
    return gather_statistics(n, [&](std::int64_t begin, std::int64_t end) {
        statistics s;
        visit_key_type(c.dtype, [&](auto tag) {
            using T = typename decltype(tag)::type;
            auto const* const data = static_cast<T const*>(c.data);
            for (std::int64_t i = begin; i < end; ++i) {
                if (is_valid(c.validity, i) && !normal<T>::is_null(data[i])) s.include(normal<T>::key(data[i]));
                else s.nulls = true;
            }
        });
        return s;
    });
}

statistics text_statistics(key_part const& p, std::int64_t n) {
    std::uint64_t const first = text_code(p, 0);
    return gather_statistics(n, [&](std::int64_t begin, std::int64_t end) {
        statistics s;
        for (std::int64_t i = begin; i < end; ++i) {
            std::uint64_t const code = text_code(p, i);
            s.include(code);
            s.differ |= code ^ first;
            if (is_valid(p.column.validity, i))
                s.longest = std::max(s.longest, p.column.offsets[i + 1] - p.column.offsets[i]);
        }
        return s;
    });
}

}  // namespace

sort_plan::sort_plan(argsort_args const& a) {
    for (std::int32_t k = 0; k < a.nkeys; ++k) {
        if (a.keys[k].offsets != nullptr) add_text(a.keys[k], a);
        else add_fixed(a.keys[k], a);
    }
    for (auto& level : levels_) {
        int used = 0;
        for (auto p = level.rbegin(); p != level.rend(); ++p) {
            p->shift = used;
            used += p->bits;
        }
    }
}

void sort_plan::add(key_part p) {
    if (p.bits == 0) return;
    int used = 0;
    bool closed = levels_.empty();
    if (!closed)
        for (auto const& q : levels_.back()) {
            used += q.bits;
            closed |= q.kind == part_kind::text_rest;
        }
    if (closed || p.kind == part_kind::text_rest || used + p.bits > 64) levels_.emplace_back();
    levels_.back().push_back(p);
}

void sort_plan::add_fixed(sort_key const& c, argsort_args const& a) {
    statistics const s = fixed_statistics(c, a.length);
    key_part p;
    p.column = c;
    if (s.low > s.high) return;  // nothing but null
    std::uint64_t const range = s.high - s.low;
    p.flip = c.ascending ? 0 : all_bits;
    p.base = c.ascending ? s.low : ~s.high;
    if (s.nulls && range == all_bits) {  // no number is left for null
        key_part flag = p;
        flag.kind = part_kind::null_flag;
        flag.bits = 1;
        flag.base = a.nulls_first ? 1 : 0;
        flag.null_code = a.nulls_first ? 0 : 1;
        add(flag);
        p.bits = 64;
        return add(p);
    }
    p.bits = bits_for(range + (s.nulls ? 1 : 0));
    p.null_code = a.nulls_first ? 0 : range + 1;
    if (s.nulls && a.nulls_first) --p.base;
    add(p);
}

void sort_plan::add_text(sort_key const& c, argsort_args const& a) {
    key_part p;
    p.column = c;
    p.kind = part_kind::text;
    p.flip = c.ascending ? 0 : all_bits;
    p.null_code = a.nulls_first ? 0 : all_bits;
    statistics s = text_statistics(p, a.length);
    // A common prefix separates no rows.
    for (; s.differ == 0 && p.from + text_step < s.longest; s = text_statistics(p, a.length)) p.from += text_step;
    if (s.differ == 0) return;
    p.drop = std::countr_zero(s.differ);
    p.base = s.low;
    p.null_code = (p.null_code - s.low) >> p.drop;
    p.bits = bits_for((s.high - s.low) >> p.drop);
    add(p);
    if (s.longest <= p.from + text_step) return;
    key_part rest = p;
    rest.kind = part_kind::text_rest;
    rest.bits = 64;
    rest.from += text_step;
    add(rest);
}

std::uint64_t sort_plan::high(level_cursor c) const noexcept {
    int used = 0;
    for (auto const& p : levels_[c.level]) used += p.bits;
    return used == 64 ? all_bits : (std::uint64_t{1} << used) - 1;
}

key_part const* sort_plan::only_values() const noexcept {
    if (levels_.size() != 1 || levels_[0].size() != 1) return nullptr;
    key_part const& p = levels_[0].front();
    return p.kind == part_kind::value && p.column.validity == nullptr ? &p : nullptr;
}

level_cursor sort_plan::after(level_cursor c, std::uint64_t key) const noexcept {
    key_part const& p = levels_[c.level].front();
    bool const goes_on = p.kind == part_kind::text_rest && ((key ^ p.flip) & 0xff) == text_ends && key != 0;
    return goes_on ? level_cursor{c.level, c.deep + 1} : level_cursor{c.level + 1, 0};
}

void sort_plan::load_first(std::int64_t begin, std::int64_t end, std::uint64_t* keys) const noexcept {
    bool first = true;
    for (auto const& p : levels_[0]) {
        for_each_code(
            p, end - begin, 0, [&](std::int64_t i) { return begin + i; },
            [&](std::int64_t i, std::uint64_t code) { keys[i] = (first ? 0 : keys[i]) | code << p.shift; });
        first = false;
    }
}

template <class R> void sort_plan::load(level_cursor c, R* rows, std::int64_t n) const noexcept {
    bool first = true;
    for (auto const& p : levels_[c.level]) {
        for_each_code(
            p, n, c.deep, [&](std::int64_t i) { return static_cast<std::int64_t>(rows[i].row); },
            [&](std::int64_t i, std::uint64_t code) { rows[i].key = (first ? 0 : rows[i].key) | code << p.shift; });
        first = false;
    }
}

template void sort_plan::load(level_cursor, keyed_row*, std::int64_t) const noexcept;
template void sort_plan::load(level_cursor, laden_row<1>*, std::int64_t) const noexcept;
template void sort_plan::load(level_cursor, laden_row<2>*, std::int64_t) const noexcept;

}  // namespace bascule::cpu::sorting
