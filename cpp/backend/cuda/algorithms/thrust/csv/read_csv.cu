// read_csv: rows of text in the device's memory to columns there. Types are decided by what all fields of a column are;
// then every field is converted once.
#include "backend/cuda/algorithms/thrust/csv/read_csv.hpp"

#include <thrust/scan.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "backend/cuda/algorithms/thrust/csv/fields.hpp"
#include "backend/cuda/algorithms/thrust/row_numbers.hpp"
#include "backend/cuda/algorithms/thrust/strings/text_results.hpp"
#include "bascule/core/field_text.hpp"

namespace bascule::cuda::algorithms {
namespace {

using field_text::number_form;
using field_text::span;

// Properties of a column that some of its fields has.
namespace note {
enum : std::uint64_t {
    no_int64 = 1,
    no_uint64 = 2,
    no_float64 = 4,
    no_boolean = 8,
    null = 16,
    fraction = 32,
    negative = 64,
    over_int64 = 128,
    beyond = 256,
    no_date = 512,
    beyond_nanoseconds = 1024,
    below_micro = 2048,
    date = 4096,
    date_forms = 1 << 16  // a bit for each of them from here on
};
}
// Reasons to leave a file to the CPU device, which reads it or words its error.
namespace problem {
enum : std::uint64_t { long_row = 1, odd_quotes = 2, undecided_word = 4, not_utf8 = 8, tail = 16, many_undecided = 32 };
}

BASCULE_HD void add_bits(std::uint64_t* word, std::uint64_t bits) {
#if defined(__CUDA_ARCH__)
    if ((*static_cast<std::uint64_t volatile*>(word) & bits) != bits)
        atomicOr(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(bits));
#else
    *word |= bits;
#endif
}
BASCULE_HD std::uint64_t take_number(std::uint64_t* counter) {
#if defined(__CUDA_ARCH__)
    return atomicAdd(reinterpret_cast<unsigned long long*>(counter), 1ull);
#else
    return (*counter)++;
#endif
}

// A date as the host's reader reads it: before words for missing values are looked for, unless they are like numbers.
struct date_reader {
    csv_reader_of_fields const& in;
    bool ask_na;

    BASCULE_HD bool is_date(csv_content const& c, field_text::date_value* out) const {
        if (c.has_quotes || is_missing(c)) return false;
        return field_text::parse_date(c.text, out);
    }
    BASCULE_HD bool is_missing(csv_content const& c) const {
        field_text::date_value v{};
        if (c.has_quotes || (in.words.value_count == 0 && field_text::parse_date(c.text, &v))) return false;
        bool const is_nat = c.text.n == 3 && c.text.p[0] == 'N' && c.text.p[1] == 'a' && c.text.p[2] == 'T';
        return is_nat || (ask_na && in.words.has(c.text));
    }
};

// ---- types
struct note_fields {
    csv_reader_of_fields in;
    std::int64_t const *kept, *positions;
    csv_kind const* asked;
    std::int64_t rows, width;
    bool ask_na, cut_long_rows;
    std::uint64_t *problems, *notes;

