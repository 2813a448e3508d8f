// Strings as vectors of std::optional<std::string_view>, one row after another.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/reference/failure.hpp"
#include "backend/reference/tables_strings.hpp"

namespace bascule::reference {
namespace {

using row = std::optional<std::string_view>;

row row_at(string_column const& c, std::int64_t i) {
    if (c.validity != nullptr && (c.validity[i / 8] >> (i % 8) & 1) == 0) return {};
    return std::string_view(c.bytes + c.offsets[i], static_cast<std::size_t>(c.offsets[i + 1] - c.offsets[i]));
}

template <class Args> void* result_memory(Args const& a, std::size_t bytes) {
    void* const p = a.allocate(a.owner, static_cast<std::int64_t>(bytes));
    if (p == nullptr && bytes > 0) throw std::bad_alloc();
    return p;
}

template <class Args> void deliver(Args& a, std::vector<row> const& rows) {
    a.out = {};
    a.out.offsets = static_cast<std::int64_t*>(result_memory(a, (rows.size() + 1) * sizeof(std::int64_t)));
    a.out.offsets[0] = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        a.out.offsets[i + 1] = a.out.offsets[i] + static_cast<std::int64_t>(rows[i].value_or("").size());
        a.out.null_count += rows[i] ? 0 : 1;
    }
    a.out.bytes = static_cast<char*>(result_memory(a, static_cast<std::size_t>(a.out.offsets[rows.size()])));
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i] && !rows[i]->empty()) std::memcpy(a.out.bytes + a.out.offsets[i], rows[i]->data(), rows[i]->size());
    if (a.out.null_count == 0) return;
    auto const bytes = (rows.size() + 7) / 8;
    a.out.validity = static_cast<std::uint8_t*>(result_memory(a, bytes));
    std::fill_n(a.out.validity, bytes, std::uint8_t{0});
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i]) a.out.validity[i / 8] = static_cast<std::uint8_t>(a.out.validity[i / 8] | 1 << (i % 8));
}

bool holds(string_comparison op, int order) {
    switch (op) {
        case string_comparison::equal: return order == 0;
        case string_comparison::not_equal: return order != 0;
        case string_comparison::less: return order < 0;
        case string_comparison::less_equal: return order <= 0;
        case string_comparison::greater: return order > 0;
        case string_comparison::greater_equal: return order >= 0;
    }
    throw failure{status::value_error, "[reference] compare_strings: comparison " +
                                           std::to_string(static_cast<int>(op)) + " does not exist"};
}

}  // namespace

void gather_strings(gather_strings_args& a) {
    std::vector<row> rows;
    for (std::int64_t i = 0; i < a.length; ++i) {
        std::int64_t const p = a.positions[i];
        expects(p < a.in.length && (p >= 0 || a.nulls), status::index_error,
                "index " + std::to_string(p) + " is out of bounds for axis 0 with size " + std::to_string(a.in.length));
        rows.push_back(p < 0 ? row() : row_at(a.in, p));
    }
    deliver(a, rows);
}

void concat_strings(concat_strings_args& a) {
    std::vector<row> rows;
    for (std::int32_t p = 0; p < a.nparts; ++p)
        for (std::int64_t i = 0; i < a.parts[p].length; ++i) rows.push_back(row_at(a.parts[p], i));
    deliver(a, rows);
}

void compare_strings(compare_strings_args const& a) {
    expects(a.right.length == a.left.length || a.right.length == 1, status::value_error,
            "compare_strings: expected columns of the same length, or a right one of length 1");
    for (std::int64_t i = 0; i < a.left.length; ++i) {
        auto const left = row_at(a.left, i), right = row_at(a.right, a.right.length == 1 ? 0 : i);
        a.out[i] = left && right ? holds(a.op, left->compare(*right)) : a.op == string_comparison::not_equal;
    }
}

void find_strings(find_strings_args const& a) {
    auto const needle = *row_at(a.needle, 0);
    auto const place = [](std::size_t p) { return p == std::string_view::npos ? std::int64_t{-1} : std::int64_t(p); };
    for (std::int64_t i = 0; i < a.in.length; ++i) {
        auto const text = row_at(a.in, i).value_or("");
        switch (a.search) {
            case string_search::first: a.out[i] = place(text.find(needle, std::size_t(a.from ? a.from[i] : 0))); break;
            case string_search::last: a.out[i] = place(text.rfind(needle)); break;
            case string_search::count:
                a.out[i] = 0;
                for (auto p = text.find(needle); p != std::string_view::npos; p = text.find(needle, p + needle.size()))
                    ++a.out[i];
                break;
            case string_search::at_begin: a.out[i] = text.starts_with(needle) ? 1 : 0; break;
            case string_search::at_end: a.out[i] = text.ends_with(needle) ? 1 : 0; break;
            case string_search::past_set:
                a.out[i] = std::int64_t(std::min(text.find_first_not_of(needle), text.size()));
                break;
            case string_search::up_to_set: a.out[i] = std::int64_t(text.find_last_not_of(needle) + 1); break;
        }
    }
}

void assemble_strings(assemble_strings_args& a) {
    std::vector<std::string> strings(std::size_t(a.length));
    std::vector<row> rows(std::size_t(a.length));
    for (std::int64_t i = 0; i < a.length; ++i) {
        bool known = true;
        for (std::int32_t p = 0; p < a.npieces; ++p) {
            auto const& piece = a.pieces[p];
            auto const text = row_at(piece.text, i * piece.step);
            known = known && text;
            if (text)
                strings[std::size_t(i)] +=
                    text->substr(std::size_t(piece.begin ? piece.begin[i] : 0),
                                 piece.size ? std::size_t(piece.size[i]) : std::string_view::npos);
        }
        if (known) rows[std::size_t(i)] = strings[std::size_t(i)];
    }
    deliver(a, rows);
}

void replace_strings(replace_strings_args& a) {
    auto const needle = *row_at(a.needle, 0), replacement = *row_at(a.replacement, 0);
    std::vector<std::string> strings(std::size_t(a.in.length));
    std::vector<row> rows;
    for (std::int64_t i = 0; i < a.in.length; ++i) {
        auto const text = row_at(a.in, i);
        auto& made = strings[std::size_t(i)];
        std::size_t at = 0;
        for (std::int64_t k = 0; text && (a.most < 0 || k < a.most); ++k) {
            auto const found = text->find(needle, at);
            if (found == std::string_view::npos) break;
            made.append(text->substr(at, found - at)).append(replacement);
            at = found + needle.size();
        }
        if (text) made += text->substr(at);
        rows.push_back(text ? row(made) : row());
    }
    deliver(a, rows);
}

void validity_bits(validity_bits_args& a) {
    if (a.pack) {
        std::fill_n(a.bits, (a.length + 7) / 8, std::uint8_t{0});
        a.null_count = 0;
    }
    for (std::int64_t i = 0; i < a.length; ++i) {
        if (!a.pack) {
            a.bytes[i] = a.bits[i / 8] >> (i % 8) & 1;
        } else if (a.bytes[i] != 0) {
            a.bits[i / 8] = static_cast<std::uint8_t>(a.bits[i / 8] | 1 << (i % 8));
        } else {
            ++a.null_count;
        }
    }
}

}  // namespace bascule::reference
