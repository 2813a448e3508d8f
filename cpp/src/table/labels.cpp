#include "bascule/table/labels.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <deque>
#include <limits>

#include "bascule/array/elementwise.hpp"
#include "bascule/array/indexing.hpp"
#include "bascule/array/reduce.hpp"
#include "bascule/ops/aggregate.hpp"
#include "bascule/ops/table.hpp"
#include "buffers.hpp"

namespace bascule::table {

struct labels::facts {
    std::mutex mutex;
    std::atomic<signed char> unique{-1}, increasing{-1}, decreasing{-1};  // -1: not known yet
    column_ref range_values;
    std::shared_ptr<label_table> made;  // guarded by the mutex
    std::atomic<label_table*> table{nullptr};
};

namespace {

constexpr std::int64_t looked_up_singly = 4;  // of so many rows of an index one label or fewer is looked up by itself

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

bool all(array const& boolean) {
    static auto const number = static_cast<std::uint16_t>(ops::find_aggregate("all"));
    return boolean.size() == 0 || item(reduce_with(number, boolean)).bytes[0] != 0;
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

// A label of another type as one of a type's; false: the type has no such value.
bool convert(label_level const& from, bool to_text, type_id to, label_key& k) {
    if (k.kind == label_key::what::missing) {
        auto const nothing = std::numeric_limits<double>::quiet_NaN();
        if (!to_text && is_float(to)) return k.kind = label_key::what::word, label_word(to, nothing, k.word);
        return true;
    }
    if (from.is_text() != to_text) return false;
    type_id const t = from.type().id;
    if (to_text || t == to) return true;
    if (is_float(t)) return label_word(to, std::bit_cast<double>(k.word), k.word);
    if (t == type_id::uint64) return label_word(to, k.word, k.word);
    return label_word(to, static_cast<std::int64_t>(k.word), k.word);
}

// The rows of sorted labels before a key, or before what comes after it. Missing rows are the last.
std::int64_t bound(label_level const& l, column_ref const& label, bool after_equal) {
    if (label->has_missing()) throw value_error("[labels] a missing label has no place among sorted ones");
    label_level const given(*label);
    label_key k = given.key(0);
    if (!convert(given, l.is_text(), l.type().id, k)) throw value_error("[labels] the labels' type has no such value");
    return l.bound(k, after_equal);
}

// Whether the words of two levels mean the same.
bool same_words(label_level const& a, label_level const& b) {
    if (a.is_text() || b.is_text()) return a.is_text() == b.is_text();
    auto const s = a.type().id, t = b.type().id;
    if (s == t) return a.type() == b.type();
    if (is_float(s) || is_float(t)) return s != type_id::float16 && t != type_id::float16 && is_float(s) && is_float(t);
    return is_integer(s) && is_integer(t) && s != type_id::uint64 && t != type_id::uint64;
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
    if (facts_->increasing < 0)
        facts_->increasing = !any_missing(*this) && neighbours(*ordered_key(*this), ops::number<ops::greater_equal>,
                                                               string_comparison::greater_equal);
    return facts_->increasing == 1;
}

bool labels::is_decreasing() const {
    if (range_) return length_ < 2 || range_->step < 0;
    if (facts_->decreasing < 0)
        facts_->decreasing = !any_missing(*this) && neighbours(*ordered_key(*this), ops::number<ops::less_equal>,
                                                               string_comparison::less_equal);
    return facts_->decreasing == 1;
}

bool labels::is_unique() const {
    if (range_) return true;
    if (facts_->unique < 0) {
        auto const* const there = facts_->table.load(std::memory_order_acquire);
        if (there && there->is_hashed()) {
            facts_->unique = there->is_unique();
        } else if (facts_->increasing == 1) {
            facts_->unique = neighbours(*ordered_key(*this), ops::number<ops::greater>, string_comparison::greater);
        } else {
            std::vector<column const*> keys;
            for (auto const& l : levels_) keys.push_back(l.get());
            facts_->unique = factorize(keys, false, true, false).count == length_;
        }
    }
    return facts_->unique == 1;
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

label_table& labels::table() const {
    if (auto* const there = facts_->table.load(std::memory_order_acquire)) return *there;
    bool const sorted = nlevels() == 1 && is_increasing();
    std::vector<column_ref> levels;
    for (int i = 0; i < nlevels(); ++i) levels.push_back(level(i));
    std::lock_guard const hold(facts_->mutex);
    if (!facts_->made) {
        facts_->made = std::make_shared<label_table>(levels, sorted);
        facts_->table.store(facts_->made.get(), std::memory_order_release);
    }
    return *facts_->made;
}

bool labels::is_ready() const noexcept {
    if (range_) return true;
    auto const* const there = facts_->table.load(std::memory_order_acquire);
    return there && there->is_ready();
}

void labels::prepare() const {
    if (!is_ready()) table().prepare();
}

label_table::rows labels::rows_of(std::span<label_key const> label) const {
    if (!range_) return table().find(label);
    if (label[0].kind != label_key::what::word || length_ == 0) return {};
    auto const v = static_cast<std::int64_t>(label[0].word);
    std::int64_t distance = 0;
    if (__builtin_sub_overflow(v, range_->start, &distance) || distance % range_->step) return {};
    std::int64_t const at = distance / range_->step;
    return at >= 0 && at < length_ ? label_table::rows{at, 1, true} : label_table::rows{};
}

array labels::positions(label_table::rows const& r) const {
    if (r.run || r.count < 2) return integers(where_, r.first, 1, r.count);
    array const made = empty(device{cpu_backend(), 0}, make_dtype(type_id::int64), {r.count});
    table().write(r, pointer<std::int64_t>(made));
    return where_ == made.where() ? made : to_device(made, where_);
}

array labels::find(std::vector<column_ref> const& label) const {
    if (label.size() != static_cast<std::size_t>(nlevels()))
        throw value_error("[labels] a label has one value a level");
    prepare();
    std::vector<label_key> keys;
    bool may_be = true;
    std::deque<label_level> given;
    for (std::size_t i = 0; i < label.size(); ++i) {
        given.emplace_back(*label[i]);
        keys.push_back(given.back().key(0));
        auto const* const here = range_ ? nullptr : &table().levels()[i];
        bool const fits = here ? convert(given.back(), here->is_text(), here->type().id, keys.back())
                               : convert(given.back(), false, type_id::int64, keys.back());
        may_be = may_be && fits;
    }
    return positions(may_be ? rows_of(keys) : label_table::rows{});
}

std::optional<array> labels::looked_up(labels const& target) const {
    auto const* const there = facts_->table.load(std::memory_order_acquire);
    std::int64_t const n = target.length();
    // A device joins faster than its labels come to the host, where the table is.
    bool const few = n <= length_ / looked_up_singly && where_.api->host_memory;
    if (range_ || !few || (!(there && there->is_hashed()) && n > 64 && n > length_ / 64)) return {};
    std::vector<label_level> wanted;
    wanted.reserve(static_cast<std::size_t>(nlevels()));
    for (int i = 0; i < nlevels(); ++i) {
        wanted.emplace_back(*target.level(i));
        if (!same_words(table().levels()[static_cast<std::size_t>(i)], wanted.back())) return {};
    }
    array const made = empty(device{cpu_backend(), 0}, make_dtype(type_id::int64), {n});
    table().find_all(wanted, pointer<std::int64_t>(made));
    return where_ == made.where() ? made : to_device(made, where_);
}

array labels::positions_of(labels const& target) const {
    if (!is_unique()) throw value_error("cannot reindex on an axis with duplicate labels");
    if (range_ && target.nlevels() == 1 && is_countable(*target.level(0)))
        return where_in_range(*range_, target.level(0)->values());
    if (auto found = looked_up(target)) return *found;
    std::vector<column_ref> mine, theirs;
    for (int i = 0; i < nlevels(); ++i) mine.push_back(level(i)), theirs.push_back(target.level(i));
    return join(theirs, mine, join_how::left).right;
}

std::pair<std::int64_t, std::int64_t> labels::between(column_ref const& low, column_ref const& high) const {
    label_level const& values = table().levels()[0];
    std::int64_t const b = low ? bound(values, low, false) : 0;
    std::int64_t const e = high ? bound(values, high, true) : length_;
    return {b, std::max(b, e)};
}

namespace {

// The first elements, two of them where there are two, and the last one: with one copy from a device with memory of its
// own.
std::vector<std::int64_t> ends_of(column const& c) {
    std::int64_t const n = c.length(), first = std::min<std::int64_t>(n, 2);
    if (c.where().api->host_memory) {  // where reading is cheap
        auto const at = [&](std::int64_t i) {
            std::int64_t v;
            auto const element = item(c.values(), i);
            std::memcpy(&v, element.bytes, sizeof v);
            return v;
        };
        return first == 1 ? std::vector{at(0), at(0)} : std::vector{at(0), at(1), at(n - 1)};
    }
    column_ref const parts[] = {std::make_shared<column const>(slice(c, {.start = 0, .step = 1, .count = first})),
                                std::make_shared<column const>(slice(c, {.start = n - 1, .step = 1, .count = 1}))};
    array const elements = to_device(concat(parts).values(), device{cpu_backend(), 0});
    auto const* const p = pointer<std::int64_t>(elements);
    return {p, p + first + 1};
}

}  // namespace

std::optional<label_range> as_range(column const& c) {
    if (c.kind() != column::form::plain || c.values().type.id != type_id::int64 || c.has_valid()) return {};
    std::int64_t const n = c.length();
    if (n == 0) return label_range{0, 1, 0};
    std::vector<std::int64_t> const ends = ends_of(c);
    label_range r{ends[0], 1, n};
    if (n == 1) return r;
    r.step = ends[1] - r.start;
    if (r.step == 0 || ends[2] != r.start + r.step * (n - 1)) return {};
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
