// write_csv: rows in pieces of whole groups, which tasks write side by side.
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "backend/cpu/common/guarded.hpp"
#include "backend/cpu/common/row_chunks.hpp"
#include "backend/cpu/csv/csv.hpp"
#include "backend/cpu/csv/field_text.hpp"
#include "backend/cpu/csv/number_text.hpp"

namespace bascule::cpu::csv {
namespace {

using chunked::i64;

constexpr i64 cells_of_piece = 65536;
constexpr std::string_view number_characters = "0123456789+-.einfatrueTFlsN: ";

struct refused_row {};

template <class T> T element_at(void const* data, i64 i) { return static_cast<T const*>(data)[i]; }

// Fields of a dictionary as they are written, once for all rows.
struct written_dictionary {
    text_block text;
    std::vector<i64> offsets;
    bool ascii = true;

    written_dictionary(write_csv_args const& a, csv_cells const& c, bool quoted) : text(a) {
        field_writer fields(a, text);
        offsets.push_back(0);
        for (i64 k = 0; k < c.dictionary_size; ++k) {
            fields.put({c.dictionary.data + c.offsets[k], static_cast<std::size_t>(c.offsets[k + 1] - c.offsets[k])},
                       quoted);
            offsets.push_back(text.used());
        }
        ascii = fields.is_ascii();
    }
    std::string_view field(i64 k) const {
        auto const at = static_cast<std::size_t>(k);
        return view(text.text())
            .substr(static_cast<std::size_t>(offsets[at]), static_cast<std::size_t>(offsets[at + 1] - offsets[at]));
    }
};

// Properties of a column that are known before the first row.
struct column_plan {
    csv_cells const& cells;
    bool quoted, quoted_missing;
    std::optional<time_scale> scale;
    std::unique_ptr<written_dictionary> dictionary;

    bool is_missing(i64 row) const {
        if (cells.valid && cells.valid[row] == 0) return true;
        switch (cells.form) {
            case csv_form::coded_text: return element_at<std::int32_t>(cells.data, row) < 0;
            case csv_form::time: return element_at<i64>(cells.data, row) == nat;
            case csv_form::shortest:
            case csv_form::fixed:
            case csv_form::scientific:
            case csv_form::general:
                return cells.type == type_id::float64 ? std::isnan(element_at<double>(cells.data, row))
                                                      : std::isnan(element_at<float>(cells.data, row));
            default: return false;
        }
    }
    bool is_float() const { return cells.form >= csv_form::shortest && cells.form <= csv_form::general; }
    time_detail finest(i64 begin, i64 end) const {
        auto found = time_detail::day;
        for (i64 i = begin; i < end; ++i)
            if (i64 const count = element_at<i64>(cells.data, i); count != nat)
                found = std::max(found, scale->detail(count));
        return found;
    }
};

char* put_integer_of(char* p, csv_cells const& c, i64 row) {
    switch (c.type) {
        case type_id::int8: return put_integer(p, static_cast<int>(element_at<std::int8_t>(c.data, row)));
        case type_id::uint8: return put_integer(p, static_cast<int>(element_at<std::uint8_t>(c.data, row)));
        case type_id::int16: return put_integer(p, element_at<std::int16_t>(c.data, row));
        case type_id::uint16: return put_integer(p, element_at<std::uint16_t>(c.data, row));
        case type_id::int32: return put_integer(p, element_at<std::int32_t>(c.data, row));
        case type_id::uint32: return put_integer(p, element_at<std::uint32_t>(c.data, row));
        case type_id::uint64: return put_integer(p, element_at<std::uint64_t>(c.data, row));
        default: return put_integer(p, element_at<i64>(c.data, row));
    }
}

// Writes a value that is there and no text.
char* put_value(char* p, column_plan const& c, i64 row, time_detail detail, double single_limit) {
    switch (c.cells.form) {
        case csv_form::integer: return put_integer_of(p, c.cells, row);
        case csv_form::boolean: return put(p, element_at<std::uint8_t>(c.cells.data, row) != 0 ? "True" : "False");
        case csv_form::time: return put_time(p, element_at<i64>(c.cells.data, row), *c.scale, detail);
        case csv_form::shortest:
            return c.cells.type == type_id::float64
                       ? put_shortest(p, element_at<double>(c.cells.data, row))
                       : put_shortest(p, element_at<float>(c.cells.data, row), single_limit);
        default: break;
    }
    double const value = c.cells.type == type_id::float64 ? element_at<double>(c.cells.data, row)
                                                          : static_cast<double>(element_at<float>(c.cells.data, row));
    return put_formatted(p, value, c.cells.form, c.cells.precision);
}

i64 most_bytes(csv_cells const& c) {
    if (c.form == csv_form::time) return most_time_bytes;
    return c.form >= csv_form::fixed && c.form <= csv_form::general ? most_digits_before_point + c.precision
                                                                    : most_float_bytes;
}

class csv_writer {
public:
    explicit csv_writer(write_csv_args& a) : args_(a) {
        for (char const c : number_characters)
            if (a.effects[static_cast<unsigned char>(c)] != csv_effect::none) numbers_are_plain_ = false;
        for (i64 k = 0; k < a.column_count; ++k) {
            csv_cells const& c = a.columns[k];
            bool const quoted = a.quote_all || (a.quote_text && !c.is_number);
            columns_.push_back({c, quoted, a.quote_all || a.quote_text, {}, nullptr});
            if (c.form == csv_form::time) columns_.back().scale.emplace(c.unit);
            if (c.form == csv_form::coded_text)
                columns_.back().dictionary = std::make_unique<written_dictionary>(a, c, quoted);
            widest_ = std::max(widest_, most_bytes(c));
        }
    }

