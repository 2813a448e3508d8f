#include "bascule/table/label_table.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "bascule/ops/table.hpp"
#include "buffers.hpp"

namespace bascule::table {
namespace {

constexpr std::uint64_t missing_hash = 0x9e3779b97f4a7c15;
constexpr std::int64_t most_rows = std::numeric_limits<std::uint32_t>::max() - 1;  // that a slot can name
constexpr std::int64_t rows_a_search = 64;  // sorted labels are searched as long as that costs less than a table
constexpr std::int64_t always_hashed = 1024;

// MurmurHash3's finalizer.
std::uint64_t mixed(std::uint64_t h) {
    h ^= h >> 33, h *= 0xff51afd7ed558ccd;
    h ^= h >> 33, h *= 0xc4ceb9fe1a85ec53;
    return h ^ (h >> 33);
}

std::uint64_t hash_of_text(std::string_view s) {
    std::uint64_t h = 0x2127599bf4325c37 ^ s.size();
    auto const* p = s.data();
    std::size_t n = s.size();
    for (; n >= 8; p += 8, n -= 8) {
        std::uint64_t w;
        std::memcpy(&w, p, 8);
        h = std::rotl((h ^ w) * 0x9ddfea08eb382d69, 29);
    }
    std::uint64_t w = 0;
    std::memcpy(&w, p, n);
    return mixed(h ^ (w * 0x9ddfea08eb382d69));
}

std::uint64_t both(std::uint64_t so_far, std::uint64_t next) {
    return std::rotl(so_far, 21) * 0x9e3779b97f4a7c15 ^ next;
}

std::uint64_t word_of_float(double v) {
    if (v == 0) v = 0;  // the negative one too
    if (v != v) v = std::numeric_limits<double>::quiet_NaN();
    return std::bit_cast<std::uint64_t>(v);
}

template <class T, class As> void widen(array const& a, std::vector<std::uint64_t>& to) {
    auto const* const from = pointer<T const>(a);
    for (std::size_t i = 0; i < to.size(); ++i) {
        if constexpr (std::is_floating_point_v<T>) to[i] = word_of_float(static_cast<double>(from[i]));
        else to[i] = static_cast<std::uint64_t>(static_cast<As>(from[i]));
    }
}

template <class T> bool holds(std::int64_t v) {
    return v >= static_cast<std::int64_t>(std::numeric_limits<T>::min()) &&
           v <= static_cast<std::int64_t>(std::numeric_limits<T>::max());
}

}  // namespace

// ---- one level

array label_level::held(array const& a) {
    array made = contiguous(a);
    device const host{cpu_backend(), 0};
    if (!made.where().api->host_memory) made = to_device(made, host);
    storage* const read[] = {made.memory()};
    graph::memory_in_use const evaluated(read);  // host memory is not moved from then on
    held_.push_back(made);
    return made;
}

label_level::label_level(column const& c) : type_(c.values().type), length_(c.length()) {
    if (c.has_valid()) valid_ = pointer<bool const>(held(c.valid()));
    if (c.is_text()) read_text(c);
    else read_words(held(c.values()));
}

void label_level::read_text(column const& c) {
    bool const coded = c.kind() == column::form::coded;
    if (coded) codes_ = pointer<std::int32_t const>(held(c.values()));
    column const& strings = coded ? *c.dictionary() : c;
    static constexpr char nothing = 0;
    bytes_ = pointer<char const>(held(strings.values()));
    if (!bytes_) bytes_ = &nothing;
    offsets_ = pointer<std::int64_t const>(held(strings.offsets()));
    if (!coded) return;
    hashes_.resize(static_cast<std::size_t>(strings.length()));
    for (std::size_t i = 0; i < hashes_.size(); ++i)
        hashes_[i] = hash_of_text({bytes_ + offsets_[i], static_cast<std::size_t>(offsets_[i + 1] - offsets_[i])});
}

void label_level::read_words(array const& values) {
    type_id const t = values.type.id;
    if (is_time(t) || t == type_id::int64 || t == type_id::uint64) {
        words_ = pointer<std::uint64_t const>(values);
        return;
    }
    own_.resize(static_cast<std::size_t>(length_));
    words_ = own_.data();
    using i64 = std::int64_t;
    switch (t) {
        case type_id::bool_:
        case type_id::uint8: return widen<std::uint8_t, i64>(values, own_);
        case type_id::int8: return widen<std::int8_t, i64>(values, own_);
        case type_id::int16: return widen<std::int16_t, i64>(values, own_);
        case type_id::uint16: return widen<std::uint16_t, i64>(values, own_);
        case type_id::int32: return widen<std::int32_t, i64>(values, own_);
        case type_id::uint32: return widen<std::uint32_t, i64>(values, own_);
        case type_id::float32: return widen<float, double>(values, own_);
        case type_id::float64: return widen<double, double>(values, own_);
        case type_id::float16: return widen<double, double>(held(astype(values, make_dtype(type_id::float64))), own_);
        default: throw type_error(std::string("[labels] no look-up among labels of type ") + type_name(t));
    }
}

bool label_word(type_id t, std::int64_t v, std::uint64_t& to) {
    to = static_cast<std::uint64_t>(v);
    switch (t) {
        case type_id::int8: return holds<std::int8_t>(v);
        case type_id::uint8: return holds<std::uint8_t>(v);
        case type_id::int16: return holds<std::int16_t>(v);
        case type_id::uint16: return holds<std::uint16_t>(v);
        case type_id::int32: return holds<std::int32_t>(v);
        case type_id::uint32: return holds<std::uint32_t>(v);
        case type_id::uint64: return v >= 0;
        case type_id::bool_: return v == 0 || v == 1;
        case type_id::float16:
        case type_id::float32:
        case type_id::float64: return label_word(t, static_cast<double>(v), to);
        default: return true;
    }
}

bool label_word(type_id t, std::uint64_t v, std::uint64_t& to) {
    if (v <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        return label_word(t, static_cast<std::int64_t>(v), to);
    if (is_float(t)) return label_word(t, static_cast<double>(v), to);
    to = v;
    return t == type_id::uint64;
}

bool label_word(type_id t, double v, std::uint64_t& to) {
    if (t == type_id::float16) return false;
    if (is_float(t)) {
        to = word_of_float(t == type_id::float32 ? static_cast<double>(static_cast<float>(v)) : v);
        return true;
    }
    constexpr double beyond = 9223372036854775808.0;
    if (std::floor(v) != v || v < -beyond || v >= 2 * beyond) return false;
    if (v < beyond) return label_word(t, static_cast<std::int64_t>(v), to);
    return label_word(t, static_cast<std::uint64_t>(v), to);
}

label_key label_level::key(std::int64_t row) const {
    if (is_missing(row)) return {};
    if (is_text()) return {label_key::what::text, 0, text(row)};
    return {label_key::what::word, words_[row], {}};
}

std::uint64_t label_level::hash(std::int64_t row) const {
    if (is_missing(row)) return missing_hash;
    if (words_) return mixed(words_[row]);
    return codes_ ? hashes_[static_cast<std::size_t>(codes_[row])] : hash_of_text(text(row));
}

std::uint64_t label_level::hash(label_key const& k) {
    if (k.kind == label_key::what::missing) return missing_hash;
    return k.kind == label_key::what::word ? mixed(k.word) : hash_of_text(k.text);
}

bool label_level::equals(std::int64_t row, label_key const& k) const {
    if (is_missing(row) || k.kind == label_key::what::missing)
        return is_missing(row) && k.kind == label_key::what::missing;
    return words_ ? k.kind == label_key::what::word && words_[row] == k.word
                  : k.kind == label_key::what::text && text(row) == k.text;
}

bool label_level::same(std::int64_t row, std::int64_t other) const {
    if (is_missing(row) || is_missing(other)) return is_missing(row) && is_missing(other);
    return words_ ? words_[row] == words_[other] : codes_ ? codes_[row] == codes_[other] : text(row) == text(other);
}

bool label_level::is_before(std::int64_t row, label_key const& k) const {
    if (is_missing(row)) return false;
    if (!words_) return text(row) < k.text;
    if (is_float(type_.id)) return std::bit_cast<double>(words_[row]) < std::bit_cast<double>(k.word);
    if (type_.id == type_id::uint64) return words_[row] < k.word;
    if (is_time(type_.id) && static_cast<std::int64_t>(words_[row]) == nat) return false;
    return static_cast<std::int64_t>(words_[row]) < static_cast<std::int64_t>(k.word);
}

std::int64_t label_level::bound(label_key const& k, bool after_equal) const {
    std::int64_t low = 0, n = length_;
    while (n > 0) {
        std::int64_t const half = n / 2, mid = low + half;
        if (is_before(mid, k) || (after_equal && equals(mid, k))) low = mid + 1, n -= half + 1;
        else n = half;
    }
    return low;
}

// ---- all levels

label_table::label_table(std::span<column_ref const> levels, bool increasing) : increasing_(increasing) {
    levels_.reserve(levels.size());
    for (auto const& c : levels) levels_.emplace_back(*c);
    length_ = levels_[0].length();
}

bool label_table::is_ready() const noexcept {
    if (is_hashed() || length_ > most_rows) return true;
    return sorted() && length_ > always_hashed && searches_.load(std::memory_order_relaxed) < length_ / rows_a_search;
}

void label_table::prepare() {
    std::lock_guard const hold(building_);
    if (is_ready()) return;
    build();
    hashed_.store(true, std::memory_order_release);
}

void label_table::build() {
    std::size_t size = 8;
    while (size < static_cast<std::size_t>(length_) * 2) size *= 2;
    slots_.assign(size, 0);
    shift_ = std::countl_zero(static_cast<std::uint64_t>(size)) + 1;
    auto const n = static_cast<std::size_t>(length_);
    constexpr std::size_t ahead = 16;  // rows whose slots are asked for before they are needed
    std::vector<std::uint64_t> hashes(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::uint64_t h = levels_[0].hash(static_cast<std::int64_t>(i));
        for (std::size_t k = 1; k < levels_.size(); ++k) h = both(h, levels_[k].hash(static_cast<std::int64_t>(i)));
        hashes[i] = levels_.size() > 1 ? mixed(h) : h;
    }
    // From the last row on, so that the first of equal ones comes to have the slot.
    for (std::size_t i = n; i-- > 0;) {
        if (i >= ahead) __builtin_prefetch(&slots_[hashes[i - ahead] >> shift_], 1);
        std::uint64_t const tag = hashes[i] << 32;
        std::size_t at = hashes[i] >> shift_;
        for (; slots_[at]; at = (at + 1) & (size - 1)) {
            if ((slots_[at] ^ tag) >> 32) continue;
            auto const row = static_cast<std::uint32_t>(slots_[at]) - 1;
            bool same = true;
            for (auto const& l : levels_) same = same && l.same(row, static_cast<std::int64_t>(i));
            if (!same) continue;
            if (next_.empty()) next_.assign(n, 0);
            next_[i] = row;
            break;
        }
        slots_[at] = tag | (i + 1);
    }
}

std::uint64_t label_table::hash_of(std::span<label_key const> label) const {
    std::uint64_t h = label_level::hash(label[0]);
    if (label.size() == 1) return h;
    for (std::size_t k = 1; k < label.size(); ++k) h = both(h, label_level::hash(label[k]));
    return mixed(h);
}

bool label_table::is_at(std::int64_t row, std::span<label_key const> label) const {
    for (std::size_t k = 0; k < label.size(); ++k)
        if (!levels_[k].equals(row, label[k])) return false;
    return true;
}

std::int64_t label_table::chained(std::uint64_t hash, std::span<label_key const> label) const {
    std::uint64_t const tag = hash << 32;
    for (std::size_t at = hash >> shift_; slots_[at]; at = (at + 1) & (slots_.size() - 1)) {
        if ((slots_[at] ^ tag) >> 32) continue;
        std::int64_t const row = static_cast<std::uint32_t>(slots_[at]) - 1;
        if (is_at(row, label)) return row;
    }
    return -1;
}

label_table::rows label_table::searched(label_key const& k) const {
    if (k.kind == label_key::what::missing) return {};
    label_level const& l = levels_[0];
    std::int64_t const low = l.bound(k, false);
    if (low == length_ || !l.equals(low, k)) return {};
    bool const alone = low + 1 == length_ || !l.equals(low + 1, k);  // as mostly
    std::int64_t const end = alone ? low + 1 : l.bound(k, true);
    return {low, end - low, true};
}

label_table::rows label_table::scanned(std::span<label_key const> label) const {
    rows r;
    for (std::int64_t i = 0; i < length_; ++i) {
        if (!is_at(i, label)) continue;
        if (!r.count) r.first = i;
        ++r.count;
    }
    return r;
}

label_table::rows label_table::find(std::span<label_key const> label) const {
    if (!is_hashed()) {
        if (!sorted()) return scanned(label);
        searches_.fetch_add(1, std::memory_order_relaxed);
        return searched(label[0]);
    }
    std::int64_t const first = chained(hash_of(label), label);
    if (first < 0) return {};
    rows r{first, 1, false};
    if (!next_.empty())
        for (std::uint32_t i = next_[static_cast<std::size_t>(first)]; i; i = next_[i]) ++r.count;
    return r;
}

void label_table::write(rows const& r, std::int64_t* to) const {
    std::int64_t row = r.first;
    if (!r.run && !is_hashed()) {  // more rows than slots can name
        std::vector<label_key> label;
        for (auto const& l : levels_) label.push_back(l.key(row));
        for (std::int64_t i = 0; i < r.count; ++row)
            if (is_at(row, label)) to[i++] = row;
        return;
    }
    for (std::int64_t i = 0; i < r.count; ++i) {
        to[i] = row;
        if (i + 1 < r.count) row = r.run ? row + 1 : next_[static_cast<std::size_t>(row)];
    }
}

void label_table::find_all(std::span<label_level const> wanted, std::int64_t* to) {
    std::vector<label_key> label(wanted.size());
    for (std::int64_t i = 0; i < wanted[0].length(); ++i) {
        if (!is_ready()) prepare();
        for (std::size_t k = 0; k < wanted.size(); ++k) label[k] = wanted[k].key(i);
        to[i] = find(label).first;
    }
}

}  // namespace bascule::table
