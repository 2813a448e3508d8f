#include "bascule/table/keys.hpp"

#include <cstring>
#include <memory>

#include "bascule/array/arguments.hpp"
#include "bascule/array/device_calls.hpp"
#include "bascule/array/indexing.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "buffers.hpp"
#include "key_columns.hpp"

namespace bascule::table {
namespace {

struct key_pair {
    column_ref left, right;
};

array with_constant(std::uint16_t op, array const& a, std::int64_t constant) {
    argument c;
    c.type = type_id::int64;
    std::memcpy(c.value.bytes, &constant, sizeof constant);
    return apply(op, a, c);
}

std::int64_t extremum(std::uint16_t aggregate, array const& a) {
    std::int64_t v = 0;
    std::memcpy(&v, item(reduce_with(aggregate, a)).bytes, sizeof v);
    return v;
}

// Keys that are integers or times, side by side in 64 bits, in the order of the rows; nothing where there is no room,
// or a key may be missing.
std::optional<key_pair> packed(std::span<column_ref const> left, std::span<column_ref const> right) {
    if (left[0]->length() == 0 || right[0]->length() == 0) return {};
    for (std::size_t k = 0; k < left.size(); ++k) {
        if (left[k]->length() != left[0]->length() || right[k]->length() != right[0]->length()) return {};
        for (auto const* c : {left[k].get(), right[k].get()}) {
            if (c->is_text() || c->has_valid()) return {};
            type_id const t = c->values().type.id;
            if (!(is_integer(t) && t != type_id::uint64) && !is_time(t)) return {};
        }
        if (left[k]->values().type != right[k]->values().type) return {};
        if (left[k]->has_missing() || right[k]->has_missing()) return {};
    }
    namespace g = ops::aggregate;
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    std::uint64_t cells = 1;
    std::vector<array> sides(2);
    for (std::size_t k = 0; k < left.size(); ++k) {
        auto const whole = [](array const& a) {
            return is_time(a.type.id) ? reinterpret(a, type_id::int64) : astype(a, make_dtype(type_id::int64), false);
        };
        array const values[] = {whole(left[k]->values()), whole(right[k]->values())};
        std::int64_t const low = std::min(extremum(ops::aggregate_number<g::minimum>, values[0]),
                                          extremum(ops::aggregate_number<g::minimum>, values[1]));
        std::int64_t const high = std::max(extremum(ops::aggregate_number<g::maximum>, values[0]),
                                           extremum(ops::aggregate_number<g::maximum>, values[1]));
        std::uint64_t const extent = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1;
        if (extent == 0 || extent > most / cells) return {};
        cells *= extent;
        for (std::size_t s = 0; s < 2; ++s) {
            array const place = with_constant(ops::number<ops::subtract>, values[s], low);
            sides[s] =
                k == 0 ? place
                       : apply(ops::number<ops::add>,
                               with_constant(ops::number<ops::multiply>, sides[s], static_cast<std::int64_t>(extent)),
                               place);
        }
    }
    return key_pair{std::make_shared<column const>(sides[0]), std::make_shared<column const>(sides[1])};
}

// Both sides' keys as numbers of one type that are equal where all keys are.
key_pair unified(std::span<column_ref const> left, std::span<column_ref const> right) {
    std::vector<column_ref> both;
    for (std::size_t i = 0; i < left.size(); ++i) {
        column_ref parts[] = {left[i], right[i]};
        // Where one side is numbered, dictionaries are united instead of rows of text.
        if (parts[0]->is_text() && parts[1]->is_text() && (parts[0]->encoded() || parts[1]->encoded()))
            for (auto& p : parts) p = numbered(p);
        both.push_back(std::make_shared<column const>(concat(parts)));
    }
    std::vector<column const*> keys;
    for (auto const& b : both) keys.push_back(b.get());
    auto const one_coded = both.size() == 1 && both[0]->kind() == column::form::coded;
    array const codes = one_coded ? both[0]->values() : factorize(keys, true, true, false).codes;
    std::int64_t const n = left[0]->length();
    auto part = [&](std::int64_t from, std::int64_t count) {
        return std::make_shared<column const>(
            view(codes, {count}, codes.strides, codes.offset + from * codes.itemsize()));
    };
    return {part(0, n), part(n, right[0]->length())};
}

// The same rows in other values.
column_ref like(column const& c, array const& values) {
    return std::make_shared<column const>(c.is_text() ? column::coded(values, c.dictionary()) : column(values));
}

// Columns that a sort moves along, as far as there is room.
class carriage {
public:
    carriage(std::span<column_ref const> columns, std::int64_t rows, inputs& in) : columns_(columns.size()) {
        int small = 0, wide = 0;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            auto c = columns[i]->is_text() ? columns[i]->encoded() : columns[i];
            if (!c || c->has_valid()) continue;
            auto const bytes = c->values().itemsize();
            if (bytes > 8 || (bytes == 8 ? wide == 2 : small == 1)) continue;
            if (c->length() != rows) throw value_error("[sort] keys and the columns to move along differ in length");
            ++(bytes == 8 ? wide : small);
            columns_[i] = {c, &in.add(*c, false), {}};
        }
    }
    // To be called after the inputs are in use.
    std::vector<carried_column> begin() {
        std::vector<carried_column> all;
        for (auto& c : columns_) {
            if (!c.from) continue;
            c.moved = empty(c.from->where(), c.source->values.type, {c.source->length});
            all.push_back({pointer<void const>(c.source->values), pointer(c.moved),
                           static_cast<std::int32_t>(c.moved.itemsize())});
        }
        return all;
    }
    std::vector<column_ref> results() const {
        std::vector<column_ref> all;
        for (auto const& c : columns_) all.push_back(c.from ? like(*c.from, c.moved) : nullptr);
        return all;
    }

private:
    struct entry {
        column_ref from;
        buffers const* source = nullptr;
        array moved;
    };
    std::vector<entry> columns_;
};

ordered run_order(std::span<column const* const> keys, std::span<bool const> ascending, bool missing_first,
                  bool with_key, std::span<column_ref const> others) {
    std::int64_t const n = common_length(keys, "sort");
    device const where = keys[0]->where();
    inputs in;
    std::vector<buffers const*> b;
    std::vector<column_ref> held;
    for (auto const* k : keys) held.push_back(widened(as_key(*k))), b.push_back(&in.add(*held.back()));
    carriage along(others, n, in);
    in.begin();
    auto const carried = along.begin();
    std::vector<sort_key> columns;
    for (std::size_t i = 0; i < b.size(); ++i)
        columns.push_back({b[i]->values.type.id, pointer<void const>(b[i]->values),
                           pointer<std::uint8_t const>(b[i]->bits), pointer<std::int64_t const>(b[i]->offsets),
                           ascending[i]});
    ordered out;
    out.rows = empty(where, make_dtype(type_id::int64), {n});
    argsort_args a;
    a.keys = columns.data(), a.nkeys = static_cast<std::int32_t>(columns.size());
    a.length = n, a.nulls_first = missing_first, a.out = pointer(out.rows);
    a.carried = carried.data(), a.ncarried = static_cast<std::int32_t>(carried.size());
    array sorted;
    if (with_key && keys.size() == 1 && !b[0]->offsets.memory() && !b[0]->bits.memory() && !is_half(*keys[0])) {
        sorted = empty(where, b[0]->values.type, {n});
        a.sorted = pointer(sorted);
    }
    run(where, algorithm_kind::argsort, &a);
    if (sorted.memory()) out.key = like(*held[0], sorted);
    out.carried = along.results();
    return out;
}

}  // namespace

