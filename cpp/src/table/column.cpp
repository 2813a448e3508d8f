#include "bascule/table/column.hpp"
#include "bascule/array/elementwise.hpp"

#include <cstring>
#include <limits>

#include "bascule/array/arguments.hpp"
#include "bascule/array/indexing.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/array/spill.hpp"
#include "bascule/core/algorithms.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "buffers.hpp"
#include "key_columns.hpp"

namespace bascule::table {
namespace {

constexpr std::int64_t few_of_rows = 4;

argument number(std::int64_t v, type_id t = type_id::int64) {
    argument a;
    a.type = t;
    a.value = cast_constant(
        [v] {
            plan_constant c{};
            std::memcpy(c.bytes, &v, sizeof v);
            return c;
        }(),
        type_id::int64, t);
    return a;
}

argument nan_of(type_id t) {
    double const nan = std::numeric_limits<double>::quiet_NaN();
    plan_constant c{};
    std::memcpy(c.bytes, &nan, sizeof nan);
    argument a;
    a.type = t, a.value = cast_constant(c, type_id::float64, t);
    return a;
}

array choose(array const& mask, argument const& yes, argument const& no) {
    argument const args[] = {{&mask}, yes, no};
    return apply(ops::number<ops::where>, args);
}

array is_negative(array const& positions) {
    return apply(ops::number<ops::less>, positions, number(0, positions.type.id));
}

std::vector<index_entry> by(array const& a) {
    index_entry e;
    e.kind = index_entry::what::array, e.array = a;
    return {e};
}

// With `holes`, negative positions are those of missing values, so that any element will do there.
array take_elements(array const& a, array const& positions, bool nulls = true) {
    if (a.size() > 0 || positions.size() == 0 || !nulls) return get_item(a, by(positions));
    arguments::positions(positions, std::numeric_limits<std::int64_t>::min(), 0, "take");
    return full(a.where(), a.type, {positions.size()}, plan_constant{});
}

array all_true(device where, std::int64_t n) {
    plan_constant one{};
    one.bytes[0] = 1;
    return full(where, make_dtype(type_id::bool_), {n}, one);
}

array take_valid(column const& c, array const& positions, bool nulls) {
    array const valid = c.has_valid() ? take_elements(c.valid(), positions, nulls) : array{};
    if (!nulls) return valid;
    array const hit = apply(ops::number<ops::logical_not>, is_negative(positions));
    return valid.memory() ? apply(ops::number<ops::logical_and>, valid, hit) : hit;
}

column gather_text(column const& c, array const& positions, bool nulls = false) {
    inputs in;
    buffers const& b = in.add(c);
    array const p = contiguous(astype(positions, make_dtype(type_id::int64), false));
    in.hold(p);
    in.begin();
    results made{c.where(), {}};
    gather_strings_args a;
    a.in = as_strings(b);
    a.positions = pointer<std::int64_t const>(p), a.length = p.size(), a.nulls = nulls;
    a.owner = &made, a.allocate = results::allocate;
    run(c.where(), algorithm_kind::gather_strings, &a);
    return text_from(a.out, made, p.size());
}

column concat_text(std::span<column_ref const> parts) {
    inputs in;
    std::vector<column_ref> decoded;
    std::vector<buffers const*> b;
    for (auto const& p : parts) decoded.push_back(p->decoded()), b.push_back(&in.add(*decoded.back()));
    in.begin();
    std::vector<string_column> strings;
    std::int64_t n = 0;
    for (auto const* x : b) strings.push_back(as_strings(*x)), n += x->length;
    results made{parts[0]->where(), {}};
    concat_strings_args a;
    a.parts = strings.data(), a.nparts = static_cast<std::int32_t>(strings.size());
    a.owner = &made, a.allocate = results::allocate;
    run(parts[0]->where(), algorithm_kind::concat_strings, &a);
    return text_from(a.out, made, n);
}

array concat_arrays(std::vector<array> const& parts, type_id t) {
    std::int64_t n = 0;
    for (auto const& p : parts) n += p.size();
    dtype type = make_dtype(t);
    if (is_time(t)) type = parts[0].type;
    array const out = empty(parts[0].where(), type, {n});
    std::int64_t at = 0;
    for (auto const& p : parts) {
        if (p.size() > 0) assign(view(out, {p.size()}, {out.itemsize()}, at * out.itemsize()), p);
        at += p.size();
    }
    return out;
}

// Codes into one dictionary that holds the values of all.
column concat_coded(std::span<column_ref const> parts) {
    bool same = true;
    for (auto const& p : parts) same = same && p->dictionary() == parts[0]->dictionary();
    std::vector<array> codes;
    if (same) {
        for (auto const& p : parts) codes.push_back(p->values());
        return column::coded(concat_arrays(codes, type_id::int32), parts[0]->dictionary());
    }
    std::vector<column_ref> dictionaries;
    for (auto const& p : parts) dictionaries.push_back(p->dictionary());
    column const all = concat_text(dictionaries);
    std::int64_t at = 0;
    for (auto const& p : parts) {
        array const moved = apply(ops::number<ops::add>, p->values(), number(at, type_id::int32));
        codes.push_back(choose(is_negative(p->values()), number(-1, type_id::int32), {&moved}));
        at += p->dictionary()->length();
    }
    return recode(concat_arrays(codes, type_id::int32), all);
}

column_ref encode(column const& c) {
    auto const plan = plan_dictionary(c);
    if (!plan) return nullptr;
    column_ref const key[] = {std::make_shared<column const>(c)};
    auto const g = number_rows(key, {.first = true, .plan = plan});
    auto dictionary = std::make_shared<column const>(gather_text(c, g.first));
    // Rows without a group have all bits set: -1.
    return std::make_shared<column const>(column::coded(reinterpret(g.codes, type_id::int32), std::move(dictionary)));
}

}  // namespace

column::column(array values, array valid)
    : length_(values.size()), values_(plain_booleans(values)), valid_(std::move(valid)) {
    if (values_.ndim() != 1)
        throw value_error("[column] expected one dimension, got " + std::to_string(values_.ndim()));
    if (has_valid() && valid_.size() != length_) throw value_error("[column] values and valid differ in length");
    hand_out();
}

// Columns are made of the arrays that are written.
void column::hand_out() const {
    for (array const* a : {&values_, &offsets_, &valid_}) spill::hand_out(a->memory());
}

column column::text(array bytes, array offsets, array valid) {
    column c;
    c.form_ = form::text;
    c.length_ = offsets.size() - 1;
    c.values_ = std::move(bytes), c.offsets_ = std::move(offsets), c.valid_ = std::move(valid);
    if (c.length_ < 0) throw value_error("[column] text needs at least one offset");
    if (c.has_valid() && c.valid_.size() != c.length_) throw value_error("[column] offsets and valid differ in length");
    c.hand_out();
    return c;
}

column column::coded(array codes, column_ref dictionary) {
    column c;
    c.form_ = form::coded;
    c.length_ = codes.size();
    c.values_ = std::move(codes), c.dictionary_ = std::move(dictionary);
    if (c.values_.type.id != type_id::int32) throw type_error("[column] codes are int32");
    c.hand_out();
    return c;
}

bool column::has_missing() const {
    if (form_ == form::text && !has_valid()) return false;
    if (form_ == form::plain && !has_valid() && !is_float(values_.type.id) && !is_complex(values_.type.id) &&
        !is_time(values_.type.id))
        return false;
    if (derived_->missing < 0) {
        int const any = ops::find_aggregate("any");
        derived_->missing = length_ > 0 &&
                            item(reduce_with(static_cast<std::uint16_t>(any), missing(*this))).bytes[0] != 0;
    }
    return derived_->missing == 1;
}

column_ref column::encoded() const {
    if (form_ == form::plain) return nullptr;
    if (form_ == form::coded) return std::make_shared<column const>(*this);
    std::lock_guard const hold(derived_->mutex);
    if (!derived_->asked_for_codes) {
        derived_->codes = encode(*this);
        derived_->asked_for_codes = true;
    }
    return derived_->codes;
}

column_ref column::known_codes() const {
    if (form_ == form::coded) return std::make_shared<column const>(*this);
    std::lock_guard const hold(derived_->mutex);
    return derived_->codes;
}

column_ref column::decoded() const {
    if (form_ != form::coded) return std::make_shared<column const>(*this);
    std::lock_guard const hold(derived_->mutex);
    if (!derived_->text) derived_->text = std::make_shared<column const>(gather_text(*dictionary_, values_, true));
    return derived_->text;
}

column take(column const& c, array const& positions, bool nulls) {
    if (c.is_text()) {
        // Codes of all rows do not pay for a few of them.
        bool const few = positions.size() < c.length() / few_of_rows;
        auto const coded = few ? c.known_codes() : c.encoded();
        if (!coded) return gather_text(c, positions, nulls);
        array const codes = take_elements(coded->values(), positions, nulls);
        return column::coded(nulls ? choose(is_negative(positions), number(-1, type_id::int32), {&codes}) : codes,
                             coded->dictionary());
    }
    array const values = take_elements(c.values(), positions, nulls);
    auto const t = c.values().type.id;
    if (!nulls) return column(values, take_valid(c, positions, false));
    if (c.has_valid() || is_boolean(t)) return column(values, take_valid(c, positions, true));
    array const null = is_negative(positions);
    if (is_time(t)) {
        array const no_time = full(c.where(), c.values().type, {}, number(nat).value);
        return column(choose(null, {&no_time}, {&values}));
    }
    array const wide = is_integer(t) ? astype(values, make_dtype(type_id::float64)) : values;
    return column(choose(null, nan_of(wide.type.id), {&wide}));
}

column filter(column const& c, array const& mask) {
    auto const keep = by(mask);
    if (c.is_text()) {
        if (auto const coded = c.encoded()) return column::coded(get_item(coded->values(), keep), coded->dictionary());
        return gather_text(c, nonzero(mask)[0]);
    }
    return column(get_item(c.values(), keep), c.has_valid() ? get_item(c.valid(), keep) : array{});
}

column slice(column const& c, bascule::slice rows) {
    auto of = [&](array const& a) {
        return view(a, {rows.count}, {a.strides[0] * rows.step}, a.offset + rows.start * a.strides[0]);
    };
    if (c.kind() == column::form::coded) return column::coded(of(c.values()), c.dictionary());
    if (c.kind() == column::form::plain) return column(of(c.values()), c.has_valid() ? of(c.valid()) : array{});
    if (rows.step != 1) {
        array const positions = arange(c.where(), make_dtype(type_id::int64), rows.count, number(rows.start).value,
                                       number(rows.step).value);
        return gather_text(c, positions);
    }
    array const& o = c.offsets();
    return column::text(c.values(), view(o, {rows.count + 1}, o.strides, o.offset + rows.start * o.strides[0]),
                        c.has_valid() ? of(c.valid()) : array{});
}

column recode(array const& codes, column const& text) {
    column_ref const all[] = {text.decoded()};
    auto const unified = number_rows(all, {.first = true});
    // Missing strings are in no group, and rows without a group have all bits set: -1.
    array const moved = take_elements(reinterpret(unified.codes, type_id::int32), codes);
    return column::coded(choose(is_negative(codes), number(-1, type_id::int32), {&moved}),
                         std::make_shared<column const>(gather_text(*all[0], unified.first)));
}

column concat(std::span<column_ref const> parts) {
    if (parts.empty()) throw value_error("[concat] expected at least one column");
    bool coded = true, any_strings = false, plains = false, valid = false;
    for (auto const& p : parts) {
        (p->is_text() ? any_strings : plains) = true;
        coded = coded && p->is_text() && (p->kind() == column::form::coded || p->encoded());
        valid = valid || p->has_valid();
    }
    if (any_strings && plains) throw type_error("[concat] text and numbers have no common type");
    if (coded) {
        std::vector<column_ref> all;
        for (auto const& p : parts) all.push_back(p->encoded());
        return concat_coded(all);
    }
    if (any_strings) return concat_text(parts);
    std::vector<array> values, masks;
    std::vector<promoted> types;
    for (auto const& p : parts) {
        values.push_back(p->values());
        types.push_back({p->values().type.id, weak_kind::strong});
        if (valid) masks.push_back(p->has_valid() ? p->valid() : all_true(p->where(), p->length()));
    }
    return column(concat_arrays(values, common_type(types)), valid ? concat_arrays(masks, type_id::bool_) : array{});
}

array missing(column const& c) {
    if (c.kind() == column::form::coded) return is_negative(c.values());
    if (c.has_valid()) return apply(ops::number<ops::logical_not>, c.valid());
    auto const t = c.values().type.id;
    if (c.kind() == column::form::plain && is_time(t)) {
        int const isnat = ops::find("isnat");
        return apply(static_cast<std::uint16_t>(isnat), c.values());
    }
    if (c.kind() == column::form::plain && (is_float(t) || is_complex(t))) {
        int const isnan = ops::find("isnan");
        return apply(static_cast<std::uint16_t>(isnan), c.values());
    }
    return full(c.where(), make_dtype(type_id::bool_), {c.length()}, plan_constant{});
}

array compare_text(column const& a, column const& b, string_comparison op) {
    if (!a.is_text() || !b.is_text()) throw type_error("[compare_text] expected text on both sides");
    if (b.length() != a.length() && b.length() != 1)
        throw value_error("[compare_text] lengths differ: left " + std::to_string(a.length()) + ", right " +
                          std::to_string(b.length()));
    if (a.kind() == column::form::coded && b.length() == 1) {
        // The answer for each entry of the dictionary, then one lookup a row; missing rows by the last, added, entry.
        array const each = compare_text(*a.dictionary(), b, op);
        array const hit = take_elements(each, a.values());
        plan_constant missing_answer{};
        missing_answer.bytes[0] = op == string_comparison::not_equal;
        argument m;
        m.type = type_id::bool_, m.value = missing_answer;
        return a.has_missing() || each.size() == 0 ? choose(is_negative(a.values()), m, {&hit}) : hit;
    }
    auto const left = a.decoded(), right = b.decoded();
    inputs in;
    buffers const &l = in.add(*left), &r = in.add(*right);
    in.begin();
    array const out = empty(a.where(), make_dtype(type_id::bool_), {a.length()});
    compare_strings_args args;
    args.left = as_strings(l), args.right = as_strings(r), args.op = op;
    args.out = pointer<std::uint8_t>(out);
    run(a.where(), algorithm_kind::compare_strings, &args);
    return out;
}

}  // namespace bascule::table
