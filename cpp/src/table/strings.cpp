// Algorithms of devices that produce or search strings: searching, concatenating, replacing.
#include "bascule/table/strings.hpp"

#include <bit>
#include <string>

#include "buffers.hpp"

namespace bascule::table {
namespace {

void check_one(column const& c, char const* who) {
    if (!c.is_text() || c.length() != 1)
        throw value_error("[" + std::string(who) + "] expected a column of one text to look for");
}
array whole_numbers(array const& a, std::int64_t rows, char const* who) {
    if (a.type.id != type_id::int64 || a.size() != rows)
        throw value_error("[" + std::string(who) + "] expected int64, one a row");
    return contiguous(a);
}

std::optional<time_field> field_of(char directive) {
    static constexpr std::string_view directives = "YymdjHIMSfBbAap";
    auto const k = directives.find(directive);
    if (k == directives.npos) return {};
    return static_cast<time_field>(static_cast<std::size_t>(time_field::year) + k);
}

// The items of a format; nothing where one is unknown or appears twice, or where two of them say the same.
std::optional<std::vector<time_item>> items_of(std::string_view format) {
    std::vector<time_item> items;
    unsigned seen = 0;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (static_cast<signed char>(format[i]) < 0) return {};
        if (is_white_space(format[i])) {
            if (items.empty() || items.back().field != time_field::space) items.push_back({time_field::space});
        } else if (format[i] != '%') {
            items.push_back({time_field::literal, format[i]});
        } else if (++i < format.size() && format[i] == '%') {
            items.push_back({time_field::literal, '%'});
        } else {
            auto const field = i < format.size() ? field_of(format[i]) : std::nullopt;
            if (!field || (seen >> static_cast<int>(*field) & 1) != 0) return {};
            seen |= 1U << static_cast<int>(*field);
            items.push_back({*field});
        }
    }
    auto const of = [&](auto... fields) { return std::popcount(seen & ((1U << static_cast<int>(fields)) | ...)); };
    using enum time_field;
    bool const twice = of(year, short_year) > 1 || of(month, month_name, short_month, day_of_year) > 1 ||
                       of(day, day_of_year) > 1 || of(hour, half_hour) > 1 || of(day_name, short_day) > 1;
    if (seen == 0 || twice || items.size() > static_cast<std::size_t>(most_time_items)) return {};
    return items;
}

}  // namespace

column text_from(string_result const& r, results const& made, std::int64_t n) {
    array valid;
    if (r.validity) {
        array const bits = made.at(r.validity);
        valid = empty(bits.where(), make_dtype(type_id::bool_), {n});
        validity_bits_args v;
        v.pack = false, v.bits = pointer<std::uint8_t>(bits), v.bytes = pointer<std::uint8_t>(valid), v.length = n;
        run(bits.where(), algorithm_kind::validity_bits, &v);
    }
    return column::text(made.at(r.bytes), reinterpret(made.at(r.offsets), type_id::int64), valid);
}

array find_text(column const& c, column const& needle, string_search search, array const& from) {
    check_one(needle, "find_text");
    auto const text = c.decoded(), wanted = needle.decoded();
    inputs in;
    buffers const &t = in.add(*text), &n = in.add(*wanted);
    array const begin = from.memory() ? whole_numbers(from, c.length(), "find_text") : array{};
    if (begin.memory()) in.hold(begin);
    in.begin();
    array const out = empty(c.where(), make_dtype(type_id::int64), {c.length()});
    find_strings_args args;
    args.in = as_strings(t), args.needle = as_strings(n), args.search = search;
    args.from = pointer<std::int64_t const>(begin), args.out = pointer<std::int64_t>(out);
    run(c.where(), algorithm_kind::find_strings, &args);
    return out;
}

std::optional<array> parse_times(column const& c, std::string_view format) {
    auto const items = items_of(format);
    if (!items) return {};
    auto const text = c.decoded();
    inputs in;
    buffers const& t = in.add(*text);
    in.begin();
    array out = empty(c.where(), make_dtype(type_id::int64), {c.length()});
    parse_times_args args;
    args.in = as_strings(t), args.items = items->data(), args.nitems = static_cast<std::int64_t>(items->size());
    args.out = pointer<std::int64_t>(out);
    run(c.where(), algorithm_kind::parse_times, &args);
    return out;
}

column assemble_text(std::span<text_part const> parts, std::int64_t rows) {
    if (parts.empty() || parts.size() > most_string_pieces)
        throw value_error("[assemble_text] expected 1 to " + std::to_string(most_string_pieces) + " parts, got " +
                          std::to_string(parts.size()));
    inputs in;
    std::vector<column_ref> strings;
    std::vector<buffers const*> memory;
    std::vector<array> numbers;
    auto const hold = [&](array const& a) {
        numbers.push_back(a.memory() ? whole_numbers(a, rows, "assemble_text") : array{});
        if (a.memory()) in.hold(numbers.back());
    };
    for (auto const& p : parts) {
        if (!p.text->is_text() || (p.text->length() != rows && p.text->length() != 1))
            throw value_error("[assemble_text] expected texts of " + std::to_string(rows) + " rows, or of one");
        strings.push_back(p.text->decoded());
        memory.push_back(&in.add(*strings.back()));
        hold(p.begin), hold(p.size);
    }
    in.begin();
    std::vector<string_piece> pieces;
    for (std::size_t k = 0; k < parts.size(); ++k)
        pieces.push_back({as_strings(*memory[k]), parts[k].text->length() == rows ? 1 : 0,
                          pointer<std::int64_t const>(numbers[2 * k]),
                          pointer<std::int64_t const>(numbers[2 * k + 1])});
    device const where = parts[0].text->where();
    results made{where, {}};
    assemble_strings_args a;
    a.pieces = pieces.data(), a.npieces = static_cast<std::int32_t>(pieces.size()), a.length = rows;
    a.owner = &made, a.allocate = results::allocate;
    run(where, algorithm_kind::assemble_strings, &a);
    return text_from(a.out, made, rows);
}

column replace_text(column const& c, column const& needle, column const& replacement, std::int64_t most) {
    check_one(needle, "replace_text"), check_one(replacement, "replace_text");
    auto const text = c.decoded(), wanted = needle.decoded(), given = replacement.decoded();
    inputs in;
    buffers const &t = in.add(*text), &n = in.add(*wanted), &r = in.add(*given);
    in.begin();
    results made{c.where(), {}};
    replace_strings_args a;
    a.in = as_strings(t), a.needle = as_strings(n), a.replacement = as_strings(r), a.most = most;
    a.owner = &made, a.allocate = results::allocate;
    run(c.where(), algorithm_kind::replace_strings, &a);
    return text_from(a.out, made, c.length());
}

}  // namespace bascule::table
