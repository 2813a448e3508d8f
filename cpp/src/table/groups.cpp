#include "bascule/table/groups.hpp"

#include <cstring>
#include <memory>

#include "bascule/array/device_calls.hpp"
#include "bascule/array/indexing.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "buffers.hpp"
#include "key_columns.hpp"

namespace bascule::table {
namespace {

group_column as_group_column(buffers const& b) {
    return {b.values.type.id, pointer<void const>(b.values), pointer<std::uint8_t const>(b.bits),
            pointer<std::int64_t const>(b.offsets), b.length};
}

// The first of the results, as elements of a type.
array as_elements(array const& bytes, dtype t) {
    array v = reinterpret(bytes, t.id);
    v.type = t;
    return v;
}

// `chosen` where valid, else -1.
array or_minus_one(array const& valid, array const& chosen) {
    argument minus_one;
    minus_one.type = chosen.type.id;
    std::int64_t const v = -1;
    std::memcpy(minus_one.value.bytes, &v, sizeof v);
    argument const args[] = {{&valid}, {&chosen}, minus_one};
    return apply(ops::number<ops::where>, args);
}

}  // namespace

numbering number_rows(std::span<column_ref const> keys, numbering_options const& how) {
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
    out.codes = empty(where, make_dtype(how.wide ? type_id::int64 : type_id::uint32), {n});
    factorize_args a;
    a.keys = columns.data(), a.nkeys = static_cast<std::int32_t>(columns.size());
    a.length = n;
    a.order = how.sorted ? group_order::sorted : group_order::appearance;
    a.keep_nulls = how.keep_missing, a.want_first = how.first;
    if (how.wide) a.wide_codes = pointer<std::int64_t>(out.codes);
    else a.codes = pointer<std::uint32_t>(out.codes);
    a.owner = &made, a.allocate = results::allocate;
    a.plan = how.plan ? *how.plan : plan_groups(where, columns, group_result::numbers).numbering;
    run(where, algorithm_kind::factorize, &a);
    out.count = a.groups, out.runs = a.plan.runs;
    if (how.first) {
        out.first = empty(where, make_dtype(type_id::int64), {0});
        for (auto const& r : made.arrays)
            if (pointer(r) == a.first) out.first = view(reinterpret(r, type_id::int64), {a.groups}, {8}, r.offset);
    }
    return out;
}

namespace {
group_plan plan_of(column const& key, group_result wanted) {
    inputs in;
    buffers const& b = in.add(key);
    in.begin();
    group_column const c[] = {as_group_column(b)};
    return plan_groups(key.where(), c, wanted);
}
}  // namespace

std::optional<factorize_plan> plan_dictionary(column const& text) {
    std::int64_t const length = text.length();
    auto const plan = plan_of(text, group_result::numbers);
    if (length <= always_encoded || plan.repeats.value_or(false)) return plan.numbering;
    if (plan.repeats) return {};
    // A slice, since `take` would ask for the dictionary that this decides about, and wait for itself.
    std::int64_t const rows = std::min(most_described_rows, length);
    column_ref const sample[] = {std::make_shared<column const>(slice(text, {0, length / rows, rows}))};
    if (!dictionary_pays(rows, number_rows(sample, {.sorted = false}).count)) return {};
    return plan.numbering;
}

column_ref numbered(column_ref const& c) {
    if (auto codes = c->encoded()) return codes;
    auto const g = number_rows(std::span(&c, 1), {.first = true});
    return std::make_shared<column const>(
        column::coded(reinterpret(g.codes, type_id::int32), std::make_shared<column const>(take(*c, g.first))));
}

numbering factorize(std::span<column const* const> keys, bool sorted, bool keep_missing, bool want_first) {
    common_length(keys, "factorize");
    std::vector<column_ref> all;
    for (auto const* k : keys) all.push_back(as_key(*k));
    return number_rows(all, {.sorted = sorted, .keep_missing = keep_missing, .first = want_first});
}

distinct_rows distinct(std::span<array const> columns, bool want_number) {
    std::vector<column_ref> keys;
    for (auto const& c : columns) keys.push_back(std::make_shared<column const>(c));
    common_length(keys, "factorize");
    auto n = number_rows(keys, {.keep_missing = true, .first = true, .wide = want_number});
    return {std::move(n.first), want_number ? std::move(n.codes) : empty(keys[0]->where(), n.first.type, {0})};
}

namespace {

namespace a = ops::aggregate;
template <class... A> bool is_one_of(std::uint16_t aggregate) {
    return ((aggregate == ops::aggregate_number<A>) || ...);
}

// Text by the numbers of its rows, where these decide: the first and the last of each group, and counts.
bool by_row_number(aggregation const& w) {
    return w.of && w.of->kind() == column::form::text && w.of->length() > always_encoded && !w.running &&
           is_one_of<a::first, a::last, a::count>(w.aggregate);
}

// The columns to aggregate as the device reads them, and the columns that its results refer to.
struct prepared {
    inputs in;
    std::vector<column_ref> sources;
    std::vector<array> first;  // of text that is numbered for this call: the row of each number
    std::vector<buffers const*> columns;
    std::vector<group_request> requests;