    BASCULE_HD std::uint64_t of_number(number_form form, std::int64_t value) const {
        constexpr std::uint64_t integer = note::no_boolean;
        switch (form) {
            case number_form::int64: return value < 0 ? integer | note::no_uint64 | note::negative : integer;
            case number_form::uint64: return integer | note::no_int64 | note::over_int64;
            case number_form::beyond: return integer | note::no_int64 | note::no_uint64 | note::beyond;
            default: return integer | note::no_int64 | note::no_uint64 | note::fraction;
        }
    }
    BASCULE_HD std::uint64_t of_content(csv_content const& c) const {
        constexpr std::uint64_t no_integer = note::no_int64 | note::no_uint64;
        constexpr std::uint64_t text = no_integer | note::no_float64 | note::no_boolean;
        if (c.has_quotes) return text;
        if (c.odd) return add_bits(problems, problem::odd_quotes), text;
        if (ask_na && in.words.has(c.text)) return no_integer | note::null;
        std::int64_t value = 0;
        std::uint64_t bits = 0;
        number_form const form = field_text::parse_integer(c.text, &value);
        bool boolean = false;
        if (form == number_form::none) {
            if (field_text::parse_boolean(c.text, &boolean)) return no_integer | note::no_float64;
            span decimal = field_text::trimmed(c.text);
            field_text::take_sign(decimal);
            if (!field_text::is_infinity(decimal) && !field_text::is_decimal(decimal, &boolean)) return text;
        }
        std::uint64_t const found = of_number(form, value);
        if (!ask_na || in.words.value_count == 0) return found;
        if (parse_float(c.text, in.powers, &bits) == float_form::undecided) add_bits(problems, problem::undecided_word);
        if (!in.words.has_value(bits)) return found;
        // As a float it is missing, whatever it is as an integer.
        return (found & (no_integer | note::no_boolean)) | note::null;
    }
    BASCULE_HD std::uint64_t of_date(csv_content const& c) const {
        if (c.odd) add_bits(problems, problem::odd_quotes);
        date_reader const dates{in, ask_na};
        field_text::date_value v{};
        if (dates.is_missing(c)) return note::null;
        if (!dates.is_date(c, &v)) return note::no_date;
        std::int64_t count = 0;
        std::uint64_t found = note::date;
        found |= std::uint64_t{note::date_forms} << static_cast<int>(v.form);
        if (v.below_micro) found |= note::below_micro;
        if (!in_nanoseconds(v, &count)) found |= note::beyond_nanoseconds;
        return found;
    }
    BASCULE_HD void operator()(std::int64_t i) const {
        std::int64_t const target = i / rows, row = i % rows;
        if (row >= *kept) return;
        if (target == 0 && !cut_long_rows && in.rows.fields[row] > width) add_bits(problems, problem::long_row);
        char room[content_room];
        csv_content const c = in.content(in.raw(row, positions[target]), room);
        add_bits(notes + target, asked[target] == csv_kind::date ? of_date(c) : of_content(c));
    }
};

// ---- values
struct csv_cells_out {
    csv_kind kind;
    bool ask_na, nanoseconds;
    std::int64_t position, text = 0;  // text: its number among those of text
    void* data = nullptr;
    std::uint8_t* valid = nullptr;
    std::int64_t* offsets = nullptr;
};
struct csv_undecided {
    std::int64_t target, row, begin, size;
};
constexpr std::int64_t most_undecided = 1 << 16;

struct decode_fields {
    csv_reader_of_fields in;
    csv_cells_out const* columns;
    std::int64_t rows;
    std::int64_t* sizes;  // of strings
    std::uint64_t *problems, *undecided_count;
    csv_undecided* undecided;

