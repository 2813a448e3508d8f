// Groups of one key of 64 bits, aggregated without numbering the rows: rows are partitioned by ranges of the key, each
// part ranks its own keys, and results are in key order. The keys of the groups are read from a bitmap of the keys that
// occur.
#include <algorithm>
#include <vector>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/tables/group_algorithms.hpp"
#include "backend/cpu/tables/group_parts.hpp"

namespace bascule::cpu::tables::grouping {
namespace {

bool of_64_bits(group_column const& c) {
    using enum type_id;
    return c.offsets == nullptr &&
           (c.dtype == int64 || c.dtype == uint64 || c.dtype == datetime64 || c.dtype == timedelta64);
}

// The keys that are there, by part: a bit each.
struct key_marks {
    i64 words_a_part;
    scratch<u64> words;
    std::vector<i64> first_group;  // parts + 1

    key_marks(i64 parts, int shift)
        : words_a_part(((i64{1} << shift) + 63) / 64), words(parts * words_a_part),
          first_group(static_cast<std::size_t>(parts) + 1) {}
    u64* of(i64 part) const { return words.data() + part * words_a_part; }
    i64 begin(i64 part) const { return first_group[static_cast<std::size_t>(part)]; }
    i64 groups() const { return first_group.back(); }
};

// Keys of a part to their ranks in it.
i64 rank_keys(u64* words, i64 n, u32* keys, i64 begin, i64 end) {
    std::fill(words, words + n, u64{0});
    for (i64 j = begin; j < end; ++j) words[keys[j] >> 6] |= u64{1} << (keys[j] & 63);
    scratch<u32> before(n);
    u32 sum = 0;
    for (i64 w = 0; w < n; ++w) before[w] = std::exchange(sum, sum + static_cast<u32>(__builtin_popcountll(words[w])));
    for (i64 j = begin; j < end; ++j) {
        u32 const k = keys[j];
        keys[j] = before[k >> 6] + static_cast<u32>(__builtin_popcountll(words[k >> 6] & ((u64{1} << (k & 63)) - 1)));
    }
    return sum;
}

void write_keys(key_marks const& marks, i64 parts, int shift, u64 base, u64* out) {
    for_each_task(parts, [&](i64 p) {
        u64 const* const words = marks.of(p);
        u64* to = out + marks.begin(p);
        u64 const least = base + (static_cast<u64>(p) << shift);
        for (i64 w = 0; w < marks.words_a_part; ++w) {
            for (u64 left = words[w]; left != 0; left &= left - 1)
                *to++ = least + static_cast<u64>(w) * 64 + static_cast<u64>(__builtin_ctzll(left));
        }
    });
}

void* ask(aggregate_by_key_args const& a, i64 bytes) {
    void* const p = a.allocate(a.owner, bytes);
    if (p == nullptr) throw std::bad_alloc();
    return p;
}

void provide_results(aggregate_by_key_args& a) {
    a.key = ask(a, a.groups * 8);
    for (int i = 0; i < a.nrequests; ++i) {
        auto& r = a.requests[i];
        r.out = ask(a, a.groups * itemsize(ops::group_result_type(r.aggregate, r.column.dtype)));
        r.valid = static_cast<u8*>(ask(a, a.groups));
    }
}

void run(aggregate_by_key_args& a, key_view keys, u64 greatest, std::vector<kernel> const& kernels) {
    int shift = 6;
    while (greatest >> shift >= 512) ++shift;
    i64 const count = static_cast<i64>(greatest >> shift) + 1;
    auto const part_of = [&](i64 i) { return static_cast<u32>(keys[i] >> shift); };
    row_parts const parts(a.length, count, part_of);
    scratch<u32> codes(a.length);
    u64 const within = (u64{1} << shift) - 1;
    parted_column first;
    bool const together = a.nrequests > 0 && !counts_rows(a.requests[0]) && a.requests[0].column.validity == nullptr;
    if (together) {  // the keys are read once for both
        auto const& column = a.requests[0].column;
        first.values = room_for(a.length, itemsize(column.dtype));
        with_word(itemsize(column.dtype), [&]<class T>(T) {
            auto const* const from = static_cast<T const*>(column.data);
            auto* const to = reinterpret_cast<T*>(first.values.data());
            parts.place(part_of, [&](u32 place, i64 i) {
                codes[place] = static_cast<u32>(keys[i] & within);
                to[place] = from[i];
            });
        });
    } else {
        parts.place(part_of, [&](u32 place, i64 i) { codes[place] = static_cast<u32>(keys[i] & within); });
    }
    key_marks marks(count, shift);
    for_each_task(count, [&](i64 p) {
        marks.first_group[static_cast<std::size_t>(p)] =
            rank_keys(marks.of(p), marks.words_a_part, codes.data(), parts.begin(p), parts.end(p));
    });
    i64 total = 0;
    for (auto& g : marks.first_group) total += std::exchange(g, total);
    a.groups = total;
    provide_results(a);
    write_keys(marks, count, shift, keys.base, static_cast<u64*>(a.key));
    auto const span = [&](i64 p) { return group_span{marks.begin(p), marks.begin(p + 1)}; };
    aggregate_parted(
        parts, part_of, codes.data(), span, [](group_span) { return u32{0}; },
        {a.requests, static_cast<std::size_t>(a.nrequests)}, kernels, std::move(first));
}

status start(aggregate_by_key_args& a) {
    if (!of_64_bits(a.keys) || a.keys.validity != nullptr || a.length >= null_group)
        return fail(status::not_supported, "[aggregate_by_key] a key of 64 bits that is never missing is expected");
    std::vector<kernel> kernels;
    for (int i = 0; i < a.nrequests; ++i) {
        auto const& r = a.requests[i];
        if (!counts_rows(r) && r.column.length != a.length)
            return fail(status::value_error, "[aggregate_by_key] a column and the keys differ in length");
        kernels.push_back(kernel_for(r));
        if (kernels.back().state_size == 0 || r.column.offsets != nullptr || r.running)
            return fail(status::not_supported,
                        "[aggregate_by_key] an aggregate does not exist for its column's element type");
    }
    column_keys keys;
    int made = 0;
    column_to_keys(a.keys, {}, &keys, &made);
    a.found = made == 1 && !keys.has_null && keys.greatest <= a.most_range;
    if (a.found) run(a, keys.view, keys.greatest, kernels);
    return status::ok;
}

}  // namespace
}  // namespace bascule::cpu::tables::grouping

namespace bascule::cpu::tables {

status aggregate_by_key(aggregate_by_key_args& a) noexcept {
    return guarded("[aggregate_by_key] no memory for intermediate results", [&] { return grouping::start(a); });
}

}  // namespace bascule::cpu::tables
