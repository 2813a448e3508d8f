// Keys of strings: the bits in which short strings differ, else the number of a verified hash.
#include <algorithm>
#include <bit>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "backend/cpu/tables/group_keys.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

struct string_rows {
    char const* bytes;
    i64 const* offsets;
    u8 const* validity;
    char const* end;  // of the bytes
    std::string_view operator[](i64 i) const {
        return {bytes + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])};
    }
    bool valid(i64 i) const { return is_valid(validity, i); }
};

// The first n <= 8 bytes, zeros behind. Read at once where that stays in front of `end`: a copy of n bytes is a call.
u64 big_endian(char const* p, i64 n, char const* end) {
    static_assert(std::endian::native == std::endian::little);
    u64 v = 0;
    if (end - p < 8) {
        std::memcpy(&v, p, static_cast<std::size_t>(n));
        return __builtin_bswap64(v);
    }
    std::memcpy(&v, p, 8);
    return n == 0 ? 0 : __builtin_bswap64(v) & (~u64{0} << (64 - 8 * n));
}
struct words {
    u64 high, low;
};
words words_of(std::string_view s, char const* end) {
    auto const n = static_cast<i64>(s.size());
    return {big_endian(s.data(), std::min<i64>(n, 8), end),
            n > 8 ? big_endian(s.data() + 8, std::min<i64>(n - 8, 8), end) : 0};
}

// Common properties of the strings. Only strings of up to 16 bytes; longer ones set `longest` and nothing else.
struct string_statistics {
    i64 shortest = INT64_MAX, longest = 0;
    bool has_null = false, any = false;
    words differing{0, 0}, sample{0, 0};
};

void add(string_statistics& s, words w, i64 shortest, i64 longest, words differing) {
    if (!s.any) s.sample = w;
    s.any = true;
    s.shortest = std::min(s.shortest, shortest);
    s.longest = std::max(s.longest, longest);
    s.differing.high |= differing.high | (w.high ^ s.sample.high);
    s.differing.low |= differing.low | (w.low ^ s.sample.low);
}

string_statistics statistics_of(string_rows const& rows, i64 n) {
    row_chunks const chunks(n, chunk_rows);
    std::vector<string_statistics> found(static_cast<std::size_t>(chunks.count));
    for_each_chunk(chunks, [&](i64 c, i64 begin, i64 end) {
        auto& s = found[static_cast<std::size_t>(c)];
        for (i64 i = begin; i < end && s.longest <= 16; ++i) {
            if (!rows.valid(i)) s.has_null = true;
            else if (auto const length = static_cast<i64>(rows[i].size()); length > 16) s.longest = length;
            else add(s, words_of(rows[i], rows.end), length, length, {0, 0});
        }
    });
    string_statistics all;
    for (auto const& s : found) {
        all.has_null |= s.has_null;
        all.longest = std::max(all.longest, s.longest);
        if (s.any) add(all, s.sample, s.shortest, s.longest, s.differing);
    }
    return all;
}

// The bits of a mask pushed together, order kept: one shift and mask for each run of ones.
class bit_extractor {
public:
    explicit bit_extractor(u64 mask) {
        int placed = 0;
        while (mask != 0) {
            int const low = __builtin_ctzll(mask);
            u64 const run = mask & ~(mask + (mask & (~mask + 1)));
            moves_[count_++] = {low - placed, run};
            placed += __builtin_popcountll(run);
            mask &= ~run;
        }
    }
    u64 operator()(u64 v) const {
        u64 out = 0;
        for (int i = 0; i < count_; ++i) out |= (v & moves_[i].run) >> moves_[i].shift;
        return out;
    }

private:
    struct move {
        int shift;
        u64 run;
    };
    move moves_[32] = {};
    int count_ = 0;
};

// False: more bits than a key has. The length is in the bits below the text: a string sorts before those it is a prefix
// of.
bool pack_bits(string_rows const& rows, i64 n, string_statistics const& s, column_keys& out) {
    if (s.longest > 16) return false;
    int const low_bits = __builtin_popcountll(s.differing.low);
    int const length_bits = s.any ? std::bit_width(static_cast<u64>(s.longest - s.shortest)) : 0;
    int const bits = __builtin_popcountll(s.differing.high) + low_bits + length_bits;
    if (bits > 63) return false;
    bit_extractor const high(s.differing.high), low(s.differing.low);
    out.greatest = (u64{1} << bits) - 1;
    out.owned = scratch<u64>(n);
    for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
        for (i64 i = begin; i < end; ++i) {
            if (!rows.valid(i)) {
                out.owned[i] = out.greatest + 1;
                continue;
            }
            auto const text = rows[i];
            auto const w = words_of(text, rows.end);
            u64 const length = static_cast<u64>(static_cast<i64>(text.size()) - s.shortest);
            out.owned[i] = (((high(w.high) << low_bits) | low(w.low)) << length_bits) | length;
        }
    });
    return true;
}

u64 hash_of(std::string_view s, char const* end) {
    u64 h = s.size() * 0x9e3779b97f4a7c15ull;
    std::size_t i = 0;
    for (; i + 8 <= s.size(); i += 8) h = mix(h ^ big_endian(s.data() + i, 8, end));
    return i < s.size() ? mix(h ^ big_endian(s.data() + i, static_cast<i64>(s.size() - i), end)) : mix(h);
}

