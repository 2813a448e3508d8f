// The size of the plan of several pending nodes, in which a value that is needed twice under one layout is counted
// once.
#pragma once
#include <cstdint>
#include <vector>

#include "bascule/array/storage.hpp"

namespace bascule::graph {

class graph_stats {
public:
    int values = 0, loads = 0;
    float cost = 0;
    std::int64_t read_bytes = 0;  // of the memory that is read

    // Adds the node's own share. Operands read under the layout in which they will be stored are counted separately.
    void add(pending_operation const& op);
    void clear();

private:
    // By value: the nodes may go before it does.
    struct constant {
        type_id type, as;
        std::uint64_t bits;
        bool operator==(constant const&) const = default;
    };
    struct read {
        storage const* memory;
        std::int64_t bytes, offset;
        std::uint64_t strides;
        type_id type;
        bool operator==(read const&) const = default;
    };

    std::vector<constant> constants_;
    std::vector<read> reads_;
};

float own_cost(pending_operation const& op);
// Values that the node adds to a plan itself: half precision is computed between casts.
int own_values(pending_operation const& op);
bool is_load(storage const& m);  // whether readers load it from memory
// Whether the argument is read under the layout that it will be stored in.
bool is_asked_whole(pending_operation const& op, operand const& a);

}  // namespace bascule::graph
