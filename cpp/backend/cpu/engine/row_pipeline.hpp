// Chains of plans that reduce rows in place and compute with the results, a row at a time.
#pragma once
#include <cstdint>
#include <memory>

#include "bascule/core/backend.hpp"

namespace bascule::cpu {

struct kernel_table;

// The rows that one plan reads and writes are still in the first cache for the next plan, and the row that follows is
// prefetched meanwhile. Setting a plan up for every row would take longer than that saves: each is compiled once, and
// from row to row only the addresses of its operands change.
class row_pipeline {
public:
    // A plan that is only reductions, and one behind it that is element-wise.
    row_pipeline(plan const& reductions, plan const& elements, std::int64_t rows, kernel_table const&) noexcept;
    ~row_pipeline();
    bool possible() const noexcept;
    // False: an error was raised that is to be reported, or there is no memory; everything must be computed again.
    bool run(std::int64_t begin, std::int64_t end) const noexcept;

private:
    struct compiled;
    std::unique_ptr<compiled> all_;
};

}  // namespace bascule::cpu