    BASCULE_HD void operator()(std::int64_t i) const {
        csv_cells_out const& to = columns[i / rows];
        std::int64_t const row = i % rows;
        span const raw = in.raw(row, to.position);
        char room[content_room];
        csv_content const c = in.content(raw, room);
        bool const missing = to.ask_na && !c.has_quotes && !c.odd && in.words.has(c.text);
        if (to.valid) to.valid[row] = missing ? 0 : 1;
        switch (to.kind) {
            case csv_kind::text: return size_of(raw, c, missing, sizes + to.text * rows + row);
            case csv_kind::float64: return decode_float(c, missing, to, i / rows, row);
            case csv_kind::boolean: {
                bool value = false;
                field_text::parse_boolean(c.text, &value);
                static_cast<bool*>(to.data)[row] = value && !missing;
                return;
            }
            case csv_kind::date: return decode_date(c, to, row);
            default: field_text::parse_integer(c.text, static_cast<std::int64_t*>(to.data) + row);
        }
    }

private:
    BASCULE_HD void size_of(span raw, csv_content const& c, bool missing, std::int64_t* size) const {
        *size = 0;
        if (missing) return;
        unsigned all = 0;
        for (std::int64_t k = 0; k < raw.n; ++k) all |= static_cast<unsigned char>(raw.p[k]);
        field_text::utf8_fault fault{};
        if (all >= 0x80 && field_text::find_utf8_fault(raw, &fault)) add_bits(problems, problem::not_utf8);
        if (!in.is_quoted(raw)) return void(*size = raw.n);
        std::int64_t n = 0;
        field_text::for_each_unquoted(raw, in.quote, [&](char) { ++n; });
        *size = n;
        if (c.in_room) add_bits(problems, problem::tail);
    }
    BASCULE_HD void decode_date(csv_content const& c, csv_cells_out const& to, std::int64_t row) const {
        auto& out = static_cast<std::int64_t*>(to.data)[row];
        field_text::date_value v{};
        if (!date_reader{in, to.ask_na}.is_date(c, &v)) out = nat;
        else if (!to.nanoseconds) out = v.seconds * 1'000'000 + v.nanoseconds / 1000;
        else in_nanoseconds(v, &out);
    }
    BASCULE_HD void decode_float(csv_content const& c, bool missing, csv_cells_out const& to, std::int64_t target,
                                 std::int64_t row) const {
        std::uint64_t bits = 0;
        float_form const form = missing ? float_form::none : parse_float(c.text, in.powers, &bits);
        if (form == float_form::none || (to.ask_na && in.words.has_value(bits))) bits = missing_bits;
        static_cast<std::uint64_t*>(to.data)[row] = bits;
        if (form != float_form::undecided) return;
        if (c.in_room) return add_bits(problems, problem::odd_quotes);
        std::uint64_t const k = take_number(undecided_count);
        if (k >= static_cast<std::uint64_t>(most_undecided)) return add_bits(problems, problem::many_undecided);
        undecided[k] = {target, row, c.text.p - in.rows.text, c.text.n};
    }
    static constexpr std::uint64_t missing_bits = std::uint64_t{0x7ff8} << 48;
};

struct put_floats {
    csv_cells_out const* columns;
    csv_undecided const* positions;
    std::uint64_t const* bits;
    BASCULE_HD void operator()(std::int64_t k) const {
        static_cast<std::uint64_t*>(columns[positions[k].target].data)[positions[k].row] = bits[k];
    }
};

// ---- text: the bytes of all its columns one after the other, 64 a thread
struct text_sizes {
    std::int64_t const* before;  // of each field of text
    std::int64_t rows;
    std::int64_t* out;
    BASCULE_HD void operator()(std::int64_t text) const { out[text] = before[(text + 1) * rows] - before[text * rows]; }
};
struct write_offsets {
    csv_cells_out const* strings;
    std::int64_t const* before;
    std::int64_t rows;
    BASCULE_HD void operator()(std::int64_t i) const {
        std::int64_t const text = i / (rows + 1), row = i % (rows + 1);
        strings[text].offsets[row] = before[text * rows + row] - before[text * rows];
    }
};
struct copy_fields {
    csv_reader_of_fields in;
    csv_cells_out const* strings;
    std::int64_t const* before;
    std::int64_t rows, fields, bytes;
    bool tails;  // text may follow quotes