// Numbers rows by their hashes and checks each against the first of its group. False: two strings share a hash.
bool number_by_hash(string_rows const& rows, i64 n, key_options const& options, u32* codes, key_groups& groups) {
    scratch<u64> hashes(n);
    for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
        // Null rows share a key of their own; a string with that hash fails the check below and takes the slow way.
        for (i64 i = begin; i < end; ++i)
            hashes[i] = rows.valid(i) ? hash_of(rows[i], rows.end) & options.hash_mask : 0;
    });
    factorize_plan plan = options.plan;
    plan.runs = false, plan.bitmap_range = 0;
    groups = number_keys({hashes.data(), 0}, n, ~u64{0}, {group_order::appearance, true, plan}, codes);
    std::atomic<bool> equal{true};
    for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
        if (!equal.load(std::memory_order_relaxed)) return;
        for (i64 i = begin; i < end; ++i) {
            i64 const first = groups.first[codes[i]];
            bool const valid = rows.valid(i);
            if (valid != rows.valid(first) || (valid && rows[i] != rows[first]))
                return equal.store(false, std::memory_order_relaxed);
        }
    });
    return equal.load();
}

void number_exactly(string_rows const& rows, i64 n, u32* codes, key_groups& groups) {
    std::unordered_map<std::string_view, u32> known;
    std::vector<u32> first;
    u32 null_code = null_group;
    for (i64 i = 0; i < n; ++i) {
        auto const next = static_cast<u32>(first.size());
        u32& code = rows.valid(i) ? known.try_emplace(rows[i], next).first->second : null_code;
        if (code == null_group) code = next;
        if (code == next) first.push_back(static_cast<u32>(i));
        codes[i] = code;
    }
    groups.count = static_cast<i64>(first.size());
    groups.first = scratch<u32>(groups.count);
    std::copy(first.begin(), first.end(), groups.first.data());
}

struct text_group {
    u64 head;
    u32 group;
};

// New number of each group: values first, in the order of their bytes if `sorted`, the null group last.
scratch<u32> ranks(string_rows const& rows, key_groups const& groups, bool sorted, bool& has_null) {
    scratch<text_group> order(groups.count);
    scratch<u32> to(groups.count);
    i64 values = 0;
    has_null = false;
    for (i64 g = 0; g < groups.count; ++g) {
        i64 const row = groups.first[g];
        if (rows.valid(row)) order[values++] = {words_of(rows[row], rows.end).high, static_cast<u32>(g)};
        else to[g] = static_cast<u32>(groups.count - 1), has_null = true;
    }
    if (sorted) {
        std::sort(order.data(), order.data() + values, [&](text_group const& a, text_group const& b) {
            return a.head != b.head ? a.head < b.head : rows[groups.first[a.group]] < rows[groups.first[b.group]];
        });
    }
    for (i64 v = 0; v < values; ++v) to[order[v].group] = static_cast<u32>(v);
    return to;
}

}  // namespace

key_statistics sample_strings(group_column const& column, sampled_rows const& sample) {
    auto const* const bytes = static_cast<char const*>(column.data);
    string_rows const rows{bytes, column.offsets, column.validity, bytes + column.offsets[column.length]};
    key_statistics s;
    for (i64 j = 0; j < sample.count; ++j) {
        i64 const i = sample.rows[j];
        bool const valid = rows.valid(i);
        std::string_view const text = valid ? rows[i] : std::string_view{};
        sample.order[j] = valid ? words_of(text, rows.end).high : ~u64{0};
        sample.hash[j] = hash_of(text, rows.end) + (valid ? 0 : 1);
        s.longest = std::max(s.longest, static_cast<i64>(text.size()));
    }
    return s;
}

void string_to_keys(group_column const& column, key_options const& options, column_keys& out) {
    i64 const n = column.length;
    auto const* const bytes = static_cast<char const*>(column.data);
    string_rows const rows{bytes, column.offsets, column.validity, bytes + column.offsets[n]};
    bool packed = false;
    if (options.short_strings && options.hash_mask == ~u64{0}) {
        auto const s = statistics_of(rows, n);
        out.has_null = s.has_null;
        packed = pack_bits(rows, n, s, out);
    }
    if (!packed) {
        scratch<u32> codes(n);
        key_groups groups;
        if (!number_by_hash(rows, n, options, codes.data(), groups)) number_exactly(rows, n, codes.data(), groups);
        auto const to = ranks(rows, groups, options.order == group_order::sorted, out.has_null);
        out.owned = scratch<u64>(n);
        for_each_chunk({n, chunk_rows}, [&](i64, i64 begin, i64 end) {
            for (i64 i = begin; i < end; ++i) out.owned[i] = to[codes[i]];
        });
        i64 const values = groups.count - (out.has_null ? 1 : 0);
        out.greatest = values > 0 ? static_cast<u64>(values) - 1 : 0;
        if (values == 0) out.owned.fill_bytes(0), out.greatest = 0;
        if (values == 0 && out.has_null) std::fill(out.owned.data(), out.owned.data() + n, u64{1});
    }
    out.view = {out.owned.data(), 0};
}

}  // namespace bascule::cpu::tables::grouping
