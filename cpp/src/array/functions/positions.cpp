#include "bascule/array/arguments.hpp"
#include "bascule/array/reduce.hpp"

namespace bascule::arguments {

void positions(array const& p, std::int64_t least, std::int64_t end, char const* who) {
    type(p, types::integers, who);
    rank(p, 1, who);
    if (p.size() == 0) return;
    auto const range = range_of(p);
    for (std::int64_t const v : {range.least, range.most})
        if (v < least || v >= end)
            throw index_error(std::string("[") + who + "] index " + std::to_string(v) + " is out of bounds for size " +
                              std::to_string(end));
}

}  // namespace bascule::arguments
