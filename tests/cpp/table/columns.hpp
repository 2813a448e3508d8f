// Columns of known rows, and their values.
#pragma once
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "array/arrays.hpp"
#include "bascule/table/column.hpp"

namespace bascule::testing {

inline double const nan = std::numeric_limits<double>::quiet_NaN();

template <class T> table::column_ref column_of(std::vector<T> const& v) {
    return std::make_shared<table::column const>(make(cpu(), v));
}
inline table::column_ref column_of(std::vector<std::string> const& rows) {
    std::vector<std::uint8_t> bytes;
    std::vector<std::int64_t> offsets{0};
    for (auto const& r : rows) {
        bytes.insert(bytes.end(), r.begin(), r.end());
        offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    dims const shape{static_cast<std::int64_t>(bytes.size())};
    array const text = from_host(cpu(), bytes.data(), make_dtype(type_id::uint8), shape, {1});
    return std::make_shared<table::column const>(table::column::text(text, make(cpu(), offsets)));
}

inline std::vector<std::string> string_values(table::column const& c) {
    auto const plain = c.kind() == table::column::form::text ? nullptr : c.decoded();
    table::column const& t = plain ? *plain : c;
    auto const bytes = values<std::uint8_t>(t.values());
    auto const offsets = values<std::int64_t>(t.offsets());
    std::vector<std::string> rows;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
        rows.emplace_back(bytes.begin() + offsets[i], bytes.begin() + offsets[i + 1]);
    return rows;
}

inline std::vector<std::uint8_t> booleans(array const& a) { return values<std::uint8_t>(a); }

}  // namespace bascule::testing
