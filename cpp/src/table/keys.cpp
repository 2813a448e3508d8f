#include "bascule/table/keys.hpp"

#include <cstring>
#include <memory>

#include "bascule/array/indexing.hpp"
#include "bascule/ops/table.hpp"
#include "buffers.hpp"

namespace bascule::table {
namespace {

// Codes stand for text wherever they are at hand: they are in its order.
column_ref as_key(column const& c) {
    if (auto codes = c.encoded()) return codes;
    return std::make_shared<column const>(c);
}

group_column as_group_column(buffers const& b) {
    return {b.values.type.id, pointer<void const>(b.values), pointer<std::uint8_t const>(b.bits), pointer<std::int64_t const>(b.offsets), b.length};
}

bool is_half(column const& c) { return !c.is_text() && c.values().type.id == type_id::float16; }

column_ref widened(column_ref c) {
    if (!is_half(*c)) return c;
    return std::make_shared<column const>(astype(c->values(), make_dtype(type_id::float32)), c->valid());
}

std::int64_t common_length(std::span<column const* const> keys, char const* who) {
    if (keys.empty()) throw value_error(std::string("[") + who + "] expected at least one key");
    for (auto const* k : keys)
        if (k->length() != keys[0]->length())
            throw value_error(std::string("[") + who + "] keys differ in length: " + std::to_string(keys[0]->length()) + " and " + std::to_string(k->length()));
    return keys[0]->length();
}

// Text as codes, aggregated as integers: the dictionary is sorted, so least and greatest are, too.
column aggregated_text(column const& values, array const& valid, column const& source) {
    array const codes = values.values();
    argument minus_one;
    minus_one.type = type_id::int32;
    std::int32_t const v = -1;
    std::memcpy(minus_one.value.bytes, &v, sizeof v);
    argument const args[] = {{&valid}, {&codes}, minus_one};
    return column::coded(apply(ops::number<ops::where>, args), source.dictionary());
}

struct key_pair { column_ref left, right; };

// Both sides' keys as numbers of one type that are equal where all keys are.
key_pair unified(std::span<column_ref const> left, std::span<column_ref const> right) {
    std::vector<column_ref> both;
    for (std::size_t i = 0; i < left.size(); ++i) {
        column_ref const parts[] = {left[i], right[i]};
        both.push_back(std::make_shared<column const>(concat(parts)));
    }
    std::vector<column const*> keys;
    for (auto const& b : both) keys.push_back(b.get());
    auto const one_coded = both.size() == 1 && both[0]->kind() == column::form::coded;
    array const codes = one_coded ? both[0]->values() : factorize(keys, true, true, false).codes;
    std::int64_t const n = left[0]->length();
    auto part = [&](std::int64_t from, std::int64_t count) {
        return std::make_shared<column const>(view(codes, {count}, codes.strides, codes.offset + from * codes.itemsize()));
    };
    return {part(0, n), part(n, right[0]->length())};
}

}  // namespace

numbering number_rows(std::span<column_ref const> keys, bool sorted, bool keep_missing, bool want_first) {
    std::int64_t const n = keys[0]->length();
    device const where = keys[0]->where();
    inputs in;
    std::vector<buffers const*> b;
    for (auto const& k : keys) b.push_back(&in.add(*widened(k)));
    in.begin();
    std::vector<group_column> columns;
    for (auto const* x : b) columns.push_back(as_group_column(*x));
    results made{where, {}};
    numbering out;
    out.codes = empty(where, make_dtype(type_id::uint32), {n});
    factorize_args a;
    a.keys = columns.data(), a.nkeys = static_cast<std::int32_t>(columns.size());
    a.length = n;
    a.order = sorted ? group_order::sorted : group_order::appearance;
    a.keep_nulls = keep_missing, a.want_first = want_first;
    a.codes = pointer<std::uint32_t>(out.codes);
    a.owner = &made, a.allocate = results::allocate;
    run(where, algorithm_kind::factorize, &a);
    out.count = a.groups;
    if (want_first) {
        out.first = empty(where, make_dtype(type_id::int64), {0});
        for (auto const& r : made.arrays)
            if (pointer(r) == a.first) out.first = view(reinterpret(r, type_id::int64), {a.groups}, {8}, r.offset);
    }
    return out;
}

numbering factorize(std::span<column const* const> keys, bool sorted, bool keep_missing, bool want_first) {
    common_length(keys, "factorize");
    std::vector<column_ref> all;
    for (auto const* k : keys) all.push_back(as_key(*k));
    return number_rows(all, sorted, keep_missing, want_first);
}

std::vector<column> aggregate(array const& codes, std::int64_t groups, std::span<aggregation const> what) {
    device const where = codes.where();
    array const ids = contiguous(codes);
    inputs in;
    in.hold(ids);
    std::vector<buffers const*> b;
    std::vector<column_ref> sources;
    for (auto const& w : what) {
        if (w.of && w.of->length() != codes.size())
            throw value_error("[aggregate] keys have " + std::to_string(codes.size()) + " rows, values have " + std::to_string(w.of->length()));
        column_ref source = w.of;
        if (source && source->is_text()) {
            source = source->encoded();
            if (!source) {  // many distinct: numbered all the same, since rows of text cannot be compared one by one
                auto const g = number_rows(std::span(&w.of, 1), true, false, true);
                source = std::make_shared<column const>(column::coded(reinterpret(g.codes, type_id::int32), std::make_shared<column const>(take(*w.of, g.first))));
            }
        } else if (source) {
            source = widened(source);
        }
        sources.push_back(source);
        b.push_back(source ? &in.add(*source) : nullptr);
    }
    in.begin();
    std::vector<group_request> requests;
    std::vector<array> out, valid;
    for (std::size_t i = 0; i < what.size(); ++i) {
        group_request r;
        r.op = what[i].op, r.ddof = what[i].ddof, r.min_count = what[i].min_count;
        if (b[i]) r.column = as_group_column(*b[i]);
        dtype t = make_dtype(group_result_type(r.op, r.column.dtype));
        if (b[i] && is_time(t.id)) t = b[i]->values.type;
        out.push_back(empty(where, t, {groups}));
        valid.push_back(empty(where, make_dtype(type_id::bool_), {groups}));
        r.out = pointer(out.back()), r.valid = pointer<std::uint8_t>(valid.back());
        requests.push_back(r);
    }
    aggregate_by_id_args a;
    a.codes = pointer<std::uint32_t const>(ids), a.length = ids.size(), a.groups = groups;
    a.requests = requests.data(), a.nrequests = static_cast<std::int32_t>(requests.size());
    run(where, algorithm_kind::aggregate_by_id, &a);
    std::vector<column> columns;
    for (std::size_t i = 0; i < what.size(); ++i) {
        auto const t = out[i].type.id;
        bool const counts = what[i].op == group_op::size || what[i].op == group_op::count;
        bool const keeps_text = what[i].op == group_op::min || what[i].op == group_op::max || what[i].op == group_op::first || what[i].op == group_op::last;
        if (sources[i] && sources[i]->is_text() && keeps_text)
            columns.push_back(aggregated_text(column(out[i]), valid[i], *sources[i]));
        else if (counts || is_float(t) || is_time(t))
            columns.emplace_back(out[i]);
        else
            columns.emplace_back(out[i], valid[i]);
    }
    return columns;
}

array order(std::span<column const* const> keys, std::span<bool const> ascending, bool missing_first) {
    std::int64_t const n = common_length(keys, "sort");
    device const where = keys[0]->where();
    inputs in;
    std::vector<buffers const*> b;
    std::vector<column_ref> held;
    for (auto const* k : keys) held.push_back(widened(as_key(*k))), b.push_back(&in.add(*held.back()));
    in.begin();
    std::vector<sort_key> columns;
    for (std::size_t i = 0; i < b.size(); ++i)
        columns.push_back({b[i]->values.type.id, pointer<void const>(b[i]->values), pointer<std::uint8_t const>(b[i]->bits),
                           pointer<std::int64_t const>(b[i]->offsets), ascending[i]});
    array const out = empty(where, make_dtype(type_id::int64), {n});
    argsort_args a;
    a.keys = columns.data(), a.nkeys = static_cast<std::int32_t>(columns.size());
    a.length = n, a.nulls_first = missing_first, a.out = pointer(out);
    run(where, algorithm_kind::argsort, &a);
    return out;
}

pairs join(std::span<column_ref const> left, std::span<column_ref const> right, join_how how, bool sorted) {
    if (left.empty() || left.size() != right.size())
        throw value_error("[join] keys differ in number: left " + std::to_string(left.size()) + ", right " + std::to_string(right.size()));
    key_pair keys{left[0], right[0]};
    auto const& l = *left[0];
    auto const& r = *right[0];
    bool const direct = left.size() == 1 && !l.is_text() && !r.is_text() && l.values().type == r.values().type && !is_half(l);
    bool const one_dictionary = left.size() == 1 && l.kind() == column::form::coded && r.kind() == column::form::coded && l.dictionary() == r.dictionary();
    if (!direct && !one_dictionary) keys = unified(left, right);
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
        return i < made.arrays.size() ? view(reinterpret(made.arrays[i], type_id::int64), {a.count}, {8}, made.arrays[i].offset)
                                      : empty(where, make_dtype(type_id::int64), {0});
    };
    return {rows(0), rows(1)};
}

}  // namespace bascule::table
