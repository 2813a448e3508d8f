// Few distinct short strings: a sample holds nearly all of them, so that one pass over the rows finds each in a small
// table. Strings that the sample missed are added afterwards.
#include <algorithm>
#include <bit>
#include <string_view>
#include <vector>

#include "backend/cpu/tables/group_keys.hpp"
#include "backend/cpu/tables/number_few_strings.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

constexpr i64 sample_rows = 2048;
constexpr i64 longest_text = 16;
constexpr i64 missed_share = 64;  // one row in so many may hold a text that the sample missed
constexpr u32 unknown = 0xffffffffu, null_code = 0xfffffffeu;

static_assert(std::endian::native == std::endian::little);

struct short_text {
    u64 first = 0, second = 0;  // bytes, zeros behind
    i64 length = 0;
    bool operator==(short_text const&) const = default;
};

// The first n of 8 bytes. Read at once where that stays in front of `end`.
u64 bytes_at(char const* p, i64 n, char const* end) {
    u64 v = 0;
    if (end - p < 8) {
        std::memcpy(&v, p, static_cast<std::size_t>(n));
        return v;
    }
    std::memcpy(&v, p, 8);
    return n == 0 ? 0 : v & (~u64{0} >> (64 - 8 * n));
}

struct text_rows {
    char const* bytes;
    i64 const* offsets;
    u8 const* validity;
    char const* end;
    i64 length(i64 i) const { return offsets[i + 1] - offsets[i]; }
    std::string_view operator[](i64 i) const { return {bytes + offsets[i], static_cast<std::size_t>(length(i))}; }
    // Of a text of at most 16 bytes; 8 with `OneWord`.
    template <bool OneWord> short_text text(i64 i, i64 n) const {
        char const* const p = bytes + offsets[i];
        if constexpr (OneWord) return {bytes_at(p, n, end), 0, n};
        else return {bytes_at(p, std::min<i64>(n, 8), end), n > 8 ? bytes_at(p + 8, n - 8, end) : 0, n};
    }
};

// Open addressing in a table that is nearly empty, so that the first slot is nearly always the right one.
class text_table {
public:
    explicit text_table(i64 strings)
        : slots_(static_cast<i64>(std::bit_ceil(static_cast<u64>(std::clamp<i64>(32 * strings, 1024, 32768))))) {
        std::fill(slots_.data(), slots_.data() + slots_.size(), slot{});
        shift_ = 64 - std::bit_width(static_cast<u64>(slots_.size() - 1));
    }
    i64 room() const { return slots_.size() / 4; }
    template <bool OneWord> u32 find(short_text const& t) const {
        for (i64 at = place<OneWord>(t);; at = (at + 1) & (slots_.size() - 1)) {
            slot const& s = slots_[at];
            bool const same = s.text.first == t.first && s.text.length == t.length;
            if (same && (OneWord || s.text.second == t.second)) return s.code;
            if (s.code == unknown) return unknown;
        }
    }
    template <bool OneWord> void insert(short_text const& t, u32 code) {
        i64 at = place<OneWord>(t);
        while (slots_[at].code != unknown) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = {t, code};
    }

private:
    struct slot {
        short_text text{0, 0, -1};
        u32 code = unknown;
    };
    template <bool OneWord> i64 place(short_text const& t) const {
        u64 h = (t.first ^ static_cast<u64>(t.length)) * 0x9e3779b97f4a7c15ull;
        if constexpr (!OneWord) h = (h ^ (h >> 29) ^ t.second) * 0xd6e8feb86659fd93ull;
        return static_cast<i64>(h >> shift_);
    }
    scratch<slot> slots_;
    int shift_ = 0;
};

