// String columns and memory for results, as tests of string algorithms make them.
#pragma once
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bascule/core/table_algorithms_strings.hpp"

namespace bascule::string_tests {

using row = std::optional<std::string>;
using rows = std::vector<row>;

// A string column in memory that ends with its last byte, so that a sanitizer sees a load too many. `before` bytes
// precede the first row; with `text_in_nulls` null rows have bytes too, as Arrow allows.
struct owned_strings {
    std::unique_ptr<char[]> bytes;
    std::vector<std::int64_t> offsets;
    std::vector<std::uint8_t> validity;
    std::int64_t length = 0;

    explicit owned_strings(rows const& values, std::int64_t before = 0, bool text_in_nulls = false)
        : offsets{before}, validity((values.size() + 7) / 8), length(static_cast<std::int64_t>(values.size())) {
        std::string all(static_cast<std::size_t>(before), '#');
        bool nulls = false;
        for (std::size_t i = 0; i < values.size(); ++i) {
            nulls |= !values[i];
            if (values[i]) validity[i / 8] = static_cast<std::uint8_t>(validity[i / 8] | 1 << (i % 8));
            all += values[i].value_or(text_in_nulls ? "hidden" : "");
            offsets.push_back(static_cast<std::int64_t>(all.size()));
        }
        if (!nulls) validity.clear();
        bytes = std::make_unique<char[]>(all.size());
        std::copy(all.begin(), all.end(), bytes.get());
    }
    string_column view() const {
        return {bytes.get(), offsets.data(), validity.empty() ? nullptr : validity.data(), length};
    }
};

// Blocks of exactly the requested size.
struct arena {
    std::vector<std::unique_ptr<char[]>> blocks;
    int refuse_at = -1;
    static void* allocate(void* owner, std::int64_t bytes) {
        auto& self = *static_cast<arena*>(owner);
        if (static_cast<int>(self.blocks.size()) == self.refuse_at) return nullptr;
        self.blocks.push_back(std::make_unique<char[]>(static_cast<std::size_t>(bytes)));
        std::memset(self.blocks.back().get(), 0x5a, static_cast<std::size_t>(bytes));
        return self.blocks.back().get();
    }
};

}  // namespace bascule::string_tests