    void run() {
        i64 const rows = args_.past - args_.first;
        i64 const wanted = std::max<i64>(cells_of_piece / std::max<i64>(args_.column_count, 1), 1);
        chunked::row_chunks const pieces(rows, (wanted + group_ - 1) / group_ * group_);
        std::vector<std::unique_ptr<text_block>> strings(static_cast<std::size_t>(pieces.count));
        for (auto const& c : columns_)
            if (c.cells.form == csv_form::time)
                whole_.push_back(c.cells.one_form ? c.finest(0, args_.length) : time_detail::day);
            else whole_.push_back(time_detail::day);
        chunked::for_each_chunk(pieces, [&](i64 k, i64 begin, i64 end) {
            auto text = std::make_unique<text_block>(args_);
            write_piece(*text, args_.first + begin, args_.first + end);
            strings[static_cast<std::size_t>(k)] = std::move(text);
        });
        if (refused_character_ || refused_row_) return;
        hand_over(strings);
    }
    void say_what_was_refused() {
        args_.refused_character = refused_character_, args_.refused_empty_row = refused_row_;
    }

private:
    void write_piece(text_block& text, i64 begin, i64 end) {
        try {
            field_writer fields(args_, text);
            std::vector<time_detail> details = whole_;
            for (i64 row = begin; row < end;) {
                i64 const next = std::min(end, (row / group_ + 1) * group_);
                for (std::size_t k = 0; k < columns_.size(); ++k)
                    if (columns_[k].scale && !columns_[k].cells.one_form) details[k] = columns_[k].finest(row, next);
                for (; row < next; ++row) write_row(text, fields, row, details);
            }
            bool ascii = fields.is_ascii();
            for (auto const& c : columns_)
                if (c.dictionary) ascii = ascii && c.dictionary->ascii;
            if (!ascii) ascii_ = false;
        } catch (refused_character const&) { refused_character_ = true; } catch (refused_row const&) {
            refused_row_ = true;
        }
    }

    void write_row(text_block& text, field_writer& fields, i64 row, std::vector<time_detail> const& details) {
        i64 const begin = text.used();
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            if (k > 0) {
                char* const p = text.need(1);
                *p = args_.separator;
                text.end_at(p + 1);
            }
            write_cell(text, fields, columns_[k], row, details[k]);
        }
        if (columns_.size() == 1 && text.used() == begin) {
            if (!args_.empty_row.data) throw refused_row{};
            fields.repeat(view(args_.empty_row));
        }
        fields.repeat(view(args_.line_end));
    }

    void write_cell(text_block& text, field_writer& fields, column_plan const& c, i64 row, time_detail detail) {
        if (c.is_missing(row)) return fields.put(view(c.cells.missing), c.quoted_missing);
        if (c.cells.form == csv_form::coded_text)
            return fields.repeat(c.dictionary->field(element_at<std::int32_t>(c.cells.data, row)));
        if (c.cells.form == csv_form::text) {
            i64 const from = c.cells.offsets[row], size = c.cells.offsets[row + 1] - from;
            return fields.put({static_cast<char const*>(c.cells.data) + from, static_cast<std::size_t>(size)},
                              c.quoted);
        }
        bool const as_is = view(args_.decimal) == "." || !c.is_float();
        if (numbers_are_plain_ && as_is && !c.quoted) {
            char* const p = text.need(widest_);
            return text.end_at(put_value(p, c, row, detail, args_.single_limit));
        }
        std::vector<char> said(static_cast<std::size_t>(widest_));
        char const* const end = put_value(said.data(), c, row, detail, args_.single_limit);
        std::string_view const plain{said.data(), static_cast<std::size_t>(end - said.data())};
        auto const point = as_is ? std::string_view::npos : plain.find('.');
        if (point == std::string_view::npos) return fields.put(plain, c.quoted);
        std::string exchanged(plain);
        fields.put(exchanged.replace(point, 1, view(args_.decimal)), c.quoted);
    }

    void hand_over(std::vector<std::unique_ptr<text_block>>& strings) {
        i64 const bytes = std::max<i64>(static_cast<i64>(strings.size() * sizeof(csv_bytes)), 1);
        args_.pieces = static_cast<csv_bytes*>(args_.allocate(args_.owner, bytes));
        if (!args_.pieces) throw std::bad_alloc();
        for (auto const& t : strings) args_.pieces[args_.piece_count++] = t->keep();
        args_.is_ascii = ascii_;
    }

    write_csv_args& args_;
    i64 const group_ = std::clamp<i64>(args_.group, 1, std::max<i64>(args_.length, 1));  // more would be no other text
    std::vector<column_plan> columns_;
    std::vector<time_detail> whole_;
    bool numbers_are_plain_ = true;
    i64 widest_ = most_time_bytes;
    std::atomic<bool> refused_character_{false}, refused_row_{false}, ascii_{true};
};

}  // namespace

status write_csv(write_csv_args& a) noexcept {
    return guarded("[write_csv] no memory for the text", [&] {
        try {
            csv_writer writer(a);
            writer.run();
            writer.say_what_was_refused();
        } catch (refused_character const&) { a.refused_character = true; }
        return status::ok;
    });
}

}  // namespace bascule::cpu::csv