array order(std::span<column const* const> keys, std::span<bool const> ascending, bool missing_first) {
    return run_order(keys, ascending, missing_first, false, {}).rows;
}

ordered sort_rows(std::span<column const* const> keys, std::span<bool const> ascending, bool missing_first,
                  std::span<column_ref const> others) {
    return run_order(keys, ascending, missing_first, true, others);
}

pairs join(std::span<column_ref const> left, std::span<column_ref const> right, join_how how, bool sorted,
           bool missing_last) {
    if (left.empty() || left.size() != right.size())
        throw value_error("[join] keys differ in number: left " + std::to_string(left.size()) + ", right " +
                          std::to_string(right.size()));
    key_pair keys{left[0], right[0]};
    auto const& l = *left[0];
    auto const& r = *right[0];
    bool const direct = left.size() == 1 && !l.is_text() && !r.is_text() && l.values().type == r.values().type &&
                        !is_half(l) && !(missing_last && is_time(l.values().type.id));
    bool const one_dictionary = left.size() == 1 && l.kind() == column::form::coded &&
                                r.kind() == column::form::coded && l.dictionary() == r.dictionary();
    auto const side_by_side = left.size() > 1 ? packed(left, right) : std::nullopt;
    if (side_by_side) keys = *side_by_side;
    else if (!direct && !one_dictionary) keys = unified(left, right);
    inputs in;
    buffers const &lb = in.add(*keys.left, direct), &rb = in.add(*keys.right, direct);
    in.begin();
    device const where = l.where();
    results made{where, {}};
    join_pairs_args a;
    a.how = how, a.sorted = sorted;
    a.dtype = lb.values.type.id;
    a.negative_is_null = !direct && a.dtype == type_id::int32;
    a.left = {pointer<void const>(lb.values), pointer<std::uint8_t const>(lb.bits), lb.length};
    a.right = {pointer<void const>(rb.values), pointer<std::uint8_t const>(rb.bits), rb.length};
    a.owner = &made, a.allocate = results::allocate;
    run(where, algorithm_kind::join_pairs, &a);
    auto rows = [&](std::size_t i) {
        return i < made.arrays.size()
                   ? view(reinterpret(made.arrays[i], type_id::int64), {a.count}, {8}, made.arrays[i].offset)
                   : empty(where, make_dtype(type_id::int64), {0});
    };
    return {rows(0), rows(1)};
}

std::optional<array> join_nearest(array const& bounds, array const& left, array const& right, std::int64_t count,
                                  bool backward) {
    device const where = bounds.where();
    if (!where.api->supports(algorithm_kind::join_nearest, type_id::int64)) return {};
    bool const typed = bounds.type.id == type_id::int64 && left.type.id == type_id::uint32 &&
                       right.type.id == type_id::uint32 && bounds.size() == left.size();
    if (!typed) throw value_error("[join_nearest] expected int64 bounds, and groups as uint32, one a row");
    arguments::positions(bounds, 0, right.size() + 1, "join_nearest");
    arguments::positions(left, 0, count, "join_nearest"), arguments::positions(right, 0, count, "join_nearest");
    array const b = contiguous(bounds), l = contiguous(left), r = contiguous(right);
    inputs in;
    in.hold(b), in.hold(l), in.hold(r);
    in.begin();
    array out = empty(where, make_dtype(type_id::int64), {bounds.size()});
    join_nearest_args a;
    a.bounds = pointer<std::int64_t const>(b);
    a.left = pointer<std::uint32_t const>(l), a.right = pointer<std::uint32_t const>(r);
    a.left_rows = left.size(), a.right_rows = right.size(), a.groups = count, a.backward = backward;
    a.out = pointer<std::int64_t>(out);
    run(where, algorithm_kind::join_nearest, &a);
    return out;
}

}  // namespace bascule::table
