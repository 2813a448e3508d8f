#include "bascule/table/labels.hpp"

#include <cstring>

#include "bascule/array/elementwise.hpp"
#include "bascule/array/indexing.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"

namespace bascule::table {

struct labels::facts {
    std::mutex mutex;
    std::optional<bool> unique, increasing, decreasing;
    column_ref range_values;
    int searches = 0;
    array order;  // of labels that do not increase, once it pays
    column_ref sorted;
};

namespace {

constexpr std::int64_t worth_an_order = 1000;  // labels; below, a scan costs next to nothing

plan_constant constant(std::int64_t v) {
    plan_constant c{};
    std::memcpy(c.bytes, &v, sizeof v);
    return c;
}

argument number(std::int64_t v) {
    argument a;
    a.type = type_id::int64, a.value = constant(v);
    return a;
}

bool all(array const& truth) {
    static auto const number = static_cast<std::uint16_t>(ops::find_aggregate("all"));
    return truth.size() == 0 || item(reduce_with(number, truth)).bytes[0] != 0;
}

array plain(array const& a, std::int64_t begin, std::int64_t end) {
    return view(a, {end - begin}, a.strides, a.offset + begin * a.strides[0]);
}

// Whether each row compares to the one before it as `op` requires.
bool neighbours(column const& c, std::uint16_t op, string_comparison text_op) {
    std::int64_t const n = c.length();
    if (c.has_missing()) return false;
    if (n < 2) return true;
    if (c.kind() == column::form::text) {
        column const later = slice(c, {1, 1, n - 1}), sooner = slice(c, {0, 1, n - 1});
        return all(compare_text(later, sooner, text_op));
    }
    return all(apply(op, plain(c.values(), 1, n), plain(c.values(), 0, n - 1)));
}

// No order has missing labels; a number of several levels does not show whether there are any.
bool any_missing(labels const& l) {
    for (int i = 0; i < l.nlevels(); ++i)
        if (l.level(i)->has_missing()) return true;
    return false;
}

// One number a row that is ordered as the labels are.
column_ref ordered_key(labels const& l) {
    if (l.nlevels() == 1) return l.level(0);
    std::vector<column_ref> levels;
    std::vector<column const*> keys;
    for (int i = 0; i < l.nlevels(); ++i) levels.push_back(l.level(i)), keys.push_back(levels.back().get());
    return std::make_shared<column const>(factorize(keys, true, true, false).codes);
}

// Missing rows equal each other and no value: values under a mask do not count.
array equal_rows(column const& a, column const& b) {
    if (a.is_text() != b.is_text()) return full(a.where(), make_dtype(type_id::bool_), {a.length()}, plan_constant{});
    array same = a.is_text() ? compare_text(a, b, string_comparison::equal)
                             : apply(ops::number<ops::equal>, a.values(), b.values());
    for (auto const* c : {&a, &b})
        if (!c->is_text() && c->has_valid()) same = apply(ops::number<ops::logical_and>, same, c->valid());
    if (a.has_missing() && b.has_missing()) {
        array const both = apply(ops::number<ops::logical_and>, missing(a), missing(b));
        same = apply(ops::number<ops::logical_or>, same, both);
    }
    return same;
}

// A key that is not missing, in the type of a column.
column_ref with_type(column_ref const& key, column const& like) {
    if (key->has_missing()) throw value_error("[labels] a missing label has no place among sorted ones");
    if (key->is_text() || key->values().type == like.values().type) return key;
    return std::make_shared<column const>(astype(key->values(), like.values().type));
}

// -1, 0, 1: row `i` of a sorted column against a key; neither is missing.
int compare(column const& c, std::int64_t i, column const& key) {
    if (c.is_text()) {
        column const row = slice(c, {i, 1, 1});
        if (item(compare_text(row, key, string_comparison::equal)).bytes[0]) return 0;
        return item(compare_text(row, key, string_comparison::less)).bytes[0] ? -1 : 1;
    }
    auto const row = item(c.values(), i), k = item(key.values());
    auto three_way = [&](auto of) {
        decltype(of) x, y;
        std::memcpy(&x, row.bytes, sizeof x), std::memcpy(&y, k.bytes, sizeof y);
        return x < y ? -1 : y < x ? 1 : 0;
    };
    auto const t = c.values().type.id;
    if (is_float(t)) {
        double const x = [&] {
            double v;
            auto const w = cast_constant(row, t, type_id::float64);
            std::memcpy(&v, w.bytes, 8);
            return v;
        }();
        double const y = [&] {
            double v;
            auto const w = cast_constant(k, t, type_id::float64);
            std::memcpy(&v, w.bytes, 8);
            return v;
        }();
        return x < y ? -1 : y < x ? 1 : 0;
    }
    switch (itemsize(t)) {
        case 1: return is_signed_integer(t) ? three_way(std::int8_t{}) : three_way(std::uint8_t{});
        case 2: return is_signed_integer(t) ? three_way(std::int16_t{}) : three_way(std::uint16_t{});
        case 4: return is_signed_integer(t) ? three_way(std::int32_t{}) : three_way(std::uint32_t{});
        default: return is_unsigned_integer(t) ? three_way(std::uint64_t{}) : three_way(std::int64_t{});
    }
}

// Missing rows of a sorted column are its last.
std::int64_t bound(column const& c, column const& key, bool after_equal) {
    std::int64_t low = 0, high = c.length();
    if (c.has_missing()) high = nonzero(apply(ops::number<ops::logical_not>, missing(c)))[0].size();
    while (low < high) {
        std::int64_t const mid = low + (high - low) / 2;
        int const o = compare(c, mid, key);
        if (o < 0 || (after_equal && o == 0)) low = mid + 1;
        else high = mid;
    }
    return low;
}

array integers(device where, std::int64_t start, std::int64_t step, std::int64_t n) {
    return arange(where, make_dtype(type_id::int64), n, constant(start), constant(step));
}

// Whether arithmetic finds labels among those of a range: they are all there, and int64 holds them.
bool is_countable(column const& c) {
    return !c.is_text() && is_integer(c.values().type.id) && c.values().type.id != type_id::uint64 && !c.has_missing();
}

array where_in_range(label_range const& r, array const& values) {
    // (v - start) / step where that is exact and inside; else -1.
    array const v = astype(values, make_dtype(type_id::int64), false);
    array const distance = apply(ops::number<ops::subtract>, v, number(r.start));
    array const at = apply(ops::number<ops::floor_divide>, distance, number(r.step));
    array const exact = apply(ops::number<ops::equal>, apply(ops::number<ops::multiply>, at, number(r.step)), distance);
    array const inside = apply(ops::number<ops::logical_and>, apply(ops::number<ops::greater_equal>, at, number(0)),
                               apply(ops::number<ops::less>, at, number(r.count)));
    array const hit = apply(ops::number<ops::logical_and>, exact, inside);
    argument const args[] = {{&hit}, {&at}, number(-1)};
    return apply(ops::number<ops::where>, args);
}

}  // namespace

labels::labels(device where, label_range r)
    : where_(where), length_(r.count), range_(r), facts_(std::make_shared<facts>()) {}

labels::labels(std::vector<column_ref> levels) : levels_(std::move(levels)), facts_(std::make_shared<facts>()) {
    if (levels_.empty()) throw value_error("[labels] expected at least one level");
    where_ = levels_[0]->where();
    length_ = levels_[0]->length();
    for (auto const& l : levels_)
        if (l->length() != length_) throw value_error("all arrays must be same length");
}

column_ref labels::level(int i) const {
    if (!range_) return levels_.at(static_cast<std::size_t>(i));
    std::lock_guard const hold(facts_->mutex);
    if (!facts_->range_values)
        facts_->range_values = std::make_shared<column const>(integers(where_, range_->start, range_->step, length_));
    return facts_->range_values;
}

bool labels::is_increasing() const {
    if (range_) return length_ < 2 || range_->step > 0;
    if (!facts_->increasing)
        facts_->increasing = !any_missing(*this) && neighbours(*ordered_key(*this), ops::number<ops::greater_equal>,
                                                               string_comparison::greater_equal);
    return *facts_->increasing;
}

bool labels::is_decreasing() const {
    if (range_) return length_ < 2 || range_->step < 0;
    if (!facts_->decreasing)
        facts_->decreasing = !any_missing(*this) && neighbours(*ordered_key(*this), ops::number<ops::less_equal>,
                                                               string_comparison::less_equal);
    return *facts_->decreasing;
}

bool labels::is_unique() const {
    if (range_) return true;
    if (!facts_->unique) {
        if (facts_->increasing.value_or(false)) {
            facts_->unique = neighbours(*ordered_key(*this), ops::number<ops::greater>, string_comparison::greater);
        } else {
            std::vector<column const*> keys;
            for (auto const& l : levels_) keys.push_back(l.get());
            facts_->unique = factorize(keys, false, true, false).count == length_;
        }
    }
    return *facts_->unique;
}

bool labels::equals(labels const& o) const {
    if (this == &o) return true;
    if (length_ != o.length_ || nlevels() != o.nlevels()) return false;
    if (range_ && o.range_)
        return length_ == 0 || (range_->start == o.range_->start && (length_ == 1 || range_->step == o.range_->step));
    for (int i = 0; i < nlevels(); ++i) {
        auto const a = level(i), b = o.level(i);
        if (a == b) continue;
        if (a->is_text() != b->is_text() || !all(equal_rows(*a, *b))) return false;
    }
    return true;
}

array labels::find(std::vector<column_ref> const& label) const {
    if (label.size() != static_cast<std::size_t>(nlevels()))
        throw value_error("[labels] a label has one value a level");
    if (range_ && is_countable(*label[0])) {
        array const at = where_in_range(*range_, label[0]->values());
        std::vector<index_entry> keep(1);
        keep[0].kind = index_entry::what::array;
        keep[0].array = apply(ops::number<ops::greater_equal>, at, number(0));
        return get_item(at, keep);
    }
    auto const first = level(0);
    auto const& column = *first;
    if (nlevels() == 1 && length_ > worth_an_order && !label[0]->has_missing()) {
        auto const key = with_type(label[0], column);
        bool const search = ++facts_->searches > 1;
        if (search && is_increasing()) {
            std::int64_t const b = bound(column, *key, false), e = bound(column, *key, true);
            return integers(where_, b, 1, e - b);
        }
        if (search && !column.has_missing()) {
            std::lock_guard const hold(facts_->mutex);
            if (!facts_->sorted) {
                table::column const* const keys[] = {&column};
                bool const ascending[] = {true};
                facts_->order = order(keys, ascending);
                facts_->sorted = std::make_shared<table::column const>(take(column, facts_->order));
            }
            return plain(facts_->order, bound(*facts_->sorted, *key, false), bound(*facts_->sorted, *key, true));
        }
    }
    array hit;
    for (std::size_t i = 0; i < label.size(); ++i) {
        array const here = equal_rows(*level(static_cast<int>(i)), *label[i]);
        hit = i == 0 ? here : apply(ops::number<ops::logical_and>, hit, here);
    }
    return nonzero(hit)[0];
}

array labels::positions_of(labels const& target) const {
    if (!is_unique()) throw value_error("cannot reindex on an axis with duplicate labels");
    if (range_ && target.nlevels() == 1 && is_countable(*target.level(0)))
        return where_in_range(*range_, target.level(0)->values());
    std::vector<column_ref> mine, theirs;
    for (int i = 0; i < nlevels(); ++i) mine.push_back(level(i)), theirs.push_back(target.level(i));
    return join(theirs, mine, join_how::left).right;
}

std::pair<std::int64_t, std::int64_t> labels::between(column_ref const& low, column_ref const& high) const {
    auto const values = level(0);
    std::int64_t const b = low ? bound(*values, *with_type(low, *values), false) : 0;
    std::int64_t const e = high ? bound(*values, *with_type(high, *values), true) : length_;
    return {b, std::max(b, e)};
}

std::optional<label_range> as_range(column const& c) {
    if (c.kind() != column::form::plain || c.values().type.id != type_id::int64 || c.has_valid()) return {};
    std::int64_t const n = c.length();
    auto at = [&](std::int64_t i) {
        std::int64_t v;
        auto const k = item(c.values(), i);
        std::memcpy(&v, k.bytes, sizeof v);
        return v;
    };
    if (n == 0) return label_range{0, 1, 0};
    label_range r{at(0), 1, n};
    if (n == 1) return r;
    r.step = at(1) - r.start;
    if (r.step == 0 || at(n - 1) != r.start + r.step * (n - 1)) return {};
    if (!all(apply(ops::number<ops::equal>, c.values(), integers(c.where(), r.start, r.step, n)))) return {};
    return r;
}

namespace {

// Labels that do not repeat are united and sorted, which puts missing times last; where they repeat, pandas joins them
// as it merges columns.
bool unlike_merge(labels const& left, labels const& right) {
    bool times = false;
    for (auto const* side : {&left, &right}) {
        auto const c = side->level(0);
        times = times || (!c->is_text() && is_time(c->values().type.id) && c->has_missing());
    }
    return times && left.is_unique() && right.is_unique();
}

}  // namespace

alignment align(labels_ref const& left, labels_ref const& right, join_how how) {
    if (left == right || left->equals(*right)) return {left, {}, {}};
    if (left->nlevels() != right->nlevels()) throw type_error("[align] indexes of different numbers of levels");
    std::vector<column_ref> l, r, joined;
    for (int i = 0; i < left->nlevels(); ++i) l.push_back(left->level(i)), r.push_back(right->level(i));
    auto const rows = join(l, r, how, false, unlike_merge(*left, *right));
    // A label comes from the side that has it.
    array const from_left = apply(ops::number<ops::greater_equal>, rows.left, number(0));
    array const behind = apply(ops::number<ops::add>, rows.right, number(left->length()));
    argument const args[] = {{&from_left}, {&rows.left}, {&behind}};
    array const source = apply(ops::number<ops::where>, args);
    for (std::size_t i = 0; i < l.size(); ++i) {
        column_ref const both[] = {l[i], r[i]};
        joined.push_back(std::make_shared<column const>(take(concat(both), source)));
    }
    if (joined.size() == 1 && left->range() && right->range())
        if (auto const even = as_range(*joined[0]))
            return {std::make_shared<labels const>(left->where(), *even), rows.left, rows.right};
    return {std::make_shared<labels const>(std::move(joined)), rows.left, rows.right};
}

}  // namespace bascule::table
