// Declarations shared by the files of this room. All of the functions throw `failure`.
#pragma once
#include <vector>

#include "backend/reference/failure.hpp"
#include "backend/reference/index_space.hpp"
#include "bascule/core/algorithms.hpp"

namespace bascule::reference {

// One element of any dtype.
struct alignas(16) cell {
    unsigned char bytes[16];
};

// Applies an op to one element: reads its arguments, writes its result.
using scalar_function = void (*)(cell const* const* args, cell& out);

// The instance of op number `op` for these argument dtypes, checked against the table.
scalar_function find_op(int op, std::vector<type_id> const& args, type_id result);

void run(plan const& p);

// Reduces one group of elements, those that share an output element, in C order of the reduced dimensions. `run` is the
// number of elements in a run of the tree (see plan_reduction), 0 where the innermost dimension is kept.
// Throws where the aggregation has no loop for the dtype or the output has not the dtype of its result.
void check_reduction(plan_reduction const& r, type_id input);
void reduce(plan_reduction const& r, type_id input, std::vector<cell> const& elements, std::int64_t run, void* out);

// The fp bits that value number `value` raised, of those of its `check`.
std::uint32_t fp_errors(plan const& p, std::size_t value, std::vector<cell> const& values);

void gather(gather_args& a);
void scatter(gather_args& a);
void nonzero(nonzero_args& a);
void compress(compress_args& a);
void scan(scan_args const& a);

}  // namespace bascule::reference