    BASCULE_HD void operator()(std::int64_t block) const {
        std::int64_t at = block * block_bytes;
        std::int64_t const end = at + block_bytes < bytes ? at + block_bytes : bytes;
        for (std::int64_t k = count_below(before, fields + 1, at + 1) - 1; at < end; ++k) {
            std::int64_t const begin = before[k], past = before[k + 1], stop = past < end ? past : end;
            if (at >= stop) continue;
            csv_cells_out const& to = strings[k / rows];
            char* const out = static_cast<char*>(to.data) + (begin - before[k / rows * rows]);
            copy(in.raw(k % rows, to.position), past - begin, at - begin, stop - begin, out);
            at = stop;
        }
    }

private:
    // Bytes [from, to) of a field's content, which has `size` of them.
    BASCULE_HD void copy(span raw, std::int64_t size, std::int64_t from, std::int64_t to, char* out) const {
        bool const is_quoted = in.is_quoted(raw);
        if (is_quoted && (tails || size != raw.n - 2)) {  // the thread with its begin copies it
            if (from > 0) return;
            std::int64_t n = 0;
            return field_text::for_each_unquoted(raw, in.quote, [&](char c) { out[n++] = c; });
        }
        char const* const p = raw.p + (is_quoted ? 1 : 0);
        for (std::int64_t i = from; i < to; ++i) out[i] = p[i];
    }
};

// ---- the host's side
// Numbers and strings that kernels read, brought to the device by one copy.
class constants {
public:
    template <class T> std::int64_t add(T const* items, std::size_t count) {
        bytes_.resize((bytes_.size() + 7) / 8 * 8);
        auto const at = static_cast<std::int64_t>(bytes_.size());
        bytes_.resize(bytes_.size() + count * sizeof(T));
        if (count > 0) std::memcpy(bytes_.data() + at, items, count * sizeof(T));
        return at;
    }
    template <class T> std::int64_t add(std::vector<T> const& items) { return add(items.data(), items.size()); }
    std::int64_t size() const { return static_cast<std::int64_t>(bytes_.size()); }
    void upload(context const& c, char* to) const { c.upload(to, bytes_.data(), size()); }

private:
    std::vector<char> bytes_;
};

struct left_to_cpu {
    char const* why;
};

struct found_words {
    csv_words words{};
    std::int64_t bytes_at = 0, offsets_at = 0, values_at = 0;
};

found_words words_of(read_csv_args const& a, constants& all) {
    found_words found;
    csv_words& w = found.words;
    std::vector<char> bytes;
    std::vector<std::int64_t> offsets{0};
    std::vector<std::uint64_t> values;
    for (std::int64_t k = 0; k < (a.na_filter ? a.na_word_count : 0); ++k) {
        csv_bytes const word = a.na_words[k];
        if (word.size == 0) {
            w.empty = true;
            continue;
        }
        std::string const text(word.data, static_cast<std::size_t>(word.size));
        if (word.size > content_room || (a.quote != '\0' && text.find(a.quote) != text.npos))
            throw left_to_cpu{"na_values= with quotes, or of more than 64 bytes"};
        bytes.insert(bytes.end(), text.begin(), text.end());
        offsets.push_back(static_cast<std::int64_t>(bytes.size()));
        auto const first = static_cast<unsigned char>(text[0]);
        w.lengths |= std::uint64_t{1} << (word.size < 63 ? word.size : 63);
        w.first[first >> 6] |= std::uint64_t{1} << (first & 63);
        std::uint64_t bits = 0;
        float_form const form = parse_float({word.data, word.size}, powers_of_five(), &bits);
        if (form == float_form::undecided) throw left_to_cpu{"na_values= of more than 19 digits"};
        if (form == float_form::known) values.push_back(bits);
    }
    w.count = static_cast<std::int64_t>(offsets.size()) - 1;
    w.value_count = static_cast<std::int64_t>(values.size());
    found.bytes_at = all.add(bytes), found.offsets_at = all.add(offsets), found.values_at = all.add(values);
    return found;
}

// The first type that holds all fields of a column. Throws where a requested one does not.
struct decision {
    csv_kind kind;
    csv_remark remark = csv_remark::none;
    bool ask_na = true;
    time_unit unit = time_unit::us;
};
decision decide_date(std::uint64_t notes) {
    std::uint64_t const forms = notes / note::date_forms;
    bool const fine = (notes & note::below_micro) != 0;
    if ((notes & note::no_date) || (forms & (forms - 1)) != 0 || (fine && (notes & note::beyond_nanoseconds)))
        throw left_to_cpu{"dates that are not all of one ISO form"};
    time_unit const unit = !(notes & note::date) ? time_unit::second : fine ? time_unit::ns : time_unit::us;
    return {csv_kind::date, csv_remark::none, true, unit};
}
decision decide(csv_kind asked, std::uint64_t notes) {
    static constexpr std::uint64_t refuses[] = {0, note::no_int64, note::no_uint64, note::no_float64, note::no_boolean,
                                                0};
    auto const fits = [&](csv_kind k) { return (notes & refuses[static_cast<int>(k)]) == 0; };
    if (asked == csv_kind::date) return decide_date(notes);
    if (asked != csv_kind::automatic) {
        if (!fits(asked)) throw left_to_cpu{"text that does not have the requested type"};
        return {asked};
    }
    if (fits(csv_kind::int64)) return {csv_kind::int64};
    if (fits(csv_kind::uint64)) return {csv_kind::uint64};
    if (!fits(csv_kind::float64)) {
        if (!fits(csv_kind::boolean)) return {csv_kind::text};
        return {csv_kind::boolean, notes & note::null ? csv_remark::boolean_nulls : csv_remark::none};
    }
    if (notes & note::fraction) return {csv_kind::float64};
    if (notes & note::beyond) return {csv_kind::text, csv_remark::huge_integers};
    // Too large for int64 together with what uint64 does not have: then no word is a missing value.
    if (notes & note::over_int64) return {csv_kind::text, csv_remark::none, false};
    return {csv_kind::float64};
}

std::uint64_t converted_by_host(span s) {
    double value = 0;
    bool is_integer = false;
    field_text::parse_float(s, &value, &is_integer);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The constants of the kernels.
struct prepared {
    constants all;
    found_words words;
    std::int64_t positions_at = 0, asked_at = 0, powers_at = 0;

    explicit prepared(read_csv_args const& a) : words(words_of(a, all)) {
        if (a.separator == '\n' || a.separator == '\r') throw left_to_cpu{"a separator that ends lines"};
        std::vector<std::int64_t> positions;
        std::vector<csv_kind> asked;
        for (std::int64_t k = 0; k < a.column_count; ++k) {
            positions.push_back(a.columns[k].position);
            asked.push_back(a.columns[k].kind);
        }
        if (positions.empty()) throw left_to_cpu{"no columns"};
        positions_at = all.add(positions), asked_at = all.add(asked);
        powers_at = all.add(powers_of_five(), static_cast<std::size_t>(words_of_powers));
    }
};

struct clear_words {
    std::uint64_t* words;
    BASCULE_HD void operator()(std::int64_t i) const { words[i] = 0; }
};

class reading {
public:
    reading(context const& c, read_csv_args& a, prepared const& p)
        : c_(c), a_(a), constants_(c, p.all.size()), structure_(c, a), rows_(structure_.totals().rows),
          ends_(c, structure_.totals().fields), first_(c, rows_), fields_(c, rows_) {
        p.all.upload(c, constants_.get());
        csv_words words = p.words.words;
        words.bytes = constants_.get() + p.words.bytes_at;
        words.offsets = at<std::int64_t>(p.words.offsets_at);
        words.values = at<std::uint64_t>(p.words.values_at);
        in_ = {{a.memory.data, ends_.get(), first_.get(), fields_.get()},
               words,
               at<std::uint64_t>(p.powers_at),
               a.quote,
               a.quote != '\0'};
        positions_ = at<std::int64_t>(p.positions_at), asked_ = at<csv_kind>(p.asked_at);
    }

    void run() {
        find_kinds();
        decode();
    }

private:
    template <class T> T* at(std::int64_t offset) const { return reinterpret_cast<T*>(constants_.get() + offset); }
    void find_kinds();
    void allocate(csv_column&, csv_cells_out&, decision const&, std::uint64_t notes);
    void decode();
    void convert_undecided(csv_cells_out const* columns, csv_undecided const* positions, std::int64_t count);
    void copy_text(std::int64_t const* before, std::int64_t const* sizes, bool tails);

    context const& c_;
    read_csv_args& a_;
    buffer<char> constants_;
    csv_structure structure_;
    std::int64_t rows_;  // first with blank ones
    buffer<std::int64_t> ends_, first_, fields_;
    csv_reader_of_fields in_{};
    std::int64_t const* positions_ = nullptr;
    csv_kind const* asked_ = nullptr;
    std::vector<csv_cells_out> columns_, strings_;
};

void refuse(std::uint64_t problems) {
    using namespace problem;
    if (problems & long_row) throw left_to_cpu{"rows of too many fields"};
    if (problems & odd_quotes) throw left_to_cpu{"numbers around quotes"};
    if (problems & undecided_word) throw left_to_cpu{"na_values= that are numbers, and numbers of more than 19 digits"};
    if (problems & not_utf8) throw left_to_cpu{"text that is not UTF-8"};
    if (problems & many_undecided) throw left_to_cpu{"too many numbers of more than 19 digits"};
}

void reading::find_kinds() {
    if (rows_ == 0) throw left_to_cpu{"no rows"};
    bool const open = structure_.totals().last_state == csv_machine::quoted;
    if (open && a_.row_limit < 0) throw left_to_cpu{"an open quote"};
    std::int64_t const targets = a_.column_count, count = 2 + targets;
    buffer<std::uint64_t> const words(c_, count);
    auto* const kept = reinterpret_cast<std::int64_t*>(words.get());
    for_each_index(c_, count, clear_words{words.get()});
    structure_.find(ends_.get(), first_.get(), fields_.get(), a_.row_limit, a_.skip_blank_lines, kept);
    for_each_index(c_, targets * rows_,
                   note_fields{in_, kept, positions_, asked_, rows_, a_.width, a_.na_filter, a_.wanted != nullptr,
                               words.get() + 1, words.get() + 2});
    std::vector<std::uint64_t> found(static_cast<std::size_t>(count));
    c_.read(words.get(), found.data(), count);
    refuse(found[1]);
    a_.length = rows_ = static_cast<std::int64_t>(found[0]);
    if (rows_ == 0) throw left_to_cpu{"no rows"};
    if (open && rows_ < a_.row_limit) throw left_to_cpu{"an open quote"};
    for (std::int64_t k = 0; k < targets; ++k) {
        csv_column& column = a_.columns[k];
        std::uint64_t const notes = found[static_cast<std::size_t>(2 + k)];
        decision const d = decide(column.kind, notes);
        columns_.push_back({d.kind, a_.na_filter && d.ask_na, d.unit == time_unit::ns, column.position});
        allocate(column, columns_.back(), d, notes);
    }
}

void reading::allocate(csv_column& column, csv_cells_out& to, decision const& d, std::uint64_t notes) {
    bool const is_text = d.kind == csv_kind::text, is_boolean = d.kind == csv_kind::boolean;
    column.kind = d.kind, column.remark = d.remark, column.unit = d.unit;
    if (is_text) {
        column.offsets = to.offsets = static_cast<std::int64_t*>(ask(a_, 8 * (rows_ + 1)));
        to.text = static_cast<std::int64_t>(strings_.size());
    } else {
        column.data = to.data = ask(a_, is_boolean ? rows_ : 8 * rows_);
    }
    if ((is_text || is_boolean) && to.ask_na && (notes & note::null) != 0)
        column.validity = to.valid = static_cast<std::uint8_t*>(ask(a_, rows_));
    if (is_text) strings_.push_back(to);
}

void reading::decode() {
    auto const targets = static_cast<std::int64_t>(columns_.size()),
               strings = static_cast<std::int64_t>(strings_.size()), count = 2 + strings;
    bool const floats = std::any_of(columns_.begin(), columns_.end(),
                                    [](csv_cells_out const& to) { return to.kind == csv_kind::float64; });
    buffer<csv_cells_out> const columns(c_, targets);
    buffer<std::int64_t> const before(c_, strings * rows_ + 1);
    buffer<std::uint64_t> const words(c_, count);
    buffer<csv_undecided> const undecided(c_, floats ? most_undecided : 0);
    c_.upload(columns.get(), columns_.data(), targets * static_cast<std::int64_t>(sizeof(csv_cells_out)));
    for_each_index(c_, count, clear_words{words.get()});
    for_each_index(c_, 1, clear_words{reinterpret_cast<std::uint64_t*>(before.get())});
    for_each_index(
        c_, targets * rows_,
        decode_fields{in_, columns.get(), rows_, before.get() + 1, words.get(), words.get() + 1, undecided.get()});
    if (strings > 0) {
        std::int64_t *const sizes = before.get(), fields = strings * rows_;
        c_.queue([=](auto const& policy) { thrust::inclusive_scan(policy, sizes, sizes + fields + 1, sizes); });
        for_each_index(c_, strings, text_sizes{sizes, rows_, reinterpret_cast<std::int64_t*>(words.get()) + 2});
    }
    if (strings == 0 && !floats) return;  // nothing may be left over
    std::vector<std::int64_t> found(static_cast<std::size_t>(count));
    c_.read(reinterpret_cast<std::int64_t const*>(words.get()), found.data(), count);
    auto const problems = static_cast<std::uint64_t>(found[0]);
    refuse(problems);
    a_.host_fields = found[1];
    if (found[1] > 0) convert_undecided(columns.get(), undecided.get(), found[1]);
    if (strings > 0) copy_text(before.get(), found.data() + 2, (problems & problem::tail) != 0);
}

void reading::convert_undecided(csv_cells_out const* columns, csv_undecided const* positions, std::int64_t count) {
    std::vector<csv_undecided> found(static_cast<std::size_t>(count));
    c_.read(positions, found.data(), count);
    std::vector<std::uint64_t> converted;
    for (csv_undecided const& u : found) converted.push_back(converted_by_host({a_.host_text + u.begin, u.size}));
    buffer<std::uint64_t> const bits(c_, count);
    c_.upload(bits.get(), converted.data(), 8 * count);
    for_each_index(c_, count, put_floats{columns, positions, bits.get()});
}

void reading::copy_text(std::int64_t const* before, std::int64_t const* sizes, bool tails) {
    auto const strings = static_cast<std::int64_t>(strings_.size());
    std::int64_t bytes = 0;
    for (std::int64_t k = 0; k < strings; ++k) bytes += sizes[k];
    for (std::int64_t k = 0, t = 0; k < a_.column_count; ++k) {
        if (a_.columns[k].kind != csv_kind::text) continue;
        a_.columns[k].data = strings_[static_cast<std::size_t>(t)].data = ask(a_, sizes[t]);
        ++t;
    }
    buffer<csv_cells_out> const to(c_, strings);
    c_.upload(to.get(), strings_.data(), strings * static_cast<std::int64_t>(sizeof(csv_cells_out)));
    for_each_index(c_, strings * (rows_ + 1), write_offsets{to.get(), before, rows_});
    for_each_index(c_, (bytes + block_bytes - 1) / block_bytes,
                   copy_fields{in_, to.get(), before, rows_, strings * rows_, bytes, tails});
}

}  // namespace

void read_csv(context const& c, read_csv_args& a) {
    try {
        reading(c, a, prepared(a)).run();
    } catch (left_to_cpu const& e) {
        a.failure = csv_failure::left_to_cpu;
        std::snprintf(a.message, sizeof a.message, "%s", e.why);
    }
}

}  // namespace bascule::cuda::algorithms