template <bool OneWord> class few_strings {
public:
    static constexpr i64 longest = OneWord ? 8 : longest_text;
    few_strings(text_rows const& rows, i64 n, u32* codes, std::vector<i64> const& sample)
        : rows_(rows), n_(n), codes_(codes), table_(static_cast<i64>(sample.size())) {
        for (i64 row : sample) add(row);
    }

    // False: too many strings, or too long ones.
    bool run(bool sorted, bool keep_nulls, key_groups& groups) {
        auto const first_of = look_up();
        if (!add_missed()) return false;
        collect_first(first_of);
        renumber(sorted, keep_nulls, groups);
        return true;
    }

private:
    void add(i64 row) {
        table_.template insert<OneWord>(rows_.text<OneWord>(row, rows_.length(row)), static_cast<u32>(first_.size()));
        first_.push_back(row);
    }

    // Codes of all rows, and each chunk's first row of each text.
    std::vector<std::vector<u32>> look_up() {
        row_chunks const chunks(n_, chunk_rows);
        std::vector<std::vector<u32>> first_of(static_cast<std::size_t>(chunks.count));
        missed_.resize(first_of.size());
        std::atomic<bool> nulls{false};
        for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
            std::vector<u32> first(first_.size(), null_group);
            auto& missed = missed_[static_cast<std::size_t>(c)];
            bool null = false;
            for (i64 i = begin; i < end; ++i) {
                if (!is_valid(rows_.validity, i)) {
                    null = true;
                    codes_[i] = null_code;
                    continue;
                }
                i64 const length = rows_.length(i);
                u32 const code = length > longest ? unknown
                                                  : table_.template find<OneWord>(rows_.text<OneWord>(i, length));
                codes_[i] = code;
                if (code == unknown) missed.push_back(static_cast<u32>(i));
                else if (first[code] == null_group) first[code] = static_cast<u32>(i);
            }
            if (null) nulls.store(true, std::memory_order_relaxed);
            first_of[static_cast<std::size_t>(c)] = std::move(first);
        });
        has_null_ = nulls.load();
        return first_of;
    }

    bool add_missed() {
        i64 count = 0;
        for (auto const& m : missed_) count += static_cast<i64>(m.size());
        if (count > n_ / missed_share) return false;
        for (auto const& m : missed_)
            for (u32 const i : m) {
                i64 const length = rows_.length(i);
                if (length > longest) return false;
                u32& code = codes_[i];
                code = table_.template find<OneWord>(rows_.text<OneWord>(i, length));
                if (code != unknown) continue;
                if (static_cast<i64>(first_.size()) == table_.room()) return false;
                code = static_cast<u32>(first_.size());
                add(i);
            }
        return true;
    }

    void collect_first(std::vector<std::vector<u32>> const& first_of) {
        for (std::size_t t = 0; t < first_of.front().size(); ++t)
            for (auto const& f : first_of)
                if (f[t] != null_group) {
                    first_[t] = f[t];
                    break;
                }
    }

    // From the order in which strings were found to that of the groups.
    void renumber(bool sorted, bool keep_nulls, key_groups& groups) {
        i64 null_first = 0;
        if (has_null_ && keep_nulls) {
            null_first = std::find(codes_, codes_ + n_, null_code) - codes_;
            first_.push_back(null_first);
        }
        auto const strings = static_cast<i64>(first_.size()) - (has_null_ && keep_nulls ? 1 : 0);
        std::vector<u32> order(first_.size());
        for (std::size_t t = 0; t < order.size(); ++t) order[t] = static_cast<u32>(t);
        if (sorted)
            std::sort(order.begin(), order.begin() + strings,
                      [&](u32 a, u32 b) { return rows_[first_[a]] < rows_[first_[b]]; });
        else std::sort(order.begin(), order.end(), [&](u32 a, u32 b) { return first_[a] < first_[b]; });
        groups.count = static_cast<i64>(order.size());
        groups.first = scratch<u32>(groups.count);
        std::vector<u32> to(order.size());
        bool moves = has_null_;
        for (std::size_t g = 0; g < order.size(); ++g) {
            groups.first[static_cast<i64>(g)] = static_cast<u32>(first_[order[g]]);
            to[order[g]] = static_cast<u32>(g);
            moves |= order[g] != g;
        }
        if (!moves) return;
        u32 const null_to = keep_nulls && has_null_ ? to.back() : null_group;
        for_each_chunk({n_, chunk_rows}, [&](i64, i64 begin, i64 end) {
            for (i64 i = begin; i < end; ++i) codes_[i] = codes_[i] == null_code ? null_to : to[codes_[i]];
        });
    }

    text_rows rows_;
    i64 n_;
    u32* codes_;
    text_table table_;
    std::vector<i64> first_;  // a row of each text; in the end its first
    std::vector<std::vector<u32>> missed_;
    bool has_null_ = false;
};

// A row of each string in the sample, in the order of the strings; empty: one is too long, or all are missing.
std::vector<i64> strings_of_sample(text_rows const& rows, i64 n) {
    std::vector<i64> found;
    for (i64 s = 0; s < sample_rows; ++s) {
        i64 const stratum = n / sample_rows,
                  i = s * stratum + static_cast<i64>(mix(static_cast<u64>(s)) % static_cast<u64>(stratum));
        if (!is_valid(rows.validity, i)) continue;
        if (rows.length(i) > longest_text) return {};
        found.push_back(i);
    }
    std::sort(found.begin(), found.end(), [&](i64 a, i64 b) { return rows[a] < rows[b]; });
    found.erase(std::unique(found.begin(), found.end(), [&](i64 a, i64 b) { return rows[a] == rows[b]; }), found.end());
    return found;
}

}  // namespace

bool number_few_strings(factorize_args const& a, u32* codes, key_groups& groups) {
    group_column const& column = a.keys[0];
    if (a.length < sample_rows) return false;
    auto const* const bytes = static_cast<char const*>(column.data);
    text_rows const rows{bytes, column.offsets, column.validity, bytes + column.offsets[a.length]};
    auto const sample = strings_of_sample(rows, a.length);
    if (sample.empty()) return false;
    bool const one_word = std::all_of(sample.begin(), sample.end(), [&](i64 i) { return rows.length(i) <= 8; });
    bool const sorted = a.order == group_order::sorted;
    if (one_word) return few_strings<true>(rows, a.length, codes, sample).run(sorted, a.keep_nulls, groups);
    return few_strings<false>(rows, a.length, codes, sample).run(sorted, a.keep_nulls, groups);
}

}  // namespace bascule::cpu::tables::grouping
