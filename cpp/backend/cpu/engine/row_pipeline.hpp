// Chains of plans that reduction rows where they lie and compute with the results, a row at a time.
#pragma once
#include <cstdint>
#include <memory>

#include "bascule/core/backend.hpp"

namespace bascule::cpu {

struct kernel_table;

// What one plan reads and writes of a row the next finds in the first cache, and while it is written the row that
// follows is on its way. Setting a plan up for every row would take longer than that saves: each is compiled once, and
// from row to row only the places of its operands move.
class row_pipeline {
public:
    // A plan that is only reductions, and one behind it that is element-wise.
    row_pipeline(plan const& reductions, plan const& elements, std::int64_t rows, kernel_table const&) noexcept;
    ~row_pipeline();
    bool possible() const noexcept;
    // False: some error was raised that somebody asks for, or there is no memory; all must be computed again.
    bool run(std::int64_t begin, std::int64_t end) const noexcept;

private:
    struct compiled;
    std::unique_ptr<compiled> all_;
};

}  // namespace bascule::cpu
