#include "backend/cpu/csv/columns.hpp"

#include <cstdio>
#include <cstring>
#include <limits>

namespace bascule::cpu::csv {
namespace {

struct field {
    char const* p;
    std::int64_t n;
};

// The fields of one column. Numbers load up to eight bytes before their end: there is room in front of the text.
struct column_fields {
    csv_fields const& f;
    std::uint32_t const *begin, *end;
    bool trim;

    column_fields(csv_fields const& all, std::int64_t column)
        : f(all), begin(all.begins + column), end(all.ends + column), trim(all.trim_return && column + 1 == all.width) {
    }
    field operator[](std::int64_t row) const noexcept {
        std::int64_t const at = row * f.width, from = std::int64_t{begin[at] + f.past_mark};
        std::int64_t to = end[at];
        if (trim && to > from && f.text[to - 1] == '\r') --to;
        return {f.text + from, to - from};
    }
};

// A field's content: without its quotes, which are rare enough to be taken off into memory of their own.
struct content {
    std::string own;
    field of(field x, csv_reading const& r) {
        if (!r.quoting || x.n == 0 || *x.p != r.quote) return x;
        own.resize(static_cast<std::size_t>(x.n) + 8);
        std::int64_t const n = unquote(x.p, x.n, r.quote, own.data() + 8);
        return {own.data() + 8, n};
    }
};

csv_kind kind_of_word(field x) noexcept {
    double number;
    bool flag;
    if (parse_float(x.p, x.n, &number, &flag)) return csv_kind::float64;
    return parse_boolean(x.p, x.n, &flag) ? csv_kind::boolean : csv_kind::text;
}

// Each decoder takes a field: fast where it has the usual form, else after checking for quotes and missing values.
// `slow` returns the kind that the column needs.
struct integer_decoder {
    static constexpr csv_kind kind = csv_kind::int64;
    std::int64_t* out;
    explicit integer_decoder(csv_output const& o) : out(static_cast<std::int64_t*>(o.data)) {}
    bool fast_path(field x, std::int64_t row, csv_result&) const noexcept { return fast_integer(x.p, x.n, out + row); }
    csv_kind slow(field x, bool missing, std::int64_t row, csv_result& result) const noexcept {
        if (missing) return result.notes |= note::null, csv_kind::float64;
        switch (parse_integer(x.p, x.n, out + row)) {
            case number_form::int64: return kind;
            case number_form::uint64: return csv_kind::uint64;
            case number_form::beyond: return csv_kind::float64;
            case number_form::none: break;
        }
        return kind_of_word(x);
    }
};

struct unsigned_decoder {
    static constexpr csv_kind kind = csv_kind::uint64;
    std::int64_t* out;
    explicit unsigned_decoder(csv_output const& o) : out(static_cast<std::int64_t*>(o.data)) {}
    bool fast_path(field x, std::int64_t row, csv_result&) const noexcept {
        return fast_integer(x.p, x.n, out + row) && out[row] >= 0;
    }
    csv_kind slow(field x, bool missing, std::int64_t row, csv_result& result) const noexcept {
        if (missing) return result.notes |= note::null, csv_kind::float64;
        number_form const form = parse_integer(x.p, x.n, out + row);
        if (form == number_form::uint64 || (form == number_form::int64 && out[row] >= 0)) return kind;
        return form == number_form::none ? kind_of_word(x) : csv_kind::float64;
    }
};

struct float_decoder {
    static constexpr csv_kind kind = csv_kind::float64;
    double* out;
    bool fraction = false, negative = false;
    explicit float_decoder(csv_output const& o) : out(static_cast<double*>(o.data)) {}
    bool fast_path(field x, std::int64_t row, csv_result&) noexcept {
        negative |= *x.p == '-';  // an empty field's next byte is a mark: never a minus that matters
        return fast_float(x.p, x.n, out + row, &fraction);
    }
    csv_kind slow(field x, bool missing, std::int64_t row, csv_result& result) const noexcept {
        bool integer = false;
        if (missing) {
            out[row] = std::numeric_limits<double>::quiet_NaN();
            result.notes |= note::null;
            ++result.nulls;
            return kind;
        }
        if (!parse_float(x.p, x.n, out + row, &integer)) return kind_of_word(x);
        std::int64_t value = 0;
        number_form const form = integer ? parse_integer(x.p, x.n, &value) : number_form::none;
        if (form == number_form::none) result.notes |= note::fraction;
        if (form == number_form::uint64) result.notes |= note::over_int64;
        if (form == number_form::beyond) result.notes |= note::beyond;
        if (form == number_form::int64 && value < 0) result.notes |= note::negative;
        return kind;
    }
    void finish(csv_result& result) const {
        result.notes |= (fraction ? note::fraction : 0u) | (negative ? note::negative : 0u);
    }
};

struct boolean_decoder {
    static constexpr csv_kind kind = csv_kind::boolean;
    bool* out;
    std::uint8_t* valid;
    explicit boolean_decoder(csv_output const& o) : out(static_cast<bool*>(o.data)), valid(o.valid) {}
    bool fast_path(field x, std::int64_t row, csv_result&) const noexcept {
        return valid[row] = 1, parse_boolean(x.p, x.n, out + row);
    }
    csv_kind slow(field x, bool missing, std::int64_t row, csv_result& result) const noexcept {
        valid[row] = !missing;
        if (!missing) return parse_boolean(x.p, x.n, out + row) ? kind : csv_kind::text;
        out[row] = false;
        ++result.nulls;
        return kind;
    }
};

struct date_decoder {
    static constexpr csv_kind kind = csv_kind::date;
    std::int64_t* out;
    bool nanoseconds;
    explicit date_decoder(csv_output const& o)
        : out(static_cast<std::int64_t*>(o.data)), nanoseconds(o.unit == time_unit::ns) {}
    bool fast_path(field x, std::int64_t row, csv_result& result) const noexcept {
        date_value v;
        if (!parse_date(x.p, x.n, &v)) return false;
        result.notes |= note::date_forms << static_cast<int>(v.form) | (v.below_micro ? note::below_micro : 0u);
        if (!nanoseconds) return out[row] = v.seconds * 1'000'000 + v.nanoseconds / 1000, true;
        return field_text::in_nanoseconds(v, &out[row]);
    }
    csv_kind slow(field x, bool missing, std::int64_t row, csv_result& result) const noexcept {
        if (!missing && !(x.n == 3 && std::memcmp(x.p, "NaT", 3) == 0))
            return fast_path(x, row, result) ? kind : csv_kind::text;
        out[row] = nat;
        ++result.nulls;
        return kind;
    }
};

template <class D>
csv_result decode_values(csv_fields const& f, std::int64_t column, std::int64_t rows, csv_reading const& r,
                         csv_output const& o) {
    column_fields const fields(f, column);
    csv_result result{D::kind};
    D d(o);
    content text;
    bool const numbers_missing = o.ask_na && r.na->like_numbers();
    for (std::int64_t row = 0; row < rows; ++row) {
        field x = fields[row];
        if (!numbers_missing && d.fast_path(x, row, result)) continue;
        x = text.of(x, r);
        bool missing = o.ask_na && r.na->has(x.p, x.n);
        double number;
        bool integer;
        if constexpr (D::kind == csv_kind::float64)
            if (!missing && numbers_missing && parse_float(x.p, x.n, &number, &integer))
                missing = r.na->has_value(number);
        if ((result.needs = d.slow(x, missing, row, result)) != D::kind) {
            result.row = row;
            return result;
        }
    }
    if constexpr (requires { d.finish(result); }) d.finish(result);
    return result;
}

bool any_high_bit(char const* p, std::int64_t n) noexcept {
    unsigned char all = 0;
    for (std::int64_t i = 0; i < n; ++i) all = static_cast<unsigned char>(all | static_cast<unsigned char>(p[i]));
    return all >= 0x80;
}

void check_utf8(char const* bytes, std::int64_t const* ends, std::int64_t rows) {
    std::int64_t begin = 0;
    for (std::int64_t row = 0; row < rows; begin = ends[row++]) {
        utf8_fault fault;
        if (!find_utf8_fault({bytes + begin, ends[row] - begin}, &fault)) continue;
        char text[160];
        std::snprintf(text, sizeof text, "'utf-8' codec can't decode byte 0x%02x in position %lld: %s",
                      static_cast<unsigned char>(bytes[begin + fault.position]), static_cast<long long>(fault.position),
                      fault.reason);
        throw csv_fault(csv_failure::unicode_error, text);
    }
}

csv_result decode_text(csv_fields const& f, std::int64_t column, std::int64_t rows, csv_reading const& r,
                       csv_output const& o) {
    column_fields const fields(f, column);
    csv_result result{csv_kind::text};
    char *const begin = static_cast<char*>(o.data), *to = begin;
    for (std::int64_t row = 0; row < rows; ++row) {
        field const x = fields[row];
        std::int64_t n = x.n;
        if (r.quoting && n > 0 && *x.p == r.quote) n = unquote(x.p, n, r.quote, to);
        else if (n <= 16) std::memcpy(to, x.p, 16);  // both sides have room behind, and one size is faster than any
        else std::memcpy(to, x.p, static_cast<std::size_t>(n));
        bool const missing = o.ask_na && r.na->has(to, n);
        o.valid[row] = !missing;
        result.nulls += missing;
        if (!missing) to += n;
        o.ends[row] = to - begin;
    }
    result.bytes = to - begin;
    if (any_high_bit(begin, result.bytes)) check_utf8(begin, o.ends, rows);
    return result;
}

}  // namespace

csv_result decode_column(csv_fields const& f, std::int64_t column, std::int64_t rows, csv_reading const& r,
                         csv_output const& o) {
    switch (o.kind) {
        case csv_kind::uint64: return decode_values<unsigned_decoder>(f, column, rows, r, o);
        case csv_kind::float64: return decode_values<float_decoder>(f, column, rows, r, o);
        case csv_kind::boolean: return decode_values<boolean_decoder>(f, column, rows, r, o);
        case csv_kind::date: return decode_values<date_decoder>(f, column, rows, r, o);
        case csv_kind::text: return decode_text(f, column, rows, r, o);
        default: return decode_values<integer_decoder>(f, column, rows, r, o);
    }
}

std::string field_text(csv_fields const& f, std::int64_t column, std::int64_t row, csv_reading const& r) {
    content text;
    field const x = text.of(column_fields(f, column)[row], r);
    return {x.p, static_cast<std::size_t>(x.n)};
}

}  // namespace bascule::cpu::csv
