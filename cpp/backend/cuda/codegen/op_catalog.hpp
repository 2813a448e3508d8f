// How an op of the table is written in a kernel's text: as the name of its type.
#pragma once
#include <cstdint>
#include <string>

#include "bascule/core/dtype.hpp"
#include "bascule/ops/spec.hpp"

namespace bascule::cuda {

struct catalog_entry {
    std::string type;    // "bascule::ops::add"
    std::string header;  // that it needs
    ops::spec const* meta = nullptr;
};

// Null if the table has no such op.
catalog_entry const* find_op(int number);
// Result type of the op's loop for inputs of type `loop`.
type_id op_result(int number, type_id loop);

// For messages: "add", "float64".
std::string op_text(int number);
std::string dtype_text(type_id);

// "element<type_id::int64>".
std::string element_text(type_id);
// The type as which it is loaded: of a boolean any byte that is not 0 is true.
std::string memory_text(type_id);
// The call of op `number` on arguments given as source text.
std::string call_text(catalog_entry const&, type_id result, std::string const* args, int nargs);

}  // namespace bascule::cuda
