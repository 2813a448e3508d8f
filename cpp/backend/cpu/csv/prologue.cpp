#include <algorithm>
#include <cstdio>
#include <map>
#include <string_view>

#include "backend/cpu/csv/read_plan.hpp"
#include "backend/cpu/csv/values.hpp"

namespace bascule::cpu::csv {
namespace {

// Rows from the input's beginning, one after the other.
class first_rows {
public:
    first_rows(csv_source const& source, csv_dialect const& d) : source_(source), dialect_(d) {
        load(1 << 16);
        if (loaded_ >= 3 && std::string_view(buffer_.data, 3) == "\xef\xbb\xbf") at_ = 3;
    }
    std::int64_t at() const noexcept { return at_; }
    std::int64_t lines() const noexcept { return lines_; }

    // The next row that is not blank, or with `blank_too` any; false at the end.
    bool next(csv_row* row, bool blank_too = false) {
        while (at_ < source_.size()) {
            split_row(buffer_.data, at_, loaded_, dialect_, row);
            if (!row->complete) {
                if (loaded_ >= source_.size())
                    throw csv_fault(csv_failure::parser_error,
                                    "Error tokenizing data. C error: EOF inside string starting at row " +
                                        std::to_string(lines_));
                load(loaded_ * 4);
                continue;
            }
            at_ = row->next;
            ++lines_;
            if (blank_too || !row->blank) return true;
        }
        return false;
    }
    std::vector<std::string> strings(csv_row const& row) const {
        std::vector<std::string> all;
        for (std::size_t i = 0; i < row.begins.size(); ++i) {
            std::string s(buffer_.data + row.begins[i], row.ends[i] - row.begins[i]);
            if (dialect_.marks.quoting && !s.empty() && s[0] == dialect_.marks.quote) {
                std::string plain(s.size(), '\0');
                plain.resize(static_cast<std::size_t>(
                    unquote(s.data(), static_cast<std::int64_t>(s.size()), dialect_.marks.quote, plain.data())));
                s = plain;
            }
            all.push_back(std::move(s));
        }
        return all;
    }

private:
    void load(std::int64_t n) {
        buffer_ = scratch(n + 64);
        loaded_ = source_.read(0, n, buffer_.data);
    }

    csv_source const& source_;
    csv_dialect const& dialect_;
    scratch buffer_;
    std::int64_t loaded_ = 0, at_ = 0, lines_ = 0;
};

// Empty names become "Unnamed: 3"; a repeated name becomes the first free one of a.1, a.2, … Names of the file take
// precedence over generated ones.
void settle_names(std::vector<std::string>& names) {
    std::vector<std::size_t> order, unnamed;
    for (std::size_t i = 0; i < names.size(); ++i) {
        (names[i].empty() ? unnamed : order).push_back(i);
        if (names[i].empty()) names[i] = "Unnamed: " + std::to_string(i);
    }
    order.insert(order.end(), unnamed.begin(), unnamed.end());
    std::map<std::string, std::int64_t> met;
    for (std::size_t i : order) {
        std::string const old = names[i];
        std::string name = old;
        std::int64_t count = met[name];
        while (count > 0) {
            met[old] = count + 1;
            name = old + "." + std::to_string(count);
            count = std::find(names.begin(), names.end(), name) != names.end() ? count + 1 : met[name];
        }
        names[i] = name;
        met[name] = count + 1;
    }
}

void check_names(std::vector<std::string> const& names) {
    for (std::string const& n : names) {
        utf8_fault fault;
        if (!find_utf8_fault({n.data(), static_cast<std::int64_t>(n.size())}, &fault)) continue;
        char text[160];
        std::snprintf(text, sizeof text, "'utf-8' codec can't decode byte 0x%02x in position %lld: %s",
                      static_cast<unsigned char>(n[static_cast<std::size_t>(fault.position)]),
                      static_cast<long long>(fault.position), fault.reason);
        throw csv_fault(csv_failure::unicode_error, text);
    }
}

}  // namespace

csv_prologue read_prologue(csv_source const& source, csv_dialect const& d, read_csv_args const& a) {
    csv_prologue p;
    csv_row row;
    first_rows rows(source, d);
    for (std::int64_t i = 0; i < a.skip_rows; ++i) rows.next(&row, true);
    for (std::int64_t i = 0; i <= a.header; ++i) {
        if (rows.next(&row)) continue;
        if (i == 0) throw csv_fault(csv_failure::empty_data, "No columns to parse from file");
        std::string const header = std::to_string(a.header);
        throw csv_fault(csv_failure::value_error,
                        "Passed header=[" + header + "], len of 1, but only " + std::to_string(i) + " lines in file");
    }
    if (a.header >= 0) {
        p.names = rows.strings(row);
        settle_names(p.names);
        p.width = static_cast<std::int64_t>(p.names.size());
    }
    p.data_begin = rows.at();
    p.lines = rows.lines();
    if (rows.next(&row)) p.first_fields = static_cast<std::int64_t>(row.begins.size());
    if (a.names) {
        p.names.clear();
        for (std::int64_t i = 0; i < a.name_count; ++i)
            p.names.emplace_back(a.names[i].data, static_cast<std::size_t>(a.names[i].size));
    } else if (a.header < 0 && p.first_fields == 0) {
        throw csv_fault(csv_failure::empty_data, "No columns to parse from file");
    }
    check_names(p.names);
    auto const named = static_cast<std::int64_t>(p.names.size());
    p.width = std::max({p.width, p.first_fields, named});
    p.implicit_index = named > 0 ? std::max<std::int64_t>(p.first_fields - named, 0) : 0;
    return p;
}

}  // namespace bascule::cpu::csv
