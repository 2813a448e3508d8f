// A plan's iteration space made ready for a kernel: extents of 1 dropped, neighbouring dimensions merged where every
// operand allows it, and each operand classed by its layout. The class is part of a kernel's text, the numbers are not.
#pragma once
#include <cstdint>
#include <vector>

#include "bascule/core/plan.hpp"

namespace bascule::cuda {

using extents = std::vector<std::int64_t>;

enum class layout : std::uint8_t {
    contiguous,  // neighbours in the innermost dimension are neighbours in memory
    strided,     // they are not contiguous
    uniform,     // one element for all of a row
    scalar,      // one element for the whole space
};

// Which dimensions a reduction removes; neighbours merge only within one group.
enum class axis_role : std::uint8_t { kept, outer, run };

struct laid_operand {
    std::uint64_t base = 0;
    type_id dtype = type_id::float64;
    extents strides;  // bytes; for an iota, elements
    layout shape_class = layout::strided;
};

struct iteration_space {
    extents shape;
    std::vector<axis_role> roles;
    std::vector<laid_operand> operands, stores, results, iotas;  // in the plan's order; an iota's base is its start

    explicit iteration_space(plan const&);

    int rank() const { return static_cast<int>(shape.size()); }
    std::int64_t size() const;
    std::int64_t size_of(axis_role) const;
    // All offsets and counts fit 32-bit arithmetic.
    bool small() const;

private:
    template <class F> void each(F&& f);
    template <class F> void each(F&& f) const;
    void drop_ones();
    void merge();
    void give_a_row();
    bool mergeable(int d) const;
    void merge_at(int d);
    layout classify(laid_operand const&) const;
};

// The word that kernels::quotient needs for a division by `extent`, of numbers below 2^31.
std::uint64_t divisor_word(std::int64_t extent);

}  // namespace bascule::cuda