    prepared(std::int64_t rows, std::span<aggregation const> what) {
        for (auto const& w : what) {
            if (w.of && w.of->length() != rows)
                throw value_error("[aggregate] keys have " + std::to_string(rows) + " rows, values have " +
                                  std::to_string(w.of->length()));
            add(w);
        }
    }
    void add(aggregation const& w) {
        auto const codes = w.of && w.of->is_text() && !by_row_number(w) ? w.of->encoded() : nullptr;
        sources.push_back(codes ? codes : w.of && !w.of->is_text() ? widened(w.of) : w.of);
        first.emplace_back();
        auto const& source = sources.back();
        if (!source) columns.push_back(nullptr);
        else if (source->kind() != column::form::text) columns.push_back(&in.add(*source));
        else if (by_row_number(w)) columns.push_back(&in.add(row_numbers(*source)));
        else {  // too many different strings for a dictionary
            auto n = number_rows(std::span(&source, 1), {.first = true});
            first.back() = std::move(n.first);
            columns.push_back(&in.add(column(reinterpret(n.codes, type_id::int32), source->valid())));
        }
    }
    static column row_numbers(column const& text) {
        argument one;
        one.type = type_id::int64, one.value.bytes[0] = 1;
        return column(arange(text.where(), make_dtype(type_id::int64), text.length(), plan_constant{}, one.value),
                      text.valid());
    }
    // After this, addresses are known.
    void begin(std::span<aggregation const> what) {
        in.begin();
        for (std::size_t i = 0; i < what.size(); ++i) {
            group_request r;
            r.aggregate = what[i].aggregate, r.ddof = what[i].ddof, r.min_count = what[i].min_count,
            r.running = what[i].running;
            if (columns[i]) r.column = as_group_column(*columns[i]);
            requests.push_back(r);
        }
    }
    dtype result_type(std::size_t i) const {
        dtype const t = make_dtype(ops::group_result_type(requests[i].aggregate, requests[i].column.dtype));
        return columns[i] && is_time(t.id) ? columns[i]->values.type : t;
    }
    column result(std::size_t i, array const& out, array const& valid) const {
        auto const made = requests[i].aggregate;
        auto const t = out.type.id;
        if (ops::aggregate_table[made].counts_rows || is_float(t) || is_time(t)) return column(out);
        bool const keeps_text = is_one_of<a::minimum, a::maximum, a::first, a::last>(made);
        if (!sources[i] || !sources[i]->is_text() || !keeps_text) return column(out, valid);
        // Numbers of rows, or codes of a sorted dictionary, of which the least and the greatest are those of the text.
        if (sources[i]->kind() == column::form::coded)
            return column::coded(or_minus_one(valid, out), sources[i]->dictionary());
        auto const& rows = first[i];
        return take(*sources[i], or_minus_one(valid, rows.memory() && rows.size() > 0 ? take(rows, out, 0) : out),
                    true);
    }
};

}  // namespace

std::vector<column> aggregate(array const& codes, std::int64_t groups, std::span<aggregation const> what, bool runs) {
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
    a.path = plan_aggregates(groups), a.runs = runs;
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

// ---- groups that keep what is found out of them

namespace {

struct keyed {
    column_ref keys;
    std::vector<column> results;
};

// In the order of the one key, without numbering the rows; nothing where keys are not as the plan needs them.
std::optional<keyed> aggregate_by_key(column const& key, std::uint64_t range, std::span<aggregation const> what) {
    device const where = key.where();
    prepared p(key.length(), what);
    buffers const& k = p.in.add(key);
    p.begin(what);
    results made{where, {}};
    aggregate_by_key_args by;
    by.keys = as_group_column(k), by.length = key.length(), by.most_range = range;
    by.requests = p.requests.data(), by.nrequests = static_cast<std::int32_t>(p.requests.size());
    by.owner = &made, by.allocate = results::allocate;
    run(where, algorithm_kind::aggregate_by_key, &by);
    if (!by.found) return {};
    keyed found{std::make_shared<column const>(as_elements(made.arrays[0], key.values().type)), {}};
    for (std::size_t i = 0; i < what.size(); ++i)
        found.results.push_back(p.result(i, as_elements(made.arrays[2 * i + 1], p.result_type(i)),
                                         as_elements(made.arrays[2 * i + 2], make_dtype(type_id::bool_))));
    return found;
}

}  // namespace

row_groups::row_groups(std::vector<column_ref> keys, bool sorted, bool keep_missing)
    : rows_(std::move(keys)), sorted_(sorted), keep_missing_(keep_missing) {
    common_length(rows_, "groups");
}

row_groups::row_groups(array codes, array first, std::int64_t count) {
    bool const runs = plan_of(column(codes), group_result::numbers).numbering.runs;
    numbers_ = numbering{std::move(codes), std::move(first), count, runs};
}

numbering const& row_groups::numbers() const {
    std::lock_guard const hold(mutex_);
    if (!numbers_) {
        std::vector<column_ref> by;
        for (auto const& k : rows_) by.push_back(as_key(k));
        numbers_ = number_rows(by, {.sorted = sorted_, .keep_missing = keep_missing_, .first = true, .plan = plan_});
    }
    return *numbers_;
}

std::int64_t row_groups::count() const {
    std::lock_guard const hold(mutex_);
    return keys_.empty() ? numbers().count : keys_[0]->length();
}

std::vector<column_ref> const& row_groups::keys() const {
    std::lock_guard const hold(mutex_);
    if (keys_.empty())
        for (auto const& k : rows_) keys_.push_back(std::make_shared<column const>(take(*k, numbers().first)));
    return keys_;
}

std::vector<column> row_groups::aggregate(std::span<aggregation const> what) const {
    std::lock_guard const hold(mutex_);
    std::vector<column> found;
    if (!numbers_ && sorted_ && rows_.size() == 1 && aggregate_unnumbered(what, found)) return found;
    auto const& n = numbers();
    try {
        return table::aggregate(n.codes, n.count, what, n.runs);
    } catch (memory_error const&) {
        if (what.size() < 2) throw;
    }
    // Columns that do not fit into the device's memory together.
    for (auto const& w : what) found.push_back(table::aggregate(n.codes, n.count, std::span(&w, 1), n.runs)[0]);
    return found;
}

bool row_groups::aggregate_unnumbered(std::span<aggregation const> what, std::vector<column>& found) const {
    auto const& key = rows_[0];
    if (key->is_text()) {
        auto const coded = keep_missing_ && key->has_missing() ? nullptr : key->encoded();
        return coded && codes_are_groups(key->length(), coded->dictionary()->length()) &&
               aggregate_codes(coded, what, found);
    }
    if (is_half(*key) || plan_) return false;
    auto const plan = plan_of(*key, group_result::aggregates);
    plan_ = plan.numbering;
    if (plan.key_range == 0) return false;
    auto by = aggregate_by_key(*key, plan.key_range, what);
    if (!by) return false;
    keys_ = {by->keys};
    found = std::move(by->results);
    return true;
}

bool row_groups::aggregate_codes(column_ref const& coded, std::span<aggregation const> what,
                                 std::vector<column>& found) const {
    std::vector<aggregation> all(what.begin(), what.end());
    all.push_back({.of = nullptr, .aggregate = ops::aggregate_number<a::size>});
    auto const& strings = coded->dictionary();
    found = table::aggregate(reinterpret(coded->values(), type_id::uint32), strings->length(), all);
    array const present = apply(ops::number<ops::not_equal>, found.back().values(), argument{.type = type_id::int64});
    found.pop_back();
    auto const every = reduce_with(ops::aggregate_number<ops::aggregate::all>, present);
    keys_ = {strings};
    if (item(every).bytes[0] != 0) return true;
    for (auto& c : found) c = filter(c, present);
    keys_ = {std::make_shared<column const>(filter(*strings, present))};
    return true;
}

}  // namespace bascule::table
