#include "bascule/table/keys.hpp"

#include <cstring>
#include <memory>

#include "bascule/array/device_calls.hpp"
#include "bascule/array/indexing.hpp"
#include "bascule/ops/table.hpp"
#include "buffers.hpp"

namespace bascule::table {
namespace {

// Codes are used for text wherever they exist: they are in its order.
column_ref as_key(column const& c) {
    if (auto codes = c.encoded()) return codes;
    return std::make_shared<column const>(c);
}

group_column as_group_column(buffers const& b) {
    return {b.values.type.id, pointer<void const>(b.values), pointer<std::uint8_t const>(b.bits),
            pointer<std::int64_t const>(b.offsets), b.length};
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
            throw value_error(std::string("[") + who + "] keys differ in length: " + std::to_string(keys[0]->length()) +
                              " and " + std::to_string(k->length()));
    return keys[0]->length();
}

// Text in coded form, however many different ones there are.
column_ref numbered(column_ref const& c) {
    if (auto codes = c->encoded()) return codes;
    auto const g = number_rows(std::span(&c, 1), true, false, true);
    return std::make_shared<column const>(
        column::coded(reinterpret(g.codes, type_id::int32), std::make_shared<column const>(take(*c, g.first))));
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

struct key_pair {
    column_ref left, right;
};

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

namespace {

// The columns to aggregate as the device reads them, and the columns that its results refer to.
struct prepared {
    inputs in;
    std::vector<column_ref> sources;
    std::vector<buffers const*> columns;
    std::vector<group_request> requests;

    prepared(std::int64_t rows, std::span<aggregation const> what) {
        for (auto const& w : what) {
            if (w.of && w.of->length() != rows)
                throw value_error("[aggregate] keys have " + std::to_string(rows) + " rows, values have " +
                                  std::to_string(w.of->length()));
            sources.push_back(source_of(w));
            columns.push_back(sources.back() ? &in.add(*sources.back()) : nullptr);
        }
    }
    static column_ref source_of(aggregation const& w) {
        if (!w.of || !w.of->is_text()) return w.of ? widened(w.of) : nullptr;
        return numbered(w.of);
    }
    // After this, addresses are known.
    void begin(std::span<aggregation const> what) {
        in.begin();
        for (std::size_t i = 0; i < what.size(); ++i) {
            group_request r;
            r.op = what[i].op, r.ddof = what[i].ddof, r.min_count = what[i].min_count, r.running = what[i].running;
            if (columns[i]) r.column = as_group_column(*columns[i]);
            requests.push_back(r);
        }
    }
    dtype result_type(std::size_t i) const {
        dtype const t = make_dtype(group_result_type(requests[i].op, requests[i].column.dtype));
        return columns[i] && is_time(t.id) ? columns[i]->values.type : t;
    }
    column result(std::size_t i, array const& out, array const& valid) const {
        auto const op = requests[i].op;
        auto const t = out.type.id;
        bool const counts = op == group_op::size || op == group_op::count;
        bool const keeps_text = op == group_op::min || op == group_op::max || op == group_op::first ||
                                op == group_op::last;
        if (sources[i] && sources[i]->is_text() && keeps_text) return aggregated_text(column(out), valid, *sources[i]);
        if (counts || is_float(t) || is_time(t)) return column(out);
        return column(out, valid);
    }
};

}  // namespace

std::vector<column> aggregate(array const& codes, std::int64_t groups, std::span<aggregation const> what) {
    device const where = codes.where();
    array const ids = contiguous(codes);
    prepared p(codes.size(), what);
    p.in.hold(ids);
    p.begin(what);
    std::vector<array> out, valid;
    for (std::size_t i = 0; i < what.size(); ++i) {
        std::int64_t const n = what[i].running ? codes.size() : groups;
        out.push_back(empty(where, p.result_type(i), {n}));
        valid.push_back(empty(where, make_dtype(type_id::bool_), {n}));
        p.requests[i].out = pointer(out.back()), p.requests[i].valid = pointer<std::uint8_t>(valid.back());
    }
    aggregate_by_id_args a;
    a.codes = pointer<std::uint32_t const>(ids), a.length = ids.size(), a.groups = groups;
    a.requests = p.requests.data(), a.nrequests = static_cast<std::int32_t>(p.requests.size());
    run(where, algorithm_kind::aggregate_by_id, &a);
    std::vector<column> columns;
    for (std::size_t i = 0; i < what.size(); ++i) columns.push_back(p.result(i, out[i], valid[i]));
    return columns;
}

ranked group_ranks(array const& codes, std::int64_t groups, column const& of, std::span<double const> shares,
                   bool want_distinct) {
    if (of.length() != codes.size())
        throw value_error("[group_ranks] keys have " + std::to_string(codes.size()) + " rows, values have " +
                          std::to_string(of.length()));
    for (double const s : shares)
        if (!(s >= 0 && s <= 1))
            throw value_error("[group_ranks] expected shares from 0 to 1, got " + std::to_string(s));
    if (of.is_text()) throw type_error("[group_ranks] expected numbers or times, got text");
    device const where = codes.where();
    array const ids = contiguous(codes);
    auto const values = widened(std::make_shared<column const>(of));
    inputs in;
    buffers const& b = in.add(*values);
    in.hold(ids);
    in.begin();
    auto const rows = static_cast<std::int64_t>(shares.size());
    dtype const count = make_dtype(type_id::int64);
    ranked found{empty(where, count, {groups}), empty(where, b.values.type, {rows, groups}),
                 empty(where, b.values.type, {rows, groups}), empty(where, count, {want_distinct ? groups : 0})};
    group_ranks_args r;
    r.codes = pointer<std::uint32_t const>(ids), r.length = ids.size(), r.groups = groups;
    r.column = as_group_column(b);
    r.shares = shares.data(), r.nshares = static_cast<std::int32_t>(rows);
    r.counts = pointer<std::int64_t>(found.counts);
    if (want_distinct) r.distinct = pointer<std::int64_t>(found.distinct);
    r.low = pointer(found.low), r.high = pointer(found.high);
    run(where, algorithm_kind::group_ranks, &r);
    return found;
}

std::optional<keyed> aggregate_by_key(column const& key, std::span<aggregation const> what) {
    device const where = key.where();
    if (key.is_text() || key.has_valid() || key.values().itemsize() != 8) return {};
    if (!where.api->supports(algorithm_kind::aggregate_by_key, key.values().type.id)) return {};
    prepared p(key.length(), what);
    buffers const& k = p.in.add(key);
    p.begin(what);
    results made{where, {}};
    aggregate_by_key_args by;
    by.keys = as_group_column(k), by.length = key.length();
    by.requests = p.requests.data(), by.nrequests = static_cast<std::int32_t>(p.requests.size());
    by.owner = &made, by.allocate = results::allocate;
    status const s = device_calls::algorithm(where, algorithm_kind::aggregate_by_key, &by);
    if (s == status::not_supported) return {};
    throw_if(s, where);
    auto const as = [&](array const& bytes, dtype t) {
        array v = reinterpret(bytes, t.id);
        v.type = t;
        return v;
    };
    keyed found{column(as(made.arrays[0], key.values().type)), {}};
    for (std::size_t i = 0; i < what.size(); ++i)
        found.results.push_back(p.result(i, as(made.arrays[2 * i + 1], p.result_type(i)),
                                         as(made.arrays[2 * i + 2], make_dtype(type_id::bool_))));
    return found;
}

namespace {

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
        return i < made.arrays.size()
                   ? view(reinterpret(made.arrays[i], type_id::int64), {a.count}, {8}, made.arrays[i].offset)
                   : empty(where, make_dtype(type_id::int64), {0});
    };
    return {rows(0), rows(1)};
}

}  // namespace bascule::table
